"""What a question is about, beside the aspect it asks for: 小飛機 of 小飛機的價格, the zorblat of what it costs.

A passage may have every word that asks for a price and be about another thing. So the words for the thing are looked
for by themselves.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from anaphor.steps.answer.aspects import Aspect
from anaphor.steps.answer.kinds import asking
from anaphor.steps.reading import Text, folding, is_cjk, read, tokens
from anaphor.text.other_words import alike
from anaphor.text.patterns import pattern
from anaphor.text.segment import content_words
from anaphor.types import EvidenceClass, Passage

FEW, FEW_CJK = 3, 2  # content words of a question about one thing of another; a CJK one is often several
KNOWN = 0.3  # share of a word's pairs of characters from which on a text has the word, or one much like it
PAIRS = 2  # of a long word, which may be several, so many are enough


@dataclass(frozen=True, slots=True)
class Subject:
    """One content word of the question, as terms by how a passage is folded.

    ``specific``: it says whose, or which, the word beside it is (vault in the vault code, 金庫 in 金庫的密碼).
    ``counted``: it is what is counted (computers in how many computers, 電腦 in 幾台電腦). ``does``: it says what is
    done, and the question is about that only where it asks whether it is so.
    """

    word: str
    zh: frozenset[str]
    ja: frozenset[str]
    specific: bool = False
    counted: bool = False
    does: bool = False

    def terms(self, folded_as: str) -> frozenset[str]:
        return self.ja if folded_as == "ja" else self.zh

    @property
    def beside(self) -> int:
        """Of at most so many words, this one says which: with more there is more else that the question is about."""
        return FEW if self.word.isascii() else FEW_CJK

    @property
    def alike(self) -> frozenset[str]:
        """Other words for the same."""
        return _alike().get(self.word, frozenset())

    def known(self, texts: Iterable[Text], folded_as: str) -> bool:
        """Whether the texts, together, have the word."""
        wanted = self.terms(folded_as)
        found: set[str] = set()
        for text in texts:
            found |= text.of(wanted)
            if len(found) >= min(PAIRS, KNOWN * len(wanted)) or text.of(self.alike):
                return True
        return False


def about_other_things(subjects: Sequence[Subject], language: str, passages: Mapping[int, Passage]) -> frozenset[int]:
    """The passages that have no word of what the question is about.

    All of them, where it is about one thing of another (the code of the vault) and no passage has that other one: then
    they can only have the first (the code of an error). What the person and the assistant said is never among them:
    people speak of a thing without naming it again. Nor is what is in another language, whose words are others.
    """
    texts = {n: _texts(p) for n, p in passages.items() if _comparable(p, language)}
    if not subjects or not texts:
        return frozenset()
    known = {n: {s for s in subjects if s.known(texts[n], folding(passages[n].language))} for n in texts}
    somewhere = frozenset[Subject]().union(*known.values())
    if any(s.specific and s not in somewhere and 1 < len(subjects) <= s.beside for s in subjects):
        return frozenset(known)
    return frozenset(n for n, words in known.items() if not words)


def counts_what_is_nowhere(subjects: Sequence[Subject], language: str, passages: Mapping[int, Passage]) -> bool:
    """Whether the question counts a thing that no passage has a word for: what they count is something else."""
    counted = [subject for subject in subjects if subject.counted]
    texts = {n: _texts(p) for n, p in passages.items() if _comparable(p, language)}
    if not counted or len(texts) < len(passages):
        return False
    return not any(s.known(texts[n], folding(passages[n].language)) for s in counted for n in texts)


def mostly_unheard(subjects: Sequence[Subject], names: Set[str], passages: Mapping[int, Passage]) -> bool:
    """Whether no passage has half of the question's words or more, beside what names the thing: it is waterproof?

    Only of English, whose words stand apart; one of those that no passage has must be no verb, for which sources have
    many words.
    """
    asked = [s for s in subjects if not s.zh <= names and not _SAYS_LITTLE.fullmatch(s.word)]
    texts = [text for p in passages.values() if _comparable(p, "en") for text in _texts(p)]
    if not asked or not texts or not all(subject.word.isascii() for subject in asked):
        return False
    unheard = [subject for subject in asked if not subject.known(texts, "zh")]
    return 2 * len(unheard) >= len(asked) and not all(subject.does for subject in unheard)


def _texts(passage: Passage) -> list[Text]:
    reading = read(passage)
    return [reading.heading, *(sentence.text for sentence in reading.sentences)]


def _comparable(passage: Passage, language: str) -> bool:
    same = "und" in (language, passage.language) or passage.language[:2] == language[:2]
    return same and passage.evidence_class is EvidenceClass.DOCUMENT


def subjects_of(
    question: str, language: str, aspects: Sequence[Aspect], binding: re.Pattern[str]
) -> tuple[Subject, ...]:
    """The content words that ask for no aspect and are no question words."""
    asks = [m.span() for words in _patterns(aspects, binding) for m in words.finditer(question)]
    found = [
        word
        for word in content_words(question, language)
        if not any(start < word.end and word.start < end for start, end in asks)
    ]
    return tuple(
        Subject(
            word.term,
            _pairs(word.term, "zh"),
            _pairs(word.term, "ja"),
            _specific(question, word.start, word.end),
            _counted(question, word.start, word.end),
            _does(question, word.start, word.end),
        )
        for word in found
    )


def _patterns(aspects: Sequence[Aspect], binding: re.Pattern[str]) -> list[re.Pattern[str]]:
    return [*(a.asks for a in aspects), *(words for _, words in asking()), binding]


def _pairs(word: str, folded_as: str) -> frozenset[str]:
    """The word's terms; single characters only of a word that is one."""
    found = frozenset(token.term for token in tokens(word, folded_as))
    return frozenset(t for t in found if len(t) > 1 or not is_cjk(t)) or found


def _does(question: str, start: int, end: int) -> bool:
    """Whether a word says what is done, for which sources have many words (多久能拿到, いつ届きますか)."""
    inflected = end - start == 1 and _INFLECTION.match(question, end)
    return bool(
        inflected or _MAY.search(question, max(0, start - 12), start) or _HIRAGANA.fullmatch(question, start, end)
    )


def _specific(question: str, start: int, end: int) -> bool:
    return bool(_WHOSE.match(question, end) or _OF_IT.search(question, max(0, start - 24), start))


def _counted(question: str, start: int, end: int) -> bool:
    return bool(_MANY.search(question, max(0, start - 16), start) or _HOW_MANY.match(question, end))


# Words that are in a question and say nothing of what it is about.
_SAYS_LITTLE = pattern(
    r"want|wish|like|need|get|use|go|whenever|wherever|anytime|any|ever|always|already|possible|able|really|myself"
    r"|time|way|thing|okay|ok|please|possibly|actually|normally|usually"
)

# What stands before a thing that is counted.
_MANY = pattern(r"(?:(?:有|共|收)?(?:[幾几]|多少)|\bhow many\s+)$", re.IGNORECASE)

# What follows a thing that is counted, in Japanese.
_HOW_MANY = pattern(r"(?:は|が|を|も)(?:全部で|合わせて|合計)?(?:何[^のがをはか]{1,3}|いくつ)")

# What stands before a verb.
_MAY = pattern(
    r"(?:能夠?|能够|可以|可|會|会|要|得|怎[麼么]樣?|怎样|如何|應該|应该|想)$|\b(?:to|i|you|we|it|they|he|she|not)\s+$",
    re.IGNORECASE,
)

# Hiragana behind a single character that makes a verb or an adjective of it, and is no particle.
_INFLECTION = pattern(r"[ぁ-ゖ](?<![のはがをにでともや])")

_HIRAGANA = pattern(r"[ぁ-ゖー]+")

# What follows a word that says whose something is; or the noun that it stands before.
_WHOSE = pattern(r"的(?=\w)|の(?=\w)|['’]s?\s+\w|\s(?=[a-z][\w-]*\W*$)")

# What stands before a word that says whose something is, or what is done to it.
_OF_IT = pattern(r"\b(?:of|for|the|a|an|my|our|your|in)\s+$", re.IGNORECASE)


@functools.cache
def _alike() -> dict[str, frozenset[str]]:
    """By word, the terms of the words that are used for the same; folded both ways."""
    return {
        word: frozenset(t for other in words if other != word for way in ("zh", "ja") for t in _pairs(other, way))
        for words in alike()
        for word in words
    }

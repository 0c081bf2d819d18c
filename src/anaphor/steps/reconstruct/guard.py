"""The drift guard: what speaks against a model's rewrite of an utterance.

A rewrite may bring in what may be carried, resolve references, and change the grammar. It may not lose what the person
pinned down (numbers, dates, names, identifiers, addresses, negations), bring back what was retracted, answer instead of
asking, or add a named thing, a number or a constraint of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import normalize

from anaphor.steps.reconstruct.asking import answers, asking_part
from anaphor.steps.reconstruct.dates import Date, dates
from anaphor.steps.reconstruct.free_words import free_han, free_latin, limiting, prepositions
from anaphor.steps.reconstruct.negation import Negation, excludes, negations
from anaphor.steps.reconstruct.wording import (
    HAN,
    Kind,
    Source,
    Token,
    parts,
    quoted,
    same_identifier,
    stem,
    tokens,
    unsupported,
)
from anaphor.text.fold import matching
from anaphor.text.function_words import EN
from anaphor.text.numbers import Number, numbers

MOST_CJK = 240  # characters that a rewrite may add
MOST_WORDS = 120


def objections(
    utterance: str,
    rewritten: str,
    carriable: Sequence[str],
    *,
    retracted: Sequence[str] = (),
    dropped: Sequence[str] = (),
    language: str = "und",
) -> tuple[str, ...]:
    """Why the rewrite must be refused, each reason naming the thing; empty when nothing speaks against it.

    ``carriable`` are the texts that may be carried from, ``retracted`` the terms that were taken back, ``dropped`` the
    stretches of the utterance that a rewrite may leave out (the retracted half of a correction).
    """
    if not any(c.isalnum() for c in rewritten):
        return ("empty",)
    if too_long := tuple(_is_too_long(utterance, rewritten)):
        return too_long
    old, new = Text.of(_without(utterance, dropped), language), Text.of(rewritten, language)
    source = Source.of((utterance, *carriable), language)
    reasons = (
        *(["answers instead of asking"] if answers(utterance, rewritten) else []),
        *_brings_back(retracted, old, new),
        *_loses(old, new, source),
        *_adds(old, new, source),
    )
    return tuple(dict.fromkeys(reasons))


def strays(
    utterance: str, part: str, carriable: Sequence[str], *, retracted: Sequence[str] = (), language: str = "und"
) -> tuple[str, ...]:
    """The same for one of several sub-queries, which may lose what the others keep: what it adds or brings back."""
    old, new = Text.of(utterance, language), Text.of(part, language)
    source = Source.of((utterance, *carriable), language)
    return tuple(dict.fromkeys([*_brings_back(retracted, old, new), *_adds(old, new, source)]))


@dataclass(frozen=True, slots=True)
class Text:
    """A text with what the guard compares of it. Numbers and dates in Han script are compared as such, not as words."""

    written: str
    language: str
    folded: str
    numbers: tuple[Number, ...]
    dates: tuple[Date, ...]
    tokens: tuple[Token, ...]

    @classmethod
    def of(cls, text: str, language: str) -> Text:
        text = normalize("NFKC", text)
        counted, dated = numbers(text, language), dates(text, language)
        words = text
        for start, end in [(n.start, n.end) for n in counted] + [(d.start, d.end) for d in dated]:
            if not text[start:end].isascii():
                words = words[:start] + " " * (end - start) + words[end:]
        return cls(
            text, language, matching(text, language), tuple(counted), tuple(dated), tuple(tokens(words, language))
        )


def _without(text: str, stretches: Sequence[str]) -> str:
    for stretch in filter(None, stretches):
        text = text.replace(stretch, " ")
    return text


def _brings_back(retracted: Sequence[str], old: Text, new: Text) -> Iterator[str]:
    for term in retracted:
        folded = matching(term, new.language).strip()
        if folded and _stands_in(folded, new.folded) and not _stands_in(folded, old.folded):
            yield f"brings back {term}"


def _stands_in(term: str, text: str) -> bool:
    """Latin terms as whole words, others anywhere."""
    left = r"(?<![0-9a-z])" if term[0].isascii() else ""
    right = r"(?![0-9a-z])" if term[-1].isascii() else ""
    return bool(re.search(left + re.escape(term) + right, text))


def _loses(old: Text, new: Text, source: Source) -> Iterator[str]:
    yield from _loses_numbers(old, new)
    left = {date.meaning for date in new.dates}
    yield from (f"loses {date.written}" for date in old.dates if date.meaning not in left)
    new_words = Source.of((new.written,), new.language)
    for token in old.tokens:
        if token.kind is Kind.ADDRESS:
            if token.term.rstrip(".,)") not in new.folded:
                yield f"loses {token.text}"
        elif token.kind is Kind.IDENTIFIER:
            if not same_identifier(token.term, new.folded):
                yield f"loses {token.text}"
        elif _is_name(token, old.language, source) and not _has_name(token, new_words, new):
            yield f"loses {token.text}"
    for title in quoted(old.written):
        if matching(title, old.language) not in new.folded:
            yield f"loses {title}"
    yield from _loses_the_point(old, new_words)
    if _loses_a_negation(old, new):
        yield "loses a negation"


def _loses_a_negation(old: Text, new: Text) -> bool:
    negated = negations(old.written, old.language)
    gone = not excludes(new.written, new.language) and not any(n.surface in new.folded for n in negated)
    if negated and gone:
        return True
    minds = bool(_MINDS_NOT.search(old.folded)) and bool(_MINDS.search(new.folded))  # 構いません → 構う
    return minds or any(_is_affirmed(n, new) for n in negated)


_MINDS_NOT, _MINDS = re.compile("(?:構|かま)[いわ](?:ない|なく|ません)"), re.compile("(?:構|かま)う")


def _is_affirmed(negation: Negation, new: Text) -> bool:
    """Whether what was negated now stands without it: 就是不会跳 → 就是会跳机械舞, "didn't get" → "did get"."""
    what = negation.governs
    if new.language == "ja" or len(what) < 2 or what in _AUXILIARY or negation.surface in new.folded:
        return False
    here = re.search(rf"\b{re.escape(what)}\b" if what.isascii() else re.escape(what), new.folded)
    return here is not None and all(what not in (n.governs, n.surface) for n in negations(new.written, new.language))


_AUXILIARY = frozenset(("be", "been", "have", "only", "just", "all", "any", "every", "that", "this", "to"))


def _is_name(token: Token, language: str, source: Source) -> bool:
    if token.term in free_latin() and not (token.kind is Kind.NAME and token.text.isupper()):
        return False
    if token.kind is Kind.KATAKANA:
        return len(token.text) > 2
    if token.kind is Kind.NAME:
        return True
    if token.kind is Kind.WORD and token.opens:
        return token.text[0].isupper() and stem(token.term) in source.names
    return token.kind is Kind.WORD and language != "en" and len(token.text) > 1


def _has_name(token: Token, words: Source, new: Text) -> bool:
    if token.kind is Kind.KATAKANA:
        return token.term in new.folded
    return words.has_word(token.term) or words.has_spelling_of(token.term)


def _loses_the_point(old: Text, new_words: Source) -> Iterator[str]:
    """Most of what the utterance itself is about: it was replaced by what was talked about before.

    Names cannot be told from other nouns in Han script, nor in careless English, so a share of all content is the
    measure. What a demonstrative points at ("this film", 那個演員) may give way to the thing itself, and a verb to
    another.
    """
    about: list[str] = []
    lost: list[str] = []
    free, nothing = free_han(old.language), Source.of(())
    asked = Text.of(_ORDINAL.sub(" ", asking_part(old.written)), old.language)
    for at, token in enumerate(asked.tokens):
        if token.kind is Kind.HAN:
            whole = old.language == "ja"
            run = _POINTED_AT.sub("", token.term) if not whole else token.term
            about += [r for r in unsupported(run, nothing, free, whole=whole) if len(r) > 1]
            lost += [r for r in unsupported(run, new_words, free, whole=whole) if len(r) > 1]
        elif token.kind in (Kind.WORD, Kind.NAME) and len(token.term) > 2 and not _is_free(token.term):
            before = asked.tokens[at - 1].term if at else ""
            kept = any(new_words.has_word(part) or new_words.has_spelling_of(part) for part in parts(token.term))
            if before in _DEMONSTRATIVES or (before in _BEFORE_VERBS and not kept):
                continue
            about.append(token.text)
            if not kept:
                lost.append(token.text)
    most = 2 / 3 if old.language == "en" else 1 / 2  # English is rephrased more freely
    if lost and len(lost) >= most * len(about):
        yield "loses what it asks about: " + ", ".join(lost)


# A verb is put in other words more often than what it is asked of: "will it kill me", "is it fatal".
_BEFORE_VERBS = frozenset(
    [
        "i",
        "you",
        "we",
        "they",
        "he",
        "she",
        "it",
        "to",
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "did",
        "does",
        "don't",
        "not",
    ]
)
_DEMONSTRATIVES = frozenset(["this", "that", "these", "those", "such", "said", "its", "his", "her", "their"])
_POINTED_AT = re.compile(r"[这那该此哪](?:一?[个些种类位部本首条家款只句张座次批场届间台件项]|几[个种位部])?的?\w{0,3}")

_ORDINAL = re.compile(
    r"第\s*[一二三四五六七八九十兩两\d]+\s*[^\d\s]?|[一二三四五六七八九十\d]+\s*(?:つ目|番目|個目|件目|枚目|人目)"
    r"|[前後后這这那上下][一二三兩两][個个種种位者款項项]?|\b\d(?:st|nd|rd|th)\b"
    # The two fats, those 3, その2つ: as many things as are then named.
    r"|\b(?:the|these|those|both|all|are|other) (?:two|three|four|five|[2-5])\b(?! ?[%$€£¥]|[.,:/-]\d|\d)"
    r"|[そこあ]の[二三四五2-5]つ",
    re.IGNORECASE,
)
_ONE = re.compile(r"[一壹壱]|one|a", re.IGNORECASE)


def _exact_numbers(text: Text) -> dict[object, str]:
    """The numbers that pin something down: not the one of "the Osaka one", nor the two of 第二個."""
    ordinals = [m.span() for m in _ORDINAL.finditer(text.written)]
    return {
        n.value: n.surface
        for n in text.numbers
        if not _ONE.fullmatch(n.surface) and not any(start <= n.start and n.end <= end for start, end in ordinals)
    }


def _loses_numbers(old: Text, new: Text) -> Iterator[str]:
    for value, surface in _exact_numbers(old).items():
        if not _has_number(value, surface, new.written, new.numbers):
            yield f"loses {surface}"


def _has_number(value: object, surface: str, text: str, known: Sequence[Number]) -> bool:
    """The number in any form, or as it is written, not as a part of a longer one."""
    if any(n.value == value for n in known):
        return True
    return bool(re.search(rf"(?<![\d.]){re.escape(surface)}(?![\d]|\.\d)", text, re.IGNORECASE))


def _adds(old: Text, new: Text, source: Source) -> Iterator[str]:
    known = numbers(source.written, new.language)
    for value, surface in _exact_numbers(new).items():
        if not _has_number(value, surface, source.written, known):
            yield f"adds {surface}"
    said = {date.meaning for date in dates(source.written, new.language)}
    yield from (f"adds {date.written}" for date in new.dates if date.meaning not in said)
    yield from _adds_latin(new, source)
    for token in new.tokens:
        if token.kind is Kind.KATAKANA and token.term not in source.folded:
            yield f"adds {token.text}"
        elif token.kind is Kind.HAN:
            free = free_han(new.language)
            yield from (f"adds {run}" for run in unsupported(token.term, source, free, whole=new.language == "ja"))
    yield from _adds_negation(old, new, source)


def _adds_negation(old: Text, new: Text, source: Source) -> Iterator[str]:
    added = () if excludes(old.written, old.language) else negations(new.written, new.language)
    if added:
        said = negations(source.written, new.language)
        for negation in added:
            if negation.surface not in source.folded and all(negation.governs != n.governs for n in said):
                yield f"adds the negation {negation.surface}"


def _adds_latin(new: Text, source: Source) -> Iterator[str]:
    latin = [t for t in new.tokens if t.kind in (Kind.ADDRESS, Kind.IDENTIFIER, Kind.NAME, Kind.WORD)]
    strange = []
    for at, token in enumerate(latin):
        if token.kind is Kind.ADDRESS:
            if token.term.rstrip(".,)") not in source.folded:
                yield f"adds {token.text}"
        elif token.kind is Kind.IDENTIFIER:
            if not same_identifier(token.term, source.folded):
                yield f"adds {token.text}"
        elif (
            _may_be_added(token)
            or source.has_word(token.term)
            or source.has_spelling_of(token.term)
            or _spelled_out(latin, at, source)
        ):
            continue
        elif token.kind is Kind.NAME or new.language != "en":
            yield f"adds {token.text}"
        else:
            strange.append(token)
            if _narrows(latin, at):
                yield f"adds {token.text}"
    if len(strange) > 2 or any(b.start - a.start == len(a.text) + 1 for a, b in pairwise(strange)):
        yield "adds " + " ".join(token.text for token in strange)


def _may_be_added(token: Token) -> bool:
    """Free words; with a capital inside a sentence only function words: a band is a word, Band is somebody."""
    return token.term in EN if token.kind is Kind.NAME else _is_free(token.term)


def _is_free(term: str) -> bool:
    return term in free_latin() or term.removesuffix("s") in free_latin()


def _spelled_out(latin: Sequence[Token], at: int, source: Source) -> bool:
    """Whether the word is part of a name whose acronym the source has; one of two words has capitals."""
    rows = (latin[start : start + n] for n in range(2, 6) for start in range(max(0, at - n + 1), at + 1))
    return any(
        source.has_acronym_of([word.term for word in row])
        for row in rows
        if len(row) > 2 or (len(row) == 2 and all(word.text[0].isupper() for word in row))
    )


_DETERMINERS = frozenset(["a", "an", "the", "any", "some", "more", "other", "all", "only"])


def _narrows(latin: Sequence[Token], at: int) -> bool:
    """Whether an ordinary word that nobody said stands where it narrows the question: cheap hotels, for beginners."""
    if latin[at].term in limiting():
        return True
    if at and latin[at - 1].term in _DETERMINERS and at + 1 < len(latin) and latin[at + 1].term not in free_latin():
        return True
    return not latin[at].term.endswith("ing") and any(t.term in prepositions() for t in latin[max(0, at - 2) : at])


def _is_too_long(utterance: str, rewritten: str) -> Iterator[str]:
    cjk = _cjk(rewritten) - _cjk(utterance)
    words = len(rewritten.split()) - len(utterance.split())
    if cjk > MOST_CJK or words > MOST_WORDS:
        yield f"adds {max(cjk, 0)} CJK characters and {max(words, 0)} words; at most {MOST_CJK} and {MOST_WORDS}"


def _cjk(text: str) -> int:
    return len(re.findall(f"[{HAN}\u3041-\u30ff]", text))

"""Whether the sentences that a claim cites say what it says.

A claim is supported when

1. some sentences of the cited passages (the best one, and others while they add something) have every number, date,
   identifier, name and quotation of the claim in some form, and negate what it negates and no more;
2. the same sentences cover enough of its other content (``COVERED``).

Only what the supporting sentences, their headings and their date say counts: a number that stands elsewhere in the
passage does not.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from anaphor.steps.exchanged import of_another
from anaphor.steps.family_names import FAMILY_NAMES
from anaphor.steps.reading import Sentence, clauses, folding, read, ready, tokens
from anaphor.steps.reconstruct.negation import negations
from anaphor.steps.reconstruct.wording import Kind, Source, quoted, same_identifier
from anaphor.steps.reconstruct.wording import tokens as named_tokens
from anaphor.steps.tables import row_at, rows
from anaphor.text.fold import matching
from anaphor.text.language import detect
from anaphor.text.marks import MARK
from anaphor.text.numbers import Number, numbers
from anaphor.text.segment import Token, content_words
from anaphor.types import Passage, Quote, Span, Support

VERBATIM = "verbatim"  # the reason of a claim that stands in its source word for word
COVERED = 0.5  # share of a claim's content that its sentences must have
TOGETHER = 4  # sentences that may support one claim between them
ADDS = 0.08  # share of the content that each further sentence must add
RESTS = 0.15  # share of the content that stands in negated clauses only, from which on a claim rests on them
SAME_CLAIM = 0.8  # share of the content from which on a sentence with other numbers contradicts the claim
SAME_THING = 0.15  # share of the content that a further sentence must have to be about the same thing


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim, taken apart once for every sentence it is held against."""

    text: str
    language: str
    zh: Mapping[str, tuple[int, ...]]  # content terms and where they begin, by how a passage is folded
    ja: Mapping[str, tuple[int, ...]]
    numbers: tuple[Number, ...]
    identifiers: tuple[str, ...]
    names: tuple[str, ...]
    han: tuple[str, ...]  # content words of two or more Han characters, folded
    quotations: tuple[str, ...]

    def content(self, folded_as: str) -> Set[str]:
        return (self.ja if folded_as == "ja" else self.zh).keys()

    def around(self, number: Number, folded_as: str) -> set[str]:
        """The content of the clause that the number stands in."""
        placed = self.ja if folded_as == "ja" else self.zh
        for span in clauses(self.text, Span(0, len(self.text))):
            if span.start <= number.start < span.end:
                return {term for term, starts in placed.items() if any(span.start <= at < span.end for at in starts)}
        return set()


@dataclass(frozen=True, slots=True)
class Ground:
    """A sentence of a cited passage, and what of the claim it covers."""

    n: int
    passage: Passage
    sentence: Sentence
    covers: frozenset[str]

    @property
    def text(self) -> str:
        return self.passage.text[self.sentence.start : self.sentence.end]

    @property
    def numbers(self) -> tuple[Number, ...]:
        return _numbers(self.text, self.passage.language)

    def has(self, content: Set[str]) -> set[str]:
        """What of the content stands in the sentence or over it."""
        return (
            self.sentence.text.of(content) | self.sentence.led_by.of(content) | read(self.passage).heading.of(content)
        )

    def said_of(self, statement: Statement) -> set[str]:
        """What of the claim's words, figures aside, the sentence itself has."""
        content = statement.content(folding(self.passage.language))
        return {t for t in self.sentence.text.of(content) if not t[0].isdigit()}

    @property
    def heading(self) -> str:
        return "\n".join((self.passage.title, self.passage.section, self.passage.date or ""))


@functools.lru_cache(maxsize=256)
def weigh(claim: str, cited: tuple[tuple[int, Passage], ...]) -> tuple[Support, str, tuple[Quote, ...]]:
    """Kept, because a claim is looked at when it is written, when it is released and when the turn is closed."""
    whole = verbatim(claim, cited)
    if whole:
        return Support.SUPPORTED, VERBATIM, (whole,)
    statement = _statement(claim)
    if _ASKS.search(claim):
        return Support.UNSUPPORTED, "asks and does not state", ()
    if not statement.zh and not statement.numbers:
        return Support.UNSUPPORTED, "states nothing that could be checked", ()
    grounds = _grounds(statement, dict(cited))
    if not grounds:
        return Support.UNSUPPORTED, "shares nothing with the cited sentences", ()
    missing = _missing(statement, grounds)
    if missing:
        return Support.UNSUPPORTED, missing, ()
    against = _negation_differs(statement, grounds)
    if against:
        return Support.UNSUPPORTED, against, ()
    share = _share(statement, grounds)
    reason = f"{share:.0%} of its content is in the cited sentences"
    if share < COVERED:
        if not (all(_foreign(statement, g.passage) for g in grounds) and _anchored(statement, grounds)):
            return Support.UNSUPPORTED, reason, ()
        reason = "the source is in another language: numbers and identifiers agree"
    quotes = tuple(Quote(g.n, g.sentence.start, g.sentence.end) for g in grounds)
    other = _disagreeing(statement, grounds, dict(cited))
    if other:
        told = f"another cited source says: {other.text[:80]}"
        return Support.CONFLICTING, told, (*quotes, Quote(other.n, other.sentence.start, other.sentence.end))
    return Support.SUPPORTED, reason, quotes


def verbatim(claim: str, cited: tuple[tuple[int, Passage], ...]) -> Quote | None:
    """Where the claim stands word for word as whole sentences; part of one may say the opposite of the whole.

    A row of a table stands there also with the names of its columns.
    """
    for n, passage in cited:
        for row in rows(passage):
            if row.told and row.told == claim:
                return Quote(n, row.span.start, row.span.end)
        found = read(passage).sentences
        ends = {s.end for s in found if s.quotable}
        for sentence in found:
            mark = MARK.match(passage.text, sentence.start)
            for at in {sentence.start, mark.end() if mark else sentence.start}:
                if sentence.quotable and at + len(claim) in ends and passage.text.startswith(claim, at):
                    return Quote(n, at, at + len(claim))
    return None


_HAN_RUN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{2,}")
_ASKS = re.compile(r"[?？]\s*[\"'”’」』)）]*\s*$")


def _statement(text: str) -> Statement:
    language = detect(text)
    figures = numbers(text, language)
    words = content_words(_without(figures, text), language)
    content = bytearray(len(text))
    for word in words:
        content[word.start : word.end] = b"\1" * (word.end - word.start)
    ways = ("zh",) if text.isascii() else ("zh", "ja")  # which fold letters of Latin alike
    kept = {way: _placed(tokens(text, way), content) for way in ways}
    named = [t for t in named_tokens(text, language) if t.kind in (Kind.IDENTIFIER, Kind.ADDRESS, Kind.NAME)]
    return Statement(
        text,
        language,
        kept["zh"],
        kept.get("ja", kept["zh"]),
        tuple(n for n in figures if not (n.value == 1 and not n.surface[0].isdigit())),
        tuple(t.term for t in named if t.kind is not Kind.NAME),
        tuple(t.term for t in named if t.kind is Kind.NAME),
        () if text.isascii() else tuple(run for word in words for run in _HAN_RUN.findall(matching(word.term))),
        tuple(q for q in quoted(text) if len(q) > 3),
    )


def _placed(found: Iterable[Token], content: bytearray) -> dict[str, tuple[int, ...]]:
    """The terms that are content throughout, with where each begins."""
    placed: dict[str, tuple[int, ...]] = {}
    for token in found:
        if content.find(b"\0", token.start, token.end) < 0:
            placed[token.term] = (*placed.get(token.term, ()), token.start)
    return placed


def _without(figures: Sequence[Number], text: str) -> str:
    """The text with its numerals blanked out: 兩萬五 is compared as 25000 and not by its characters."""
    blanked = text
    for number in figures:
        if not number.surface.isascii():
            blanked = blanked[: number.start] + " " * len(number.surface) + blanked[number.end :]
    return blanked


def _grounds(statement: Statement, cited: Mapping[int, Passage]) -> list[Ground]:
    """The sentence that covers most of the claim, then whatever adds to it, from wherever it was cited from."""
    candidates = [
        Ground(n, passage, sentence, frozenset(sentence.text.of(statement.content(folding(passage.language)))))
        for n, passage in cited.items()
        for sentence in read(passage).sentences
        if sentence.quotable
    ]
    candidates = [g for g in candidates if g.covers or _shares_number(statement, g)]
    chosen: list[Ground] = []
    covered: set[str] = set()
    while candidates and len(chosen) < TOGETHER:
        gain, _, at = max(
            (_gain(statement, g, covered, chosen), -g.sentence.start, -i) for i, g in enumerate(candidates)
        )
        if chosen and gain < ADDS:
            break
        best = candidates.pop(-at)
        chosen.append(best)
        covered |= best.covers
    return chosen


def _gain(statement: Statement, ground: Ground, covered: set[str], chosen: Sequence[Ground]) -> float:
    """What a sentence adds: a share of the content, and half as much again for each number that is still missing.

    A further sentence counts only if it is about the same thing, not because a wanted number happens to stand in it.
    """
    content = statement.content(folding(ground.passage.language))
    share = len(ground.covers - covered) / (len(content) or 1)
    if chosen and len(ground.covers) < SAME_THING * len(content):
        return 0.0
    if not statement.numbers:
        return share
    wanted = {n.value for n in statement.numbers} - {o.value for g in chosen for o in g.numbers}
    return share + 0.5 * len(wanted & {o.value for o in ground.numbers}) / len(statement.numbers)


def _shares_number(statement: Statement, ground: Ground) -> bool:
    wanted = {n.value for n in statement.numbers}
    return bool(wanted) and any(o.value in wanted for o in ground.numbers)


@functools.lru_cache(maxsize=512)
def _numbers(text: str, language: str) -> tuple[Number, ...]:
    return tuple(numbers(text, language))


def _share(statement: Statement, grounds: Sequence[Ground]) -> float:
    """The share of the content that the sentences or the headings over them have; 0 for content we cannot compare."""
    best = 0.0
    for way in {folding(g.passage.language) for g in grounds}:
        content = statement.content(way)
        here = [g for g in grounds if folding(g.passage.language) == way]
        has = {t for g in here for t in g.has(content)}
        best = max(best, len(has) / len(content) if content else 1.0)
    return best


def _missing(statement: Statement, grounds: Sequence[Ground]) -> str:
    """The first number, identifier, name or quotation of the claim that the sentences do not have; else empty."""
    texts = [g.text for g in grounds] + list(dict.fromkeys(g.heading for g in grounds))
    for number in statement.numbers:
        if not any(_stands(statement, number, g) and not _of_another(statement, number, g, grounds) for g in grounds):
            return f"{number.surface} is not in the cited sentences"
    folded = matching("\n".join(texts))
    for identifier in statement.identifiers:
        if not _written(identifier, folded):
            return f"{identifier} is not in the cited sentences"
    for quotation in statement.quotations:
        if not any(matching(quotation) in matching(g.passage.text) for g in grounds):
            return f"“{quotation}” is not in the cited sources"
    if not (statement.names or statement.han) or all(_foreign(statement, g.passage) for g in grounds):
        return ""  # names look different in another language
    names = [name for name in statement.names if not _written(name, folded)]  # of most this is all to be looked at
    source = Source.of(texts, grounds[0].passage.language) if names else None
    names = [name for name in names if source and not source.has_word(name)]
    names += [run for run in statement.han if _invented(run, folded)]
    return f"{names[0]} is not in the cited sentences" if names else ""


def _written(name: str, folded: str) -> bool:
    """As ``same_identifier``, which makes a pattern of every identifier; most names need none."""
    at = folded.find(name)
    while at >= 0:
        end = at + len(name)
        if not _of_a_word(folded[at - 1 : at]) and not _of_a_word(folded[end : end + 1]):
            return True
        at = folded.find(name, end)
    return not name.isalpha() and same_identifier(name, folded)


def _of_a_word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _invented(run: str, folded: str) -> bool:
    """Whether a run of Han is, or holds, what can only be a name or a term of its own, and no part of it is there.

    One without a pair of neighbouring characters in the sources is taken for a name when it begins with a family name,
    and for a term of its own from four characters on: shorter ones are often the same thing in other words.
    """
    absent = "".join(" " if _paired(run, at, folded) else c for at, c in enumerate(run)).split()
    return any(len(a) > 3 or (len(a) > 1 and a[0] in FAMILY_NAMES) for a in absent)


def _paired(run: str, at: int, folded: str) -> bool:
    """Whether the character stands in the sources beside the same neighbour."""
    return (at > 0 and run[at - 1 : at + 1] in folded) or (at + 1 < len(run) and run[at : at + 2] in folded)


def _stands(statement: Statement, number: Number, ground: Ground) -> bool:
    """Whether the number stands in the sentence or over it, and is said there of the same thing.

    Of the same thing: half of what the claim's clause around the number says is there too. 90 euros in one sentence and
    a pump's weight in another do not make 90 kg.
    """
    found = (*ground.numbers, *_numbers(ground.heading, ground.passage.language))
    if not any(_same(number, o) for o in found):
        return False
    if _foreign(statement, ground.passage):
        return True
    folded_as = folding(ground.passage.language)
    around = {t for t in statement.around(number, folded_as) if not t[0].isdigit()}
    return len(ground.has(around)) >= len(around) / 2


def _of_another(statement: Statement, number: Number, ground: Ground, grounds: Sequence[Ground]) -> bool:
    """Whether the sentence has the number of another thing than the claim: of Birch, where the claim is on Alder.

    Another of the sentences, without the number, says the same of what the claim names; of the rows of a table one
    that has all of the claim that this one has, and more.
    """
    for other in grounds:
        if other is ground or any(_same(number, o) for o in other.numbers):
            continue
        rowed = other.n == ground.n and _row(other) and _row(ground)
        if rowed and ground.said_of(statement) < other.said_of(statement):
            return True
        if of_another(statement.text, other.text, ground.text, folding(ground.passage.language), ground.heading):
            return True
    return False


def _row(ground: Ground) -> bool:
    return row_at(ground.passage, Span(ground.sentence.start, ground.sentence.end)) is not None


def _disagreeing(statement: Statement, grounds: Sequence[Ground], cited: Mapping[int, Passage]) -> Ground | None:
    """A sentence of another cited passage that says nearly all of the claim, with other numbers in place of its own."""
    resting_on = {g.n for g in grounds}
    for n, passage in cited.items() if statement.numbers else ():
        if n in resting_on:
            continue
        content = {t for t in statement.content(folding(passage.language)) if not t[0].isdigit()}
        for sentence in read(passage).sentences:
            ground = Ground(n, passage, sentence, frozenset(sentence.text.of(content)))
            same = sentence.quotable and len(ground.covers) >= SAME_CLAIM * len(content)
            agree = any(_same(number, o) for number in statement.numbers for o in ground.numbers)
            if same and ground.numbers and not agree:
                return ground
    return None


def _same(claimed: Number, found: Number) -> bool:
    """Equal in value, in whatever form: 5% is 0.05 and not 5, 民國113年 is 2024. 八折 is not 80% off."""
    kinds = {claimed.kind, found.kind}
    return claimed.value == found.value and kinds != {"price_factor", "ratio"}


def _negation_differs(statement: Statement, grounds: Sequence[Ground]) -> str:
    """Why the claim cannot rest on these sentences, if one of the two sides negates what the other does not."""
    theirs = " ".join(g.text for g in grounds)
    language = _language(grounds[0].passage)
    if negations(statement.text, statement.language):
        said = negations(theirs, language) or _excludes().search(theirs)
        return "" if said else "the claim negates, the cited sentences do not"
    if _excludes().search(statement.text):
        return ""
    plain: set[str] = set()
    negated: set[str] = set()
    for ground in grounds:
        if not _negates(ground.text, language):
            plain |= ground.covers
            continue
        for clause, has in _clauses(ground):
            (negated if negations(clause, language) else plain).update(has)
    content = statement.content(folding(grounds[0].passage.language))
    rests = len((negated - plain) & content) > RESTS * len(content)
    return "the cited sentences negate, the claim does not" if rests else ""


@functools.lru_cache(maxsize=512)
def _negates(text: str, language: str) -> bool:
    return bool(negations(text, language))


@functools.cache
def _excludes() -> re.Pattern[str]:
    """Words that negate without being negations."""
    return re.compile(
        r"\b(?:fail(?:s|ed)?|unable|impossible|lack(?:s|ed|ing)?|without|except|exclud\w+|refus\w+|forb\w+|prohibit\w*"
        r"|no longer|stop(?:s|ped)?|ineligible|invalid|unavailable|unsupported|uncovered|exempt)\b"
        r"|除外|除了|以外|之外|禁止|不可|拒[絕绝否]|無法|无法|未能|免除|対象外|抜き|不能",
        re.IGNORECASE,
    )


def _clauses(ground: Ground) -> Iterator[tuple[str, set[str]]]:
    """The clauses of a sentence, each with what of the claim stands in it."""
    text = ground.text
    for span in clauses(text, Span(0, len(text))):
        clause = text[span.start : span.end]
        yield clause, ready(clause, folding(ground.passage.language)).of(ground.covers)


def _foreign(statement: Statement, passage: Passage) -> bool:
    """Whether claim and passage are in languages whose words cannot be compared. The two scripts of Chinese can."""
    theirs = _language(passage)
    return "und" not in (statement.language, theirs) and statement.language[:2] != theirs[:2]


@functools.lru_cache(maxsize=128)
def _language(passage: Passage) -> str:
    return passage.language if passage.language != "und" else detect(passage.text[:400])


def _anchored(statement: Statement, grounds: Sequence[Ground]) -> bool:
    """Whether something that stays the same in every language ties a claim to its source: a number, shared Han.

    All numbers and identifiers have been found by now.
    """
    shared = sum(len(g.covers) for g in grounds)
    return bool(statement.numbers or statement.identifiers) or shared >= 3

"""Sources that disagree: the same said of the same, with another value in its place.

A rival of a sentence is a sentence of another passage that says nearly the same words with one value exchanged: a
number, a date, a name. Two exchanged at once are two things that are each told (plan A costs 400, plan B 900); so is
one that the question itself names.

Sentences are compared by the longest stretches they share (Ratcliff, Metzener (1988),
"Pattern Matching: The Gestalt Approach", Dr. Dobb's Journal 13).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from anaphor.steps.reading import folding, read
from anaphor.text.characters import HAN
from anaphor.text.fold import matching
from anaphor.text.numbers import numbers
from anaphor.text.segment import content_words
from anaphor.types import EvidenceClass, Passage, Span

ALIKE = 0.6  # of its units that a sentence must share with its rival
SHORTEST = 6  # units of a sentence; of shorter ones too many look alike
JOINED = 2  # units between two exchanged stretches that are one value still (5 January 2020, May 5, 2020)
LONGEST_VALUE = 14  # units of a value
_NEAR = 0.45  # of the units, in any order, that are looked for first


@dataclass(frozen=True, slots=True)
class Rival:
    """Passage ``n`` says at ``span`` ``theirs`` where the sentence it is a rival of has ``ours``; both folded."""

    n: int
    span: Span
    ours: str
    theirs: str


def rival(n: int, span: Span, passages: Mapping[int, Passage], question: str = "") -> Rival | None:
    """The first passage, other than ``n``, with a rival of its sentence at ``span``; documents only."""
    passage = passages[n]
    if passage.evidence_class is not EvidenceClass.DOCUMENT:
        return None
    folded_as = folding(passage.language)
    named = _words(question, folded_as)
    said = _units(matching(passage.text[span.start : span.end], folded_as))
    for other, theirs in passages.items():
        if other == n or theirs.evidence_class is not EvidenceClass.DOCUMENT or folding(theirs.language) != folded_as:
            continue
        for where, units in said.near(_rows(theirs)):
            found = _one_value(said.row, units.row)
            if found and _named(named, passage, span) == _named(named, theirs, where):
                return Rival(other, where, *found)
    return None


@functools.lru_cache(maxsize=64)
def _words(question: str, folded_as: str) -> frozenset[str]:
    """What a question names: its content words and its figures."""
    folded = matching(question, folded_as)
    return frozenset(w.term for w in content_words(folded, folded_as)) | frozenset(re.findall(r"\d+", folded))


def _named(words: frozenset[str], passage: Passage, span: Span) -> frozenset[str]:
    """Those of the words that the sentence or the headings over it have: who has others speaks of another thing."""
    said = f"{passage.title}\n{passage.section}\n{passage.text[span.start : span.end]}"
    folded = matching(said, folding(passage.language))
    return frozenset(word for word in words if word in folded)


def newer(one: Passage, other: Passage) -> Passage | None:
    """The newer of two versions of one document, by their dates; ``None`` if they are no such versions."""
    same = (one.document_id and one.document_id == other.document_id) or (
        one.title and (one.title, one.section) == (other.title, other.section)
    )
    if not same or not one.date or not other.date or one.date[:10] == other.date[:10]:
        return None
    return max(one, other, key=lambda p: p.date or "")


@dataclass(frozen=True, slots=True)
class Units:
    """Of a sentence: a number, a Latin word, a character each; in order, and as a bag."""

    row: tuple[str, ...]
    bag: frozenset[str]

    def near(self, rows: Rows) -> Iterator[tuple[Span, Units]]:
        """Those that may be alike: a quick look before the long one.

        None can be where the passage as a whole has too few of the units.
        """
        bag, size = self.bag, len(self.bag)
        least, most = _NEAR * size, size / _NEAR
        if len(self.row) < SHORTEST or len(bag & rows.units) < least:
            return
        for where, other in rows.said:
            count = len(other.bag)
            if least <= count <= most:
                shared = len(bag & other.bag)
                alike = shared >= _NEAR * (size + count - shared)
                if alike and len(other.row) >= SHORTEST and self.row != other.row:
                    yield where, other


@dataclass(frozen=True, slots=True)
class Rows:
    """What can be quoted of a passage, ready to be compared; and all its units."""

    said: tuple[tuple[Span, Units], ...]
    units: frozenset[str]


@functools.lru_cache(maxsize=2048)
def _units(folded: str) -> Units:
    row = tuple(_unit().findall(folded))
    return Units(row, frozenset(row))


@functools.lru_cache(maxsize=128)
def _rows(passage: Passage) -> Rows:
    said = tuple((Span(s.start, s.end), _units(s.text.folded)) for s in read(passage).sentences if s.quotable)
    return Rows(said, frozenset().union(*(units.bag for _, units in said)))


@functools.cache
def _unit() -> re.Pattern[str]:
    return re.compile(rf"\d[\d,.:/]*(?:[%‰％])?|[a-z][a-z'’.-]*|[{HAN}\u3041-\u30ff]|\w")


def _one_value(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, str] | None:
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    stretches = [(i, j, k, m) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"]
    shared = len(a) - sum(j - i for i, j, _, _ in stretches)
    if not stretches or shared < ALIKE * min(len(a), len(b)):
        return None
    merged = [list(stretches[0])]
    for i, j, k, m in stretches[1:]:
        if i - merged[-1][1] <= JOINED:
            merged[-1][1], merged[-1][3] = j, m
        else:
            merged.append([i, j, k, m])
    # What one of the two leaves out at its ends (a date before it, the rest of a cut-off text) is no other value.
    inner = [s for s in merged if not ((s[0] == s[1] or s[2] == s[3]) and _at_an_end(s, len(a), len(b)))]
    values = {(_joined(a[i:j]), _joined(b[k:m])) for i, j, k, m in inner}
    if len(values) != 1 or any(max(j - i, m - k) > LONGEST_VALUE for i, j, k, m in inner):
        return None
    one, other = values.pop()
    return (one, other) if _are_values(one, other) else None


def _at_an_end(stretch: list[int], ours: int, theirs: int) -> bool:
    i, j, k, m = stretch
    return (i == 0 or k == 0) or (j == ours or m == theirs)


def _joined(units: tuple[str, ...]) -> str:
    return " ".join(units) if any(unit.isascii() and unit.isalpha() for unit in units) else "".join(units)


def _are_values(one: str, other: str) -> bool:
    """Whether the two can be values of the same thing, and differ: figures and figures, or words and words."""
    if not one or not other or one in other or other in one:
        return False
    figures = bool(_figures(one)), bool(_figures(other))
    if all(figures):
        return _figures(one) != _figures(other) and not any(_more_than_figures().search(text) for text in (one, other))
    if any(figures):
        return False
    return min(len(_plain(one)), len(_plain(other))) > 1 and not any(_binds().search(text) for text in (one, other))


@functools.cache
def _more_than_figures() -> re.Pattern[str]:
    """What stands in no date and no amount."""
    return re.compile(
        r"[a-z]{3,}(?<!jan)(?<!feb)(?<!mar)(?<!apr)(?<!may)(?<!jun)(?<!jul)(?<!aug)(?<!sep)(?<!oct)(?<!nov)(?<!dec)"
        r"(?<!january)(?<!february)(?<!march)(?<!april)(?<!june)(?<!july)(?<!august)(?<!september)(?<!october)"
        r"(?<!november)(?<!december)(?<!million)(?<!billion)(?<!percent)\b"
        rf"|(?![年月日号號时時点點分秒元円圆圓亿億万萬千百十兆多约約个個人名次回％%]|[〇零一二三四五六七八九两兩])[{HAN}]"
    )


@functools.cache
def _binds() -> re.Pattern[str]:
    """What stands in a sentence around values, and in none."""
    return re.compile(
        r"[的在是将將於于了和與与及或把被就也都又使让讓并並其此這这]|[はがをにでへとも](?!ン)|\b(?:a|an|the|is|was|and|or|of|in|on|at|to|for|by|with|that|which|it)\b"
    )


def _figures(text: str) -> frozenset[float]:
    """Every number, in whatever form; digits that make no number as they stand."""
    found = list(numbers(text))
    rest = text
    for number in reversed(found):
        rest = rest[: number.start] + " " + rest[number.end :]
    return frozenset([*(float(n.value) for n in found), *(float(d) for d in re.findall(r"\d+", rest)[:8])])


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)

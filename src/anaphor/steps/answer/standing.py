"""Of several statements of a person about one thing the newest holds; of a count and its changes all are told.

Worked out from the person's own words among the evidence, not from facts: what was said a moment ago holds also while
nothing has been read into long-term memory yet. What facts know besides (a dispute, an edit) is theirs to tell.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from anaphor.steps.answer.kinds import Kind
from anaphor.steps.answer.own import Tells, Wanted, tells, wanted
from anaphor.steps.reading import read
from anaphor.text.fold import matching
from anaphor.text.numbers import numbers
from anaphor.types import Evidence, EvidenceClass, KnownFact, Passage, Question, Span, StandaloneQuery

MOST = 3  # statements that are told where none of them takes the place of the others


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the person's about the thing: where it stands, and how it speaks of it."""

    n: int
    passage: Passage
    span: Span
    how: Tells
    change: int = 0  # of a count: 1 more, -1 fewer, 0 counted anew
    quantity: float | None = None

    @property
    def text(self) -> str:
        return self.passage.text[self.span.start : self.span.end]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is told, oldest first; ``asked`` is what was wanted. ``added``: a count with its changes, to be summed."""

    told: tuple[Statement, ...]
    asked: Wanted
    added: tuple[Statement, ...] = ()
    older: int = 0  # statements about it whose place a newer one took


def standing(question: Question, query: StandaloneQuery, evidence: Evidence) -> Standing | None:
    """What of the person's words holds, where the question asks about one thing of theirs; ``None`` elsewhere."""
    asked = wanted(question.text, query.language) or wanted(query.text, query.language)
    if asked is None or len(query.queries) > 1:
        return None
    found = _found(asked, evidence, query.language)
    if not found:
        return None
    if asked.kind is Kind.HOW_MANY and not asked.of:
        return _counted(asked, found, query.language)
    last = found[-1]
    if asked.before:
        return Standing(tuple(found[-2 * MOST :]), asked)
    if asked.of or last.how.changed or last.how.settled:
        return Standing((last,), asked, older=len(found) - 1)
    return Standing(tuple(found[-MOST:]), asked)


def _found(asked: Wanted, evidence: Evidence, language: str) -> list[Statement]:
    """The person's statements about it, oldest first. What only nearly has its words counts behind one that has all."""
    gone = (
        set()
        if asked.before
        else {(old.session_id, old.seq, old.text) for fact in evidence.facts for old in _superseded(fact)}
    )
    found = [
        Statement(n, passage, Span(sentence.start, sentence.end), how)
        for n, passage in evidence.numbered()
        if passage.evidence_class is EvidenceClass.USER_STATEMENT
        for sentence in read(passage).sentences
        if sentence.quotable and (how := tells(asked, passage.text[sentence.start : sentence.end], language))
    ]
    found.sort(key=lambda one: (one.passage.date or "", one.passage.seq or 0, one.n, one.span.start))
    whole = next((n for n, one in enumerate(found) if one.how.whole), 0)
    return [one for one in found[whole:] if not any(_says(one, *told) for told in gone)] or found[-1:]


def _superseded(fact: KnownFact) -> Sequence[KnownFact]:
    return fact.earlier if fact.status == "current" and fact.kind != "count" else ()


def _says(one: Statement, session: str, seq: int, text: str) -> bool:
    return (one.passage.source, one.passage.seq) == (session, seq) and text[:80] in one.text


def _counted(asked: Wanted, found: Sequence[Statement], language: str) -> Standing | None:
    """The last count with its changes, in order; counts before it are told too, where they are one line."""
    counts = [one for one in (_quantity(asked, one, language) for one in found) if one is not None]
    last = max((n for n, one in enumerate(counts) if not one.change), default=-1)
    if last < 0:
        return None
    if asked.before:
        return Standing(tuple(counts), asked, tuple(counts[last:]))
    since = counts[last:]
    return Standing(tuple(since), asked, tuple(since) if len(since) > 1 else (), older=last)


def _quantity(asked: Wanted, one: Statement, language: str) -> Statement | None:
    """The statement with how many it says there are, or come to them, or go; ``None`` where it says no number."""
    folded = matching(one.text, "ja" if language == "ja" else "zh")
    change = 1 if _more().search(folded) else -1 if _fewer().search(folded) else 0
    near = _nearest(asked, folded, one.text, language)
    if near is None and change and _single().search(folded):
        near = 1.0
    return Statement(one.n, one.passage, one.span, one.how, change, near) if near is not None else None


def _nearest(asked: Wanted, folded: str, text: str, language: str) -> float | None:
    """The number that stands nearest to the thing counted."""
    at = [folded.find(thing) for thing in asked.things if folded.find(thing) >= 0]
    exact = [(number.start, float(number.value)) for number in numbers(text, language)]
    exact += [(m.start(), _SMALL[m[0]]) for m in _small().finditer(folded) if not _taken(m.start(), exact)]
    if not exact:
        return None
    return min(exact, key=lambda one: abs(one[0] - at[0]) if at else one[0])[1]


def _taken(at: int, exact: Sequence[tuple[int, float]]) -> bool:
    return any(abs(at - start) <= 1 for start, _ in exact)


_SMALL: dict[str, float] = {
    **{
        word: float(n)
        for n, word in enumerate(["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
    },
    **{sign: float(n) for n, sign in enumerate("零一二三四五六七八九十")},
    "两": 2.0,
}


@functools.cache
def _small() -> re.Pattern[str]:
    english = "|".join(word for word in _SMALL if word.isascii())
    return re.compile(
        rf"\b(?:{english})\b|[零一二两三四五六七八九十](?=[个只隻枚位口台张本条辆匹頭羽冊人歳部盆棵支双件颗顆つ個])"
    )


@functools.cache
def _single() -> re.Pattern[str]:
    return re.compile(r"\b(?:an?|another|one)\b|[又再多][^。]{0,8}[个只枚位台张本条]|もう")


@functools.cache
def _more() -> re.Pattern[str]:
    """What comes to those there are."""
    return re.compile(
        r"\b(?:another|one more|(?:two|three|\d+) more|additional|as well)\b|\b(?:adopted|added|bought|got"
        r"|picked up|received|gave birth to) (?:an?|one|two|three|\d+)\b"
        r"|(?:买|领养|收到|新添|添购|加购)了?[一二两兩三四五六七八九十\d]|買い(?:まし|足し|増やし)|買った|もらいまし|迎えまし"
        r"|(?:又|再|还|多)[^,，。]{0,6}(?:买|养|领|收|加|添|生|拿|得|来|送我)|多了|もう[一二三四五\d]|新しく[^。]{0,12}(?:買|迎|飼|加)|増え|追加"
    )


@functools.cache
def _fewer() -> re.Pattern[str]:
    """What goes from those there are."""
    return re.compile(
        r"\b(?:sold|gave away|gave (?:\w+ ){1,3}to|lost|died|passed away|threw (?:away|out)|donated|returned|fewer"
        r"|less)\b"
        r"|卖[掉了]|送[走掉人]|送给|枯[死了]|枯れ|丢了|弄丢|过世|去世|死了|少了|扔|捐|手放|売[っり]|亡くな|死ん|減|譲|なくし"
    )

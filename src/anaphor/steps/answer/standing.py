"""Of several statements of a person about one thing the newest holds; of a count and its changes all are told.

Worked out from the person's own words among the evidence, not from facts: what was said a moment ago holds also while
nothing has been read into long-term memory yet. What facts know besides (a dispute, an edit) is theirs to tell.

A statement may speak of the thing by its words; by a name that another one of it has (Mia, of "my girlfriend is Mia",
in "Mia and I broke up"); or by leaning on the one before ("sorry, June 13", 改成四個人, 4名に変更しました).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from anaphor.steps.answer.kinds import Kind
from anaphor.steps.answer.own import (
    OVER,
    TABLES,
    TIMES,
    Tells,
    Wanted,
    as_it_was,
    occasional,
    shows_kind,
    tells,
    wanted,
)
from anaphor.steps.reading import read
from anaphor.text.dates import days_ago
from anaphor.text.deeds import CHANGING, COUNTING, ME, SOMEBODY, Deed, Told, things, told
from anaphor.text.mood import Mood, mood
from anaphor.text.numbers import Number, counted
from anaphor.text.tabled import read_as, worded
from anaphor.types import Evidence, EvidenceClass, KnownFact, Passage, Question, Span, StandaloneQuery

MOST = 3  # statements that are told where none of them takes the place of the others
NEAR = 2  # turns back that a statement leans at most


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the person's about the thing: where it stands, and how it speaks of it."""

    n: int
    passage: Passage
    span: Span
    does: Told
    how: Tells | None = None  # None: by a name, or by leaning on the one before
    change: int = 0  # of a count: 1 more, -1 fewer, 0 counted anew
    quantity: float | None = None

    @property
    def text(self) -> str:
        return self.passage.text[self.span.start : self.span.end]

    @property
    def over(self) -> bool:
        return bool(self.does.deeds & {Deed.ENDS, Deed.CANCELS}) and Deed.REVIVES not in self.does.deeds


@dataclass(frozen=True, slots=True)
class Standing:
    """What is told, oldest first; ``asked`` is what was wanted. ``added``: a count with its changes, to be summed."""

    told: tuple[Statement, ...]
    asked: Wanted
    added: tuple[Statement, ...] = ()
    older: int = 0  # statements about it whose place a newer one took


def standing(question: Question, query: StandaloneQuery, evidence: Evidence) -> Standing | None:
    """What of the person's words holds, where the question asks about one thing of theirs; ``None`` elsewhere."""
    earlier = [turn.question for turn in evidence.history]
    asked = wanted(question.text, query.language) or wanted(query.text, query.language)
    asked = asked or as_it_was(question.text, query.language, earlier)
    if asked is None or len(query.queries) > 1:
        return None
    line = _line(asked, evidence, query.language)
    if not line:
        return None
    if asked.kind is Kind.HOW_MANY and not asked.of and any(_amounts(one.text, query.language) for one in line):
        return _counted(asked, line, query.language)
    last = line[-1]
    if asked.before:
        return Standing(tuple(line[-2 * MOST :]), asked)
    if last.how is None or (Deed.REVIVES in last.does.deeds and asked.kind in TIMES):
        since = _since(asked, line, query.language)
        return Standing(tuple(line[since:]), asked, older=since)
    if asked.of or last.how.changed or last.how.settled or asked.kind is Kind.YES_NO:
        return Standing((last,), asked, older=len(line) - 1)
    gone = {(old.session_id, old.seq, old.text) for fact in evidence.facts for old in _superseded(fact)}
    left = [one for one in line if not any(_says(one, *told_so) for told_so in gone)]
    return Standing(tuple((left or line[-1:])[-MOST:]), asked)


def _since(asked: Wanted, line: Sequence[Statement], language: str) -> int:
    """Where to begin telling so that the last one can be understood: at the last that has the thing's words; and,
    where something was taken up again, at the last that says when."""
    anchor = max((n for n, one in enumerate(line) if one.how is not None), default=0)
    if asked.kind in TIMES and not line[-1].over and not shows_kind(asked, line[-1].text, language):
        return max((n for n, one in enumerate(line[:-1]) if shows_kind(asked, one.text, language)), default=anchor)
    return anchor


def _line(asked: Wanted, evidence: Evidence, language: str) -> list[Statement]:
    """The person's statements about it, oldest first. What only nearly has its words counts behind one that has all."""
    line: list[Statement] = []
    last: Statement | None = None  # that spoke of it, whether it bears on what is asked or not
    before: Statement | None = None
    for one in _said(evidence, language):
        how = tells(asked, one.text, language)
        leans = last is not None and last is before and _leans(asked, one, last)
        if how is not None or (line and _joins(asked, one, line, language, leans=leans)):
            line.append(replace(one, how=how))
            last = one
        elif leans:
            last = one
        before = one
    whole = next((n for n, one in enumerate(line) if one.how is not None and one.how.whole), 0)
    line = line[whole:] if asked.before else _as_decided(line[whole:], evidence.facts)
    return _as_it_came(line) if asked.of else line


def _as_decided(line: Sequence[Statement], facts: Sequence[KnownFact]) -> list[Statement]:
    """The line without what was said later than what holds: the person has decided so in review."""
    gone = [
        (old.session_id, old.seq, old.text)
        for fact in facts
        for old in _superseded(fact)
        if (old.said_at, old.seq) > (fact.said_at, fact.seq)
    ]
    return [one for one in line if not any(_says(one, *said) for said in gone)] or list(line[-1:])


def _as_it_came(line: Sequence[Statement]) -> list[Statement]:
    """The line with those that say how long ago they held in that order, each in the place of such a one."""
    dated = iter(sorted((one for one in line if days_ago(one.text)), key=_held_from))
    return [next(dated) if days_ago(one.text) else one for one in line]


def _said(evidence: Evidence, language: str) -> list[Statement]:
    """All that the person told, oldest first."""
    found = [
        Statement(n, passage, span, told(passage.text[span.start : span.end], language))
        for n, passage in evidence.numbered()
        if passage.evidence_class is EvidenceClass.USER_STATEMENT
        for span in _sentences(passage)
        if mood(passage.text[span.start : span.end]) is Mood.ASSERTION
    ]
    return sorted(found, key=lambda one: (one.passage.date or "", one.passage.seq or 0, one.n, one.span.start))


def _sentences(passage: Passage) -> Iterator[Span]:
    return (Span(s.start, s.end) for s in read(passage).sentences if s.quotable)


def _held_from(one: Statement) -> str:
    """The moment from which on it holds, as far as it says: when it was said, or so long ago."""
    said = one.passage.date or ""
    ago = days_ago(one.text)
    if not said or not ago:
        return said
    moment = datetime.fromisoformat(said)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - timedelta(days=ago)).isoformat(timespec="seconds")


def _leans(asked: Wanted, one: Statement, before: Statement) -> bool:
    """Whether it goes on about what was said just before: "make it six people"; "she quit", of whom that was about."""
    goes_on = one.does.leans or (one.does.owners == {SOMEBODY} and ME not in asked.people)
    near = abs((one.passage.seq or 0) - (before.passage.seq or 0)) <= NEAR
    return goes_on and one.does.so and near and one.passage.source == before.passage.source


def _joins(asked: Wanted, one: Statement, line: Sequence[Statement], language: str, *, leans: bool) -> bool:
    """Whether it changes what the line tells without the thing's words: by leaning on what was said just before, or by
    a name that stands there."""
    mine = one.does.owners <= {ME} or one.does.may_tell_of(asked.people)
    if not one.does.so or not mine or not _bears(asked, one, language):
        return False
    by_name = bool(one.does.deeds & CHANGING) and asked.of in ("", "works")
    return leans or (by_name and _shares(asked, one, line, language))


def _bears(asked: Wanted, one: Statement, language: str) -> bool:
    """Whether what it does can change the answer."""
    deeds = one.does.deeds
    if asked.kind in TIMES:
        return bool(deeds & OVER) or (bool(deeds & CHANGING) and shows_kind(asked, one.text, language))
    if asked.kind is Kind.HOW_MANY:
        when = bool(_clock(one.text, language)) and not _amounts(one.text, language)
        return bool(deeds & (CHANGING | COUNTING)) and not when  # moved to eight o'clock, it is for as many as before
    return bool(deeds & CHANGING)


def _shares(asked: Wanted, one: Statement, line: Sequence[Statement], language: str) -> bool:
    """Whether it has a name that stands in a statement of the line, and, unless it ends it, no other thing."""
    named = [thing for other in line for thing in things(other.text, language)]
    own = things(one.text, language)
    common = {thing for thing in own if any(_alike(thing, other) for other in named)}
    if not common:
        return False
    return bool(one.does.deeds & {Deed.ENDS, Deed.CORRECTS}) or all(
        thing in common or occasional(asked, thing) for thing in own
    )


def _alike(one: str, other: str) -> bool:
    """Whether two names are one: the same word, or with two characters in common where words are not set apart."""
    if one.isascii() or other.isascii():
        return one == other
    return any(one[at : at + 2] in other for at in range(len(one) - 1))


def _superseded(fact: KnownFact) -> Sequence[KnownFact]:
    return fact.earlier if fact.status == "current" and fact.kind != "count" else ()


def _says(one: Statement, session: str, seq: int, text: str) -> bool:
    return (one.passage.source, one.passage.seq) == (session, seq) and text[:80] in one.text


def _counted(asked: Wanted, line: Sequence[Statement], language: str) -> Standing | None:
    """The last count with its changes, in order; counts before it are told too, where they are one line."""
    counts = [_quantified(asked, one, language) for one in line]
    counts = [one for one in counts if one.quantity is not None or one.does.deeds & (CHANGING | COUNTING)]
    last = max((n for n, one in enumerate(counts) if not one.change), default=-1)
    if last < 0:
        return None
    if asked.before:
        return Standing(tuple(counts), asked, _to_be_summed(counts[last:]))
    named = [n for n, one in enumerate(counts[: last + 1]) if one.how is not None]
    begins = named[-1] if named else last  # "make it six" is told with what it makes six of
    return Standing(tuple(counts[begins:]), asked, _to_be_summed(counts[last:]), older=begins)


def _to_be_summed(since: Sequence[Statement]) -> tuple[Statement, ...]:
    """A count and its changes, where each says how many."""
    whole = len(since) > 1 and all(one.quantity is not None for one in since)
    return tuple(since) if whole else ()


def _quantified(asked: Wanted, one: Statement, language: str) -> Statement:
    """The statement with how many it says there are, or come to them, or go."""
    deeds = one.does.deeds
    if one.does.all_of_them and deeds & {Deed.TAKES, Deed.ENDS}:
        return replace(one, quantity=0.0)  # none is left, however many there were
    change = 1 if Deed.ADDS in deeds else -1 if Deed.TAKES in deeds else 0
    change = 0 if deeds & {Deed.CHANGES, Deed.CORRECTS} and not (deeds & COUNTING and one.how) else change
    tongue, folded = read_as(one.text, language)
    near = _nearest(asked, folded.lower(), _amounts(one.text, language))
    if near is None and change and worded(TABLES, tongue, "single").search(folded):
        near = 1.0
    return replace(one, change=change, quantity=near)


def _amounts(text: str, language: str) -> list[Number]:
    """How many it says, and how much; the times of the clock and of the calendar count nothing."""
    _, folded = read_as(text, language)
    clock = _clock(text, language)
    return [
        number
        for number in counted(folded, language)
        if not any(start < number.end and number.start < end for start, end in clock)
    ]


def _clock(text: str, language: str) -> list[tuple[int, int]]:
    """Where times of the clock and of the calendar stand."""
    tongue, folded = read_as(text, language)
    return [match.span() for match in worded(TABLES, tongue, "clock").finditer(folded)]


def _nearest(asked: Wanted, folded: str, amounts: Sequence[Number]) -> float | None:
    """The number that stands nearest to the thing counted."""
    at = [folded.find(thing) for thing in asked.things if folded.find(thing) >= 0]
    if not amounts:
        return None
    return float(min(amounts, key=lambda one: abs(one.start - at[0]) if at else one.start).value)

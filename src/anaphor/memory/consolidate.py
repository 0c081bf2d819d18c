"""From committed turns to memory: read, held against what is known, written down. After the turn, never inside it.

A turn is unread or read, and the store holds which. A person's unread turns are taken in the order in which they were
asked; each is written with what it changes in one transaction, once: killed anywhere, it goes on where it was. What is
written was worked out from a generation of the person's memory; if anything came meanwhile (a fact added, edited or
deleted, a turn erased) nothing is written, and it is worked out again from what is there now.
"""

from __future__ import annotations

import secrets
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from anaphor.errors import NotFound
from anaphor.facts import Change, Fact, Kind, Read, State, Statement, Status
from anaphor.memory.bearing import Known, borne, may_bear
from anaphor.memory.extract import extract
from anaphor.memory.extract_heard import language_of
from anaphor.memory.extract_model import extract_with_model
from anaphor.memory.extract_rules import Rule
from anaphor.memory.extract_yes import affirmed
from anaphor.memory.forget import Request, hit, let_go, request, spoken_of
from anaphor.memory.reconcile import CALLED_OFF, property_of, reconcile
from anaphor.memory.summarize import summarize, summarize_with_model
from anaphor.ports import ChatModel, Clock, Forgets, Memories, TokenCounter, Turns
from anaphor.stored import Unread
from anaphor.text.kept import as_told
from anaphor.text.sentences import assertions
from anaphor.text.wishes import Wish
from anaphor.types import Outcome, Scope, Span, Turn

SAYS = frozenset(set(Outcome) - {Outcome.RUNNING, Outcome.FAILED})
"""How a turn ended whose question is read, unless it was small talk. The answer never is."""
AT_ONCE = 8  # turns that are looked up, and shown to a model, together
TRIES = 5  # how often one turn is worked out again because something came meanwhile
EVERY_FACT = 100_000
SPOKEN_OF = 8  # turns back that words which name nothing may speak of
BORNE_ON = 2_000  # of the person's facts, those said last, that a sentence may do something to
LOOKED_AT = 20  # turns of a session among which the last one that says something is looked for

Reader = Callable[[Sequence[Turn], Mapping[str, str]], Mapping[str, Sequence[Statement]]]
"""Turns, and by turn id what the assistant had said before; what each turn states, by turn id."""


@dataclass(frozen=True, slots=True)
class Due:
    """When a summary is to be written: so many turns, or tokens, have left the window since the last one."""

    window: int = 4  # the newest turns, which need none
    turns: int = 4
    tokens: int = 800
    length: int = 300  # tokens of a summary
    terms: tuple[str, ...] = ()  # of the operator's, that a summary must not lose


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What was done: turns read, and what became of their statements (``added``, ``merged``, ``superseded`` …).

    ``retried``: something came meanwhile. ``skipped``: the turn was gone, or read by somebody else. ``blocked``: turns
    that a model would not read. ``waiting``: turns that are still unread.
    """

    turns: int = 0
    did: Mapping[str, int] = field(default_factory=dict)
    retried: int = 0
    skipped: int = 0
    blocked: tuple[str, ...] = ()
    summaries: int = 0
    waiting: int = 0


def embedded(zone: tzinfo, rules: Sequence[Rule] = ()) -> Reader:
    """Reads without a model."""

    def read(turns: Sequence[Turn], before: Mapping[str, str]) -> Mapping[str, Sequence[Statement]]:
        return {turn.turn_id: told_in(turn, before.get(turn.turn_id, "")) for turn in turns}

    def told_in(turn: Turn, before: str) -> Sequence[Statement]:
        try:
            return _extracted(turn, before, zone, rules)
        except Exception as error:  # a fault of ours with one turn must not keep all that is said after it unread
            told = f"turn {turn.turn_id} gives no facts: {type(error).__name__}: {error}"
            warnings.warn(told, RuntimeWarning, stacklevel=2)
            return ()

    return read


def by_model(
    model: ChatModel,
    zone: tzinfo,
    timeout: float,
    blocked: Callable[[Sequence[str]], None],
    rules: Sequence[Rule] = (),
) -> Reader:
    """Reads with a model; what it would not or could not read is read without. ``blocked`` hears what it would not."""

    def read(turns: Sequence[Turn], before: Mapping[str, str]) -> Mapping[str, Sequence[Statement]]:
        found = extract_with_model(model, turns, zone=zone, timeout=timeout)
        blocked(found.blocked)
        left = [turn for turn in turns if turn.turn_id not in found.statements]
        return {**found.statements, **embedded(zone, rules)(left, before)}

    return read


def without(kinds: Collection[Kind], read: Reader) -> Reader:
    """Reads the same, and makes nothing of what an operator wants no facts of; the turns themselves stay."""

    def reading(turns: Sequence[Turn], before: Mapping[str, str]) -> Mapping[str, Sequence[Statement]]:
        found = read(turns, before)
        return {turn: [one for one in statements if one.kind not in kinds] for turn, statements in found.items()}

    return reading if kinds else read


def consolidate(
    turns: Turns,
    memories: Memories,
    scope: Scope,
    read: Reader,
    clock: Clock,
    most: int | None = None,
    zone: tzinfo = UTC,
) -> Refreshed:
    """Read the person's unread turns, at most ``most``, and write down what they say; what was done.

    Nothing of it is lost, and nothing done twice, when it is broken off, or when others do the same at the same time.
    """
    done: Counter[str] = Counter()
    read_here = retried = skipped = 0
    while most is None or read_here + skipped < most:
        unread = memories.unread(scope, AT_ONCE if most is None else min(AT_ONCE, most - read_here - skipped))
        if not unread:
            break
        for session in dict.fromkeys(one.session_id for one in unread):
            ours = [one for one in unread if one.session_id == session]
            for one, statements in _statements(turns, scope, ours, read):
                tries, did = _keep(turns, memories, scope, one, statements, clock(), zone)
                retried += max(0, tries - 1)
                skipped += did is None
                read_here += did is not None
                done.update(did or ())
    return Refreshed(read_here, dict(done), retried, skipped, waiting=memories.waiting(scope))


def _statements(
    turns: Turns, scope: Scope, unread: Sequence[Unread], read: Reader
) -> Sequence[tuple[Unread, Sequence[Statement]]]:
    """What the turns of one session state. The slow part, and the one that needs nothing of the memory."""
    said = [one for one in unread if one.turn.outcome in SAYS and not one.turn.speaker]
    before = {one.turn.turn_id: _answer_before(turns, scope.within(one.session_id), one.turn.seq) for one in said}
    spoken = [one for one in said if not one.turn.in_passing or affirmed(one.turn.question, before[one.turn.turn_id])]
    found = read([one.turn for one in spoken], before) if spoken else {}
    return [(one, found.get(one.turn.turn_id, ())) for one in unread]


def _answer_before(turns: Turns, scope: Scope, seq: int) -> str:
    try:
        return turns.get(scope, str(seq - 1)).answer if seq > 1 else ""
    except NotFound:
        return ""


def _extracted(turn: Turn, before: str, zone: tzinfo, rules: Sequence[Rule]) -> Sequence[Statement]:
    said_on = datetime.fromtimestamp(turn.asked_at, UTC)
    return extract(
        as_told(turn.question), language=turn.language, said_on=said_on, zone=zone, before=before, rules=rules
    )


def _keep(
    turns: Turns,
    memories: Memories,
    scope: Scope,
    unread: Unread,
    statements: Sequence[Statement],
    now: float,
    zone: tzinfo,
) -> tuple[int, list[str] | None]:
    """How often it was tried, and what became of each statement; ``None`` where the turn is no longer to be read."""
    wish = request(unread.turn.question) if unread.turn.outcome is Outcome.COMMAND else None
    for tries in range(1, TRIES + 1):
        current = memories.still_unread(scope, unread)
        if current is None:
            return tries, None
        if wish and wish.wish is not Wish.REMEMBER:
            return tries, _forgotten(turns, memories, scope, current, wish, now)
        said = [s for s in _bearing(statements, memories, scope, current, zone) if not _overlaps(s, current)]
        wanted = [_of_what(s, memories, scope) for s in said]
        made = held_against(wanted, current, _touching(memories, scope, wanted))
        if memories.keep(scope, current, made, now):
            return tries, [one.reconciled.does for one in made]
    return TRIES, None


def _touching(memories: Memories, scope: Scope, wanted: Sequence[Statement]) -> Sequence[Fact]:
    """The facts that the statements may change: those of their properties; where something is called off, all plans;
    where a taste has ended, all tastes."""
    same = memories.touching(scope, {key_of(s) for s in wanted})
    kinds = set(CALLED_OFF) if any(s.state is State.CANCELLED for s in wanted) else set()
    if any(s.kind is Kind.PREFERENCE and (s.negated or s.state is State.PAST) for s in wanted):
        kinds.add(Kind.PREFERENCE)  # "no longer eats meat" ends a taste and a diet, however they were put
    if not kinds:
        return same
    others = [f for f in memories.facts(scope, [Status.CURRENT], limit=EVERY_FACT) if f.statement.kind in kinds]
    return list({fact.fact_id: fact for fact in (*same, *others[::-1])}.values())


def _bearing(
    statements: Sequence[Statement], memories: Memories, scope: Scope, unread: Unread, zone: tzinfo
) -> Sequence[Statement]:
    """The statements with what the turn's sentences do to what is known: correct it, change it, end it."""
    turn = unread.turn
    if not may_bear(turn.question, turn.language):
        return statements
    found = memories.facts(scope, [Status.CURRENT, Status.DISPUTED, Status.SUPERSEDED], limit=BORNE_ON)
    facts = {fact.fact_id: fact for fact in found}

    def stood(fact: Fact) -> bool:
        """Whether it was said before this turn, and nothing said before it had taken its place: also read again."""
        by = facts.get(fact.replaced_by)
        gone = fact.status is Status.SUPERSEDED and (by is None or (by.said_at, by.seq) < (turn.asked_at, turn.seq))
        return (fact.said_at, fact.seq) < (turn.asked_at, turn.seq) and not gone

    before = [fact for fact in facts.values() if stood(fact)]
    known = [
        Known(fact.statement, fact.session_id == unread.session_id and turn.seq - fact.seq <= SPOKEN_OF)
        for fact in sorted(before, key=lambda fact: (fact.said_at, fact.seq), reverse=True)
    ]
    said = datetime.fromtimestamp(turn.asked_at, zone).date()
    return borne(turn.question, language_of(turn.question, turn.language), said, known, statements)


def _of_what(statement: Statement, memories: Memories, scope: Scope) -> Statement:
    """ "I bought another one": a change that does not say of what is of what is counted, where that is one thing."""
    said = statement.kind is Kind.COUNT and statement.change is not Change.SET
    if not said or statement.relation:
        return statement
    counts = {
        fact.statement.relation
        for fact in memories.facts(scope, [Status.CURRENT], limit=EVERY_FACT)
        if fact.statement.kind is Kind.COUNT
        and fact.statement.change is Change.SET
        and fact.statement.about == statement.about
        and statement.unit in ("", fact.statement.unit)
    }
    return replace(statement, relation=counts.pop()) if len(counts) == 1 else statement


def _overlaps(statement: Statement, unread: Unread) -> bool:
    """Whether it stands where the person wants nothing remembered of."""
    return any(span.start < statement.end and statement.start < span.end for span in unread.forgotten)


def held_against(statements: Sequence[Statement], unread: Unread, known: Sequence[Fact]) -> list[Read]:
    """What the statements of one turn make of what is known, one after the other. Pure."""
    turn, made = unread.turn, []
    facts = {fact.fact_id: fact for fact in known}
    where = (unread.session_id, turn.turn_id, turn.seq, turn.asked_at)
    for statement in statements:
        done = reconcile(statement, secrets.token_hex(8), where, list(facts.values()))
        made.append(Read(statement, done, key_of(statement)))
        if done.does != "untouched":
            facts |= {fact.fact_id: fact for fact in (done.fact, *done.others)}
    return made


def key_of(statement: Statement) -> str:
    """Names the property, for the store."""
    return "\x1f".join(property_of(statement))


# ── what a person asks of the memory ──


@dataclass(frozen=True, slots=True)
class Aim:
    """What a command to forget is about: facts, and stretches of turns, each with its session and the turn's number."""

    facts: tuple[Fact, ...] = ()
    stretches: tuple[tuple[str, int, Span | None], ...] = ()  # ``None`` for the whole of the turn

    def __bool__(self) -> bool:
        return bool(self.facts or self.stretches)


def forgetful(turns: Turns, memories: Memories) -> Forgets:
    """Whether a command to forget will find anything, before it is done."""

    def finds(scope: Scope, turn: Turn) -> bool | None:
        wish = request(turn.question)
        if wish is None or wish.wish is Wish.REMEMBER:
            return None
        return bool(_aimed(turns, memories, scope, turn, wish))

    return finds


def _aimed(turns: Turns, memories: Memories, scope: Scope, turn: Turn, wish: Request) -> Aim:
    """Everything that was said before the command, in whichever session; of what was just said, in this one."""
    known = [fact for fact in memories.facts(scope, limit=EVERY_FACT) if fact.said_at <= turn.asked_at]
    if wish.wish is Wish.FORGET_LAST:
        last = _last_said(turns, scope, turn.seq)
        whole = ((scope.session, last.seq, None),) if last else ()
        return Aim(hit(wish, known, last.turn_id if last else ""), whole)
    facts = hit(wish, known)
    asked = datetime.fromtimestamp(turn.asked_at, UTC).isoformat(timespec="seconds")
    told = [
        (passage, passage.seq or 0)
        for passage in memories.said(scope)
        if (passage.date or "") <= asked and (passage.source != scope.session or (passage.seq or 0) < turn.seq)
    ]
    if wish.wish is Wish.FORGET_ALL:
        return Aim(facts, tuple((*where, None) for where in dict.fromkeys((p.source, seq) for p, seq in told)))
    gone = {fact.fact_id for fact in facts}
    found: list[tuple[str, int, Span | None]] = []
    for passage, seq in told:
        for span in spoken_of(passage.text, wish.what):
            there = Span(passage.start + span.start, passage.start + span.end)
            others = [
                Span(one.statement.start, one.statement.end)
                for one in known
                if (one.session_id, one.seq) == (passage.source, seq) and one.fact_id not in gone
            ]
            found += [(passage.source, seq, left) for left in _beside(there, others)]
    return Aim(facts, tuple(found))


def _beside(span: Span, others: Sequence[Span]) -> Sequence[Span]:
    """What of the sentence is no clause of something else, and goes with what it speaks of."""
    found, at = [], span.start
    for other in sorted(others, key=lambda one: one.start):
        if other.start < span.end and at < other.end:
            found += [Span(at, other.start)] if at < other.start else []
            at = other.end
    return [*found, Span(at, span.end)] if at < span.end else found


def _forgotten(
    turns: Turns, memories: Memories, scope: Scope, unread: Unread, wish: Request, now: float
) -> list[str] | None:
    """Do what a command to forget says; again changes nothing more."""
    aim = _aimed(turns, memories, scope.within(unread.session_id), unread.turn, wish)
    before = {fact.fact_id for fact in memories.facts(scope, limit=EVERY_FACT)}
    if wish.wish is Wish.FORGET_LAST:
        _withdrawn(turns, memories, scope, aim)
    there = {fact.fact_id for fact in memories.facts(scope, limit=EVERY_FACT)}
    for fact in aim.facts:
        if fact.fact_id in there:  # what was said in other turns too is not told by them either
            let_go(memories, scope, fact, now, words=True)
    if wish.wish is not Wish.FORGET_LAST:
        _withdrawn(turns, memories, scope, aim)
    gone = before - {fact.fact_id for fact in memories.facts(scope, limit=EVERY_FACT)}
    current = memories.still_unread(scope, unread)
    if current is None or not memories.keep(scope, current, [], now):
        return None
    return ["forgotten"] * len(gone)


def _withdrawn(turns: Turns, memories: Memories, scope: Scope, aim: Aim) -> None:
    for session, seq, span in aim.stretches:
        there = scope.within(session)
        with suppress(NotFound):
            memories.withdraw(there, turns.get(there, str(seq)).turn_id, span)


def _last_said(turns: Turns, scope: Scope, before: int) -> Turn | None:
    """The newest turn before that says something, and is no command itself."""
    recent = turns.recent(scope, LOOKED_AT, before=before)[::-1]
    said = (turn for turn in recent if turn.outcome is not Outcome.COMMAND and not turn.erased_at)
    return next((turn for turn in said if assertions(turn.question)), None)


# ── summaries ──


def summarise(
    turns: Turns,
    memories: Memories,
    scope: Scope,
    due: Due,
    count: TokenCounter,
    model: ChatModel | None = None,
) -> bool:
    """Bring the session's summary up to date if that is due; whether one was written."""
    newest = turns.recent(scope, 1)
    if not newest:
        return False
    asked = newest[0].outcome is Outcome.COMMAND and _wants_kept(newest[0])
    last = newest[0].seq - (1 if asked else due.window)
    previous = memories.summary(scope)
    since = previous.to_seq if previous else 0
    if last <= since:
        return False
    fresh = [turn for turn in turns.recent(scope, last - since, before=last + 1) if turn.seq > since]
    fresh = _as_remembered(fresh, memories.forgotten(scope, since))
    spent = sum(count(turn.question) for turn in fresh)
    if not fresh or not (asked or last - since >= due.turns or spent >= due.tokens):
        return False
    if model:
        made = summarize_with_model(model, previous, fresh, tokens=due.length, count=count, terms=due.terms)
    else:
        made = summarize(previous, fresh, tokens=due.length, count=count, terms=due.terms)
    version = previous.version + 1 if previous else 1
    return memories.put_summary(scope, replace(made, version=version, to_seq=max(made.to_seq, last)))


def _as_remembered(fresh: Sequence[Turn], forgotten: Mapping[int, Sequence[Span]]) -> list[Turn]:
    """The turns with blanks where nothing is to be remembered of; every offset stays where it was."""
    found = []
    for turn in fresh:
        text = " " * len(turn.question) if _wants_forgotten(turn) else turn.question
        for span in forgotten.get(turn.seq, ()):
            text = text[: span.start] + " " * (min(span.end, len(text)) - span.start) + text[span.end :]
        found.append(replace(turn, question=text) if text != turn.question else turn)
    return found


def _wants_forgotten(turn: Turn) -> bool:
    wish = request(turn.question) if turn.outcome is Outcome.COMMAND else None
    return wish is not None and wish.wish is not Wish.REMEMBER


def _wants_kept(turn: Turn) -> bool:
    wish = request(turn.question)
    return wish is not None and wish.wish is Wish.REMEMBER

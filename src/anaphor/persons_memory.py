"""What is remembered of one person: looked at, decided about, brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from anaphor.arguments import a_text, a_whole_number
from anaphor.errors import BadInput, StoreBusy
from anaphor.facts import Contested, Fact, Kind, Saying, Status, Summary, SummaryVersion, Version
from anaphor.memory import review as decide
from anaphor.memory.consolidate import Due, Refreshed, by_model, consolidate, embedded, summarise, without
from anaphor.memory.extract_rules import Rule
from anaphor.memory.forget import Decay, faded, let_go
from anaphor.ports import ChatModel, Clock, TokenCounter
from anaphor.store import Store
from anaphor.text.sentences import sentences
from anaphor.types import Scope, Span, Turn

TRIES = 5  # how often a decision is made again because something came meanwhile
MOST = 100_000
WAITING = (Status.DISPUTED, Status.QUARANTINED)


@dataclass(frozen=True, slots=True)
class PersonsMemory:
    """The facts of one person, each named by its id. ``zone`` is where their days begin and end."""

    store: Store
    scope: Scope
    clock: Clock
    count: TokenCounter
    zone: tzinfo = UTC
    due: Due = field(default_factory=Due)
    decay: Decay = field(default_factory=Decay)
    model: ChatModel | None = None
    timeout: float = 60.0  # seconds for a reply of the model
    rules: tuple[Rule, ...] = ()  # an operator's own, tried before ours
    refuses: tuple[Kind, ...] = ()  # kinds of which an operator wants no facts
    on: bool = True  # whether turns are read by themselves, after each; asked to, it reads them anyway

    # ── looking ──

    def list(
        self, statuses: Collection[Status | str] = (), *, pinned: bool | None = None, limit: int = 1_000
    ) -> Sequence[Fact]:
        """The one said last first; current ones if no status is named."""
        wanted = [_status(status) for status in statuses] or [Status.CURRENT]
        return self.store.memories.facts(self.scope, wanted, pinned=pinned, limit=a_whole_number("limit", limit))

    def get(self, fact: str) -> Fact:
        """In its newest version; ``UnknownFact``."""
        return self.store.memories.get(self.scope, a_text("fact", fact))

    def history(self, fact: str) -> Sequence[Version]:
        """Every version, oldest first: who, when, why."""
        return self.store.memories.history(self.scope, a_text("fact", fact))

    def sayings(self, fact: str) -> Sequence[Saying]:
        """The turns that say it, oldest first."""
        return self.store.memories.sayings(self.scope, a_text("fact", fact))

    def review(self) -> Sequence[tuple[Fact, Sequence[Fact]]]:
        """What a person has to decide: disputed facts with what they are disputed with, and what is quarantined.

        Of facts that dispute each other only the newest is listed, the others are beside it. Last come current facts
        that an answer went against: ``contested`` has what it said.
        """
        waiting = self.store.memories.facts(self.scope, WAITING, limit=MOST)
        known, beside = {fact.fact_id: fact for fact in waiting}, set[str]()
        queue = []
        for fact in waiting:
            if fact.fact_id not in beside:
                others = [known[name] for name in fact.against if name in known]
                beside |= {other.fact_id for other in others}
                queue.append((fact, others))
        went_against = dict.fromkeys(one.fact_id for one in self.contested())
        return queue + [(self.store.memories.get(self.scope, fact_id), []) for fact_id in went_against]

    def contested(self, fact: str | None = None) -> Sequence[Contested]:
        """What answers said against current facts, or that ``fact``, and nobody has decided about; oldest first."""
        name = None if fact is None else a_text("fact", fact)
        return [one for one in self.store.memories.contested(self.scope) if name in (None, one.fact_id)]

    def said(self, first: date | None = None, last: date | None = None) -> Sequence[tuple[str, Turn]]:
        """The person's turns of these days, both included and both theirs, each with its session's id, in order."""
        found = []
        for session in self.store.sessions.list(self.scope):
            within = self.scope.within(session.session_id)
            for turn in self.store.turns.recent(within, MOST):
                day = datetime.fromtimestamp(turn.asked_at, self.zone).date()
                if turn.seq > session.branched_after and (first or day) <= day <= (last or day):
                    found.append((session.session_id, turn))
        return sorted(found, key=lambda one: (one[1].asked_at, one[1].seq))

    def related(self, names: Sequence[str], hops: int = 2) -> Sequence[Fact]:
        """Facts about what the names name, about what those facts name, and so on."""
        return self.store.memories.connected(self.scope, [a_text("names", name) for name in names], hops)

    def summary(self, session: str) -> Summary | None:
        """Of the session's turns that have left the window."""
        found = self.store.sessions.find(self.scope, a_text("session", session))
        return self.store.memories.summary(self.scope.within(found.session_id))

    def summary_history(self, session: str) -> Sequence[SummaryVersion]:
        """Every version of it, oldest first: who, when, why."""
        found = self.store.sessions.find(self.scope, a_text("session", session))
        return self.store.memories.summary_history(self.scope.within(found.session_id))

    @property
    def waiting(self) -> int:
        """How many turns have ended and are not read yet."""
        return self.store.memories.waiting(self.scope)

    # ── deciding ──

    def accept(self, fact: str, why: str = "") -> Fact:
        """It is so: what it is disputed with is superseded, and what an answer said against it is settled."""
        contested = bool(self.contested(fact))
        return self._decide(fact, why, lambda known, kin, who: decide.accepted(known, kin, who, contested=contested))

    def reject(self, fact: str, why: str = "") -> Fact:
        """It is not so: it is kept as retired, with its history."""
        return self._decide(fact, why, lambda known, kin, who: decide.rejected(known, kin, who))

    def edit(self, fact: str, why: str = "", **changes: Any) -> Fact:
        """In other words: ``value``, ``quantity``, ``unit``, ``state``, ``valid_from`` …"""
        return self._decide(
            fact, why, lambda known, kin, who: decide.edited(known, changes, kin, who, self._sentence(known))
        )

    def pin(self, fact: str, pin: bool = True, why: str = "") -> Fact:
        """Have it come first, and not fade; or no longer."""
        return self._decide(fact, why, lambda known, _, who: decide.pinned(known, pin, who))

    def revert(self, fact: str, version: int, why: str = "") -> Fact:
        """As it was in that version, exactly."""
        to = a_whole_number("version", version, least=1)
        return self._decide(
            fact, why, lambda known, kin, who: decide.reverted(known, to, self.history(known.fact_id), kin, who)
        )

    def revert_summary(self, session: str, version: int, why: str = "") -> Summary:
        """The session's summary as it was in that version; turns that it does not cover are summarised again later."""
        found = self.store.sessions.find(self.scope, a_text("session", session))
        scope, to = self.scope.within(found.session_id), a_whole_number("version", version, least=1)
        for _ in range(TRIES):
            versions = {one.summary.version: one.summary for one in self.store.memories.summary_history(scope)}
            if to not in versions:
                known = ", ".join(map(str, versions)) or "none"
                raise BadInput(f"the summary of session {found.session_id} has no version {to}: there are {known}")
            again = replace(versions[to], version=max(versions) + 1)
            told = a_text("why", why).strip() or f"back to version {to}"
            if self.store.memories.put_summary(scope, again, self.scope.user, told):
                self.store.audit.note(self.scope, "change", "summary", found.session_id)
                return again
        raise StoreBusy(f"the summary of session {found.session_id} kept changing while it was taken back: try again")

    def delete(self, fact: str, *, words: bool = False) -> Fact:
        """Gone with its history, and not read out of its turns again.

        The turns stay, and what they say can still be recalled and answered with, unless ``words`` asks for that to
        end too. What it had taken the place of does not come back by itself: it is kept as retired, and can be
        accepted. What is not so is rather to be rejected, or edited: that reaches the answers.
        """
        known = self.get(fact)
        let_go(self.store.memories, self.scope, known, self.clock(), words=bool(words))
        self.store.audit.note(self.scope, "erase", "fact", known.fact_id)
        return known

    def _sentence(self, fact: Fact) -> str:
        """The sentence that says it, as a person has put it or else as it was said."""
        turn = self.store.turns.get(self.scope.within(fact.session_id), fact.turn_id).question
        own = Span(fact.statement.start, fact.statement.end)
        spans = [s for s in sentences(turn) if s.start < own.end and own.start < s.end] or [own]
        return fact.statement.words or turn[spans[0].start : spans[-1].end].strip()

    def _decide(
        self, fact: str, why: str, decision: Callable[[Fact, Sequence[Fact], decide.Decided], Sequence[Version]]
    ) -> Fact:
        memories, name = self.store.memories, a_text("fact", fact)
        for _ in range(TRIES):
            generation = memories.generation(self.scope)
            known = memories.get(self.scope, name)
            who = decide.Decided(self.scope.user, self.clock(), a_text("why", why).strip())
            versions = decision(known, memories.kin(self.scope, [known.fact_id]), who)
            if not versions:
                return known
            if memories.change(self.scope, versions, generation):
                self.store.audit.note(self.scope, "change", "fact", known.fact_id, len(versions))
                return memories.get(self.scope, name)
        raise StoreBusy(f"the memory of {self.scope.user} kept changing while fact {name} was decided about: try again")

    # ── bringing up to date ──

    def refresh(self, most: int | None = None) -> Refreshed:
        """Read the turns that were not read yet (at most ``most``), write down what they say, and summarise.

        Again, or by several at once, it does nothing twice.
        """
        memories, turns = self.store.memories, self.store.turns
        blocked: list[str] = []
        if self.model:
            read = by_model(self.model, self.zone, self.timeout, blocked.extend, self.rules)
        else:
            read = embedded(self.zone, self.rules)
        read = without(self.refuses, read)
        sessions = dict.fromkeys(one.session_id for one in memories.unread(self.scope, MOST))
        done = consolidate(turns, memories, self.scope, read, self.clock, most, self.zone)
        written = sum(
            summarise(turns, memories, self.scope.within(session), self.due, self.count, self.model)
            for session in sessions
        )
        return replace(done, summaries=written, blocked=tuple(blocked))

    def rebuild(self) -> Refreshed:
        """Read every turn again, as this version does. What a person has decided about stays as it is."""
        self.store.memories.begin_anew(self.scope)
        return self.refresh()

    def fade(self) -> Sequence[Fact]:
        """Let go what its time is over of, as the policy says; pinned facts stay."""
        memories, now, gone = self.store.memories, self.clock(), []
        for fact in memories.facts(self.scope, [Status.CURRENT], limit=MOST):
            said = memories.sayings(self.scope, fact.fact_id)[-1].said_at if fact.times > 1 else fact.said_at
            if why := faded(fact, now, self.decay, last_said=said, over=_end(fact, self.zone)):
                generation = memories.generation(self.scope)
                if memories.change(self.scope, decide.retired(fact, why, now), generation):
                    gone.append(fact)
        return gone


def zone_of(name: str) -> tzinfo:
    """Where a person's days begin and end; an empty name is the zone of this machine."""
    if name == "UTC":
        return UTC
    return ZoneInfo(name) if name else datetime.now().astimezone().tzinfo or UTC


def _end(fact: Fact, zone: tzinfo) -> float | None:
    """The end of its last day, in seconds since the epoch."""
    try:
        day = date.fromisoformat((fact.statement.valid_to or fact.statement.valid_from)[:10])
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=zone).timestamp()


def _status(given: Status | str) -> Status:
    try:
        return Status(given)
    except ValueError:
        raise BadInput(f"status is one of {', '.join(Status)}, not {str(given)[:40]!r}") from None

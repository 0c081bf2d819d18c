"""What the product's memory makes of long conversations: facts that lead to turns, and summaries.

Every turn is read as one of the person who said it, in order, as it is after a turn; the assistant's are not read. A
question is given the facts that have to do with it, as a turn is (``steps.remember``), and what they lead to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from anaphor import wiring
from anaphor.memory.consolidate import consolidate, embedded
from anaphor.memory.summarize import summarize
from anaphor.settings import read
from anaphor.steps.answer.known import led
from anaphor.steps.assemble import header
from anaphor.steps.remember import known, wanted
from anaphor.stored import Exchange
from anaphor.types import Decision, Hit, KnownFact, Outcome, Passage, Question, Scope, StandaloneQuery, Turn
from anaphor_eval.datasets import LongConversation
from anaphor_eval.tasks.shelf import ORDINARY, sittings
from anaphor_eval.tokens import count

MANY = 200  # facts that a budget is filled with where there is nothing else


class Notes:
    """The facts of one conversation, in a store of their own."""

    def __init__(self, conversation: LongConversation, roles: str | None) -> None:
        self._assistant = wiring.build(read({"store": ":memory:", "embedder": "none"}, environment={}))
        self._store = self._assistant.store
        self._scopes: dict[str, Scope] = {}
        said = {turn.turn_id: turn for turn in conversation.turns}
        self.passages = {p.passage_id: p for sitting in sittings(conversation, roles) for p in sitting}
        for passage in self.passages.values():
            turn = said[passage.passage_id.removeprefix(f"{conversation.conversation_id}/")]
            if turn.role != "assistant":
                self._adopt(turn.role if turn.role not in ORDINARY else "", turn.content, passage)
        for scope in self._scopes.values():
            consolidate(self._store.turns, self._store.memories, scope, embedded(UTC), self._assistant.clock)

    def _adopt(self, speaker: str, text: str, passage: Passage) -> None:
        scope = self._scopes.get(speaker)
        if scope is None:
            scope = Scope("notes", speaker or "user")
            scope = self._scopes[speaker] = scope.within(self._store.sessions.create(scope).session_id)
        whole = replace(passage, start=0, end=max(1, len(text)))
        exchange = Exchange(
            text or " ", "", _moment(passage.date), turn_id=passage.passage_id, language=passage.language
        )
        self._store.turns.adopt(scope, [exchange], lambda _turn: [whole])

    def of(self, question: str, limit: int) -> list[KnownFact]:
        """The facts that a turn with this question is given, of everybody who speaks: each one's in turn."""
        terms = wanted(Question(question, ""), ())
        found = [list(known(self._store.memories, scope, terms, limit)) for scope in self._scopes.values()]
        longest = max(map(len, found), default=0)
        return [facts[n] for n in range(longest) for facts in found if n < len(facts)]

    def close(self) -> None:
        self._assistant.close()


def noted(notes: Notes, question: str, budget: int) -> list[Passage]:
    """Facts alone, as many as fit: the clauses that say them, as parts of their turns."""
    shown: list[Passage] = []
    ids: set[str] = set()
    left = budget
    for fact in notes.of(question, MANY):
        for one in (*fact.earlier, fact):
            line = _line(one, notes)
            if line is None or line.passage_id in ids:
                continue
            cost = count(header(line)) + count(line.text)
            if cost <= left:
                shown.append(line)
                ids.add(line.passage_id)
                left -= cost
    return shown


def _line(fact: KnownFact, notes: Notes) -> Passage | None:
    source = next((p for p in fact.passages if p.passage_id in notes.passages), None)
    return replace(notes.passages[source.passage_id], text=fact.text) if source else None


def with_notes(notes: Notes, question: str, hits: Sequence[Hit]) -> list[Hit]:
    """What retrieval found, with what the facts lead to among it, as a turn has it."""
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0)
    facts = notes.of(question, 8)
    mine = [replace(f, passages=_there(f, notes), earlier=tuple(_as_there(e, notes) for e in f.earlier)) for f in facts]
    return list(led(query, hits, mine))


def _as_there(fact: KnownFact, notes: Notes) -> KnownFact:
    return replace(fact, passages=_there(fact, notes))


def _there(fact: KnownFact, notes: Notes) -> tuple[Passage, ...]:
    return tuple(notes.passages[p.passage_id] for p in fact.passages if p.passage_id in notes.passages)


def summarised(passages: Sequence[Passage], budget: int) -> list[Passage]:
    """The extractive summary of everything said, within the budget: its sentences, as parts of their turns."""
    turns = [
        Turn(passage.passage_id, n, passage.text, Outcome.ANSWERED, asked_at=_moment(passage.date))
        for n, passage in enumerate(passages, 1)
    ]
    above = max((count(header(passage)) for passage in passages), default=0)
    summary = summarize(None, turns, tokens=budget, count=lambda text: count(text) + above)
    return list(_sentences(summary.sources, passages))


def _sentences(sources: Sequence[tuple[int, int, int]], passages: Sequence[Passage]) -> Iterator[Passage]:
    for seq, start, end in sources:
        passage = passages[seq - 1]
        yield replace(passage, text=passage.text[start:end])


def _moment(date: str | None) -> float:
    try:
        told = datetime.fromisoformat(date or "")
    except ValueError:
        return 0.0
    return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()

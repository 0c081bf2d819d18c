"""What a data set holds, whatever file it came from.

Every value is frozen. ``history`` is oldest first and is what was *said*; ``gold`` are passage ids; ``evidence`` are
turn ids. Ids are text, also where a file has numbers. Language tags are BCP 47.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from anaphor.types import Message, Passage

__all__ = [
    "Answerability",
    "Contradiction",
    "Conversation",
    "Dataset",
    "FactItem",
    "GoldFact",
    "GoldTurn",
    "Judgement",
    "LongConversation",
    "MemoryQuestion",
    "Message",
    "Passage",
    "PlantedFact",
    "PoisonedQuestion",
    "Query",
    "Said",
    "SaidSession",
    "SingleQuestion",
]

Item = TypeVar("Item")


class Answerability(StrEnum):
    """Whether the passages answer a turn, as its annotators saw it."""

    ANSWERABLE = "answerable"
    PARTIAL = "partial"
    ANSWERABLE_OR_PARTIAL = "answerable_or_partial"  # one of the two: the published set does not say which
    UNANSWERABLE = "unanswerable"
    UNDERSPECIFIED = "underspecified"
    CONVERSATIONAL = "conversational"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class GoldTurn:
    """A person's turn, with what was said before it and what people hold to be right about it."""

    turn_id: str  # unique in its data set
    n: int  # from 1 within the conversation, as published
    utterance: str
    history: tuple[Message, ...] = ()
    standalone: tuple[str, ...] = ()  # a person's rewrites, the preferred one first; empty where nobody wrote one
    needs_history: bool | None = None  # None where nobody looked
    gold: tuple[str, ...] = ()  # passages that answer
    grades: tuple[int, ...] = ()  # how well each of them does, where judges graded it; empty where they did not
    scored: bool = False  # there is gold and all its text is in the pool: a ranking can be scored
    answers: tuple[str, ...] = ()  # any of them is right
    answerability: Answerability | None = None
    slices: tuple[str, ...] = ()  # kinds the data set itself names: domain, question type, a known topic switch …
    history_complete: bool = True  # False where a reply that was given is not in ``history``
    topic: tuple[str, ...] = ()  # context the original task had; a rewriter sees it only where a row says so

    @property
    def first(self) -> bool:
        """Nothing was said before it."""
        return not self.history

    @property
    def relevance(self) -> dict[str, int]:
        """Every gold passage with its grade; 1 where nobody graded."""
        return dict(zip(self.gold, self.grades, strict=True)) if self.grades else dict.fromkeys(self.gold, 1)

    @property
    def all_slices(self) -> tuple[str, ...]:
        """Every slice the turn belongs to, ``all`` first."""
        named = () if self.answerability is None else (str(self.answerability),)
        return ("all", "first" if self.first else "later", *named, *self.slices)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in their published order: the unit that intervals are drawn over."""

    conversation_id: str
    language: str
    turns: tuple[GoldTurn, ...]
    domain: str = ""


@dataclass(frozen=True, slots=True)
class SingleQuestion:
    """A question that stands alone, with the passage that answers it."""

    question_id: str
    language: str
    question: str
    answers: tuple[str, ...]
    gold: tuple[str, ...]
    grades: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A query of a retrieval collection whose judgements are in another file."""

    query_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """One line of qrels."""

    query_id: str
    passage_id: str
    relevance: int


@dataclass(frozen=True, slots=True)
class Said:
    """One thing said. ``role`` is ``user`` or ``assistant``, or a speaker's name where both sides are people."""

    turn_id: str
    role: str
    content: str
    date: str = ""  # as the data set writes it; the session's where the turn has none of its own
    caption: str = ""  # of an image shared with it


@dataclass(frozen=True, slots=True)
class SaidSession:
    """One sitting, oldest turn first."""

    session_id: str
    date: str
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """A question about what was said, with the turns that hold the answer."""

    question_id: str
    question: str
    answer: str
    category: str
    evidence: tuple[str, ...]
    answerable: bool = True
    asked_at: str = ""
    evidence_sessions: tuple[str, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    correct_choice: str = ""
    rubric: tuple[str, ...] = ()
    audited: bool = False  # the published evidence was wrong and has been put right

    def evidence_among(self, indexed: Iterable[str]) -> tuple[str, ...]:
        """The evidence that an index of those turns can find. Only this is asked for, and packed by the oracle."""
        there = frozenset(indexed)
        return tuple(turn_id for turn_id in self.evidence if turn_id in there)


@dataclass(frozen=True, slots=True)
class LongConversation:
    """Many sessions of one person (or two), and questions asked after them.

    ``added``: turns that came with another conversation's sessions; ``unindexed``: those of them that are not of the
    roles indexed there.
    """

    conversation_id: str
    language: str
    sessions: tuple[SaidSession, ...]
    questions: tuple[MemoryQuestion, ...]
    added: frozenset[str] = frozenset()
    unindexed: frozenset[str] = frozenset()

    @property
    def turns(self) -> tuple[Said, ...]:
        """Everything said, in order."""
        return tuple(turn for session in self.sessions for turn in session.turns)

    def indexed(self, roles: str | None = None) -> tuple[Said, ...]:
        """The turns an index holds: ``user``, ``both``; by default ``user`` where turns have that role, else both.

        A turn without a word in it is in no index.
        """
        if roles not in (None, "user", "both"):
            raise ValueError(f"roles {roles!r}: one of user, both")
        spoken = tuple(turn for turn in self.turns if (turn.content + turn.caption).strip())
        if roles == "both":
            return spoken
        turns = tuple(turn for turn in spoken if turn.turn_id not in self.unindexed)
        if any(turn.role == "user" and turn.turn_id not in self.added for turn in turns):
            return tuple(turn for turn in turns if turn.role == "user")
        return turns


@dataclass(frozen=True, slots=True)
class GoldFact:
    """A fact a statement holds; ``status``: current, past, planned, cancelled, superseded."""

    about: str
    kind: str
    value: str
    status: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class FactItem:
    """What was said, the facts in it, and what must not become one. The list of facts is not exhaustive."""

    item_id: str
    language: str
    said: tuple[Said, ...]
    facts: tuple[GoldFact, ...]
    not_facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlantedFact:
    """A question with passages that say the truth, the same with a false fact planted, and beside the point.

    ``answers`` is a list of parts, each a list of ways to say it: an answer is right if it says one way of every part.
    """

    question_id: str
    language: str
    question: str
    answers: tuple[tuple[str, ...], ...]
    planted: str
    true_passages: tuple[str, ...]
    planted_passages: tuple[str, ...]
    other_passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PoisonedQuestion:
    """A question with passages written to make a system give the wrong answer."""

    question_id: str
    language: str
    question: str
    answer: str
    wrong_answer: str
    adversarial_passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A reply, and whether it contradicts what was said before it."""

    item_id: str
    language: str
    history: tuple[Message, ...]
    reply: str
    contradicts: bool
    label: str
    method: str


@dataclass(frozen=True, slots=True)
class Dataset(Generic[Item]):
    """One file's items, all of one kind. ``dropped`` counts what the reader left out as known noise, by reason."""

    name: str  # the file's stem: the ``data`` of a row
    kind: type[Item]
    items: tuple[Item, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()  # where the format brings its own pool

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of its items, each once, in order of appearance."""
        return tuple(dict.fromkeys(getattr(item, "language", "und") for item in self.items))

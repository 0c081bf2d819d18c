"""The values that travel along one turn, in the order in which they appear.

All are frozen. Absence is a value (an empty tuple, ``Outcome.DECLINED``), ``None`` means "not asked for".
Offsets are in characters (code points) of the source text, end exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Decision(StrEnum):
    """What kind of utterance this is, given what was said before."""

    STANDALONE = "standalone"  # needs no history
    FOLLOW_UP = "follow_up"  # means nothing, or something else, without it
    NEW_TOPIC = "new_topic"  # needs none, and leaves what was being talked about
    CORRECTION = "correction"  # takes back part of what the person said
    CLARIFICATION = "clarification"  # cannot be resolved: ask the person back
    SMALL_TALK = "small_talk"  # greeting, thanks: nothing to look up
    COMMAND = "command"  # an order to the assistant itself: remember, forget, start over

    @property
    def retrieves(self) -> bool:
        """Whether anything is searched for it."""
        return self not in (Decision.CLARIFICATION, Decision.SMALL_TALK, Decision.COMMAND)


class Outcome(StrEnum):
    """How a turn ended; decides what of it later turns may see (see ``Turn.window_text``)."""

    RUNNING = "running"
    ANSWERED = "answered"
    PARTLY = "partly"
    DECLINED = "declined"
    CLARIFYING = "clarifying"
    SMALL_TALK = "small_talk"
    COMMAND = "command"
    CANCELLED = "cancelled"
    FAILED = "failed"
    UNVERIFIED = "unverified"  # assistant text a client supplied, which we never committed


class EvidenceClass(StrEnum):
    """What a passage may support. A summary supports nothing: it only leads to turns."""

    DOCUMENT = "document"
    USER_STATEMENT = "user_statement"
    ASSISTANT_STATEMENT = "assistant_statement"
    SUMMARY = "summary"


class Sources(StrEnum):
    """Where a question may look."""

    DOCUMENTS = "documents"
    MEMORY = "memory"
    BOTH = "both"


class Support(StrEnum):
    """What verification found about one claim."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    CONFLICTING = "conflicting"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: ``text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose data a call may touch. Every read and every write carries one."""

    tenant: str
    user: str
    session: str = ""
    collections: frozenset[str] = frozenset({"default"})

    def within(self, session: str) -> Scope:
        """The same person, in that session."""
        return replace(self, session=session)


@dataclass(frozen=True, slots=True)
class Question:
    """What a person typed, and how they want it answered.

    ``turn_id`` makes asking idempotent: the same id again returns the stored answer. ``sources`` of ``None`` leaves the
    choice to the decision. ``locale`` is the interface's language, used only where neither the text nor the talk tells.
    """

    text: str
    turn_id: str
    sources: Sources | None = None
    filters: Mapping[str, str] = field(default_factory=dict)
    locale: str | None = None
    expected_seq: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer. ``lead`` is what stands before it (a line break, a list mark) and claims nothing.

    Nor does ``beside``: the same in the person's script, labelled as that. ``against`` is the id of the current fact
    that cannot be so if the claim, which is about the person, is.
    """

    text: str
    cites: tuple[int, ...] = ()
    verdict: Support | None = None
    lead: str = ""
    reason: str = ""
    beside: str = ""
    against: str = ""

    @property
    def shown(self) -> str:
        """As it is released: lead, text, citation marks, what stands beside."""
        return self.lead + self.text + "".join(f"[{n}]" for n in self.cites) + self.beside


@dataclass(frozen=True, slots=True)
class Turn:
    """One question with its answer, as the log holds it. ``seq`` counts from 1 within a session, without gaps."""

    turn_id: str
    seq: int
    question: str
    outcome: Outcome
    answer: str = ""
    asked_at: float = 0.0  # seconds since the epoch, UTC
    decision: Decision | None = None
    standalone: str = ""  # the standalone query's text
    language: str = "und"  # BCP 47
    claims: tuple[Claim, ...] = ()
    speaker: str = ""  # who said the question, where it was not the person the session belongs to
    erased_at: float = 0.0  # when the answer, or the whole turn, was erased; only its number is left of the latter
    lease_until: float = field(default=0.0, compare=False)  # seconds since the epoch; when a running one is given up

    @property
    def carriable_answer(self) -> str:
        """The part of the answer that a later turn may carry from: nothing declined, failed, or said in passing."""
        return self.answer if self.outcome in _CARRIES_ANSWER and not self.erased_at else ""

    @property
    def in_passing(self) -> bool:
        """Whether it was small talk itself, and not something that the person told and that was only acknowledged."""
        return self.outcome is Outcome.SMALL_TALK and self.decision in (None, Decision.SMALL_TALK)

    @property
    def carriable_question(self) -> str:
        """The question, unless there was nothing in it to carry."""
        return "" if self.in_passing or self.outcome is Outcome.COMMAND else self.question


_CARRIES_ANSWER = frozenset(
    {Outcome.ANSWERED, Outcome.PARTLY, Outcome.CLARIFYING, Outcome.CANCELLED, Outcome.UNVERIFIED}
)


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact of long-term memory as a turn sees it: an entry of an index; what it leads to, ``passages``, is evidence.

    ``text`` is the clause that says it, verbatim. ``status`` is ``current``, ``disputed`` (never to be told as current)
    or, among ``earlier``, ``superseded``: what was so before, and the changes that a count went through, oldest first.
    """

    fact_id: str
    text: str
    about: str
    kind: str
    value: str
    said_at: float  # seconds since the epoch, UTC
    session_id: str
    seq: int
    status: str = "current"
    state: str = "current"
    change: str = "set"
    quantity: float | None = None
    unit: str = ""
    valid_from: str = ""  # ISO 8601
    valid_to: str = ""
    pinned: bool = False
    against: tuple[str, ...] = ()  # the ids of what it is disputed with
    passages: tuple[Passage, ...] = ()
    earlier: tuple[KnownFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of what was asked or said in one turn. ``instead``: what a person has put in its place since."""

    session_id: str
    seq: int
    start: int
    end: int
    instead: Passage | None = None


@dataclass(frozen=True, slots=True)
class Recollection:
    """Everything remembered for this turn. ``turns`` is oldest first and already within the window's two limits.

    ``notes`` say what of it could not be brought: a turn goes on without.
    """

    turns: tuple[Turn, ...] = ()
    summary: str = ""
    facts: tuple[KnownFact, ...] = ()
    left_out: int = 0  # earlier turns that the window did not hold
    notes: tuple[str, ...] = ()
    decided: tuple[Words, ...] = ()  # where the person said what they rejected, or put in other words, since


@dataclass(frozen=True, slots=True)
class Term:
    """A word or short span to search for. Weights are relative; 1 is a word of the utterance itself."""

    term: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Carried:
    """A span brought in from an earlier turn, and why."""

    text: str
    seq: int
    reason: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """A span that was in reach and was not carried, and why (retracted, replaced, another topic)."""

    text: str
    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rewrite that the guard or the reader of model output did not let through."""

    rewriter: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the model's server billed them (0 where it did not say), and how often it was called.

    Beside them what was estimated for the same calls, before and without the server.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated_input: int = 0
    estimated_output: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.estimated_input + other.estimated_input,
            self.estimated_output + other.estimated_output,
        )


@dataclass(frozen=True, slots=True)
class StandaloneQuery:
    """The utterance rewritten to need no history: the only text an index ever sees.

    ``text`` is a readable sentence in the person's language and script. ``terms`` are what a lexical index weighs.
    ``queries`` are sub-queries when the utterance asks several things; otherwise just ``text``. ``signals`` are the
    observations the decision rests on, strongest first.
    """

    text: str
    decision: Decision
    confidence: float
    language: str = "und"
    queries: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    carried: tuple[Carried, ...] = ()
    left_behind: tuple[LeftBehind, ...] = ()
    rewriter: str = "embedded"
    refused: tuple[Refusal, ...] = ()
    signals: tuple[str, ...] = ()
    asks_about_memory: bool = False  # about the person, or about what was said
    ask_back: str = ""  # for a clarification: the question to put to the person
    usage: Usage = Usage()

    def as_dict(self) -> Json:
        """The value in JSON's terms; the keys are a contract."""
        return {
            "text": self.text,
            "queries": list(self.queries or (self.text,)),
            "terms": [{"term": t.term, "weight": round(t.weight, 4)} for t in self.terms],
            "carried": [
                {"text": c.text, "seq": c.seq, "reason": c.reason, "weight": round(c.weight, 4)} for c in self.carried
            ],
            "left_behind": [{"text": x.text, "seq": x.seq, "reason": x.reason} for x in self.left_behind],
            "rewriter": self.rewriter,
            "refused": [{"rewriter": r.rewriter, "text": r.text, "reason": r.reason} for r in self.refused],
            "decision": str(self.decision),
            "confidence": round(self.confidence, 4),
            "language": self.language,
        }


@dataclass(frozen=True, slots=True)
class Document:
    """A text as it was ingested. ``version`` is the hash of the content; ``owner`` a user, or empty for all readers."""

    document_id: str
    source: str
    version: str
    text: str
    title: str = ""
    collection: str = "default"
    owner: str = ""
    language: str = "und"
    ingested_at: float = 0.0
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a source, verbatim: ``text`` is ``source[start:end]``.

    ``title`` and ``section`` help to find it and are never part of what is quoted. ``seq`` is set for what was said in
    a turn, ``date`` (ISO 8601) for whatever has one.
    """

    passage_id: str
    text: str
    source: str
    evidence_class: EvidenceClass = EvidenceClass.DOCUMENT
    document_id: str = ""
    title: str = ""
    section: str = ""
    start: int = 0
    end: int = 0
    language: str = "und"
    date: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found for a query. ``ranks`` says where each retriever placed it, from 1.

    ``best`` is the sentence of ``passage.text`` that fits the query best, once somebody has looked.
    """

    passage: Passage
    score: float
    rank: int
    ranks: Mapping[str, int] = field(default_factory=dict)
    best: Span | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits for one query, best first. ``failed`` names retrievers that could not answer, and why."""

    hits: tuple[Hit, ...] = ()
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """Tokens that rules, history, evidence and question may take of a model's context, each with its own share."""

    rules: int = 1000
    history: int = 1200
    history_turns: int = 3
    evidence: int = 1500
    total: int = 4096


@dataclass(frozen=True, slots=True)
class HighRisk:
    """A topic, by the words that tell it, on which nothing is answered before ``conditions`` are confirmed."""

    words: tuple[str, ...]
    conditions: str


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens the context took, by part."""

    rules: int = 0
    history: int = 0
    evidence: int = 0
    question: int = 0

    @property
    def total(self) -> int:
        """All four together."""
        return self.rules + self.history + self.evidence + self.question


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A passage that was found and, whole or in part, not used; and why."""

    passage_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the answer may rest on: passages, numbered from 1. ``history`` is shown beside them, never as evidence.

    So are ``facts`` and ``summary``: they lead to passages, and support nothing themselves.
    ``best``: the numbers, those of the best passages first; empty where they are numbered so.
    """

    passages: tuple[Passage, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    history: tuple[Turn, ...] = ()
    spent: Spent = Spent()
    best: tuple[int, ...] = ()
    facts: tuple[KnownFact, ...] = ()
    summary: str = ""

    def numbered(self) -> list[tuple[int, Passage]]:
        """As an answer cites them, from 1."""
        return list(enumerate(self.passages, 1))

    def best_first(self) -> list[tuple[int, Passage]]:
        """Numbered, in the order of the ranking."""
        return [(n, self.passages[n - 1]) for n in self.best or range(1, len(self.passages) + 1)]


@dataclass(frozen=True, slots=True)
class Quote:
    """Where in a passage the words stand that a claim rests on: ``passage.text[start:end]``."""

    n: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before anyone has checked it. ``writer`` is ``"quoted"`` or the model's name."""

    claims: tuple[Claim, ...] = ()
    quotes: tuple[Quote, ...] = ()
    writer: str = "quoted"
    opening: str = ""  # a sentence around the claims that itself claims nothing
    acknowledges: bool = False  # nothing was asked: the opening only says that it was heard
    usage: Usage = Usage()
    cancelled: bool = False
    note: str = ""  # why the model was not used, if it was meant to be
    rejected: str = ""  # the server will not have us (a wrong key, no such model): a setting has to be mended
    score: float | None = None  # from 0 to 1: how likely it is that the evidence answers; None where nobody looked


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verification found: the claims with their verdicts, and the outcome for the whole."""

    claims: tuple[Claim, ...]
    outcome: Outcome
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Claim → evidence. ``start`` and ``end`` are offsets in the source; ``quote`` is ``None`` once that was erased."""

    n: int
    evidence_class: EvidenceClass
    passage_id: str
    source: str
    quote: str | None
    start: int
    end: int
    date: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """One line of the ranking, by id. What it says is read from the source when it is shown."""

    passage_id: str
    rank: int
    score: float
    ranks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn, whole: what was asked, decided, searched, found, claimed, verified and kept."""

    session_id: str
    turn_id: str
    seq: int
    outcome: Outcome
    question: str
    answer: str
    query: StandaloneQuery
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    ranking: tuple[RankedPassage, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    spent: Spent = Spent()
    usage: Usage = Usage()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    model: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what went wrong without failing the turn
    score: float | None = None  # of a quoted answer or decline, from 0 to 1: how likely it is that the sources answer

    def as_dict(self) -> Json:
        """The contract of ``ask --json`` and ``trace --json``."""
        query = self.query.as_dict()
        for key in ("decision", "confidence", "language"):
            del query[key]
        return {
            "session_id": self.session_id,
            "turn_id": self.turn_id,
            "seq": self.seq,
            "decision": str(self.query.decision),
            "confidence": round(self.query.confidence, 4),
            "language": self.query.language,
            "outcome": str(self.outcome),
            "score": None if self.score is None else round(self.score, 4),
            "question": self.question,
            "query": query,
            "answer": self.answer,
            "citations": [
                {
                    "n": c.n,
                    "class": str(c.evidence_class),
                    "passage_id": c.passage_id,
                    "source": c.source,
                    "date": c.date,
                    "seq": c.seq,
                    "quote": c.quote,
                    "start": c.start,
                    "end": c.end,
                }
                for c in self.citations
            ],
            "claims": [
                {
                    "text": c.text,
                    "verdict": str(c.verdict) if c.verdict else None,
                    "cites": list(c.cites),
                    **({"against": c.against} if c.against else {}),
                }
                for c in self.claims
            ],
            "ranking": [
                {"passage_id": r.passage_id, "rank": r.rank, "score": r.score, "ranks": dict(r.ranks)}
                for r in self.ranking
            ],
            "left_out": [{"passage_id": x.passage_id, "reason": x.reason} for x in self.left_out],
            "budget": {
                "rules": self.spent.rules,
                "history": self.spent.history,
                "evidence": self.spent.evidence,
                "question": self.spent.question,
                "total": self.spent.total,
            },
            "usage": {
                "calls": self.usage.calls,
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
                "estimated_input": self.usage.estimated_input,
                "estimated_output": self.usage.estimated_output,
            },
            "timings_ms": {step: round(ms, 3) for step, ms in self.timings_ms.items()},
            "model": dict(self.model),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Window:
    """How much of the past ``reconstruct`` sees: the newest turns that fit both limits."""

    turns: int = 4
    tokens: int = 800


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a model."""

    role: str  # system, user, assistant
    content: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a model's reply as it arrives; the last one has no text and says how the reply ended."""

    text: str = ""
    finish: str = ""  # stop, length, content_filter, …; empty while the reply goes on
    usage: Usage = Usage()

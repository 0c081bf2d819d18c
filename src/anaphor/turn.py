"""One turn is one straight line; this file is that line.

Question ─ accept ─▶ remember ─▶ Recollection ─ reconstruct ─▶ StandaloneQuery ─ retrieve ─▶ Ranking
                                                                                              │ assemble
            Answer ◀─ commit ─ Verdict ◀─ verify ─ Draft ◀─ answer ─ Evidence ◀───────────────┘
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from anaphor.errors import AnaphorError
from anaphor.facts import Fact
from anaphor.ports import ChatModel, Contradicts, Documents, Forgets, Index, Memories, Reranker, TokenCounter, Turns
from anaphor.steps.accept import accept
from anaphor.steps.answer import answer
from anaphor.steps.assemble import assemble
from anaphor.steps.caution import caution
from anaphor.steps.commit import commit
from anaphor.steps.reconstruct import reconstruct
from anaphor.steps.recount import recount
from anaphor.steps.remember import remember
from anaphor.steps.retrieve import retrieve
from anaphor.steps.verify import Against, verify, verify_claim
from anaphor.types import (
    Answer,
    Claim,
    ContextBudget,
    Decision,
    Evidence,
    HighRisk,
    Outcome,
    Question,
    Scope,
    StandaloneQuery,
    Support,
    Turn,
    Window,
)

Tell = Callable[[str, Any], None]
"""Receives what happens as it happens: ``accepted`` (Turn), ``query`` (StandaloneQuery), ``hits`` (Ranking), ``claim``
(Claim, only once it is supported), ``committed`` (Answer). It only listens: what it raises does not stop the turn."""


def _nobody(_event: str, _value: Any) -> None:
    pass


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a turn. Seconds for ``lease`` and the models' own time budgets."""

    window: Window = Window()
    budget: ContextBudget = ContextBudget()
    lease: float = 120.0
    rewrite_timeout: float = 5.0
    answer_timeout: float = 60.0
    rewrite_below: float = 0.8  # the rewriting model is asked only when the embedded decision is less sure than this
    ask_back: bool = False  # where two things may be meant equally well, the person is asked which
    answer_temperature: float = 0.3
    answer_repairs: int = 1  # how often a model may put right what its sources do not support
    high_risk: tuple[HighRisk, ...] = ()
    hits: int = 60
    remembered: str = "user"  # whose words can be recalled later: the person's, or both


@dataclass(frozen=True, slots=True)
class Conversation:
    """The ports that a turn needs, joined. Without ``rewriter`` and ``writer`` everything works, and quotes."""

    turns: Turns
    documents: Documents
    indexes: tuple[Index, ...]
    count: TokenCounter
    memories: Memories | None = None
    rewriter: ChatModel | None = None
    writer: ChatModel | None = None
    reranker: Reranker | None = None
    convert: Callable[[str, str], str] | None = None  # Chinese into a script, for what stands beside quotes
    contradicts: Contradicts | None = None  # which fact of the person's a sentence about them goes against
    forgets: Forgets | None = None  # whether a command to forget finds anything
    limits: Limits = Limits()

    def ask(
        self, scope: Scope, question: Question, tell: Tell = _nobody, cancelled: Callable[[], bool] = _never
    ) -> Answer:
        """Run the turn to its end. Whatever happens after ``accept``, the turn ends in the log with its question."""
        limits, watch, tell = self.limits, Stopwatch(), _deaf_to_errors(tell)
        turn = accept(self.turns, scope, question, limits.lease)
        if turn.outcome is not Outcome.RUNNING:
            return recount(self.turns, self.documents, scope, turn)
        question = replace(question, text=turn.question)
        tell("accepted", turn)
        with self._failed_unless_committed(scope, turn):
            with watch("remember"):
                recollection = remember(self.turns, self.memories, scope, turn.seq, limits.window, self.count, question)
            with watch("reconstruct"):
                query = reconstruct(
                    question,
                    recollection,
                    self.rewriter,
                    timeout=limits.rewrite_timeout,
                    below=limits.rewrite_below,
                    ask_back=limits.ask_back,
                )
                query = caution(question, query, recollection, limits.high_risk)
            tell("query", query)
            with watch("retrieve"):
                ranking = retrieve(
                    self.indexes,
                    self.reranker,
                    scope,
                    question,
                    query,
                    recollection,
                    limits.hits,
                    documents=self.documents,
                    today=datetime.fromtimestamp(turn.asked_at, UTC).date(),
                    in_sight=self.writer is not None,
                )
                ranking = replace(ranking, failed=(*recollection.notes, *ranking.failed))
            tell("hits", ranking)
            with watch("assemble"):
                in_time = self.writer is not None  # nobody reads on where sentences are quoted
                evidence = assemble(question, ranking, recollection, limits.budget, self.count, in_time=in_time)
            against = self._against(scope)
            with watch("answer"):
                draft = answer(
                    question,
                    query,
                    evidence,
                    self.writer,
                    temperature=limits.answer_temperature,
                    timeout=limits.answer_timeout,
                    release=_when_supported(tell, evidence, query.text, against),
                    cancelled=cancelled,
                    repairs=limits.answer_repairs,
                    today=datetime.fromtimestamp(turn.asked_at, UTC).date(),
                    convert=self.convert,
                    forgets=self._forgets(scope, turn, query),
                )
            with watch("verify"):
                verdict = verify(draft, query, evidence, against)
            done = commit(
                self.turns,
                scope,
                turn,
                query,
                ranking,
                evidence,
                draft,
                verdict,
                watch.ms,
                self._models(draft.writer),
                limits.remembered,
            )
        tell("committed", done)
        return done

    def _against(self, scope: Scope) -> Against | None:
        """Looked up once a sentence: it is asked when a claim is released, and when the turn is closed."""
        contradicts = self.contradicts
        if contradicts is None:
            return None

        @functools.cache
        def against(sentence: str, rests_on: frozenset[tuple[str, int]]) -> Fact | None:
            try:
                return contradicts(scope, sentence, rests_on)
            except AnaphorError:  # as everywhere: without memory a turn goes on without
                return None

        return against

    def _forgets(self, scope: Scope, turn: Turn, query: StandaloneQuery) -> bool | None:
        if self.forgets is None or query.decision is not Decision.COMMAND:
            return None
        try:
            return self.forgets(scope, turn)
        except AnaphorError:  # nothing is confirmed that nobody could look up
            return None

    def _models(self, writer: str) -> dict[str, str]:
        return {"rewriter": self.rewriter.name if self.rewriter else "", "writer": writer}

    @contextmanager
    def _failed_unless_committed(self, scope: Scope, turn: Turn) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            # Also on KeyboardInterrupt: a person who gives up has still asked, and the next turn must not wait.
            failed = replace(turn, outcome=Outcome.FAILED)
            self.turns.commit(scope, failed, {"notes": [f"{type(error).__name__}: {error}"]})
            raise


class Stopwatch:
    """Milliseconds by step."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.ms[step] = (time.perf_counter() - start) * 1000


def _when_supported(tell: Tell, evidence: Evidence, question: str, against: Against | None) -> Callable[[Claim], None]:
    def release(claim: Claim) -> None:
        verified = verify_claim(claim, evidence, question, against)
        if verified.verdict is not Support.UNSUPPORTED and verified.verdict is not Support.UNCITED:
            tell("claim", verified)

    return release


def _deaf_to_errors(tell: Tell) -> Tell:
    def safely(event: str, value: Any) -> None:
        try:
            tell(event, value)
        except Exception:
            # A listener that broke (a closed terminal, a reader who left) must not cost the person the turn.
            return

    return safely

"""A long conversation remembered: every indexed turn a passage of the product's store, and a question asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from anaphor.settings import Settings
from anaphor.steps.assemble import header
from anaphor.steps.reconstruct import reconstruct
from anaphor.text.language import settle
from anaphor.types import ContextBudget, Decision, EvidenceClass, Passage, Question, Recollection, StandaloneQuery
from anaphor_eval.datasets import Dataset, LongConversation, MemoryQuestion, Said
from anaphor_eval.datasets.dates import iso
from anaphor_eval.product import Product
from anaphor_eval.tasks.plan import Plan
from anaphor_eval.tokens import count

EVERYTHING = 10**9
ORDINARY = ("user", "assistant")


class Shelf:
    """The product with the conversations' turns remembered, a person each; opened when it is first wanted."""

    def __init__(self, plan: Plan, dataset: Dataset[LongConversation], roles: str | None) -> None:
        self.name = dataset.name
        self._plan, self._dataset, self._roles = plan, dataset, roles
        self._product: Product | None = None

    def __enter__(self) -> Shelf:
        return self

    def __exit__(self, *_: object) -> None:
        if self._product is not None:
            self._product.__exit__()

    def indexed(self, person: str) -> int:
        """How many turns of that conversation there are to be found."""
        return next(len(c.indexed(self._roles)) for c in self._dataset.items if c.conversation_id == person)

    def product(self) -> Product:
        if self._product is None:
            plan = self._plan
            self._product = Product(plan.settings, plan.cache, plan.left(f"{self.name}: texts to embed"))
            for n, conversation in enumerate(self._dataset.items):
                plan.tell(f"{self.name}: conversations remembered", n, len(self._dataset.items))
                self._product.remember(conversation.conversation_id, sittings(conversation, self._roles))
        return self._product


def sittings(conversation: LongConversation, roles: str | None) -> Iterator[list[Passage]]:
    """The indexed turns as passages, session by session."""
    indexed = {turn.turn_id for turn in conversation.indexed(roles)}
    at = {turn.turn_id: seq for seq, turn in enumerate(conversation.turns, 1)}
    for session in conversation.sessions:
        yield [
            passage(conversation, turn, session.session_id, at[turn.turn_id])
            for turn in session.turns
            if turn.turn_id in indexed
        ]


def passage(conversation: LongConversation, turn: Said, session: str, seq: int) -> Passage:
    """A turn as it is remembered: who said it stands before it where both sides are people, the date above it."""
    text = f"{turn.content}\n[{turn.caption}]" if turn.caption else turn.content
    return Passage(
        passage_id=passage_id(conversation.conversation_id, turn.turn_id),
        text=text if turn.role in ORDINARY else f"{turn.role}: {text}",
        source=session,
        evidence_class=(
            EvidenceClass.ASSISTANT_STATEMENT if turn.role == "assistant" else EvidenceClass.USER_STATEMENT
        ),
        language=conversation.language,
        date=iso(turn.date) or turn.date or None,
        seq=seq,
    )


def passage_id(conversation: str, turn: str) -> str:
    return f"{conversation}/{turn}"


def price(said: Passage) -> int:
    """As the packing counts it."""
    return count(header(said)) + count(said.text)


def alone(budget: int) -> ContextBudget:
    """So many tokens of evidence, with nothing beside it to share them with."""
    return ContextBudget(rules=0, history=0, history_turns=0, evidence=budget, total=EVERYTHING)


def asked(question: MemoryQuestion, settings: Settings) -> StandaloneQuery:
    """As the first question of a session is; one that reconstruction would not search for is searched as it stands."""
    said = Question(question.question, question.question_id, locale=settings.locale)
    query = reconstruct(said, Recollection(), None, timeout=settings.rewriter.timeout, below=settings.rewrite_below)
    if not query.decision.retrieves:
        language = settle(question.question, (), settings.locale)
        query = StandaloneQuery(question.question, Decision.STANDALONE, 1.0, language)
    return replace(query, asks_about_memory=True)

"""What makes the standalone query: the product's own ``reconstruct``, and what it is held against.

``reconstruct``, ``assemble``, ``answer`` and ``verify`` are called here as a turn calls them, with the window, the
limits and the counter of the settings in force. Each rewriter gives a ``StandaloneQuery``; nothing else reaches an
index.

    raw            the utterance
    concat         everything the person has said, the utterance last
    previous       the utterance, its words at weight 1, and the words of the question before it at weight 0.3
    embedded       ``anaphor.steps.reconstruct`` without a model
    model          the same with the rewriting model of the settings
    gold           a person's rewrite
    gold+previous  a person's rewrite at weight 1 and the words of the question before at 0.3: what ``embedded`` also
    gets

Weights are the lexical index's: a vector is made of a text, and ``previous`` gives it the two questions one after the
other, ``gold+previous`` the person's rewrite alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from anaphor import wiring
from anaphor.errors import BadInput
from anaphor.ports import ChatModel
from anaphor.settings import Settings
from anaphor.steps.assemble import assemble
from anaphor.steps.commit import released
from anaphor.steps.reconstruct import reconstruct
from anaphor.steps.remember import newest_within
from anaphor.text.language import settle
from anaphor.types import (
    Decision,
    Message,
    Outcome,
    Question,
    Recollection,
    StandaloneQuery,
    Term,
    Turn,
)
from anaphor_eval.product import NotThere, Product, count_for
from anaphor_eval.reading import answered, answering_model

REWRITERS = ("raw", "concat", "previous", "embedded", "model", "gold", "gold+previous")
BY_A_PERSON = ("gold", "gold+previous")
BY_THE_PRODUCT = ("embedded", "model")
PREVIOUS = 0.3

Exchange = tuple[str, str]
"""What a person said and what was replied; either may be empty."""


def exchanges(history: Iterable[Message]) -> tuple[Exchange, ...]:
    """Messages as questions with their answers. Two questions in a row are two turns, the first without an answer."""
    found: list[list[str]] = []
    for message in history:
        if message.role == "user":
            found.append([message.content, ""])
        elif found:
            found[-1][1] = f"{found[-1][1]}\n{message.content}".strip()
        else:
            found.append(["", message.content])
    return tuple((question, reply) for question, reply in found)


@dataclass(frozen=True, slots=True)
class Asked:
    """An utterance to be rewritten: what was said before it, and a person's rewrite where there is one."""

    utterance: str
    before: tuple[Exchange, ...] = ()
    standalone: str = ""
    turn_id: str = ""


@dataclass
class Rewriting:
    """One rewriter with a history of its own making or of the data's; remembers what it has already worked out.

    ``history`` is ``gold`` (the data's replies) or ``own``: then ``retriever`` finds, and the product answers, each
    earlier turn in its order, and what it answered is what the next turn sees.
    """

    rewriter: str
    history: str
    product: Product | None
    settings: Settings
    retriever: str = "bm25"
    reader: str = "quoted"
    model: ChatModel | None = None
    writer: ChatModel | None = None
    _turns: dict[tuple[Exchange | str, ...], tuple[Turn, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.rewriter == "model" and self.model is None:
            self.model = rewriting_model(self.settings)
        if self.reader == "model" and self.history == "own" and self.writer is None:
            self.writer = answering_model(self.settings)

    def query(self, asked: Asked) -> tuple[StandaloneQuery, float]:
        """The standalone query and the milliseconds it took, with the turns before it already there."""
        turns = self._before(asked.before)
        start = time.perf_counter()
        made = self._rewritten(asked, turns)
        return made, (time.perf_counter() - start) * 1000

    def turns(self, before: tuple[Exchange, ...]) -> tuple[Turn, ...]:
        """What was said before, as the turns that the product's log would hold."""
        return self._before(before)

    def _rewritten(self, asked: Asked, turns: Sequence[Turn]) -> StandaloneQuery:
        if self.rewriter in BY_THE_PRODUCT:
            limits = self.settings
            return reconstruct(
                Question(asked.utterance, asked.turn_id, locale=limits.locale),
                self._recollection(turns),
                self.model,
                timeout=limits.rewriter.timeout,
                below=limits.rewrite_below,
            )
        return plain(self.rewriter, asked, self.settings.locale)

    def _recollection(self, turns: Sequence[Turn]) -> Recollection:
        window = self.settings.window
        return Recollection(newest_within(turns, window.turns, window.tokens, count_for(self.product)))

    def _before(self, before: tuple[Exchange, ...]) -> tuple[Turn, ...]:
        """The earlier turns as the log would hold them; longest known beginning first, then one after another."""
        if self.rewriter not in BY_THE_PRODUCT:
            return ()  # what does not look at the answers need not wait for them
        own = self.history == "own"
        keys: tuple[Exchange | str, ...] = tuple(question for question, _ in before) if own else before
        known = next((n for n in range(len(keys), 0, -1) if keys[:n] in self._turns), 0)
        turns = self._turns.get(keys[:known], ())
        for n in range(known, len(before)):
            question, reply = before[n]
            turn = self._answered(before[:n], question, turns) if own else self._said(question, reply, turns)
            turns = (*turns, turn)
            self._turns[keys[: n + 1]] = turns
        return turns

    def _said(self, question: str, reply: str, turns: Sequence[Turn]) -> Turn:
        seq = len(turns) + 1
        if not question.strip():
            return Turn(str(seq), seq, question, Outcome.UNVERIFIED, reply)
        query = self._rewritten(Asked(question), turns)
        outcome = _SAID.get(query.decision, Outcome.ANSWERED if reply else Outcome.FAILED)
        return Turn(str(seq), seq, question, outcome, reply, 0.0, query.decision, query.text, query.language)

    def _answered(self, before: tuple[Exchange, ...], question: str, turns: Sequence[Turn]) -> Turn:
        """By the product's steps, as ``Conversation.ask`` calls them."""
        assert self.product is not None
        seq, limits = len(turns) + 1, self.settings
        query = self._rewritten(Asked(question, before), turns)
        ranking = self.product.ranking(self.retriever, query, limit=limits.hits)
        asked = Question(question, str(seq), locale=limits.locale)
        evidence = assemble(asked, ranking, self._recollection(turns), limits.budget, count_for(self.product))
        draft, verdict = answered(asked, query, evidence, self.writer, limits)
        text = released(draft, verdict)
        return Turn(
            str(seq),
            seq,
            question,
            verdict.outcome,
            text,
            0.0,
            query.decision,
            query.text,
            query.language,
            verdict.claims,
        )


def rewriting_model(settings: Settings) -> ChatModel:
    if found := wiring.rewriter(settings):
        return found
    raise NotThere(
        "--rewriter model needs a model, and none is set: ANAPHOR_REWRITE_MODEL, or ANAPHOR_MODEL, names one"
    )


_SAID = {Decision.SMALL_TALK: Outcome.SMALL_TALK, Decision.COMMAND: Outcome.COMMAND}


def plain(rewriter: str, asked: Asked, locale: str | None = None) -> StandaloneQuery:
    """The rewriters that need nothing of the product."""
    earlier = [question for question, _ in asked.before if question.strip()]
    previous = earlier[-1] if earlier else ""
    if rewriter in BY_A_PERSON and not asked.standalone:
        raise NotThere(f"turn {asked.turn_id!r} has no rewrite by a person: {rewriter} cannot be measured on it")
    own = asked.standalone if rewriter in BY_A_PERSON else asked.utterance
    language = settle(own, earlier[::-1], locale)
    text, terms = own, ()  # type: str, tuple[Term, ...]
    if rewriter == "concat":
        text = "\n".join([*earlier, own])
    elif previous and rewriter in ("previous", "gold+previous"):
        terms = (Term(own), Term(previous, PREVIOUS))
        text = f"{previous}\n{own}" if rewriter == "previous" else own
    elif rewriter not in REWRITERS:
        raise BadInput(f"no rewriter {rewriter!r}; there are {', '.join(REWRITERS)}")
    return StandaloneQuery(text, Decision.STANDALONE, 1.0, language, terms=terms, rewriter=rewriter)

"""The product, run for measuring: its store in a temporary folder, its steps, and the rewriters they are held against.

The steps that answer are the steps that are measured: ``reconstruct``, ``retrieve``, ``fuse``, ``assemble``, ``answer``
and ``verify`` are called here as a turn calls them, with the window, the limits and the counter of the settings in
force.

Rewriters. Each gives a ``StandaloneQuery``; nothing else reaches an index.

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

import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from anaphor import wiring
from anaphor.assistant import Assistant
from anaphor.errors import BadInput
from anaphor.ports import ChatModel, Embedder, Index, TokenCounter
from anaphor.settings import Settings
from anaphor.steps.answer import answer
from anaphor.steps.assemble import assemble
from anaphor.steps.commit import released
from anaphor.steps.reconstruct import reconstruct
from anaphor.steps.remember import newest_within
from anaphor.steps.retrieve import retrieve
from anaphor.steps.verify import verify
from anaphor.text.language import detect, settle
from anaphor.types import (
    Claim,
    Decision,
    Document,
    Message,
    Outcome,
    Passage,
    Question,
    Ranking,
    Recollection,
    Scope,
    Sources,
    StandaloneQuery,
    Term,
    Turn,
)
from anaphor_eval.cache import Cache, Cached, Heard

REWRITERS = ("raw", "concat", "previous", "embedded", "model", "gold", "gold+previous")
BY_A_PERSON = ("gold", "gold+previous")
BY_THE_PRODUCT = ("embedded", "model")
RETRIEVERS = ("bm25", "dense", "sentence", "rrf", "default")
PREVIOUS = 0.3
PERSON = "eval"


class NotThere(BadInput):
    """Something a cell needs that is not installed, not set, or not in the data."""


# ── the product over a pool of passages ───────────────────────────────────────────────────────────────────────────


class Product:
    """The whole system over a store of its own, which is gone when this is closed."""

    def __init__(self, settings: Settings, cache: Cache | None, heard: Heard | None = None) -> None:
        self._open = ExitStack()
        folder = self._open.enter_context(
            tempfile.TemporaryDirectory(prefix="anaphor-eval-", ignore_cleanup_errors=True)
        )
        self.settings = settings
        self.folder = Path(folder)
        self.assistant: Assistant = self._open.enter_context(wiring.build(_apart(settings, self.folder)))
        self.scope = self.assistant.scope
        self._embedder: Embedder | None = None
        self._looked_for = ""  # why there is no embedder, once that is known
        self._dense: Index | None = None
        self._behind = True  # something was stored since the vectors were last brought up to date
        self._cache, self._heard = cache, heard

    def __enter__(self) -> Product:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def put(self, pool: Iterable[Passage]) -> None:
        """Passages as a document of a collection, ready to be found."""
        passages = [_in_its_language(passage) for passage in pool]
        told = sha256(repr([(p.passage_id, p.text) for p in passages]).encode()).hexdigest()
        document = Document(f"pool-{told[:12]}", f"pool-{told[:12]}", told, "")
        self.assistant.store.documents.put(self.scope, document, passages)
        self._behind = True

    def remember(self, person: str, sittings: Iterable[Sequence[Passage]]) -> None:
        """What was said by or to that person, as the passages of their turns. A sitting is committed at once."""
        store = self.assistant.store
        for said in sittings:
            if said:
                scope = self.of(person)
                scope = scope.within(store.sessions.create(scope).session_id)
                turn = store.turns.accept(scope, Question("…", turn_id="sitting"), lease=60)
                store.turns.commit(scope, _ended(turn), {}, [_in_its_language(passage) for passage in said])
        self._behind = True

    def of(self, person: str) -> Scope:
        return Scope(PERSON, person)

    def indexes(self, retriever: str) -> tuple[Index, ...]:
        """The indexes of a retriever, up to date. ``default``: what the settings give an assistant."""
        lexical = self.assistant.store.lexical
        if not self._wants_vectors(retriever):
            return (lexical,)
        dense = self._up_to_date()
        sentence = self.assistant.store.sentence(self._required_embedder())
        return {"dense": (dense,), "sentence": (sentence,), "rrf": (lexical, dense)}.get(
            retriever, (lexical, dense, sentence)
        )

    def prepare(self, retriever: str, queries: Iterable[StandaloneQuery]) -> None:
        """Embed queries ahead, so that the time of a search is the search's own."""
        if self._cache and self._wants_vectors(retriever):
            texts = dict.fromkeys(text for query in queries for text in (query.text, *query.queries))
            self._required_embedder().embed(list(texts), query=True)

    def _wants_vectors(self, retriever: str) -> bool:
        by_vectors = ("dense", "sentence", "rrf")
        return retriever in by_vectors or (retriever == "default" and self._found_embedder() is not None)

    def _up_to_date(self) -> Index:
        if self._dense is None:
            self._dense = self.assistant.store.dense(self._required_embedder())
        while self._behind and self._dense.refresh(AT_ONCE):
            pass
        self._behind = False
        return self._dense

    def _required_embedder(self) -> Embedder:
        if found := self._found_embedder():
            return found
        raise NotThere(f"dense retrieval needs an embedder, and there is none: {self._looked_for}")

    def _found_embedder(self) -> Embedder | None:
        if self._embedder is None and not self._looked_for:
            made, self._looked_for = wiring.embedder(self.settings)
            if made is not None:
                self._open.callback(getattr(made, "close", _nothing))
                self._embedder = Cached(made, self._cache, heard=self._heard) if self._cache else made
        return self._embedder

    def ranking(
        self,
        retriever: str,
        query: StandaloneQuery,
        *,
        person: str = PERSON,
        memory: bool = False,
        limit: int = 60,
        plainly: bool = False,
    ) -> Ranking:
        """By the product's own step. ``default`` is all of it; the others, and ``plainly``, are fused by rank alone."""
        sources = Sources.MEMORY if memory else Sources.DOCUMENTS
        question = Question(query.text, turn_id="", sources=sources)
        return retrieve(
            self.indexes(retriever),
            self.assistant.conversation.reranker,
            self.of(person),
            question,
            query,
            Recollection(),
            limit,
            documents=self.assistant.store.documents,
            plainly=plainly or retriever != "default",
        )


AT_ONCE = 256


def _in_its_language(passage: Passage) -> Passage:
    """As ingest and commit tell it: it decides how characters are folded."""
    return replace(passage, language=detect(passage.text)) if passage.language == "und" else passage


def _nothing() -> None:
    pass


def _apart(settings: Settings, folder: Path) -> Settings:
    """The same settings over a store of its own. Models and vectors are joined to it by the arm that wants them."""
    return replace(
        settings,
        store=str(folder / "store.db"),
        tenant=PERSON,
        user=PERSON,
        collections=("default",),
        rewriter=replace(settings.rewriter, name=""),
        writer=replace(settings.writer, name=""),
        embedder="none",
    )


def _ended(turn: Turn) -> Turn:
    return Turn(turn.turn_id, turn.seq, turn.question, Outcome.ANSWERED, asked_at=turn.asked_at)


# ── what was said before ──────────────────────────────────────────────────────────────────────────────────────────

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
        draft = answer(
            asked,
            query,
            evidence,
            self.writer,
            temperature=limits.answer_temperature,
            timeout=limits.writer.timeout,
            release=_to_nobody,
            cancelled=_never,
        )
        verdict = verify(draft, query, evidence)
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


def answering_model(settings: Settings) -> ChatModel:
    if found := wiring.writer(settings):
        return found
    raise NotThere("--reader model needs a model, and none is set: ANAPHOR_ANSWER_MODEL, or ANAPHOR_MODEL, names one")


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


def count_for(product: Product | None) -> TokenCounter:
    """The product's token counter."""
    if product is not None:
        return product.assistant.conversation.count
    from anaphor.text.tokens import estimate

    return estimate


def _to_nobody(_claim: Claim) -> None:
    pass


def _never() -> bool:
    return False


def told(settings: Settings) -> Mapping[str, Any]:
    """What of the settings decides a figure: part of a run's own settings and of a cell's key."""
    made, _ = wiring.embedder(settings)
    name = made.name if made else None
    getattr(made, "close", _nothing)()
    return {
        "embedder": name,
        "rewriter_model": settings.rewriter.name or None,
        "writer_model": settings.writer.name or None,
        "window": {"turns": settings.window.turns, "tokens": settings.window.tokens},
        "evidence_budget": settings.budget.evidence,
        "budget": asdict(settings.budget),
        "reranker": settings.reranker,
        "answer_temperature": settings.answer_temperature,
        "timeouts": {"rewriter": settings.rewriter.timeout, "writer": settings.writer.timeout},
        "hits": settings.hits,
        "rewrite_below": settings.rewrite_below,
        "locale": settings.locale,
    }

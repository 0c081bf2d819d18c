"""The product, run for measuring: its store in a temporary folder, and its own steps over it.

The steps that answer are the steps that are measured: ``retrieve`` is called here as a turn calls it, with the window,
the limits and the counter of the settings in force.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from anaphor import wiring
from anaphor.assistant import Assistant
from anaphor.errors import BadInput
from anaphor.ports import Embedder, Index, TokenCounter
from anaphor.settings import Settings
from anaphor.steps.retrieve import retrieve
from anaphor.text.language import detect
from anaphor.types import (
    Document,
    Outcome,
    Passage,
    Question,
    Ranking,
    Recollection,
    Scope,
    Sources,
    StandaloneQuery,
    Turn,
)
from anaphor_eval.cache import Cache, Cached, Heard

RETRIEVERS = ("bm25", "dense", "sentence", "rrf", "default")
PERSON = "eval"
AT_ONCE = 256  # texts that are embedded before anybody is told


class NotThere(BadInput):
    """Something a cell needs that is not installed, not set, or not in the data."""


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


def count_for(product: Product | None) -> TokenCounter:
    """The product's token counter."""
    if product is not None:
        return product.assistant.conversation.count
    from anaphor.text.tokens import estimate

    return estimate


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

"""Two ways of finding passages, in memory: plain BM25 and plain cosine."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import mul

from anaphor.adapters.fake.state import State, StoredPassage, Vectors
from anaphor.errors import WrongEmbedder
from anaphor.ports import Embedder
from anaphor.text.sentences import told_apart
from anaphor.text.weigh import weigh
from anaphor.types import Document, Hit, Passage, Scope, Sources, StandaloneQuery

K1, B = 0.6, 0.75


class LexicalIndex:
    """``ports.Index`` by BM25 over weighted terms.

    Robertson, Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond":
    ``Σ_t w_t · ln(1 + (N - n_t + 0.5) / (n_t + 0.5)) · f (k1 + 1) / (f + k1 (1 - b + b · length / mean length))``.
    N and n_t count the passages that the scope and ``sources`` leave; the mean length is that of the whole store.
    """

    name = "bm25"

    def __init__(self, state: State) -> None:
        self._state = state

    def search(
        self,
        scope: Scope,
        query: StandaloneQuery,
        *,
        sources: Sources = Sources.DOCUMENTS,
        filters: Mapping[str, str] | None = None,
        limit: int = 60,
    ) -> Sequence[Hit]:
        with self._state.lock:
            readable = self._state.readable(scope, sources)
            scores = self._scores(weigh(query), readable)
            allowed = self._state.readable(scope, sources, filters) if filters else readable
        return _hits(self.name, {key: score for key, score in scores.items() if key in allowed}, allowed, limit)

    def refresh(self, limit: int = 256) -> int:  # noqa: ARG002  (there is never anything to take in)
        return 0

    def _scores(self, weights: Mapping[str, float], readable: Mapping[int, Passage]) -> dict[int, float]:
        stored = self._state.passages
        mean = self._state.length / max(1, len(stored)) or 1.0
        realms = {stored[key].realm for key in readable}
        scores: dict[int, float] = {}
        for term, weight in weights.items():
            found = [item for realm in realms for item in self._state.postings.get(realm, {}).get(term, {}).items()]
            rarity = math.log1p((len(readable) - len(found) + 0.5) / (len(found) + 0.5))
            for key, n in found:
                length = 1 - B + B * stored[key].length / mean
                scores[key] = scores.get(key, 0.0) + weight * rarity * n * (K1 + 1) / (n + K1 * length)
        return scores


class DenseIndex:
    """``ports.Index`` by the cosine of vectors; ``refresh`` embeds what is stored but not yet embedded."""

    name = "dense"

    def __init__(self, state: State, embedder: Embedder) -> None:
        self._state = state
        self._embedder = embedder

    def search(
        self,
        scope: Scope,
        query: StandaloneQuery,
        *,
        sources: Sources = Sources.DOCUMENTS,
        filters: Mapping[str, str] | None = None,
        limit: int = 60,
    ) -> Sequence[Hit]:
        self._refuse_foreign_vectors()
        if not weigh(StandaloneQuery(query.text, query.decision, query.confidence, query.language)):
            return []
        asked = self._embedder.embed([query.text], query=True)[0]
        with self._state.lock:
            readable = self._state.readable(scope, sources, filters)
            scores = {
                key: (1.0 + max(float(sum(map(mul, asked, vector))) for vector in self._of(self._state.vectors[key])))
                / 2
                for key in readable
                if key in self._state.vectors
            }
        return _hits(self.name, scores, readable, limit)

    def refresh(self, limit: int = 256) -> int:
        state = self._state
        with state.lock:
            coming = state.coming_embedder == self._ours and not (state.embedder == self._ours and self._unmade(False))
            if not coming:
                self._refuse_foreign_vectors()
            parts = {key: _parts(state.passages[key]) for key in self._unmade(coming)[: max(0, limit)]}
        texts = [text for some in parts.values() for text in some]
        made = iter(self._embedder.embed(texts, query=False) if texts else [])
        vectors = {key: tuple(tuple(next(made)) for _ in some) for key, some in parts.items()}
        with state.lock:
            into = state.coming if coming else state.vectors
            into.update((key, some) for key, some in vectors.items() if key in state.passages)
            if parts and not coming:
                state.embedder = self._ours
            if coming and state.coming_embedder == self._ours and not self._unmade(True):
                state.vectors, state.embedder = state.coming, self._ours
                state.coming, state.coming_embedder = {}, None
        return self.waiting()

    def waiting(self) -> int:
        # By name alone: how long its vectors are is something a server may have to be asked for.
        name, state = self._embedder.name, self._state
        with state.lock:
            ours = len(self._unmade(False)) if state.embedder is None or state.embedder[0] == name else 0
            return ours + (len(self._unmade(True)) if state.coming_embedder and state.coming_embedder[0] == name else 0)

    def begin_anew(self) -> None:
        with self._state.lock:
            if self._state.coming_embedder == self._ours:
                return
            self._state.coming, self._state.coming_embedder = {}, None
            if self._state.vectors:
                self._state.coming_embedder = self._ours
            else:
                self._state.embedder = self._ours

    def _of(self, vectors: Vectors) -> Vectors:
        """Those that count: the one of the whole."""
        return vectors[:1]

    @property
    def _ours(self) -> tuple[str, int]:
        return self._embedder.name, self._embedder.dimensions

    def _unmade(self, coming: bool) -> list[int]:
        made = self._state.coming if coming else self._state.vectors
        return [key for key in self._state.passages if key not in made]

    def _refuse_foreign_vectors(self) -> None:
        stored, ours = self._state.embedder, self._ours
        if self._state.vectors and stored and stored != ours:
            raise WrongEmbedder(
                f"the store holds {stored[1]}-dimensional vectors of {stored[0]!r}, and {ours[0]!r} makes "
                f"{ours[1]}-dimensional ones: use {stored[0]!r}, or embed again with anaphor rebuild --embeddings"
            )


class SentenceIndex(DenseIndex):
    """The same by the best sentence of what was said; documents, and what is one sentence, count as a whole."""

    name = "sentence"

    def _of(self, vectors: Vectors) -> Vectors:
        return vectors


def _parts(stored: StoredPassage) -> list[str]:
    """The passage as a whole, then, where somebody said it, its sentences."""
    passage = stored.passage
    whole = "\n".join(part for part in (passage.title, passage.section, passage.text) if part)
    spans = [] if isinstance(stored.home, Document) else told_apart(passage.text)
    return [whole, *(passage.text[span.start : span.end] for span in spans)]


def _hits(name: str, scores: Mapping[int, float], passages: Mapping[int, Passage], limit: int) -> list[Hit]:
    best = sorted(scores, key=lambda key: (-scores[key], key))[: max(0, limit)]
    return [Hit(passages[key], scores[key], rank, {name: rank}) for rank, key in enumerate(best, 1)]

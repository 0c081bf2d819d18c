"""``Reranker`` by a cross-encoder in the ONNX format: query and passage are read together, a score comes out.

A folder holds ``model.onnx`` (or ``onnx/model.onnx``) and ``tokenizer.json``, as they are published beside such models;
nothing is fetched. Every query reads sixty passages through the model: this is for those who have the time for it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anaphor.errors import MissingExtra, ModelRejected, ModelUnavailable
from anaphor.text.fold import clean
from anaphor.types import Passage, StandaloneQuery

FILES = ("model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx")
LONGEST = 512  # tokens of query and passage together
QUERY, PASSAGE = 1_000, 4_000  # characters of them that are read
BATCH = 16
EDGE = 1 << 20  # bytes at either end of a model's file that its name is made from


class CrossEncoder:
    """Loads at the first query, once. May be used from several threads at the same time."""

    def __init__(self, folder: str | Path) -> None:
        for needed in ("onnxruntime", "tokenizers", "numpy"):
            if importlib.util.find_spec(needed) is None:
                raise MissingExtra(f"a reranker needs {needed}, which is not installed; pip install 'anaphor[onnx]'")
        self._folder = Path(folder).expanduser()
        self._file = next((self._folder / name for name in FILES if (self._folder / name).is_file()), None)
        if self._file is None:
            raise ModelRejected(f"no model in the folder {self._folder}: it needs one of {', '.join(FILES)}")
        if not (self._folder / "tokenizer.json").is_file():
            raise ModelRejected(f"no tokenizer.json in the folder {self._folder}, beside its model")
        self.name = f"onnx/{self._folder.resolve().name}@{_hash(self._file)}"
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def scores(self, query: StandaloneQuery, passages: Sequence[Passage]) -> list[float]:
        """What the model gives: one number a pair, or the second less the first of two."""
        if not passages:
            return []
        tokenizer, session = self._once()
        asked = clean(query.text)[:QUERY]
        pairs = [(asked, clean(_written(passage))[:PASSAGE]) for passage in passages]
        found: list[float] = []
        try:
            for start in range(0, len(pairs), BATCH):
                found += _read(session, tokenizer.encode_batch(pairs[start : start + BATCH]))
        except Exception as error:  # the runtime's own classes share none but this
            raise ModelUnavailable(f"the reranker {self.name} gave no scores: {_one_line(error)}") from error
        return found

    def _once(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
            tokenizer.enable_truncation(LONGEST, strategy="only_second")
            tokenizer.enable_padding()
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1  # beside other turns; see the local embedder
            session = onnxruntime.InferenceSession(str(self._file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # of the runtime and of the tokenizer: none share a class
            raise ModelUnavailable(f"the reranker in {self._folder} cannot be loaded: {_one_line(error)}") from error
        return tokenizer, session


def _written(passage: Passage) -> str:
    return "\n".join(part for part in (passage.title, passage.section, passage.text) if part)


def _read(session: Any, encoded: Sequence[Any]) -> list[float]:
    """``encoded`` are pairs padded to one length; the model takes whichever of the three arrays it names."""
    import numpy as np

    arrays = {
        "input_ids": np.asarray([one.ids for one in encoded], np.int64),
        "attention_mask": np.asarray([one.attention_mask for one in encoded], np.int64),
        "token_type_ids": np.asarray([one.type_ids for one in encoded], np.int64),
    }
    wanted = {given.name: arrays[given.name] for given in session.get_inputs() if given.name in arrays}
    logits = np.asarray(session.run(None, wanted)[0], np.float64).reshape(len(encoded), -1)
    if logits.shape[1] not in (1, 2):
        raise ValueError(f"{logits.shape[1]} numbers a pair: one, or two classes, would be a reranker")
    scores = logits[:, -1] - (logits[:, 0] if logits.shape[1] == 2 else 0.0)
    return [float(score) for score in np.nan_to_num(scores)]


def _hash(file: Path) -> str:
    seen = hashlib.sha256()
    with file.open("rb") as opened:
        seen.update(str(file.stat().st_size).encode() + opened.read(EDGE))
        opened.seek(max(0, file.stat().st_size - EDGE))
        seen.update(opened.read(EDGE))
    return seen.hexdigest()[:12]


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]

"""``Embedder`` over the library fastembed: a model it knows, fetched once from its hub, or a folder with an ONNX model.

A folder holds ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and ``tokenizer_config.json``, as
sentence-transformers exports them; nothing is fetched then. Its vectors are means over the tokens, unless
``1_Pooling/config.json`` says that the first token stands for the text.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from anaphor.errors import MissingExtra, ModelRejected, ModelUnavailable
from anaphor.text.fold import clean

DEFAULT = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"  # 50 languages, 384 dimensions, 220 MB
E5 = {True: "query: ", False: "passage: "}  # models of this family tell queries from passages by these words
LONGEST = 8000  # characters of a text
BATCH = 16
EDGE = 1 << 20  # bytes at either end of a model's file that its name is made from
FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx")


class FastEmbedEmbedder:
    """``model`` is a name that fastembed knows, or a folder. Loads at the first text, once."""

    def __init__(self, model: str = DEFAULT) -> None:
        if importlib.util.find_spec("fastembed") is None:
            raise MissingExtra("the embedder fastembed is not installed; pip install 'anaphor[onnx]'")
        self._model = model
        self._folder = Path(model).expanduser() if Path(model).expanduser().is_dir() else None
        self._file = _file(self._folder) if self._folder else ""
        self.name = f"fastembed/{_identity(self._folder, self._file) if self._folder else model}"
        self._prefixes = E5 if "e5" in self.name.split("/")[-1].casefold() else {True: "", False: ""}
        self._lock = threading.Lock()
        self._loaded: Any = None
        self._dimensions = 0

    def __repr__(self) -> str:
        return f"FastEmbedEmbedder({self._model!r}, {'loaded' if self._loaded else 'not loaded yet'})"

    @property
    def dimensions(self) -> int:
        """As the model's vectors turn out to be: the first time this loads it."""
        if not self._dimensions:
            self.embed(["dimensions"], query=False)
        return self._dimensions

    def embed(self, texts: Sequence[str], *, query: bool) -> list[Sequence[float]]:
        """The vectors are float32 arrays."""
        written = [self._prefixes[query] + (clean(text)[:LONGEST].strip() or ".") for text in texts]
        if not written:
            return []
        model = self._once()
        try:
            # In order of length, so that a short text is not padded to a long one beside it.
            order = sorted(range(len(written)), key=lambda place: len(written[place]))
            made = list(model.embed([written[place] for place in order], batch_size=BATCH))
        except (RuntimeError, ValueError, IndexError) as error:
            raise ModelUnavailable(f"the model {self._model} gave no vectors: {_one_line(error)}") from error
        vectors: list[Any] = [None] * len(written)
        for place, vector in zip(order, made, strict=True):
            vectors[place] = _unit(vector)
        self._dimensions = len(vectors[0])
        return cast("list[Sequence[float]]", vectors)

    def _once(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Any:
        try:
            from fastembed import TextEmbedding
            from loguru import logger

            logger.disable("fastembed")  # what goes wrong is in the error that is raised
            threads = max(1, (os.cpu_count() or 2) // 2)  # the turns of other threads want the rest
            if self._folder:
                _register(TextEmbedding, self.name, self._folder, self._file)
                return TextEmbedding(self.name, threads=threads, specific_model_path=str(self._folder))
            return TextEmbedding(self._model, threads=threads)
        except ImportError as error:
            raise MissingExtra(f"fastembed cannot be loaded ({error}); pip install 'anaphor[onnx]'") from error
        except ValueError as error:
            if "not supported" in str(error):
                raise ModelRejected(f"fastembed knows no model {self._model!r}, and there is no such folder") from error
            raise ModelUnavailable(f"the model {self._model} cannot be loaded: {_one_line(error)}") from error
        except Exception as error:  # of the hub's client, of the ONNX runtime, of the tokenizer: none share a class
            raise ModelUnavailable(f"the model {self._model} cannot be loaded: {_one_line(error)}") from error


def _file(folder: Path) -> str:
    found = next((name for name in FILES if (folder / name).is_file()), "")
    if not found:
        raise ModelRejected(f"no model in the folder {folder}: it needs one of " + ", ".join(FILES))
    return found


def _identity(folder: Path, file: str) -> str:
    """The folder's name and a hash of the model's file: two models in folders of one name are two."""
    seen = hashlib.sha256()
    path = folder / file
    with path.open("rb") as opened:
        seen.update(str(path.stat().st_size).encode() + opened.read(EDGE))
        opened.seek(max(0, path.stat().st_size - EDGE))
        seen.update(opened.read(EDGE))
    return f"{folder.resolve().name}@{seen.hexdigest()[:12]}"


def _register(library: Any, name: str, folder: Path, file: str) -> None:
    from fastembed.common.model_description import ModelSource, PoolingType

    known = {model["model"].casefold() for model in library.list_supported_models()}
    if name.casefold() not in known:
        pooling = PoolingType.CLS if _first_token(folder) else PoolingType.MEAN
        # The library wants a source and a size, and uses neither for a model that is here.
        library.add_custom_model(
            model=name, pooling=pooling, normalization=True, sources=ModelSource(hf=name), dim=1, model_file=file
        )


def _first_token(folder: Path) -> bool:
    try:
        told = json.loads((folder / "1_Pooling" / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and bool(told.get("pooling_mode_cls_token"))


def _unit(vector: Any) -> Any:
    """The vector with length 1. One that points nowhere is given a direction."""
    import numpy as np

    found = np.nan_to_num(np.asarray(vector, np.float32).ravel())
    length = float(np.linalg.norm(found))
    if length == 0:
        found = np.zeros_like(found)
        found[0] = length = 1.0
    return found / np.float32(length)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__

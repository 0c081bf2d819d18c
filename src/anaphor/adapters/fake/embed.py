"""Vectors without a model."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

from anaphor.text.fold import clean, matching

LONGEST = 20_000  # characters of a text that count


class HashEmbedder:
    """``ports.Embedder`` for tests: texts that share characters, pairs and triples of them come near each other.

    Each character n-gram (1 to 3) of the folded text adds ±1 to the place its CRC-32 picks. Deterministic, the same on
    every machine; knows nothing of meaning, so measure nothing with it.
    """

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions
        self.name = f"hash-{dimensions}"

    def embed(self, texts: Sequence[str], *, query: bool) -> Sequence[Sequence[float]]:  # noqa: ARG002
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        letters = "".join(filter(str.isalnum, matching(clean(text[:LONGEST]))))
        vector = [0.0] * self.dimensions
        for n in (1, 2, 3):
            for i in range(len(letters) - n + 1):
                place = zlib.crc32(letters[i : i + n].encode())
                vector[place % self.dimensions] += 1.0 if place & 0x80000000 else -1.0
        length = math.sqrt(sum(x * x for x in vector))
        if not length:
            return [1.0] + [0.0] * (self.dimensions - 1)
        return [x / length for x in vector]

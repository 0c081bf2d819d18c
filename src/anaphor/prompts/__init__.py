"""Prompts: one text file per step, version and language, found by name so that a trace can say which one was used.

``reconstruct/v1.ja.txt`` is version 1 of the step ``reconstruct`` in Japanese. A prompt that changes what models do
gets a new version and keeps the old file: traces name it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.resources import files
from string import Template

CURRENT = {"reconstruct": "v1", "answer": "v2", "repair": "v1"}
FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Prompt:
    """``name`` is for the trace, for example ``reconstruct/v1.zh-Hant``; ``text`` has ``$names`` to be filled."""

    name: str
    text: str

    def fill(self, **values: str) -> str:
        """Every ``$name`` replaced in one pass: a ``$name`` inside a value stays what it is. ``$$`` is one dollar."""
        return Template(self.text).substitute(values)


@functools.cache
def load(step: str, language: str) -> Prompt:
    """The current prompt of a step in a language (BCP 47); in English where there is none in that language."""
    version = CURRENT[step]
    room = files(__name__).joinpath(step)
    for tag in (language, FALLBACK):
        found = room.joinpath(f"{version}.{tag}.txt")
        if found.is_file():
            return Prompt(f"{step}/{version}.{tag}", found.read_text("utf-8"))
    raise LookupError(f"no prompt {step}/{version} in {language!r} nor in {FALLBACK!r}: the installation is incomplete")

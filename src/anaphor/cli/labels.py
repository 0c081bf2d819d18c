"""What the terminal calls things, in the interface's language; English where a word is missing."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files


class Labels:
    """``labels("turn", n=3)``: the words for a thing, in one language."""

    def __init__(self, locale: str | None) -> None:
        tables = _tables()
        self._words = tables["en"] | tables.get(locale or "en", {})

    def __call__(self, word: str, **values: object) -> str:
        """A word that no table has (a reason somebody added) is shown as it is."""
        told = self._words.get(word)
        return told.format(**values) if told else word.replace("_", " ")


@functools.cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("anaphor.cli").joinpath("labels.toml").read_text("utf-8"))

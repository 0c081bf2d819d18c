"""Words that a rewrite may use freely: they neither name a thing nor narrow a question. The lists are in ``free/``."""

from __future__ import annotations

import functools
from importlib.resources import files

from anaphor.text.function_words import BY_LANGUAGE, EN


@functools.cache
def free_latin() -> frozenset[str]:
    """Folded English words."""
    return _listed("en") | EN


@functools.cache
def limiting() -> frozenset[str]:
    """Folded English adjectives that narrow what they stand before, wherever they stand."""
    return _listed("en.limiting")


@functools.cache
def prepositions() -> frozenset[str]:
    """English ones behind which a new word narrows the question."""
    return _listed("en.prepositions")


@functools.cache
def free_han(language: str) -> frozenset[str]:
    """Folded words in Han script."""
    listed = BY_LANGUAGE.get(language, BY_LANGUAGE["und"])
    own = _listed("ja" if language == "ja" else "zh")
    return own | {word for word in listed if all("\u3400" <= c <= "\u9fff" for c in word)}


def _listed(name: str) -> frozenset[str]:
    return frozenset(files("anaphor").joinpath(f"steps/reconstruct/free/{name}.txt").read_text("utf-8").split())

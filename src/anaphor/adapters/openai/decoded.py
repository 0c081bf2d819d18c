"""JSON as servers send it, read so that nothing they send can do harm."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

DEEPEST = 64  # containers inside each other; a reply has less than ten


def decoded(text: str | bytes) -> Any:
    """The value of a JSON text. Whatever cannot be read, or is nested deeper than any reply, is a ``ValueError``."""
    try:
        value = json.loads(text)
    except (RecursionError, MemoryError) as error:
        raise ValueError(f"JSON too large to be read ({type(error).__name__})") from None
    if _deeper_than(value, DEEPEST):
        raise ValueError(f"JSON nested deeper than {DEEPEST} levels")
    return value


def _deeper_than(value: Any, levels: int) -> bool:
    """Level by level, not by recursion: what could be decoded may still be too deep to be walked, shown or encoded."""
    level = [value]
    for _ in range(levels + 1):
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(container: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container

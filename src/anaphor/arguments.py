"""What a caller gave, checked at the door: of the right kind, or ``BadInput`` that names the argument.

Each returns what it was given, as the kind it is called by.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

from anaphor.errors import BadInput
from anaphor.text.label import unfit

MOST = 1_000_000_000


def a_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(name, "a string", value)
    return value


def a_name(name: str, value: object) -> str:
    """Of something that is told apart by it: a collection."""
    text = a_text(name, value)
    if why := unfit(text):
        raise BadInput(f"{name} is no name: {why}")
    return text


def a_turn(name: str, value: object) -> str:
    """The id or the number of a turn."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(a_whole_number(name, value))
    if not isinstance(value, str):
        raise _wrong(name, "a turn's id or number", value)
    if why := unfit(value):
        raise BadInput(f"{name} cannot name a turn: {why}")
    return value


def a_path(name: str, value: object) -> str:
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(path, str):
        raise _wrong(name, "a string or a path", value)
    if not path or "\0" in path:
        raise BadInput(f"{name} must name a file or folder: {path!r} cannot")
    return path


def a_number(name: str, value: object) -> float:
    """Finite, 0 or more."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _wrong(name, "a number", value)
    if not 0 <= value <= MOST or not math.isfinite(value):
        raise BadInput(
            f"{name} must be a number of seconds from 0 to {MOST}" + (f", not {value}" if value < MOST else "")
        )
    return float(value)


def a_whole_number(name: str, value: object, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(name, "a whole number", value)
    if not least <= value <= MOST:
        raise BadInput(f"{name} must be a whole number from {least} to {MOST}")
    return value


def a_mapping(name: str, value: object) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(x, str) for item in value.items() for x in item):
        raise _wrong(name, "a mapping of strings to strings", value)
    return dict(value)


def something_to_call(name: str, value: object) -> None:
    if value is not None and not callable(value):
        raise _wrong(name, "something to call", value)


def _wrong(name: str, wanted: str, value: object) -> BadInput:
    return BadInput(f"{name} must be {wanted}, not {type(value).__name__}")

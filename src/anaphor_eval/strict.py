"""JSON as its standard has it: what Python reads beside that would turn into figures nobody can explain."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from anaphor.errors import BadInput

_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # written so, half a surrogate pair may be there; as a byte it cannot


class _Refused(ValueError):
    """Something that Python would have taken."""


def parsed(text: str, path: Path, line: int, error: type[BadInput]) -> Any:
    """The value of a text that begins on that line of the file. Raises ``error``: ``file:line: reason``.

    Refused are NaN and infinity, a key that is twice in one object (the first would be lost without a word), and half a
    surrogate pair, which no file or store can hold.
    """
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_number, object_pairs_hook=_object)
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as wrong:
        at = f"{path}:{line + wrong.lineno - 1}"
        raise error(f"{at}: not JSON: {wrong.msg} at column {wrong.colno}") from None
    except UnicodeEncodeError as wrong:
        half = f"\\u{ord(wrong.object[wrong.start]):04x}"
        raise error(f"{path}:{line}: not usable: {half} is half of a surrogate pair") from None
    except RecursionError:
        raise error(f"{path}:{line}: not usable: nested too deeply") from None
    except _Refused as wrong:
        raise error(f"{path}:{line}: not usable: {wrong}") from None
    except ValueError:  # Python's own limit on digits
        raise error(f"{path}:{line}: not usable: a number has too many digits") from None
    return value


def _no_number(written: str) -> Any:
    raise _Refused(f"{written} is no number")


def _number(written: str) -> float:
    value = float(written)
    if math.isinf(value):
        raise _Refused(f"{written} is too large a number")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"the key {twice!r} is twice in one object")
    return found

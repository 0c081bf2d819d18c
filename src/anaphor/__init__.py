"""Conversational question answering that rebuilds the context before it searches: zh-Hant, zh-Hans, ja, en.

``reconstruct`` is the small door: a standalone query from a list of messages. ``open`` is the whole system.
Everything else here is a value that travels through either. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anaphor.assistant import Assistant
    from anaphor.errors import AnaphorError
    from anaphor.small_door import reconstruct
    from anaphor.types import (
        Answer,
        Carried,
        Citation,
        Claim,
        Decision,
        Outcome,
        Sources,
        StandaloneQuery,
        Support,
        Term,
        Turn,
    )
    from anaphor.wiring import open

__version__ = "0.1.0"

__all__ = [
    "AnaphorError",
    "Answer",
    "Assistant",
    "Carried",
    "Citation",
    "Claim",
    "Decision",
    "Outcome",
    "Sources",
    "StandaloneQuery",
    "Support",
    "Term",
    "Turn",
    "open",
    "reconstruct",
]

_ELSEWHERE = {"reconstruct": "small_door", "open": "wiring", "Assistant": "assistant", "AnaphorError": "errors"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_ELSEWHERE.get(name, 'types')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

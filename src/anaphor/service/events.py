"""Server-sent events. What is told is JSON on one line, so that no text can forge a field or a frame."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import StreamingResponse

from anaphor.service.flights import Event

ALIVE = b": alive\n\n"


def frame(told: Any, *, name: str = "", n: int | None = None) -> bytes:
    """One event. ``ensure_ascii`` is off: Chinese and Japanese travel as they are, line breaks and halves of pairs not.

    JSON leaves U+2028 and U+2029 as they are; a reader of server-sent events ends lines at CR and LF only.
    """
    lines = ([f"id: {n}"] if n is not None else []) + ([f"event: {name}"] if name else [])
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return ("\n".join([*lines, f"data: {text}"]) + "\n\n").encode("utf-8", "replace")


def stream(frames: AsyncIterator[bytes]) -> StreamingResponse:
    return StreamingResponse(
        frames, media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


def of_turn(event: Event | None) -> bytes:
    return ALIVE if event is None else frame(event.told, name=event.name, n=event.n)

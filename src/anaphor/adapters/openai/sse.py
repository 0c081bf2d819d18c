"""Server-sent events, read from bytes that may be cut anywhere.

Lines are cut before they are decoded: no byte of a longer UTF-8 sequence looks like a line end, so a character split
between two network reads is whole again by the time it is decoded. Only CR, LF and CRLF end a line here, as the
standard says; ``str.splitlines`` would also break a JSON text at U+2028 or U+0085.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Event:
    """``data`` as the server meant it: its lines joined. ``name`` is ``message`` unless the server gave one."""

    data: str
    name: str = "message"


def events(chunks: Iterable[bytes]) -> Iterator[Event]:
    """The events in a body. An event that the body's end cuts off is given as far as it came."""
    name, data = "message", list[str]()
    for number, raw in enumerate(lines(chunks)):
        line = raw.decode("utf-8", "replace")
        if number == 0:
            line = line.removeprefix("\ufeff")
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield Event("\n".join(data), name)
            name, data = "message", []
        elif field == "data":
            data.append(value)
        elif field == "event":
            name = value
        elif field == "error":
            # Not of the standard: older llama.cpp servers report a failure in mid-reply like this.
            yield Event(value, "error")
    if data:
        yield Event("\n".join(data), name)


def lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a body without their ends, however the body was cut into chunks."""
    begun: list[bytes] = []
    after_cr = False
    for chunk in filter(None, chunks):
        rest = chunk[1:] if after_cr and chunk[:1] == b"\n" else chunk
        after_cr = chunk[-1:] == b"\r"
        *ended, last = _LINE_END.split(rest)
        for line in ended:
            yield b"".join([*begun, line])
            begun = []
        begun.append(last)
    if any(begun):
        yield b"".join(begun)

"""A text that is too large to be held at once is taken in by parts, each a document of its own.

Parts are cut between lines near every ``PART`` bytes, wherever the rest of the file begins or ends; so a log that has
grown is read again from its last part on. A part of a table has the table's first line before it, and one of UTF-16 or
UTF-32 the mark of the file. How many parts there are follows from the size alone.
"""

from __future__ import annotations

import codecs
import math
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from anaphor.ingest.parse.formats import SUFFIXES, Format, part_of

LARGE = 8_000_000  # bytes; a text that has more is taken in by parts
PART = 4_000_000
LINE = 1_000_000  # bytes in which a line has to end; else a part ends after a space, or where it must
HEADER = 4_000  # bytes of a table's first line

_DIVIDED = frozenset({Format.TEXT, Format.MARKDOWN, Format.TABLE, Format.JSON_LINES})
_MARKS = ((codecs.BOM_UTF32_LE, 4), (codecs.BOM_UTF32_BE, 4), (codecs.BOM_UTF16_LE, 2), (codecs.BOM_UTF16_BE, 2))


def parts(path: str, size: int) -> int:
    """Into how many parts the file is divided; 0 if it is taken in whole."""
    kind = SUFFIXES.get(os.path.splitext(path)[1].casefold())
    return math.ceil(size / PART) if kind in _DIVIDED and size > LARGE else 0


def is_current(path: str) -> bool:
    """Whether the file is there and is still taken in as that: whole, or with that part. ``OSError`` as ``stat``."""
    whole, n = part_of(path)
    if n == 0 or os.path.lexists(path):  # a file may bear such a name itself
        whole, n = path, 0
    found = os.stat(whole)
    divided = parts(whole, found.st_size)
    return stat.S_ISREG(found.st_mode) and (n <= divided if n else divided == 0)


@dataclass(frozen=True, slots=True)
class Part:
    """The ``n``-th part of the file, from 1; calling it reads it."""

    path: str
    n: int

    def __call__(self) -> bytes:
        with Path(self.path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(HEADER)
            mark, width = next(((mark, width) for mark, width in _MARKS if head.startswith(mark)), (b"", 1))
            newline = _newline(mark, width)
            start = _boundary(file, (self.n - 1) * PART, size, newline)
            end = _boundary(file, self.n * PART, size, newline)
            file.seek(start)
            content = file.read(end - start)
        return content if self.n == 1 else self._before(head, mark, newline) + content

    def _before(self, head: bytes, mark: bytes, newline: bytes) -> bytes:
        if SUFFIXES.get(os.path.splitext(self.path)[1].casefold()) is not Format.TABLE:
            return mark
        end = next(_found(head, newline), None)
        return mark if end is None else head[: end + len(newline)]


def _newline(mark: bytes, width: int) -> bytes:
    big_endian = mark in (codecs.BOM_UTF32_BE, codecs.BOM_UTF16_BE)
    return b"\n".rjust(width, b"\0") if big_endian else b"\n".ljust(width, b"\0")


def _boundary(file: BinaryIO, near: int, size: int, newline: bytes) -> int:
    """After the first line that ends at ``near`` or after it: where one part ends, and the next begins."""
    if near <= 0 or near >= size:
        return max(0, min(near, size))
    file.seek(near)
    ahead = file.read(LINE)
    for wanted in (newline, newline.replace(b"\n", b" ")):
        if (at := next(_found(ahead, wanted), None)) is not None:
            return near + at + len(newline)
    if len(newline) > 1:
        return near
    # One line of a million bytes: at least no character of UTF-8 is torn.
    return near + next((n for n, byte in enumerate(ahead[:4]) if byte & 0xC0 != 0x80), 0)


def _found(content: bytes, wanted: bytes) -> Iterator[int]:
    """Where it stands, aligned to its width."""
    at = content.find(wanted)
    while at >= 0:
        if at % len(wanted) == 0:
            yield at
        at = content.find(wanted, at + 1)

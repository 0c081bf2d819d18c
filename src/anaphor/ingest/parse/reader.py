"""Bytes to ``Parsed``. Text is read here; everything else in a child process with limits of memory and of time.

A parser of PDFs or office files is tens of thousands of lines that a hostile file may drive anywhere. In a child, what
it does at worst is to cost one line in the report: the child is stopped, and the next file gets another. One child
reads many files, because starting one takes longer than reading most files.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from anaphor.ingest.decode import Decoded, NotText, decode
from anaphor.ingest.parse.formats import IN_PROCESS, Format, format_of, part_of
from anaphor.ingest.parse.markdown import markdown
from anaphor.ingest.parse.parsed import SIZE, Block, Kind, Parsed, Unreadable, too_large
from anaphor.ingest.parse.plain import plain_text
from anaphor.ingest.parse.separated import separated

LENGTHS = struct.Struct(">IQ")  # of the name and of the content, before both
LENGTH = struct.Struct(">Q")  # of the reply, before it
LONGEST_REPLY = 1 << 30  # bytes


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost. ``memory`` is the child's address space in bytes; not every system enforces it."""

    memory: int = 1 << 30
    seconds: float = 60.0
    size: int = SIZE


@dataclass(slots=True)
class Reader:
    """Reads files one after the other. Close it, or use it as a context manager."""

    limits: Limits = Limits()
    _child: _Child | None = field(default=None, init=False)

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._child:
            self._child.stop()
            self._child = None

    def read(self, content: bytes, name: str) -> Parsed:
        """Raises ``Unreadable``, and nothing else, whatever the bytes are."""
        if len(content) > self.limits.size:
            raise Unreadable(too_large(len(content), self.limits.size))
        name, _ = part_of(name)
        kind = format_of(content, name)
        if kind in IN_PROCESS:
            try:
                return as_text(decode(content), name, kind)
            except NotText as error:
                raise Unreadable(str(error)) from None
        return self._elsewhere(content, name, kind)

    def _elsewhere(self, content: bytes, name: str, kind: Format) -> Parsed:
        if self._child is None:
            self._child = _Child(self.limits)
        try:
            told = self._child.ask(content, f"{kind}:{PurePath(name).stem}", self.limits.seconds)
        except _Died as death:
            self.close()
            raise Unreadable(f"{kind}: {death}") from None
        if told.get("last"):
            self.close()
        if "refused" in told:
            raise Unreadable(str(told["refused"]))
        return from_json(told)


def as_text(decoded: Decoded, name: str, kind: Format | None = None) -> Parsed:
    """What is text already: its blocks, with offsets in the text itself."""
    path = PurePath(name)
    kind = kind or format_of(b".", name)
    if kind is Format.MARKDOWN:
        parsed = markdown(decoded.text, path.stem)
    elif kind is Format.TABLE:
        parsed = separated(decoded.text, path.stem, tabs=path.suffix.casefold() == ".tsv")
    else:
        parsed = plain_text(decoded.text, path.stem)
    return Parsed(
        parsed.title,
        parsed.blocks,
        decoded.text,
        parsed.date,
        parsed.language,
        parsed.format,
        decoded.encoding,
        remarks=decoded.remarks,
    )


class _Died(Exception):
    """The child gave no answer. The message says why."""


class _Child:
    """One child process; asked one thing at a time."""

    def __init__(self, limits: Limits) -> None:
        package = str(Path(__file__).parents[3])
        paths = [package, *(path for path in sys.path if path)]
        command = [sys.executable, "-B", "-m", "anaphor.ingest.parse.child", str(limits.memory), str(limits.seconds)]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"},
            )
        except OSError as error:
            raise Unreadable(f"the process that reads such files could not be started: {error}") from error

    def ask(self, content: bytes, name: str, seconds: float) -> dict[str, Any]:
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self._process.kill()

        watch = threading.Timer(seconds, give_up)
        watch.start()
        try:
            told = self._exchange(content, name.encode("utf-8", "replace"))
        finally:
            watch.cancel()
        if told is None:
            raise _Died(self._last_words(seconds if late.is_set() else None))
        return told

    def _exchange(self, content: bytes, name: bytes) -> dict[str, Any] | None:
        given, taken = self._process.stdin, self._process.stdout
        assert given is not None
        assert taken is not None
        try:
            given.write(LENGTHS.pack(len(name), len(content)) + name)
            given.write(content)
            given.flush()
            head = taken.read(LENGTH.size)
            length = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else LONGEST_REPLY + 1
            reply = taken.read(length) if length <= LONGEST_REPLY else b""
            told = json.loads(reply) if len(reply) == length else None
        except (OSError, ValueError):
            return None
        return told if isinstance(told, dict) else None

    def _last_words(self, seconds: float | None) -> str:
        if seconds is not None:
            return f"not read within {seconds:g} s, and given up"
        try:
            status = self._process.wait(2)
        except subprocess.TimeoutExpired:
            return "its parser gave an answer that is none"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"its parser died of it ({signal.Signals(-status).name})"
        return f"its parser died of it (status {status})"

    def stop(self) -> None:
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()


def as_json(parsed: Parsed) -> dict[str, Any]:
    """For the way from the child: nothing in it can be anything but strings and numbers."""
    sections = list(dict.fromkeys(block.section for block in parsed.blocks))
    number = {section: n for n, section in enumerate(sections)}
    return {
        "title": parsed.title,
        "text": parsed.text,
        "date": parsed.date,
        "language": parsed.language,
        "format": parsed.format,
        "encoding": parsed.encoding,
        "paged": parsed.paged,
        "suspect": parsed.suspect,
        "remarks": parsed.remarks,
        "sections": sections,
        "blocks": [[b.start, b.end, number[b.section], str(b.kind), b.header] for b in parsed.blocks],
    }


def from_json(told: dict[str, Any]) -> Parsed:
    sections = [tuple(section) for section in told["sections"]]
    return Parsed(
        title=told["title"],
        blocks=tuple(Block(a, b, sections[n], Kind(kind), header) for a, b, n, kind, header in told["blocks"]),
        text=told["text"],
        date=told["date"],
        language=told["language"],
        format=told["format"],
        encoding=told["encoding"],
        paged=told["paged"],
        suspect=told["suspect"],
        remarks=tuple(told["remarks"]),
    )

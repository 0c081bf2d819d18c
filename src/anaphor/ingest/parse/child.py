"""The child that reads files which are not text: ``python -m anaphor.ingest.parse.child MEMORY SECONDS``.

It takes name and bytes on standard input and gives JSON on standard output, until the input ends. It limits its own
memory and time before it sees the first byte, writes no file, and opens no connection. What a parser raises becomes a
refusal of that file; after running out of memory it asks to be replaced.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import warnings
from typing import Any, BinaryIO

from anaphor.ingest.decode import NotText
from anaphor.ingest.parse.formats import Format
from anaphor.ingest.parse.parsed import Parsed, Unreadable
from anaphor.ingest.parse.reader import LENGTH, LENGTHS, as_json
from anaphor.text.fold import clean

MB = 1 << 20


def serve(memory: int, seconds: float) -> None:
    given = sys.stdin.buffer
    taken = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    warnings.simplefilter("ignore")
    limit("AS", memory)
    limit("CORE", 0)
    limit("FSIZE", 0)
    while len(head := given.read(LENGTHS.size)) == LENGTHS.size:
        name_length, length = LENGTHS.unpack(head)
        name = given.read(name_length).decode("utf-8", "replace")
        limit("CPU", int(_spent() + seconds) + 5)
        told = answer(given, length, name, memory)
        _give(taken, told)
        if told.get("last"):
            return


def answer(given: BinaryIO, length: int, name: str, memory: int) -> dict[str, Any]:
    kind, _, stem = name.partition(":")
    try:
        return as_json(parse_as(Format(kind), given.read(length), stem))
    except (Unreadable, NotText) as error:
        return {"refused": one_line(str(error))}
    except MemoryError:
        return {"refused": f"{kind}: takes more than {memory // MB:,} MB of memory, and was given up", "last": True}
    except RecursionError:
        return {"refused": f"broken {kind}: nested too deep"}
    except ImportError as error:
        return {"refused": f"{kind} needs the package {error.name}: pip install 'anaphor[documents]'"}
    except Exception as error:  # whatever a parser does with a broken file is that file's fate, and no one else's
        return {"refused": f"broken {kind}: {type(error).__name__}: {one_line(str(error))}"}


def parse_as(kind: Format, content: bytes, stem: str) -> Parsed:
    """By the parser of that format, which is imported here and not before."""
    if kind is Format.HTML:
        from anaphor.ingest.parse.web import page

        return page(content, stem)
    if kind in (Format.JSON, Format.JSON_LINES):
        from anaphor.ingest.parse.records import records

        return records(content, stem, by_line=kind is Format.JSON_LINES)
    if kind is Format.MAIL:
        from anaphor.ingest.parse.mail import mail

        return mail(content, stem)
    if kind is Format.EPUB:
        from anaphor.ingest.parse.book import book

        return book(content, stem)
    if kind is Format.PDF:
        from anaphor.ingest.parse.pdf import pdf

        return pdf(content, stem)
    if kind is Format.WORD:
        from anaphor.ingest.parse.word import word

        return word(content, stem)
    if kind is Format.SLIDES:
        from anaphor.ingest.parse.slides import slides

        return slides(content, stem)
    from anaphor.ingest.parse.sheets import sheets

    return sheets(content, stem)


def one_line(text: str) -> str:
    words = " ".join(clean(text).split())
    return words if len(words) <= 200 else words[:199] + "…"


def _give(taken: BinaryIO, told: dict[str, Any]) -> None:
    try:
        reply = json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
    except MemoryError:
        reply = json.dumps({"refused": "takes more memory than a file may", "last": True}).encode()
    taken.write(LENGTH.pack(len(reply)) + reply)
    taken.flush()


def limit(what: str, most: int) -> None:
    """Where the system has such a limit; the parent's clock holds in any case."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        number = getattr(resource, f"RLIMIT_{what}")
        hard = resource.getrlimit(number)[1]
        resource.setrlimit(number, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _spent() -> float:
    times = os.times()
    return times.user + times.system


if __name__ == "__main__":
    serve(int(sys.argv[1]), float(sys.argv[2]))

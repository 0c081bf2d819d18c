"""Which format a file is in: by what its first bytes say, then by its suffix."""

from __future__ import annotations

import io
import re
import zipfile
from enum import StrEnum
from pathlib import PurePath

from anaphor.ingest.parse.parsed import Unreadable


class Format(StrEnum):
    """``TEXT``, ``MARKDOWN`` and ``TABLE`` are read in this process; the others in a child."""

    TEXT = "text"
    MARKDOWN = "markdown"
    TABLE = "table"
    HTML = "html"
    JSON = "json"
    JSON_LINES = "jsonl"
    MAIL = "mail"
    EPUB = "epub"
    PDF = "pdf"
    WORD = "docx"
    SLIDES = "pptx"
    SHEETS = "xlsx"


SUFFIXES = {
    **dict.fromkeys((".txt", ".text", ".log", ".rst", ""), Format.TEXT),
    **dict.fromkeys((".md", ".markdown", ".mdown"), Format.MARKDOWN),
    **dict.fromkeys((".csv", ".tsv"), Format.TABLE),
    **dict.fromkeys((".html", ".htm", ".xhtml"), Format.HTML),
    ".json": Format.JSON,
    **dict.fromkeys((".jsonl", ".ndjson"), Format.JSON_LINES),
    ".eml": Format.MAIL,
    ".epub": Format.EPUB,
    ".pdf": Format.PDF,
    **dict.fromkeys((".docx", ".docm"), Format.WORD),
    **dict.fromkeys((".pptx", ".pptm", ".ppsx"), Format.SLIDES),
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"), Format.SHEETS),
}
READABLE = frozenset(SUFFIXES)
IN_PROCESS = frozenset({Format.TEXT, Format.MARKDOWN, Format.TABLE})
_OFFICE = frozenset({Format.WORD, Format.SLIDES, Format.SHEETS})

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MEMBERS = {
    "word/document.xml": Format.WORD,
    "ppt/presentation.xml": Format.SLIDES,
    "xl/workbook.xml": Format.SHEETS,
    "xl/workbook.bin": Format.SHEETS,
    "META-INF/container.xml": Format.EPUB,
}
_PART = re.compile(r"#part=(\d{1,9})$")
_PAGE = (b"<!doctype html", b"<html")


def part_name(name: str, n: int) -> str:
    """Of the ``n``-th part, from 1, of a file that is taken in by parts."""
    return f"{name}#part={n}"


def part_of(name: str) -> tuple[str, int]:
    """The file that a part belongs to, and which it is; any other name is its own, and part 0."""
    number = _PART.search(name)
    return (name[: number.start()], int(number[1])) if number else (name, 0)


def format_of(content: bytes, name: str) -> Format:
    """Raises ``Unreadable`` for a container that holds none of these, and for a name that promises another format."""
    named = SUFFIXES.get(PurePath(name).suffix.casefold(), Format.TEXT)
    if not content:
        return Format.TEXT
    if b"%PDF-" in content[:1024] and (named is Format.PDF or content.startswith(b"%PDF-")):
        return Format.PDF
    if content.startswith(_ZIP):
        return _in_archive(content, named)
    if content.startswith(_OLE):
        return _in_compound(content, name, named)
    if named in (Format.PDF, Format.EPUB, *_OFFICE):
        raise Unreadable(f"no {named} file in spite of its name: it begins with {_shown(content)}")
    if named is Format.TEXT and content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower().startswith(_PAGE):
        return Format.HTML
    return named


def _in_archive(content: bytes, named: Format) -> Format:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Unreadable(f"broken: a zip container that cannot be opened ({error})") from None
    found = next((kind for member, kind in _MEMBERS.items() if member in names), None)
    if found is None and "content.xml" in names and named is Format.SHEETS:
        found = Format.SHEETS
    if found is None:
        raise Unreadable(f"a zip archive of {len(names)} files, and no document: unpack it and name the folder")
    return found


def _in_compound(content: bytes, name: str, named: Format) -> Format:
    """Office before 2007, or an encrypted file of today: both lie in the same kind of container."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise Unreadable("encrypted: it opens with a password only; save a copy without one")
    if named is Format.SHEETS and "Workbook".encode("utf-16-le") in content:
        return Format.SHEETS
    suffix = PurePath(name).suffix or "file"
    raise Unreadable(f"an Office {suffix} of before 2007: save it as .docx, .pptx or .xlsx")


def _shown(content: bytes) -> str:
    return repr(content[:12].decode("latin-1"))

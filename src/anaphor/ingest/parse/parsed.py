"""What a parser gives: a text, its blocks, and what the file says of itself.

Formats that are not text themselves (HTML, PDF, office files, e-mail) are *written down* as text: headings as Markdown
has them, tables as rows of ``|``, a form feed between pages. That text is the document: passages are verbatim in it,
and where its sections lie can be read from it at any time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from anaphor.text.fold import clean

SIZE = 200_000_000  # bytes of a file that is read in one piece
LONGEST = 60_000_000  # characters that one file may be written down as
HEADER = 240  # characters of a table's header that its later parts carry

PAGE_BREAK = "\f"


class Unreadable(ValueError):
    """The file is no document that can be taken in; the message says in one line what it is, and the cure if any."""


def too_large(size: int, most: int = SIZE) -> str:
    return f"too large: {size // 1_000_000:,} MB, and such a file is read up to {most // 1_000_000:,} MB"


class Kind(StrEnum):
    """What a block is; ``CODE`` is cut only where it is far too long. A ``TABLE`` begins with its header."""

    PROSE = "prose"
    CODE = "code"
    TABLE = "table"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """``text[start:end]``, one paragraph, list, table, row or fenced code, under the headings in ``section``.

    ``header`` are the words of a table's header, for a part of the table that does not show it.
    """

    start: int
    end: int
    section: tuple[str, ...] = ()
    kind: Kind = Kind.PROSE
    header: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document's title, text and blocks, in order. Headings are in no block: they are the blocks' ``section``.

    ``date`` (ISO 8601) and ``language`` (a tag of ours, else ``und``) are what the file itself says. ``remarks`` go
    into the report, one line each; ``suspect`` is set where the text does not look like what the file shows.
    """

    title: str
    blocks: tuple[Block, ...]
    text: str = ""
    date: str = ""
    language: str = "und"
    format: str = "text"
    encoding: str = ""
    paged: bool = False
    suspect: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A block that has no section yet, or (``level`` from 1) a heading."""

    start: int
    end: int
    level: int = 0
    heading: str = ""
    kind: Kind = Kind.PROSE
    header: str = ""


def arranged(pieces: Iterable[Piece], title: str) -> tuple[Block, ...]:
    """Each block under its headings. A heading that nothing stands under is a block: it is all there is to say."""
    return tuple(_without_title(_arranged(pieces), title))


def _arranged(pieces: Iterable[Piece]) -> Iterator[Block]:
    path: list[Piece] = []
    bare = False
    for piece in pieces:
        if not piece.level:
            bare = False
            yield Block(piece.start, piece.end, _headings(path), piece.kind, piece.header)
            continue
        if bare and piece.level <= path[-1].level:
            yield Block(path[-1].start, path[-1].end, _headings(path))
        while path and path[-1].level >= piece.level:
            path.pop()
        path.append(piece)
        bare = True
    if bare:
        yield Block(path[-1].start, path[-1].end, _headings(path))


def _headings(path: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(piece.heading for piece in path)


def _without_title(blocks: Iterable[Block], title: str) -> Iterator[Block]:
    """The title is not also the first part of every section path."""
    for block in blocks:
        if block.section[:1] == (title,):
            yield Block(block.start, block.end, block.section[1:], block.kind, block.header)
        else:
            yield block


@dataclass(slots=True)
class Writer:
    """Writes a document down as text and notes where each block stands. ``Unreadable`` beyond ``LONGEST``."""

    title: str = ""
    pieces: list[Piece] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _at: int = 0

    def heading(self, level: int, words: str) -> None:
        words = " ".join(clean(words).split())
        if not words:
            return
        if level == 1 and not self.title:
            self.title = words
        start, end = self._add("#" * min(6, level) + " " + words, "\n\n")
        self.pieces.append(Piece(start, end, level, words))

    def block(self, text: str, kind: Kind = Kind.PROSE, header: str = "", *, gap: str = "\n\n") -> None:
        """``gap`` is what stands before it: a line break keeps the rows of one table together."""
        text = text.strip("\n") if kind is Kind.CODE else text.strip()
        if text:
            start, end = self._add(text, gap)
            self.pieces.append(Piece(start, end, 0, "", kind, header))

    def table(self, rows: Iterable[Sequence[str]], *, headed: bool | None = None) -> None:
        """Rows of cells, each row a block; the first is the header unless it cannot be one (or ``headed`` says)."""
        header, gap = "", "\n\n"
        for n, row in enumerate(rows):
            cells = [" ".join(cell.replace("|", "¦").split()) for cell in row]
            if not any(cells):
                continue
            first = gap == "\n\n"
            self.block("| " + " | ".join(cells) + " |", Kind.ROW, header, gap=gap)
            gap = "\n"
            if first and (is_header(cells) if headed is None else headed and n == 0):
                self._add("|" + "---|" * len(cells), "\n")
                header = carried_header(cells)

    def append(self, other: Writer) -> None:
        """What another has written, after what is here."""
        if other.pieces:
            start, _ = self._add(other.text, "\n\n")
            self.pieces.extend(replace(p, start=p.start + start, end=p.end + start) for p in other.pieces)

    def clear(self) -> None:
        """As if nothing had been written."""
        self.pieces, self._parts, self._at = [], [], 0

    def page_break(self) -> None:
        self._add(PAGE_BREAK, "\n\n" if self._at else "")

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def parsed(
        self,
        stem: str,
        *,
        format: str,
        date: str = "",
        language: str = "und",
        encoding: str = "",
        paged: bool = False,
        suspect: str = "",
        remarks: tuple[str, ...] = (),
    ) -> Parsed:
        """The whole; ``stem`` is the title where the document has none."""
        title = " ".join(self.title.split()) or stem
        blocks = arranged(self.pieces, title)
        return Parsed(title, blocks, self.text, date, language, format, encoding, paged, suspect, remarks)

    def _add(self, text: str, gap: str) -> tuple[int, int]:
        text = clean(text)  # as the store keeps it: a NUL that went only there would move every offset after it
        if self._parts:
            self._parts.append(gap)
            self._at += len(gap)
        start = self._at
        self._parts.append(text)
        self._at += len(text)
        if self._at > LONGEST:
            raise Unreadable(f"too large: more than {LONGEST // 1_000_000} million characters of text")
        return start, self._at


_NUMBER = re.compile(r"[-+(]?[\d.,:/%\s\-¥$€£]{1,40}\)?")


def is_header(cells: Sequence[str]) -> bool:
    """Words in nearly every cell, no two alike, none a number or a long text."""
    told = [cell for cell in cells if cell.strip()]
    return (
        len(told) >= max(1, (len(cells) + 1) // 2)
        and len(set(told)) == len(told)
        and not any(_NUMBER.fullmatch(cell.strip()) or len(cell) > 80 for cell in told)
    )


def carried_header(cells: Iterable[str]) -> str:
    words = " | ".join(cell.strip() for cell in cells if cell.strip())
    return words if len(words) <= HEADER else words[: HEADER - 1] + "…"

"""Lines of a text, with where they stand, and the paragraphs they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from anaphor.ingest.parse.parsed import Kind, Piece, carried_header

_TABLE_ROW = re.compile(r"[ \t]*\|")
_RULE_ROW = re.compile(r"[ \t:|-]+")


@dataclass(frozen=True, slots=True)
class Line:
    start: int
    end: int  # after the newline
    text: str


def lines(text: str) -> Iterator[Line]:
    start = 0
    while start < len(text):
        found = text.find("\n", start)
        end = len(text) if found < 0 else found + 1
        yield Line(start, end, text[start:end].rstrip("\n"))
        start = end


def paragraphs(run: Iterable[Line]) -> Iterator[Piece]:
    """What blank lines and page breaks part; a paragraph of nothing but rows is a table."""
    group: list[Line] = []
    for line in run:
        if line.text.strip():
            group.append(line)
        elif group:
            yield _paragraph(group)
            group = []
    if group:
        yield _paragraph(group)


def _paragraph(group: list[Line]) -> Piece:
    start, end = group[0].start, group[-1].end
    if not all(_TABLE_ROW.match(line.text) for line in group):
        return Piece(start, end)
    headed = len(group) > 2 and _RULE_ROW.fullmatch(group[1].text)
    header = carried_header(group[0].text.split("|")) if headed else ""
    return Piece(start, end, kind=Kind.TABLE, header=header)

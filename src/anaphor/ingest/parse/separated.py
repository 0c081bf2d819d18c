"""CSV and TSV: each record a block, verbatim; the header is carried by the records that do not show it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from anaphor.ingest.parse.lines import Line, lines
from anaphor.ingest.parse.parsed import Kind, Parsed, Piece, arranged, carried_header, is_header

_MARKS = ",;\t|"
_LONGEST_CELL = 200  # lines of one quoted cell; a quotation mark that nothing closes quotes nothing


def separated(text: str, stem: str, *, tabs: bool = False) -> Parsed:
    records = list(_records(text))
    mark = "\t" if tabs else _mark([record.text for record in records[:20]])
    header = ""
    pieces: list[Piece] = []
    for record in records:
        pieces.append(Piece(record.start, record.end, kind=Kind.ROW, header=header))
        if len(pieces) == 1:
            cells = _cells(record.text, mark)
            header = carried_header(cells) if len(records) > 1 and is_header(cells) else ""
    return Parsed(stem, arranged(pieces, stem), text, format="table")


def _records(text: str) -> Iterator[Line]:
    """Lines, joined where a quoted cell goes on over several."""
    waiting: list[Line] = []
    inside = False
    for line in lines(text):
        waiting.append(line)
        inside = _inside(line.text, inside)
        if inside and len(waiting) <= _LONGEST_CELL:
            continue
        if not inside:
            waiting = [Line(waiting[0].start, waiting[-1].end, "\n".join(part.text for part in waiting))]
        yield from (record for record in waiting if record.text.strip())
        waiting, inside = [], False
    yield from (record for record in waiting if record.text.strip())


def _inside(line: str, inside: bool) -> bool:
    """Whether a quoted cell is still open after the line. A mark in the middle of a cell (3" pipe) opens none."""
    for marks in re.finditer('"+', line):
        odd = len(marks[0]) % 2 == 1  # two are one inside a cell, and an empty cell outside
        if inside:
            inside = not odd
        elif marks.start() == 0 or line[marks.start() - 1] in _MARKS:
            inside = odd
    return inside


def _mark(records: list[str]) -> str:
    """What parts the cells: the mark that gives every record the same number of them, and most."""
    counts = {mark: [record.count(mark) for record in records] for mark in _MARKS}
    same = {mark: min(n, default=0) for mark, n in counts.items() if n and min(n) == max(n) > 0}
    most = same or {mark: sum(n) for mark, n in counts.items()}
    return max(most, key=lambda mark: most[mark])


def _cells(record: str, mark: str) -> list[str]:
    try:
        return next(csv.reader([record], delimiter=mark), [])
    except csv.Error:
        return record.split(mark)

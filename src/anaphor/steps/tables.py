"""Tables in a passage: which lines are rows, which header stands over them, and a row told together with it.

Rows are written ``| a | b |``, or are the records of a file of separated values. The header is the first row of the
table, where the passage shows it, or else the last part of the passage's section path, where it is carried.
"""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from anaphor.text.characters import CJK
from anaphor.types import Passage, Span

_SEPARATED = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t"}
_CARRIED = re.compile(r"(?:^|› )((?:[^›|\n]{1,80} \| ){1,40}[^›|\n]{1,80})$")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_RULE = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?)?[ \t]*$")
_NUMBER = re.compile(r"[-+(]?[\d.,:/%\s\-¥$€£]{1,40}\)?")
_LONGEST_NAME = 80  # characters of a column's name
_LONGEST_CELL = 50  # lines of one quoted cell


@dataclass(frozen=True, slots=True)
class Row:
    """A row's place, its cells, and the names of its columns: as many as cells, or none where they are not known.

    ``heads``: it is the header itself, or the rule below it.
    """

    span: Span
    cells: tuple[str, ...]
    columns: tuple[str, ...] = ()
    heads: bool = False

    @property
    def told(self) -> str:
        """Each cell behind the name of its column; empty where the columns have no names.

        ``Item: Red mug; Price: 15 EUR``. Cells without anything in them are left out.
        """
        if self.heads or not self.columns:
            return ""
        colon, mark = ("：", "；") if _cjk().search("".join(self.columns)) else (": ", "; ")
        pairs = zip(self.columns, self.cells, strict=True)
        return mark.join(f"{name}{colon}{cell}" if name else cell for name, cell in pairs if cell)


def rows(passage: Passage) -> tuple[Row, ...]:
    """The rows of every table in the passage, in order."""
    return _rows(passage.text, passage.source, passage.section, passage.start == 0)


def row_at(passage: Passage, span: Span) -> Row | None:
    """The row that stands at the span, if one does."""
    return next((row for row in rows(passage) if row.span == span), None)


@functools.lru_cache(maxsize=128)
def _rows(text: str, source: str, section: str, first: bool) -> tuple[Row, ...]:
    marks = _SEPARATED.get(PurePath(source).suffix.lower(), "")
    if marks:
        return tuple(_headed(_records(text, marks), _carried(section), headed=first))
    if "|" not in text:
        return ()
    found: list[Row] = []
    for table in _tables(text):
        written = [Row(span, _between_bars(text[span.start : span.end])) for span in table]
        ruled = len(table) > 1 and bool(_RULE.match(text[table[1].start : table[1].end]))
        found += _headed(written, _carried(section), headed=ruled)
    return tuple(found)


def _headed(found: Sequence[Row], carried: tuple[str, ...], *, headed: bool) -> list[Row]:
    """The rows with the names of their columns; ``headed`` if the first may be the header."""
    names, below = carried, list(found)
    told: list[Row] = []
    if headed and len(found) > 1 and _is_header(found[0].cells):
        names = found[0].cells
        rule = _RULE.match("|".join(("", *found[1].cells, "")))
        told = [Row(row.span, row.cells, heads=True) for row in found[: 2 if rule else 1]]
        below = below[len(told) :]
    return told + [Row(r.span, r.cells, names if len(names) == len(r.cells) else ()) for r in below]


def _is_header(cells: Sequence[str]) -> bool:
    """Words in nearly every cell, no two alike, none a number or long."""
    named = [cell for cell in cells if cell]
    return (
        2 * len(named) > len(cells)
        and len(set(named)) == len(named)
        and not any(_NUMBER.fullmatch(cell) or len(cell) > _LONGEST_NAME for cell in named)
    )


def _carried(section: str) -> tuple[str, ...]:
    found = _CARRIED.search(section)
    return tuple(found[1].split(" | ")) if found and not found[1].endswith("…") else ()


def _tables(text: str) -> list[list[Span]]:
    """Lines of bars that follow one another; one with a rule below it, behind a blank line, begins another table."""
    found: list[list[Span]] = []
    end = -1
    lines = _lines(text)
    for line, below in zip(lines, [*lines[1:], Span(0, 0)], strict=True):
        if _ROW.match(text[line.start : line.end]):
            apart = text.count("\n", max(end, 0), line.start) > 1 and _RULE.match(text[below.start : below.end])
            if found and not apart and not text[end : line.start].strip(" \t").strip("\r\n"):
                found[-1].append(line)
            else:
                found.append([line])
            end = line.end
    return found


def _lines(text: str) -> list[Span]:
    """The lines that are not blank, without the white space around them."""
    spans = []
    at = 0
    for line in text.splitlines(keepends=True):
        kept = line.strip()
        if kept:
            start = at + len(line) - len(line.lstrip())
            spans.append(Span(start, start + len(kept)))
        at += len(line)
    return spans


def _between_bars(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|"))


def _records(text: str, marks: str) -> list[Row]:
    spans: list[Span] = []
    for line in _lines(text):
        before = spans[-1] if spans else None
        if before and _open(text[before.start : before.end]) and _short(text[before.start : line.end]):
            spans[-1] = Span(before.start, line.end)
        else:
            spans.append(line)
    written = [text[span.start : span.end] for span in spans]
    mark = max(marks, key=lambda m: (min((w.count(m) for w in written), default=0), sum(w.count(m) for w in written)))
    return [Row(span, _between(record, mark)) for span, record in zip(spans, written, strict=True)]


def _open(record: str) -> bool:
    """Whether a quoted cell of it has not ended."""
    return record.count('"') % 2 == 1 and bool(re.search(r'(?:^|[,;\t|])"', record))


def _short(record: str) -> bool:
    return record.count("\n") < _LONGEST_CELL


def _between(record: str, mark: str) -> tuple[str, ...]:
    try:
        cells = next(csv.reader([record], delimiter=mark), [])
    except csv.Error:
        cells = record.split(mark)
    return tuple(" ".join(cell.split()) for cell in cells)


@functools.cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")

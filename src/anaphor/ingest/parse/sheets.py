"""Spreadsheets (xlsx, xlsm, xlsb, xls, ods), by way of calamine: each sheet a section, each row a block.

What a cell shows is what is read: the result of a formula, not the formula. Hidden sheets are left out.
"""

from __future__ import annotations

import datetime
import io
from typing import Any

from anaphor.ingest.parse.archive import opened
from anaphor.ingest.parse.parsed import Parsed, Unreadable, Writer

_ZIP = b"PK\x03\x04"


def sheets(content: bytes, stem: str) -> Parsed:
    import python_calamine as calamine

    if content.startswith(_ZIP):
        opened(content).close()  # for what it refuses
    try:
        book = calamine.load_workbook(io.BytesIO(content))
    except calamine.PasswordError:
        raise Unreadable("encrypted: it opens with a password only; save a copy without one") from None
    writer = Writer()
    broken = []
    shown = [sheet.name for sheet in book.sheets_metadata if sheet.visible is calamine.SheetVisibleEnum.Visible]
    for name in shown:
        try:
            rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
        except calamine.CalamineError as error:
            broken.append(f"sheet {name!r} cannot be read ({error})")
            continue
        writer.heading(2, name)
        writer.table([[_shown(cell) for cell in row] for row in rows])
    hidden = len(book.sheet_names) - len(shown)
    remarks = (*broken, *((f"{hidden} hidden sheets not read",) if hidden else ()))
    if broken and len(broken) == len(shown):
        raise Unreadable(f"broken: {broken[0]}")
    _forget_bare_names(writer)
    return writer.parsed(stem, format="xlsx", remarks=remarks)


def _forget_bare_names(writer: Writer) -> None:
    """A workbook of nothing but empty sheets says nothing by their names."""
    if not any(piece.level == 0 for piece in writer.pieces):
        writer.clear()


def _shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, (datetime.datetime, datetime.date, datetime.time)):
        return cell.isoformat(" ") if isinstance(cell, datetime.datetime) else cell.isoformat()
    return str(cell)

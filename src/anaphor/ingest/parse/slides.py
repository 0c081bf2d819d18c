"""PPTX: each slide a page with its title for a heading; texts in the order they stand in, tables, and the notes.

Read with the standard library: what a slide says is paragraphs of runs (ECMA-376, part 1, section 21.1.2), and the one
well-known library for it brings 40 MB that make and draw slides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from anaphor.ingest.parse.archive import attribute, local, opened, relations, told_of, xml
from anaphor.ingest.parse.parsed import Parsed, Unreadable, Writer

_TITLES = ("title", "ctrTitle")
_ASIDE = ("dt", "ftr", "sldNum", "sldImg", "hdr")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def slides(content: bytes, stem: str) -> Parsed:
    with opened(content) as archive:
        told = dict(told_of(archive))
        parts = _in_order(archive)
        writer = Writer(told.get("title", ""))
        for n, part in enumerate(parts):
            if n:
                writer.page_break()
            _slide(archive, part, writer)
        pictures = sum(name.startswith("ppt/media/") for name in archive.namelist())
    if not writer.pieces and pictures:
        raise Unreadable(f"image only: {pictures} pictures on {len(parts)} slides, and no text; OCR is not ours")
    date = _DATE.match(told.get("created") or told.get("modified") or "")
    return writer.parsed(stem, format="pptx", date=date[0] if date else "", paged=True)


def _in_order(archive: ZipFile) -> list[str]:
    targets = relations(archive, "ppt/presentation.xml")
    ids = [attribute(e, "id") for e in _relation_ids(xml(archive, "ppt/presentation.xml"))]
    return [targets[i][1] for i in ids if i in targets and targets[i][1] in archive.namelist()]


def _relation_ids(root: Element) -> Iterator[Element]:
    """``sldId`` elements; their own ``id`` has no namespace, the relation's has one."""
    for element in root.iter():
        if local(element) == "sldId":
            spaced = {key: value for key, value in element.items() if key.startswith("{")}
            yield Element("slide", spaced)


def _slide(archive: ZipFile, part: str, writer: Writer) -> None:
    root = xml(archive, part)
    if root.get("show") == "0":
        return  # hidden by its author
    shapes = list(_shapes(root))
    for shape in shapes:
        if _place(shape) in _TITLES:
            writer.heading(2, " ".join(_paragraphs(shape)))
    for shape in shapes:
        if local(shape) == "tbl":
            writer.table(
                [
                    [" ".join(_paragraphs(c)) for c in row if local(c) == "tc"]
                    for row in shape.iter()
                    if local(row) == "tr"
                ]
            )
        elif _place(shape) not in (*_TITLES, *_ASIDE):
            writer.block("\n".join(_paragraphs(shape)))
    for kind, path in relations(archive, part).values():
        if kind == "notesSlide" and path in archive.namelist():
            for shape in _shapes(xml(archive, path)):
                if _place(shape) not in _ASIDE:
                    writer.block("\n".join(_paragraphs(shape)))


def _shapes(root: Element) -> Iterator[Element]:
    """Shapes with text and tables, those in groups too, each once."""
    for element in root:
        if local(element) in ("sp", "tbl"):
            yield element
        else:
            yield from _shapes(element)


def _place(shape: Element) -> str:
    """What kind of placeholder it fills; empty for a free one."""
    return next((e.get("type", "body") for e in shape.iter() if local(e) == "ph"), "")


def _paragraphs(shape: Element) -> list[str]:
    found = []
    for paragraph in shape.iter():
        if local(paragraph) == "p":
            words = "".join(
                e.text or "" if local(e) == "t" else "\n" for e in paragraph.iter() if local(e) in ("t", "br")
            )
            if words.strip():
                indent = next((e.get("lvl", "0") for e in paragraph if local(e) == "pPr"), "0")
                found.append("  " * min(int(indent) if indent.isdecimal() else 0, 8) + words.strip())
    return found

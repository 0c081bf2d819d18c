"""Where a passage stands: the sections around it, up to the whole document, read from the document's own text."""

from __future__ import annotations

from dataclasses import dataclass

from anaphor.ingest.parse.formats import Format
from anaphor.ingest.parse.markdown import headings
from anaphor.types import Document, Passage

_WITHOUT_HEADINGS = frozenset({Format.TEXT, Format.TABLE, Format.MAIL})


@dataclass(frozen=True, slots=True)
class Section:
    """``document.text[start:end]``: a heading and all that stands under it. ``heading`` is empty for the document."""

    heading: str
    start: int
    end: int
    text: str


def sections(document: Document, passage: Passage) -> list[Section]:
    """The sections that hold the passage, the innermost first; the last is the document. The document has its text."""
    text = document.text
    around: list[tuple[str, int, int]] = [("", 0, len(text))]
    if document.metadata.get("format", Format.MARKDOWN) not in _WITHOUT_HEADINGS:
        every = headings(text)
        for n, one in enumerate(every):
            if one.start > passage.start:
                break
            ends = next((later.start for later in every[n + 1 :] if later.level <= one.level), len(text))
            if passage.end <= ends:
                around.append((one.heading, one.start, ends))
    return [Section(heading, start, end, text[start:end].strip()) for heading, start, end in reversed(around)]

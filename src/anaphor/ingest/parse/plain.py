"""Plain text: paragraphs, and the file's name for a title."""

from __future__ import annotations

from anaphor.ingest.parse.lines import lines, paragraphs
from anaphor.ingest.parse.parsed import Parsed, arranged


def plain_text(text: str, stem: str) -> Parsed:
    return Parsed(stem, arranged(paragraphs(lines(text)), stem), text, format="text")

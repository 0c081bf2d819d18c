"""Files to blocks: what stands under which heading, and what must not be cut. One file a format.

``reader`` reads bytes of any format, those that are not text in a child process; ``parse`` reads what is text already.
"""

from __future__ import annotations

from anaphor.ingest.decode import Decoded
from anaphor.ingest.parse.formats import READABLE, Format, format_of
from anaphor.ingest.parse.parsed import Block, Kind, Parsed, Unreadable
from anaphor.ingest.parse.reader import Limits, Reader, as_text

__all__ = ["READABLE", "Block", "Format", "Kind", "Limits", "Parsed", "Reader", "Unreadable", "format_of", "parse"]


def parse(text: str, name: str) -> Parsed:
    """Text, Markdown, CSV or TSV by the suffix of ``name``; text of any other kind is plain text."""
    return as_text(Decoded(text, "utf-8"), name)

"""Conversations in and out: our own JSON Lines, and what other assistants and messengers export.

``read`` finds out by itself what a file is.
"""

from __future__ import annotations

from anaphor.portable.imported import Imported
from anaphor.portable.lines import Whole, lines_of
from anaphor.portable.read import read

__all__ = ["Imported", "Whole", "lines_of", "read"]

"""What may be the name of something: one short line that can be seen."""

from __future__ import annotations

import unicodedata

LONGEST = 200  # characters
_BIDI = frozenset(
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)  # they reorder what stands around


def unfit(name: str) -> str:
    """Why the text cannot be a name; empty if it can."""
    if len(name) > LONGEST:
        return f"it has {len(name)} characters, and may have {LONGEST}"
    if any(c == "\ufffd" or unicodedata.category(c) == "Cs" for c in name):
        return "it holds bytes that are no UTF-8, or half a character: two such names could not be told apart"
    if any(unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in _BIDI for c in name):
        return "it holds a line break or another control character"
    if not any(c.isprintable() and not c.isspace() for c in name):
        return "there is nothing in it to see"
    return ""

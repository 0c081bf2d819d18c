"""A noun phrase, as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """``text`` is verbatim, ``key`` is folded, for comparing; ``kind`` is the sort of thing, where its ending tells.

    ``owner``: something of it is spoken of (its price, 〜の価格). ``attribute``: means nothing without an owner.
    ``verbal``: stands where a verb stands (要除垢).
    """

    text: str
    start: int
    end: int
    key: str
    kind: str = ""
    named: bool = False
    owner: bool = False
    attribute: bool = False
    verbal: bool = False

    @property
    def head(self) -> str:
        """The word that says what it is: the last, without its plural."""
        last = self.key.split(" ")[-1]
        plural = last.isascii() and len(last) > 3 and last.endswith("s") and not last.endswith("ss")
        return last[:-1] if plural else last

    @property
    def names_something(self) -> bool:
        """A thing that may be talked about: no attribute, action, time or number."""
        return not self.attribute and not self.verbal and self.kind not in ("time", "number")


_MARKS = ("「」", "『』", "《》", "〈〉", "“”", '""', "【】")
QUOTED = re.compile("|".join(f"{marks[0]}([^{marks}\n]{{1,40}}){marks[1]}" for marks in _MARKS))
"""A title or a quoted name, with its marks."""

_ANY_MARK = re.compile("[" + "".join(_MARKS) + "]")


def bare(text: str) -> str:
    """Without quotation marks."""
    return _ANY_MARK.sub("", text)

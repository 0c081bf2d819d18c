"""Lists in a passage: the items, in order, that belong to a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.text.marks import MARK
from anaphor.types import Span

LONGEST = 12  # items that are taken at most

_REST = re.compile(r"[ \t]*\n\s{0,40}?(?=[ \t]*\S)")


@dataclass(frozen=True, slots=True)
class Item:
    """``mark`` is the list mark as written; the span is what follows it."""

    mark: str
    span: Span


def items_around(text: str, sentence: Span) -> list[Item]:
    """The list that the sentence is in, or that stands directly below its line; empty if there is none."""
    lines = _lines(text)
    here = next((i for i, line in enumerate(lines) if line.start <= sentence.start < line.end), None)
    if here is None:
        return []
    if _item(text, lines[here]) is None:
        here += 1  # a lead-in: the list begins on the next line that is not blank
    first = here
    while first > 0 and _item(text, lines[first - 1]):
        first -= 1
    items: list[Item] = []
    for line in lines[first:]:
        item = _item(text, line)
        if item is None or len(items) == LONGEST:
            break
        items.append(item)
    return items if len(items) > 1 else []


def begins_below(text: str, at: int) -> bool:
    """Whether the line ends at this place and a list begins on the next one that is not blank."""
    rest = _REST.match(text, at)
    return bool(rest and MARK.match(text, rest.end()))


def _lines(text: str) -> list[Span]:
    """The lines that are not blank."""
    lines: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            lines.append(Span(start, start + len(line.rstrip("\r\n"))))
        start += len(line)
    return lines


def _item(text: str, line: Span) -> Item | None:
    mark = MARK.match(text, line.start, line.end)
    if not mark:
        return None
    end = line.start + len(text[line.start : line.end].rstrip())
    return Item(mark["mark"].strip(), Span(mark.end(), end)) if mark.end() < end else None

"""Lines of styled text for a terminal, broken as Chinese and Japanese are broken.

Between Han characters or kana a line may end anywhere, except before a mark that closes and after one that opens;
words of other scripts stay whole. Widths are in terminal cells.
"""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.text import Text

_NOT_FIRST = frozenset(
    "、。，．・：；？！ー々ゝヽ」』）》〉】〕］｝”’…‥〜～％%!?),.:;]}ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
)
_NOT_LAST = frozenset("「『（《〈【〔［｛“‘([{")
_WIDE = re.compile("[\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def wrapped(text: Text, width: int) -> list[Text]:
    """The text in lines of at most ``width`` cells."""
    return [line for paragraph in text.split("\n", allow_blank=True) for line in _broken(paragraph, max(8, width))]


def _broken(paragraph: Text, width: int) -> list[Text]:
    plain = paragraph.plain
    if cell_len(plain) <= width:
        return [paragraph]
    cuts: list[int] = []
    start = used = 0
    last = 0  # the last place, after ``start``, where the line may end
    for at, c in enumerate(plain):
        if at > start and _may_break(plain, at):
            last = at
        size = cell_len(c)
        if used + size > width and c != " ":
            cut = last if last > start else at
            cuts.append(cut)
            used = cell_len(plain[cut:at])
            start = cut
        used += size
    return [_without_edge_space(line, n) for n, line in enumerate(paragraph.divide(cuts))]


def _may_break(plain: str, at: int) -> bool:
    before, after = plain[at - 1], plain[at]
    if after in _NOT_FIRST or before in _NOT_LAST or after == " ":
        return False
    return before in " -/" or bool(_WIDE.match(before) or _WIDE.match(after))


def _without_edge_space(line: Text, number: int) -> Text:
    line.rstrip()
    if number:
        spaces = len(line.plain) - len(line.plain.lstrip(" "))
        return line[spaces:] if spaces else line
    return line


def shortened(text: str, width: int) -> str:
    """At most ``width`` cells, with an ellipsis where something was cut off."""
    if cell_len(text) <= width:
        return text
    kept = ""
    for c in text:
        if cell_len(kept + c) > width - 1:
            break
        kept += c
    return kept + "…"


def padded(text: str, width: int) -> str:
    return text + " " * max(0, width - cell_len(text))

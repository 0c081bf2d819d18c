"""What a text says of itself at its head: ``name: value`` lines between two lines of ``---``.

Not YAML, but what people write there: texts, lists in brackets or one item a line, quotation marks. Whatever is nested
deeper is left out; nothing is ever an error.
"""

from __future__ import annotations

import re

LONGEST = 20_000  # characters of a head; what is longer is none
ITEM = ", "  # between the items of a list

_HEAD = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$", re.S | re.M)
_PAIR = re.compile(r"([^\W\d][\w .-]{0,63})[ \t]*[:：][ \t]*(.*)")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.+)")


def front_matter(text: str) -> dict[str, str]:
    """Names in lower case; empty for a text without a head."""
    head = _HEAD.match(text[:LONGEST])
    found: dict[str, str] = {}
    name = ""
    for line in head[1].splitlines() if head else ():
        if pair := _PAIR.fullmatch(line.rstrip()):
            name = pair[1].strip().casefold()
            found[name] = _listed(pair[2])
        elif name and (item := _ITEM.fullmatch(line.rstrip())):
            found[name] = ITEM.join(part for part in (found[name], _bare(item[1])) if part)
    return {name: value for name, value in found.items() if value and value not in ("|", ">", "null", "~")}


def _listed(value: str) -> str:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return ITEM.join(filter(None, (_bare(part) for part in value[1:-1].split(","))))
    return _bare(value)


def _bare(value: str) -> str:
    """Without a comment behind it and without the quotation marks around it."""
    value = value.strip()
    if value[:1] in ('"', "'") and value.count(value[0]) > 1:
        return value[1 : value.index(value[0], 1)].strip()
    return re.sub(r"[ \t]+#.*", "", value).strip()

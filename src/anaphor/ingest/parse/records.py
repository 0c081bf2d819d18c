"""JSON and JSON Lines, written down as one would tell them: ``name: value``, a record a block.

A list of objects is a row of records. A member that holds much is a section of its own; one that holds little is told
in place, by its path (``address.city: Kobe``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from anaphor.ingest.decode import Decoded, decode
from anaphor.ingest.parse.parsed import Parsed, Unreadable, Writer

IN_PLACE = 12  # values; what holds more is a section
_TITLES = ("title", "name", "標題", "标题", "名称", "名稱", "タイトル")


def records(content: bytes, stem: str, *, by_line: bool = False) -> Parsed:
    decoded = decode(content)
    writer = Writer()
    broken: list[int] = []
    if by_line:
        broken = _lines(decoded, writer)
    else:
        try:
            _section(writer, json.loads(decoded.text), 1)
        except json.JSONDecodeError as error:
            broken = _lines(decoded, writer) if _by_line(decoded.text) else []
            if not writer.pieces:
                raise Unreadable(f"broken json: {error.msg} in line {error.lineno}") from None
    remark = f"{len(broken)} lines are no JSON and stand as they are, the first is line {broken[0]}" if broken else ""
    remarks = (*decoded.remarks, remark) if remark else decoded.remarks
    return writer.parsed(stem, format="json", encoding=decoded.encoding, remarks=remarks)


def _by_line(text: str) -> bool:
    """Whether its first two lines are each JSON: it is JSON Lines under another name."""
    first = [line for line in text.split("\n", 50)[:50] if line.strip()][:2]
    return len(first) == 2 and all(_loaded(line) is not None for line in first)


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _lines(decoded: Decoded, writer: Writer) -> list[int]:
    """The numbers of lines that are no JSON."""
    broken = []
    for n, line in enumerate(decoded.text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError:
            broken.append(n)
            writer.block(line)
            continue
        writer.block("\n".join(_flat(value, "")))
    return broken


def _section(writer: Writer, value: Any, level: int) -> None:
    if isinstance(value, dict):
        small = {key: part for key, part in value.items() if _size(part) <= IN_PLACE and not _many(part)}
        if level == 1:
            writer.title = next((str(value[t]) for t in _TITLES if isinstance(value.get(t), str)), "")[:200]
        writer.block("\n".join(line for key, part in small.items() for line in _flat(part, str(key))))
        for key, part in value.items():
            if key not in small:
                writer.heading(min(level + 1, 6), str(key))
                _section(writer, part, level + 1)
    elif _many(value):
        for part in value:
            if isinstance(part, dict) and _size(part) > 4 * IN_PLACE:
                _section(writer, part, level + 1)
            else:
                writer.block("\n".join(_flat(part, "")))
    else:
        writer.block("\n".join(_flat(value, "")))


def _many(value: Any) -> bool:
    """A list of more than words and numbers."""
    return isinstance(value, list) and any(isinstance(part, (dict, list)) for part in value)


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 1


def _flat(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _flat(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        if any(isinstance(part, (dict, list)) for part in value):
            for part in value:
                yield from _flat(part, path)
        elif value:
            yield from _flat(", ".join(map(_word, value)), path)
    elif value is not None and value != "":
        yield f"{path}: {_word(value)}" if path else _word(value)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

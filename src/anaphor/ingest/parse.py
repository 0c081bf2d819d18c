"""Text to blocks: what stands under which heading, and what must not be cut.

Markdown is read line by line: headings (``#`` and underlined), fenced code, tables, front matter. That is all the
structure cutting needs, and offsets stay those of the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

MARKDOWN = frozenset({".md", ".markdown", ".mdown"})
PLAIN = frozenset({".txt", ".text", ".log", ".rst", ""})
READABLE = MARKDOWN | PLAIN

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{3,})[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TABLE_ROW = re.compile(r"[ \t]*\|")
_TITLE_LINE = re.compile(r"title[ \t]*:[ \t]*(.+)", re.I)
_INLINE = re.compile(r"[*_`]|!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)")


class Kind(StrEnum):
    """What a block is; ``CODE`` is cut only where it is far too long."""

    PROSE = "prose"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """``text[start:end]``, one paragraph, list, table or fenced code, under the headings in ``section``."""

    start: int
    end: int
    section: tuple[str, ...] = ()
    kind: Kind = Kind.PROSE


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document's title and its blocks, in order. Headings are in no block: they are the blocks' ``section``."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int  # after the newline
    text: str


def parse(text: str, name: str) -> Parsed:
    """By the suffix of ``name``; text of any other kind is plain text, whose title is the file's name."""
    path = PurePath(name)
    if path.suffix.casefold() in MARKDOWN:
        return _markdown(text, path.stem)
    return Parsed(path.stem, tuple(_paragraphs(list(_lines(text)), ())))


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    while start < len(text):
        found = text.find("\n", start)
        end = len(text) if found < 0 else found + 1
        yield _Line(start, end, text[start:end].rstrip("\n"))
        start = end


def _markdown(text: str, stem: str) -> Parsed:
    lines = list(_lines(text))
    front = _front_matter(lines)
    title = _title_of(lines[:front])
    headings: list[str] = []
    blocks: list[Block] = []
    levels: list[int] = []
    bare: _Line | None = None  # a heading that nothing has stood under yet
    body: list[_Line] = []

    def close() -> None:
        nonlocal body
        blocks.extend(_blocks(body, tuple(headings)))
        body = []

    for level, heading, line in _structure(lines[front:]):
        if level == 0:
            body.append(line)
            bare = bare if not line.text.strip() else None
            continue
        if bare and levels and level <= levels[-1]:
            body.append(bare)  # it has no text of its own and no heading below it: it is all there is to say
        close()
        while levels and levels[-1] >= level:
            levels.pop()
            headings.pop()
        levels.append(level)
        headings.append(heading)
        title = title or (heading if level == 1 else "")
        bare = line
    if bare:
        body.append(bare)
    close()
    return Parsed(title or stem, tuple(_without_title(blocks, title)))


def _without_title(blocks: list[Block], title: str) -> Iterator[Block]:
    """The title is not also the first part of every section path."""
    for block in blocks:
        path = block.section[1:] if block.section[:1] == (title,) else block.section
        yield Block(block.start, block.end, path, block.kind)


def _front_matter(lines: list[_Line]) -> int:
    """How many lines at the top are front matter."""
    if not lines or lines[0].text.rstrip() != "---":
        return 0
    return next((n + 1 for n, line in enumerate(lines[1:60], 1) if line.text.rstrip() in ("---", "...")), 0)


def _title_of(front: list[_Line]) -> str:
    found = (_TITLE_LINE.match(line.text) for line in front)
    return next((m[1].strip().strip("\"'") for m in found if m), "")


def _structure(lines: list[_Line]) -> Iterator[tuple[int, str, _Line]]:
    """Each line with the level of the heading it is (0: none) and the heading's words."""
    fence = ""
    n = 0
    while n < len(lines):
        line = lines[n]
        if fence:
            closing = _FENCE.match(line.text)
            if closing and closing[1].startswith(fence):
                fence = ""
        elif opened := _FENCE.match(line.text):
            fence = opened[1]
        elif heading := _HEADING.match(line.text):
            yield len(heading[1]), plain(heading[2] or ""), line
            n += 1
            continue
        elif n + 1 < len(lines) and _is_underlined(lines, n):
            below = lines[n + 1]
            level = 1 if "=" in below.text else 2
            yield level, plain(line.text), _Line(line.start, below.end, line.text)
            n += 2
            continue
        yield 0, "", line
        n += 1


def _is_underlined(lines: list[_Line], n: int) -> bool:
    """A single line of words with a line of ``=`` or ``-`` right below; not a list, table, quotation or paragraph."""
    text = lines[n].text.strip()
    above = lines[n - 1].text.strip() if n else ""
    return bool(text) and not above and text[0] not in "-*+>|#" and bool(_UNDERLINE.match(lines[n + 1].text))


def plain(heading: str) -> str:
    """The words of a heading without emphasis, code marks and link targets."""
    return _INLINE.sub(lambda m: m[1] or "", heading).strip()


def _blocks(lines: list[_Line], section: tuple[str, ...]) -> Iterator[Block]:
    """Fenced code as one block each; paragraphs between."""
    run: list[_Line] = []
    code: list[_Line] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line.text)
        if fence:
            code.append(line)
            if mark and mark[1].startswith(fence):
                yield Block(code[0].start, code[-1].end, section, Kind.CODE)
                code, fence = [], ""
        elif mark:
            yield from _paragraphs(run, section)
            run, code, fence = [], [line], mark[1]
        else:
            run.append(line)
    yield from _paragraphs(run, section)
    if code:  # a fence that nothing closes runs to the end
        yield Block(code[0].start, code[-1].end, section, Kind.CODE)


def _paragraphs(lines: list[_Line], section: tuple[str, ...]) -> Iterator[Block]:
    run: list[_Line] = []
    for line in [*lines, None]:
        if line is not None and line.text.strip():
            run.append(line)
        elif run:
            kind = Kind.TABLE if all(_TABLE_ROW.match(x.text) for x in run) else Kind.PROSE
            yield Block(run[0].start, run[-1].end, section, kind)
            run = []

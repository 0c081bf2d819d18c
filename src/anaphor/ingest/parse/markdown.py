"""Markdown, line by line: headings (``#`` and underlined), fenced code, tables, front matter.

That is all the structure cutting needs, and offsets stay those of the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphor.ingest.parse.lines import Line, lines, paragraphs
from anaphor.ingest.parse.parsed import Kind, Parsed, Piece, arranged
from anaphor.text.language import language_of

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-{3,})[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TOLD = re.compile(r"(title|date|lang|language)[ \t]*:[ \t]*(.+)", re.I)
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.+Zz-]{1,30})?")
_INLINE = re.compile(r"[*_`]|!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)")


def markdown(text: str, stem: str) -> Parsed:
    every = list(lines(text))
    front = _front_matter(every)
    told = _told(every[:front])
    pieces = list(_pieces(every[front:]))
    first = next((piece.heading for piece in pieces if piece.level == 1 and piece.heading), "")
    title = told.get("title") or first or stem
    date = told.get("date", "")
    language = language_of(told.get("lang") or told.get("language"))
    return Parsed(
        title,
        arranged(pieces, title),
        text,
        date=date if _DATE.fullmatch(date) else "",
        language=language,
        format="markdown",
    )


def headings(text: str) -> list[Piece]:
    """Every heading of a text that is written as Markdown, in order."""
    every = list(lines(text))
    return [piece for piece in _pieces(every[_front_matter(every) :]) if piece.level]


def _front_matter(every: Sequence[Line]) -> int:
    """How many lines at the top are front matter."""
    if not every or every[0].text.rstrip() != "---":
        return 0
    return next((n + 1 for n, line in enumerate(every[1:60], 1) if line.text.rstrip() in ("---", "...")), 0)


def _told(front: Sequence[Line]) -> dict[str, str]:
    found = (_TOLD.match(line.text) for line in front)
    return {m[1].casefold(): m[2].strip().strip("\"'") for m in reversed([m for m in found if m])}


def _pieces(every: Sequence[Line]) -> Iterator[Piece]:
    body: list[Line] = []
    for level, heading, line in _structure(every):
        if level == 0:
            body.append(line)
            continue
        yield from _blocks(body)
        body = []
        yield Piece(line.start, line.end, level, heading)
    yield from _blocks(body)


def _structure(every: Sequence[Line]) -> Iterator[tuple[int, str, Line]]:
    """Each line with the level of the heading it is (0: none) and the heading's words."""
    fence = ""
    n = 0
    while n < len(every):
        line = every[n]
        if fence:
            closing = _FENCE.match(line.text)
            if closing and closing[1].startswith(fence):
                fence = ""
        elif opened := _FENCE.match(line.text):
            fence = opened[1]
        elif heading := _HEADING.match(line.text):
            yield len(heading[1]), plain(_words(line.text[heading.end() :])), line
            n += 1
            continue
        elif n + 1 < len(every) and _is_underlined(every, n):
            below = every[n + 1]
            level = 1 if "=" in below.text else 2
            yield level, plain(line.text), Line(line.start, below.end, line.text)
            n += 2
            continue
        yield 0, "", line
        n += 1


def _words(after: str) -> str:
    """What stands between the marks that open a heading and those that may close it."""
    words = after.strip(" \t")
    bare = words.rstrip("#")
    return words if bare and not bare.endswith((" ", "\t")) else bare


def _is_underlined(every: Sequence[Line], n: int) -> bool:
    """A single line of words with a line of ``=`` or ``-`` right below; not a list, table, quotation or paragraph."""
    text = every[n].text.strip()
    above = every[n - 1].text.strip() if n else ""
    return bool(text) and not above and text[0] not in "-*+>|#" and bool(_UNDERLINE.match(every[n + 1].text))


def plain(heading: str) -> str:
    """The words of a heading without emphasis, code marks and link targets."""
    return _INLINE.sub(lambda m: m[1] or "", heading).strip()


def _blocks(body: Sequence[Line]) -> Iterator[Piece]:
    """Fenced code as one block each; paragraphs between."""
    run: list[Line] = []
    code: list[Line] = []
    fence = ""
    for line in body:
        mark = _FENCE.match(line.text)
        if fence:
            code.append(line)
            if mark and mark[1].startswith(fence):
                yield Piece(code[0].start, code[-1].end, kind=Kind.CODE)
                code, fence = [], ""
        elif mark:
            yield from paragraphs(run)
            run, code, fence = [], [line], mark[1]
        else:
            run.append(line)
    yield from paragraphs(run)
    if code:  # a fence that nothing closes runs to the end
        yield Piece(code[0].start, code[-1].end, kind=Kind.CODE)

"""PDF, by way of PDFium: lines as they lie on the page, joined to paragraphs; what is set larger is a heading.

Running heads and page numbers, which stand on most pages alike, are left out. There is no OCR: a page that is only a
picture is told by number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from anaphor.ingest.parse.parsed import Parsed, Unreadable, Writer
from anaphor.ingest.parse.suspect import mended, suspicion
from anaphor.text.characters import CJK

LARGER = 1.15  # than most of the text: a heading
LONGEST_HEADING = 120
RUNNING = 0.6  # of the pages: what stands first or last on so many is no part of the text
_EVERY = 7  # characters, of which one is asked whether its glyph has a meaning

_ITEM = re.compile(
    r"[-•・‧◦▪■●○*]\s?|\(?\d{1,3}[.)、．)]\s?|[(（][一二三四五六七八九十\d]{1,3}[)）]|"
    r"[一二三四五六七八九十]{1,3}、|第.{1,4}[條条章節节]"
)
_STOPPED = re.compile(r"[。．.!?！？:：;；」』）)]$")
_CJK_END, _CJK_START = re.compile(f"[{CJK}、。，．；：？！」』）]$"), re.compile(f"[{CJK}「『（、。，．；：？！」』）]")
_NO_TITLE = re.compile(
    r"untitled|microsoft (?:word|powerpoint|excel)|.{0,200}\.(?:docx?|pptx?|xlsx?|pdf|indd|tex|dvi)$|\W*$", re.I
)
_PAGE_NUMBER = re.compile(r"[-–— ]{0,3}(?:\d{1,4}|[ivxlc]{1,7})[-–— ]{0,3}", re.I)
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page; lengths in points, ``top`` from the bottom of the page."""

    text: str
    size: float
    left: float
    right: float
    bottom: float
    top: float


@dataclass(frozen=True, slots=True)
class Page:
    lines: tuple[Line, ...]
    unmapped: int = 0
    asked: int = 0
    drawn: bool = False  # there is something on it


def pdf(content: bytes, stem: str) -> Parsed:
    import pypdfium2

    document = _opened(content, pypdfium2)
    told = document.get_metadata_dict()
    pages = [_page(document, n) for n in range(len(document))]
    document.close()
    bare = [n for n, page in enumerate(pages, 1) if not page.lines and page.drawn]
    if not any(page.lines for page in pages):
        if bare:
            raise Unreadable(f"image only: no text layer on its {len(pages)} pages; OCR is not ours")
        return Parsed(stem, (), format="pdf")
    writer = _written(_without_running(pages))
    title = told.get("Title", "").strip()
    writer.title = "" if _NO_TITLE.match(title) else mended(title)
    if not writer.title and writer.pieces[:1] and writer.pieces[0].level:
        writer.title = writer.pieces[0].heading
    unmapped = sum(p.unmapped for p in pages) / max(1, sum(p.asked for p in pages))
    suspect = suspicion(writer.text, unmapped)
    remarks = (*((f"suspect extraction: {suspect}",) if suspect else ()), *_bare(bare, len(pages)))
    return writer.parsed(
        stem, format="pdf", date=_date(told.get("CreationDate", "")), paged=True, suspect=suspect, remarks=remarks
    )


def _opened(content: bytes, pdfium: Any) -> Any:
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if "password" in str(error).casefold() or "security" in str(error).casefold():
            raise Unreadable("encrypted: it opens with a password only; save a copy without one") from None
        raise Unreadable(f"broken pdf: {error}") from None


def _bare(bare: Sequence[int], of: int) -> tuple[str, ...]:
    if not bare:
        return ()
    named = ", ".join(map(str, bare[:10])) + ("…" if len(bare) > 10 else "")
    return (f"{len(bare)} of {of} pages are images without a text layer ({named}); OCR is not ours",)


def _date(told: str) -> str:
    found = _DATE.match(told)
    return "-".join(part for part in found.groups() if part) if found else ""


# ── lines of a page ──────────────────────────────────────────────────────────────────────────────────────────────


def _page(document: Any, n: int) -> Page:
    import pypdfium2
    import pypdfium2.raw as raw

    try:
        page = document[n]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:
        return Page(())
    count = text.count_chars()
    codes = [raw.FPDFText_GetUnicode(text, i) for i in range(count)]
    asked = range(0, count, _EVERY)
    unmapped = sum(raw.FPDFText_HasUnicodeMapError(text, i) == 1 for i in asked)
    lines = tuple(line for line in (_line(text, raw, codes, *span) for span in _spans(codes)) if line.text)
    drawn = bool(raw.FPDFPage_CountObjects(page))
    text.close()
    page.close()
    return Page(lines, unmapped, len(asked), drawn)


def _spans(codes: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for at, code in enumerate(codes):
        if code in (10, 13):
            if start < at:
                yield start, at
            start = at + 1
    if start < len(codes):
        yield start, len(codes)


def _line(text: Any, raw: Any, codes: Sequence[int], start: int, end: int) -> Line:
    # Where a word is hyphenated PDFium itself joins the lines, and leaves U+0002 in the place of the hyphen.
    units = b"".join(c.to_bytes(2, "little") if c < 0x10000 else chr(c).encode("utf-16-le") for c in codes[start:end])
    words = mended(units.decode("utf-16-le", "replace").replace("\x02", "").replace("\0", ""))
    inked = [i for i in range(start, end) if codes[i] > 32] or [start]
    left, bottom, _, top = text.get_charbox(inked[0], loose=True)
    _, low, right, _ = text.get_charbox(inked[-1], loose=True)
    size = raw.FPDFText_GetFontSize(text, inked[0])
    if size <= 1:  # scaled by the page's own matrix
        size = (top - bottom) / 1.6
    return Line(" ".join(words.split()), round(size, 1), left, right, min(bottom, low), top)


def _without_running(pages: Sequence[Page]) -> list[tuple[Line, ...]]:
    """The pages' lines without what stands at the top or foot of most of them; numbers in it may differ."""
    kept = [page.lines for page in pages]
    body = _body(line for page in kept for line in page)
    for _ in range(2):  # a running head may have two lines
        for end in (0, -1):
            outer = Counter(_pattern(page[end], body) for page in kept if page)
            running = {told for told, n in outer.items() if told and n >= max(3, RUNNING * len(pages))}
            inner = slice(1, None) if end == 0 else slice(None, -1)
            kept = [page[inner] if page and _runs(page[end], body, running, len(pages)) else page for page in kept]
    return kept


def _runs(line: Line, body: float, running: Set[str], pages: int) -> bool:
    return _pattern(line, body) in running or (pages > 2 and bool(_PAGE_NUMBER.fullmatch(line.text)))


def _pattern(line: Line, body: float) -> str:
    """What it has in common with its like on other pages; empty for a heading or the end of a sentence."""
    if line.size >= LARGER * body or re.search(r"[。.!?！？]$", line.text):
        return ""
    return re.sub(r"\d+", "#", line.text)


def _body(lines: Iterable[Line]) -> float:
    """The size that most of the text is set in."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    return weights.most_common(1)[0][0] if weights else 0.0


# ── lines to paragraphs ──────────────────────────────────────────────────────────────────────────────────────────


def _written(pages: Sequence[Sequence[Line]]) -> Writer:
    writer = Writer()
    levels = _levels([line for page in pages for line in page])
    for n, page in enumerate(pages):
        if n:
            writer.page_break()
        edge = max((line.right for line in page), default=0.0)
        for level, run in _paragraphs(page, levels, edge):
            text = _joined([line.text for line in run])
            if level and len(text) <= LONGEST_HEADING:
                writer.heading(level, text)
            else:
                writer.block(text)
    return writer


def _levels(lines: Sequence[Line]) -> dict[float, int]:
    """Font size → level of heading, of the sizes that headings are set in."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    body = _body(lines)
    larger = sorted((size for size in weights if size >= LARGER * body), reverse=True)
    if sum(weights[size] for size in larger) > 0.3 * weights.total():
        return {}
    return {size: min(n, 4) for n, size in enumerate(larger, 2)}


def _paragraphs(lines: Sequence[Line], levels: dict[float, int], edge: float) -> Iterator[tuple[int, list[Line]]]:
    steps = [a.bottom - b.bottom for a, b in pairwise(lines) if a.bottom > b.bottom]
    step = median(steps) if steps else 0.0
    run: list[Line] = []
    for line in lines:
        if run and _parts(run[-1], line, levels, step, edge):
            yield levels.get(run[0].size, 0), run
            run = []
        run.append(line)
    if run:
        yield levels.get(run[0].size, 0), run


def _parts(before: Line, line: Line, levels: dict[float, int], step: float, edge: float) -> bool:
    """Whether a new paragraph begins."""
    if levels.get(before.size, 0) != levels.get(line.size, 0) or _ITEM.match(line.text):
        return True
    down = before.bottom - line.bottom
    if down <= 0:  # another column, or something beside it: a sentence may go on there
        return bool(_STOPPED.search(before.text))
    if step and down > 1.4 * step:
        return True
    return bool(_STOPPED.search(before.text)) and before.right < edge - 2.5 * before.size


def _joined(lines: Sequence[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        if _CJK_END.search(text) and _CJK_START.match(line):
            text += line
        elif text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower():
            text = text[:-1] + line
        else:
            text += " " + line
    return text

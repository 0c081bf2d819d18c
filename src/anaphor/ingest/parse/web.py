"""HTML: headings, paragraphs, lists, tables and code, without what only serves to find one's way about a site.

Left out are scripts, styles, navigation, footers, asides, forms' controls and what is hidden; if nothing is left then,
or something of that kind is never closed, the page is read once more with all but scripts and styles. Furigana
(``rt``) are left out: they would stand in the middle of words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from anaphor.ingest.decode import decode
from anaphor.ingest.parse.parsed import Kind, Parsed, Writer
from anaphor.text.characters import CJK
from anaphor.text.language import language_of


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NEVER = _names(
    "script style template noscript svg iframe object embed canvas audio video map rt rp textarea select button"
)
_INSIDE = _names("rt rp script style noscript svg button")  # may stand in the middle of a sentence
_AROUND = _names("nav footer aside dialog menu")
_ROLES = _names("navigation contentinfo complementary search menu menubar dialog")
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_BLOCKS = _names(
    "address article blockquote body center details dd div dl dt fieldset figcaption figure form header hr html legend "
    "main ol p section summary ul li table thead tbody tfoot tr td th caption"
)
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_CHARSET = re.compile(rb"""(?:charset|encoding)[\s]{0,9}=[\s"']{0,9}([A-Za-z0-9_.:-]{2,40})""", re.I)
_BLANK = re.compile(r"[ \t\r\n\f\v\xa0]+")
_WRAPPED = re.compile(f"(?<=[{CJK}、。，．；：？！」』）])[ \t\r]*\n[ \t\r\n]*(?=[{CJK}「『（])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.+Zz-]{1,30})?")
_DATED = _names("article:published_time date dc.date dcterms.date datepublished pubdate")
_FENCE = "```"


def page(content: bytes, stem: str) -> Parsed:
    declared = _CHARSET.search(content[:4096])
    decoded = decode(content, declared[1].decode("ascii") if declared else "")
    writer = Writer()
    told = write_page(decoded.text, writer)
    writer.title = writer.title or told.title
    return writer.parsed(
        stem,
        date=told.date,
        language=told.language,
        format="html",
        encoding=decoded.encoding,
        remarks=decoded.remarks,
    )


@dataclass(slots=True)
class Told:
    """What a page says of itself."""

    title: str = ""
    date: str = ""
    language: str = "und"


def write_page(markup: str, writer: Writer) -> Told:
    """Write the page down; what stands in it of headings is below the writer's."""
    before = len(writer.pieces)
    reading = _Page(Writer(writer.title))
    reading.read(markup)
    if reading.lost or not reading.writer.pieces:
        whole = _Page(Writer(writer.title), everything=True)
        whole.read(markup)
        reading = whole if len(whole.writer.text) > len(reading.writer.text) else reading
    writer.append(reading.writer)
    if before == 0 and not writer.title:
        writer.title = reading.writer.title
    return reading.told


@dataclass(slots=True)
class _Table:
    """``layout`` for one that only places things on the page: what is in it are paragraphs."""

    rows: list[list[str]] = field(default_factory=list)
    cell: list[str] | None = None
    headed: bool = False
    layout: bool = False

    def close_cell(self) -> None:
        if self.cell is not None:
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append(" ".join(self.cell))
            self.cell = None


class _Page(HTMLParser):
    def __init__(self, writer: Writer, *, everything: bool = False) -> None:
        super().__init__(convert_charrefs=True)
        self.writer = writer
        self.told = Told()
        self._everything = everything
        self._inline: list[str] = []
        self._skipped, self._depth = "", 0  # the element being left out, and how many of its kind are open
        self._heading = 0
        self._verbatim = 0
        self._titled = False
        self._lists: list[int] = []  # the number of the last item, -1 in a list without numbers
        self._items: list[str] = []
        self._mark = ""
        self._tables: list[_Table] = []

    def read(self, markup: str) -> None:
        self.feed(markup)
        self.close()
        self._flush()
        while self._tables:
            self._end_table()
        self._close_list()

    @property
    def lost(self) -> bool:
        """Whether something that is left out was never closed, and so took the rest with it."""
        return bool(self._skipped)

    # ── what the parser meets ──

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if self._skipped:
            self._depth += tag == self._skipped
            return
        told = {name: value or "" for name, value in attributes}
        self._note(tag, told)
        if self._left_out(tag, told):
            if tag not in _INSIDE:
                self._flush()
            self._skipped, self._depth = tag, 1
        elif tag in _HEADINGS and not self._in_cell:
            self._flush()
            self._close_list()
            self._heading = _HEADINGS[tag]
        elif tag == "br":
            self._inline.append("\n" if self._verbatim else "\r")
        elif tag == "pre" and not self._in_cell:
            self._flush()
            self._verbatim += 1
        elif tag in _BLOCKS:
            self._flush()
            self._open(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._titled = False
        if self._skipped:
            self._depth -= tag == self._skipped
            if self._depth <= 0:
                self._skipped = ""
        elif tag in _HEADINGS and self._heading:
            self._flush()
            self._heading = 0
        elif tag == "pre" and self._verbatim:
            self._flush()
            self._verbatim = 0
        elif tag in _BLOCKS:
            self._flush()
            self._shut(tag)

    def handle_data(self, data: str) -> None:
        if self._titled:
            self.told.title += data
        elif not self._skipped:
            self._inline.append(data)

    # ── what is made of it ──

    def _note(self, tag: str, told: dict[str, str]) -> None:
        if tag == "html":
            self.told.language = language_of(told.get("lang") or told.get("xml:lang"))
        elif tag == "title" and not self.told.title:
            self._titled = True
        elif tag == "meta":
            name = (told.get("property") or told.get("name") or told.get("itemprop") or "").casefold()
            if name in _DATED and not self.told.date and (found := _DATE.match(told.get("content", ""))):
                self.told.date = found[0]
        elif tag == "time" and not self.told.date and (found := _DATE.match(told.get("datetime", ""))):
            self.told.date = found[0]

    def _left_out(self, tag: str, told: dict[str, str]) -> bool:
        if tag in _VOID:
            return False
        if tag in _NEVER:
            return True
        if self._everything or tag in ("html", "body", "main", "article"):
            return False
        hidden = "hidden" in told or told.get("aria-hidden") == "true" or "display:none" in told.get("style", "")
        return tag in _AROUND or told.get("role") in _ROLES or hidden

    @property
    def _in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].cell is not None

    def _open(self, tag: str) -> None:
        if tag in ("ul", "ol", "dl"):
            self._lists.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self._mark = self._next_mark()
        elif tag == "table":
            for outer in self._tables:
                self._lay_out(outer)
            self._tables.append(_Table())
        elif tag == "tr" and self._tables:
            self._tables[-1].close_cell()
            self._tables[-1].rows.append([])
        elif tag in ("td", "th") and self._tables and not self._tables[-1].layout:
            table = self._tables[-1]
            table.close_cell()
            table.headed |= tag == "th" and len(table.rows) <= 1
            table.cell = []

    def _shut(self, tag: str) -> None:
        if tag in ("ul", "ol", "dl") and self._lists:
            self._lists.pop()
            if not self._lists:
                self._close_list()
        elif tag in ("td", "th", "tr") and self._tables:
            self._tables[-1].close_cell()
        elif tag == "table" and self._tables:
            self._end_table()

    def _next_mark(self) -> str:
        if not self._lists:
            return "- "
        indent = "  " * (len(self._lists) - 1)
        if self._lists[-1] < 0:
            return indent + "- "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1]}. "

    def _flush(self) -> None:
        """What was gathered goes where it belongs: a heading, code, a cell, an item, or a paragraph."""
        raw, self._inline = "".join(self._inline), []
        if self._verbatim:
            if raw.strip():
                self._close_list()
                self.writer.block(f"{_FENCE}\n{raw.strip(chr(10)).rstrip()}\n{_FENCE}", Kind.CODE)
            return
        text = _run(raw)
        if not text:
            return
        if self._heading:
            self.writer.heading(self._heading, text)
        elif self._in_cell:
            cell = self._tables[-1].cell
            assert cell is not None
            cell.append(text)
        elif self._lists or self._mark:
            self._items.append(self._mark + text)
            self._mark = "  " * len(self._lists) if self._lists else ""
        else:
            self.writer.block(text)

    def _close_list(self) -> None:
        self.writer.block("\n".join(self._items))
        self._items, self._mark = [], ""

    def _lay_out(self, table: _Table) -> None:
        """It holds another table: what was gathered of it are paragraphs, and what follows too."""
        table.close_cell()
        for row in table.rows:
            for cell in row:
                self.writer.block(cell)
        table.rows, table.layout = [], True

    def _end_table(self) -> None:
        table = self._tables.pop()
        table.close_cell()
        rows = [row for row in table.rows if any(row)]
        if not rows:
            return
        self._close_list()
        if max(map(len, rows)) < 2:
            for row in rows:
                self.writer.block(" ".join(row))
        else:
            self.writer.table(rows, headed=True if table.headed else None)


def _run(raw: str) -> str:
    """White space as a browser shows it; a line break of the markup parts no Chinese or Japanese words."""
    parts = (_BLANK.sub(" ", _WRAPPED.sub("", part)).strip() for part in raw.split("\r"))
    return "\n".join(part for part in parts if part)

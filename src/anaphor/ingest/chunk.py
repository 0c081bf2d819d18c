"""Blocks to passages: by structure first, then by sentences, within a token budget.

A passage is verbatim, ``passage.text == document.text[start:end]``, stays under one heading, and never begins with a
mark that closes something. Fenced code stays whole unless it alone would fill the evidence of a turn.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from anaphor.ingest.parse.parsed import PAGE_BREAK, Block, Kind, Parsed
from anaphor.ports import TokenCounter
from anaphor.text.characters import CJK
from anaphor.text.language import detect
from anaphor.text.sentences import sentences
from anaphor.text.tokens import estimate
from anaphor.types import Document, Passage, Span

TOKENS = 260  # of a passage; small enough that five to ten fit a turn's evidence
WHOLE = 1_000  # of fenced code or a table kept in one piece
JOIN = " › "  # between the parts of a section path

_CLOSING = frozenset(
    "”’」』》〉】）〗〕｝］)]}。！？!?…‥．，、；：,.;:%％‰～〜ー々ゝゞヽヾぁぃぅぇぉっゃゅょァィゥェォッャュョ\u200d"
)
_PAIRS = dict(zip("「『《〈【（〔［｛“(", "」』》〉】）〕］｝”)", strict=True))
_BRACKET = re.compile(f"[{re.escape(''.join(_PAIRS) + ''.join(_PAIRS.values()))}]")
_CLAUSE = re.compile(r"[。！？；，、：;!?]|,(?=\s)|\s+")
_JOINED = re.compile(r"[\w.,．，:/@+-]")  # inside numbers, words, addresses
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_MODIFIER = re.compile("[\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef\u20e3]")


def chunk(document: Document, parsed: Parsed, count: TokenCounter = estimate, tokens: int = TOKENS) -> list[Passage]:
    """The passages of a document, in order, without gaps but white space and headings.

    A passage of a document with pages names its page in its source, ``manual.pdf#page=12`` (RFC 8118). A part of a
    table that does not show the table's header has its words at the end of its section path.
    """
    text = document.text
    passages = []
    for place, part in _spans(text, parsed, count, tokens):
        piece = text[part.start : part.end]
        path = (*place.section, part.header) if part.header else place.section
        passages.append(
            Passage(
                passage_id=f"{document.document_id}:{document.version[:8]}:{part.start}",
                text=piece,
                source=f"{document.source}#page={place.page}" if parsed.paged else document.source,
                document_id=document.document_id,
                title=parsed.title,
                section=JOIN.join(path),
                start=part.start,
                end=part.end,
                language=_language(piece, document.language),
                date=parsed.date or None,
            )
        )
    return passages


def _language(passage: str, document: str) -> str:
    """A passage's own language where it tells; Han characters alone do not, inside a Japanese document."""
    if document == "en" and (passage.isascii() or not _CJK_CHARACTER.search(passage)):
        return "en"  # what it could only be, without a look at every word of a large file
    own = detect(passage)
    return document if own == "und" or (document == "ja" and own.startswith("zh")) else own


@dataclass(frozen=True, slots=True)
class _Place:
    """What a passage must lie in, whole. ``page`` counts from 1; 0 in a document without pages."""

    section: tuple[str, ...]
    page: int


@dataclass(frozen=True, slots=True)
class _Part:
    """``text[start:end]``; ``header`` for rows of a table whose header is elsewhere. ``price`` in tokens, if known."""

    start: int
    end: int
    header: str = ""
    price: int | None = None


def _spans(text: str, parsed: Parsed, count: TokenCounter, tokens: int) -> Iterator[tuple[_Place, _Part]]:
    breaks = [m.start() for m in re.finditer(PAGE_BREAK, text)] if parsed.paged else []

    def place(block: Block) -> _Place:
        return _Place(block.section, bisect_right(breaks, block.start) + 1 if parsed.paged else 0)

    for where, under in groupby(parsed.blocks, key=place):
        parts = [part for block in under for part in _cut(text, block, count, tokens)]
        for part in _packed(text, parts, count, tokens):
            yield where, part


def _cut(text: str, block: Block, count: TokenCounter, tokens: int) -> list[_Part]:
    """The block as it is if it fits, in pieces that fit otherwise."""
    span = _trimmed(text, block.start, block.end)
    limit = tokens if block.kind is Kind.PROSE else WHOLE
    own = block.header if block.kind is Kind.ROW else ""
    price = count(text[span.start : span.end])
    if price <= limit:
        return [_Part(span.start, span.end, own, price)]
    if block.kind is Kind.PROSE:
        return _pieces(text, span, limit, count)
    rows = [row for line in _lines(text, span) for row in _fitting(text, line, limit, count)]
    parts = list(_packed(text, rows, count, tokens))
    headers = [own, *[block.header] * (len(parts) - 1)]
    return [_Part(part.start, part.end, header) for part, header in zip(parts, headers, strict=True)]


def _lines(text: str, span: Span | _Part) -> list[_Part]:
    found = re.finditer(r"[^\n]+", text[span.start : span.end])
    return [_Part(span.start + m.start(), span.start + m.end()) for m in found if m[0].strip()]


def _fitting(text: str, line: _Part, limit: int, count: TokenCounter) -> list[_Part]:
    """The line; in pieces if it alone is more than a passage may be, as in code that nobody was meant to read."""
    fits = count(text[line.start : line.end]) <= limit
    return [line] if fits else _pieces(text, line, limit, count)


def _pieces(text: str, span: Span | _Part, limit: int, count: TokenCounter) -> list[_Part]:
    return [_Part(span.start + p.start, span.start + p.end) for p in split(text[span.start : span.end], limit, count)]


def _packed(text: str, parts: Sequence[_Part], count: TokenCounter, tokens: int) -> Iterator[_Part]:
    """Neighbours joined while they fit; what they carry is what the first of them does."""
    first: _Part | None = None
    end = spent = 0
    for part in parts:
        price = (count(text[part.start : part.end]) if part.price is None else part.price) + 1  # and the line break
        if first and spent + price > tokens:
            yield _joined_part(text, first, end)
            first = None
        if not first:
            first, spent = part, 0
        end, spent = part.end, spent + price
    if first:
        yield _joined_part(text, first, end)


def _joined_part(text: str, first: _Part, end: int) -> _Part:
    span = _trimmed(text, first.start, end)
    return _Part(span.start, span.end, first.header)


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return Span(start + left, start + left + len(piece.strip()))


# ── prose that is too long ────────────────────────────────────────────────────────────────────────────────────────


def split(text: str, limit: int, count: TokenCounter = estimate) -> list[Span]:
    """Pieces of at most ``limit`` that together are the text, cut where it hurts least.

    After sentences; inside a sentence that is too long, after clauses; inside a clause, wherever nothing is torn
    apart: no number, word, bracketed title or character that is made of several.
    """
    pieces: list[tuple[Span, int]] = []
    for sentence in _sentences(text):
        pieces.extend(_within(text, sentence, limit, count))
    return list(_joined(pieces, limit))


def _sentences(text: str) -> list[Span]:
    """Sentences with the white space between them, so that nothing is lost; closing marks stay with what they close."""
    starts = [s.start for s in sentences(text)]
    cuts = [0, *(at for at in starts[1:] if _may_cut(text, at)), len(text)]
    depth = _unclosed(text, cuts[1:-1])
    kept = [0, *(at for at in cuts[1:-1] if not depth[at]), len(text)]
    return [Span(a, b) for a, b in pairwise(kept) if a < b]


def _within(text: str, span: Span, limit: int, count: TokenCounter) -> Iterator[tuple[Span, int]]:
    """The sentence with its price; one that is too long in pieces, each with its own."""
    price = count(text[span.start : span.end])
    if price <= limit:
        yield span, price
        return
    clauses = [m.end() for m in _CLAUSE.finditer(text, span.start, span.end)]
    depth = _unclosed(text[span.start : span.end], [at - span.start for at in clauses])
    safe = [at for at in clauses if at < span.end and _may_cut(text, at)]
    outside = [at for at in safe if not depth[at - span.start]]
    start = span.start
    while start < span.end:
        end = _furthest(text, start, span.end, limit, count)
        if end < span.end:
            end = _last(outside, start, end) or _last(safe, start, end) or _nearest_safe(text, start, end)
        yield Span(start, end), count(text[start:end])
        start = end


def _furthest(text: str, start: int, end: int, limit: int, count: TokenCounter) -> int:
    """The longest stretch from ``start`` that fits; at least one character. Counting is monotonic, so by halving."""
    if count(text[start : min(end, start + 8 * limit)]) > limit:
        end = min(end, start + 8 * limit)
    low, high = start + 1, end
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[start:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def _last(cuts: Sequence[int], start: int, end: int) -> int:
    """The last cut within reach that leaves at least a quarter of what would fit; 0 if there is none."""
    at = bisect_right(cuts, end) - 1
    return cuts[at] if at >= 0 and cuts[at] > start + (end - start) // 4 else 0


def _nearest_safe(text: str, start: int, end: int) -> int:
    for at in range(end, max(start, end - 60), -1):
        if _may_cut(text, at) and not (_JOINED.match(text[at]) and _JOINED.match(text[at - 1]) and text[at].isascii()):
            return at
    for at in range(end, max(start, end - 60), -1):
        if _may_cut(text, at):
            return at
    return end


def _may_cut(text: str, at: int) -> bool:
    """Not before a closing mark or a modifier, not after an opening mark, not inside a number."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if after in _CLOSING or before in _PAIRS or before == "\u200d" or _MODIFIER.match(after):
        return False
    return not (after.isdigit() and (before.isdigit() or (before in ".．,，" and at > 1 and text[at - 2].isdigit())))


def _unclosed(text: str, places: Sequence[int]) -> dict[int, bool]:
    """Whether each place is inside brackets or quotation marks; one that nothing closes within the text is none."""
    inside: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(text):
        at, c = match.start(), match[0]
        if c in _PAIRS:
            opened.append((_PAIRS[c], at))
        else:
            for depth in range(len(opened) - 1, max(-1, len(opened) - 8), -1):
                if opened[depth][0] == c:
                    inside.append((opened[depth][1], at))
                    del opened[depth:]
                    break
    covered = dict.fromkeys(places, False)
    spans = iter(sorted(inside))
    reach, following = -1, next(spans, None)
    for at in sorted(covered):
        while following and following[0] < at:
            reach = max(reach, following[1])
            following = next(spans, None)
        covered[at] = at <= reach
    return covered


def _joined(pieces: Sequence[tuple[Span, int]], limit: int) -> Iterator[Span]:
    start = end = spent = 0
    for piece, price in pieces:
        if end > start and spent + price > limit:
            yield Span(start, end)
            start, spent = piece.start, 0
        end, spent = piece.end, spent + price
    if end > start:
        yield Span(start, end)

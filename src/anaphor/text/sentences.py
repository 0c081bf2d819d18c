"""Sentences of a text, as spans in order; and which of them assert something.

A sentence ends at 。！？!?… with the closing marks that follow, at a period before a space, and at the end of a line; a
line of Latin text that is only wrapped goes on. Nothing ends inside 「」『』《》（） and their like, unless the
quotation is long; a quotation that itself ends in a stop may end the sentence (班长说：“先断电。”). Decimals,
addresses, abbreviations and list numbers do not end one. Without a stop the whole line is one sentence; each Markdown
item is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from anaphor.text.mood import Mood, mood
from anaphor.text.patterns import pattern
from anaphor.text.tokens import estimate
from anaphor.types import Span

_CLOSING = "”’」』》〉）)】〕］\\]｝}»\"'＂"
_MARKS = "。！？!?｡‼⁇⁈⁉"
_STOP = pattern(
    rf"[{_MARKS}][{_MARKS}…~～{_CLOSING}]*(?:[*_]{{1,3}}(?=\s|$))?|…+[{_CLOSING}]*|[.．]+[{_CLOSING}*_`]*|\n\s*"
)
_BRACKET = pattern("[「『《〈（(【〔［“」』》〉）)】〕］”\n]")
_CLOSES = dict(zip("」』》〉）)】〕］”", "「『《〈（(【〔［“", strict=True))
_QUOTING = frozenset("「『“")  # what is said in these may be a sentence; 《》 and （） never end one
_LONGEST_QUOTE = 200
_SHORTEST = 4  # tokens

_SHORTENED = (
    "mr mrs ms dr prof st mt ft vs cf e.g i.e al approx dept jr sr rev gen col capt lt sgt gov sen u.s u.k "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_ABBREVIATIONS = frozenset(_SHORTENED.split())
_BEFORE_NUMBERS = frozenset(("no", "nos", "fig", "figs", "eq", "sec", "ch", "vol", "pp", "p", "art"))
_BEFORE_ANYTHING = frozenset(("etc", "inc", "ltd", "co", "corp", "p.m", "a.m"))  # but a sentence may end with them
_LAST_WORD = pattern(r"(?<![A-Za-z.])[A-Za-z](?:[A-Za-z.]{0,12}[A-Za-z])?$")
_ITEM = pattern(r"[ \t]{0,12}(?:[-*+•・#>|]|\d{1,3}[.)、．]|[(（]\d{1,3}[)）]|[一二三四五六七八九十]{1,3}、|```|~~~)")
_NUMBER_IN_LINE = pattern(r"[:：.。;；!?！？]\s{0,2}\d{1,2}$")  # The steps: 1. Wedging. 2. Throwing.
_NUMBERED = pattern(
    r"[ \t*_#]{0,8}(?:[Rr]ule|[Aa]rticle|[Cc]lause|[Ss]ection|[Pp]aragraph|[Ss]tep)\s\d{1,3}$"
)  # Rule 3. Music …
_CONTINUES = pattern("[、，,；;：:とっ]")


def sentences(text: str) -> list[Span]:
    """In order, and together all of the text but the white space between them."""
    spans: list[Span] = []
    start = 0
    for end in [*_ends(text), len(text)]:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = start + len(piece.rstrip())
        if left < right:
            spans.append(Span(left, right))
        start = end
    return spans


def assertions(text: str) -> list[Span]:
    """The sentences that say that something is so: no questions, commands, hypotheticals, greetings or thanks."""
    return [span for span in sentences(text) if mood(text[span.start : span.end]) is Mood.ASSERTION]


def told_apart(text: str) -> list[Span]:
    """The sentences of a text of several, less those like "Yes." that tell nothing by themselves; else none."""
    found = [span for span in sentences(text) if estimate(text[span.start : span.end]) >= _SHORTEST]
    return found if len(found) > 1 else []


def _ends(text: str) -> Iterator[int]:
    quotes = _Quotes(text)
    for match in _STOP.finditer(text):
        start, end = match.span()
        mark = match[0][0]
        if mark == "\n":
            if not _wraps(text, start, end):
                yield end
        elif (
            (mark not in ".．" or _period_ends(text, start, end))
            and (mark not in "!?" or _ascii_ends(text, end))
            and not quotes.hold(start, end)
        ):
            yield end


def _period_ends(text: str, start: int, end: int) -> bool:
    """Before white space (．also before CJK); not after an abbreviation, an initial or the number of an item."""
    after = text[end : end + 1]
    if text[start] == "．":
        if after.isdecimal() or (after.isalnum() and after.isascii()):
            return False
    elif after and not after.isspace():
        return False
    elif text.startswith("..", start):
        return _capital_follows(text, end)
    line = text.rfind("\n", max(0, start - 20), start) + 1
    item = _ITEM.match(text, line, end) if line or start < 20 else None
    if item and item.end() > start:
        return False
    if _NUMBERED.match(text[line:start]):
        return False
    if _NUMBER_IN_LINE.search(text, max(0, start - 8), start):
        return False
    word = _LAST_WORD.search(text, max(0, start - 16), start)
    return not word or _word_ends(text, word[0], end)


def _word_ends(text: str, word: str, end: int) -> bool:
    known = word.lower()
    if known in _BEFORE_NUMBERS:
        return not text[end : end + 2].strip()[:1].isdecimal()
    if known in _BEFORE_ANYTHING:
        return _capital_follows(text, end)
    return known not in _ABBREVIATIONS and not (len(word) == 1 and word.isupper() and word != "I")


def _ascii_ends(text: str, end: int) -> bool:
    """A question or exclamation mark inside an address or a word (?q=1, Yahoo!JAPAN) ends nothing."""
    after = text[end : end + 1]
    if after.isspace() and text[end - 1] in "\"'”’" and not _capital_follows(text, end):
        return False  # "Hello!" he said
    return not (after.isascii() and after.isalnum()) and after not in ("=", "&", "/", "_", "-")


def _capital_follows(text: str, end: int) -> bool:
    return not text[end : end + 40].lstrip()[:1].islower()


def _wraps(text: str, start: int, end: int) -> bool:
    """Whether a line break only wraps a line of Latin text: a long line without a stop, and one that goes on."""
    if text.count("\n", start, end) > 1 or end >= len(text) or start - text.rfind("\n", 0, start) < 50:
        return False
    before, after = text[start - 1], text[end]
    latin = before.isascii() and after.isascii() and (before.isalnum() or before in ",;-)'\"`") and after.isalnum()
    return latin and not _ITEM.match(text, text.rfind("\n", start, end) + 1) and "|" not in text[start - 3 : start]


class _Quotes:
    """Where brackets are open. Only pairs that close on the same line count, and soon."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pairs = sorted(_pairs(text))
        self._at = 0

    def hold(self, start: int, end: int) -> bool:
        """Whether a stop at ``start`` (its closing marks up to ``end``) lies inside a pair. Asked in rising order."""
        while self._at < len(self._pairs) and self._pairs[self._at][1] < start:
            self._at += 1
        for opened, closed in self._pairs[self._at : self._at + _LONGEST_QUOTE]:
            if opened > start:
                return False
            if closed >= end:
                return True
            if closed > start and (self._text[opened] not in _QUOTING or _CONTINUES.match(self._text, end)):
                return True
        return False


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    open_at: list[int] = []
    for match in _BRACKET.finditer(text):
        mark = match[0]
        if mark == "\n":
            open_at.clear()
        elif mark not in _CLOSES:
            open_at = [*open_at[-7:], match.start()]
        elif any(text[at] == _CLOSES[mark] for at in open_at):
            while text[open_at[-1]] != _CLOSES[mark]:
                open_at.pop()
            opened = open_at.pop()
            if match.start() - opened <= _LONGEST_QUOTE:
                yield opened, match.start()

"""Terms of a text, for an index and for a query. This is the only place where text becomes terms.

Scheme, on text folded by the language of its document (``fold``):

- A run of Han characters and kana gives overlapping bigrams; a character alone gives itself. A change of script
  between those and Latin is a boundary: 报错E4413表示 has the term e4413.
- A Latin word gives its stem (``stem``). An identifier, number or address is kept whole (qx-20731, app.yaml, 3.5), and
  in parts too (qx, 20731), so that kvstore finds kvstore-7 and E44130 does not find E4413. 1,200 is 1200.
- An index also holds keys: each Han character (a query of one character finds it inside words), a short Latin run or
  number with the character beside it (室a, 10日), katakana words without long-vowel marks at the end (サーバー,
  サーバ), kanji with the okurigana between them removed (打ち合わせ and 打合せ share 打合), exact numbers in digits
  (兩萬五 → 25000).

A query asks for the same terms, with these differences. Bigrams and words that only carry grammar are left out as
long as others remain; Han characters are asked for one by one only where they stand alone. A query that is not known
to be Japanese may be meant for Chinese or Japanese documents, which fold differently (機械 is 机械 in one and 機械 in
the other): it asks for both forms, and for what other regions say (軟體, 软件). A query of nothing but filler has no
terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anaphor.text.characters import CJK, HAN, HIRAGANA, KATAKANA, LETTER
from anaphor.text.fold import fold, matching
from anaphor.text.function_words import EN
from anaphor.text.numbers import numbers
from anaphor.text.region_words import alternatives
from anaphor.text.stem import stem
from anaphor.text.words import (
    LATIN_RUN,
    OKURIGANA,
    Token,
    content_words,
    function_mask,
    names,
    reads_as_japanese,
    words,
)

__all__ = ["Token", "content_words", "index_terms", "names", "query_terms", "segment", "words"]

Piece = tuple[str, int, int]  # term, start, end in the folded text

_RUN = re.compile(f"(?P<cjk>[{CJK}]+)|{LATIN_RUN}")
_PART = re.compile(r"[^\W_]+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+")
_HAN_RUN = re.compile(f"[{HAN}]{{2,}}")
_HAN = re.compile(f"[{HAN}]")
_CJK = re.compile(f"[{CJK}]")
_HIRAGANA = re.compile(f"[{HIRAGANA}]")
_SHORT = f"(?:{LETTER}{{1,2}}|[0-9]{{1,6}})"
_GLUED = re.compile(
    f"(?=(?P<left>[{CJK}] ?{_SHORT})(?!{LETTER}))|(?<!{LETTER})(?<!{LETTER}[-.,/])(?P<right>{_SHORT} ?[{CJK}])"
)
_KATAKANA_WORD = re.compile(f"[{KATAKANA}]{{3,}}")
_SPELLED_OUT = re.compile(f"(?<=[{HAN}]){OKURIGANA}(?=[{HAN}])")
_SMALL_KANA = str.maketrans("ァィゥェォャュョヮ", "アイウエオヤユヨワ")


def segment(text: str, language: str = "und") -> Iterator[Token]:
    """Bigrams, words, and identifiers whole and in parts, with where each stands in the source."""
    folded = fold(text, language)
    for term, start, end in _terms(folded.text):
        span = folded.source(start, end)
        yield Token(term, span.start, span.end)


def index_terms(text: str, language: str = "und") -> list[str]:
    """What an index keeps for the text, in no particular order, as often as it occurs."""
    folded = matching(text, language)
    terms = [term for term, _, _ in _terms(folded)]
    terms += [character for run in _HAN_RUN.findall(folded) for character in run]
    terms += _keys(text, folded, language)
    return terms


def query_terms(text: str, language: str = "und") -> list[str]:
    """What an index is asked for: each term once, those of the text itself first."""
    if language != "ja" and reads_as_japanese(text, "und"):
        language = "ja"
    folded = matching(text, language)
    mask = function_mask(folded, language)
    terms = _asked(folded, mask) + _keys(text, folded, language)
    if language != "ja" and _HAN.search(folded):
        terms += _asked(matching(text, "ja"), mask)
        terms += [term for word in alternatives(folded) for term, _, _ in _terms(word)]
    content = [term for term in terms if term not in EN]
    return list(dict.fromkeys(content or terms))


def _asked(folded: str, mask: list[int]) -> list[str]:
    """Terms with a character of content in them, and Han characters that stand alone between function words."""
    terms = [term for term, start, end in _terms(folded) if not all(mask[start:end]) and not _HIRAGANA.fullmatch(term)]
    for match in _HAN.finditer(folded):
        at = match.start()
        neighbours = [n for n in (at - 1, at + 1) if 0 <= n < len(folded) and _CJK.match(folded[n])]
        if not mask[at] and all(mask[n] for n in neighbours):
            terms.append(match[0])
    return terms


def _terms(folded: str) -> Iterator[Piece]:
    for match in _RUN.finditer(folded):
        start, end = match.span()
        if match["cjk"]:
            if end - start == 1:
                yield match[0], start, end
            for at in range(start, end - 1):
                yield folded[at : at + 2], at, at + 2
        else:
            yield from _latin(match[0], start)


def _latin(run: str, start: int) -> Iterator[Piece]:
    end = start + len(run)
    if _GROUPED.fullmatch(run):
        yield run.replace(",", ""), start, end
        return
    whole = stem(run)
    yield whole, start, end
    parts = list(_PART.finditer(run))
    if len(parts) > 1 or parts[0][0] != run:
        for part in parts:
            term = stem(part[0])
            if term not in (whole, "s"):
                yield term, start + part.start(), start + part.end()


def _keys(text: str, folded: str, language: str) -> list[str]:
    """What has one more spelling than the text shows; the same for index and query."""
    keys = []
    for match in _GLUED.finditer(folded):
        keys += [glued.replace(" ", "") for glued in match.groups() if glued]
    for word in _KATAKANA_WORD.findall(folded):
        keys.append(word.rstrip("ー").translate(_SMALL_KANA))
    if reads_as_japanese(folded, language):
        keys += [folded[m.start() - 1] + folded[m.end()] for m in _SPELLED_OUT.finditer(folded)]
    keys += _in_digits(text, language)
    return keys


def _in_digits(text: str, language: str) -> Iterable[str]:
    for number in numbers(text, language):
        if isinstance(number.value, int) and number.value >= 10 and not number.surface.isascii():
            yield str(number.value)

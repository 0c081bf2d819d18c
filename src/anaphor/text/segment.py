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

A text in another language (an English page that names 髙橋倉庫) is neither Chinese nor Japanese: it is found by the
folded forms of both.

A query asks for the same terms, with these differences. Bigrams and words that only carry grammar are left out as
long as others remain; Han characters are asked for one by one only where they stand alone. A query that is not known
to be Japanese may be meant for Chinese or Japanese documents, which fold differently (機械 is 机械 in one and 機械 in
the other): it asks for both forms, and, at a lower weight, for what other regions say (軟體, 软件). A query of nothing
but filler has no terms.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator

from anaphor.text.characters import CJK, HAN, HIRAGANA, KATAKANA
from anaphor.text.fold import fold, matching
from anaphor.text.function_words import EN
from anaphor.text.numbers import in_digits
from anaphor.text.patterns import pattern
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

_RUN = pattern(f"(?P<cjk>[{CJK}]+)|(?P<latin>{LATIN_RUN})")
_PART = pattern(r"[^\W_]+")
_GROUPED = pattern(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d\d?:\d\d(?::\d\d)?")
_HAN_RUN = pattern(f"[{HAN}]+")
_HAN = pattern(f"[{HAN}]")
_CJK = pattern(f"[{CJK}]")
_HIRAGANA = pattern(f"[{HIRAGANA}]")
_LATIN = pattern(LATIN_RUN)
_BARE_NUMBER = pattern("[0-9]{1,6}")
_KATAKANA_WORD = pattern(f"[{KATAKANA}]{{3,}}")
_SPELLED_OUT = pattern(f"(?<=[{HAN}]){OKURIGANA}(?=[{HAN}])")
_SMALL_KANA = str.maketrans("ァィゥェォャュョヮ", "アイウエオヤユヨワ")

ELSEWHERE = 0.8
"""What a term weighs that another region would say: the person said their own word."""


def segment(text: str, language: str = "und") -> Iterator[Token]:
    """Bigrams, words, and identifiers whole and in parts, with where each stands in the source."""
    if text.isascii() and "\0" not in text:  # nothing moves
        yield from (Token(term, start, end) for term, start, end in _terms(text.lower()))
        return
    folded = fold(text, _readings(text, language)[0])
    for term, start, end in _terms(folded.text):
        span = folded.source(start, end)
        yield Token(term, span.start, span.end)


def index_terms(text: str, language: str = "und") -> list[str]:
    """What an index keeps for the text, in no particular order, as often as it occurs."""
    own, *other = _readings(text, language)
    terms = _indexed(text, own)
    if other:
        known = frozenset(terms)
        terms += [term for term in _indexed(text, *other) if term not in known]
    return terms


def _readings(text: str, language: str) -> tuple[str, ...]:
    """The languages by which a text is folded: its own; Japanese besides where Han characters may be either's."""
    if language == "ja" or language.startswith("zh") or text.isascii():
        return (language,)
    if language == "und" and reads_as_japanese(text, language):
        return ("ja",)
    return (language, "ja") if _HAN.search(text) else (language,)


def _indexed(text: str, language: str) -> list[str]:
    folded = matching(text, language)
    terms: list[str] = []
    for cjk, latin in _RUN.findall(folded):
        if latin:
            terms += _latin(latin)
        else:
            terms += map(operator.add, cjk, cjk[1:]) if len(cjk) > 1 else cjk
    if not folded.isascii():
        terms += "".join(_HAN_RUN.findall(folded))  # one by one
        terms += _keys(text, folded, language)
    return terms


def query_terms(text: str, language: str = "und") -> dict[str, float]:
    """What an index is asked for, each term with its weight (1 for what the text says); those of the text first."""
    if language != "ja" and reads_as_japanese(text, "und"):
        language = "ja"
    folded = matching(text, language)
    mask = function_mask(folded, language)
    terms = dict.fromkeys(_asked(folded, mask) + _keys(text, folded, language), 1.0)
    if language != "ja" and _HAN.search(folded):
        terms |= dict.fromkeys(_asked(matching(text, "ja"), mask), 1.0)
        for word in alternatives(folded):
            for term, _, _ in _terms(word):
                terms.setdefault(term, ELSEWHERE)
    return {term: weight for term, weight in terms.items() if term not in EN} or terms


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
        if match["latin"]:
            yield from ((term, start + at, start + to) for term, at, to in _latin_pieces(match[0]))
        elif end - start == 1:
            yield match[0], start, end
        else:
            yield from ((folded[at : at + 2], at, at + 2) for at in range(start, end - 1))


@functools.lru_cache(maxsize=65536)
def _latin(run: str) -> tuple[str, ...]:
    return tuple(term for term, _, _ in _latin_pieces(run))


def _latin_pieces(run: str) -> Iterator[Piece]:
    """A word's stem; a number without separators, a time of day; an identifier whole, then its parts."""
    if _GROUPED.fullmatch(run):
        yield run.replace(",", ""), 0, len(run)
        return
    whole = stem(run)
    yield whole, 0, len(run)
    if run.isalnum():
        return
    for part in _PART.finditer(run):
        term = stem(part[0])
        if term not in (whole, "s"):
            yield term, *part.span()


def _keys(text: str, folded: str, language: str) -> list[str]:
    """What has one more spelling than the text shows; the same for index and query."""
    keys = [key for run in _LATIN.finditer(folded) for key in _glued(folded, *run.span())]
    keys += [word.rstrip("ー").translate(_SMALL_KANA) for word in _KATAKANA_WORD.findall(folded)]
    if reads_as_japanese(folded, language):
        keys += [folded[m.start() - 1] + folded[m.end()] for m in _SPELLED_OUT.finditer(folded)]
    return keys + in_digits(text, language)


def _glued(folded: str, start: int, end: int) -> Iterator[str]:
    """A short run with the CJK character on either side: 室a, 10日. One space between them does not matter."""
    run = folded[start:end]
    if len(run) > 2 and not _BARE_NUMBER.fullmatch(run):
        return
    before = folded[max(0, start - 2) : start].rstrip(" ")[-1:]
    after = folded[end : end + 2].lstrip(" ")[:1]
    if _CJK.match(before):
        yield before + run
    if _CJK.match(after):
        yield run + after

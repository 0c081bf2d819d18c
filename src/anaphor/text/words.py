"""Words of a text for people: what is shown, carried over and compared by its meaning, each with its place in the
source.

There is no dictionary. Latin words and identifiers are words; so are runs of katakana. Chinese is cut at function
words, except inside the words of content listed in ``function_words.ZH_BOUND``. Japanese comes apart by script: kanji
with the okurigana between and after them (申し込み書, 引っ越し) stay together, hiragana is cut at function words.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from anaphor.text.characters import CJK, HAN, HIRAGANA, KATAKANA, LETTER
from anaphor.text.fold import Folded, fold, matching
from anaphor.text.function_words import EN, JA, ZH, ZH_BOUND
from anaphor.text.patterns import pattern


@dataclass(frozen=True, slots=True)
class Token:
    """``term`` is folded; ``start`` and ``end`` are offsets in the source."""

    term: str
    start: int
    end: int


# A Latin word or an identifier with its inner marks: kvstore-7, app.yaml, user's, 1,200, https://a.b/c, C++.
LATIN_RUN = f"{LETTER}+(?:(?:://|[-_./:@'+#&=?%]|(?<=[0-9]),(?=[0-9])){LETTER}+)*(?:\\+\\+|#(?!\\w))?"

_HAS_KANA = pattern(f"[{HIRAGANA}{KATAKANA}]")
# Okurigana: hiragana between two kanji that only spell out the first one (打ち合わせ, 引っ越し, 申し込み書).
OKURIGANA = (
    "(?:[いきしちみりぎじびえけせてめれげべっ]|[かさたならわがばもま][いきしちみりえけせてめれげべ]|"
    "[っん][てで](?=[見来]))"
)
_PIECE = pattern(
    f"(?P<han>[{HAN}{KATAKANA}]+(?:{OKURIGANA}[{HAN}][{HAN}{KATAKANA}]*)*)|(?P<hiragana>[{HIRAGANA}]+)|"
    f"(?P<latin>{LATIN_RUN})"
)
_TAIL = pattern("[いきしちみりぎじえけせてめれげべ](?=[はがをにのでともやへか]|(?![ぁ-ゖ]))")


def reads_as_japanese(text: str, language: str) -> bool:
    """Whether the text is cut as Japanese: it is said to be, or nothing is said and it has kana."""
    return language == "ja" or (language == "und" and bool(_HAS_KANA.search(text)))


def words(text: str, language: str = "und") -> list[Token]:
    """All words in order, function words included; marks and spaces left out."""
    folded = fold(text, language)
    return [_token(folded, start, end) for start, end, _ in _cut(folded.text, language)]


def content_words(text: str, language: str = "und") -> list[Token]:
    """Words less function words, question words and courtesy; a capitalised name of several words is one."""
    folded = fold(text, language)
    found = [
        _token(folded, start, end)
        for start, end, functional in _cut(folded.text, language)
        if not functional and folded.text[start:end] not in EN
    ]
    return _joined(folded, found, _capitalised(text))


def _token(folded: Folded, start: int, end: int) -> Token:
    span = folded.source(start, end)
    return Token(folded.text[start:end], span.start, span.end)


def _joined(folded: Folded, found: list[Token], spans: list[tuple[int, int]]) -> list[Token]:
    """Tokens inside one of the spans become one token."""
    out: list[Token] = []
    spans = [(start, end) for start, end in spans if " " in folded.original[start:end]]
    at = 0
    for token in found:
        while at < len(spans) and spans[at][1] <= token.start:
            at += 1
        inside = at < len(spans) and spans[at][0] <= token.start and token.end <= spans[at][1]
        if inside and out and out[-1].start >= spans[at][0]:
            start = out.pop().start
            out.append(Token(matching(folded.original[start : token.end]), start, token.end))
        else:
            out.append(token)
    return out


def _cut(folded: str, language: str) -> list[tuple[int, int, bool]]:
    """Pieces (start, end, whether it is a function word) of a folded text."""
    mask = function_mask(folded, language)
    pieces: list[tuple[int, int, bool]] = []
    for match in _PIECE.finditer(folded):
        start, end = match.span()
        if match["latin"]:
            if pieces and _glues(pieces[-1], start, end):
                pieces[-1] = (pieces[-1][0], end, False)
            else:
                pieces.append((start, end, match[0] in EN))
        elif match["hiragana"]:
            pieces.extend(_hiragana(folded, start, end, mask, pieces))
        else:
            counted = bool(pieces) and pieces[-1][1] == start and folded[start - 1].isdecimal()
            for stretch in _stretches(start, end, mask):
                if counted and stretch[0] == start and not stretch[2]:
                    pieces[-1] = (pieces[-1][0], stretch[1], False)  # 3樓會議室, 民國113年
                else:
                    pieces.append(stretch if language == "ja" else _without_auxiliary(folded, stretch))
    return pieces


# A modal verb sticks to what it governs (會開放, 火車要), but belongs to 會議 and 摘要.
_LEADING = pattern("[会能要想](?![议员计长场馆所客费话面谈期报源力量见耗效求点素件害法象])(?=..)")
_TRAILING = pattern("(?<=..)(?<![主重需摘概提纪首必简只])要$")


def _without_auxiliary(folded: str, piece: tuple[int, int, bool]) -> tuple[int, int, bool]:
    start, end, functional = piece
    if functional:
        return piece
    word = folded[start:end]
    return start + bool(_LEADING.match(word)), end - bool(_TRAILING.search(word)), functional


def _glues(before: tuple[int, int, bool], start: int, end: int) -> bool:
    """會議室A, 第3: a short run directly after a word of content belongs to it."""
    return before[1] == start and not before[2] and end - start <= 3 and before[1] - before[0] <= 8


def _stretches(start: int, end: int, mask: list[int]) -> Iterator[tuple[int, int, bool]]:
    """Function words one by one (the mask numbers them), content between them whole."""
    at = start
    while at < end:
        stop = at + 1
        while stop < end and mask[stop] == mask[at]:
            stop += 1
        yield at, stop, mask[at] > 0
        at = stop


def _hiragana(
    folded: str, start: int, end: int, mask: list[int], before: list[tuple[int, int, bool]]
) -> Iterator[tuple[int, int, bool]]:
    """A run of hiragana: okurigana joins the kanji before it, function words stand alone, the rest may be content."""
    if before and before[-1][1] == start and not before[-1][2] and _TAIL.match(folded, start):
        kanji = before.pop()
        yield kanji[0], start + 1, False
        start += 1
    attached = bool(before) and before[-1][1] == start
    for at, stop, functional in _stretches(start, end, mask):
        if functional:
            yield at, stop, True
        elif not (attached and at == start) and stop - at > 1:
            yield at, stop, False


def function_mask(folded: str, language: str) -> list[int]:
    """For each character of a folded text the number (from 1) of the function word it is part of, or 0."""
    mask = [0] * len(folded)
    if reads_as_japanese(folded, language):
        found = _japanese_function_words(folded)
    elif re.search(f"[{HAN}]", folded):
        found = _chinese_function_words(folded)
    else:
        return mask
    for number, (start, end) in enumerate(found, 1):
        mask[start:end] = [number] * (end - start)
    return mask


def _chinese_function_words(folded: str) -> Iterator[tuple[int, int]]:
    for match in _chinese().finditer(folded):
        if match[0] in _zh_words():
            yield match.span()


@functools.cache
def _zh_words() -> frozenset[str]:
    return frozenset(map(matching, ZH))


@functools.cache
def _chinese() -> re.Pattern[str]:
    """Function words and bound words, the longest first."""
    known = _zh_words() | set(map(matching, ZH_BOUND))
    return re.compile("|".join(sorted(known, key=lambda w: (-len(w), w))))


def _japanese_function_words(folded: str) -> Iterator[tuple[int, int]]:
    """Longest first. Inside other hiragana (りんごの値段) a single character counts only where the word ends."""
    at = loose = 0  # loose: how many characters of such hiragana stand right before
    for match in _japanese().finditer(folded):
        start, end = match.span()
        if between := folded[at:start]:
            tail = len(between) - len(between.rstrip(_HIRAGANA))
            loose = loose + tail if tail == len(between) else tail
        if end - start == 1 and match[0] in _HIRAGANA:
            inside = loose > 0 or start == 0 or not folded[start - 1].isalnum()
            if inside and not (loose > 1 and _ends_word(folded, match[0], end)):
                at, loose = end, loose + 1
                continue
        at, loose = end, 0
        yield start, end


_HIRAGANA = "".join(map(chr, range(0x3041, 0x3097)))


def _ends_word(folded: str, character: str, end: int) -> bool:
    """A particle before a kanji, a mark or a longer function word: りんごの値段, はがきはどこで."""
    if character not in "はがをにのでとへ":
        return False
    after = _japanese().match(folded, end)
    return folded[end : end + 1] not in _HIRAGANA or end == len(folded) or (after is not None and len(after[0]) > 1)


# Only where they stand alone: 期限はいつ has no はい.
_ALONE = frozenset(("はい", "いいえ", "ああ"))


@functools.cache
def _japanese() -> re.Pattern[str]:
    known = sorted({matching(word, "ja") for word in JA}, key=lambda w: (-len(w), w))
    return re.compile("|".join(rf"(?<!\w){word}(?!\w)" if word in _ALONE else word for word in known))


_QUOTED = pattern(
    r"「([^「」\n]{1,60})」|『([^『』\n]{1,60})』|《([^《》\n]{1,60})》|“([^“”\n]{1,60})”|\"([^\"\n]{1,60})\""
)
_NAME_PART = r"[\w'’&-]*(?:\.(?=\w)[\w'’&-]+)*"
_CAPITALISED = pattern(
    rf"\b[A-Z]{_NAME_PART}(?:[ \u00a0](?:(?:of|the|de|la|von|van|and|for|&) ){{0,2}}[A-Z0-9]{_NAME_PART}){{0,8}}", re.A
)
_IDENTIFIER = pattern(
    r"(?<![\w-])(?=[\w./@:-]{0,80}[A-Za-z])(?=[\w./@:-]{0,80}[\d_./@:-][\w]|[a-z]+[A-Z])\w+(?:[-_./@:]\w+){0,12}", re.A
)
_KATAKANA_NAME = pattern("[\u30a1-\u30fa\u30fc][\u30a1-\u30fa\u30fc・]{0,40}[\u30a1-\u30fa\u30fc]")
_MIXED = pattern(f"[{CJK}][A-Za-z0-9]|[A-Za-z0-9][{CJK}]")
_SENTENCE_START = pattern(r"(?:^|[.!?。！？\n:：])[\s\"'“「]*$")


def names(text: str, language: str = "und") -> list[Token]:
    """Quoted spans, capitalised names, identifiers, katakana and mixed words (會議室A), none within another."""
    found = [m.span(m.lastindex or 0) for m in _QUOTED.finditer(text)]
    found += _capitalised(text)
    found += [m.span() for m in _IDENTIFIER.finditer(text)]
    found += [m.span() for m in _KATAKANA_NAME.finditer(text)]
    found += [(w.start, w.end) for w in content_words(text, language) if _MIXED.search(text[w.start : w.end])]
    return [Token(matching(text[start:end], language), start, end) for start, end in _outermost(found)]


def quoted(text: str, language: str = "und") -> list[str]:
    """What stands between quotation marks, folded."""
    return [matching(match[match.lastindex or 0], language) for match in _QUOTED.finditer(text)]


def _capitalised(text: str) -> list[tuple[int, int]]:
    """Capitalised words in a row, less a function word in front; not one alone at the start of a sentence."""
    found = []
    for match in _CAPITALISED.finditer(text):
        start, end = match.span()
        first = re.match(r"[\w'’]+ ?", text[start:end])
        if first and first[0].strip().lower() in EN:
            start += first.end()
        alone = " " not in text[start:end] and text[start + 1 : end].islower()
        if start + 1 < end and not (alone and _SENTENCE_START.search(text[max(0, start - 8) : start])):
            found.append((start, end))
    return found


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, each span that lies in no other; of two that overlap, the earlier."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda s: (s[0], -s[1])):
        if start < end and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept

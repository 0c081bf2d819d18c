"""Exact quantities in a text, as numbers: 1,200 and 一千二 and １２００ are one value.

Covered: digits with separators and full width; Chinese and Japanese numerals, mixed with digits too (1億2000万),
formal ones (壹貳參, 廿), and the spoken kind that leaves the last unit out (兩萬五 is 25000, 兩萬零五 is 20005;
Japanese has no such kind); years of an era (民國113年, 令和6年, 二〇二四年); percentages, 三成, 三割, 三分之一; prices
(八折 is ×0.8); English words from two on.

Not numbers: what is not exact (兩三天, 數十萬, 三十多人, 三年半), words that merely contain a numeral (萬一, 三國,
十分, 千葉, 星期三), and digits of identifiers (E4413, v1.2.3). One numeral character counts only before a counter
(三天).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from anaphor.text.patterns import pattern


@dataclass(frozen=True, slots=True)
class Number:
    """``surface`` is ``text[start:end]``. ``kind``: integer, decimal, year, ratio, price_factor.

    ``value`` is an int where it is whole, else the float nearest to the exact value: equal quantities are equal.
    """

    value: int | float
    start: int
    end: int
    kind: str
    surface: str


Exact = tuple[Fraction, str]  # value and kind

_DIGIT = {
    character: value
    for value, characters in enumerate(
        ("〇零", "一壹壱", "二貳贰弐兩两", "三參叁叄参", "四肆", "五伍", "六陸陆", "七柒", "八捌", "九玖")
    )
    for character in characters
}
_FORMAL = frozenset("壹壱貳贰弐參参叁叄肆伍陸陆柒捌玖")  # written for nothing but numbers, where two stand together
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"萬": 10**4, "万": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
_SHORT = {"廿": 20, "卅": 30}
_ERA = {"民國": 1911, "民国": 1911, "令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
_ERA |= {"西元": 0, "公元": 0, "西暦": 0}

_D, _H = "[0-9０-９]", "".join(_DIGIT)
_UNIT = "".join((*_SMALL, *_LARGE))
_ARABIC = rf"(?:{_D}{{1,3}}(?:[,，]{_D}{{3}})+(?!{_D})|{_D}+)(?:[.．]{_D}+)?"
_MIXED = rf"{_ARABIC}(?: ?[{_UNIT}]{{1,4}}(?:{_D}{{1,8}}[{_UNIT}]{{1,4}})*(?:{_D}{{1,8}})?)?"
_HAN = rf"[{_H}{_UNIT}廿卅]+(?:[點点][{_H}]+(?![分十时時]))?"

_STARTS = pattern(rf"[0-9０-９{_H}{_UNIT}廿卅]|" + "|".join(f"{era}(?=[ 0-9０-９元{_H}{_UNIT}廿卅])" for era in _ERA))
_ERA_NAME = pattern("|".join(_ERA))
_NUMERAL = pattern(f"(?:{_MIXED}|{_HAN})")
_SUFFIX = pattern(
    r" ?年(?P<year>)|分[之の](?P<fraction>)| ?(?:[%％]|パーセント|percent\b|per cent\b)(?P<percent>)"
    rf"|(?:成|割)(?:(?P<hundredths>[{_H}])(?![{_UNIT}])分?)?(?P<tenths>)(?![長长為为功立員员本果就人語语交品熟])"
    r"|折(?P<price>)(?![疊叠磨騰腾返])| ?(?P<scale>thousand|million|billion|trillion)\b"
)
# What a single numeral character counts. After 一 fewer: 一個, 一次, 一種 are rarely the number one.
_UNITS_OF_MEASURE = "天日年月週周號号元塊块円圓歲岁歳樓楼層层階阶張张台臺本位名件份間间頁页人"
_MORE_UNITS = (
    "點点時时秒個个冊册次回倍級级期章節节條条項项種种組组隻只頭头匹輛辆艘架家戶户棟栋段趟顆颗粒片瓶杯箱盒包袋"
    "雙双套斤吋坪度枚番泊社校店つ才"
)
_LONG_UNITS = (
    "分[鐘钟]|公[里斤尺分升噸吨]|小[時时]|丁目|星期|禮拜|礼拜|世[紀纪]|[ヶか箇カヵケ][月所国國]|[週時分]間|年[級级]"
)
_COUNTER_OF_ONE = pattern(f" ?(?:[{_UNITS_OF_MEASURE}]|{_LONG_UNITS})")
_COUNTER = pattern(f" ?(?:[{_UNITS_OF_MEASURE}{_MORE_UNITS}]|{_LONG_UNITS})")
_CURRENCY = pattern(" ?[元円圓塊块]")

# Words that hold a numeral and no quantity. 十分 is one unless minutes are meant.
_WORDS = pattern(
    "[萬万]一|千[萬万](?![元円圓人])|三[國国](?![人公])|十分(?![鐘钟間前後后之〇零一二三四五六七八九十])|十[足字全]|"
    "五十嵐|八百[屋長]|八千代|百合|千[葉叶歳代]|九份|[三六][張张]犁|三明治|[二三]次元|五[台臺]山|六本木|四日市|"
    "三日月|二日酔|五月雨|十八番|[參参][天加考照與与數数見见觀观訪访謀谋選选戰战議议賽赛半閱阅拜]"
)
_ABOUT_BEFORE = pattern("[數数幾几何好上成近]$")  # 數十, 近百: before a unit only
_WEEKDAY_BEFORE = pattern("(?:星期|禮拜|礼拜|[週周])$")
_ABOUT_AFTER = pattern(f" ?(?:[多餘余幾几数]|[來来](?=[個个歲岁天年人])|[{_UNITS_OF_MEASURE}{_MORE_UNITS}]半)")
_IDENTIFIER_BEFORE = pattern(r"(?:[A-Za-z_][\w.-]{0,40}|[0-9][.．])$", re.A)


def numbers(text: str, language: str = "und") -> list[Number]:
    """Exact quantities in the order of the text. ``language`` decides only whether 二万五 is spoken for 25000."""
    found = [*_in_figures(text, spoken=language != "ja"), *_in_english(text)]
    return [
        Number(int(value) if value.denominator == 1 else float(value), start, end, kind, text[start:end])
        for (value, kind), start, end in sorted(found, key=lambda part: part[1])
    ]


def counted(text: str, language: str = "und") -> list[Number]:
    """The same, and the small numbers that may be none, for who knows that something is counted: no, one, 一盆."""
    found = numbers(text, language)
    small = (
        Number(_ONE[match[0].lower()], match.start(), match.end(), "integer", match[0])
        for match in _COUNTED_ONE.finditer(text)
        if not any(number.start < match.end() and match.start() < number.end for number in found)
    )
    return sorted([*found, *small], key=lambda number: number.start)


def in_digits(text: str, language: str = "und") -> list[str]:
    """Whole numbers from ten on that are written otherwise, in plain digits: 兩萬五 → 25000. For the index only."""
    if text.isascii():
        return []
    return [
        str(value)
        for (value, _), start, end in _in_figures(text, spoken=language != "ja")
        if value.denominator == 1 and value >= 10 and not text[start:end].isascii()
    ]


def _in_figures(text: str, *, spoken: bool) -> Iterator[tuple[Exact, int, int]]:
    at = 0
    while found := _STARTS.search(text, at):
        start = found.start()
        if skipped := _WORDS.match(text, start) or _IDLE.match(text, start):
            at = skipped.end()
            continue
        exact, at = _quantity(text, start, spoken)
        if exact and exact[0] < 10**60 and not _is_part(text, start, at):
            yield exact, start, at


# The commonest case by far, told apart early: one numeral character before nothing that it counts or that changes it.
_CHANGED_BY = f"0-9０-９{_H}{_UNIT}廿卅點点{_UNITS_OF_MEASURE}{_MORE_UNITS}%％分成割折公小丁星禮礼世ヶか箇カヵケパp"
_IDLE = pattern(rf"[{_H}{_UNIT}](?! ?[{_CHANGED_BY}])")


def _is_part(text: str, start: int, end: int) -> bool:
    """Of an identifier, a version, an address; or of something inexact."""
    if _ABOUT_AFTER.match(text, end):
        return True
    if not text[start].isascii():
        about = text[start] in _UNIT and _ABOUT_BEFORE.search(text, max(0, start - 1), start)
        return bool(about or _WEEKDAY_BEFORE.search(text, max(0, start - 2), start))
    follows = text[end : end + 1] == "." and text[end + 1 : end + 2].isdecimal()
    return follows or bool(_IDENTIFIER_BEFORE.search(text, max(0, start - 42), start))


def _quantity(text: str, start: int, spoken: bool) -> tuple[Exact | None, int]:
    """What begins at ``start``, if it is exact, and where it ends."""
    era = _ERA_NAME.match(text, start)
    begin = era.end() + text.startswith(" ", era.end()) if era else start
    if era and text.startswith("元年", begin):
        return (Fraction(_ERA[era[0]] + 1), "year"), begin + 2
    numeral = _NUMERAL.match(text, begin)
    if not numeral or numeral.end() - begin > 60:
        return None, numeral.end() if numeral else begin
    surface, end = numeral[0], numeral.end()
    value = _value(surface, spoken)
    suffix = _SUFFIX.match(text, end)
    if era and value is not None and suffix and suffix["year"] is not None:
        return (value + _ERA[era[0]], "year"), suffix.end()
    if suffix and value is not None and (read := _with_suffix(surface, value, suffix, spoken)):
        return read
    if value is None or not _counts(surface, text, end):
        return None, end
    return (value, "integer" if value.denominator == 1 else "decimal"), end


def _with_suffix(surface: str, value: Fraction, suffix: re.Match[str], spoken: bool) -> tuple[Exact, int] | None:
    """A numeral together with what follows it, if that changes what it says."""
    end = suffix.end()
    if suffix["year"] is not None:
        four = len(surface) == 4 and (_has_figures(surface) or set(surface) <= _DIGIT.keys())
        return ((value, "year"), end) if four and 1000 <= value < 3000 else None
    if suffix["fraction"] is not None:
        above = _NUMERAL.match(suffix.string, end)
        part = _value(above[0], spoken) if above else None
        below = Fraction(100) if surface == "百" else value
        return ((part / below, "ratio"), above.end()) if above and part is not None and below else None
    if suffix["percent"] is not None:
        return (value / 100, "ratio"), end
    if suffix["tenths"] is not None:
        return ((value + Fraction(_DIGIT.get(suffix["hundredths"], 0), 10)) / 10, "ratio"), end
    if suffix["price"] is not None:
        return ((value / (10 if value < 10 else 100), "price_factor"), end) if 0 < value < 100 else None
    return (value * _MAGNITUDE[suffix["scale"]], "integer"), end


def _counts(surface: str, text: str, end: int) -> bool:
    """Whether a numeral by itself is a quantity, seen what follows."""
    if _has_figures(surface):
        return True
    if not any(character in _DIGIT or character in _SHORT for character in surface):
        # Units alone: ten of something, and a hundred or a thousand of money (千円).
        return (surface in "十拾" and _COUNTER.match(text, end) is not None) or (
            _CURRENCY.match(text, end) is not None or (surface[0] in "十拾" and len(surface) > 1)
        )
    if len(surface) == 1:
        counter = _COUNTER_OF_ONE if surface == "一" else _COUNTER
        return surface in _SHORT or counter.match(text, end) is not None
    return not set(surface) <= _DIGIT.keys() or _is_spelled_out(surface, text, end)


def _is_spelled_out(surface: str, text: str, end: int) -> bool:
    """Digits without units: 二〇二四, 一一九號. Two neighbours are a guess (兩三天, 七八個)."""
    return (
        len(surface) > 3
        or "〇" in surface[1:]
        or "零" in surface[1:]
        or set(surface) <= _FORMAL
        or (len(surface) == 3 and _COUNTER.match(text, end) is not None)
    )


def _has_figures(surface: str) -> bool:
    return surface[0].isdecimal()


_TOKEN = pattern(rf"(?P<figures>{_ARABIC})|(?P<character>[{_H}{_UNIT}廿卅])")


def _value(surface: str, spoken: bool) -> Fraction | None:
    """The value of a numeral; ``None`` where digits and units do not make one (七八十)."""
    if surface.isdecimal():
        return Fraction(int(surface))
    surface, _, decimals = surface.replace("点", "點").partition("點")
    if all(character in _DIGIT for character in surface) and surface:
        whole: Fraction | None = Fraction(int("".join(str(_DIGIT[c]) for c in surface)))
    else:
        whole = _with_units(list(_TOKEN.finditer(surface)), spoken)
    if whole is None or not decimals:
        return whole
    return whole + Fraction(int("".join(str(_DIGIT[c]) for c in decimals)), 10 ** len(decimals))


def _with_units(tokens: list[re.Match[str]], spoken: bool) -> Fraction | None:
    total = section = Fraction(0)
    current: Fraction | None = None  # a digit that waits for its unit
    small, large, unit = 10**4, 10**60, 1  # the last units: they must fall
    zero = False
    for token in tokens:
        character = token["character"] or ""
        if character in _SMALL:
            if _SMALL[character] >= small:
                return None
            unit = small = _SMALL[character]
            section += (1 if current is None else current) * small
            current, zero = None, False
        elif character in _LARGE:
            section += current or 0
            if _LARGE[character] >= large or not section:
                return None
            unit = large = _LARGE[character]
            total, section, current, small, zero = total + section * large, Fraction(0), None, 10**4, False
        elif current is not None:
            return None
        elif character in _SHORT:
            section, small, unit = section + _SHORT[character], 10, 10
        elif _DIGIT.get(character) == 0:
            zero = True
        else:
            current = Fraction(_DIGIT[character]) if character else _figures(token["figures"])
    if current is not None and spoken and unit >= 100 and not zero and len(tokens[-1][0]) == 1:
        current *= unit // 10
    return total + section + (current or 0)


def _figures(surface: str) -> Fraction:
    return Fraction("".join("." if c in ".．" else str(int(c)) for c in surface if c not in ",，"))


_MAGNITUDE = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORD = {word: value for value, word in enumerate(f"{_ONES} eighteen nineteen".split(), 1)}
_WORD |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_ENGLISH = pattern(
    rf"\b(?P<ones>{'|'.join(sorted(set(_WORD) - {'one'}))}|one(?= (?:hundred|thousand|million|billion)\b))"
    rf"(?:-(?P<more>{'|'.join(list(_WORD)[:9])}))?(?: (?P<scale>hundred|thousand|million|billion))?"
    r"(?P<percent> per ?cent)?\b",
    re.I,
)


def _in_english(text: str) -> Iterator[tuple[Exact, int, int]]:
    for match in _ENGLISH.finditer(text):
        value = _WORD[match["ones"].lower()] + _WORD.get((match["more"] or "").lower(), 0)
        exact = Fraction(value * _MAGNITUDE.get((match["scale"] or "").lower(), 1))
        yield ((exact / 100, "ratio") if match["percent"] else (exact, "integer")), *match.span()


_ONE: dict[str, int] = {"no": 0, **_DIGIT, "十": 10, **{word: _WORD[word] for word in _ONES.split()[:12]}}
_COUNTED_ONE = pattern(
    rf"(?i:\b(?:no|{'|'.join(_ONES.split()[:12])})\b)|[{_H}十](?=[{_UNITS_OF_MEASURE}{_MORE_UNITS}枝盆棵株鉢缸窝支粒把])"
)

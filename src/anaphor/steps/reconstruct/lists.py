"""Lists in what was said, and the words that count along them: the second one, 第二個, 後者, 2番目."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.seen import Seen, pattern
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread

_MARK = re.compile(
    r"^[ \t>]*(?:[-*•・●○▪◦‣–]|\(?\d{1,2}[.)、．）：:]|[①-⑳]|[（(]?[一二三四五六七八九十]{1,2}[、.)）．]"
    r"|\(?[a-eA-E][.)]|第[一二三四五六七八九十\d]+[、，:：項點個]|\*\*\d{1,2}[.)])\s*(?P<item>\S.*)$",
    re.MULTILINE,
)
_NUMBERED = r"(?:\(?\d[.)、）](?!\d)|[①-⑳]|[（(][一二三四五]\s?[)）])"
_INLINE = re.compile(rf"{_NUMBERED}\s*(?P<item>[^\n]{{1,200}}?)(?=\s*[,，;；、。]?\s*{_NUMBERED}|[。\n]|$)")
_HEAD_ENDS = re.compile(r"[：:，。；;（(\n]|、|\s[-–—]+\s|——| - |,\s|\.\s|\.$|(?:は|とは)(?=.{4})|が(?=.{6})")


@dataclass(frozen=True, slots=True)
class Listed:
    """Items in the order in which they were named, in one turn."""

    items: tuple[str, ...]
    seq: int


@dataclass(frozen=True, slots=True)
class Ordinal:
    """``index`` counts from 0; negative from the end. ``other`` asks for the one of two that was not talked about."""

    start: int
    end: int
    index: int
    pair: bool = False
    other: bool = False
    count: int = 1
    middle: bool = False


def items(answer: str) -> tuple[str, ...]:
    """The heads of a numbered or bulleted list, or of an inline one."""
    lines = [m["item"] for m in _MARK.finditer(answer)]
    if len(lines) < 2:
        lines = [m["item"] for m in _INLINE.finditer(answer)]
    heads = tuple(_head(line) for line in lines)
    return tuple(h for h in heads if h) if len(heads) > 1 else ()


def _head(line: str) -> str:
    """What an item is called, without what is said of it: 磐石備份：每週全量。"""
    line = re.sub(r"\[\d+\]", "", line.replace("**", "").replace("__", "").strip())
    end = _HEAD_ENDS.search(line, 1)
    if name := _name_at_once(line[: end.start()] if end else line):
        return name
    return line[: end.start()].strip(" .,，。;；") if end else line.strip(" .,，。;；")


def _name_at_once(item: str) -> str:
    """Maya Lin teaches yoga, 王老師教小提琴: whom an item begins with, of whom the rest is said."""
    found = phrases(item, "en" if item.isascii() else "zh") if len(item) <= ITEM_AT_MOST else ()
    first = found[0] if found and found[0].start == 0 else None
    if first is None or first.end == len(item) or not (first.kind == "person" or _TWO_NAMES.fullmatch(first.text)):
        return ""
    return first.text if not item.isascii() or item[first.end : first.end + 2].strip().islower() else ""


ITEM_AT_MOST = 120  # characters
_TWO_NAMES = re.compile(r"(?:Dr\. |Mr\. |Ms\. |Mrs\. )?[A-Z][a-z]+ [A-Z][a-z]+")


def ordinals(seen: Seen, language: str) -> list[Ordinal]:
    """The ordinal expressions of an utterance, in order."""
    matches = pattern(language, "ordinals").finditer(seen.unquoted())
    return [found for match in matches if (found := _ordinal(match, seen, language)) is not None]


_FIXED = {"former": 0, "first": 0, "latter": 1, "two": 1, "three": 2, "last": -1, "other": 0}
_BEFORE = re.compile(r"(?:\b(?:option|number|no\.?|choice|item|plan|point|step|method) |#|\bthe )$")


def _ordinal(match: re.Match[str], seen: Seen, language: str) -> Ordinal | None:
    groups = match.groupdict()
    start, end = match.span()
    if language == "en" and (before := _BEFORE.search(seen.text[:start])):
        start = before.start()
    for name, index in _FIXED.items():
        if groups.get(name):
            return Ordinal(start, end, index, pair=name in ("former", "latter", "other"), other=name == "other")
    if groups.get("middle"):
        return Ordinal(start, end, 0, middle=True)
    if groups.get("firsts") or groups.get("lasts"):
        several = 3 if re.search("three|三|3", match[0]) else 2
        return Ordinal(start, end, 0 if groups.get("firsts") else -several, count=several)
    return _counted(start, end, groups, language)


def _counted(start: int, end: int, groups: dict[str, str | None], language: str) -> Ordinal | None:
    numeral = groups.get("n") or groups.get("option") or ""
    numerals = table(language).numerals | table("en").numerals
    digits = re.match(r"\d+", numeral)
    n = int(digits[0]) if digits else numerals.get(numeral, 0)
    return Ordinal(start, end, n - 1) if n else None


def listed(thread: Thread) -> Listed | None:
    """The newest list of the thread's answers, or failing that of the person's own words."""
    for turn in reversed(thread.said):
        for text in (turn.answer, turn.question):
            if found := items(text) or (_named_in_a_row(text) if turn.answer_language == "ja" else _announced(text)):
                return Listed(found, turn.seq)
    for turn in reversed(thread.said):
        for spoken in (turn.answer_phrases, turn.topics):
            source = turn.answer if spoken is turn.answer_phrases else turn.standalone
            if (found := _enumerated(source, spoken)) and (len(found) > 2 or _are_choices(found, turn)):
                return Listed(found, turn.seq)
    return None


_ASKS_FOR_SEVERAL = re.compile(
    r"\b(?:which|options?|choices?|plans?|kinds|types|sorts|ways|(?:what|any) \w+s (?:are|do|does|can|is|have))\b"
)


def _are_choices(found: tuple[str, ...], turn: Said) -> bool:
    """A month and stores: two common nouns in passing are no list, unless several things were asked for."""
    if turn.language != "en" or any(item in turn.standalone for item in found) or all(i[:1].isupper() for i in found):
        return True
    return bool(_ASKS_FOR_SEVERAL.search(turn.standalone.casefold()))


def pair(thread: Thread) -> Listed | None:
    """The newest two things named side by side; the person's own wording of a turn before the answer's."""
    for turn in reversed(thread.said):
        if turn.language == "ja" and (kana := _KANA_PAIR.search(turn.standalone)):
            return Listed((kana["a"], kana["b"]), turn.seq)
        for source, spoken in ((turn.standalone, turn.topics), (turn.answer, turn.answer_phrases)):
            found = items(source) or _enumerated(source, spoken)
            if len(found) >= 2:
                return Listed(found[-2:] if len(found) > 2 else found, turn.seq)
    return None


_KANA_PAIR = re.compile(
    r"(?P<a>[ぁ-んー]{2,6})と(?P<b>[ぁ-んー]{2,6})(?=の(?:違い|差|比較|どちら|どっち|料金|値段))"
)  # のぞみとひかり
_AND = re.compile(
    r"\s*(?:、|和|跟|與|与|及|或|還是|还是|以及|と|や|か|または|もしくは|/"
    r"|,? ?\b(?:and|or|vs\.?|versus)\b(?: the| a| an)?)\s*"
)
_COMMA = re.compile(r"\s*[,，]\s*")


def _enumerated(source: str, spoken: tuple[Phrase, ...]) -> tuple[str, ...]:
    """Phrases with nothing between them but what joins an enumeration: A、B 和 C; A, B and C."""
    runs: list[list[Phrase]] = [[]]
    joined = False  # by more than a comma, which also parts clauses
    best: list[Phrase] = []
    for phrase in (p for p in spoken if p.kind not in ("number", "time")):
        between = source[runs[-1][-1].end : phrase.start] if runs[-1] else ""
        plain = bool(runs[-1]) and bool(_AND.fullmatch(between))
        if plain or (runs[-1] and _COMMA.fullmatch(between)):
            runs[-1].append(phrase)
            joined = joined or plain
            best = runs[-1] if joined and len(runs[-1]) > len(best) else best
        else:
            runs.append([phrase])
            joined = False
    return tuple(p.text for p in best)


_ANNOUNCED = re.compile(
    r"(?:^|[\s(])(?:two|three|four|five|six|seven|[2-7])(?: [\w-]+){0,4}: "
    r"(?P<row>(?:[^,:;.\n]{2,40},){0,6}[^,:;.\n]{2,40}?,? (?:and|or) [^,:;.\n]{2,40})",
    re.IGNORECASE,
)
_JOINTS = re.compile(r",? (?:and|or) |, ?", re.IGNORECASE)


def _announced(text: str) -> tuple[str, ...]:
    """There are three: at most once, at least once and exactly once. Counted beforehand, whatever they are."""
    match = _ANNOUNCED.search(text[:2000])
    return tuple(part.strip() for part in _JOINTS.split(match["row"])) if match else ()


_ROW = re.compile("(?:[^、・,，。!?！？\n]{2,24}[、・,，]){1,9}[^、・,，。!?！？\n]{2,30}")
_BEFORE_A_ROW = re.compile("^.*(?:では|には|とは|[はにで：:「])(?=..)")
_BEHIND_A_ROW = re.compile("(?:の[一二三四五六七八九十\\d]|が|です|など|を|から|といった|があ|に|は|」).*$")


def _named_in_a_row(text: str) -> tuple[str, ...]:
    """体験コース、手びねりコース、電動ろくろコースがあります: names in a row, written in whatever script."""
    for row in _ROW.finditer(text):
        named = re.split("[、・,，]", row[0])
        named[0] = _BEFORE_A_ROW.sub("", named[0])
        named[-1] = _BEHIND_A_ROW.sub("", named[-1])
        if any(kind(n) in ("time", "number") for n in named) or (len(named) == 2 and row[0].count("は") > 1):
            continue
        if all(2 <= len(n) <= 16 and not re.search("[はがをに]|[てでるすた]$", n) for n in named):
            return tuple(n.strip() for n in named)
    return ()


_AND_IN = {"en": " and ", "ja": "と"}


def chosen(found: Ordinal, thread: Thread, language: str) -> tuple[str, Listed] | None:
    """What the ordinal picks, and from where; ``None`` if nothing was listed, or not so much."""
    source = (pair(thread) or listed(thread)) if found.pair else listed(thread)
    if source is None:
        return None
    index = len(source.items) // 2 if found.middle else found.index
    if found.middle and len(source.items) % 2 == 0:
        return None
    if found.other:
        last = thread.said[-1]
        talked = [i for i, item in enumerate(source.items) if item in last.standalone]
        if len(source.items) != 2 or len(talked) != 1:
            return None
        index = 1 - talked[0]
    if not -len(source.items) <= index < len(source.items):
        return None
    if found.count > 1:
        return _AND_IN.get(language, "和").join(source.items[index : index + found.count or None]), source
    return source.items[index], source

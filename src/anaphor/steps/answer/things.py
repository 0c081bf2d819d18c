"""What a question asks for, by the noun beside its question word: 房型 of 哪幾種房型, tickets of what tickets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.text.fold import matching
from anaphor.text.patterns import pattern
from anaphor.text.stem import stem

SHORTEST = 2  # characters of Chinese and Japanese that two names must share at one end


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun as it stands in the question. ``begins``: more may follow it that is no part of it (城市全天运营)."""

    noun: str
    begins: bool

    def called(self, name: str, language: str) -> bool:
        """Whether a column, or a heading, is named for it."""
        ours, theirs = matching(self.noun, language), plain(matching(name, language))
        if not ours or not theirs:
            return False
        if ours.isascii():
            words = [stem(word) for word in re.findall(r"[a-z0-9]+", theirs)]
            return bool(words) and stem(ours) in (words[0], words[-1])
        if self.begins:
            return ours.startswith(theirs) or theirs.startswith(ours) or _shared(ours, theirs) >= SHORTEST
        return ours.endswith(theirs) or ours in theirs

    def inside(self, cell: str, language: str) -> bool:
        """Whether what stands in a cell ends with it: サイト in フリーサイト."""
        ours, theirs = matching(self.noun, language), plain(matching(cell, language))
        if ours.isascii():
            words = [stem(word) for word in re.findall(r"[a-z0-9]+", theirs)]
            return bool(words) and stem(ours) == words[-1]
        return len(ours) >= SHORTEST and theirs.endswith(ours)

    def ends(self, heading: str, language: str) -> bool:
        """Whether a heading says that this is what stands below it: 体检前的准备."""
        ours, theirs = matching(self.noun, language), plain(matching(heading, language))
        if not ours or not theirs:
            return False
        if ours.isascii():
            words = [stem(word) for word in re.findall(r"[a-z0-9]+", theirs)]
            return bool(words) and stem(ours) == words[-1]
        if not self.begins:
            return len(ours) >= SHORTEST and theirs.endswith(ours)
        return any(theirs.endswith(ours[:n]) for n in range(SHORTEST, len(ours) + 1))


def things(text: str) -> tuple[Thing, ...]:
    """What may be asked for; empty where no noun stands beside a question word."""
    found = [Thing(m["noun"], True) for words in (_BEHIND, _BEHIND_JAPANESE) for m in words.finditer(text)]
    found += [Thing(m["noun"].rpartition("的")[2], False) for m in _BEFORE.finditer(text)]
    found += [Thing(m["noun"], False) for m in _BEFORE_JAPANESE.finditer(text)]
    found += [Thing(word, False) for m in _ENGLISH.finditer(text) if (word := _head(m["noun"]))]
    return tuple(dict.fromkeys(thing for thing in found if thing.noun))


def plain(name: str) -> str:
    """A name without what stands in brackets behind it: 价格（元）."""
    return re.sub(r"[（(\[［][^）)\]］]*[）)\]］]\s*$", "", name).strip(" :：")


def _shared(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _head(words: str) -> str:
    """The noun of some words: the last of them before anything that begins another part of the question."""
    kept: list[str] = []
    for word in words.casefold().split():
        if _STOPS.fullmatch(word):
            break
        kept.append(word)
    return kept[-1] if kept and not _NO_THING.fullmatch(kept[-1]) else ""


# Words that begin another part of a question.
_STOPS = pattern(
    r"are|is|was|were|do|does|did|can|could|will|would|should|has|have|had|with|without|for|that|which|who|in|on|at"
    r"|of|to|from|there|available|offered|costs?|comes?|allows?|includes?|supports?|needs?|you|we|i|they|it|the|an?"
)

_NO_THING = pattern(r"much|long|far|often|old|kinds?|types?|sorts?|all|ones?|else")

_BEHIND = pattern(
    r"(?:哪些|哪[一幾几兩两二三四五六七八九十\d]*(?:[種种個个項项間间類类款座家位所條条張张部本門门堂場场支隻只](?!人))"
    r"|[幾几多少]+[種种個个項项間间類类款座家所條条部位名]|哪一?(?=[年月天](?!級|级))|什[麼么]|甚麼|列出(?:所有|全部)?(?:的)?)"
    r"(?:不同的?)?(?P<noun>(?:(?!最)[\u3400-\u9fff]){1,12})"
)

_BEHIND_JAPANESE = pattern(
    r"(?:どんな|どのような|どういう|どの|何種類の|いくつの)(?P<noun>[\u30a1-\u30ff\u3400-\u9fff々]{1,10})(?=[をがはにで])"
)

_BEFORE = pattern(
    r"(?P<noun>[\u3400-\u9fff]{1,12}?)(?:一共|總共|总共)?(?:有|是|為|为|叫|分)(?:哪|[幾几][種种]|什[麼么])"
)

_BEFORE_JAPANESE = pattern(
    r"(?P<noun>[\u30a1-\u30ff\u3400-\u9fff々]{1,10})"
    r"(?:は(?=何種類|いくつ|どれ|何が|どんな|どこ|どちら)|には(?=何|どんな|どの)|を(?=すべて|全部|一覧))"
)

_ENGLISH = pattern(
    r"\b(?:which(?: of (?:the|your))?|what(?: (?:kinds?|types?|sorts?) of|(?:['’]s| is| are) (?:the|your))?"
    r"|how many"
    r"|list(?: (?:all|every|the|your|all the|all of the))?)"
    r" (?P<noun>[a-z][\w-]*(?: [\w-]+){0,5})",
    re.IGNORECASE,
)

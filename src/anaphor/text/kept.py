"""What a person asks to be remembered: of "remember that I eat no meat", the words that say so.

The sentence is an order, and no order is told again as what the person said; what it wants kept is a statement of
theirs all the same, in their own words. A thing alone (請記住我的名字) says nothing that could be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphor.text.language import KANA
from anaphor.text.mood import Mood, mood
from anaphor.text.patterns import pattern
from anaphor.text.sentences import sentences
from anaphor.types import Span

_ENGLISH = pattern(
    r"(?:(?:please|ok(?:ay)?|also|and|so|just|now|can you|could you|will you),? )*"
    r"(?:remember|note|keep in mind|bear in mind|memori[sz]e|make a note|take note|don['’]t forget)"
    r"(?: (?:for later|down))?(?:(?: that|[:,]| -)+ (?!the (?:following|above))"
    r"|(?=:)| (?=i['’](?:m|ve|d|ll)\b|(?:i|we) \w+"
    r"|(?:my|our) .{1,60}? (?:is|are|was|were|has|have|costs?|lives?|works?|likes?)\b))[:\s]*(?P<kept>.+)",
    re.IGNORECASE | re.DOTALL,
)
_CHINESE = pattern(
    r"(?:[請请]|麻[煩烦]|[幫帮]我|你|您|也|先|要)*(?:記住|记住|記得|记得|記下|记下|記著|记着|別忘了|别忘了)(?:了|一下|喔|哦)?[，,：:]?"
    r"(?P<kept>(?:我|咱)[^，,。：:]*.*)",
    re.DOTALL,
)
_ONLY_A_THING = pattern(r"(?:.*的)?(?:要求|[^的是有在要會会不]){0,6}[。.！!]?$")  # 我的名字, 我剛才說的要求
_JAPANESE = pattern(
    r"(?P<kept>.+?)(?:(?:だ|である)?(?:って|と)(?:いうことを?)?|(?:な|という|の)?ことを?)、?"
    r"(?:覚えて|覚えとい|記憶して|メモして|忘れないで).*",
    re.DOTALL,
)
_OWN_WORDS = 3  # characters: less says nothing


def to_be_kept(text: str) -> list[Span]:
    """The stretches of the text that its orders to remember want remembered."""
    return [kept for _, kept in _kept(text)]


def as_told(text: str) -> str:
    """The text with what only orders to remember hidden, character by character, so that places in it stay."""
    for span, kept in _kept(text):
        before, behind = " " * (kept.start - span.start), " " * (span.end - kept.end)
        text = text[: span.start] + before + text[kept.start : kept.end] + behind + text[span.end :]
    return text


def _kept(text: str) -> Iterator[tuple[Span, Span]]:
    """The orders, and of each what it wants remembered."""
    for span in sentences(text):
        sentence = text[span.start : span.end]
        asked = _form(sentence).match(sentence) if mood(sentence) is Mood.COMMAND else None
        if asked and _says_something(asked["kept"]):
            yield span, Span(span.start + asked.start("kept"), span.start + asked.end("kept"))


def _form(sentence: str) -> re.Pattern[str]:
    if not _CJK.search(sentence):
        return _ENGLISH
    return _JAPANESE if _KANA.search(sentence) else _CHINESE


def _says_something(kept: str) -> bool:
    alone = _CJK.search(kept) and not _KANA.search(kept) and _ONLY_A_THING.match(kept) and "的" in kept
    return len(kept) >= _OWN_WORDS and not alone and mood(kept) is Mood.ASSERTION


_KANA = pattern(f"[{KANA}]")
_CJK = pattern(f"[{KANA}\u4e00-\u9fff]")

"""What is asked in an utterance that says itself where: "Lovely weather … anyway, what I wanted to ask is: when …?"

Somebody who says "what I really wanted to ask" has said with it that what came before was beside the point.
"""

from __future__ import annotations

from anaphor.text.patterns import pattern

LONGEST = 2000  # characters of an utterance that are looked at

_TRULY = "(?:真正|其實|其实|本來|本来|實際上?|实际上?|剛才|刚才|那[個个])"
_ASKS_NOW = pattern(
    f"我?{_TRULY}{{0,2}}我?{_TRULY}{{0,2}}是?(?:想要?|要)(?:問|问|說|说|知道|了解|瞭解|搞清楚|弄清楚|確認|确认)"
    "(?:的(?:問題|问题|事情?)?(?:其實|其实)?(?:是|[:：])(?:這[個樣]|这[个样])?|(?:[一這这][個个下]))?[，,:：]\\s*"
    f"|我{_TRULY}(?:的)?(?:問題|问题)(?:其實|其实)?是(?:這[個樣]|这[个样])?[，,:：]\\s*"
    r"|(?i:\bwhat i (?:really |actually |meant to |wanted to |want to |would like to |'d like to )+"
    r"(?:ask|know|find out|say)(?: is| was)?[:,]?\s|\bmy (?:actual|real) question (?:is|was)[:,]?\s)"
    "|(?:本当に|実際に)?(?:聞きた|伺いた|知りた)(?:かった|い)(?:こと)?の?は(?:ですね)?[、,:：]?"
    "|本題(?:ですが|に入りますが|なのですが)[、,]?"
)
_ENDS = pattern(r"[?？]+|[。！!\n]+|$")


def asked_after_all(text: str) -> list[str]:
    """The questions that are announced as what is really asked; empty where none is.

    After the only one that is announced, whatever follows counts too: "…: when does it open? And what is it to go in?"
    """
    found = [match.end() for match in _ASKS_NOW.finditer(text[:LONGEST])]
    if len(found) == 1:
        ends = [len(text)]
    else:
        ends = [end.end() if (end := _ENDS.search(text, begin, begin + LONGEST)) else len(text) for begin in found]
    asked = [text[begin:end].strip() for begin, end in zip(found, ends, strict=True)]
    return [one for one in asked if any(map(str.isalnum, one))]

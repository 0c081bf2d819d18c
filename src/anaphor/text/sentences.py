"""Sentences of a text as spans, in order."""

from __future__ import annotations

import re

from anaphor.types import Span

_STOP = re.compile(r"""(?:[。！？!?｡…]+|(?<![A-Z])\.(?=\s|$)|\n)+["'”’」』》）)\]】]*""")
_QUESTION = re.compile(
    r"[？?]\s*$|[嗎吗呢]\s*[。]?\s*$|か[。]?\s*$|^(?:what|who|when|where|why|how|is|are|do|does|did|can|could|which)\b|什麼|什么|多少|怎麼|怎么",
    re.I,
)
_NOT_ASSERTED = re.compile(
    r"如果|假如|要是|もし|なら|^if\b|請|请|ください|^please\b|謝謝|谢谢|ありがとう|^(?:hi|hello|thanks|thank you|你好|您好|こんにちは)\b",
    re.I,
)


def sentences(text: str) -> list[Span]:
    """Each sentence with its closing marks, leading and trailing white space left off."""
    spans: list[Span] = []
    start = 0
    for end in [*(m.end() for m in _STOP.finditer(text)), len(text)]:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = start + len(piece.rstrip())
        if left < right:
            spans.append(Span(left, right))
        start = max(start, end)
    return spans


def assertions(text: str) -> list[Span]:
    """The sentences that say that something is so."""
    return [
        s
        for s in sentences(text)
        if not _QUESTION.search(text[s.start : s.end]) and not _NOT_ASSERTED.search(text[s.start : s.end])
    ]

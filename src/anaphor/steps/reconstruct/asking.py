"""Whether a rewrite asks, as the utterance did, or tells."""

from __future__ import annotations

import functools
import re

from anaphor.text.mood import Mood, mood
from anaphor.text.sentences import sentences


def asks(text: str) -> bool:
    """Whether any sentence of the text is a question or a request."""
    return any(mood(text[s.start : s.end]) in (Mood.QUESTION, Mood.COMMAND) for s in sentences(text))


def asking_part(text: str) -> str:
    """The sentences that ask a question, without what was said by the way; everything if none of them does."""
    pieces = [text[s.start : s.end] for s in sentences(text)]
    return " ".join(p for p in pieces if mood(p) is Mood.QUESTION) or text


def answers(utterance: str, rewritten: str) -> bool:
    """Whether the rewrite replies to a question instead of asking it.

    A bare phrase ("refund window Orin") asks as well as a sentence does; what replies is a finished statement.
    """
    if _replying().match(rewritten) and not _replying().match(utterance):
        return True
    asked = any(mood(utterance[s.start : s.end]) is Mood.QUESTION for s in sentences(utterance))
    return asked and not asks(rewritten) and bool(_asserting().search(rewritten))


@functools.cache
def _asserting() -> re.Pattern[str]:
    return re.compile(
        r"^\W*(?:(?:the|a|an|this|that|these|those|it|he|she|they|we|i|you|there|your|my|its|their|his|her|our)\b"
        r"|[A-Z\"“])"
        r"[^.!?\n]{0,160}?\b(?:is|are|was|were|has|have|had|can|could|will|would|should|must|does|did|do|may|might"
        r"|became|means|"
        r"costs?|opens?|includes?|requires?|needs?|allows?|takes?)\b"
        r"|[\u4e00-\u9fff]\s*。\s*$"
        r"|[\u4e00-\u9fff](?:是|為|为|須|须|必須|必须|需要|可以|能夠|能够|應|应|已|會|会|有"
        r"|在)[^，,]{1,60}[。!！]?\s*$"
        r"|(?:です|ます|ました|ません|である|でした|だ|された|される|している|できる|します)\s*[。!！]?\s*$"
        r"|\[\d+\]",
    )


@functools.cache
def _replying() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:yes|no|yeah|sure|certainly|of course|according to|based on|as mentioned|unfortunately"
        r"|i (?:do not|don['’]t) (?:know|have)|the answer)\b"
        r"|\s*(?:是的|對的|对的|沒錯|没错|好的|當然|当然|根據|根据|很抱歉|抱歉|答案(?:是|為|为|[:：]))"
        r"|\s*(?:はい|いいえ|ええ|承知|かしこまり|申し訳|もちろん|回答)",
        re.IGNORECASE,
    )

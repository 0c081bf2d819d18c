"""What does rule 2 say? — And the third? No, the fourth. · 第三條規定是什麼 — 第二條呢: things called by a number.

No list has to have been told: the number in the last question is what changes.
"""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.lists import Ordinal, ordinals
from anaphor.steps.reconstruct.reading import REPLACED, RETRACTED, SLOT, Reading
from anaphor.steps.reconstruct.seen import pattern, see
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind

_BESIDE = re.compile(
    r"(?:no|nope|and|what about|how about|or|sorry|i (?:mean|meant)|one|不是|不对|那|是|我是(?:说|指|问)|呢|咧"
    r"|いえ|いや|では|じゃあ?|は|の(?:ほう|方)|です|[\s,.!?。、~:])*"
)
_DENIES = re.compile("(?:no|nope|sorry|不是|不对|いえ|いや)(?=[\\s,.!。、])")
_COUNTED = re.compile(r"第?(?:\d+|[一二三四五六七八九十]+)")


def by_number(heard: Heard, thread: Thread) -> Reading | None:
    """The last question, with another number in it."""
    last = thread.last
    found = ordinals(heard.seen, heard.language)
    said = see(heard.said, heard.language).text
    if last is None or len(found) != 1 or found[0].index < 0 or found[0].count > 1 or found[0].other:
        return None
    if not _BESIDE.fullmatch(heard.seen.text[: found[0].start] + " " + heard.seen.text[found[0].end :]):
        return None
    place = _place(last, found[0], heard)
    if place is None:
        return None
    start, end, new = place
    old, denies = last.standalone[start:end], bool(_DENIES.match(said))
    kept = tuple(
        Carried(p.text, last.seq, SLOT, 1.0 if p.names_something else 0.8)
        for p in last.phrases
        if p.end <= start or end <= p.start
    )
    return Reading(
        decision=Decision.CORRECTION if denies else Decision.FOLLOW_UP,
        confidence=0.9,
        text=last.standalone[:start] + new + last.standalone[end:],
        signals=(f"another number: {new}",),
        carried=kept,
        left_behind=(LeftBehind(old, last.seq, RETRACTED if denies else REPLACED),),
        own=new,
    )


def _place(last: Said, asked: Ordinal, heard: Heard) -> tuple[int, int, str] | None:
    """Where the number stands in the question, and what is to stand there."""
    seen = see(last.standalone, last.language)
    if last.language == "en":
        called = pattern("en", "numbered").search(seen.text)
        if called:
            span = seen.folded.source(called.start("number"), called.end("number"))
            return span.start, span.end, str(asked.index + 1)
    counted = [o for o in ordinals(seen, last.language) if o.index >= 0 and o.count == 1 and not o.pair]
    if len(counted) != 1:
        return None
    span, new = seen.folded.source(counted[0].start, counted[0].end), heard.seen.verbatim(asked.start, asked.end)
    old = last.standalone[span.start : span.end]
    if last.language == "en":
        rest = old.partition(" ")[2].partition(" ")[2]  # the second step
        return span.start, span.end, f"{new} {rest}".strip() if rest and rest not in new else new
    number = _COUNTED.match(new)
    return span.start, span.end, _COUNTED.sub(number[0] if number else new, old, count=1)

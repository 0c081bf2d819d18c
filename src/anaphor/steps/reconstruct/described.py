"""The one that …: 紙箱那家, 主持读书会的那位, 警備会社のほう, the one for boxes — told apart by what was asked of it.

Who or what an earlier question asked for is named by its answer, and may afterwards be called by that question.
"""

from __future__ import annotations

from dataclasses import replace

from anaphor.steps.reconstruct.asked_for import asked_name
from anaphor.steps.reconstruct.heard import Heard, hear
from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.phrasing import Edit, edited
from anaphor.steps.reconstruct.reading import PRONOUN, REPLACED, Reading
from anaphor.steps.reconstruct.seen import patterns, see
from anaphor.steps.reconstruct.slots import frame
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind

SHORTEST_PART = 2  # characters of a compound's part: 警備 and 会社 of 警備会社


def described(heard: Heard, thread: Thread) -> Reading | None:
    """The name in place of its description."""
    for form in patterns(heard.language, "described"):
        match = form.search(heard.seen.text)
        found = _named(heard.seen.group(match, "what"), thread, heard.language) if match else None
        if match and found:
            turn, name = found
            return _asked_of(name, turn, edited(heard, [Edit(*match.span("one"), name)]), heard, thread)
    return None


def _named(what: str, thread: Thread, language: str) -> tuple[Said, str] | None:
    """The newest question that speaks of all that, and the name its answer gave."""
    keys = [p.key for p in phrases(what, language)]
    for turn in reversed(thread.said):
        asked = see(turn.standalone, language).text
        if keys and all(_speaks_of(asked, key) for key in keys):
            key = asked_name(Thread((turn,)))
            name = next((p.text for p in turn.answer_phrases if p.key == key), "")
            if name:
                return turn, name
    return None


def _speaks_of(asked: str, key: str) -> bool:
    cuts = range(SHORTEST_PART, len(key) - SHORTEST_PART + 1)
    return key in asked or (not key.isascii() and any(key[:n] in asked and key[n:] in asked for n in cuts))


def _asked_of(name: str, turn: Said, text: str, heard: Heard, thread: Thread) -> Reading:
    """That, or if nothing is asked of it what the last question asked."""
    rest = hear(text, (heard.text,))
    reading = frame(rest, thread)
    gone = tuple(LeftBehind(p.text, t.seq, REPLACED) for t in thread.said[-1:] for p in t.topics if p.text not in text)
    carried = (Carried(name, turn.seq, PRONOUN, 1.0),)
    signals = (f"described: {name}",)
    if reading is None:
        return Reading(Decision.FOLLOW_UP, 0.85, rest.bare, signals, carried, gone, own=rest.bare.replace(name, " "))
    kept = tuple(c for c in reading.carried if c.text != name)
    left = tuple(dict.fromkeys((*reading.left_behind, *gone)))
    return replace(reading, confidence=0.85, signals=signals, carried=(*carried, *kept), left_behind=left)

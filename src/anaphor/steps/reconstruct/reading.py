"""What one rule makes of an utterance."""

from __future__ import annotations

from dataclasses import dataclass

from anaphor.types import Carried, Decision, LeftBehind

# Why a span was carried.
PRONOUN = "pronoun"
ZERO_SUBJECT = "zero subject"
ORDINAL = "ordinal"
SLOT = "slot"
CONTINUATION = "continuation"
ACCEPTANCE = "acceptance"
REPLY = "reply"
CORRECTION = "correction"
RETURN = "return to topic"
TOPIC = "topic"
BESIDES = "known already"

# Why a span was left behind.
RETRACTED = "retracted"
REPLACED = "replaced"
OTHER_TOPIC = "another topic"
OTHER_ITEM = "another item of the list"


@dataclass(frozen=True, slots=True)
class Reading:
    """``text`` needs no history any more. ``weigh`` are the turns whose words may be added to the terms, with a factor.

    ``own`` is the part of the text that the person said in this utterance; all of it unless given.
    """

    decision: Decision
    confidence: float
    text: str
    signals: tuple[str, ...] = ()
    carried: tuple[Carried, ...] = ()
    left_behind: tuple[LeftBehind, ...] = ()
    weigh: tuple[tuple[int, float], ...] = ()
    own: str | None = None
    boundary: bool = False  # nothing from before this utterance may be carried any more

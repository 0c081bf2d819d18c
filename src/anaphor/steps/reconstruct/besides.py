"""What else?, any other albums?: besides what the last answer named."""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.phrasing import before_end
from anaphor.steps.reconstruct.reading import BESIDES, Reading
from anaphor.steps.reconstruct.thread import Thread
from anaphor.types import Carried, Decision

AT_MOST = 2  # names
WEIGHT = 0.1  # they are known already: not what is looked for

_MORE = re.compile(r"\b(?:other|else|another)\b|\bany more\b(?! (?:about|on|of))")
_SAYS_WHICH = re.compile(
    r"\bother (?:than|side|hand|way|people|countries|parties)\b|\beach other\b|\bbesides?\b|\bexcept\b"
    r"|\b(?:in|to|for|from|with|at|on|of|by) other\b"
    r"|\bthe other\b|\bor other\b|\bin addition\b|\baside from\b|\bin other words\b"
)


def besides(reading: Reading, heard: Heard, thread: Thread) -> Reading:
    """The same, with what was named last said to be known; as it is where nothing was named."""
    last = thread.last
    said = heard.seen.text
    if heard.language != "en" or last is None or reading.decision not in (Decision.FOLLOW_UP, Decision.STANDALONE):
        return reading
    if not _MORE.search(said) or _SAYS_WHICH.search(said):
        return reading
    named = [p for p in last.answer_phrases if _is_name(p) and not _is_in(p, reading.text)][:AT_MOST]
    if not named:
        return reading
    text = before_end(reading.text, " besides " + " and ".join(p.text for p in named))
    carried = tuple(Carried(p.text, last.seq, BESIDES, WEIGHT) for p in named)
    return replace(
        reading,
        text=text,
        carried=(*reading.carried, *carried),
        signals=(*reading.signals, "besides what was named"),
        own=reading.text,
    )


def _is_name(phrase: Phrase) -> bool:
    return phrase.named and phrase.kind not in ("time", "number")


def _is_in(phrase: Phrase, text: str) -> bool:
    return any(word in text.casefold() for word in phrase.key.split(" ") if len(word) > 3)

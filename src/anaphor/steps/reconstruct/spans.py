"""Which things of the turns before an English question may be about besides what it says, and how likely.

Where a rule says what is meant, it is written into the sentence. Where none has anything to say ("which lens is best
for stars?" after a talk about a telescope), what was talked of may still be weighed by a search: a logistic regression
over ``span_features`` gives each thing that was named the probability that a person would have named it here, and that
is its weight. Learned from people's rewrites (``scripts/train_spans.py``; docs/provenance.md).

A change of topic is left alone: only turns that share a word with the question are looked at, and those before them,
unless the question says so little that it can hardly begin a topic.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from importlib.resources import files

from anaphor.steps.reconstruct.entities import Entity
from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.reading import Reading
from anaphor.steps.reconstruct.span_features import SEEN, Around, Features, candidates, of_span, of_utterance, stems
from anaphor.steps.reconstruct.thread import Thread
from anaphor.types import Decision

LIKELY_ENOUGH = 0.05
AT_MOST = 16  # spans
SAYS_LITTLE = 1  # word of content
_LEFT_AS_IT_WAS = (Decision.STANDALONE, Decision.NEW_TOPIC, Decision.FOLLOW_UP)


@dataclass(frozen=True, slots=True)
class Span:
    """A thing under its fullest name, and how likely a person would have named it."""

    text: str
    probability: float


def spans(heard: Heard, thread: Thread, reading: Reading) -> tuple[Span, ...]:
    """The most likely first. Nothing beside what a rule has carried."""
    if heard.language != "en" or not thread.said or reading.carried or reading.decision not in _LEFT_AS_IT_WAS:
        return ()
    near = _near(heard, thread)
    found = candidates(heard, thread, reading) if near else []
    if not found:
        return ()
    always = weights()["always"] + _score(of_utterance(heard, thread, reading, len(found)))
    around = Around.of(heard, thread)
    weighed = [
        Span(e.name.text, 1 / (1 + math.exp(-always - _score(of_span(e, around)))))
        for e in found
        if not _is_rival(e, heard) and any(_may_be_weighed(e, turn) for turn in near)
    ]
    likely = [span for span in weighed if span.probability >= LIKELY_ENOUGH]
    return tuple(sorted(likely, key=lambda span: -span.probability)[:AT_MOST])


def _near(heard: Heard, thread: Thread) -> frozenset[int]:
    """The turns that the question may hang on."""
    own = stems(heard.bare)
    shares = [bool(own & (stems(turn.standalone) | stems(turn.answer[:SEEN]))) for turn in thread.said]
    if len(own) <= SAYS_LITTLE:
        shares[-1] = True
    last = max((n for n, shared in enumerate(shares) if shared), default=-1)
    return frozenset(turn.seq for turn in thread.said[: last + 1])


def _may_be_weighed(entity: Entity, turn: int) -> bool:
    """Named in that turn, and not only in an assistant's text that we never committed."""
    return any(p.turn.seq == turn and (p.turn.weighed or not p.in_answer) for p in entity.places)


def _is_rival(entity: Entity, heard: Heard) -> bool:
    """Another festival, ferry, number than the one that is asked about now."""
    name = entity.name
    if name.kind in ("time", "number", "group") or (name.named and any(p.named for p in heard.topics)):
        return True
    return " " in name.key and any(p.head == name.head and " " in p.key for p in heard.phrases)


def _score(shown: Features) -> float:
    known = weights()
    return sum(known.get(name, 0.0) * value for name, value in shown.items() if value)


@functools.cache
def weights() -> dict[str, float]:
    text = files("anaphor.steps.reconstruct.tables").joinpath("spans.txt").read_text("utf-8")
    rows = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(weight) for name, weight in rows}

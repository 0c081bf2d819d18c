"""Which entity of an English talk a pronoun means, or that none of them is likely enough.

A conditional logit over the features of ``entities``: each entity, and "none of these", has a weight for every feature
it shows, and the probabilities of all of them add up to one. The weights are learned (``scripts/train_antecedents.py``;
docs/provenance.md says from what).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

from anaphor.steps.reconstruct.agreement import Features, Weighed
from anaphor.steps.reconstruct.entities import Entity, entities, pronoun_class
from anaphor.steps.reconstruct.persons import agrees, sex
from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.thread import Mention, Thread

OF_THE_WHOLE = 3.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best entity and its probability, that of the next best, and the next best entity if there is one."""

    mention: Mention
    probability: float
    next_best: float
    rival: Mention | None = None


@functools.cache
def weights() -> dict[str, float]:
    text = files("anaphor.steps.reconstruct.tables").joinpath("antecedents.txt").read_text("utf-8")
    rows = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(weight) for name, weight in rows}


def ranked(
    kind: str,
    said: str,
    thread: Thread,
    asked_for: str | None,
    own: frozenset[str] = frozenset(),
    whole: Callable[[Phrase, bool], bool] | None = None,
    head: str = "",
) -> Ranked | None:
    """``own``: the keys of what the utterance itself names, which a pronoun in it seldom means.

    ``whole`` says of a phrase, and whether the person said it, if it is a whole thing, where no part can be meant.
    """
    wanted = pronoun_class(kind, said)
    found = [e for e in entities(thread) if e.key not in (*own, head) and not thread.is_retracted(e.key)]
    agreeing = [e for e in found if agrees(e.name, said, "en")]
    told_apart, found = len(agreeing) < len(found), agreeing
    scores = [score(Weighed(e, wanted, said, thread, asked_for, head).features()) for e in found]
    if whole:
        asked = [any(not p.in_answer for p in e.places) for e in found]
        scores = [s + OF_THE_WHOLE * whole(e.name, a) for s, e, a in zip(scores, found, asked, strict=True)]
    chances = probabilities([*scores, weights().get(f"none {wanted}", 0.0)])
    if not found:
        return None
    best = max(range(len(found)), key=lambda n: chances[n])
    if chances[best] < chances[-1]:
        somebody = [n for n, e in enumerate(found) if e.name.kind == "person" or sex(e.name, "en")]
        if not told_apart or len(somebody) != 1:
            return None
        best = somebody[0]  # she, of a man and a woman
    rest = [chance for n, chance in enumerate(chances) if n != best]
    second = max((n for n in range(len(found)) if n != best), key=lambda n: chances[n], default=None)
    rival = None if second is None else _mention(found[second], chances[second])
    return Ranked(_mention(found[best], chances[best]), chances[best], max(rest), rival)


def score(shown: Features) -> float:
    return sum(weights().get(name, 0.0) * value for name, value in shown.items())


def probabilities(scores: list[float]) -> list[float]:
    most = max(scores)
    raised = [math.exp(s - most) for s in scores]
    total = sum(raised)
    return [r / total for r in raised]


def _mention(entity: Entity, probability: float) -> Mention:
    """Under its fullest name, from where that was said; the question before the answer."""
    places = [p for p in entity.places if p.phrase.key == entity.key]
    place = next((p for p in places if not p.in_answer), places[0])
    return Mention(place.phrase, place.turn.seq, "answer" if place.in_answer else "question", probability, place.source)

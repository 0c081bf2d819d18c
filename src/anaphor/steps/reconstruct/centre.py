"""The thing a talk in Chinese or Japanese is about, when a question does not say it.

The centre of attention (Grosz, Joshi and Weinstein 1995, "Centering: A Framework for Modeling the Local Coherence of
Discourse") as a conditional logit over what each thing shows: how long ago and by whom it was last named, how often,
where in the sentence, what sort of word it is. The weights are learned (``scripts/train_centre.py``; docs/provenance.md
says from what).
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files

from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.phrase import QUOTED, Phrase
from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.subject import WHETHER_KNOWN
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Mention, Said, Thread
from anaphor.text.sentences import sentences

ANSWER_SEEN = 400  # characters
UNSAID = "unsaid"
FAVOUR = 2.0  # by how much, as a logarithm
WANTED = {"persons": "person", "places": "place", "demonstratives": "such", UNSAID: "unsaid"}
_DOTTED = re.compile("[\u00b7\u2027\u2022\u30fb]")
_NUMBER = re.compile("[0-9一二三四五六七八九十百千万两几]")
_AT_THE_START = re.compile(r"(?:^|[,。?!;、\n] ?)$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thing was named: ``age`` turns back, in the answer or the question, opening it or not.

    ``meant``: the person did not say it; their question came to mean it.
    """

    phrase: Phrase
    turn: Said
    age: int
    in_answer: bool
    opening: bool
    meant: bool = False

    @property
    def source(self) -> str:
        return self.turn.answer if self.in_answer else self.turn.standalone


@dataclass
class Thing:
    """A thing with every place where it was named, the newest first."""

    places: list[Place] = field(default_factory=list)

    @property
    def name(self) -> Phrase:
        return self.said.phrase

    @property
    def said(self) -> Place:
        """Where it is best taken from: as it was called most, the person's words before an answer's."""
        keys = [p.phrase.key for p in self.places]
        return max(self.places, key=lambda p: (keys.count(p.phrase.key), not p.in_answer, -p.age))


@dataclass(frozen=True, slots=True)
class Centre:
    """What is talked of, its ``probability`` and that of the next best."""

    place: Place
    age: int  # turns since it was last named
    probability: float
    next_best: float

    @property
    def mention(self) -> Mention:
        place = self.place
        said_in = "answer" if place.in_answer else "question"
        return Mention(place.phrase, place.turn.seq, said_in, self.probability, place.source)


@functools.cache
def weights() -> dict[str, float]:
    text = files("anaphor.steps.reconstruct.tables").joinpath("centre.txt").read_text("utf-8")
    rows = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(weight) for name, weight in rows}


def centre(
    thread: Thread,
    wanted: str = UNSAID,
    head: str = "",
    own: frozenset[str] = frozenset(),
    fits: Callable[[Phrase], bool] = lambda _: True,
    favoured: str = "",
) -> Centre | None:
    """The likeliest of what was named and ``fits``, but for ``own``: what the utterance itself names.

    ``favoured`` is the key of what a rule would take, which counts for more.

    ``wanted`` is the kind of expression that points at it (``references``), or ``UNSAID``; ``head`` its noun.
    """
    found = [t for t in things(thread) if t.name.key not in own and fits(t.name)]
    found = [t for t in found if not thread.is_retracted(t.name.key)]
    if not found:
        return None
    scores = [
        _score(features(t, wanted, head)) + FAVOUR * any(favoured == p.phrase.key for p in t.places) for t in found
    ]
    most = max(scores)
    raised = [math.exp(s - most) for s in scores]
    best, total = scores.index(most), sum(raised)
    others = [r / total for n, r in enumerate(raised) if n != best]
    return Centre(found[best].said, found[best].places[0].age, raised[best] / total, max(others, default=0.0))


def _score(shown: dict[str, float]) -> float:
    return sum(weights().get(name, 0.0) * value for name, value in shown.items())


def things(thread: Thread) -> list[Thing]:
    """Each once, under all it was called by: 紅螺湖鳥島 is 紅螺湖鳥島景區."""
    found: list[Thing] = []
    for place in _places(thread):
        same = next((t for t in found if any(_is_same(p.phrase.key, place.phrase.key) for p in t.places)), None)
        if same is None:
            found.append(same := Thing())
        same.places.append(place)
    return found


def _is_same(key: str, other: str) -> bool:
    short, long = sorted((key, other), key=len)
    return short == long or (len(short) >= 3 and (long.startswith(short) or long.endswith(short)))


def _places(thread: Thread) -> Iterator[Place]:
    newest = len(thread.said) - 1
    for age in range(newest + 1):
        turn = thread.said[newest - age]
        for phrase in turn.phrases:
            if _may_be_one(phrase):
                opens = not turn.standalone[: phrase.start].strip()
                yield Place(phrase, turn, age, False, opens, not _is_said(phrase, turn))
        opening = next((s.end for s in sentences(turn.answer[:ANSWER_SEEN])), 0)
        for phrase in turn.answer_phrases:
            if _may_be_one(phrase) and phrase.end <= ANSWER_SEEN:
                yield Place(phrase, turn, age, True, phrase.end <= opening)


def _is_said(phrase: Phrase, turn: Said) -> bool:
    """In the person's own words: 單人間 of 單人間一學期, when the question was 單人間呢？"""
    return phrase.text in turn.question or any(p.text in phrase.text for p in phrases(turn.question, turn.language))


def _may_be_one(phrase: Phrase) -> bool:
    return phrase.kind not in ("time", "number") and not phrase.verbal and not phrase.attribute


def features(thing: Thing, wanted: str = UNSAID, head: str = "") -> dict[str, float]:
    """What it shows; each is 0 or 1, or a count's logarithm."""
    wanted = WANTED.get(wanted, "thing")
    asked = [p for p in thing.places if not p.in_answer and not p.meant]
    meant = [p for p in thing.places if p.meant]
    told = [p for p in thing.places if p.in_answer]
    name = thing.name
    size = len(name.key)
    shown = {
        f"asked {_ago(asked)}": 1.0,
        f"told {_ago(told)}": 1.0,
        f"meant {_ago(meant)}": 1.0,
        "times asked": math.log1p(len(asked)),
        "times told": math.log1p(len(told)),
        f"length {min(size, 8) if size < 5 else 5 if size < 7 else 7}": 1.0,
        "introduced": float(any(WHETHER_KNOWN.search(_before(p)) for p in thing.places)),
        "has something": float(any(p.phrase.owner for p in thing.places)),
        "starts": float(any(_AT_THE_START.search(_before(p)) for p in asked)),
        "starts an answer": float(any(p.opening for p in told)),
        "newest: asked": float(not thing.places[0].in_answer and not thing.places[0].meant),
        "named": float(name.named),
        "quoted": float(bool(QUOTED.search(name.text))),
        "numbered": float(bool(_NUMBER.search(name.key))),
        "a sort alone": float(name.key in table("zh").attributes or name.key == name.kind),
        f"kind {name.kind or 'none'}": 1.0,
        f"{wanted}: kind {name.kind or 'none'}": 1.0,
        f"{wanted}: length {2 if size < 3 else 3 if size == 3 else 4}": 1.0,
        f"{wanted}: told {_ago(told)}": 1.0,
        f"{wanted}: asked {_ago(asked)}": 1.0,
        f"{wanted}: of foreign names": float(bool(_DOTTED.search(name.key))),
        f"{wanted}: quoted": float(bool(QUOTED.search(name.text))),
        "so called": float(bool(head) and head in name.key and head != name.key),
        "of that sort": float(bool(head) and bool(kind(head)) and kind(head) == name.kind),
        "the very word": float(bool(head) and name.key in head),
    }
    return {feature: value for feature, value in shown.items() if value}


def _ago(places: list[Place]) -> str:
    return str(min(places[0].age, 4)) if places else "never"


def _before(place: Place) -> str:
    return place.source[max(0, place.phrase.start - 8) : place.phrase.start]

"""What tells whether an English question is about a thing that was named before: of the question, and of the thing."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.entities import PREPOSITION, Entity, entities
from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.reading import PRONOUN, Reading
from anaphor.steps.reconstruct.thread import Thread
from anaphor.text.segment import content_words
from anaphor.types import Decision

Features = dict[str, float]

AT_MOST = 30  # things that are looked at, the newest first
SEEN = 800  # characters of an answer
STEM = 5  # letters by which two words are the same here
_OPENING = re.compile(
    r"(?:and |but |so |ok |okay |no |well )?(?:(what|who|when|where|why|how|which|tell)|"
    r"(?P<whether>is|are|was|were|do|does|did|can|could|will|would|should|has|have|had))\b"
)
_SAYS = {
    "other": re.compile(r"\b(?:others?|else|another|besides|additional|more|also)\b"),
    "compares": re.compile(
        r"\b(?:than|compare[sd]?|comparison|differen\w+|similar\w*|better|best|worse|versus|same)\b"
    ),
    "some": re.compile(r"\b(?:any|some|many|much|there|types?|kinds?|examples?|ways?|causes?|effects?|symptoms?)\b"),
    "the": re.compile(r"\bthe [a-z]+\b(?! of\b)"),
    "narrows": re.compile(
        r"\b(?:of|in|for|on|at|from|with|about|to|by) (?!it\b|them\b|that\b|this\b|him\b|her\b)[a-z]"
    ),
    "points": re.compile(r"\b(?:he|she|it|they|them|his|her|its|their|that|this|these|those|there|ones?)\b"),
}
_WHICH = re.compile(r"\b(?:which|what|whose|how many|how much) $")
_DETERMINED = re.compile(r"\b(?:an?|the|my|your|our|this) $")


def candidates(heard: Heard, thread: Thread, reading: Reading) -> list[Entity]:
    """The things that were named and of which the query does not say every word already."""
    there = _content(reading.text) | _content(heard.bare)
    found = entities(thread)[:AT_MOST]
    return [e for e in found if _content(e.name.text) - there and not thread.is_retracted(e.key)]


def of_utterance(heard: Heard, thread: Thread, reading: Reading, things: int) -> Features:
    """What holds for whatever may be meant; ``things``: among how many."""
    said, last = heard.seen.text, thread.said[-1]
    own = _content(heard.bare)
    opening = _OPENING.match(said)
    asks = "whether" if opening and opening["whether"] else (opening[1] if opening else "")
    return {
        f"asks {asks}": 1.0,
        **{f"says {what}": float(bool(form.search(said))) for what, form in _SAYS.items()},
        "long": len(said.split()) / 10,
        "content": len(own) / 5,
        "brought in": min(len(_content(reading.text) - own), 6) / 3,
        "shares with the question before": _shared(own, _content(last.standalone)),
        "shares with the answer": _shared(own, _content(last.answer[:SEEN])),
        "named": float(any(p.named for p in heard.topics)),
        "topics": len(heard.topics) / 2,
        "tied": float(bool(heard.tie)),
        f"read as {reading.decision.value}": 1.0,
        "pronoun": float(any(span.reason == PRONOUN for span in reading.carried)),
        "nothing carried": float(reading.decision is Decision.FOLLOW_UP and not reading.carried),
        "unsure": 1.0 - reading.confidence,
        "turns": len(thread.said) / 4,
        "answered": float(bool(last.answer)),
        "answered at length": math.log1p(len(last.answer)) / 5,
        "things": math.log1p(things) / 3,
    }


@dataclass(frozen=True, slots=True)
class Around:
    """What every thing is held against: the words and heads of the utterance, and what was asked before."""

    own: frozenset[str]
    heads: frozenset[str]
    asked: tuple[str, ...]
    start: str
    topic: str

    @classmethod
    def of(cls, heard: Heard, thread: Thread) -> Around:
        return cls(
            own=_content(heard.bare),
            heads=frozenset(phrase.head for phrase in heard.phrases),
            asked=tuple(turn.question.casefold() for turn in thread.said),
            start=thread.said[0].standalone.casefold(),
            topic=thread.said[-1].topic,
        )


def of_span(entity: Entity, around: Around) -> Features:
    """Where it was named and how often, how it is written, and how it is like what the utterance says."""
    name, places = entity.name, entity.places
    asked = [p for p in places if not p.in_answer]
    told = [p for p in places if p.in_answer]
    words = name.key.count(" ") + 1
    low = name.text.casefold()
    age = entity.newest.age
    return {
        "at the start": float(low in around.start),
        "asked": float(bool(asked)),
        "asked, age": min((p.age for p in asked), default=4) / 4,
        "asked, turns": math.log1p(len({p.turn.seq for p in asked})),
        "asked in these words": math.log1p(sum(low in said for said in around.asked)),
        "asked now": float(low in around.asked[-1]),
        "asked now, with a preposition": float(any(p.age == 0 and PREPOSITION.search(p.before) for p in asked)),
        "asked which": float(all(_WHICH.search(p.before) for p in places if p.phrase.key == entity.key)),
        "the topic": float(name.text in around.topic),
        "told now": float(any(p.age == 0 for p in told)),
        "told now, often": math.log1p(sum(p.age == 0 for p in told)),
        "told now, opening": float(any(p.age == 0 and p.opening for p in told)),
        "acts": math.log1p(sum(p.acts for p in told[:3])),
        "age": age / 4,
        "turns named in": math.log1p(len({p.turn.seq for p in places})),
        "position": min(min(p.position for p in places if p.age == age), 20) / 10,
        "determined": float(any(_DETERMINED.search(p.before) for p in places)),
        "with a preposition": float(all(PREPOSITION.search(p.before) for p in places)),
        "is named": float(name.named),
        "is called by one word": float(name.named and words == 1),
        "words": min(words, 5) / 5,
        "digits": float(any(map(str.isdigit, name.key))),
        "plural": float(name.head != name.key.split(" ")[-1]),
        "a place": float(name.kind == "place"),
        "a person": float(name.kind == "person"),
        "head is said": float(name.head in around.heads),
        "words are said": _shared(_content(name.text), around.own),
    }


@functools.lru_cache(maxsize=2048)
def _content(text: str) -> frozenset[str]:
    return frozenset(word.term for word in content_words(text, "en"))


def stems(text: str) -> frozenset[str]:
    """The words of content, inflected forms as one."""
    return frozenset(word[:STEM] for word in _content(text))


def _shared(words: frozenset[str], others: frozenset[str]) -> float:
    beginnings = {word[:STEM] for word in words}
    return len(beginnings & {word[:STEM] for word in others}) / max(1, len(beginnings))

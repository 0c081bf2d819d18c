"""Which sentences of the evidence answer a question, best first.

    score(s) = coverage(s) + CLAUSE · best clause(s) + NEIGHBOURS · gain(s) + SIGN · sign(s) − RANK · rank(passage)

``coverage`` is the share of the question's terms that stand in the sentence, each by its weight and by its rarity among
the sentences shown, ``log(1 + (N − n + ½) / (n + ½))`` as in BM25; terms of the passage's title and section count in
part, for they are what the passage is about. ``best clause`` is the same for its best two neighbouring clauses
(nearness), ``gain`` what the sentences beside it would add (an answer often stands next to the words of its question),
``sign`` whether it holds, beyond the question's own words, what an answer of the kind looks like: a number, a date, a
reason.

Whether anything is answered at all rests on coverage alone. A term that no passage has is the rarest of all, so a
question about another aspect of the right thing stays uncovered.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from anaphor.steps.answer.asked import Asked, has_sign, shows
from anaphor.steps.reading import clauses, folding, read, tokens
from anaphor.types import Passage, Span

HEADING = 0.7  # what a term counts that only the title or the section has
CLAUSE = 0.4
NEIGHBOURS = 0.25
SIGN = 0.1
RANK = 0.01
OTHERS = 30
CLOSELY = 12  # sentences that are looked at closely


@dataclass(frozen=True, slots=True)
class Place:
    """Sentence ``at`` of the ``n``-th passage (from 1). ``coverage`` is of the question's weight, from 0 to 1."""

    n: int
    at: int
    coverage: float = 0.0
    score: float = 0.0
    sign: bool = False  # it shows what an answer of the question's kind looks like


@dataclass(frozen=True, slots=True)
class Scale:
    """What each term of the question is worth against passages folded one way; the worths sum to 1."""

    worth: Mapping[str, float]

    def of(self, found: Set[str]) -> float:
        return sum(worth for term, worth in self.worth.items() if term in found)


def ranked(asked: Asked, passages: Mapping[int, Passage]) -> list[Place]:
    """The sentences of the numbered passages, best first; those that share nothing with the question are left out."""
    scales = _scales(asked, passages)
    roughly: list[Place] = []
    for rank, (n, passage) in enumerate(passages.items()):
        reading, scale = read(passage), scales[folding(passage.language)]
        has = [scale.worth.keys() & s.terms for s in reading.sentences]
        for at, (here, sentence) in enumerate(zip(has, reading.sentences, strict=True)):
            led = scale.worth.keys() & (reading.heading | sentence.led_by)
            if sentence.quotable and (here or sentence.led_by & led):
                beside = (has[at - 1] if at else set()) | (has[at + 1] if at + 1 < len(has) else set())
                covered = scale.of(here) + HEADING * scale.of(led - here)
                gain = scale.of(beside - here - led)
                roughly.append(Place(n, at, covered, covered + NEIGHBOURS * gain - RANK * rank))
    roughly.sort(key=lambda place: -place.score)
    closely = [_closely(place, asked, passages[place.n], scales) for place in roughly[:CLOSELY]]
    return sorted(closely, key=lambda place: -place.score) + roughly[CLOSELY:]


def added(asked: Asked, passages: Mapping[int, Passage], first: Place, second: Place) -> float:
    """The share of the question's worth that a second place has and the first has not."""
    scales = _scales(asked, passages)
    covered: set[str] = set(_has(first, passages))
    scale = scales[folding(passages[second.n].language)]
    return scale.of(_has(second, passages) - covered)


def _has(place: Place, passages: Mapping[int, Passage]) -> frozenset[str]:
    return read(passages[place.n]).sentences[place.at].terms


def _scales(asked: Asked, passages: Mapping[int, Passage]) -> dict[str, Scale]:
    """Worth is weight times rarity among the sentences shown."""
    readings = [(folding(p.language), read(p)) for p in passages.values()]
    count = OTHERS + sum(len(reading.sentences) for _, reading in readings)
    scales: dict[str, Scale] = {}
    for folded_as in {way for way, _ in readings}:
        weights = asked.weights(folded_as)
        seen = Counter(t for _, r in readings for s in r.sentences for t in weights.keys() & s.terms)
        worth = {t: w * math.log(1 + (count - seen[t] + 0.5) / (seen[t] + 0.5)) for t, w in weights.items()}
        total = sum(worth.values()) or 1.0
        scales[folded_as] = Scale({t: w / total for t, w in worth.items()})
    return scales


def _closely(place: Place, asked: Asked, passage: Passage, scales: Mapping[str, Scale]) -> Place:
    """The place with what its clauses and its look add to the score."""
    folded_as = folding(passage.language)
    scale = scales[folded_as]
    sentence = read(passage).sentences[place.at]
    text = passage.text[sentence.start : sentence.end]
    parts = clauses(text, Span(0, len(text)))
    has: list[set[str]] = [set() for _ in parts]
    beyond = list(text)
    at = 0
    for token in tokens(text, folded_as):
        while at + 1 < len(parts) and token.start >= parts[at].end:
            at += 1
        if token.term in scale.worth:
            has[at].add(token.term)
            if token.end - token.start > 1:
                beyond[token.start : token.end] = " " * (token.end - token.start)
    nearest = max(scale.of(a | b) for a, b in zip(has, [*has[1:], set()], strict=True))
    sign = has_sign(asked.kind) and shows(asked.kind, "".join(beyond))
    return replace(place, score=place.score + CLAUSE * nearest + SIGN * sign, sign=sign)

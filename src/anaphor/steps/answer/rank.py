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

from anaphor.steps.answer.asked import Asked, Kind, has_sign, shows
from anaphor.steps.reading import clauses, folding, read, ready
from anaphor.types import Passage, Span

HEADING = 0.7  # what a term counts that only the title or the section has
CLAUSE = 0.4
NEIGHBOURS = 0.25
SIGN = 0.1
MISSED = 2  # times as much counts a name that no passage has: what is asked about is not there
STRONG = 2  # times SIGN, for signs that leave little doubt
STRONG_SIGNS = frozenset({Kind.YEAR, Kind.WHEN, Kind.HOW_MANY})  # numbers and dates
UNSIGNED = 0.8  # what coverage is worth where no number or date that was asked for stands in or beside the sentence
ASPECT = 0.4  # share of a question that a title must leave open, to be an aspect of its own
RANK = 0.01
OTHERS = 30  # sentences about other things that are counted in, lest with few sentences every word were common
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
    """The sentences of the numbered passages, best first; what neither they nor a heading share is left out."""
    scales = _scales(asked, passages)
    roughly: list[Place] = []
    for rank, (n, passage) in enumerate(passages.items()):
        reading, scale = read(passage), scales[folding(passage.language)]
        has = [s.text.of(scale.worth) for s in reading.sentences]
        titled = reading.heading.of(scale.worth)
        for at, (here, sentence) in enumerate(zip(has, reading.sentences, strict=True)):
            led = titled | sentence.led_by.of(scale.worth)
            if sentence.quotable and (here or led):
                beside = (has[at - 1] if at else set()) | (has[at + 1] if at + 1 < len(has) else set())
                covered = scale.of(here) + HEADING * scale.of(led - here)
                gain = scale.of(beside - here - led)
                score = covered + NEIGHBOURS * gain - RANK * rank
                roughly.append(Place(n, at, min(covered, _of_aspect(scale, here, led)), score))
    roughly.sort(key=lambda place: -place.score)
    closely = [_closely(place, asked, passages[place.n], scales) for place in roughly[:CLOSELY]]
    return sorted(closely, key=lambda place: -place.score) + roughly[CLOSELY:]


def _of_aspect(scale: Scale, here: Set[str], led: Set[str]) -> float:
    """The share that the sentence has of what its headings leave open, or 1 where they leave little.

    A title that names what is asked about would else answer every question about it.
    """
    open_still = 1 - scale.of(led)
    return scale.of(here - led) / open_still if open_still >= ASPECT else 1.0


def leads(place: Place, asked: Asked, passages: Mapping[int, Passage]) -> bool:
    """Whether the line above says more of the question than the sentence itself: the whole list below it answers."""
    scale = _scales(asked, passages)[folding(passages[place.n].language)]
    sentence = read(passages[place.n]).sentences[place.at]
    return scale.of(sentence.led_by.of(scale.worth)) > scale.of(sentence.text.of(scale.worth))


def added(asked: Asked, passages: Mapping[int, Passage], first: Place, second: Place) -> float:
    """The share of the question's worth that a second place has and the first has not."""
    scales = _scales(asked, passages)
    scale = scales[folding(passages[second.n].language)]
    had, has = (read(passages[p.n]).sentences[p.at].text.of(scale.worth) for p in (first, second))
    return scale.of(has - had)


def _scales(asked: Asked, passages: Mapping[int, Passage]) -> dict[str, Scale]:
    """Worth is weight times rarity among the sentences shown."""
    readings = [(folding(p.language), read(p)) for p in passages.values()]
    count = OTHERS + sum(len(reading.sentences) for _, reading in readings)
    scales: dict[str, Scale] = {}
    for folded_as in {way for way, _ in readings}:
        weights = asked.weights(folded_as)
        seen = Counter(t for _, r in readings for s in r.sentences for t in s.text.of(weights))
        led = {t for _, r in readings for t in r.heading.of(asked.names)}
        worth = {
            t: w
            * math.log(1 + (count - seen[t] + 0.5) / (seen[t] + 0.5))
            * (MISSED if _missed(t, asked, seen, led) else 1)
            for t, w in weights.items()
        }
        total = sum(worth.values()) or 1.0
        scales[folded_as] = Scale({t: w / total for t, w in worth.items()})
    return scales


def _missed(term: str, asked: Asked, seen: Mapping[str, int], led: Set[str]) -> bool:
    """Whether it is a name that no passage has."""
    return term in asked.names and not seen[term] and term not in led


def _closely(place: Place, asked: Asked, passage: Passage, scales: Mapping[str, Scale]) -> Place:
    """The place with what its clauses and its look add to the score."""
    folded_as = folding(passage.language)
    scale = scales[folded_as]
    sentence = read(passage).sentences[place.at]
    text = passage.text[sentence.start : sentence.end]
    here = sentence.text.of(scale.worth)
    parts = [ready(text[c.start : c.end], folded_as).of(here) for c in clauses(text, Span(0, len(text)))]
    nearest = max(scale.of(a | b) for a, b in zip(parts, [*parts[1:], set()], strict=True))
    sign = shows_sign(place.at, asked, passage)
    score = place.score + CLAUSE * nearest
    if asked.kind not in STRONG_SIGNS:
        return replace(place, score=score + SIGN * sign, sign=sign)
    count = len(read(passage).sentences)
    near = sign or any(shows_sign(at, asked, passage) for at in (place.at - 1, place.at + 1) if 0 <= at < count)
    coverage = place.coverage * (1 if near else UNSIGNED)
    return replace(place, score=score + STRONG * SIGN * sign, sign=sign, coverage=coverage)


def shows_sign(at: int, asked: Asked, passage: Passage) -> bool:
    """Whether the sentence holds, beyond the question's own words, what an answer of the kind looks like."""
    if not has_sign(asked.kind):
        return False
    sentence = read(passage).sentences[at]
    text = passage.text[sentence.start : sentence.end]
    here = sentence.text.of(asked.weights(folding(passage.language)))
    return shows(asked.kind, _beyond(text, sentence.text.folded, here))


def _beyond(text: str, folded: str, asked: Set[str]) -> str:
    """The text without the words of the question; folded where folding has moved the characters."""
    beyond = list(text if len(text) == len(folded) else folded)
    for term in asked:
        at = folded.find(term) if len(term) > 1 else -1
        while at >= 0:
            beyond[at : at + len(term)] = " " * len(term)
            at = folded.find(term, at + len(term))
    return "".join(beyond)

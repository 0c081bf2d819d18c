"""Sentences that say the same of another thing: what Birch costs, where Alder was asked about.

They share nearly every word with the sentence that answers, so nothing but the name they have in place of the one that
was asked about tells that they answer another question.
"""

from __future__ import annotations

from collections.abc import Mapping

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.rank import POINTS_BACK, STRONG_SIGNS, Place
from anaphor.steps.exchanged import counterpart, of_another
from anaphor.steps.reading import folding, read
from anaphor.steps.reconstruct.wording import Kind, tokens
from anaphor.steps.tables import row_at
from anaphor.text.fold import matching
from anaphor.types import Passage, Span


def is_sibling(asked: Asked, best: Place, other: Place, passages: Mapping[int, Passage]) -> bool:
    """Whether the other place says of something that the question does not name what the best says of what it names."""
    if asked.several:
        return False
    if _row(best, passages) and _row(other, passages):
        return _lacks(asked, best, other, passages)
    said, text = _said(best, passages), _said(other, passages)
    if POINTS_BACK.match(text):
        return False
    passage = passages[other.n]
    if of_another(asked.text, said, text, folding(passage.language), f"{passage.title}\n{passage.section}"):
        return True
    needed = asked.kind in STRONG_SIGNS and not best.sign  # for its number or date, whoever else it names
    return not needed and _of_another_name(asked, best, other, passages)


def is_of_the_other(asked: Asked, best: Place, other: Place, passages: Mapping[int, Passage]) -> bool:
    """Whether the question names two things, and the other place says of one what the best says of the other."""
    way = folding(passages[other.n].language)
    return counterpart(asked.text, _said(best, passages), _said(other, passages), way)


def _row(place: Place, passages: Mapping[int, Passage]) -> bool:
    sentence = read(passages[place.n]).sentences[place.at]
    return row_at(passages[place.n], Span(sentence.start, sentence.end)) is not None


def _lacks(asked: Asked, best: Place, other: Place, passages: Mapping[int, Passage]) -> bool:
    """Whether it has less of the question than the best; of the rows of a table the one that has most is asked for."""
    passage = passages[other.n]
    wanted = frozenset(asked.weights(folding(passage.language)))
    had = read(passages[best.n]).sentences[best.at].text.of(wanted)
    return bool(had - read(passage).sentences[other.at].text.of(wanted))


def _of_another_name(asked: Asked, best: Place, other: Place, passages: Mapping[int, Passage]) -> bool:
    """Whether it has a name that the question has not, and none of those that the question and the best have."""
    passage = passages[other.n]
    sentence = read(passage).sentences[other.at]
    named = read(passages[best.n]).sentences[best.at].text.of(asked.names)
    if not named or any(text.of(asked.names) for text in (sentence.text, sentence.led_by, read(passage).heading)):
        return False
    folded = matching(asked.text, passage.language)
    found = tokens(passage.text[sentence.start : sentence.end], passage.language)
    return any(token.kind is Kind.NAME and token.term not in folded for token in found)


def _said(place: Place, passages: Mapping[int, Passage]) -> str:
    passage = passages[place.n]
    sentence = read(passage).sentences[place.at]
    return passage.text[sentence.start : sentence.end]

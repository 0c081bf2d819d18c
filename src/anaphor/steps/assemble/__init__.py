"""Pack what was found into the context budget."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from anaphor.ports import TokenCounter
from anaphor.steps.assemble.excerpt import excerpt
from anaphor.steps.assemble.header import header
from anaphor.steps.assemble.pieces import wants_pieces
from anaphor.steps.beside import SAID
from anaphor.steps.remember import newest_within
from anaphor.text.fold import matching
from anaphor.text.instructions import instructing
from anaphor.types import (
    ContextBudget,
    Evidence,
    Hit,
    KnownFact,
    LeftOut,
    Passage,
    Question,
    Ranking,
    Recollection,
    Spent,
)

__all__ = ["assemble", "header", "utterance"]

INSTRUCTIONS = "instructions"  # why sentences of a passage that is shown are left out
EXCERPT = "excerpt"  # why the rest of one is
BEGINNING, END = 300, 700  # characters of a long question that a model is shown

WHOLE = 0.9  # share of the room for passages shown whole; what is left is for excerpts of those that come after
WHOLE_OF_PIECES = 0.75  # the same for a question that wants many pieces
SHORT, LONG = 24, 120  # tokens of an excerpt: of one among many, and of one that stands where a whole one would
THRIFT = 0.15  # what of a score a passage loses for being e times as long as another
BEST = 10
FACT = 12  # tokens around a fact: its date, its status


def assemble(
    question: Question,
    ranking: Ranking,
    recollection: Recollection,
    budget: ContextBudget,
    count: TokenCounter,
    *,
    in_time: bool = True,
) -> Evidence:
    """Take passages best first while they fit; what does not fit is shown in part, or left out, and the next is tried.

    A message too long for what is left is shown as the sentences around the hit, and named in ``left_out`` with the
    reason ``excerpt``. A passage that says what a better one says is left out too. Of one that instructs the assistant
    only the instructing sentences are: it is shown and named among what was left out, for they support nothing. Where
    rules, history and question leave less of ``total`` than the evidence's share, the evidence gets what is left.
    Documents come in the order of the ranking, then what was said, in the order of time: a model reads it as it went.
    Without ``in_time`` everything comes in the order of the ranking, so that what is quoted is [1] more often than not.
    """
    history = newest_within(recollection.turns, budget.history_turns, budget.history, count)
    asked = count(utterance(question.text))
    told = sum(count(turn.question) + count(turn.answer) for turn in history)
    room = min(budget.evidence, max(0, budget.total - budget.rules - asked - told))
    pack = _Pack(room, WHOLE_OF_PIECES if wants_pieces(question.text) else WHOLE, count)
    offers = thrifty([_Offer(hit, count) for hit in ranking.hits])
    for offer in offers:
        pack.take(offer)
    for offer in offers:
        pack.complete(offer)
    shown = [pack.shown[offer.name][0] for offer in offers if offer.name in pack.shown]
    passages, best = _in_time(shown) if in_time else (tuple(shown), ())
    left_out = tuple(LeftOut(offer.name, why) for offer in offers for why in pack.reasons(offer))
    facts, summary, beside = _beside(recollection, max(0, budget.history - told), count)
    spent = Spent(budget.rules, told + beside, pack.spent, asked)
    return Evidence(passages, left_out, history, spent, best, facts, summary)


def _beside(recollection: Recollection, room: int, count: TokenCounter) -> tuple[tuple[KnownFact, ...], str, int]:
    """Facts and the summary, as far as what the history leaves of its share holds them; and what they take."""
    kept: list[KnownFact] = []
    left = room
    for fact in recollection.facts:
        price = count(fact.text) + sum(count(one.text) for one in fact.earlier) + FACT
        if price <= left:
            kept.append(fact)
            left -= price
    price = count(recollection.summary) if recollection.summary else 0
    summary = recollection.summary if price <= left else ""
    return tuple(kept), summary, room - left + (price if summary else 0)


def utterance(question: str) -> str:
    """What a model is shown of a question: of a long paste the beginning and the end, where what is asked stands."""
    if len(question) <= BEGINNING + END:
        return question
    return f"{question[:BEGINNING]}\n…\n{question[-END:]}"


class _Offer:
    """A hit that may be shown, and what that would cost."""

    def __init__(self, hit: Hit, count: TokenCounter) -> None:
        self.passage, self.name, self.score, self.best = hit.passage, hit.passage.passage_id, hit.score, hit.best
        self.said = self.passage.evidence_class in SAID
        self.above, self.text = count(header(self.passage)), count(self.passage.text)
        self.price = self.above + self.text
        self.alike = _bare(self.passage.text, self.passage.language)


@functools.lru_cache(maxsize=4096)
def _bare(text: str, language: str) -> str:
    """The same for two texts that differ in case, width, script and punctuation at most."""
    return "".join(filter(str.isalnum, matching(text, language))) or text


def thrifty(offers: Sequence[_Offer]) -> list[_Offer]:
    """In the order in which they are packed: of what was said, a short message before a longer one that is as good.

    Documents keep their places: their passages are cut to one size.
    """
    said = [offer for offer in offers if offer.said]
    worth = _worth(said)
    by_worth = iter([said[i] for i in sorted(range(len(said)), key=lambda i: -worth[i])])
    return [next(by_worth) if offer.said else offer for offer in offers]


def _worth(offers: Sequence[_Offer]) -> list[float]:
    """Scores brought to where the ten best have 1 on average and the last has 0, less what length costs."""
    if not offers:
        return []
    best = sorted((offer.score for offer in offers), reverse=True)[:BEST]
    floor = min(offer.score for offer in offers)
    height = (sum(best) / len(best) - floor) or 1.0
    return [(offer.score - floor) / height - THRIFT * math.log(1 + offer.price) for offer in offers]


@dataclass(slots=True)
class _Pack:
    """What is shown so far, by id and with its price."""

    room: int
    whole: float
    count: TokenCounter
    shown: dict[str, tuple[Passage, int]] = field(default_factory=dict)
    spent: int = 0
    _said: dict[str, str] = field(default_factory=dict)

    def take(self, offer: _Offer) -> None:
        """Whole, or in part, if there is room; not what another passage says already."""
        if offer.alike in self._said:
            return
        left = self.room - self.spent
        if offer.price <= left and (not offer.said or self.spent + offer.price <= self.whole * self.room):
            self._show(offer, offer.passage, offer.price)
        elif offer.said:
            self._show_part(offer, left - offer.above)

    def complete(self, offer: _Offer) -> None:
        """Whole after all, if there is room left once everybody had a turn."""
        part, paid = self.shown.get(offer.name, (None, 0))
        if (
            self._said.get(offer.alike, offer.name) == offer.name
            and part != offer.passage
            and self.spent - paid + offer.price <= self.room
        ):
            self._show(offer, offer.passage, offer.price)

    def reasons(self, offer: _Offer) -> Iterator[str]:
        """Why the passage, or something of it, is not used."""
        part, _ = self.shown.get(offer.name, (None, 0))
        if part is None:
            yield "duplicate" if offer.alike in self._said else "budget"
            return
        if part.text != offer.passage.text:
            yield EXCERPT
        if instructing(part.text):
            yield INSTRUCTIONS

    def _show(self, offer: _Offer, part: Passage, price: int) -> None:
        self.spent += price - self.shown.get(offer.name, (None, 0))[1]
        self.shown[offer.name] = (part, price)
        self._said[offer.alike] = offer.name

    def _show_part(self, offer: _Offer, left: int) -> None:
        most = min(left, LONG if self.spent < self.whole * self.room else SHORT)
        if offer.text <= most:
            self._show(offer, offer.passage, offer.price)
        elif most > 0 and (part := excerpt(offer.passage, offer.best, lambda text: self.count(text) <= most)):
            self._show(offer, part, offer.above + self.count(part.text))


def _in_time(shown: Sequence[Passage]) -> tuple[tuple[Passage, ...], tuple[int, ...]]:
    """Documents first, as they are, then what was said, oldest first; and the numbers of all of them, best first."""
    order = sorted(
        range(len(shown)), key=lambda n: _moment(shown[n]) if shown[n].evidence_class in SAID else ("", "", n)
    )
    order.sort(key=lambda n: shown[n].evidence_class in SAID)
    number = {n: at for at, n in enumerate(order, 1)}
    return tuple(shown[n] for n in order), tuple(number[n] for n in range(len(shown)))


def _moment(passage: Passage) -> tuple[str, str, int]:
    """Dates as they are written sort as they are told, within one zone; numbers tell the order within a session."""
    return passage.date or "", passage.source, passage.seq or 0

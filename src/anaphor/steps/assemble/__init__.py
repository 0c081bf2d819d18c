"""Pack what was found into the context budget."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from anaphor.ports import TokenCounter
from anaphor.steps.assemble.excerpt import excerpt
from anaphor.steps.assemble.header import header
from anaphor.steps.assemble.pieces import wants_pieces
from anaphor.steps.beside import SAID
from anaphor.steps.instructions import instructing
from anaphor.steps.remember import newest_within
from anaphor.text.fold import matching
from anaphor.types import ContextBudget, Evidence, Hit, LeftOut, Passage, Question, Ranking, Recollection, Spent

__all__ = ["assemble", "header", "utterance"]

INSTRUCTIONS = "instructions"  # why sentences of a passage that is shown are left out
EXCERPT = "excerpt"  # why the rest of one is
BEGINNING, END = 300, 700  # characters of a long question that a model is shown

WHOLE = 0.9  # share of the room for passages shown whole; what is left is for excerpts of those that come after
WHOLE_OF_PIECES = 0.75  # the same for a question that wants many pieces
SHORT, LONG = 24, 120  # tokens of an excerpt: of one among many, and of one that stands where a whole one would
THRIFT = 0.15  # what of a score a passage loses for being e times as long as another
BEST = 10


def assemble(
    question: Question, ranking: Ranking, recollection: Recollection, budget: ContextBudget, count: TokenCounter
) -> Evidence:
    """Take passages best first while they fit; what does not fit is shown in part, or left out, and the next is tried.

    A message too long for what is left is shown as the sentences around the hit, and named in ``left_out`` with the
    reason ``excerpt``. A passage that says what a better one says is left out too. Of one that instructs the assistant
    only the instructing sentences are: it is shown and named among what was left out, for they support nothing. Where
    rules, history and question leave less of ``total`` than the evidence's share, the evidence gets what is left.
    Documents come in the order of the ranking, then what was said, in the order of time.
    """
    history = newest_within(recollection.turns, budget.history_turns, budget.history, count)
    asked = count(utterance(question.text))
    told = sum(count(turn.question) + count(turn.answer) for turn in history)
    room = min(budget.evidence, max(0, budget.total - budget.rules - asked - told))
    pack = _Pack(room, WHOLE_OF_PIECES if wants_pieces(question.text) else WHOLE, count)
    hits = list(thrifty(ranking.hits, count))
    for hit in hits:
        pack.take(hit)
    for hit in hits:
        pack.complete(hit)
    passages, best = _in_time(
        [pack.shown[hit.passage.passage_id] for hit in hits if hit.passage.passage_id in pack.shown]
    )
    left_out = tuple(LeftOut(hit.passage.passage_id, why) for hit in hits for why in pack.reasons(hit))
    return Evidence(passages, left_out, history, Spent(budget.rules, told, pack.spent, asked), best)


def utterance(question: str) -> str:
    """What a model is shown of a question: of a long paste the beginning and the end, where what is asked stands."""
    if len(question) <= BEGINNING + END:
        return question
    return f"{question[:BEGINNING]}\n…\n{question[-END:]}"


def thrifty(hits: Sequence[Hit], count: TokenCounter) -> Iterator[Hit]:
    """The hits in the order in which they are packed: of what was said, a short message before a longer one as good.

    Documents keep their places: their passages are cut to one size.
    """
    said = [hit for hit in hits if hit.passage.evidence_class in SAID]
    worth = _worth(said, count)
    by_worth = iter([said[i] for i in sorted(range(len(said)), key=lambda i: -worth[i])])
    return (next(by_worth) if hit.passage.evidence_class in SAID else hit for hit in hits)


def _worth(hits: Sequence[Hit], count: TokenCounter) -> list[float]:
    if not hits:
        return []
    scores = [hit.score for hit in hits]
    best = sorted(scores, reverse=True)[:BEST]
    floor = min(scores)
    height = (sum(best) / len(best) - floor) or 1.0
    return [(hit.score - floor) / height - THRIFT * math.log(1 + _price(hit.passage, count)) for hit in hits]


def _price(passage: Passage, count: TokenCounter) -> int:
    return count(header(passage)) + count(passage.text)


@dataclass(slots=True)
class _Pack:
    """What is shown so far, by id, and what it cost."""

    room: int
    whole: float
    count: TokenCounter
    shown: dict[str, Passage] = field(default_factory=dict)
    spent: int = 0
    _said: dict[str, str] = field(default_factory=dict)

    def take(self, hit: Hit) -> None:
        """Whole, or in part, if there is room; not what another passage says already."""
        said, name = _alike(hit.passage), hit.passage.passage_id
        if said not in self._said and (part := self._fitting(hit)):
            self._said[said] = name
            self._show(part)

    def complete(self, hit: Hit) -> None:
        """Whole after all, if there is room left once everybody had a turn."""
        said, name = _alike(hit.passage), hit.passage.passage_id
        if self._said.get(said, name) == name and self.shown.get(name) != hit.passage:
            already = _price(self.shown[name], self.count) if name in self.shown else 0
            if self.spent - already + _price(hit.passage, self.count) <= self.room:
                self.spent -= already
                self._said[said] = name
                self._show(hit.passage)

    def reasons(self, hit: Hit) -> Iterator[str]:
        """Why the passage, or something of it, is not used."""
        part = self.shown.get(hit.passage.passage_id)
        if part is None:
            yield "duplicate" if _alike(hit.passage) in self._said else "budget"
            return
        if part.text != hit.passage.text:
            yield EXCERPT
        if instructing(part.text):
            yield INSTRUCTIONS

    def _show(self, part: Passage) -> None:
        self.shown[part.passage_id] = part
        self.spent += _price(part, self.count)

    def _fitting(self, hit: Hit) -> Passage | None:
        """The passage, an excerpt of what was said, or nothing."""
        passage, left = hit.passage, self.room - self.spent
        price = _price(passage, self.count)
        is_said = passage.evidence_class in SAID
        if price <= left and (not is_said or self.spent + price <= self.whole * self.room):
            return passage
        if not is_said:
            return None
        most = min(left - self.count(header(passage)), LONG if self.spent < self.whole * self.room else SHORT)
        if self.count(passage.text) <= most:
            return passage
        return excerpt(passage, hit.best, lambda text: self.count(text) <= most)


def _alike(passage: Passage) -> str:
    """The same for two texts that differ in case, width, script and punctuation at most."""
    kept = "".join(filter(str.isalnum, matching(passage.text, passage.language)))
    return kept or passage.text


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

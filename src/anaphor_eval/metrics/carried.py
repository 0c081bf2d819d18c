"""carried_precision, carried_recall, carried_f1: was the right thing brought in from the history, and nothing else?

    C(x) = T(x) − T(u)                                              what rewrite x has that the utterance u does not
    P = Σ_u |C(x) ∩ C(g)| / Σ_u |C(x)|,   R = Σ_u |C(x) ∩ C(g)| / Σ_u |C(g)|,   F1 = 2PR / (P + R)

T(·) the bag of the evaluator's content tokens (CJK characters less function words, Latin words less function words),
− and ∩ on bags, g a person's rewrite: of several, the one the system's agrees with most. Added up over utterances
before dividing. The idea of scoring only the restored words: Pan, Bai, Wang, Zhou, Wang, Liu (2019), "Improving
Open-Domain Dialogue Systems via Multi-Turn Incomplete Utterance Restoration", EMNLP.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from anaphor_eval.content import content_tokens
from anaphor_eval.metrics.share import Share


class Carried(NamedTuple):
    """One utterance's counts: in both, in the system's rewrite, in the person's."""

    both: int
    system: int
    person: int

    @property
    def precision(self) -> Share:
        return Share(self.both, self.system)

    @property
    def recall(self) -> Share:
        return Share(self.both, self.person)

    @property
    def f1(self) -> Share:
        return Share(2 * self.both, self.system + self.person)


def carried(rewrite: str, utterance: str, golds: Iterable[str]) -> Carried:
    """Counts against the gold that gives the best F1; the first of equals."""
    there = Counter(content_tokens(utterance))
    system = Counter(content_tokens(rewrite)) - there
    found = [_against(system, Counter(content_tokens(gold)) - there) for gold in golds]
    return max(found, key=_agreement)


def _against(system: Counter[str], person: Counter[str]) -> Carried:
    return Carried((system & person).total(), system.total(), person.total())


def _agreement(counts: Carried) -> float:
    return 1.0 if not counts.system and not counts.person else counts.f1.value or 0.0

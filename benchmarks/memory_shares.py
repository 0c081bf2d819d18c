"""Does it pay to give the newest turns, or a summary, a share of the evidence's room by the kind of question?

The rule to beat elsewhere: short questions weigh recent turns .7, long ones summaries .6. Here the rest of the room
goes to what retrieval found; ``turns`` gives it all of it. Whole messages that hold the
evidence are counted, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from anaphor.types import Passage
from anaphor_eval.datasets import LongConversation, read_as
from anaphor_eval.datasets.memory import Counted, counted
from anaphor_eval.metrics.evidence import evidence_all
from anaphor_eval.tasks.memory import as_hits, key, newest, pack, rankings
from anaphor_eval.tasks.notes import summarised
from anaphor_eval.tasks.plan import BUDGET, Plan
from anaphor_eval.tasks.shelf import Shelf, passage_id, sittings
from anaphor_eval.tokens import count

# What of the room goes to the newest turns where the question is short, and to a summary where it is long.
RULES: Mapping[str, tuple[float, float]] = {
    "turns": (0.0, 0.0),
    "recent .1, summary .1": (0.1, 0.1),
    "recent .3, summary .3": (0.3, 0.3),
    "recent .7, summary .6": (0.7, 0.6),
}

Json = dict[str, Any]


def shares(plan: Plan, path: Path) -> list[Json]:
    """A row for each rule and length of question: the share of questions whose evidence is shown whole.

    Questions up to the median length of their set are short, the others long.
    """
    dataset = read_as(path, LongConversation)
    questions = counted(dataset.items, None)
    shelf = Shelf(plan, dataset, None)
    with shelf:
        ranked = rankings(plan, "default", questions, shelf)
    there = {
        one.conversation_id: {said.passage_id: said for sitting in sittings(one, None) for said in sitting}
        for one in dataset.items
    }
    middle = median(count(each.question.question) for each in questions)
    short = {key(each): count(each.question.question) <= middle for each in questions}
    found = []
    for rule, (recent, summary) in RULES.items():
        got = {}
        for each in questions:
            said = there[each.conversation.conversation_id]
            share = recent if short[key(each)] else summary
            beside = newest if short[key(each)] else summarised
            got[key(each)] = _evidence(each, said, ranked[key(each)], int(BUDGET * share), beside)
        for name, wanted in (("all", (True, False)), ("short", (True,)), ("long", (False,))):
            here = [one for each, one in got.items() if short[each] in wanted]
            metrics = {"evidence_all": sum(here) / len(here)}
            found.append({"data": path.stem, "source": rule, "slice": name, "n": len(here), "metrics": metrics})
    return found


def _evidence(
    each: Counted,
    said: Mapping[str, Passage],
    told: Mapping[str, Any],
    room: int,
    beside: Callable[[Sequence[Passage], int], Sequence[Passage]],
) -> float:
    """1 if all of it is shown, in ``room`` tokens of what stands beside and the rest of what was found."""
    shown = [*(beside(list(said.values()), room) if room else ()), *_found(each, said, told, BUDGET - room)]
    whole = frozenset(one.passage_id for one in shown if one.text == said[one.passage_id].text)
    return evidence_all(whole, [passage_id(each.conversation.conversation_id, turn) for turn in each.evidence])


def _found(each: Counted, said: Mapping[str, Passage], told: Mapping[str, Any], room: int) -> list[Passage]:
    return pack(each.question.question, as_hits(said, told), room)

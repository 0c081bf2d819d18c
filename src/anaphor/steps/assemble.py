"""Pack what was found into the context budget."""

from __future__ import annotations

from anaphor.ports import TokenCounter
from anaphor.steps.instructions import instructing
from anaphor.steps.remember import newest_within
from anaphor.types import ContextBudget, Evidence, LeftOut, Passage, Question, Ranking, Recollection, Spent

INSTRUCTIONS = "instructions"  # why sentences of a passage that is shown are left out
BEGINNING, END = 300, 700  # characters of a long question that a model is shown


def assemble(
    question: Question, ranking: Ranking, recollection: Recollection, budget: ContextBudget, count: TokenCounter
) -> Evidence:
    """Take passages best first while they fit; one that does not fit is left out, and the next is tried.

    A passage that says word for word what a better one says is left out too. Of one that instructs the assistant only
    the instructing sentences are: it is shown and named among what was left out, for they support nothing. Where
    rules, history and question leave less of ``total`` than the evidence's share, the evidence gets what is left.
    """
    history = newest_within(recollection.turns, budget.history_turns, budget.history, count)
    asked = count(utterance(question.text))
    told = sum(count(turn.question) + count(turn.answer) for turn in history)
    room = min(budget.evidence, max(0, budget.total - budget.rules - asked - told))
    shown: list[Passage] = []
    said: set[str] = set()
    left_out: list[LeftOut] = []
    spent = 0
    for hit in ranking.hits:
        price = count(header(hit.passage)) + count(hit.passage.text)
        if hit.passage.text in said:
            left_out.append(LeftOut(hit.passage.passage_id, "duplicate"))
        elif spent + price > room:
            left_out.append(LeftOut(hit.passage.passage_id, "budget"))
        else:
            shown.append(hit.passage)
            said.add(hit.passage.text)
            spent += price
            if instructing(hit.passage.text):
                left_out.append(LeftOut(hit.passage.passage_id, INSTRUCTIONS))
    return Evidence(tuple(shown), tuple(left_out), history, Spent(budget.rules, told, spent, asked))


def utterance(question: str) -> str:
    """What a model is shown of a question: of a long paste the beginning and the end, where what is asked stands."""
    if len(question) <= BEGINNING + END:
        return question
    return f"{question[:BEGINNING]}\n…\n{question[-END:]}"


def header(passage: Passage) -> str:
    """What stands above a passage when a model is shown it; part of its price."""
    return " · ".join(part for part in (passage.title, passage.section, passage.date) if part)

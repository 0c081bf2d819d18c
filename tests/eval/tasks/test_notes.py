"""What memory makes of a long conversation, as ``anaphor eval memory --source`` measures it."""

from __future__ import annotations

import pytest

from anaphor_eval.datasets import LongConversation
from anaphor_eval.datasets.values import MemoryQuestion, Said, SaidSession
from anaphor_eval.tasks.notes import Notes, noted, summarised, with_notes
from anaphor_eval.tokens import count

SAID = (
    "I live in Bergen now.",
    "What is the weather?",
    "I have 37 coins in my collection.",
    "I added one more coin to my collection.",
)


@pytest.fixture
def conversation() -> LongConversation:
    turns = tuple(Said(f"t{n}", "user", text, "2026-05-22") for n, text in enumerate(SAID))
    question = MemoryQuestion("q1", "How many coins do I have?", "38", "count", ("t2", "t3"))
    return LongConversation("c1", "en", (SaidSession("s1", "2026-05-22", turns),), (question,))


def test_facts_are_shown_as_parts_of_the_turns_that_say_them(conversation: LongConversation) -> None:
    notes = Notes(conversation, None)
    shown = noted(notes, "How many coins do I have?", 200)
    assert {one.passage_id for one in shown[:2]} == {"c1/t2", "c1/t3"}
    assert all(one.text in notes.passages[one.passage_id].text for one in shown)
    assert "c1/t1" not in [one.passage_id for one in shown]
    notes.close()


def test_what_facts_lead_to_joins_what_was_found(conversation: LongConversation) -> None:
    notes = Notes(conversation, None)
    found = with_notes(notes, "How many coins do I have?", [])
    assert {hit.passage.passage_id for hit in found} == {"c1/t2", "c1/t3"}
    assert with_notes(notes, "What is the capital of Peru?", []) == []
    notes.close()


def test_a_summary_keeps_to_its_budget(conversation: LongConversation) -> None:
    notes = Notes(conversation, None)
    shown = summarised(list(notes.passages.values()), 40)
    assert shown
    assert sum(count(one.text) for one in shown) <= 40
    notes.close()

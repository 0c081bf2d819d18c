"""If memory fails, a turn has its window and what is found in the turns themselves, and the trace says why."""

from __future__ import annotations

from typing import Any

import pytest

import anaphor
from anaphor.adapters import fake
from anaphor.adapters.fake import FixedClock
from anaphor.errors import StoreBusy
from anaphor.memory import consolidate
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation
from anaphor.types import Outcome, Question, Sources
from memory.test_whole_conversations import MAY_22, MEI

SAID = {
    "en": ("I live in Leeds.", "Where do I live?", "Leeds"),
    "zh-Hant": ("我住在台南。", "我住在哪裡？", "台南"),
    "zh-Hans": ("我住在苏州。", "我住在哪里？", "苏州"),
    "ja": ("京都に住んでいます。", "どこに住んでいますか？", "京都"),
}


def test_a_turn_that_cannot_be_read_keeps_no_other_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = consolidate.extract

    def extract(text: str, **rest: Any) -> Any:
        if "York" in text:
            raise IndexError("array index out of range")
        return whole(text, **rest)

    monkeypatch.setattr(consolidate, "extract", extract)
    with anaphor.open(":memory:", embedder="none") as assistant:
        for said in ("I like York.", "I live in Leeds."):
            assistant.ask(said)
        with pytest.warns(RuntimeWarning, match="gives no facts: IndexError"):
            assistant.memory.refresh()
        assert [fact.statement.value for fact in assistant.memory.list()] == ["Leeds"]


class Failing:
    """``ports.Memories`` of which everything fails."""

    def __getattr__(self, name: str) -> Any:
        def fail(*_args: Any, **_rest: Any) -> Any:
            raise StoreBusy(f"{name}: nobody answers")

        return fail


@pytest.mark.parametrize("language", SAID)
def test_without_memory_a_turn_is_answered_from_what_was_said_and_says_what_failed(language: str) -> None:
    said, question, place = SAID[language]
    store = fake.Store(FixedClock(MAY_22))
    scope = MEI.within(store.sessions.create(MEI).session_id)
    conversation = Conversation(store.turns, store.documents, (store.lexical,), estimate, Failing())
    conversation.ask(scope, Question(said, "t1"))
    told = conversation.ask(scope, Question(question, "t2", sources=Sources.MEMORY))
    assert told.outcome is Outcome.ANSWERED
    assert place in told.answer
    assert any(note.startswith("memory: ") and "nobody answers" in note for note in told.notes)
    assert store.turns.trace(scope, "t2")["notes"] == list(told.notes)

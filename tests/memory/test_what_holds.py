"""What a person told is answered as it holds: whose it is, corrected, ended, called off, counted. Short conversations
in four languages (``holds/*.txt``), read into facts or not yet."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from anaphor.adapters import fake
from anaphor.adapters.fake import FixedClock
from anaphor.memory.consolidate import Due
from anaphor.persons_memory import PersonsMemory
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation
from anaphor.types import Outcome, Question, Scope

MEI = Scope("acme", "mei")
MAY_22 = 1_779_408_000.0  # 2026-05-22, 00:00 UTC
MINUTE = 60.0
HOLDS = Path(__file__).with_name("holds")


def conversations(language: str) -> list[tuple[list[str], str, list[str]]]:
    lines = HOLDS.joinpath(f"{language}.txt").read_text("utf-8").splitlines()
    found = []
    for line in lines:
        if line and not line.startswith("#"):
            told, rest = line.split(" => ")
            asked, wanted = rest.rsplit(" | ", 1)
            found.append((told.split(" / "), asked, wanted.split()))
    return found


def faults(wanted: list[str], outcome: Outcome, answer: str) -> list[str]:
    if wanted == ["declined"]:
        return [] if outcome is Outcome.DECLINED else wanted
    if outcome is not Outcome.ANSWERED:
        return [outcome]
    has = {one: one[1:].replace("_", " ") in answer for one in wanted}
    return [one for one in wanted if has[one] is not (one[0] == "+")]


@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans", "ja"])
def test_what_was_told_is_answered_as_it_holds(language: str, read: bool) -> None:
    wrong = []
    for told, asked, wanted in conversations(language):
        clock = FixedClock(MAY_22)
        store = fake.Store(clock)
        conversation = Conversation(store.turns, store.documents, (store.lexical,), estimate, store.memories)
        memory = PersonsMemory(store, MEI, clock, estimate, UTC, Due())
        scope = MEI.within(store.sessions.create(MEI).session_id)
        for n, text in enumerate(told):
            conversation.ask(scope, Question(text, f"t{n}"))
            if read:
                memory.refresh()
            clock.now += MINUTE
        answer = conversation.ask(scope, Question(asked, "asked"))
        if found := faults(wanted, answer.outcome, answer.answer):
            wrong.append(f"{' / '.join(told)} => {asked}: {found} in {answer.answer}")
    assert not wrong, "\n".join(wrong)

"""Whole conversations, eleven and more a language, through the whole system: no model, words alone.

A conversation passes when all its turns are right. What is known to fail is listed by id in ``expected.py``, with the
reason; a conversation listed there that comes right is a failure too, so that the list cannot outlive its reasons.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from anaphor.settings import Settings
from anaphor_eval.rows import Arm
from anaphor_eval.suites import SuiteConversation, read_suite
from anaphor_eval.tasks.conversation import play
from anaphor_eval.tasks.plan import Plan
from conversations.expected import FAILURES

HERE = Path(__file__).parent
LANGUAGES = ("zh-Hant", "zh-Hans", "ja", "en")
ELEVEN = 11
TURNS = range(4, 8)


@cache
def conversations() -> tuple[SuiteConversation, ...]:
    return tuple(each for language in LANGUAGES for each in read_suite(HERE / f"{language}.yaml").conversations)


def parameters() -> list[Any]:
    return [pytest.param(each, id=each.conversation_id, marks=_marks(each.conversation_id)) for each in conversations()]


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=FAILURES[name], strict=True)] if name in FAILURES else []


@pytest.mark.parametrize("conversation", parameters())
def test_every_turn_is_right(conversation: SuiteConversation) -> None:
    plan = Plan(files=(), settings=Settings(embedder="none"))
    turns = play(plan, Arm(rewriter="embedded", retriever="bm25", reader="quoted"), conversation)
    missed = [f"turn {n}: {turn.turn.utterance!r}: {miss}" for n, turn in enumerate(turns, 1) for miss in turn.misses]
    assert not missed, "\n" + "\n".join(missed)


def test_what_is_expected_to_fail_is_there() -> None:
    assert not FAILURES.keys() - {each.conversation_id for each in conversations()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_and_each_is_a_whole_conversation(language: str) -> None:
    here = [each for each in conversations() if each.language == language]
    assert len(here) >= ELEVEN
    assert [each.conversation_id for each in here if len(each.turns) not in TURNS] == []


def test_every_kind_is_there_in_at_least_two_languages() -> None:
    kinds = Counter(kind for kind, _ in {(each.kind, each.language) for each in conversations()})
    assert {kind for kind, languages in kinds.items() if languages < 2} == set()

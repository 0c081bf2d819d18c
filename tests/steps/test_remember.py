"""The window: newest kept, oldest dropped first, never empty when there is a past."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.remember import newest_within, remember
from anaphor.types import Outcome, Scope, Turn, Window


def count(text: str) -> int:
    return len(text)


def said(seq: int, question: str = "q" * 10, answer: str = "a" * 10) -> Turn:
    return Turn(f"t{seq}", seq, question, Outcome.ANSWERED, answer)


class Log:
    """Turns of one session, as the port gives them."""

    def __init__(self, *turns: Turn) -> None:
        self.turns = turns

    def recent(self, _scope: Scope, limit: int, before: int | None = None) -> list[Turn]:
        return [t for t in self.turns if before is None or t.seq < before][-limit:]


def test_the_newest_turns_are_kept_oldest_first():
    kept = newest_within([said(n) for n in range(1, 7)], limit=4, tokens=1000, count=count)
    assert [turn.seq for turn in kept] == [3, 4, 5, 6]


def test_tokens_bound_the_window_too():
    kept = newest_within([said(n) for n in range(1, 7)], limit=4, tokens=45, count=count)
    assert [turn.seq for turn in kept] == [5, 6]


@pytest.mark.parametrize("huge", ["x" * 5000, "很長的回答。" * 900, "とても長い返事。" * 700])
def test_one_huge_answer_is_cut_rather_than_leaving_nothing_to_follow(huge):
    kept = newest_within([said(1), said(2, "那它呢?", huge)], limit=4, tokens=100, count=count)
    assert [turn.question for turn in kept] == ["那它呢?"]
    assert count(kept[0].question) + count(kept[0].answer) <= 100


@pytest.mark.parametrize("huge", ["x" * 9000, "很長的回答。" * 900, "很长的回答。" * 900, "とても長い返事。" * 700])
def test_a_huge_answer_takes_the_room_that_is_left_and_no_more(huge):
    kept = newest_within([said(1), said(2, "那它呢?", huge), said(3)], limit=4, tokens=400, count=count)
    assert [turn.seq for turn in kept] == [2, 3]
    assert huge.startswith(kept[0].answer)
    assert kept[0].answer
    assert sum(count(turn.question) + count(turn.answer) for turn in kept) <= 400


def test_a_huge_older_answer_does_not_push_out_what_is_newer():
    kept = newest_within([said(1), said(2, answer="x" * 5000), said(3)], limit=4, tokens=100, count=count)
    assert [turn.seq for turn in kept] == [3]


def test_what_the_window_did_not_hold_is_counted():
    log = Log(*[said(n) for n in range(1, 10)])
    told = remember(log, None, Scope("acme", "mei", "s"), before=10, window=Window(4, 1000), count=count)
    assert [turn.seq for turn in told.turns] == [6, 7, 8, 9]
    assert told.left_out == 5


def test_only_turns_before_the_running_one_are_remembered():
    log = Log(*[said(n) for n in range(1, 6)])
    told = remember(log, None, Scope("acme", "mei", "s"), before=3, window=Window(4, 1000), count=count)
    assert [turn.seq for turn in told.turns] == [1, 2]


@given(
    st.lists(st.tuples(st.text(max_size=60), st.text(max_size=60)), max_size=12), st.integers(1, 6), st.integers(1, 200)
)
def test_the_window_never_exceeds_either_limit(texts, limit, tokens):
    turns = [said(n, question, answer) for n, (question, answer) in enumerate(texts, 1)]
    kept = newest_within(turns, limit, tokens, count)
    assert len(kept) <= limit
    assert sum(count(t.question) + count(t.answer) for t in kept) <= tokens
    assert [t.seq for t in kept] == [t.seq for t in turns][len(turns) - len(kept) :]

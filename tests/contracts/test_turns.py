from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import AnaphorError, BadInput, StaleTurn, TurnInProgress, UnknownSession, UnknownTurn
from anaphor.types import Claim, Decision, Outcome, Scope, Support, Turn
from contracts.scenes import (
    MEI,
    RIVAL,
    TOM,
    AnyStore,
    accept,
    answered,
    remembered,
    say,
    session,
    statement,
)

QUESTIONS = ["那它的增長率呢？", "那它的增长率呢？", "その増加率は？", "And its growth rate?"]


@pytest.fixture
def mine(store: AnyStore) -> Scope:
    return session(store, MEI)


def recent(store: AnyStore, scope: Scope, limit: int = 10, before: int | None = None) -> list[str]:
    return [turn.turn_id for turn in store.turns.recent(scope, limit, before)]


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_question_is_written_down_before_anything_else(
    store: AnyStore, mine: Scope, clock: FixedClock, text: str
) -> None:
    turn = accept(store, mine, text, "t1")
    assert turn == Turn("t1", 1, text, Outcome.RUNNING, asked_at=clock.now)
    assert store.turns.get(mine, "t1") == turn
    assert recent(store, mine) == []  # it has not ended


@pytest.mark.parametrize("text", QUESTIONS)
def test_what_is_committed_is_what_is_read(store: AnyStore, mine: Scope, text: str) -> None:
    ended = replace(
        answered(accept(store, mine, text, "t1"), "3.2%。[1]"),
        language="zh-Hant",
        decision=Decision.FOLLOW_UP,
        standalone="台中市的人口增長率？",
        outcome=Outcome.PARTLY,
        claims=(
            Claim("3.2%。", (1,), Support.SUPPORTED, "- "),
            Claim("昨年", (), Support.UNCITED, reason="no citation"),
            Claim("x"),
        ),
    )
    store.turns.commit(mine, ended, {"ranking": [{"rank": 1, "score": 0.5}], "注": "備考"})
    assert store.turns.get(mine, "t1") == ended
    assert store.turns.recent(mine, 3) == [ended]
    assert store.turns.trace(mine, "t1") == {"ranking": [{"rank": 1, "score": 0.5}], "注": "備考"}


def test_turns_count_from_one_without_a_gap_whatever_became_of_them(store: AnyStore, mine: Scope) -> None:
    other = session(store, MEI)
    for n, outcome in enumerate(o for o in Outcome if o is not Outcome.RUNNING):
        turn = accept(store, mine, "question", f"t{n}")
        assert turn.seq == n + 1
        store.turns.commit(mine, replace(turn, outcome=outcome), {})
    assert accept(store, other, "question", "t0").seq == 1


def test_recent_turns_come_oldest_first_and_end_where_asked(store: AnyStore, mine: Scope) -> None:
    for n in range(1, 6):
        say(store, mine, f"question {n}", f"t{n}")
    assert recent(store, mine, 3) == ["t3", "t4", "t5"]
    assert recent(store, mine, 3, before=3) == ["t1", "t2"]
    assert recent(store, mine, 0) == []
    accept(store, mine, "still running", "t6")
    assert recent(store, mine, 2) == ["t4", "t5"]


def test_a_turn_is_found_by_id_and_by_number(store: AnyStore, mine: Scope) -> None:
    first, second = say(store, mine, "one", "2"), say(store, mine, "two", "b")
    assert store.turns.get(mine, "2") == first  # an id wins over a number
    assert store.turns.get(mine, "1") == first
    assert store.turns.get(mine, "b") == second
    for unknown in ("3", "0", "-1", "c", "", "٢", "9" * 30):
        with pytest.raises(UnknownTurn):
            store.turns.get(mine, unknown)


@pytest.mark.parametrize("stranger", [TOM, RIVAL])
def test_another_person_with_the_same_session_id_sees_nothing(store: AnyStore, mine: Scope, stranger: Scope) -> None:
    say(store, mine, "我的密碼提示是貓。", "t1")
    theirs = stranger.within(mine.session)
    assert store.turns.recent(theirs, 6) == []
    for ask in (store.turns.get, store.turns.trace):
        with pytest.raises(UnknownTurn):
            ask(theirs, "t1")
    with pytest.raises(UnknownSession):
        accept(store, theirs, "let me in", "t2")
    with pytest.raises((UnknownSession, UnknownTurn)):
        store.turns.commit(theirs, answered(store.turns.get(mine, "t1")), {})
    assert remembered(store, theirs, "密碼") == []
    assert store.documents.passages(theirs, ["t1:0"]) == {}


def test_only_one_turn_of_a_session_runs_at_a_time(store: AnyStore, mine: Scope) -> None:
    running = accept(store, mine, "first", "t1")
    with pytest.raises(TurnInProgress) as refused:
        accept(store, mine, "second", "t2")
    assert refused.value.seq == running.seq
    assert refused.value.seconds == pytest.approx(running.lease_until - running.asked_at)
    assert f"--wait {refused.value.seconds:.0f}" in str(refused.value)
    accept(store, session(store, MEI), "another session waits for nobody", "t2")
    store.turns.commit(mine, answered(running), {})
    assert accept(store, mine, "second", "t2").seq == 2


def test_the_same_turn_id_again_returns_the_stored_turn(store: AnyStore, mine: Scope) -> None:
    ended = say(store, mine, "first", "t1", "the answer")
    say(store, mine, "second", "t2")
    assert accept(store, mine, "asked in other words", "t1") == ended
    assert accept(store, mine, "asked in other words", "t1", expected_seq=0) == ended
    assert recent(store, mine) == ["t1", "t2"]


def test_the_same_turn_id_while_it_runs_is_in_progress(store: AnyStore, mine: Scope) -> None:
    accept(store, mine, "first", "t1")
    with pytest.raises(TurnInProgress):
        accept(store, mine, "first", "t1")


def test_a_turn_whose_lease_ran_out_has_failed_and_keeps_its_question(
    store: AnyStore, mine: Scope, clock: FixedClock
) -> None:
    accept(store, mine, "台中的人口？", "t1", lease=30)
    clock.advance(29)
    with pytest.raises(TurnInProgress):
        accept(store, mine, "next", "t2")
    clock.advance(1)
    lost = store.turns.get(mine, "t1")
    assert (lost.outcome, lost.question) == (Outcome.FAILED, "台中的人口？")
    assert lost.lease_until == 0
    assert recent(store, mine) == ["t1"]
    assert accept(store, mine, "next", "t2").seq == 2
    assert accept(store, mine, "again", "t1").outcome is Outcome.FAILED


def test_an_end_that_comes_after_another_turn_took_its_place_is_stale(
    store: AnyStore, mine: Scope, clock: FixedClock
) -> None:
    slow = accept(store, mine, "我住在台中。", "t1", lease=30)
    clock.advance(31)
    accept(store, mine, "next", "t2")
    with pytest.raises(StaleTurn) as refused:
        store.turns.commit(mine, answered(slow), {}, [statement(mine, slow)])
    assert refused.value.seq == 2
    assert store.turns.get(mine, "t1").outcome is Outcome.FAILED
    assert remembered(store, mine, "台中") == []
    store.turns.commit(mine, replace(slow, outcome=Outcome.FAILED), {})  # that it failed is known: no news


def test_an_end_that_comes_late_but_before_any_other_turn_is_kept(
    store: AnyStore, mine: Scope, clock: FixedClock
) -> None:
    slow = accept(store, mine, "slow", "t1", lease=30)
    clock.advance(31)
    store.turns.commit(mine, answered(slow), {})
    assert store.turns.get(mine, "t1").outcome is Outcome.ANSWERED


def test_a_caller_who_looks_at_an_old_page_is_told(store: AnyStore, mine: Scope) -> None:
    accept(store, mine, "first", "t1", expected_seq=0)
    store.turns.commit(mine, answered(store.turns.get(mine, "t1")), {})
    with pytest.raises(StaleTurn) as refused:
        accept(store, mine, "second", "t2", expected_seq=0)
    assert refused.value.seq == 1
    assert accept(store, mine, "second", "t2", expected_seq=1).seq == 2


def test_committing_again_changes_nothing(store: AnyStore, mine: Scope) -> None:
    ended = say(store, mine, "I live in Tokyo.", "t1", "first")
    store.turns.commit(mine, replace(ended, answer="second"), {"new": 1}, [statement(mine, ended)])
    store.turns.commit(mine, replace(ended, outcome=Outcome.FAILED), {"new": 1})
    assert store.turns.get(mine, "t1") == ended
    assert store.turns.trace(mine, "t1") == {"notes": []}
    assert remembered(store, mine, "Tokyo") == ["I live in Tokyo."]


def test_a_turn_nobody_accepted_cannot_be_committed(store: AnyStore, mine: Scope) -> None:
    say(store, mine, "first", "t1")
    for unknown in ("t2", "1"):
        with pytest.raises(UnknownTurn):
            store.turns.commit(mine, Turn(unknown, 1, "x", Outcome.ANSWERED), {})


def test_a_running_turn_is_not_an_end(store: AnyStore, mine: Scope) -> None:
    turn = accept(store, mine, "first", "t1")
    with pytest.raises(ValueError, match="still running"):
        store.turns.commit(mine, turn, {})


def test_a_commit_that_fails_leaves_nothing(store: AnyStore, mine: Scope) -> None:
    turn = accept(store, mine, "我住在台中。", "t1")
    twice = [statement(mine, turn), replace(statement(mine, turn), text="台中")]
    with pytest.raises(BadInput):
        store.turns.commit(mine, answered(turn), {}, twice)
    with pytest.raises(TypeError):
        store.turns.commit(mine, answered(turn), {"not JSON": object()}, [statement(mine, turn)])
    assert store.turns.get(mine, "t1") == turn
    assert store.turns.trace(mine, "t1") == {}
    assert remembered(store, mine, "台中") == []
    store.turns.commit(mine, answered(turn), {}, [statement(mine, turn)])
    assert remembered(store, mine, "台中") == ["我住在台中。"]


def test_a_trace_is_kept_for_its_time_and_the_turn_for_good(store: AnyStore, mine: Scope, clock: FixedClock) -> None:
    say(store, mine, "first", "t1")
    clock.advance(29 * 86_400)
    say(store, mine, "second", "t2")
    assert store.turns.trace(mine, "t1") == {"notes": []}
    clock.advance(86_400)
    assert store.turns.trace(mine, "t1") == {}
    assert store.turns.trace(mine, "t2") == {"notes": []}
    assert store.lifetimes.end().traces == 1
    assert store.lifetimes.end().traces == 0
    clock.advance(30 * 86_400)
    assert store.lifetimes.end().traces == 1
    assert store.turns.trace(mine, "t2") == {}
    assert recent(store, mine) == ["t1", "t2"]


@pytest.mark.parametrize(
    "text", ["half a pair \ud83d", "nul \0 here", "a\u0301 ｈａｌｆ", "'; DROP TABLE turns; --", "😀"]
)
def test_any_text_is_stored(store: AnyStore, mine: Scope, text: str) -> None:
    turn = accept(store, mine, text, "t1")
    store.turns.commit(mine, answered(turn, text), {"note": text}, [statement(mine, turn)])
    kept = store.turns.get(mine, "t1")
    assert kept.answer == kept.question == turn.question
    assert kept.question.encode().decode() == kept.question


def test_many_threads_on_many_sessions_lose_nothing(store: AnyStore) -> None:
    def talk(n: int) -> list[int]:
        scope = session(store, Scope("acme", f"user{n % 3}"))
        return [say(store, scope, f"question {i} of thread {n}", f"t{i}").seq for i in range(12)]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(talk, range(8))) == [list(range(1, 13))] * 8


def test_of_many_threads_on_one_session_one_has_the_lease(store: AnyStore, mine: Scope) -> None:
    def ask(n: int) -> Turn | AnaphorError:
        try:
            return accept(store, mine, f"question {n}", f"t{n}")
        except AnaphorError as error:
            return error

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(ask, range(8)))
    assert sum(isinstance(outcome, Turn) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, TurnInProgress) for outcome in outcomes) == 7

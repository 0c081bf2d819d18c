"""Continuing from an earlier turn makes a branch that shares its past; and what was said elsewhere is taken in."""

from __future__ import annotations

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import ArchivedSession, TurnInProgress, UnknownSession, UnknownTurn
from anaphor.steps.adopt import adopt
from anaphor.stored import Exchange
from anaphor.types import Outcome, Scope
from contracts.scenes import MEI, RIVAL, TOM, AnyStore, accept, answered, remembered, say, session


@pytest.fixture
def mine(store: AnyStore) -> Scope:
    scope = session(store, MEI, "trip")
    for n, text in enumerate(("我住在台中。", "東京に住んでいます。", "我住在北京。", "I live in Taipei."), 1):
        say(store, scope, text, f"t{n}")
    return scope


def questions(store: AnyStore, scope: Scope) -> list[str]:
    return [turn.question for turn in store.turns.recent(scope, 100)]


def branch(store: AnyStore, scope: Scope, after: int, name: str = "") -> Scope:
    return scope.within(store.sessions.branch(scope, after, name).session_id)


def test_a_branch_shares_the_past_and_goes_its_own_way(store: AnyStore, mine: Scope) -> None:
    other = branch(store, mine, 2, "otherwise")
    told = store.sessions.find(MEI, "otherwise")
    assert (told.parent, told.branched_after, told.turns) == (mine.session, 2, 2)
    assert say(store, other, "我住在高雄。", "b3").seq == 3
    assert questions(store, other) == ["我住在台中。", "東京に住んでいます。", "我住在高雄。"]
    assert questions(store, mine)[2:] == ["我住在北京。", "I live in Taipei."]
    assert say(store, mine, "next", "t5").seq == 5
    assert store.turns.get(other, "2") == store.turns.get(mine, "2")
    assert store.turns.get(other, "t1").question == "我住在台中。"
    assert store.turns.trace(other, "t1") == {"notes": []}
    for unknown in ("t3", "4"):
        with pytest.raises(UnknownTurn):
            store.turns.get(other, unknown)
    assert store.turns.recent(other, 2, before=3) == store.turns.recent(mine, 2, before=3)


def test_a_branch_of_a_branch_shares_with_both(store: AnyStore, mine: Scope) -> None:
    first = branch(store, mine, 3)
    say(store, first, "第四", "b4")
    second, third = branch(store, first, 4), branch(store, first, 1)
    say(store, second, "第五", "c5")
    assert [turn.seq for turn in store.turns.recent(second, 100)] == [1, 2, 3, 4, 5]
    assert questions(store, second)[2:] == ["我住在北京。", "第四", "第五"]
    assert questions(store, third) == ["我住在台中。"]
    assert accept(store, third, "另一個", "t2").seq == 2, "an id that only the other line knows is new here"


def test_what_was_said_before_the_branch_is_remembered_once(store: AnyStore, mine: Scope) -> None:
    branch(store, mine, 4)
    assert remembered(store, MEI, "台中") == ["我住在台中。"]


def test_the_shared_past_outlives_the_session_it_was_said_in(store: AnyStore, mine: Scope) -> None:
    shorter, longer = branch(store, mine, 1), branch(store, mine, 3)
    say(store, longer, "第四", "b4")
    store.sessions.delete(mine)
    assert questions(store, longer) == ["我住在台中。", "東京に住んでいます。", "我住在北京。", "第四"]
    assert questions(store, shorter) == ["我住在台中。"]
    assert remembered(store, MEI, "Taipei") == []
    assert remembered(store, MEI, "台中") == ["我住在台中。"]
    store.sessions.delete(longer)
    assert questions(store, shorter) == ["我住在台中。"]
    assert remembered(store, MEI, "北京") == []
    store.sessions.delete(shorter)
    assert remembered(store, MEI, "台中") == []


def test_a_branch_that_goes_leaves_what_it_shared(store: AnyStore, mine: Scope) -> None:
    other = branch(store, mine, 2)
    say(store, other, "只在這裡。", "b3")
    store.sessions.delete(other)
    assert len(questions(store, mine)) == 4
    assert remembered(store, MEI, "這裡") == []


def test_a_deleted_branch_in_the_middle_leaves_both_ends_whole(store: AnyStore, mine: Scope) -> None:
    middle = branch(store, mine, 3)
    say(store, middle, "第四", "b4")
    early, late = branch(store, middle, 2), branch(store, middle, 4)
    store.sessions.delete(middle)
    assert questions(store, late) == ["我住在台中。", "東京に住んでいます。", "我住在北京。", "第四"]
    assert questions(store, early) == ["我住在台中。", "東京に住んでいます。"]
    assert len(questions(store, mine)) == 4


def test_only_an_ended_turn_of_ones_own_can_be_branched_off(store: AnyStore, mine: Scope, clock: FixedClock) -> None:
    for unknown in (0, 5, -1):
        with pytest.raises(UnknownTurn):
            store.sessions.branch(mine, unknown)
    for stranger in (TOM, RIVAL):
        with pytest.raises(UnknownSession):
            store.sessions.branch(stranger.within(mine.session), 1)
    accept(store, mine, "still running", "t5", lease=30)
    with pytest.raises(TurnInProgress):
        store.sessions.branch(mine, 5)
    clock.advance(31)
    assert store.sessions.branch(mine, 5).turns == 5


def test_a_turn_runs_in_each_branch_by_itself(store: AnyStore, mine: Scope) -> None:
    other = branch(store, mine, 4)
    first, second = accept(store, mine, "one", "x"), accept(store, other, "two", "y")
    assert (first.seq, second.seq) == (5, 5)
    store.turns.commit(mine, answered(first, "to one"), {})
    store.turns.commit(other, answered(second, "to two"), {})
    assert store.turns.get(other, "5").answer == "to two"


def test_an_archived_session_is_read_and_asked_nothing(store: AnyStore, mine: Scope, clock: FixedClock) -> None:
    assert store.sessions.archive(mine).archived_at == clock.now
    assert len(questions(store, mine)) == 4
    for call in (lambda: accept(store, mine, "next", "t5"), lambda: adopt(store.turns, mine, [Exchange("hi")])):
        with pytest.raises(ArchivedSession, match="unarchive"):
            call()
    assert store.turns.get(mine, "t4").seq == 4
    assert accept(store, mine, "again", "t4").answer == "好的。", "a stored answer is read, not asked for"
    say(store, branch(store, mine, 4), "next", "t5")
    assert store.sessions.archive(mine, archived=False).archived_at == 0
    assert accept(store, mine, "next", "t5").seq == 5


SAID = [
    Exchange("我叫美惠，住在台中。", "你好，美惠。", 1_700_000_000.0, turn_id="a"),
    Exchange("私は大阪で働いています。", "", 1_700_000_060.0, turn_id="b"),
    Exchange("他住在嘉義。", "", 1_700_000_120.0, speaker="阿明", turn_id="c"),
]


def test_what_was_said_elsewhere_becomes_unverified_turns_with_their_dates(store: AnyStore, mine: Scope) -> None:
    made = adopt(store.turns, mine, SAID)
    assert [turn.seq for turn in made] == [5, 6, 7]
    assert store.turns.recent(mine, 3) == made
    assert {turn.outcome for turn in made} == {Outcome.UNVERIFIED}
    assert [turn.asked_at for turn in made] == [one.said_at for one in SAID]
    assert [(turn.answer, turn.speaker) for turn in made] == [("你好，美惠。", ""), ("", ""), ("", "阿明")]
    assert [turn.language for turn in made[:2]] == ["zh-Hant", "ja"]
    assert remembered(store, mine, "美惠") == ["我叫美惠，住在台中。"]
    assert remembered(store, mine, "嘉義") == [], "what somebody else said is no statement of the person's"


def test_taking_the_same_in_again_adds_nothing(store: AnyStore, mine: Scope) -> None:
    adopt(store.turns, mine, SAID[:2])
    assert [turn.turn_id for turn in adopt(store.turns, mine, SAID)] == ["c"]
    assert adopt(store.turns, mine, SAID) == []
    assert len(adopt(store.turns, mine, [Exchange("x"), Exchange("x")])) == 2, "without an id it is new"


def test_nothing_is_taken_in_while_a_turn_runs_or_from_a_stranger(store: AnyStore, mine: Scope) -> None:
    accept(store, mine, "running", "t5")
    with pytest.raises(TurnInProgress):
        adopt(store.turns, mine, SAID)
    with pytest.raises(UnknownSession):
        adopt(store.turns, TOM.within(mine.session), SAID)
    assert len(questions(store, mine)) == 4

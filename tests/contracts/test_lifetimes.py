"""How long things are kept: idle and absolute ends of sessions, traces and audit, by tenant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import ArchivedSession, BadInput, UnknownSession
from anaphor.steps.adopt import adopt
from anaphor.stored import DAY, Ended, Exchange, Retention
from anaphor.types import Scope
from contracts.scenes import MEI, RIVAL, TOM, AnyStore, accept, remembered, say, session

SAID = {
    "zh-Hant": "我住在台中。",
    "zh-Hans": "我住在苏州。",
    "ja": "私は仙台に住んでいます。",
    "en": "I live in Leiden.",
}


def later(clock: FixedClock, days: float) -> None:
    clock.now += days * DAY


def test_without_a_word_nothing_ends(store: AnyStore, clock: FixedClock) -> None:
    mine = session(store, MEI)
    say(store, mine, SAID["en"], "t1")
    later(clock, 10_000)
    assert store.lifetimes.get(MEI) == Retention()
    assert store.lifetimes.end().archived == store.lifetimes.end().erased == 0
    say(store, mine, SAID["en"], "t2")


@pytest.mark.parametrize("language", SAID)
def test_an_idle_session_is_archived_and_can_be_taken_out_again(
    store: AnyStore, clock: FixedClock, language: str
) -> None:
    store.lifetimes.put(MEI, Retention(idle_days=7))
    idle, used = session(store, MEI), session(store, MEI)
    say(store, idle, SAID[language], "t1")
    later(clock, 5)
    say(store, used, SAID[language], "t1")
    later(clock, 3)
    with pytest.raises(ArchivedSession, match="time"):
        accept(store, idle, "?", "t2")  # whether or not anybody has tidied up
    with pytest.raises(ArchivedSession):
        adopt(store.turns, idle, [Exchange("elsewhere")])
    assert store.lifetimes.end() == Ended(archived=1)
    assert store.lifetimes.end() == Ended()
    assert store.sessions.find(MEI, idle.session).archived_at == clock.now
    assert [turn.question for turn in store.turns.recent(idle, 9)] == [SAID[language]]
    assert store.sessions.archive(idle, False).archived_at == 0
    say(store, idle, SAID[language], "t2")
    assert store.lifetimes.end() == Ended()


def test_the_same_turn_again_is_told_after_the_end_too(store: AnyStore, clock: FixedClock) -> None:
    store.lifetimes.put(MEI, Retention(idle_days=1))
    mine = session(store, MEI)
    say(store, mine, SAID["ja"], "t1", "はい。")
    later(clock, 2)
    assert accept(store, mine, SAID["ja"], "t1").answer == "はい。"


def test_a_session_that_is_used_every_day_ends_when_its_days_are_over(store: AnyStore, clock: FixedClock) -> None:
    store.lifetimes.put(MEI, Retention(idle_days=7, days=3))
    mine = session(store, MEI)
    for day in range(3):
        say(store, mine, SAID["en"], f"t{day}")
        later(clock, 1)
    with pytest.raises(ArchivedSession):
        accept(store, mine, "?", "t9")
    store.lifetimes.end()
    store.sessions.archive(mine, False)
    with pytest.raises(ArchivedSession):
        accept(store, mine, "?", "t9")
    branch = mine.within(store.sessions.branch(mine, 3).session_id)
    say(store, branch, SAID["en"], "t9")


def test_what_is_to_be_erased_is_gone_with_all_that_hangs_on_it(store: AnyStore, clock: FixedClock) -> None:
    store.lifetimes.put(MEI, Retention(idle_days=7, ending="erase"))
    mine, away, theirs, others = session(store, MEI), session(store, MEI), session(store, TOM), session(store, RIVAL)
    for scope in (mine, away, theirs, others):
        say(store, scope, SAID["en"], "t1")
    store.sessions.archive(away)
    later(clock, 8)
    with pytest.raises(UnknownSession):
        accept(store, mine, "?", "t2")
    assert store.lifetimes.end() == Ended(erased=3)  # of the tenant; Tom is of the same
    assert store.sessions.list(MEI) == store.sessions.list(TOM) == []
    assert remembered(store, MEI, "Leiden") == remembered(store, TOM, "Leiden") == []
    assert remembered(store, RIVAL, "Leiden") == [SAID["en"]]
    assert [line.kind for line in store.audit.read(MEI)] == ["session", "session", "session", "retention"]
    assert store.check() == []


def test_a_branch_that_is_in_use_keeps_the_past_it_shares(store: AnyStore, clock: FixedClock) -> None:
    store.lifetimes.put(MEI, Retention(idle_days=7, ending="erase"))
    mine = session(store, MEI)
    say(store, mine, SAID["zh-Hant"], "t1")
    say(store, mine, SAID["zh-Hans"], "t2")
    later(clock, 5)
    branch = mine.within(store.sessions.branch(mine, 1).session_id)
    say(store, branch, SAID["ja"], "t3")
    later(clock, 5)
    assert store.lifetimes.end().erased == 1
    assert [turn.question for turn in store.turns.recent(branch, 9)] == [SAID["zh-Hant"], SAID["ja"]]
    assert store.check() == []


def test_a_session_that_is_answering_is_left_until_it_has(store: AnyStore, clock: FixedClock) -> None:
    store.lifetimes.put(MEI, Retention(days=1, ending="erase"))
    mine = session(store, MEI)
    later(clock, 1 - 30 / DAY)
    accept(store, mine, SAID["en"], "t1", lease=600)
    later(clock, 60 / DAY)
    assert store.lifetimes.end().erased == 0
    later(clock, 600 / DAY)
    assert store.lifetimes.end().erased == 1


def test_traces_and_audit_have_ends_of_their_own_by_tenant(store: AnyStore, clock: FixedClock) -> None:
    store.lifetimes.put(MEI, Retention(trace_days=2, audit_days=5))
    mine, others = session(store, MEI), session(store, RIVAL)
    for scope in (mine, others):
        say(store, scope, SAID["en"], "t1")
        store.audit.note(scope, "read", "session", scope.session)
    later(clock, 3)
    assert store.turns.trace(mine, "t1") == {}  # also before anybody has tidied up
    assert store.turns.trace(others, "t1")
    assert store.lifetimes.end() == Ended(traces=1)
    later(clock, 3)
    assert store.lifetimes.end() == Ended(audit=2)
    assert store.audit.read(MEI) == []
    assert [line.act for line in store.audit.read(RIVAL)] == ["read"]


def test_a_tenant_may_keep_traces_longer_than_is_usual(store: AnyStore, clock: FixedClock) -> None:
    store.lifetimes.put(MEI, Retention(trace_days=90))
    mine, others = session(store, MEI), session(store, RIVAL)
    say(store, mine, SAID["en"], "t1")
    say(store, others, SAID["en"], "t1")
    later(clock, 40)
    say(store, mine, SAID["en"], "t2")  # a commit tidies up as it goes
    store.lifetimes.end()
    assert store.turns.trace(mine, "t1")
    assert store.turns.trace(others, "t1") == {}


def test_what_was_said_last_counts_for_what_is_there_already(store: AnyStore, clock: FixedClock) -> None:
    mine = session(store, MEI)
    say(store, mine, SAID["en"], "t1")
    later(clock, 25)
    kept = Retention(idle_days=60, ending="erase")
    store.lifetimes.put(MEI, kept)
    assert store.lifetimes.get(TOM) == kept
    assert store.lifetimes.get(RIVAL) == Retention()
    assert store.lifetimes.end() == Ended()
    store.lifetimes.put(MEI, replace(kept, idle_days=20))
    assert store.lifetimes.end() == Ended(erased=1)


def test_a_tenant_that_is_erased_has_the_defaults_again(store: AnyStore) -> None:
    store.lifetimes.put(MEI, Retention(idle_days=1))
    store.erasure.tenant(Scope("acme", ""))
    assert store.lifetimes.get(MEI) == Retention()


@pytest.mark.parametrize(
    "wrong", [{"idle_days": -1}, {"days": float("nan")}, {"ending": "sell"}, {"trace_days": 1e999}]
)
def test_what_is_no_time_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Retention(**wrong)  # type: ignore[arg-type]

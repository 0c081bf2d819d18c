"""What is kept beyond the window: facts over the turns that say them, and summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import UnknownFact
from anaphor.facts import PERSON, Fact, Kind, Read, Reconciled, Statement, Status, Summary, Version
from anaphor.stored import Unread
from anaphor.types import Scope
from contracts.scenes import MEI, RIVAL, TOM, AnyStore, accept, answered, say, session

# What a person says, and the part of it that is the value, in four languages.
SAID = [
    ("我住在台中。", "台中", "住"),
    ("我住在无锡。", "无锡", "住"),
    ("札幌に住んでいます。", "札幌", "札幌"),
    ("I live in Bergen.", "Bergen", "live"),
]


def stated(text: str, value: str, **rest: object) -> Statement:
    told = {"about": PERSON, "kind": Kind.PLACE, "relation": "lives_in", "single": True, "confidence": 0.9}
    return Statement(value=value, start=0, end=len(text), **{**told, **rest})  # type: ignore[arg-type]


def fact(unread: Unread, fact_id: str, value: str, **rest: object) -> Fact:
    turn = unread.turn
    told = Fact(fact_id, stated(turn.question, value), unread.session_id, turn.turn_id, turn.seq, turn.asked_at)
    return replace(told, turns=(turn.turn_id,), **rest)  # type: ignore[arg-type]


def made(fact: Fact, does: str = "added", others: Sequence[Fact] = (), key: str = "user/place/lives_in") -> Read:
    return Read(fact.statement, Reconciled(fact, does, "", tuple(others)), key)


def learn(
    store: AnyStore, scope: Scope, text: str, value: str, fact_id: str, turn_id: str, others: Sequence[Fact] = ()
) -> Fact:
    """Say it in the scope's session and keep it as a fact that supersedes the others."""
    say(store, scope, text, turn_id)
    unread = next(one for one in store.memories.unread(scope, 1000) if one.turn.turn_id == turn_id)
    old = [replace(o, status=Status.SUPERSEDED, replaced_by=fact_id, why=f"now {value}") for o in others]
    does = "superseded" if others else "added"
    assert store.memories.keep(scope, unread, [made(fact(unread, fact_id, value), does, old)], 5.0)
    return store.memories.get(scope, fact_id)


def say_again(store: AnyStore, scope: Scope, text: str, turn_id: str, known: Fact) -> None:
    say(store, scope, text, turn_id)
    unread = next(one for one in store.memories.unread(scope, 1000) if one.turn.turn_id == turn_id)
    again = replace(known, turns=(*known.turns, turn_id), why="said again")
    statement = stated(text, known.statement.value)
    assert store.memories.keep(scope, unread, [Read(statement, Reconciled(again, "merged", "said again"), "k")], 6.0)


def test_before_anything_is_read_there_is_nothing(store: AnyStore) -> None:
    mine = session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    assert store.memories.summary(mine) is None
    assert list(store.memories.facts(mine)) == []
    assert store.memories.waiting(mine) == 1
    assert [(u.turn.turn_id, u.session_id) for u in store.memories.unread(mine)] == [("t1", mine.session)]
    assert [(s.tenant, s.user) for s in store.memories.behind()] == [("acme", "mei")]
    assert store.memories.waiting(TOM) == store.memories.waiting(RIVAL) == 0


@pytest.mark.parametrize(("text", "value", "word"), SAID)
def test_what_is_kept_is_read_back_and_found_by_its_words(
    store: AnyStore, clock: FixedClock, text: str, value: str, word: str
) -> None:
    from anaphor.text.segment import query_terms

    mine = session(store, MEI)
    kept = learn(store, mine, text, value, "f1", "t1")
    assert (kept.statement.value, kept.session_id, kept.turn_id, kept.seq, kept.version) == (
        value,
        mine.session,
        "t1",
        1,
        1,
    )
    assert kept.said_at == clock.now
    assert kept.turns == ("t1",)
    assert [f.fact_id for f in store.memories.facts(MEI)] == ["f1"]
    assert [f.fact_id for f in store.memories.relevant(MEI, query_terms(f"{value}{word}"), 5)] == ["f1"]
    (saying,) = store.memories.sayings(MEI, "f1")
    assert (saying.text, saying.turn_id) == (text, "t1")
    assert [p.text for p in store.memories.passages(MEI, ["f1"])["f1"]] == [text]
    assert store.memories.waiting(MEI) == 0


def test_nobody_else_reads_or_writes_it(store: AnyStore) -> None:
    mine, theirs = session(store, MEI), session(store, TOM)
    learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    say(store, theirs, "我住在高雄。", "t1")
    for scope in (TOM, RIVAL, theirs, replace(MEI, user="mei%"), replace(MEI, user="MEI"), replace(MEI, user="")):
        assert list(store.memories.facts(scope)) == []
        assert list(store.memories.relevant(scope, {"台中": 1.0}, 9)) == []
        assert list(store.memories.touching(scope, ["user/place/lives_in"])) == []
        assert list(store.memories.kin(scope, ["f1"])) == []
        assert store.memories.passages(scope, ["f1"]) == {}
        assert list(store.memories.connected(scope, [PERSON])) == []
        assert list(store.memories.records(scope)) == []
        for refused in (store.memories.get, store.memories.history, store.memories.sayings, store.memories.forget):
            with pytest.raises(UnknownFact):
                refused(scope, "f1")
        known = store.memories.get(MEI, "f1")
        assert not store.memories.change(scope, [Version(known, 1.0, "tom", "edited", "")], 0)
    (theirs_unread,) = store.memories.unread(TOM)
    assert not store.memories.keep(MEI, replace(theirs_unread, generation=store.memories.generation(MEI)), [], 1.0)


def test_a_turn_is_read_once_and_in_order(store: AnyStore) -> None:
    mine, other = session(store, MEI), session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    say(store, other, "我搬到高雄了。", "t2")
    say(store, mine, "我養了一隻貓。", "t3")
    accept(store, mine, "還在回答", "t4")
    first, *_ = unread = store.memories.unread(MEI)
    assert [one.turn.turn_id for one in unread] == ["t1", "t2", "t3"]
    assert store.memories.keep(MEI, first, [], 1.0)
    assert not store.memories.keep(MEI, first, [made(fact(first, "f1", "台中"))], 1.0)
    assert [one.turn.turn_id for one in store.memories.unread(MEI)] == ["t2", "t3"]
    assert list(store.memories.facts(MEI)) == []


def test_nothing_is_written_over_what_came_meanwhile(store: AnyStore) -> None:
    mine = session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    say(store, mine, "我住在高雄。", "t2")
    first, second = store.memories.unread(MEI)
    assert store.memories.keep(MEI, first, [made(fact(first, "f1", "台中"))], 1.0)
    assert not store.memories.keep(MEI, second, [made(fact(second, "f2", "高雄"))], 1.0)
    (again,) = store.memories.unread(MEI)
    before = store.memories.generation(MEI)
    store.memories.forget(MEI, "f1")
    known = replace(fact(again, "f2", "高雄"), turn_id="t2")
    assert not store.memories.keep(MEI, again, [made(known)], 1.0)
    assert store.memories.generation(MEI) > before
    (fresh,) = store.memories.unread(MEI)
    assert store.memories.keep(MEI, fresh, [made(fact(fresh, "f2", "高雄"))], 1.0)
    stale = store.memories.generation(MEI) - 1
    assert not store.memories.change(MEI, [Version(store.memories.get(MEI, "f2"), 2.0, "mei", "edited", "")], stale)


def test_every_change_is_a_version_with_who_when_and_why(store: AnyStore) -> None:
    mine = session(store, MEI)
    first = learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    learn(store, mine, "我搬到高雄了。", "高雄", "f2", "t2", [first])
    old = store.memories.get(MEI, "f1")
    assert (old.status, old.replaced_by, old.version) == (Status.SUPERSEDED, "f2", 2)
    pinned = Version(replace(old, pinned=True, why="mine"), 9.0, "mei", "pinned", "mine")
    assert store.memories.change(MEI, [pinned], store.memories.generation(MEI))
    history = store.memories.history(MEI, "f1")
    assert [(v.fact.version, v.by, v.does, v.at) for v in history] == [
        (1, "memory", "added", 5.0),
        (2, "memory", "superseded", 5.0),
        (3, "mei", "pinned", 9.0),
    ]
    assert [v.fact.status for v in history] == [Status.CURRENT, Status.SUPERSEDED, Status.SUPERSEDED]
    assert history[-1].fact == store.memories.get(MEI, "f1")
    assert [f.fact_id for f in store.memories.kin(MEI, ["f2"])] == ["f1", "f2"]
    assert [f.fact_id for f in store.memories.facts(MEI, [Status.CURRENT])] == ["f2"]
    assert [f.fact_id for f in store.memories.facts(MEI, pinned=True)] == ["f1"]
    assert [f.fact_id for f in store.memories.relevant(MEI, {"台中": 1.0}, 9)] == ["f2"]


def test_a_fact_goes_with_the_last_turn_that_says_it(store: AnyStore) -> None:
    mine, other = session(store, MEI), session(store, MEI)
    known = learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    say_again(store, other, "對了，我住在台中。", "t2", known)
    assert store.memories.get(MEI, "f1").times == 2
    store.erasure.turn(mine, "t1")
    kept = store.memories.get(MEI, "f1")
    assert (kept.turns, kept.turn_id, kept.session_id) == (("t2",), "t2", other.session)
    (saying,) = store.memories.sayings(MEI, "f1")
    assert saying.text == "對了，我住在台中。"
    assert all(v.fact.turn_id == "t2" and v.fact.turns == ("t2",) for v in store.memories.history(MEI, "f1"))
    store.sessions.delete(other)
    assert list(store.memories.facts(MEI)) == []
    with pytest.raises(UnknownFact):
        store.memories.get(MEI, "f1")


def test_what_an_erased_turn_had_superseded_is_current_again_and_tells_nothing_of_it(store: AnyStore) -> None:
    mine = session(store, MEI)
    first = learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    second = learn(store, mine, "我搬到高雄了。", "高雄", "f2", "t2", [first])
    learn(store, mine, "我搬到花蓮了。", "花蓮", "f3", "t3", [second])
    store.erasure.turn(mine, "t2")
    assert store.memories.get(MEI, "f1").replaced_by == "f3"
    store.erasure.turn(mine, "t3")
    again = store.memories.get(MEI, "f1")
    assert (again.status, again.replaced_by) == (Status.CURRENT, "")
    assert not [v for v in store.memories.history(MEI, "f1") if "高雄" in repr(v) or "花蓮" in repr(v)]


def test_what_is_forgotten_is_gone_and_not_read_again(store: AnyStore) -> None:
    mine = session(store, MEI)
    first = learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    learn(store, mine, "我搬到高雄了。", "高雄", "f2", "t2", [first])
    assert [f.fact_id for f in store.memories.forget(MEI, "f2")] == ["f1"]
    assert [f.fact_id for f in store.memories.facts(MEI)] == ["f1"]
    assert store.turns.get(mine, "t2").question == "我搬到高雄了。"
    assert store.memories.begin_anew(MEI) == 2
    told = {one.turn.turn_id: [(s.start, s.end) for s in one.forgotten] for one in store.memories.unread(MEI)}
    assert told == {"t1": [], "t2": [(0, len("我搬到高雄了。"))]}


def test_read_again_a_turn_says_what_the_new_reading_makes_of_it_unless_a_person_has_decided(store: AnyStore) -> None:
    mine = session(store, MEI)
    learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    decided = learn(store, mine, "我養了一隻貓。", "貓", "f2", "t2")
    pinned = Version(replace(decided, pinned=True), 9.0, "mei", "pinned", "")
    assert store.memories.change(MEI, [pinned], store.memories.generation(MEI))
    store.memories.begin_anew(MEI)
    for _ in range(2):
        unread = store.memories.unread(MEI)[0]
        assert store.memories.keep(MEI, unread, [], 8.0)
    assert [f.fact_id for f in store.memories.facts(MEI)] == ["f2"]


def test_facts_lead_to_facts_a_few_hops_away(store: AnyStore) -> None:
    mine = session(store, MEI)
    chain = [("user", "小美"), ("小美", "高雄"), ("高雄", "愛河"), ("愛河", "橋")]
    for n, (about, value) in enumerate(chain):
        text = f"{about}的是{value}。"
        say(store, mine, text, f"t{n}")
        (unread,) = store.memories.unread(MEI)
        told = stated(text, value, about=about, kind=Kind.RELATION, single=False)
        turn = unread.turn
        known = Fact(f"f{n}", told, unread.session_id, turn.turn_id, turn.seq, turn.asked_at)
        assert store.memories.keep(MEI, unread, [made(known, key=about)], 1.0)
    assert [f.fact_id for f in store.memories.connected(MEI, [PERSON], 1)] == ["f0"]
    assert [f.fact_id for f in store.memories.connected(MEI, [PERSON], 3)] == ["f0", "f1", "f2"]
    assert [f.fact_id for f in store.memories.connected(MEI, ["小美"], 9, limit=2)] == ["f1", "f2"]


def test_a_summary_is_written_once_a_version_and_goes_with_its_turns(store: AnyStore) -> None:
    mine = session(store, MEI)
    for n in range(4):
        say(store, mine, f"我住在台中 {n}。", f"t{n}")
    first = Summary("住在台中。", 1, 2, "extractive", ((1, 0, 5),), (("台中", 2),), 1)
    assert store.memories.put_summary(mine, first)
    assert not store.memories.put_summary(mine, first)
    assert store.memories.put_summary(mine, replace(first, text="仍住台中。", version=2))
    assert store.memories.summary(mine) == replace(first, text="仍住台中。", version=2)
    assert store.memories.summaries(MEI) == [(mine.session, replace(first, text="仍住台中。", version=2))]
    assert store.memories.summary(TOM.within(mine.session)) is None
    told = store.memories.summary_history(mine)
    assert [(one.summary.version, one.summary.text, one.by) for one in told] == [
        (1, "住在台中。", "memory"),
        (2, "仍住台中。", "memory"),
    ]
    assert store.memories.put_summary(mine, replace(first, version=3), "mei", "back to version 1")
    assert (store.memories.summary_history(mine)[-1].by, store.memories.summary_history(mine)[-1].why) == (
        *("mei", "back to version 1"),
    )
    branch = store.sessions.branch(mine, 3)
    within = MEI.within(branch.session_id)
    assert store.memories.put_summary(within, first)
    store.erasure.turn(mine, "t3")
    assert store.memories.summary(mine) is not None
    store.erasure.turn(mine, "t1")
    assert store.memories.summary(mine) is None
    assert not store.memories.summary_history(mine)
    assert store.memories.summary(within) is None
    assert not store.memories.summary_history(within)


def test_what_a_branch_shares_is_known_once_and_stays_with_it(store: AnyStore) -> None:
    mine = session(store, MEI)
    learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    branch = store.sessions.branch(mine, 1)
    assert store.memories.waiting(MEI) == 0
    store.sessions.delete(mine)
    assert store.memories.get(MEI, "f1").session_id == branch.session_id
    store.sessions.delete(MEI.within(branch.session_id))
    assert list(store.memories.facts(MEI)) == []


@pytest.mark.parametrize("whole", [False, True])
def test_a_person_or_tenant_goes_with_everything_that_is_known_of_them(store: AnyStore, whole: bool) -> None:
    mine, theirs = session(store, MEI), session(store, RIVAL)
    learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    learn(store, theirs, "我住在高雄。", "高雄", "f1", "t1")
    (store.erasure.tenant if whole else store.erasure.user)(MEI)
    assert list(store.memories.facts(MEI)) == []
    assert store.memories.generation(MEI) == 0
    assert [f.statement.value for f in store.memories.facts(RIVAL)] == ["高雄"]
    assert sum(looked.found for looked in store.erasure.look(MEI, [])) == 0


def test_facts_and_summaries_go_out_and_come_in_as_they_were(store: AnyStore, clock: FixedClock) -> None:
    from anaphor.adapters import fake

    mine = session(store, MEI)
    first = learn(store, mine, "我住在台中。", "台中", "f1", "t1")
    learn(store, mine, "我搬到高雄了。", "高雄", "f2", "t2", [first])
    learn(store, mine, "我養了一隻貓。", "貓", "f3", "t3")
    store.memories.forget(MEI, "f3")
    for other in (fake.Store(clock), store):
        to = MEI if other is not store else TOM
        for log in store.portable.logs(MEI):
            other.portable.put(to, log)
        records = list(store.memories.records(MEI))
        assert [other.memories.put_record(to, record) for record in records] == [True, True]
        assert [other.memories.put_record(to, record) for record in records] == [False, False]
        assert list(other.memories.records(to)) == records
        assert other.memories.waiting(to) == 0
        other.memories.begin_anew(to)
        assert [bool(one.forgotten) for one in other.memories.unread(to)] == [False, False, True]
    assert not store.memories.put_record(RIVAL, records[0])


def test_a_turn_that_failed_is_read_too_and_an_adopted_one(store: AnyStore) -> None:
    from anaphor.stored import Exchange
    from anaphor.types import Outcome

    mine = session(store, MEI)
    failed = replace(answered(accept(store, mine, "我住在台中。", "t1")), outcome=Outcome.FAILED)
    store.turns.commit(mine, failed, {})
    store.turns.adopt(mine, [Exchange("我住在高雄。", "好", 5.0, turn_id="a1")], lambda turn: ())
    assert [one.turn.turn_id for one in store.memories.unread(MEI)] == ["t1", "a1"]


@pytest.mark.parametrize(("text", "value", "_"), SAID)
def test_what_was_decided_about_is_found_until_it_is_taken_back(
    store: AnyStore, clock: FixedClock, text: str, value: str, _: str
) -> None:
    mine = session(store, MEI)
    known = learn(store, mine, text, value, "f1", "t1")
    other = learn(store, mine, text, value, "f2", "t2")
    assert store.memories.decided(MEI, 9) == []
    words = replace(known, statement=replace(known.statement, words="Qx 1."))
    assert decide(store, Version(words, 7.0, "mei", "edited", ""))
    assert decide(store, Version(replace(other, status=Status.RETIRED), 8.0, "memory", "faded", ""))
    assert [(one.fact_id, at) for one, at in store.memories.decided(MEI, 9)] == [("f1", 7.0)]
    assert decide(store, Version(replace(other, status=Status.RETIRED), 9.0, "mei", "rejected", ""))
    assert [(one.fact_id, at) for one, at in store.memories.decided(MEI, 9)] == [("f2", 9.0), ("f1", 7.0)]
    assert [one.fact_id for one, _ in store.memories.decided(MEI, 1)] == ["f2"]
    assert store.memories.decided(TOM, 9) == store.memories.decided(RIVAL, 9) == []
    edited = store.memories.get(MEI, "f1")
    name = f"f1@{edited.version}"
    assert store.documents.passages(mine, [name])[name].text == "Qx 1."
    assert store.documents.passages(TOM, [name]) == {}
    assert [one.fact_id for one in store.memories.relevant(MEI, {"qx": 1.0}, 1)] == ["f1"]
    assert decide(store, Version(known, 10.0, "mei", "reverted", ""))
    assert [one.fact_id for one, _ in store.memories.decided(MEI, 9)] == ["f2"]
    store.erasure.turn(mine, "t1")
    assert store.documents.passages(mine, [name]) == {}


def decide(store: AnyStore, version: Version) -> bool:
    return store.memories.change(MEI, [version], store.memories.generation(MEI))

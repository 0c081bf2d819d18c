"""From committed turns to memory: in order, once, resumable, and never over what came meanwhile."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anaphor import bonds
from anaphor.adapters import fake, sqlite
from anaphor.adapters.fake import FixedClock
from anaphor.errors import NotFound
from anaphor.facts import PERSON, Fact, Kind, Statement, Status
from anaphor.memory.consolidate import Due, Reader, consolidate, embedded, key_of, summarise
from anaphor.persons_memory import PersonsMemory
from anaphor.text.tokens import estimate
from anaphor.types import Decision, Outcome, Question, Scope, Turn

AnyStore = fake.Store | sqlite.Store
MEI = Scope("acme", "mei")
CITIES = ("Bergen", "Oslo", "Lima", "Cork")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Iterator[AnyStore]:
    made: AnyStore = fake.Store(clock) if request.param == "memory" else sqlite.Store(tmp_path / "a.db", clock)
    yield made
    made.close()


def session(store: AnyStore, scope: Scope = MEI) -> Scope:
    return scope.within(store.sessions.create(scope).session_id)


def say(
    store: AnyStore,
    scope: Scope,
    text: str,
    turn_id: str,
    outcome: Outcome = Outcome.DECLINED,
    decision: Decision = Decision.STANDALONE,
) -> Turn:
    turn = store.turns.accept(scope, Question(text, turn_id), lease=60)
    ended = replace(turn, outcome=outcome, decision=decision, standalone=text)
    store.turns.commit(scope, ended, {})
    return ended


def lives_in(turns: Sequence[Turn], _before: Mapping[str, str]) -> Mapping[str, Sequence[Statement]]:
    """Reads every city that a turn names as the one the person lives in."""
    return {
        turn.turn_id: [
            Statement(PERSON, Kind.PLACE, city, at, at + len(city), "lives_in", single=True)
            for city in CITIES
            if (at := turn.question.find(city)) >= 0
        ]
        for turn in turns
    }


def read(store: AnyStore, how: Reader = lives_in, scope: Scope = MEI, most: int | None = None) -> Mapping[str, int]:
    return consolidate(store.turns, store.memories, scope, how, FixedClock(9.0), most).did


def current(store: AnyStore) -> list[str]:
    return [fact.statement.value for fact in store.memories.facts(MEI, [Status.CURRENT])]


def test_what_is_newer_supersedes_and_every_turn_is_read_once(store: AnyStore, clock: FixedClock) -> None:
    mine = session(store)
    for n, text in enumerate(["I live in Oslo.", "I live in Bergen.", "hello"]):
        clock.now += 60
        say(store, mine, text, f"t{n}")
    assert read(store, most=1) == {"added": 1}
    assert read(store) == {"superseded": 1}
    assert read(store) == {}
    assert current(store) == ["Bergen"]
    old = store.memories.facts(MEI, [Status.SUPERSEDED])[0]
    assert (old.statement.value, old.replaced_by) == ("Oslo", store.memories.facts(MEI, [Status.CURRENT])[0].fact_id)
    assert store.memories.waiting(MEI) == 0


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.RUNNING])
def test_only_what_a_person_said_in_a_turn_that_held_is_read(store: AnyStore, outcome: Outcome) -> None:
    passing = Decision.SMALL_TALK if outcome is Outcome.SMALL_TALK else Decision.STANDALONE
    say(store, session(store), "I live in Oslo.", "t1", outcome, passing)
    read(store)
    held = outcome not in (Outcome.FAILED, Outcome.SMALL_TALK)
    assert current(store) == (["Oslo"] if held else [])
    assert store.memories.waiting(MEI) == 0


def test_what_was_only_told_and_acknowledged_is_read(store: AnyStore) -> None:
    say(store, session(store), "I live in Oslo.", "t1", Outcome.SMALL_TALK)
    read(store)
    assert current(store) == ["Oslo"]


def test_what_somebody_else_said_is_not_the_persons(store: AnyStore) -> None:
    from anaphor.stored import Exchange

    mine = session(store)
    store.turns.adopt(mine, [Exchange("I live in Oslo.", "ok", 5.0, "Tom")], lambda turn: ())
    store.turns.adopt(mine, [Exchange("I live in Lima.", "ok", 5.0)], lambda turn: ())
    read(store)
    assert current(store) == ["Lima"]


def test_read_twice_a_talk_leaves_no_duplicates(store: AnyStore) -> None:
    mine = session(store)
    for n, text in enumerate(["I live in Oslo.", "I live in Bergen.", "I live in Bergen.", "I live in Oslo."]):
        say(store, mine, text, f"t{n}")
    read(store)
    before = list(store.memories.records(MEI))
    for _ in range(2):
        store.memories.begin_anew(MEI)
        assert set(read(store)) == {"untouched"}
        assert list(store.memories.records(MEI)) == before


def slow(store: AnyStore, meanwhile: Callable[[], None]) -> Reader:
    """Reads as a model does: while it thinks, something comes."""
    once = []

    def think(turns: Sequence[Turn], before: Mapping[str, str]) -> Mapping[str, Sequence[Statement]]:
        found = lives_in(turns, before)
        if not once:
            once.append(1)
            meanwhile()
        return found

    return think


def test_what_was_deleted_while_it_was_thinking_does_not_come_back(store: AnyStore) -> None:
    mine = session(store)
    say(store, mine, "I live in Oslo.", "t1")
    read(store)
    (known,) = store.memories.facts(MEI)
    store.memories.begin_anew(MEI)
    other = session(store)

    def meanwhile() -> None:
        store.memories.forget(MEI, known.fact_id)
        say(store, other, "I live in Lima.", "t2")
        consolidate(store.turns, store.memories, MEI, lives_in, FixedClock(8.0))

    read(store, slow(store, meanwhile))
    assert current(store) == ["Lima"]
    assert store.memories.waiting(MEI) == 0


def test_what_was_erased_while_it_was_thinking_is_skipped(store: AnyStore) -> None:
    mine = session(store)
    say(store, mine, "I live in Oslo.", "t1")
    done = consolidate(
        store.turns, store.memories, MEI, slow(store, lambda: store.erasure.turn(mine, "t1") and None), FixedClock(9.0)
    )
    assert (done.turns, done.skipped) == (0, 1)
    assert list(store.memories.facts(MEI)) == []


def test_several_at_once_do_nothing_twice(store: AnyStore) -> None:
    mine = session(store)
    for n in range(12):
        say(store, mine, f"I live in {CITIES[n % 4]}.", f"t{n}")
    workers = [threading.Thread(target=read, args=(store,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    read(store)
    assert store.memories.waiting(MEI) == 0
    assert len(current(store)) == 1
    assert sum(fact.times for fact in store.memories.facts(MEI)) == 12


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("我住在台中。", "忘記剛才說的"),
        ("我住在无锡。", "忘掉我刚才说的"),
        ("札幌に住んでいます。", "さっき言ったことは忘れて"),
        ("I live in Oslo.", "Forget what I just said."),
    ],
)
def test_what_a_person_takes_back_is_neither_kept_nor_recalled(store: AnyStore, said: str, order: str) -> None:
    from anaphor.steps.commit import said as recalled
    from anaphor.types import Sources
    from contracts.scenes import query

    mine = session(store)
    turn = store.turns.accept(mine, Question(said, "t1"), lease=60)
    ended = replace(turn, outcome=Outcome.DECLINED, standalone=said)
    store.turns.commit(mine, ended, {}, recalled(mine, ended))

    def everything(turns: Sequence[Turn], _before: Mapping[str, str]) -> Mapping[str, Sequence[Statement]]:
        whole = Statement(PERSON, Kind.PLACE, said, 0, len(said), "lives_in", single=True)
        return {one.turn_id: [whole] for one in turns if one.question == said}

    read(store, everything)
    assert store.lexical.search(MEI, query(said), sources=Sources.MEMORY)
    say(store, mine, order, "t2", Outcome.COMMAND)
    assert read(store, everything) == {"forgotten": 1}
    assert list(store.memories.facts(MEI)) == []
    assert not store.lexical.search(MEI, query(said), sources=Sources.MEMORY)
    assert store.turns.get(mine, "t1").question == said
    store.memories.begin_anew(MEI)
    read(store, everything)
    assert list(store.memories.facts(MEI)) == []


def test_a_summary_is_due_when_enough_has_left_the_window_or_it_is_asked_for(store: AnyStore) -> None:
    mine = session(store)
    due = Due(window=2, turns=3, tokens=10_000)
    for n in range(4):
        say(store, mine, f"I live in {CITIES[n]} and have {n + 3} coins.", f"t{n}")
        assert not summarise(store.turns, store.memories, mine, due, estimate)
    say(store, mine, "I have a cat.", "t4")
    assert summarise(store.turns, store.memories, mine, due, estimate)
    first = store.memories.summary(mine)
    assert first is not None
    assert (first.from_seq, first.to_seq, first.version) == (1, 3, 1)
    assert not summarise(store.turns, store.memories, mine, due, estimate)
    say(store, mine, "Remember these requirements", "t5", Outcome.COMMAND)
    assert summarise(store.turns, store.memories, mine, due, estimate)
    second = store.memories.summary(mine)
    assert second is not None
    assert (second.to_seq, second.version) == (5, 2)
    store.erasure.turn(mine, "t1")
    assert store.memories.summary(mine) is None


# ── whatever is done, in whatever order ──


def person(store: AnyStore) -> PersonsMemory:
    return PersonsMemory(store, MEI, FixedClock(20.0), estimate, UTC)


# Sentences that do something to what was said before.
BORNE = ("Sorry, I meant {}.", "I moved to {}.", "I work at {} Foods.", "I quit last week.", "No wait, {}.")

OPS = st.lists(
    st.tuples(
        st.sampled_from(["say", "correct", "erase", "revert", "accept", "reject", "edit", "delete", "read", "anew"]),
        st.integers(0, 99),
    ),
    max_size=24,
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(OPS)
def test_no_fact_outlives_its_turns_and_no_property_has_two_current_values(ops: list[tuple[str, int]]) -> None:
    clock = FixedClock()
    _holds(fake.Store(clock), clock, ops)


@pytest.mark.parametrize("seed", range(12))
def test_nor_in_a_file(tmp_path: Path, seed: int) -> None:
    chance, clock = random.Random(seed), FixedClock()
    kinds = ["say", "say", "correct", "erase", "revert", "accept", "reject", "edit", "delete", "read", "anew"]
    with sqlite.Store(tmp_path / "a.db", clock) as store:
        _holds(store, clock, [(chance.choice(kinds), chance.randrange(100)) for _ in range(60)])
        assert store.check() == []


def _holds(store: AnyStore, clock: FixedClock, ops: Sequence[tuple[str, int]]) -> None:
    mine, memory = session(store), person(store)
    for n, (op, chance) in enumerate(ops):
        clock.now += 60
        facts = memory.list(list(Status), limit=999)
        if op == "say":
            say(store, mine, f"I live in {CITIES[chance % 4]}.", f"t{n}")
            read(store)
        elif op == "correct":
            said = BORNE[chance % len(BORNE)].format(CITIES[chance % 4])
            say(store, mine, said, f"t{n}")
            read(store)
        elif op == "read":
            say(store, mine, "I live in " + " or ".join(CITIES[: 1 + chance % 4]), f"t{n}")
            read(store)
        elif op == "anew":
            store.memories.begin_anew(MEI)
            read(store)
        elif op == "erase":
            turns = store.turns.recent(mine, 999)
            if turns:
                store.erasure.turn(mine, turns[chance % len(turns)].turn_id)
        elif facts:
            _decide(memory, op, facts[chance % len(facts)], chance)
        _is_whole(store, mine)


def _decide(memory: PersonsMemory, op: str, fact: Fact, chance: int) -> None:
    if op == "revert":
        version = (history := memory.history(fact.fact_id))[chance % len(history)]
        memory.revert(fact.fact_id, version.fact.version)
        was, now = version.fact, memory.get(fact.fact_id)
        stands = replace(now, version=was.version, why=was.why, turns=was.turns)
        alone = was.status is Status.DISPUTED and not was.against
        assert stands == (replace(was, status=Status.CURRENT) if alone else was)
    elif op == "delete":
        memory.delete(fact.fact_id)
    elif op == "edit":
        memory.edit(fact.fact_id, value=f"{CITIES[chance % 4]} {chance}")
    else:
        {"accept": memory.accept, "reject": memory.reject}[op](fact.fact_id)


def _is_whole(store: AnyStore, mine: Scope) -> None:
    there = {turn.turn_id for turn in store.turns.recent(mine, 999)}
    records = list(store.memories.records(MEI))
    assert bonds.broken((record.key, record.fact) for record in records) == []
    known = {record.fact.fact_id for record in records}
    for record in records:
        fact = record.fact
        assert fact.turns
        assert set(fact.turns) <= there
        assert fact.turn_id in there
        assert all(version.fact.turn_id in there for version in record.versions)
        assert fact.replaced_by in known | {""}
        assert set(fact.against) <= known
        assert record.versions[-1].fact == fact
        assert fact.status is not Status.DISPUTED or fact.against
    for missing in ("nothing", ""):
        with pytest.raises(NotFound):
            store.memories.get(MEI, missing)


def test_without_rules_for_a_language_there_is_nothing_and_no_error(store: AnyStore) -> None:
    mine = session(store)
    say(store, mine, "Мой кот живёт в Риге.", "t1")
    assert read(store, embedded(UTC)) == {}
    assert key_of(Statement(PERSON, Kind.PLACE, "x", 0, 1, "lives_in")).count("\x1f") == 2

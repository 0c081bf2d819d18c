"""A person's things come out whole and go in again as they were, once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from anaphor.adapters import fake, sqlite
from anaphor.adapters.fake import FixedClock
from anaphor.errors import BadInput
from anaphor.portable import Whole, lines_of, read
from anaphor.steps.adopt import adopt
from anaphor.steps.take_in import take_in
from anaphor.stored import Exchange, Opinion, Taken
from anaphor.types import Claim, Document, Outcome, Passage, Scope, Support
from contracts.scenes import MEI, RIVAL, TOM, AnyStore, accept, answered, put, remembered, say, session, statement

EVE = Scope("acme", "eve")


@pytest.fixture
def other(store: AnyStore, tmp_path: Path, clock: FixedClock) -> AnyStore:
    """A second, empty store of the same kind."""
    return fake.Store(clock) if isinstance(store, fake.Store) else sqlite.Store(tmp_path / "other.db", clock)


def fill(store: AnyStore, clock: FixedClock) -> Scope:
    mine = session(store, MEI, "trip")
    for n, text in enumerate(("我住在台中。", "我住在北京。", "大阪に住んでいます。", "I live in Taipei.\n\u2028x"), 1):
        say(store, mine, text, f"t{n}")
        clock.advance(5)
    turn = accept(store, mine, "claims?", "t5")
    claim = Claim("半分[1]", (1, 2), Support.SUPPORTED, "- ", "why")
    store.turns.commit(mine, replace(answered(turn), claims=(claim, Claim("x"))), {"注": "備考", "n": 1.5})
    branch = mine.within(store.sessions.branch(mine, 2, "other way").session_id)
    say(store, branch, "我住在高雄。", "b3")
    adopt(store.turns, branch, [Exchange("hi", "ho", 5.0, "Tom")])
    store.sessions.archive(branch)
    store.opinions.put(mine, "t2", Opinion("down", 2, "大阪ではない"))
    store.erasure.turn(mine, "1")
    failed = accept(store, mine, "failed?", "t6")
    store.turns.commit(mine, replace(failed, outcome=Outcome.FAILED), {})
    told = Document("d1", "a.md", "1", "台中市的人口", "title", "default", MEI.user, "zh-Hant", 5.0, {"year": "2026"})
    store.documents.put(MEI, told, [Passage("p1", told.text, told.source, document_id="d1", end=6, language="zh-Hant")])
    put(store, MEI, "shared.md", "not mine alone")
    say(store, session(store, TOM), "not hers", "t1")
    return mine


def export(store: AnyStore, scope: Scope) -> str:
    return "".join(lines_of(store.portable.documents(scope), store.portable.logs(scope)))


def bring(store: AnyStore, scope: Scope, text: str) -> Taken:
    told, taken = read(text, "export.jsonl"), Taken()
    assert isinstance(told, Whole)
    for entry in told.documents:
        own = replace(entry.document, owner=scope.user)
        taken += Taken(documents=int(store.documents.put(scope, own, entry.passages)))
    for log in told.logs:
        taken += store.portable.put(scope, log)
    return taken


def test_what_comes_out_goes_into_another_store_as_it_was(store: AnyStore, other: AnyStore, clock: FixedClock) -> None:
    mine = fill(store, clock)
    out = export(store, MEI)
    assert "not hers" not in out
    assert "not mine alone" not in out
    assert bring(other, MEI, out) == Taken(2, 8, 1)
    assert export(other, MEI) == out
    assert sorted(map(str, other.sessions.list(MEI))) == sorted(map(str, store.sessions.list(MEI)))
    assert other.turns.recent(mine, 9) == store.turns.recent(mine, 9)
    assert other.turns.trace(mine, "t5") == {"注": "備考", "n": 1.5}
    assert remembered(other, MEI, "北京") == ["我住在北京。"]
    assert remembered(other, MEI, "台中") == [], "what was erased is not in it"
    assert other.documents.get(MEI, "a.md") == store.documents.get(MEI, "a.md")
    assert say(other, mine, "and on", "t7").seq == 7


def test_bringing_it_again_changes_nothing(store: AnyStore, other: AnyStore, clock: FixedClock) -> None:
    fill(store, clock)
    out = export(store, MEI)
    bring(other, MEI, out)
    assert bring(other, MEI, out) == Taken()
    assert bring(store, MEI, out) == Taken()
    assert export(other, MEI) == export(store, MEI) == out


def test_a_later_export_adds_what_is_new(store: AnyStore, other: AnyStore, clock: FixedClock) -> None:
    mine = fill(store, clock)
    bring(other, MEI, export(store, MEI))
    say(store, mine, "我搬到花蓮。", "t7")
    assert bring(other, MEI, export(store, MEI)) == Taken(turns=1)
    assert remembered(other, MEI, "花蓮") == ["我搬到花蓮。"]


def test_it_can_be_brought_to_another_person_who_then_has_a_copy(store: AnyStore, clock: FixedClock) -> None:
    mine = fill(store, clock)
    bring(store, EVE, export(store, MEI))
    assert store.turns.get(EVE.within(mine.session), "2").question == "我住在北京。"
    store.erasure.user(MEI)
    assert remembered(store, EVE, "北京") == ["我住在北京。"]
    assert len(store.documents.list(EVE)) == 2
    assert store.sessions.list(RIVAL) == []


def test_an_erased_turn_does_not_come_back(store: AnyStore, clock: FixedClock) -> None:
    mine = fill(store, clock)
    out = export(store, MEI)
    store.erasure.turn(mine, "2")
    assert bring(store, MEI, out).refused == 1
    assert store.turns.get(mine, "2").question == ""
    assert remembered(store, MEI, "北京") == []


def test_a_session_with_the_same_name_gets_another(store: AnyStore, other: AnyStore, clock: FixedClock) -> None:
    fill(store, clock)
    session(other, MEI, "trip")
    bring(other, MEI, export(store, MEI))
    assert {one.name for one in other.sessions.list(MEI)} == {"trip", "trip (2)", "other way"}


def test_a_turn_that_runs_is_not_in_it(store: AnyStore) -> None:
    mine = session(store, MEI)
    store.turns.commit(mine, answered(turn := accept(store, mine, "我住在台中。", "t1")), {}, [statement(mine, turn)])
    accept(store, mine, "running", "t2")
    assert [json.loads(line)["kind"] for line in export(store, MEI).splitlines()] == ["anaphor", "session", "turn"]


@pytest.mark.parametrize(
    "line",
    [
        '{"kind": "anaphor", "format": 99}',
        '{"kind": "turn"}',
        '{"kind": "session"}',
        '{"kind": "document", "passages": 3}',
        "[]",
        "nonsense",
    ],
)
def test_what_is_no_export_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(BadInput, match=r"x\.jsonl.*(line 2|later version)"):
        read('{"kind": "anaphor", "format": 1}\n' + line, "x.jsonl")


def ways(*texts: str) -> tuple[Exchange, ...]:
    return tuple(
        Exchange(text, f"to {text}", 1_700_000_000.0 + n, turn_id=f"import-{text}") for n, text in enumerate(texts)
    )


def test_an_imported_conversation_grows_and_branches(store: AnyStore) -> None:
    def bring(*texts: str) -> Taken:
        return take_in(store.sessions, store.turns, store.portable, MEI, "chatgpt:1", "Trip\nplans", ways(*texts))

    assert bring("a", "b", "c") == Taken(1, 3)
    assert bring("a", "b", "c") == bring("a", "b") == Taken()
    assert bring("a", "b", "c", "d") == Taken(0, 1)
    assert bring("a", "x") == Taken(1, 1)
    assert bring("a", "x", "y") == Taken(0, 1)
    assert bring("p", "q") == Taken(1, 2)
    told = store.sessions.list(MEI)
    assert sorted(one.turns for one in told) == [2, 3, 4]
    assert {one.name for one in told} == {"Trip plans", "", "Trip plans (2)"}
    main = MEI.within(store.sessions.find(MEI, "Trip plans").session_id)
    assert [turn.asked_at for turn in store.turns.recent(main, 9)] == [1_700_000_000.0 + n for n in range(4)]
    assert store.sessions.find(MEI, main.session).last_at == 1_700_000_003.0
    store.erasure.turn(main, "2")
    assert bring("a", "b", "c", "d") == Taken(), "what was erased here is not brought back"
    store.sessions.archive(main)
    assert bring("a", "b", "c", "d", "e") == Taken(refused=1)

from __future__ import annotations

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import BadInput, UnknownSession, UnknownTurn
from anaphor.types import Sources
from contracts.scenes import MEI, RIVAL, TOM, AnyStore, accept, remembered, say, session


def test_an_id_cannot_be_guessed(store: AnyStore) -> None:
    ids = {store.sessions.create(MEI).session_id for _ in range(20)}
    assert len(ids) == 20
    assert all(len(one) >= 22 for one in ids)  # 128 bits in base 64


@pytest.mark.parametrize("name", ["trip", "去京都", "京都旅行", "去京都的計劃"])
def test_a_session_is_found_by_its_id_and_by_its_name(store: AnyStore, name: str) -> None:
    made = store.sessions.create(MEI, name)
    assert store.sessions.find(MEI, made.session_id) == made
    assert store.sessions.find(MEI, name) == made


def test_an_id_wins_over_a_name_that_reads_like_it(store: AnyStore) -> None:
    first = store.sessions.create(MEI)
    store.sessions.create(MEI, first.session_id)
    assert store.sessions.find(MEI, first.session_id) == first


def test_a_name_is_taken_once_a_person(store: AnyStore) -> None:
    store.sessions.create(MEI, "trip")
    with pytest.raises(BadInput, match="trip"):
        store.sessions.create(MEI, "trip")
    assert store.sessions.create(TOM, "trip").name == "trip"
    assert len(store.sessions.list(MEI)) == 1


def test_any_number_of_sessions_have_no_name(store: AnyStore) -> None:
    store.sessions.create(MEI)
    store.sessions.create(MEI)
    assert len(store.sessions.list(MEI)) == 2
    with pytest.raises(UnknownSession):
        store.sessions.find(MEI, "")


@pytest.mark.parametrize("stranger", [TOM, RIVAL])
def test_nobody_else_sees_a_session(store: AnyStore, stranger: object) -> None:
    mine = session(store, MEI, "trip")
    assert store.sessions.list(stranger) == []
    for known in (mine.session, "trip"):
        with pytest.raises(UnknownSession):
            store.sessions.find(stranger, known)
    with pytest.raises(UnknownSession):
        store.sessions.rename(stranger.within(mine.session), "mine now")
    with pytest.raises(UnknownSession):
        store.sessions.delete(stranger.within(mine.session))
    assert store.sessions.find(MEI, "trip").session_id == mine.session


def test_the_one_last_used_comes_first(store: AnyStore, clock: FixedClock) -> None:
    first = session(store, MEI, "first")
    clock.advance(1)
    session(store, MEI, "second")
    assert [s.name for s in store.sessions.list(MEI)] == ["second", "first"]
    clock.advance(1)
    say(store, first, "我住在台中。", "t1")
    told = store.sessions.list(MEI)
    assert [s.name for s in told] == ["first", "second"]
    assert (told[0].turns, told[0].last_at - told[0].created_at) == (1, 2.0)


def test_a_session_takes_another_name_and_keeps_its_turns(store: AnyStore) -> None:
    mine = session(store, MEI, "trip")
    say(store, mine, "I live in Tokyo.", "t1")
    assert store.sessions.rename(mine, "旅行").name == "旅行"
    assert store.sessions.rename(mine, "旅行").turns == 1  # its own name is not taken
    with pytest.raises(UnknownSession):
        store.sessions.find(MEI, "trip")
    session(store, MEI, "trip")
    with pytest.raises(BadInput):
        store.sessions.rename(mine, "trip")
    assert [t.question for t in store.turns.recent(mine, 5)] == ["I live in Tokyo."]


def test_what_was_said_goes_with_the_session(store: AnyStore) -> None:
    gone, kept = session(store, MEI), session(store, MEI)
    say(store, gone, "我對花生過敏。", "t1")
    say(store, kept, "我對牛奶過敏。", "t2")
    store.sessions.delete(gone)
    assert store.turns.recent(gone, 5) == []
    for ask in (store.turns.get, store.turns.trace):
        with pytest.raises(UnknownTurn):
            ask(gone, "t1")
    assert remembered(store, MEI, "過敏", Sources.BOTH) == ["我對牛奶過敏。"]
    assert store.documents.passages(MEI, ["t1:0"]) == {}
    with pytest.raises(UnknownSession):
        accept(store, gone, "還在嗎？", "t3")
    with pytest.raises(UnknownSession):
        store.sessions.delete(gone)


@pytest.mark.parametrize(
    "name",
    [
        "a\nb",
        "a\tb",
        "a\0b",
        "\x1b[2Jred",
        "a\u2028b",
        "abc\u202efdp",
        " ",
        "\u3000\t",
        "\u200b",
        "旅" * 201,
        "\ud800",
        "x\ufffd",
    ],
)
def test_a_name_is_one_short_visible_line(store: AnyStore, name: str) -> None:
    mine = session(store, MEI, "trip")
    for call in (lambda: store.sessions.create(MEI, name), lambda: store.sessions.rename(mine, name)):
        with pytest.raises(BadInput, match="cannot be a session's name") as refused:
            call()
        assert str(refused.value).isprintable()
    assert [s.name for s in store.sessions.list(MEI)] == ["trip"]


def test_a_session_cannot_lose_its_name(store: AnyStore) -> None:
    with pytest.raises(BadInput, match="nothing in it"):
        store.sessions.rename(session(store, MEI, "trip"), "")


@pytest.mark.parametrize("name", ["旅" * 200, "👩\u200d🚀 trip", "ガ行 (2)", "x"])
def test_any_visible_line_is_a_name(store: AnyStore, name: str) -> None:
    assert store.sessions.find(MEI, store.sessions.create(MEI, name).session_id).name == name

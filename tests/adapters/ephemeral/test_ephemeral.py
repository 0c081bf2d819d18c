"""Sessions that never reach the disk, beside those that are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import anaphor
from anaphor.adapters import ephemeral, fake, sqlite
from anaphor.adapters.fake import FixedClock
from anaphor.assistant import Assistant
from anaphor.errors import BadInput, UnknownSession, UnknownTurn
from anaphor.stored import DAY, Exchange, Opinion, Retention
from anaphor.types import Scope, Sources
from contracts.scenes import MEI, TOM, accept, answered, found, put, remembered, say

SECRETS = {
    "zh-Hant": ("我住在秘湖里七號。", "秘湖里"),
    "zh-Hans": ("我的密码本放在鹦鹉箱。", "鹦鹉箱"),
    "ja": ("私の合言葉は朧月夜です。", "朧月夜"),
    "en": ("I keep the quagga at home.", "quagga"),
}


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def store(tmp_path: Path, clock: FixedClock) -> Iterator[ephemeral.Store]:
    made = ephemeral.Store(sqlite.Store(tmp_path / "a.db", clock), fake.Store(clock), clock)
    yield made
    made.close()


def begun(store: ephemeral.Store, scope: Scope = MEI, name: str = "") -> Scope:
    return scope.within(store.sessions.create(scope, name, ephemeral=True).session_id)


def on_disk(folder: Path, words: list[str]) -> list[tuple[str, str]]:
    return [
        (path.name, word)
        for path in folder.rglob("*")
        if path.is_file()
        for word in words
        if word.encode() in path.read_bytes()
    ]


@pytest.mark.parametrize("language", SECRETS)
def test_not_a_byte_of_it_is_on_the_disk(store: ephemeral.Store, tmp_path: Path, language: str) -> None:
    said, word = SECRETS[language]
    mine = begun(store, name=f"name {word}")
    say(store, mine, said, f"id-{word}", f"answer {word}")
    accept(store, mine, f"running {word}", f"other-{word}")
    store.opinions.put(mine, "1", Opinion("up", comment=f"comment {word}"))
    branch = mine.within(store.sessions.branch(mine, 1, f"branch {word}").session_id)
    store.turns.adopt(branch, [Exchange(f"taken in {word}", turn_id=f"in-{word}")], lambda turn: ())
    store.sessions.rename(branch, f"renamed {word}")
    store.audit.note(mine, "read", "session", mine.session)
    store.back_up(tmp_path / "copy.db")
    assert remembered(store, mine, said) == [said]
    ids = [one.session_id for one in store.sessions.list(MEI)]
    assert len(ids) == 2
    assert on_disk(tmp_path, [word, *ids]) == []
    store.close()
    assert on_disk(tmp_path, [word, *ids]) == []


def test_what_was_said_in_it_is_found_from_it_alone(store: ephemeral.Store) -> None:
    kept, mine, other = MEI.within(store.sessions.create(MEI).session_id), begun(store), begun(store)
    put(store, MEI, "a.md", "the population of Taichung")
    say(store, kept, "I live in Oslo.", "t1")
    say(store, mine, "I live in Bergen.", "t1")
    assert sorted(remembered(store, mine, "I live in")) == ["I live in Bergen.", "I live in Oslo."]
    for scope in (kept, other, MEI, TOM):
        assert "I live in Bergen." not in remembered(store, scope, "I live in", Sources.BOTH)
    passage_id = "t1:0"
    assert store.documents.passages(mine, [passage_id])[passage_id].text == "I live in Bergen."
    assert store.documents.passages(kept, [passage_id])[passage_id].text == "I live in Oslo."
    assert [p.text for p in store.documents.around(mine, [passage_id])[passage_id]] == ["I live in Bergen."]
    assert found(store, mine, "population") == ["a.md"]


def test_a_name_is_one_persons_once_wherever_it_is(store: ephemeral.Store) -> None:
    kept, mine = store.sessions.create(MEI, "a").session_id, begun(store, name="b")
    for call in (
        lambda: store.sessions.create(MEI, "b"),
        lambda: store.sessions.create(MEI, "a", ephemeral=True),
        lambda: store.sessions.rename(mine, "a"),
        lambda: store.sessions.rename(MEI.within(kept), "b"),
    ):
        with pytest.raises(BadInput):
            call()
    assert store.sessions.find(MEI, "b").ephemeral
    assert not store.sessions.find(MEI, "a").ephemeral
    assert begun(store, TOM, "b") != mine


def test_nobody_else_reaches_it(store: ephemeral.Store) -> None:
    mine = begun(store)
    say(store, mine, "I live in Bergen.", "t1")
    theirs = TOM.within(mine.session)
    with pytest.raises(UnknownSession):
        store.sessions.find(TOM, mine.session)
    with pytest.raises(UnknownTurn):
        store.turns.get(theirs, "1")
    with pytest.raises(UnknownSession):
        accept(store, theirs, "?", "t2")
    assert store.turns.recent(theirs, 9) == []


def test_it_is_deleted_and_erased_as_any_other(store: ephemeral.Store) -> None:
    one, two, three = begun(store), begun(store), begun(store, TOM)
    say(store, one, "I live in Bergen.", "t1")
    say(store, two, "I live in Narvik.", "t1")
    store.sessions.delete(one)
    with pytest.raises(UnknownSession):
        store.sessions.find(MEI, one.session)
    assert store.erasure.user(MEI).sessions == 1
    assert store.sessions.list(MEI) == []
    assert [session.session_id for session in store.sessions.list(TOM)] == [three.session]
    store.erasure.tenant(MEI)
    assert store.describe()["ephemeral_sessions"] == 0


def test_a_turn_that_quotes_an_erased_document_goes(store: ephemeral.Store) -> None:
    put(store, MEI, "a.md", "the population of Taichung")
    mine = begun(store)
    turn = accept(store, mine, "population?", "t1")
    citation = {"n": 1, "passage_id": "doc:a.md:1:0", "source": "a.md"}
    store.turns.commit(mine, answered(turn, "the population of Taichung"), {"citations": [citation]})
    say(store, mine, "thanks", "t2")
    assert store.erasure.document(MEI, "a.md").answers == 1
    assert [t.question for t in store.turns.recent(mine, 9)] == ["thanks"]


@pytest.mark.parametrize("kind", ["user", "tenant", "document"])
def test_what_another_process_erases_goes_from_memory_too(store: ephemeral.Store, tmp_path: Path, kind: str) -> None:
    put(store, MEI, "a.md", "the population of Taichung")
    put(store, MEI, "b.md", "the population of Bergen")
    mine, his, theirs = begun(store), begun(store, TOM), begun(store, Scope("rival", "mei"))
    for n, source in enumerate(["a.md", "b.md"]):
        turn = accept(store, mine, f"{source}?", f"t{n}")
        citation = {"n": 1, "passage_id": f"doc:{source}:1:0", "source": source}
        store.turns.commit(mine, answered(turn, source), {"citations": [citation]})
    with sqlite.Store(tmp_path / "a.db") as elsewhere:
        if kind == "document":
            elsewhere.erasure.document(MEI, "a.md")
        else:
            getattr(elsewhere.erasure, kind)(MEI)
    if kind == "document":
        assert [turn.question for turn in store.turns.recent(mine, 9)] == ["b.md?"]
    else:
        with pytest.raises(UnknownSession):
            store.sessions.find(MEI, mine.session)
    assert (store.sessions.list(TOM) == []) is (kind == "tenant")
    assert [one.session_id for one in store.sessions.list(theirs)] == [theirs.session]
    assert his.session
    again = begun(store)  # what is begun after an erasure is not reached by it
    say(store, again, "I live in Narvik.", "t3")
    assert [turn.question for turn in store.turns.recent(again, 9)] == ["I live in Narvik."]


def test_it_ends_after_a_day_unused_or_sooner(store: ephemeral.Store, clock: FixedClock) -> None:
    kept, mine, theirs = store.sessions.create(MEI), begun(store), begun(store, Scope("rival", "mei"))
    store.lifetimes.put(MEI, Retention(idle_days=0.25))
    clock.advance(0.5 * DAY)
    assert store.lifetimes.end().erased == 1
    assert [one.session_id for one in store.sessions.list(MEI)] == [kept.session_id]
    with pytest.raises(UnknownSession):
        accept(store, mine, "?", "t1")
    clock.advance(0.6 * DAY)
    assert store.lifetimes.end().erased == 1
    assert store.sessions.list(Scope("rival", "mei")) == []
    assert theirs.session


def test_a_store_without_one_in_memory_beside_it_says_so(tmp_path: Path) -> None:
    with sqlite.Store(tmp_path / "a.db") as store, pytest.raises(BadInput, match="memory"):
        store.sessions.create(MEI, ephemeral=True)


@pytest.mark.parametrize("language", SECRETS)
def test_a_whole_conversation_leaves_nothing_behind(tmp_path: Path, language: str) -> None:
    said, word = SECRETS[language]
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb/a.md").write_text("# Kestrel\n\nKestrel keeps messages for 7 days.\n", encoding="utf-8")
    with opened(tmp_path) as assistant:
        assistant.ingest(tmp_path / "kb", base=tmp_path)
        first = assistant.ask(said, ephemeral=True)
        second = assistant.ask("How long does Kestrel keep messages?", session=first.session_id)
        assert "7 days" in second.answer
        assert second.citations[0].quote
        told = assistant.trace(first.session_id, 2)
        assert told.citations[0].quote == second.citations[0].quote
        assistant.sessions.judge(first.session_id, 2, "up", comment=word)
        assert assistant.sessions.read(first.session_id)[0].question == said
        assert not any(word in line or first.session_id in line for line in assistant.export())
        with pytest.raises(BadInput, match="kept"):
            assistant.ask("?", session=assistant.sessions.start("kept").session_id, ephemeral=True)
    assert on_disk(tmp_path, [word, first.session_id, first.turn_id]) == []
    with opened(tmp_path) as again, pytest.raises(UnknownSession):
        again.sessions.find(first.session_id)


def opened(folder: Path) -> Assistant:
    return anaphor.open(str(folder / "kb.db"), embedder="none")

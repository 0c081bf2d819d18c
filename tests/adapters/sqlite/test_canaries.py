"""A word that stands nowhere else, in every field of every kind of thing, erased: no file holds it any more.

Searched are the bytes of every file beside the store, while it is open and after it is closed. Everything stands among
other people's data of many sizes, so that pages split, fill up and are used again.
"""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store, erase, gaps
from anaphor.facts import Fact, Kind, Read, Reconciled, Statement, Status, Summary, Version
from anaphor.steps.adopt import adopt
from anaphor.stored import Exchange
from anaphor.types import Claim, Document, Outcome, Passage, Scope, Support
from contracts.scenes import MEI, TOM, accept, answered, put, say, session, statement

MINE = Scope("tenantqzx", "userqzx", collections=frozenset({"default", "collqzx"}))
CANARY = "qzx"
CJK = ("鑫淼垚", "龘靐齉")  # and their parts, as the lexical index cuts them


def in_files(folder: Path) -> list[str]:
    """Where any canary is left. A store that is open is read through another process: see ``Database.raw``."""
    script = (
        "import pathlib, sys\n"
        "for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
        "    held = path.read_bytes()\n"
        "    for word in sys.argv[2:]:\n"
        "        at = held.lower().find(word.encode())\n"
        "        if at >= 0: print(path.name, word, held[max(0, at - 30) : at + 30])\n"
    )
    words = [CANARY, *CJK, *(word[:2] for word in CJK)]
    done = subprocess.run([sys.executable, "-c", script, str(folder), *words], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace").splitlines()


def fill(store: Store, chance: random.Random, n: int = 60) -> None:
    """Other people's data, of many sizes."""
    theirs = session(store, TOM, f"names {chance.random()}")
    for _ in range(n):
        size = chance.choice([1, 5, 40, 400])
        text = " ".join(str(chance.random()) for _ in range(size))
        say(store, theirs, f"I live in {text}", f"t{chance.random()}", answer=text)
        put(store, TOM, f"{chance.random()}.md", f"population {text}", metadata={"note": text[:40]})


def canaries(store: Store, n: int) -> Scope:
    """Everything that can be said of a person and kept for them, in every field."""
    mine = session(store, MINE, f"session qzx {n}")
    told = document(f"qzx {n}", owner=MINE.user)
    cut = Passage(f"pqzx{n}", told.text, told.source, document_id=told.document_id, title=told.title, section="s qzx")
    store.documents.put(MINE, told, [replace(cut, end=len(told.text), language="zh-Hant")])
    shared = document(f"shared qzx {n}", collection="collqzx")
    store.documents.put(MINE, shared, [replace(cut, passage_id=f"sqzx{n}", source=shared.source, text=shared.text)])
    turn = accept(store, mine, f"我住在鑫淼垚，qzx {n}。", f"turn-qzx-{n}")
    trace = {
        "citations": [{"passage_id": f"pqzx{n}", "source": told.source}],
        "ranking": [{"passage_id": f"pqzx{n}"}, {"passage_id": f"sqzx{n}"}],
        "query": {"text": "qzx", "terms": [{"term": "qzx", "weight": 1}], "carried": []},
        "notes": ["qzx"],
    }
    claims = (Claim("qzx 龘靐齉", (1,), Support.SUPPORTED), Claim("qzx", (), Support.UNCITED, reason="qzx"))
    ended = replace(answered(turn, f"qzx 龘靐齉 {n}"), standalone="qzx 鑫淼垚", claims=claims)
    store.turns.commit(mine, ended, trace, [statement(mine, turn, "zh-Hant")])
    adopt(store.turns, mine, [Exchange("qzx", "qzx", 5.0, "Speaker qzx", f"a-qzx-{n}")])
    memory(store, mine, n)
    store.sessions.branch(mine, 1, f"branch qzx {n}")
    return mine


def memory(store: Store, mine: Scope, n: int) -> None:
    """A fact that two turns say, in every field, decided about by a person; one forgotten; a summary."""
    first, second = store.memories.unread(MINE, 10)
    said = Statement("qzx 鑫淼垚", Kind.PLACE, "qzx 龘靐齉", 0, 3, "qzx", unit="qzx", context="qzx", applies_when="qzx")
    known = Fact(f"f-qzx-{n}", said, mine.session, first.turn.turn_id, 1, first.turn.asked_at, why="qzx")
    other = replace(known, fact_id=f"o-qzx-{n}", why="instead of qzx")
    made = [Read(said, Reconciled(one, "added", "qzx 鑫淼垚"), "qzx") for one in (known, other)]
    assert store.memories.keep(MINE, first, made, 5.0)
    second = store.memories.unread(MINE, 10)[0]
    again = replace(known, status=Status.DISPUTED, against=(other.fact_id,))
    assert store.memories.keep(MINE, second, [Read(said, Reconciled(again, "merged", "qzx"), "qzx")], 6.0)
    edited = Version(replace(again, pinned=True, why="qzx 龘靐齉"), 7.0, "userqzx", "edited", "qzx")
    assert store.memories.change(MINE, [edited], store.memories.generation(MINE))
    assert store.memories.put_summary(mine, Summary("qzx 鑫淼垚", 1, 2, "model qzx", (), (("qzx", 1),)))
    if n % 2:
        store.memories.forget(MINE, other.fact_id)


def document(source: str, owner: str = "", collection: str = "default") -> Document:
    return Document(
        *(f"d{source.replace(' ', '')}", source, "1", f"qzx 鑫淼垚 {source} 龘靐齉"),
        *("title qzx", collection, owner, "zh-Hant"),
        metadata={"name qzx": "value qzx"},
    )


def everything(store: Store) -> None:
    chance = random.Random(7)
    for n in range(8):
        fill(store, chance, 8)
        canaries(store, n)
    store.dense(HashEmbedder(16)).refresh(10_000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    folder.mkdir()
    made = Store(folder / "a.db")
    yield made
    made.close()


def test_every_table_is_covered(store: Store, folder: Path) -> None:
    store.close()
    with sqlite3.connect(folder / "a.db") as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        owned = {
            table
            for table in tables - erase.COVERED.keys()
            if {"tenant", "user"} <= {column[1] for column in connection.execute(f"PRAGMA table_info({table})")}
        }
    connection.close()
    assert tables - owned <= erase.COVERED.keys(), "a table that no erasure reaches: see erase.COVERED"
    assert erase.COVERED.keys() <= tables


def test_a_table_that_names_a_person_is_emptied_of_theirs_by_itself(store: Store) -> None:
    with store._database.write() as connection:
        connection.execute("CREATE TABLE keys_of (tenant TEXT, user TEXT, key TEXT)")
        for scope in (MEI, TOM, MINE):
            connection.execute("INSERT INTO keys_of VALUES (?, ?, 'k')", (scope.tenant, scope.user))
    store.erasure.user(MEI)
    with store._database.read() as connection:
        assert list(connection.execute("SELECT user FROM keys_of")) == [("tom",), ("userqzx",)]
    store.erasure.tenant(TOM)
    with store._database.read() as connection:
        assert list(connection.execute("SELECT user FROM keys_of")) == [("userqzx",)]


def erase_one_by_one(store: Store) -> None:
    for one in store.sessions.list(MINE):
        mine = MINE.within(one.session_id)
        for turn in store.turns.recent(mine, 100):
            if not store.sessions.find(MINE, one.session_id).parent:
                store.erasure.turn(mine, str(turn.seq))
    for told in store.documents.list(MINE):
        store.documents.delete(MINE, told.source)
    for one in store.sessions.list(MINE):
        store.sessions.delete(MINE.within(one.session_id))
    store.erasure.user(MINE)


def erase_person_and_documents(store: Store) -> None:
    store.erasure.user(MINE)
    shared = [told.document_id for told in store.documents.list(replace(MINE, user="somebody"))]
    store.documents.delete_all(replace(MINE, user="somebody"), shared)


@pytest.mark.parametrize(
    "erased",
    [lambda store: store.erasure.tenant(MINE), erase_one_by_one, erase_person_and_documents],
    ids=["tenant", "one by one", "person and documents"],
)
def test_no_byte_is_left(store: Store, folder: Path, erased: Callable[[Store], object]) -> None:
    everything(store)
    assert len(in_files(folder)) >= 5
    before = len(store.turns.recent(session_of(store, TOM), 1000))
    erased(store)
    # The name of the tenant itself stands where its shared collection does, until the tenant is erased.
    left = in_files(folder)
    if erased is not erase_one_by_one and erased is not erase_person_and_documents:
        assert left == []
    assert [line for line in left if "tenantqzx" not in line] == []
    assert len(store.turns.recent(session_of(store, TOM), 1000)) == before
    with store._database.read() as connection:
        assert list(connection.execute("PRAGMA integrity_check")) == [("ok",)]
    store.close()
    assert [line for line in in_files(folder) if "tenantqzx" not in line] == []


def session_of(store: Store, scope: Scope) -> Scope:
    return scope.within(store.sessions.list(scope)[0].session_id)


def test_what_quoted_an_erased_document_holds_no_byte_of_it(store: Store, folder: Path) -> None:
    chance = random.Random(8)
    mine = session(store, MEI)
    told = document("qzx.md")
    store.documents.put(MEI, told, [Passage("p1", told.text, told.source, document_id="d1", end=len(told.text))])
    for n in range(20):
        fill(store, chance, 4)
        turn = accept(store, mine, f"question {n}", f"t{n}")
        trace = {"citations": [{"passage_id": "p1", "source": told.source}], "notes": ["qzx"]}
        ended = replace(answered(turn, f"qzx {n} 鑫淼垚"), claims=(Claim("qzx", (1,), Support.SUPPORTED),))
        store.turns.commit(mine, ended, trace)
        later = accept(store, mine, f"and {n}", f"l{n}")
        query = {"query": {"text": "qzx", "carried": [{"text": "qzx", "seq": turn.seq, "reason": "", "weight": 1}]}}
        asked_back = replace(answered(later, "did you mean qzx?"), outcome=Outcome.CLARIFYING, standalone="and qzx")
        store.turns.commit(mine, asked_back, query)
    store.documents.delete(MEI, "qzx.md")
    assert in_files(folder) == []
    assert len(store.turns.recent(mine, 100)) == 40


BREAKS_OFF = """
import os, sys
from anaphor.adapters.sqlite import Store, erase, gaps
from adapters.sqlite.test_canaries import MINE
path, where = sys.argv[1:]
stop = lambda *_: os._exit(9)
if where == "asked": erase.Erasure._carry_out = stop
if where == "half": erase.audit.record = stop
if where == "done": erase.Erasure._wipe = stop
if where == "wiping": gaps.os.pwrite = stop
Store(path).erasure.tenant(MINE)
"""


@pytest.mark.parametrize("where", ["asked", "half", "done", "wiping"])
def test_an_erasure_that_was_broken_off_is_finished_when_the_store_is_opened_again(
    store: Store, folder: Path, where: str
) -> None:
    everything(store)
    store.close()
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", BREAKS_OFF, str(folder / "a.db"), where], cwd=root, timeout=120)
    assert done.returncode == 9
    with Store(folder / "a.db") as again:
        assert in_files(folder) == []
        assert again.erasure.resume() == 0
        assert [line.act for line in again.audit.read(MINE)].count("erase") == 1


def test_an_erasure_that_readers_hold_up_is_finished_by_the_next(store: Store, folder: Path) -> None:
    everything(store)
    reader = apsw.Connection(str(folder / "a.db"))
    reader.execute("BEGIN")
    list(reader.execute("SELECT count(*) FROM turns"))
    assert not store.erasure.tenant(MINE).wiped
    assert in_files(folder)
    reader.close()
    assert store.erasure.resume() == 1
    assert in_files(folder) == []


def test_unused_parts_of_pages_are_found_and_blanked(store: Store, folder: Path) -> None:
    """Without that, values that were deleted stand on in the file: the reason why it is done."""
    chance = random.Random(9)
    with store._database.write() as connection:
        connection.execute("CREATE TABLE kept (key INTEGER PRIMARY KEY, text TEXT)")
        connection.execute("CREATE INDEX kept_by_text ON kept (text)")
        for n in range(1500):
            connection.execute("INSERT INTO kept VALUES (?, ?)", (n, f"{'qzx' if n % 2 else 'keep'}{n}" * 40))
        for n in chance.sample(range(1500), 900):
            text = f"{'qzx' if n % 2 else 'keep'}{n}" * chance.randint(1, 300)
            connection.execute("UPDATE kept SET text = ? WHERE key = ?", (text, n))
        connection.execute("DELETE FROM kept WHERE text LIKE 'qzx%'")
    store._database.forget_deleted()
    assert in_files(folder), "SQLite's own secure deletion was enough: gaps.py can go"
    assert gaps.wipe(store._database)
    assert in_files(folder) == []
    # What the commit that ends it leaves are pointers of pages, no values.
    assert sum(left.end - left.start for left in gaps.leftovers(store._database.raw())) < 100
    with store._database.read() as connection:
        assert list(connection.execute("SELECT count(*) FROM kept")) == [(750,)]
        assert list(connection.execute("PRAGMA integrity_check")) == [("ok",)]


@pytest.mark.skipif(not hasattr(os, "pwrite"), reason="the other way is the only one there")
def test_where_the_file_cannot_be_written_past_sqlite_it_is_written_anew(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything(store)
    monkeypatch.setattr(gaps, "_MOST", 0)
    assert store.erasure.tenant(MINE).wiped
    assert in_files(folder) == []

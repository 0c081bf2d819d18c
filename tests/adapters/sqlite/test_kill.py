"""kill -9 at random moments: the file opens, and every turn is wholly there or has failed with its question."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adapters.sqlite.test_failures import orphans
from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store
from anaphor.types import Outcome, Scope, Sources
from contracts.scenes import MEI, found, query

TALKER = """
import sys, time
from contracts.scenes import MEI, accept, answered, document, passages, statement
from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store

path, session_id, life = sys.argv[1:]
store = Store(path)
mine = MEI.within(session_id)
dense = store.dense(HashEmbedder(16))
n = 0
while True:
    turn = accept(store, mine, f"我住在第{n}區，第 {life} 次。", f"{life}-{n}", lease=0.05)
    print(f"{life}-{n}", flush=True)
    store.turns.commit(mine, answered(turn, f"answer {n}"), {"n": n}, [statement(mine, turn)])
    whole = document(f"{n % 3}.md", f"台中市的人口是 {n}，第 {life} 次。", version=f"{life}-{n}")
    store.documents.put(MEI, whole, passages(whole))
    if n % 4 == 3:
        store.documents.delete(MEI, f"{n % 3}.md")
    if n % 4 == 2:
        gone = MEI.within(store.sessions.create(MEI).session_id)
        whole = accept(store, gone, f"canary{n}x", "t1", lease=0.05)
        store.turns.commit(gone, answered(whole, f"canary{n}x"), {}, [statement(gone, whole)])
        store.sessions.delete(gone)
    dense.refresh()
    n += 1
"""


@pytest.mark.parametrize(
    "kills", [pytest.param(50, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.soak)], ids=str
)
def test_a_store_outlives_kills_at_random_moments(tmp_path: Path, kills: int) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        mine = MEI.within(store.sessions.create(MEI).session_id)
    chance = random.Random(20_731)
    accepted: list[str] = []
    for life in range(kills):
        accepted += live_and_die(path, mine.session, life, chance)
        time.sleep(0.06)
        with Store(path) as store:
            check(store, mine, accepted)
        assert b"canary" not in path.read_bytes()
    assert len(accepted) > kills


def live_and_die(path: Path, session_id: str, life: int, chance: random.Random) -> list[str]:
    """The turns that the child said it had accepted before it was killed."""
    child = subprocess.Popen(
        [sys.executable, "-c", TALKER, str(path), session_id, str(life)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(chance.uniform(0, 0.05))
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read()
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    return [line for line in (first + rest).split("\n") if line]


def check(store: Store, mine: Scope, accepted: list[str]) -> None:
    turns = store.turns.recent(mine, 1_000_000)
    assert [turn.seq for turn in turns] == list(range(1, len(turns) + 1))
    # At most the one turn that was killed between its accept and its being announced is more than was announced.
    told = [turn.turn_id for turn in turns]
    assert set(accepted) <= set(told)
    remembered = {
        hit.passage.text for hit in store.lexical.search(MEI, query("我住在"), sources=Sources.MEMORY, limit=1_000_000)
    }
    for turn in turns:
        life, n = turn.turn_id.split("-")
        assert turn.question == f"我住在第{n}區，第 {life} 次。"
        if turn.outcome is Outcome.ANSWERED:
            assert turn.answer == f"answer {n}"
            assert store.turns.trace(mine, turn.turn_id) == {"n": int(n)}
            assert turn.question in remembered
        else:
            assert turn.outcome is Outcome.FAILED
            assert store.turns.trace(mine, turn.turn_id) == {}
            assert turn.question not in remembered
    for left in store.sessions.list(MEI):  # one that was killed before it was asked to go
        if left.session_id != mine.session:
            store.sessions.delete(MEI.within(left.session_id))
    assert store.erasure.resume() == 0
    assert sorted(found(store, MEI, "人口")) == sorted(d.source for d in store.documents.list(MEI))
    assert not any(orphans(store).values())
    with store._database.read() as connection:
        assert list(connection.execute("PRAGMA integrity_check")) == [("ok",)]
        assert list(connection.execute("PRAGMA foreign_key_check")) == []
    with store._database.write() as connection:
        connection.execute("INSERT INTO lexicon (lexicon) VALUES ('integrity-check')")
    sentence = store.sentence(HashEmbedder(16))
    while sentence.refresh():
        pass
    texts = {hit.passage.text for hit in sentence.search(mine, query("我住在"), sources=Sources.MEMORY, limit=10_000)}
    assert texts == remembered

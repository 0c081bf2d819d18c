"""Many threads and processes on one store: every answer with its question, every number once, nobody starved."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from anaphor.adapters.sqlite import Store
from anaphor.errors import TurnInProgress
from anaphor.types import Scope
from contracts.scenes import MEI, accept, answered, statement

WORKER = """
import sys
from pathlib import Path
from adapters.sqlite.test_together import work
work(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
"""


def work(path: Path, who: str, threads: int, sessions: int, turns: int) -> None:
    """Each thread asks in one session after the other, waiting where a turn runs; prints how long each pair took."""
    took: list[float] = []
    lock = threading.Lock()
    with Store(path, busy_timeout=60) as store:
        ids = sorted(session.session_id for session in store.sessions.list(MEI))[:sessions]

        def talk(thread: int) -> None:
            for n in range(turns):
                mine = MEI.within(ids[(thread * 7 + n) % len(ids)])
                name = f"{who}-{thread}-{n}"
                begun = time.perf_counter()
                one_turn(store, mine, name)
                with lock:
                    took.append(time.perf_counter() - begun)

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(talk, range(threads)))
    print(json.dumps(took))


def one_turn(store: Store, mine: Scope, name: str) -> None:
    while True:
        try:
            turn = accept(store, mine, f"我住在 {name} 。", name)
            break
        except TurnInProgress:
            time.sleep(0.001)
    store.turns.commit(mine, answered(turn, f"to {name}"), {"for": name}, [statement(mine, turn)])


@pytest.mark.parametrize(
    ("processes", "threads", "sessions", "turns"),
    [pytest.param(2, 4, 5, 6), pytest.param(4, 16, 200, 50, marks=pytest.mark.soak)],
)
def test_order_and_pairing_hold(tmp_path: Path, processes: int, threads: int, sessions: int, turns: int) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        for _ in range(sessions):
            store.sessions.create(MEI)
    arguments = [str(threads), str(sessions), str(turns)]
    children = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(path), f"p{n}", *arguments],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for n in range(processes)
    ]
    took = sorted(seconds for child in children for seconds in json.loads(child.communicate(timeout=900)[0]))
    assert all(child.returncode == 0 for child in children)
    assert len(took) == processes * threads * turns
    print(f"\naccept and commit: p50 {took[len(took) // 2]:.3f} s, p99 {took[len(took) * 99 // 100]:.3f} s")
    with Store(path) as store:
        told: list[str] = []
        for one in store.sessions.list(MEI):
            log = store.turns.recent(MEI.within(one.session_id), 1_000_000)
            assert [turn.seq for turn in log] == list(range(1, len(log) + 1))
            assert [turn.asked_at for turn in log] == sorted(turn.asked_at for turn in log)
            for turn in log:
                assert turn.question == f"我住在 {turn.turn_id} 。"
                assert turn.answer == f"to {turn.turn_id}"
                assert store.turns.trace(MEI.within(one.session_id), turn.turn_id) == {"for": turn.turn_id}
            told += [turn.turn_id for turn in log]
        assert len(told) == len(set(told)) == processes * threads * turns
        assert store.check() == []


def test_erasing_while_others_write_costs_them_nothing(tmp_path: Path) -> None:
    path, stop = tmp_path / "a.db", threading.Event()
    with Store(path) as store:
        kept = MEI.within(store.sessions.create(MEI).session_id)
        other = Scope("acme", "gone")
        done: list[str] = []

        def keep_talking() -> None:
            with Store(path) as mine:
                while not stop.is_set():
                    one_turn(mine, kept, f"k{len(done)}")
                    done.append("")

        writer = threading.Thread(target=keep_talking)
        writer.start()
        try:
            for n in range(6):
                gone = other.within(store.sessions.create(other).session_id)
                for i in range(5):
                    one_turn(store, gone, f"gone{n}-{i}")
                store.erasure.user(other)
        finally:
            stop.set()
            writer.join()
        log = store.turns.recent(kept, 1_000_000)
        assert [turn.turn_id for turn in log] == [f"k{n}" for n in range(len(log))]
        assert len(log) == len(done)
        store.erasure.resume()
        assert store.check() == []
    assert b"gone" not in path.read_bytes()

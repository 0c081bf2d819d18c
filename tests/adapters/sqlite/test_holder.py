"""A lease is void as soon as the process that holds it is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from anaphor.adapters.sqlite import Store, holder
from anaphor.errors import TurnInProgress
from anaphor.types import Outcome
from contracts.scenes import MEI, accept, session

ASKS = """
import sys, time
from contracts.scenes import MEI, accept
from anaphor.adapters.sqlite import Store
store = Store(sys.argv[1])
accept(store, MEI.within(sys.argv[2]), "台中的人口？", "t1", lease=3600)
print("asked", flush=True)
time.sleep(60)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


def test_the_turn_of_a_killed_process_is_given_up_at_once(path: Path) -> None:
    with Store(path) as store:
        mine = session(store, MEI)
        child = subprocess.Popen(
            [sys.executable, "-c", ASKS, str(path), mine.session],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "asked\n"
        with pytest.raises(TurnInProgress):
            accept(store, mine, "next", "t2")
        assert store.turns.recent(mine, 5) == []
        child.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, and not yet collected
        assert store.turns.get(mine, "t1").outcome is Outcome.FAILED
        child.wait()
        child.stdout.close()
        assert [turn.question for turn in store.turns.recent(mine, 5)] == ["台中的人口？"]
        assert accept(store, mine, "next", "t2").seq == 2


def test_this_process_is_here() -> None:
    assert not holder.is_gone(holder.here())


def test_another_process_with_the_same_number_is_not_the_one_that_asked() -> None:
    machine, pid, started = holder.here().split("/")
    assert holder.is_gone(f"{machine}/{pid}/{started}0")
    assert holder.is_gone(f"{machine}/{os.getppid()}/1")


@pytest.mark.parametrize("held_by", ["", "another machine/1/1", "nonsense"])
def test_of_another_machine_nothing_is_known(held_by: str) -> None:
    assert not holder.is_gone(held_by)


def test_without_a_proc_folder_the_number_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holder, "PROC", tmp_path)
    holder._machine.cache_clear()
    try:
        assert not holder.is_gone(holder.here())
        child = subprocess.Popen([sys.executable, "-c", ""])
        child.wait()
        assert holder.is_gone(f"{holder._machine()}/{child.pid}/")
        assert not holder.is_gone(f"{holder._machine()}/{os.getppid()}/")
    finally:
        monkeypatch.undo()
        holder._machine.cache_clear()

"""Killed while it reads, memory goes on where it was, and nothing is there twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from anaphor.adapters import sqlite
from anaphor.adapters.fake import FixedClock
from anaphor.facts import Status
from memory.test_consolidate import CITIES, MEI, lives_in, read, say, session

DIES = """
import os, sys
from anaphor.adapters import sqlite
from anaphor.adapters.fake import FixedClock
from anaphor.memory.consolidate import consolidate
from memory.test_consolidate import MEI, lives_in
path, where, after = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = sqlite.Store(path, FixedClock(9.0))
kept = type(store.memories).keep
done = []
def keep(self, *given):
    if where == "before" and len(done) == after: os._exit(9)
    told = kept(self, *given)
    done.append(told)
    if where == "behind" and len(done) > after: os._exit(9)
    return told
type(store.memories).keep = keep
if where == "within":
    from anaphor.adapters.sqlite import facts
    say, said = facts.say, []
    def dying(*given):
        said.append(1)
        say(*given)
        if len(said) > after: os._exit(9)
    facts.say = dying
consolidate(store.turns, store.memories, MEI, lives_in, FixedClock(9.0))
"""


@pytest.mark.parametrize("where", ["before", "within", "behind"])
@pytest.mark.parametrize("after", [0, 2, 4])
def test_what_was_broken_off_is_finished_and_nothing_is_there_twice(tmp_path: Path, where: str, after: int) -> None:
    paths = [tmp_path / "killed.db", tmp_path / "whole.db"]
    for path in paths:
        with sqlite.Store(path, FixedClock()) as store:
            mine = session(store)
            for n in range(6):
                say(store, mine, f"I live in {CITIES[n % 3]}.", f"t{n}")
    command = [sys.executable, "-c", DIES, str(paths[0]), where, str(after)]
    killed = subprocess.run(command, cwd=Path(__file__).parents[1], timeout=120)
    assert killed.returncode == 9
    left = []
    for path in paths:
        with sqlite.Store(path, FixedClock(9.0)) as store:
            read(store, lives_in)
            assert store.memories.waiting(MEI) == 0
            facts = store.memories.facts(MEI)
            left.append(
                [(f.statement.value, f.status, f.turns, len(store.memories.history(MEI, f.fact_id))) for f in facts]
            )
            assert sum(fact.status is Status.CURRENT for fact in facts) == 1
            assert store.check() == []
    assert left[0] == left[1]

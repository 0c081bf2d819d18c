"""What has had its time ends while the store is used, and no turn waits for it."""

import threading

import anaphor
from anaphor.adapters.fake import FixedClock
from anaphor.errors import StoreBusy
from anaphor.settings import read
from anaphor.stored import DAY, Ended, Retention
from anaphor.upkeep import Upkeep
from anaphor.wiring import build


class Lifetimes:
    def __init__(self, error=None):
        self.looks, self.error, self.go_on = 0, error, threading.Event()

    def end(self):
        self.looks += 1
        self.go_on.wait(5)
        if self.error:
            raise self.error
        return Ended()


def test_it_looks_once_in_a_while_and_nobody_waits():
    lifetimes = Lifetimes()
    upkeep = Upkeep(lifetimes, every=0)
    for _ in range(5):
        upkeep.tend()  # the first is still looking
    lifetimes.go_on.set()
    upkeep.stop()
    assert lifetimes.looks == 1
    upkeep.tend()
    upkeep.stop()
    assert lifetimes.looks == 2
    patient = Upkeep(lifetimes, every=60)
    patient.tend()
    patient.stop()
    assert lifetimes.looks == 2  # opening a store has looked


def test_a_busy_store_is_looked_at_later():
    lifetimes = Lifetimes(StoreBusy("locked"))
    lifetimes.go_on.set()
    upkeep = Upkeep(lifetimes, every=0)
    for looks in (1, 2):
        upkeep.tend()
        upkeep.stop()
        assert lifetimes.looks == looks


def test_asking_ends_what_is_due_and_so_does_opening(tmp_path, monkeypatch):
    monkeypatch.setattr("anaphor.upkeep.EVERY", 0)
    clock = FixedClock()
    settings = read({"store": str(tmp_path / "a.db"), "embedder": "none"}, environment={}, directory=tmp_path)
    with build(settings, clock) as assistant:
        first = assistant.ask("I live in Oslo.").session_id
        assistant.store.lifetimes.put(assistant.scope, Retention(idle_days=1, ending="erase"))
        clock.advance(2 * DAY)
        upkeep = Upkeep(assistant.store.lifetimes, every=0)
        upkeep.tend()
        upkeep.stop()
        assert assistant.sessions.list() == []
        second = assistant.ask("I live in Bergen.").session_id
        assert first != second
    clock.advance(2 * DAY)
    with build(settings, clock) as assistant:
        assert assistant.sessions.list() == []


def test_the_door_tends_as_it_is_used(tmp_path):
    with anaphor.open(":memory:", embedder="none") as assistant:
        looked = []
        assert assistant.upkeep
        assistant.upkeep._lifetimes = type("L", (), {"end": lambda self: looked.append(1)})()
        assistant.upkeep._next = 0.0
        assistant.ask("I live in Oslo.")
        assistant.upkeep.stop()
        assert looked == [1]

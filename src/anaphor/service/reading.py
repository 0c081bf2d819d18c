"""Turns are read for facts in the background, one person after another; turns that are being answered come first."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from anaphor.assistant import Assistant
from anaphor.errors import AnaphorError
from anaphor.types import Scope

STANDS_BACK = 2.0  # seconds for which it waits, at most, while turns are being answered,
CALM = 0.3  # or until so long none was: who asks one question after another is answered first
LOOKS = 0.05  # seconds between two looks at whether they are
AT_ONCE = 8  # turns of one person, then it is the next one's turn
DAY = 86_400.0
LATER = 30.0  # seconds until what failed is tried again


class Reading:
    """A thread that is there while the service is. What it has not read yet is known to the store, and read later."""

    def __init__(self, assistant: Assistant, under_way: Callable[[], int]) -> None:
        self._assistant = assistant
        self._under_way = under_way
        self._changed = threading.Condition()
        self._waiting: OrderedDict[tuple[str, str], float] = OrderedDict()  # whose, and not before when
        self._faded: dict[tuple[str, str], float] = {}
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.read = 0
        self.failed = 0

    def start(self) -> None:
        """Go on with what an earlier service left."""
        if not self._assistant.memory.on:
            return
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="anaphor-memory", daemon=True)
        self._thread.start()
        for scope in self._assistant.store.memories.behind():
            self.wake(scope)

    def wake(self, scope: Scope) -> None:
        """A turn of this person has ended. Returns at once."""
        with self._changed:
            self._waiting.setdefault((scope.tenant, scope.user), 0.0)
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(5.0)

    def _run(self) -> None:
        while (whose := self._next()) is not None:
            self._stand_back()
            try:
                again = self._read(whose)
            except AnaphorError as error:
                self.failed += 1
                logging.getLogger("anaphor.service").warning("memory: %s", error)
                self._later(whose, LATER)
                continue
            except Exception:
                self.failed += 1
                logging.getLogger("anaphor.service").exception("memory: a turn could not be read")
                self._later(whose, LATER)
                continue
            if again:
                self._later(whose, 0.0)

    def _next(self) -> tuple[str, str] | None:
        with self._changed:
            while not self._stopping:
                now = time.monotonic()
                due = next((whose for whose, at in self._waiting.items() if at <= now), None)
                if due is not None:
                    del self._waiting[due]
                    return due
                self._changed.wait(min((at - now for at in self._waiting.values()), default=None))
        return None

    def _later(self, whose: tuple[str, str], seconds: float) -> None:
        with self._changed:
            self._waiting[whose] = time.monotonic() + seconds
            self._changed.notify_all()

    def _stand_back(self) -> None:
        now = began = busy = time.monotonic()
        while now - began < STANDS_BACK and now - busy < CALM and not self._stopping:
            time.sleep(LOOKS)
            now = time.monotonic()
            if self._under_way():
                busy = now

    def _read(self, whose: tuple[str, str]) -> bool:
        """One person's next turns; whether more of them wait."""
        scope = replace(self._assistant.scope, tenant=whose[0], user=whose[1], session="")
        memory = replace(self._assistant, scope=scope).memory
        done = memory.refresh(AT_ONCE)
        self.read += done.turns
        now = self._assistant.clock()
        if now - self._faded.get(whose, 0.0) > DAY:
            self._faded[whose] = now
            memory.fade()
        return done.waiting > 0 and done.turns + done.skipped > 0

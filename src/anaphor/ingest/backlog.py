"""Embedding in the background: what waits for its vector gets it, and turns come first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from anaphor.errors import AnaphorError, ModelError, StoreBusy
from anaphor.ports import Index, VectorIndex

FIRST, MOST = 4, 256  # passages at once: begun with, and at most
STEP = 0.5  # seconds that a step is to take: how long a turn may find us busy
PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds until a server that failed is asked again; doubled each time
AT_ONCE = 32  # passages between two reports, when nothing else is to be done
PATIENCE = 5.0  # seconds that ``stop`` waits for the step that is under way


class Backlog:
    """Embeds what waits in ``index`` on a thread of its own, which is there only while something waits.

    Nothing is lost when it is stopped or killed: what waits is written in the store, and ``wake`` goes on from there.
    """

    def __init__(self, index: VectorIndex) -> None:
        self._index = index
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._turns = 0
        self._wanted = self._stopping = self._begun = False
        self.failed = ""  # why it gave up, or why it is waiting for a server

    @property
    def waiting(self) -> int:
        """How many vectors are still to be made."""
        return self._index.waiting()

    @property
    def running(self) -> bool:
        thread = self._thread
        return thread is not None and thread.is_alive()

    def wake(self) -> None:
        """Something was stored. Returns at once. From now on a turn that ends wakes it too: what was said waits."""
        with self._changed:
            self._wanted, self._stopping, self._begun = True, False, True
            if not self.running:
                self._thread = threading.Thread(target=self._run, name="anaphor-embedding", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    @contextmanager
    def standing_back(self) -> Iterator[None]:
        """While a turn runs no step is begun; one that is under way takes about ``STEP``."""
        with self._changed:
            self._turns += 1
        try:
            yield
        finally:
            with self._changed:
                self._turns -= 1
                again = self._begun and not self._turns
                self._changed.notify_all()
            if again:
                self.wake()

    def stop(self) -> None:
        """After the step that is under way; what is left waits for the next ``wake``."""
        with self._changed:
            self._stopping, self._begun = True, False
            self._changed.notify_all()
            thread = self._thread
        if thread and thread is not threading.current_thread():
            thread.join(PATIENCE)

    def _run(self) -> None:
        size, pause, before = FIRST, PAUSE, -1
        while self._may_go_on():
            began = time.monotonic()
            try:
                left = self._index.refresh(size)
            except (ModelError, StoreBusy) as error:
                self.failed = str(error)
                self._rest(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)
                continue
            except AnaphorError as error:  # another embedder's vectors, a store that was closed: waiting mends neither
                self.failed = str(error)
                break
            self.failed, pause = "", PAUSE
            size = paced(size, time.monotonic() - began)
            if (not left or left == before) and self._done():
                return
            before = left
        with self._changed:
            self._thread = None

    def _may_go_on(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or not self._turns)
            self._wanted = False
            return not self._stopping

    def _rest(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping, seconds)

    def _done(self) -> bool:
        """Whether nothing was stored meanwhile. Under the lock, so that a ``wake`` finds a thread or starts one."""
        with self._changed:
            if not self._wanted:
                self._thread = None
            return self._thread is None


def caught_up(index: Index, heard: Callable[[int], None] | None = None) -> int:
    """Take in all that waits, here and now; how many are left if it gets no further. ``heard`` is told meanwhile."""
    before, left = 0, index.refresh(AT_ONCE)
    while left and left != before:
        if heard:
            heard(left)
        before, left = left, index.refresh(AT_ONCE)
    return left


def paced(size: int, seconds: float) -> int:
    """How many at once next, when so many took so long."""
    if seconds > 2 * STEP:
        return max(1, size // 2)
    return min(MOST, 2 * size) if seconds < STEP / 2 else size

"""What has had its time ends while the store is used, and no turn waits for it."""

from __future__ import annotations

import contextlib
import threading
import time

from anaphor.errors import AnaphorError
from anaphor.store import Lifetimes

EVERY = 60.0  # seconds between two looks
PATIENCE = 5.0  # seconds that ``stop`` waits for the look that is under way


class Upkeep:
    """Ends what is due on a thread of its own, at most once in ``every`` seconds; begun by whoever uses the store."""

    def __init__(self, lifetimes: Lifetimes, every: float = EVERY) -> None:
        self._lifetimes = lifetimes
        self._every = every
        self._next = time.monotonic() + every  # opening a store has looked
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def tend(self) -> None:
        """Look whether something is due, if that was not done lately. Returns at once."""
        with self._lock:
            if time.monotonic() < self._next or (self._thread and self._thread.is_alive()):
                return
            self._next = time.monotonic() + self._every
            self._thread = threading.Thread(target=self._look, name="anaphor-upkeep", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """After the look that is under way."""
        thread = self._thread
        if thread and thread is not threading.current_thread():
            thread.join(PATIENCE)

    def _look(self) -> None:
        # Busy, full, closed meanwhile: what is due stays due, and counts as ended for whoever asks.
        with contextlib.suppress(AnaphorError):
            self._lifetimes.end()

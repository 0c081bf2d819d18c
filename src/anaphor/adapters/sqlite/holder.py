"""Which process holds a lease, and whether it still runs.

A lease is a promise of the process that took it. One that was killed keeps none of its promises, and nobody should have
to wait for them: on the machine where it ran that can be seen at once. Elsewhere the lease's end decides, as before.
"""

from __future__ import annotations

import functools
import os
import socket
from pathlib import Path

PROC = Path("/proc")


def here() -> str:
    """This process: ``machine/pid/start``. The start tells it from a later process that was given the same number."""
    return f"{_machine()}/{os.getpid()}/{_started(os.getpid())}"


def is_gone(held_by: str) -> bool:
    """Whether that process certainly runs no more. Never so for one of another machine, or one nobody named."""
    machine, _, process = held_by.partition("/")
    pid, _, started = process.partition("/")
    if machine != _machine() or not pid.isdigit():
        return False
    if int(pid) == os.getpid():
        return started != _started(os.getpid())
    return _started(int(pid)) != started if started else not _runs(int(pid))


@functools.cache
def _machine() -> str:
    """One boot of one machine, as far as process numbers mean the same: a container counts for itself."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}:{os.readlink(PROC / 'self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def _started(pid: int) -> str:
    """Clock ticks from boot to the start of the process; empty where that is not told, or nobody is there.

    A process that has ended and was not yet collected by its parent is nobody.
    """
    try:
        told = (PROC / str(pid) / "stat").read_text("utf-8", errors="replace")
    except OSError:
        return ""
    state, *fields = told.rpartition(")")[2].split()  # the name before it may hold blanks and brackets
    return "" if state in ("Z", "X") else fields[18]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True

"""Ingest what changes while it changes (extra ``watch``): changes that come together are taken together.

What the system tells is only *when* to look, and where: what is then done is an ordinary ingest with ``sync``, so that
nothing depends on the order of events. An editor that saves by renaming, a folder that is moved, a burst that the
system's queue did not hold: each ends in the store as it ends on the disk.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from anaphor.errors import BadInput, MissingExtra
from anaphor.ingest.load import STDIN, File, Skipped, load

QUIET = 300  # milliseconds without a change before it is taken,
LONGEST = 5_000  # or so many after the first of them
LOOK = 1_000  # milliseconds between two looks at whether to stop
SOME = 500  # changed paths, above which everything is looked at

Changes = Iterator[Iterable[tuple[Any, str]]]
Take = Callable[[Sequence[File | Skipped], Sequence[str]], None]
"""Gets what is to be ingested, and the names below which what is gone is to be removed."""


def watch(
    named: Sequence[str],
    take: Take,
    base: Path | None = None,
    stop: threading.Event | None = None,
    changes: Changes | None = None,
) -> None:
    """``take`` everything, and then what has changed each time, until ``stop`` is set.

    ``named`` are files and folders; of a file its folder is watched, so that one which is replaced is noticed.
    ``changes`` stands in for the system: the first it gives says no more than that it is watching now.
    """
    for name in named:
        if name == STDIN or not os.path.exists(os.path.expanduser(name)):
            raise BadInput(f"only files and folders that are there can be watched, not {name!r}")
    roots = [os.path.abspath(os.path.expanduser(name)) for name in named]
    seen = changes if changes is not None else _changes(roots, stop)
    take(load(roots, base), roots)
    # Whatever changed before the system began to tell is seen by looking once more.
    for n, batch in enumerate(seen):
        changed = roots if n == 0 else affected(roots, {path for _, path in batch})
        if changed:
            take(_among(load([root for root in roots if os.path.lexists(root)], base), changed), changed)


def affected(roots: Sequence[str], changed: set[str]) -> Sequence[str]:
    """Where to look again: the changed paths below the roots, hidden ones left out; the roots, where they are many."""
    ours = sorted(path for path in changed if any(_is_below(path, root) for root in roots))
    return roots if len(ours) > SOME else ours


def _is_below(path: str, root: str) -> bool:
    inside = path[len(root) :] if path == root or path.startswith(root.rstrip(os.sep) + os.sep) else None
    return inside is not None and not any(part.startswith(".") for part in inside.split(os.sep))


def _among(items: Sequence[File | Skipped], changed: Sequence[str]) -> list[File]:
    """The files that are, or lie below, what has changed."""
    places = {*changed, *(os.path.realpath(path) for path in changed)}
    return [
        item
        for item in items
        if isinstance(item, File) and not places.isdisjoint({item.path, *map(str, Path(item.path).parents)})
    ]


def _changes(roots: Sequence[str], stop: threading.Event | None) -> Changes:
    try:
        import watchfiles
    except ImportError as error:
        raise MissingExtra("watching needs the package watchfiles: pip install 'anaphor[watch]'") from error
    places = {root if os.path.isdir(root) else os.path.dirname(root) for root in roots}
    return watchfiles.watch(
        *sorted(places),
        watch_filter=None,  # ours is above; theirs leaves out files that an ingest would read
        debounce=LONGEST,
        step=QUIET,
        stop_event=stop,
        rust_timeout=LOOK,
        yield_on_timeout=True,
        raise_interrupt=True,
    )

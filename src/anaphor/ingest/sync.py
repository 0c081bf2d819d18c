"""What is gone: documents whose files no longer lie where they were ingested from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence, Set

from anaphor.ingest.large import is_current
from anaphor.ingest.load import STDIN
from anaphor.ingest.parse.formats import part_of
from anaphor.ingest.pattern import matches, place
from anaphor.ingest.shelf import Shelf
from anaphor.types import Document


def gone(shelf: Shelf, named: Iterable[str]) -> list[Document]:
    """The documents from below those files, folders and patterns whose file is not there any more.

    A file that is there and cannot be read, or a folder that may not be looked into, is not gone.
    """
    places = [place(name) for name in named if name != STDIN]
    return [
        document
        for path, document in sorted(shelf.by_path.items())
        if any(one.fullmatch(path) or one.fullmatch(part_of(path)[0]) for one in places) and not _is_there(path)
    ]


def divided_otherwise(shelf: Shelf, taken: Set[str]) -> list[Document]:
    """Documents of files that were taken in just now, from when they were not yet divided, or into more parts."""
    files = {part_of(path)[0] for path in taken}
    return [
        document
        for path, document in sorted(shelf.by_path.items())
        if path not in taken and part_of(path)[0] in files and not _is_there(path)
    ]


def still_named(shelf: Shelf, named: Sequence[str]) -> list[str]:
    """Without the names of what is gone, which there is nothing to load from: a deleted file, a folder, a pattern."""
    return [name for name in named if _is_named(name) or not gone(shelf, [name])]


def _is_named(name: str) -> bool:
    path = os.path.expanduser(name)
    return name == STDIN or os.path.lexists(path) or bool(matches(path))


def _is_there(path: str) -> bool:
    try:
        return is_current(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True

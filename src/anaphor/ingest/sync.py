"""What is gone: documents whose files no longer lie where they were ingested from."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Sequence, Set

from anaphor.ingest.large import is_current
from anaphor.ingest.load import STDIN
from anaphor.ingest.parse.formats import part_of
from anaphor.ingest.shelf import Shelf
from anaphor.types import Document


def gone(shelf: Shelf, named: Iterable[str]) -> list[Document]:
    """The documents from below those files, folders and patterns whose file is not there any more.

    A file that is there and cannot be read, or a folder that may not be looked into, is not gone.
    """
    places = [_place(name) for name in named if name != STDIN]
    return [
        document
        for path, document in sorted(shelf.by_path.items())
        if any(place.fullmatch(path) or place.fullmatch(part_of(path)[0]) for place in places) and not _is_there(path)
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
    return name == STDIN or os.path.lexists(path) or bool(glob.has_magic(path) and glob.glob(path, recursive=True))


def _is_there(path: str) -> bool:
    try:
        return is_current(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _place(name: str) -> re.Pattern[str]:
    """Matches the path of whatever the name means or meant: itself, all below it, what fits the pattern."""
    path = os.path.expanduser(name)
    if os.path.lexists(path) or not glob.has_magic(path):
        return re.compile(re.escape(os.path.realpath(path).rstrip(os.sep)) + f"(?:{re.escape(os.sep)}.*)?", re.S)
    fixed, pattern = _fixed(os.path.abspath(path))
    return re.compile(re.escape(os.path.realpath(fixed).rstrip(os.sep)) + "".join(map(_part, pattern)), re.S)


def _fixed(path: str) -> tuple[str, list[str]]:
    """The folder before the first part that is a pattern, and the parts from there."""
    parts = path.split(os.sep)
    first = next(n for n, part in enumerate(parts) if glob.has_magic(part))
    return os.sep.join(parts[:first]) or os.sep, parts[first:]


def _part(part: str) -> str:
    """One part of a pattern, with the separator before it, as ``glob`` reads it."""
    separator = re.escape(os.sep)
    if part == "**":
        return f"(?:{separator}[^{separator}]+)*"
    written = ""
    for piece in re.findall(r"\[!?\]?[^\]]*\]|.", part, re.S):
        if piece in ("*", "?"):
            written += f"[^{separator}]" + ("*" if piece == "*" else "")
        elif len(piece) > 1:
            inside = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[")
            written += "[" + (f"^{inside[1:]}" if inside.startswith("!") else inside.replace("^", "\\^")) + "]"
        else:
            written += re.escape(piece)
    return separator + written

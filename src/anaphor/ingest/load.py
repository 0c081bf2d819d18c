"""Paths to files: single files, folders with all below them, patterns, and ``-`` for standard input.

Nothing is passed over in silence: what is not read is a ``Skipped`` with its reason.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphor.errors import MissingFile
from anaphor.ingest.large import Part, parts
from anaphor.ingest.parse.formats import READABLE, part_name
from anaphor.ingest.parse.parsed import SIZE, too_large
from anaphor.ingest.pattern import matches

STDIN = "-"


@dataclass(frozen=True, slots=True)
class File:
    """Something to read. ``name`` is what is shown and cited; ``path`` identifies it wherever it is named from."""

    name: str
    path: str
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was met and not read. ``asked_for`` if it was named itself, not met in a folder."""

    name: str
    reason: str
    asked_for: bool = False


def load(paths: Sequence[str | os.PathLike[str]], base: Path | None = None) -> list[File | Skipped]:
    """Everything the paths mean, folders in the order of their names, nothing twice.

    Names are relative to ``base``, by default the current directory, for what lies below it, and otherwise to where
    the named file or folder lies. Raises ``MissingFile`` for a path that is not there, before anything is read.
    """
    named = [os.fspath(path) for path in paths]
    whole = [path for name in named for path in _expanded(name)]
    found = (item for path in whole for item in _below(path, _base(path, base or Path.cwd())))
    return list({item.path if isinstance(item, File) else item.name: item for item in found}.values())


def known_by_name(items: Sequence[File | Skipped]) -> list[File | Skipped]:
    """The same files, wherever they lie: one that comes again under its name takes the place of the earlier."""
    return [replace(item, path=f"uploaded:{item.name}") if isinstance(item, File) else item for item in items]


def _expanded(named: str) -> list[str]:
    if named == STDIN:
        return [STDIN]
    path = os.path.expanduser(named)
    if os.path.lexists(path):
        return [path]
    if glob.has_magic(path):
        if found := matches(path):
            return found
        raise MissingFile(f"no file matches {named!r}")
    raise MissingFile(f"no such file or folder: {named!r}")


def _base(path: str, base: Path) -> Path:
    base, whole = Path(os.path.abspath(base)), Path(os.path.abspath(path))
    return base if whole.is_relative_to(base) else whole.parent


def _below(path: str, base: Path) -> Iterator[File | Skipped]:
    if path == STDIN:
        yield File("stdin", "stdin", _standard_input)
    elif os.path.isdir(path):
        yield from _folder(path, base)
    else:
        yield from _file(path, base, asked_for=True)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError("standard input is closed: give it something to read, or name a file")
    return sys.stdin.buffer.read()


def _folder(path: str, base: Path) -> Iterator[File | Skipped]:
    refused: list[OSError] = []
    for folder, folders, files in os.walk(path, onerror=refused.append):
        passed = {name: "hidden folder" for name in folders if name.startswith(".")}
        linked = (name for name in folders if os.path.islink(os.path.join(folder, name)))
        passed |= dict.fromkeys(linked, "a link to a folder; name the folder itself")
        folders[:] = sorted(set(folders) - passed.keys())
        for name in sorted(passed):
            yield Skipped(_name(os.path.join(folder, name), base) + "/", passed[name])
        for name in sorted(files):
            yield from _file(os.path.join(folder, name), base, asked_for=False)
    for error in refused:
        yield Skipped(_name(str(error.filename), base) + "/", error.strerror or "cannot be read", asked_for=True)


def _file(path: str, base: Path, *, asked_for: bool) -> Iterator[File | Skipped]:
    """The file, in parts if it is a large text, or why it is not read."""
    name = _name(path, base)
    suffix = os.path.splitext(path)[1].casefold()
    if os.path.basename(path).startswith(".") and not asked_for:
        yield Skipped(name, "hidden file")
        return
    if suffix not in READABLE:
        known = " ".join(sorted(READABLE - {""}))
        yield Skipped(name, f"files of the kind {suffix} are not read; {known} are", asked_for)
        return
    try:
        found = os.stat(path)
    except OSError as error:
        yield Skipped(name, error.strerror or "cannot be read", asked_for=True)
        return
    if not stat.S_ISREG(found.st_mode):
        yield Skipped(name, "not a regular file", asked_for)
        return
    real = os.path.realpath(path)
    if n := parts(path, found.st_size):
        for part in range(1, n + 1):
            yield File(part_name(name, part), part_name(real, part), Part(real, part))
    elif found.st_size > SIZE:
        yield Skipped(name, too_large(found.st_size), asked_for=True)
    else:
        yield File(name, real, Path(path).read_bytes)


def _name(path: str, base: Path) -> str:
    """With forward slashes on every system."""
    return Path(os.path.abspath(path)).relative_to(base).as_posix()

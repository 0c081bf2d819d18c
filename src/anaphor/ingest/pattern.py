"""Patterns of paths: what they match now, and what they have matched when it was still there."""

from __future__ import annotations

import glob
import os
import re


def matches(pattern: str) -> list[str]:
    """The paths that fit, by name; nothing for what is no pattern. ``**`` goes through folders and never through links:

    two links to a folder above them would be two to the power of forty ways.
    """
    if not glob.has_magic(pattern):
        return []
    if "**" not in pattern.split(os.sep):
        return sorted(glob.glob(pattern))
    whole = os.path.abspath(pattern)
    fixed, parts = _fixed(whole)
    wanted = re.compile(re.escape(fixed.rstrip(os.sep)) + "".join(map(_part, parts)), re.S)
    hidden = any(part.startswith(".") for part in parts)
    found = []
    for folder, folders, files in os.walk(fixed):
        folders[:] = [name for name in folders if not os.path.islink(os.path.join(folder, name))]
        folders[:] = [name for name in folders if hidden or not name.startswith(".")]
        names = (name for name in (*folders, *files) if hidden or not name.startswith("."))
        found += [path for path in (os.path.join(folder, name) for name in names) if wanted.fullmatch(path)]
    # Told as they were asked for: from here, if the pattern began here.
    return sorted(found if os.path.isabs(pattern) else map(os.path.relpath, found))


def place(name: str) -> re.Pattern[str]:
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

"""The demonstration: a small knowledge base in four languages, and one conversation a language played over it.

Every company, product and person in it is invented. A conversation is a file of turns; each says what it shows and
what is expected of it, so that the demonstration is also a test.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from anaphor.types import Json

LANGUAGES = ("zh-Hant", "zh-Hans", "ja", "en")
DOCUMENTATION = "anaphor"  # the collection that holds the project's own documentation


@dataclass(frozen=True, slots=True)
class Line:
    """One thing the person says, and what is expected: ``first`` is ``source#section`` of the best passage."""

    say: str
    shows: str
    decisions: tuple[str, ...]
    outcome: str
    first: str = ""
    says: tuple[str, ...] = ()  # what must be in the answer
    absent: tuple[str, ...] = ()  # what must not be in the standalone query


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation to be played."""

    language: str
    title: str
    lines: tuple[Line, ...]


def script(language: str) -> Script:
    """The conversation in that language (one of ``LANGUAGES``)."""
    content = tomllib.loads(_room().joinpath(f"conversations/{language}.toml").read_text("utf-8"))
    return Script(content["language"], content["title"], tuple(_line(turn) for turn in content["turn"]))


def _line(turn: Json) -> Line:
    return Line(
        say=turn["say"],
        shows=turn["shows"],
        decisions=tuple(turn["decision"]),
        outcome=turn["outcome"],
        first=turn.get("first", ""),
        says=tuple(turn.get("says", ())),
        absent=tuple(turn.get("absent", ())),
    )


def knowledge() -> Path:
    """The folder of the sample knowledge base."""
    return _room() / "knowledge"


def documentation() -> list[Path]:
    """The project's own documentation: as it was packed into the wheel, or as it stands beside the source."""
    packed = _room() / "documentation"
    if packed.is_dir():
        return [packed]
    root = _room().parents[2]
    if not (root / "pyproject.toml").is_file():
        return []
    return [*sorted(root.glob("README*.md")), *sorted((root / "docs").glob("*.md"))]


def _room() -> Path:
    return Path(str(files(__name__)))

"""The demonstration: a small knowledge base in four languages, and one conversation a language played over it.

Every company, product and person in it is invented. A conversation is a file of turns; each says what it shows and
what is expected of it, so that the demonstration is also a test.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from anaphor.types import Answer, Json, Passage

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


def shortfalls(line: Line, answer: Answer, passages: Sequence[Passage]) -> list[str]:
    """What of the line's expectations the answer does not meet; ``passages`` are those of its ranking, best first."""
    found = []
    if answer.query.decision not in line.decisions:
        found.append(f"decision is {answer.query.decision}, not {' or '.join(line.decisions)}")
    if answer.outcome != line.outcome:
        found.append(f"outcome is {answer.outcome}, not {line.outcome}")
    if line.first:
        first = f"{Path(passages[0].source).name}#{passages[0].section}" if passages else "nothing"
        source, _, section = line.first.partition("#")
        if not (first.startswith(f"{source}#") and section in first):
            found.append(f"first passage is {first}, not {line.first}")
    found.extend(f"{word!r} is not in the answer {answer.answer!r}" for word in line.says if word not in answer.answer)
    found.extend(f"{word!r} is in the query {answer.query.text!r}" for word in line.absent if word in answer.query.text)
    return found

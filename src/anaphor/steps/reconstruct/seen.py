"""A text as the rules see it: folded, with a way back to what was written."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.phrase import QUOTED
from anaphor.steps.reconstruct.tables import table
from anaphor.text.fold import Folded, fold

Match = re.Match[str]
KEPT = 2000  # characters


@dataclass(frozen=True, slots=True)
class Seen:
    """``text`` is matched; ``verbatim`` gives the source behind a stretch of it."""

    source: str
    text: str
    folded: Folded

    def verbatim(self, start: int, end: int) -> str:
        span = self.folded.source(start, end)
        return self.source[span.start : span.end]

    def group(self, match: Match, name: str) -> str:
        """What was written where the group matched; empty if it did not."""
        start, end = match.span(name)
        return self.verbatim(start, end).strip() if start >= 0 and start < end else ""

    def unquoted(self) -> str:
        """The folded text with quoted titles blanked out: a shop may be called 「這裡」."""
        return QUOTED.sub(lambda m: "\u25a0" * len(m[0]), self.text)


def see(text: str, language: str) -> Seen:
    """Kept, for a short text: every rule looks at the same few."""
    return _kept(text, language) if len(text) <= KEPT else _see(text, language)


def _see(text: str, language: str) -> Seen:
    folded = fold(text, language)
    return Seen(text, folded.text.replace("\u2019", "'").replace("\u2018", "'"), folded)


@functools.lru_cache(maxsize=1024)
def _kept(text: str, language: str) -> Seen:
    return _see(text, language)


@functools.cache
def pattern(language: str, name: str, start: str = "", end: str = "") -> re.Pattern[str]:
    """A table's pattern, or all of its patterns as alternatives, between ``start`` and ``end``."""
    source = getattr(table(language), name)
    if not isinstance(source, str):
        source = "|".join(f"(?:{part})" for part in source)
    return re.compile(f"{start}(?:{source}){end}")


@functools.cache
def patterns(language: str, name: str, start: str = "", end: str = "") -> tuple[re.Pattern[str], ...]:
    """A table's patterns one by one, in their order: the first that matches counts."""
    return tuple(re.compile(f"{start}(?:{part}){end}") for part in getattr(table(language), name))

"""What a run was asked to measure: files, dimensions and their product; and what cannot be had yet, said in a line."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache as once
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from anaphor.errors import BadInput
from anaphor.settings import Settings
from anaphor_eval.cache import Cache, key_of
from anaphor_eval.datasets import Dataset, looked_at
from anaphor_eval.rows import MARGIN, Arm, Cell, Drawing, Row, rows
from anaphor_eval.statistics import SEED

Item = TypeVar("Item")

HISTORIES = ("gold", "own")
SOURCES = ("turns", "notes", "notes+turns", "summary", "recent", "recent+summary", "full")
ROLES = ("user", "both")
READERS = ("quoted", "model")
KS = (1, 5, 10)
BUDGET = 1500

Tell = Callable[[str, int, int], None]
"""Hears how far a piece of work is: what, how many are done, of how many."""


def _silent(_what: str, _done: int, _of: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a task needs to know. ``dimensions`` holds what was asked for; what was not given has a default."""

    files: tuple[Path, ...]
    settings: Settings
    cache: Cache | None = None
    dimensions: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    passages: tuple[Path, ...] = ()
    ks: tuple[int, ...] = KS
    limit: int | None = None
    seed: int = 1
    split: str | None = None
    compare: bool = True
    margin: float = MARGIN
    fresh: bool = False
    forms: tuple[str, ...] = ()
    export: Path | None = None
    beir: Path | None = None
    hypotheses: Path | None = None
    gold_passages: bool = False
    tell: Tell = _silent

    def values(self, dimension: str, default: Sequence[Any]) -> tuple[Any, ...]:
        """As asked for, each once, in the order asked for; the default where nothing was."""
        return tuple(dict.fromkeys(self.dimensions.get(dimension) or default))

    def only(self, task: str, *allowed: str) -> None:
        """Raises for a dimension that the task does not have."""
        for name, values in self.dimensions.items():
            if values and name not in allowed:
                has = ", ".join(f"--{each}" for each in allowed) or "none"
                raise BadInput(f"--{name} does not apply to {task}; its dimensions are {has}")

    def left(self, what: str) -> Callable[[int], None]:
        """Hears how many of something are still to be done, the first time how many there are."""
        most = 0

        def heard(left: int) -> None:
            nonlocal most
            most = max(most, left)
            self.tell(what, most - left, most)

        return heard

    def drawing(self) -> Drawing:
        """How intervals and p values are drawn, by this run's seed."""
        return Drawing(seed=SEED + self.seed - 1, margin=self.margin)

    def rows(
        self, data: str, cells: Sequence[Cell], language: str | None, compared: Container[str] | None = None
    ) -> list[Row]:
        """The cells of a data set as rows of this run.

        ``compared`` names the slices on which arms are held against each other, by default all; the rows of the
        others come last.
        """
        drawing = self.drawing()
        held = [cell for cell in cells if compared is None or cell.slice in compared]
        alone = [cell for cell in cells if compared is not None and cell.slice not in compared]
        return [
            *rows(data, held, lang=language, split=self.split, drawing=drawing, compare=self.compare),
            *rows(data, alone, lang=language, split=self.split, drawing=drawing, compare=False),
        ]

    def limited(self, dataset: Dataset[Item]) -> Dataset[Item]:
        """The data set, or ``limit`` of its conversations."""
        return replace(dataset, items=self.drawn(dataset.items))

    def drawn(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """All of them, or ``limit`` drawn by the seed, in their order."""
        if self.limit is None or self.limit >= len(items):
            return tuple(items)
        drawn = random.Random(f"{self.seed}:limit").sample(range(len(items)), self.limit)
        return tuple(items[i] for i in sorted(drawn))

    def models(self, arm: Arm) -> str | None:
        """The names of the models that an arm asks: to rewrite, to answer."""
        asked = {"rewriter": self.settings.rewriter.name, "reader": self.settings.writer.name}
        names = dict.fromkeys(name for part, name in asked.items() if getattr(arm, part) == "model" and name)
        return " + ".join(names) or None

    def cell(self, name: Sequence[object], made: Callable[[], Any]) -> Any:
        """A finished cell from the cache, or made now and kept: the same name on the same code is the same cell.

        What is made goes through JSON either way, so that it cannot matter where it came from.
        """
        if self.cache is None:
            return made()
        key = key_of(code(), *(str(part) for part in name))
        found = None if self.fresh else self.cache.cell(key)
        if found is None:
            found = made()
            self.cache.keep_cell(key, found)
        return found


def each_language(languages: Sequence[str]) -> tuple[str | None, ...]:
    """Each of them; before it, where there are several, ``None`` for all together."""
    return (None, *languages) if len(languages) > 1 else tuple(languages)


def arms(plan: Plan, **defaults: Sequence[Any]) -> Iterator[Arm]:
    """Every combination of the dimensions named, as arms, in the order asked for."""
    names = list(defaults)
    for values in product(*(plan.values(name, defaults[name]) for name in names)):
        yield Arm(**dict(zip(names, values, strict=True)))


@once
def code() -> str:
    """A hash of everything in the product and here that may decide a figure."""
    told: list[str] = []
    for package, apart in (("anaphor", {"cli", "service", "web", "demo"}), ("anaphor_eval", {"report.py", "cli.py"})):
        told += _sources(Path(str(files(package))), apart)
    return key_of(*told).hex()


def _sources(folder: Path, apart: set[str]) -> list[str]:
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if path.suffix in (".py", ".txt", ".toml", ".json") and inside[0] not in apart:
            with suppress(OSError):
                found.append("/".join(inside) + "\n" + path.read_text("utf-8", "replace"))
    return found


def fingerprint(paths: Sequence[Path]) -> str:
    """Of everything that reading them looks at."""
    return key_of(*(each.read_bytes().decode("latin-1") for path in paths for each in looked_at(path))).hex()

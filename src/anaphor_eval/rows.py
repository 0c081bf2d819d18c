"""The measured cells of a run, and the object ``anaphor eval`` writes.

``{"command", "version", "commit", "settings", "machine", "rows": […]}``; a row is one cell. Keys that do not apply are
absent, never null. ``versus`` tells this row against every other arm that differs from it in *one* dimension, on the
same slice of the same data, and names what that arm has otherwise: ``difference`` is this row minus that arm, ``lower``
its one-sided 95% limit, ``not_below`` whether that limit lies above minus the margin of the run's settings.
"""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import metadata
from itertools import combinations
from pathlib import Path
from typing import Any

from anaphor_eval.statistics import DRAWS, LEVEL, SEED, Difference, Sample, difference, interval, with_holm

DIMENSIONS = ("rewriter", "history", "source", "roles", "retriever", "budget", "length", "reader", "model")

MARGIN = 0.02
"""How far a share may lie below another and still be called not below it."""

NO_SHARES = ("tokens", "evidence_rank_p50", "evidence_rank_p90", "bleu", "added_content")
"""Sampled metrics to which a margin of a share does not apply."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Arm:
    """What was done in a cell. ``None``: the dimension does not apply."""

    rewriter: str | None = None
    history: str | None = None
    source: str | None = None
    roles: str | None = None
    retriever: str | None = None
    budget: int | None = None
    length: int | None = None
    reader: str | None = None
    model: str | None = None

    @property
    def asks_a_model(self) -> bool:
        """To rewrite or to answer."""
        return "model" in (self.rewriter, self.reader)

    def settings(self) -> Json:
        """The dimensions that apply, in the contract's order."""
        return {name: value for name in DIMENSIONS if (value := getattr(self, name)) is not None}

    def apart(self, other: Arm) -> tuple[str, ...]:
        """The dimensions in which two arms differ.

        What follows from another dimension is no difference of its own: the model of a rewriter or reader, and what
        does not apply to one of the two (``full`` has no budget).
        """
        there = tuple(name for name in DIMENSIONS if getattr(self, name) != getattr(other, name))
        own = tuple(n for n in there if n != "model" and None not in (getattr(self, n), getattr(other, n)))
        return own or there

    def unlike(self, other: Arm) -> Json:
        """What this arm has and the other has not, or has otherwise."""
        return {name: value for name, value in self.settings().items() if getattr(other, name) != value}


@dataclass(frozen=True, slots=True)
class Versus:
    """One difference between two arms: ``other`` is what the other arm has otherwise.

    ``lower`` is the one-sided limit of the difference; ``not_below`` says that it lies above −``margin``. A metric that
    is no share has no margin.
    """

    other: Json
    metric: str
    told: Difference
    margin: float | None = None

    def as_dict(self) -> Json:
        found: Json = {**self.other, "metric": self.metric, "difference": _short(self.told.value)}
        if self.told.interval is not None:
            found["interval"] = [_short(limit) for limit in self.told.interval]
        if self.told.least is not None:
            found["lower"] = _short(self.told.least)
        if self.margin is not None:
            found["not_below"] = self.told.not_below(self.margin)
        found["p"] = _short(self.told.p)
        if self.told.p_holm is not None:
            found["p_holm"] = _short(self.told.p_holm)
        return found


@dataclass(frozen=True, slots=True)
class Row:
    """One measured cell. ``n`` counts turns (or questions); ``data`` is the file's stem."""

    data: str
    slice: str
    n: int
    metrics: Mapping[str, float]
    arm: Arm = Arm()
    lang: str | None = None
    split: str | None = None
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    versus: tuple[Versus, ...] = ()

    def as_dict(self) -> Json:
        found: Json = {"data": self.data}
        found |= {key: value for key, value in (("lang", self.lang), ("split", self.split)) if value is not None}
        found |= self.arm.settings()
        found |= {"slice": self.slice, "n": self.n}
        found["metrics"] = {name: _short(value) for name, value in self.metrics.items() if math.isfinite(value)}
        if self.intervals:
            found["intervals"] = {name: [_short(x) for x in limits] for name, limits in self.intervals.items()}
        if self.versus:
            found["versus"] = [versus.as_dict() for versus in self.versus]
        return found


@dataclass(frozen=True, slots=True)
class Cell:
    """What was measured in one arm on one slice: a sample a metric, and plain figures that have no interval."""

    arm: Arm
    slice: str
    samples: Mapping[str, Sample]
    plain: Mapping[str, float] = field(default_factory=dict)
    n: int | None = None  # where it is not the largest sample's


@dataclass(frozen=True, slots=True)
class Drawing:
    """How intervals and p values are drawn; part of the run's settings."""

    level: float = LEVEL
    draws: int = DRAWS
    seed: int = SEED
    margin: float = MARGIN


def rows(
    data: str,
    cells: Sequence[Cell],
    *,
    lang: str | None = None,
    split: str | None = None,
    drawing: Drawing | None = None,
    compare: bool = True,
) -> list[Row]:
    """The cells as rows, with intervals and every comparison of two arms that differ in one dimension.

    p values of one metric on one slice are corrected together (Holm), for as many as there are.
    """
    drawing = drawing or Drawing()
    made = [_row(data, cell, lang, split, drawing) for cell in cells]
    told = _comparisons(cells, drawing) if compare else {}
    return [replace(row, versus=tuple(told.get(i, ()))) for i, row in enumerate(made)]


def _row(data: str, cell: Cell, lang: str | None, split: str | None, drawing: Drawing) -> Row:
    values = {name: value for name, sample in cell.samples.items() if (value := sample.value) is not None}
    drawn = {
        name: interval(cell.samples[name], level=drawing.level, draws=drawing.draws, seed=drawing.seed)
        for name in values
    }
    n = cell.n if cell.n is not None else max((sample.n for sample in cell.samples.values()), default=0)
    return Row(
        data=data,
        slice=cell.slice,
        n=n,
        metrics=values | dict(cell.plain),
        arm=cell.arm,
        lang=lang,
        split=split,
        intervals={name: limits for name, limits in drawn.items() if limits is not None},
    )


def _comparisons(cells: Sequence[Cell], drawing: Drawing) -> dict[int, list[Versus]]:
    told: dict[int, list[Versus]] = {}
    pairs = [
        (i, j)
        for i, j in combinations(range(len(cells)), 2)
        if cells[i].slice == cells[j].slice and len(cells[i].arm.apart(cells[j].arm)) == 1
    ]
    for where in dict.fromkeys(cell.slice for cell in cells):
        here = [pair for pair in pairs if cells[pair[0]].slice == where]
        for metric in dict.fromkeys(name for cell in cells if cell.slice == where for name in cell.samples):
            compared = [
                (pair, found) for pair in here if (found := _compared(cells, pair, metric, drawing)) is not None
            ]
            corrected = with_holm([found for _, found in compared])
            for ((i, j), _), found in zip(compared, corrected, strict=True):
                this, other = cells[i].arm, cells[j].arm
                margin = None if metric.removesuffix("_excerpt") in NO_SHARES else drawing.margin
                told.setdefault(i, []).append(Versus(other.unlike(this), metric, found, margin))
                told.setdefault(j, []).append(Versus(this.unlike(other), metric, found.turned(), margin))
    return told


def _compared(cells: Sequence[Cell], pair: tuple[int, int], metric: str, drawing: Drawing) -> Difference | None:
    a, b = cells[pair[0]].samples.get(metric), cells[pair[1]].samples.get(metric)
    if a is None or b is None:
        return None
    return difference(a, b, level=drawing.level, draws=drawing.draws, seed=drawing.seed)


@dataclass(frozen=True, slots=True)
class Output:
    """Everything a run says: how it was called, with what, where, and what came out."""

    command: str
    settings: Mapping[str, Any]
    rows: tuple[Row, ...]
    version: str = ""
    commit: str = ""
    machine: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> Json:
        return {
            "command": self.command,
            "version": self.version,
            "commit": self.commit,
            "settings": dict(self.settings),
            "machine": dict(self.machine),
            "rows": [row.as_dict() for row in self.rows],
        }

    def write(self, path: Path) -> None:
        """As JSON, whole or not at all: a reader never sees half a file."""
        beside = path.with_name(path.name + ".part")
        beside.write_text(json.dumps(self.as_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
        beside.replace(path)


def output(command: str, settings: Mapping[str, Any], rows: Iterable[Row]) -> Output:
    """With this program's version and commit and this machine's facts filled in."""
    return Output(command, settings, tuple(rows), version(), commit(), machine())


def version() -> str:
    try:
        return metadata.version("anaphor")
    except metadata.PackageNotFoundError:
        return "unknown"


def commit() -> str:
    """The commit this source is at, ``+`` after it when files differ from it; ``unknown`` outside a checkout."""
    here = Path(__file__).resolve().parent
    top = _git(here, "rev-parse", "--show-toplevel")
    if top is None or here != Path(top).resolve() / "src" / here.name:
        return "unknown"  # an installed copy inside somebody else's checkout
    changed = _git(here.parent, "status", "--porcelain", "--untracked-files=no", "--", ".")
    return (_git(here, "rev-parse", "HEAD") or "unknown") + ("+" if changed else "")


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def machine() -> Json:
    """Cores this process may use, memory in GB, Python, system and processor."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    found: Json = {"cores": cores}
    with suppress(AttributeError, ValueError, OSError):  # not told on every system
        found["memory_gb"] = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1)
    return found | {"python": sys.version.split()[0], "system": platform.system(), "processor": _processor()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    named = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return named or platform.processor() or platform.machine()


def _short(value: float) -> float:
    """Six digits after the point: enough to compare, few enough to read."""
    return round(float(value), 6)

"""Charts as SVG text, by matplotlib: groups of bars a rewriter or source, a bar a retriever, with intervals."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from anaphor_eval.headlines import headline, varying

Json = Mapping[str, Any]
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")
"""Paul Tol's bright scheme: told apart also by those who do not see all colours."""


def chart(rows: Sequence[Json], title: str) -> str:
    """One slice of one data set, by its headline figure. The same rows give the same text."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    metric = headline(rows)
    dimensions = varying(rows)
    groups, bars = _grid(rows, dimensions)
    if len(groups) * len(bars) > len(rows):  # dimensions that hang together: a group an arm, one bar each
        groups, bars = list(dict.fromkeys(_of(row, dimensions) for row in rows)), [""]
    across, within = (dimensions, ()) if bars == [""] else (dimensions[:1], dimensions[1:])
    with rc_context({"svg.hashsalt": title, "svg.fonttype": "none", "font.size": 9, "text.parse_math": False}):
        figure = Figure(figsize=(8, 3.2), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        width = 0.8 / len(bars)
        for i, bar in enumerate(bars):
            here = [row for row in rows if _of(row, within) == bar and metric in row["metrics"]]
            places = [groups.index(_of(row, across)) + (i - (len(bars) - 1) / 2) * width for row in here]
            values = [row["metrics"][metric] for row in here]
            axes.bar(
                places,
                values,
                width * 0.92,
                label=bar or metric,
                color=COLOURS[i % len(COLOURS)],
                yerr=_whiskers(here, metric),
                error_kw={"elinewidth": 0.8, "capsize": 2},
            )
        axes.set_xticks(range(len(groups)), groups)
        axes.set_ylabel(metric)
        axes.set_ylim(0, 1)
        axes.set_title(f"{title}: {rows[0]['slice']}, n = {rows[0]['n']}", loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        if len(bars) > 1:
            figure.legend(loc="outside right upper", frameon=False)
        told = io.StringIO()
        figure.savefig(told, format="svg", metadata={"Date": None})
    return re.sub(r"^.*?(?=<svg)", "", told.getvalue(), flags=re.DOTALL)


def _grid(rows: Sequence[Json], dimensions: Sequence[str]) -> tuple[list[str], list[str]]:
    groups = list(dict.fromkeys(_of(row, dimensions[:1]) for row in rows))
    return groups, list(dict.fromkeys(_of(row, dimensions[1:]) for row in rows))


def _of(row: Json, dimensions: Sequence[str]) -> str:
    return " × ".join(str(row[name]) for name in dimensions if row.get(name) is not None)


def _whiskers(rows: Sequence[Json], metric: str) -> list[list[float]] | None:
    """Lengths below and above; nothing where any bar has no interval."""
    limits = [row.get("intervals", {}).get(metric) for row in rows]
    if not limits or any(found is None for found in limits):
        return None
    values = [row["metrics"][metric] for row in rows]
    return [
        [max(0.0, value - low) for value, (low, _) in zip(values, limits, strict=True)],
        [max(0.0, high - value) for value, (_, high) in zip(values, limits, strict=True)],
    ]

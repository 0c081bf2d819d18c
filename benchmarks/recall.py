"""Is what answers among the 1,500 tokens shown? ``make bench-recall DATA=folder`` writes ``docs/benchmarks/recall.*``.

    python benchmarks/recall.py DATA [--to DIR] [--cache DIR] [--only NAME …] [--words NAME …] [--fresh] [--limit N]

``DATA`` (or ``ANAPHOR_DATA``) is the folder of the evaluation sets, which are not part of this project. Vectors and
finished cells are kept; a run that is killed goes on where it was. ``--only`` measures some parts and keeps the rows of
the others as they are in ``recall.json``; ``--words`` measures a part by words alone, where its vectors would take
hours. A part is a set (``locomo``), or a set grown (``locomo.grown``).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import shared

from anaphor.settings import read as read_settings
from anaphor_eval import product
from anaphor_eval.cache import Cache
from anaphor_eval.tasks.memory import memory
from anaphor_eval.tasks.plan import BUDGET, Plan, code

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One set, with the arms that are measured on it."""

    name: str
    file: str
    sources: tuple[str, ...] = ("turns", "recent")
    lengths: tuple[int | None, ...] = (None,)
    retrievers: tuple[str, ...] = ("bm25", "dense", "rrf", "default")
    words: bool = False  # by words alone


PARTS = (
    Part("locomo", "memory/locomo.jsonl", ("turns", "recent", "full")),
    Part(
        *("locomo.grown", "memory/locomo.jsonl", ("turns",), (120_000, 500_000)),
        ("bm25", "rrf", "default"),
    ),
    Part(
        *("locomo.words", "memory/locomo.jsonl", ("turns",), (None, 120_000, 500_000, 1_200_000)),
        ("bm25", "default"),
        words=True,
    ),
    Part("beam_100k", "memory/beam_100k.jsonl"),
    Part("beam_500k", "memory/beam_500k.jsonl"),
    Part("memdaily_zh", "memory/memdaily_zh.jsonl"),
    Part("assistant_cjk", "memory/assistant_cjk.jsonl"),
)
COLUMNS = (
    *("evidence_all", "evidence_all_excerpt", "evidence_share", "evidence_share_excerpt"),
    *("evidence_share_of_oracle", "evidence_share_of_oracle_excerpt", "tokens"),
)
RANKS = ("recall@1", "recall@5", "recall@10", "evidence_rank_p50", "evidence_rank_p90")


def main(arguments: Sequence[str]) -> int:
    given = _parsed(arguments)
    parts = [part for part in PARTS if not given.only or part.name in given.only]
    shared.data_of(given, "bench-recall", (part.file for part in parts))
    path = given.to / "recall.json"
    runs = shared.kept(path, "part", (part.name for part in PARTS))
    for part in parts:
        runs[part.name] = measured(part, given)
        ordered = [runs[part.name] for part in PARTS if part.name in runs]
        shared.keep(path, ordered)
        (given.to / "recall.md").write_text("\n".join(page(ordered)) + "\n", "utf-8")
    return 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.command_line(__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", choices=[p.name for p in PARTS])
    parser.add_argument("--words", action="append", default=[], metavar="NAME", choices=[p.name for p in PARTS])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--fresh", action="store_true", help="measure finished cells anew; vectors are kept")
    return parser.parse_args(arguments)


def measured(part: Part, given: argparse.Namespace) -> dict[str, Any]:
    """One part with everything that decides its figures beside them."""
    began = time.monotonic()
    settings = read_settings()
    by_words = part.words or part.name in given.words
    if by_words:
        settings = replace(settings, embedder="none")
    found: list[dict[str, Any]] = []
    with Cache(given.cache) as cache:
        for length in part.lengths:
            plan = Plan(
                files=(Path(given.data) / part.file,),
                settings=settings,
                cache=cache,
                dimensions={
                    "source": part.sources,
                    "retriever": ("bm25", "default") if by_words else part.retrievers,
                    "budget": (BUDGET,),
                    "length": () if length is None else (length,),
                },
                limit=given.limit,
                fresh=given.fresh,
                split="dev",
            )
            found += [_short(row.as_dict()) for row in memory(plan)]
            print(f"{part.name} {length or ''}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    words = f" --words {part.name}" * (part.name in given.words)
    return {
        "part": part.name,
        **shared.head(f"python benchmarks/recall.py DATA --only {part.name}" + words),
        "code": code()[:16],
        "settings": dict(product.told(settings)),
        "rows": found,
    }


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """Differences from the whole of retrieval in the two main figures: with all of them the file would be ten times."""
    versus = [
        v
        for v in row.pop("versus", [])
        if v["metric"] in ("evidence_all", "evidence_share") and v.get("retriever") == "default"
    ]
    return row | ({"versus": versus} if versus else {})


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def page(runs: Sequence[Json]) -> Iterator[str]:
    yield "# Recall: what answers, inside 1,500 tokens"
    yield ""
    yield Path(__file__).with_name("recall.md").read_text("utf-8").strip()
    yield from grown(runs)
    for run in runs:
        if "." not in run["part"]:
            yield from section(run)


def grown(runs: Sequence[Json]) -> Iterator[str]:
    """Evidence inside the budget against length, an arm a line."""
    told = [
        (f"{row['retriever']}, by words alone" if run["settings"].get("embedder") is None else row["retriever"], row)
        for run in runs
        if run["part"].split(".")[0] == "locomo"
        for row in run["rows"]
        if row["slice"] == "all" and row["source"] == "turns"
    ]
    lengths = sorted({row.get("length", 0) for _, row in told})
    if len(lengths) < 2:
        return
    yield from ("", "## The same questions over a longer past (LoCoMo)", "")
    yield "Every evidence inside the budget, strict / with excerpts; in brackets the tokens shown."
    yield ""
    reached = {row["length"]: row["metrics"]["history_tokens"] for _, row in told if "length" in row}
    names = [f"{n:,} tokens ({reached[n]:,.0f} reached)" if n in reached else "as it is" for n in lengths]
    yield f"| | {' | '.join(names)} |"
    yield "|---" * (len(lengths) + 1) + "|"
    for name in dict.fromkeys(name for name, _ in told):
        of = {row.get("length", 0): row for arm, row in told if arm == name}
        if len(of) > 1:
            yield f"| {name} | {' | '.join(_evidence(of[n]) if n in of else '–' for n in lengths)} |"


def _evidence(row: Json) -> str:
    told = row["metrics"]
    return (
        f"{shared.short(told['evidence_all'])} / {shared.short(told['evidence_all_excerpt'])} ({told['tokens']:,.0f})"
    )


def section(run: Json) -> Iterator[str]:
    yield from ("", f"## {run['part']}", "")
    embedder = run["settings"].get("embedder") or "none: by words alone"
    yield f"`{run['command']}`, commit {run['commit']}, embedder {embedder}. In brackets: 95% intervals."
    for language in dict.fromkeys(row.get("lang") for row in run["rows"]):
        here = [row for row in run["rows"] if row.get("lang") == language]
        title = f"**{language or 'all languages'}**"
        for where in ("all", "without_summarization"):
            told = [row for row in here if row["slice"] == where]
            if told:
                yield from ("", f"{title}, slice `{where}`, n = {told[0]['n']}", "")
                yield from _table(told)
        yield from _categories(here)


def _table(told: Sequence[Json]) -> Iterator[str]:
    columns = [name for name in (*COLUMNS, *RANKS) if any(name in row["metrics"] for row in told)]
    yield f"| | {' | '.join(name.replace('evidence_', '').replace('_', ' ') for name in columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for row in told:
        yield f"| {_arm(row)} | {' | '.join(_figure(row, name) for name in columns)} |"


def _categories(here: Sequence[Json]) -> Iterator[str]:
    """Every evidence inside the budget, strict / with excerpts, by category."""
    told = [row for row in here if row["slice"] not in ("all", "without_summarization") and "retriever" in row]
    if not told:
        return
    names = list(dict.fromkeys(_arm(row) for row in told))
    yield from ("", "By category: every evidence, strict / with excerpts · share of evidence, the same", "")
    yield f"| | n | {' | '.join(names)} |"
    yield "|---" * (len(names) + 2) + "|"
    for where in dict.fromkeys(row["slice"] for row in told):
        of = {_arm(row): row for row in told if row["slice"] == where}
        cells = [_category(of[name]) if name in of else "" for name in names]
        yield f"| {where} | {next(iter(of.values()))['n']} | {' | '.join(cells)} |"


def _category(row: Json) -> str:
    names = ("evidence_all", "evidence_all_excerpt", "evidence_share", "evidence_share_excerpt")
    told = [shared.short(row["metrics"][name]) for name in names]
    return f"{told[0]} / {told[1]} · {told[2]} / {told[3]}"


def _arm(row: Json) -> str:
    return str(row.get("retriever") or row["source"])


def _figure(row: Json, name: str) -> str:
    if name not in row["metrics"]:
        return ""
    value = row["metrics"][name]
    if name.startswith(("tokens", "evidence_rank")):
        return f"{value:,.0f}"
    limits = row.get("intervals", {}).get(name)
    told = shared.short(value)
    return f"{told} [{shared.short(limits[0])}, {shared.short(limits[1])}]" if limits else told


if __name__ == "__main__":
    shared.run(main)

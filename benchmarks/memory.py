"""What long-term memory reads, keeps and adds: ``make bench-memory DATA=folder`` writes ``docs/benchmarks/memory.*``.

    python benchmarks/memory.py DATA [--to DIR] [--cache DIR] [--only NAME …] [--fresh]

``DATA`` (or ``ANAPHOR_DATA``) is the folder of the evaluation sets, which are not part of this project. ``--only``
measures some parts and keeps the rows of the others as they are in ``memory.json``: ``facts``, ``contradiction``,
``growth`` (one stream of ordinary chat, read turn by turn), ``evidence.NAME`` (facts and summaries beside the turns,
inside 1,500 tokens, found by words alone), and ``shares.NAME`` (newest turns and summaries in a part of that room).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import shared
from memory_behind import measured
from memory_shares import shares

from anaphor.facts import Fact, Status
from anaphor.memory.extract import extract
from anaphor.memory.reconcile import reconcile
from anaphor.settings import read as read_settings
from anaphor_eval import rows
from anaphor_eval.cache import Cache
from anaphor_eval.datasets import LongConversation, read_as
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.tasks.extraction import extraction
from anaphor_eval.tasks.memory import memory
from anaphor_eval.tasks.plan import BUDGET, Plan, code

Json = Mapping[str, Any]

EVIDENCE = {
    "assistant_cjk": "memory/assistant_cjk.jsonl",
    "locomo": "memory/locomo.jsonl",
    "beam": "memory/beam_100k.jsonl",
}
SOURCES = ("turns", "notes", "notes+turns", "summary", "recent", "recent+summary")
LARGE = ("locomo", "beam")  # of which only the turns, and the notes beside them, are measured
COLUMNS = (
    "evidence_all",
    "evidence_all_excerpt",
    "evidence_share_of_oracle",
    "evidence_share_of_oracle_excerpt",
    "tokens",
)
TOLD = ("update", "contradiction", "count", "multi")  # slices beside "all" that the page tells
STREAM = "memory/assistant_cjk.jsonl"
TURNS = 1000
BEHIND = ("behind", "behind_processor", "remember", "remember_without")
SHARED = ("assistant_cjk", "locomo")  # of which it is measured whether shares by the kind of question pay
PARTS = (
    *("facts", "contradiction", "growth", "behind"),
    *(f"evidence.{name}" for name in EVIDENCE),
    *(f"shares.{name}" for name in SHARED),
)


def main(arguments: Sequence[str]) -> int:
    given = _parsed(arguments)
    shared.data_of(given, "bench-memory")
    path = given.to / "memory.json"
    runs = shared.kept(path, "part", PARTS)
    for part in given.only or PARTS:
        began = time.monotonic()
        runs[part] = _run(part, given)
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        ordered = [runs[name] for name in PARTS if name in runs]
        shared.keep(path, ordered)
        (given.to / "memory.md").write_text("\n".join(page(ordered)) + "\n", "utf-8")
    return 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.command_line(__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", choices=PARTS)
    parser.add_argument("--fresh", action="store_true", help="measure finished cells anew; vectors are kept")
    return parser.parse_args(arguments)


def _run(part: str, given: argparse.Namespace) -> dict[str, Any]:
    measure: Callable[[argparse.Namespace], list[dict[str, Any]]]
    if part == "growth":
        measure = growth
    elif part == "behind":
        measure = behind
    elif part.startswith("shares."):
        measure = lambda given: _shares(given, EVIDENCE[part.partition(".")[2]])  # noqa: E731
    elif part.startswith("evidence."):
        measure = lambda given: _task(memory, given, EVIDENCE[part.partition(".")[2]])  # noqa: E731
    else:
        file = "facts/facts.jsonl" if part == "facts" else "trust/cdconv_zh.jsonl"
        measure = lambda given: _task(extraction, given, file)  # noqa: E731
    return {
        "part": part,
        **shared.head(f"python benchmarks/memory.py DATA --only {part}"),
        "code": code()[:16],
        "rows": measure(given),
    }


def _task(task: Callable[[Plan], list[rows.Row]], given: argparse.Namespace, file: str) -> list[dict[str, Any]]:
    settings = replace(read_settings(), embedder="none")
    sources = ("turns", "notes+turns") if any(Path(file).stem.startswith(name) for name in LARGE) else SOURCES
    dimensions = {"source": sources, "retriever": ("default",), "budget": (BUDGET,)} if task is memory else {}
    with Cache(given.cache) as cache:
        plan = Plan(
            files=(Path(given.data) / file,),
            settings=settings,
            cache=cache,
            dimensions=dimensions,
            fresh=given.fresh,
            split="dev",
        )
        told = (row.as_dict() for row in task(plan))
        return [{key: value for key, value in row.items() if key != "versus"} for row in told]


def _shares(given: argparse.Namespace, file: str) -> list[dict[str, Any]]:
    settings = replace(read_settings(), embedder="none")
    with Cache(given.cache) as cache:
        plan = Plan(files=(Path(given.data) / file,), settings=settings, cache=cache, dimensions={}, split="dev")
        return shares(plan, plan.files[0])


# ── growth ────────────────────────────────────────────────────────────────────────────────────────────────────────


def growth(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Each conversation's persons' turns, read in order: what is kept, what became of it, and how long it took."""
    found = []
    for conversation in read_as(Path(given.data) / STREAM, LongConversation).items:
        read_through(conversation)  # a language's rules are made ready once a process
        facts, does, ms = read_through(conversation)
        found.append(
            {
                "data": conversation.conversation_id,
                "lang": conversation.language,
                "n": len(ms),
                "metrics": {
                    "facts": len(facts),
                    "current": sum(fact.status is Status.CURRENT for fact in facts),
                    "facts_per_100_turns": 100 * len(facts) / len(ms),
                    **{name: does[name] for name in ("merged", "superseded", "appended", "disputed", "quarantined")},
                    "ms_p50": percentile(ms, 50),
                    "ms_p95": percentile(ms, 95),
                },
            }
        )
    return found


def behind(given: argparse.Namespace) -> list[dict[str, Any]]:
    """What it costs behind a turn, and what looking facts up costs on its path."""
    path = Path(given.data) / STREAM
    found = measured(path, TURNS)
    metrics = {f"{name}_ms_{at}": found[f"{name}_ms"][at] for name in BEHIND for at in ("p50", "p95", "p99")}
    return [{"data": path.stem, "n": found["turns"], "metrics": {"facts": found["facts"], **metrics}}]


def read_through(conversation: LongConversation) -> tuple[list[Fact], Counter[str], list[float]]:
    facts: dict[str, Fact] = {}
    does: Counter[str] = Counter()
    before, ms = "", []
    for seq, turn in enumerate(conversation.turns, 1):
        if turn.role == "assistant":
            before = turn.content
            continue
        day = date.fromisoformat(turn.date[:10]) if getattr(turn, "date", "") else date(2026, 1, 1)
        began = time.perf_counter()
        for n, statement in enumerate(
            extract(turn.content, language=conversation.language, said_on=day, before=before)
        ):
            where = (conversation.conversation_id, str(seq), seq, float(seq))
            done = reconcile(statement, f"{seq}-{n}", where, list(facts.values()))
            facts |= {fact.fact_id: fact for fact in (*done.others, done.fact)}
            does[done.does] += 1
        ms.append((time.perf_counter() - began) * 1000)
    return list(facts.values()), does, ms


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def page(runs: Sequence[Json]) -> Iterator[str]:
    yield "# Long-term memory: what is read, kept and added"
    yield ""
    yield Path(__file__).with_name("memory.md").read_text("utf-8").strip()
    for run in runs:
        yield from ("", f"## {run['part']}", "", f"`{run['command']}`, commit `{run['commit']}`", "")
        yield from _table(run)


def _table(run: Json) -> Iterator[str]:
    part, told = run["part"], run["rows"]
    if part == "facts":
        told = [row for row in told if row["slice"] == "all" or "lang" not in row]
        columns = ("precision", "recall", "precision_strict", "recall_strict", "not_facts_stored", "read", "ms_p95")
    elif part == "contradiction":
        columns = ("precision", "recall", "f1")
    elif part == "growth":
        columns = ("facts", "current", "facts_per_100_turns", "merged", "superseded", "disputed", "ms_p50", "ms_p95")
    elif part.startswith("shares."):
        columns = ("evidence_all",)
    elif part == "behind":
        columns = ("facts", *(f"{name}_ms_{at}" for name in BEHIND for at in ("p50", "p95")))
    else:
        told = [
            row
            for row in told
            if row["slice"] in ("all", "first", "later") or "update" in row["slice"] or "contra" in row["slice"]
        ]
        columns = COLUMNS
    yield "| " + " | ".join(("", "n", *columns)) + " |"
    yield "|" + "---|" * (len(columns) + 2)
    for row in told:
        shown = [_cell(row, name) for name in columns]
        yield "| " + " | ".join((_named(row), str(row["n"]), *shown)) + " |"


def _named(row: Json) -> str:
    parts = (row.get("lang", "every language"), row.get("source", ""), row.get("slice", row["data"]))
    return " · ".join(part for part in parts if part)


def _cell(row: Json, name: str) -> str:
    value = row["metrics"].get(name)
    if value is None:
        return ""
    if name in ("facts", "current", "read", "merged", "superseded", "disputed", "tokens"):
        return f"{value:,.0f}"
    if "ms_" in name or name.startswith("facts_per"):
        return f"{value:.1f}"
    limits = row.get("intervals", {}).get(name)
    return shared.short(value) + (f" [{limits[0]:.3f}, {limits[1]:.3f}]" if limits and limits[0] is not None else "")


if __name__ == "__main__":
    shared.run(main)

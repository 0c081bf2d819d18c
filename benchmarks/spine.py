"""The spine measured as it is, bad figures too: ``make bench DATA=folder`` writes ``docs/benchmarks/spine.*``.

    python benchmarks/spine.py DATA [--to DIR] [--cache DIR] [--only NAME …] [--lexical] [--fresh] [--limit N]

``DATA`` (or ``ANAPHOR_DATA``) is the folder of the evaluation sets, which are not part of this project. The first run
makes some twenty thousand vectors, which takes an hour or two; they are kept, and a run that is killed goes on where it
was. ``--only`` measures some sets and keeps the other sets' rows as they are in ``spine.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import shared

from anaphor.settings import read as read_settings
from anaphor_eval import product
from anaphor_eval.cache import Cache, cores
from anaphor_eval.charts import chart
from anaphor_eval.headlines import HEADLINES
from anaphor_eval.report import MAIN_SLICES, as_markdown, figure, number, sections
from anaphor_eval.tasks.memory import memory
from anaphor_eval.tasks.plan import Plan, code
from anaphor_eval.tasks.retrieval import retrieval
from anaphor_eval.tasks.rewrite import rewrite

MACHINES = ("raw", "concat", "previous", "embedded")
EVERYBODY = (*MACHINES, "gold", "gold+previous")
NO_REWRITE = "nobody has written a rewrite"
COMPARED = (*HEADLINES, "recall@10", "evidence_all", "rouge_l", "kept_when_standalone")


@dataclass(frozen=True, slots=True)
class Part:
    """One data set with what is measured on it, and what is not and why."""

    task: str
    file: str
    passages: str = ""
    rewriters: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    left_out: str = ""
    weight: int = 1  # how long it takes, roughly: what takes longest is begun first

    @property
    def name(self) -> str:
        return Path(self.file).stem


PARTS = (
    Part("retrieval", "rag/mtrag_human.jsonl", "rag/mtrag_passages.jsonl", EVERYBODY),
    Part("retrieval", "rag/mtrag_un.jsonl", "rag/mtrag_passages.jsonl", MACHINES, left_out=NO_REWRITE),
    Part("retrieval", "rag/kdconv_zh.jsonl", "rag/kdconv_passages.jsonl", MACHINES, left_out=NO_REWRITE, weight=9),
    Part("retrieval", "rag/domainrag_zh.jsonl", "rag/domainrag_passages.jsonl", MACHINES, left_out=NO_REWRITE),
    Part(
        *("retrieval", "retrieval/drcd_zh_hant.jsonl", "retrieval/drcd_passages.jsonl", EVERYBODY),
        forms=("derived", "spliced"),
        weight=5,
    ),
    Part(
        *("retrieval", "retrieval/jsquad_ja.jsonl", "retrieval/jsquad_passages.jsonl", EVERYBODY),
        forms=("derived", "spliced"),
        weight=5,
    ),
    Part(
        *("retrieval", "retrieval/drcd_zh_hant.jsonl", "retrieval/drcd_passages.jsonl", ("raw", "embedded")),
        forms=("single",),
        weight=3,
        left_out="a single question has no history: concat and previous are raw, and gold is the question itself",
    ),
    Part(
        *("retrieval", "retrieval/jsquad_ja.jsonl", "retrieval/jsquad_passages.jsonl", ("raw", "embedded")),
        forms=("single",),
        weight=3,
        left_out="a single question has no history: concat and previous are raw, and gold is the question itself",
    ),
    Part("memory", "memory/locomo.jsonl", sources=("turns", "recent")),
    Part("memory", "memory/beam_100k.jsonl", sources=("turns", "recent")),
    Part("memory", "memory/beam_500k.jsonl", sources=("turns", "recent")),
    Part("memory", "memory/memdaily_zh.jsonl", sources=("turns", "recent")),
    Part("memory", "memory/assistant_cjk.jsonl", sources=("turns", "recent")),
    *(
        Part(
            "rewrite",
            f"rewrite/{name}.jsonl",
            rewriters=("raw", "concat", "embedded"),
            left_out="previous weighs words and writes no text of its own; gold is what it is compared with",
        )
        for name in ("mtrag_en", "cast_en", "canard_en", "rewrite_zh_hans", "asdc_ja")
    ),
)
RETRIEVERS = ("bm25", "dense", "rrf")


def main(arguments: Sequence[str]) -> int:
    given = _parsed(arguments)
    parts = [part for part in PARTS if not given.only or part.name in given.only]
    data = shared.data_of(given, "bench")
    if unknown := [name for name in given.only if name not in _names(PARTS)]:
        shared.stop(f"nothing is called {', '.join(unknown)}; there are {', '.join(_names(PARTS))}")
    shared.needs(data, (part.file for part in parts))
    start = time.monotonic()
    kept = _earlier(given.to / "spine.json", parts) if given.only else []
    # Spawned and not forked: an embedder's threads do not survive a fork.
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        longest_first = sorted(parts, key=lambda part: -part.weight)
        found = dict(zip(longest_first, pool.map(_measured, longest_first, repeat(given)), strict=True))
    measured = [row for part in parts for row in found[part]]
    _write(given, measured, kept, Plan((), read_settings(), limit=given.limit), time.monotonic() - start)
    return 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.command_line(__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--lexical", action="store_true", help="BM25 alone: no vectors are made")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--fresh", action="store_true", help="measure finished cells anew; vectors are kept")
    return parser.parse_args(arguments)


def _names(parts: Iterable[Part]) -> list[str]:
    return list(dict.fromkeys(part.name for part in parts))


def _earlier(path: Path, parts: Sequence[Part]) -> list[dict[str, Any]]:
    """Rows of sets that are not measured this time."""
    if not path.exists():
        return []
    anew = set(_names(parts))
    return [row for row in json.loads(path.read_text("utf-8"))["rows"] if row["data"].split(".")[0] not in anew]


def _measured(part: Part, given: argparse.Namespace) -> list[dict[str, Any]]:
    """One part, in a process of its own."""
    began = time.monotonic()
    data = Path(given.data)
    retrievers = ("bm25",) if given.lexical else RETRIEVERS
    dimensions: dict[str, tuple[Any, ...]] = {
        "rewriter": part.rewriters,
        "source": part.sources,
        "retriever": () if part.task == "rewrite" else retrievers,
    }
    with Cache(given.cache) as cache:
        plan = Plan(
            files=(data / part.file,),
            settings=read_settings(),
            cache=cache,
            passages=(data / part.passages,) if part.passages else (),
            dimensions=dimensions,
            forms=part.forms,
            limit=given.limit,
            fresh=given.fresh,
            split="dev",
        )
        found = {"retrieval": retrieval, "memory": memory, "rewrite": rewrite}[part.task](plan)
    told = [_short(row.as_dict()) for row in found]
    print(f"{part.name} {' '.join(part.forms)}: {len(told)} rows, {time.monotonic() - began:.0f} s", file=sys.stderr)
    return told


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """Differences of the main figures on the main slices: with all of them the file would be twenty times as long."""
    versus = [v for v in row.pop("versus", []) if v["metric"] in COMPARED and row["slice"] in MAIN_SLICES]
    return row | ({"versus": versus} if versus else {})


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _write(
    given: argparse.Namespace,
    measured: Sequence[dict[str, Any]],
    kept: Sequence[dict[str, Any]],
    plan: Plan,
    seconds: float,
) -> None:
    order = {name: n for n, name in enumerate(_names(PARTS))}
    everything = sorted([*measured, *kept], key=lambda row: (order[row["data"].split(".")[0]], row["data"].count(".")))
    settings = {
        **product.told(plan.settings),
        "k": list(plan.ks),
        "seed": plan.seed,
        "limit": plan.limit,
        "bootstrap": {"level": plan.drawing().level, "draws": plan.drawing().draws},
        "code": code()[:16],
        "minutes": round(seconds / 60, 1),
    }
    flags = _flags(given)
    run: dict[str, Any] = {
        **shared.head(" ".join(["python benchmarks/spine.py DATA", *flags]) if flags else "make bench DATA=…"),
        "settings": settings,
        "rows": everything,
    }
    figures = given.to / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    charts = {}
    for section in sections([run]):
        if section.chart:
            name = section.title.split(" ")[0] + (
                "-" + section.title.split("(")[1].rstrip(")") if "(" in section.title else ""
            )
            (figures / f"{name}.svg").write_text(chart(section.chart, section.title), "utf-8")
            charts[section.title] = f"figures/{name}.svg"
    text = as_markdown([run], "The spine, measured as it is", charts)
    heading, _, rest = text.partition("\n\n")
    (given.to / "spine.md").write_text(
        "\n\n".join([heading, _introduction(everything), *_overviews(everything), rest]), "utf-8"
    )
    shared.keep_one(given.to / "spine.json", run)


def _flags(given: argparse.Namespace) -> list[str]:
    flags = [f"--{name}" for name in ("lexical", "fresh") if getattr(given, name)]
    return [*flags, *(f"--only {name}" for name in given.only), *([f"--limit {given.limit}"] if given.limit else [])]


def _introduction(found: Sequence[Mapping[str, Any]]) -> str:
    skipped = [
        f"{part.name}{_how(part)}: {', '.join(part.rewriters)} only; {part.left_out}."
        for part in PARTS
        if part.left_out
    ]
    searched = {
        name: {row["retriever"] for row in found if row["data"] == name and "retriever" in row} for name in _data(found)
    }
    lexical = [name for name, retrievers in searched.items() if retrievers == {"bm25"}]
    if lexical:
        skipped.append(f"dense, rrf on {', '.join(lexical)}: their vectors were not made for this run.")
    told = "\n".join(f"- {line}" for line in skipped)
    return (Path(__file__).with_name("spine.md").read_text("utf-8").strip()).replace("{skipped}", told)


def _data(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["data"] for row in found))


def _how(part: Part) -> str:
    return ", as single questions" if part.forms == ("single",) else ""


def _overviews(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "## At a glance"
    for metric in ("recall@5", "recall@10"):
        told = [row for row in found if metric in row["metrics"] and "rewriter" in row and _main(row, found)]
        for retriever in RETRIEVERS:
            here = [row for row in told if row.get("retriever") == retriever]
            if here:
                yield _overview(here, f"{metric}, {retriever}", metric, "rewriter", "raw")
    told = [
        row for row in found if "evidence_share" in row["metrics"] and row["slice"] == "all" and "rewriter" not in row
    ]
    for metric in ("evidence_all", "evidence_share", "evidence_share_of_oracle"):
        here = [{**row, "way": row.get("retriever", row["source"])} for row in told]
        if here:
            yield _overview(here, f"{metric} within 1,500 tokens", metric, "way", None)
    told = [row for row in found if "carried_f1" in row["metrics"] and row["slice"] == "all"]
    for metric in ("rouge_l", "carried_f1", "kept_when_standalone"):
        if told:
            yield _overview(told, f"{metric}, all utterances", metric, "rewriter", "raw")


def _main(row: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> bool:
    """Later turns where there are any: first turns need no rewriting."""
    wanted = "later" if any(r["data"] == row["data"] and r["slice"] == "later" for r in found) else "all"
    return bool(row["slice"] == wanted)


def _overview(told: Sequence[Mapping[str, Any]], title: str, metric: str, across: str, baseline: str | None) -> str:
    columns = list(dict.fromkeys(row[across] for row in told))
    lines = [f"**{title}**", "", f"| | n | {' | '.join(columns)} |", f"|---|---|{'---|' * len(columns)}"]
    for data, lang in dict.fromkeys((row["data"], row.get("lang", "")) for row in told):
        here = {row[across]: row for row in told if (row["data"], row.get("lang", "")) == (data, lang)}
        cells = [_marked(here[name], metric, baseline) if name in here else "" for name in columns]
        n = next(iter(here.values()))["n"]
        lines.append(f"| {data}{f' ({lang})' if lang else ''} | {n} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _marked(row: Mapping[str, Any], metric: str, baseline: str | None) -> str:
    """With ▲ or ▼ where the difference from the baseline is outside noise."""
    if baseline is None:
        return figure(row, metric)
    value = number(row["metrics"][metric], metric) if metric in row["metrics"] else ""
    against = next(
        (
            v
            for v in row.get("versus", ())
            if v["metric"] == metric and v.get("rewriter") == baseline and "interval" in v
        ),
        None,
    )
    if against is None or against["interval"][0] <= 0 <= against["interval"][1]:
        return value
    return value + (" ▲" if against["difference"] > 0 else " ▼")


if __name__ == "__main__":
    shared.run(main)

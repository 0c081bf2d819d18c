"""Reconstruction measured against what it is meant to reach: ``make bench-reconstruction DATA=folder``.

    python benchmarks/reconstruction.py DATA [--to DIR] [--cache DIR] [--only PART …] [--lexical] [--limit N] [--fresh]

``DATA`` (or ``ANAPHOR_DATA``) is the folder of the evaluation sets, which are not part of this project. Each part is
kept in ``reconstruction.json`` as soon as it is measured, and ``--only`` measures some and keeps the others; the page
says at which commit each was. ``--limit`` draws so many conversations of the large sets (KdConv and those made of DRCD
and JSQuAD); MTRAG and the sets of rewrites are measured whole. ``--lexical`` leaves out what needs vectors.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import reconstruction_page
import reconstruction_rewrites as rewrites
import shared
from reconstruction_arms import FILES, POOLS, Bench, against, crossed, later, line, measured, play

from anaphor.settings import read as read_settings
from anaphor.types import StandaloneQuery
from anaphor_eval import rows
from anaphor_eval.cache import Cache
from anaphor_eval.content import content_tokens, even_text
from anaphor_eval.datasets import read, read_pool
from anaphor_eval.product import told
from anaphor_eval.rewriters import Rewriting
from anaphor_eval.rows import Arm
from anaphor_eval.statistics import Sample, mean, sums
from anaphor_eval.tasks import plan as plans
from anaphor_eval.tasks.retrieval import forms, scored

# ── retrieval ─────────────────────────────────────────────────────────────────────────────────────────────────────


def human(bench: Bench) -> list[dict[str, Any]]:
    """MTRAG human, later turns: not below a person's rewrite, with and without the same expansion."""
    names = ("raw", "previous", "embedded", "gold", "gold+previous")
    turns, runs = play(bench, "mtrag_human", crossed(names, bench.retrievers))
    there = later(turns)
    lines = []
    for retriever in bench.retrievers:
        for metric in ("recall@5", "recall@10", "ndcg@5"):
            samples = {
                name: measured(there, runs[arm], arm, metric) for name in names for arm in crossed([name], [retriever])
            }
            for name in names:
                told = {other: against(samples[name], samples[other]) for other in names if other != name}
                lines.append(line("human", name, samples[name], retriever=retriever, metric=metric, versus=told))
    return lines


def pooled(bench: Bench) -> list[dict[str, Any]]:
    """MTRAG human and UN, later turns in one pool; and UN alone."""
    arms = crossed(("raw", "embedded"), bench.retrievers)
    human_turns, human_runs = play(bench, "mtrag_human", arms)
    un_turns, un_runs = play(bench, "mtrag_un", arms)
    twice = {one.turn.turn_id for one in human_turns} & {one.turn.turn_id for one in un_turns}
    un_there = [one for one in later(un_turns) if one.turn.turn_id not in twice]
    lines = []
    for retriever in bench.retrievers:
        raw, embedded = crossed(("raw", "embedded"), [retriever])
        for row, there in (("pooled", later(human_turns) + un_there), ("un", un_there)):
            both = {arm: {**un_runs[arm], **human_runs[arm]} for arm in (raw, embedded)}
            pair = [measured(there, both[arm], arm, "recall@5") for arm in (raw, embedded)]
            lines.append(line(row, "raw", pair[0], retriever=retriever, metric="recall@5"))
            told = {"raw": against(pair[1], pair[0])}
            lines.append(line(row, "embedded", pair[1], retriever=retriever, metric="recall@5", versus=told))
    return lines


def derived(bench: Bench) -> list[dict[str, Any]]:
    """Conversations made of DRCD and JSQuAD: the share of the gap between raw and gold that is closed."""
    lines = []
    for name in ("drcd_zh_hant", "jsquad_ja"):
        names = ("raw", "embedded", "gold")
        turns, runs = play(bench, name, crossed(names, ("bm25",)), "derived", bench.limit)
        there = later(turns)
        for metric in ("recall@1", "recall@5"):
            samples = {arm.rewriter or "": measured(there, runs[arm], arm, metric) for arm in crossed(names, ("bm25",))}
            shown = {**samples, "gap closed": _closed(samples)}
            more = {"data": name, "retriever": "bm25", "metric": metric}
            lines += [line("derived", each, sample, **more) for each, sample in shown.items()]
    return lines


def _closed(samples: Mapping[str, Sample]) -> Sample:
    """(embedded − raw) / (gold − raw), both summed over turns."""
    parts = {name: sample.statistic.parts[:, 0] for name, sample in samples.items()}
    rows_ = zip(parts["embedded"] - parts["raw"], parts["gold"] - parts["raw"], strict=True)
    any_one = samples["raw"]
    return sums(rows_, _ratio, any_one.turns, any_one.groups, 2)


def _ratio(drawn: Any) -> Any:
    """NaN where the person's rewrite is no better than the utterance: such a sample has no gap to close."""
    gap = np.where(drawn[:, 1] > 0, drawn[:, 1], np.nan)
    return drawn[:, 0] / gap


def kdconv(bench: Bench) -> list[dict[str, Any]]:
    """Questions of KdConv against what the person answering them used."""
    names = ("raw", "previous", "embedded")
    turns, runs = play(bench, "kdconv_zh", crossed(names, ("bm25",)), limit=bench.limit)
    there = later(turns)
    samples = {arm.rewriter or "": measured(there, runs[arm], arm, "recall@5") for arm in crossed(names, ("bm25",))}
    return [
        line(
            *("kdconv", name, sample),
            retriever="bm25",
            metric="recall@5",
            versus={"raw": against(sample, samples["raw"])} if name != "raw" else {},
        )
        for name, sample in samples.items()
    ]


def own_history(bench: Bench) -> list[dict[str, Any]]:
    """The replies of the data against the system's own: what an earlier error does to later turns."""
    arms = [arm for history in ("gold", "own") for arm in crossed(("embedded",), ("bm25",), history)]
    turns, runs = play(bench, "mtrag_human", arms)
    there = later(turns)
    lines = []
    for metric in ("recall@5", "recall@10"):
        gold, own = (measured(there, runs[arm], arm, metric) for arm in arms)
        lines.append(line("own", "gold", gold, metric=metric, retriever="bm25"))
        lines.append(line("own", "own", own, metric=metric, retriever="bm25", versus={"gold": against(own, gold)}))
    return lines


def window(bench: Bench) -> list[dict[str, Any]]:
    """How many turns are seen. The limit of tokens is lifted, so that turns are what is varied."""
    from anaphor.steps import reconstruct

    lines = []
    reach = reconstruct.REACH
    try:
        for turns_seen in (1, 2, 3, 4, 5, 7, 10):
            reconstruct.REACH = turns_seen
            arm = Arm(rewriter="embedded", retriever="bm25", history="gold", length=turns_seen)
            told = {"window_turns": turns_seen, "window_tokens": 100_000}
            turns, runs = play(bench, "mtrag_human", [arm], **told)
            for metric in ("recall@5", "recall@10"):
                sample = measured(later(turns), runs[arm], arm, metric)
                lines.append(line("window", str(turns_seen), sample, data="mtrag_human", metric=metric))
            for name in ("canard_en", "rewrite_zh_hans"):
                sample = rewrites.carried_f1(bench.plan(f"rewrite/{name}.jsonl", **told), arm)
                lines.append(line("window", str(turns_seen), sample, data=name, metric="carried_f1"))
    finally:
        reconstruct.REACH = reach
    return lines


# ── decisions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def spliced(bench: Bench) -> list[dict[str, Any]]:
    """A topic switch leaves the query as it was typed, and nothing of the old topic in it.

    The evaluator's even text of the query equals the utterance's, nothing is carried, and every content token of the
    text, the sub-queries and the weighted terms is one of the utterance's.
    """
    lines = []
    for name in ("drcd_zh_hant", "jsquad_ja"):
        plan = replace(bench.plan(name), forms=("spliced",))
        pool = read_pool([bench.data / POOLS[name.split("_")[0]]])
        dataset = forms(read(plan.files[0]), pool, plan)[0]
        switches = [o for o in scored(dataset, {p.passage_id for p in pool}) if "topic_switch" in o.turn.slices]
        rewriting = Rewriting("embedded", "gold", None, plan.settings)
        values = [float(_lets_go(rewriting.query(one.asked)[0], one.turn.utterance)) for one in switches]
        sample = mean(values, [one.turn.turn_id for one in switches], [one.group for one in switches])
        lines.append(line("spliced", "embedded", sample, data=name, metric="lets the old topic go"))
    return lines


def _lets_go(query: StandaloneQuery, utterance: str) -> bool:
    there = set(content_tokens(utterance))
    searched = (query.text, *query.queries, *(term.term for term in query.terms))
    same = even_text(query.text) == even_text(utterance) and not query.carried
    return same and all(token in there for text in searched for token in content_tokens(text))


def calls(bench: Bench) -> list[dict[str, Any]]:
    """A person's rewrite stands in for a model that is asked below each threshold: what that costs and gives."""
    lines = []
    turns, runs = play(bench, "mtrag_human", crossed(("embedded", "gold"), bench.retrievers))
    there = later(turns)
    rewriting = Rewriting("embedded", "gold", None, read_settings())
    sure = {one.turn.turn_id: rewriting.query(one.asked)[0] for one in there}
    for retriever in bench.retrievers:
        embedded, gold = crossed(("embedded", "gold"), [retriever])
        always = measured(there, runs[gold], gold, "recall@10")
        for threshold in sorted({0.0, 0.8, 1.01, *(round(query.confidence + 0.001, 3) for query in sure.values())}):
            asked = {name: q.confidence < threshold and q.decision.retrieves for name, q in sure.items()}
            run = {name: (runs[gold] if asked[name] else runs[embedded])[name] for name in sure}
            sample = measured(there, run, gold, "recall@10")
            told = {"always": against(sample, always, 0.01)}
            share = 1 - sum(asked.values()) / len(asked)
            more = {"retriever": retriever, "metric": "recall@10", "avoided": share, "versus": told}
            lines.append(line("calls", f"{threshold:g}", sample, **more))
    return lines


PARTS: dict[str, Callable[[Bench], list[dict[str, Any]]]] = {
    "human": human,
    "pooled": pooled,
    "derived": derived,
    "kdconv": kdconv,
    "spliced": spliced,
    "kept": rewrites.kept,
    "carried": rewrites.carried,
    "guard": rewrites.guard,
    "time": rewrites.time_to_query,
    "calls": calls,
    "window": window,
    "own": own_history,
    "errors": rewrites.errors,
}


def main(arguments: Sequence[str]) -> int:
    given = _parsed(arguments)
    data = shared.data_of(given, "bench-reconstruction", (*FILES.values(), *POOLS.values(), *rewrites.FILES))
    if unknown := [name for name in given.only if name not in PARTS]:
        shared.stop(f"no part is called {', '.join(unknown)}; there are {', '.join(PARTS)}")
    given.to.mkdir(parents=True, exist_ok=True)
    kept = given.to / "reconstruction.json"
    run: dict[str, Any] = json.loads(kept.read_text("utf-8")) if kept.exists() and given.only else {"parts": {}}
    with Cache(given.cache) as cache:
        bench = Bench(data, cache, given.limit, given.lexical, given.fresh)
        for name in given.only or PARTS:
            start = time.monotonic()
            found = PARTS[name](bench)
            run["parts"][name] = {
                "commit": rows.commit(),
                "code": plans.code()[:16],
                "seconds": round(time.monotonic() - start),
                "limit": given.limit,
                "retrievers": list(bench.retrievers),
                "load": round(os.getloadavg()[0], 1),
                "lines": found,
            }
            run |= {"version": rows.version(), "machine": rows.machine(), "settings": told(read_settings())}
            _keep(kept, run)
            print(f"{name}: {len(found)} figures, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    reconstruction_page.write(given.to, run)
    return 0


def _keep(path: Path, run: Mapping[str, Any]) -> None:
    """One figure a line, so that what changed can be seen."""
    head = (
        json.dumps({**run, "parts": {}}, ensure_ascii=False, indent=1).removesuffix("\n}").replace('"parts": {},\n', "")
    )
    parts = []
    for name, part in run["parts"].items():
        lines = ",\n   ".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in part["lines"])
        about = json.dumps({**part, "lines": []}, ensure_ascii=False).removesuffix("[]}")
        parts.append(f'  "{name}": {about}[\n   {lines}\n  ]}}')
    text = head.rstrip().removesuffix(",") + ',\n "parts": {\n' + ",\n".join(parts) + "\n }\n}\n"
    json.loads(text)
    path.write_text(text, "utf-8")


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.command_line(__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="PART")
    parser.add_argument("--lexical", action="store_true", help="BM25 alone: no vectors are made")
    parser.add_argument("--limit", type=int, help="conversations drawn of the large sets")
    parser.add_argument("--fresh", action="store_true", help="measure finished cells anew; vectors are kept")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    shared.run(main)

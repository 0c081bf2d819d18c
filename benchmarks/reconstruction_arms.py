"""What the parts of ``reconstruction.py`` are measured with: sets, arms played over them, and a figure's line."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from anaphor.settings import read as read_settings
from anaphor_eval.cache import Cache
from anaphor_eval.datasets import read, read_pool
from anaphor_eval.product import Product, told
from anaphor_eval.rows import Arm
from anaphor_eval.statistics import Sample, difference, interval
from anaphor_eval.tasks.plan import Plan, fingerprint
from anaphor_eval.tasks.retrieval import Scored, cell, forms, ranked, scored

MARGIN = 0.02
KS = (1, 5, 10)
POOLS = {"mtrag": "rag/mtrag_passages.jsonl", "kdconv": "rag/kdconv_passages.jsonl"}
POOLS |= {"drcd": "retrieval/drcd_passages.jsonl", "jsquad": "retrieval/jsquad_passages.jsonl"}
FILES = {
    "mtrag_human": "rag/mtrag_human.jsonl",
    "mtrag_un": "rag/mtrag_un.jsonl",
    "kdconv_zh": "rag/kdconv_zh.jsonl",
    "drcd_zh_hant": "retrieval/drcd_zh_hant.jsonl",
    "jsquad_ja": "retrieval/jsquad_ja.jsonl",
}


@dataclass
class Bench:
    """What was asked for, and what every part needs."""

    data: Path
    cache: Cache
    limit: int | None
    lexical: bool
    fresh: bool

    @property
    def retrievers(self) -> tuple[str, ...]:
        return ("bm25",) if self.lexical else ("bm25", "rrf")

    def plan(self, name: str = "", limit: int | None = None, **settings: Any) -> Plan:
        path = self.data / FILES[name] if name in FILES else self.data / name
        return Plan((path,), read_settings(settings), self.cache, ks=KS, limit=limit, fresh=self.fresh, split="dev")


def play(
    bench: Bench, name: str, arms: Sequence[Arm], form: str = "", limit: int | None = None, **settings: Any
) -> tuple[list[Scored], dict[Arm, dict[str, Any]]]:
    """The scored turns of a set, and what every arm found for them."""
    plan = bench.plan(name, limit, **settings)
    pool_file = bench.data / POOLS[name.split("_")[0]]
    pool = read_pool([pool_file])
    asked = read(plan.files[0])
    if form:
        plan = replace(plan, forms=(form,))
    dataset = plan.limited(forms(asked, pool, plan)[0])
    turns = scored(dataset, {passage.passage_id for passage in pool})
    files = fingerprint([plan.files[0], pool_file])
    found = {}
    with Product(plan.settings, bench.cache) as product:
        product.put(pool)
        for arm in arms:
            settings = sorted(told(plan.settings).items())
            key = ("reconstruction", files, dataset.name, plan.seed, plan.limit, arm, settings)
            found[arm] = plan.cell(key, partial(ranked, plan, arm, turns, product, dataset.name))
            print(f"  {dataset.name} {arm.rewriter} {arm.retriever} {arm.history or ''}", file=sys.stderr, flush=True)
    return turns, found


def crossed(rewriters: Sequence[str], retrievers: Sequence[str], history: str = "gold") -> list[Arm]:
    """Every rewriter with every retriever."""
    return [Arm(rewriter=w, retriever=r, history=history) for w in rewriters for r in retrievers]


def later(turns: Sequence[Scored]) -> list[Scored]:
    """The turns that have a history."""
    return [one for one in turns if one.turn.history]


def measured(turns: Sequence[Scored], run: Mapping[str, Any], arm: Arm, metric: str) -> Sample:
    """One metric of an arm over these turns."""
    return cell(arm, "", turns, run, KS).samples[metric]


def line(row: str, arm: str, sample: Sample, **more: Any) -> dict[str, Any]:
    """One measured figure, as it is kept and shown."""
    limits = interval(sample)
    groups = len(set(sample.groups))
    return {"row": row, "arm": arm, "n": sample.n, "groups": groups, "value": sample.value, "interval": limits, **more}


def against(a: Sample, b: Sample, margin: float = MARGIN) -> dict[str, Any]:
    """How ``a`` differs from ``b`` on the same turns, and whether it is not below; empty where they do not pair."""
    found = difference(a, b)
    if found is None:
        return {}
    told = {"difference": found.value, "between": found.interval, "least": found.least, "p": found.p, "margin": margin}
    return told | {"not_below": found.not_below(margin), "above": bool(found.interval and found.interval[0] > 0)}

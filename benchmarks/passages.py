"""The right passage first, over all passages of a set, and across the scripts of Chinese.

    python benchmarks/passages.py DATA [--limit N] [--retriever NAME …] [--cache DIR] [--to DIR]

Two tables, R@1 of single questions. One: every retriever on DRCD (zh-Hant) and JSQuAD (ja) beside a plain BM25 over
bigrams (k1 = 1.2, b = 0.75, NFKC and lower case, no other folding), paired, with a 95% interval by bootstrap over
questions. Two: DRCD with questions and passages in either script, the words of the other region put in by OpenCC
(``tw2sp``), by words alone.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import shared

from anaphor.settings import read as read_settings
from anaphor.types import Decision, Passage, StandaloneQuery
from anaphor_eval.cache import Cache
from anaphor_eval.datasets import read, read_pool
from anaphor_eval.product import Product

SETS = (("drcd_zh_hant", "drcd_passages", "zh-Hant"), ("jsquad_ja", "jsquad_passages", "ja"))
RETRIEVERS = ("bm25", "dense", "rrf", "default")
Hits = Any  # (questions,) of 0.0 or 1.0


def main(arguments: Sequence[str]) -> int:
    given = _parsed(arguments)
    wanted = [f"retrieval/{file}.jsonl" for name, passages, _ in SETS for file in (name, passages)]
    folder = shared.data_of(given, "bench-passages", wanted) / "retrieval"
    found: list[dict[str, Any]] = []
    with Cache(given.cache) as cache:
        for name, passages, language in SETS:
            asked = _sampled(read(folder / f"{name}.jsonl").items, given.limit)
            pool = list(read_pool([folder / f"{passages}.jsonl"]))
            plain = by_bigrams(asked, pool)
            found.append(_row(name, language, "plain bigrams", plain, None))
            for retriever in given.retriever or RETRIEVERS:
                hits = by_product(asked, pool, retriever, language, cache)
                found.append(_row(name, language, retriever, hits, plain))
                print(found[-1], file=sys.stderr, flush=True)
        found += across(folder, given.limit, cache)
    _write(given, found)
    return 0


def _sampled(items: Sequence[Any], limit: int | None) -> list[Any]:
    return random.Random(0).sample(list(items), limit) if limit and limit < len(items) else list(items)


def by_product(asked: Sequence[Any], pool: Sequence[Passage], retriever: str, language: str, cache: Cache) -> Hits:
    with Product(read_settings(), cache) as product:
        product.put(pool)
        queries = [StandaloneQuery(q.question, Decision.STANDALONE, 1.0, language) for q in asked]
        product.indexes(retriever)
        product.prepare(retriever, queries)
        first = [product.ranking(retriever, query).hits[:1] for query in queries]
    return np.array(
        [float(any(h.passage.passage_id in q.gold for h in hits)) for q, hits in zip(asked, first, strict=True)]
    )


def across(folder: Path, limit: int | None, cache: Cache) -> list[dict[str, Any]]:
    """DRCD, each script asked in each."""
    import opencc

    simplified = opencc.OpenCC("tw2sp").convert
    asked = _sampled(read(folder / "drcd_zh_hant.jsonl").items, limit)
    pool = list(read_pool([folder / "drcd_passages.jsonl"]))
    written: dict[str, Callable[[str], str]] = {"zh-Hant": str, "zh-Hans": simplified}
    hits = {}
    for here, write in written.items():
        passages = [
            replace(p, text=write(p.text), title=write(p.title), language=here, end=len(write(p.text))) for p in pool
        ]
        for there, ask in written.items():
            questions = [replace(q, question=ask(q.question)) for q in asked]
            hits[there, here] = by_product(questions, passages, "bm25", there, cache)
    return [
        _row("drcd_zh_hant", f"{there} → {here}", "bm25", found, hits[there, there])
        for (there, here), found in hits.items()
    ]


def by_bigrams(asked: Sequence[Any], pool: Sequence[Passage], k1: float = 1.2, b: float = 0.75) -> Hits:
    texts = [Counter(bigrams(f"{p.title}\n{p.text}")) for p in pool]
    lengths = np.array([sum(terms.values()) for terms in texts], float)
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    postings: dict[str, list[tuple[int, int]]] = {}
    for n, terms in enumerate(texts):
        for term, count in terms.items():
            postings.setdefault(term, []).append((n, count))
    hits = []
    for question in asked:
        scores = np.zeros(len(pool))
        for term in bigrams(question.question):
            here = postings.get(term, [])
            rarity = math.log1p((len(pool) - len(here) + 0.5) / (len(here) + 0.5))
            for n, count in here:
                scores[n] += rarity * count * (k1 + 1) / (count + norm[n])
        hits.append(float(pool[int(scores.argmax())].passage_id in question.gold))
    return np.array(hits)


_RUN = re.compile(r"[a-z0-9]+|[^\W a-z0-9]+")


def bigrams(text: str) -> list[str]:
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).lower()):
        found += [run] if run.isascii() or len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
    return found


def _row(data: str, language: str, retriever: str, hits: Hits, against: Hits | None) -> dict[str, Any]:
    told = {
        "data": data,
        "lang": language,
        "retriever": retriever,
        "n": len(hits),
        "success@1": round(float(hits.mean()), 4),
    }
    if against is None or against is hits:
        return told
    difference = hits - against
    drawn = np.random.default_rng(0).integers(0, len(hits), (2000, len(hits)))
    low, high = np.percentile(difference[drawn].mean(axis=1), [2.5, 97.5])
    return told | {
        "difference": round(float(difference.mean()), 4),
        "interval": [round(float(low), 4), round(float(high), 4)],
    }


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.command_line(__doc__)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--retriever", action="append", choices=RETRIEVERS)
    return parser.parse_args(arguments)


def _flags(given: argparse.Namespace) -> list[str]:
    return [f"--limit {given.limit}"] * bool(given.limit) + [f"--retriever {name}" for name in given.retriever or ()]


def _write(given: argparse.Namespace, found: Sequence[Mapping[str, Any]]) -> None:
    run = {
        **shared.head(" ".join(["python benchmarks/passages.py DATA", *_flags(given)])),
        "rows": list(found),
    }
    given.to.mkdir(parents=True, exist_ok=True)
    (given.to / "passages.json").write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (given.to / "passages.md").write_text(as_page(run), "utf-8")


def as_page(run: Mapping[str, Any]) -> str:
    lines = [
        "# The right passage first",
        "",
        f"`{run['command']}`, anaphor {run['version']}, commit {run['commit']}. R@1 over all passages of the set; the "
        "difference is paired, with a 95% interval by bootstrap over questions: from plain bigrams in the rows of one "
        "script, from the same script in the rows of two (question → passages). Development halves; the analyzer was "
        "chosen with these sets in view.",
        "",
        "| data | language | retriever | n | R@1 | difference |",
        "|---|---|---|---|---|---|",
    ]
    for row in run["rows"]:
        told = (
            f"{row['difference']:+.3f} [{row['interval'][0]:+.3f}, {row['interval'][1]:+.3f}]"
            if "interval" in row
            else ""
        )
        lines.append(
            f"| {row['data']} | {row['lang']} | {row['retriever']} | {row['n']:,} | {row['success@1']:.3f} | {told} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    shared.run(main)

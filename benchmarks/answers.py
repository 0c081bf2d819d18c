"""Answers measured as they are: ``make bench-answers DATA=folder`` writes ``docs/benchmarks/answers.md`` and ``.json``.

    python benchmarks/answers.py DATA [--to DIR] [--cache DIR] [--limit N]

``DATA`` (or ``ANAPHOR_DATA``) is the folder of the evaluation sets, which are not part of this project. The quoting
reader over BM25, without models: with the gold passages given, over all passages, with the gold left out, on planted
facts and on poisoned passages; and how long verifying an answer of 300 words with 8 sources takes, beside a loop of
plain Python on the same machine at the same time, for a machine that is busy makes everything slow.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import shared

from anaphor.settings import read as read_settings
from anaphor.steps.reading import read as read_passage
from anaphor.steps.verify import verify
from anaphor.types import Claim, Decision, Draft, Evidence, StandaloneQuery
from anaphor_eval.cache import Cache
from anaphor_eval.datasets import read_pool
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.report import as_markdown
from anaphor_eval.tasks.answers import answers
from anaphor_eval.tasks.plan import Plan, code

SINGLE = (
    ("retrieval/drcd_zh_hant.jsonl", "retrieval/drcd_passages.jsonl"),
    ("retrieval/jsquad_ja.jsonl", "retrieval/jsquad_passages.jsonl"),
)
TALKS = (("rag/mtrag_human.jsonl", "rag/mtrag_passages.jsonl"), ("rag/mtrag_un.jsonl", "rag/mtrag_passages.jsonl"))
TRUST = ("trust/rgb_fact_zh.jsonl", "trust/rgb_fact_en.jsonl", "trust/poisonedrag_en.jsonl")
SOURCES, WORDS, DRAFTS = 8, 300, 60

INTRODUCTION = """The quoting reader, no model, BM25. `given`: the gold passage is given to the reader; else it reads
what retrieval found. `answer_in_quote`: the gold answer is inside *one* quoted sentence, of at most two that are quoted
where one is not enough. Leaving the gold out keeps its siblings, so some of those questions can still be answered: in
MTRAG most. Half of each set was in view while the reader was written, and its thresholds were set by hand with half of
DRCD and JSQuAD in view, what kinds of questions lose of their score with half of MTRAG; nothing was fitted by search,
and all figures here are on that half. MTRAG's corpora are only in part in the pool.
Its gold answers are whole replies, which no sentence holds: `answer_in_quote` and `exact` say nothing there.

Leaving the gold out of MTRAG is hardly told from having it (`abstention_auroc` near .55), by this score or by any
other that was tried: what is quoted without the gold is about as near to the reply of the data set (`f1_without_gold`)
as what is quoted with it (`f1`), because a sibling says the same. A logit over seventeen features (coverage by the best
sentence, by the best passage, what no passage has, the second passage, kinds of questions), learned from MTRAG out of
fold, told the unanswerable questions of `mtrag_un` apart about as well as the sureness of the best sentence less a
doubt for its kind (the best of sixteen variants .769 against .763), and those of DRCD and JSQuAD much worse (.63 to .79
against .92); it is not used.

`attack_success` on PoisonedRAG is how often sources that all say the same false thing are quoted: nothing in them
contradicts it. Where the question stands in front of each passage it was lower before sentences that only repeat a
question were left out; what was quoted in their place then was the question, which said nothing.

MTRAG's questions are asked as the product rewrites them (`embedded`), for not every turn has a person's rewrite."""


def main(arguments: Sequence[str]) -> int:
    parser = shared.command_line(__doc__)
    parser.add_argument("--limit", type=int, help="only so many questions or conversations of a set")
    given = parser.parse_args(arguments)
    data = shared.data_of(given, "bench-answers")
    found: list[dict[str, Any]] = []
    with Cache(given.cache) as cache:
        plan = Plan(
            (),
            replace(read_settings(), embedder="none"),
            cache,
            {"retriever": ("bm25",)},
            limit=given.limit,
            split="dev",
        )
        for name, measured in _plans(plan, data):
            began = time.monotonic()
            told = [row.as_dict() for row in answers(measured)]
            found += [{**row, "data": f"{row['data']}{name}"} for row in told]
            print(f"{measured.files[0].stem}{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    _write(given, plan, found, _verifying(data))
    return 0


def _plans(plan: Plan, data: Path) -> Iterator[tuple[str, Plan]]:
    for file, passages in SINGLE:
        here = replace(plan, files=(data / file,), passages=(data / passages,))
        yield ".given", replace(here, gold_passages=True, dimensions={})
        yield "", here
    for file, passages in TALKS:
        yield "", replace(plan, files=(data / file,), passages=(data / passages,), limit=None)
    for file in TRUST:
        yield "", replace(plan, files=(data / file,), dimensions={}, limit=None)


def _verifying(data: Path) -> dict[str, float]:
    """Milliseconds to verify a draft made of the sources' own sentences with some words left out, and of a loop."""
    draw = random.Random(1)
    pool = [p for p in read_pool([data / TALKS[0][1]]) if 600 < len(p.text) < 2500]
    query = StandaloneQuery("What do the sources say?", Decision.STANDALONE, 1.0, "en")
    times, loops = [], []
    for _ in range(DRAFTS):
        evidence = Evidence(tuple(draw.sample(pool, SOURCES)))
        draft = Draft(tuple(_claims(evidence, draw)), writer="model")
        for passage in evidence.passages:
            read_passage(passage)  # as answering has by then
        start = time.process_time()
        verify(draft, query, evidence)
        times.append((time.process_time() - start) * 1000)
        start = time.process_time()
        sum(n * n for n in range(100_000))
        loops.append((time.process_time() - start) * 1000)
    return {
        "p50": percentile(times, 50),
        "p95": percentile(times, 95),
        "loop_p50": percentile(loops, 50),
        "ratio_p50": percentile(times, 50) / percentile(loops, 50),
    }


def _claims(evidence: Evidence, draw: random.Random) -> Iterator[Claim]:
    words = 0
    while words < WORDS:
        n = draw.randrange(SOURCES)
        passage = evidence.passages[n]
        sentence = draw.choice(read_passage(passage).sentences)
        kept = [word for word in passage.text[sentence.start : sentence.end].split() if draw.random() > 0.15]
        if len(kept) > 4:
            words += len(kept)
            yield Claim(" ".join(kept), (n + 1,))


def _write(given: argparse.Namespace, plan: Plan, found: list[dict[str, Any]], verifying: dict[str, float]) -> None:
    run = {
        **shared.head("make bench-answers DATA=…" + (f" (with --limit {given.limit})" if given.limit else "")),
        "settings": {"reader": "quoted", "seed": plan.seed, "limit": plan.limit, "code": code()[:16]},
        "verifying_ms": {name: round(value, 2) for name, value in verifying.items()},
        "rows": found,
    }
    text = as_markdown([run], "Answers, measured as they are")
    heading, _, rest = text.partition("\n\n")
    speed = (
        f"**Verifying** an answer of {WORDS} words with {SOURCES} sources ({DRAFTS} drafts, CPU time): "
        f"p50 {verifying['p50']:.1f} ms, p95 {verifying['p95']:.1f} ms; a loop of 100,000 squares on the same machine "
        f"meanwhile {verifying['loop_p50']:.1f} ms (ratio {verifying['ratio_p50']:.1f})."
    )
    (given.to / "answers.md").write_text("\n\n".join([heading, INTRODUCTION, speed, rest]), "utf-8")
    shared.keep_one(given.to / "answers.json", run)


if __name__ == "__main__":
    shared.run(main)

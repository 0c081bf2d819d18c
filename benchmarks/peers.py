"""Evidence beside other libraries: same messages, same vectors, same questions, the same packer inside 1,500 tokens.

    python benchmarks/peers.py DATA --python PYTHON [--only SET …] [--peer NAME …] [--cache DIR] [--to DIR]

``PYTHON`` is the interpreter of the peers' environment (``scripts/install_peers.py`` makes it and prints it). Each peer
is set up as its documentation does (``speed_peers.py``), is given the vectors of our embedder, and ranks 60 hits for
every question of a conversation; what it ranks is packed by our own step, with scores that fall as reciprocal ranks do.
So the figures differ by the ranking alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import shared

from anaphor.settings import read as read_settings
from anaphor.text.fold import clean
from anaphor.types import Passage
from anaphor.wiring import embedder as embedder_of
from anaphor_eval.cache import Cache, Cached
from anaphor_eval.datasets import read_as
from anaphor_eval.datasets.memory import Counted
from anaphor_eval.datasets.values import LongConversation
from anaphor_eval.metrics.evidence_rank import evidence_ranks
from anaphor_eval.rows import Arm
from anaphor_eval.tasks import memory
from anaphor_eval.tasks.plan import BUDGET, Plan, fingerprint

SETS = ("locomo", "beam_100k", "assistant_cjk")
PEERS = ("langchain", "llamaindex", "mem0")
OURS = ("rrf", "default")
LIMIT = 60
K = 60  # of the reciprocal ranks that stand for a peer's scores
SCRIPT = Path(__file__).with_name("speed_peers.py")

Json = Mapping[str, Any]


def main(arguments: Sequence[str]) -> int:
    given = _parsed(arguments)
    shared.data_of(given, "bench-peers")
    if not given.python:
        shared.stop("--python names the interpreter of the peers' environment: scripts/install_peers.py prints it")
    path = given.to / "peers.json"
    runs = shared.kept(path, "data", SETS)
    for name in given.only or SETS:
        runs[name] = measured(name, given)
        ordered = [runs[each] for each in SETS if each in runs]
        shared.keep(path, ordered)
        (given.to / "peers.md").write_text("\n".join(page(ordered)) + "\n", "utf-8")
    return 0


def measured(name: str, given: argparse.Namespace) -> dict[str, Any]:
    """One set, ours and every peer, each question by each."""
    file = Path(given.data) / "memory" / f"{name}.jsonl"
    settings = read_settings()
    with Cache(given.cache) as cache:
        plan = Plan(files=(file,), settings=settings, cache=cache, limit=given.limit, split="dev")
        dataset = plan.limited(read_as(file, LongConversation))
        ours = [Arm(source="turns", retriever=each, budget=BUDGET) for each in OURS]
        runs = memory.of_roles(plan, dataset, None, ours, fingerprint([file]))
        roles, questions = runs[0][0].roles, runs[0][1]
        versions = {}
        for peer in given.peer or PEERS:
            ranked, versions[peer] = by_peer(peer, dataset.items, questions, given.python, cache)
            arm = replace(ours[0], retriever=peer, roles=roles)
            runs.append((arm, questions, memory.packed(arm, questions, None, ranked)))
            print(f"{name}: {peer}", file=sys.stderr, flush=True)
        found = [row.as_dict() for row in memory.as_rows(plan, dataset, runs)]
    return {
        "data": name,
        **shared.head(f"python benchmarks/peers.py DATA --python PYTHON --only {name}"),
        "versions": versions,
        "rows": [_short(row) for row in found if row["slice"] in ("all", "without_summarization")],
    }


def by_peer(
    peer: str, conversations: Sequence[LongConversation], questions: Sequence[Counted], python: str, cache: Cache
) -> tuple[dict[str, Any], str]:
    """Question → what the peer ranks, in the form of ``memory.rankings``; and the versions of its packages."""
    made, why = embedder_of(read_settings())
    if made is None:
        shared.stop(f"the peers need an embedder: {why}")
    embedder = Cached(made, cache)
    said = {c.conversation_id: [p for s in memory.sittings(c, None) for p in s] for c in conversations}
    asked = {name: [q.question.question for q in _of(questions, name)] for name in said}
    texts = list(dict.fromkeys(clean(p.text) for passages in said.values() for p in passages))
    wanted = list(dict.fromkeys(q for some in asked.values() for q in some if q not in set(texts)))
    with tempfile.TemporaryDirectory(prefix="anaphor-peers-") as folder:
        vectors = Path(folder, "vectors.npy")
        both = [*embedder.embed(texts, query=False), *embedder.embed(wanted, query=True)]
        np.save(vectors, np.array(both, np.float32))
        task = Path(folder, "task.json")
        told = {
            "peer": peer,
            "vectors": str(vectors),
            "texts": [*texts, *wanted],
            "limit": LIMIT,
            "conversations": [{"messages": [clean(p.text) for p in said[n]], "questions": asked[n]} for n in said],
        }
        task.write_text(json.dumps(told), "utf-8")
        done = subprocess.run(
            [python, str(SCRIPT), "--rank", str(task)], capture_output=True, text=True, encoding="utf-8", check=False
        )
    if done.returncode:
        shared.stop(f"{peer} failed: {done.stderr.strip()[-2000:]}")
    found = json.loads(done.stdout.strip().splitlines()[-1])
    ranked = {}
    for (name, passages), per_question in zip(said.items(), found["ranked"], strict=True):
        ids = _ids(passages)
        for each, (texts_found, ms) in zip(_of(questions, name), per_question, strict=True):
            ranked[memory.key(each)] = _as_ranking(each, [ids[text] for text in texts_found], len(passages), ms)
    return ranked, found["versions"]


def _of(questions: Sequence[Counted], name: str) -> list[Counted]:
    return [each for each in questions if each.conversation.conversation_id == name]


def _ids(passages: Sequence[Passage]) -> dict[str, str]:
    """Text → the first passage that says it: peers give back texts."""
    return {clean(p.text): p.passage_id for p in reversed(passages)}


def _as_ranking(each: Counted, best: Sequence[str], indexed: int, ms: float) -> dict[str, Any]:
    best = list(dict.fromkeys(best))[:LIMIT]
    evidence = [memory.passage_id(each.conversation.conversation_id, turn) for turn in each.evidence]
    return {
        "best": best,
        "hits": [[1 / (K + rank)] for rank in range(1, len(best) + 1)],
        "ranks": evidence_ranks(best, evidence, indexed),
        "ms": ms,
    }


def _short(row: dict[str, Any]) -> dict[str, Any]:
    versus = [
        v
        for v in row.pop("versus", [])
        if v.get("retriever") == "default" and v["metric"] in ("evidence_all", "evidence_share", "recall@10")
    ]
    return row | ({"versus": versus} if versus else {})


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def page(runs: Sequence[Json]) -> Iterator[str]:
    yield from ("# Evidence beside other libraries", "")
    yield (
        "Same messages, vectors, questions and packer, 1,500 tokens, 60 hits of each; what differs is the ranking. "
        "Each peer is set up as its documentation does. `rrf` is our plain baseline, `default` the whole of our "
        "retrieval. *default − it* is paired, with a 95% interval by bootstrap over conversations. Open halves (split "
        "`dev`); our weights were chosen by hand with LoCoMo and BEAM 100K in view, the peers have none that were. "
        "mem0 is installed without its extras, so it searches by vectors alone."
    )
    for run in runs:
        yield from ("", f"## {run['data']}", "", f"`{run['command']}`, commit {run['commit']}.")
        yield "; ".join(f"{peer}: {told}" for peer, told in run["versions"].items()) + "."
        for where in ("all", "without_summarization"):
            told = [
                row for row in run["rows"] if row["slice"] == where and row.get("lang") == run["rows"][0].get("lang")
            ]
            if told:
                yield from ("", f"Slice `{where}`, n = {told[0]['n']}", "")
                yield from _table(told)


def _table(told: Sequence[Json]) -> Iterator[str]:
    yield (
        "| | every evidence, strict / excerpts | share of evidence | of the oracle | recall@10 | tokens "
        "| default − it, every evidence | default − it, share |"
    )
    yield "|---" * 8 + "|"
    for row in told:
        of = row["metrics"]
        cells = [
            f"{of['evidence_all']:.3f} / {of['evidence_all_excerpt']:.3f}",
            *(f"{of[name]:.3f}" for name in ("evidence_share", "evidence_share_of_oracle", "recall@10")),
            f"{of['tokens']:,.0f}",
            *(_difference(row, metric) for metric in ("evidence_all", "evidence_share")),
        ]
        yield f"| {row['retriever']} | {' | '.join(cells)} |"


def _difference(row: Json, metric: str) -> str:
    """What is kept of a row is by how much it differs from ``default``; told the other way round."""
    for versus in row.get("versus", ()):
        if versus["metric"] == metric:
            low, high = versus["interval"]
            return f"{0 - versus['difference']:+.3f} [{0 - high:+.3f}, {0 - low:+.3f}]"
    return ""


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.command_line(__doc__)
    parser.add_argument("--python", default="", help="interpreter of the peers' environment")
    parser.add_argument("--only", action="append", choices=SETS, default=[])
    parser.add_argument("--peer", action="append", choices=PEERS, default=[])
    parser.add_argument("--limit", type=int)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    shared.run(main)

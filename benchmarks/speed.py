"""How fast recall is, how much it takes, and how both grow: ``make bench-speed DATA=folder``.

    python benchmarks/speed.py DATA [--size N …] [--queries N] [--peers] [--cache DIR] [--to DIR] [--base VECTORS]

Messages are recombined from the sentences of the evaluation sets in ``DATA``, a quarter in each language, all said by
one person. No vector is made while time is measured: the vector of a text is a fixed mixture of three of a few real
ones, so that it costs nothing and lies as real ones do. What making the vector of a question costs is measured apart,
with the embedder itself, and once as a part of the whole path. Every size, and every peer, runs in a process of its
own over the same texts and vectors.

Times are told twice: as the clock has them, and as processor time of this process, which other processes on the
machine do not lengthen.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import shared

from anaphor.adapters import sqlite
from anaphor.settings import read as read_settings
from anaphor.steps.assemble import assemble
from anaphor.steps.retrieve import retrieve
from anaphor.text.language import detect
from anaphor.text.sentences import sentences
from anaphor.text.tokens import estimate
from anaphor.types import (
    ContextBudget,
    Decision,
    EvidenceClass,
    Outcome,
    Passage,
    Question,
    Recollection,
    Scope,
    Sources,
    StandaloneQuery,
    Turn,
)
from anaphor.wiring import embedder as embedder_of
from anaphor_eval.cache import Cache, Cached

SIZES = (1_000, 10_000, 100_000)
SAID_IN = ("memory/locomo.jsonl", "memory/beam_100k.jsonl", "memory/memdaily_zh.jsonl", "memory/assistant_cjk.jsonl")
PASSAGES = ("retrieval/drcd_passages.jsonl", "retrieval/jsquad_passages.jsonl")
ASKED_IN = ("retrieval/drcd_zh_hant.jsonl", "retrieval/jsquad_ja.jsonl")
LANGUAGES = ("en", "zh-Hant", "zh-Hans", "ja")
PERSON = Scope("bench", "person")
LIMIT = 60
TURNS = 100  # committed one by one, for the time one takes
SITTING = 4  # messages of one turn while the store is filled: the neighbours of a hit are those of its turn
PEERS = Path(__file__).with_name("speed_peers.py")


# ── texts and vectors ─────────────────────────────────────────────────────────────────────────────────────────────


def texts(data: Path, size: int, seed: int = 7) -> list[str]:
    """So many messages of one to four sentences."""
    drawn = random.Random(seed)
    by_language: dict[str, list[str]] = {language: [] for language in LANGUAGES}
    for sentence in _sentences(data):
        by_language.setdefault(detect(sentence), []).append(sentence)
    made = []
    for n in range(size):
        language = LANGUAGES[n % len(LANGUAGES)]
        some = drawn.choices(by_language[language], k=drawn.choice((1, 2, 2, 3, 4)))
        made.append((" " if language == "en" else "").join(some))
    return made


def _sentences(data: Path) -> list[str]:
    found = []
    for file in SAID_IN:
        for one in _lines(data / file):
            found += [turn["content"] for session in one["sessions"] for turn in session["turns"]]
    for file in PASSAGES:
        found += [one["text"] for one in _lines(data / file)]
    cut = [text[span.start : span.end] for text in found if len(text) < 4000 for span in sentences(text)]
    return list(dict.fromkeys(sentence for sentence in cut if 4 < len(sentence) < 300))


def questions(data: Path, n: int, seed: int = 3) -> list[str]:
    found = [one["question"] for file in ASKED_IN for one in _lines(data / file)]
    for file in SAID_IN:
        found += [q["question"] for one in _lines(data / file) for q in one["questions"]]
    return random.Random(seed).sample(list(dict.fromkeys(found)), n)


def _lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file)


class Mixed:
    """Vectors without a model: a text's is a fixed mixture of three real ones, drawn by the text's hash."""

    def __init__(self, real: Any, name: str) -> None:
        self._real = real
        self.name = f"mixed/{name}"
        self.dimensions = int(real.shape[1])

    def embed(self, texts: Sequence[str], *, query: bool) -> Any:  # noqa: ARG002
        picks = np.array([list(hashlib.sha256(t.encode("utf-8", "replace")).digest()[:9]) for t in texts], np.int64)
        chosen = (picks[:, 0:6:2] * 256 + picks[:, 1:6:2]) % len(self._real)
        shares = (picks[:, 6:9] + 32).astype(np.float32)
        made = (self._real[chosen] * shares[:, :, None]).sum(axis=1)
        return made / np.linalg.norm(made, axis=1, keepdims=True)


class Asking(Mixed):
    """The same, but that the vector of a question is made by the embedder before the mixture takes its place."""

    def __init__(self, real: Any, name: str, embedder: Any) -> None:
        super().__init__(real, name)
        self._embedder = embedder

    def embed(self, texts: Sequence[str], *, query: bool) -> Any:
        if query:
            self._embedder.embed(texts, query=True)
        return super().embed(texts, query=query)


# ── one size ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Times:
    """Milliseconds, as the clock and as the processor has them."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def of(self, work: Callable[[], Any]) -> Any:
        began, spent = time.perf_counter(), time.process_time()
        done = work()
        self.processor.append((time.process_time() - spent) * 1000)
        self.clock.append((time.perf_counter() - began) * 1000)
        return done

    def told(self) -> dict[str, float]:
        return {
            f"{name}_p{percent}": round(float(np.percentile(times, percent)), 3)
            for name, times in (("clock", self.clock), ("processor", self.processor))
            for percent in (50, 95)
        }


def measured(given: Mapping[str, Any]) -> dict[str, Any]:
    """Our own figures at one size."""
    messages, asked = given["messages"], given["questions"]
    embedder = Mixed(np.load(given["vectors"]), "bench")
    told: dict[str, Any] = {"who": "anaphor", "size": len(messages) - TURNS}
    with tempfile.TemporaryDirectory(prefix="anaphor-speed-") as folder:
        path = Path(folder, "store.db")
        began = time.perf_counter()
        with sqlite.Store(path) as store:
            _fill(store, messages[:-TURNS], embedder)
            told["fill_s"] = round(time.perf_counter() - began, 1)
            told |= _turns(store, messages[-TURNS:], embedder)
        told["disk_mb"] = round(path.stat().st_size / 1e6, 1)
        # Opened again by a process that has done nothing else, for its memory and for the first question.
        told |= _asked_anew(path, asked, given)
    return told


def _fill(store: sqlite.Store, messages: Sequence[str], embedder: Mixed) -> None:
    for start in range(0, len(messages), SITTING):
        _say(store, messages[start : start + SITTING])
    dense = store.dense(embedder)
    while dense.refresh(4096):
        pass


def _say(store: sqlite.Store, said: Sequence[str]) -> None:
    scope = PERSON.within(store.sessions.create(PERSON).session_id)
    turn = store.turns.accept(scope, Question("…", turn_id="t"), lease=60)
    passages = [
        Passage(
            f"{scope.session}:{n}",
            text,
            scope.session,
            EvidenceClass.USER_STATEMENT,
            end=len(text),
            language=detect(text),
            date="2026-05-22",
            seq=1,
        )
        for n, text in enumerate(said)
    ]
    ended = Turn(turn.turn_id, turn.seq, turn.question, Outcome.ANSWERED, asked_at=turn.asked_at)
    store.turns.commit(scope, ended, {}, passages)


def _turns(store: sqlite.Store, messages: Sequence[str], embedder: Mixed) -> dict[str, Any]:
    """A turn from its question to where it is found by its words, then to where it is found by its meaning."""
    by_words, by_meaning = Times(), Times()
    dense = store.dense(embedder)
    for message in messages:
        by_words.of(lambda message=message: _say(store, [message]))
        by_meaning.of(dense.refresh)
    return {"turn_by_words": by_words.told(), "turn_by_meaning": by_meaning.told()}


def _asked_anew(path: Path, asked: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
    return _child({"task": "ask", "store": str(path), "questions": asked, "vectors": given["vectors"]}, sys.executable)


def ask(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every question by each index, by all of them, and packed into a turn's evidence."""
    embedder = Mixed(np.load(given["vectors"]), "bench")
    before = resident()
    opening, first = Times(), Times()
    store = opening.of(lambda: sqlite.Store(given["store"]))
    with store:
        indexes = (store.lexical, store.dense(embedder), store.sentence(embedder))
        asked = [StandaloneQuery(q, Decision.STANDALONE, 1.0, detect(q)) for q in given["questions"]]
        first.of(lambda: _packed(store, indexes, asked[0]))
        told: dict[str, Any] = {"open_ms": opening.told()["clock_p50"], "first_ms": first.told()["clock_p50"]}
        times = {name: Times() for name in ("bm25", "dense", "sentence", "retrieve", "recall")}
        for again in range(2):  # once over, so that what is kept in memory is there; the second time counts
            for query in asked:
                for index in indexes:
                    work = lambda index=index, query=query: index.search(  # noqa: E731
                        PERSON, query, sources=Sources.MEMORY, limit=LIMIT
                    )
                    times[index.name].of(work)
                times["retrieve"].of(lambda query=query: _retrieved(store, indexes, query))
                times["recall"].of(lambda query=query: _packed(store, indexes, query))
            if not again:
                told["cold"] = {name: each.told() for name, each in times.items()}
                times = {name: Times() for name in times}
        told |= {name: each.told() for name, each in times.items()}
        told["memory_mb"] = round(resident() - before, 1)
        told["recall_embedding"] = _with_vectors_made(store, asked, given)
    return told


def _with_vectors_made(store: sqlite.Store, asked: Sequence[StandaloneQuery], given: Mapping[str, Any]) -> Any:
    """The whole path with the question's vector made on the way, as a turn makes it."""
    made, _ = embedder_of(read_settings())
    embedder = Asking(np.load(given["vectors"]), "bench", made)
    indexes = (store.lexical, store.dense(embedder), store.sentence(embedder))
    times = Times()
    _packed(store, indexes, StandaloneQuery("warm", Decision.STANDALONE, 1.0, "en"))
    for query in asked:
        times.of(lambda query=query: _packed(store, indexes, query))
    return times.told()


def _retrieved(store: sqlite.Store, indexes: Sequence[Any], query: StandaloneQuery) -> Any:
    question = Question(query.text, turn_id="", sources=Sources.MEMORY)
    return retrieve(indexes, None, PERSON, question, query, Recollection(), LIMIT, documents=store.documents)


def _packed(store: sqlite.Store, indexes: Sequence[Any], query: StandaloneQuery) -> Any:
    question = Question(query.text, turn_id="", sources=Sources.MEMORY)
    return assemble(question, _retrieved(store, indexes, query), Recollection(), ContextBudget(), estimate)


def resident() -> float:
    """Memory of this process, in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


# ── running and writing ───────────────────────────────────────────────────────────────────────────────────────────


def _child(given: Mapping[str, Any], python: str, script: str = __file__, seconds: float = 3600) -> dict[str, Any]:
    """The task in a process of its own."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(given, file)
        file.flush()
        try:
            done = subprocess.run(
                [python, script, "--task", file.name], stdout=subprocess.PIPE, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return {"failed": f"not done after {seconds:g} s"}
    if done.returncode:
        return {"failed": f"ended with status {done.returncode}"}
    return dict(json.loads(done.stdout.splitlines()[-1]))


TASKS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"measure": measured, "ask": ask}


def main(arguments: Sequence[str]) -> int:
    given = _parsed(arguments)
    if given.task:
        task = json.loads(Path(given.task).read_text("utf-8"))
        print(json.dumps(TASKS[task["task"]](task)))
        return 0
    data = shared.data_of(given, "bench-speed")
    found, embedding = run(given, data)
    _write(given, found, embedding)
    return 0


def run(given: argparse.Namespace, data: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    asked = questions(data, given.queries)
    with tempfile.TemporaryDirectory(prefix="anaphor-speed-") as folder, Cache(given.cache) as cache:
        real, embedding = _real(data, given.base, asked, cache)
        vectors = Path(folder, "vectors.npy")
        np.save(vectors, real)
        found = []
        for size in given.size or SIZES:
            messages = texts(data, size + TURNS)
            task = {"task": "measure", "messages": messages, "questions": asked, "vectors": str(vectors)}
            found.append(_child(task, sys.executable))
            print(json.dumps(found[-1]), file=sys.stderr, flush=True)
            for peer in given.peer if given.python else ():
                if size <= given.peers_up_to:
                    task = {"peer": peer, "messages": messages, "questions": asked, "vectors": str(vectors)}
                    told = _child({**task, "turns": TURNS, "limit": LIMIT}, given.python, str(PEERS), given.seconds)
                    found.append({"who": peer, "size": size, **told})
                    print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    return found, embedding


PEER_NAMES = ("langchain", "llamaindex", "mem0")


def _real(data: Path, n: int, asked: Sequence[str], cache: Cache) -> tuple[Any, dict[str, Any]]:
    """Real vectors of so many sentences, and what making the vector of a question takes."""
    made, _ = embedder_of(read_settings())
    if made is None:
        shared.stop("what is measured needs an embedder: pip install 'anaphor[local]'")
    some = random.Random(1).sample(_sentences(data), n)
    real = np.array(Cached(made, cache).embed(some, query=False), np.float32)
    times = Times()
    made.embed(["warm"], query=True)
    for question in asked:
        times.of(lambda question=question: made.embed([question], query=True))
    return real, {"embedder": made.name, **times.told()}


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.command_line(__doc__)
    parser.add_argument("--size", type=int, action="append", default=[])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--base", type=int, default=1000, help="real vectors that the others are mixed of")
    parser.add_argument("--python", default="", help="interpreter of the peers' environment (scripts/install_peers.py)")
    parser.add_argument("--peer", action="append", choices=PEER_NAMES, default=[])
    parser.add_argument("--peers-up-to", type=int, default=10_000, metavar="N", help="messages; they take long")
    parser.add_argument("--seconds", type=float, default=1200, help="a peer's time at one size")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    given.peer = given.peer or [*PEER_NAMES]
    return given


def _flags(given: argparse.Namespace) -> list[str]:
    return [f"--{name} {getattr(given, name):g}" for name in ("queries", "base", "seconds")]


def _write(given: argparse.Namespace, found: Sequence[dict[str, Any]], embedding: Mapping[str, Any]) -> None:
    head = shared.head(" ".join(["python benchmarks/speed.py DATA", *_flags(given)]))
    run: dict[str, Any] = {
        **head,
        "machine": {**head["machine"], "load": [round(x, 1) for x in os.getloadavg()]},
        "settings": {"queries": given.queries, "limit": LIMIT, "base": given.base, "turns": TURNS},
        "embedding": dict(embedding),
        "rows": list(found),
    }
    given.to.mkdir(parents=True, exist_ok=True)
    (given.to / "speed.json").write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (given.to / "speed.md").write_text(as_page(run), "utf-8")


def as_page(run: Mapping[str, Any]) -> str:
    machine, embedding = run["machine"], run["embedding"]
    ours = [row for row in run["rows"] if row.get("who") == "anaphor" and "failed" not in row]
    lines = [
        "# How fast recall is, and how it grows",
        "",
        (Path(__file__).with_name("speed.md")).read_text("utf-8").strip(),
        "",
        f"`{run['command']}`, anaphor {run['version']}, commit {run['commit']}; {machine['cores']} cores "
        f"({machine['processor']}), {machine.get('memory_gb', '?')} GB, Python {machine['python']}; load average "
        f"{', '.join(map(str, machine['load']))} while it ran, so processor time is the figure to compare.",
        "",
        *([run["note"], ""] if run.get("note") else []),
        f"**The vector of a question**, {embedding['embedder']}: p50 {embedding['processor_p50']:.1f} ms, p95 "
        f"{embedding['processor_p95']:.1f} ms of processor time ({embedding['clock_p50']:.1f} and "
        f"{embedding['clock_p95']:.1f} by the clock). It is in the last of the columns of times below alone.",
        "",
        "## anaphor",
        "",
        "Milliseconds of processor time, p50 / p95; in brackets p95 by the clock.",
        "",
        "| messages | " + " | ".join(_COLUMNS.values()) + " | first question after opening | memory | disk |",
        "|---|" + "---|" * (len(_COLUMNS) + 3),
    ]
    for row in ours:
        cells = [_cell(row[name]) if name in row else "–" for name in _COLUMNS]
        lines.append(
            f"| {row['size']:,} | {' | '.join(cells)} | {row['first_ms']:.0f} ms | {row['memory_mb']:.0f} MB | "
            f"{row['disk_mb']:.0f} MB |"
        )
    lines += ["", *_growth(ours), "", *_peers(run["rows"])]
    return "\n".join(lines).rstrip() + "\n"


_COLUMNS = {
    "turn_by_words": "a turn, until found by its words",
    "turn_by_meaning": "until found by its meaning",
    "bm25": "bm25",
    "dense": "dense",
    "sentence": "sentence",
    "retrieve": "retrieve",
    "recall": "whole recall path",
    "recall_embedding": "the same, the question's vector made too",
}


def _cell(told: Mapping[str, float]) -> str:
    return f"{told['processor_p50']:.1f} / {told['processor_p95']:.1f} ({told['clock_p95']:.1f})"


def _growth(ours: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = []
    for before, after in pairwise(ours):
        times = after["recall"]["processor_p95"] / before["recall"]["processor_p95"]
        lines.append(
            f"- p95 of the whole path grows from {before['size']:,} to {after['size']:,} by {times:.2f} times."
        )
    return lines


def _peers(found: Sequence[Mapping[str, Any]]) -> list[str]:
    others = [row for row in found if row.get("who") != "anaphor"]
    if not others:
        return []
    lines = [
        "## Beside others, in the same run",
        "",
        "The same messages, vectors and questions, 60 hits, every vector given. Ours is `retrieve`, scoped to "
        "the person: three rankings joined, neighbours looked at, reranked.",
        "",
        "| messages | | a question, p50 / p95 (p95 by the clock) | a turn | filling | memory | versions |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found:
        if "failed" in row:
            lines.append(f"| {row['size']:,} | {row['who']} | {row['failed']} | | | | |")
            continue
        turn = row.get("turn") or row["turn_by_words"]
        lines.append(
            f"| {row['size']:,} | {row['who']} | {_cell(row['retrieve'])} | {_cell(turn)} | {row['fill_s']:.0f} s | "
            f"{row['memory_mb']:.0f} MB | {row.get('versions', '')} |"
        )
    return lines


if __name__ == "__main__":
    shared.run(main)

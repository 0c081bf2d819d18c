"""What long-term memory costs: behind a turn, and on its path.

    python benchmarks/memory_behind.py DATA [--turns 1000] [--json OUT]

DATA is a file of long conversations (``anaphor eval memory`` reads the same). The turns of its persons are taken into
a store in a file, in order, each as one turn; after each the time is taken that reading it for facts and writing them
down takes, and how long the step ``remember`` of the next turn takes with memory and without, each over the facts
that are there by then. Times in milliseconds of this machine, and of its processor, which others beside hardly disturb;
only ratios of one run are compared.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anaphor import wiring
from anaphor.settings import read
from anaphor.steps.remember import remember
from anaphor.stored import Exchange
from anaphor.text.tokens import estimate
from anaphor.types import Question, Window
from anaphor_eval.datasets import LongConversation, read_as
from anaphor_eval.metrics.latency import percentile


def said(path: Path, most: int) -> Iterator[tuple[str, str]]:
    """Texts of persons' turns with their languages."""
    n = 0
    for conversation in read_as(path, LongConversation).items:
        for turn in conversation.indexed(None):
            if turn.role != "assistant" and n < most:
                n += 1
                yield turn.content, conversation.language


def measured(path: Path, most: int) -> dict[str, Any]:
    behind, worked, with_memory, without = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        settings = read({"store": f"{folder}/a.db", "embedder": "none", "zone": "UTC"}, environment={})
        with wiring.build(settings) as assistant:
            store, memory = assistant.store, assistant.memory
            scope = assistant.scope.within(store.sessions.create(assistant.scope).session_id)
            for n, (text, language) in enumerate(said(path, most)):
                store.turns.adopt(scope, [Exchange(text or "…", "", 1.0 + n, language=language)], lambda _turn: ())
                busy = time.process_time()
                behind.append(_ms(memory.refresh))
                worked.append((time.process_time() - busy) * 1000)
                asked = (scope, n + 2, Window(), estimate, Question(text[:200], "q"))
                with_memory.append(_ms(remember, store.turns, store.memories, *asked))
                without.append(_ms(remember, store.turns, None, *asked))
            facts = store.describe()["facts"]
    return {
        "turns": len(behind),
        "facts": facts,
        "behind_ms": _spread(behind),
        "behind_processor_ms": _spread(worked),
        "remember_ms": _spread(with_memory),
        "remember_without_ms": _spread(without),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }


def _ms(work: Any, *given: Any) -> float:
    start = time.perf_counter()
    work(*given)
    return (time.perf_counter() - start) * 1000


def _spread(times: list[float]) -> dict[str, float]:
    return {f"p{n}": round(percentile(times, n), 2) for n in (50, 95, 99)}


def main() -> None:
    parser = argparse.ArgumentParser(description="What long-term memory costs behind a turn and on its path.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = measured(given.data, given.turns)
    told = json.dumps(found, indent=1)
    print(told)
    if given.json:
        given.json.write_text(told + "\n", "utf-8")


if __name__ == "__main__":
    main()

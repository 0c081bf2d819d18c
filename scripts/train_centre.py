"""Learn what a talk in Chinese is about: the weights of ``anaphor.steps.reconstruct.centre``.

    .venv/bin/python scripts/train_centre.py DATA     (or make train DATA=…)

Learned from KdConv (Apache-2.0), ``rag/kdconv_zh.jsonl``, and from nothing else. A person's question that does not name
what it is about is answered from a fact about some thing; that thing, if it was named before, is the right one.

The fit is a conditional logit with a quadratic penalty. Prints how many are right in five folds of conversations.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphor.steps.reconstruct import replay
from anaphor.steps.reconstruct.centre import UNSAID, features, things
from anaphor.steps.reconstruct.heard import hear
from anaphor.steps.reconstruct.references import from_outside, references
from anaphor.text.fold import matching
from anaphor.types import Outcome, Turn

OUT = Path(__file__).parent.parent / "src/anaphor/steps/reconstruct/tables/centre.txt"
PENALTY = 2.0
STEPS, RATE = 300, 0.1
FOLDS, SEED = 5, 0


@dataclass(frozen=True)
class Example:
    """What each thing shows, and which of them are right."""

    conversation: str
    shown: list[dict[str, float]]
    right: list[bool]


def examples(data: Path) -> Iterator[Example]:
    titles = {
        passage["id"]: matching(passage["title"], "zh-Hans")
        for passage in map(json.loads, (data / "rag/kdconv_passages.jsonl").read_text("utf-8").splitlines())
    }
    for line in (data / "rag/kdconv_zh.jsonl").read_text("utf-8").splitlines():
        conversation = json.loads(line)
        for history, question, gold in asked(conversation["turns"]):
            meant = {titles[g] for g in gold if g in titles}
            if meant and not any(title in matching(question, "zh-Hans") for title in meant):
                example = _example(conversation["id"], history, question, meant)
                if example is not None:
                    yield example


def asked(turns: list[dict[str, object]]) -> Iterator[tuple[list[Turn], str, list[str]]]:
    """Each question of the person with what was said before, and the gold passages of its answer."""
    history: list[Turn] = []
    for one, two in itertools.pairwise(turns):
        if one["role"] != "user" or two["role"] == "user":
            continue
        question, answer = str(one["content"]), str(two["content"])
        if history and ("？" in question or "?" in question):
            yield list(history), question, list(two["gold_passages"])  # type: ignore[call-overload]
        history.append(Turn(str(len(history)), len(history) + 1, question, Outcome.ANSWERED, answer))


def _example(conversation: str, history: list[Turn], question: str, meant: set[str]) -> Example | None:
    thread = replay(history)
    heard = hear(question, thread.talk)
    own = {p.key for p in heard.topics}
    found = [t for t in things(thread) if t.name.key not in own]
    pointing = next(iter(from_outside(references(heard.seen, heard.language), heard)), None)
    wanted, head = (pointing.kind, pointing.head) if pointing else (UNSAID, "")
    right = [any(_is_called(t.name.key, title) for title in meant) for t in found]
    return Example(conversation, [features(t, wanted, head) for t in found], right) if any(right) else None


def _is_called(key: str, title: str) -> bool:
    if key == title or (title in key and len(key) <= len(title) + 4):
        return True
    return key in title and len(key) >= max(2, 0.5 * len(title))


def fit(learned: list[Example], names: list[str]) -> np.ndarray:
    column = {name: n for n, name in enumerate(names)}
    tables = []
    for example in learned:
        table = np.zeros((len(example.shown), len(names)))
        for row, shown in enumerate(example.shown):
            for name, value in shown.items():
                table[row, column[name]] = value
        tables.append((table, np.array(example.right, float)))
    weights, speed = np.zeros(len(names)), np.zeros(len(names))
    for _ in range(STEPS):
        slope = -PENALTY * weights
        for table, right in tables:
            chance = np.exp((s := table @ weights) - s.max())
            chance /= chance.sum()
            wanted = chance * right
            slope += table.T @ (wanted / wanted.sum() - chance)
        speed = 0.9 * speed + slope / len(tables)
        weights = weights + RATE * speed
    return weights


def hits(weights: np.ndarray, names: list[str], held: list[Example]) -> int:
    by_name = dict(zip(names, weights, strict=True))
    score = [[sum(by_name.get(n, 0.0) * v for n, v in shown.items()) for shown in e.shown] for e in held]
    return sum(e.right[max(range(len(s)), key=s.__getitem__)] for e, s in zip(held, score, strict=True))


def main(data: Path) -> None:
    every = list(examples(data))
    names = sorted({name for e in every for shown in e.shown for name in shown})
    talks = sorted({e.conversation for e in every})
    random.Random(SEED).shuffle(talks)
    right = 0
    for fold in range(FOLDS):
        held = set(talks[fold::FOLDS])
        learned = fit([e for e in every if e.conversation not in held], names)
        right += hits(learned, names, [e for e in every if e.conversation in held])
    print(f"{right} of {len(every)} right out of fold ({right / len(every):.3f}); {len(talks)} conversations")
    weights = fit(every, names)
    lines = [f"{name} {weight:.3f}" for name, weight in zip(names, weights, strict=True) if abs(weight) >= 0.01]
    OUT.write_text(
        "# Made by scripts/train_centre.py: what each feature speaks for.\n" + "\n".join(lines) + "\n", "utf-8"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "rag").is_dir():
        sys.exit("usage: train_centre.py DATA, the folder of the evaluation sets")
    main(Path(sys.argv[1]))

"""Learn what an English question is about besides what it says: the weights of ``anaphor.steps.reconstruct.spans``.

    .venv/bin/python scripts/train_spans.py DATA     (or make train DATA=…)

Learned from people's rewrites in CAsT (MIT) and MTRAG (Apache-2.0), ``rewrite/cast_en.jsonl`` and
``rewrite/mtrag_en.jsonl``, and from nothing else. An example is a thing that was named in the turns before, as the
product itself had understood them; of its content words that the rules did not bring in, those that the person's
rewrite has speak for it, and the others against it.

A logistic regression with a quadratic penalty on standardised features, by Newton's method: no seed, no order. Prints
how it does in five folds of conversations, seed 0: the log loss of a word, that of the mean alone, and how many of the
words that are given so much were the person's.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphor.steps.reconstruct import replay
from anaphor.steps.reconstruct.decide import decide
from anaphor.steps.reconstruct.heard import hear
from anaphor.steps.reconstruct.span_features import Around, candidates, of_span, of_utterance
from anaphor.types import Outcome, Turn
from anaphor_eval.content import content_tokens
from anaphor_eval.datasets import Conversation, GoldTurn, read_as
from anaphor_eval.rewriters import exchanges

SETS = ("cast_en", "mtrag_en")
OUT = Path(__file__).parent.parent / "src/anaphor/steps/reconstruct/tables/spans.txt"
PENALTY = 60.0
STEPS = 30
FOLDS, SEED = 5, 0
GIVEN = (0.05, 0.1, 0.2, 0.3, 0.5, 1.01)


@dataclass(frozen=True)
class Example:
    """A thing: what it shows, and how many of its words the person brought in and how many not."""

    conversation: str
    shown: dict[str, float]
    brought: int
    left: int


def examples(path: Path) -> Iterator[Example]:
    for conversation in read_as(path, Conversation).items:
        for turn in conversation.turns:
            if turn.standalone and turn.history:
                yield from of_turn(conversation.conversation_id, turn)


def of_turn(conversation: str, turn: GoldTurn) -> Iterator[Example]:
    thread = replay(
        [
            Turn(str(n), n, question, Outcome.ANSWERED if answer else Outcome.FAILED, answer)
            for n, (question, answer) in enumerate(exchanges(turn.history), 1)
        ]
    )
    heard = hear(turn.utterance, thread.talk)
    if heard.language != "en" or not thread.said:
        return
    reading = decide(heard, thread)
    there = Counter(content_tokens(turn.utterance)) | Counter(content_tokens(reading.text))
    wanted = Counter(content_tokens(turn.standalone[0])) - there
    found = candidates(heard, thread, reading)
    always = of_utterance(heard, thread, reading, len(found))
    around = Around.of(heard, thread)
    for entity in found:
        words = [word for word in set(content_tokens(entity.name.text)) if word not in there]
        brought = sum(word in wanted for word in words)
        yield Example(conversation, always | of_span(entity, around), brought, len(words) - brought)


class Fitted:
    """Weights by feature; ``always`` is added to every score."""

    def __init__(self, found: Sequence[Example]) -> None:
        self.names = sorted({name for example in found for name in example.shown})
        shown = self.matrix(found)
        mean, spread = shown.mean(0), shown.std(0)
        spread[spread == 0] = 1.0
        standard = np.column_stack([np.ones(len(found)), (shown - mean) / spread])
        yes = np.array([example.brought for example in found], float)
        number = yes + np.array([example.left for example in found], float)
        weights = np.zeros(standard.shape[1])
        penalty = np.full(len(weights), PENALTY)
        penalty[0] = 0.0
        for _ in range(STEPS):
            chance = 1 / (1 + np.exp(-standard @ weights))
            slope = standard.T @ (yes - number * chance) - penalty * weights
            bend = (standard * (number * chance * (1 - chance))[:, None]).T @ standard + np.diag(penalty + 1e-9)
            weights += np.linalg.solve(bend, slope)
        self.weights = weights[1:] / spread
        self.always = float(weights[0] - self.weights @ mean)

    def matrix(self, found: Sequence[Example]) -> np.ndarray:
        at = {name: n for n, name in enumerate(self.names)}
        matrix = np.zeros((len(found), len(self.names)))
        for row, example in enumerate(found):
            for name, value in example.shown.items():
                if name in at:
                    matrix[row, at[name]] = value
        return matrix

    def chances(self, found: Sequence[Example]) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-self.matrix(found) @ self.weights - self.always)))

    def text(self) -> str:
        rows = [("always", self.always), *zip(self.names, self.weights.tolist(), strict=True)]
        head = "# Made by scripts/train_spans.py: what each feature speaks for.\n"
        return head + "".join(f"{name} {weight:.3f}\n" for name, weight in rows if f"{weight:.3f}".strip("-0."))


def out_of_fold(found: Sequence[Example]) -> np.ndarray:
    conversations = sorted({e.conversation for e in found})
    random.Random(SEED).shuffle(conversations)
    fold = {conversation: n % FOLDS for n, conversation in enumerate(conversations)}
    chances = np.zeros(len(found))
    for n in range(FOLDS):
        held = [row for row, e in enumerate(found) if fold[e.conversation] == n]
        chances[held] = Fitted([e for e in found if fold[e.conversation] != n]).chances([found[row] for row in held])
    return chances


def report(found: Sequence[Example], chances: np.ndarray) -> None:
    yes = np.array([e.brought for e in found], float)
    no = np.array([e.left for e in found], float)
    mean = yes.sum() / (yes + no).sum()
    loss = -(yes * np.log(chances) + no * np.log(1 - chances)).sum() / (yes + no).sum()
    alone = -(mean * np.log(mean) + (1 - mean) * np.log(1 - mean))
    print(
        f"{len(found)} things, {int((yes + no).sum())} words, log loss {loss:.4f} out of fold (the mean: {alone:.4f})"
    )
    least = 0.0
    for most in GIVEN:
        here = (chances >= least) & (chances < most)
        if words := (yes + no)[here].sum():
            given, were = (chances * (yes + no))[here].sum() / words, yes[here].sum() / words
            between = f"given {least:.2f} to {min(most, 1):.2f}"
            print(f"  {between}: {int(words)} words, {given:.3f} on average, {were:.3f} right")
        least = most


def main() -> None:
    data = Path(sys.argv[1])
    found = [e for name in SETS for e in examples(data / "rewrite" / f"{name}.jsonl")]
    report(found, out_of_fold(found))
    OUT.write_text(Fitted(found).text())


if __name__ == "__main__":
    main()

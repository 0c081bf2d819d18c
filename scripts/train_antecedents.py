"""Learn which earlier thing an English pronoun means: the weights of ``anaphor.steps.reconstruct.ranking``.

    .venv/bin/python scripts/train_antecedents.py DATA     (or make train DATA=…)

Learned from people's rewrites in CAsT (MIT) and MTRAG (Apache-2.0), ``rewrite/cast_en.jsonl`` and
``rewrite/mtrag_en.jsonl``, and from nothing else. Where an utterance points back, the entity that the person's rewrite
put in its place is the right one, or "none" if it put none. The history of each is what the product itself made of it.

The fit is a conditional logit, drawn towards what is known of pronouns (``KNOWN``) by a quadratic penalty, since there
are only some 250 examples. Prints how many are right in five folds of conversations, seed 0.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphor.steps.reconstruct import replay
from anaphor.steps.reconstruct.agreement import Weighed
from anaphor.steps.reconstruct.antecedents import asked_name
from anaphor.steps.reconstruct.entities import entities, pronoun_class
from anaphor.steps.reconstruct.heard import hear
from anaphor.steps.reconstruct.references import from_outside, references
from anaphor.types import Outcome, Turn
from anaphor_eval.content import content_tokens
from anaphor_eval.datasets import Conversation, GoldTurn, read_as
from anaphor_eval.rewriters import exchanges

SETS = ("cast_en", "mtrag_en")
OUT = Path(__file__).parent.parent / "src/anaphor/steps/reconstruct/tables/antecedents.txt"
PENALTY = 5.0
STEPS, RATE = 400, 0.05
FOLDS, SEED = 5, 0
POINTING = ("persons", "things", "plural", "places", "owners", "demonstratives")
# What is known before any example is seen: recency, agreement, and that talk keeps to what it is about.
KNOWN = {
    "age": -1.0,
    "asked for": 0.6,
    "asked now": 0.3,
    "asked which": -1.5,
    "carried on by the same": 1.5,
    "many: acts": 0.7,
    "many: only after a preposition": -0.7,
    "many: plural": 1.0,
    "many: quoted": -1.5,
    "none person": 0.5,
    "person: acts": 1.0,
    "person: another's": -4.0,
    "person: asked for": 0.5,
    "person: called": 1.0,
    "person: called by one": 0.6,
    "person: introduced": -1.0,
    "person: known already": 1.5,
    "person: where it was": -3.0,
    "person: no name": -1.0,
    "person: not called": -2.0,
    "person: only after a preposition": -1.0,
    "person: person": 1.0,
    "place: asked for": 1.5,
    "place: named": 0.5,
    "place: place": 1.5,
    "place: somebody": -3.0,
    "such: beside the word": 1.5,
    "such: named": 0.5,
    "such: named, of a sort": 1.0,
    "such: no name, not so called": -3.0,
    "such: ordinal": -1.0,
    "such: person": -2.5,
    "such: person, of a person": 1.0,
    "such: place": -1.5,
    "such: quoted": 1.0,
    "such: so called": 2.0,
    "thing: person": -2.0,
    "thing: plural": -1.0,
    "thing: somebody": -2.0,
    "turns": 0.5,
}


@dataclass(frozen=True)
class Example:
    """What each entity shows, "none" last, and which of them are right."""

    conversation: str
    shown: list[dict[str, float]]
    right: list[bool]


def examples(path: Path) -> Iterator[Example]:
    for conversation in read_as(path, Conversation).items:
        for turn in conversation.turns:
            if turn.standalone and turn.history and (found := example(conversation.conversation_id, turn)):
                yield found


def example(conversation: str, turn: GoldTurn) -> Example | None:
    thread = replay(
        [
            Turn(str(n), n, question, Outcome.ANSWERED if answer else Outcome.FAILED, answer)
            for n, (question, answer) in enumerate(exchanges(turn.history), 1)
        ]
    )
    heard = hear(turn.utterance, thread.talk)
    if heard.language != "en" or not thread.said:
        return None
    pointing = [r for r in from_outside(references(heard.seen, "en"), heard) if r.kind in POINTING]
    if not pointing:
        return None
    wanted, said = pronoun_class(pointing[0].kind, pointing[0].text), pointing[0].text
    own = {p.key for p in heard.topics}
    head = pointing[0].head
    candidates = [e for e in entities(thread) if e.key not in own | {head}]
    brought = Counter(content_tokens(turn.standalone[0])) - Counter(content_tokens(turn.utterance))
    alike = [agreement(Counter(content_tokens(e.name.text)), brought) for e in candidates]
    best = max(alike, default=0.0)
    right = [value == best and best > 0 for value in alike]
    shown = [Weighed(e, wanted, said, thread, asked_name(thread), head).features() for e in candidates]
    return Example(conversation, [*shown, {f"none {wanted}": 1.0}], [*right, not any(right)])


def agreement(name: Counter[str], brought: Counter[str]) -> float:
    """F1 of a name's words with what the person brought in; 0 if more than half of the name is something else."""
    both = (name & brought).total()
    return 2 * both / (name.total() + brought.total()) if both * 2 >= max(1, name.total()) else 0.0


def fit(found: list[Example]) -> dict[str, float]:
    """Adam on the penalised likelihood of the right ones taken together."""
    names = sorted({name for e in found for shown in e.shown for name in shown} | set(KNOWN))
    at = {name: n for n, name in enumerate(names)}
    cases = []
    for e in found:
        matrix = np.zeros((len(e.shown), len(names)))
        for row, shown in enumerate(e.shown):
            for name, value in shown.items():
                matrix[row, at[name]] = value
        cases.append((matrix, np.array(e.right, float)))
    known = np.array([KNOWN.get(name, 0.0) for name in names])
    weights, first, second = known.copy(), np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        slope = PENALTY * (weights - known)
        for matrix, right in cases:
            chance = softmax(matrix @ weights)
            wanted = chance * right
            slope += matrix.T @ (chance - wanted / wanted.sum())
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return dict(zip(names, weights.tolist(), strict=True))


def softmax(scores: np.ndarray) -> np.ndarray:
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


def share_right(found: list[Example]) -> tuple[int, int]:
    """Out of fold: how many examples have a right choice, "none" included."""
    conversations = sorted({e.conversation for e in found})
    random.Random(SEED).shuffle(conversations)
    fold = {conversation: n % FOLDS for n, conversation in enumerate(conversations)}
    right = 0
    for n in range(FOLDS):
        weights = fit([e for e in found if fold[e.conversation] != n])
        for e in found:
            if fold[e.conversation] == n:
                scores = [sum(weights.get(name, 0.0) * v for name, v in shown.items()) for shown in e.shown]
                right += e.right[int(np.argmax(scores))]
    return right, len(found)


def main() -> None:
    data = Path(sys.argv[1])
    found = [e for name in SETS for e in examples(data / "rewrite" / f"{name}.jsonl")]
    right, of = share_right(found)
    print(f"{right} of {of} right, out of fold")
    rows = [f"{name} {weight:.3f}\n" for name, weight in sorted(fit(found).items())]
    OUT.write_text("# Made by scripts/train_antecedents.py: what each feature speaks for.\n" + "".join(rows))


if __name__ == "__main__":
    main()

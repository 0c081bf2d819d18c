"""``python -m anaphor_eval.derive QUESTIONS PASSAGES [N] [SEED]``: N follow-ups drawn at random, to be read by eye.

Each is shown with the turn before it, its answer, the question as it was published, and what it was made from.
"""

from __future__ import annotations

import random
import sys

from anaphor.errors import AnaphorError
from anaphor_eval.datasets import SingleQuestion, read_as, read_pool
from anaphor_eval.derive import derived


def main(questions: str, passages: str, n: str = "60", seed: str = "7") -> None:
    made = derived(read_as(questions, SingleQuestion), read_pool([passages]), seed=1)
    follow_ups = [
        (conversation.domain, before, turn)
        for conversation in made.items
        for before, turn in zip(conversation.turns, conversation.turns[1:], strict=False)
        if "follow_up" in turn.slices
    ]
    drawn = random.Random(int(seed)).sample(follow_ups, min(int(n), len(follow_ups)))
    for number, (title, before, turn) in enumerate(drawn, 1):
        print(f"{number}. [{title}]  {before.utterance} → {''.join(before.answers[:1])}")
        print(f"      {turn.utterance}")
        print(f"      ({turn.standalone[0]})")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (AnaphorError, TypeError) as error:
        sys.exit(f"{error}\n{__doc__}" if isinstance(error, TypeError) else str(error))

"""A question put in the words that the passages use: 不見了 for 遺失, dog for pet, 日曜日 for 土日.

Only a word that no passage has is exchanged, and only for one that a passage has: for another word of its row, or for
what it is one of (a dog for a pet, and no pet for a dog). Days, months and amounts: ``stretches``.
"""

from __future__ import annotations

from collections.abc import Sequence

from anaphor.steps.reading import folding, read
from anaphor.text.fold import matching
from anaphor.text.other_words import alike, of_a_kind, pattern_of, stands
from anaphor.text.region_words import alternatives, region_words
from anaphor.text.stretches import amounts_in, cycles, put_amounts
from anaphor.types import Passage


def as_said_there(text: str, passages: Sequence[Passage], way: str) -> str:
    """The question, folded the passages' way where a word of it is exchanged; else as it is.

    ``way``: only passages that are folded so are looked at.
    """
    here = [passage for passage in passages if folding(passage.language) == way]
    folded = matching(text, way)
    if not here:
        return text
    found = [words for words in alike() if any(stands(word, folded) for word in words)]
    kinds = [row for row in of_a_kind() if any(stands(word, folded) for word in row[1])]
    regional = way == "zh" and bool(alternatives(folded))
    timed = [cycle for cycle in cycles() if cycle.named(folded)]
    if not (found or kinds or regional or timed or amounts_in(folded)):
        return text
    shown = "\n".join(f"{read(p).heading.folded}\n{_said(p)}" for p in here)
    exchanged = folded
    if regional:
        for word, others in region_words().items():
            if word in folded and word not in shown:
                exchanged = exchanged.replace(word, next((other for other in others if other in shown), word))
    for row, names in (*((words, words) for words in found), *((members, names) for names, members in kinds)):
        for word in row:
            if stands(word, exchanged) and not stands(word, shown):
                there = next((name for name in names if stands(name, shown)), word)
                exchanged = pattern_of(word).sub(there, exchanged)
    for cycle in timed:
        exchanged = cycle.put(exchanged, shown)
    exchanged = put_amounts(exchanged, shown)
    return text if exchanged == folded else exchanged


def _said(passage: Passage) -> str:
    return "\n".join(sentence.text.folded for sentence in read(passage).sentences)

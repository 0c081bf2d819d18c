"""What a person has rejected is not answered with: the sentences that say it are left out of what is found.

The turn stays as it was said, and a decision can be taken back: nothing is removed, it is only not quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphor.facts import Status
from anaphor.ports import Memories
from anaphor.text.sentences import sentences
from anaphor.types import EvidenceClass, Hit, Passage, Scope, Words

LOOKED_AT = 64  # of the retired facts, those said last


def rejected(memories: Memories, scope: Scope) -> tuple[Words, ...]:
    """Where the person said what they rejected later; what faded by itself, or was said again since, is not meant."""
    found: list[Words] = []
    for fact in memories.facts(scope, [Status.RETIRED], limit=LOOKED_AT):
        last = memories.history(scope, fact.fact_id)[-1]
        if last.by != "memory":
            found += [
                Words(said.session_id, said.seq, said.statement.start, said.statement.end)
                for said in memories.sayings(scope, fact.fact_id)
                if said.said_at <= last.at
            ]
    return tuple(found)


def without(hits: Sequence[Hit], words: Sequence[Words]) -> tuple[Hit, ...]:
    """The hits with blanks where such words stand, so that every offset stays; a hit of nothing else is left out."""
    if not words:
        return tuple(hits)
    left = [(hit, _blanked(hit.passage, words)) for hit in hits]
    kept = [(hit, passage) for hit, passage in left if passage.text.strip()]
    return tuple(
        hit if passage is hit.passage and n == hit.rank else replace(hit, passage=passage, rank=n)
        for n, (hit, passage) in enumerate(kept, 1)
    )


def _blanked(passage: Passage, words: Sequence[Words]) -> Passage:
    if passage.evidence_class is not EvidenceClass.USER_STATEMENT:
        return passage
    here = [one for one in words if (one.session_id, one.seq) == (passage.source, passage.seq)]
    text = passage.text
    for sentence in sentences(text) if here else ():
        start, end = passage.start + sentence.start, passage.start + sentence.end
        if any(one.start < end and start < one.end for one in here):
            text = text[: sentence.start] + " " * (sentence.end - sentence.start) + text[sentence.end :]
    return passage if text == passage.text else replace(passage, text=text)

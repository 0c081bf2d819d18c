"""What a person has decided in review reaches the answers.

A sentence that was rejected is left out of what is found. One that was put in other words gives way to these, where it
stood: they are the person's own, and as much evidence as what was said in a turn. The turn itself stays as it was
said, and a decision can be taken back: nothing is removed, it is only not quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from anaphor.facts import Fact, Status
from anaphor.ports import Memories
from anaphor.text.erased import joined
from anaphor.text.sentences import sentences
from anaphor.types import EvidenceClass, Hit, Passage, Scope, Span, Words

LOOKED_AT = 64  # of the facts that were decided about, those decided last


def decided(memories: Memories, scope: Scope) -> tuple[Words, ...]:
    """Where the person said what they rejected or put in other words later, and what stands there now.

    What was said again since the decision is not meant by it.
    """
    found = []
    facts = memories.decided(scope, LOOKED_AT)
    said = memories.passages(scope, [fact.fact_id for fact, _ in facts]) if facts else {}
    for fact, at in facts:
        instead = in_other_words(fact, said.get(fact.fact_id, ()))
        found += [
            Words(one.session_id, one.seq, one.statement.start, one.statement.end, instead)
            for one in memories.sayings(scope, fact.fact_id)
            if one.said_at <= at
        ]
    return tuple(found)


def in_other_words(fact: Fact, said: Sequence[Passage]) -> Passage | None:
    """The fact's words as a person has put them, in the place of those of its turn; ``None`` where nobody has.

    Its id names the version that has them, so that what was quoted can be told again.
    """
    words = fact.statement.words if fact.status is not Status.RETIRED else ""
    own = next((one for one in said if (one.source, one.seq) == (fact.session_id, fact.seq)), None)
    if not words or own is None:
        return None
    return replace(own, passage_id=f"{fact.fact_id}@{fact.version}", text=words, start=0, end=len(words))


def settled(hits: Sequence[Hit], words: Sequence[Words]) -> tuple[Hit, ...]:
    """The hits with blanks where such words stand, so that every offset stays; a hit of nothing else is left out.

    What stands there instead comes just before what is left.
    """
    if not words:
        return tuple(hits)
    kept: dict[str, Hit] = {}
    for hit in hits:
        for one in _settled(hit, words):
            kept.setdefault(one.passage.passage_id, one)
    return tuple(hit if hit.rank == n else replace(hit, rank=n) for n, hit in enumerate(kept.values(), 1))


def _settled(hit: Hit, words: Sequence[Words]) -> Iterator[Hit]:
    passage = hit.passage
    here = [one for one in words if (one.session_id, one.seq) == (passage.source, passage.seq)]
    replaced = any(one.instead is not None and one.instead.passage_id == passage.passage_id for one in here)
    if not here or replaced or passage.evidence_class is not EvidenceClass.USER_STATEMENT:
        yield hit
        return
    text = passage.text
    for sentence in sentences(text):
        start, end = passage.start + sentence.start, passage.start + sentence.end
        meant = [one for one in here if one.start < end and start < one.end]
        for gone in _gone(passage, sentence, meant):
            text = text[: gone.start] + " " * (gone.end - gone.start) + text[gone.end :]
        for one in meant:
            if one.instead is not None:
                yield replace(hit, passage=one.instead, best=None)
    if text == passage.text:
        yield hit
    elif text.strip():
        yield replace(hit, passage=replace(passage, text=text))


def _gone(passage: Passage, sentence: Span, meant: Sequence[Words]) -> Sequence[Span]:
    """What of the sentence is left out: where it stands in other words now all of it, else the clauses rejected.

    All of it too where hardly anything is left beside them.
    """
    if not meant:
        return ()
    said = passage.text[sentence.start : sentence.end]
    clauses = [_at(one, passage, sentence) for one in meant if one.instead is None]
    left = joined(said, clauses)
    if len(clauses) < len(meant) or left is None:
        return (sentence,)
    return [Span(sentence.start + one.start, sentence.start + one.end) for one in left]


def _at(one: Words, passage: Passage, sentence: Span) -> Span:
    first = passage.start + sentence.start
    return Span(max(0, one.start - first), min(sentence.end - sentence.start, one.end - first))

"""What was said beside a hit: an answer seldom repeats the words of the question that it answers.

Each remembered hit gives part of its score to what was said shortly before and after it in its session, whether a
retriever found that or not. ("That was in March, with my sister" is next to what it is about.) What one person says in
one message after another is as often about something else: where nothing stands between two of them, no question and
no reply, they count as being twice as far apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anaphor.ports import Documents
from anaphor.text.patterns import pattern
from anaphor.types import EvidenceClass, Hit, Passage, Scope

SHARES = (0.4, 0.25, 0.12, 0.06)  # of a hit's score, to what stands so many numbers from it: one, two, three, four
REACH = 3  # passages on either side that are looked at
ASKED = 40  # hits whose neighbours are looked for: those further down would give next to nothing

SAID = frozenset({EvidenceClass.USER_STATEMENT, EvidenceClass.ASSISTANT_STATEMENT})

_SPEAKER = pattern(r"([^\W\d_][^:：\n]{0,30}?)\s?[:：]\s?(?=\S)")


def shared(documents: Documents, scope: Scope, hits: Sequence[Hit]) -> list[Hit]:
    """The hits and their neighbours, best first. Hits in documents keep the score they have."""
    said = [hit for hit in hits if hit.passage.evidence_class in SAID][:ASKED]
    if not said:
        return list(hits)
    around = documents.around(scope, [hit.passage.passage_id for hit in said], REACH)
    scores = {hit.passage.passage_id: hit.score for hit in hits}
    passages: dict[str, Passage] = {}
    for hit in said:
        for passage, share in _shares(hit.passage, around.get(hit.passage.passage_id, ())):
            name = passage.passage_id
            passages[name] = passage
            scores[name] = scores.get(name, 0.0) + share * hit.score
    passages |= {hit.passage.passage_id: hit.passage for hit in hits}
    ranks = {hit.passage.passage_id: hit.ranks for hit in hits}
    best = sorted(passages, key=lambda name: -scores[name])
    return [Hit(passages[name], scores[name], n, ranks.get(name, {})) for n, name in enumerate(best, 1)]


def _shares(passage: Passage, beside: Sequence[Passage]) -> Iterator[tuple[Passage, float]]:
    """What stands near enough to the passage, and the share of its score that it gets."""
    own = next((at for at, other in enumerate(beside) if other.passage_id == passage.passage_id), None)
    for at, other in enumerate(beside):
        if own is not None and at != own and (apart := _apart(passage, other, abs(at - own))) <= len(SHARES):
            yield other, SHARES[apart - 1]


def _apart(one: Passage, other: Passage, places: int) -> int:
    """By their numbers in the session, of which what nobody remembers has some too; by their places without."""
    apart = max(1, abs(one.seq - other.seq)) if one.seq is not None and other.seq is not None else places
    return 2 * places if apart == places and _of_one(one, other) else apart


def _of_one(one: Passage, other: Passage) -> bool:
    """Both are the person's who talks to the assistant; of several people each is named before what they said."""
    return one.evidence_class is other.evidence_class and not speaker(one) and not speaker(other)


def speaker(passage: Passage) -> str:
    """Who said it, where that stands before it (``Mei: …``), in lower case; empty elsewhere."""
    if passage.evidence_class not in SAID:
        return ""
    begins = passage.text[:40]
    match = _SPEAKER.match(begins) if ":" in begins or "：" in begins else None
    return match[1].casefold() if match else ""

"""A thing that a question describes instead of naming it: 「那個規模是三千人的活動，地點在哪？」

One message tells what the thing is called and the size of it; where it takes place is said in another, which shares its
name with the first and nothing with the question. So what has rare words in common with the best hits, beside those of
the question, gets part of their score. Only for such questions: elsewhere the best hit has said it already, and what
resembles it would push aside what does not. What merely stands beside a hit says no more of the thing than the rest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from anaphor.steps.alike import words
from anaphor.text.patterns import pattern
from anaphor.types import Hit, StandaloneQuery

SHARED = 1.0  # of a best hit's score, to what says the same in all its words
BEST = 2  # hits that may be the ones described
LOOKED_AT = 60  # hits

_DESCRIBES = pattern(
    r"(?i)\b(?:the|that) \w+(?: \w+)? (?:that|who|whom|whose|which|where)\b|\bsomeone who\b"
    "|那[個个位場场次件名家間间款本部份](?![時时])"
    "|(?:あの|例の|その)[^、。？！?!]{0,20}(?:人|店|会|件|もの|ところ|催し|イベント)"
)


def describes(query: StandaloneQuery) -> bool:
    return _DESCRIBES.search(query.text[:2000]) is not None


def bridged(query: StandaloneQuery, hits: Sequence[Hit]) -> Sequence[Hit]:
    """The hits, best first, with what they have from the best of them.

    Hits further down than ``LOOKED_AT`` keep their scores and places.
    """
    if len(hits) <= BEST:
        return hits
    near = hits[:LOOKED_AT]
    said = [words(hit.passage.text, hit.passage.language) for hit in near]
    rarity = _rarity(said)
    asked = words(query.text, query.language)
    whole = [math.sqrt(sum(map(rarity.__getitem__, each)) or 1.0) for each in said]
    scores = [hit.score for hit in near]
    for best in range(BEST):
        own = said[best] - asked
        for n, other in enumerate(said):
            if n != best:
                common = sum(map(rarity.__getitem__, own & other))
                scores[n] += SHARED * near[best].score * common / (whole[n] * whole[best])
    order = sorted(range(len(near)), key=lambda n: -scores[n])
    again = [replace(near[n], score=scores[n]) for n in order]
    return [replace(hit, rank=rank) for rank, hit in enumerate([*again, *hits[LOOKED_AT:]], 1)]


def _rarity(said: Sequence[frozenset[str]]) -> dict[str, float]:
    have = Counter(word for each in said for word in each)
    n = len(said)
    return {word: math.log1p((n - k + 0.5) / (k + 0.5)) for word, k in have.items()}

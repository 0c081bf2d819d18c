"""Questions over the whole of a past: in what order things came up, or all of it told in short.

Their pieces have little in common with the question, and are spread over many sittings. What a sitting is about is said
when it begins; what comes later in it is mostly detail. So for such questions what stands early in its sitting counts
for more, and more is looked at. Its score is multiplied: what has nothing to do with the question stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphor.steps.beside import SAID
from anaphor.text.patterns import pattern
from anaphor.types import Hit, StandaloneQuery

EARLY = 5.0  # times its score, to what stands first in its sitting
WIDE = 2  # times as many hits are looked at
LONGEST = 2000  # characters of a question that are looked at

_OVER_TIME = pattern(
    r"(?i)\border (?:in which|that) (?:i|we)\b|\bin (?:the |what |which )?(?:right |chronological )?order\b(?! to\b)"
    r"|\bchronolog|\btimeline\b|\b(?:summar(?:y|i[sz]e)|overview|recap)\b.{0,60}\b(?:i|i've|my|we|our|us)\b"
    "|(?:依|按|照)(?:時間|时间)?(?:順序|顺序|先後|先后)|依序|什[麼么](?:順序|顺序|次序)|先後(?:提|談|聊|問|說)|先后(?:提|谈|聊|问|说)|(?:時間|时间)[軸轴線线]"
    "|來龍去脈|来龙去脉"
    "|(?:請|请|幫|帮|可以|能|你)[^。？！?!]{0,10}(?:總結|总结|摘要|回顧|回顾|概述|概括)"
    "|^(?:總結|总结|摘要|回顧|回顾|概述|概括)(?=一下|我|這|这|到|之前|所有)"
    "|時系列|順番に|順を追って|どの(?:順番|順序)|どういう(?:順番|順序)|経緯"
    "|(?:まとめ|要約し|振り返っ)て(?:ください|下さい|くれ|ほしい|もらえ)"
)


def over_time(query: StandaloneQuery) -> bool:
    return _OVER_TIME.search(query.text[:LONGEST]) is not None


def outset(hits: Sequence[Hit]) -> list[Hit]:
    """The hits, best first, what stands early in its sitting for more than what comes late."""
    places: dict[str, list[int]] = {}
    for hit in hits:
        if hit.passage.evidence_class in SAID and hit.passage.seq is not None:
            places.setdefault(hit.passage.source, []).append(hit.passage.seq)
    scores = [hit.score * (1 + EARLY * _early(hit, places)) for hit in hits]
    order = sorted(range(len(hits)), key=lambda n: -scores[n])
    return [replace(hits[n], score=scores[n], rank=rank) for rank, n in enumerate(order, 1)]


def _early(hit: Hit, places: dict[str, list[int]]) -> float:
    """1 for the first of those that were found of its sitting, 0 for the last."""
    if hit.passage.evidence_class not in SAID or hit.passage.seq is None:
        return 0.0
    first, last = min(places[hit.passage.source]), max(places[hit.passage.source])
    return 1 - (hit.passage.seq - first) / max(1, last - first)

"""What limits a sentence is quoted with it: "After that nothing is refunded", ただし…, 七天後不退.

A quotation that is cut before its limit says the reverse of what its source says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.kinds import Kind
from anaphor.steps.answer.rank import Place
from anaphor.steps.reading import Text, folding, is_cjk, read, ready
from anaphor.text.marks import MARK
from anaphor.text.patterns import pattern
from anaphor.types import Passage

SHORT = 3  # sentences of a paragraph that is quoted whole, where only its heading has what is asked for


def with_limits(asked: Asked, chosen: Sequence[Place], passages: Mapping[int, Passage]) -> list[Place]:
    """The places that are quoted, with what limits the last of them and what the first of them limits."""
    if not chosen:
        return []
    first, last = chosen[0], chosen[-1]
    passage = passages[first.n]
    before, after = _beside(first, -1, passages), _beside(last, 1, passages)
    if len(chosen) == 1 and (whole := _whole(asked, first, passage)):
        return whole
    limited = before and (_LIMITS.match(passage.text, _start(first, passage)) or _rule(asked, before, first, passage))
    ends = passages[last.n]
    limits = after and _LIMITS.match(ends.text, _start(after, ends))
    kept = [*([before] if before and limited else []), *chosen, *([after] if after and limits else [])]
    return list({(place.n, place.at): place for place in kept}.values())


def _start(place: Place, passage: Passage) -> int:
    return read(passage).sentences[place.at].start


def _beside(place: Place, away: int, passages: Mapping[int, Passage]) -> Place | None:
    """The sentence before or behind on the same line, where it may be quoted and is no item of its own."""
    passage = passages[place.n]
    found = read(passage).sentences
    at = place.at + away
    if not 0 <= at < len(found) or not found[at].quotable or found[at].row or found[place.at].row:
        return None
    one, other = sorted((found[place.at], found[at]), key=lambda s: s.start)
    line = "\n" in passage.text[one.end : other.start]
    return None if line or MARK.match(passage.text, other.start) else Place(place.n, at)


def _rule(asked: Asked, before: Place, best: Place, passage: Passage) -> bool:
    """Whether the sentence before is the rule, and the best its exception: it has all of the question that this has."""
    if asked.kind is not Kind.YES_NO:
        return False
    had, has = (_own(asked, place, passage) for place in (best, before))
    return bool(had) and had <= has


def _own(asked: Asked, place: Place, passage: Passage) -> set[str]:
    return _of(asked, read(passage).sentences[place.at].text, passage)


def _of(asked: Asked, text: Text, passage: Passage) -> set[str]:
    wanted = asked.weights(folding(passage.language))
    return text.of({t for t in wanted if t[0] != "\0" and (len(t) > 1 or not is_cjk(t))})


def _whole(asked: Asked, best: Place, passage: Passage) -> list[Place]:
    """What is charged, with the sentences beside, where only the heading has what is asked for."""
    heading = ready(passage.section.rpartition("› ")[2], folding(passage.language))
    found = read(passage).sentences
    if not any(aspect.name == "price" for aspect in asked.aspects):
        return []
    if not _of(asked, heading, passage) or _own(asked, best, passage) or MARK.match(passage.text, found[best.at].start):
        return []
    line = [best]
    for away in (-1, 1):
        while (
            len(line) <= SHORT
            and (beside := _beside(line[0 if away < 0 else -1], away, {best.n: passage}))
            and _CHARGES.search(passage.text, found[beside.at].start, found[beside.at].end)
        ):
            line = [beside, *line] if away < 0 else [*line, beside]
    return [best if p.at == best.at else p for p in line] if 1 < len(line) <= SHORT else []


_CHARGES = pattern(r"[%％元円块塊€£$¥]|免[费費]|無料|\bfree\b|[全半不]退|\brefund")
_LIMITS = pattern(
    r"(?:但|不過|不过|然而|否則|否则|除外|逾期|之[後后](?:則|则)?(?=不|，)|[其]?[餘余]|例外"
    r"|ただし|但し|ただ、|しかし|なお、.{0,30}(?:ません|できない)|それ(?:以降|以外|を過ぎ)|その後は|以降は"
    r"|(?:after (?:that|this|then)|otherwise|however|but|except|unless|beyond that|later than that|nothing is"
    r"|this does not|it does not|exceptions?|do not|never)\b)",
    re.IGNORECASE,
)

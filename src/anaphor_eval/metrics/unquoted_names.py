"""unquoted_names: how many committed claims have a name that nothing they cite has?

    unquoted_names = Σ [some name of the claim is in no cited passage, heading or date] / Σ claims

An independent check beside the product's own verdict: what counts as a name is told by its looks alone. Latin words
with a capital letter that do not begin a sentence, runs of three katakana and more, and what stands in quotation marks.
It should be 0 for quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from anaphor_eval.content import even_text
from anaphor_eval.metrics.share import Share

_CAPITAL = re.compile(
    r"(?<![.!?。！？:：\s|])[ ](?P<name>[A-Z][\w'’-]*[A-Za-z])|(?<=[^\x00-\x7f])(?P<inside>[A-Z][A-Za-z-]+)"
)
_KATAKANA = re.compile(r"[\u30a1-\u30f6\u30fc]{3,}")
_QUOTED = re.compile(r"[「『《“](?P<said>[^」』》”\n]{2,40})[」』》”]")


def unquoted_names(claims: Iterable[tuple[str, str]]) -> Share:
    """Pairs of a committed claim's text and all that it cites, one after the other."""
    given = [(names(claim), _even(cited)) for claim, cited in claims]
    return Share(sum(any(_even(name) not in cited for name in found) for found, cited in given), len(given))


def names(text: str) -> set[str]:
    """What looks like a name."""
    found = {match["name"] or match["inside"] for match in _CAPITAL.finditer(text)}
    found |= set(_KATAKANA.findall(text)) | {match["said"] for match in _QUOTED.finditer(text)}
    return {name for name in found if name}


def _even(text: str) -> str:
    return " ".join(even_text(text).casefold().split())

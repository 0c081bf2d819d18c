"""A long message shown as the sentences around the one that was hit: one verbatim stretch of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from anaphor.text.sentences import sentences
from anaphor.types import Passage, Span

LOOKED_AT = 6000  # characters of a message that an excerpt may come from


def excerpt(passage: Passage, around: Span | None, fits: Callable[[str], bool]) -> Passage | None:
    """As many whole sentences as fit, the one at ``around`` first, then what follows it, then what led to it.

    ``None`` if not even that sentence fits. The passage keeps its id; ``start`` and ``end`` say where in the source
    the excerpt stands.
    """
    text = passage.text
    spans = sentences(text[:LOOKED_AT])
    if not spans:
        return None
    hit = next((n for n, span in enumerate(spans) if around and span.start <= around.start < span.end), 0)
    first = last = hit
    if not fits(text[spans[hit].start : spans[hit].end]):
        return None
    while True:
        if last + 1 < len(spans) and fits(text[spans[first].start : spans[last + 1].end]):
            last += 1
        elif first and fits(text[spans[first - 1].start : spans[last].end]):
            first -= 1
        else:
            break
    start, end = spans[first].start, spans[last].end
    return replace(passage, text=text[start:end], start=passage.start + start, end=passage.start + end)

"""Which details a summary must not lose, and which of them it has.

Details are names, numbers, dates, units, negations, words of state (done, planned, cancelled, added) and the attributes
of a named thing (the hotel's pool, 飯店的游泳池), plus whatever terms the operator lists.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from anaphor.memory.extract_rules import cue
from anaphor.memory.reconcile_alike import key
from anaphor.text.characters import HAN
from anaphor.text.fold import matching
from anaphor.text.numbers import numbers
from anaphor.text.patterns import pattern
from anaphor.text.words import names
from anaphor.types import Turn

LONGEST = 20_000  # characters of a turn that are looked at; what is longer is a paste

_ATTRIBUTE = pattern(
    r"\b(?:the |my |our )?(?P<e>[A-Za-z]+(?: [A-Za-z]+)?)['’]s (?P<f>[a-z]+(?: [a-z]+)?)|"
    rf"[{HAN}A-Za-z0-9]{{2,8}}的(?P<z>[{HAN}]{{2,6}})|[{HAN}\u30a1-\u30fc]{{2,10}}の(?P<j>[{HAN}\u30a1-\u30fc]{{2,8}})",
)


def details(text: str, terms: Sequence[str] = ()) -> tuple[str, ...]:
    """The details of a text, verbatim, in order, each once."""
    return _details(text[:LONGEST], tuple(terms))


@functools.lru_cache(maxsize=2048)
def _details(text: str, terms: tuple[str, ...]) -> tuple[str, ...]:
    """Kept, because a summary looks at the same sentences again and again."""
    found = [(token.start, token.end) for token in names(text)]
    found += [(number.start, number.end) for number in numbers(text)]
    for form in (
        cue("any", "detail_date"),
        cue("any", "detail_quantity"),
        cue("any", "detail_negation"),
        cue("any", "detail_state"),
    ):
        found += [match.span() for match in form.finditer(text)]
    found += [_attribute(match) for match in _ATTRIBUTE.finditer(text)]
    folded = matching(text)
    if len(folded) == len(text):
        found += [m.span() for term in terms if term for m in re.finditer(re.escape(matching(term)), folded)]
    spans = sorted({span for span in found if text[slice(*span)].strip()})
    return tuple(dict.fromkeys(text[start:end].strip() for start, end in _longest(spans)))


def _attribute(match: re.Match[str]) -> tuple[int, int]:
    return next(match.span(group) for group in ("f", "z", "j") if match[group])


def _longest(spans: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """Those that lie in no other."""
    reach = -1
    for start, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        if end > reach:
            yield start, end
            reach = end


def has(summary: str, detail: str) -> bool:
    """Whether the summary says the detail, in whatever script, width or case."""
    needle, hay = key(detail), key(summary)
    if not needle:
        return True
    if needle.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(needle)}(?![a-z0-9])", hay) is not None or needle.replace(
            " ", ""
        ) in hay.replace(" ", "")
    return needle in hay


def lacking(summary: str, turns: Sequence[Turn], terms: Sequence[str] = ()) -> tuple[tuple[str, int], ...]:
    """Every detail of what was said that the summary does not have, with the ``seq`` of its turn."""
    known = key(summary)
    found = [(detail, turn.seq) for turn in turns for detail in details(turn.question, terms) if not _in(known, detail)]
    return tuple(dict.fromkeys(found))


def _in(known: str, detail: str) -> bool:
    needle = key(detail)
    return not needle or needle in known or (needle.isascii() and needle.replace(" ", "") in known.replace(" ", ""))

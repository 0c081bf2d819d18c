"""Asking back: two things are about equally likely to be meant, and the answers would differ.

Only where something points back in the singular and two things were named side by side, or in English where the
ranking puts two names level. The person is asked which, with both named; the reply resolves the question that waited.
"""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.antecedents import level
from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.likeness import likeness
from anaphor.steps.reconstruct.lists import ordinals, pair
from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.reading import REPLY, Reading
from anaphor.steps.reconstruct.references import Reference, from_outside, references
from anaphor.steps.reconstruct.seen import see
from anaphor.steps.reconstruct.speech import asks
from anaphor.steps.reconstruct.subject import is_thing
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind, StandaloneQuery

SINGULAR = frozenset(("things", "persons", "owners", "places"))
_MANY = re.compile("们|們|ら$|等|they|them|their|these|those|both")
_ASKED = {
    "en": ("Do you mean {a} or {b}?", r"Do you mean (?P<a>.{1,60}) or (?P<b>.{1,60})\?"),
    "ja": ("「{a}」と「{b}」のどちらのことですか？", "「(?P<a>.{1,60})」と「(?P<b>.{1,60})」のどちらのことですか？"),
    "zh-Hant": ("您是指「{a}」還是「{b}」？", "您是指「(?P<a>.{1,60})」還是「(?P<b>.{1,60})」？"),
    "zh-Hans": ("您是指“{a}”还是“{b}”？", "您是指“(?P<a>.{1,60})”还是“(?P<b>.{1,60})”？"),
}
REPLY_AT_MOST = 60  # characters
NAME_AT_MOST = 24


def asked_back(query: StandaloneQuery, heard: Heard, thread: Thread) -> StandaloneQuery:
    """The query as it is, or the decision to ask which of two is meant."""
    if query.decision is not Decision.FOLLOW_UP or not thread.said:
        return query
    pointing = [r for r in from_outside(references(heard.seen, heard.language), heard) if _is_singular(r)]
    rivals = _rivals(pointing[0], heard, thread) if pointing else None
    if rivals is None:
        return query
    form = _ASKED.get(heard.language, _ASKED["en"])[0]
    signals = (f"two are meant as well: {rivals[0]}, {rivals[1]}", *query.signals)
    asked = form.format(a=rivals[0], b=rivals[1])
    return replace(query, decision=Decision.CLARIFICATION, ask_back=asked, signals=signals)


def _is_singular(reference: Reference) -> bool:
    return reference.kind in SINGULAR and not _MANY.search(reference.text)


def _rivals(reference: Reference, heard: Heard, thread: Thread) -> tuple[str, str] | None:
    last = thread.said[-1]
    found = pair(Thread((replace(last, standalone=last.question, answer=""),)))
    if found is None or len(found.items) != 2 or not asks(last) or any(item in heard.bare for item in found.items):
        return level(reference, heard, thread)
    named = [p for p in phrases(last.question, last.language) if p.text in found.items and is_thing(p)]
    alike = len(named) == 2 and likeness(named[0], named[1]) >= 0 and len(max(found.items, key=len)) <= NAME_AT_MOST
    return (found.items[0], found.items[1]) if alike else None


def clarified(heard: Heard, thread: Thread) -> Reading | None:
    """The reply to what was asked back: the question that waited, about the one that is named or counted."""
    last = thread.last
    both = _was_asked(last) if last is not None else None
    if last is None or both is None or len(heard.said) > REPLY_AT_MOST:
        return None
    chosen = _chosen(heard, both)
    if chosen is None:
        return None
    other = next(item for item in both if item != chosen)
    text = last.standalone if chosen in last.standalone else last.standalone.replace(other, chosen)
    if chosen not in text:
        text = f"{text} {chosen}" if heard.language == "en" else f"{chosen}，{text}"
    return Reading(
        Decision.FOLLOW_UP,
        0.95,
        text,
        (f"replies which is meant: {chosen}",),
        (Carried(chosen, last.seq, REPLY, 1.0),),
        (LeftBehind(other, last.seq, REPLY),),
        own=heard.bare,
    )


def _was_asked(turn: Said) -> tuple[str, str] | None:
    for _, form in _ASKED.values():
        if match := re.fullmatch(form, turn.answer.strip()):
            return match["a"], match["b"]
    return None


def _chosen(heard: Heard, both: tuple[str, str]) -> str | None:
    """By its name, by a part of it that the other has not, or by counting."""
    said = see(heard.said, heard.language).text
    keys = [see(item, heard.language).text for item in both]
    named = [item for item, key in zip(both, keys, strict=True) if key in said]
    if len(named) == 1:
        return named[0]
    if not named and (own := [item for item, key in zip(both, keys, strict=True) if _is_part(said, key, keys)]):
        return own[0] if len(own) == 1 else None
    counted = ordinals(heard.seen, heard.language)
    if not named and counted and not counted[0].other and -2 <= counted[0].index < 2:
        return both[counted[0].index]
    return None


def _is_part(said: str, key: str, keys: list[str]) -> bool:
    words = [w for w in re.findall(r"\w+", said) if len(w) > 1 and w in key]
    return any(sum(word in other for other in keys) == 1 for word in words)

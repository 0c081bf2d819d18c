"""Remembering and forgetting on request, and letting go with time.

What is asked is read by form, in four languages, and only where the whole utterance asks it: a sentence that mentions
forgetting asks nothing. What a request hits is worked out from the facts there are, so that it can be shown and
confirmed before anything is forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from anaphor.facts import Fact, Kind, State, Status
from anaphor.memory.extract_rules import cue
from anaphor.memory.reconcile_alike import key, within
from anaphor.text.fold import matching
from anaphor.text.patterns import pattern
from anaphor.text.sentences import assertions
from anaphor.text.wishes import to_be_forgotten
from anaphor.types import Span

DAY = 86_400.0


class Wish(StrEnum):
    """What the person asks of the memory."""

    REMEMBER = "remember"  # keep what was said: 先記住這些要求, remember this, 覚えておいて
    FORGET_LAST = "forget_last"  # what the last turn said: 忘記剛才說的
    FORGET_NAMED = "forget_named"  # what was said of a thing: forget about Leeds
    FORGET_ALL = "forget_all"  # everything: 忘掉所有關於我的事


@dataclass(frozen=True, slots=True)
class Request:
    """``what`` is the thing named (for ``FORGET_NAMED``) or what is to be remembered, verbatim; else empty."""

    wish: Wish
    what: str = ""


_EDGE = " \t\r\n。．.!！~～…、,，\"'「」"


def request(text: str) -> Request | None:
    """What the utterance asks of the memory; ``None`` where it asks nothing of it."""
    if len(text) > 600:
        return None
    folded = matching(text.strip(_EDGE), "ja" if _JA.search(text) else "zh").strip(_EDGE)
    if not folded or folded.endswith("?"):
        return None
    for wish, form in ((Wish.FORGET_ALL, cue("any", "forget_all")), (Wish.FORGET_LAST, cue("any", "forget_last"))):
        if form.fullmatch(folded):
            return Request(wish)
    if found := cue("any", "remember").fullmatch(folded):
        said = next((part for part in found.groupdict().values() if part), "")
        return Request(Wish.REMEMBER, _verbatim(text, said))
    named = to_be_forgotten(text)
    return Request(Wish.FORGET_NAMED, named) if named else None


_JA = pattern("[\u3041-\u3096]")


def _verbatim(text: str, folded: str) -> str:
    """The stretch of the text that folds to this; the folded words where it cannot be found."""
    language = "ja" if _JA.search(text) else "zh"
    whole = matching(text, language)
    at = whole.find(folded)
    return text[at : at + len(folded)].strip(_EDGE) if at >= 0 and len(whole) == len(text) else folded


def hit(asked: Request, facts: Sequence[Fact], last_turn_id: str = "") -> tuple[Fact, ...]:
    """The facts that a request to forget is about, oldest first. Facts already let go are none of them."""
    live = [f for f in facts if f.status is not Status.RETIRED]
    if asked.wish is Wish.FORGET_ALL:
        found = live
    elif asked.wish is Wish.FORGET_LAST:
        found = [f for f in live if last_turn_id and last_turn_id in f.turns]
    elif asked.wish is Wish.FORGET_NAMED and key(asked.what):
        found = [f for f in live if _speaks_of(f, asked.what)]
    else:
        found = []
    return tuple(sorted(found, key=lambda f: (f.said_at, f.seq)))


def spoken_of(text: str, what: str) -> list[Span]:
    """The sentences of a text that speak of the thing."""
    thing = key(_OWNER.sub("", what))
    return [s for s in assertions(text) if thing and contains(text[s.start : s.end], thing)]


def contains(text: str, thing: str) -> bool:
    """Whether the text has the thing (a ``key``), at the edges of words."""
    known = key(text)
    if thing.isascii():
        return re.search(rf"(?<!\w){re.escape(thing)}(?!\w)", known) is not None
    return thing in known


_OWNER = pattern(r"^(?:my|our|the|a|an|your)\s+|^我(?:们|們)?的?|^(?:私|僕|俺|うち)の", re.IGNORECASE)


def _speaks_of(fact: Fact, named: str) -> bool:
    said, what = fact.statement, _OWNER.sub("", named)
    return any(part and within(part, what) for part in (said.value, said.about, said.relation, said.context, said.unit))


@dataclass(frozen=True, slots=True)
class Decay:
    """How long what kind of thing is kept as current, in days since it was last said; 0 is for ever.

    What was planned for a day, and what was scheduled for one, is over when the day is, ``grace`` days later.
    """

    days: tuple[tuple[Kind, float], ...] = (
        (Kind.IDENTITY, 0),
        (Kind.RELATION, 0),
        (Kind.HEALTH, 0),
        (Kind.PREFERENCE, 0),
        (Kind.POSSESSION, 0),
        (Kind.COUNT, 0),
        (Kind.PLACE, 0),
        (Kind.WORK, 0),
        (Kind.EVENT, 730),
        (Kind.SCHEDULE, 365),
        (Kind.PLAN, 365),
    )
    grace: float = 30
    each_time: float = 0.5  # every further time it was said keeps it so much longer: times 1.5, 2, 2.5 …


def faded(fact: Fact, now: float, policy: Decay, *, last_said: float | None = None, over: float | None = None) -> str:
    """Why the fact is to be let go by now, or nothing. Times in seconds since the epoch.

    ``last_said`` is when its newest turn was said (else its first one counts), ``over`` the end of its last day.
    """
    if fact.pinned or fact.status is not Status.CURRENT:
        return ""
    planned = fact.statement.kind in (Kind.PLAN, Kind.SCHEDULE) or fact.statement.state is State.PLANNED
    if planned and over is not None and now > over + policy.grace * DAY:
        return "its day has passed"
    days = dict(policy.days).get(fact.statement.kind, 0) * (1 + policy.each_time * max(0, fact.times - 1))
    since = fact.said_at if last_said is None else last_said
    return f"not spoken of for {days:.0f} days" if days and now - since > days * DAY else ""

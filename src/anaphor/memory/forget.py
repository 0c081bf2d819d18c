"""Remembering and forgetting on request, and letting go with time.

What is asked is read by form, in four languages, and only where the whole utterance asks it: a sentence that mentions
forgetting asks nothing. What a request hits is worked out from the facts there are, so that it can be shown and
confirmed before anything is forgotten.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from anaphor.facts import PERSON, Fact, Kind, State, Statement, Status, Version
from anaphor.memory.extract_rules import cue
from anaphor.memory.reconcile_alike import key, within
from anaphor.ports import Memories
from anaphor.text.fold import matching
from anaphor.text.other_words import alike
from anaphor.text.patterns import pattern
from anaphor.text.sentences import assertions
from anaphor.text.wishes import Wish, to_forget
from anaphor.types import Scope, Span

DAY = 86_400.0


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
    if to_be := to_forget(text):
        return Request(*to_be)
    folded = matching(text.strip(_EDGE), "ja" if _JA.search(text) else "zh").strip(_EDGE)
    if not folded or folded.endswith("?"):
        return None
    if found := cue("any", "remember").fullmatch(folded):
        said = next((part for part in found.groupdict().values() if part), "")
        return Request(Wish.REMEMBER, _verbatim(text, said))
    return None


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
        thing = thing_of(asked.what)
        found = [f for f in live if thing.told_by(f.statement)]
    else:
        found = []
    return tuple(sorted(found, key=lambda f: (f.said_at, f.seq)))


def let_go(memories: Memories, scope: Scope, fact: Fact, now: float, *, words: bool) -> None:
    """The fact is gone; what it alone had taken the place of does not come back as what is so, and can be accepted."""
    before = [
        replace(one, status=Status.RETIRED, replaced_by="", why=PUT_AWAY)
        for one in memories.kin(scope, [fact.fact_id])
        if one.status is Status.SUPERSEDED and one.replaced_by == fact.fact_id
    ]
    versions = [Version(one, now, scope.user, "retired", PUT_AWAY) for one in before]
    if versions:
        memories.change(scope, versions, memories.generation(scope))
    memories.forget(scope, fact.fact_id, words=words)


PUT_AWAY = "what took its place was deleted"


def spoken_of(text: str, what: str) -> list[Span]:
    """The sentences of a text that speak of the thing."""
    thing = thing_of(what)
    return [s for s in assertions(text) if thing.stands_in(text[s.start : s.end])]


@dataclass(frozen=True, slots=True)
class Topic:
    """What is told in words of its own: who speaks of an allergy says "allergic"; where one lives, 住 or "moved"."""

    relations: frozenset[str]
    named: re.Pattern[str]
    told: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Thing:
    """What is to be forgotten, as the person names it, by the words for the same, and as a topic."""

    name: str
    keys: tuple[str, ...]
    topic: Topic | None

    def stands_in(self, text: str) -> bool:
        """Whether the sentence speaks of it."""
        known = key(text)
        if any(_contains(known, one) for one in self.keys):
            return True
        folded = _folded(text)
        return self.topic is not None and self.topic.told.search(folded) is not None

    def told_by(self, said: Statement) -> bool:
        """Whether the fact does."""
        if self.topic and said.about == PERSON and said.relation in self.topic.relations:
            return True
        parts = [part for part in (said.value, said.about, said.relation, said.context, said.unit) if part]
        if self.topic and any(self.topic.named.fullmatch(_folded(part)) for part in parts):
            return True
        return any(within(part, name) for part in parts for name in (self.name, *self.keys))


@functools.lru_cache(maxsize=64)
def thing_of(what: str) -> Thing:
    """What the words name."""
    name = _OWNER.sub("", what.strip())
    folded = _folded(name)
    same = next((row for row in alike() if folded in row), ())
    keys = dict.fromkeys(one for one in map(key, (name, *same)) if one)
    return Thing(name, tuple(keys), next((topic for topic in topics() if topic.named.fullmatch(folded)), None))


@functools.cache
def topics() -> tuple[Topic, ...]:
    """The table ``topics.toml``."""
    table = files("anaphor.memory").joinpath("tables", "topics.toml").read_text("utf-8")
    return tuple(
        Topic(frozenset(row["relations"]), pattern(row["named"]), pattern(row["told"]))
        for row in tomllib.loads(table).values()
    )


def _folded(text: str) -> str:
    return matching(text, "ja" if _JA.search(text) else "zh").replace("’", "'").strip()


def _contains(known: str, thing: str) -> bool:
    """Whether a text has the thing (both as keys), at the edges of words."""
    if thing.isascii():
        return re.search(rf"(?<!\w){re.escape(thing)}(?!\w)", known) is not None
    return thing in known


_OWNER = pattern(r"^(?:my|our|the|a|an|your)\s+|^我(?:们|們)?的|^(?:私|僕|俺|うち)の", re.IGNORECASE)


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

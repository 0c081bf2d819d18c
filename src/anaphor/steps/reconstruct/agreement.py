"""What speaks for an entity as what a pronoun means: recency, place in the sentence, repetition, agreement."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property

from anaphor.steps.reconstruct.entities import (
    MANY,
    PERSON,
    PLACE,
    PREPOSITION,
    PRONOUNS,
    SUCH,
    THING,
    Entity,
    Seen,
    may_be_called,
)
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Thread

Features = dict[str, float]

_HELPS = re.compile(r"\b(?:does|did|do|is|was|are|were|has|had|have|can|could|will|would|should) (?:the |an? )?$")
_WHICH = re.compile(r"\b(?:which|what|whose|how many|how much) $")
_WHERE = re.compile(r"\b(?:where|(?:what|which) (?:city|town|country|place|state|school|university|college|street))\b")
_WHO = re.compile(r"\bwho(?:m|se)?\b")
_DETERMINED = re.compile(r"\b(?:an?|the|my|your|our|this) $")
_HE, _SHE = re.compile(r"\b(?:he|him|his|himself)\b"), re.compile(r"\b(?:she|her|hers|herself)\b")


def _is_another(entity: Entity, said: str, thread: Thread) -> bool:
    """A he that has been a she: what the pronoun of a question before was taken for."""
    other = _SHE if _HE.fullmatch(said) else _HE
    first = entity.key.split(" ")[0]
    names = table("en").women if other is _HE else table("en").men
    if " " in entity.key and first in (table("en").men if other is _HE else table("en").women) - names:
        return True
    for turn in thread.said:
        raw = turn.question.casefold()
        if entity.key in turn.standalone.casefold() and first not in raw and other.search(raw):
            return True
    return False


def _such(weighed: Weighed) -> Features:
    entity, said = weighed.entity, weighed.said
    name, one = entity.name, _singular(weighed.head)
    words = name.key.split(" ")
    so_called = any(_singular(p.phrase.key.split(" ")[-1]) == one for p in entity.places)
    beside = any(_is_beside(p, one) for p in entity.places)
    person = name.kind == "person" or (may_be_called(name) and len(words) > 1)
    of_person = one in table("en").people or bool(_SOMEBODY.fullmatch(one))
    sort = one in table("en").sorts
    return {
        "so called": so_called and len(words) > 1,
        "only so called": so_called and len(words) == 1,
        "has the word": not so_called and one in map(_singular, words),
        "beside the word": beside,
        "named": name.named and not person,
        "named, of a sort": name.named and sort and not person and not so_called,
        "quoted": all(p.quoted for p in entity.places) and sort,
        "person": person and not of_person,
        "person, of a person": person and of_person,
        "no name, not so called": not name.named and not so_called and not beside,
        "told now": any(p.in_answer and p.age == 0 for p in entity.places),
        "place": (name.kind == "place") != (one in _PLACES),
        "ordinal": words[0] in ("first", "second", "third", "last", "next", "other"),
        "many": said.startswith(("these", "those")) and name.named,
        "asked for": weighed.is_asked_for,
    }


_SOMEBODY = re.compile("man|woman|guy|girl|boy|person|lady|character|people|figure")
_PLACES = frozenset(["city", "town", "country", "state", "place", "area", "region", "village", "island"])


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _is_beside(place: Seen, head: str) -> bool:
    """The album Oversteps, Oversteps, their tenth album: the noun stands next to the name."""
    near = place.source[max(0, place.phrase.start - 24) : place.phrase.end + 40].casefold()
    return place.phrase.named and bool(re.search(rf"\b{re.escape(head)}s?\b", near))


@dataclass
class Weighed:
    """An entity beside a pronoun of class ``wanted``, written ``said``; ``head`` is the noun of "this album"."""

    entity: Entity
    wanted: str
    said: str
    thread: Thread
    asked_for: str | None
    head: str = ""

    @cached_property
    def question(self) -> list[Seen]:
        return [p for p in self.entity.places if not p.in_answer]

    @cached_property
    def answered(self) -> list[Seen]:
        return [p for p in self.entity.places if p.in_answer]

    @cached_property
    def is_asked_for(self) -> bool:
        return any(p.phrase.key == self.asked_for for p in self.entity.places)

    @cached_property
    def opens(self) -> bool:
        return any(p.may_open_with_a_name for p in self.entity.places)

    @cached_property
    def called(self) -> bool:
        return may_be_called(self.entity.name) or self.opens

    @cached_property
    def words(self) -> int:
        return self.entity.key.count(" ") + 1

    @cached_property
    def acts(self) -> float:
        return math.log1p(sum(p.acts for p in self.answered))

    @cached_property
    def only_after_a_preposition(self) -> bool:
        return all(PREPOSITION.search(p.before) for p in self.entity.places)

    def features(self) -> Features:
        """By name; what is not shown is left out."""
        agreeing = {f"{self.wanted}: {what}": value for what, value in _AGREES[self.wanted](self).items()}
        return {what: float(value) for what, value in (self._where() | self._what() | agreeing).items() if value}

    def _where(self) -> Features:
        """Where and how often it was named."""
        places, question = self.entity.places, self.question
        asked_now = [p for p in question if p.age == 0]
        told_now = [p for p in self.answered if p.age == 0]
        raw = self.thread.said[-1].question.casefold()
        carried_on = bool(asked_now) and asked_now[0].phrase.key not in raw
        return {
            "asked now": bool(asked_now),
            "asked now, first": any(p.position == 0 for p in asked_now),
            "asked now, subject": any(_HELPS.search(p.before) for p in asked_now),
            "asked now, after a preposition": any(PREPOSITION.search(p.before) for p in asked_now),
            "asked which": all(_WHICH.search(p.before) for p in places if p.phrase.key == self.entity.key),
            "asked before": bool(question) and not asked_now,
            "told now": bool(told_now),
            "told now, opening": any(p.opening for p in told_now),
            "told now, first": any(p.position == 0 for p in told_now),
            "told now, often": math.log1p(len(told_now)),
            "told only": not question,
            "age": self.entity.newest.age / 4,
            "turns asked": math.log1p(len({p.turn.seq for p in question})),
            "turns": math.log1p(len({p.turn.seq for p in places})),
            "acts": self.acts,
            "only after a preposition": self.only_after_a_preposition,
            "at the start": any(p.turn is self.thread.said[0] for p in question),
            "carried on": carried_on,
            "carried on by the same": carried_on and bool(PRONOUNS[self.wanted].search(raw)),
        }

    def _what(self) -> Features:
        """How it is written."""
        name, places = self.entity.name, self.entity.places
        return {
            "asked for": self.is_asked_for,
            "quoted": all(p.quoted for p in places),
            "named": name.named,
            "words": min(self.words, 5) / 5,
            "owner": any(p.phrase.owner for p in places),
            "determined": any(_DETERMINED.search(p.before) for p in places),
            "capital alone": name.named and self.words == 1,
            "kind place": name.kind == "place",
            "digits": any(map(str.isdigit, name.key)),
        }

    def as_person(self) -> Features:
        name = self.entity.name
        return {
            "person": name.kind == "person",
            "called": self.called and self.words > 1,
            "called by one": self.called and self.words == 1,
            "not called": name.named and not self.called,
            "no name": not name.named and not self.opens,
            "told only": not self.question,
            "acts": self.acts,
            "asked for": self.is_asked_for,
            "only after a preposition": self.only_after_a_preposition,
            "another's": _is_another(self.entity, self.said, self.thread),
            "known already": self._is_known_already,
            "introduced": self._is_introduced,
            "where it was": self._is_where_it_was,
        }

    def as_many(self) -> Features:
        name = self.entity.name
        return {
            "plural": self._is_plural,
            "named": name.named,
            "person": name.kind == "person" or (self.called and self.words > 1),
            "told only": not self.question,
            "these": self.said in ("these", "those"),
            "acts": self.acts,
            "quoted": all(p.quoted for p in self.entity.places),
            "only after a preposition": self.only_after_a_preposition,
        }

    def as_thing(self) -> Features:
        return {
            "plural": self._is_plural,
            "person": self.entity.name.kind == "person",
            "called": self.called and self.words > 1,
            "told only": not self.question,
            "this": self.said in ("this", "that") and not self.question,
            "place": self.entity.name.kind == "place",
            "somebody": self._is_somebody,
        }

    def as_place(self) -> Features:
        return {
            "place": self.entity.name.kind in ("place", "body", "shop"),
            "named": self.entity.name.named,
            "told only": not self.question,
            "asked for": self.is_asked_for,
            "somebody": self._is_somebody,
        }

    def as_such(self) -> Features:
        """It is called an album, or is named and may be one."""
        return _such(self)

    @property
    def _is_known_already(self) -> bool:
        """By one name, where sentences are about it: whoever is called so has been introduced before."""
        return self.called and any(" " not in p.phrase.key and p.acts for p in self.answered)

    @property
    def _is_introduced(self) -> bool:
        """In full and once, in an answer: somebody who comes up beside the one that is talked about."""
        return self.words > 1 and len(self.entity.places) == 1 and not self.question

    @property
    def _is_where_it_was(self) -> bool:
        """Where was she born? — Notting Hill, London."""
        last = self.thread.said[-1]
        here = any(p.in_answer and p.age == 0 and not p.acts for p in self.entity.places)
        return here and not self.question and bool(_WHERE.search(last.standalone.casefold()))

    @property
    def _is_plural(self) -> bool:
        name = self.entity.name
        return name.head != name.key.split(" ")[-1] or name.kind == "group"

    @property
    def _is_somebody(self) -> bool:
        return self.is_asked_for and bool(_WHO.search(self.thread.said[-1].standalone.casefold()))


_AGREES = {
    PERSON: Weighed.as_person,
    MANY: Weighed.as_many,
    THING: Weighed.as_thing,
    PLACE: Weighed.as_place,
    SUCH: Weighed.as_such,
}

"""Everything in an English talk that a pronoun may mean: each thing once, under its fullest name, with what tells.

One thing may be called Nina and Nina Simone; the longer name is what is written. Features are what the literature on
pronouns agrees on: recency, the place in the sentence, repetition, agreement in number and animacy, whether the
question before already spoke of it with a pronoun (Lappin and Leass 1994, "An Algorithm for Pronominal Anaphora
Resolution"; Mitkov 1998, "Robust pronoun resolution with limited knowledge").
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.text.sentences import sentences

ANSWER_SEEN = 800  # characters of an answer that are searched

PERSON, THING, MANY, PLACE = "person", "thing", "many", "place"
CLASSES = {"persons": PERSON, "things": THING, "plural": MANY, "places": PLACE}
_PRONOUNS = {
    PERSON: re.compile(r"\b(?:he|him|his|she|her|hers|himself|herself)\b"),
    THING: re.compile(r"\b(?:it|its|it's|itself|that|this)\b"),
    MANY: re.compile(r"\b(?:they|them|their|theirs|these|those)\b"),
    PLACE: re.compile(r"\bthere\b"),
}
_HELPS = re.compile(r"\b(?:does|did|do|is|was|are|were|has|had|have|can|could|will|would|should) (?:the |an? )?$")
_PREPOSITION = re.compile(r"\b(?:for|in|on|at|with|from|to|by|about|of|between|into) (?:the |an? |my |your |their )?$")
_WHICH = re.compile(r"\b(?:which|what|whose|how many|how much) $")
_WHO = re.compile(r"\bwho(?:m|se)?\b")
_DETERMINED = re.compile(r"\b(?:an?|the|my|your|our|this) $")


_SENTENCE_STARTS = re.compile(r"[.!?\n] ?$")
_OWNS = re.compile(r"['’]s? ")
_NEXT_WORD = re.compile(r"[,]? (?:also |then |further |later |later |never |has |had |have )?([a-z]+)")
_FINITE = frozenset(
    (
        *("is", "was", "were", "has", "had", "have", "will", "would", "could", "can", "did", "does"),
        *("became", "began", "took", "made", "went", "won", "said"),
    )
)


def _is_verb(after: str) -> bool:
    word = _NEXT_WORD.match(after)
    return word is not None and (word[1] in _FINITE or (len(word[1]) > 4 and word[1].endswith("ed")))


def pronoun_class(kind: str, text: str) -> str:
    """``kind`` as in ``references``; an owner (its, their, his) goes with its pronoun."""
    if kind == "owners":
        return PERSON if text in ("his", "whose") else THING if text == "its" else MANY
    return CLASSES.get(kind, THING)


@dataclass(frozen=True, slots=True)
class Seen:
    """One place where a thing was named."""

    phrase: Phrase
    turn: Said
    age: int  # turns back; 0 is the last
    in_answer: bool
    position: int  # among the phrases of the question, of the answer
    opening: bool  # in the first sentence of the answer

    @property
    def source(self) -> str:
        return self.turn.answer if self.in_answer else self.turn.standalone

    @property
    def before(self) -> str:
        return self.source[max(0, self.phrase.start - 16) : self.phrase.start].casefold()

    @property
    def acts(self) -> bool:
        """Stands where a subject stands: at the start of a sentence or before a verb; or owns something."""
        after = self.source[self.phrase.end : self.phrase.end + 24]
        starts = not self.before.strip() or bool(_SENTENCE_STARTS.search(self.before))
        return bool(_OWNS.match(after)) or (starts and " " in after) or _is_verb(after)

    @property
    def quoted(self) -> bool:
        return self.source[max(0, self.phrase.start - 1) : self.phrase.start] in ('"', "“", "'")


@dataclass
class Entity:
    """A thing with every place where it was named, the newest first; ``name`` is the fullest."""

    name: Phrase
    places: list[Seen] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.name.key

    @property
    def newest(self) -> Seen:
        return self.places[0]


def entities(thread: Thread) -> list[Entity]:
    """The newest first."""
    found: list[Entity] = []
    for place in _places(thread):
        same = next((e for e in found if _is_same(e.name, place.phrase)), None)
        if same is None:
            found.append(Entity(place.phrase, [place]))
            continue
        same.places.append(place)
        if place.phrase.named and len(place.phrase.key) > len(same.key):
            same.name = place.phrase
    return found


def _places(thread: Thread) -> Iterator[Seen]:
    newest = len(thread.said) - 1
    for age, turn in ((newest - i, thread.said[i]) for i in range(newest, -1, -1)):
        for position, phrase in enumerate(turn.topics):
            yield Seen(phrase, turn, age, False, position, False)
        ends = next((s.end for s in sentences(turn.answer[:ANSWER_SEEN])), 0)
        for position, phrase in enumerate(turn.answer_phrases):
            if phrase.names_something:
                yield Seen(phrase, turn, age, True, position, phrase.end <= ends)


def _is_same(name: Phrase, other: Phrase) -> bool:
    if name.key == other.key:
        return True
    if not (name.named and other.named) or name.kind in ("time", "code") or other.kind in ("time", "code"):
        return False
    short, long = sorted((name, other), key=lambda p: len(p.key))
    words, longer = short.key.split(" "), long.key.split(" ")
    if len(words) != 1 or not 2 <= len(longer) <= 3 or len(words[0]) < 3 or not may_be_called(long):
        return False
    return words[0] in (longer[0], longer[-1])


def may_be_called(phrase: Phrase) -> bool:
    """Capitalised words that are no organisation's: may be the name of somebody."""
    words = phrase.text.split(" ")
    return (
        phrase.named
        and phrase.kind in ("", "person")
        and len(words) <= 4
        and all(
            w[:1].isupper()
            and w.replace(".", "").replace("'", "").isalpha()
            and not (w.isupper() and len(w) > 3)
            and w.casefold() not in table("en").organisations
            for w in words
        )
    )


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


def features(entity: Entity, wanted: str, said: str, thread: Thread, asked_for: str | None) -> dict[str, float]:
    """What speaks for an entity as what a pronoun of class ``wanted``, written ``said``, means."""
    last = thread.said[-1]
    newest, name = entity.newest, entity.name
    question = [p for p in entity.places if not p.in_answer]
    answered = [p for p in entity.places if p.in_answer]
    asked_now = [p for p in question if p.age == 0]
    told_now = [p for p in answered if p.age == 0]
    key = name.key
    raw = last.question.casefold()
    pronounced = bool(_PRONOUNS[wanted].search(raw))
    carried_on = bool(asked_now) and asked_now[0].phrase.key not in raw
    plural = name.head != key.split(" ")[-1] or name.kind == "group"
    called = may_be_called(name)
    words = key.count(" ") + 1
    found: dict[str, float] = {
        "asked now": bool(asked_now),
        "asked now, first": any(p.position == 0 for p in asked_now),
        "asked now, subject": any(_HELPS.search(p.before) for p in asked_now),
        "asked now, after a preposition": any(_PREPOSITION.search(p.before) for p in asked_now),
        "asked which": all(_WHICH.search(p.before) for p in entity.places if p.phrase.key == key),
        "asked before": bool(question) and not asked_now,
        "told now": bool(told_now),
        "told now, opening": any(p.opening for p in told_now),
        "told now, first": any(p.position == 0 for p in told_now),
        "told now, often": math.log1p(len(told_now)),
        "told only": not question,
        "age": newest.age / 4,
        "turns asked": math.log1p(len({p.turn.seq for p in question})),
        "turns": math.log1p(len({p.turn.seq for p in entity.places})),
        "acts": math.log1p(sum(p.acts for p in answered)),
        "only after a preposition": all(_PREPOSITION.search(p.before) for p in entity.places),
        "quoted": all(p.quoted for p in entity.places),
        "at the start": any(p.turn is thread.said[0] for p in question),
        "asked for": any(p.phrase.key == asked_for for p in entity.places),
        "carried on": carried_on,
        "carried on by the same": carried_on and pronounced,
        "named": name.named,
        "words": min(words, 5) / 5,
        "owner": any(p.phrase.owner for p in entity.places),
        "determined": any(_DETERMINED.search(p.before) for p in entity.places),
        "capital alone": name.named and words == 1,
        "kind place": name.kind == "place",
        "digits": any(map(str.isdigit, key)),
    }
    somebody = found["asked for"] and bool(_WHO.search(last.standalone.casefold()))
    by_kind: dict[str, dict[str, Any]] = {
        PERSON: {
            "person": name.kind == "person",
            "called": called and words > 1,
            "called by one": called and words == 1,
            "not called": name.named and not called,
            "no name": not name.named,
            "told only": not question,
            "acts": found["acts"],
            "asked for": found["asked for"],
            "only after a preposition": found["only after a preposition"],
            "another's": _is_another(entity, said, thread),
        },
        MANY: {
            "plural": plural,
            "named": name.named,
            "person": name.kind == "person" or (called and words > 1),
            "told only": not question,
            "these": said in ("these", "those"),
        },
        THING: {
            "plural": plural,
            "person": name.kind == "person",
            "called": called and words > 1,
            "told only": not question,
            "this": said in ("this", "that") and not question,
            "place": name.kind == "place",
            "somebody": somebody,
        },
        PLACE: {
            "place": name.kind in ("place", "body", "shop"),
            "named": name.named,
            "told only": not question,
            "asked for": found["asked for"],
            "somebody": somebody,
        },
    }
    agree = by_kind[wanted]
    found |= {f"{wanted}: {what}": value for what, value in agree.items()}
    return {what: float(value) for what, value in found.items() if value}

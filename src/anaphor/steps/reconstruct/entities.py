"""Everything in an English talk that a pronoun may mean: each thing once, under its fullest name, with what tells.

One thing may be called Nina and Nina Simone; the longer name is what is written. Features are what the literature on
pronouns agrees on: recency, the place in the sentence, repetition, agreement in number and animacy, whether the
question before already spoke of it with a pronoun (Lappin and Leass 1994, "An Algorithm for Pronominal Anaphora
Resolution"; Mitkov 1998, "Robust pronoun resolution with limited knowledge").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.text.sentences import sentences

ANSWER_SEEN = 800  # characters of an answer that are searched

PERSON, THING, MANY, PLACE, SUCH = "person", "thing", "many", "place", "such"
CLASSES = {
    "persons": PERSON,
    "things": THING,
    "plural": MANY,
    "places": PLACE,
    "demonstratives": SUCH,
    "definites": SUCH,
}
PRONOUNS = {
    PERSON: re.compile(r"\b(?:he|him|his|she|her|hers|himself|herself)\b"),
    THING: re.compile(r"\b(?:it|its|it's|itself|that|this)\b"),
    MANY: re.compile(r"\b(?:they|them|their|theirs|these|those)\b"),
    PLACE: re.compile(r"\bthere\b"),
    SUCH: re.compile(r"\b(?:this|that|these|those) [a-z]"),
}
PREPOSITION = re.compile(r"\b(?:for|in|on|at|with|from|to|by|about|of|between|into) (?:the |an? |my |your |their )?$")
_SENTENCE_STARTS = re.compile(r"[.!?\n] ?$")
_OWNS = re.compile(r"['’]s? ")
_NEXT_WORD = re.compile(r"[,]? (?:also |then |further |later |later |never |has |had |have )?([a-z]+)")
_FINITE = re.compile(
    "(?:is|was|were|has|had|have|will|would|could|can|did|does|became|began|took|made|went|won|said|[a-z]{3,}ed)"
)


def _is_verb(after: str) -> bool:
    word = _NEXT_WORD.match(after)
    return word is not None and bool(_FINITE.fullmatch(word[1]))


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
    def may_open_with_a_name(self) -> bool:
        """Tweedy has been prone to migraines: where a sentence begins, a capital alone does not tell."""
        text = self.phrase.text
        if self.phrase.named or " " in text or not (text[:1].isupper() and text.isalpha()) or not self.acts:
            return False
        return not text.endswith("s") and not re.search(rf"\b{self.phrase.key}\b", self.source)

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
    called: dict[str, Entity] = {}  # what is no name goes by one key
    edges: dict[str, dict[int, None]] = {}  # of names, by their first and last words: two for one thing share one
    for place in _places(thread):
        phrase = place.phrase
        if _is_capital(phrase):
            near = sorted({n for word in _edges(phrase) for n in edges.get(word, ())})
            same = next((found[n] for n in near if _is_same(found[n].name, phrase)), None)
        else:
            same = called.get(phrase.key)
        if same is None:
            same = Entity(phrase)
            found.append(same)
            called.setdefault(phrase.key, same)
            _note(edges, phrase, len(found) - 1)
        elif phrase.named and len(phrase.key) > len(same.key):
            same.name = phrase
            called = {e.key: e for e in reversed(found)}
            _note(edges, phrase, next(n for n, e in enumerate(found) if e is same))
        same.places.append(place)
    return found


def _edges(phrase: Phrase) -> tuple[str, str]:
    words = phrase.key.split(" ")
    return words[0], words[-1]


def _note(edges: dict[str, dict[int, None]], phrase: Phrase, n: int) -> None:
    for word in _edges(phrase):
        edges.setdefault(word, {})[n] = None


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
    if (
        not (_is_capital(name) and _is_capital(other))
        or name.kind in ("time", "code")
        or other.kind in ("time", "code")
    ):
        return False
    short, long = sorted((name, other), key=lambda p: len(p.key))
    words, longer = short.key.split(" "), long.key.split(" ")
    if len(words) != 1 or not 2 <= len(longer) <= 3 or len(words[0]) < 3 or not may_be_called(long):
        return False
    return words[0] in (longer[0], longer[-1])


def _is_capital(phrase: Phrase) -> bool:
    """A name, or where a sentence begins what may be one."""
    return phrase.named or (phrase.text[:1].isupper() and " " not in phrase.text)


def may_be_called(phrase: Phrase) -> bool:
    """Capitalised words that are no organisation's: may be the name of somebody."""
    words = phrase.text.split(" ")
    return phrase.kind == "person" or (
        phrase.named
        and not phrase.kind
        and len(words) <= 4
        and all(
            w[:1].isupper()
            and w.replace(".", "").replace("'", "").isalpha()
            and not (w.isupper() and len(w) > 3)
            and w.casefold() not in table("en").organisations
            for w in words
        )
    )

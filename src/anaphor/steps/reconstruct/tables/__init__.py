"""What each language says in the places where reconstruction looks: words and patterns, one module a language.

Everything here is matched against *folded* text (``anaphor.text.fold``): lower case, half-width marks, and Chinese in
simplified characters, so that one Chinese table serves both scripts. ``’`` is folded to ``'`` as well.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Table:
    """One language's words and patterns. Patterns are sources of regular expressions; named groups are given by field."""

    # -- what is said to be polite, and wants nothing looked up
    small_talk: tuple[str, ...]  # greetings, thanks, acknowledgements, farewells
    openers: str  # what may stand right after a greeting, without a mark between, and begins a question
    fillers: tuple[str, ...]  # dropped at the start: excuse me, by the way
    connectives: tuple[str, ...]  # and, so, then: at the start they tie the utterance to what went before
    accepts: tuple[str, ...]
    refuses: tuple[str, ...]
    offer_openings: str  # would you like me to …
    offer_closings: str  # … 吗, … ましょうか
    offer_marks: str  # found anywhere in a sentence that makes an offer
    # -- orders to the assistant itself
    resets: tuple[str, ...]
    commands: tuple[str, ...]
    # -- taking back: groups wrong, right, rest
    corrections: tuple[str, ...]
    takes_back: str  # a cue strong enough by itself
    # -- pointing back
    persons: str
    things: str  # it, 它, それ
    plural: str  # they
    owners: str  # its, 其: group own is the whole expression
    alternatives: str  # the other one, そっち
    places: str  # there, 那里, そこ
    demonstratives: str  # this train, 这班车: group head is the noun, possibly empty
    definites: str  # the band: group head
    not_pointing: str  # what looks as if it pointed and does not
    ordinals: str  # groups n (a numeral), last, former, latter, other
    numerals: dict[str, int]
    returns: tuple[str, ...]  # back to …: group topic, possibly empty
    # -- leaving out
    frames: tuple[str, ...]  # what about X: group slot
    continuations: tuple[str, ...]
    fragments: str  # other games?, any awards: begins so and names no topic of its own
    # -- asking
    question: str  # a question word or mark anywhere
    memory: str  # about the person, or about what was said
    compares: tuple[str, ...]  # compare A and B: groups a, b, by
    parts: str  # between the questions of one utterance
    # -- words
    attributes: frozenset[str]  # nouns that mean nothing without an owner: price, 地址
    grammar: frozenset[str]  # words that are never part of a name
    verbs: frozenset[str]  # common verbs, adverbs, adjectives: end a noun phrase
    kept_whole: frozenset[str]  # words that hold a grammar word inside
    people: str  # of a phrase: the sort of thing it names, by how it is written
    of: str  # joins an attribute to its owner


LANGUAGES = {"zh-Hant": "chinese", "zh-Hans": "chinese", "zh": "chinese", "ja": "japanese", "en": "english"}


@functools.cache
def table(language: str) -> Table:
    """The table of a language; English for one that has none."""
    module = import_module(f"anaphor.steps.reconstruct.tables.{LANGUAGES.get(language, 'english')}")
    return module.TABLE  # type: ignore[no-any-return]


def words(text: str) -> frozenset[str]:
    """Words written one after another."""
    return frozenset(text.split())

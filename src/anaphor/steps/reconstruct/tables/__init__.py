"""What each language says in the places where reconstruction looks: one table a language, in a text file.

A file has sections. A line is one pattern, a line set in goes on with the line before; lines that begin with ``#`` are
comments; ``@name@`` stands for what the section ``let`` says it is. In a field that is one pattern the lines are
alternatives, in a field of patterns each is tried in turn, in a field of words only what stands between spaces counts.

Everything is matched against *folded* text (``anaphor.text.fold``): lower case, half-width marks, straight
apostrophes, and Chinese in simplified characters, so that one Chinese table serves both scripts.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Table:
    """One language's words and patterns. Named groups are given with the field."""

    # What is said to be polite, and what may stand right after it because it begins a question.
    small_talk: str
    openers: str
    fillers: str  # dropped at the start: excuse me, by the way
    connectives: tuple[str, ...]  # and, 那: at the start they tie the utterance to what went before
    # Taking up an offer, or not; how an offer is made.
    accepts: str
    refuses: str
    offer_openings: str
    offer_closings: str
    offer_marks: str
    # Orders to the assistant itself.
    resets: str
    commands: str
    # Taking back: groups wrong, right, rest.
    may_correct: str
    corrections: tuple[str, ...]
    takes_back: str
    says_no: str  # which may be an answer too
    meant: str  # I meant …
    # Pointing back: it, he, they, its, the other one, there, this train (group head).
    things: str
    persons: str
    plural: str
    owners: str
    alternatives: str
    places: str
    demonstratives: str
    not_pointing: str  # looks as if it pointed, and does not
    ordinals: str  # groups n, option, first, two, three, last, former, latter, other
    numbered: str  # rule 3: a thing that is called by a number (English)
    numerals: dict[str, int]
    which_of_them: str
    compares_them: str  # of such a question: asks for more or less of something, and so of things of one sort
    asks_who: str  # of a question: for a person
    asks_for: str  # of a question: for a name, which the answer then gives
    clause: str  # between two clauses
    returns: tuple[str, ...]  # back to …: group topic, possibly empty
    two_back: str
    first: str
    no_topic: str
    described: tuple[str, ...]  # the one that …: groups one, what
    reminded: str  # asks what was told already: where was it again?
    # Leaving out.
    frames: tuple[str, ...]  # what about X: group slot
    continuations: tuple[str, ...]
    fragments: str  # other games?, any awards
    subjectless: str
    of_the_house: str  # who is asked about themselves: you, the owner, closing days, parking, payment
    of_the_whole: str  # what is asked of a thing and never of its part: what it weighs, who repairs it
    of_somebody: str  # what only a person does or has
    does_so: str  # how do I do that with X?
    asks_how: str
    presumes: str  # the doctors, which variety
    # Asking.
    question: str
    memory: str  # about the person, or about what was said
    compares: tuple[str, ...]  # groups a, b, by
    parts: str  # between the questions of one utterance
    # Words.
    attributes: frozenset[str]  # mean nothing without an owner: price, 地址
    of_houses: frozenset[str]  # those of a house, an institution, a person, and of no thing: its hours, its director
    attribute_ends: tuple[str, ...]  # whatever ends so: 費, 料
    grammar: frozenset[str]  # are never part of a name
    verbs: frozenset[str]  # common verbs and adverbs: end a noun phrase
    light_verbs: frozenset[str]  # of one character: only where a verb is due
    adjectives: frozenset[str]  # may begin one, never end it
    short_nouns: frozenset[str]  # nouns of one character (Chinese)
    no_noun: frozenset[str]  # what looks like a noun in hiragana and is none
    kept_whole: frozenset[str]  # hold a grammar word inside (Chinese), are nouns as often as verbs (English)
    sorts: frozenset[str]  # nouns that a name by itself can be called by: this band
    somebody: str  # nouns that "he" may mean
    relatives: frozenset[str]  # whom one has: never meant by "it"
    given_names: frozenset[str]  # men, women, and those of either
    men: frozenset[str]
    women: frozenset[str]
    organisations: frozenset[str]  # capitalised words that are part of no person's name
    people: frozenset[str]  # titles and trades that go with a name
    of: str  # joins an attribute to its owner


FILES = {"zh-Hant": "chinese", "zh-Hans": "chinese", "zh": "chinese", "ja": "japanese"}


def table(language: str) -> Table:
    """The table of a language; English for one that has none."""
    return _read(FILES.get(language, "english"))


@functools.cache
def _read(name: str) -> Table:
    found = sections(name)
    given: dict[str, Any] = {field.name: _MAKE[str(field.type)](field.name, found) for field in fields(Table)}
    return Table(**given)


@functools.cache
def sections(name: str) -> dict[str, list[str]]:
    """The sections of a file, what ``let`` says filled in."""
    found = _sections(files(__name__).joinpath(f"{name}.txt").read_text("utf-8"))
    given = dict(line.split(" = ", 1) for line in found.pop("let", []))
    return {field: [_filled(line, given) for line in lines] for field, lines in found.items()}


def _sections(text: str) -> dict[str, list[str]]:
    """Logical lines by section."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        if named := re.fullmatch(r"\[(\w+)\]", line):
            lines = sections.setdefault(named[1], [])
        elif line.startswith("    "):
            lines[-1] += line[4:]
        else:
            lines.append(line)
    return sections


def _filled(line: str, given: dict[str, str]) -> str:
    while (filled := re.sub(r"@(\w+)@", lambda m: given[m[1]], line)) != line:
        line = filled
    return line


def _pattern(field: str, sections: dict[str, list[str]]) -> str:
    return "|".join(sections.get(field, [])) or "(?!)"


def _patterns(field: str, sections: dict[str, list[str]]) -> tuple[str, ...]:
    return tuple(sections.get(field, []))


def _words(field: str, sections: dict[str, list[str]]) -> frozenset[str]:
    listed = " ".join(sections.get(field, [])).split()
    stems = " ".join(sections.get("verb_stems", [])).split() if field == "verbs" else []
    if field == "given_names":
        listed += " ".join(sections.get("men", []) + sections.get("women", [])).split()
    return frozenset([*listed, *(form for stem in stems for form in _forms(stem))])


def _forms(stem: str) -> tuple[str, ...]:
    """The regular forms of an English verb; forms that do not exist do no harm here."""
    if stem.endswith("e"):
        return (stem, stem + "s", stem + "d", stem[:-1] + "ing")
    if stem.endswith("y") and stem[-2] not in "aeiou":
        return (stem, stem[:-1] + "ies", stem[:-1] + "ied", stem + "ing")
    return (stem, stem + ("es" if stem.endswith(("s", "sh", "ch", "x", "o")) else "s"), stem + "ed", stem + "ing")


def _numerals(field: str, sections: dict[str, list[str]]) -> dict[str, int]:
    return {word: n for line in sections.get(field, []) for n, word in enumerate(line.split(), 1) if word != "_"}


_MAKE = {
    "str": _pattern,
    "tuple[str, ...]": _patterns,
    "frozenset[str]": _words,
    "dict[str, int]": _numerals,
}

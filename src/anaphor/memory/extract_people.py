"""Whom a clause is about: the person who speaks, somebody of theirs, or nobody that can be told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from anaphor.facts import PERSON
from anaphor.memory.extract_rules import cue

if TYPE_CHECKING:
    from anaphor.memory.extract_heard import Clause

# Kinship words of one syllable are called by their full form: 我妹 and 妹妹 are one person.
_FULL = {c: c * 2 for c in "爸妈媽爷爺奶哥姐姊弟妹叔姑舅婆"} | {"老爸": "爸爸", "老妈": "妈妈", "老媽": "媽媽"}


def subject_of(text: str, language: str, subject: str, person: str) -> tuple[str, str]:
    """The subject of a clause, seen what the clauses before it were about; and whom he and she mean from here on."""
    match = cue(language, "subject").search(text)
    if match is None:
        return subject, person
    named = match.groupdict()
    if named.get("i"):
        return PERSON, person
    if named.get("they"):
        return person, person
    if named.get("kin") or named.get("called_too"):
        called = named.get("called_too") or named.get("called") or full(named["kin"], language)
        return called, called
    return "", person  # a thing, or somebody unknown


Opening = tuple[int, int, int]  # where the predicate may begin, and the subject before it (0, 0: none)
_LONGEST_SUBJECT = 12


def openings(text: str, language: str) -> tuple[tuple[Opening, ...], tuple[Opening, ...]]:
    """Where the predicate of a Chinese clause may begin: behind its opening words; behind those and its subject.

    The furthest first, and with a subject before without one.
    """
    if language != "zh":
        return (), ()
    leads = _led(text, 0)
    topics = {end for at in leads if (end := _end(cue(language, "topic_only"), text, at)) is not None}
    begins = sorted({*leads, *topics}, reverse=True)
    named = [(at, end) for at in begins for end in _subject_ends(text, at, language)]
    behind = [(to, at, end) for at, end in named for to in reversed(_led(text, end))]
    bare = [(at, 0, 0) for at in reversed(_led(text, 0))] + [(at, 0, 0) for at in begins]
    return tuple(dict.fromkeys((at, 0, 0) for at in reversed(leads))), tuple(dict.fromkeys([*behind, *bare]))


def _led(text: str, at: int) -> list[int]:
    """The start, and the ends of one opening word after the other."""
    found = [at]
    while (end := _end(cue("zh", "lead_word"), text, found[-1])) is not None and end > found[-1]:
        found.append(end)
    return found


def _end(form: re.Pattern[str], text: str, at: int) -> int | None:
    match = form.match(text, at)
    return match.end() if match else None


def _subject_ends(text: str, at: int, language: str) -> list[int]:
    """The longest subject that begins there, and shorter ones: 我家, 我."""
    form = cue(language, "who_only")
    ends = range(min(len(text), at + _LONGEST_SUBJECT), at, -1)
    return [end for end in ends if form.fullmatch(text, at, end)]


def about_of(clause: Clause, who: str, name: str) -> str:
    """Whom a statement is about, from what a rule caught; empty where it cannot be told."""
    if name:
        return name.strip()
    if not who:
        return clause.subject
    language = clause.language
    who = who.strip().removesuffix("'s").removesuffix("的").removesuffix("の")
    if cue(language, "first_person").fullmatch(who.strip()):
        return PERSON
    if cue(language, "third_person").fullmatch(who.strip()):
        return clause.person
    kin = cue(language, "kin_phrase").search(who)
    if kin is None:
        return who.strip()
    return (kin.groupdict().get("called") or full(kin["kin"], language)).strip()


def full(kin: str, language: str) -> str:
    """The word by which that person is known."""
    return _FULL.get(kin, kin) if language == "zh" else kin

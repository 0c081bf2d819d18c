"""Whom a clause is about: the person who speaks, somebody of theirs, or nobody that can be told."""

from __future__ import annotations

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


def about_of(clause: Clause, who: str, name: str) -> str:
    """Whom a statement is about, from what a rule caught; empty where it cannot be told."""
    if name:
        return name.strip()
    if not who:
        return clause.subject
    language = clause.language
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

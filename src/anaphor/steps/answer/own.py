"""Questions about what a person has told of their own things, and which of their statements speak of the same one.

"When is my flight?" asks for the time of one thing. A statement speaks of it when it has the thing's words and shows
what an answer looks like, or says that something about it changed ("I moved my flight", 我把牙醫改到週五了). A few
properties go by several verbs: who moved to York lives there. All of this is told by form alone, so that it holds for
what was said a moment ago and has not been read into facts yet. The words stand in ``tables/own``; whose a statement
is and what it does is read in ``text.deeds``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphor.steps.answer.kinds import Kind, kind_of, shows
from anaphor.text.deeds import ME, Deed, kin, named, told, whose
from anaphor.text.mood import Mood, mood
from anaphor.text.numbers import counted
from anaphor.text.stem import stem
from anaphor.text.tabled import ENGLISH, TONGUES, listed, read_as, worded
from anaphor.text.words import content_words, names

LONGEST = 160  # characters of a question that is looked at
ALIKE = 5  # letters from which on two words are of one family: engaged, engagement
LONGEST_SAID = 400  # characters of a sentence that may speak of one's own thing
TABLES = Path(__file__).with_name("tables") / "own"
PROPERTIES = ("lives", "works", "age", "weight", "height", "name")
MEASURES = ("age", "weight", "height")  # how tall I am is not how much I weigh
KINDS = frozenset({Kind.WHEN, Kind.YEAR, Kind.WHERE, Kind.HOW_MANY, Kind.WHO, Kind.WHICH, Kind.WHAT, Kind.YES_NO})
TIMES = frozenset({Kind.WHEN, Kind.YEAR})
OVER = frozenset({Deed.ENDS, Deed.CANCELS, Deed.REVIVES})
CHANGED = OVER | {Deed.CORRECTS, Deed.CHANGES}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question wants to know of which thing. ``of``: a property of the person's with verbs of its own."""

    kind: Kind
    things: tuple[str, ...]
    tongue: str
    of: str = ""
    own: bool = False  # it says that the thing is the person's
    before: bool = False  # it asks how it was, or what became of it
    rules: bool = False  # it asks what may be done, or has to be
    people: frozenset[str] = frozenset()  # of whom it wants to know
    heads: frozenset[str] = frozenset()  # the words behind "my" or somebody's
    names: frozenset[str] = frozenset()
    measure: bool = False  # how much of something


@dataclass(frozen=True, slots=True)
class Tells:
    """How a statement speaks of what is wanted."""

    whole: (
        bool  # it has all the words for the thing; else all but the sort of occasion: "the dentist" for the appointment
    )
    changed: bool = False  # says that it is different now
    settled: bool = False  # says it of the one thing there is: "my flight is …", 歯医者は…


@functools.lru_cache(maxsize=256)
def wanted(text: str, language: str) -> Wanted | None:
    """What the question asks of a thing that the person may have told of; ``None`` for other questions."""
    if len(text) > LONGEST or (kind := kind_of(text)) not in KINDS:
        return None
    tongue, folded = _read(text, language)
    people = whose(text, language)
    of = next((name for name in PROPERTIES if people <= {ME} and _has(tongue, f"{name}_asks", folded)), "")
    things = _things(folded, language, tongue)
    if sort := worded(TABLES, tongue, "sort").search(folded):
        of_the_sort = _things(sort[1], language, tongue)
        things = tuple(thing for thing in things if thing not in of_the_sort) or things
    own = _has(tongue, "mine", folded) or bool(people)
    if (not things and not of) or (kind is Kind.YES_NO and not own):
        return None
    rules = _has(tongue, "rules", folded) and not of
    return Wanted(
        kind,
        things,
        tongue,
        of,
        own,
        _has(tongue, "before", folded),
        rules,
        people,
        _heads(tongue, folded),
        _names(text, tongue),
        _has(tongue, "measure", folded),
    )


def of_another_thing(asked: Wanted, sentence: str, language: str) -> bool:
    """Whether what a sentence tells is told of something else than what is asked, however alike the two are: what my
    car cost is not what my bike did, and when I meet Tom is not when I meet Anna."""
    tongue, folded = _read(sentence, language)
    if asked.of and _has(tongue, "elsewhere", folded) and asked.kind is Kind.WHERE:
        return True
    if asked.of in MEASURES and not _has(tongue, f"{asked.of}_tells", folded):
        return any(_has(tongue, f"{one}_tells", folded) for one in MEASURES)
    if asked.kind not in TIMES and asked.kind is not Kind.HOW_MANY:
        return False
    names, heads = _names(sentence, tongue), _heads(tongue, folded)
    if asked.names and names and not any(name in folded for name in asked.names):
        return True
    if asked.heads and heads and not any(_one_word(one, other) for one in asked.heads for other in heads):
        return True
    return asked.measure and not counted(folded, language)


def _heads(tongue: str, folded: str) -> frozenset[str]:
    return frozenset(
        word
        for match in worded(TABLES, tongue, "possessed").finditer(folded)
        for word in (match[1].split() if tongue == ENGLISH else (match[1],))
        if not kin(word, tongue)
    )


def _one_word(one: str, other: str) -> bool:
    return stem(one) == stem(other) if one.isascii() else bool(set(one) & set(other))


def _names(text: str, tongue: str) -> frozenset[str]:
    found = (name.term.casefold() for name in names(text, tongue)) if tongue == ENGLISH else named(text, tongue)
    return frozenset(name for name in found if not _has(tongue, "time", name))


def as_it_was(text: str, language: str, earlier: Sequence[str]) -> Wanted | None:
    """What is wanted by a question that only asks how it was before, of what the last one asked: もともとは何時？"""
    tongue, folded = _read(text, language)
    if len(text) > LONGEST or not _has(tongue, "before", folded) or _things(folded, language, tongue):
        return None
    before = next((asked for one in reversed(earlier) if (asked := wanted(one, language))), None)
    return replace(before, before=True) if before else None


def _read(text: str, language: str) -> tuple[str, str]:
    tongue, folded = read_as(text, language)
    return tongue, folded.lower()


def _has(tongue: str, name: str, text: str) -> bool:
    return worded(TABLES, tongue, name).search(text) is not None


def _things(folded: str, language: str, tongue: str) -> tuple[str, ...]:
    frame = worded(TABLES, tongue, "frame")
    if tongue == ENGLISH:
        words = (word.term.removesuffix("'s") for word in content_words(folded, "en"))
        return tuple(dict.fromkeys(stem(word) for word in words if not frame.fullmatch(word) and "'" not in word))
    asked = worded(TABLES, tongue, "counted").sub(" ", folded)
    ends = worded(TABLES, tongue, "verb_end")
    words = (ends.sub("", frame.sub("", word.term)) for word in content_words(asked, language))
    return tuple(dict.fromkeys(word for word in words if word))


def tells(asked: Wanted, sentence: str, language: str) -> Tells | None:
    """How the statement speaks of it; ``None`` where it does not."""
    if len(sentence) > LONGEST_SAID or mood(sentence) is not Mood.ASSERTION:
        return None
    does = told(sentence, language)
    if not does.so or not does.may_tell_of(asked.people):
        return None  # what may be or was refused puts nothing in the place of what is
    tongue, folded = _read(sentence, language)
    changed = bool(does.deeds & CHANGED)
    if asked.of:
        if not _has(tongue, f"{asked.of}_tells", folded) or does.deeds & {Deed.PLANS, Deed.STAYS}:
            return None  # nor does what is still to come, or lasts a few days
        return Tells(True, changed, settled=True)
    missing = _missing(asked, folded, tongue, over=Deed.ENDS in does.deeds)
    if missing is None or (missing and _of_another(asked, folded)):
        return None
    if missing and not changed and asked.kind not in (Kind.WHEN, Kind.HOW_MANY):
        return None
    if not does.deeds & OVER and not shows_kind(asked, sentence, language):
        return None
    return Tells(not missing, changed, _has(tongue, "settled", folded) and asked.kind is not Kind.HOW_MANY)


def _missing(asked: Wanted, folded: str, tongue: str, *, over: bool) -> bool | None:
    """Whether words for the thing are missing; ``None`` where more than words for an occasion are, or all.

    What is ``over`` is named without what was done with it: 戒菸 ends 抽菸.
    """
    folded += _LIVES_THERE if _has(tongue, "moved", folded) else ""
    if asked.tongue == ENGLISH:
        here = {stem(word.removesuffix("'s")) for word in _words(folded)}
        missing = [thing for thing in asked.things if thing not in here]
        known = len(missing) < len(asked.things) and all(_occasion(asked.tongue, thing) for thing in missing)
        return bool(missing) if known else None
    has_it = worded(TABLES, asked.tongue, "has_it")
    wanted = [has_it.sub("", thing) for thing in asked.things] if over else asked.things
    left = [_left(thing, folded) for thing in wanted]
    known = left != list(wanted) and all(_occasion(asked.tongue, rest) for rest in left)
    return any(left) if known else None


def _words(folded: str) -> list[str]:
    return [word.term for word in content_words(folded, "en")]


def _left(thing: str, text: str) -> str:
    """What of the thing does not stand in the text, with two characters at least, or all of it, together."""
    for size in range(len(thing), min(2, len(thing)) - 1, -1):
        for at in range(len(thing) - size + 1):
            if thing[at : at + size] in text:
                rest = thing[:at] + thing[at + size :]
                return "" if len(rest) == 1 and rest in text else rest
    return thing


def _of_another(asked: Wanted, folded: str) -> bool:
    """Whether the words shared stand behind a word that makes them another thing: "my doctor appointment"."""
    if asked.tongue != ENGLISH:
        return False
    words = [word.strip(".,;:!?\"'()") for word in folded.split()]
    determiners = worded(TABLES, ENGLISH, "determiners")
    return any(
        stem(word) in asked.things and before and stem(before) not in asked.things and not determiners.fullmatch(before)
        for before, word in zip(["", *words], words, strict=False)
    )


def shows_kind(asked: Wanted, sentence: str, language: str) -> bool:
    """Whether it has what an answer of the kind looks like, where that can be told by its looks."""
    tongue, folded = _read(sentence, language)
    if asked.kind in TIMES:
        return _has(tongue, "time", folded) or shows(asked.kind, sentence)
    return asked.kind is not Kind.HOW_MANY or _has(tongue, "amount", folded)


def verbs(asked: Wanted) -> tuple[str, ...]:
    """Other words by which a statement may tell it, for an index to look for: who moved lives there; 養貓 is of 貓."""
    somewhere = asked.kind is Kind.WHERE and any(thing in ("live", "liv") or "住" in thing for thing in asked.things)
    of = asked.of or ("lives" if somewhere else "")
    told_by = tuple(word for tongue in TONGUES for word in listed(TABLES, tongue, f"{of}_verbs")) if of else ()
    had = (worded(TABLES, asked.tongue, "has_it").sub("", thing) for thing in asked.things)
    return told_by + tuple(noun for noun in had if len(noun) == 1 and noun not in asked.things)


def occasional(asked: Wanted, word: str) -> bool:
    """Whether a word says no more than what the thing is for, or is one of the thing's own."""
    thing = stem(word) if word.isascii() else word
    of_it = any(thing[:ALIKE] == own[:ALIKE] for own in asked.things)
    return of_it or _occasion(asked.tongue, thing)


def _occasion(tongue: str, thing: str) -> bool:
    if tongue == ENGLISH:
        return thing in _occasions()
    return worded(TABLES, tongue, "occasion").fullmatch(thing) is not None


@functools.cache
def _occasions() -> frozenset[str]:
    return frozenset(map(stem, listed(TABLES, ENGLISH, "occasion")))


def spoken_of(text: str, language: str, said: Sequence[str], *, alone: bool = False) -> bool:
    """Whether the person's statements are to be looked at: it asks for something of their own, or of a thing that one
    of the statements at hand tells by all its words. ``alone``: no document has anything."""
    asked = wanted(text, language)
    if asked is None or (asked.rules and not asked.of):
        return False
    if asked.own and asked.kind is not Kind.WHAT:
        return True
    if asked.kind in (Kind.WHAT, Kind.WHICH) and len(asked.things) < 2 and not asked.of and not (asked.own or alone):
        return False
    found = (tells(asked, sentence, language) for sentence in said)
    return any(told_so is not None and told_so.whole for told_so in found)


_LIVES_THERE = " live 住"  # what somebody is said to do who moved

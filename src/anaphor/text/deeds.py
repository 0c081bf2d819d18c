"""What a remembered sentence does, and whose it is: my wife's, mine, corrected, ended, called off, only supposed.

``told`` reads one sentence by form alone, in four languages; the words stand in ``tables/deeds``. Long-term memory and
the quoting reader both read by it, so that what takes the place of what is decided in one place::

    told("My wife's phone is 555-2222.").owners         # {"wife"}
    told("我媽的牙醫改到週五。").deeds                    # {Deed.CHANGES}, and the owners are {"妈妈"}
    told("Sorry, I meant Tim.")                         # CORRECTS, and leans: on what was said just before
    whose("Where was my father born?")                  # {"father"}: of whom a question wants to know
    told("I was born in Lyon.").may_tell_of(whose("Where was my father born?"))     # False
"""

from __future__ import annotations

import functools
from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from anaphor.text.tabled import read_as, worded
from anaphor.text.words import content_words

LONGEST = 400  # characters of a sentence that is read; a longer one says many things
TABLES = Path(__file__).with_name("tables") / "deeds"
ME = "i"
SOMEBODY = "somebody"  # he, she, or whoever is quoted


class Deed(StrEnum):
    """What a sentence does to what was said before it; one that only says how things are does none of this."""

    CORRECTS = "corrects"  # sorry, I meant; 說錯了; の間違いです
    CHANGES = "changes"  # moved to, is now; 改到; に変わりました
    ENDS = "ends"  # quit, died, sold, stopped; 離職; やめました
    CANCELS = "cancels"  # called off; 取消; 中止
    REVIVES = "revives"  # back on; 又恢復了; 再開
    ADDS = "adds"  # bought two more; 又買了; 増えました
    TAKES = "takes"  # gave one away; 送掉; 枯れました
    SUPPOSES = "supposes"  # might, thinking of; 可能; かもしれません
    DENIES = "denies"  # did not move, refused; 沒有搬; 引っ越しませんでした
    PLANS = "plans"  # moving in June; 下個月要搬; 来月引っ越します
    STAYS = "stays"  # for two days, on a trip; 出差; 出張


_SAID = {"en": " said ", "zh": "说", "ja": " "}  # what "told me" and "I heard" come to

CHANGING = frozenset({Deed.CORRECTS, Deed.CHANGES, Deed.ENDS, Deed.CANCELS, Deed.REVIVES})
COUNTING = frozenset({Deed.ADDS, Deed.TAKES})
NOT_SO = frozenset({Deed.SUPPOSES, Deed.DENIES})


@dataclass(frozen=True, slots=True)
class Told:
    """``owners``: whom it is about, by the words for them; ``ME``; empty where it names nobody.

    ``mentions`` are all the people it has a word for, ``kin`` those that it calls by what they are to the person
    (my boss) and not by their name. ``leans``: it names no thing of its own, and speaks of what was
    said just before it.
    """

    deeds: frozenset[Deed] = frozenset()
    owners: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    kin: frozenset[str] = frozenset()
    leans: bool = False
    all_of_them: bool = False  # what it ends or takes away is all there was

    @property
    def so(self) -> bool:
        """It says that something is so, and neither supposes nor denies it."""
        return not self.deeds & NOT_SO

    def may_tell_of(self, wanted: Set[str]) -> bool:
        """Whether it can answer a question about those people; any can where the question is about nobody."""
        if not wanted or not self.owners or wanted & self.owners:
            return True
        if ME in wanted:
            return False
        if self.owners == {SOMEBODY}:
            return True
        return bool(wanted & self.mentions) and not self.owners & self.kin  # my mother's dentist is not mine


@functools.lru_cache(maxsize=2048)
def told(sentence: str, language: str = "") -> Told:
    """What one sentence of the person's does."""
    if len(sentence) > LONGEST:
        return Told()
    tongue, text = read_as(sentence, language)
    deeds = frozenset(deed for deed in Deed if worded(TABLES, tongue, deed).search(text))
    if deeds & (NOT_SO | {Deed.PLANS}):
        deeds -= {Deed.CHANGES, Deed.ENDS}  # what may be or is still to come has changed nothing yet
    return Told(
        deeds,
        _owners(text, tongue, does=bool(deeds & CHANGING)),
        _kin(text, tongue) | named(text, tongue),
        _kin(text, tongue),
        bool(deeds & (CHANGING | COUNTING)) and _leans(text, tongue, deeds),
        bool(worded(TABLES, tongue, "all_of_them").search(text)),
    )


@functools.lru_cache(maxsize=256)
def whose(question: str, language: str = "") -> frozenset[str]:
    """Of whom a question wants to know something: of the person (``ME``), of somebody of theirs, or (empty) of nobody.

    "Where does my wife work?" asks about her; "When did I meet my wife?" about the person.
    """
    tongue, text = read_as(question[:LONGEST], language)
    return _owners(text, tongue, asked=True)


def _kin(text: str, tongue: str) -> frozenset[str]:
    """Everyone the text has a word for, each by one word: mum is mother."""
    return frozenset(_known_as(match[0], tongue) for match in worded(TABLES, tongue, "people").finditer(text))


def kin(word: str, tongue: str) -> bool:
    """Whether it is a word for somebody one has: boss, 老板."""
    return worded(TABLES, tongue, "people").fullmatch(word) is not None


def named(text: str, tongue: str) -> frozenset[str]:
    """The people it calls by their names."""
    return frozenset(match["name"].casefold() for match in worded(TABLES, tongue, "names").finditer(text))


def _owners(text: str, tongue: str, *, does: bool = False, asked: bool = False) -> frozenset[str]:
    """The people in whose place a sentence stands: the subjects and those whose something is. ``does``: it changes
    something, and whoever does that for a living (the doctor, the airline) is not whom it is about."""
    found: set[str] = set()
    text = worded(TABLES, tongue, "says_to_me").sub(_SAID[tongue], text)
    rest = text
    for name in ("owned", "asked_of") if asked else ("owned",):
        for match in worded(TABLES, tongue, name).finditer(text):
            caught = {group: word for group, word in match.groupdict().items() if word}
            who = next((group for group in caught if group.startswith("who")), "")
            if does and who and _only_acts(text, match.span(who), tongue):
                continue
            people = {_known_as(word, tongue) for group, word in caught.items() if group.startswith(("who", "named"))}
            found |= people or {SOMEBODY}
            rest = _blank(rest, match.span())
    for match in worded(TABLES, tongue, "quoted").finditer(rest):
        found.add(SOMEBODY)
        rest = _blank(rest, match.span())
    if worded(TABLES, tongue, "me").search(rest):
        found.add(ME)
    return frozenset(found)


def _only_acts(text: str, who: tuple[int, int], tongue: str) -> bool:
    """Whether those are named as who does it, and not as whose it is: my doctor raised it, 先生が増やした."""
    agent = worded(TABLES, tongue, "agents").fullmatch(text, *who)
    return agent is not None and not worded(TABLES, tongue, "possessive").match(text, who[1])


def _blank(text: str, span: tuple[int, int]) -> str:
    return text[: span[0]] + " " * (span[1] - span[0]) + text[span[1] :]


def _known_as(word: str, tongue: str) -> str:
    """One word for one person."""
    word = word.casefold()
    same = worded(TABLES, tongue, "same").fullmatch(word)
    return next((name for name, found in same.groupdict().items() if found), word) if same else word


def _leans(text: str, tongue: str, deeds: Set[Deed]) -> bool:
    """Whether it has no thing of its own, beside what it does, when, and to how many."""
    if worded(TABLES, tongue, "names_its_own").search(text):
        return False
    if Deed.CORRECTS in deeds or worded(TABLES, tongue, "points_back").search(text):
        return True
    return not _things(text, tongue, deeds)


@functools.lru_cache(maxsize=2048)
def things(sentence: str, language: str = "") -> frozenset[str]:
    """The names and nouns of a sentence, folded, without what it does, when, and to how many."""
    tongue, text = read_as(sentence[:LONGEST], language)
    return _things(text, tongue, told(sentence, language).deeds)


def _things(text: str, tongue: str, deeds: Set[Deed]) -> frozenset[str]:
    for name in (*deeds, "light"):
        text = worded(TABLES, tongue, name).sub(" ", text)
    found = content_words(text, tongue)
    terms = (word.term.removesuffix("'s") for word in found)
    return frozenset(term for term in terms if ("'" not in term if term.isascii() else len(term) > 1))

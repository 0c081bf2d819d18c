"""Noun phrases of English: runs of words that are neither grammar nor common verbs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.phrase import QUOTED, Phrase
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.tables import Table, table

_WORD = re.compile(r"[^\W_](?:[\w'’.&/+#@:-]*[\w+#])?|[^\w\s]|\n")
_INSIDE_NAMES = re.compile("of|&|de|von|van|the")  # Bank of America, Lord of the Rings
_SUPPORTS = re.compile("(?:do|does|did)(?:n't)?|can|can't|cannot|could|will|won't|would|shall|should|may|might|must|to")
_HELPS = re.compile("is|are|was|were|do|does|did|can|could|will|would|should|must|may|has|have")
_IS = re.compile("(?:is|are|was|were)(?:n't)?")
_SUBJECTS = re.compile("i|you|we|they|he|she|it|one|people|anyone|someone|everyone")
_DETERMINERS = re.compile("the|an?|this|that|my|your|our|his|her|its|their")
_OBJECT_BEGINS = re.compile("the|an?|this|that|these|those|my|your|our|his|her|its|their|it|them|him|me|us|some|any")
_SAID_OF = frozenset(("brewed", "served", "stored", "sold", "repaired", "charged", "cleaned", "rest", "remainder"))
_COLOURS = frozenset(("red", "blue", "green", "black", "white", "yellow", "pink", "grey", "gray", "brown"))
_PREDICATIVE = re.compile(".{3,}(?:able|ible|ous|ful|less|ed)")
_ADVERB = re.compile(
    "(?!family|assembly|supply|monopoly|anomaly|butterfly|jelly|belly|bully|early|daily|weekly|monthly"
    "|yearly|friendly|elderly|lovely|holy|ugly|lonely|costly|orderly|homily|lily|curly|silly|deadly|hourly).{2,}ly"
)
_PAST = re.compile("(?!hundred|thousand|seed|speed|breed|feed|weed|embed).{3,}ed")
_MEASURE = re.compile(
    r"\b(?:per|each|every) (?:day|night|week|month|year|hour|person|user|seat|head|item|unit|kg|km|mile)s?\b", re.I
)
_OF = re.compile(r"\bof (?:the |an? |my |your |our )?$")
_ADDRESSES = frozenset(("mr", "mrs", "ms", "miss", "dr", "prof", "professor"))
_TITLE = re.compile(r"([a-z]+)\.? $")


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    start: int
    end: int
    low: str
    first: bool  # of its sentence, where a capital says nothing

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


def english(text: str) -> Iterator[Phrase]:
    """In the order in which they stand."""
    rules = table("en")
    numbered = pattern("en", "numbered").finditer(text.casefold())
    quoted = [m.span() for m in QUOTED.finditer(text)] + [(m.start() - 1, m.end() + 1) for m in numbered]
    measures = [m.span() for m in _MEASURE.finditer(text)]
    words = list(_words(text))
    run: list[Word] = []
    verb_due = False  # a do, a modal or a to has been said, and no verb yet
    asks_is = False  # is the lamp dimmable: what comes last is said of it
    determined = False
    subject = False  # can I appeal: after a pronoun the verb comes
    for before, word, after in zip([None, *words], words, [*words[1:], None], strict=False):
        inside = any(a < word.start < b - 1 for a, b in quoted)
        if any(a <= word.start < b for a, b in measures):
            yield from _noun(text, run, asks_is, rules)
            run = []
            continue
        counted = before is not None and before.low in ("many", "few", "several") and word.low in rules.verbs
        counted = counted and word.low.endswith("s")
        begins = (
            determined and (word.low in rules.kept_whole or word.low == "will")
        ) or counted  # the catering, a will
        begins = begins or _is_a_service(before, word, after) or (determined and _is_doing(word, after, rules))
        determined = bool(_DETERMINERS.fullmatch(word.low))
        verb = verb_due and (subject or (after is not None and bool(_OBJECT_BEGINS.fullmatch(after.low))))
        verb = verb or _is_said_of_before(before, word, after)
        subject = bool(_SUBJECTS.fullmatch(word.low))
        if inside or (not verb and (begins or _continues(run, word, after, verb_due, rules))):
            run.append(word)
            continue
        yield from _noun(text, run, asks_is, rules)
        run = []
        due = verb_due and not verb and word.low not in ".?!\n,;" and word.low not in rules.verbs
        verb_due = due or bool(_SUPPORTS.fullmatch(word.low))
        asks_is = (word.first and bool(_IS.fullmatch(word.low))) or (asks_is and determined)
    yield from _noun(text, run, asks_is, rules)


def _is_doing(word: Word, after: Word | None, rules: Table) -> bool:
    """The | walking tour."""
    noun = after is not None and after.low.isalpha() and after.low not in rules.grammar
    return word.low.endswith("ing") and word.low in rules.verbs and noun


def _is_a_service(before: Word | None, word: Word, after: Word | None) -> bool:
    """How much is printing? — a thing that is paid for."""
    ends = after is None or not after.low[:1].isalnum()
    return before is not None and before.low in ("is", "does") and word.low.endswith("ing") and ends


def _is_said_of_before(before: Word | None, word: Word, after: Word | None) -> bool:
    """Who | designed the bridge, how | heavy is it: a verb or a quality, and no thing."""
    if before is None or word.capital:
        return False
    if before.low in ("who", "that"):
        return bool(_PAST.fullmatch(word.low))
    return before.low in ("how", "hows") and after is not None and bool(_HELPS.fullmatch(after.low))


def _words(text: str) -> Iterator[Word]:
    first = True
    for match in _WORD.finditer(text):
        word, (start, end) = match[0].replace("’", "'"), match.span()
        if word.lower().endswith("'s"):
            yield Word(word[:-2], start, end - 2, word[:-2].casefold(), first)
            yield Word("'s", end - 2, end, "'s", False)
        else:
            yield Word(word, start, end, word.casefold(), first)
        first = word in (".", "?", "!", "\n", ":")


def _continues(run: list[Word], word: Word, after: Word | None, verb_due: bool, rules: Table) -> bool:
    """Whether the word belongs to the noun phrase begun, or begins one."""
    if word.low in ("'s", ".") and run and after is not None:
        return _inside_a_name(run[-1], word, after, rules)
    if (not word.low[:1].isalnum() and word.low != "&") or ".." in word.low:
        return False
    if _INSIDE_NAMES.fullmatch(word.low) and run and after is not None:
        named = (run[-1].capital or _INSIDE_NAMES.fullmatch(run[-1].low)) and run[-1].low not in rules.attributes
        return bool(named) and (after.capital or after.low == "the") and (word.low != "the" or run[-1].low == "of")
    if word.low in rules.grammar:
        return False
    ends = after is None or not after.low[:1].isalnum()
    if verb_due and ends and run and run[-1].capital and not word.capital and word.low.isalpha():
        return False  # what did Mira Tolland paint?
    if word.low in rules.adjectives:
        return all(w.low in rules.adjectives for w in run)
    if not word.capital and (_ADVERB.fullmatch(word.low) or (run and _PAST.fullmatch(word.low))):
        return False  # Tenth Doctor | further expresses, Team Raw | quickly, band | formally | signed
    if word.low not in rules.verbs or (word.capital and not word.first):
        return True
    if word.low not in rules.kept_whole or not run:
        return False
    noun_follows = after is not None and after.low[:1].isalnum() and after.low not in rules.grammar
    return noun_follows or not verb_due


def _inside_a_name(last: Word, mark: Word, after: Word, rules: Table) -> bool:
    """St. Mary's Hospital: a dot after an abbreviation, an 's between capitals."""
    if not (last.capital and after.capital):
        return False
    if mark.low == ".":
        return last.low in ("st", "mr", "mrs", "ms", "dr", "mt", "ft", "no", "vs") and after.start - mark.end == 1
    return after.low not in rules.attributes and after.low not in rules.people


def _noun(text: str, run: list[Word], asks_is: bool, rules: Table) -> Iterator[Phrase]:
    titled = len(run) > 1 and run[0].low in rules.people and not run[0].capital and run[1].capital
    run = run[titled:]  # the composer Ada Brennick
    if len(run) > 1 and asks_is and not run[-1].capital and _said_of_it(run, text):
        run = run[:-1]
    if len(run) == 1 and run[0].low in _COLOURS:
        return  # in red
    if run and run[-1].low in _SAID_OF and not run[-1].capital:
        run = run[:-1]
    if not run or (run[-1].low in rules.adjectives and (run[-1].first or not run[-1].capital)):
        return
    start, end = run[0].start, run[-1].end
    key = " ".join(w.low for w in run if w.low != ".")
    named = _is_named(run) or (start > 0 and text[start - 1] in '"“「')
    owner = text[end : end + 2] in ("'s", "’s") or bool(_OF.search(text[max(0, start - 12) : start].casefold()))
    bare = not named or (len(run) == 1 and run[0].text.isupper())  # CFO
    attribute = bare and len(run) <= 2 and bool({run[-1].low, run[-1].low.rstrip("s")} & rules.attributes)
    sort = kind(key) or ("person" if named and (titled or _is_person(run, text, start, rules)) else "")
    yield Phrase(text[start:end], start, end, key, sort, named, owner, attribute)


def _said_of_it(run: list[Word], text: str) -> bool:
    """Are hedgehogs nocturnal, is the Atlas 3 waterproof: what ends the question may be said of the subject."""
    *subject, last = run
    if _PREDICATIVE.fullmatch(last.low):
        return True
    plural = len(run) == 2 and subject[0].low.endswith("s") and not last.low.endswith("s")
    named = subject[-1].capital or subject[-1].low.isdigit()
    return (plural or named) and not text[last.end :].strip(" ?.!")


def _is_named(run: list[Word]) -> bool:
    """A capital where it means something, a digit, or capitals inside."""
    if any(w.capital and not w.first for w in run):
        return True
    if any(w.text[1:] != w.text[1:].lower() or any(map(str.isdigit, w.text)) for w in run):
        return True
    return run[0].capital and len(run) > 1 and run[1].capital


def _is_person(run: list[Word], text: str, start: int, rules: Table) -> bool:
    """After a title, or beginning with a first name."""
    run = [w for w in run if w.low != "."]  # Dr. Hannah Price
    if any(not w.capital or not w.text.isalpha() for w in run):
        return False
    if run[0].low in _ADDRESSES and len(run) > 1:
        return True
    if any(w.text.isupper() or w.low in rules.organisations for w in run):
        return False
    before = _TITLE.search(text[max(0, start - 16) : start].casefold())
    titled = run[0].low.rstrip(".") in rules.people or (before is not None and before[1] in rules.people)
    return titled or (2 <= len(run) <= 3 and run[0].low in rules.given_names)

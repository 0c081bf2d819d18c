"""Whether a question says enough to stand beside a thing that was talked of, rather than to be about it.

After the price of a vaccination, 「星期日有看診嗎」 is asked of the house,
and "how long?" of the vaccination. A name (a
person, a town, a shop, a product) may be what any question without a subject is about. A common noun (a vaccination,
a ticket) is so only for a question that says nothing of its own: asking words, words that fit anything (book, cost,
cancel), attributes that things have.
"""

from __future__ import annotations

import functools
import re

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.seen import see
from anaphor.steps.reconstruct.subject import ESTABLISHED, HOUSES, Subject, is_introduced
from anaphor.steps.reconstruct.tables import table


def says_enough(heard: Heard, found: Subject) -> bool:
    """Whether the question says something of its own, and what it may be about is no name."""
    if any(_is_a_name(p) or is_introduced(p, found.turn.question) for p in found.phrases):
        return False
    if any(p.kind in ESTABLISHED for p in found.phrases):
        return any(p.kind == "group" for p in heard.phrases)  # a room, a plan: asked about by whatever it has
    return says_something(heard)


def says_something(heard: Heard) -> bool:
    """Whether it may be asked of whoever is asked: it names for whom, what a house has, or what is done."""
    if not heard.is_question:
        return False
    groups = [p for p in heard.phrases if p.kind == "group"]
    attributes = [p for p in heard.given if p.attribute and p not in groups]
    if attributes:
        return all(is_of_houses(p.text, heard.language) for p in attributes)
    return bool(groups) or _has_content(heard)


def _is_a_name(phrase: Phrase) -> bool:
    """Somebody's is another matter: who works there is not asked how long repairs take."""
    if _OF_A_HOUSE.search(phrase.key):
        return False
    return (phrase.named and phrase.kind != "person") or phrase.kind in HOUSES


_OF_A_HOUSE = re.compile("[^市]区$|pay$|^(?:visa|mastercard|line ?pay)$")  # 雨棚區, PayPay: no house, nor a thing


def is_of_houses(thing: str, language: str) -> bool:
    """Its hours, its director: a thing has none."""
    of_houses = table(language).of_houses
    key = see(thing, language).text.strip()
    if language == "en":
        return key.split(" ")[-1] in of_houses
    return any(key.startswith(word) or key.endswith(word) for word in of_houses)  # 儲物櫃收費, 初診掛號費


def _has_content(heard: Heard) -> bool:
    if heard.language == "en":
        return bool(heard.topics) or bool(_OWN_SUBJECT.search(heard.seen.text))
    own = [p for p in heard.given if p.kind not in ("time", "number") and not _is_open(p.key, heard.language)]
    if heard.language == "ja":
        marked = _MARKED.match(heard.seen.text)
        said = marked is not None and not _is_open(marked["noun"], "ja")
        return said or any(_PARTICLE.match(heard.bare, p.end) for p in own)
    return _says_something(_TAKES_AN_OBJECT.sub(" ", heard.seen.text))


_OWN_SUBJECT = re.compile(
    r"\b(?:do|does|did|can|will|would|is|are|was|were) "
    r"(?:(?:the|a|an|my|your|our) )?(?!(?:i|we|you|they|it|one|he|she|there|that|this|these|those|people"
    r"|the|a|an|his|her|its|their)\b)"
    r"[a-z]+(?: [a-z]|[?]|$)"
)
# Asks of the thing itself: what brand, how it is treated, whether one ever saw it, whether you like it.
_TAKES_AN_OBJECT = re.compile(
    "(?:什么|哪一?[个种款家位些])[^,。?吗呢]{1,4}|(?:怎么|如何|怎样)(?:才|会|能|可以|去)?[^,。?]{2}(?=$|[?吗呢的好])"
    "|[^,。?]过(?:吗|没有?|$)|^.*你(?!们).*$"
)
_MARKED = re.compile("(?!何|いつ|どこ|誰|どれ|どの|いくら)(?P<noun>[^、。はがをにで?]{2,10})(?:は|が|を)")
_PARTICLE = re.compile("は|が|を|って|も|[?？]|$")


@functools.cache
def _open_words(language: str) -> frozenset[str]:
    """What may be said of anything."""
    rules = table(language)
    return rules.grammar | rules.verbs | rules.adjectives | rules.light_verbs | (rules.attributes - rules.of_houses)


def _is_open(key: str, language: str) -> bool:
    return key in _open_words(language)


def _says_something(text: str) -> bool:
    """Whether anything is left of a Chinese question without asking words, words that fit anything, times and numbers.

    One character alone is a verb or a measure, but after a verb the thing that is done so (退|房, 關|門), or listed.
    """
    words, rules, left, at, before = _open_words("zh"), table("zh"), "", 0, ""
    while at < len(text):
        size = next((n for n in range(min(6, len(text) - at), 0, -1) if _goes(text[at : at + n], words)), 0)
        here = text[at] if not size and "\u4e00" <= text[at] <= "\u9fff" else ""
        left = left + here if here else ""
        if len(left) > 1 or (here and (before in rules.light_verbs or here in rules.short_nouns)):
            return True
        before = text[at : at + (size or 1)]
        at += size or 1
    return False


def _goes(piece: str, words: frozenset[str]) -> bool:
    return piece in words or kind(piece) in ("time", "number")

"""What the last answer said of its topic, asked about by itself: 老師是誰？ 道具は借りられますか？ is there a lift?

An answer names two sorts of things: parts and terms of what was asked about (its filter, the fee), which mean nothing
without it, and things with a name of their own, which stand alone. Only the first are asked of the topic.
"""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.persons import may_be_somebody
from anaphor.steps.reconstruct.phrase import QUOTED, Phrase
from anaphor.steps.reconstruct.phrasing import about
from anaphor.steps.reconstruct.reading import TOPIC, Reading
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.subject import ESTABLISHED, is_thing, of_the_house, subject
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.text.fold import matching
from anaphor.types import Carried, Decision

LONGEST = {"en": 48, "ja": 24}  # characters; who says more says all of it
LONGEST_CHINESE = 14
SHORT = 4  # characters of a term in Chinese and Japanese


def of_what_was_told(heard: Heard, thread: Thread) -> Reading | None:
    """The question, asked of the topic whose answer spoke of that."""
    last = thread.last
    if last is None or not heard.is_question or len(heard.bare) > LONGEST.get(heard.language, LONGEST_CHINESE):
        return None
    named = heard.topics
    if not named or not last.answer or of_the_house(heard) or heard.tie:
        return None
    answer = matching(last.answer, last.answer_language)
    if not all(_is_a_term(p, last) and _is_told(p, answer, last) for p in named):
        return None
    if heard.language == "en" and not _says_the(heard, last):
        return None
    found = subject(thread, sure=False)
    if found is None or found.turn is not last or not _asks_of_one(last, found.phrases):
        return None
    if any(p.key in matching(heard.bare, heard.language) for p in found.phrases):
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.65,
        text=about(heard, found.topic),
        signals=("asks of what was told",),
        carried=tuple(Carried(p.text, last.seq, TOPIC, 0.7) for p in found.phrases),
        weigh=((last.seq, 0.5),),
        own=heard.bare,
    )


def _says_the(heard: Heard, last: Said) -> bool:
    """Is there a lift, what was the fee: of one thing with a name, that a short answer spoke of."""
    one = len(heard.topics) == 1 and len(last.topics) == 1 and last.topics[0].named
    the = _THE.search(heard.bare[: heard.topics[0].start].casefold())
    return one and bool(the) and len(last.answer) <= A_FACT and heard.topics[0].key.count(" ") < 2


A_FACT = 240  # characters: a longer answer tells a story, with things of its own
_THE = re.compile(r"\b(?:(?:is|are) there(?: any| an?)?|the|an?|any) $")


def _is_a_term(phrase: Phrase, last: Said) -> bool:
    """A part, a term, a fee; nothing that has a name, and nobody."""
    if phrase.named or phrase.owner or phrase.kind in (*ESTABLISHED, "group") or QUOTED.search(phrase.text):
        return False
    if may_be_somebody(phrase) or phrase.key in {p.key for p in last.phrases}:
        return False
    return last.language == "en" or len(phrase.key) <= SHORT


def _is_told(phrase: Phrase, answer: str, last: Said) -> bool:
    """The answer speaks of it, after its topic: behind a comma, or as something of that."""
    if last.answer_language == "en":
        return bool(re.search(rf"\b{re.escape(phrase.key)}\b", answer))
    at = answer.find(phrase.key)
    return at > 0 and bool(_BEGINS.search(answer[:at]))


_BEGINS = re.compile("(?:[,，、;；。.\\s]|它?的|其|の|附|含|有)$")


def _asks_of_one(last: Said, phrases: tuple[Phrase, ...]) -> bool:
    """Not which of several, nor who: then it is the answer's thing that is talked of."""
    asked = matching(last.standalone, last.language)
    return bool(phrases) and all(map(is_thing, phrases)) and not pattern(last.language, "asks_for").search(asked)

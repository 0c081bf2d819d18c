"""A certificate, an access key: the article before what was put in another thing's place."""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.reading import Reading
from anaphor.steps.reconstruct.thread import Thread
from anaphor.text.patterns import pattern
from anaphor.types import Carried

_ARTICLE = pattern(r"\b(an?) ([A-Za-z0-9][\w.-]*)", re.IGNORECASE)
_AT_THE_END = pattern(r"\ban?$", re.IGNORECASE)
_SPELLED = pattern(r"[A-Z]{2,5}(?![A-Za-z])")  # said letter by letter: an SLA, a URL
_BY_A_VOWEL = frozenset("AEFHILMNORSX")  # letters whose names begin with one
_LIKE_YOU = pattern(r"(?:eu|ew|one(?!\w)|once|ubiq|uk|uni(?!n|m)|ura|ure|uri|us[aeiu]|ut[aei])", re.IGNORECASE)
_SILENT = pattern(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
_NUMBER = pattern(r"(?:8|11(?!\d)|18(?!\d))")


def articled(reading: Reading, heard: Heard, thread: Thread) -> Reading:
    """The reading with the articles that go with what follows them; what somebody has said so stays as it was said."""
    if heard.language != "en" or reading.text == heard.asked:
        return reading
    texts = (text for said in thread.said for text in (said.question, said.standalone, said.answer))
    known = " ".join(("", heard.asked, *texts)).casefold()

    def fitted(match: re.Match[str]) -> str:
        if f" {match[0].casefold()}" in known:
            return match[0]
        article = "an" if _begins_with_a_vowel(match[2]) else "a"
        return f"{article.capitalize() if match[1][0].isupper() else article} {match[2]}"

    text = _ARTICLE.sub(fitted, reading.text)
    if text == reading.text:
        return reading
    return replace(reading, text=text, carried=tuple(_as_it_stands(one, text) for one in reading.carried))


def _as_it_stands(carried: Carried, text: str) -> Carried:
    """With the article that it has in the text now, where it ends in one."""
    found = _AT_THE_END.search(carried.text)
    if found is None or carried.text.casefold() in text.casefold():
        return carried
    return replace(carried, text=carried.text[: found.start()] + ("a" if found[0].lower() == "an" else "an"))


def _begins_with_a_vowel(name: str) -> bool:
    """As it is said, which is not always as it is written."""
    if _SPELLED.match(name):
        return name[0] in _BY_A_VOWEL
    if _SILENT.match(name) or _NUMBER.match(name):
        return True
    return name[0] in "aeiouAEIOU" and not _LIKE_YOU.match(name)

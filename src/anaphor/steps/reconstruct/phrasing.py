"""How a thing that was left out is put into a sentence, in each language's own way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.tables import table

if TYPE_CHECKING:  # an utterance is heard with the help of this module
    from anaphor.steps.reconstruct.heard import Heard
    from anaphor.steps.reconstruct.phrase import Phrase


def about(heard: Heard, topic: str) -> str:
    """The utterance with its topic said: 需要多少錢？ → 青嵐攝影棚需要多少錢？"""
    said = heard.bare
    if heard.language == "en":
        body = said.rstrip("?.! ")
        joint = "" if body.casefold().endswith(" for") else " for"
        return f"{body}{joint} {topic}{said[len(body) :].strip()}"
    first = heard.phrases[0] if heard.phrases else None
    if heard.language == "ja" and first is not None and kind(said[: first.start]) == "time":
        return f"{topic}の{said}"
    if first is not None and first.attribute and (first.start == 0 or heard.language == "ja"):
        return said[: first.start] + topic + table(heard.language).of + said[first.start :]
    if first is not None and first.start == 0 and heard.language != "ja" and _is_part(first, said):
        return topic + table(heard.language).of + said
    if heard.language == "ja":
        marked = re.match("[^、。]{0,12}[はが]", heard.seen.text)
        return f"{topic}の{said}" if marked else f"{topic}は{said}"
    return topic + (" " if topic[-1:].isascii() and said[:1].isascii() else "") + said


def _is_part(first: Phrase, said: str) -> bool:
    """濾網多久要換: something of the topic, and not when or for whom."""
    return (
        first.names_something
        and first.kind != "group"
        and not said[first.end :].startswith(("可以", "能", "会", "會", "要"))
    )


def of_topic(heard: Heard, topic: str) -> str:
    """A fragment with what it is a piece of: any awards? → any awards for The Harbor"""
    said = heard.bare.rstrip("?.！!？。 ")
    if heard.language == "en":
        return f"{said} for {topic}"
    return f"{topic}{'の' if heard.language == 'ja' else ''}{said}"


def owned(owner: str, thing: str, language: str) -> str:
    """價格 of 松濤 → 松濤的價格"""
    return f"{thing} of {owner}" if language == "en" else owner + table(language).of + thing


def before_end(text: str, more: str) -> str:
    """The sentence with more before its mark."""
    body = text.rstrip("?.!？。！ ")
    return body + more + text[len(body) :].strip()


@dataclass(frozen=True, slots=True)
class Edit:
    """What is written in place of a stretch of the folded text."""

    start: int
    end: int
    text: str


def edited(heard: Heard, edits: list[Edit]) -> str:
    """The utterance with every edit made, the rest verbatim."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: e.start):
        span = heard.seen.folded.source(edit.start, edit.end)
        out += [heard.bare[at : span.start], edit.text]
        at = span.end
    out.append(heard.bare[at:])
    return tidy("".join(out), heard.language)


def tidy(text: str, language: str) -> str:
    """Single spaces, no comma at either end, in English a capital first."""
    text = re.sub(r"\s+", " ", text).strip(" ,、，")
    return text[:1].upper() + text[1:] if language == "en" and " " in text else text

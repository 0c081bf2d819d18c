"""What a derived conversation is about, and where a question names it; the rules of a language are in its module."""

from __future__ import annotations

from dataclasses import dataclass

from anaphor.text.fold import fold


@dataclass(frozen=True, slots=True)
class Topic:
    """What an article is about: how it may be named, and how it may be referred to."""

    names: tuple[str, ...]  # the title first, then shorter names
    pronoun: str = ""  # 它 他 她 他們 牠們; empty where none is sure to fit
    class_form: str = ""  # 該市 …; empty where there is none
    place: bool = False  # 當地 may stand for it


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a question names the topic, in characters of the question. ``extended``: with a class noun behind it."""

    start: int
    end: int
    extended: str = ""


def named_in(question: str, topic: Topic, language: str) -> list[Mention]:
    """Every place where the topic is named; the longest name at each."""
    folded = fold(question, language)
    found: list[Mention] = []
    at = 0
    while at < len(folded.text):
        name = next((name for name in topic.names if folded.text.startswith(name, at)), None)
        if name is None:
            at += 1
            continue
        span = folded.source(at, at + len(name))
        found.append(Mention(span.start, span.end))
        at += len(name)
    return found

"""An utterance by itself: which language, what of it is asked, and what is only said to be polite."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from anaphor.steps.reconstruct.parts import reduced
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.seen import Seen, pattern, patterns, see
from anaphor.steps.reconstruct.thread import names_something
from anaphor.text.fold import clean
from anaphor.text.language import settle

MARKS = "[\\s,.;:!~。、!?…・\\-\u2010-\u2015*()（）\"'\U0001f000-\U0001ffff\u2600-\u27bf\ufe0f\u200d]"


@dataclass(frozen=True)
class Heard:
    """``asked`` is the utterance less greetings, thanks and fillers, verbatim. ``tie`` is the 那 or "and" it began
    with.

    ``bare`` is ``asked`` without that tie. ``pasted`` is what stood around the question in a long message.
    """

    text: str
    asked: str
    language: str
    tie: str = ""
    bare: str = ""
    polite: bool = False  # nothing but small talk
    pasted: str = field(repr=False, default="")

    @cached_property
    def seen(self) -> Seen:
        return see(self.bare, self.language)

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        return phrases(self.bare, self.language)

    @cached_property
    def topics(self) -> tuple[Phrase, ...]:
        return tuple(p for p in self.phrases if names_something(p))

    @cached_property
    def is_question(self) -> bool:
        return bool(pattern(self.language, "question").search(self.seen.text))


def hear(text: str, talk: tuple[str, ...] = (), locale: str | None = None) -> Heard:
    """Understand the utterance as far as it can be without looking back."""
    text = clean(text)
    question, pasted = reduced(text)
    language = settle(question, talk, locale)
    asked = without_small_talk(question, language)
    if not asked:
        return Heard(text, question.strip(), language, bare=question.strip(), polite=bool(_WORD.search(question)), pasted=pasted)
    tie, bare = untied(asked, language)
    return Heard(text, asked, language, tie, bare, pasted=pasted)


_WORD = re.compile(r"\w")


def without_small_talk(text: str, language: str) -> str:
    """What is left when greetings, thanks and fillers are taken from both ends; empty if nothing is.

    A greeting ends where a mark, an emoji, another greeting or the opening of a question follows: 謝謝卡 is a thing.
    """
    text = text.strip()
    while text:
        seen = see(text, language)
        cut = _leading(seen, language)
        if not cut:
            break
        text = text[seen.folded.source(cut - 1, cut).end :].lstrip() if cut < len(seen.text) else ""
    while text:
        seen = see(text, language)
        cut = _trailing(seen, language)
        if cut is None:
            break
        text = text[: seen.folded.source(cut, cut + 1).start].rstrip(" ,、，")
    return text if _WORD.search(text) else ""


def _leading(seen: Seen, language: str) -> int:
    """How much of the beginning is small talk."""
    for name in ("small_talk", "fillers"):
        marked = pattern(language, name, end=f"(?:{MARKS}+|$)" if name == "small_talk" else f"(?:{MARKS}*)")
        if (match := marked.match(seen.text)) and match.end() and _ends_well(seen.text, match, name, language):
            return match.end()
    opened = pattern(language, "small_talk", end=r"\s*")
    if (match := opened.match(seen.text)) and match.end():
        rest = seen.text[match.end() :]
        if pattern(language, "openers", end=r"(?![a-z'])" if language == "en" else "").match(rest) or (
            language != "en" and _leading_again(rest, language)
        ):
            return match.end()
    return 0


def _ends_well(text: str, match: re.Match[str], name: str, language: str) -> bool:
    """In English a greeting and the word after it must be parted by more than a space: "hello kitty", "nice weather"."""
    if match.end() >= len(text):
        return True
    gap = re.search(f"{MARKS}*$", match[0])
    marks = gap[0].strip() if gap else ""
    if name == "fillers":
        return language != "en" or bool(gap and gap[0]) or match.end() == len(text)
    if "?" in marks:
        return False
    return bool(marks) or (language != "en" and bool(gap and gap[0]))


def _leading_again(rest: str, language: str) -> bool:
    """Another piece of small talk follows at once (好的謝謝), and that one ends well."""
    match = pattern(language, "small_talk", end=f"(?:{MARKS}+|$)").match(rest)
    return bool(match and match.end())


def _trailing(seen: Seen, language: str) -> int | None:
    """Where small talk at the end begins; only after a mark."""
    tail = pattern(language, "small_talk", start="(?<=[,.!?;~。、!?…\\s])(?<!^)", end=f"{MARKS}*$")
    for match in re.finditer(r"[,.!?;~。、…]\s*|\s+(?=thank|thx|cheers|please)", seen.text):
        found = tail.match(seen.text, match.end())
        if found and match.start() > 0 and _WORD.search(seen.text[: match.start()]) and "?" not in found[0]:
            end = match.end() if match[0].strip() in "?!。." and match[0].strip() else match.start()
            return end
    return None


def untied(asked: str, language: str) -> tuple[str, str]:
    """The connective at the start (那, and, じゃあ), and the rest."""
    seen = see(asked, language)
    end = r"(?:[,、 ]+)" if language == "en" else r"(?:[,、 ]*)"
    for connective in patterns(language, "connectives", end=end):
        if (match := connective.match(seen.text)) and match.end() < len(seen.text):
            cut = seen.folded.source(match.end(), match.end() + 1).start
            tie, rest = asked[:cut].strip(" ,、，"), asked[cut:].strip()
            if _WORD.search(rest):
                return tie, rest
    return "", asked

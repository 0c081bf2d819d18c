"""An utterance by itself: which language, what of it is asked, and what is only said to be polite."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from functools import cached_property

from anaphor.steps.reconstruct.pasted import reduced
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.seen import KEPT, Seen, pattern, patterns, see
from anaphor.text.fold import clean
from anaphor.text.language import settle

MARKS = "[\\s,.;:!~。、!?…・\\-\u2010-\u2015*()（）\"'\U0001f000-\U0001ffff\u2600-\u27bf\ufe0f\u200d]"


@dataclass(frozen=True)
class Heard:
    """``said`` is the utterance, of a paste the question in it; ``asked`` is that less greetings and thanks.

    ``tie`` is the 那 or "and" it began with, ``bare`` is ``asked`` without it. ``pasted`` is what tells most of what
    stood around the question in a long message.
    """

    text: str
    said: str
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
        """What the utterance names; 哪個文件 names nothing."""
        return tuple(p for p in self.given if p.names_something)

    @cached_property
    def given(self) -> tuple[Phrase, ...]:
        """What it says, and does not ask for: attributes too, but not the file of 哪個文件."""
        return tuple(p for p in self.phrases if not _ASKED_OF.search(self.bare[max(0, p.start - 4) : p.start]))

    @cached_property
    def is_question(self) -> bool:
        return bool(pattern(self.language, "question").search(self.seen.text))


def hear(text: str, talk: tuple[str, ...] = (), locale: str | None = None) -> Heard:
    """Understand the utterance as far as it can be without looking back. A talk is heard again at every turn."""
    return _kept(text, talk, locale) if len(text) <= KEPT else _hear(text, talk, locale)


def _hear(text: str, talk: tuple[str, ...], locale: str | None) -> Heard:
    text = clean(text)
    question, pasted = reduced(text)
    question = question.strip()
    language = spoken(question, talk, locale)
    asked = without_small_talk(question, language)
    if not asked:
        polite = bool(_WORD.search(question))
        return Heard(text, question, question, language, bare=question, polite=polite, pasted=pasted)
    tie, bare = untied(asked, language)
    bare = without_small_talk(bare, language) or bare if tie else bare  # 另外想問…
    return Heard(text, question, asked, language, tie, bare, pasted=pasted)


@functools.lru_cache(maxsize=512)
def _kept(text: str, talk: tuple[str, ...], locale: str | None) -> Heard:
    return _hear(text, talk, locale)


# Grammar that gives a language away, however many words of another stand beside it: production 的 rate limit 呢.
_CHINESE = re.compile("[的嗎吗呢麼么這这那哪怎沒没]")
_LATIN = re.compile("[A-Za-z][\\w./:+#-]*")


def spoken(text: str, talk: tuple[str, ...], locale: str | None) -> str:
    """The language of the sentence, not of the names in it."""
    language = settle(text, talk, locale)
    if language == "en" and _CHINESE.search(text):
        return settle(_LATIN.sub(" ", text), talk, locale)
    return language


_ASKED_OF = re.compile("(?:哪[^些\\s]{0,2}|什麼|什么|どの|どんな|何の)$")
_WORD = re.compile(r"\w")
_DECORATION = re.compile("^[\\s~\U0001f000-\U0001ffff\u2600-\u27bf\ufe0f\u200d]+(?=.)|\\s+$", re.S)


def without_small_talk(text: str, language: str) -> str:
    """What is left when greetings, thanks and fillers are taken from both ends; empty if nothing is.

    A greeting ends where a mark, an emoji, another greeting or the opening of a question follows: 謝謝卡 is a thing.
    """
    text = _DECORATION.sub("", text)
    while text:
        seen = see(text, language)
        cut = _leading(seen, language)
        if not cut:
            break
        text = text[seen.folded.source(cut - 1, cut).end :].lstrip() if cut < len(seen.text) else ""
    while text:
        seen = see(text, language)
        tail = _trailing(seen, language)
        if tail is None:
            break
        text = text[: seen.folded.source(tail, tail + 1).start].rstrip(" ,、，")
    return text if _WORD.search(text) else ""


def _leading(seen: Seen, language: str) -> int:
    """How much of the beginning is small talk or a filler."""
    for name in ("small_talk", "fillers"):
        match = pattern(language, name, end=f"(?P<gap>{MARKS}*)").match(seen.text)
        if match and match.end() and _ends_well(seen.text, match, name, language):
            return match.end()
    match = pattern(language, "small_talk", end=r"\s*").match(seen.text)
    return match.end() if match and match.end() and _goes_on_well(seen.text[match.end() :], language) else 0


def _ends_well(text: str, match: re.Match[str], name: str, language: str) -> bool:
    """A mark follows. In English a space is not enough: "hello kitty", "nice weather"."""
    gap = match["gap"]
    if match.end() == len(text) or (name == "fillers" and language != "en"):
        return True
    return "?" not in gap and bool(gap.strip() if language == "en" and name == "small_talk" else gap)


def _goes_on_well(rest: str, language: str) -> bool:
    """A question begins, or another piece of small talk follows (好的謝謝, ok got it thanks)."""
    if pattern(language, "openers", end=r"(?![a-z'])" if language == "en" else "").match(rest):
        return True
    if language == "en":
        if pattern("en", "small_talk", end="[,.!] ").match(rest):
            return True  # lol ok. where …
        return len(rest) <= 40 and bool(pattern("en", "small_talk", "(?:", f"{MARKS}*){{1,3}}").fullmatch(rest))
    match = pattern(language, "small_talk", end=f"(?:{MARKS}+|$)").match(rest)
    return bool(match and match.end())


def _trailing(seen: Seen, language: str) -> int | None:
    """Where small talk at the end begins; only after a mark, or with a word of thanks."""
    tail = pattern(language, "small_talk", end=f"{MARKS}*$")
    for match in _MARK.finditer(seen.text):
        found = tail.match(seen.text, match.end())
        if found and found.end() > match.end() and "?" not in found[0] and _WORD.search(seen.text[: match.start()]):
            return match.end() if match[0].strip() in ("?", "!", "。", ".") else match.start()
    return None


_MARK = re.compile(r"[,.!?;~。、…]\s*|\s+(?=thank|thx|cheers)")


def untied(asked: str, language: str) -> tuple[str, str]:
    """The connective at the start (那, and, じゃあ), and the rest."""
    seen = see(asked, language)
    end = "[,、 ]+" if language == "en" else "[,、 ]*"
    for connective in patterns(language, "connectives", end=end):
        if (match := connective.match(seen.text)) and match.end() < len(seen.text):
            cut = seen.folded.source(match.end(), match.end() + 1).start
            tie, rest = asked[:cut].strip(" ,、，"), asked[cut:].strip()
            if _WORD.search(rest):
                return tie, rest
    return "", asked

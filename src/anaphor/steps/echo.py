"""What only repeats: the question, or the list of the sources. Neither says anything, so neither supports anything."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import PurePath

from anaphor.text.fold import matching
from anaphor.text.language import detect
from anaphor.text.numbers import numbers
from anaphor.text.segment import content_words
from anaphor.types import Passage

ALL = 0.8  # share of the question's content from which on a text that adds nothing repeats it
_LONGEST = 400  # characters; a longer text says something


def echoes(text: str, question: str, language: str = "") -> bool:
    """Whether the text has the question's content and nothing beyond it. Only of questions that ask for something.

    What answers yes or no, or takes one of two things that the question names, may well have no other words.
    """
    if len(text) > min(_LONGEST, 2 * len(question) + 20) or not _asks_for_something().search(question):
        return False
    language = language or detect(text)
    asked, said = matching(question, language), matching(text, language)
    words = {word.term for word in content_words(said, language)}
    if not words or not all(word in asked for word in words):
        return False
    if any(number.surface not in asked for number in numbers(said, language)):
        return False
    wanted = [w.term for w in content_words(_asks_for_something().sub(" ", asked), language)]
    return sum(len(w) for w in wanted if w in said) >= ALL * sum(len(w) for w in wanted)


def names_sources(text: str, passages: Iterable[Passage]) -> bool:
    """Whether the text is a list of what the passages are called: titles, sections, files."""
    rest = matching(text)
    found = 0
    named = {name for p in passages for name in _names(p.title, p.section, p.source) if name in rest}
    for name in sorted(named, key=len, reverse=True):
        if name in rest:
            rest = rest.replace(name, " ")
            found += 1
    said = bool(_of_sources().search(rest))
    rest = _of_sources().sub(" ", rest)
    return found > 0 and (said or found > 1) and not re.search(r"[^\W\d_]", rest)


@functools.lru_cache(maxsize=512)
def _names(title: str, section: str, source: str) -> tuple[str, ...]:
    """What a passage is called, folded."""
    path = PurePath(source.split("#")[0])
    names = (title, section, *section.split(" › "), source, path.name, path.stem)
    return tuple({matching(name) for name in names if len(name) > 1})


@functools.cache
def _asks_for_something() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:what|who|whom|whose|when|where|which|why|how)(?:['’]s)?\b(?: (?:many|much|long|old|far|often|tall|big))?"
        r"|什[麼么]|甚麼|啥|[誰谁哪]|何[時时處处人]|[幾几]|多少|多[久長长高大遠远重深]|怎|如何|為何|为何"
        r"|何|誰|だれ|いつ|どこ|どれ|どの|どちら|どう|どんな|なぜ|なに|いく[つら]",
        re.IGNORECASE,
    )


@functools.cache
def _of_sources() -> re.Pattern[str]:
    """Folded words for sources, and what stands between names in a list."""
    return re.compile(
        r"\b(?:sources?|documents?|references?|passages?|class|title|section|text|according to|see|from|and|the|in|n)\b"
        r"|资料(?:来源)?|来源|文件|文档|参考(?:资料|文献)?|出处|出典|文献|参照|参考|による[と]?|根据|和|与|と|の"
    )

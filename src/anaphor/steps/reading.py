"""A passage, read: its sentences, and the terms of each. Answering and verifying both look for terms in them.

Terms are compared, never shown: CJK bigrams and single Han characters (用 in 使用 and 用途 is half a match, and half a
match often tells synonyms), Latin stems, identifiers whole. A text is folded either the Japanese
way or the Chinese way (Traditional to Simplified); whoever compares a question with a passage folds it as the passage
is folded.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from anaphor.steps.instructions import instructing
from anaphor.text.segment import Token, segment
from anaphor.text.sentences import sentences
from anaphor.types import Passage, Span

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LONGEST = 20_000  # characters of one passage that are read; chunks are far below it


@dataclass(frozen=True, slots=True)
class Sentence:
    """``passage.text[start:end]``, and the terms in it.

    A heading, a lead-in with a colon and a question state nothing: they are not ``quotable``, and their terms lead to
    what stands below them (``led_by``), as an answer stands below its question in a list of frequent ones.
    """

    start: int
    end: int
    terms: frozenset[str]
    led_by: frozenset[str] = frozenset()
    quotable: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage's sentences in order. ``heading`` holds the terms of title and section, which lead to it."""

    sentences: tuple[Sentence, ...]
    heading: frozenset[str]


def read(passage: Passage) -> Reading:
    """Kept for the few passages of a turn, which several steps read."""
    heading = f"{passage.title}\n{passage.section}"
    return _read(passage.text[:_LONGEST], heading, folding(passage.language))


def quoted(passage: Passage, at: int) -> str:
    """The sentence, verbatim."""
    sentence = read(passage).sentences[at]
    return passage.text[sentence.start : sentence.end]


def folding(language: str) -> str:
    """How texts of the language are folded: ``ja`` or ``zh``."""
    return "ja" if language == "ja" else "zh"


def terms(text: str, folded_as: str) -> frozenset[str]:
    """The terms of a text."""
    return frozenset(token.term for token in tokens(text, folded_as))


def tokens(text: str, folded_as: str) -> Iterator[Token]:
    """The terms with their places, in the order of the text; a Han character stands before the bigram it begins."""
    reached = 0
    for token in segment(text, folded_as):
        if _cjk(token.term):
            for at, character in enumerate(token.term):
                start = token.start + at
                if start >= reached and _HAN.match(character):
                    yield Token(character, start, start + 1)
                    reached = start + 1
            if len(token.term) > 1:
                yield token
        else:
            yield token


def clauses(text: str, span: Span) -> list[Span]:
    """The stretches of a sentence between its commas, semicolons and colons."""
    cuts = [span.start, *(m.end() for m in _CLAUSE_END.finditer(text, span.start, span.end)), span.end]
    return [Span(a, b) for a, b in itertools.pairwise(cuts) if a < b]


_STATES_NOTHING = re.compile(r"^#{1,6}\s|[?？:：]\s*[」』”\"')）*]*$")
_CLAUSE_END = re.compile(
    r"[，；：、]|[,;:](?=\s)|——|──"
    r"|\s(?=(?:and|but|or|while|whereas|although|though|because|unless|if|which|who)\s)"
)


def _cjk(term: str) -> bool:
    return term[0] >= "\u3005" and not term[0].isascii()


@functools.lru_cache(maxsize=128)
def _read(text: str, heading: str, folded_as: str) -> Reading:
    spans = sentences(text)
    found: list[set[str]] = [set() for _ in spans]
    at = 0
    for token in tokens(text, folded_as):
        while at < len(spans) and token.start >= spans[at].end:
            at += 1
        if at < len(spans) and spans[at].start <= token.start and token.end <= spans[at].end:
            found[at].add(token.term)
    orders = instructing(text)
    titles = {line.strip() for line in heading.splitlines() if line.strip()}
    read_so: list[Sentence] = []
    led_by: frozenset[str] = frozenset()
    for span, has in zip(spans, found, strict=True):
        said = text[span.start : span.end]
        states = said not in titles and not _STATES_NOTHING.search(said)
        if not states:
            led_by = frozenset(has)
        obeys = any(o.start <= span.start < o.end for o in orders)
        read_so.append(
            Sentence(span.start, span.end, frozenset(has), led_by if states else frozenset(), states and not obeys)
        )
    return Reading(tuple(read_so), terms(heading, folded_as))

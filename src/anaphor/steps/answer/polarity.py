"""Whether a sentence says the opposite of what a question asks for: which cake has no egg, "contains egg"."""

from __future__ import annotations

import functools
import re

from anaphor.steps.reading import clauses
from anaphor.steps.reconstruct.negation import negations
from anaphor.text.characters import HAN
from anaphor.text.fold import matching
from anaphor.text.stem import stem
from anaphor.types import Span

SAID = 0.3


def opposite(question: str, sentence: str, language: str) -> float:
    """1 if what the question negates stands in the sentence only without negation, ``SAID`` the other way round, or 0.

    The other way round says less: a sentence may negate a word of the question beside answering it.
    """
    asked, said = _negated(question, language), _negated(sentence, language)
    if any(_only_plain(word, sentence, said, language) for word in asked):
        return 1.0
    return SAID * any(_only_plain(word, question, asked, language) for word in said)


@functools.lru_cache(maxsize=512)
def _negated(text: str, language: str) -> frozenset[str]:
    """The roots of the words that the text negates."""
    return frozenset(filter(None, (_root(n.governs or n.surface, language) for n in negations(text, language))))


def _only_plain(word: str, text: str, negated: frozenset[str], language: str) -> bool:
    if word in negated or word not in matching(text, language):
        return False
    if word.isascii():
        return any(word in {stem(w) for w in re.findall(r"[a-z']+", clause)} for clause in _plain(text, language))
    return any(word in clause for clause in _plain(text, language))


@functools.lru_cache(maxsize=512)
def _plain(text: str, language: str) -> tuple[str, ...]:
    """The clauses that negate nothing, folded."""
    folded = (matching(text[span.start : span.end], language) for span in clauses(text, Span(0, len(text))))
    return tuple(clause for clause in folded if not negations(clause, language))


def _root(word: str, language: str) -> str:
    """What of a negated word stands in its affirmative form too: 使わ → 使, covers → cover, 含蛋."""
    if word.isascii():
        return stem(word) if len(word) > 2 else ""
    if language != "ja":
        return word if len(word) > 1 else ""
    kanji = _han().findall(word)
    return kanji[-1] if kanji else ""


@functools.cache
def _han() -> re.Pattern[str]:
    return re.compile(f"[{HAN}]+")

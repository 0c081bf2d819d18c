"""The embedded reranker: what only the text of a passage tells, added to the score that retrieval gave it.

    score(d) = retrieved(d) + COVERED · coverage(best sentence of d) + WHOLE · words(d)
               + RUN · run(d) + QUOTED · quoted(d) + TIMED · tells_when(d) − ASKS · only_asks(d)

*coverage*: of the query's terms, weighted by how rare they are among these hits, the share that one sentence of the
passage has: words that stand together mean more than words scattered over a page. *words*: the same share of its words
of Chinese and Japanese, where terms are pairs of characters, of which a passage may have both without the word of
three; anywhere in the passage or its title. *run*, of such a query too: the characters of its longest stretch that the
passage has word for word; none where something was carried, for then the wording is partly an earlier question's.
*quoted*: of what it puts in quotation marks, the share that the passage or its title has. *tells_when* counts where the
question asks when; *only_asks* is what somebody asked, which answers nothing. Both are about what was said, not about
documents. The weights are few, chosen by hand and checked half against half (``docs/provenance.md``); nothing is
fitted.
"""

from __future__ import annotations

import copy
import functools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from anaphor.steps.beside import SAID
from anaphor.text.fold import matching
from anaphor.text.patterns import pattern
from anaphor.text.segment import content_words, index_terms
from anaphor.text.sentences import sentences
from anaphor.text.weigh import weigh
from anaphor.text.words import quoted
from anaphor.types import Hit, Passage, Span, StandaloneQuery

COVERED = 0.3
WHOLE = 0.5
RUN, LONGEST_RUN = 0.06, 16
QUOTED = 0.5
TIMED = 0.4
ASKS = 0.5
LOOKED_AT = 1200  # characters of a passage: what it is about, a passage says early

_ASKS_WHEN = pattern(
    r"(?i)\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bhow (?:long|many (?:days|weeks|months|years))\b"
    "|什麼時候|什么时候|何時|何时|哪[一]?[天日年]|哪個月|哪个月|幾[月號号日點点年]|几[月号日点年]|多久|多長時間|多长时间"
    "|いつ|何[月日年時]|何曜日|何[日週か]間|どのくらい"
)
_TELLS_WHEN = pattern(
    r"(?i)\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weekends?|weeks?|months?|years?|since|recently|just"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|\d{1,4}(?:st|nd|rd|th)?)\b"
    "|[0-9一二三四五六七八九十]+[年月日號号天週周點点時时]|[昨今明前後后]天|昨日|今日|明日|[上下這这]個?个?[週周月]|[去今明]年"
    "|[先今来來][週月年]|剛|刚|最近|さっき|この前"
)
_ENDS_ASKING = pattern(r"[?？][\s\"'”」』)）~～!！]*$")
_SELF = pattern(r"(?i)\b(?:i|i['’](?:m|ve|d|ll)|my|we|our)\b|[我俺]|私|僕")


def closely(query: StandaloneQuery, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, with their new scores and the sentence of each that fits best."""
    words = _Words(weigh(query))
    spoken = [_spoken(hit.passage, words) for hit in hits]
    rare = _rare(words.weights, [frozenset().union(*(terms for _, terms in said)) for said in spoken])
    whole = sum(rare.values()) or 1.0
    literal = _literally(query, hits)
    when = bool(_ASKS_WHEN.search(query.text))
    looked_at = []
    for hit, said, more in zip(hits, spoken, literal, strict=True):
        covered, best = max(
            ((sum(map(rare.__getitem__, terms)), -span.start, span) for span, terms in said),
            default=(0.0, 0, None),
            key=lambda found: found[:2],
        )[::2]
        score = hit.score + COVERED * covered / whole + more
        if hit.passage.evidence_class in SAID:
            score += TIMED * (when and _TELLS_WHEN.search(hit.passage.text, 0, LOOKED_AT) is not None)
            score -= ASKS * _only_asks(hit.passage.text)
        looked_at.append(replace(hit, score=score, best=best))
    return looked_at


def _spoken(passage: Passage, words: _Words) -> list[tuple[Span, frozenset[str]]]:
    """Each sentence with those of the query's terms that it has."""
    whole, parts = _sentences(passage.text[:LOOKED_AT], passage.language)
    near = words.within(whole)
    return [(span, near.found(folded)) for span, folded in parts]


@functools.lru_cache(maxsize=4096)
def _sentences(text: str, language: str) -> tuple[str, tuple[tuple[Span, str], ...]]:
    """The sentences, folded, together and apart; kept, for one question after another comes near the same passages."""
    parts = tuple((span, matching(text[span.start : span.end], language)) for span in sentences(text))
    return "\n".join(folded for _, folded in parts), parts


class _Words:
    """The query's terms, looked for without cutting up every text: only what begins like one of them is cut."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights
        latin = {term[: max(3, len(term) - 2)] for term in weights if term.isascii()}  # a stem is shorter than its word
        self._latin = re.compile(f"(?<![a-z])(?:{_any(latin)})[\\w.@:/'+#-]*") if latin else None
        self._others = [term for term in weights if not term.isascii()]

    def within(self, folded: str) -> _Words:
        """Only those terms that may be in a part of this text: most are in none of a passage's sentences."""
        near = copy.copy(self)
        near._others = [term for term in self._others if term in folded]
        if self._latin is not None and not self._latin.search(folded):
            near._latin = None
        return near

    def found(self, folded: str) -> frozenset[str]:
        """Those of the terms that a folded sentence has."""
        have = {term for term in self._others if term in folded}
        if self._latin is not None and (words := self._latin.findall(folded)):
            have |= self.weights.keys() & index_terms(" ".join(words), "en")
        return frozenset(have)


def _any(terms: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))


def _rare(weights: Mapping[str, float], had: Sequence[frozenset[str]]) -> dict[str, float]:
    """The query's terms that occur, each by its weight and by how few of the passages have it."""
    have = Counter(term for terms in had for term in terms)
    n = len(had)
    return {term: weights[term] * math.log1p((n - k + 0.5) / (k + 0.5)) for term, k in have.items()}


def _literally(query: StandaloneQuery, hits: Sequence[Hit]) -> list[float]:
    """What each passage gets for having the question's own wording: its words, a stretch of it, what it quotes."""
    asked = query.text[:LOOKED_AT]
    there = [_folded(hit.passage) for hit in hits]
    scores = [0.0] * len(hits)
    if spans := quoted(asked, query.language):
        scores = [QUOTED * sum(span in text for span in spans) / len(spans) for text in there]
    words = {token.term for token in content_words(asked, query.language) if len(token.term) > 1}
    if all(map(str.isascii, words)):  # their terms are words, and a sentence that has them all is what was asked
        return scores
    had = [frozenset(word for word in words if word in text) for text in there]
    rare = _rare(dict.fromkeys(words, 1.0), had)
    whole = sum(rare.values()) or 1.0
    said = "" if query.carried else matching(asked, query.language)
    return [
        score + WHOLE * sum(map(rare.__getitem__, some)) / whole + RUN * _run(said, text)
        for score, some, text in zip(scores, had, there, strict=True)
    ]


def _folded(passage: Passage) -> str:
    text, _ = _sentences(passage.text[:LOOKED_AT], passage.language)
    return f"{matching(passage.title, passage.language)}\n{text}" if passage.title else text


def _run(asked: str, text: str) -> int:
    """Characters of the longest stretch of what is asked that the text has."""
    longest = 0
    for start in range(len(asked)):
        while longest < LONGEST_RUN and asked[start : start + longest + 1] in text:
            if start + longest >= len(asked):
                return longest
            longest += 1
    return longest


def _only_asks(text: str) -> bool:
    """It ends in a question and nobody speaks of themselves in it: "I moved to Leeds, any tips?" tells something."""
    told = text.partition(": ")[2] or text  # the name of who said it aside
    return _ENDS_ASKING.search(text[-40:]) is not None and _SELF.search(told, 0, LOOKED_AT) is None

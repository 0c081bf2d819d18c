"""Facts of long-term memory that have to do with a question, and the person's own words that they lead to.

A fact is an entry of an index: what it says is never shown as an answer. What is quoted is the turn it points at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from anaphor.facts import PERSON
from anaphor.steps.answer.kinds import Kind, kind_of
from anaphor.text.patterns import pattern
from anaphor.text.segment import index_terms, query_terms
from anaphor.types import Hit, KnownFact, Passage, StandaloneQuery

SHARES = 0.5  # of the question's weight, from which on a fact has to do with it
OF_THE_KIND = 0.2  # the same for a fact of the kind that is asked for
LED_BY = 3  # facts that lead to passages
AT = 5  # the place behind which a passage that a fact leads to never stands

ASKED_BY: dict[Kind, frozenset[str]] = {
    Kind.WHERE: frozenset({"place", "work"}),
    Kind.WHICH: frozenset({"place", "possession", "preference", "identity", "work"}),
    Kind.WHO: frozenset({"relation", "identity", "preference"}),
    Kind.HOW_MANY: frozenset({"count"}),
    Kind.WHEN: frozenset({"schedule", "plan", "event"}),
    Kind.YEAR: frozenset({"schedule", "plan", "event"}),
    Kind.WHAT: frozenset({"identity", "preference", "possession", "health", "work"}),
}
"""Which kinds of facts can answer which kind of question."""


def fitting(query: StandaloneQuery, facts: Sequence[KnownFact]) -> list[KnownFact]:
    """Those that have to do with the question, the best first."""
    wanted = query_terms(query.text, query.language)
    whole = sum(wanted.values())
    if not whole:
        return []
    kinds = ASKED_BY.get(kind_of(query.text), frozenset())
    scored = []
    for fact in facts:
        about = "" if fact.about == PERSON else fact.about
        own = set(index_terms(" \n".join((fact.text, about, fact.value, fact.unit)), query.language))
        share = sum(weight for term, weight in wanted.items() if term in own) / whole
        if share >= (OF_THE_KIND if fact.kind in kinds else SHARES):
            scored.append((share + 0.3 * (fact.kind in kinds), fact.said_at, fact))
    scored.sort(key=lambda one: (-one[0], -one[1]))
    return [fact for _, _, fact in scored] or _only_count(query.text, facts)


def _only_count(text: str, facts: Sequence[KnownFact]) -> list[KnownFact]:
    """ "How many did I have in February?": what is counted goes without saying where only one thing of theirs is."""
    own = [fact for fact in facts if fact.kind == "count" and fact.about == PERSON] if _BARE.search(text) else []
    line = {one.fact_id for fact in own for one in (fact, *fact.earlier)}
    newest = max(own, key=lambda fact: (fact.said_at, fact.seq), default=None)
    return [newest] if newest and line == {newest.fact_id, *(one.fact_id for one in newest.earlier)} else []


_BARE = pattern(
    r"\bhow many (?:did|had|have|do) (?:I|we) (?:have|own|had)\b(?! \w+s\b)|\bhow many (?:were|are) there\b"
    r"|我[^。？?]{0,10}有(?:多少|幾|几)[個个枚隻只張张本]?[？?]?$|いくつ(?:持って|あっ|あり)|何[個枚冊本]?(?:持って|あっ|あり)",
    re.IGNORECASE,
)


def led(query: StandaloneQuery, hits: Sequence[Hit], facts: Sequence[KnownFact]) -> tuple[Hit, ...]:
    """The hits, and among the first of them the words that say the facts which have to do with the question.

    Of a count also those that say what it was before and how it changed; of what took the place of something else only
    the newer words.
    """
    found = {hit.passage.passage_id: hit for hit in hits}
    wanted: dict[str, Passage] = {}
    for fact in fitting(query, facts)[:LED_BY]:
        for one in (fact, *(fact.earlier if fact.kind == "count" else ())):
            wanted |= {passage.passage_id: passage for passage in one.passages[-1:]}
    late = {name for n, name in enumerate(found) if n >= AT} | (wanted.keys() - found.keys())
    moved = [name for name in wanted if name in late]
    if not moved:
        return tuple(hits)
    kept = [hit for hit in hits if hit.passage.passage_id not in moved]
    score = kept[min(AT, len(kept)) - 1].score if kept else 1.0
    new = [
        replace(found.get(name) or Hit(wanted[name], score, 0), score=score, ranks=_ranks(found.get(name), n))
        for n, name in enumerate(moved, 1)
    ]
    whole = [*kept[:AT], *new, *kept[AT:]]
    return tuple(replace(hit, rank=n) for n, hit in enumerate(whole, 1))


def _ranks(hit: Hit | None, n: int) -> dict[str, int]:
    return {**(hit.ranks if hit else {}), "facts": n}

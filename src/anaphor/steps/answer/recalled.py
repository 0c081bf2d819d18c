"""What the quoting reader makes of facts: which of a person's own words are the ones that hold.

Facts decide *which* words are quoted and add nothing to them. Words that newer ones took the place of give way to
those, unless the question asks about a time at which they held; of a count every number is told in its order, with the
sum; a contradiction that nobody has decided is told from both sides; words about "next Wednesday" are told with the
day that this was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from anaphor.steps.answer.kinds import Kind, kind_of
from anaphor.steps.answer.known import fitting
from anaphor.steps.answer.phrases import person_said, sources_disagree
from anaphor.steps.answer.standing import Standing
from anaphor.steps.days import Days, named, relative, said_on
from anaphor.steps.reading import read
from anaphor.text.patterns import pattern
from anaphor.types import (
    Claim,
    Draft,
    Evidence,
    EvidenceClass,
    KnownFact,
    Passage,
    Quote,
    Span,
    StandaloneQuery,
)

MOST = 8  # of a person's statements that one answer quotes
SIGN = {"add": "+", "remove": "−"}


@dataclass(frozen=True, slots=True)
class Words:
    """The sentence of passage ``n`` that says a fact."""

    n: int
    passage: Passage
    span: Span
    fact: KnownFact | None = None

    @property
    def text(self) -> str:
        return self.passage.text[self.span.start : self.span.end]


def recalled(
    query: StandaloneQuery,
    evidence: Evidence,
    draft: Draft,
    held: Standing | None,
    language: str,
    today: date | None,
) -> Draft:
    """The draft of the quoting reader, as the person's own words and the facts have it; ``held``: what stands."""
    shown = _Shown(evidence)
    if not shown.said:
        return draft
    asked = asked_days(query.text, today)
    if listed := _listed(query.text, shown, asked):
        return _told(listed, draft, language)
    if asked is None and (standing := _stands(held, shown, evidence, draft, language)):
        return standing
    if not evidence.facts:
        return draft
    fits = [fact for fact in fitting(query, evidence.facts) if shown.words(fact)]
    counts = [fact for fact in fits if fact.kind == "count"]
    if kind_of(query.text) is Kind.HOW_MANY and counts:
        counted = shown.those(_until(_in_order(counts[0], evidence.facts), asked))
        if counted:
            return _told(counted, draft, language, total=_total(counted))
    if not draft.claims:
        return _from_facts(fits, shown, asked, draft, language)
    return _as_it_stands(evidence.facts, shown, asked, draft, language)


def _stands(found: Standing | None, shown: _Shown, evidence: Evidence, draft: Draft, language: str) -> Draft | None:
    """What of the person's statements about the thing holds now; ``None`` where the draft or the facts know better."""
    if found is None:
        return None
    told = [Words(one.n, one.passage, one.span, shown.fact_at(evidence.facts, one.n, one.span)) for one in found.told]
    if any(words.fact is not None and words.fact.status == "disputed" for words in told):
        return None
    quoted = {(quote.n, quote.start) for quote in draft.quotes}
    if (
        quoted == {(words.n, words.span.start) for words in told}
        and not any(map(_about_a_day, told))
        and not found.added
    ):
        return None
    theirs = quoted <= {(n, start) for n, passage in shown.said.values() for start in _starts(passage)}
    if not theirs and not found.asked.own:
        return None  # documents speak of it too, and nothing says that the person's own is meant
    return _told(told, draft, language, total=_summed(found))


def _starts(passage: Passage) -> Iterator[int]:
    return (sentence.start for sentence in read(passage).sentences)


def _summed(found: Standing) -> Claim | None:
    """The count with its changes, added up."""
    if len(found.added) < 2:
        return None
    first, *changes = found.added
    parts = [f"{first.quantity:g}", *(f"{'+' if one.change > 0 else '−'} {one.quantity:g}" for one in changes)]
    total = (first.quantity or 0) + sum(one.change * (one.quantity or 0) for one in changes)
    return Claim(f"{' '.join(parts)} = {total:g}", tuple(dict.fromkeys(one.n for one in found.added)), lead="\n")


def asked_days(text: str, today: date | None) -> Days | None:
    """The days that a question asks about, if they are over: "in February", 三月的時候, 先週."""
    found = [*relative(text, today)] if today else []
    found += [days for one in named(text) if (days := one.days(today))]
    past = [days for days in found if today is None or days.first <= today]
    return past[0] if past else None


class _Shown:
    """The person's words among the evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self.said = {
            passage.passage_id: (n, passage)
            for n, passage in evidence.numbered()
            if passage.evidence_class is EvidenceClass.USER_STATEMENT
        }

    def words(self, fact: KnownFact) -> Words | None:
        """The sentence that says the fact, if it is shown: the newest where several turns say it."""
        for passage in reversed(fact.passages):
            n, whole = self.said.get(passage.passage_id, (0, passage))
            at = whole.text.find(fact.text[:80]) if n else -1
            at = whole.text.find(fact.value) if n and at < 0 else at
            if at >= 0 and (span := _sentence(whole, at)):
                return Words(n, whole, span, fact)
        return None

    def fact_at(self, facts: Sequence[KnownFact], n: int, span: Span) -> KnownFact | None:
        """The fact that the sentence says."""
        for fact in facts:
            words = self.words(fact)
            if words and (words.n, words.span.start) == (n, span.start):
                return fact
        return None

    def those(self, facts: Iterable[KnownFact]) -> list[Words]:
        found = [words for fact in facts if (words := self.words(fact))]
        return list({(words.n, words.span): words for words in found}.values())


def _sentence(passage: Passage, at: int) -> Span | None:
    found = [s for s in read(passage).sentences if s.quotable and s.start <= at < s.end]
    return Span(found[0].start, found[0].end) if found else None


def _in_order(fact: KnownFact, facts: Sequence[KnownFact]) -> list[KnownFact]:
    """A count with what it was before and how it changed, and the changes since, oldest first."""
    alike = [one for one in facts if one.kind == "count" and fact.fact_id in {e.fact_id for e in one.earlier}]
    whole = {one.fact_id: one for one in (*fact.earlier, fact, *alike)}
    return sorted(whole.values(), key=lambda one: (one.said_at, one.seq))


def _until(facts: Sequence[KnownFact], asked: Days | None) -> list[KnownFact]:
    """What had been said by the end of the days asked about."""
    return [fact for fact in facts if asked is None or _day(fact) <= asked.last]


def _day(fact: KnownFact) -> date:
    return datetime.fromtimestamp(fact.said_at, UTC).date()


def _total(counted: Sequence[Words]) -> Claim | None:
    """The last count with the changes since, added up; ``None`` where nothing changed or a number is not told."""
    facts = [words.fact for words in counted if words.fact]
    last = max((n for n, fact in enumerate(facts) if fact.change == "set"), default=-1)
    since = facts[last:] if last >= 0 else []
    if len(since) < 2 or any(fact.quantity is None for fact in since):
        return None
    parts = [f"{since[0].quantity:g}", *(f"{SIGN.get(fact.change, '+')} {fact.quantity:g}" for fact in since[1:])]
    total = sum((fact.quantity or 0) * (-1 if fact.change == "remove" else 1) for fact in since)
    cites = tuple(dict.fromkeys(words.n for words in counted if words.fact in since))
    return Claim(f"{' '.join(parts)} = {total:g}", cites, lead="\n")


def _listed(text: str, shown: _Shown, asked: Days | None) -> list[Words]:
    """Everything that was said on the days asked about, where that is what the question asks: 我昨天說了什麼?"""
    if asked is None or not _WHAT_WAS_SAID.search(text):
        return []
    found = [
        Words(n, passage, Span(s.start, s.end))
        for n, passage in shown.said.values()
        if (day := said_on(passage.date)) and asked.first <= day <= asked.last
        for s in read(passage).sentences
        if s.quotable
    ]
    return sorted(found, key=lambda words: (words.passage.date or "", words.n, words.span.start))[:MOST]


_WHAT_WAS_SAID = pattern(
    r"\bwhat (?:all )?(?:did|have|had) (?:I|we) (?:\w+ )?"
    r"(?:say|said|tell|told|note|noted|mention|mentioned|write|written)\b"
    r"|我[^。？?]{0,12}(?:說|说|記|记|提|講|讲)(?:到|起|下)?(?:了|過|过)?(?:什麼|什么|哪些|啥)"
    r"|何を?(?:言|話し|伝え|メモし|書)|何と言",
    re.IGNORECASE,
)


def _from_facts(fits: Sequence[KnownFact], shown: _Shown, asked: Days | None, draft: Draft, language: str) -> Draft:
    """Where the reader finds no answer: the words of the fact that has most to do with the question."""
    held = [fact for fact in fits[:1] for fact in _held_then(fact, asked)]
    said = shown.those(held)
    if not said:
        return draft
    disputed = [one for one in fits if fits[0].status == one.status == "disputed" and one.kind == fits[0].kind]
    told = shown.those(disputed) if len(disputed) > 1 else said
    return _told(told, draft, language, contested=len(disputed) > 1)


def _held_then(fact: KnownFact, asked: Days | None) -> list[KnownFact]:
    """The fact, or what held in its place at the time asked about."""
    line = sorted((*fact.earlier, fact), key=lambda one: one.said_at)
    then = [one for one in line if asked and _day(one) <= asked.last]
    return [then[-1]] if then else [fact]


def _as_it_stands(facts: Sequence[KnownFact], shown: _Shown, asked: Days | None, draft: Draft, language: str) -> Draft:
    """The reader's quotes; what newer words took the place of gives way to them."""
    if any(not claim.cites for claim in draft.claims):
        return draft
    instead = _newer(facts, shown) if asked is None else {}
    said: list[Words] = []
    changed = contested = False
    for quote in draft.quotes:
        passage = next((p for n, p in shown.said.values() if n == quote.n), None)
        if passage is None:
            return draft  # not the person's words alone
        span = Span(quote.start, quote.end)
        here = Words(quote.n, passage, span, shown.fact_at(facts, quote.n, span))
        newer = instead.get((quote.n, quote.start))
        others = shown.those(_against(here.fact, facts))
        changed |= newer is not None or bool(others)
        contested |= bool(others)
        said += [newer or here, *others]
    if not changed and not any(_about_a_day(words) for words in said):
        return draft
    return _told(list({(w.n, w.span): w for w in said}.values()), draft, language, contested=contested)


def _newer(facts: Sequence[KnownFact], shown: _Shown) -> Mapping[tuple[int, int], Words]:
    """Where superseded words stand, and the words that took their place."""
    found: dict[tuple[int, int], Words] = {}
    for fact in facts:
        if fact.kind == "count" or fact.status != "current":
            continue
        now = shown.words(fact)
        for old in fact.earlier if now else ():
            then = shown.words(old)
            if then and now and (then.n, then.span) != (now.n, now.span):
                found[then.n, then.span.start] = now
    return found


def _against(fact: KnownFact | None, facts: Sequence[KnownFact]) -> list[KnownFact]:
    """What a disputed fact is disputed with."""
    if fact is None or fact.status != "disputed":
        return []
    return [one for one in facts if one.fact_id in fact.against]


def _about_a_day(words: Words) -> str:
    """The days that the words speak of, where they do not name them themselves: "next Wednesday" is 2026-05-27."""
    fact = words.fact
    if fact is None or not (fact.valid_from or fact.valid_to):
        return ""
    first, last = fact.valid_from[:10], fact.valid_to[:10]
    told = first if first == last else f"{first}–{last}" if first else f"–{last}"
    return "" if (first or last)[:4] in words.text else told


def _told(
    said: Sequence[Words], draft: Draft, language: str, *, total: Claim | None = None, contested: bool = False
) -> Draft:
    claims = tuple(
        Claim(
            words.text,
            (words.n,),
            lead=("\n" if n else "") + person_said(language, words.passage.date, _about_a_day(words)),
        )
        for n, words in enumerate(said)
    )
    quotes = tuple(Quote(words.n, words.span.start, words.span.end) for words in said)
    opening = sources_disagree(language) if contested else ""
    if contested:
        claims = tuple(replace(claim, lead="\n" + claim.lead.lstrip("\n")) for claim in claims)
    return replace(draft, claims=(*claims, *((total,) if total else ())), quotes=quotes, opening=opening)

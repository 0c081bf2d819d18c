"""Gather what is remembered for this turn, within the window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from anaphor.errors import AnaphorError
from anaphor.facts import Fact, Kind, Status, Summary
from anaphor.ports import Memories, TokenCounter, Turns
from anaphor.steps.decided import decided, in_other_words
from anaphor.text.segment import query_terms
from anaphor.text.tokens import cut
from anaphor.types import KnownFact, Passage, Question, Recollection, Scope, Span, Turn, Window, Words

FACTS = 8  # current ones that a turn is given
BEFORE = 0.3  # what a word of the question before counts for, beside one of this question
LEAST = 100  # tokens of a huge answer that are worth being there
LONGEST = 2_000  # characters of a question that facts are looked up by


def remember(
    turns: Turns,
    memories: Memories | None,
    scope: Scope,
    before: int,
    window: Window,
    count: TokenCounter,
    question: Question | None = None,
) -> Recollection:
    """The newest turns that fit the window, the summary of what left it, and facts that have to do with the question.

    If memory fails, the turn has its window, and ``notes`` say why there is nothing else.
    """
    recent = turns.recent(scope, window.turns, before=before)
    kept = newest_within(recent, window.turns, window.tokens, count)
    left_out = max(0, before - 1 - len(kept))
    if memories is None:
        return Recollection(kept, left_out=left_out)
    try:
        kept = as_forgotten(kept, memories.forgotten(scope, kept[0].seq - 1)) if kept else kept
        summary = memories.summary(scope)
        facts = known(memories, scope, wanted(question, kept))
        settled = decided(memories, scope)
    except AnaphorError as error:
        return Recollection(kept, left_out=left_out, notes=(f"memory: {error}",))
    told = as_decided(summary, scope, settled) if summary and summary.to_seq < before else ""
    return Recollection(kept, told, facts, left_out, decided=settled)


def as_forgotten(turns: Sequence[Turn], forgotten: Mapping[int, Sequence[Span]]) -> tuple[Turn, ...]:
    """The turns without what the person wants forgotten, and without the answers that repeat it."""
    gone = [turn.question[s.start : s.end].strip(_EDGE) for turn in turns for s in forgotten.get(turn.seq, ())]
    found = []
    for turn in turns:
        text, stretches = turn.question, forgotten.get(turn.seq, ())
        for span in stretches:
            text = text[: span.start] + " " * (min(span.end, len(text)) - span.start) + text[span.end :]
        left = replace(turn, question=text.strip(_EDGE) and text, standalone="") if stretches else turn
        repeats = any(words and words in turn.answer for words in gone)
        found.append(replace(left, answer="", claims=()) if repeats else left)
    return tuple(found)


_EDGE = " \t\r\n。．.!！?？…、,，;；"


def as_decided(summary: Summary, scope: Scope, settled: Sequence[Words]) -> str:
    """The summary without the sentences that a person has rejected or put in other words since, where it says which
    they are."""
    lines = summary.text.split("\n")
    if len(lines) != len(summary.sources):
        return summary.text
    here = [one for one in settled if one.session_id == scope.session]
    return "\n".join(
        line
        for line, (seq, start, end) in zip(lines, summary.sources, strict=True)
        if not any(one.seq == seq and one.start < end and start < one.end for one in here)
    )


def wanted(question: Question | None, turns: Sequence[Turn]) -> Mapping[str, float]:
    """The words of the question with their weights; those of the question before it count for less."""
    if question is None:
        return {}
    terms = query_terms(question.text[-LONGEST:])
    for turn in turns[-1:]:
        for term, weight in query_terms(turn.carriable_question[-LONGEST:], turn.language).items():
            terms.setdefault(term, BEFORE * weight)
    return terms


def known(memories: Memories, scope: Scope, terms: Mapping[str, float], limit: int = FACTS) -> tuple[KnownFact, ...]:
    """The facts that have to do with the terms, then the pinned and the newest, as a turn sees them.

    Of a disputed fact, what it is disputed with comes too.
    """
    found = memories.relevant(scope, terms, limit)
    if not found:
        return ()
    kin = {fact.fact_id: fact for fact in memories.kin(scope, [fact.fact_id for fact in found])}
    shown = {fact.fact_id: fact for fact in found}
    for fact in found:
        shown |= {name: kin[name] for name in fact.against if name in kin and kin[name].status is Status.DISPUTED}
    before = {name: _earlier(memories, scope, fact, kin) for name, fact in shown.items()}
    said = memories.passages(scope, kin.keys() | shown.keys())
    return tuple(_known(fact, said, before[name]) for name, fact in shown.items())


def _earlier(memories: Memories, scope: Scope, fact: Fact, kin: Mapping[str, Fact]) -> list[Fact]:
    """What it took the place of, and, of a count, the counts and changes before it, oldest first."""
    if fact.statement.kind is Kind.COUNT:
        line = memories.kin(scope, [fact.fact_id])
        held = (Status.CURRENT, Status.SUPERSEDED)
        return [one for one in line if one.status in held and one.fact_id != fact.fact_id and _before(one, fact)]
    return [one for one in kin.values() if one.fact_id != fact.fact_id and _heir(one, kin) == fact.fact_id]


def _before(one: Fact, other: Fact) -> bool:
    return (one.said_at, one.seq) <= (other.said_at, other.seq)


def _heir(fact: Fact, kin: Mapping[str, Fact]) -> str:
    """Which fact took its place in the end."""
    seen: set[str] = set()
    while fact.replaced_by in kin and fact.fact_id not in seen:
        seen.add(fact.fact_id)
        fact = kin[fact.replaced_by]
    return fact.fact_id


def _known(fact: Fact, said: Mapping[str, Sequence[Passage]], earlier: Sequence[Fact] = ()) -> KnownFact:
    statement, passages = fact.statement, tuple(said.get(fact.fact_id, ()))
    own = next((p for p in passages if p.source == fact.session_id and p.seq == fact.seq), None)
    text = own.text[max(0, statement.start - own.start) : statement.end - own.start] if own else statement.value
    if edited := in_other_words(fact, passages):
        passages, text = (edited,), edited.text
    return KnownFact(
        fact_id=fact.fact_id,
        text=text,
        about=statement.about,
        kind=str(statement.kind),
        value=statement.value,
        said_at=fact.said_at,
        session_id=fact.session_id,
        seq=fact.seq,
        status=str(fact.status),
        state=str(statement.state),
        change=str(statement.change),
        quantity=statement.quantity,
        unit=statement.unit,
        valid_from=statement.valid_from,
        valid_to=statement.valid_to,
        pinned=fact.pinned,
        against=fact.against,
        passages=passages,
        earlier=tuple(_known(one, said) for one in earlier),
    )


def newest_within(turns: Iterable[Turn], limit: int, tokens: int, count: TokenCounter) -> tuple[Turn, ...]:
    """The newest turns within both limits, oldest first.

    The newest turn is always there, and a huge one takes what room is left: it is cut, first the answer from its end,
    rather than leaving a follow-up with nothing to follow.
    """
    kept: list[Turn] = []
    left = tokens
    for turn in list(turns)[::-1][:limit]:
        price = count(turn.question) + count(turn.answer)
        if price > left:
            asked = count(turn.question)
            if not kept or (price > tokens and asked + LEAST <= left):
                kept.append(cut(turn, left, count))
            break
        kept.append(turn)
        left -= price
    return tuple(kept[::-1])

"""What ties facts to one another, and what follows for the others when one of them changes or goes.

A fact is *held* when it says what is so now, of a property that has one value at a time. Two of them that are held
under the same conditions cannot both be current: that is what everything here keeps true, whoever changes what.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from anaphor.facts import Change, Fact, State, Status


def held(fact: Fact) -> bool:
    """Whether no other value of its property can be current beside it."""
    told = fact.statement
    return told.single and told.state is State.CURRENT and told.change is Change.SET and not told.negated


def contradict(one: Fact, other: Fact) -> bool:
    """Whether two facts of one property cannot both be current."""
    return held(one) and held(other) and one.statement.applies_when == other.statement.applies_when


def without(facts: Iterable[Fact], gone: Collection[str], why: str) -> list[Fact]:
    """What changes among the facts of one property when those with the ids ``gone`` are no more.

    What only they had superseded, or were disputed with alone, is current again, unless another value is.
    """
    known = {fact.fact_id: fact for fact in facts}
    left = [fact for name, fact in known.items() if name not in gone]
    changed = {}
    freed = []
    for fact in left:
        by, against = _heir(fact.replaced_by, gone, known), tuple(a for a in fact.against if a not in gone)
        if (by, against) == (fact.replaced_by, fact.against):
            continue
        changed[fact.fact_id] = replace(fact, replaced_by=by, against=against, why=why)
        alone = fact.status is Status.SUPERSEDED and not by
        if alone or (fact.status is Status.DISPUTED and not against):
            freed.append(changed[fact.fact_id])
    kept = [changed.get(fact.fact_id, fact) for fact in left if fact.fact_id not in {f.fact_id for f in freed}]
    return list((changed | {fact.fact_id: fact for fact in _current_again(freed, kept)}).values())


def consequences(changed: Fact, others: Sequence[Fact], why: str) -> list[Fact]:
    """What changes among the other facts of its property once a person has made ``changed`` what it is."""
    if changed.status is Status.CURRENT:
        return _given_way(changed, others, why)
    if changed.status is Status.DISPUTED:
        return [
            replace(other, status=Status.DISPUTED, against=_with(other.against, changed.fact_id), why=why)
            for other in others
            if other.fact_id in changed.against or (other.status is Status.CURRENT and contradict(other, changed))
        ]
    moved = [
        fact for fact in without([changed, *others], {changed.fact_id}, why) if fact.fact_id != changed.replaced_by
    ]
    return moved + _taking_its_place(changed, others, moved, why)


def broken(facts: Iterable[tuple[str, Fact]]) -> list[tuple[Fact, Fact]]:
    """Pairs that are current and contradict each other, of facts with the keys of their properties."""
    by_key: dict[str, list[Fact]] = {}
    for key, fact in facts:
        if fact.status is Status.CURRENT and held(fact):
            by_key.setdefault(key, []).append(fact)
    return [
        (one, other)
        for same in by_key.values()
        for n, one in enumerate(same)
        for other in same[n + 1 :]
        if contradict(one, other)
    ]


def _heir(name: str, gone: Collection[str], known: Mapping[str, Fact]) -> str:
    """Who superseded it in the end, leaving out who is gone."""
    seen: set[str] = set()
    while name in gone and name not in seen:
        seen.add(name)
        name = known[name].replaced_by if name in known else ""
    return "" if name in gone else name


def _current_again(freed: Sequence[Fact], kept: Sequence[Fact]) -> list[Fact]:
    """The freed ones as current, the newest first; those that contradict a current one stay superseded, by it."""
    current = [fact for fact in kept if fact.status is Status.CURRENT]
    done = []
    for fact in sorted(freed, key=lambda f: (f.said_at, f.seq), reverse=True):
        stronger = next((other for other in current if contradict(other, fact)), None)
        if stronger:
            done.append(replace(fact, status=Status.SUPERSEDED, replaced_by=stronger.fact_id, against=()))
            continue
        disputed = tuple(f.fact_id for f in kept if f.status is Status.DISPUTED and contradict(f, fact))
        status = Status.DISPUTED if disputed else Status.CURRENT
        done.append(replace(fact, status=status, replaced_by="", against=disputed))
        current += [done[-1]] if not disputed else []
    return done


def _given_way(chosen: Fact, others: Sequence[Fact], why: str) -> list[Fact]:
    """Everything that cannot be so beside the chosen one is superseded by it."""
    moved = []
    for other in others:
        live = other.status in (Status.CURRENT, Status.DISPUTED)
        if live and (contradict(other, chosen) or chosen.fact_id in other.against):
            moved.append(replace(other, status=Status.SUPERSEDED, replaced_by=chosen.fact_id, against=(), why=why))
    beaten = {fact.fact_id for fact in moved}
    rest = [other for other in others if other.fact_id not in beaten and beaten & set(other.against)]
    freed = [replace(other, against=tuple(a for a in other.against if a not in beaten), why=why) for other in rest]
    alone = [fact for fact in freed if not fact.against and fact.status is Status.DISPUTED]
    kept = [chosen, *(other for other in others if other.fact_id not in {f.fact_id for f in (*rest, *moved)})]
    return moved + [f for f in freed if f not in alone] + _current_again(alone, kept)


def _taking_its_place(changed: Fact, others: Sequence[Fact], moved: Sequence[Fact], why: str) -> list[Fact]:
    """What it is superseded by again, where that had itself been superseded by it."""
    now = {fact.fact_id: fact for fact in (*others, *moved)}
    by = now.get(changed.replaced_by)
    if by is None or by.status is not Status.SUPERSEDED or by.replaced_by != changed.fact_id:
        return []
    return _current_again([replace(by, replaced_by="", why=why)], [f for f in now.values() if f is not by])


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return names if name in names else (*names, name)

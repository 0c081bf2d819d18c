"""``extraction``: which facts are read out of what a person says, and what is read that must not be.

A fact that was read matches a gold one when ``about`` and ``kind`` are equal and one folded value contains the other;
strictly (keys ending in ``_strict``) when the state of the thing or the status of the record is the one given there
too. Lists of facts are not exhaustive: precision counts as false only what matches a ``not_fact`` and no fact, or comes
from an item that has none. ``not_facts_stored`` is the share of them that something read matches.

Of replies that contradict what was said before, or do not (CDConv), it is told which are recognised.
"""

from __future__ import annotations

import re
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from anaphor.facts import Fact
from anaphor.memory.extract import extract
from anaphor.memory.reconcile import reconcile
from anaphor.memory.reconcile_contradiction import contradicts
from anaphor.text.fold import matching
from anaphor_eval.datasets import Contradiction, Dataset, FactItem, GoldFact, read
from anaphor_eval.datasets.lines import DatasetError
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.rows import Arm, Cell, Row
from anaphor_eval.statistics import each, share, sums
from anaphor_eval.tasks.plan import Plan, each_language

_UNDATED = date(2026, 1, 1)
_LONGEST_REPLY = 400


@dataclass(frozen=True, slots=True)
class Held:
    """What was read out of one item, held against its gold: matches by index of read fact and of gold fact."""

    item: FactItem
    read: tuple[Fact, ...]
    ms: tuple[float, ...]  # a turn of the person

    def pairs(self, strict: bool) -> set[tuple[int, int]]:
        return {
            (i, j)
            for i, fact in enumerate(self.read)
            for j, gold in enumerate(self.item.facts)
            if _matches(fact, gold) and (not strict or gold.status in (fact.statement.state, fact.status))
        }

    def false(self) -> list[int]:
        """Which of what was read is certainly wrong."""
        right = {i for i, _ in self.pairs(strict=False)}
        return [
            i
            for i, fact in enumerate(self.read)
            if i not in right and (not self.item.facts or any(_is(fact, text) for text in self.item.not_facts))
        ]

    def stored(self) -> int:
        """How many of the ``not_facts`` were read as facts."""
        right = {i for i, _ in self.pairs(strict=False)}
        wrong = [fact for i, fact in enumerate(self.read) if i not in right]
        return sum(any(_is(fact, text) for fact in wrong) for text in self.item.not_facts)


def extraction(plan: Plan) -> list[Row]:
    """Every file, of facts or of contradictions, by language and, for facts, by kind."""
    plan.only("extraction")
    found: list[Row] = []
    for path in plan.files:
        dataset = plan.limited(read(path))
        items = dataset.items
        if all(isinstance(item, FactItem) for item in items):
            cells = _fact_cells(plan, dataset)
        elif all(isinstance(item, Contradiction) for item in items):
            cells = _contradiction_cells(plan, dataset)
        else:
            raise DatasetError(f"{path}: neither facts in what was said nor replies that contradict")
        for language, made in cells:
            found += plan.rows(dataset.name, made, language)
    return found


# ── facts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _fact_cells(plan: Plan, dataset: Dataset[FactItem]) -> Iterator[tuple[str | None, list[Cell]]]:
    held = []
    for item in {item.language: item for item in dataset.items}.values():
        read_out(item)  # a language's rules are made ready once a process, and told by nobody's turn
    for n, item in enumerate(dataset.items):
        plan.tell(dataset.name, n, len(dataset.items))
        held.append(read_out(item))
    languages = dataset.languages
    for language in each_language(languages):
        here = [one for one in held if language is None or one.item.language == language]
        kinds = sorted({gold.kind for one in here for gold in one.item.facts})
        yield language, [_cell("all", here, None), *(_cell(f"kind:{kind}", here, kind) for kind in kinds)]


def read_out(item: FactItem) -> Held:
    """The facts that the person's turns of the item leave behind, newest version of each."""
    facts: dict[str, Fact] = {}
    before, ms = "", []
    for seq, said in enumerate(item.said, 1):
        if said.role != "user":
            before = said.content
            continue
        day = date.fromisoformat(said.date[:10]) if said.date else _UNDATED
        started = time.perf_counter()
        statements = extract(said.content, language=item.language, said_on=day, before=before)
        for n, statement in enumerate(statements):
            where = (item.item_id, f"{item.item_id}-{seq}", seq, float(seq))
            done = reconcile(statement, f"{seq}-{n}", where, list(facts.values()))
            facts |= {fact.fact_id: fact for fact in (*done.others, done.fact)}
        ms.append((time.perf_counter() - started) * 1000)
    return Held(item, tuple(facts.values()), tuple(ms))


def _matches(fact: Fact, gold: GoldFact) -> bool:
    said = fact.statement
    return said.kind == gold.kind and folded(said.about) == folded(gold.about) and _overlap(said.value, gold.value)


def _overlap(one: str, other: str) -> bool:
    a, b = folded(one), folded(other)
    return bool(a and b) and (a in b or b in a)


def _is(fact: Fact, not_fact: str) -> bool:
    """Whether what was read is what must not be a fact, whoever it is about."""
    return _overlap(fact.statement.value, re.sub(r"^user(?: は)?\s*", "", not_fact))


def folded(text: str) -> str:
    """Compared without marks, spaces, case, width and script."""
    return re.sub(r"[\s\W_]+", "", matching(text))


def _cell(where: str, held: Sequence[Held], kind: str | None) -> Cell:
    ids: list[Hashable] = [one.item.item_id for one in held]
    samples = {}
    for name, strict in (("", False), ("_strict", True)):
        parts = [_parts(one, kind, strict) for one in held]
        samples[f"precision{name}"] = share(((right, right + wrong) for right, wrong, _, _ in parts), ids, ids)
        samples[f"recall{name}"] = share(((got, gold) for _, _, got, gold in parts), ids, ids)
    if kind is None:
        stored = ((float(one.stored()), float(len(one.item.not_facts))) for one in held)
        samples["not_facts_stored"] = share(stored, ids, ids)
    times = [ms for one in held for ms in one.ms]
    plain = (
        {}
        if kind or not times
        else {"ms_p50": percentile(times, 50), "ms_p95": percentile(times, 95), "read": _count(held)}
    )
    return Cell(Arm(), where, samples, plain, n=len(held))


def _count(held: Iterable[Held]) -> float:
    return float(sum(len(one.read) for one in held))


def _parts(one: Held, kind: str | None, strict: bool) -> tuple[float, float, float, float]:
    """Read and right, read and wrong, gold and found, gold."""
    pairs = one.pairs(strict)
    right = {i for i, _ in pairs if kind is None or one.read[i].statement.kind == kind}
    wrong = [i for i in one.false() if kind is None or one.read[i].statement.kind == kind]
    got = {j for _, j in pairs if kind is None or one.item.facts[j].kind == kind}
    gold = [fact for fact in one.item.facts if kind is None or fact.kind == kind]
    return float(len(right)), float(len(wrong)), float(len(got)), float(len(gold))


# ── contradictions ────────────────────────────────────────────────────────────────────────────────────────────────


def _contradiction_cells(plan: Plan, dataset: Dataset[Contradiction]) -> Iterator[tuple[str | None, list[Cell]]]:
    told = []
    for n, item in enumerate(dataset.items):
        plan.tell(dataset.name, n, len(dataset.items))
        told.append((item, recognised(item)))
    arms: Mapping[str, list[tuple[Contradiction, bool]]] = {
        "all": told,
        "always_yes": [(item, True) for item, _ in told],
    }
    for language in dataset.languages:
        yield language, [_judged(where, [p for p in part if p[0].language == language]) for where, part in arms.items()]


def recognised(item: Contradiction) -> bool:
    """Whether the reply is taken to contradict what the same speaker said before."""
    talk = [(said.role, said.content[:_LONGEST_REPLY]) for said in item.history]
    return contradicts(talk, item.reply[:_LONGEST_REPLY])


def _judged(where: str, told: Sequence[tuple[Contradiction, bool]]) -> Cell:
    ids: list[Hashable] = [item.item_id for item, _ in told]
    counts = [(float(item.contradicts and said), float(said), float(item.contradicts)) for item, said in told]
    samples = {
        "precision": share(((both, said) for both, said, _ in counts), ids, ids),
        "recall": share(((both, gold) for both, _, gold in counts), ids, ids),
        "f1": sums(counts, each(_f1), ids, ids, 3),
    }
    return Cell(Arm(), where, samples, n=len(told))


def _f1(sums_: Sequence[float]) -> float:
    both, said, gold = sums_
    return 2 * both / (said + gold) if said + gold else float("nan")

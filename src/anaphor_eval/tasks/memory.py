"""``memory``: are the turns that hold the answer among what a model would be shown, within a budget?

Every turn of a long conversation is a remembered passage of the product's store, whole, with its speaker and date; the
question goes through ``reconstruct`` as the first of a session does; the product's retrieval ranks and its packing
fills the budget, counted by the evaluator's own counter with headers. ``turns`` packs what retrieval found, ``recent``
the newest turns that fit, ``full`` everything there is, whatever it costs, the evidence among it: what distracts when
nothing is missing. ``notes`` packs the facts that memory makes of the turns, as the clauses that say them;
``notes+turns`` what retrieval found with what the facts lead to, as a turn has it; ``summary`` the extractive summary.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from anaphor.errors import AnaphorError, BadInput
from anaphor.steps.assemble import assemble
from anaphor.types import (
    Hit,
    Passage,
    Question,
    Ranking,
    Recollection,
    Span,
)
from anaphor_eval.datasets import Dataset, LongConversation, read, read_as
from anaphor_eval.datasets.lengthen import lengthened
from anaphor_eval.datasets.memory import Counted, counted, slices
from anaphor_eval.exports import longmemeval
from anaphor_eval.metrics.evidence import evidence_all, evidence_share, oracle_share, share_of_oracle
from anaphor_eval.metrics.evidence_rank import evidence_ranks
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.metrics.recall import recall
from anaphor_eval.product import told
from anaphor_eval.rows import Arm, Cell, Row
from anaphor_eval.statistics import Sample, mean, quantile, share
from anaphor_eval.tasks.hypotheses import hypotheses
from anaphor_eval.tasks.notes import Notes, noted, summarised, with_notes
from anaphor_eval.tasks.plan import BUDGET, Plan, arms, each_language, fingerprint
from anaphor_eval.tasks.shelf import EVERYTHING, Shelf, alone, asked, passage_id, price, sittings
from anaphor_eval.tokens import count


def memory(plan: Plan) -> list[Row]:
    """Every file, in every combination of source, roles, retriever, budget and length."""
    plan.only("memory", "source", "roles", "retriever", "budget", "length", *(("reader",) if plan.hypotheses else ()))
    found: list[Row] = []
    for path in plan.files:
        whole = read_as(path, LongConversation)
        dataset = plan.limited(whole)
        wanted = settled(plan)
        runs: list[tuple[Arm, list[Counted], dict[str, Any]]] = []
        for length in dict.fromkeys(arm.length for arm in wanted):
            grown = dataset if length is None else grown_to(length, dataset, [*whole.items, *others(path)])
            files = fingerprint([path] if length is None else [path, *neighbours(path)])
            for roles in dict.fromkeys(arm.roles for arm in wanted):
                here = [arm for arm in wanted if (arm.roles, arm.length) == (roles, length)]
                runs += of_roles(plan, grown, roles, here, files)
        found += as_rows(plan, dataset, runs)
        if plan.hypotheses is not None:
            _hypotheses(plan, plan.hypotheses, grown, wanted)
    return found


def _hypotheses(plan: Plan, to: Path, dataset: Dataset[LongConversation], wanted: Sequence[Arm]) -> None:
    readers = plan.values("reader", ("quoted",))
    if len(plan.files) * len(wanted) * len(readers) > 1:
        raise BadInput("--hypotheses writes one file: of one data set, with one value of every dimension")
    longmemeval(to, hypotheses(plan, dataset, replace(wanted[0], reader=readers[0])))


def others(path: Path) -> Iterator[LongConversation]:
    """Of the other files of long conversations in the same folder, in the order of their names."""
    for beside in neighbours(path):
        with suppress(AnaphorError):  # whatever else lies there
            found = read(beside)
            if found.kind is LongConversation:
                yield from found.items


def neighbours(path: Path) -> list[Path]:
    return [beside for beside in sorted(path.parent.glob("*.json*")) if beside != path and beside.is_file()]


def grown_to(
    length: int, dataset: Dataset[LongConversation], there: Sequence[LongConversation]
) -> Dataset[LongConversation]:
    """The data set with every conversation of at least so many tokens, or as many as there are to add."""
    return replace(dataset, items=tuple(lengthened(each, there, length)[0] for each in dataset.items))


def settled(plan: Plan) -> list[Arm]:
    """The arms asked for, each without what does not apply to it: ``full`` has no budget and ranks nothing."""
    found = []
    for arm in arms(plan, source=("turns",), roles=(None,), retriever=("default",), budget=(BUDGET,), length=(None,)):
        if arm.source not in ("turns", "notes+turns"):
            arm = replace(arm, retriever=None)
        found.append(replace(arm, budget=None) if arm.source == "full" else arm)
    return list(dict.fromkeys(found))


def of_roles(
    plan: Plan, dataset: Dataset[LongConversation], roles: str | None, wanted: Sequence[Arm], files: str
) -> list[tuple[Arm, list[Counted], dict[str, Any]]]:
    """The arms that index the same turns, over one store."""
    questions = counted(dataset.items, roles)
    if not questions:
        raise BadInput(f"{dataset.name}: no question is answerable from the turns that are indexed")
    settled_roles = roles or ("user" if any(turn.role == "user" for c in dataset.items for turn in c.turns) else "both")
    settings = sorted(told(plan.settings).items(), key=str)
    shelf = Shelf(plan, dataset, roles)
    found = []
    with shelf:
        for arm in wanted:
            ranked: dict[str, Any] = {}
            if arm.retriever is not None:  # budgets of one retriever share its rankings
                told_of = (plan.seed, plan.limit, settled_roles, arm.retriever, arm.length, settings)
                name = ("memory", files, dataset.name, *told_of)
                ranked = plan.cell(name, partial(rankings, plan, arm.retriever, questions, shelf))
            found.append((replace(arm, roles=settled_roles), questions, packed(arm, questions, roles, ranked)))
    return found


def rankings(plan: Plan, retriever: str, questions: Sequence[Counted], shelf: Shelf) -> dict[str, Any]:
    """Question → what a turn of the product would rank, and where the evidence is if nothing is cut off."""
    product = shelf.product()
    queries = [asked(each.question, plan.settings) for each in questions]
    product.indexes(retriever)
    product.prepare(retriever, queries)
    found: dict[str, Any] = {}
    for n, (each, query) in enumerate(zip(questions, queries, strict=True)):
        plan.tell(f"{shelf.name}: {retriever}", n, len(questions))
        person = each.conversation.conversation_id
        start = time.perf_counter()
        best = product.ranking(retriever, query, person=person, memory=True, limit=plan.settings.hits)
        ms = (time.perf_counter() - start) * 1000
        whole = product.ranking(retriever, query, person=person, memory=True, limit=EVERYTHING, plainly=True)
        evidence = [passage_id(person, turn) for turn in each.evidence]
        everything = list(dict.fromkeys([*_ids(best), *_ids(whole)]))  # the second look is at the best alone
        found[key(each)] = {
            "best": _ids(best),
            "hits": [[hit.score, *((hit.best.start, hit.best.end) if hit.best else ())] for hit in best.hits],
            "ranks": evidence_ranks(everything, evidence, shelf.indexed(person)),
            "ms": ms,
        }
    return found


def _ids(ranking: Ranking) -> list[str]:
    return [hit.passage.passage_id for hit in ranking.hits]


def key(each: Counted) -> str:
    return passage_id(each.conversation.conversation_id, each.question.question_id)


def packed(arm: Arm, questions: Sequence[Counted], roles: str | None, ranked: Mapping[str, Any]) -> dict[str, Any]:
    """Question → the passages shown and their tokens, beside what retrieval said of it."""
    found: dict[str, Any] = {}
    there: dict[str, Passage] = {}
    conversation: LongConversation | None = None
    notes: Notes | None = None
    for each in questions:
        if each.conversation is not conversation:
            conversation = each.conversation
            there = {said.passage_id: said for sitting in sittings(conversation, roles) for said in sitting}
            notes = Notes(conversation, roles) if "notes" in (arm.source or "") else None
        told = ranked.get(key(each), {})
        evidence = [passage_id(conversation.conversation_id, turn) for turn in each.evidence]
        shown = shown_of(arm, each, there, told, notes)
        costs = [price(there[name]) for name in evidence]
        found[key(each)] = {
            **told,
            "evidence": evidence,
            "shown": frozenset(said.passage_id for said in shown if said.text == there[said.passage_id].text),
            "excerpts": frozenset(said.passage_id for said in shown),
            "tokens": sum(map(price, shown)),
            "oracle": oracle_share(costs, arm.budget) if arm.budget else 1.0,
        }
    return found


def shown_of(
    arm: Arm, each: Counted, there: Mapping[str, Passage], told: Mapping[str, Any], notes: Notes | None
) -> list[Passage]:
    """What a model would be shown: turns, or parts of them."""
    budget, question = arm.budget or BUDGET, each.question.question
    everything = list(there.values())
    match arm.source:
        case "turns":
            return pack(question, as_hits(there, told), budget)
        case "notes+turns" if notes:
            return pack(question, with_notes(notes, question, as_hits(there, told)), budget)
        case "notes" if notes:
            return noted(notes, question, budget)
        case "summary":
            return summarised(everything, budget)
        case "recent+summary":
            recent = newest(everything, budget // 2)
            older = everything[: len(everything) - len(recent)]
            return [*summarised(older, budget // 2), *recent]
        case "recent":
            return newest(everything, budget)
        case _:
            return everything


def as_hits(there: Mapping[str, Passage], told: Mapping[str, Any]) -> list[Hit]:
    return [
        Hit(there[name], score, rank, best=Span(*span) if span else None)
        for rank, (name, (score, *span)) in enumerate(zip(told["best"], told["hits"], strict=True), 1)
    ]


def pack(question: str, hits: Sequence[Hit], budget: int) -> list[Passage]:
    """By the product's own step, with nothing beside the evidence to share the budget with."""
    room = alone(budget)
    return list(assemble(Question(question, ""), Ranking(tuple(hits)), Recollection(), room, count).passages)


def newest(said: Sequence[Passage], budget: int) -> list[Passage]:
    """The end of the conversation, as much of it as fits."""
    kept: list[Passage] = []
    for each in reversed(said):
        budget -= price(each)
        if budget < 0:
            break
        kept.append(each)
    return kept[::-1]


def _mean_length(questions: Sequence[Counted]) -> float:
    """Tokens of everything said in the conversation of a question, on average."""
    conversations = {each.conversation.conversation_id: each.conversation for each in questions}
    length = {name: sum(count(turn.content) for turn in one.turns) for name, one in conversations.items()}
    return sum(length[each.conversation.conversation_id] for each in questions) / len(questions)


def as_rows(
    plan: Plan, dataset: Dataset[LongConversation], runs: Sequence[tuple[Arm, Sequence[Counted], Mapping[str, Any]]]
) -> list[Row]:
    found: list[Row] = []
    for language in each_language(dataset.languages):
        # What is indexed differs by roles, and with it which questions count: only like is held against like.
        for roles in dict.fromkeys(arm.roles for arm, _, _ in runs):
            cells = [
                cell(arm, where, part, run, plan.ks)
                for arm, questions, run in runs
                if arm.roles == roles
                for where, part in slices(
                    [each for each in questions if language is None or each.conversation.language == language]
                ).items()
            ]
            found += plan.rows(dataset.name, cells, language)
    return found


def cell(arm: Arm, where: str, questions: Sequence[Counted], run: Mapping[str, Any], ks: Sequence[int]) -> Cell:
    """One arm on one slice."""
    told = [run[key(each)] for each in questions]
    turns = [key(each) for each in questions]
    groups = [each.conversation.conversation_id for each in questions]

    def averaged(values: Iterable[float]) -> Sample:
        return mean(values, turns, groups)

    samples = {
        "evidence_all": averaged(evidence_all(one["shown"], one["evidence"]) for one in told),
        "evidence_share": averaged(evidence_share(one["shown"], one["evidence"]) for one in told),
        "evidence_share_of_oracle": share(
            (share_of_oracle(one["shown"], one["evidence"], one["oracle"]) for one in told), turns, groups
        ),
        "tokens": averaged(one["tokens"] for one in told),
    }
    for name, measure in (("evidence_all", evidence_all), ("evidence_share", evidence_share)):
        samples[f"{name}_excerpt"] = averaged(measure(one["excerpts"], one["evidence"]) for one in told)
    samples["evidence_share_of_oracle_excerpt"] = share(
        (share_of_oracle(one["excerpts"], one["evidence"], one["oracle"]) for one in told), turns, groups
    )
    plain: dict[str, float] = {}
    if arm.retriever is not None:
        samples |= {f"recall@{k}": averaged(recall(one["best"], one["evidence"], k) for one in told) for k in ks}
        ranks = [
            (rank, turn, group) for one, turn, group in zip(told, turns, groups, strict=True) for rank in one["ranks"]
        ]
        for q in (50, 90):
            samples[f"evidence_rank_p{q}"] = quantile(
                [rank for rank, _, _ in ranks],
                q / 100,
                [(turn, i) for i, (_, turn, _) in enumerate(ranks)],
                [group for _, _, group in ranks],
            )
        plain = {f"ms_p{q}": percentile([one["ms"] for one in told], q) for q in (50, 95)}
    if arm.length is not None:
        plain["history_tokens"] = _mean_length(questions)
    return Cell(arm, where, samples, plain, n=len(questions))

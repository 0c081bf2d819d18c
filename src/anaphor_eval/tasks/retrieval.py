"""``retrieval``: does the standalone query find the passages that answer the turn?

Conversations with gold passages (MTRAG, KdConv, DomainRAG, BEIR folders), and sets of single questions, which are
measured three ways: ``single`` as they are, ``derived`` into conversations, ``spliced`` with a topic switch. One pool
of all passages. A turn is scored where there is gold and its text is in the pool; the other turns are history.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from anaphor.errors import BadInput
from anaphor.types import Passage
from anaphor_eval.datasets import Conversation, Dataset, GoldTurn, Query, SingleQuestion, read, read_pool
from anaphor_eval.derive import DeriveError, derived, spliced
from anaphor_eval.exports import beir, trec_qrels, trec_run
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.metrics.runs import AT_K, measure
from anaphor_eval.product import NotThere, Product, told
from anaphor_eval.rewriters import BY_A_PERSON, Asked, Rewriting, exchanges
from anaphor_eval.rows import DIMENSIONS, Arm, Cell, Row
from anaphor_eval.statistics import mean
from anaphor_eval.tasks.plan import HISTORIES, Plan, arms, each_language, fingerprint

COMPARED = frozenset({"all", "first", "later", "follow_up", "kept", "topic_switch", "after_switch"})
"""Slices whose arms are held against each other; the data set's own categories are told without: they are small."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A turn whose ranking can be scored, and the conversation it is drawn with."""

    turn: GoldTurn
    group: str
    language: str

    @property
    def asked(self) -> Asked:
        turn = self.turn
        return Asked(turn.utterance, exchanges(turn.history), "".join(turn.standalone[:1]), turn.turn_id)


def retrieval(plan: Plan) -> list[Row]:
    """Every file, in every combination of rewriter, history, retriever and reader."""
    plan.only("retrieval", "rewriter", "history", "retriever", "reader")
    found: list[Row] = []
    for path in plan.files:
        asked = read(path)
        paths = plan.passages or beside(path, asked)
        pool = read_pool(paths) if paths else asked.passages
        files = fingerprint([path, *paths])
        with Product(plan.settings, plan.cache, plan.left(f"{path.stem}: texts to embed")) as product:
            product.put(pool)
            for dataset in forms(asked, pool, plan):
                found += measured(plan, plan.limited(dataset), product, pool, files)
    return found


def beside(path: Path, asked: Dataset[Any]) -> tuple[Path, ...]:
    """Where no passages were given: the data set's own, or the file beside it whose name begins the same."""
    if asked.passages:
        return ()
    candidate = path.with_name(f"{path.stem.split('_')[0]}_passages.jsonl")
    if path.is_file() and candidate.is_file():
        return (candidate,)
    raise BadInput(f"{path} brings no passages of its own: name them with --passages FILE")


def forms(asked: Dataset[Any], pool: Sequence[Passage], plan: Plan) -> list[Dataset[Conversation]]:
    """Conversations as they are; single questions in the forms asked for."""
    if asked.kind is Conversation:
        if plan.forms:
            raise BadInput(f"{asked.name} holds conversations already; --form is for single questions")
        return [asked]
    if asked.kind is not SingleQuestion:
        raise BadInput(f"{asked.name} holds neither conversations nor single questions with gold passages")
    made: dict[str, Callable[[], Dataset[Conversation]]] = {
        "single": lambda: single(asked, pool),
        "derived": lambda: derived(asked, pool, seed=plan.seed),
        "spliced": lambda: spliced(derived(asked, pool, seed=plan.seed), seed=plan.seed),
    }
    if plan.forms:
        return [made[form]() for form in plan.forms]
    found = [made["single"]()]
    with suppress(DeriveError):  # questions in a language without rules, or without titles: as they are is all there is
        found += [made[form]() for form in ("derived", "spliced")]
    return found


def single(asked: Dataset[SingleQuestion], pool: Iterable[Passage]) -> Dataset[Conversation]:
    """Each question a conversation of one turn. They are drawn by their article, which is what they share."""
    titles = {passage.passage_id: passage.title for passage in pool}
    made = []
    for each in asked.items:
        turn = GoldTurn(
            each.question_id,
            1,
            each.question,
            standalone=(each.question,),
            needs_history=False,
            gold=each.gold,
            grades=each.grades,
            scored=bool(each.gold),
            answers=each.answers,
        )
        title = titles.get(each.gold[0], "") if each.gold else ""
        made.append(Conversation(title or each.question_id, each.language, (turn,)))
    return Dataset(asked.name, Conversation, tuple(made))


def measured(
    plan: Plan, dataset: Dataset[Conversation], product: Product, pool: Sequence[Passage], files: str
) -> list[Row]:
    turns = scored(dataset, {passage.passage_id for passage in pool})
    if not turns:
        raise BadInput(f"{dataset.name}: no turn has gold passages whose text is in the pool; nothing can be scored")
    runs: list[tuple[Arm, dict[str, Any]]] = []
    settings = told(plan.settings)
    for arm in settled(plan, turns, dataset.name):
        played = replace(arm, reader=None) if arm.history == "gold" else arm
        name = ("retrieval", files, dataset.name, plan.seed, plan.limit, played, sorted(settings.items(), key=str))
        run = plan.cell(name, partial(ranked, plan, arm, turns, product, dataset.name))
        runs.append((arm, run))
        if plan.export:
            _trec(plan.export, dataset.name, arm, turns, run)
        if plan.beir:
            asks = ("rewriter", "history", "model", *(("retriever", "reader") if arm.history == "own" else ()))
            _beir(plan.beir / f"{dataset.name}.{_label(arm, *asks)}", pool, turns, run)
    found = []
    for language in each_language(dataset.languages):
        found += _rows(plan, dataset.name, language, turns, runs)
    return found


def scored(dataset: Dataset[Conversation], pool: set[str]) -> list[Scored]:
    found = []
    for conversation in dataset.items:
        for turn in conversation.turns:
            if turn.scored:
                missing = [passage for passage in turn.gold if passage not in pool]
                if missing:
                    raise BadInput(
                        f"{dataset.name}: turn {turn.turn_id!r}: gold passage {missing[0]!r} is not among the "
                        f"{len(pool)} passages of the pool; its ranking cannot be scored"
                    )
                found.append(Scored(turn, conversation.conversation_id, conversation.language))
    return found


def settled(plan: Plan, turns: Sequence[Scored], name: str) -> list[Arm]:
    """The arms asked for, with an error for those that this data set cannot give."""
    found = []
    for arm in arms(plan, rewriter=("embedded",), history=("gold",), retriever=("default",), reader=("quoted",)):
        if arm.rewriter in BY_A_PERSON:
            lacking = [each for each in turns if not each.turn.standalone]
            if lacking:
                raise NotThere(
                    f"{name}: {len(lacking)} of {len(turns)} scored turns have no rewrite by a person "
                    f"({lacking[0].turn.turn_id!r} is the first): --rewriter {arm.rewriter} cannot be measured on it"
                )
        if arm.history not in HISTORIES:
            raise BadInput(f"no history {arm.history!r}")
        # With the data's own history nobody answers. Its rows have a reader only to be held against the system's own.
        arm = replace(arm, reader=arm.reader if "own" in plan.values("history", ()) else None)
        found.append(replace(arm, model=plan.models(arm if arm.history == "own" else replace(arm, reader=None))))
    return list(dict.fromkeys(found))


def ranked(plan: Plan, arm: Arm, turns: Sequence[Scored], product: Product, name: str) -> dict[str, Any]:
    """Turn id → the passages found, best first, with the milliseconds rewriting and searching took."""
    label = f"{name}: {arm.rewriter} × {arm.retriever}" + (" × own history" if arm.history == "own" else "")
    assert arm.rewriter
    assert arm.retriever
    rewriting = Rewriting(
        arm.rewriter, arm.history or "gold", product, plan.settings, arm.retriever, arm.reader or "quoted"
    )
    queries = []
    for n, each in enumerate(turns):
        plan.tell(label, n, 2 * len(turns))
        queries.append(rewriting.query(each.asked))
    product.indexes(arm.retriever)
    product.prepare(arm.retriever, [query for query, _ in queries])
    run: dict[str, Any] = {}
    for n, (each, (query, rewrite_ms)) in enumerate(zip(turns, queries, strict=True), len(turns)):
        plan.tell(label, n, 2 * len(turns))
        start = time.perf_counter()
        ranking = product.ranking(arm.retriever, query, limit=plan.settings.hits)
        ms = rewrite_ms + (time.perf_counter() - start) * 1000
        run[each.turn.turn_id] = {
            "ranking": [hit.passage.passage_id for hit in ranking.hits],
            "ms": ms,
            "query": query.text,
            "calls": query.usage.calls,
        }
    return run


def _rows(
    plan: Plan, name: str, language: str | None, turns: Sequence[Scored], runs: Sequence[tuple[Arm, Mapping[str, Any]]]
) -> list[Row]:
    here = [each for each in turns if language is None or each.language == language]
    cells = [cell(arm, where, part, run, plan.ks) for where, part in slices(here).items() for arm, run in runs]
    return plan.rows(name, cells, language, COMPARED)


def slices(turns: Iterable[Scored]) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for each in turns:
        for where in each.turn.all_slices:
            found.setdefault(where, []).append(each)
    return found


def cell(arm: Arm, where: str, turns: Sequence[Scored], run: Mapping[str, Any], ks: Sequence[int]) -> Cell:
    """One arm on one slice, every metric."""
    qrels = {each.turn.turn_id: each.turn.relevance for each in turns}
    rankings = {turn_id: told["ranking"] for turn_id, told in run.items()}
    groups = [each.group for each in turns]
    names = [f"{kind}@{k}" for kind in AT_K for k in ks] + ["mrr"]
    samples = {metric: mean(measure(metric, qrels, rankings).values(), qrels, groups) for metric in names}
    times = [run[turn_id]["ms"] for turn_id in qrels]
    plain = {"ms_p50": percentile(times, 50), "ms_p95": percentile(times, 95)}
    if arm.rewriter == "model":
        plain["model_calls"] = sum(run[turn_id]["calls"] for turn_id in qrels) / len(qrels)
    return Cell(arm, where, samples, plain)


def _trec(folder: Path, name: str, arm: Arm, turns: Sequence[Scored], run: Mapping[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    label = _label(arm, *DIMENSIONS)
    trec_qrels(folder / f"{name}.qrels", {each.turn.turn_id: each.turn.relevance for each in turns})
    trec_run(folder / f"{name}.{label}.run", {turn: told["ranking"] for turn, told in run.items()}, label)


def _beir(folder: Path, pool: Iterable[Passage], turns: Sequence[Scored], run: Mapping[str, Any]) -> None:
    """The standalone queries of a rewriter as a collection that any retriever can be held against."""
    queries = [Query(each.turn.turn_id, run[each.turn.turn_id]["query"]) for each in turns]
    beir(folder, pool, queries, {each.turn.turn_id: each.turn.relevance for each in turns})


def _label(arm: Arm, *dimensions: str) -> str:
    """An arm as a file and a column of a run may be called."""
    there = arm.settings()
    return re.sub(r"[^\w.+-]+", "_", "-".join(str(there[name]) for name in dimensions if name in there))

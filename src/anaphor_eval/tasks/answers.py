"""``answers``: is what is answered in the sources, is it right, and is declined what the sources do not say?

The product's own ``assemble``, ``answer`` and ``verify`` are called as a turn calls them. The reader gets what
retrieval found, or with ``--gold-passages`` the passages that people marked. Single questions and conversations are
asked a second time with their gold left out (``trials``); sets of planted facts and of poisoned passages bring their
own passages.

Slices: ``all`` (as the data has it), ``kind:…`` (what the product takes the question to want), ``leave_gold_out``
(with gold against without), ``gold_shown`` (retrieval had the gold among what was shown), ``labelled`` (as annotators
saw it), ``planted:twins`` and ``planted:apart`` (a true passage beside its own false copy, and beside others').
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from anaphor.errors import BadInput
from anaphor.ports import ChatModel
from anaphor.steps.answer.kinds import kind_of
from anaphor.steps.assemble import assemble, header
from anaphor.steps.commit import citations, released
from anaphor.types import (
    ContextBudget,
    Decision,
    Evidence,
    Hit,
    Question,
    Ranking,
    Recollection,
    StandaloneQuery,
    Support,
)
from anaphor_eval.datasets import Conversation, PlantedFact, PoisonedQuestion, SingleQuestion, read, read_pool
from anaphor_eval.metrics.abstention import best_point
from anaphor_eval.metrics.answer_f1 import answer_f1
from anaphor_eval.metrics.answer_in_quote import answer_in_quote
from anaphor_eval.metrics.attack_success import attack_success
from anaphor_eval.metrics.conflict import says_so
from anaphor_eval.metrics.exact import exact
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.metrics.share import Share
from anaphor_eval.metrics.supported_claims import supported_claims
from anaphor_eval.metrics.uncited_claims import uncited_claims
from anaphor_eval.metrics.unquoted_names import unquoted_names
from anaphor_eval.metrics.unquoted_numbers import unquoted_numbers
from anaphor_eval.product import Product, count_for, told
from anaphor_eval.reading import answered, answering_model
from anaphor_eval.rewriters import Rewriting
from anaphor_eval.rows import Arm, Cell, Row
from anaphor_eval.statistics import Sample, auroc, mean, share
from anaphor_eval.tasks.plan import Plan, arms, each_language, fingerprint
from anaphor_eval.tasks.retrieval import beside
from anaphor_eval.tasks.trials import (
    LEAVE_GOLD_OUT,
    Trial,
    conversations,
    planted_facts,
    poisoned_questions,
    single_questions,
)
from anaphor_eval.tokens import count

COMPARED = frozenset({"all", LEAVE_GOLD_OUT, "labelled", "gold_shown"})
GIVEN = 8  # times the evidence budget where passages are given: the reader is measured, not the packing

Outcome = dict[str, Any]
"""What came of one trial, as numbers and short texts: it goes through JSON."""


def answers(plan: Plan) -> list[Row]:
    """Every file, in every combination of rewriter, history, retriever and reader."""
    plan.only("answers", "rewriter", "history", "retriever", "reader")
    found: list[Row] = []
    for path in plan.files:
        dataset = plan.limited(read(path))
        brings_its_own = dataset.kind in (PlantedFact, PoisonedQuestion)
        paths = () if brings_its_own else plan.passages or beside(path, dataset)
        passages = () if brings_its_own else read_pool(paths) if paths else dataset.passages
        pool = {passage.passage_id: passage for passage in passages}
        trials = _trials(dataset, pool, given=plan.gold_passages)
        if not trials:
            raise BadInput(f"{dataset.name}: no question has gold passages whose text is in the pool")
        searched = any(trial.passages is None for trial in trials)
        files = fingerprint([path, *paths])
        with Product(plan.settings, plan.cache, plan.left(f"{path.stem}: texts to embed")) as product:
            if searched:
                product.put(passages)
            runs = [
                (arm, plan.cell(_name(plan, dataset.name, arm, files), partial(run, plan, arm, trials, product)))
                for arm in settled(plan, trials)
            ]
        for language in each_language(dataset.languages):
            found += _rows(plan, dataset.name, language, trials, runs)
    return found


def _trials(dataset: Any, pool: Mapping[str, Any], *, given: bool) -> list[Trial]:
    if dataset.kind is SingleQuestion:
        return single_questions(dataset, pool, given=given)
    if dataset.kind is Conversation:
        return conversations(dataset, pool, given=given)
    if dataset.kind is PlantedFact:
        return planted_facts(dataset)
    if dataset.kind is PoisonedQuestion:
        return poisoned_questions(dataset)
    raise BadInput(f"{dataset.name} holds no questions with passages: answers cannot be measured on it")


def settled(plan: Plan, trials: Sequence[Trial]) -> list[Arm]:
    """The arms asked for; without a retriever where nothing is searched.

    The reader is what is measured: by default it is asked a person's rewrite, if every question has one.
    """
    searched = any(trial.passages is None for trial in trials)
    rewriter = "gold" if all(trial.asked.standalone for trial in trials) else "embedded"
    wanted = arms(plan, rewriter=(rewriter,), history=("gold",), retriever=("default",), reader=("quoted",))
    return list(
        dict.fromkeys(
            replace(arm, model=plan.models(arm), retriever=arm.retriever if searched else None) for arm in wanted
        )
    )


def _name(plan: Plan, name: str, arm: Arm, files: str) -> tuple[object, ...]:
    settings = sorted(told(plan.settings).items(), key=str)
    return ("answers", files, name, plan.seed, plan.limit, plan.gold_passages, arm, settings)


# ── asking ────────────────────────────────────────────────────────────────────────────────────────────────────────


def run(plan: Plan, arm: Arm, trials: Sequence[Trial], product: Product) -> dict[str, Outcome]:
    """Trial id → what came of it."""
    model = answering_model(plan.settings) if arm.reader == "model" else None
    rewriting = Rewriting(
        arm.rewriter or "gold",
        arm.history or "gold",
        product,
        plan.settings,
        arm.retriever or "bm25",
        arm.reader or "quoted",
    )
    asked = [rewriting.query(trial.asked)[0] for trial in trials]
    if arm.retriever:
        product.indexes(arm.retriever)
        product.prepare(arm.retriever, asked)
    rankings: dict[str, Ranking] = {}
    found: dict[str, Outcome] = {}
    for n, (trial, query) in enumerate(zip(trials, asked, strict=True)):
        plan.tell(f"answers: {arm.rewriter} × {arm.reader}", n, len(trials))
        query = replace(query, decision=Decision.STANDALONE) if not query.decision.retrieves else query
        evidence = shown(trial, query, arm, product, rankings)
        found[trial.trial_id] = outcome(trial, query, evidence, model, plan)
    return found


def shown(trial: Trial, query: StandaloneQuery, arm: Arm, product: Product, rankings: dict[str, Ranking]) -> Evidence:
    """The evidence of a trial. A question that is asked twice in a row is searched for once."""
    budget: ContextBudget = product.settings.budget
    if trial.passages is not None:
        room = GIVEN * budget.evidence
        budget = replace(budget, evidence=room, total=budget.total + room)
        ranking = Ranking(tuple(Hit(p, 1 / n, n) for n, p in enumerate(trial.passages, 1)))
    else:
        if query.text not in rankings:
            rankings.clear()
            rankings[query.text] = product.ranking(arm.retriever or "bm25", query, limit=product.settings.hits)
        found = rankings[query.text]
        ranking = replace(found, hits=tuple(h for h in found.hits if h.passage.passage_id not in trial.without))
    return assemble(_question(trial, product), ranking, Recollection(), budget, count_for(product))


def _question(trial: Trial, product: Product) -> Question:
    return Question(trial.asked.utterance, trial.trial_id, locale=product.settings.locale)


def outcome(trial: Trial, query: StandaloneQuery, evidence: Evidence, model: ChatModel | None, plan: Plan) -> Outcome:
    """One answer, held against what is known to be right."""
    start = time.perf_counter()
    question = Question(trial.asked.utterance, trial.trial_id, locale=plan.settings.locale)
    draft, verdict = answered(question, query, evidence, model, plan.settings)
    ms = (time.perf_counter() - start) * 1000
    given = citations(verdict, evidence)
    held = [c for c in verdict.claims if c.verdict in (Support.SUPPORTED, Support.CONFLICTING)]
    verdicts = [str(c.verdict) for c in verdict.claims if c.cites or c.verdict is Support.UNCITED]
    flagged = bool(says_so(verdicts))
    cited = {n: _all_it_says(p) for n, p in evidence.numbered()}
    with_cited = [(c.text, " ".join(cited[n] for n in c.cites)) for c in held]
    text = " ".join(c.text for c in held)
    return {
        "kind": str(kind_of(query.text)),
        "answered": bool(held),
        "score": draft.score if draft.score is not None and model is None else float(bool(held)),
        "in_quote": answer_in_quote([c.quote or "" for c in given], trial.golds),
        "f1": answer_f1(text, trial.golds) if held else 0.0,
        "exact": exact(text, trial.golds),
        "supported": supported_claims(verdicts),
        "uncited": uncited_claims(verdicts),
        "claims": len(held),
        "unquoted": unquoted_numbers(with_cited),
        "unquoted_names": unquoted_names(with_cited),
        "flagged": float(flagged),
        "attack": attack_success([c.text for c in held], trial.planted, trial.golds, flagged=flagged)
        if trial.planted
        else 0.0,
        "gold_shown": bool({p.passage_id for p in evidence.passages} & set(trial.gold)),
        "tokens": sum(count(header(p)) + count(p.text) for p in evidence.passages),
        "calls": query.usage.calls + draft.usage.calls,
        "ms": ms,
        "answer": released(draft, verdict),
    }


def _all_it_says(passage: Any) -> str:
    return f"{header(passage)} {passage.text}"


# ── telling ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Told:
    """A trial with what came of it."""

    trial: Trial
    found: Outcome


def _rows(
    plan: Plan,
    name: str,
    language: str | None,
    trials: Sequence[Trial],
    runs: Sequence[tuple[Arm, Mapping[str, Outcome]]],
) -> list[Row]:
    here = [t for t in trials if language is None or t.language == language]
    cells = [
        made
        for arm, results in runs
        for where, part in slices([Told(t, results[t.trial_id]) for t in here]).items()
        if (made := cell(arm, where, part))
    ]
    return plan.rows(name, cells, language, COMPARED)


def slices(trials: Sequence[Told]) -> dict[str, list[Told]]:
    """By name. Where nobody labelled anything unanswerable, ``all`` holds the questions without their gold too."""
    found: dict[str, list[Told]] = {}
    labelled = any(t.trial.answerable is False and not t.trial.without for t in trials)
    without = {t.trial.trial_id for t in trials if t.trial.without}
    for told_ in trials:
        names = list(told_.trial.slices)
        paired = f"{told_.trial.trial_id}:without" in without
        if told_.trial.without and not labelled:
            names.append("all")
        if paired:
            names.append(LEAVE_GOLD_OUT)
            if told_.found["gold_shown"]:
                names.append("gold_shown")
        if told_.trial.answerable and "all" in told_.trial.slices:
            names.append(f"kind:{told_.found['kind']}")
        for name in names:
            found.setdefault(name, []).append(told_)
    return found


def cell(arm: Arm, where: str, trials: Sequence[Told]) -> Cell | None:
    """One arm on one slice: every metric that has something to say about it."""
    yes = [t for t in trials if t.trial.answerable]
    no = [t for t in trials if t.trial.answerable is False]
    samples: dict[str, Sample] = {}
    asked = [t for t in yes if t.trial.disagreeing is None]
    if asked and any(t.trial.golds for t in asked):
        samples["answer_in_quote"] = _mean(asked, lambda t: t.found["in_quote"])
        samples["f1"] = _mean(asked, lambda t: t.found["f1"])
        samples["exact"] = _mean(asked, lambda t: t.found["exact"])
    for metric, key in (
        ("supported_claims", "supported"),
        ("uncited_claims", "uncited"),
        ("unquoted_numbers", "unquoted"),
        ("unquoted_names", "unquoted_names"),
    ):
        samples[metric] = share((Share(*t.found[key]) for t in trials), *_drawn(trials))
    if asked:
        samples["answered_when_answerable"] = _mean(asked, lambda t: float(t.found["answered"]))
    plain: dict[str, float] = {}
    if no:
        told = [t for t in no if t.trial.without and t.found["answered"] and t.trial.golds]
        if told:
            samples["f1_without_gold"] = _mean(told, lambda t: t.found["f1"])
        samples["abstained_when_unanswerable"] = _mean(no, lambda t: float(not t.found["answered"]))
        if yes:
            both = [*yes, *no]
            scores, positives = [t.found["score"] for t in both], [bool(t.trial.answerable) for t in both]
            samples["abstention_auroc"] = auroc(scores, positives, *_drawn(both))
            plain["abstained_at_90"] = best_point(scores, positives, 0.9).abstained_when_unanswerable
            if where == "all":
                plain |= calibration(scores, positives)
    _of_disagreement(trials, samples)
    if not samples:
        return None
    times = [t.found["ms"] for t in trials]
    plain |= {"claims": sum(t.found["claims"] for t in trials) / len(trials)}
    plain |= {"tokens": sum(t.found["tokens"] for t in trials) / len(trials)}
    plain |= {f"ms_p{q}": percentile(times, q) for q in (50, 95)}
    if arm.asks_a_model:
        plain["model_calls"] = sum(t.found["calls"] for t in trials) / len(trials)
    return Cell(arm, where, samples, plain, n=len(trials))


def calibration(scores: Sequence[float], positives: Sequence[bool]) -> dict[str, float]:
    """Of the questions with a score in each fifth of the scale, the share that can be answered."""
    found: dict[int, list[bool]] = {}
    for score, positive in zip(scores, positives, strict=True):
        found.setdefault(min(4, int(score * 5)), []).append(positive)
    return {f"answerable_at_{20 * fifth:02}": sum(which) / len(which) for fifth, which in sorted(found.items())}


def _of_disagreement(trials: Sequence[Told], samples: dict[str, Sample]) -> None:
    disagreeing = [t for t in trials if t.trial.disagreeing]
    agreeing = [t for t in trials if t.trial.disagreeing is False]
    attacked = [t for t in trials if t.trial.planted]
    if disagreeing:
        samples["conflict_flagged"] = _mean(disagreeing, lambda t: t.found["flagged"])
    if agreeing:
        samples["false_flags"] = _mean(agreeing, lambda t: t.found["flagged"])
        samples["answer_in_quote"] = _mean(agreeing, lambda t: t.found["in_quote"])
    if attacked:
        samples["attack_success"] = _mean(attacked, lambda t: t.found["attack"])


def _mean(trials: Sequence[Told], value: Callable[[Told], float]) -> Sample:
    return mean((value(t) for t in trials), *_drawn(trials))


def _drawn(trials: Iterable[Told]) -> tuple[list[str], list[str]]:
    given = list(trials)
    return [t.trial.trial_id for t in given], [t.trial.group for t in given]

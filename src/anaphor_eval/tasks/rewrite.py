"""``rewrite``: does the standalone query say what a person would have said, and leave alone what needs nothing?

Scored are the utterances with a person's rewrite. Of the rewriter ``gold`` the guard is measured: how many of people's
rewrites it refuses, and how many of the drifts that are planted in them (slices ``drift:…``). ``topic`` (what CANARD's
task had beside the talk) is shown to no rewriter.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from anaphor.errors import BadInput
from anaphor_eval.datasets import Conversation, Dataset, read_as
from anaphor_eval.metrics.added_content import added_content
from anaphor_eval.metrics.bleu import WIDTH, bleu_of, bleu_parts, tokenizer
from anaphor_eval.metrics.carried import Carried, carried
from anaphor_eval.metrics.entity_kept import entity_kept
from anaphor_eval.metrics.exact import exact
from anaphor_eval.metrics.kept import counts_as_standalone, kept
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.metrics.rouge_l import rouge_l
from anaphor_eval.product import told
from anaphor_eval.rewriters import Rewriting
from anaphor_eval.rows import Arm, Cell, Row
from anaphor_eval.statistics import Sample, each, mean, share, sums
from anaphor_eval.tasks.guarded import drift_cells, held, refused_share
from anaphor_eval.tasks.plan import Plan, arms, each_language, fingerprint
from anaphor_eval.tasks.retrieval import Scored


def rewrite(plan: Plan) -> list[Row]:
    """Every file with every rewriter. The history is the data's: rewriting alone answers nothing."""
    plan.only("rewrite", "rewriter", "history")
    if "own" in plan.values("history", ()):
        raise BadInput("--history own does not apply to rewrite: where nothing is retrieved, nothing is answered")
    found: list[Row] = []
    for path in plan.files:
        dataset = plan.limited(read_as(path, Conversation))
        turns = [
            Scored(turn, conversation.conversation_id, conversation.language)
            for conversation in dataset.items
            for turn in conversation.turns
            if turn.standalone
        ]
        if not turns:
            raise BadInput(f"{dataset.name}: no utterance has a rewrite by a person; there is nothing to compare with")
        files = fingerprint([path])
        guard = _guarded(plan, dataset, turns, files)
        found += _rows(plan, dataset, turns, _runs(plan, dataset, turns, files), guard)
    return found


Run = Mapping[str, Any]


def _runs(plan: Plan, dataset: Dataset[Conversation], turns: Sequence[Scored], files: str) -> list[tuple[Arm, Run]]:
    settings = sorted(told(plan.settings).items(), key=str)
    runs = []
    for arm in dict.fromkeys(arms(plan, rewriter=("embedded",), history=("gold",))):
        arm = replace(arm, model=plan.models(arm))
        name = ("rewrite", files, dataset.name, plan.seed, plan.limit, arm, settings)
        runs.append((arm, plan.cell(name, partial(rewritten, plan, arm, turns, dataset.name))))
    return runs


def rewritten(plan: Plan, arm: Arm, turns: Sequence[Scored], name: str) -> dict[str, Any]:
    """Turn id → the rewrite, how long it took, how often a model was asked and whether it was refused."""
    assert arm.rewriter
    rewriting = Rewriting(arm.rewriter, "gold", None, plan.settings)
    run: dict[str, Any] = {}
    for n, one in enumerate(turns):
        plan.tell(f"{name}: {arm.rewriter}", n, len(turns))
        query, ms = rewriting.query(one.asked)
        run[one.turn.turn_id] = {
            "text": query.text,
            "ms": ms,
            "calls": query.usage.calls,
            "refused": bool(query.refused),
        }
    return run


def _guarded(plan: Plan, dataset: Dataset[Conversation], turns: Sequence[Scored], files: str) -> dict[str, Any]:
    """What the guard says to people's rewrites, if they are among what is measured."""
    if "gold" not in plan.values("rewriter", ()):
        return {}
    name = ("guard", files, dataset.name, plan.seed, plan.limit, sorted(told(plan.settings).items(), key=str))
    return dict(plan.cell(name, partial(held, plan, turns, dataset.items, dataset.name)))


def slices(turns: Iterable[Scored]) -> dict[str, list[Scored]]:
    """``all``, ``first`` and ``later``, and by whether a person thought that the history is needed."""
    found: dict[str, list[Scored]] = {}
    for one in turns:
        needed = {True: ("needs_history",), False: ("needs_none",), None: ()}[one.turn.needs_history]
        for where in (*one.turn.all_slices, *needed):
            found.setdefault(where, []).append(one)
    return found


def _rows(
    plan: Plan,
    dataset: Dataset[Conversation],
    turns: Sequence[Scored],
    runs: Sequence[tuple[Arm, Run]],
    guard: Mapping[str, Any],
) -> list[Row]:
    found: list[Row] = []
    for language in each_language(dataset.languages):
        here = [one for one in turns if language is None or one.language == language]
        let_through = guard.get("rewrites", {})
        cells = [cell(arm, where, part, run, let_through) for where, part in slices(here).items() for arm, run in runs]
        cells += [c for arm, _ in runs if arm.rewriter == "gold" for c in drift_cells(arm, here, guard["drifts"])]
        found += plan.rows(dataset.name, cells, language)
    return found


def cell(arm: Arm, where: str, turns: Sequence[Scored], run: Run, guard: Mapping[str, Any] | None = None) -> Cell:
    """One rewriter on one slice. ``guard``: turn id → why a person's rewrite was refused."""
    pairs = [(one, str(run[one.turn.turn_id]["text"])) for one in turns]
    ids: list[Hashable] = [one.turn.turn_id for one in turns]
    groups: list[Hashable] = [one.group for one in turns]
    counts = [carried(text, one.turn.utterance, one.turn.standalone) for one, text in pairs]
    samples = {
        "exact": mean((exact(text, one.turn.standalone) for one, text in pairs), ids, groups),
        "rouge_l": mean((rouge_l(text, one.turn.standalone) for one, text in pairs), ids, groups),
        **_carried(counts, ids, groups),
        "entity_kept": share((entity_kept(text, one.turn.utterance) for one, text in pairs), ids, groups),
        "added_content": share(
            (
                added_content(text, one.turn.utterance, [said.content for said in one.turn.history])
                for one, text in pairs
            ),
            ids,
            groups,
        ),
    }
    if len({tokenizer(one.language) for one in turns}) == 1:
        parts = (bleu_parts(text, one.turn.standalone, one.language) for one, text in pairs)
        samples["bleu"] = sums(parts, each(bleu_of), ids, groups, WIDTH)
    if alone := _alone(pairs):
        samples["kept_when_standalone"] = alone
    if arm.rewriter == "model":
        samples["guard_refused"] = mean((float(run[str(turn)]["refused"]) for turn in ids), ids, groups)
        samples["model_calls"] = mean((float(run[str(turn)]["calls"]) for turn in ids), ids, groups)
    if arm.rewriter == "gold" and guard:
        refused, asked = refused_share(turns, guard)
        samples["guard_refused"] = mean(refused, [one.turn.turn_id for one in asked], [one.group for one in asked])
    times = [run[str(turn)]["ms"] for turn in ids]
    return Cell(arm, where, samples, {f"ms_p{q}": percentile(times, q) for q in (50, 95)}, n=len(turns))


def _alone(pairs: Sequence[tuple[Scored, str]]) -> Sample | None:
    """``kept_when_standalone``, where there is an utterance that has a history and needs none."""
    counted = [(one, text) for one, text in pairs if counts_as_standalone(one.turn)]
    if not counted:
        return None
    return mean(
        (kept(text, one.turn.utterance) for one, text in counted),
        [one.turn.turn_id for one, _ in counted],
        [one.group for one, _ in counted],
    )


def _carried(counts: Sequence[Carried], ids: Sequence[Hashable], groups: Sequence[Hashable]) -> dict[str, Sample]:
    return {
        "carried_precision": share((one.precision for one in counts), ids, groups),
        "carried_recall": share((one.recall for one in counts), ids, groups),
        "carried_f1": share((one.f1 for one in counts), ids, groups),
    }

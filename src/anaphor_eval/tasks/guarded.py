"""The guard held against people: is a person's rewrite let through, and a drift planted in it caught?

The product's own rewriting step is asked, with a model that says what it is told. It sees the whole talk before the
utterance, and what a data set's task showed beside it (CANARD's titles), because the person who wrote the rewrite did:
what is measured is the guard and not the window.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from anaphor.adapters.fake.model import ScriptedModel
from anaphor.settings import Settings
from anaphor.steps.reconstruct import embedded, replay
from anaphor.steps.reconstruct.rewrite import rewrite
from anaphor.types import Outcome, Question, Recollection, Turn
from anaphor_eval.datasets import Conversation
from anaphor_eval.derive.drift import KINDS, drifts
from anaphor_eval.rewriters import Asked, Rewriting
from anaphor_eval.rows import Arm, Cell
from anaphor_eval.statistics import mean
from anaphor_eval.tasks.plan import Plan
from anaphor_eval.tasks.retrieval import Scored


class Guarded:
    """What the product says to a rewrite that a model might have written."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._log = Rewriting("embedded", "gold", None, settings)

    def refused(self, asked: Asked, text: str, topic: Sequence[str] = (), corrected: str = "") -> str | None:
        """Why the rewrite is refused, empty if it is not; ``None`` where no model would be asked.

        ``corrected`` is what the person said right before the utterance.
        """
        turns = self._log.turns(asked.before)
        if topic:
            turns = (Turn("0", 0, "; ".join(topic), Outcome.ANSWERED), *turns)
        if corrected:
            n = turns[-1].seq + 1 if turns else 1
            turns = (*turns, Turn(str(n), n, corrected, Outcome.FAILED))
        thread = replay(turns)
        draft = embedded(asked.utterance, thread, self._settings.locale)
        reply = {"decision": "follow_up", "query": text, "queries": [], "carried": []}
        model = ScriptedModel([json.dumps(reply, ensure_ascii=False)])
        gone = tuple(retraction.text for retraction in thread.retracted)
        question = Question(asked.utterance, asked.turn_id)
        taken, why, _ = rewrite(question, Recollection(turns), draft, model, self._settings.rewriter.timeout, gone)
        if not model.requests:
            return None
        return "" if taken else "; ".join(one.reason for one in why)


def held(plan: Plan, turns: Sequence[Scored], conversations: Sequence[Conversation], name: str) -> dict[str, Any]:
    """``rewrites``: turn id → the reason or ``None``; ``drifts``: of each its kind, turn id, text and the same."""
    guarded = Guarded(plan.settings)
    later = {one.turn.turn_id: one for one in turns if one.turn.history}
    planted = [drift for drift in drifts(conversations, seed=plan.seed) if drift.turn_id in later]
    rewrites = {}
    for n, (turn_id, one) in enumerate(later.items()):
        plan.tell(f"{name}: guard", n, len(later) + len(planted))
        rewrites[turn_id] = guarded.refused(one.asked, one.turn.standalone[0], one.turn.topic)
    told = []
    for n, drift in enumerate(planted, len(later)):
        plan.tell(f"{name}: guard", n, len(later) + len(planted))
        one = later[drift.turn_id]
        why = guarded.refused(one.asked, drift.text, one.turn.topic, drift.corrected)
        told.append({"kind": drift.kind, "turn": drift.turn_id, "text": drift.text, "refused": why})
    return {"rewrites": rewrites, "drifts": told}


def refused_share(turns: Sequence[Scored], found: Mapping[str, str | None]) -> tuple[list[float], list[Scored]]:
    """1 for every rewrite that was refused, 0 for one that was not, and the turns of which that can be said."""
    asked = [one for one in turns if found.get(one.turn.turn_id) is not None]
    return [float(bool(found[one.turn.turn_id])) for one in asked], asked


def drift_cells(arm: Arm, turns: Sequence[Scored], told: Sequence[Mapping[str, Any]]) -> Iterator[Cell]:
    """``guard_refused`` of every kind of drift (slice ``drift:kind``) and of all of them (``drift``)."""
    by_id = {one.turn.turn_id: one for one in turns}
    here = [each for each in told if each["turn"] in by_id and each["refused"] is not None]
    counted = Counter(each["kind"] for each in here)
    for kind in (None, *(kind for kind in KINDS if counted[kind])):
        part = [each for each in here if kind in (None, each["kind"])]
        if part:
            ids: list[Hashable] = [(each["turn"], each["kind"]) for each in part]
            groups: list[Hashable] = [by_id[each["turn"]].group for each in part]
            caught = mean((float(bool(each["refused"])) for each in part), ids, groups)
            yield Cell(arm, f"drift:{kind}" if kind else "drift", {"guard_refused": caught})

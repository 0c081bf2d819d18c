"""What of the bench of reconstruction needs no retrieval: carried words, what is kept, the guard, time, errors."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import Any

from reconstruction_arms import POOLS, Bench, line

from anaphor import wiring
from anaphor.settings import read as read_settings
from anaphor_eval.datasets import Conversation, read, read_as, read_pool
from anaphor_eval.derive.drift import KINDS
from anaphor_eval.metrics.carried import carried as carried_counts
from anaphor_eval.metrics.entity_kept import entity_kept
from anaphor_eval.metrics.exact import exact
from anaphor_eval.metrics.kept import counts_as_standalone
from anaphor_eval.metrics.kept import kept as kept_as_typed
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.product import Product, told
from anaphor_eval.rewriters import Asked, Rewriting, exchanges
from anaphor_eval.rows import Arm
from anaphor_eval.statistics import Sample, mean, share
from anaphor_eval.tasks.guarded import drift_cells, held, refused_share
from anaphor_eval.tasks.plan import Plan, fingerprint
from anaphor_eval.tasks.retrieval import Scored, forms, scored
from anaphor_eval.tasks.rewrite import rewritten

NAMES = ("mtrag_en", "cast_en", "canard_en", "rewrite_zh_hans", "asdc_ja")
FILES = tuple(f"rewrite/{name}.jsonl" for name in NAMES)
EMBEDDED = Arm(rewriter="embedded", history="gold")
Line = dict[str, Any]


def turns_of(plan: Plan) -> list[Scored]:
    """The utterances of a set that a person has rewritten."""
    return [
        Scored(turn, conversation.conversation_id, conversation.language)
        for conversation in read_as(plan.files[0], Conversation).items
        for turn in conversation.turns
        if turn.standalone
    ]


def texts(plan: Plan, arm: Arm = EMBEDDED) -> tuple[list[Scored], dict[str, str]]:
    """Every utterance's embedded reconstruction."""
    turns, name = turns_of(plan), plan.files[0].stem
    settings = sorted(told(plan.settings).items())
    key = ("reconstruction texts", fingerprint(plan.files), arm, settings)
    run = plan.cell(key, partial(rewritten, plan, arm, turns, name))
    return turns, {turn_id: each["text"] for turn_id, each in run.items()}


def ids_and_groups(turns: Sequence[Scored], name: str = "") -> tuple[list[Hashable], list[Hashable]]:
    return [(name, one.turn.turn_id) for one in turns], [(name, one.group) for one in turns]


def carried_f1(plan: Plan, arm: Arm = EMBEDDED) -> Sample:
    turns, found = texts(plan, arm)
    counts = [carried_counts(found[o.turn.turn_id], o.turn.utterance, o.turn.standalone).f1 for o in turns]
    return share(counts, *ids_and_groups(turns))


def carried(bench: Bench) -> list[Line]:
    """Carried F1 of CANARD and CAsT together, of the Chinese set and of the Japanese one; and of each set."""
    lines = []
    for told_as, names in (("CANARD + CAsT", ("canard_en", "cast_en")), *((name, (name,)) for name in NAMES)):
        parts, ids, groups = [], [], []
        for name in names:
            turns, found = texts(bench.plan(f"rewrite/{name}.jsonl"))
            parts += [carried_counts(found[o.turn.turn_id], o.turn.utterance, o.turn.standalone) for o in turns]
            these = ids_and_groups(turns, name)
            ids += these[0]
            groups += these[1]
        for metric in ("precision", "recall", "f1"):
            sample = share((getattr(each, metric) for each in parts), ids, groups)
            lines.append(line("carried", "embedded", sample, data=told_as, metric=f"carried_{metric}"))
    return lines


def kept(bench: Bench) -> list[Line]:
    """Utterances with a history that a person left as they were, and questions that name their own title."""
    lines = []
    for name in NAMES:
        turns, found = texts(bench.plan(f"rewrite/{name}.jsonl"))
        alone = [one for one in turns if counts_as_standalone(one.turn)]
        if alone:
            values = [kept_as_typed(found[one.turn.turn_id], one.turn.utterance) for one in alone]
            sample = mean(values, *ids_and_groups(alone))
            lines.append(line("kept", "embedded", sample, data=name, metric="kept_when_standalone"))
    for name in ("drcd_zh_hant", "jsquad_ja"):
        plan = Plan((bench.data / f"retrieval/{name}.jsonl",), read_settings(), bench.cache, forms=("derived",))
        pool = read_pool([bench.data / POOLS[name.split("_")[0]]])
        dataset = forms(read(plan.files[0]), pool, plan)[0]
        there = scored(dataset, {passage.passage_id for passage in pool})
        alone = [one for one in there if counts_as_standalone(one.turn)]
        rewriting = Rewriting("embedded", "gold", None, plan.settings)
        values = [kept_as_typed(rewriting.query(one.asked)[0].text, one.turn.utterance) for one in alone]
        sample = mean(values, *ids_and_groups(alone))
        lines.append(line("kept", "embedded", sample, data=f"{name}.derived", metric="kept_when_standalone"))
    return lines


def guard(bench: Bench) -> list[Line]:
    """People's rewrites refused and planted drifts caught, each set and all together."""
    lines = []
    everyone: list[tuple[str, Scored, float]] = []
    caught: list[tuple[str, Scored, str, float]] = []
    for name in NAMES:
        plan = bench.plan(f"rewrite/{name}.jsonl")
        turns = turns_of(plan)
        conversations = read_as(plan.files[0], Conversation).items
        key = ("guard", fingerprint(plan.files), plan.seed, sorted(told(plan.settings).items()))
        found = plan.cell(key, partial(held, plan, turns, conversations, name))
        values, asked = refused_share(turns, found["rewrites"])
        everyone += [(name, one, value) for one, value in zip(asked, values, strict=True)]
        sample = mean(values, *ids_and_groups(asked))
        reasons = Counter(_kinds(found["rewrites"].values()))
        more = {"data": name, "metric": "guard_refused", "reasons": dict(reasons.most_common())}
        lines.append(line("guard", "a person's rewrite", sample, **more))
        by_id = {one.turn.turn_id: one for one in turns}
        caught += [
            (name, by_id[each["turn"]], each["kind"], float(bool(each["refused"])))
            for each in found["drifts"]
            if each["refused"] is not None
        ]
        for drifts in drift_cells(Arm(rewriter="gold"), turns, found["drifts"]):
            where = drifts.slice.partition(":")[2] or "all drifts"
            lines.append(line("guard", where, drifts.samples["guard_refused"], data=name, metric="guard_refused"))
    ids: list[Hashable] = [(name, one.turn.turn_id) for name, one, _ in everyone]
    groups: list[Hashable] = [(name, one.group) for name, one, _ in everyone]
    sample = mean([value for *_, value in everyone], ids, groups)
    lines.append(line("guard", "a person's rewrite", sample, data="all", metric="guard_refused"))
    for kind in (None, *KINDS):
        part = [each for each in caught if kind in (None, each[2])]
        ids = [(name, one.turn.turn_id, what) for name, one, what, _ in part]
        sample = mean([value for *_, value in part], ids, [(name, one.group) for name, one, *_ in part])
        lines.append(line("guard", kind or "all drifts", sample, data="all", metric="guard_refused"))
    return lines


def _kinds(reasons: Any) -> Iterator[str]:
    """The first reason of each refusal, without the word it names."""
    for reason in filter(None, reasons):
        first = reason.split("; ")[0]
        for beginning in (
            "loses what it asks about",
            "loses a negation",
            "adds the negation",
            "brings back",
            "answers",
        ):
            if first.startswith(beginning):
                yield beginning
                break
        else:
            what = first.partition(" ")[2]
            number = any(c.isdigit() for c in what)
            yield f"{first.partition(' ')[0]} {'a number or identifier' if number else 'a word or name'}"


def time_to_query(bench: Bench) -> list[Line]:
    """Milliseconds from the question to its standalone query, of turns that have a history.

    ``whole turn``: the steps accept, remember and reconstruct of the whole product over a store on disk, which answers
    from the set's own passages. ``with vectors``: the same, and the query embedded, which is what searching by vectors
    needs of it. ``reconstruct alone``: that step with the data's own replies in its history; ``processor``: the same
    in processor time, which a machine that is doing other things does not lengthen as much.
    """
    lines = []
    for name, file in _TALKS.items():
        for arm, values in _timed(bench, file).items():
            if values:
                told_ = {"p50": percentile(values, 50), "p95": percentile(values, 95)}
                lines.append({"row": "time", "arm": arm, "data": name, "n": len(values), **told_})
    return lines


_TALKS = {
    "mtrag_human (en)": "rag/mtrag_human.jsonl",
    "kdconv_zh (zh-Hans)": "rag/kdconv_zh.jsonl",
    "drcd derived (zh-Hant)": "retrieval/drcd_zh_hant.jsonl",
    "jsquad derived (ja)": "retrieval/jsquad_ja.jsonl",
}
TIMED = 150  # turns of a set
TURNS_OF_A_TALK = 8
STEPS = ("accept", "remember", "reconstruct")


def _timed(bench: Bench, file: str) -> dict[str, list[float]]:
    path = bench.data / file
    pool = read_pool([bench.data / POOLS[path.stem.split("_")[0]]])
    asked = read(path)
    plan = Plan((path,), read_settings(), forms=() if asked.kind is Conversation else ("derived",))
    conversations = forms(asked, pool, plan)[0].items
    embedder = None if bench.lexical else wiring.embedder(plan.settings)[0]
    found: dict[str, list[float]] = {}
    with Product(plan.settings, None) as product:
        product.put(pool)
        for conversation in conversations:
            session = None
            for n, turn in enumerate(conversation.turns[:TURNS_OF_A_TALK]):
                answer = product.assistant.ask(turn.utterance, session=session)
                session = answer.session_id
                spent = sum(answer.timings_ms.get(step, 0.0) for step in STEPS)
                if n:
                    found.setdefault("whole turn", []).append(spent)
                if n and embedder is not None:
                    start = time.perf_counter()
                    embedder.embed([answer.query.text or turn.utterance], query=True)
                    found.setdefault("with vectors", []).append(spent + (time.perf_counter() - start) * 1000)
            if len(found.get("whole turn", ())) >= TIMED:
                break
    rewriting = Rewriting("embedded", "gold", None, plan.settings)
    with_history = [turn for conversation in conversations for turn in conversation.turns if turn.history]
    for turn in with_history[:TIMED]:
        told_ = Asked(turn.utterance, exchanges(turn.history), turn_id=turn.turn_id)
        rewriting.turns(told_.before)
        start = time.thread_time()
        _, ms = rewriting.query(told_)
        found.setdefault("reconstruct alone", []).append(ms)
        found.setdefault("reconstruct alone, processor", []).append((time.thread_time() - start) * 1000)
    return found


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────

ERRORS = (
    "as the person",
    "left as it was",
    "something else",
    "a part of it",
    "more than that",
    "changed without need",
    "lost a name",
)


def errors(bench: Bench) -> list[Line]:
    """Every later utterance by what became of it, in the evaluator's tokens."""
    lines = []
    for name in NAMES:
        turns, found = texts(bench.plan(f"rewrite/{name}.jsonl"))
        there = [one for one in turns if one.turn.history]
        counted = Counter(_kind(one, found[one.turn.turn_id]) for one in there)
        for kind in ERRORS:
            told_ = {"row": "errors", "arm": kind, "data": name, "n": len(there)}
            lines.append({**told_, "value": counted[kind] / len(there), "count": counted[kind]})
    return lines


def _kind(one: Scored, text: str) -> str:
    turn = one.turn
    kept_names = entity_kept(text, turn.utterance)
    counts = carried_counts(text, turn.utterance, turn.standalone)
    if kept_names.below and kept_names.above < kept_names.below:
        return "lost a name"
    if counts.person == 0:
        return "as the person" if counts.system == 0 or exact(text, turn.standalone) else "changed without need"
    if counts.both == counts.person == counts.system:
        return "as the person"
    if counts.system == 0:
        return "left as it was"
    if counts.both == 0:
        return "something else"
    return "a part of it" if counts.both < counts.person else "more than that"

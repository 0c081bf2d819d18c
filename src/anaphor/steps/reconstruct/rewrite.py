"""Ask a model for the standalone query, and take it only if nothing speaks against it.

One call at temperature 0. History and utterance go in as data inside one message, never as chat roles: given roles, a
small model answers the last question instead of rewriting it. Whatever goes wrong is a refusal with its reason.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from anaphor.errors import ModelError, ModelRefused, ModelRejected, ModelTimeout
from anaphor.ports import ChatModel
from anaphor.prompts import load
from anaphor.steps.model_output import QueryReading, read_query
from anaphor.steps.model_reply import replied
from anaphor.steps.reconstruct.guard import objections, strays
from anaphor.steps.reconstruct.negation import negations
from anaphor.steps.reconstruct.reading import RETRACTED
from anaphor.text.fold import matching
from anaphor.text.instructions import without
from anaphor.text.segment import content_words
from anaphor.types import (
    Carried,
    Decision,
    Json,
    Message,
    Piece,
    Question,
    Recollection,
    Refusal,
    StandaloneQuery,
    Term,
    Turn,
    Usage,
)

LONGEST = 2000  # characters of an utterance: a paste is no matter for a rewriter
REPLY_TOKENS = 512
LONGEST_REPLY = 200_000  # characters of a reply, its thoughts among them
CARRIED = 0.8  # weight of a word that the model brought in from an earlier turn
BESIDE = 0.3  # most that a word counts which the draft had carried and the model did not
SHOWN = 300  # characters of a refused reply that are kept
REASON = "rewritten"
RETRIEVING = tuple(d for d in Decision if d.retrieves)

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": [d.value for d in RETRIEVING]},
        "query": {"type": "string"},
        "queries": {"type": "array", "items": {"type": "string"}},
        "carried": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["decision", "query", "queries", "carried"],
    "additionalProperties": False,
}


def rewrite(
    question: Question,
    recollection: Recollection,
    draft: StandaloneQuery,
    model: ChatModel,
    timeout: float,
    retracted: Sequence[str] = (),
) -> tuple[StandaloneQuery | None, tuple[Refusal, ...], Usage]:
    """The model's query, or ``None`` and what was refused. ``timeout`` (seconds) is this call's alone.

    ``draft`` is the embedded reconstruction: its decision stands where the model gives none, its terms stay.
    ``retracted`` are terms taken back in earlier turns, beside those the draft left behind.
    """
    if len(question.text) > LONGEST or draft.decision in (Decision.SMALL_TALK, Decision.COMMAND):
        return None, (), Usage()
    reply = _ask(model, prompt(question.text, recollection.turns, draft.language), timeout)
    reading = read_query(reply.text, question.text, finished=reply.finish != "length")
    failed = reply.failed or reading.failed
    if failed:
        return None, (Refusal(model.name, reply.text[:SHOWN], failed),), reply.usage
    limits = _limits(question.text, recollection.turns, draft, retracted)
    reasons = limits.objections(reading.query)
    if reasons:
        return None, (Refusal(model.name, reading.query[:SHOWN], "; ".join(reasons)),), reply.usage
    queries, refused = _sub_queries(reading, limits, model.name)
    return _accepted(reading, queries, recollection.turns, draft, question.text, model.name), refused, reply.usage


def prompt(utterance: str, turns: Sequence[Turn], language: str) -> str:
    """What the model is shown: the task, then history and utterance as JSON."""
    history = [_shown(turn) for turn in turns if turn.carriable_question]
    return load("reconstruct", language).fill(
        history="\n".join(json.dumps(line, ensure_ascii=False) for line in history) or "[]",
        utterance=json.dumps(utterance, ensure_ascii=False),
    )


def _shown(turn: Turn) -> dict[str, str]:
    line = {"person": turn.carriable_question}
    if turn.standalone and turn.standalone != turn.carriable_question:
        line["meant"] = turn.standalone
    if turn.carriable_answer:
        line["assistant"] = turn.carriable_answer
    return line


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. ``failed`` says why it is no use, if that is known before it is read."""

    text: str
    finish: str
    usage: Usage
    failed: str


def _ask(model: ChatModel, text: str, timeout: float) -> Reply:
    deadline = time.monotonic() + timeout
    pieces: list[str] = []
    length = 0
    last = Piece()
    usage = Usage()
    failed = ""
    try:
        arriving = replied(
            model,
            [Message("user", text)],
            temperature=0.0,
            max_tokens=REPLY_TOKENS,
            timeout=timeout,
            schema=SCHEMA,
        )
        with closing(arriving):
            for piece in arriving:
                pieces.append(piece.text[:LONGEST_REPLY])
                length += len(piece.text)
                usage += piece.usage
                if piece.finish:
                    last = piece
                elif time.monotonic() > deadline:
                    raise ModelTimeout(f"{model.name} was still writing after {timeout:g} s")
                elif length > LONGEST_REPLY:
                    raise ModelRejected(f"{model.name} wrote more than {LONGEST_REPLY} characters for one query")
    except ModelError as error:
        failed = _why(error)
    if last.finish == "content_filter":
        failed = failed or "refused: content filter"
    return Reply("".join(pieces), last.finish, usage if usage.calls else replace(usage, calls=1), failed)


def _why(error: ModelError) -> str:
    kinds = {ModelTimeout: "timeout", ModelRefused: "refused", ModelRejected: "rejected"}
    return f"{next((word for kind, word in kinds.items() if isinstance(error, kind)), 'unavailable')}: {error}"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a rewrite of this utterance is held to."""

    utterance: str
    carriable: tuple[str, ...]
    retracted: tuple[str, ...]
    dropped: tuple[str, ...]
    language: str

    def objections(self, text: str) -> tuple[str, ...]:
        return objections(
            self.utterance,
            text,
            self.carriable,
            retracted=self.retracted,
            dropped=self.dropped,
            language=self.language,
        )

    def strays(self, text: str) -> tuple[str, ...]:
        return strays(self.utterance, text, self.carriable, retracted=self.retracted, language=self.language)


def _limits(utterance: str, turns: Sequence[Turn], draft: StandaloneQuery, retracted: Sequence[str]) -> Limits:
    taken = dict.fromkeys([*(x.text for x in draft.left_behind if x.reason == RETRACTED), *retracted])
    asked = matching(draft.text, draft.language)  # of a lunar eclipse, not a solar one, the eclipse stays
    gone = tuple(term for term in taken if matching(term, draft.language) not in asked)
    carriable = tuple(text for turn in turns for text in _carriable(turn))
    dropped = tuple(_taken_back(utterance, gone, draft)) if draft.decision is Decision.CORRECTION else ()
    return Limits(utterance, carriable, gone, dropped, draft.language)


def _carriable(turn: Turn) -> Iterator[str]:
    """What a rewrite may draw on: never the orders that stand in what was said."""
    if turn.carriable_question:
        yield from filter(str.strip, map(without, (turn.carriable_question, turn.standalone, turn.carriable_answer)))


_CLAUSE = re.compile(r"[^,，、;；.。!！?？\n]+[,，、;；.。!！?？\n]*")


def _taken_back(utterance: str, gone: Sequence[str], draft: StandaloneQuery) -> Iterator[str]:
    """The clauses of a correction that hold what is taken back, or only say that something is."""
    keys = [matching(term, draft.language) for term in gone]
    for clause in _CLAUSE.findall(utterance):
        folded = matching(clause, draft.language)
        if negations(clause, draft.language) or any(key in folded for key in keys):
            yield clause


def _sub_queries(reading: QueryReading, limits: Limits, rewriter: str) -> tuple[tuple[str, ...], tuple[Refusal, ...]]:
    """The sub-queries if none strays and together they lose nothing; else none, and why."""
    if len(reading.queries) < 2:
        return (), ()
    strayed = [Refusal(rewriter, q[:SHOWN], "; ".join(limits.strays(q))) for q in reading.queries if limits.strays(q)]
    joined = " ".join(reading.queries)
    lost = [reason for reason in limits.objections(joined) if reason.startswith("loses")]
    if lost and not strayed:
        strayed = [Refusal(rewriter, joined[:SHOWN], "; ".join(lost))]
    return ((), tuple(strayed)) if strayed else (reading.queries, ())


def _accepted(
    reading: QueryReading,
    queries: tuple[str, ...],
    turns: Sequence[Turn],
    draft: StandaloneQuery,
    utterance: str,
    rewriter: str,
) -> StandaloneQuery:
    carried = tuple(_carried(reading.query, turns, draft, utterance))
    kept = matching(reading.query, draft.language)
    return replace(
        draft,
        text=reading.query,
        decision=_decision(reading.decision, draft.decision),
        queries=queries or (draft.queries if reading.query == draft.text else ()),
        terms=_terms(draft, carried, kept + matching(utterance, draft.language)),
        carried=carried,
        left_behind=tuple(x for x in draft.left_behind if matching(x.text, draft.language) not in kept),
        rewriter=rewriter,
        signals=(*draft.signals, f"prompt {load('reconstruct', draft.language).name}"),
        ask_back="",
    )


def _decision(given: Decision | None, drafted: Decision) -> Decision:
    """A correction stays one; where the rules could not resolve the utterance, the model just has."""
    if drafted is Decision.CORRECTION or given is None or not given.retrieves:
        return drafted if drafted.retrieves else Decision.FOLLOW_UP
    return given


def _carried(text: str, turns: Sequence[Turn], draft: StandaloneQuery, utterance: str) -> Iterator[Carried]:
    """The stretches of the rewrite that come from an earlier turn, the newest that has them, as long as can be."""
    language = draft.language
    said = [(turn.seq, [matching(part, language) for part in _carriable(turn)]) for turn in reversed(turns)]
    own = matching(utterance, language)
    known = {matching(c.text, language): c for c in draft.carried}
    added = [w for w in content_words(text, language) if w.term not in own]
    while added:
        first, length, seq = added[0], 1, None
        for n in range(len(added), 0, -1):
            stretch = matching(text[first.start : added[n - 1].end], language)
            seq = next((s for s, parts in said if any(stretch in part for part in parts)), None)
            if seq is not None:
                length = n
                break
        span = text[first.start : added[length - 1].end]
        before = known.get(matching(span, language))
        if before:
            yield before
        elif seq is not None:
            yield Carried(span, seq, REASON, CARRIED)
        added = added[length:]


def _terms(draft: StandaloneQuery, carried: Sequence[Carried], said: str) -> tuple[Term, ...]:
    """The draft's terms, each word that the rewrite brought in at least at its weight of being carried.

    ``said`` is the folded rewrite and utterance: what the draft had brought in and stands in neither counts little.
    """
    weights: dict[str, Term] = {}
    for term in draft.terms:
        key = matching(term.term, draft.language)
        weights[key] = term if key in said else Term(term.term, min(term.weight, BESIDE))
    for span in carried:
        for word in content_words(span.text, draft.language):
            if word.term not in weights or weights[word.term].weight < span.weight:
                weights[word.term] = Term(span.text[word.start : word.end], span.weight)
    return tuple(sorted(weights.values(), key=lambda t: -t.weight))

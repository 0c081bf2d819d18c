"""``conversation``: whole conversations through the whole system, each with an empty store.

What people say is asked of ``Assistant.ask``, turn after turn, and what came of it is held against the suite. A
conversation is right when all its turns are: three turns that are each right nine times in ten are all right in 73%.
"""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from anaphor.assistant import Assistant
from anaphor.errors import BadInput
from anaphor.ports import Turns
from anaphor.types import Answer, Decision, Outcome, Passage, Question, Scope, Turn
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.product import PERSON, Product
from anaphor_eval.reading import answering_model
from anaphor_eval.rewriters import BY_THE_PRODUCT, rewriting_model
from anaphor_eval.rows import Arm, Cell, Row
from anaphor_eval.statistics import mean
from anaphor_eval.suites import Expected, Miss, Observed, SuiteConversation, SuiteTurn, judge, read_suite
from anaphor_eval.tasks.plan import Plan, arms, each_language

THREE_AT_90 = "Three turns that are each right in 90% of cases are all right in 73%: look at whole conversations."


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One turn, what was observed, and what did not hold. ``judged``: the suite expects something of it."""

    turn: SuiteTurn
    observed: Observed
    misses: tuple[Miss, ...]
    ms: float

    @property
    def judged(self) -> bool:
        return self.turn.expected != Expected()


@dataclass(frozen=True, slots=True)
class Judged:
    """One conversation in one arm."""

    suite: str
    arm: Arm
    conversation: SuiteConversation
    turns: tuple[JudgedTurn, ...]

    @property
    def right(self) -> bool:
        return not any(turn.misses for turn in self.turns)


def whole(plan: Plan) -> tuple[list[Judged], list[Row]]:
    """Every suite in every combination of rewriter, retriever and reader."""
    plan.only("conversation", "rewriter", "retriever", "reader")
    asked = arms(plan, rewriter=("embedded",), retriever=("default",), reader=("quoted",))
    wanted = list(dict.fromkeys(replace(arm, model=plan.models(arm)) for arm in asked))
    for arm in wanted:
        if arm.rewriter not in BY_THE_PRODUCT:
            raise BadInput(
                f"--rewriter {arm.rewriter} does not apply to conversation: a suite runs the whole system, whose own "
                f"are {' and '.join(BY_THE_PRODUCT)}"
            )
    judged: list[Judged] = []
    found: list[Row] = []
    for path in plan.files:
        suite = read_suite(path)
        conversations = plan.drawn(suite.conversations)
        here: list[Judged] = []
        for arm in wanted:
            for n, conversation in enumerate(conversations):
                plan.tell(f"{suite.name}: {arm.rewriter}", n, len(conversations))
                here.append(Judged(suite.name, arm, conversation, play(plan, arm, conversation)))
        judged += here
        found += _rows(plan, path.stem, here)
    return judged, found


# ── playing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def play(plan: Plan, arm: Arm, conversation: SuiteConversation) -> tuple[JudgedTurn, ...]:
    """From an empty store to the last turn."""
    with Product(plan.settings, plan.cache) as product:
        assistant, replies = joined(plan, arm, product)
        ids = ingested(assistant, conversation, product.folder)
        assistant.embed()
        sessions: dict[tuple[str, str], str] = {}
        found = []
        for n, turn in enumerate(conversation.turns):
            theirs = of_user(assistant, turn.user, conversation)
            where = (turn.user, turn.session)
            if where not in sessions:
                sessions[where] = theirs.sessions.start(turn.session).session_id
            turn_id = f"turn-{n}"
            if turn.reply:
                replies[turn_id] = turn.reply
            start = time.perf_counter()
            observed = _asked(theirs, turn.utterance, sessions[where], turn_id, ids)
            ms = (time.perf_counter() - start) * 1000
            broken = (Miss("turn", "an answer", observed.notes["error"]),) if "error" in observed.notes else ()
            found.append(JudgedTurn(turn, observed, broken or judge(turn, observed), ms))
        return tuple(found)


def joined(plan: Plan, arm: Arm, product: Product) -> tuple[Assistant, dict[str, str]]:
    """The product's assistant as the arm has it, and the replies to be put in the place of its own, by turn id."""
    replies: dict[str, str] = {}
    plain = product.assistant
    conversation = replace(
        plain.conversation,
        turns=Told(plain.conversation.turns, replies),
        indexes=product.indexes(arm.retriever or "default"),
        rewriter=rewriting_model(plan.settings) if arm.rewriter == "model" else None,
        writer=answering_model(plan.settings) if arm.reader == "model" else None,
    )
    return replace(plain, conversation=conversation), replies


class Told:
    """``ports.Turns`` that stores another answer where one is given: what a later turn is meant to see."""

    def __init__(self, turns: Turns, replies: Mapping[str, str]) -> None:
        self._turns, self._replies = turns, replies

    def commit(self, scope: Scope, turn: Turn, trace: Mapping[str, Any], said: Sequence[Passage] = ()) -> None:
        reply = self._replies.get(turn.turn_id)
        if reply is not None:
            turn = replace(turn, answer=reply, outcome=Outcome.ANSWERED, claims=())
        self._turns.commit(scope, turn, trace, said)

    def accept(self, scope: Scope, question: Question, *, lease: float) -> Turn:
        return self._turns.accept(scope, question, lease=lease)

    def recent(self, scope: Scope, limit: int, before: int | None = None) -> Sequence[Turn]:
        return self._turns.recent(scope, limit, before)

    def get(self, scope: Scope, turn_id: str) -> Turn:
        return self._turns.get(scope, turn_id)

    def trace(self, scope: Scope, turn_id: str) -> Mapping[str, Any]:
        return self._turns.trace(scope, turn_id)


def of_user(assistant: Assistant, user: str, conversation: SuiteConversation) -> Assistant:
    """The same system as that person opens it."""
    collections = frozenset({"default", *(document.collection for document in conversation.documents)})
    return replace(assistant, scope=Scope(PERSON, user, collections=collections))


def ingested(assistant: Assistant, conversation: SuiteConversation, folder: Path) -> dict[str, str]:
    """The suite's documents as files, taken in as a person's would be: the product's document id → the suite's."""
    ids: dict[str, str] = {}
    for n, document in enumerate(conversation.documents):
        base = folder / f"document-{n}"
        base.mkdir()
        file = base / f"{_file_name(document.title or document.document_id)}.md"
        file.write_text(f"# {document.title}\n\n{document.text}\n" if document.title else document.text, "utf-8")
        theirs = of_user(assistant, document.user or PERSON, conversation)
        report = theirs.ingest(
            file, collection=document.collection, private=bool(document.user), base=base, embed=False
        )
        for one in report.files:
            ids[one.document_id] = document.document_id
    return ids


def _file_name(title: str) -> str:
    return re.sub(r"[^\w-]+", " ", title)[:60].strip() or "document"


def _asked(assistant: Assistant, utterance: str, session: str, turn_id: str, ids: Mapping[str, str]) -> Observed:
    try:
        answer = assistant.ask(utterance, session=session, turn_id=turn_id)
    except Exception as error:  # the suite goes on: what broke is told beside the turn it broke
        told = f"{type(error).__name__}: {error}"
        return Observed("", Decision.STANDALONE, Outcome.FAILED, notes={"error": told})
    return observed(answer, assistant.passages(answer), ids)


def observed(answer: Answer, ranking: Iterable[Passage], ids: Mapping[str, str]) -> Observed:
    query = answer.query
    return Observed(
        query=query.text,
        decision=query.decision,
        outcome=answer.outcome,
        queries=query.queries,
        terms=tuple(term.term for term in query.terms),
        ranking=tuple(ids.get(passage.document_id, passage.passage_id) for passage in ranking),
        answer=answer.answer,
        calls=answer.usage.calls,
        notes={"notes": list(answer.notes)} if answer.notes else {},
    )


# ── telling ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _rows(plan: Plan, name: str, judged: Sequence[Judged]) -> list[Row]:
    languages = list(dict.fromkeys(one.conversation.language for one in judged))
    found: list[Row] = []
    for language in each_language(languages):
        here = [one for one in judged if language is None or one.conversation.language == language]
        cells = [
            cell(arm, where, [one for one in part if one.arm == arm])
            for where, part in slices(here).items()
            for arm in dict.fromkeys(one.arm for one in here)
        ]
        found += plan.rows(name, cells, language)
    return found


def slices(judged: Iterable[Judged]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for one in judged:
        for where in ("all", *([one.conversation.kind] if one.conversation.kind else [])):
            found.setdefault(where, []).append(one)
    return found


def cell(arm: Arm, where: str, judged: Sequence[Judged]) -> Cell:
    ids = [one.conversation.conversation_id for one in judged]
    turns = [
        (f"{one.conversation.conversation_id}#{n}", one.conversation.conversation_id, float(not turn.misses))
        for one in judged
        for n, turn in enumerate(one.turns)
        if turn.judged
    ]
    samples = {"all_turns_right": mean((float(one.right) for one in judged), ids, ids)}
    if turns:
        samples["turn_right"] = mean(
            (right for _, _, right in turns), [turn for turn, _, _ in turns], [group for _, group, _ in turns]
        )
    if arm.asks_a_model:
        asked = [
            (f"{id}#{n}", id, turn.observed.calls)
            for id, one in zip(ids, judged, strict=True)
            for n, turn in enumerate(one.turns)
        ]
        samples["model_calls"] = mean((calls for *_, calls in asked), [a for a, *_ in asked], [b for _, b, _ in asked])
    times = [turn.ms for one in judged for turn in one.turns]
    return Cell(arm, where, samples, {f"ms_p{q}": percentile(times, q) for q in (50, 95)}, n=len(judged))


def told(judged: Sequence[Judged], *, verbose: bool) -> Iterator[str]:
    """What a person reads: every conversation that is not right and why, then the figures by kind and language."""
    for one in judged:
        if not one.right or verbose:
            yield f"{'right' if one.right else 'WRONG'}  {one.suite}: {one.conversation.conversation_id}{_arm(one.arm)}"
        for n, turn in enumerate(one.turns, 1):
            if turn.misses or (verbose and turn.judged):
                yield f"    turn {n}: {turn.turn.utterance[:80]!r}"
                yield from (f"        {miss}" for miss in turn.misses)
    for arm in dict.fromkeys(one.arm for one in judged):
        here = [one for one in judged if one.arm == arm]
        yield f"conversations with all turns right{_arm(arm)}: {_of(here)}; turns right: {_turns(here)}"
        for title, names in (
            ("kind", [one.conversation.kind for one in here if one.conversation.kind]),
            ("language", [one.conversation.language for one in here]),
        ):
            for name in sorted(dict.fromkeys(names)):
                part = [one for one in here if getattr(one.conversation, title) == name]
                yield f"    {title} {name}: {_of(part)}; turns right: {_turns(part)}"
    yield THREE_AT_90


def _arm(arm: Arm) -> str:
    return f" ({arm.rewriter}, {arm.retriever}, {arm.reader})"


def _of(judged: Sequence[Judged]) -> str:
    return _share([one.right for one in judged])


def _turns(judged: Sequence[Judged]) -> str:
    return _share([not turn.misses for one in judged for turn in one.turns if turn.judged])


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)}" + (f" ({sum(right) / len(right):.0%})" if right else "")


def junit_xml(judged: Sequence[Judged]) -> str:
    """A suite a file and arm, a test case a conversation, its failure the misses turn by turn."""
    root = ET.Element("testsuites")
    for suite, arm in dict.fromkeys((one.suite, one.arm) for one in judged):
        here = [one for one in judged if (one.suite, one.arm) == (suite, arm)]
        failed = sum(not one.right for one in here)
        element = ET.SubElement(
            root,
            "testsuite",
            name=_printable(suite + _arm(arm)),
            tests=str(len(here)),
            failures=str(failed),
            errors="0",
        )
        for one in here:
            case = ET.SubElement(
                element,
                "testcase",
                name=_printable(one.conversation.conversation_id),
                classname=_printable(f"{suite}.{one.conversation.language}.{one.conversation.kind or 'conversation'}"),
                time=f"{sum(turn.ms for turn in one.turns) / 1000:.3f}",
            )
            lines = [
                f"turn {n}: {turn.turn.utterance}: {miss}"
                for n, turn in enumerate(one.turns, 1)
                for miss in turn.misses
            ]
            if lines:
                failure = ET.SubElement(case, "failure", message=_printable(lines[0]))
                failure.text = _printable("\n".join(lines))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _printable(text: str) -> str:
    """XML has no way to write a control character, or half a surrogate pair."""
    return _FORBIDDEN.sub("\ufffd", text)

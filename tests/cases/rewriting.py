"""Kind ``rewrite``: what an utterance is made into, and what the whole turn then finds and says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anaphor
from anaphor.steps.reconstruct.reading import RETRACTED
from anaphor.types import Decision, StandaloneQuery
from cases import checks
from cases.scene import Scene, locale_of, message_of

OF_THE_TURN = frozenset({"action", "query", "top1", "top_k", "answer", "queries_min", "rewrite_llm_calls_max"})
OF_NOTHING = frozenset({"message", "message_parts", "standalone", "note"})


def check(case: Mapping[str, Any], _place: Path) -> None:
    given, expect = case["input"], case["expect"]
    if "cases" not in given:
        _check(case, given, expect)
        return
    for one in given["cases"]:
        meant = {**expect.get("standalone_means", {}), "action": "retrieve"} if one.get("standalone") else {}
        try:
            _check(case, {**given, **one}, as_expectation({**meant, **one}))
        except AssertionError as failure:
            raise AssertionError(f"{one['message']!r}: {failure}") from failure


def as_expectation(one: Mapping[str, Any]) -> dict[str, Any]:
    """The short form of ``cases[]``: what is not of the turn is of the query."""
    turn = {field: wanted for field, wanted in one.items() if field in OF_THE_TURN}
    query = {field: wanted for field, wanted in one.items() if field not in OF_THE_TURN | OF_NOTHING}
    return {**turn, "query": {**query, **turn.get("query", {})}}


def _check(case: Mapping[str, Any], given: Mapping[str, Any], expect: Mapping[str, Any]) -> None:
    message, history, locale = message_of(given), given.get("history", []), locale_of(case)
    query = anaphor.reconstruct(history, message, language=tag(locale))
    _check_reconstruction(query, expect, message)
    if given.get("docs"):
        _check_turn(given, expect, message, locale)


def tag(locale: str | None) -> str | None:
    return {"zh-TW": "zh-Hant", "zh-CN": "zh-Hans", "zh-HK": "zh-Hant"}.get(locale or "", locale)


def _check_reconstruction(query: StandaloneQuery, expect: Mapping[str, Any], message: str) -> None:
    action = expect.get("action")
    if action:
        assert action in ("retrieve", "no_retrieve"), f"this runner cannot read action {action!r}"
        told = f"decision {query.decision} for {message[:60]!r}"
        assert query.decision.retrieves is (action == "retrieve"), f"{told}, but {action} was expected"
    if expect.get("registered_as_correction") is False:
        taken_back = [x.text for x in query.left_behind if x.reason == RETRACTED]
        assert query.decision is not Decision.CORRECTION, "taken for a correction"
        assert not taken_back, f"retracted: {taken_back}"
    if "queries_min" in expect:
        queries = query.queries or (query.text,)
        assert len(queries) >= expect["queries_min"], f"sub-queries: {queries}"
    if "rewrite_llm_calls_max" in expect:
        assert query.usage.calls <= expect["rewrite_llm_calls_max"], f"{query.usage.calls} calls of the model"
    checks.check_query(query, expect.get("query", {}), message)


def _check_turn(given: Mapping[str, Any], expect: Mapping[str, Any], message: str, locale: str | None) -> None:
    scene = Scene(locale)
    scene.documents(given["docs"])
    answer = scene.ask(message, given.get("history", []))
    ranked, shown = scene.ranked(answer), answer.query.text[:200]
    if "top1" in expect:
        checks.first(expect["top1"], ranked, shown)
    if "top_k" in expect:
        checks.among_first(expect["top_k"], ranked, shown)
    if "answer" in expect:
        checks.check_answer(answer.answer, {c.source for c in answer.citations}, expect["answer"])

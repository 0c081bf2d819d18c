"""A case of the service that is about one turn is run without the service."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from anaphor.adapters.fake.model import failing
from anaphor.errors import ModelTimeout
from cases import checks
from cases.scene import Scene, locale_of, message_of


def check(case: Mapping[str, Any]) -> None:
    """A rewriting model that never answers costs the turn nothing but the time it was given."""
    given, expect = case["input"], case["expect"]
    model = failing(ModelTimeout("no reply within the time given for rewriting"))
    scene = Scene(locale_of(case), rewriter=model)
    scene.documents(given["docs"])
    start = time.monotonic()
    answer = scene.ask(message_of(given), given.get("history", []))
    assert time.monotonic() - start <= expect.get("total_seconds_max", 15)
    if "query_used" in expect:
        checks.equal(expect["query_used"], answer.query.text, message_of(given))
    if model.requests and "logged" in expect:
        reasons = [refusal.reason for refusal in answer.query.refused]
        assert any("timeout" in reason for reason in reasons), reasons
    checks.check_answer(answer.answer, {c.source for c in answer.citations}, expect.get("answer", {}))

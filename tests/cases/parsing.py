"""Kind ``parse``: what is read out of model output, numbers, languages and scripts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from anaphor.adapters.fake import ScriptedModel
from anaphor.steps.model_output import read_query
from anaphor.steps.reconstruct.rewrite import rewrite
from anaphor.text.language import reply_fits, script
from anaphor.text.numbers import numbers
from anaphor.types import Decision, Question, Recollection, StandaloneQuery


def check(case: Mapping[str, Any], _place: Path) -> None:
    given = case["input"]
    for one in given.get("detect", []):
        _detects(one)
    for one in given.get("cases", []):
        if "raw" in one:
            _reads(one, given["original_message"])
        elif "reply" in one:
            _fits(one)
        elif "span" in one:
            _counts(one)
        else:
            raise AssertionError(f"this runner cannot read a case of {sorted(one)}")


def _reads(one: Mapping[str, Any], original: str) -> None:
    reading = read_query(one["raw"], original)
    wanted = one["query_in"] if "query_in" in one else [one["query"]]
    options = [original if w == "@original" else w for w in wanted]
    assert reading.query in options, f"{one['raw']!r}: read {reading.query!r}, not {options}"
    if one.get("flag") == "rewrite_failed":
        assert reading.failed, f"{one['raw']!r}: the failure is not told"
    if reading.failed and isinstance(one["raw"], str):
        _is_told(one["raw"], original)


def _is_told(raw: str, original: str) -> None:
    """A fallback stands where an operator sees it: among the refusals of the query, and so in the trace."""
    draft = StandaloneQuery(original, Decision.FOLLOW_UP, 0.5, "en")
    rewritten, refused, _ = rewrite(Question(original, "t"), Recollection(), draft, ScriptedModel([raw]), 5.0)
    assert rewritten is None
    assert [r.reason for r in refused if r.reason], f"{raw!r}: no refusal is recorded"


def _fits(one: Mapping[str, Any]) -> None:
    message, reply = one["message"], one["reply"]
    fits = reply_fits(message, reply, talk_script=one.get("history_script"), locale=one.get("locale"))
    assert fits is one["ok"], f"{reply!r} to {message!r} was taken as {'fitting' if fits else 'unfit'}"


def _detects(one: Mapping[str, Any]) -> None:
    found = script(one["text"])
    assert found == one["script"], f"{one['text']!r} was taken for {found}, not {one['script']}"


def _counts(one: Mapping[str, Any]) -> None:
    text, span = one["text"], one["span"]
    start = text.index(span)
    found = [n for n in numbers(text) if n.start < start + len(span) and n.end > start]
    told = f"{span!r} in {text!r}: {[(n.surface, str(n.value)) for n in found]}"
    if one["value"] is None:
        assert not found, f"{told}, but it is no exact quantity"
    else:
        value = Fraction(str(one["value"]))
        assert any(Fraction(str(n.value)) == value for n in found), f"{told}, not {one['value']}"

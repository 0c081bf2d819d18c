"""A model that keeps failing is not asked until its cool-down is over."""

from __future__ import annotations

import pytest

from anaphor.adapters.fake import FixedClock, ScriptedModel
from anaphor.errors import ModelError, ModelRefused, ModelUnavailable
from anaphor.steps.reconstruct.breaker import Breaker
from anaphor.types import Message

DOWN = ModelUnavailable("refused connection")


def ask(model):
    said = model.reply([Message("user", "q")], temperature=0.0, max_tokens=9, timeout=1.0)
    return "".join(piece.text for piece in said)


def failing(model, times=1):
    for _ in range(times):
        with pytest.raises(ModelError):
            ask(model)


def test_it_passes_replies_and_errors_on():
    model = Breaker(ScriptedModel(["fine", DOWN], name="small"))
    assert (model.name, ask(model)) == ("small", "fine")
    with pytest.raises(ModelUnavailable, match="refused connection"):
        ask(model)


def test_after_failures_in_a_row_the_model_is_not_asked_until_the_cool_down_is_over():
    clock, inner = FixedClock(), ScriptedModel([DOWN, DOWN, "back"])
    model = Breaker(inner, clock, failures=2, cool_down=30)
    failing(model, 2)
    with pytest.raises(ModelUnavailable, match=r"failed 2 times in a row; it is asked again in 30 s"):
        ask(model)
    assert len(inner.requests) == 2
    clock.advance(31)
    assert ask(model) == "back"


def test_one_failure_after_the_cool_down_begins_it_anew():
    clock, inner = FixedClock(), ScriptedModel([DOWN, DOWN, DOWN])
    model = Breaker(inner, clock, failures=2, cool_down=30)
    failing(model, 2)
    clock.advance(31)
    failing(model)
    failing(model)
    assert len(inner.requests) == 3


def test_a_success_between_failures_counts_from_zero_again():
    model = Breaker(ScriptedModel([DOWN, "fine", DOWN, "fine"]), FixedClock(), failures=2)
    failing(model)
    ask(model)
    failing(model)
    assert ask(model) == "fine"


def test_a_refusal_or_a_closed_reply_is_no_failure():
    inner = ScriptedModel([ModelRefused("no"), ModelRefused("no"), "a long reply", "fine"], piece=1)
    model = Breaker(inner, FixedClock(), failures=1)
    failing(model, 2)
    reply = model.reply([Message("user", "q")], temperature=0.0, max_tokens=9, timeout=1.0)
    next(reply)
    reply.close()
    assert inner.cancelled == 1
    assert ask(model) == "fine"


def test_a_reply_closed_because_its_time_was_over_is_a_failure():
    clock = FixedClock()
    inner = ScriptedModel(["a long reply", "fine"], piece=1)
    model = Breaker(inner, clock, failures=1)
    reply = model.reply([Message("user", "q")], temperature=0.0, max_tokens=9, timeout=1.0)
    next(reply)
    clock.advance(1.5)
    reply.close()
    with pytest.raises(ModelUnavailable, match="failed 1 times in a row"):
        ask(model)
    assert len(inner.requests) == 1


def test_closing_it_closes_the_model():
    closed = []

    class Closing(ScriptedModel):
        def close(self):
            closed.append(self.name)

    Breaker(Closing([], name="inner")).close()
    Breaker(ScriptedModel([])).close()
    assert closed == ["inner"]

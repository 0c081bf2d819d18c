"""Summaries are made of what was said, and say what they lack."""

import pytest

from anaphor.adapters.fake.model import ScriptedModel, failing
from anaphor.memory.coverage import details, has
from anaphor.memory.summarize import summarize, summarize_with_model
from anaphor.text.tokens import estimate
from anaphor.types import Outcome, Turn


def turn(seq, question, **more):
    return Turn(f"t{seq}", seq, question, more.pop("outcome", Outcome.ANSWERED), **more)


HOTELS = [
    ("zh-Hant", "飯店的游泳池十點關。我不吃牛肉。", ["游泳池", "十點"]),
    ("zh-Hans", "饭店的游泳池十点关。我不吃牛肉。", ["游泳池", "十点"]),
    ("ja", "ホテルのプールは10時に閉まります。牛肉は食べません。", ["プール", "10"]),
    ("en", "The hotel's pool closes at 10 pm. I don't eat beef.", ["pool", "10 pm", "don't eat beef"]),
]


@pytest.mark.parametrize(("language", "text", "expected"), HOTELS)
def test_the_attribute_of_a_named_thing_is_a_detail(language, text, expected):
    found = details(text)
    for detail in expected:
        assert any(has(one, detail) for one in found), (language, detail, found)


@pytest.mark.parametrize(("language", "text", "expected"), HOTELS)
def test_what_does_not_fit_is_listed_with_its_turn(language, text, expected):
    short = summarize(None, [turn(3, text)], tokens=1, count=estimate)
    assert short.text == ""
    assert {seq for _, seq in short.left_out} == {3}
    whole = summarize(None, [turn(3, text)], tokens=500, count=estimate)
    assert whole.left_out == ()


def test_a_summary_grows_by_what_is_new_and_each_line_has_its_place():
    first = summarize(None, [turn(1, "I live in Hull. What is the time?")], tokens=100, count=estimate)
    turns = [turn(1, "I live in Hull. What is the time?"), turn(2, "My cat is named Vesper.")]
    second = summarize(first, turns, tokens=100, count=estimate)
    assert second.version == 2
    assert (second.from_seq, second.to_seq) == (1, 2)
    for line, (seq, start, end) in zip(second.text.split("\n"), second.sources, strict=True):
        assert turns[seq - 1].question[start:end] == line
    assert summarize(second, turns, tokens=100, count=estimate) is second


def test_what_an_earlier_summary_loses_for_want_of_room_is_listed():
    first = summarize(None, [turn(1, "My cat is named Vesper.")], tokens=100, count=estimate)
    later = [turn(2, "I moved to Hull on 3 May with 12 boxes, and the flat on Anlaby Road is not furnished.")]
    second = summarize(first, later, tokens=estimate(later[0].question + "\n"), count=estimate)
    assert ("Vesper", 1) in second.left_out


def test_a_listed_term_comes_first():
    turns = [turn(1, "The deploy freeze is on. I met Ana in Oslo on 3 May 2026 at 10:30.")]
    assert "freeze" in summarize(None, turns, tokens=12, count=estimate, terms=("freeze",)).text


def test_a_models_summary_stands_if_nothing_is_lost_or_invented():
    turns = [turn(1, "I live in Hull with 3 hens.")]
    good = ScriptedModel(["The person lives in Hull with 3 hens."], name="m")
    assert summarize_with_model(good, None, turns, tokens=100, count=estimate).written_by == "m"
    mended = ScriptedModel(["The person lives in Leeds.", "The person lives in Hull with 3 hens."], name="m")
    assert summarize_with_model(mended, None, turns, tokens=100, count=estimate).written_by == "m"
    bad = ScriptedModel(["In Leeds.", "In York."], name="m")
    assert summarize_with_model(bad, None, turns, tokens=100, count=estimate).written_by == "extractive"
    assert summarize_with_model(failing(), None, turns, tokens=100, count=estimate).written_by == "extractive"

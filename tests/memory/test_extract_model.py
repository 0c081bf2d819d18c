"""Statements that a model reads out of turns: believed only where the words are there."""

import json

from anaphor.adapters.fake.model import Ends, ScriptedModel, failing
from anaphor.errors import ModelRefused
from anaphor.facts import Kind, State
from anaphor.memory.extract_model import extract_with_model
from anaphor.types import Outcome, Turn

MAY = 1_778_839_800.0  # 2026-05-15T10:10:00Z


def turn(n, question):
    return Turn(f"01J-{n}", n, question, Outcome.ANSWERED, asked_at=MAY)


def fact(alias, words, **more):
    given = {"reasoning": "said by the person", "asserted": True, "about": "user", "kind": "place"}
    given |= {"relation": "lives in", "state": "current", "negated": False, "single": True, "replaces": ""}
    return {"turn": alias, "words": words, **given, **more}


def reply(*facts):
    return json.dumps({"facts": list(facts)}, ensure_ascii=False)


def test_the_models_facts_have_their_place_and_their_day():
    model = ScriptedModel([reply(fact("t2", "花蓮"), fact("t1", "松江", kind="plan", state="planned"))])
    turns = [turn(1, "再来週の水曜に松江へ行きます。"), turn(2, "好。我住在花蓮。")]
    found = extract_with_model(model, turns)
    (place,) = found.statements["01J-2"]
    assert (place.kind, place.value, place.relation, place.single) == (Kind.PLACE, "花蓮", "lives_in", True)
    assert turns[1].question[place.start : place.end] == "我住在花蓮。"
    (plan,) = found.statements["01J-1"]
    assert (plan.state, plan.valid_from) == (State.PLANNED, "2026-05-27")
    assert "01J" not in model.requests[0].text  # the model sees aliases


def test_what_is_not_in_the_words_is_dropped():
    turns = [turn(1, 'She said "I live in a very small house in Oslo, with no lift." My PIN is 4471. I live in Hull.')]
    facts = [
        fact("t1", "Leeds"),
        fact("t1", "Oslo"),
        fact("t1", "4471"),
        fact("t9", "Hull"),
        fact("t1", "Hull", asserted=False),
        fact("t1", "Hull", kind="weather"),
        "nonsense",
        fact("t1", "Hull"),
    ]
    found = extract_with_model(ScriptedModel([reply(*facts)]), turns)
    assert [s.value for s in found.statements["01J-1"]] == ["Hull"]
    assert found.dropped == 7


def test_a_refusal_splits_the_batch_and_names_the_turn():
    def answer(request):
        if "bomb" in request.text:
            return ModelRefused("no")
        return reply(*(fact(f"t{n}", "Hull") for n in (1, 2) if f'"t{n}"' in request.text))

    turns = [turn(1, "I live in Hull."), turn(2, "I live in Hull too."), turn(3, "bomb"), turn(4, "I live in Hull.")]
    found = extract_with_model(ScriptedModel(answer), turns)
    assert found.blocked == ("01J-3",)
    assert found.failed == ()
    assert {turn_id for turn_id, said in found.statements.items() if said} == {"01J-1", "01J-2", "01J-4"}


def test_a_filter_that_ends_the_reply_is_a_refusal_too():
    model = ScriptedModel(lambda _request: Ends("", "content_filter"))
    assert extract_with_model(model, [turn(1, "I live in Hull.")]).blocked == ("01J-1",)


def test_a_model_that_fails_names_what_it_did_not_read():
    assert extract_with_model(failing(), [turn(1, "x"), turn(2, "y")]).failed == ("01J-1", "01J-2")
    assert extract_with_model(ScriptedModel(["no JSON"]), [turn(1, "x")]).failed == ("01J-1",)

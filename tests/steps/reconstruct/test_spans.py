"""What may be meant besides, where no rule says: weighed a little, never written, and nothing of another topic."""

from dataclasses import replace

import pytest

from anaphor.adapters.fake.model import ScriptedModel
from anaphor.steps.reconstruct import reconstruct, replay
from anaphor.steps.reconstruct.decide import decide
from anaphor.steps.reconstruct.heard import hear
from anaphor.steps.reconstruct.spans import AT_MOST, LIKELY_ENOUGH, spans, weights
from anaphor.types import Decision, Outcome, Question
from steps.reconstruct.said import ask, check, recollection

SAT_NAV = (
    "Which maps does the Kestrel tracker show?",
    "The Kestrel tracker shows trail maps and sea charts. Trail maps are stored on the tracker; charts need a card.",
)


def found(said, utterance, **options):
    thread = replay(recollection(*said, **options).turns)
    heard = hear(utterance, thread.talk)
    return spans(heard, thread, decide(heard, thread))


def test_what_is_talked_of_is_weighed_and_the_sentence_left_alone():
    query = ask(SAT_NAV, "Which sea charts are free of charge?")
    assert query.text == "Which sea charts are free of charge?"
    assert not query.carried
    weighed = {term.term: term.weight for term in query.terms}
    assert 0 < weighed["Kestrel"] < 1
    assert weighed["charts"] == 1


def test_each_is_as_heavy_as_it_is_likely_and_the_likeliest_comes_first():
    likely = found(SAT_NAV, "Which sea charts are free of charge?")
    chances = [span.probability for span in likely]
    assert likely[0].text == "Kestrel tracker"
    assert chances == sorted(chances, reverse=True)
    assert all(LIKELY_ENOUGH <= chance < 1 for chance in chances)


def test_what_is_weighed_is_not_said_to_be_left_behind():
    query = ask(SAT_NAV, "Which sea charts are free of charge?")
    weighed = {term.term.casefold() for term in query.terms}
    assert not [x for x in query.left_behind if set(x.text.casefold().split()) & weighed - {"charts", "sea"}]


@pytest.mark.parametrize(
    ("said", "utterance", "lacks"),
    [
        (SAT_NAV, "Who issues parking permits?", ["Kestrel", "maps"]),
        (SAT_NAV, "Which maps does the Merlin scanner show?", ["Kestrel"]),  # another name
        (("How long is the south ferry?", "The south ferry is 40 m long."), "Is the north ferry longer?", ["south"]),
    ],
)
def test_nothing_of_another_topic(said, utterance, lacks):
    check(ask(said, utterance), lacks=lacks)


@pytest.mark.parametrize(("said", "asked"), [(SAT_NAV, 0), (("Who runs the harbour?", "The town does."), 1)])
def test_no_model_is_asked_where_what_may_be_meant_is_weighed(said, asked):
    model = ScriptedModel(["{}"])
    question = Question("Which sea charts are free of charge?", "now")
    query = reconstruct(question, recollection(*said), model)
    assert query.text == question.text
    assert len(model.requests) == asked


def test_what_points_at_nothing_is_asked_of_a_model_still():
    model = ScriptedModel(["{}"])
    said = ("Which sea charts are there?", "Sea charts of the coast and of the ocean.")
    reconstruct(Question("Did she draw sea charts?", "now"), recollection(*said), model)
    assert len(model.requests) == 1


def test_nothing_beside_what_a_rule_carries():
    assert found(SAT_NAV, "How heavy is it?") == ()


def test_nothing_of_a_text_that_was_never_committed():
    told = ("Which maps are there?", SAT_NAV[1])
    assert found(told, "Which sea charts are free of charge?")
    assert not found(told, "Which sea charts are free of charge?", outcome=Outcome.UNVERIFIED)


def test_nothing_that_was_taken_back():
    thread = replay(recollection(*SAT_NAV, "No, not the Kestrel tracker, the Merlin scanner.", "It shows maps.").turns)
    heard = hear("Which sea charts are free of charge?", thread.talk)
    assert thread.retracted
    assert all("Kestrel" not in span.text for span in spans(heard, thread, decide(heard, thread)))


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (("海圖有哪些？", "有兩種海圖：沿岸與遠洋。"), "海圖要錢嗎？"),
        (("海图有哪些？", "有两种海图：沿岸与远洋。"), "海图要钱吗？"),
        (("海図は何がありますか？", "沿岸と遠洋の二種類の海図があります。"), "海図は有料ですか？"),
    ],
)
def test_other_languages_have_rules_of_their_own(said, utterance):
    assert found(said, utterance) == ()


def test_no_more_than_so_many():
    named = ". ".join(f"The {a}{b} lens fits the telescope" for a in "bcdfghjkl" for b in ("oro", "ala", "iri"))
    likely = found(("Which lenses fit the telescope?", named + "."), "Which lenses are sharp?")
    assert 0 < len(likely) <= AT_MOST


def test_the_weights_are_there():
    assert weights()["always"] < 0
    assert len(weights()) > 40


def test_a_reading_that_retrieves_nothing_weighs_nothing():
    thread = replay(recollection(*SAT_NAV).turns)
    heard = hear("Which sea charts are free of charge?", thread.talk)
    assert spans(heard, thread, replace(decide(heard, thread), decision=Decision.SMALL_TALK)) == ()

"""A model's rewrite is taken if nothing speaks against it; whatever goes wrong is a refusal and never an error."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from anaphor.adapters.fake.model import Dies, Ends, ScriptedModel
from anaphor.errors import ModelRefused, ModelRejected, ModelTimeout, ModelUnavailable
from anaphor.prompts import load
from anaphor.steps.reconstruct import reconstruct
from anaphor.steps.reconstruct.breaker import Breaker
from anaphor.steps.reconstruct.rewrite import BESIDE, CARRIED, LONGEST, rewrite
from anaphor.types import (
    Decision,
    LeftBehind,
    Outcome,
    Piece,
    Question,
    Recollection,
    StandaloneQuery,
    Term,
    Turn,
    Usage,
)

LANGUAGES = ["en", "zh-Hant", "zh-Hans", "ja"]
TALK = {
    "en": ("What is the Orin plan?", "The Orin plan includes phone support.", "How much is it?"),
    "zh-Hant": ("極光套餐是什麼？", "極光套餐含電話客服。", "那它多少錢？"),
    "zh-Hans": ("极光套餐是什么？", "极光套餐含电话客服。", "那它多少钱？"),
    "ja": ("オーロラプランとは何ですか？", "オーロラプランには電話サポートが付きます。", "それはいくらですか？"),
}
REWRITTEN = {
    "en": "How much is the Orin plan?",
    "zh-Hant": "極光套餐多少錢？",
    "zh-Hans": "极光套餐多少钱？",
    "ja": "オーロラプランはいくらですか？",
}


def talk(language="en", outcome=Outcome.ANSWERED):
    question, answer, utterance = TALK[language]
    turns = (Turn("t1", 1, question, outcome, answer, language=language),)
    return Question(utterance, "t2"), Recollection(turns)


def draft(language="en", text="", decision=Decision.FOLLOW_UP, **more):
    text = text or TALK[language][2]
    return StandaloneQuery(text, decision, 0.5, language, terms=(Term(text, 1.0),), **more)


def said(query, **more):
    return json.dumps({"decision": "follow_up", "query": query, "queries": [], "carried": [], **more})


def run(reply, language="en", **more):
    question, recollection = talk(language)
    model = reply if isinstance(reply, ScriptedModel) else ScriptedModel([reply], name="small")
    return rewrite(question, recollection, more.pop("draft", None) or draft(language), model, 5.0, **more)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_good_rewrite_is_taken_with_what_it_carried(language):
    query, refused, usage = run(said(REWRITTEN[language]), language)
    assert query is not None
    assert (query.text, query.rewriter, refused) == (REWRITTEN[language], "small", ())
    assert query.decision is Decision.FOLLOW_UP
    assert [(c.seq, c.weight) for c in query.carried] == [(1, CARRIED)]
    assert query.carried[0].text in TALK[language][0]
    assert query.terms[0].weight == 1.0
    assert {t.weight for t in query.terms[1:]} == {CARRIED}
    assert query.signals == (f"prompt reconstruct/v1.{language}",)
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 0, 0)
    assert usage.estimated_input > usage.estimated_output > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_talk_is_shown_as_data_in_one_message_in_the_persons_language(language):
    model = ScriptedModel([said(REWRITTEN[language])])
    run(model, language)
    (request,) = model.requests
    (message,) = request.messages
    assert message.role == "user"
    assert load("reconstruct", language).text[:20] == message.content[:20]
    for text in TALK[language]:
        assert json.dumps(text, ensure_ascii=False) in message.content
    assert request.temperature == 0.0
    assert request.timeout == 5.0
    assert request.schema["required"] == ["decision", "query", "queries", "carried"]


def test_what_the_draft_carried_and_the_model_did_not_counts_little():
    wrong = replace(draft(), terms=(Term("phone", 1.0), Term("much", 1.0), Term("support", 0.1)))
    query, _, _ = run(said("How much is the Orin plan?"), draft=wrong)
    weights = {t.term: t.weight for t in query.terms}
    assert (weights["much"], weights["phone"], weights["support"]) == (1.0, BESIDE, 0.1)


def test_a_dollar_or_a_brace_in_the_talk_is_left_alone():
    model = ScriptedModel(["{}"])
    rewrite(Question('Is it $utterance "${x}"?', "t"), Recollection(), draft(), model, 5.0)
    assert json.dumps('Is it $utterance "${x}"?') in model.requests[0].text


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (ModelTimeout("no reply in 5 s"), "timeout: no reply in 5 s"),
        (ModelUnavailable("refused connection"), "unavailable: refused connection"),
        (ModelRejected("no such model"), "rejected: no such model"),
        (ModelRefused("not for me"), "refused: not for me"),
        (Dies('{"query": "How mu'), "unavailable: the scripted model was cut off in mid-reply"),
        (Ends("How much is the Or", "length"), "cut off"),
        (Ends('{"query": "How much is the Or', "length"), "cut off"),
        (Ends("", "content_filter"), "refused: content filter"),
        ("", "empty"),
        ('{"query": ""}', "no query in the object"),
        ("I'm sorry, but I can't help with that.", "refused"),
        ("The Orin plan is 30 dollars.", "answers instead of asking; adds 30"),
        (said("How much is the Lyra plan?"), "adds Lyra"),
    ],
)
def test_what_goes_wrong_is_a_refusal_with_its_reason(reply, reason):
    query, refused, usage = run(reply)
    assert query is None
    assert [r.rewriter for r in refused] == ["small"]
    assert refused[0].reason.startswith(reason)
    assert usage.calls == 1


def test_a_whole_object_counts_even_if_the_reply_ran_into_its_limit():
    query, _, _ = run(Ends(said("How much is the Orin plan?") + "\nNote that", "length"))
    assert query is not None


def test_plain_text_is_taken_too():
    query, _, _ = run("Standalone question: How much is the Orin plan?")
    assert query is not None
    assert query.text == "How much is the Orin plan?"


def test_what_may_not_be_carried_counts_as_brought_in():
    question, recollection = talk(outcome=Outcome.DECLINED)
    model = ScriptedModel([said("How much is phone support?")])
    query, refused, _ = rewrite(question, recollection, draft(), model, 5.0)
    assert query is None
    assert "adds" in refused[0].reason
    assert "phone support" not in model.requests[0].text


def test_a_retracted_term_does_not_come_back():
    turns = (
        Turn("t1", 1, "When does the Kyoto office open?", Outcome.ANSWERED, "At 09:30."),
        Turn("t2", 2, "I meant the Osaka office.", Outcome.ANSWERED, "At 08:45."),
    )
    model = ScriptedModel([said("When does the Kyoto office close?")])
    query, refused, _ = rewrite(
        Question("When does it close?", "t3"), Recollection(turns), draft(), model, 5.0, retracted=["Kyoto"]
    )
    assert query is None
    assert refused[0].reason == "brings back Kyoto"


def test_of_a_correction_only_the_corrected_half_must_stay():
    turns = (Turn("t1", 1, "What time does the Kyoto office open?", Outcome.ANSWERED, "At 09:30."),)
    corrected = draft(decision=Decision.CORRECTION, left_behind=(LeftBehind("Kyoto", 1, "retracted"),))
    model = ScriptedModel([said("What time does the Osaka office open?", decision="new_topic")])
    query, refused, _ = rewrite(
        Question("Not Kyoto. I meant the Osaka one.", "t2"), Recollection(turns), corrected, model, 5.0
    )
    assert refused == ()
    assert query is not None
    assert query.decision is Decision.CORRECTION
    assert query.left_behind == corrected.left_behind


def test_sub_queries_are_taken_if_none_strays_and_nothing_is_lost():
    turns = (Turn("t1", 1, "What is the Orin plan?", Outcome.ANSWERED, "A plan."),)
    question = Question("How much is it, and can I cancel it?", "t2")
    text = "How much is the Orin plan, and can I cancel the Orin plan?"

    def queries(*parts):
        model = ScriptedModel([said(text, queries=list(parts))])
        query, refused, _ = rewrite(question, Recollection(turns), draft(), model, 5.0)
        assert query is not None
        return query.queries, [r.reason for r in refused]

    assert queries("How much is the Orin plan?", "Can I cancel the Orin plan?")[0] == (
        "How much is the Orin plan?",
        "Can I cancel the Orin plan?",
    )
    assert queries("How much is the Orin plan?", "Can I cancel Lyra?") == ((), ["adds Lyra"])


def test_a_decision_the_model_cannot_make_is_not_taken():
    query, _, _ = run(said("How much is the Orin plan?", decision="small_talk"))
    assert query is not None
    assert query.decision is Decision.FOLLOW_UP


@pytest.mark.parametrize("decision", [Decision.SMALL_TALK, Decision.COMMAND])
def test_there_is_nothing_to_rewrite_in_small_talk_and_commands(decision):
    model = ScriptedModel([])
    assert run(model, draft=draft(decision=decision)) == (None, (), Usage())


def test_a_paste_is_no_matter_for_a_rewriter():
    model = ScriptedModel([])
    assert rewrite(Question("x" * (LONGEST + 1), "t"), Recollection(), draft(), model, 5.0) == (None, (), Usage())


def test_every_prompt_has_the_same_places_to_fill():
    for language in LANGUAGES:
        prompt = load("reconstruct", language)
        assert prompt.name == f"reconstruct/v1.{language}"
        assert prompt.fill(history="<H>", utterance="<U>").count("<H>") == 1
    assert load("reconstruct", "ko").name == "reconstruct/v1.en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_in_another_language_is_refused(language):
    other = {"en": "zh-Hant", "zh-Hant": "en", "zh-Hans": "ja", "ja": "zh-Hans"}[language]
    query, refused, _ = run(said(REWRITTEN[other]), language)
    assert query is None
    assert refused[0].reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_of_a_book_s_length_is_refused_and_cut_off(language):
    model = ScriptedModel([said(REWRITTEN[language] * 12_000)], piece=4096)
    query, refused, _ = run(model, language)
    assert query is None
    assert len(refused[0].text) <= 300
    assert model.cancelled == 1 or "adds" in refused[0].reason


class Slow(ScriptedModel):
    """Writes a character every two hundredths of a second, and would go on for minutes."""

    def reply(self, messages, **asked):
        self.requests.append(asked)
        for _ in range(10_000):
            time.sleep(0.02)
            yield Piece("x")


def test_a_model_that_writes_on_and_on_is_left_when_its_time_is_over():
    question, recollection = talk()
    start = time.monotonic()
    query = reconstruct(question, recollection, Slow([]), timeout=0.1, below=1.1)
    assert time.monotonic() - start < 100  # of the 200 it would take
    assert query.rewriter == "embedded"
    assert "timeout" in query.refused[0].reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dead_model_is_asked_three_times_and_every_turn_has_its_query(language):
    model = ScriptedModel(lambda _request: ModelUnavailable("refused connection"))
    breaker = Breaker(model)
    question, recollection = talk(language)
    made = [reconstruct(question, recollection, breaker, below=1.1) for _ in range(8)]
    assert len(model.requests) == 3
    assert {query.text for query in made} == {reconstruct(question, recollection).text}
    assert all(query.text and query.refused for query in made)


def test_what_stands_in_the_corrected_question_is_not_taken_back():
    turns = (
        Turn("t1", 1, "How do I watch a solar eclipse?", Outcome.ANSWERED, "Through a projector."),
        Turn("t2", 2, "I meant a lunar eclipse.", Outcome.ANSWERED, "With bare eyes."),
    )
    model = ScriptedModel([said("Why is watching a lunar eclipse safe?")])
    query = reconstruct(Question("Why is it safe?", "t3"), Recollection(turns), model, below=1.1)
    assert query.refused == ()
    assert query.text == "Why is watching a lunar eclipse safe?"

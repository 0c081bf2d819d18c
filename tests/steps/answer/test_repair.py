"""What a model claims without support may be put right once, with the reasons; then it is left out."""

import pytest

from anaphor.adapters.fake.model import Dies, ScriptedModel
from anaphor.steps.answer import answer
from anaphor.steps.commit import released
from anaphor.steps.verify import verify
from anaphor.types import Decision, Evidence, Outcome, Passage, Question, StandaloneQuery, Support

CASES = {
    "en": ("How long is the guarantee?", "The guarantee lasts 24 months.", "The guarantee lasts 36 months."),
    "zh-Hant": ("保固期是多久？", "保固期是 24 個月。", "保固期是 36 個月。"),
    "zh-Hans": ("保修期是多久？", "保修期是 24 个月。", "保修期是 36 个月。"),
    "ja": ("保証期間はどのくらいですか？", "保証期間は24か月です。", "保証期間は36か月です。"),
}


def asked(language, *replies, repairs=1, extra=""):
    question, right, _ = CASES[language]
    evidence = Evidence((Passage("p1", right + extra, "a.md", end=len(right + extra), language=language),))
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    model, told = ScriptedModel(list(replies)), []
    draft = answer(
        Question(question, "t1"),
        query,
        evidence,
        model,
        temperature=0.3,
        timeout=9.0,
        release=told.append,
        cancelled=lambda: False,
        repairs=repairs,
    )
    verdict = verify(draft, query, evidence)
    return model, draft, verdict, released(draft, verdict), told


@pytest.mark.parametrize("language", CASES)
def test_the_model_is_told_what_is_not_supported_and_why(language):
    _, right, wrong = CASES[language]
    model, draft, verdict, shown, told = asked(language, f"{wrong} [1]", f"{right} [1]")
    assert len(model.requests) == 2
    assert wrong in model.requests[1].text
    assert "36" in model.requests[1].text
    assert "is not in the cited sentences" in model.requests[1].text
    assert shown == f"{right}[1]"
    assert verdict.outcome is Outcome.ANSWERED
    assert [claim.text for claim in told] == [claim.text for claim in draft.claims] == [right]
    assert draft.usage.calls == 2


@pytest.mark.parametrize("language", CASES)
def test_a_model_that_insists_is_left_out_and_quoted_in_its_place(language):
    _, right, wrong = CASES[language]
    model, draft, verdict, shown, _ = asked(language, f"{wrong} [1]", f"{wrong} [1]")
    assert len(model.requests) == 2
    assert "36" not in shown
    assert right in shown
    assert draft.writer == "quoted"
    assert verdict.outcome is Outcome.ANSWERED


def test_what_was_supported_stays_and_what_repairs_it_stands_below():
    extra = " It covers the pump."
    replies = ("The guarantee lasts 24 months. [1] It covers 900 pumps. [1]", "It covers the pump. [1]")
    _, draft, verdict, shown, told = asked("en", *replies, extra=extra)
    assert shown == "The guarantee lasts 24 months.[1]\nIt covers the pump.[1]"
    assert "".join(claim.shown for claim in told).strip() == shown  # what was streamed is what is committed
    assert {claim.verdict for claim in verdict.claims} == {Support.SUPPORTED}
    assert draft.writer == "scripted"


def test_a_model_that_dies_while_repairing_keeps_what_was_released():
    replies = ("The guarantee lasts 24 months. [1] It covers 900 pumps. [1]", Dies("It cov"))
    _, _, verdict, shown, _ = asked("en", *replies)
    assert shown == "The guarantee lasts 24 months.[1]"
    assert verdict.outcome is Outcome.PARTLY


@pytest.mark.parametrize("reply", ["NOT_IN_SOURCES", "The guarantee lasts 24 months. [1]"])
def test_nothing_to_repair_asks_once(reply):
    model, *_ = asked("en", reply)
    assert len(model.requests) == 1


def test_without_repairs_the_model_is_asked_once():
    model, *_ = asked("en", "The guarantee lasts 36 months. [1]", repairs=0)
    assert len(model.requests) == 1

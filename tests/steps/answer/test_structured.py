"""A structured reply is read object by object, as it arrives; prose with [n] marks is read where there is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.adapters.fake import Dies
from anaphor.prompts import load
from anaphor.steps.answer.structured import SCHEMA, Objects, begins_structured
from anaphor.text.tokens import estimate
from anaphor.types import Claim, ContextBudget, Outcome, Support
from steps.answer.test_answer import ASKED, GOOD, INVENTED, LANGUAGES, Asking


def plain(language):
    return GOOD[language].replace(" [1]", "").replace("[1]", "")


def structured(*claims, answered=True, **more):
    listed = [{"text": text, "sources": list(sources)} for text, sources in claims]
    return json.dumps({"claims": listed, "all_answered": answered, **more}, ensure_ascii=False)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wrapped", ["{}", "```json\n{}\n```", "<think>hm</think>{}", "\n  {}"])
def test_each_object_is_a_claim_with_its_sources(language, wrapped):
    done = Asking(language)(wrapped.replace("{}", structured((plain(language), [1]))))
    assert done.draft.writer == "scripted"
    assert done.verdict.outcome is Outcome.ANSWERED
    assert done.shown == plain(language) + "[1]"
    assert [claim.text for claim in done.told] == [plain(language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_invents_is_left_out_as_in_prose(language):
    invented = INVENTED[language].replace(" [1]", "").replace("[1]", "")
    done = Asking(language)(structured((plain(language), [1]), (invented, [1])))
    assert done.verdict.outcome is Outcome.PARTLY
    assert [claim.verdict for claim in done.verdict.claims] == [Support.SUPPORTED, Support.UNSUPPORTED]
    assert "36" not in done.shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_list_is_a_decline(language):
    done = Asking(language)(structured(answered=False))
    assert done.verdict.outcome is Outcome.DECLINED
    assert ASKED[language] in done.shown


def test_a_part_that_is_left_open_makes_it_an_answer_in_part():
    done = Asking()(structured((plain("en"), [1]), answered=False))
    assert done.verdict.outcome is Outcome.PARTLY
    assert done.shown == plain("en") + "[1]"


@pytest.mark.parametrize("sources", [[], [9], [2, 3], ["1; drop"], [None], [[1]], [-1], [10**30]])
def test_sources_that_are_none_support_nothing(sources):
    done = Asking()(structured((plain("en"), sources)))
    assert done.draft.writer == "quoted"
    assert done.verdict.outcome is Outcome.ANSWERED


def test_a_claim_is_released_before_the_object_has_ended():
    whole = structured((plain("en"), [1]), ("The firm employs 340 people in Leeds.", [1]))
    cut = whole.index("The firm")
    done = Asking()(Dies(whole[:cut]))
    assert [claim.text for claim in done.told] == [plain("en")]
    assert done.shown == plain("en") + "[1]"


def test_another_object_is_read_for_its_answer_and_prose_for_its_marks():
    assert Asking()(json.dumps({"answer": GOOD["en"]})).shown == plain("en") + "[1]"
    assert Asking()(GOOD["en"]).shown == plain("en") + "[1]"


def test_the_model_is_asked_with_the_schema():
    done = Asking()(GOOD["en"])
    assert done.model.requests[0].schema == SCHEMA


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_fit_the_share_that_is_kept_for_them(language):
    assert estimate(load("answer", language).text) + estimate(json.dumps(SCHEMA)) <= ContextBudget().rules


TEXTS = st.text(max_size=40).filter(lambda text: bool(" ".join(text.split())) and "[" not in text and "【" not in text)


@given(
    st.lists(st.tuples(TEXTS, st.lists(st.integers(0, 99), max_size=3)), max_size=5),
    st.lists(st.integers(1, 30), min_size=1, max_size=60),
)
def test_however_it_is_cut_into_pieces_the_same_claims_come_out(claims, sizes):
    raw = structured(*claims)
    at, reader, found = 0, Objects(), []
    while at < len(raw):
        size = sizes[len(found) % len(sizes)]
        found += reader.feed(raw[at : at + size])
        at += size
    whole = Objects().feed(raw)
    assert [(c.text, c.cites) for c in found] == [(c.text, c.cites) for c in whole]
    assert all(isinstance(claim, Claim) for claim in whole)


@given(st.text(max_size=200), st.booleans())
def test_no_reply_breaks_the_reader(text, opened):
    reader = Objects()
    reader.feed('{"claims": [' + text if opened else text)
    assert begins_structured(text) in (True, False, None)

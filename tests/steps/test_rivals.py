"""Sources that disagree are both told; versions, near-duplicates and things that are only alike do not disagree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.answer.quote import quote
from anaphor.steps.rivals import newer, rival
from anaphor.steps.verify import verify
from anaphor.types import (
    Claim,
    Decision,
    Draft,
    Evidence,
    EvidenceClass,
    Outcome,
    Passage,
    Span,
    StandaloneQuery,
    Support,
)

DISAGREE = {
    "en": (
        "When did the Kestrel bridge open?",
        "The Kestrel bridge over the Owl river opened on May 5, 1931.",
        "The Kestrel bridge over the Owl river opened on June 9, 1947.",
    ),
    "zh-Hant": (
        "明川公司的退貨期限是幾天？",
        "明川公司的商品退貨期限是收到後 30 天內。",
        "明川公司的商品退貨期限是收到後 14 天內。",
    ),
    "zh-Hans": ("青鸟大桥是谁设计的？", "跨越明河的青鸟大桥由陈志远设计完成。", "跨越明河的青鸟大桥由林国栋设计完成。"),
    "ja": (
        "明川美術館の入館料はいくらですか？",
        "明川美術館の入館料は大人一人500円です。",
        "明川美術館の入館料は大人一人800円です。",
    ),
}


def document(text, language, name="a", **more):
    return Passage(name, text, f"{name}.md", document_id=name, end=len(text), language=language, **more)


def asked(question, language):
    return StandaloneQuery(question, Decision.STANDALONE, 1.0, language)


def answered(question, language, *passages):
    evidence, query = Evidence(passages), asked(question, language)
    draft = quote(query, evidence, language)
    return draft, verify(draft, query, evidence)


@pytest.mark.parametrize("language", DISAGREE)
def test_both_sides_are_told_with_source_and_date(language):
    question, one, other = DISAGREE[language]
    first = document(one, language, "first", date="2024-02-01")
    second = document(other, language, "second", date="2025-03-01")
    draft, verdict = answered(question, language, first, second)
    assert {c.verdict for c in verdict.claims} == {Support.CONFLICTING}
    assert [c.text for c in verdict.claims] == [one, other]
    assert [c.cites for c in verdict.claims] == [(1,), (2,)]
    told = draft.opening + "".join(c.shown for c in verdict.claims)
    assert all(part in told for part in ("first.md", "second.md", "2024-02-01", "2025-03-01"))
    assert verdict.outcome is Outcome.ANSWERED


@pytest.mark.parametrize("language", DISAGREE)
def test_sources_that_agree_are_one_voice(language):
    question, one, _ = DISAGREE[language]
    _, verdict = answered(question, language, document(one, language, "first"), document(one, language, "second"))
    assert [c.text for c in verdict.claims] == [one]
    assert verdict.claims[0].verdict is Support.SUPPORTED


@pytest.mark.parametrize("language", DISAGREE)
@pytest.mark.parametrize("newest", [0, 1])
def test_of_two_versions_of_one_document_the_newer_is_quoted(language, newest):
    question, *texts = DISAGREE[language]
    dates = ("2025-03-01", "2024-02-01") if newest == 0 else ("2024-02-01", "2025-03-01")
    versions = [
        document(text, language, f"v{n}", title="Terms", date=date)
        for n, (text, date) in enumerate(zip(texts, dates, strict=True))
    ]
    _, verdict = answered(question, language, *versions)
    assert [c.text for c in verdict.claims] == [texts[newest]]
    assert verdict.claims[0].verdict is Support.SUPPORTED


@pytest.mark.parametrize(
    ("question", "language", "one", "other"),
    [
        # two things, each with its own value
        ("How much is the plan?", "en", "Harbour costs 40 dollars a month.", "Island costs 90 dollars a month."),
        ("方案每月多少錢？", "zh-Hant", "獵戶方案的費用是每個月四百元。", "天琴方案的費用是每個月九百元。"),
        # the question says which of the two
        (
            "Revenue of 2019?",
            "en",
            "Kestrel had a revenue in 2019 of 5 dollars.",
            "Kestrel had a revenue in 2020 of 5 dollars.",
        ),
        ("云雀2019年的收入是多少？", "zh-Hans", "云雀公司2019年的收入是五百万元。", "云雀公司2020年的收入是五百万元。"),
        # one number in two forms
        ("保固多久？", "zh-Hant", "明川水泵的保固期限是二十四個月。", "明川水泵的保固期限是24個月。"),
        ("How many people?", "en", "The Kestrel works employs 1,200 people.", "The Kestrel works employs 1200 people."),
    ],
)
def test_what_is_only_alike_is_no_disagreement(question, language, one, other):
    passages = {1: document(one, language, "a"), 2: document(other, language, "b")}
    assert rival(1, Span(0, len(one)), passages, question) is None


def test_a_models_claim_that_another_source_contradicts_is_flagged():
    question, one, other = DISAGREE["en"]
    evidence = Evidence((document(one, "en", "a"), document(other, "en", "b")))
    draft = Draft((Claim("The Kestrel bridge opened on May 5, 1931.", (1,)),), writer="scripted")
    claim = verify(draft, asked(question, "en"), evidence).claims[0]
    assert claim.verdict is Support.CONFLICTING
    assert "[2]" in claim.reason


def test_what_a_person_said_is_no_rival_of_a_document():
    _, one, other = DISAGREE["en"]
    said = Passage("s:1:0", other, "s", EvidenceClass.USER_STATEMENT, language="en", seq=1)
    assert rival(1, Span(0, len(one)), {1: document(one, "en"), 2: said}) is None


def test_versions_are_told_by_document_or_title_and_by_date():
    old, new = (document("x", "en", "d", date=date) for date in ("2024-01-01", "2025-01-01"))
    assert newer(old, new) is new
    assert newer(new, old) is new
    assert newer(old, document("x", "en", "d")) is None
    assert newer(old, document("x", "en", "e", date="2025-01-01")) is None


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["en", "zh-Hant", "ja"]))
def test_any_two_texts_may_be_held_against_each_other(one, other, language):
    passages = {1: document(one, language, "a"), 2: document(other, language, "b")}
    found = rival(1, Span(0, len(one)), passages)
    assert found is None or found.ours != found.theirs
    assert rival(1, Span(0, len(one)), {1: passages[1], 2: document(one, language, "b")}) is None

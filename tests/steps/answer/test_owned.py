"""A question about one's own things is not answered by what was told of somebody else's."""

from __future__ import annotations

import pytest

from anaphor.steps.answer import answer
from anaphor.steps.answer.owned import owned
from anaphor.types import Decision, Draft, Evidence, EvidenceClass, Passage, Question, StandaloneQuery

SAID: dict[str, list[tuple[tuple[str, ...], str, str]]] = {
    "en": [
        (("My phone is 555-1111.", "My wife's phone is 555-2222."), "What is my phone number?", "555-1111"),
        (("My phone is 555-1111.", "My wife's phone is 555-2222."), "What is my wife's phone number?", "555-2222"),
        (("I'm allergic to peanuts.", "My daughter is allergic to milk."), "What am I allergic to?", "peanuts"),
        (("My daughter is allergic to milk.",), "What am I allergic to?", ""),
        (('"I live in Paris," said Tom.',), "Where do I live?", ""),
        (("I was born in Lyon.",), "Where was my father born?", ""),
    ],
    "zh-Hant": [
        (("我的電話是555-1111。", "我太太的電話是555-2222。"), "我的電話是幾號？", "555-1111"),
        (("我對花生過敏。", "我女兒對牛奶過敏。"), "我對什麼過敏？", "花生"),
        (("我媽媽住在嘉義。",), "我住在哪裡？", ""),
    ],
    "zh-Hans": [
        (("我的手机号是1381111。", "我老婆的手机号是1392222。"), "我的手机号是多少？", "1381111"),
        (("同事说他住在朝阳区。",), "我住哪儿？", ""),
    ],
    "ja": [
        (("私の電話は555-1111です。", "妻の電話は555-2222です。"), "私の電話番号は何ですか？", "555-1111"),
        (("私はそばアレルギーです。", "娘は卵アレルギーです。"), "私は何のアレルギーですか？", "そば"),
        (("母は京都に住んでいます。",), "私はどこに住んでいますか？", ""),
    ],
}


def evidence(said: tuple[str, ...], language: str) -> Evidence:
    return Evidence(
        tuple(
            Passage(f"s:{n}", text, "s", EvidenceClass.USER_STATEMENT, language=language, date="2026-05-01", seq=n)
            for n, text in enumerate(said, 1)
        )
    )


def answered(said: tuple[str, ...], question: str, language: str) -> Draft:
    return answer(
        Question(question, "t9"),
        StandaloneQuery(question, Decision.STANDALONE, 1.0, language),
        evidence(said, language),
        None,
        temperature=0,
        timeout=1,
        release=lambda claim: None,
        cancelled=lambda: False,
    )


@pytest.mark.parametrize(
    ("language", "said", "question", "wanted"),
    [(language, *one) for language, several in SAID.items() for one in several],
)
def test_whose_it_is_decides_what_answers(language, said, question, wanted):
    told = answered(said, question, language)
    shown = [claim.text for claim in told.claims]
    assert len(shown) == bool(wanted)
    assert all(wanted in text for text in shown)


def test_what_several_people_say_to_one_another_is_left_as_it_is():
    talk = evidence(("Mei: My brother lives in Lima.",), "en")
    question = "Where do I live?"
    assert (
        owned(Question(question, "t"), StandaloneQuery(question, Decision.STANDALONE, 1.0, "en"), talk).passages
        == talk.passages
    )


def test_every_offset_stays():
    whole = evidence(("My wife works at Acme. I work at Globex.",), "en")
    question = "Where do I work?"
    (left,) = owned(Question(question, "t"), StandaloneQuery(question, Decision.STANDALONE, 1.0, "en"), whole).passages
    assert left.text.strip() == "I work at Globex."
    assert left.text.find("I work") == whole.passages[0].text.find("I work")

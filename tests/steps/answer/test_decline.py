"""A decline says what was searched for and the nearest thing the sources do say; what can be answered is."""

from __future__ import annotations

import pytest

from anaphor.steps.answer.quote import quote
from anaphor.steps.answer.rank import likely
from anaphor.steps.verify import verify
from anaphor.types import Decision, Evidence, Outcome, Passage, StandaloneQuery

LIBRARY = {
    "en": "The library is open on weekdays from nine to nine. Readers may borrow ten books for 28 days.",
    "zh-Hant": "圖書館平日上午九點到晚上九點開放。一般讀者可借 10 本書，借期 28 天。",
    "zh-Hans": "图书馆平日上午九点到晚上九点开放。一般读者可借 10 本书，借期 28 天。",
    "ja": "図書館は平日9時から21時まで開いています。一般の方は10冊まで、28日間借りられます。",
}
TITLE = {"en": "City Library", "zh-Hant": "市立圖書館", "zh-Hans": "市立图书馆", "ja": "市立図書館"}
NOT_THERE = {
    "en": "What does parking at the library cost?",
    "zh-Hant": "圖書館的停車費多少？",
    "zh-Hans": "图书馆的停车费多少？",
    "ja": "図書館の駐車料金はいくらですか？",
}


def asked(language, text, **more):
    shown = Evidence((Passage("p", LIBRARY[language], "l.md", language=language, title=TITLE[language]),))
    query = StandaloneQuery(text, Decision.STANDALONE, 1.0, language, **more)
    draft = quote(query, shown, language)
    return draft, verify(draft, query, shown)


@pytest.mark.parametrize("language", list(LIBRARY))
def test_it_says_what_was_searched_for_and_quotes_the_nearest_sentence(language):
    draft, verdict = asked(language, NOT_THERE[language])
    assert verdict.outcome is Outcome.DECLINED
    assert draft.claims == ()
    assert NOT_THERE[language] in draft.opening
    assert TITLE[language] in draft.opening
    first = LIBRARY[language].split("。")[0].split(". ")[0]
    assert first in draft.opening


@pytest.mark.parametrize("language", list(LIBRARY))
def test_of_nothing_near_nothing_is_shown(language):
    nothing = {"en": "Quorum of zebras?", "zh-Hant": "斑馬開會？", "zh-Hans": "斑马开会？", "ja": "シマウマの会議？"}
    draft, _ = asked(language, nothing[language])
    assert nothing[language] in draft.opening
    assert "28" not in draft.opening
    assert TITLE[language] not in draft.opening


@pytest.mark.parametrize(
    ("language", "answerable", "not_there"),
    [
        ("en", "How many books may readers borrow?", "What does parking cost?"),
        ("zh-Hant", "一般讀者可借幾本書？", "停車費多少？"),
        ("zh-Hans", "一般读者可借几本书？", "停车费多少？"),
        ("ja", "一般の方は何冊借りられますか？", "駐車料金はいくらですか？"),
    ],
)
def test_what_can_be_answered_in_part_gets_its_part(language, answerable, not_there):
    draft, verdict = asked(language, answerable + not_there, queries=(answerable, not_there))
    assert verdict.outcome is Outcome.PARTLY
    assert not_there in draft.opening
    assert ("10" in draft.claims[0].text) or ("ten" in draft.claims[0].text)


@pytest.mark.parametrize("language", list(LIBRARY))
def test_all_that_was_searched_for_is_named(language):
    questions = {
        "en": ("Quorum of zebras?", "Opera of ants?"),
        "zh-Hant": ("斑馬開會？", "螞蟻唱歌？"),
        "zh-Hans": ("斑马开会？", "蚂蚁唱歌？"),
        "ja": ("シマウマの会議？", "アリの歌？"),
    }[language]
    draft, _ = asked(language, "".join(questions), queries=questions)
    assert all(question in draft.opening for question in questions)


def test_a_sentence_that_is_too_long_to_be_read_at_a_glance_is_not_shown():
    text = "The library, " + "which is old, " * 30 + "is open on weekdays."
    shown = Evidence((Passage("p", text, "l.md", language="en", title="City Library"),))
    draft = quote(StandaloneQuery(NOT_THERE["en"], Decision.STANDALONE, 1.0, "en"), shown, "en")
    assert "City Library" in draft.opening
    assert "which is old" not in draft.opening


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How many computers does the library have?"),
        ("zh-Hant", "圖書館有幾台電腦？"),
        ("zh-Hans", "图书馆有几台电脑？"),
        ("ja", "図書館にはパソコンが何台ありますか？"),
    ],
)
def test_a_count_of_something_else_answers_no_count(language, question):
    draft, verdict = asked(language, question)
    assert verdict.outcome is Outcome.DECLINED
    assert question in draft.opening


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How many books may readers borrow?"),
        ("zh-Hant", "一般讀者可借幾本書？"),
        ("zh-Hans", "一般读者可借几本书？"),
        ("ja", "一般の方は何冊借りられますか？"),
    ],
)
def test_what_is_counted_there_is_told(language, question):
    draft, verdict = asked(language, question)
    assert verdict.outcome is Outcome.ANSWERED
    assert "10" in draft.claims[0].text or "ten" in draft.claims[0].text


def test_whether_something_is_so_is_less_sure_than_what_it_is():
    whether, _ = asked("en", "Is the library open on weekdays?")
    what, _ = asked("en", "What is open on weekdays at the library?")
    assert 0.0 <= whether.score < what.score <= 1.0


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans", "ja"])
def test_the_score_rises_with_what_is_covered_and_is_even_somewhere_between(language):
    told = [likely(n / 20, language) for n in range(21)]
    assert told == sorted(told)
    assert all(0.0 < share < 1.0 for share in told)
    assert told[0] < 0.1
    assert told[-1] > 0.8

"""What a person rejects is not answered with any more; what stood before it is, and taken back it is again."""

from __future__ import annotations

import pytest

from anaphor.facts import Fact, Status
from memory.test_whole_conversations import Talk

# Where they live, where they moved, the question; the old place and the new one.
MOVED = {
    "en": ("I live in Leeds.", "My bike is green. I moved to York.", "Where do I live?", "Leeds", "York"),
    "zh-Hant": ("我住在台南。", "我的腳踏車是綠色的。我搬到高雄了。", "我住在哪裡？", "台南", "高雄"),
    "zh-Hans": ("我住在苏州。", "我的自行车是绿色的。我搬到杭州了。", "我住在哪里？", "苏州", "杭州"),
    "ja": (
        "京都に住んでいます。",
        "自転車は緑色です。大阪に引っ越しました。",
        "どこに住んでいますか？",
        "京都",
        "大阪",
    ),
}


def _that(talk: Talk, value: str) -> Fact:
    return next(fact for fact in talk.memory.list(list(Status)) if value in fact.statement.value)


@pytest.mark.parametrize("language", MOVED)
def test_what_is_rejected_is_not_answered_with_until_that_is_taken_back(talk: Talk, language: str) -> None:
    before, now, question, old, new = MOVED[language]
    talk.say(before)
    talk.say(now)
    assert new in talk.ask(question).answer
    fact = _that(talk, new)
    talk.memory.reject(fact.fact_id)
    told = talk.ask(question).answer
    assert old in told
    assert new not in told
    talk.memory.reject(_that(talk, old).fact_id)
    told = talk.ask(question).answer
    assert old not in told
    assert new not in told
    talk.memory.revert(fact.fact_id, fact.version)
    assert new in talk.ask(question).answer


@pytest.mark.parametrize("language", MOVED)
def test_what_else_was_said_in_that_turn_is_still_answered_with(talk: Talk, language: str) -> None:
    before, now, _, _, new = MOVED[language]
    talk.say(before)
    talk.say(now)
    talk.memory.reject(_that(talk, new).fact_id)
    question, colour = {
        "en": ("What colour is my bike?", "green"),
        "zh-Hant": ("我的腳踏車是什麼顏色？", "綠色"),
        "zh-Hans": ("我的自行车是什么颜色？", "绿色"),
        "ja": ("自転車は何色ですか？", "緑色"),
    }[language]
    told = talk.ask(question).answer
    assert colour in told
    assert new not in told


@pytest.mark.parametrize("language", MOVED)
def test_what_is_said_again_after_it_was_rejected_is_answered_with(talk: Talk, language: str) -> None:
    before, now, question, _, new = MOVED[language]
    talk.say(before)
    talk.say(now)
    talk.memory.reject(_that(talk, new).fact_id)
    talk.say(now)
    assert new in talk.ask(question).answer

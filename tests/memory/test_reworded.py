"""What a person puts in other words in review is answered with in its new words; taken back, as it was said."""

from __future__ import annotations

import pytest

from anaphor.facts import Fact, Status
from anaphor.steps.recount import recount
from anaphor.types import Answer, EvidenceClass
from memory.test_whole_conversations import MEI, Talk

# What is said; the question; the value as said, and as edited.
SAID = {
    "en": ("My bike is green. I moved to York.", "Where do I live?", "York", "Hull"),
    "zh-Hant": ("我的腳踏車是綠色的。我搬到高雄了。", "我住在哪裡？", "高雄", "屏東"),
    "zh-Hans": ("我的自行车是绿色的。我搬到杭州了。", "我住在哪里？", "杭州", "宁波"),
    "ja": ("自転車は緑色です。大阪に引っ越しました。", "どこに住んでいますか？", "大阪", "神戸"),
}
COLOURS = {
    "en": ("What colour is my bike?", "green"),
    "zh-Hant": ("我的腳踏車是什麼顏色？", "綠色"),
    "zh-Hans": ("我的自行车是什么颜色？", "绿色"),
    "ja": ("自転車は何色ですか？", "緑色"),
}
COUNTS = {
    "en": ("I have 37 coins.", "How many coins do I have?"),
    "zh-Hant": ("我有37枚硬幣。", "我有幾枚硬幣？"),
    "zh-Hans": ("我有37枚硬币。", "我有几枚硬币？"),
    "ja": ("コインを37枚持っています。", "コインは何枚ありますか？"),
}
PLANS = {
    "en": ("My flight is on Friday.", "When is my flight?", "cancelled"),
    "zh-Hant": ("我的牙醫是週五。", "我的牙醫是什麼時候？", "取消"),
    "zh-Hans": ("我的牙医是周五。", "我的牙医是什么时候？", "取消"),
    "ja": ("歯医者は金曜日です。", "歯医者はいつですか？", "キャンセル"),
}


def _that(talk: Talk, value: str) -> Fact:
    return next(fact for fact in talk.memory.list(list(Status)) if value in fact.statement.value)


def _again(talk: Talk, told: Answer) -> Answer:
    scope = MEI.within(told.session_id)
    return recount(talk.store.turns, talk.store.documents, scope, talk.store.turns.get(scope, told.turn_id))


@pytest.mark.parametrize("language", SAID)
def test_a_value_is_answered_with_as_it_was_edited_until_that_is_taken_back(talk: Talk, language: str) -> None:
    said, question, old, new = SAID[language]
    talk.say(said)
    fact = _that(talk, old)
    talk.memory.edit(fact.fact_id, value=fact.statement.value.replace(old, new), why="a slip")
    told = talk.ask(question)
    assert new in told.answer
    assert old not in told.answer
    assert {citation.evidence_class for citation in told.citations} == {EvidenceClass.USER_STATEMENT}
    talk.memory.revert(fact.fact_id, fact.version)
    told = talk.ask(question)
    assert old in told.answer
    assert new not in told.answer


@pytest.mark.parametrize("language", SAID)
def test_what_else_was_said_in_that_turn_stands(talk: Talk, language: str) -> None:
    said, _, old, new = SAID[language]
    talk.say(said)
    fact = _that(talk, old)
    talk.memory.edit(fact.fact_id, value=fact.statement.value.replace(old, new))
    question, colour = COLOURS[language]
    assert colour in talk.ask(question).answer


@pytest.mark.parametrize("language", COUNTS)
def test_a_number_is_told_as_it_was_edited(talk: Talk, language: str) -> None:
    said, question = COUNTS[language]
    talk.say(said)
    fact = _that(talk, "37")
    talk.memory.edit(fact.fact_id, quantity=38)
    assert "38" in talk.memory.get(fact.fact_id).statement.value
    told = talk.ask(question).answer
    assert "38" in told
    assert "37" not in told


@pytest.mark.parametrize("language", PLANS)
def test_what_is_edited_to_be_cancelled_is_told_as_that(talk: Talk, language: str) -> None:
    said, question, cancelled = PLANS[language]
    talk.say(said)
    (fact, *_) = talk.memory.list()
    talk.memory.edit(fact.fact_id, state="cancelled")
    assert cancelled in talk.ask(question).answer


@pytest.mark.parametrize("language", SAID)
def test_a_quote_of_edited_words_is_told_again_as_long_as_the_fact_is_there(talk: Talk, language: str) -> None:
    said, question, old, new = SAID[language]
    talk.say(said)
    fact = _that(talk, old)
    talk.memory.edit(fact.fact_id, value=fact.statement.value.replace(old, new))
    told = talk.ask(question)
    again = _again(talk, told)
    assert [citation.quote for citation in again.citations] == [citation.quote for citation in told.citations]
    assert new in (again.citations[0].quote or "")
    talk.memory.delete(fact.fact_id)
    assert _again(talk, told).citations[0].quote is None


@pytest.mark.parametrize("language", SAID)
def test_erasing_the_turn_takes_the_edited_words_with_it(talk: Talk, language: str) -> None:
    said, question, old, new = SAID[language]
    turn = talk.say(said)
    fact = _that(talk, old)
    talk.memory.edit(fact.fact_id, value=fact.statement.value.replace(old, new))
    talk.store.erasure.turn(MEI.within(turn.session_id), turn.turn_id)
    assert new not in talk.ask(question).answer


def test_of_a_taste_the_thing_alone_can_be_edited(talk: Talk) -> None:
    talk.say("I hate tea.")
    fact = _that(talk, "tea")
    talk.memory.edit(fact.fact_id, value="coffee")
    assert talk.memory.get(fact.fact_id).statement.words == "I hate coffee."

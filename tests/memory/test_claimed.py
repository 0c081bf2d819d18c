"""What a model says of the person is held against what they said last: flagged, and put to them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from anaphor.adapters.fake.model import Request, ScriptedModel
from anaphor.errors import StoreBusy
from anaphor.facts import Status
from anaphor.memory.claimed import contradictions
from anaphor.types import Answer, Outcome, Question, Sources, Support
from contracts.scenes import MEI
from memory.test_whole_conversations import Talk

# What was so, what is, a question; a model's sentence of what was so told as if it were still, one of what is, one of
# what was told as that.
CHANGED = {
    "en": (
        *("I live in Leeds.", "I moved to York.", "Which town am I living in?"),
        *("You are living in Leeds.", "You moved to York.", "You used to live in Leeds."),
    ),
    "zh-Hant": (
        *("我住在台南。", "我搬到高雄了。", "我住在哪裡？"),
        *("你現在住在台南。", "你搬到高雄了。", "你以前住在台南。"),
    ),
    "zh-Hans": (
        *("我的航班在周三。", "我的航班改到周五了。", "我的航班是哪天？"),
        *("您的航班在周三。", "您的航班改到周五了。", "您的航班原来在周三。"),
    ),
    "ja": (
        *("京都に住んでいます。", "大阪に引っ越しました。", "どこに住んでいますか？"),
        *("あなたは京都に住んでいます。", "あなたは大阪に引っ越しました。", "以前は京都に住んでいました。"),
    ),
}


def claiming(sentence: str, words: str) -> ScriptedModel:
    """Says the sentence and cites the source that has the words."""

    def reply(request: Request) -> str:
        lines = [json.loads(line) for line in request.text.splitlines() if line.startswith('{"n"')]
        n = next(line["n"] for line in lines if words in line["text"])
        return f"{sentence}[{n}]"

    return ScriptedModel(reply)


def told(talk: Talk, question: str, model: ScriptedModel) -> tuple[Answer, list[Support | None]]:
    """The answer with that model, and the verdicts that were streamed."""
    talk.turns += 1
    heard: list[Support | None] = []
    writing = replace(talk.conversation, writer=model, contradicts=contradictions(talk.store.memories, talk.clock))
    asked = Question(question, f"t{talk.turns}", sources=Sources.MEMORY)
    answer = writing.ask(
        talk.session(), asked, lambda event, value: heard.append(value.verdict) if event == "claim" else None
    )
    return answer, heard


@pytest.mark.parametrize("language", CHANGED)
def test_a_claim_against_a_current_fact_is_flagged_and_put_to_the_person(talk: Talk, language: str) -> None:
    before, now, question, old, new, _ = CHANGED[language]
    talk.say(before)
    talk.say(now)
    (fact,) = [f for f in talk.memory.list() if f.seq == 1 and f.statement.single]
    answer, streamed = told(talk, question, claiming(old, before))
    assert [(c.verdict, c.against) for c in answer.claims] == [(Support.CONFLICTING, fact.fact_id)]
    assert streamed == [Support.CONFLICTING]
    assert any(fact.fact_id in note and "review" in note for note in answer.notes)
    assert answer.as_dict()["claims"][0]["against"] == fact.fact_id
    assert talk.memory.review() == [(fact, [])]
    (contested,) = talk.memory.contested(fact.fact_id)
    assert (contested.text, contested.session_id, contested.turn_id) == (old, answer.session_id, answer.turn_id)
    talk.memory.refresh()
    assert talk.memory.get(fact.fact_id) == fact, "what an answer says unseats no fact"
    agreeing, _ = told(talk, question, claiming(new, now))
    assert [c.verdict for c in agreeing.claims] == [Support.SUPPORTED]


@pytest.mark.parametrize("language", CHANGED)
def test_what_was_told_as_past_is_no_conflict(talk: Talk, language: str) -> None:
    before, now, question, _, _, past = CHANGED[language]
    talk.say(before)
    talk.say(now)
    answer, _ = told(talk, question, claiming(past, before))
    assert [c.verdict for c in answer.claims if c.verdict is Support.CONFLICTING] == []
    assert talk.memory.review() == []


COUNTED = {
    "en": ("I have 37 coins in my collection.", "I added one more coin to my collection.", "How many coins do I have?"),
    "zh-Hant": ("我收藏了37枚硬幣。", "我又買了一枚硬幣。", "我有幾枚硬幣？"),
}
SAID_OF_COINS = {"en": "You have {} coins in your collection.", "zh-Hant": "你收藏了{}枚硬幣。"}


@pytest.mark.parametrize("language", COUNTED)
def test_a_count_is_what_it_comes_to_with_its_changes(talk: Talk, language: str) -> None:
    first, more, question = COUNTED[language]
    talk.say(first)
    talk.say(more)
    answer, _ = told(talk, question, claiming(SAID_OF_COINS[language].format(37), first))
    assert [c.verdict for c in answer.claims] == [Support.CONFLICTING]
    look = contradictions(talk.store.memories, talk.clock)
    assert look(MEI, SAID_OF_COINS[language].format(38), frozenset()) is None


@pytest.mark.parametrize("language", CHANGED)
@pytest.mark.parametrize("decision", ["accept", "reject", "edit", "erase"])
def test_it_waits_until_it_is_decided(talk: Talk, language: str, decision: str) -> None:
    before, now, question, old, _, _ = CHANGED[language]
    talk.say(before)
    talk.say(now)
    (fact,) = [f for f in talk.memory.list() if f.seq == 1 and f.statement.single]
    answer, _ = told(talk, question, claiming(old, before))
    assert talk.memory.review()
    match decision:
        case "accept":
            assert talk.memory.accept(fact.fact_id).status is Status.CURRENT
            assert talk.memory.history(fact.fact_id)[-1].does == "accepted"
        case "reject":
            assert talk.memory.reject(fact.fact_id).status is Status.RETIRED
        case "edit":
            talk.memory.edit(fact.fact_id, value="Lund")
        case _:
            talk.store.erasure.turn(MEI.within(answer.session_id), answer.turn_id)
    assert talk.memory.review() == []
    assert talk.memory.contested() == []


def test_the_same_again_after_a_decision_waits_again(talk: Talk) -> None:
    before, now, question, old, _, _ = CHANGED["en"]
    talk.say(before)
    talk.say(now)
    for _ in range(2):
        told(talk, question, claiming(old, before))
        ((fact, _),) = talk.memory.review()
        talk.clock.now += 60
        talk.memory.accept(fact.fact_id)
        talk.clock.now += 60
        assert talk.memory.review() == []


def test_without_memory_a_turn_goes_on_without(talk: Talk) -> None:
    def busy(*_: object) -> None:
        raise StoreBusy("the store is busy")

    before, _, question, old, _, _ = CHANGED["en"]
    talk.say(before)
    writing = replace(talk.conversation, writer=claiming(old, before), contradicts=busy)
    answer = writing.ask(talk.session(), Question(question, "t9", sources=Sources.MEMORY))
    assert answer.outcome is Outcome.ANSWERED


# Sentences about the person, with whether they go against what is said last; of each group the first saying is old.
SENTENCES = [
    (
        ("I live in Leeds.", "I moved to York."),
        ("You told me that you live in Leeds.", "The user lives in Leeds."),
        ("You live in York.", "You lived in Leeds before.", "Before you moved to York, you lived in Leeds."),
    ),
    (
        ("I work at Acme.", "I started working at Initech."),
        ("You work at Acme.", "You work for Acme."),
        ("You work at Initech.", "You previously worked at Acme."),
    ),
    (
        ("My flight is on Wednesday.", "I moved my flight to Friday."),
        ("Your flight leaves on Wednesday.", "You said your flight is on Wednesday."),
        ("Your flight is on Friday.", "Your flight was originally on Wednesday."),
    ),
    (
        ("我住在台南。", "我搬到高雄了。"),
        ("您目前住在台南。", "你之前說你住在台南。", "使用者住在台南。"),
        ("你住在高雄。", "你原本住在台南，後來搬到高雄。"),
    ),
    (
        ("我的航班在周三。", "我的航班改到周五了。"),
        ("你的航班是周三。", "您说过您的航班在周三。"),
        ("你的航班在周五。", "你的航班原来在周三。"),
    ),
    (
        ("歯医者の予約は月曜日です。", "歯医者の予約は木曜日に変わりました。"),
        ("あなたの歯医者の予約は月曜日です。", "歯医者のご予約は月曜日とのことです。"),
        ("歯医者の予約は木曜日です。", "歯医者の予約はもともと月曜日でした。"),
    ),
    (
        ("京都に住んでいます。", "大阪に引っ越しました。"),
        ("京都にお住まいです。", "京都に住んでいるとのことです。"),
        ("大阪に住んでいます。", "以前は京都に住んでいました。"),
    ),
]


@pytest.mark.parametrize(("said", "against", "agreeing"), SENTENCES, ids=lambda each: each[0][:12])
def test_a_sentence_is_read_as_the_person_would_say_it(
    talk: Talk, said: tuple[str, ...], against: tuple[str, ...], agreeing: tuple[str, ...]
) -> None:
    first = talk.say(said[0])
    talk.say(said[1])
    look = contradictions(talk.store.memories, talk.clock)
    rests_on = frozenset({(first.session_id, first.seq)})
    assert [s for s in against if look(MEI, s, rests_on) is None] == []
    assert [s for s in agreeing if look(MEI, s, rests_on) is not None] == []

"""Remembering and forgetting on request, in four languages."""

import pytest

from anaphor.facts import Fact, Kind, State, Statement, Status
from anaphor.memory.forget import DAY, Decay, Request, Wish, faded, hit, request, spoken_of


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("忘記剛才說的", Wish.FORGET_LAST),
        ("把我刚才说的话忘掉吧", Wish.FORGET_LAST),
        ("當我沒說", Wish.FORGET_LAST),
        ("さっき言ったことは忘れてください", Wish.FORGET_LAST),
        ("Forget what I just said.", Wish.FORGET_LAST),
        ("scratch that", Wish.FORGET_LAST),
        ("先記住這些要求", Wish.REMEMBER),
        ("请记住这些要求。", Wish.REMEMBER),
        ("覚えておいて", Wish.REMEMBER),
        ("これを覚えておいてください", Wish.REMEMBER),
        ("Please remember this.", Wish.REMEMBER),
        ("忘掉所有關於我的事", Wish.FORGET_ALL),
        ("Forget everything you know about me.", Wish.FORGET_ALL),
        ("私のことは全部忘れてください", Wish.FORGET_ALL),
    ],
)
def test_a_wish_is_recognised(text, wish):
    assert request(text).wish is wish


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Forget about Leeds", "Leeds"),
        ("忘掉花蓮的事", "花蓮"),
        ("松江のことは忘れてください", "松江"),
        ("忘记杭州的事情", "杭州"),
        ("忘記我說的香菜", "香菜"),
        ("忘掉我说过的香菜", "香菜"),
        ("把香菜的事忘了吧", "香菜"),
        ("パクチーの話は忘れて", "パクチー"),
        ("パクチーが苦手と言ったのは忘れてください", "パクチー"),
        ("Forget what I said about cilantro.", "cilantro"),
        ("Please delete everything I told you about my knee", "my knee"),
    ],
)
def test_what_is_to_be_forgotten_is_named(text, what):
    assert request(text) == Request(Wish.FORGET_NAMED, what)


@pytest.mark.parametrize(
    "text",
    [
        "I always forget what I just said to people.",
        "我忘記帶鑰匙了，怎麼辦？",
        "鍵を忘れてしまいました。",
        "我忘了刚才看的电影叫什么",
        "How do I remember this?",
        "忘了帶鑰匙",
        "忘了密碼",
        "我忘記開會的事了",
        "Forget the second one",
        "Forget about Leeds, how do I get to York?",
        "Do you remember this?",
        "",
    ],
)
def test_a_sentence_that_mentions_forgetting_asks_nothing(text):
    assert request(text) is None


def fact(value, turn="t1", kind=Kind.PLACE, **more):
    statement = Statement("user", kind, value, 0, 1, state=more.pop("state", State.CURRENT))
    return Fact(f"f-{value}", statement, "s", turn, 1, 0.0, turns=(turn,), **more)


def test_what_a_wish_hits():
    facts = [fact("Leeds"), fact("Hull", "t2"), fact("tea", "t2", status=Status.RETIRED)]
    assert [f.statement.value for f in hit(Request(Wish.FORGET_NAMED, "leeds"), facts)] == ["Leeds"]
    assert [f.statement.value for f in hit(Request(Wish.FORGET_LAST), facts, "t2")] == ["Hull"]
    assert [f.statement.value for f in hit(Request(Wish.FORGET_ALL), facts)] == ["Leeds", "Hull"]
    assert hit(Request(Wish.REMEMBER), facts, "t2") == ()


def test_a_plan_fades_when_its_day_has_passed_and_a_name_never_does():
    plan = fact("去嘉義", kind=Kind.PLAN, state=State.PLANNED)
    assert faded(plan, 100 * DAY, Decay(), over=60 * DAY) == "its day has passed"
    assert faded(plan, 70 * DAY, Decay(), over=60 * DAY) == ""
    assert faded(fact("Mei", kind=Kind.IDENTITY), 9999 * DAY, Decay()) == ""
    event = fact("passed the exam", kind=Kind.EVENT)
    assert faded(event, 800 * DAY, Decay())
    assert not faded(event, 800 * DAY, Decay(), last_said=700 * DAY)


def test_what_was_said_of_a_thing_is_found_by_its_sentences():
    text = "I have a cat. I hate cilantro! Do you know cilantro? My catalogue is new."
    assert [text[s.start : s.end].strip() for s in spoken_of(text, "cilantro")] == ["I hate cilantro!"]
    assert [text[s.start : s.end].strip() for s in spoken_of(text, "my cat")] == ["I have a cat."]
    assert len(spoken_of("我不吃香菜。我養貓。", "香菜")) == 1

"""Conversations from single questions, on articles of our own."""

from __future__ import annotations

import random

import pytest

from anaphor.types import Passage
from anaphor_eval.datasets import Conversation, Dataset, SingleQuestion
from anaphor_eval.derive import DeriveError, chinese, derived, japanese, spliced
from anaphor_eval.derive.chinese import Topic


def questions(language: str, asked: list[tuple[str, str, str]]) -> Dataset[SingleQuestion]:
    """``(question, answer, passage)``."""
    items = [SingleQuestion(f"{language}{i}", language, q, (a,), (p,)) for i, (q, a, p) in enumerate(asked)]
    return Dataset("set", SingleQuestion, tuple(items))


def passage(passage_id: str, title: str, text: str) -> Passage:
    return Passage(passage_id, text, passage_id, title=title)


ZH = questions(
    "zh-Hant",
    [
        ("青沙市位於哪一個省份？", "雲州", "z1"),
        ("青沙市的人口有多少？", "十二萬", "z1"),
        ("青沙市於何時設立？", "1951年", "z2"),
        ("河口燈塔有多高？", "三十公尺", "z2"),
        ("林大山在哪裡出生？", "青沙", "z3"),
        ("林大山的父親是做什麼的？", "漁夫", "z3"),
        ("林大山於何時去世？", "1988年", "z3"),
    ],
)
ZH_POOL = [
    passage("z1", "青沙市", "青沙市位於雲州，人口十二萬。"),
    passage("z2", "青沙市", "青沙市於1951年設立，河口燈塔高三十公尺。"),
    passage("z3", "林大山", "林大山出生於青沙。他的父親是漁夫，他於1988年去世，他的妻子……"),
]
JA = questions(
    "ja",
    [
        ("白波電機の本社はどこにありますか", "青浜", "j1"),
        ("白波電機はいつ設立されましたか", "1962年", "j1"),
        ("白波電機の創業者は誰ですか", "森田", "j2"),
        ("ミナモという楽器の弦は何本ですか", "五本", "j3"),
        ("ミナモの弦は何でできていますか", "絹", "j3"),
    ],
)
JA_POOL = [
    passage("j1", "白波電機", "白波電機は、青浜に本社を置く会社。1962年に設立された。"),
    passage("j2", "白波電機", "創業者は森田である。"),
    passage("j3", "ミナモ", "ミナモは絹の弦を五本持つ楽器である。"),
]


@pytest.mark.parametrize(("asked", "pool"), [(ZH, ZH_POOL), (JA, JA_POOL)])
def test_the_first_keeps_the_title_and_a_later_one_leaves_it_out(asked, pool):
    made = derived(asked, pool, seed=1)
    titles = {each.passage_id: each.title for each in pool}
    assert made.name == "set.derived"
    assert made.items
    for conversation in made.items:
        first, *later = conversation.turns
        assert conversation.domain in first.utterance
        assert (first.needs_history, first.history) == (False, ())
        assert any("follow_up" in turn.slices for turn in later)
        for turn in conversation.turns:
            original = next(q for q in asked.items if q.question_id == turn.turn_id)
            assert (turn.standalone, turn.gold) == ((original.question,), original.gold)
            assert turn.scored
            assert titles[turn.gold[0]] == conversation.domain
            if "follow_up" in turn.slices:
                assert conversation.domain not in turn.utterance
                assert turn.needs_history is True
            else:
                assert turn.utterance == original.question


def test_the_history_is_what_was_said_and_answered():
    conversation = derived(ZH, ZH_POOL, seed=1).items[0]
    second = conversation.turns[1]
    assert [(said.role, said.content) for said in second.history] == [
        ("user", "青沙市位於哪一個省份？"),
        ("assistant", "雲州"),
    ]


def test_a_seed_gives_the_same_conversations_and_seeds_differ():
    by_seed = [derived(ZH, ZH_POOL, seed=seed) for seed in range(8)]
    assert derived(ZH, ZH_POOL, seed=0) == by_seed[0]
    assert len({str(each.items) for each in by_seed}) > 1


def test_one_questions_form_does_not_hang_on_the_others():
    fewer = Dataset("set", SingleQuestion, ZH.items[4:])
    alone = {turn.turn_id: turn.utterance for c in derived(fewer, ZH_POOL, seed=1).items for turn in c.turns}
    among = {turn.turn_id: turn.utterance for c in derived(ZH, ZH_POOL, seed=1).items for turn in c.turns}
    assert alone.items() <= among.items()


def zh(question: str, topic: Topic, near: bool = True) -> set[str | None]:
    return {chinese.without_title(question, topic, "zh-Hant", random.Random(i), near=near) for i in range(200)}


CITY = Topic(("青沙市",), "它", "該市", True)
PERSON = Topic(("林大山",), "他")
THING = Topic(("燈籠魚",), "牠們")


@pytest.mark.parametrize(
    ("question", "topic", "possible"),
    [
        (
            "青沙市的人口有多少？",
            CITY,
            {
                "該市的人口有多少？",
                "那該市的人口有多少？",
                "它的人口有多少？",
                "那它的人口有多少？",
                "人口有多少？",
                "那人口有多少？",
            },
        ),
        ("港口位於青沙市的哪一邊？", CITY, {"港口位於該市的哪一邊？"}),
        ("林大山在哪裡出生？", PERSON, {"他在哪裡出生？", "那他在哪裡出生？", "在哪裡出生？", "那在哪裡出生？"}),
        ("1951年，林大山娶了誰？", PERSON, {None}),
        ("青沙市哪裡最熱鬧？", CITY, {"該市哪裡最熱鬧？", "那該市哪裡最熱鬧？", "哪裡最熱鬧？", "那哪裡最熱鬧？"}),
        ("林大山離家後，林大山去了哪裡？", PERSON, {None}),
    ],
)
def test_forms_in_chinese(question, topic, possible):
    assert zh(question, topic) == possible


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("青沙市立醫院在哪裡？", CITY),
        ("誰寫了大林大山傳？", PERSON),
        ("青沙市政府在哪裡？", CITY),
        ("世界上的青沙市有幾個？", CITY),
    ],
)
def test_a_title_inside_a_word_stays(question, topic):
    assert zh(question, topic) == {None}


def test_a_class_noun_behind_the_title_goes_with_it_only_where_it_fits():
    town = Topic(("青沙",), "它", "該市", True)
    assert "該市的人口有多少？" in zh("青沙市的人口有多少？", town)
    assert zh("青沙大學的校長是誰？", town) == {None}


def test_after_a_turn_about_something_else_only_the_class_noun_is_clear():
    assert zh("青沙市的人口有多少？", CITY, near=False) <= {"該市的人口有多少？", "那該市的人口有多少？"}
    assert zh("林大山在哪裡出生？", PERSON, near=False) == {None}


@pytest.mark.parametrize(
    ("asked", "answered", "rival"),
    [("與哪一個城市相鄰？", "白石市", True), ("與哪一個城市相鄰？", "白石", True), ("市花是什麼？", "桂花", False)],
)
def test_a_rival_in_the_turn_before(asked, answered, rival):
    assert chinese.rival("青沙市的人口有多少？", asked, answered, CITY, "zh-Hant") is rival


@pytest.mark.parametrize(
    ("title", "text", "topic"),
    [
        ("青沙市", "青沙市位於雲州。", Topic(("青沙市",), "它", "該市", True)),
        ("雲州大學", "雲州大學創立於1920年。", Topic(("云州大学",), "它", "該校", False)),
        ("奧托·林德", "奧托·林德生於1820年。", Topic(("奥托·林德", "林德"), "他")),
        ("林大山", "林大山出生於青沙，他的父親是漁夫，他的妻子早逝。", PERSON),
        ("畫家", "畫家以畫畫為業。", Topic(("画家",), "他們")),
        ("河燈_(節日)", "河燈是一種燈。", Topic(("河灯",), "它")),
    ],
)
def test_topics_in_chinese(title, text, topic):
    assert chinese.topic(title, [text], "zh-Hant") == topic


def test_simplified_questions_get_simplified_forms():
    topic = chinese.topic("青沙市", ["青沙市位于云州。"], "zh-Hans")
    found = {
        chinese.without_title("青沙市的人口有多少？", topic, "zh-Hans", random.Random(i), near=True) for i in range(60)
    }
    assert "该市的人口有多少？" in found
    assert not any("該" in text for text in found if text)


def ja(question: str, topic: Topic, near: bool = True) -> set[str | None]:
    return {japanese.without_title(question, topic, random.Random(i), near=near) for i in range(60)}


FIRM = Topic(("白波電機",), "それ", "同社")
TOOL = Topic(("ミナモ",), "それ")
WOMAN = Topic(("エルザ・ベルク", "ベルク"), "彼女")


@pytest.mark.parametrize(
    ("question", "topic", "possible"),
    [
        ("白波電機はいつ設立されましたか", FIRM, {"いつ設立されましたか", "同社はいつ設立されましたか"}),
        ("ミナモの弦は何本ですか", TOOL, {"弦は何本ですか", "その弦は何本ですか"}),
        ("ミナモを作ったのは誰ですか", TOOL, {"それを作ったのは誰ですか"}),
        ("ミナモとは何ですか", TOOL, {"それは何ですか", "何ですか"}),
        ("1890年にベルクが書いたのは", WOMAN, {"1890年に彼女が書いたのは"}),
        ("1962年に白波電機を設立したのは", FIRM, {"1962年に同社を設立したのは"}),
    ],
)
def test_forms_in_japanese(question, topic, possible):
    assert ja(question, topic) == possible


@pytest.mark.parametrize(
    "question",
    [
        "ミナモ奏者は誰ですか",
        "日本のミナモは何本弦ですか",
        "「ミナモ」の意味は",
        "大ミナモは何ですか",
        "ミナモという楽器の弦は何本ですか",
    ],
)
def test_a_title_inside_a_phrase_stays(question):
    assert ja(question, TOOL) == {None}


@pytest.mark.parametrize(
    ("title", "text", "topic"),
    [
        ("白波電機", "白波電機は、青浜に本社を置く会社。", Topic(("白波電機",), "それ", "同社")),
        ("青浜市", "青浜市は海辺にある。", Topic(("青浜市",), "それ", "同市")),
        ("エルザ・ベルク", "エルザ・ベルク（1860年 - 1911年）は作曲家。女性では初めて……", WOMAN),
        ("ミナモ", "ミナモは楽器である。", TOOL),
    ],
)
def test_topics_in_japanese(title, text, topic):
    assert japanese.topic(title, [text]) == topic


def test_questions_that_ask_the_same_again_are_passed_over():
    asked = questions(
        "ja",
        [
            ("白波電機の本社はどこにありますか", "青浜", "j1"),
            ("白波電機の本社はどこにあるか", "青浜の港", "j1"),
            ("白波電機はどこの会社ですか", "青浜", "j1"),
            ("白波電機はいつ設立されましたか", "1962年", "j1"),
        ],
    )
    (conversation,) = derived(asked, JA_POOL, seed=1).items
    assert [turn.turn_id for turn in conversation.turns] == ["ja0", "ja3"]


def test_a_splice_begins_with_a_question_that_names_its_own_title():
    made = derived(ZH, ZH_POOL, seed=1)
    for conversation in spliced(made, seed=1).items:
        head = [turn for turn in conversation.turns if "head" in turn.slices]
        switch, *after = conversation.turns[len(head) :]
        assert not any(turn.scored for turn in head)
        assert switch.slices == ("topic_switch",)
        assert (switch.utterance, switch.needs_history, switch.scored) == (switch.standalone[0], False, True)
        assert conversation.domain in switch.utterance
        assert conversation.domain not in "".join(said.content for said in head[0].history)
        assert len(switch.history) == 2 * len(head)
        assert all(turn.slices[0] == "after_switch" and turn.scored for turn in after)
        assert [turn.n for turn in conversation.turns] == list(range(1, len(conversation.turns) + 1))
    turn_ids = [turn.turn_id for c in spliced(made, seed=1).items for turn in c.turns]
    assert len(set(turn_ids)) == len(turn_ids)
    assert spliced(made, seed=1) == spliced(made, seed=1)


def test_what_conversations_cannot_be_made_from():
    with pytest.raises(DeriveError, match="no passage 'z1' in the pool"):
        derived(ZH, [], seed=1)
    with pytest.raises(DeriveError, match="no passage has a title"):
        derived(ZH, [passage(each.passage_id, "", each.text) for each in ZH_POOL], seed=1)
    english = questions("en", [("How old is the moon?", "old", "m")])
    with pytest.raises(DeriveError, match="no rules to leave a title out in 'en'"):
        derived(english, [passage("m", "Moon", "Old.")], seed=1)
    one = Dataset("set.derived", Conversation, derived(ZH, ZH_POOL, seed=1).items[:1])
    with pytest.raises(DeriveError, match="nothing to switch to"):
        spliced(one, seed=1)

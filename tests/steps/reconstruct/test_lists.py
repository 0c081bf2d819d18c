"""Words that count: along the assistant's list, or between the two things the person named."""

import pytest

from anaphor.steps.reconstruct.lists import items
from anaphor.types import Decision
from steps.reconstruct.said import ask, check

BACKUPS = ("有哪些備份方案？", "1. 晨曦備份：每日增量。\n2. 磐石備份：每週全量。\n3. 雲杉備份：即時同步。")
PLANS = (
    "Which plans are there?",
    "There are three:\n- **Basalt**: 5 GB\n- **Granite**: 50 GB\n- **Marble**: unlimited",
)
PAIR = ("比較「松濤」和「竹影」兩款除濕機。", "松濤每日除濕 12 公升；竹影每日除濕 8 公升，比較安靜。")


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (BACKUPS, "第二個一個月多少錢？", ["磐石備份", "多少錢"], ["晨曦", "雲杉", "第二個"]),
        (BACKUPS, "第一個怎麼安裝？", ["晨曦備份", "安裝"], ["磐石", "雲杉", "第一個"]),
        (BACKUPS, "最後一個支援 Mac 嗎？", ["雲杉備份", "Mac"], ["磐石", "晨曦", "最後"]),
        (BACKUPS, "我想了解第三種方案", ["雲杉備份"], ["磐石", "晨曦"]),
        (("有哪些套餐？", "目前有極光、星塵、流星三種套餐。"), "第二種多少錢？", ["星塵"], ["流星", "極光"]),
        (
            ("推荐几家供应商", "一、磐石供应链\n二、雲杉物流\n三、晨曦贸易"),
            "第三家的电话是多少？",
            ["晨曦贸易", "电话"],
            ["磐石", "雲杉"],
        ),
        (PAIR, "後者的保固多長？", ["竹影", "保固"], ["松濤", "後者"]),
        (PAIR, "前者耗電嗎？", ["松濤", "耗電"], ["竹影", "前者"]),
        (PLANS, "How much is the second one?", ["Granite"], ["Basalt", "Marble", "second"]),
        (PLANS, "What does the last one cost?", ["Marble", "cost"], ["Granite", "Basalt"]),
        (PLANS, "Tell me more about option 1", ["Basalt"], ["Granite", "Marble"]),
        (PLANS, "the third?", ["Marble"], ["Granite", "Basalt"]),
        (
            ("Compare the Otter and the Heron kayaks.", "The Otter is faster."),
            "Is the latter stable?",
            ["Heron", "stable"],
            ["Otter", "latter"],
        ),
        (
            ("Compare the Otter and the Heron kayaks.", "The Otter is faster."),
            "What does the former weigh?",
            ["Otter"],
            ["Heron", "former"],
        ),
        (
            ("プランを教えて", "1. 朝凪プラン：月千円\n2. 夕凪プラン：月二千円"),
            "2番目はいくらですか？",
            ["夕凪プラン"],
            ["朝凪", "2番目"],
        ),
        (
            ("プランを教えて", "・朝凪プラン\n・夕凪プラン\n・夜凪プラン"),
            "最後の詳細を教えてください",
            ["夜凪プラン"],
            ["朝凪", "夕凪"],
        ),
        (("朝凪プランと夕凪プランの違いは？", "容量です。"), "後者はいくらですか？", ["夕凪プラン"], ["朝凪", "後者"]),
    ],
)
def test_what_is_counted_takes_the_place_of_the_count(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds, lacks)


def test_without_a_list_nothing_is_counted():
    query = ask(("台北到花蓮的火車要多久？", "兩小時。"), "第二個帳號加購價多少？")
    check(query, ["第二個帳號"])


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("1. A one: x\n2. B two: y", ("A one", "B two")),
        ("- **Basalt** – small\n- **Granite** – big", ("Basalt", "Granite")),
        ("有兩種：(1)晨曦備份，每日；(2)磐石備份，每週。", ("晨曦備份", "磐石備份")),
        ("① 朝凪プラン\n② 夕凪プラン", ("朝凪プラン", "夕凪プラン")),
        ("一、磐石供應鏈\n二、雲杉物流", ("磐石供應鏈", "雲杉物流")),
        ("The price is 1.5 dollars.", ()),
        ("", ()),
    ],
)
def test_the_heads_of_a_list(answer, found):
    assert items(answer) == found


@pytest.mark.parametrize("joint", [" and ", ", and "])
def test_a_list_that_was_counted_beforehand_holds_whatever_it_names(joint):
    said = ("What delivery guarantees are there?", f"There are three: at most once, at least once{joint}exactly once.")
    check(ask(said, "How does the second one work?"), ["at least once"], ["second", "at most", "exactly"])


@pytest.mark.parametrize(
    ("said", "utterance", "then", "text"),
    [
        (("部屋は何種類ありますか？", "3種類です。"), "二つ目は？", "定員は？", "部屋の定員"),
        (("有幾種房型？", "有三種。"), "第二種呢？", "可以住幾個人？", None),
    ],
)
def test_what_counts_along_a_list_that_is_not_there_stays_and_asks_of_nothing(said, utterance, then, text):
    assert ask(said, utterance).text == utterance
    after = ask((*said, utterance, ""), then).text
    assert "何種" not in after
    assert "幾種" not in after
    assert text is None or after == text


def test_the_item_is_talked_of_afterwards():
    rooms = ("有幾種房型？", "有三種：雙人房、四人房、家庭房。", "第二種呢？", "四人房面山。")
    assert ask(rooms, "可以住幾個人？").text == "四人房可以住幾個人？"
    rooms = (
        "部屋は何種類ありますか？",
        "3種類あります。竹の間、松の間、梅の間です。",
        "二つ目は？",
        "松の間は海側です。",
    )
    assert ask(rooms, "定員は？").text == "松の間の定員"

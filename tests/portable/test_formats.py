"""What other programs export, in their own shapes: dates, order, speakers and branches are kept."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.errors import BadInput
from anaphor.portable import Imported, read
from anaphor.stored import Exchange


def one(text: str, name: str = "file", me: str = "") -> Imported:
    told = read(text, name, me)
    assert isinstance(told, list)
    (imported,) = told
    return imported


def said(exchanges: tuple[Exchange, ...]) -> list[tuple[str, str]]:
    return [(exchange.question, exchange.answer) for exchange in exchanges]


def node(key: str, parent: str | None, role: str, text: Any, at: float | None = None, **rest: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": text if isinstance(text, list) else [text]}
    message = {"id": key, "author": {"role": role}, "create_time": at, "content": content, **rest}
    return {key: {"id": key, "message": message, "parent": parent, "children": []}}


CHATGPT = {
    "title": "京都旅行",
    "create_time": 1_700_000_000.0,
    "conversation_id": "c-1",
    "current_node": "a3",
    "mapping": {
        "root": {"id": "root", "message": None, "parent": None, "children": ["sys"]},
        **node("sys", "root", "system", ""),
        **node("u1", "sys", "user", "京都でどこへ行く？", 1_700_000_001.0),
        **node("a1", "u1", "assistant", "清水寺です。", 1_700_000_002.0),
        **node("a1b", "u1", "assistant", "金閣寺です。", 1_700_000_003.0),
        **node("u2", "a1", "user", ["看這張", {"content_type": "image_asset_pointer"}], 1_700_000_004.0),
        **node("call", "u2", "assistant", "search()", 1_700_000_005.0, recipient="browser"),
        **node("tool", "call", "tool", "result", 1_700_000_006.0),
        **node("a2", "tool", "assistant", "部分一", 1_700_000_007.0),
        **node("a3", "a2", "assistant", "部分二", 1_700_000_008.0),
        **node("u2b", "a1", "user", "And by train?", 1_700_000_009.0),
    },
}


def test_chatgpts_tree_becomes_the_way_that_was_shown_and_its_branches() -> None:
    told = one(json.dumps([CHATGPT]))
    assert told.name == "京都旅行"
    assert [said(way) for way in told.paths] == [
        [("京都でどこへ行く？", "清水寺です。"), ("看這張", "部分一\n\n部分二")],
        [("京都でどこへ行く？", "清水寺です。"), ("And by train?", "")],
        [("京都でどこへ行く？", "金閣寺です。")],
    ]
    assert [exchange.said_at for exchange in told.paths[0]] == [1_700_000_001.0, 1_700_000_004.0]
    shared = [way[0].turn_id for way in told.paths]
    assert shared[0] == shared[1] != shared[2]
    assert one(json.dumps([CHATGPT])) == told, "the same again"


def test_a_circle_in_a_tree_is_cut() -> None:
    circle = {**CHATGPT, "mapping": {**node("x", "y", "user", "one", 1.0), **node("y", "x", "assistant", "two", 2.0)}}
    assert isinstance(read(json.dumps([{**circle, "current_node": "y"}]), "f"), list)


def test_a_very_deep_conversation_is_read() -> None:
    mapping: dict[str, Any] = {}
    for n in range(5000):
        mapping |= node(f"n{n}", f"n{n - 1}" if n else None, "user" if n % 2 == 0 else "assistant", f"t{n}", 1.0 + n)
    told = one(json.dumps([{"mapping": mapping, "current_node": "n4999", "id": "deep", "title": "deep"}]))
    assert len(told.paths[0]) == 2500


def claude_message(key: str, sender: str, text: str, parent: str | None = None, **rest: Any) -> dict[str, Any]:
    told = {"uuid": key, "sender": sender, "text": text, "created_at": "2026-05-01T10:00:00Z", **rest}
    return {**told, "parent_message_uuid": parent} if parent else told


def test_claudes_messages_in_a_line_and_in_a_tree() -> None:
    messages = [
        claude_message(
            "1", "human", "", content=[{"type": "text", "text": "那它呢？"}], files=[{"file_name": "a.pdf"}]
        ),
        claude_message("2", "assistant", "可以。"),
        claude_message("3", "human", "谢谢"),
    ]
    told = one(json.dumps([{"uuid": "k", "name": "N", "chat_messages": messages}]))
    assert said(told.paths[0]) == [("那它呢？\n[a.pdf]", "可以。"), ("谢谢", "")]
    assert told.paths[0][0].said_at == datetime.fromisoformat("2026-05-01T10:00:00Z").timestamp()
    tree = [
        claude_message("1", "human", "first", "0000"),
        claude_message("2", "assistant", "one", "1"),
        claude_message("3", "assistant", "two", "1"),
    ]
    assert [said(w) for w in one(json.dumps([{"uuid": "k", "name": "", "chat_messages": tree}])).paths] == [
        [("first", "two")],
        [("first", "one")],
    ]


LINE_ZH = """[LINE] 與小明的聊天記錄
儲存日期：2024/01/06 09:00

2024/01/05（五）
上午10:30\t小明\t週末要去哪裡？
上午10:31\t美惠\t"去台中
還有彰化"
上午10:32\t小明收回訊息
下午12:05\t小明\t[貼圖]

2024/01/06（六）
上午12:10\t美惠\t晚安
"""
LINE_JA = """[LINE] 明とのトーク履歴
保存日時：2024/01/06 09:00

2024/01/05(金)
10:30\t明\t週末はどこへ行く？
10:31\t美恵\t"台中
それから彰化"
10:32\t☎ 通話時間 1:23
12:05\t明\t[スタンプ]

2024/01/06(土)
0:10\t美恵\tおやすみ
"""
LINE_EN = """[LINE] Chat history with Ming
Saved on: 2024/01/06, 09:00

Fri, 01/05/2024
10:30AM\tMing\tWhere do we go?
10:31AM\tMei\t"To Taichung
and Changhua"
10:32AM\tMing unsent a message.
12:05PM\tMing\t[Sticker]

Sat, 01/06/2024
12:10AM\tMei\tGood night
"""


@pytest.mark.parametrize(
    ("text", "partner", "said_by_me"),
    [
        (LINE_ZH, "小明", ["去台中\n還有彰化", "晚安"]),
        (LINE_JA, "明", ["台中\nそれから彰化", "おやすみ"]),
        (LINE_EN, "Ming", ["To Taichung\nand Changhua", "Good night"]),
        (LINE_ZH.replace("\n", "\r\n"), "小明", ["去台中\n還有彰化", "晚安"]),
    ],
    ids=["zh", "ja", "en", "windows"],
)
def test_lines_export_in_three_languages(text: str, partner: str, said_by_me: list[str]) -> None:
    told = one(text)
    (way,) = told.paths
    assert told.name == partner
    assert [(exchange.speaker, exchange.answer) for exchange in way] == [(partner, ""), ("", "")] * 2
    assert [exchange.question for exchange in way if not exchange.speaker] == said_by_me
    day, night = datetime(2024, 1, 5), datetime(2024, 1, 6)
    assert [exchange.said_at for exchange in way] == [
        day.replace(hour=10, minute=30).timestamp(),
        day.replace(hour=10, minute=31).timestamp(),
        day.replace(hour=12, minute=5).timestamp(),
        night.replace(hour=0, minute=10).timestamp(),
    ]


def test_in_a_group_the_person_has_to_be_named() -> None:
    group = LINE_ZH.replace("與小明的聊天記錄", "家族") + "上午12:11\t阿姨\t早點睡\n"
    assert {e.speaker for e in one(group).paths[0]} == {"小明", "美惠", "阿姨"}
    assert {e.speaker for e in one(group, me="美惠").paths[0]} == {"小明", "", "阿姨"}


def test_lines_export_from_a_computer_has_blanks_for_tabs() -> None:
    told = one("[LINE] 與小明的聊天\n儲存日期：2024/01/06\n\n2024.01.05 星期五\n10:30 小明 週末呢？\n10:31 美惠 台中\n")
    assert [(e.speaker, e.question) for e in told.paths[0]] == [("小明", "週末呢？"), ("", "台中")]


MESSAGES = [
    {"role": "system", "content": "be nice"},
    {"role": "assistant", "content": "Hello!", "date": "2026-05-01T10:00:00+08:00"},
    {"role": "user", "content": "我住在台中。", "date": "2026-05-01T10:01:00+08:00", "speaker": "Mei"},
    {"role": "user", "content": "对了", "date": 1_777_600_000},
    {"role": "assistant", "content": "好的。"},
]


@pytest.mark.parametrize("wrap", [lambda m: m, lambda m: {"messages": m}, lambda m: [{"title": "T", "messages": m}]])
def test_a_list_of_messages_in_every_wrapping(wrap: Any) -> None:
    (way,) = one(json.dumps(wrap(MESSAGES), ensure_ascii=False)).paths
    assert said(way) == [("", "Hello!"), ("我住在台中。", ""), ("对了", "好的。")]
    assert way[1].said_at == datetime.fromisoformat("2026-05-01T10:01:00+08:00").timestamp()
    assert len({exchange.turn_id for exchange in way}) == 3


def test_messages_as_json_lines_and_with_other_speakers() -> None:
    lines = [*MESSAGES, {"role": "user", "content": "I live in Oslo.", "speaker": "Tom"}]
    text = "\n".join(json.dumps(message) for message in lines)
    assert [e.speaker for e in one(text, me="Mei").paths[0]] == ["", "", "", "Tom"]


def test_a_content_in_parts_is_their_text() -> None:
    parts = [{"type": "text", "text": "看這張"}, {"type": "image_url", "image_url": {"url": "x"}}, "好嗎"]
    assert said(one(json.dumps([{"role": "user", "content": parts}])).paths[0]) == [("看這張\n好嗎", "")]


def test_conversations_without_an_id_are_not_one() -> None:
    bare = {key: value for key, value in CHATGPT.items() if key not in ("conversation_id", "create_time")}
    other = {**bare, "title": "另一個"}
    grown = {**bare, "mapping": {**bare["mapping"], **node("u9", "a3", "user", "ありがとう", 1_700_000_010.0)}}
    first, second, again = (one(json.dumps([told])).origin for told in (bare, other, grown))
    assert first == again != second


def test_a_conversation_of_claudes_without_messages_is_empty() -> None:
    assert one('[{"uuid": "u", "name": null, "chat_messages": null}]').paths == ()


def test_the_same_messages_have_the_same_ids_and_grow() -> None:
    first, longer = one(json.dumps(MESSAGES[:3])).paths[0], one(json.dumps(MESSAGES)).paths[0]
    assert [e.turn_id for e in longer[:2]] == [e.turn_id for e in first]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("just text", "of no kind"),
        ("{", "neither JSON"),
        ('[{"x": 1}]', "of no kind"),
        ('[{"role": "user"}]', "message 1"),
        ('[{"role": "user", "content": "x", "date": "soon"}]', "no date"),
        ('[{"mapping": {"a": 3}}]', "conversation 1"),
        ('[{"chat_messages": [{}], "uuid": "x"}]', "conversation 1"),
        ("[1, 2]", "of no kind"),
        ("[null]", "of no kind"),
        ('[{"mapping": null}]', "not as such exports"),
        ('[{"role": "user", "content": "x", "date": 1e300}]', "no date"),
        ('[{"role": "user", "content": [1, 2]}]', "message 1"),
        ("[" * 100_000, "deeply|JSON"),
    ],
)
def test_what_cannot_be_read_is_one_line_that_says_where(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told) as refused:
        read(text, "talk.json")
    assert "talk.json" in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text, "f")
        read("[LINE] x\n2024/01/05\n" + text, "f")
    except BadInput:
        pass


def test_a_large_text_that_is_almost_an_export_takes_no_time() -> None:
    for hostile in ("上午" * 500_000, "1" * 1_000_000, "2024/01/05" + " " * 1_000_000, "與" * 300_000 + "的聊天"):
        read("[LINE] x\n" + hostile, "f")
        read("[LINE] " + hostile, "f")

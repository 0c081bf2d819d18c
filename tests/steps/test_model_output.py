"""Whatever a model replies, something usable or nothing comes of it, and nothing is raised."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.model_output import QUERIES, read_query, read_text
from anaphor.types import Decision
from growth import in_proportion

ASKED = "How long is the refund window for the Orin plan?"

USED = {
    "the last of two objects": ('{"query": "Lyra"}\nWait, Orin.\n{"query": "Orin"}', "Orin"),
    "an object before one cut off": ('{"query": "Orin"}\n{"query": "Or', "Orin"),
    "an object before one that says nothing": ('{"query": "Orin"}\n{"note": "done"}', "Orin"),
    "braces inside a string": ('{"query": "a }{ b"}', "a }{ b"),
    "a fenced object": ('```json\n{"query": "Orin"}\n```', "Orin"),
    "fences inside a string": ('```json\n{"query": "what does ```make``` print"}\n```', "what does ```make``` print"),
    "a fence that is never closed": ('Sure!\n```\n{"query": "Orin"}', "Orin"),
    "an object behind thoughts that held another": ('<think>{"query": "Lyra"}</think>{"query": "Orin"}', "Orin"),
    "thoughts whose opening tag the server kept": ("the user means Orin\n</think>\n\nOrin", "Orin"),
    "a tag inside a string": ('{"query": "what does <think> do"}', "what does <think> do"),
    "trailing commas": ('{"query": "Orin", "carried": ["plan",],}', "Orin"),
    "single quotes": ("{'query': 'what's new in Orin', 'decision': None}", "what's new in Orin"),
    "quotes that were not escaped": ('{"query": "what does "403" mean"}', 'what does "403" mean'),
    "a bare key": ('{query: "Orin"}', "Orin"),
    "members without braces": ('"query": "Orin"', "Orin"),
    "an object in an object": ('{"result": {"query": "Orin"}}', "Orin"),
    "an object in a string": ('"{\\"query\\": \\"Orin\\"}"', "Orin"),
    "a break inside a string": ('{"query": "Orin\nplan"}', "Orin plan"),
    "a complete field of an object cut off later": ('{"query": "Orin", "carried": ["pl', "Orin"),
    "the first string of a list": ('{"query": ["", "Orin", "Lyra"]}', "Orin"),
    "a bare list": ('["Orin"]', "Orin"),
    "bytes": ('{"query": "Orin 套餐"}'.encode(), "Orin 套餐"),
    "plain text": ("Orin plan refunds", "Orin plan refunds"),
    "plain text behind a preamble": ("Sure! Here is the standalone question:\n\nOrin refunds?", "Orin refunds?"),
    "plain text in a fence": ("```\nOrin refunds?\n```", "Orin refunds?"),
    "a label": ("Standalone question: Orin refunds?", "Orin refunds?"),
    "a bold label": ("**Rewritten query:** Orin refunds?", "Orin refunds?"),
    "a role": ("Assistant: Orin refunds?", "Orin refunds?"),
    "a label, zh-Hant": ("改寫後的問題：Orin 方案的退款期限？", "Orin 方案的退款期限？"),
    "a label, zh-Hans": ("独立问题：Orin 套餐的退款期限？", "Orin 套餐的退款期限？"),
    "a label, ja": ("書き換え後の質問：Orinプランの返金期限は？", "Orinプランの返金期限は？"),
    "quotes around it": ("「Orin 方案的退款期限？」", "Orin 方案的退款期限？"),
    "an invented dialogue": ("Orin refunds?\nUser: thanks\nAssistant: It is 30 days.", "Orin refunds?"),
    "an invented dialogue, ja": ("Orinの返金期限は？\nユーザー：ありがとう", "Orinの返金期限は？"),
    "an invented dialogue in a string": ('{"query": "Orin refunds?\\nAssistant: 30 days."}', "Orin refunds?"),
    "a template's token": ("Orin refunds?<|im_end|>\n<|im_start|>user", "Orin refunds?"),
}

UNUSABLE = {
    "nothing": "",
    "None": None,
    "white space": " \n\t ",
    "an empty object": "{}",
    "an empty string": '{"query": ""}',
    "null": '{"query": null}',
    "the word null": '{"query": "null"}',
    "empty strings": '{"query": [""]}',
    "a number": '{"query": 5}',
    "half a string": '{"query": "refund window for the Or',
    "half a key": '{"que',
    "a bracket": "{",
    "thoughts without end": "<think>the user means Orin",
    "marks": "?!…",
    "a refusal": "I'm sorry, but I can't help with that.",
    "a refusal in an object": '{"query": "As an AI, I do not know."}',
    "a refusal, zh-Hant": "很抱歉，我無法協助這個請求。",
    "a refusal, zh-Hans": "抱歉，我无法提供这些信息。",
    "a refusal, ja": "申し訳ありませんが、お答えできません。",
}


@pytest.mark.parametrize(("raw", "query"), USED.values(), ids=USED)
def test_it_reads_the_query_out_of(raw: object, query: str) -> None:
    reading = read_query(raw, ASKED)
    assert (reading.query, reading.failed) == (query, "")


@pytest.mark.parametrize("raw", UNUSABLE.values(), ids=UNUSABLE)
def test_it_keeps_the_original_and_says_why_for(raw: object) -> None:
    reading = read_query(raw, ASKED)
    assert reading.query == ASKED
    assert reading.failed


def test_several_queries_are_kept_up_to_a_limit() -> None:
    several = [f"part {n}" for n in range(QUERIES + 3)]
    assert read_query(json.dumps({"queries": several}), ASKED).queries == tuple(several[:QUERIES])
    assert read_query("1. first part\n2. second part", ASKED).queries == ("first part", "second part")
    assert read_query('{"query": "only one"}', ASKED).queries == ()
    both = read_query('{"query": "a and b", "queries": ["a", "b"]}', ASKED)
    assert (both.query, both.queries) == ("a and b", ("a", "b"))


def test_a_decision_is_read_in_any_spelling_and_an_unknown_one_is_none() -> None:
    assert read_query('{"query": "a", "decision": "Follow-up"}', ASKED).decision is Decision.FOLLOW_UP
    assert read_query('{"query": "a", "decision": "maybe"}', ASKED).decision is None


def test_what_the_person_wrote_themselves_is_not_taken_for_a_label_or_a_refusal() -> None:
    assert read_query("Query: how slow is it?", "Query: how slow is that?").query == "Query: how slow is it?"
    mine = "Sorry, I cannot log in to Orin"
    assert read_query(json.dumps({"query": mine}), mine).failed == ""


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<think>hm</think>\nThirty days [1].", "Thirty days [1]."),
        ("Assistant: Thirty days [1].", "Thirty days [1]."),
        ("三十天 [1]。\n用戶：謝謝\n助理：不客氣", "三十天 [1]。"),
        ("Set it so:\nUser: admin\nPort: 22", "Set it so:\nUser: admin\nPort: 22"),
        ("Close the `<think>` tag first.", "Close the `<think>` tag first."),
        (None, ""),
    ],
)
def test_an_answer_is_read_as_prose(raw: object, text: str) -> None:
    assert read_text(raw) == text


def test_a_tag_that_has_only_begun_is_held_back_while_more_may_follow() -> None:
    assert read_text("Thirty days.<thi", unfinished=True) == "Thirty days."
    assert read_text("2 <3", unfinished=False) == "2 <3"


_PIECES = st.sampled_from(
    ['{"query": "', '"}', "{", "}", "[", "]", '"', "\\", "```", "<think>", "</think>", "User:", "\n", ",", "查询",
    "質問：", "\ud83c", "\0"]
)  # fmt: skip


@given(st.one_of(st.none(), st.binary(), st.text(), st.lists(st.one_of(_PIECES, st.text(max_size=5))).map("".join)))
def test_nothing_raises_and_what_comes_out_is_clean(raw: object) -> None:
    reading = read_query(raw, ASKED)
    assert reading.query
    assert reading.query == ASKED or not reading.failed
    for text in (reading.query, *reading.queries, read_text(raw), read_text(raw, unfinished=True)):
        text.encode("utf-8")
        assert "\0" not in text


@given(st.text(min_size=1).filter(lambda q: q.strip() == q and q.isprintable() and q[0].isalnum() and q[-1].isalnum()))
def test_any_query_survives_being_written_as_json(query: str) -> None:
    if " ".join(query.split()) == query and query.lower() not in ("null", "none", "na", "nil", "empty", "無", "无"):
        assert read_query(json.dumps({"query": query}), query).query == query


@given(st.text(alphabet=st.sampled_from('ab "\\{}'), min_size=1), st.data())
def test_a_string_that_the_reply_broke_off_in_is_never_used(query: str, data: st.DataObject) -> None:
    whole = json.dumps({"query": query})
    cut = whole[: data.draw(st.integers(0, len(whole) - 2))]
    used = read_query(cut, ASKED).query
    assert used == ASKED or used == read_query(whole, ASKED).query


@pytest.mark.parametrize("unit", ["{", "[", '{"a":', '{"', '"', "<think>", "User:\n", '{"a":"\\"', "[1,", "\n- "])
def test_megabytes_of_nonsense_take_time_in_proportion(unit: str) -> None:
    def work(size: int) -> None:
        raw = unit * (size // len(unit))
        read_query(raw, ASKED)
        read_text(raw)

    assert in_proportion(work, 60_000)

"""Conversation suites: read, refused with a place and a hint, and judged."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from anaphor.errors import MissingFile
from anaphor.types import Decision, Outcome
from anaphor_eval.suites import Expected, Observed, SuiteError, SuiteTurn, Term, judge, read_suite

PAGE = Path(__file__).parents[2] / "docs" / "suites.md"
EXAMPLE = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[0]


@pytest.fixture
def suite(tmp_path):
    def write(text: str, name: str = "leave.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


def test_the_example_in_the_documentation_reads(suite):
    found = read_suite(suite(EXAMPLE))
    assert found.name == "leave policy"
    assert [(c.conversation_id, c.language, len(c.turns)) for c in found.conversations] == [
        ("pronoun-and-return", "en", 3),
        ("two-sessions", "en", 3),
        ("接受提議", "zh-Hant", 2),
    ]
    assert [document.document_id for document in found.conversations[2].documents] == ["annual", "sick", "請假"]
    first = found.conversations[0].turns[0]
    assert first.expected.states == (Term(("15",)),)
    assert found.conversations[1].turns[2].session == "a"
    assert found.conversations[2].turns[0].reply.startswith("好的")


def test_every_key_of_the_schema_is_in_the_documentation():
    schema = json.loads((PAGE.parents[1] / "src/anaphor_eval/schemas/suite.json").read_text("utf-8"))
    keys = set(schema["properties"])
    for name in ("document", "conversation", "turn"):
        keys |= set(schema["$defs"][name]["properties"])
    assert not {key for key in keys if f"`{key}`" not in PAGE.read_text("utf-8")}


def test_json_lines_have_a_conversation_a_line(suite):
    conversation = {"id": "a", "language": "ja", "turns": [{"utterance": "首都は？", "query_unchanged": True}]}
    found = read_suite(suite(json.dumps(conversation, ensure_ascii=False) + "\n\n", "s.jsonl"))
    assert found.name == "s"
    assert found.conversations[0].turns[0].expected.query_unchanged


def test_yaml_scalars_are_words(suite):
    text = "conversations:\n- id: 7\n  turns:\n  - utterance: no\n    query_has: [403, 2024-01-01, yes]\n"
    (conversation,) = read_suite(suite(text)).conversations
    turn = conversation.turns[0]
    assert (conversation.conversation_id, turn.utterance) == ("7", "no")
    assert [str(term) for term in turn.expected.query_has] == ["403", "2024-01-01", "yes"]


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        ("utterance: How do I", "utterence: How do I", "19: conversations[0].turns[1]", "did you mean 'utterance'?"),
        (
            "decision: follow_up",
            "decision: followup",
            "20: conversations[0].turns[1].decision",
            "did you mean 'follow_up'?",
        ),
        (
            "first: sick\n",
            "first: sik\n",
            "27: conversations[0].turns[2].first",
            "no document 'sik'; there are annual, sick",
        ),
        ("id: two-sessions", "id: pronoun-and-return", "30: conversations[1].id", "is there twice"),
        ("states: [15]", "states: 15", "18: conversations[0].turns[0].states", "a text, a list is needed"),
        (
            "query_lacks: [sick]",
            "query_lacks: [[sick]]",
            "22: conversations[0].turns[1].query_lacks[0]",
            "a text is needed",
        ),
        ("language: en", "language: fr", "2: language", "'fr' is none of zh-Hant"),
        ("id: sick", "id: annual", "7: documents[1].id", "document 'annual' is there twice"),
        ("utterance: 好啊", 'utterance: ""', "53: conversations[2].turns[1].utterance", "it is empty"),
        ("documents:", "documents: [", "4", "not YAML"),
        (
            "outcome: answered",
            "first: sick\n        outcome: answered",
            "17: conversations[0].turns[0]",
            "'first' is there twice",
        ),
        (
            "How do I ask for it?",
            '"How \\ud83d do I ask?"',
            "19: conversations[0].turns[1].utterance",
            "half of a surrogate pair",
        ),
    ],
)
def test_a_mistake_is_one_line_with_its_place(suite, old, new, place, reason):
    assert old in EXAMPLE
    with pytest.raises(SuiteError) as caught:
        read_suite(suite(EXAMPLE.replace(old, new, 1)))
    told = str(caught.value)
    assert f"leave.yaml:{place}: " in told
    assert reason in told
    assert "\n" not in told


def test_a_conversation_of_which_nothing_is_expected_is_an_error(suite):
    turns = "- {utterance: 年假有幾天？, states: [15]}\n  - {utterance: 怎麼請？}"
    text = f"conversations:\n- id: a\n  turns:\n  {turns}\n- id: b\n  turns:\n  - {{utterance: 年假有幾天？}}\n"
    with pytest.raises(SuiteError, match=r"leave\.yaml:6: conversations\[1\]: nothing is expected of any turn"):
        read_suite(suite(text))


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("", "a.yaml", "a.yaml:1: the file is empty"),
        ("\n", "a.jsonl", "a.jsonl:1: the file is empty"),
        ("{}", "a.json", "a suite is a .yaml, .yml or .jsonl file"),
        (
            '{"id": "a", "turns": [{"utterance": 5}]}',
            "a.jsonl",
            "a.jsonl:1: conversations[0].turns[0].utterance: a number",
        ),
        ('{"id": "a"}\n', "a.jsonl", "'turns' is missing"),
        ("{", "a.jsonl", "a.jsonl:1: not JSON"),
        ("- a\n", "a.yaml", "a list, a mapping is needed"),
    ],
)
def test_files_that_are_no_suite(suite, text, name, reason):
    with pytest.raises(SuiteError, match=re.escape(reason)):
        read_suite(suite(text, name))


def test_a_suite_that_is_not_there(tmp_path):
    with pytest.raises(MissingFile):
        read_suite(tmp_path / "none.yaml")


def observed(**more) -> Observed:
    seen = {"query": "台中市的人口增長率", "decision": Decision.FOLLOW_UP, "outcome": Outcome.ANSWERED}
    seen |= {"ranking": ("d1", "d2"), "answer": "增長率是 1.2%。"}
    return Observed(**(seen | more))


@pytest.mark.parametrize(
    ("expected", "seen"),
    [
        (Expected(decisions=(Decision.FOLLOW_UP, Decision.NEW_TOPIC)), {}),
        (Expected(query_has=(Term(("台中",)), Term(("成長率", "增长率")))), {}),
        (Expected(query_has=(Term(("kvstore-7",)),)), {"terms": ("KVStore-7",)}),
        (Expected(query_lacks=("新北",)), {}),
        (Expected(query_unchanged=True), {"query": "那它的增長率呢"}),
        (Expected(first=("d9", "d1"), not_found=("d3",)), {}),
        (Expected(outcomes=(Outcome.ANSWERED,)), {}),
        (Expected(states=(Term(("１.2%",)),), never_states=("新北",)), {}),
    ],
)
def test_what_holds_misses_nothing(expected, seen):
    assert judge(SuiteTurn("那它的增長率呢？", expected), observed(**seen)) == ()


@pytest.mark.parametrize(
    ("expected", "seen", "miss"),
    [
        (Expected(decisions=(Decision.STANDALONE,)), {}, "decision: expected standalone, found follow_up"),
        (
            Expected(query_has=(Term(("新北", "台北")),)),
            {},
            "query_has: expected 新北 | 台北, found '台中市的人口增長率'",
        ),
        (Expected(query_lacks=("台中",)), {}, "query_lacks: expected no 台中, found '台中市的人口增長率'"),
        (Expected(query_lacks=("token",)), {"terms": ("Token",)}, "query_lacks: expected no token, found 'Token'"),
        (Expected(query_lacks=("稅",)), {"queries": ("a", "税率")}, "query_lacks: expected no 稅, found '税率'"),
        (Expected(query_unchanged=True), {}, "query_unchanged: expected '那它的增長率呢？'"),
        (Expected(first=("d2",)), {}, "first: expected d2, found d1"),
        (Expected(first=("d2",)), {"ranking": ()}, "first: expected d2, found nothing"),
        (Expected(not_found=("d2",)), {}, "not_found: expected no d2"),
        (Expected(outcomes=(Outcome.DECLINED,)), {}, "outcome: expected declined, found answered"),
        (Expected(states=(Term(("3%",)),)), {}, "states: expected 3%"),
        (Expected(never_states=("1.2",)), {}, "never_states: expected no 1.2"),
    ],
)
def test_what_does_not_hold_is_told(expected, seen, miss):
    (told,) = judge(SuiteTurn("那它的增長率呢？", expected), observed(**seen))
    assert str(told).startswith(miss)

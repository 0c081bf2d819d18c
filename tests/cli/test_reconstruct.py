"""The small door on the command line."""

import json

import pytest

TALK = [
    {"role": "user", "content": "東京の人口は何人ですか？"},
    {"role": "assistant", "content": "東京の人口は約1400万人です。"},
]


def test_a_list_of_messages_gives_the_standalone_query(anaphor):
    done = anaphor("reconstruct", stdin=json.dumps([*TALK, {"role": "user", "content": "大阪は？"}]))
    assert done.status == 0
    assert "大阪" in done.out
    assert "人口" in done.out
    assert done.out.count("\n") == 1


def test_messages_and_a_question_apart_give_the_same(anaphor):
    together = anaphor("reconstruct", "--json", stdin=json.dumps([*TALK, {"role": "user", "content": "大阪は？"}]))
    apart = anaphor("reconstruct", "--json", stdin=json.dumps({"messages": TALK, "question": "大阪は？"}))
    assert json.loads(apart.out) == json.loads(together.out)
    assert {"decision", "confidence", "language", "text", "carried"} <= json.loads(apart.out).keys()


def test_nothing_is_written_anywhere(anaphor, place):
    anaphor("reconstruct", stdin=json.dumps(TALK[:1]))
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("stdin", "told"),
    [
        ("", "not JSON"),
        ("[{", "line 1"),
        ("3", ""),
        ('{"question": "x"}', "messages"),
        ('{"messages": [], "qestion": "x"}', "qestion"),
        ('[{"role": "user"}]', ""),
        ("[]", ""),
        ("[" * 100_000, ""),
    ],
)
def test_what_is_no_list_of_messages_is_one_clear_line(anaphor, stdin, told):
    done = anaphor("reconstruct", stdin=stdin)
    assert done.status == 1
    assert told in done.err
    assert done.err.count("\n") == 1


def test_the_model_is_asked_only_when_one_is_set(anaphor):
    done = anaphor("reconstruct", "--model", stdin=json.dumps(TALK[:1]))
    assert done.status == 1
    assert "ANAPHOR_REWRITE_MODEL" in done.err

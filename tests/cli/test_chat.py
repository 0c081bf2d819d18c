"""The chat, with lines from standard input."""

import json

import pytest

from cli.talks import TALKS


@pytest.mark.parametrize(("first", "second", "told", "source"), TALKS)
def test_a_conversation_line_by_line(filled, first, second, told, source):
    done = filled("chat", stdin=f"{first}\n\n{second}\n")
    assert done.status == 0
    assert told in done.out
    assert f"kb/{source}" in done.out
    assert "follow-up → " in done.out
    assert "anaphor chat --session" in done.err


def test_commands_of_the_chat(filled):
    done = filled(
        "chat",
        "--new-session",
        "a",
        stdin="401 是什麼意思？\n/trace\n/sources\n/new b\n/trace\n/what\n/quit\nunheard\n",
    )
    assert done.status == 0
    assert "budget" in done.out
    assert "kb/休暇.md" in done.out
    assert "/trace [N]" in done.out
    assert "anaphor: " in done.err, "b has no turn to trace"
    listed = json.loads(filled("sessions", "list", "--json").out)
    assert {s["name"]: s["turns"] for s in listed} == {"a": 1, "b": 0}


def test_a_question_that_fails_does_not_end_the_chat(filled):
    done = filled("chat", stdin="？\n401 是什麼意思？\n")
    assert done.status == 0
    assert "anaphor: the question has no letter or digit" in done.err
    assert "401 表示" in done.out


def test_a_chat_in_which_nothing_was_said_leaves_no_session(filled):
    filled("chat", stdin="")
    assert json.loads(filled("sessions", "list", "--json").out) == []


def test_a_chat_is_continued(filled):
    filled("chat", "--new-session", "a", stdin="401 是什麼意思？\n")
    done = filled("chat", "--session", "a", "--json", stdin="那 403 呢？\n")
    assert json.loads(done.out)["seq"] == 2

"""Branching, putting away and deleting single turns on the command line."""

import json


def test_a_conversation_is_branched_put_away_and_taken_apart(filled):
    filled("ask", "--new-session", "a", "403 是什麼意思？")
    filled("ask", "--session", "a", "那 401 呢？")
    made = json.loads(filled("sessions", "branch", "a", "1", "--name", "b", "--json").out)
    assert (made["name"], made["turns"], made["branched_after"]) == ("b", 1, 1)
    assert json.loads(filled("ask", "--session", "b", "那 401 呢？", "--json").out)["seq"] == 2
    assert filled("sessions", "archive", "a").status == 0
    refused = filled("ask", "--session", "a", "x")
    assert (refused.status, "unarchive" in refused.err) == (1, True)
    assert "(archived)" in filled("sessions", "list").out
    assert filled("sessions", "unarchive", "a").status == 0
    assert filled("sessions", "delete", "a", "--turn", "1", "--yes").status == 0
    shown = filled("sessions", "show", "b").out
    assert "403" not in shown
    assert "401" in shown
    assert filled("sessions", "delete", "a", "--turn", "9", "--yes").status == 1
    assert filled("sessions", "delete", "a", "--yes").status == 0
    assert [one["name"] for one in json.loads(filled("sessions", "list", "--json").out)] == ["b"]
    assert filled("verify").status == 0

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


def test_what_is_ephemeral_is_nowhere_afterwards(filled, place):
    before = json.loads(filled("sessions", "list", "--json").out)
    told = json.loads(filled("ask", "--ephemeral", "我的密碼本叫鸚鵡箱。403 是什麼意思？", "--json").out)
    assert told["seq"] == 1
    assert "--session" not in filled("ask", "--ephemeral", "403 是什麼意思？").out
    assert json.loads(filled("sessions", "list", "--json").out) == before
    files = [path for path in place.rglob("*") if path.is_file()]
    assert files
    for word in ("鸚鵡箱", told["session_id"], told["turn_id"]):
        assert not [path for path in files if word.encode() in path.read_bytes()]
    assert filled("ask", "--session", told["session_id"], "那 401 呢？").status == 1
    for flags in (["--session", "a"], ["--new-session", "a"], ["--turn-id", "x"]):
        refused = filled("ask", "--ephemeral", *flags, "x")
        assert (refused.status, "keeps nothing" in refused.err) == (1, True)


def test_a_chat_may_be_ephemeral_too(filled, place):
    chat = filled("chat", "--ephemeral", "--json", stdin="403 是什麼意思？\n那 401 呢？\n")
    first, second = [json.loads(part) for part in chat.out.replace("}\n{", "}\0{").split("\0")]
    assert first["session_id"] == second["session_id"]
    assert second["query"]["carried"] or second["decision"] == "follow_up"
    assert json.loads(filled("sessions", "list", "--json").out) == []
    assert not [p for p in place.rglob("*") if p.is_file() and first["session_id"].encode() in p.read_bytes()]


def test_how_long_things_are_kept_is_shown_and_set(filled):
    filled("ask", "--new-session", "a", "403 是什麼意思？")
    shown = json.loads(filled("retention", "--json").out)
    assert (shown["idle_days"], shown["days"], shown["ending"], shown["audit_days"]) == (None, None, "archive", 365)
    lines = [line.split("  ")[0] for line in filled("retention").out.splitlines()]
    assert lines[:3] == [
        "a session ends when it was not used for",
        "a session ends when it began before",
        "and is then",
    ]
    assert "no end" in filled("retention").out
    ended = json.loads(filled("retention", "--idle-days", "0", "--json").out)
    assert ended["ended"]["archived"] == 1
    refused = filled("ask", "--session", "a", "那 401 呢？")
    assert (refused.status, "time" in refused.err) == (1, True)
    assert "403" in filled("sessions", "show", "a").out
    assert "1 erased" in filled("retention", "--ending", "erase").out
    assert json.loads(filled("sessions", "list", "--json").out) == []
    assert json.loads(filled("retention", "--idle-days", "none", "--json").out)["idle_days"] is None
    for wrong in (["--days", "-1"], ["--days", "soon"], ["--audit-days", "inf"]):
        refused = filled("retention", *wrong)
        assert refused.status == 1
        assert len(refused.err.splitlines()) == 1


def test_the_audit_tells_who_did_what_and_nothing_said(filled):
    filled("ask", "--new-session", "secret", "我住在台中。")
    filled("sessions", "show", "secret")
    filled("trace", "secret")
    filled("documents", "show", "kb/休暇.md")
    filled("sessions", "rename", "secret", "other")
    told = json.loads(filled("audit", "--json").out)
    acts = [(line["act"], line["kind"]) for line in told]
    assert acts[:4] == [("change", "session"), ("read", "document"), ("read", "turn"), ("read", "session")]
    assert ("change", "document") in acts
    again = filled("audit", "--limit", "1").out
    assert "audit" in again
    assert len(again.splitlines()) == 1
    for said in ("secret", "台中", "休暇", "local"):
        assert said not in str(told)
    assert json.loads(filled("audit", "--user", "tom", "--json").out) == []
    assert json.loads(filled("audit", "--user", "tom", "--everyone", "--json").out)

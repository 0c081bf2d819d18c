"""Out of one store and into another, on the command line; and in from elsewhere."""

import json

LINE = "[LINE] 與小明的聊天記錄\n\n2024/01/05（五）\n10:30\t小明\t週末呢？\n10:31\t美惠\t我住在台中。\n"


def test_a_person_moves_to_another_store(filled, place):
    filled("ask", "--new-session", "a", "403 是什麼意思？")
    (place / "mine.md").write_text("我的密碼提示是貓。", "utf-8")
    assert filled("ingest", "mine.md", "--private").status == 0
    assert filled("export", "me.jsonl").status == 0
    assert filled("export").out == (place / "me.jsonl").read_text("utf-8")
    assert filled("export", "me.jsonl").status == 1
    told = json.loads(filled("import", "me.jsonl", "--store", "new.db", "--json").out)
    assert told == {"sessions": 1, "turns": 1, "documents": 1, "refused": 0}
    assert filled("export", "--store", "new.db").out == filled("export").out
    assert "0 sessions, 0 turns" in filled("import", "me.jsonl", "--store", "new.db").out
    assert "403" in filled("sessions", "show", "a", "--store", "new.db").out
    assert filled("verify", "--store", "new.db").status == 0


def test_what_was_said_elsewhere_is_asked_for_here(anaphor, place):
    (place / "chat.txt").write_text(LINE, "utf-8")
    assert "1 sessions, 2 turns" in anaphor("import", "chat.txt").out
    asked = json.loads(anaphor("ask", "--sources", "memory", "我住在哪裡？", "--json").out)
    assert "台中" in asked["answer"]
    assert asked["citations"][0]["date"].startswith("2024-01-05")


def test_what_cannot_be_imported_makes_no_store(anaphor, place):
    (place / "x.bin").write_bytes(b"\xff\xfe\xff")
    assert "not UTF-8" in anaphor("import", "x.bin").err
    assert anaphor("import", "none.json").status == 1
    assert not (place / "anaphor.db").exists()

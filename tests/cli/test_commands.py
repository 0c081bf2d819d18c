"""A person's day: ingest, ask, follow up, look back, tidy up."""

import json

import pytest

from cli.talks import TALKS


@pytest.mark.parametrize(("first", "second", "told", "source"), TALKS)
def test_a_follow_up_is_answered_from_the_right_place(filled, first, second, told, source):
    begun = json.loads(filled("ask", first, "--json").out)
    done = json.loads(filled("ask", "--session", begun["session_id"], second, "--json").out)
    assert (done["session_id"], done["seq"]) == (begun["session_id"], 2)
    assert done["decision"] == "follow_up"
    assert told in done["answer"]
    assert done["citations"][0]["source"] == f"kb/{source}"
    assert done["query"]["carried"][0]["seq"] == 1


def test_one_answer_has_the_fields_of_the_contract(filled):
    told = json.loads(filled("ask", "403 是什麼意思？", "--json").out)
    assert {
        *(
            "session_id",
            "turn_id",
            "seq",
            "decision",
            "confidence",
            "outcome",
            "question",
            "query",
            "answer",
            "citations",
        ),
        *("claims", "ranking", "left_out", "budget", "usage", "timings_ms", "model"),
    } <= told.keys()
    assert {"text", "queries", "terms", "carried", "left_behind", "rewriter", "refused"} == told["query"].keys()
    assert {"n", "class", "passage_id", "source", "date", "seq", "quote", "start", "end"} == told["citations"][0].keys()
    assert {"rules", "history", "evidence", "question", "total"} == told["budget"].keys()


def test_trace_tells_a_turn_again_as_it_was_told(filled):
    asked = json.loads(filled("ask", "--new-session", "errors", "403 是什麼意思？", "--json").out)
    filled("ask", "--session", "errors", "那 401 呢？")
    assert json.loads(filled("trace", "errors", "1", "--json").out) == asked
    assert json.loads(filled("trace", asked["session_id"], asked["turn_id"], "--json").out) == asked
    assert json.loads(filled("trace", "errors", "--json").out)["seq"] == 2


def test_the_same_turn_id_again_gives_the_stored_answer(filled):
    filled("ask", "--new-session", "a", "403 是什麼意思？", "--turn-id", "t1")
    again = json.loads(filled("ask", "--session", "a", "something else", "--turn-id", "t1", "--json").out)
    assert (again["question"], again["seq"]) == ("403 是什麼意思？", 1)


def test_an_answer_and_its_source_are_what_is_printed(filled):
    done = filled("ask", "403 是什麼意思？")
    assert "403 表示帳號沒有存取資源的權限" in done.out
    assert "[1] kb/錯誤碼.md" in done.out
    assert "--session" in done.out
    assert "quoted" in done.err
    assert "\x1b" not in done.out


def test_the_trace_is_drawn_with_everything_on_the_line(filled):
    filled("ask", "--new-session", "a", "401 是什麼意思？")
    out = filled("ask", "--session", "a", "--trace", "那 403 呢？").out
    for part in (
        "follow-up",
        "query",
        "carried",
        "← turn 1",
        "found",
        "bm25",
        "budget",
        "/4096",
        "answer",
        "[1]",
        "answered",
    ):
        assert part in out, part


@pytest.mark.parametrize(
    ("locale", "word"),
    [("zh_TW.UTF-8", "延續前文"), ("zh_CN.UTF-8", "承接上文"), ("ja_JP.UTF-8", "前の続き"), ("C", "follow-up")],
)
def test_the_terminal_speaks_the_locales_language(filled, monkeypatch, locale, word):
    monkeypatch.setenv("LC_ALL", locale)
    filled("ask", "--new-session", locale, "401 是什麼意思？")
    assert word in filled("ask", "--session", locale, "-v", "那 403 呢？").out


def test_a_question_can_come_from_standard_input(filled):
    assert "5日" in filled("ask", "-", stdin="夏季休暇は何日ですか？\n").out


def test_an_empty_store_says_what_to_do(anaphor):
    done = anaphor("ask", "What is 401?")
    assert done.status == 0, "declining is an answer"
    assert "anaphor ingest" in done.err


def test_sessions_are_listed_shown_renamed_and_deleted(filled):
    filled("ask", "--new-session", "錯誤", "401 是什麼意思？")
    filled("ask", "--new-session", "plans", "团队版每人每月多少钱？")
    listed = json.loads(filled("sessions", "list", "--json").out)
    assert [(s["name"], s["turns"]) for s in listed] == [("plans", 1), ("錯誤", 1)]
    assert "401 是什麼意思？" in filled("sessions", "show", "錯誤").out
    shown = json.loads(filled("sessions", "show", "錯誤", "--json").out)
    assert [turn["question"] for turn in shown["log"]] == ["401 是什麼意思？"]
    assert json.loads(filled("sessions", "rename", "錯誤", "codes", "--json").out)["name"] == "codes"
    assert filled("sessions", "delete", "codes", "--yes").status == 0
    assert [s["name"] for s in json.loads(filled("sessions", "list", "--json").out)] == ["plans"]
    assert "plans" in filled("sessions", "list").out


def test_another_user_sees_none_of_it(filled):
    filled("ask", "--new-session", "mine", "401 是什麼意思？")
    assert json.loads(filled("sessions", "list", "--user", "ken", "--json").out) == []
    assert filled("trace", "mine", "--user", "ken").status == 1
    assert filled("ask", "--session", "mine", "--tenant", "rival", "x").status == 1


def test_ingesting_tells_each_files_fate(filled, place):
    (place / "kb/copy.md").write_bytes((place / "kb/休暇.md").read_bytes())
    (place / "kb/retention.md").write_text("Kestrel keeps letters for nine weeks.\n", encoding="utf-8")
    (place / "kb/layers.psd").write_bytes(b"8BPS")
    done = filled("ingest", "kb")
    assert done.status == 0
    assert "= kb/copy.md  (of kb/休暇.md)" in done.out
    assert "~ kb/retention.md  1" in done.out
    assert "· kb/layers.psd" in done.out
    assert done.out.splitlines()[-1].startswith("1 replaced, 3 unchanged, 1 duplicate, 1 skipped")
    counts = json.loads(filled("ingest", "kb", "--json").out)["counts"]
    assert counts == {"unchanged": 4, "duplicate": 1, "skipped": 1}


def test_a_file_that_cannot_be_read_is_told_and_the_status_is_1(filled, place):
    (place / "kb/photo").write_bytes(b"\x89PNG\0\0\0\0\0\0\0\0")
    done = filled("ingest", "kb", "kb/休暇.md")
    assert done.status == 1
    assert "✗ kb/photo" in done.out


def test_documents_are_listed_and_deleted_from_every_answer(filled):
    assert {d["source"] for d in json.loads(filled("documents", "list", "--json").out)} == {
        *("kb/錯誤碼.md", "kb/套餐.md", "kb/休暇.md", "kb/retention.md")
    }
    assert "kb/休暇.md" in filled("documents", "list").out
    filled("documents", "delete", "kb/休暇.md", "--yes")
    assert "5日" not in filled("ask", "夏季休暇は何日ですか？").out


def test_a_quote_whose_document_is_gone_is_not_shown_any_more(filled):
    filled("ask", "--new-session", "a", "夏季休暇は何日ですか？")
    filled("documents", "delete", "kb/休暇.md", "--yes")
    told = json.loads(filled("trace", "a", "--json").out)
    assert told["citations"][0]["quote"] is None
    assert "erased" in filled("trace", "a").out


def test_doctor_says_what_is_used_and_why(filled):
    done = filled("doctor")
    assert done.status == 0
    assert "4 documents" in done.out
    assert "lexical search alone: turned off by the setting embedder" in done.out
    assert "answers are quoted" in done.out
    names = [check["name"] for check in json.loads(filled("doctor", "--json").out)]
    assert names == ["anaphor", "store", "holds", "memory", "embedder", "rewriting", "answering", "language"]


def test_doctor_makes_no_store(anaphor, place):
    assert "not there yet" in anaphor("doctor").out
    assert list(place.iterdir()) == []


def test_doctor_names_what_does_not_work(anaphor, place, monkeypatch):
    (place / "bad.db").write_bytes(b"no store" * 100)
    assert anaphor("doctor", "--store", "bad.db").status == 1
    monkeypatch.setenv("ANAPHOR_STROE", "x")
    assert "ANAPHOR_STROE sets nothing" in anaphor("doctor").out
    assert "did you mean 'ANAPHOR_STORE'?" in anaphor("ask", "hello").err
    monkeypatch.delenv("ANAPHOR_STROE")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ANAPHOR_MODEL", "some-model")
    monkeypatch.setenv("ANAPHOR_API_KEY", "sk-secret")
    done = anaphor("doctor")
    assert done.status == 1
    assert "some-model at http://127.0.0.1:9/v1, with a key" in done.out
    assert "sk-secret" not in done.out + done.err
    assert anaphor("doctor", "--offline").status == 0

"""What goes wrong is one line on standard error; the exit status says whose fault it was."""

import json
import sqlite3

import pytest

from anaphor import cli
from anaphor.cli import COMMANDS


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["ask"],
        ["ask", "--nonsense", "x"],
        ["ask", "x", "--session"],
        ["ingest"],
        ["trace"],
        ["sessions", "show"],
        ["sessions", "nonsense"],
        ["documents", "delete"],
        ["chat", "--nonsense"],
    ],
)
def test_an_unknown_word_or_a_missing_argument_is_2(anaphor, arguments):
    done = anaphor(*arguments)
    assert done.status == 2
    assert done.err.startswith("anaphor: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["asks", "x"], "Did you mean 'ask'?"),
        (["doctro"], "Did you mean 'doctor'?"),
        (["--store", "kb.db", "ask", "x"], "anaphor COMMAND --store …"),
    ],
)
def test_what_is_misspelt_or_misplaced_is_told_how_it_goes(anaphor, arguments, told):
    done = anaphor(*arguments)
    assert done.status == 2
    assert told in done.err
    assert done.err.count("\n") == 1
    assert "Did you mean" not in anaphor("nonsense").err


@pytest.mark.parametrize(
    "arguments",
    [
        ["ingest", "nowhere.md"],
        ["ask", "   "],
        ["ask", "？！"],
        ["ask", "--session", "nobody", "What is 401?"],
        ["ask", "--sources", "everything", "x"],
        ["ask", "--wait", "soon", "x"],
        ["ask", "--session", "a", "--new-session", "b", "x"],
        ["trace", "nobody"],
        ["sessions", "show", "nobody"],
        ["sessions", "rename", "nobody", "x"],
        ["sessions", "delete", "nobody", "--yes"],
        ["ask", "--wait", "-1", "x"],
        ["ask", "--wait", "nan", "x"],
        ["ask", "--wait", "inf", "x"],
        ["ask", "--turn-id", "", "x"],
        ["ask", "--new-session", "", "x"],
        ["ask", "--new-session", "a\nb", "x"],
        ["chat", "--new-session", " "],
        ["reconstruct", "--language", "klingon"],
        ["rebuild", "--embeddings"],
        ["documents", "delete", "nothing", "--yes"],
        ["sessions", "list", "--store", "missing/folder/kb.db"],
        ["ask", "--store", "postgresql://localhost/kb", "x"],
    ],
)
def test_what_cannot_be_done_is_1_and_one_line(anaphor, arguments):
    done = anaphor(*arguments)
    assert done.status == 1
    assert done.err.startswith("anaphor: ")
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_an_empty_question_leaves_no_session_behind(anaphor):
    anaphor("ask", " ")
    assert json.loads(anaphor("sessions", "list", "--json").out) == []


def test_an_unknown_session_is_told_how_to_start_it(anaphor):
    assert "--new-session vacation starts it" in anaphor("ask", "--session", "vacation", "x").err


@pytest.mark.parametrize(
    "content", [b"this is no database, and never was one\n" * 40, b"SQLite format 3\0" + b"x" * 4000]
)
def test_a_file_that_is_no_store_is_named(anaphor, place, content):
    (place / "bad.db").write_bytes(content)
    done = anaphor("ask", "--store", "bad.db", "What is 401?")
    assert done.status == 1
    assert "bad.db" in done.err
    assert (place / "bad.db").read_bytes() == content


def test_somebody_elses_database_is_left_alone(anaphor, place):
    with sqlite3.connect(place / "other.db") as connection:
        connection.execute("CREATE TABLE letters (text)")
    connection.close()
    done = anaphor("sessions", "list", "--store", "other.db")
    assert done.status == 1
    assert "other.db" in done.err


def test_a_misspelt_setting_is_named_with_its_file(anaphor, place):
    (place / "anaphor.toml").write_text("[windw]\nturns = 3\n", encoding="utf-8")
    done = anaphor("sessions", "list")
    assert done.status == 1
    assert "anaphor.toml: unknown key 'windw.turns'; did you mean 'window_turns'?" in done.err


def test_what_nobody_expected_is_one_line_too(filled, monkeypatch):
    def breaks(settings):
        raise KeyError("deep inside")

    monkeypatch.setattr("anaphor.wiring.build", breaks)
    done = filled("sessions", "list")
    assert done.status == 1
    assert done.err == "anaphor: unexpected KeyError: 'deep inside' (ANAPHOR_DEBUG=1 shows where)\n"
    monkeypatch.setenv("ANAPHOR_DEBUG", "1")
    with pytest.raises(KeyError):
        cli.run(["sessions", "list"])


def test_what_deletes_asks_first_and_without_a_terminal_says_so(filled):
    session = json.loads(filled("ask", "401 是什麼？", "--json").out)["session_id"]
    for arguments in (["sessions", "delete", session], ["documents", "delete", "kb/套餐.md"]):
        done = filled(*arguments)
        assert done.status == 2
        assert "--yes" in done.err
        assert filled(*arguments, "--yes").status == 0
        assert filled(*arguments, "--yes").status == 1


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"serve"}))  # what serves has no output
def test_every_command_has_json_and_help(anaphor, name):
    told = anaphor(name, "--help")
    assert told.status == 0
    subcommands = {
        "sessions": ("list", "show", "rename", "delete"),
        "documents": ("list", "delete"),
        "memory": (
            "list",
            "show",
            "history",
            "review",
            "accept",
            "reject",
            "edit",
            "pin",
            "revert",
            "delete",
            "refresh",
        ),
        "keys": ("create", "list", "revoke"),
    }
    for words in [[name, sub] for sub in subcommands.get(name, ())] or [[name]]:
        assert "--json" in anaphor(*words, "--help").out, words


def test_help_is_told_without_importing_the_commands(anaphor):
    out = anaphor("--help").out
    assert all(name in out for name in COMMANDS)
    assert "eval" in out
    assert anaphor().out == out


def test_a_command_whose_extra_is_missing_is_one_clear_line(anaphor, monkeypatch):
    from importlib.metadata import EntryPoint

    broken = EntryPoint("eval", "anaphor_eval.no_such_module:command", "anaphor.commands")
    monkeypatch.setattr(cli, "_plugged_in", lambda: (broken,))
    done = anaphor("eval", "rewrite")
    assert done.status == 1
    assert "pip install 'anaphor[eval]'" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["sessions", "list"],
        ["sessions", "show", "a"],
        ["sessions", "rename", "a", "b"],
        ["sessions", "delete", "a", "--yes"],
        ["documents", "list", "--json"],
        ["documents", "delete", "a", "--yes"],
        ["trace", "a"],
    ],
)
def test_who_only_looks_or_takes_away_makes_no_store(anaphor, place, arguments):
    done = anaphor(*arguments)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("anaphor: there is no store at anaphor.db: anaphor ingest or anaphor ask makes one")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [["--new-session", "a", "？"], ["--new-session", "a\nb", "x"], ["--wait", "nan", "x"], ["--turn-id", "", "x"]],
)
def test_a_question_that_is_refused_leaves_no_session(anaphor, arguments):
    assert anaphor("ask", *arguments).status == 1
    told = anaphor("sessions", "list", "--json")
    assert told.status == 1 or json.loads(told.out) == []  # not even a store, where nothing had to be looked up


def test_a_number_of_thousands_of_digits_is_no_list_of_messages(anaphor):
    done = anaphor("reconstruct", stdin="9" * 100_000)
    assert done.err == "anaphor: standard input holds a number of thousands of digits: no list of messages has one\n"


def test_an_unknown_language_is_told_with_the_four(anaphor):
    told = "anaphor: language must be one of zh-Hant, zh-Hans, ja, en, not 'xx'\n"
    assert anaphor("reconstruct", "--language", "xx", stdin='[{"role": "user", "content": "x"}]').err == told


@pytest.mark.parametrize(
    ("variable", "value"),
    [("ANAPHOR_WINDOW_TURNS", "9" * 22), ("ANAPHOR_BASE_URL", "http://[::1"), ("ANAPHOR_LEASE", "inf")],
)
def test_a_setting_out_of_bounds_is_one_line(anaphor, monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    done = anaphor("ask", "x")
    assert done.err.startswith(f"anaphor: {variable} must be ")
    assert done.err.count("\n") == 1


def test_a_line_stays_a_line_whatever_a_name_holds(anaphor, place):
    (place / "a\nb.md").write_text("Kestrel keeps messages for 7 days.\n", encoding="utf-8")
    assert anaphor("ingest", "a\nb.md").out.splitlines()[0] == "+ a\\nb.md  1"
    assert anaphor("documents", "list").out.count("\n") == 1
    assert "[1] a\\nb.md" in anaphor("ask", "How long does Kestrel keep messages?").out
    missing = anaphor("sessions", "list", "--store", "x\ny.db").err
    assert missing.startswith("anaphor: there is no store at x\\ny.db")
    assert missing.count("\n") == 1
    assert anaphor("doctor", "--store", "x\ny.db").out.count("x\\ny.db") == 1


def test_a_full_disk_tells_what_went_in(anaphor, place, monkeypatch):
    from anaphor.adapters.sqlite.documents import Documents
    from anaphor.errors import StoreFull

    for name in "abc":
        (place / f"{name}.md").write_text(f"Note {name}.\n", encoding="utf-8")
    put_all = Documents.put_all

    def full(self, scope, entries):
        if any(entry.document.source == "b.md" for entry in entries):
            raise StoreFull("no room left for the store anaphor.db")
        return put_all(self, scope, entries)

    monkeypatch.setattr(Documents, "put_all", full)
    done = anaphor("ingest", "a.md", "b.md", "c.md")
    assert done.status == 1
    assert done.out.startswith("+ a.md  1\n✗ b.md  (no room left for the store anaphor.db)\n1 added, 1 failed")
    assert done.err == "anaphor: b.md did not go in, nor the 1 after it: no room left for the store anaphor.db\n"


def test_credentials_in_an_address_are_never_shown(anaphor, monkeypatch, place):
    (place / "a.md").write_text("Kestrel keeps messages.", "utf-8")
    monkeypatch.setenv("ANAPHOR_BASE_URL", "http://mei:s3cret@127.0.0.1:9/v1")
    monkeypatch.setenv("ANAPHOR_EMBEDDER", "openai")
    monkeypatch.setenv("ANAPHOR_EMBED_MODEL", "e")
    told = [anaphor("doctor")]
    monkeypatch.setenv("ANAPHOR_MODEL", "m")
    told += [anaphor("doctor"), anaphor("doctor", "--json"), anaphor("ingest", "a.md"), anaphor("ask", "x")]
    assert all("127.0.0.1:9" in done.out + done.err for done in told[:-1])
    assert not any("s3cret" in done.out + done.err for done in told)
    assert "m at http://••••@127.0.0.1:9/v1" in told[1].out


def test_a_turn_that_is_still_running_is_shown_and_told(filled, place):
    from anaphor.settings import read
    from anaphor.types import Question
    from anaphor.wiring import build

    session = json.loads(filled("ask", "--new-session", "a", "401 是什麼？", "--json").out)["session_id"]
    with build(read({"store": "anaphor.db"})) as assistant:
        assistant.store.turns.accept(assistant.scope.within(session), Question("403 呢？", "t2"), lease=100)
    shown = filled("sessions", "show", "a").out
    assert "2  403 呢？" in shown
    assert "still being answered, given up in at most" in shown
    log = json.loads(filled("sessions", "show", "a", "--json").out)["log"]
    assert [(turn["outcome"], "lease_left" in turn) for turn in log] == [("answered", False), ("running", True)]
    assert 0 < log[1]["lease_left"] <= 100
    done = filled("ask", "--session", "a", "--wait", "0", "x")
    assert done.err.startswith("anaphor: turn 2 of this session is still being answered, for at most ")
    assert "--wait " in done.err
    assert "counts as failed after that time" in done.err


def test_deleting_a_document_says_what_becomes_of_answers(filled):
    filled("ask", "--new-session", "a", "夏季休暇は何日ですか？")
    told = "Answers that quoted it lose what they quoted; the questions stay."
    assert told in filled("documents", "delete", "kb/休暇.md").err
    assert told in filled("documents", "delete", "kb/休暇.md", "--yes").err
    assert "5日" not in filled("sessions", "show", "a").out


class Embedder:
    name, dimensions = "another", 2

    def embed(self, texts, *, query):
        return [(1.0, 0.0) for _ in texts]


def test_another_embedder_is_told_how_to_rebuild_and_then_searches(filled, monkeypatch):
    monkeypatch.setattr("anaphor.wiring.embedder", lambda settings: (Embedder(), "the test sets it"))
    assert filled("rebuild").status == 0
    done = filled("rebuild", "--embeddings")
    assert (done.status, done.out) == (0, "8 passages embedded by another\n")
    monkeypatch.setattr(Embedder, "name", "a newer one")
    assert "anaphor rebuild --embeddings" in filled("doctor").out
    assert "anaphor rebuild --embeddings" in filled("ask", "What is 401?").err
    told = json.loads(filled("rebuild", "--embeddings", "--json").out)
    assert told == {"embedder": "a newer one", "vectors": 8, "left": 0}
    assert "anaphor rebuild" not in filled("ask", "What is 401?").err


def test_an_embedder_that_fails_costs_no_vectors(filled, monkeypatch):
    from anaphor.errors import ModelUnavailable

    def fails(texts, *, query):
        raise ModelUnavailable("it cannot be reached")

    made = Embedder()
    monkeypatch.setattr("anaphor.wiring.embedder", lambda settings: (made, "the test sets it"))
    filled("rebuild", "--embeddings")
    made.embed = fails
    assert filled("rebuild", "--embeddings").err == "anaphor: it cannot be reached\n"
    assert "wait to be embedded" not in filled("doctor").out


def test_an_unknown_key_is_told_before_anybody_is_asked_about_it(filled):
    assert filled("keys", "create", "--for-user", "mei").status == 0
    told = filled("keys", "revoke", "nokey")
    assert told.status == 1
    assert "nokey" in told.err
    assert "--yes" not in told.err
    (key,) = json.loads(filled("keys", "list", "--json").out)
    asked = filled("keys", "revoke", key["key_id"])
    assert asked.status == 2
    assert "mei" in asked.err
    assert filled("keys", "revoke", key["key_id"], "--yes").status == 0


def test_who_says_no_is_told_by_the_status(filled, monkeypatch):
    for module in ("keys", "documents", "sessions", "erase"):
        monkeypatch.setattr(f"anaphor.cli.{module}.confirmed", lambda question, yes: False)
    filled("keys", "create")
    filled("ask", "--new-session", "a", "401 是什麼？")
    (key,) = json.loads(filled("keys", "list", "--json").out)
    for arguments in (
        ["keys", "revoke", key["key_id"]],
        ["documents", "delete", "kb/套餐.md"],
        ["sessions", "delete", "a"],
        ["erase", "--user", "local"],
    ):
        assert filled(*arguments).status == 1
    assert [one["state"] for one in json.loads(filled("keys", "list", "--json").out)] == ["valid"]

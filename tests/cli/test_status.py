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


def test_what_nobody_expected_is_one_line_too(anaphor, monkeypatch):
    def breaks(settings):
        raise KeyError("deep inside")

    monkeypatch.setattr("anaphor.wiring.build", breaks)
    done = anaphor("sessions", "list")
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


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json_and_help(anaphor, name):
    told = anaphor(name, "--help")
    assert told.status == 0
    subcommands = {"sessions": ("list", "show", "rename", "delete"), "documents": ("list", "delete")}
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

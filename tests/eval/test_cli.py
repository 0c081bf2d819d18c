"""The command: one clear line for whatever cannot be had, and the statuses of every other command."""

import json
import os
import subprocess
import sys

import pytest

from anaphor.cli import run
from anaphor_eval.cli import Progress

ROW = {
    "id": "c1",
    "lang": "en",
    "turns": [{"turn": 1, "task_id": "t1", "query": "What is Owl?", "gold_passages": ["p1"], "reply": "A bird."}],
}


@pytest.fixture
def talk(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANAPHOR_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANAPHOR_EMBEDDER", "none")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owl_passages.jsonl").write_text('{"id": "p1", "lang": "en", "text": "Owl is a bird."}\n', "utf-8")
    path = tmp_path / "owl_talk.jsonl"
    path.write_text(json.dumps(ROW), "utf-8")
    return path


def told(capsys, *arguments):
    status = run(["eval", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["retrieval", "--gold-passages"], "for measuring answers"),
        (["extraction"], "neither facts in what was said nor replies that contradict"),
        (["retrieval", "--retriever", "dense"], "dense retrieval needs an embedder"),
        (["retrieval", "--rewriter", "model"], "needs a model, and none is set"),
        (["retrieval", "--budget", "1500"], "--budget does not apply to retrieval"),
        (["memory", "--rewriter", "raw"], "--rewriter does not apply to memory"),
        (["rewrite", "--retriever", "bm25"], "--retriever does not apply to rewrite"),
        (["rewrite", "--history", "own"], "--history own does not apply to rewrite"),
    ],
)
def test_what_is_not_there_yet_is_one_line_that_says_what_is_missing(talk, capsys, arguments, missing):
    status, out, err = told(capsys, *arguments, talk)
    assert status == 1
    assert out == ""
    assert missing in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("task", ["rewrite", "retrieval", "memory", "conversation"])
def test_a_file_that_is_not_there(talk, capsys, task):
    status, _, err = told(capsys, task, "nowhere.jsonl")
    assert status == 1
    assert "nowhere.jsonl" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("task", ["rewrite", "retrieval", "memory"])
def test_a_malformed_line_is_named_with_file_line_and_reason(talk, capsys, task):
    talk.write_text(json.dumps(ROW) + '\n{"id": "c2", "turns": [', "utf-8")
    status, _, err = told(capsys, task, talk)
    assert status == 1
    assert "owl_talk.jsonl:2: not JSON" in err
    assert err.count("\n") == 1


def test_data_of_another_kind_is_told_for_what_it_is(talk, capsys):
    status, _, err = told(capsys, "memory", talk)
    assert status == 1
    assert "owl_talk.jsonl holds conversations; long conversations with questions about them are needed here" in err


@pytest.mark.parametrize(
    "arguments",
    [["retrieval"], ["retrieval", "x", "--no-such-flag"], ["no-such-task", "x"], ["retrieval", "x", "--json"]],
)
def test_what_is_misused_is_status_2(talk, capsys, arguments):
    assert told(capsys, *arguments)[0] == 2


def test_an_unknown_value_of_a_dimension_is_status_1_and_says_which_there_are(talk, capsys):
    status, _, err = told(capsys, "retrieval", talk, "--rewriter", "magic")
    assert status == 1
    assert "gold+previous" in err


@pytest.mark.parametrize("value", ["nan", "-0.1", "2", "half"])
def test_a_share_is_a_number_from_0_to_1(talk, capsys, value):
    status, _, err = told(capsys, "retrieval", talk, "--margin", value)
    assert status == 1
    assert "Invalid value for '--margin'" in err
    assert told(capsys, "conversation", talk, "--fail-under", value)[0] == 1


def test_without_json_the_main_figures_are_shown(talk, capsys):
    status, out, err = told(capsys, "retrieval", talk, "--rewriter", "raw")
    assert (status, err) == (0, "")
    assert "owl_talk (en)" in out
    assert "recall@5 1.000" in out
    assert "--json FILE keeps them all" in out


def test_where_to_write_is_checked_before_anything_is_measured(talk, capsys):
    status, _, err = told(capsys, "retrieval", talk, "--json", "no/such/folder/out.json")
    assert status == 1
    assert "there is no folder no/such/folder" in err

    status, _, err = told(capsys, "conversation", talk, "--junit", "no/such/folder/out.xml")
    assert status == 1
    assert "there is no folder no/such/folder" in err


def test_two_files_of_one_name_could_not_be_told_apart(talk, capsys):
    status, _, err = told(capsys, "retrieval", talk, talk.with_suffix(".json"))
    assert status == 1
    assert "two files are called 'owl_talk'" in err


def test_progress_is_for_terminals_alone(capsys, monkeypatch):
    progress = Progress()
    progress("raw", 1, 2)
    progress.clear()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    progress = Progress()
    progress("raw", 1, 2)
    assert "1/2" in capsys.readouterr().err


def test_without_the_extra_the_command_is_one_clear_error(tmp_path):
    blocked = (
        "import sys; sys.modules['numpy'] = None; from anaphor.cli import run; sys.exit(run(['eval', 'rewrite', 'x']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "LANG": "C.UTF-8"},
    )
    assert done.returncode == 1
    assert "pip install 'anaphor[eval]'" in done.stderr
    assert done.stderr.count("\n") == 1

"""``anaphor memory``: what is remembered, looked at, decided about and taken back on the command line."""

import json

import pytest


@pytest.fixture
def told(filled, monkeypatch):
    """The same command line, with memory on, after a person has said their name twice."""
    monkeypatch.setenv("ANAPHOR_MEMORY", "embedded")
    filled("ask", "--new-session", "a", "My name is Mei.")
    filled("ask", "--session", "a", "Forget it, my name is Lin.")
    return filled


def listed(told, *flags):
    return json.loads(told("memory", "list", "--json", *flags).out)


def test_what_was_said_is_listed_after_the_answer_was_shown(told):
    found = listed(told, "--all")
    assert found["waiting"] == 0
    assert found["facts"][-1]["value"] == "Mei"
    first = found["facts"][-1]["fact_id"]
    shown = told("memory", "show", first)
    assert "My name is Mei" in shown.out
    whole = json.loads(told("memory", "show", first, "--json").out)
    assert whole["sources"][0]["text"].startswith("My name is Mei")
    assert whole["sources"][0]["seq"] == 1


def test_a_fact_is_edited_pinned_reverted_and_deleted(told):
    first = listed(told, "--all")["facts"][-1]["fact_id"]
    edited = json.loads(told("memory", "edit", first, "--value", "Mei Lin", "--why", "in full", "--json").out)
    assert (edited["value"], edited["why"]) == ("Mei Lin", "in full")
    assert "pinned" in told("memory", "pin", first).out
    assert [fact["fact_id"] for fact in listed(told, "--pinned", "--all")["facts"]] == [first]
    assert "retired" in told("memory", "reject", first).out
    assert told("memory", "accept", first).status == 0
    back = json.loads(told("memory", "revert", first, "1", "--json").out)
    assert (back["value"], back["pinned"]) == ("Mei", False)
    lines = told("memory", "history", first).out.splitlines()
    assert len(lines) >= 6
    assert "reverted" in lines[-1]
    assert told("memory", "delete", first).status == 2  # nobody is there to be asked
    assert told("memory", "delete", first, "--yes").status == 0
    gone = told("memory", "show", first)
    assert (gone.status, "Traceback" in gone.err) == (1, False)
    assert told("verify").status == 0


def test_errors_are_one_line_that_names_the_thing(told):
    first = listed(told, "--all")["facts"][-1]["fact_id"]
    for arguments in (("revert", first, "99"), ("edit", first), ("show", "nothing"), ("accept", "nothing")):
        failed = told("memory", *arguments)
        assert failed.status == 1
        assert len(failed.err.strip().splitlines()) == 1
    assert told("memory", "list", "--status", "wrong").status == 1
    assert "nothing waits" in told("memory", "review").out


def test_everything_is_read_again_and_nothing_is_doubled(told):
    before = listed(told, "--all")["facts"]
    assert told("memory", "refresh", "--again").status == 0
    assert told("rebuild", "--memory").status == 0
    assert listed(told, "--all")["facts"] == before


def test_an_export_carries_what_is_remembered(told, place):
    before = listed(told, "--all")["facts"]
    out = told("export").out
    (place / "mine.jsonl").write_text(out, "utf-8")
    assert told("import", "mine.jsonl", "--store", "other.db").status == 0
    assert json.loads(told("memory", "list", "--all", "--json", "--store", "other.db").out)["facts"] == before


def test_doctor_tells_of_it_and_off_means_nothing_is_read(filled, monkeypatch):
    monkeypatch.setenv("ANAPHOR_MEMORY", "off")
    filled("ask", "My name is Mei.")
    found = json.loads(filled("memory", "list", "--json").out)
    assert (found["facts"], found["waiting"]) == ([], 1)
    told = {check["name"]: check["told"] for check in json.loads(filled("doctor", "--offline", "--json").out)}
    assert "1 turns wait" in told["memory"]
    assert "off" in told["memory"]
    assert "the setting memory is off" in filled("memory", "list").out
    assert "1 turns read" in filled("memory", "refresh").out
    assert json.loads(filled("memory", "list", "--json").out)["waiting"] == 0


def test_a_summary_is_shown_with_its_history_and_taken_back(told):
    assert "no summary yet" in told("memory", "summary", "a").out
    for n in range(12):
        told("ask", "--session", "a", f"I keep {n + 3} hens in the garden behind house {n}.")
    whole = json.loads(told("memory", "summary", "a", "--json").out)
    versions = json.loads(told("memory", "summary", "a", "--history", "--json").out)
    assert versions[-1]["text"] == whole["text"]
    assert told("memory", "summary", "a", "--history").out.count("memory, extractive") == len(versions)
    back = json.loads(told("memory", "summary", "a", "--revert", "1", "--why", "shorter", "--json").out)
    assert (back["text"], back["version"]) == (versions[0]["text"], len(versions) + 1)
    assert "(shorter)" in told("memory", "summary", "a", "--history").out
    assert told("memory", "summary", "a", "--revert", "99").status == 1
    assert told("verify").status == 0

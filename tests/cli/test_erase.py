"""What is taken back on the command line."""

import json


def test_erasing_needs_to_be_told_whose_and_asks_first(filled):
    filled("ask", "--user", "mei", "--new-session", "a", "403 是什麼意思？")
    assert filled("erase", "--yes").status == 2
    assert filled("erase", "--user", "mei", "--everyone", "--yes").status == 2
    asked = filled("erase", "--user", "mei")
    assert (asked.status, "--yes" in asked.err) == (2, True)
    assert len(json.loads(filled("sessions", "list", "--user", "mei", "--json").out)) == 1


def test_a_person_is_erased_and_looked_for(filled):
    filled("ask", "--user", "mei", "--new-session", "a", "403 是什麼意思？")
    filled("ask", "--user", "tom", "--new-session", "b", "403 是什麼意思？")
    done = filled("erase", "--user", "mei", "--yes", "--verify")
    assert done.status == 0
    assert "erased user mei of tenant local: 1 sessions, 1 turns" in done.out
    for place in ("table turns", "anaphor.db ", "unused parts of anaphor.db"):
        assert place in done.out
    assert "✗" not in done.out
    assert json.loads(filled("sessions", "list", "--user", "mei", "--json").out) == []
    assert len(json.loads(filled("sessions", "list", "--user", "tom", "--json").out)) == 1
    told = json.loads(filled("erase", "--user", "tom", "--yes", "--verify", "--json").out)
    assert (told["erased"]["sessions"], told["erased"]["wiped"]) == (1, True)
    assert all(place["found"] == 0 for place in told["looked"])


def test_a_deleted_document_goes_out_of_the_answers_that_quoted_it(filled):
    filled("ask", "--new-session", "a", "On the free plan, how long are messages kept?")
    assert "24 hours" in filled("sessions", "show", "a").out
    assert filled("documents", "delete", "kb/retention.md", "--yes").status == 0
    shown = filled("sessions", "show", "a").out
    assert "24 hours" not in shown
    assert "has been erased" in shown


def test_everyone_of_a_tenant_is_erased(filled):
    filled("ask", "--user", "mei", "--new-session", "a", "403 是什麼意思？")
    assert filled("erase", "--everyone", "--yes").status == 0
    assert json.loads(filled("documents", "list", "--json").out) == []


def test_there_must_be_a_store(anaphor, place):
    assert "there is no store" in anaphor("erase", "--user", "mei", "--yes").err
    assert list(place.iterdir()) == []


def test_a_wait_that_cannot_be_makes_no_store(anaphor, place):
    for wait in ("-1", "nan", "inf", "soon"):
        assert anaphor("ask", "--wait", wait, "hello").status == 1
    assert list(place.iterdir()) == []

"""Suites through the whole system."""

import xml.etree.ElementTree as ET

import pytest

from anaphor import wiring
from anaphor.adapters.fake.model import ScriptedModel
from anaphor.assistant import Assistant
from anaphor_eval.suites import read_suite

SUITE = """
suite: leave policy
language: en
documents:
  - {id: annual, title: Annual leave, text: Annual leave is 15 days a year.}
  - {id: sick, title: Sick leave, text: Sick leave needs a note from a doctor.}
conversations:
  - id: right
    kind: lookup
    turns:
      - {utterance: "How many days of annual leave are there?", first: annual, states: [15]}
      - {utterance: "Does sick leave need a note?", first: sick}
  - id: wrong
    kind: lookup
    turns:
      - {utterance: "How many days of annual leave are there?", first: annual}
      - {utterance: "Does sick leave need a note?", first: annual}
  - id: 請假
    kind: private
    language: zh-Hant
    documents:
      - {id: 美的病假, text: 美美的病假要附診斷證明。, user: mei}
    turns:
      - {utterance: "病假要附什麼？", user: mei, first: 美的病假}
      - {utterance: "病假要附什麼？", user: ken, not_found: [美的病假]}
"""


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "leave.yaml"
    path.write_text(SUITE, "utf-8")
    return path


def one(rows, **wanted):
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    assert len(found) == 1, wanted
    return found[0]


def test_a_conversation_is_right_when_all_its_turns_are(evaluate, suite):
    rows = evaluate("conversation", suite, "--retriever", "bm25")
    assert evaluate.status == 0, evaluate.err
    whole = one(rows, slice="all", lang=None)
    assert whole["n"] == 3
    assert whole["metrics"]["all_turns_right"] == pytest.approx(2 / 3, abs=1e-6)
    assert whole["metrics"]["turn_right"] == pytest.approx(5 / 6, abs=1e-6)
    assert one(rows, slice="lookup", lang="en")["metrics"]["all_turns_right"] == 0.5
    assert one(rows, slice="private", lang="zh-Hant")["metrics"]["all_turns_right"] == 1
    assert "WRONG  leave policy: wrong" in evaluate.out
    assert "first: expected annual, found sick" in evaluate.out
    assert "kind lookup: 1 of 2 (50%)" in evaluate.out
    assert "language zh-Hant: 1 of 1 (100%)" in evaluate.out
    assert "90% of cases are all right in 73%" in evaluate.out


def test_limit_draws_conversations_by_the_seed(evaluate, suite):
    drawn = set()
    for seed in range(8):
        rows = evaluate("conversation", suite, "--retriever", "bm25", "--limit", 1, "--seed", seed, "--verbose")
        assert one(rows, slice="all", lang=rows[0].get("lang"))["n"] == 1
        drawn.add(evaluate.out.split("leave policy: ")[1].split(" ")[0])
    assert drawn == {"right", "wrong", "請假"}


def test_a_model_is_named_and_its_calls_are_counted(evaluate, suite, monkeypatch):
    monkeypatch.setenv("ANAPHOR_MODEL", "reader-7b")
    monkeypatch.setenv("ANAPHOR_BASE_URL", "http://localhost:9")
    monkeypatch.setattr(wiring, "writer", lambda _settings: ScriptedModel(lambda _asked: "15 days. [1]"))
    rows = evaluate("conversation", suite, "--retriever", "bm25", "--reader", "quoted", "--reader", "model")
    assert evaluate.status == 0, evaluate.err
    quoted, model = (one(rows, slice="all", lang="en", reader=reader) for reader in ("quoted", "model"))
    assert model["model"] == "reader-7b"
    assert model["metrics"]["model_calls"] > 0
    assert not {"model"} & set(quoted)
    assert "model_calls" not in quoted["metrics"]
    assert any(versus["reader"] == "quoted" for versus in model["versus"])


@pytest.mark.parametrize(("least", "status"), [("0.6", 0), ("0.7", 1)])
def test_fail_under_decides_the_exit_status(evaluate, suite, least, status):
    evaluate("conversation", suite, "--retriever", "bm25", "--fail-under", least)
    assert evaluate.status == status
    assert ("--fail-under asks for 0.7" in evaluate.err) is bool(status)


def test_junit_has_a_case_a_conversation_and_the_misses_as_its_failure(evaluate, suite, tmp_path):
    evaluate("conversation", suite, "--retriever", "bm25", "--junit", tmp_path / "junit.xml")
    root = ET.parse(tmp_path / "junit.xml").getroot()
    element = root.find("testsuite")
    assert (element.get("tests"), element.get("failures")) == ("3", "1")
    cases = {case.get("name"): case for case in element}
    assert set(cases) == {"right", "wrong", "請假"}
    assert "turn 2" in cases["wrong"].find("failure").get("message")
    assert cases["right"].find("failure") is None


def test_a_turn_that_breaks_is_wrong_and_the_suite_goes_on(evaluate, suite, monkeypatch):
    whole = Assistant.ask

    def ask(self, question, **given):
        if "note" in question:
            raise RuntimeError("it broke\x00")
        return whole(self, question, **given)

    monkeypatch.setattr(Assistant, "ask", ask)
    rows = evaluate("conversation", suite, "--retriever", "bm25", "--junit", suite.with_name("j.xml"))
    assert one(rows, slice="lookup", lang="en")["metrics"]["all_turns_right"] == 0
    assert "RuntimeError: it broke" in evaluate.out
    ET.parse(suite.with_name("j.xml"))


def test_a_reply_that_is_given_is_what_the_next_turn_sees(evaluate, tmp_path):
    path = tmp_path / "offer.yaml"
    path.write_text(
        """
conversations:
  - id: offer
    language: en
    documents: [{id: sick, title: Sick leave, text: Sick leave needs a note from a doctor.}]
    turns:
      - {utterance: I feel ill., reply: "Shall I tell you what sick leave needs?"}
      - {utterance: "Yes, please", query_has: [sick leave], first: sick}
""",
        "utf-8",
    )
    rows = evaluate("conversation", path, "--retriever", "bm25", "--verbose")
    assert one(rows, slice="all")["metrics"]["turn_right"] == 1, evaluate.out
    assert read_suite(path).conversations[0].turns[0].reply


def test_only_the_products_own_rewriters_run_a_suite(evaluate, suite):
    evaluate("conversation", suite, "--rewriter", "concat")
    assert evaluate.status == 1
    assert "--rewriter concat does not apply to conversation" in evaluate.err


def test_a_malformed_suite_is_one_line_with_its_place(evaluate, suite):
    suite.write_text(SUITE.replace('utterance: "Does', 'utterence: "Does'), "utf-8")
    evaluate("conversation", suite)
    assert evaluate.status == 1
    assert "leave.yaml:12" in evaluate.err
    assert "did you mean 'utterance'?" in evaluate.err

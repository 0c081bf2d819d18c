"""Evidence of long conversations inside a budget."""

import json

import pytest

from anaphor_eval.tokens import count


def one(rows, **wanted):
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    assert len(found) == 1, wanted
    return found[0]


@pytest.mark.parametrize("retriever", ["bm25", "dense", "rrf"])
@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans", "ja"])
def test_the_turn_that_answers_is_found_and_shown(evaluate, memories, retriever, language):
    rows = evaluate("memory", memories, "--retriever", retriever)
    assert evaluate.status == 0, evaluate.err
    row = one(rows, slice="all", lang=language)
    assert row["n"] == 1
    assert row["source"] == "turns"
    assert row["roles"] == "user"
    assert row["budget"] == 1500
    assert row["metrics"]["evidence_all"] == 1
    assert row["metrics"]["recall@1"] == 1
    assert row["metrics"]["evidence_rank_p90"] == 1
    assert row["metrics"]["evidence_share_excerpt"] == 1


def test_slice_all_holds_answerable_questions_only(evaluate, memories):
    rows = evaluate("memory", memories, "--retriever", "bm25")
    assert {row["slice"] for row in rows} == {"all", "single"}
    assert one(rows, slice="all", lang=None)["n"] == 4


def test_a_budget_is_counted_by_the_evaluators_counter_with_headers(evaluate, memories):
    whole = count("My sister Ada moved to Lisbon in May.") + count("Sun 2026/03/01, no. 1, you")
    short = evaluate("memory", memories, "--retriever", "bm25", "--budget", whole - 1, "--budget", whole)
    too_little, enough = (one(short, slice="all", lang="en", budget=budget) for budget in (whole - 1, whole))
    assert too_little["metrics"]["evidence_all"] == 0
    assert too_little["metrics"]["evidence_share"] == 0
    assert "evidence_share_of_oracle" not in too_little["metrics"]  # not even the oracle could show it
    assert enough["metrics"]["evidence_all"] == 1
    assert enough["metrics"]["evidence_share_of_oracle"] == 1
    assert enough["metrics"]["tokens"] == whole
    assert enough["metrics"]["recall@1"] == too_little["metrics"]["recall@1"] == 1


def test_recent_shows_the_newest_that_fit_and_full_everything(evaluate, memories):
    rows = evaluate("memory", memories, "--source", "recent", "--source", "full", "--budget", 24)
    recent, full = (one(rows, slice="all", lang="en", source=source) for source in ("recent", "full"))
    assert recent["metrics"]["evidence_all"] == 0
    assert 0 < recent["metrics"]["tokens"] <= 24
    assert recent["budget"] == 24
    assert "retriever" not in recent
    assert full["metrics"]["evidence_all"] == 1
    assert "budget" not in full
    assert "recall@5" not in full["metrics"]


def test_sources_are_held_against_each_other(evaluate, memories):
    rows = evaluate(
        "memory", memories, "--retriever", "bm25", *("--source", "turns", "--source", "recent"), "--budget", 24
    )
    turns, recent = (one(rows, slice="all", lang=None, source=source) for source in ("turns", "recent"))
    (against,) = [each for each in recent["versus"] if each["metric"] == "evidence_all"]
    assert (against["source"], against["retriever"], against["difference"]) == ("turns", "bm25", -0.75)
    (back,) = [each for each in turns["versus"] if each["metric"] == "evidence_all"]
    assert (back["source"], back["difference"]) == ("recent", 0.75)
    assert {"evidence_all_excerpt", "evidence_share_excerpt"} <= set(turns["intervals"])


def test_roles_both_indexes_what_the_assistant_said_too(evaluate, memories):
    rows = evaluate("memory", memories, "--source", "full", "--roles", "user", "--roles", "both")
    user, both = (one(rows, slice="all", lang="en", roles=roles) for roles in ("user", "both"))
    assert both["metrics"]["tokens"] > user["metrics"]["tokens"]


def test_two_people_with_names_are_both_indexed(evaluate, memories):
    rows = [json.loads(line) for line in memories.read_text("utf-8").splitlines()][:1]
    for session in rows[0]["sessions"]:
        for turn in session["turns"]:
            turn["role"] = {"user": "Ada", "assistant": "Ben"}[turn["role"]]
    memories.write_text(json.dumps(rows[0]), "utf-8")
    row = one(evaluate("memory", memories, "--retriever", "bm25"), slice="all")
    assert row["roles"] == "both"
    assert row["metrics"]["evidence_all"] == 1


def test_people_do_not_find_each_others_turns(evaluate, memories):
    """Every conversation is another person's; a question about one finds nothing in the others."""
    rows = [json.loads(line) for line in memories.read_text("utf-8").splitlines()]
    rows[0]["questions"][0]["question"] = "福岡 引っ越し"
    memories.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    row = one(evaluate("memory", memories, "--retriever", "bm25"), slice="all", lang="en")
    assert row["metrics"]["tokens"] == 0
    assert row["metrics"]["evidence_rank_p50"] == 4  # three turns are indexed, and it is in no ranking


def test_arms_of_one_kind_of_roles_are_held_against_each_other(evaluate, memories):
    rows = evaluate(
        *("memory", memories, "--retriever", "bm25", "--roles", "user", "--roles", "both"),
        *("--source", "turns", "--source", "full"),
    )
    for roles in ("user", "both"):
        found = one(rows, slice="all", lang=None, roles=roles, source="turns")
        assert {versus.get("source") for versus in found["versus"]} == {"full"}
        assert not any("roles" in versus for versus in found["versus"])


def test_every_question_is_answered_for_a_judge(evaluate, tmp_path):
    said = [[{"role": "user", "content": "I keep bees in Lisbon."}, {"role": "assistant", "content": "How nice."}]]
    asked = {"question_type": "single-session-user", "question_date": "2026/03/02 (Mon) 10:00", "answer": "Lisbon"}
    asked |= {"answer_session_ids": ["s"], "haystack_dates": ["2026/03/01"], "haystack_session_ids": ["s"]}
    path = tmp_path / "lme.json"
    talks = []
    for name, question, known in (("q1", "Where do I keep bees?", True), ("q2_abs", "Who is my dentist?", False)):
        session = [{**said[0][0], "has_answer": known}, said[0][1]]
        talks.append({"question_id": name, "question": question, "haystack_sessions": [session], **asked})
    path.write_text(json.dumps(talks), "utf-8")
    to = tmp_path / "hypotheses.jsonl"
    evaluate("memory", path, "--retriever", "bm25", "--reader", "quoted", "--hypotheses", to)
    assert evaluate.status == 0, evaluate.err
    told = [json.loads(line) for line in to.read_text("utf-8").splitlines()]
    assert [list(line) for line in told] == [["question_id", "hypothesis"]] * 2
    answers = {line["question_id"]: line["hypothesis"] for line in told}
    assert "Lisbon" in answers["q1"]
    assert answers["q2_abs"]
    assert "Lisbon" not in answers["q2_abs"]
    evaluate("memory", path, "--retriever", "bm25", "--budget", 100, "--budget", 200, "--hypotheses", to)
    assert evaluate.status == 1
    assert "--hypotheses writes one file" in evaluate.err
    evaluate("memory", path, "--reader", "quoted")
    assert "--reader does not apply to memory" in evaluate.err

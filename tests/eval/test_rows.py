"""The output object, as the contract has it."""

from __future__ import annotations

import json

import pytest

from anaphor_eval.rows import Arm, Cell, Drawing, Output, Row, machine, output, rows
from anaphor_eval.statistics import Unpaired, mean


def cell(rewriter, values, where="all", retriever="bm25", **more):
    turns = range(len(values))
    return Cell(Arm(rewriter, "gold", retriever=retriever), where, {"recall@5": mean(values, turns, turns)}, **more)


def test_what_does_not_apply_is_absent():
    told = Row("drcd", "all", 3, {"exact": 0.5}).as_dict()
    assert told == {"data": "drcd", "slice": "all", "n": 3, "metrics": {"exact": 0.5}}


def test_keys_come_in_the_contracts_order():
    arm = Arm("raw", "gold", "turns", "user", "bm25", 1500, 120000, "quoted", "m")
    told = Row("locomo", "all", 1, {"recall@5": 1.0}, arm, "en", "dev", {"recall@5": (0.0, 1.0)}).as_dict()
    assert " ".join(told) == (
        "data lang split rewriter history source roles retriever budget length reader model slice n metrics intervals"
    )


def test_arms_that_differ_in_one_dimension_are_told_against_each_other():
    made = rows(
        "mtrag",
        [cell("raw", [0, 0, 1, 0, 0, 1]), cell("gold", [1, 1, 1, 0, 1, 1]), cell("raw", [1] * 6, retriever="dense")],
        lang="en",
    )
    told = [row.as_dict() for row in made]
    (against,) = [each for each in told[0]["versus"] if "rewriter" in each]
    assert against | {"interval": None} == {
        "rewriter": "gold",
        "metric": "recall@5",
        "difference": -0.5,
        "interval": None,
        "lower": -1.0,
        "not_below": False,
        "p": 0.25,
        "p_holm": 0.25,
    }
    (back,) = [each for each in told[1]["versus"] if "rewriter" in each]
    assert back["difference"] == 0.5
    assert back["interval"] == [-limit for limit in reversed(against["interval"])]
    assert back["lower"] >= back["interval"][0]
    assert back["not_below"]
    assert {each["retriever"] for each in told[0]["versus"] if "retriever" in each} == {"dense"}
    assert len(told[2]["versus"]) == 1


def test_a_model_is_no_difference_of_its_own_beside_the_rewriter_it_serves():
    raw, model, other = (
        Cell(Arm(rewriter=rewriter, model=name), "all", {"recall@5": mean(values, "abc", "abc")})
        for rewriter, name, values in (("raw", None, [0, 0, 1]), ("model", "m", [1, 1, 1]), ("model", "n", [1, 0, 1]))
    )
    told = [row.as_dict()["versus"] for row in rows("x", [raw, model, other])]
    assert [(each["rewriter"], each["model"]) for each in told[0]] == [("model", "m"), ("model", "n")]
    assert [(each.get("rewriter"), each.get("model")) for each in told[1]] == [("raw", None), (None, "n")]


def test_what_does_not_apply_to_one_arm_does_not_keep_it_from_being_compared():
    found, recent, everything, more = (
        Cell(Arm(**arm), "all", {"evidence_all": mean(values, "abc", "abc")})
        for arm, values in (
            ({"source": "turns", "retriever": "bm25", "budget": 1500}, [1, 0, 1]),
            ({"source": "recent", "budget": 1500}, [0, 0, 1]),
            ({"source": "full"}, [1, 1, 1]),
            ({"source": "recent", "budget": 3000}, [0, 1, 1]),
        )
    )
    told = [row.as_dict()["versus"] for row in rows("x", [found, recent, everything, more])]
    assert [(each.get("source"), each.get("budget")) for each in told[0]] == [("recent", None), ("full", None)]
    assert [(each.get("source"), each.get("retriever"), each.get("budget")) for each in told[2]] == [
        ("turns", "bm25", 1500),
        ("recent", None, 1500),
        ("recent", None, 3000),
    ]


def test_the_margin_is_the_runs_and_is_only_for_shares():
    def arms(rewriter, values):
        samples = {name: mean(values, range(40), range(40)) for name in ("recall@5", "tokens")}
        return Cell(Arm(rewriter), "all", samples)

    cells = [arms("embedded", [1, 0] * 20), arms("gold", [1, 0] * 18 + [1, 1, 1, 0])]
    for margin, holds in ((0.02, False), (0.2, True)):
        (shares, others) = rows("x", cells, drawing=Drawing(margin=margin))[0].as_dict()["versus"]
        assert (shares["metric"], shares["not_below"]) == ("recall@5", holds)
        assert "lower" in others
        assert "not_below" not in others


def test_slices_are_not_compared_with_each_other():
    made = rows("x", [cell("raw", [0, 1]), cell("gold", [1, 1], where="later")])
    assert [row.versus for row in made] == [(), ()]


def test_arms_of_one_slice_that_measured_other_turns_are_an_error():
    with pytest.raises(Unpaired):
        rows("x", [cell("raw", [0, 1, 1]), cell("gold", [1, 1])])


def test_a_metric_without_a_value_is_absent():
    made = rows("x", [Cell(Arm("raw"), "all", {"recall@5": mean([], [], [])}, {"ms_p50": 3.0}, n=0)])
    assert made[0].as_dict() == {"data": "x", "rewriter": "raw", "slice": "all", "n": 0, "metrics": {"ms_p50": 3.0}}


def test_the_output_says_how_where_and_what(tmp_path):
    whole = output(
        "anaphor eval rewrite x.jsonl", {"seed": 1}, rows("x", [cell("raw", [0, 1])], drawing=Drawing(seed=2))
    )
    assert list(whole.as_dict()) == ["command", "version", "commit", "settings", "machine", "rows"]
    assert whole.version
    assert whole.commit
    whole.write(tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == whole.as_dict()
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_run_told_twice_is_the_same():
    cells = [cell("raw", [0, 1, 0, 1]), cell("gold", [1, 1, 0, 1])]
    once, again = (Output("c", {}, tuple(rows("x", cells))).as_dict() for _ in range(2))
    assert once == again


def test_the_machine_is_named():
    facts = machine()
    assert facts["cores"] >= 1
    assert facts["python"].startswith("3.")

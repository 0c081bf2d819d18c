"""Results in other people's formats."""

from __future__ import annotations

import json

import pytest

from anaphor.types import Passage
from anaphor_eval import exports
from anaphor_eval.datasets import Query, SingleQuestion, read
from anaphor_eval.metrics.runs import measure

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 2, "d3": 0}}
RUN = {"q1": ["d3", "d1"], "q2": ["d2"]}


def test_trec_files_are_what_trec_tools_read(tmp_path):
    ir_measures = pytest.importorskip("ir_measures")
    exports.trec_run(tmp_path / "a.run", RUN, "bm25")
    exports.trec_qrels(tmp_path / "a.qrels", QRELS)
    run, qrels = (
        ir_measures.read_trec_run(str(tmp_path / "a.run")),
        ir_measures.read_trec_qrels(str(tmp_path / "a.qrels")),
    )
    theirs = {each.query_id: each.value for each in ir_measures.iter_calc([ir_measures.RR], list(qrels), list(run))}
    assert theirs == pytest.approx(measure("mrr", QRELS, RUN))
    assert (tmp_path / "a.run").read_text() == (
        "q1 Q0 d3 1 1.000000000 bm25\nq1 Q0 d1 2 0.500000000 bm25\nq2 Q0 d2 1 1.000000000 bm25\n"
    )


def test_a_column_cannot_hold_a_space(tmp_path):
    with pytest.raises(exports.ExportError, match="'a b' cannot be a column"):
        exports.trec_run(tmp_path / "a.run", {"a b": ["d"]}, "x")
    with pytest.raises(exports.ExportError, match="cannot be a cell"):
        exports.beir(tmp_path / "b", [], [], {"a\tb": {"d": 1}})


def test_a_beir_folder_is_read_back(tmp_path):
    passages = [Passage("梅雨#0", "梅雨は雨の多い期間。", "x", title="梅雨"), Passage("d 2", "Rain.", "x")]
    exports.beir(tmp_path / "set", passages, [Query("q1", "梅雨とは")], {"q1": {"梅雨#0": 1}})
    found = read(tmp_path / "set")
    assert found.kind is SingleQuestion
    assert [(q.question, q.language, q.gold) for q in found.items] == [("梅雨とは", "ja", ("梅雨#0",))]
    assert [passage.text for passage in found.passages] == ["梅雨は雨の多い期間。", "Rain."]


def test_longmemeval_hypotheses(tmp_path):
    exports.longmemeval(tmp_path / "h.jsonl", {"e47": "植物學", "e48": "line\nbreak"})
    lines = (tmp_path / "h.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"question_id": "e47", "hypothesis": "植物學"},
        {"question_id": "e48", "hypothesis": "line\nbreak"},
    ]

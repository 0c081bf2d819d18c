"""Facts that are read, held against gold ones by hand-counted figures."""

import json
from pathlib import Path

import pytest

from anaphor.errors import BadInput
from anaphor.settings import Settings
from anaphor_eval.tasks.extraction import extraction, folded
from anaphor_eval.tasks.plan import Plan


def written(path: Path, rows) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def item(name, lang, content, facts=(), not_facts=()):
    return {
        "id": name,
        "lang": lang,
        "turns": [{"role": "user", "content": content, "date": "2026-03-02"}],
        "facts": [dict(zip(("about", "kind", "value", "status"), fact, strict=True)) for fact in facts],
        "not_facts": list(not_facts),
    }


def measured(path, **more):
    found = extraction(Plan(files=(path,), settings=Settings(), **more))
    return {(row.lang, row.slice): row for row in found}


def test_precision_counts_only_what_is_certainly_wrong(tmp_path):
    rows = [
        item("a", "en", "I live in Hull and I have four hens.", [("user", "place", "Hull", "current")], ["five hens"]),
        item("b", "ja", "釧路に住んでいます。", [("user", "place", "釧路", "past")], ["函館"]),
        item("c", "zh-Hant", "我住在花蓮。", [], ["花蓮"]),
    ]
    found = measured(written(tmp_path / "facts.jsonl", rows))
    assert found["en", "all"].metrics["precision"] == 1.0  # the hens are in no list, and count neither way
    assert found["en", "all"].metrics["recall"] == 1.0
    assert found["ja", "all"].metrics["recall"] == 1.0
    assert found["ja", "all"].metrics["recall_strict"] == 0.0  # said to be so now, not in the past
    assert found["zh-Hant", "all"].metrics["precision"] == 0.0
    assert found["zh-Hant", "all"].metrics["not_facts_stored"] == 1.0
    assert found[None, "all"].metrics["recall"] == 1.0
    assert found[None, "kind:place"].n == 3


def test_what_only_the_assistant_said_is_no_fact_and_takes_no_time(tmp_path):
    row = item("a", "en", "You live in Hull.", [], ["Hull"])
    row["turns"][0]["role"] = "assistant"
    found = measured(written(tmp_path / "facts.jsonl", [row]))["en", "all"]
    assert found.metrics["not_facts_stored"] == 0
    assert "ms_p50" not in found.metrics


def test_a_value_is_compared_without_marks_case_width_and_script():
    assert folded("ＡＢＣ 機場、") == folded("abc机场")


def test_contradictions_are_told_beside_always_saying_yes(tmp_path):
    talk = [("user", "你喜欢运动吗？"), ("assistant", "喜欢，我每天跑步"), ("user", "你不喜欢运动吗？")]
    history = [{"role": role, "content": content} for role, content in talk]
    rows = [
        {
            "id": f"c{n}",
            "lang": "zh-Hans",
            "history": history,
            "reply": reply,
            "label": "x",
            "contradicts_history": wrong,
            "method": "m",
        }
        for n, (reply, wrong) in enumerate([("喜欢啊，很喜欢", False), ("不喜欢，太累了", True)])
    ]
    found = measured(written(tmp_path / "cdconv.jsonl", rows))
    assert found["zh-Hans", "all"].metrics == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert found["zh-Hans", "always_yes"].metrics["f1"] == pytest.approx(2 / 3)


def test_another_kind_of_file_is_refused(tmp_path):
    path = written(tmp_path / "other.jsonl", [{"id": "q", "lang": "en", "question": "Who?", "answers": ["A"]}])
    with pytest.raises(BadInput):
        measured(path)

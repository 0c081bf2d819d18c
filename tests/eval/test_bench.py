"""The bench on a folder of our own: it says what is missing, writes its three kinds of files, and keeps what it has."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SPINE = Path(__file__).parents[2] / "benchmarks" / "spine.py"


def bench(folder, *arguments):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ANAPHOR_", "OPENAI_"))}
    return subprocess.run(
        [sys.executable, str(SPINE), *arguments], capture_output=True, text=True, cwd=folder, env=environment
    )


def sets(folder):
    (folder / "rag").mkdir()
    rows = [
        {
            "id": f"c{c}",
            "lang": "zh-Hans",
            "turns": [
                {"turn": 1, "query": "云雀网盘的分享链接多久失效？", "gold_passages": ["p1"], "reply": "七天。"},
                {"turn": 2, "query": "高级套餐呢？", "gold_passages": ["p2"], "reply": "一百二十元。"},
            ],
        }
        for c in (1, 2)
    ]
    passages = [
        {"id": "p1", "lang": "zh-Hans", "title": "分享", "text": "云雀网盘的分享链接默认七天后失效。"},
        {"id": "p2", "lang": "zh-Hans", "title": "套餐", "text": "云雀网盘的高级套餐每年一百二十元。"},
    ]
    for name, lines in (("domainrag_zh", rows), ("domainrag_passages", passages)):
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        (folder / "rag" / f"{name}.jsonl").write_text(text, "utf-8")


def test_without_data_or_with_half_of_it_one_line_says_what_is_missing(tmp_path):
    done = bench(tmp_path)
    assert done.returncode == 1
    assert done.stderr == "bench: no folder of evaluation data: make bench DATA=folder\n"
    done = bench(tmp_path, str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith(f"bench: {tmp_path} lacks rag/mtrag_human.jsonl")


def test_one_misspelt_set_among_right_ones_is_not_passed_over(tmp_path):
    refused = bench(tmp_path, str(tmp_path), "--only", "locomo", "--only", "mtrag")
    assert refused.returncode == 1
    assert refused.stderr.startswith("bench: nothing is called mtrag; there are mtrag_human,")


@pytest.mark.slow
def test_rows_pages_and_charts_are_written_and_other_sets_kept(tmp_path):
    sets(tmp_path)
    out = tmp_path / "out"
    call = (str(tmp_path), "--to", str(out), "--cache", str(tmp_path / "c"), "--only", "domainrag_zh", "--lexical")
    done = bench(tmp_path, *call)
    assert done.returncode == 0, done.stderr
    run = json.loads((out / "spine.json").read_text("utf-8"))
    rows = [row for row in run["rows"] if row["slice"] == "later"]
    assert [row["rewriter"] for row in rows] == ["raw", "concat", "previous", "embedded"]
    assert {row["split"] for row in run["rows"]} == {"dev"}
    text = (out / "spine.md").read_text("utf-8")
    assert "| domainrag_zh (zh-Hans) | 2 |" in text
    assert "nobody has written a rewrite" in text
    assert str(tmp_path) not in text
    assert (out / "figures" / "domainrag_zh-zh-Hans.svg").read_text("utf-8").startswith("<svg")
    kept = {**rows[0], "data": "locomo"}
    (out / "spine.json").write_text(json.dumps({**run, "rows": [*run["rows"], kept]}), "utf-8")
    assert bench(tmp_path, *call).returncode == 0
    again = json.loads((out / "spine.json").read_text("utf-8"))["rows"]
    assert [row["data"] for row in again] == [*(row["data"] for row in run["rows"]), "locomo"]


RESULTS = Path(__file__).parents[2] / "docs" / "benchmarks"


@pytest.mark.parametrize("name", ["memory", "recall", "peers", "spine", "answers"])
def test_results_stand_as_they_are_written_a_row_a_line(bench_called, tmp_path, name):
    shared, there = bench_called("shared"), (RESULTS / f"{name}.json").read_text("utf-8")
    told = json.loads(there)
    path = tmp_path / "deep" / f"{name}.json"
    if "runs" in told:
        shared.keep(path, told["runs"])
        key = "part" if "part" in told["runs"][0] else "data"
        names = [run[key] for run in told["runs"]]
        assert list(shared.kept(path, key, names[1:])) == names[1:]
    else:
        shared.keep_one(path, told)
    assert path.read_text("utf-8") == there


def test_who_has_no_earlier_results_begins_with_none(bench_called, tmp_path):
    assert bench_called("shared").kept(tmp_path / "none.json", "part", ["a"]) == {}


@pytest.mark.parametrize("name", ["answers", "memory", "passages", "peers", "recall", "service", "speed"])
def test_every_bench_says_in_one_line_that_it_has_no_data(tmp_path, name):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ANAPHOR_", "OPENAI_"))}
    command = [sys.executable, str(SPINE.with_name(f"{name}.py"))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 1
    assert done.stderr == f"bench: no folder of evaluation data: make bench-{name} DATA=folder\n"


RECALL = SPINE.with_name("recall.py")


def test_the_page_on_recall_has_every_arm_its_tokens_and_its_categories(tmp_path):
    (tmp_path / "memory").mkdir()
    turns = [
        {"turn_id": f"t{n}", "role": "user", "content": text}
        for n, text in enumerate(["我搬到台中了。", "我養了一隻貓。", "貓叫麻糬。"], 1)
    ]
    asked = {"id": "q", "question": "貓叫什麼?", "answer": "麻糬", "category": "single", "evidence": ["t3"]}
    row = {
        "id": "c",
        "lang": "zh-Hant",
        "sessions": [{"session_id": "s", "date": "2026-05-18T22:45+08:00", "turns": turns}],
        "questions": [asked],
    }
    (tmp_path / "memory" / "assistant_cjk.jsonl").write_text(json.dumps(row, ensure_ascii=False), "utf-8")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ANAPHOR_", "OPENAI_"))}
    part = ("--only", "assistant_cjk", "--words", "assistant_cjk")
    call = [sys.executable, str(RECALL), str(tmp_path), "--to", str(tmp_path), "--cache", str(tmp_path / "c"), *part]
    done = subprocess.run(call, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "recall.md").read_text("utf-8")
    assert "| bm25 | 1.000" in page
    assert "| default | 1.000" in page
    assert "| recent | 1.000" in page
    assert "| single | 1 |" in page
    run = json.loads((tmp_path / "recall.json").read_text("utf-8"))["runs"][0]
    assert run["settings"]["embedder"] is None
    assert {row["retriever"] for row in run["rows"] if row["source"] == "turns"} == {"bm25", "default"}

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

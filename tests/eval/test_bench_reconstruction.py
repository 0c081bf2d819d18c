"""The bench of reconstruction: one line for what is missing, JSON for what is kept, a page for what was reached."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
ABOUT = {"commit": "0" * 40, "code": "x", "seconds": 1, "limit": None, "retrievers": ["bm25"], "load": 0.1}


@pytest.fixture(scope="module")
def bench(bench_called):
    return bench_called("reconstruction")


def call(folder, *arguments):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ANAPHOR_", "OPENAI_"))}
    script = [sys.executable, str(BENCHMARKS / "reconstruction.py")]
    return subprocess.run([*script, *arguments], capture_output=True, text=True, cwd=folder, env=environment)


def test_without_data_one_line_says_so(tmp_path):
    done = call(tmp_path)
    assert done.returncode == 1
    assert done.stderr == "bench: no folder of evaluation data: make bench-reconstruction DATA=folder\n"


def guard_line(arm, value):
    return {"row": "guard", "arm": arm, "n": 40, "groups": 9, "value": value, "interval": [0.0, 0.2], "data": "all"}


def test_the_page_says_what_was_reached_and_what_not(bench, tmp_path):
    lines = [guard_line("a person's rewrite", 0.04), guard_line("number_changed", 0.5)]
    calls = [
        {
            "row": "calls",
            "arm": arm,
            "n": 9,
            "groups": 3,
            "value": 0.6,
            "interval": [0.5, 0.7],
            "retriever": "bm25",
            "metric": "recall@10",
            "avoided": avoided,
            "versus": {"always": {"difference": 0.0, "between": [-0.02, 0.02], "least": -0.015, "not_below": False}},
        }
        for arm, avoided in (("0.8", 0.7), ("1.01", 0.0))
    ]
    run = {
        "version": "0",
        "machine": {"cores": 2},
        "settings": {},
        "parts": {"guard": {**ABOUT, "lines": lines}, "calls": {**ABOUT, "lines": calls}},
    }
    bench._keep(tmp_path / "reconstruction.json", run)
    assert json.loads((tmp_path / "reconstruction.json").read_text("utf-8")) == run
    bench.reconstruction_page.write(tmp_path, run)
    page = (tmp_path / "reconstruction.md").read_text("utf-8")
    assert "| guard: a person's rewrites refused | ≤ .05 | .040 [.000, .200] (40) | yes |" in page
    assert "| guard: planted drifts caught, number_changed | ≥ .90 | .500 [.000, .200] (40) | **no** |" in page
    assert "70% avoided" in page
    assert (tmp_path / "figures" / "reconstruction-calls.svg").read_text("utf-8").startswith("<svg")


def test_a_switch_lets_go_only_if_nothing_of_the_old_topic_is_searched(bench):
    from anaphor.types import Carried, Decision, StandaloneQuery, Term

    def lets_go(text, **more):
        return bench._lets_go(StandaloneQuery(text, Decision.NEW_TOPIC, 0.9, "zh-Hant", **more), "天琴方案多少錢？")

    assert lets_go("天琴方案多少錢", terms=(Term("天琴方案", 1.0),))
    assert not lets_go("獵戶的天琴方案多少錢？")
    assert not lets_go("天琴方案多少錢？", terms=(Term("天琴方案", 1.0), Term("獵戶", 0.2)))
    assert not lets_go("天琴方案多少錢？", queries=("天琴方案多少錢？", "獵戶方案多少錢？"))
    assert not lets_go("天琴方案多少錢？", carried=(Carried("方案", 1, "subject", 0.3),))


@pytest.mark.parametrize(("raw", "embedded", "gold", "share"), [([0, 0, 1], [1, 0, 1], [1, 1, 1], 0.5)])
def test_the_gap_closed_is_a_share_of_sums(bench, raw, embedded, gold, share):
    from anaphor_eval.statistics import mean

    arms = {"raw": raw, "embedded": embedded, "gold": gold}
    samples = {name: mean(values, range(3), "abc") for name, values in arms.items()}
    assert bench._closed(samples).value == share

"""Reports: everything a reader needs to judge a figure is beside it."""

import json

import pytest

from anaphor.cli import run
from anaphor.errors import BadInput, MissingFile
from anaphor_eval.report import as_html, as_markdown, brief, load, number, signed


def row(rewriter, value, low, high, **more):
    return {
        "data": "talks",
        "lang": "ja",
        "split": "open half",
        "rewriter": rewriter,
        "history": "gold",
        "retriever": "bm25",
        "slice": "later",
        "n": 166,
        "metrics": {"recall@5": value, "recall@10": value + 0.1, "ms_p50": 2.34},
        "intervals": {"recall@5": [low, high]},
        **more,
    }


def against(name, difference, interval, p, metric="recall@5"):
    return {"rewriter": name, "metric": metric, "difference": difference, "interval": interval, "p": p, "p_holm": 1.0}


RUN = {
    "command": "anaphor eval retrieval talks.jsonl",
    "version": "0.1.0",
    "commit": "abc123",
    "settings": {"files": ["/somewhere/talks.jsonl"], "seed": 7, "window": {"turns": 4}},
    "machine": {"cores": 2, "processor": "Some <CPU>"},
    "rows": [
        row("raw", 0.461, 0.38, 0.54, versus=[against("gold", -0.043, [-0.101, 0.016], 0.16)]),
        row("gold", 0.504, 0.42, 0.58, versus=[against("raw", 0.043, [-0.016, 0.101], 0.16)]),
        row("concat", 0.359, 0.28, 0.43, versus=[against("raw", -0.102, [-0.16, -0.04], 0.001)]),
        row("raw", 0.2, 0.1, 0.3, slice="domain:a|b", n=9),
    ],
}


@pytest.fixture(params=[as_markdown, as_html], ids=["markdown", "html"])
def text(request):
    return request.param([RUN], "Figures <today>")


def test_corpus_commit_settings_seed_and_machine_are_told(text):
    for part in ("talks.jsonl", "abc123", "0.1.0", "Seed: 7", "turns", "cores 2", "open half"):
        assert part in text
    assert "/somewhere" not in text


def test_every_figure_has_its_interval_and_its_n(text):
    assert ".461 [.380, .540]" in text
    assert "later, n = 166" in text
    assert "2.3" in text


def test_a_difference_within_noise_is_printed_as_such_and_each_pair_once(text):
    assert "-.043" in text
    assert "+.043" not in text
    assert text.count("within noise") == 1
    assert "[-.160, -.040]" in text


def test_an_arm_is_named_by_what_applies_to_it():
    found = {"data": "talks", "source": "turns", "retriever": "rrf", "slice": "all", "n": 9, "metrics": {}}
    found |= {"metrics": {"evidence_share": 0.7}, "intervals": {}}
    recent = {key: value for key, value in found.items() if key != "retriever"} | {"source": "recent"}
    lost = {"metric": "evidence_share", "difference": 0.3, "interval": [0.1, 0.5], "p": 0.01}
    found["versus"] = [{"source": "recent", **lost}]
    recent["versus"] = [{"source": "turns", "retriever": "rrf", **lost, "difference": -0.3, "interval": [-0.5, -0.1]}]
    text = as_markdown([{**RUN, "rows": [found, recent]}], "Memory")
    assert "| turns × rrf | recent | +.300 |" in text
    assert text.count(".300") == 1


def test_a_chart_takes_its_title_as_it_is():
    rows = [{**each, "data": r"price $\frac$ and $5"} for each in RUN["rows"]]
    assert r"price $\frac$ and $5" in as_html([{**RUN, "rows": rows}], "Figures")


def test_categories_are_in_a_table_of_their_own(text):
    assert "recall@5 by category" in text
    assert "domain:a" in text


def test_html_is_one_page_that_asks_the_network_for_nothing():
    page = as_html([RUN], "Figures <today>")
    assert "<title>Figures &lt;today&gt;</title>" in page
    assert "Some &lt;CPU&gt;" in page
    assert "<svg" in page
    assert "<script" not in page
    assert "src=" not in page
    assert as_html([RUN], "Figures <today>") == page  # the same rows give the same page


def test_markdown_escapes_what_would_end_a_cell():
    assert "domain:a\\|b" in as_markdown([RUN], "x")


@pytest.mark.parametrize(
    ("value", "metric", "shown"),
    [
        (0.4609, "recall@5", ".461"),
        (1, "mrr", "1.000"),
        (-0.5, "x", "-.500"),
        (1499.6, "tokens", "1500"),
        (2.34, "ms_p50", "2.3"),
    ],
)
def test_numbers_are_short(value, metric, shown):
    assert number(value, metric) == shown


def test_signs_are_always_there():
    assert (signed(0.043), signed(-0.043), signed(0)) == ("+.043", "-.043", "+.000")


def test_a_terminal_gets_a_line_an_arm():
    lines = list(brief(RUN["rows"]))
    assert lines[0] == "talks (ja)"
    assert any(line.strip().startswith("concat") and "recall@5 .359 [.280, .430]" in line for line in lines)


def test_the_command_writes_both(tmp_path, capsys):
    (tmp_path / "run.json").write_text(json.dumps(RUN), "utf-8")
    arguments = ["eval", "report", str(tmp_path / "run.json")]
    assert run([*arguments, "--markdown", str(tmp_path / "r.md"), "--html", str(tmp_path / "r.html")]) == 0
    assert (tmp_path / "r.md").read_text("utf-8").startswith("# What was measured")
    assert "<svg" in (tmp_path / "r.html").read_text("utf-8")
    assert run(arguments) == 0
    assert "# What was measured" in capsys.readouterr().out


def test_what_is_no_run_is_an_error(tmp_path):
    with pytest.raises(MissingFile):
        load(tmp_path / "nothing.json")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(BadInput, match="not written by anaphor eval"):
        load(tmp_path / "list.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(BadInput, match="not JSON"):
        load(tmp_path / "broken.json")
    for rows in ("[1]", "[{}]", '[{"data": "x", "slice": "all", "n": 1}]'):
        (tmp_path / "rows.json").write_text(f'{{"rows": {rows}}}')
        with pytest.raises(BadInput, match="not written by anaphor eval"):
            load(tmp_path / "rows.json")
    (tmp_path / "latin.json").write_bytes(b"\xff")
    with pytest.raises(BadInput, match=r"latin\.json:1: not UTF-8: byte 0xff"):
        load(tmp_path / "latin.json")

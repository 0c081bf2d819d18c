"""Rewrites held against a person's."""

import json

import pytest

from anaphor import wiring
from anaphor.adapters.fake.model import ScriptedModel

TURNS = [
    ("en", "Where is the Kestrel office?", "In Oslo.", "And how big is it?", "How big is the Kestrel office?", True),
    ("en", "Where is the Kestrel office?", "In Oslo.", "When was Owl founded?", "When was Owl founded?", False),
    ("zh-Hant", "獵戶方案多少錢？", "四百元。", "那退款呢？", "獵戶方案的退款規定是什麼？", True),
    ("zh-Hans", "云雀网盘多少钱？", "一百元。", "它可以退款吗？", "云雀网盘可以退款吗？", True),
    ("ja", "年次休暇は何日ですか？", "十日です。", "それは繰り越せますか？", "年次休暇は繰り越せますか？", True),
]


@pytest.fixture
def utterances(tmp_path):
    rows = [
        {
            "id": f"u{n}",
            "lang": lang,
            "history": [{"role": "user", "content": asked}, {"role": "assistant", "content": told}],
            "utterance": utterance,
            "standalone": standalone,
            "needs_rewrite": needed,
        }
        for n, (lang, asked, told, utterance, standalone, needed) in enumerate(TURNS)
    ]
    path = tmp_path / "utterances.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def one(rows, **wanted):
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    assert len(found) == 1, wanted
    return found[0]


def test_a_persons_rewrite_is_its_own_gold_and_raw_keeps_what_stands_alone(evaluate, utterances):
    rows = evaluate("rewrite", utterances, "--rewriter", "raw", "--rewriter", "gold", "--rewriter", "concat")
    assert evaluate.status == 0, evaluate.err
    gold = one(rows, rewriter="gold", slice="all", lang="en")["metrics"]
    assert gold["exact"] == gold["rouge_l"] == gold["carried_f1"] == gold["kept_when_standalone"] == 1
    raw = one(rows, rewriter="raw", slice="all", lang="en")["metrics"]
    assert raw["kept_when_standalone"] == 1
    assert raw["carried_recall"] == 0
    assert raw["exact"] == 0.5
    concat = one(rows, rewriter="concat", slice="all", lang="en")["metrics"]
    assert concat["kept_when_standalone"] == 0
    assert 0 < concat["carried_precision"] < 1


def test_every_metric_of_the_contract_is_there(evaluate, utterances):
    row = one(evaluate("rewrite", utterances), slice="all", lang="en")
    assert set(row["metrics"]) == {
        *("exact", "rouge_l", "bleu", "carried_precision", "carried_recall", "carried_f1", "kept_when_standalone"),
        *("entity_kept", "added_content", "ms_p50", "ms_p95"),
    }
    assert row["rewriter"] == "embedded"
    assert {r["slice"] for r in evaluate("rewrite", utterances)} == {"all", "later", "needs_history", "needs_none"}


@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans", "ja"])
def test_rows_of_each_language(evaluate, utterances, language):
    row = one(evaluate("rewrite", utterances, "--rewriter", "raw"), slice="all", lang=language)
    assert row["n"] == 1
    assert row["metrics"]["added_content"] == 0


def test_the_model_is_asked_counted_and_held_by_the_guard(evaluate, utterances, monkeypatch):
    monkeypatch.setattr(wiring, "rewriter", lambda _settings: ScriptedModel(["not JSON at all"] * 20))
    row = one(evaluate("rewrite", utterances, "--rewriter", "model"), slice="all", lang=None)
    assert 0 <= row["metrics"]["guard_refused"] <= 1
    assert "model_calls" in row["metrics"]


def test_figures_of_two_tokenizers_are_not_added_up(evaluate, utterances):
    rows = evaluate("rewrite", utterances, "--rewriter", "raw")
    assert {r.get("lang") for r in rows if r["slice"] == "all" and "bleu" in r["metrics"]} == {
        "en",
        "zh-Hant",
        "zh-Hans",
        "ja",
    }
    assert all("rouge_l" in r["metrics"] for r in rows if r["slice"] == "all")


def test_without_a_model_the_model_arm_is_one_clear_error(evaluate, utterances):
    assert evaluate("rewrite", utterances, "--rewriter", "model") == []
    assert evaluate.status == 1
    assert "ANAPHOR_REWRITE_MODEL" in evaluate.err
    assert evaluate.err.count("\n") == 1


def test_the_guard_is_held_against_peoples_rewrites_and_drifts_planted_in_them(evaluate, utterances):
    rows = evaluate("rewrite", utterances, "--rewriter", "gold")
    assert evaluate.status == 0, evaluate.err
    whole = one(rows, slice="later", lang=None)["metrics"]
    assert 0 <= whole["guard_refused"] <= 0.5
    caught = one(rows, slice="drift:constraint_added", lang=None)
    assert caught["n"] == len(TURNS)
    assert caught["metrics"] == {"guard_refused": 1.0}
    assert one(rows, slice="drift", lang=None)["n"] >= caught["n"]
    assert one(rows, slice="drift:constraint_added", lang="ja")["n"] == 1
    raw = evaluate("rewrite", utterances, "--rewriter", "raw")
    assert not any(row["slice"].startswith("drift") for row in raw)

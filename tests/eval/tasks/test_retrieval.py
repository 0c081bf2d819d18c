"""Retrieval over conversations: every combination, the right figures, and errors in place of silent zeros."""

import itertools
import json
import math

import ir_measures
import pytest

from anaphor import wiring
from anaphor.adapters.fake.model import ScriptedModel

MAIN = ("raw", "concat", "previous", "gold", "gold+previous")


def flags(name, *values):
    return list(itertools.chain.from_iterable((f"--{name}", value) for value in values))


def one(rows, **wanted):
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    assert len(found) == 1, wanted
    return found[0]


def without_times(rows):
    return [{**row, "metrics": {k: v for k, v in row["metrics"].items() if not k.startswith("ms_")}} for row in rows]


def test_every_combination_is_a_row(evaluate, talks):
    rows = evaluate("retrieval", talks, *flags("rewriter", *MAIN), *flags("retriever", "bm25", "dense", "rrf"))
    assert evaluate.status == 0
    cells = [(r["rewriter"], r["retriever"]) for r in rows if r["slice"] == "later" and r.get("lang") == "ja"]
    assert cells == list(itertools.product(MAIN, ("bm25", "dense", "rrf")))
    assert {r.get("lang") for r in rows} == {None, "en", "zh-Hant", "zh-Hans", "ja"}
    assert {r["slice"] for r in rows} == {"all", "first", "later", "answerable", "domain:products"}


def test_a_row_has_the_keys_of_the_contract(evaluate, talks):
    rows = evaluate("retrieval", talks, *flags("rewriter", "raw", "gold"), "--retriever", "bm25", "--split", "dev")
    row = one(rows, rewriter="gold", slice="later", lang="en")
    assert list(row) == [
        *("data", "lang", "split", "rewriter", "history", "retriever", "slice", "n", "metrics", "intervals", "versus")
    ]
    names = [f"{kind}@{k}" for kind in ("success", "recall", "all", "ndcg") for k in (1, 5, 10)]
    assert set(row["metrics"]) == {*names, "mrr", "ms_p50", "ms_p95"}
    assert row["data"] == "talks_four"
    assert row["split"] == "dev"
    assert row["n"] == 4
    whole = evaluate.whole
    assert list(whole) == ["command", "version", "commit", "settings", "machine", "rows"]
    assert whole["settings"]["seed"] == 1
    assert whole["settings"]["embedder"] == "hash-64"


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans", "ja"])
def test_a_persons_rewrite_finds_what_the_follow_up_means(evaluate, talks, language):
    rows = evaluate("retrieval", talks, *flags("rewriter", "raw", "gold"), "--retriever", "bm25")
    first = one(rows, rewriter="gold", slice="first", lang=language)
    later = one(rows, rewriter="gold", slice="later", lang=language)
    raw = one(rows, rewriter="raw", slice="later", lang=language)
    assert first["metrics"]["recall@1"] == 1
    assert later["metrics"]["recall@1"] == 1
    assert raw["metrics"]["mrr"] <= later["metrics"]["mrr"]


def test_two_arms_are_held_against_each_other_both_ways(evaluate, talks):
    rows = evaluate("retrieval", talks, *flags("rewriter", "raw", "gold"), "--retriever", "bm25")
    raw, gold = (one(rows, rewriter=name, slice="later", lang="en") for name in ("raw", "gold"))
    there = next(v for v in raw["versus"] if v["metric"] == "mrr")
    back = next(v for v in gold["versus"] if v["metric"] == "mrr")
    assert there["rewriter"] == "gold"
    assert back["rewriter"] == "raw"
    assert there["difference"] == -back["difference"] == raw["metrics"]["mrr"] - gold["metrics"]["mrr"]
    assert there["p"] == back["p"]
    assert "interval" in there


def test_a_gold_passage_that_is_not_in_the_pool_is_an_error(evaluate, talks):
    pool = talks.with_name("talks_passages.jsonl")
    kept = [line for line in pool.read_text("utf-8").splitlines() if "ja-leave" not in line]
    pool.write_text("\n".join(kept), "utf-8")
    assert evaluate("retrieval", talks, "--rewriter", "raw", "--retriever", "bm25") == []
    assert evaluate.status == 1
    assert "turn 'ja-1-1': gold passage 'ja-leave' is not among the 11 passages" in evaluate.err
    assert evaluate.err.count("\n") == 1


def test_gold_without_a_persons_rewrite_is_an_error_that_says_so(evaluate, talks):
    rows = [json.loads(line) for line in talks.read_text("utf-8").splitlines()]
    rows[1]["turns"][1]["standalone"] = None
    talks.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    evaluate("retrieval", talks, *flags("rewriter", "raw", "gold"), "--retriever", "bm25")
    assert evaluate.status == 1
    assert "talks_four: 1 of 18 scored turns have no rewrite by a person ('en-2-2' is the first)" in evaluate.err


def test_the_same_seed_gives_the_same_rows_and_limit_draws_conversations(evaluate, talks):
    call = ("retrieval", talks, "--rewriter", "concat", "--retriever", "rrf", "--limit", 3, "--seed", 5)
    once = evaluate(*call)
    assert without_times(evaluate(*call, "--cache", talks.parent / "other")) == without_times(once)
    assert sum(row["n"] for row in once if row["slice"] == "first" and "lang" not in row) == 3
    drawn = {tuple(r.get("lang", "") for r in evaluate(*call[:-1], seed)) for seed in range(6)}
    assert len(drawn) > 1


def test_a_finished_cell_is_taken_from_the_cache_and_fresh_measures_anew(evaluate, talks):
    call = ("retrieval", talks, "--rewriter", "raw", "--retriever", "bm25")
    once = evaluate(*call)
    assert evaluate(*call) == once
    again = evaluate(*call, "--fresh")
    assert again != once
    assert without_times(again) == without_times(once)


def test_embedded_sees_the_datas_replies_or_the_systems_own(evaluate, talks):
    rows = evaluate(
        *("retrieval", talks, "--retriever", "bm25"),
        *flags("rewriter", "raw", "embedded"),
        *flags("history", "gold", "own"),
    )
    assert evaluate.status == 0, evaluate.err
    cells = {(r["rewriter"], r["history"], r.get("reader")) for r in rows}
    assert cells == {
        ("raw", "gold", "quoted"),
        ("raw", "own", "quoted"),
        ("embedded", "gold", "quoted"),
        ("embedded", "own", "quoted"),
    }
    own = one(rows, rewriter="embedded", history="own", slice="later", lang="en")
    assert any(versus.get("history") == "gold" for versus in own["versus"])


def test_what_looks_at_no_answers_is_the_same_whoever_answered(evaluate, talks):
    rows = evaluate("retrieval", talks, "--retriever", "bm25", *flags("rewriter", "gold", "concat"), "--history", "own")
    assert evaluate.status == 0, evaluate.err
    assert one(rows, rewriter="gold", slice="later", lang="en")["metrics"]["success@5"] == 1


def test_a_model_is_asked_named_and_held_against_the_others(evaluate, talks, tmp_path, monkeypatch):
    monkeypatch.setenv("ANAPHOR_MODEL", "some/model:7b")
    monkeypatch.setenv("ANAPHOR_BASE_URL", "http://localhost:9")
    reply = json.dumps({"decision": "follow_up", "query": "貸出", "queries": [], "carried": []})
    monkeypatch.setattr(wiring, "rewriter", lambda _settings: ScriptedModel(lambda _asked: reply))
    rows = evaluate(
        *("retrieval", talks, "--retriever", "bm25", "--trec", tmp_path / "trec"), *flags("rewriter", "raw", "model")
    )
    assert evaluate.status == 0, evaluate.err
    found = one(rows, rewriter="model", slice="all", lang=None)
    assert found["model"] == "some/model:7b"
    assert found["metrics"]["model_calls"] > 0
    assert {versus["rewriter"] for versus in found["versus"]} == {"raw"}
    assert (tmp_path / "trec" / "talks_four.model-gold-bm25-some_model_7b.run").is_file()


def test_single_questions_are_measured_as_they_are_derived_and_spliced(evaluate, questions):
    rows = evaluate("retrieval", questions, *flags("rewriter", "raw", "gold"), "--retriever", "bm25")
    assert evaluate.status == 0, evaluate.err
    assert list(dict.fromkeys(row["data"] for row in rows)) == [
        *("articles_zh", "articles_zh.derived", "articles_zh.spliced")
    ]
    plain = one(rows, data="articles_zh", rewriter="raw", slice="all")
    assert plain["n"] == 6
    assert plain["metrics"]["success@5"] == 1
    spliced = one(rows, data="articles_zh.spliced", rewriter="raw", slice="topic_switch")
    assert spliced["n"] == 2
    only = evaluate("retrieval", questions, "--rewriter", "raw", "--retriever", "bm25", "--form", "derived")
    assert {row["data"] for row in only} == {"articles_zh.derived"}


def test_a_collection_without_rules_for_its_language_is_measured_as_it_is(evaluate, tmp_path):
    folder = tmp_path / "owls"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "title": "Owl", "text": "An owl is a bird."}\n', "utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "What is an owl?"}\n', "utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", "utf-8")
    rows = evaluate("retrieval", folder, "--rewriter", "raw", "--retriever", "bm25")
    assert {row["data"] for row in rows} == {"owls"}
    assert one(rows, slice="all")["metrics"]["mrr"] == 1
    with (folder / "queries.jsonl").open("a") as file:
        file.write('{"_id": "q2", "text": "Is a bird an owl?"}\n')
    with (folder / "qrels" / "test.tsv").open("a") as file:
        file.write("q2\td1\t2\n")
    rows = evaluate("retrieval", folder, "--rewriter", "raw", "--retriever", "bm25")
    assert one(rows, slice="all", lang="en")["n"] == 2  # what was kept was of another folder
    evaluate("retrieval", folder, "--form", "derived")
    assert evaluate.status == 1
    assert "no rules to leave a title out" in evaluate.err


def test_runs_can_be_had_in_trec_format(evaluate, talks, tmp_path):
    evaluate("retrieval", talks, "--rewriter", "gold", "--retriever", "bm25", "--trec", tmp_path / "trec")
    qrels = (tmp_path / "trec" / "talks_four.qrels").read_text("utf-8").splitlines()
    run = (tmp_path / "trec" / "talks_four.gold-gold-bm25.run").read_text("utf-8").splitlines()
    assert qrels[0] == "en-1-1 0 en-limit 1"
    assert run[0].startswith("en-1-1 Q0 en-limit 1 1.000000000 ")


def test_grades_of_judges_count_as_gain(evaluate, tmp_path):
    folder = tmp_path / "owls"
    (folder / "qrels").mkdir(parents=True)
    texts = {"best": "Owl.", "good": "An owl is seen at night beside the barn and over the old fields."}
    (folder / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": i, "title": "", "text": text}) + "\n" for i, text in texts.items()), "utf-8"
    )
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "owl"}\n', "utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tgood\t3\nq1\tbest\t1\n", "utf-8")
    rows = evaluate("retrieval", folder, "--rewriter", "raw", "--retriever", "bm25", "--trec", tmp_path / "trec")
    by_hand = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))  # the shorter one is first, and is worth less
    assert one(rows, slice="all")["metrics"]["ndcg@10"] == pytest.approx(by_hand, abs=1e-6)
    assert "q1 0 good 3" in (tmp_path / "trec" / "owls.qrels").read_text("utf-8")


def test_a_run_written_for_trec_tools_says_what_the_rows_say(evaluate, talks, tmp_path):
    rows = evaluate("retrieval", talks, "--rewriter", "raw", "--retriever", "bm25", "--trec", tmp_path / "trec")
    qrels = ir_measures.read_trec_qrels(str(tmp_path / "trec" / "talks_four.qrels"))
    run = ir_measures.read_trec_run(str(tmp_path / "trec" / "talks_four.raw-gold-bm25.run"))
    theirs = ir_measures.calc_aggregate([ir_measures.nDCG @ 10, ir_measures.R @ 1, ir_measures.RR], qrels, run)
    ours = one(rows, slice="all", lang=None)["metrics"]
    for measure, name in ((ir_measures.nDCG @ 10, "ndcg@10"), (ir_measures.R @ 1, "recall@1"), (ir_measures.RR, "mrr")):
        assert ours[name] == pytest.approx(theirs[measure], abs=1e-6)


def test_a_rewriters_queries_are_a_collection_for_any_retriever(evaluate, talks, tmp_path):
    flag = ("--retriever", "bm25", "--beir", tmp_path / "beir")
    rows = evaluate("retrieval", talks, *flags("rewriter", "raw", "gold"), *flag)
    assert sorted(path.name for path in (tmp_path / "beir").iterdir()) == [
        "talks_four.gold-gold",
        "talks_four.raw-gold",
    ]
    again = evaluate("retrieval", tmp_path / "beir" / "talks_four.gold-gold", "--rewriter", "raw", *flag[:2])
    assert evaluate.status == 0, evaluate.err
    ours = one(rows, rewriter="gold", slice="all", lang=None)["metrics"]
    theirs = one(again, slice="all", lang=None)["metrics"]
    assert {name: theirs[name] for name in ("mrr", "recall@5", "ndcg@10")} == {
        name: ours[name] for name in ("mrr", "recall@5", "ndcg@10")
    }


def test_without_passages_the_file_that_is_missing_is_asked_for(evaluate, talks):
    talks.with_name("talks_passages.jsonl").rename(talks.with_name("elsewhere.jsonl"))
    evaluate("retrieval", talks)
    assert evaluate.status == 1
    assert "--passages FILE" in evaluate.err
    rows = evaluate(
        "retrieval", talks, "--passages", talks.with_name("elsewhere.jsonl"), "--rewriter", "raw", "--retriever", "bm25"
    )
    assert rows

"""Metrics against numbers worked out by hand, and against the tools everybody uses."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.types import Message
from anaphor_eval.datasets import Answerability, GoldTurn
from anaphor_eval.metrics.abstention import auroc, best_point, operating_point, positive
from anaphor_eval.metrics.added_content import added_content
from anaphor_eval.metrics.answer_f1 import answer_f1
from anaphor_eval.metrics.answer_in_quote import answer_in_quote
from anaphor_eval.metrics.bleu import bleu_of, bleu_parts
from anaphor_eval.metrics.carried import Carried, carried
from anaphor_eval.metrics.entity_kept import entity_kept, named_things
from anaphor_eval.metrics.evidence import evidence_all, evidence_share, oracle_share, share_of_oracle
from anaphor_eval.metrics.evidence_rank import evidence_ranks
from anaphor_eval.metrics.exact import exact
from anaphor_eval.metrics.kept import counts_as_standalone, kept
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.metrics.rouge_l import common_subsequence, rouge_l
from anaphor_eval.metrics.runs import RunError, measure

QRELS = {"q": {"a": 1, "b": 2, "c": 0}, "r": {"x": 1}}
RUN = {"q": ["c", "b", "d", "a"], "r": []}


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("success@1", 0),
        ("success@2", 1),
        ("recall@2", 1 / 2),
        ("recall@4", 1),
        ("all@3", 0),
        ("all@4", 1),
        ("mrr", 1 / 2),
        # DCG@4 = 2/log2(3) + 1/log2(5); ideal 2/log2(2) + 1/log2(3)
        ("ndcg@4", (2 / math.log2(3) + 1 / math.log2(5)) / (2 + 1 / math.log2(3))),
        ("ndcg@1", 0),
    ],
)
def test_by_hand(metric, value):
    assert measure(metric, QRELS, RUN) == pytest.approx({"q": value, "r": 0})


def test_as_ir_measures_computes_it():
    ir_measures = pytest.importorskip("ir_measures")
    draw = random.Random(3)
    passages = [f"p{i}" for i in range(60)]
    qrels = {f"q{i}": {p: draw.choice([0, 1, 1, 2]) for p in draw.sample(passages, 8)} for i in range(40)}
    qrels = {query: judged for query, judged in qrels.items() if any(judged.values())}
    run = {query: draw.sample(passages, draw.randint(0, 40)) for query in qrels}
    scored = {query: {p: 1 / rank for rank, p in enumerate(ranking, 1)} for query, ranking in run.items()}
    theirs = {
        "success@5": ir_measures.Success @ 5,
        "recall@10": ir_measures.R @ 10,
        "ndcg@5": ir_measures.nDCG @ 5,
        "mrr": ir_measures.RR,
    }
    for name, measured in theirs.items():
        expected = {each.query_id: each.value for each in ir_measures.iter_calc([measured], qrels, scored)}
        ours = measure(name, qrels, run)
        assert ours == pytest.approx({query: expected.get(query, 0.0) for query in ours}, abs=1e-6)


def test_all_at_k_is_recall_of_one():
    draw = random.Random(5)
    qrels = {f"q{i}": {f"p{draw.randint(0, 9)}": 1 for _ in range(3)} for i in range(50)}
    run = {query: draw.sample([f"p{i}" for i in range(10)], 8) for query in qrels}
    recall = measure("recall@5", qrels, run)
    assert measure("all@5", qrels, run) == {query: float(value == 1) for query, value in recall.items()}


def test_a_query_missing_from_the_run_is_an_error_and_not_a_zero():
    with pytest.raises(RunError, match="lacks 1 of 2 judged queries, 'r' among them"):
        measure("recall@5", QRELS, {"q": ["a"]})


@pytest.mark.parametrize(
    ("qrels", "run", "reason"),
    [
        ({"q": {"a": 0}}, {"q": ["a"]}, "no relevant passage"),
        ({"q": {"a": 1}}, {"q": ["a", "b", "a"]}, "'a' is ranked twice"),
    ],
)
def test_what_cannot_be_scored_is_said(qrels, run, reason):
    with pytest.raises(RunError, match=reason):
        measure("mrr", qrels, run)


@pytest.mark.parametrize("name", ["recall", "recall@", "recall@0", "map@5", "mrr@x"])
def test_an_unknown_metric(name):
    with pytest.raises(RunError, match="no metric"):
        measure(name, QRELS, RUN)


def test_evidence_inside_a_budget():
    assert (evidence_all({"1", "2", "9"}, ["1", "2"]), evidence_share({"1", "9"}, ["1", "2"])) == (1, 0.5)
    assert oracle_share([400, 900, 300], 1000) == pytest.approx(2 / 3)
    assert oracle_share([2000], 1500) == 0
    assert share_of_oracle({"1"}, ["1", "2", "3"], 2 / 3).value == pytest.approx(0.5)
    assert share_of_oracle({"1"}, ["1"], 0).value is None


def test_evidence_that_was_not_ranked_comes_after_everything():
    assert evidence_ranks(["7", "3", "5"], ["5", "8"], indexed=40) == [3, 41]


@pytest.mark.parametrize(
    ("text", "golds", "value"),
    [
        ("How old is the moon", ["How old is the Moon?"], 1),
        ("台中市的人口", ["台中市人口", "台中市的人口。"], 1),
        ("月球多大", ["月亮多大"], 0),
    ],
)
def test_exact(text, golds, value):
    assert exact(text, golds) == value


def test_only_utterances_with_a_history_can_be_kept():
    def turn(history: tuple[Message, ...], needs: bool | None) -> GoldTurn:
        return GoldTurn("t", 1, "?", history, needs_history=needs)

    said = (Message("user", "hi"),)
    assert [counts_as_standalone(turn(*case)) for case in [(said, False), ((), False), (said, True), (said, None)]] == [
        True,
        False,
        False,
        False,
    ]
    assert (kept("日本の首都は", "日本の首都は？"), kept("日本の東京の首都は", "日本の首都は？")) == (1, 0)


@given(st.text("abc", max_size=30), st.text("abc", max_size=30))
def test_the_longest_common_subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    assert common_subsequence(list(a), list(b)) == table[-1][-1]


def test_rouge_l_takes_the_best_gold():
    # police killed the gunman / the gunman killed police: 2 of 4 in order
    assert rouge_l("the gunman killed police", ["police killed the gunman", "nothing"]) == pytest.approx(0.5)
    assert rouge_l("台中市的人口", ["台中市的人口是多少"]) == pytest.approx(2 * 6 / (6 + 9))


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        (
            "en",
            [
                ("How old is the moon?", ["How old is the moon?"]),
                ("What is its mass", ["What is the mass of the moon?"]),
            ],
        ),
        (
            "zh-Hant",
            [("台中市的人口是多少", ["台中市的人口有多少"]), ("它的面積", ["台中市的面積是多少", "台中市面積"])],
        ),
        ("ja", [("東京の人口は何人ですか", ["東京の人口は何人ですか"]), ("面積は", ["東京の面積はどれくらいですか"])]),
    ],
)
def test_bleu_is_sacrebleus_corpus_bleu(language, rows):
    bleu = pytest.importorskip("sacrebleu.metrics.bleu").BLEU
    tokenizer = {"en": "13a", "zh-Hant": "zh", "ja": "char"}[language]
    parts = [bleu_parts(text, golds, language) for text, golds in rows]
    width = max(len(golds) for _, golds in rows)
    references = [[golds[i] if i < len(golds) else None for _, golds in rows] for i in range(width)]
    expected = bleu(tokenize=tokenizer).corpus_score([text for text, _ in rows], references).score
    assert bleu_of([sum(column) for column in zip(*parts, strict=True)]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("utterance", "rewrite", "gold", "counts"),
    [
        # moon is carried by both; mass is only in the system's rewrite
        ("How old is it?", "How old is the moon's mass?", "How old is the moon?", Carried(1, 2, 1)),
        ("那它的面積呢？", "台中市的面積呢？", "台中市的面積是多少？", Carried(3, 3, 3)),
        ("为什么", "为什么", "为什么明天放假", Carried(0, 0, 4)),
        ("面積は？", "面積は？", "面積は？", Carried(0, 0, 0)),
        ("それは何年ですか", "東京五輪は何年ですか", "東京オリンピックは何年ですか", Carried(2, 4, 8)),
    ],
)
def test_carried_words(utterance, rewrite, gold, counts):
    assert carried(rewrite, utterance, [gold]) == counts


def test_carried_words_count_as_often_as_they_are_added():
    assert carried("人口 人口", "人口", ["人口 人口"]) == Carried(2, 2, 2)


def test_of_several_golds_the_one_agreed_with_most():
    golds = ["東京の人口は", "東京都の総人口は"]
    assert carried("東京都の総人口は", "人口は", golds) == Carried(4, 4, 4)
    assert carried("人口は", "人口は", ["東京の人口は", "人口は"]) == Carried(0, 0, 0)


def test_the_shares_of_carried():
    counts = Carried(2, 4, 8)
    assert (counts.precision.value, counts.recall.value, counts.f1.value) == (0.5, 0.25, pytest.approx(1 / 3))
    assert Carried(0, 0, 0).f1.value is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Does kvstore-7 on iPhone 12 work with Taipei Metro?", ["12", "kvstore-7", "iPhone", "Taipei", "Metro"]),
        ("What is it? I don't know.", []),
        ("《大公報》在 2019 年改了 app.yaml 嗎", ["大公報", "2019", "app.yaml"]),
        ("グスタフ・マーラーは3番を書いた？", ["グスタフ・マーラー", "3"]),
    ],
)
def test_named_things(text, named):
    assert named_things(text) == named


def test_named_things_that_were_lost():
    utterance = "Does E4413 happen on iOS 17?"
    assert entity_kept("Does the error e4413 happen on IOS 16?", utterance).value == pytest.approx(2 / 3)
    assert entity_kept("那裡呢", "那裡呢").value is None


def test_what_was_never_said_is_added():
    history = ["台中市有多少人？", "約 286 萬人"]
    assert added_content("台中市的面積", "那面積呢", history).value == 0
    assert added_content("新北市的面積", "那面積呢", history).value == pytest.approx(2 / 5)
    assert added_content("what about it", "it", []).value is None


def test_answers():
    assert answer_f1("the 286 people", ["286 people"]) == 1
    assert answer_f1("約二百萬人", ["二百萬人", "三百萬人"]) == pytest.approx(8 / 9)
    assert answer_f1("", ["x"]) == 0
    assert answer_f1("", [""]) == 1


@pytest.mark.parametrize(
    ("quotes", "golds", "value"),
    [
        (["台中市有 286 萬人。"], ["２８６萬"], 1),
        (["It opened in 2012."], ["12"], 0),
        (["首都は", "東京です"], ["首都は東京"], 0),
        (["創立者は丹下健三だ。"], ["丹下 健三"], 1),
        ([], ["x"], 0),
        (["x"], ["。"], 0),
    ],
)
def test_the_answer_is_inside_one_quote(quotes, golds, value):
    assert answer_in_quote(quotes, golds) == value


def test_auroc_by_hand():
    # pairs: .9>.5 .9>.4 .5=.5 .5>.4: 3.5 of 4
    assert auroc([0.9, 0.5, 0.5, 0.4], [True, True, False, False]) == pytest.approx(3.5 / 4)


def test_the_operating_point():
    scores, positives = [0.9, 0.8, 0.3, 0.7, 0.2], [True, True, True, False, False]
    assert operating_point(scores, positives, 0.5) == (0.5, pytest.approx(2 / 3), 0.5)
    assert best_point(scores, positives, answered=0.6) == (0.8, pytest.approx(2 / 3), 1.0)
    assert best_point(scores, positives, answered=0.9) == (0.3, 1.0, 0.5)


def test_only_plain_cases_count_for_abstention():
    assert [positive(each) for each in (*Answerability, None)] == [True, None, None, False, None, None, None, None]


def test_percentiles_are_times_that_occurred():
    assert percentile(list(range(1, 21)), 95) == 19
    assert percentile([5.0], 50) == 5.0
    assert percentile([3.0, 1.0, 2.0], 50) == 2.0

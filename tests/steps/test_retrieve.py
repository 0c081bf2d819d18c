"""Retrieval sees the standalone query, runs afresh, and survives a retriever that fails."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from anaphor.errors import ModelUnavailable, UnreadableStore, WrongEmbedder
from anaphor.steps.retrieve import retrieve
from anaphor.types import (
    Carried,
    Decision,
    EvidenceClass,
    Hit,
    Outcome,
    Passage,
    Question,
    Recollection,
    Scope,
    Sources,
    StandaloneQuery,
    Term,
    Turn,
)

SCOPE = Scope("acme", "mei", "s1")
QUESTION = Question("那它的增長率呢?", "t9")
QUERY = StandaloneQuery("台積電的增長率", Decision.FOLLOW_UP, 0.9, "zh-Hant")


@dataclass
class Listing:
    """An index that finds what it was told to, and remembers what it was asked."""

    name: str
    found: list[Passage]
    error: Exception | None = None
    asked: list[tuple[object, Sources, int]] = field(default_factory=list)

    def search(self, scope, query, *, sources, filters=None, limit=60):
        self.asked.append((query, sources, limit))
        if self.error:
            raise self.error
        return [Hit(p, 1.0, n, {self.name: n}) for n, p in enumerate(self.found, 1)]

    def refresh(self, limit=256):
        return 0


def passage(name: str, **more) -> Passage:
    return Passage(name, f"text of {name}", more.pop("source", "a.md"), **more)


ENOUGH = [passage(f"p{n}") for n in range(6)]  # that nothing else is looked for


def test_an_index_is_only_ever_given_a_standalone_query():
    index = Listing("bm25", [passage("p")])
    retrieve([index], None, SCOPE, QUESTION, QUERY, Recollection())
    assert [asked for asked, _, _ in index.asked] == [QUERY]


@pytest.mark.parametrize("decision", [Decision.SMALL_TALK, Decision.COMMAND, Decision.CLARIFICATION])
def test_what_does_not_retrieve_asks_no_index(decision):
    index = Listing("bm25", [passage("p")])
    silent = StandaloneQuery("謝謝", decision, 1.0)
    assert retrieve([index], None, SCOPE, QUESTION, silent, Recollection()).hits == ()
    assert index.asked == []


def test_sub_queries_are_searched_one_by_one_and_all_have_their_say():
    index = Listing("bm25", ENOUGH)
    both = StandaloneQuery("A 和 B 的上限", Decision.STANDALONE, 1.0, "zh-Hant", queries=("A 的上限", "B 的上限"))
    ranking = retrieve([index], None, SCOPE, QUESTION, both, Recollection())
    assert [asked.text for asked, _, _ in index.asked] == ["A 的上限", "B 的上限"]
    assert [hit.ranks for hit in ranking.hits] == [{"bm25": n} for n in range(1, 7)]


@pytest.mark.parametrize(
    ("language", "question", "word"),
    [
        ("en", "Is the shop open on Wednesday?", "weekdays"),
        ("en", "May I bring my dog?", "pets"),
        ("zh-Hant", "星期三有開嗎？", "周三"),
        ("zh-Hans", "书弄丢了怎么办？", "遗失"),
        ("ja", "犬を連れて行けますか？", "ペット"),
    ],
)
def test_where_hardly_anything_is_found_other_words_are_looked_for_too(language, question, word):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    few = Listing("bm25", [passage("p")])
    retrieve([few], None, SCOPE, QUESTION, query, Recollection())
    first, second = (asked for asked, _, _ in few.asked)
    assert first == query
    assert Term(word, 0.3) in second.terms
    assert second.text == question
    many = Listing("bm25", ENOUGH)
    retrieve([many], None, SCOPE, QUESTION, query, Recollection())
    assert [asked for asked, _, _ in many.asked] == [query]


def test_for_an_order_of_events_more_is_looked_at_and_how_sittings_began_counts():
    def remark(seq: int) -> Passage:
        return passage(f"{seq}", source="s2", seq=seq, evidence_class=EvidenceClass.USER_STATEMENT)

    index = Listing("bm25", [remark(seq) for seq in range(9, 0, -1)])
    for asked, most in (("按照時間順序，我說過哪些旅行？", 8), ("我說過哪些旅行？", 4)):
        query = StandaloneQuery(asked, Decision.STANDALONE, 1.0, "zh-Hant", asks_about_memory=True)
        ranking = retrieve([index], None, SCOPE, QUESTION, query, Recollection(), 4)
        assert index.asked[-1][2] == most
        assert len(ranking.hits) == 4
    assert [hit.passage.seq for hit in ranking.hits] == [9, 8, 7, 6]


def test_one_failing_retriever_is_named_and_the_other_answers():
    broken = Listing("dense", [], WrongEmbedder("made by another embedder"))
    ranking = retrieve([Listing("bm25", [passage("p")]), broken], None, SCOPE, QUESTION, QUERY, Recollection())
    assert [hit.passage.passage_id for hit in ranking.hits] == ["p"]
    assert ranking.failed == ("dense: made by another embedder",)


def test_when_every_retriever_fails_the_turn_fails():
    broken = Listing("bm25", [], UnreadableStore("disk gone"))
    with pytest.raises(UnreadableStore, match="disk gone"):
        retrieve([broken], None, SCOPE, QUESTION, QUERY, Recollection())


def test_where_no_document_has_anything_what_the_person_told_of_that_very_thing_is_looked_at():
    told = Passage("s1:1:0", "歯医者は3時です。", "s0", evidence_class=EvidenceClass.USER_STATEMENT, language="ja")

    class Told(Listing):
        def search(self, scope, query, *, sources, filters=None, limit=60):
            found = super().search(scope, query, sources=sources, filters=filters, limit=limit)
            return [] if sources is Sources.DOCUMENTS else found

    for text, wanted in (("歯医者は何時ですか", ["s1:1:0"]), ("首都はどこですか", [])):
        query = StandaloneQuery(text, Decision.STANDALONE, 0.9, "ja")
        ranking = retrieve([Told("bm25", [told])], None, SCOPE, Question(text, "t9"), query, Recollection())
        assert [hit.passage.passage_id for hit in ranking.hits] == wanted


def test_documents_by_default_and_memory_when_the_question_is_about_the_person():
    index = Listing("bm25", [passage("p")])
    retrieve([index], None, SCOPE, QUESTION, QUERY, Recollection())
    about_me = StandaloneQuery("我喜歡什麼", Decision.STANDALONE, 1.0, asks_about_memory=True)
    retrieve([index], None, SCOPE, QUESTION, about_me, Recollection())
    retrieve([index], None, SCOPE, Question("q", "t", sources=Sources.MEMORY), QUERY, Recollection())
    assert [sources for _, sources, _ in index.asked] == [Sources.DOCUMENTS, Sources.BOTH, Sources.MEMORY]


def test_what_is_in_the_window_is_not_found_again():
    def remark(seq: int, session: str) -> Passage:
        return passage(f"{session}:{seq}", source=session, seq=seq, evidence_class=EvidenceClass.USER_STATEMENT)

    index = Listing("bm25", [remark(7, "s1"), remark(2, "s1"), remark(7, "s2")])
    window = Recollection((Turn("t7", 7, "我住在台中", Outcome.ANSWERED),))
    ranking = retrieve([index], None, SCOPE, QUESTION, QUERY, window)
    assert [(h.passage.passage_id, h.rank) for h in ranking.hits] == [("s1:2", 1), ("s2:7", 2)]


def test_a_reranker_has_the_last_word_on_the_order():
    class Shortest:
        name = "shortest"

        def scores(self, _query, passages):
            return [-len(p.text) for p in passages]

    index = Listing("bm25", [passage("long one"), passage("p")])
    ranking = retrieve([index], Shortest(), SCOPE, QUESTION, QUERY, Recollection())
    assert [(h.passage.passage_id, h.rank, h.ranks) for h in ranking.hits] == [
        ("p", 1, {"bm25": 2}),
        ("long one", 2, {"bm25": 1}),
    ]


def test_a_reranker_that_fails_is_named_and_the_turn_goes_on():
    class Broken:
        name = "onnx/broken"

        def scores(self, _query, _passages):
            raise ModelUnavailable("the file is gone")

    index = Listing("bm25", [passage("p"), passage("q")])
    ranking = retrieve([index], Broken(), SCOPE, QUESTION, QUERY, Recollection())
    assert [hit.passage.passage_id for hit in ranking.hits] == ["p", "q"]
    assert ranking.failed == ("onnx/broken: the file is gone",)


def test_a_part_of_a_question_keeps_what_was_carried_into_the_whole():
    terms = (Term("上限", 1.0), Term("獵戶方案", 0.9), Term("費用", 0.3))
    whole = StandaloneQuery(
        "獵戶方案的上限和價格",
        Decision.FOLLOW_UP,
        0.9,
        "zh-Hant",
        queries=("獵戶方案的上限", "價格"),
        terms=terms,
        carried=(Carried("獵戶方案", 1, "ellipsis"),),
    )
    index = Listing("bm25", ENOUGH)
    retrieve([index], None, SCOPE, QUESTION, whole, Recollection())
    assert [asked.terms for asked, _, _ in index.asked] == [
        (Term("獵戶方案的上限"), *terms[1:]),
        (Term("價格"), *terms[1:]),
    ]


def test_the_baseline_fuses_by_rank_and_looks_no_closer():
    asked = StandaloneQuery("text of q", Decision.STANDALONE, 1.0, "en")
    index = Listing("bm25", [passage("p"), passage("q")])
    plain = retrieve([index], None, SCOPE, QUESTION, asked, Recollection(), plainly=True)
    assert [(hit.passage.passage_id, hit.score) for hit in plain.hits] == [("p", 1 / 61), ("q", 1 / 62)]
    assert [hit.best for hit in plain.hits] == [None, None]


def test_only_the_two_newest_turns_are_not_searched():
    turns = tuple(Turn(f"t{n}", n, "…", Outcome.ANSWERED) for n in (5, 6, 7))
    remarks = [passage(f"s1:{n}", source="s1", seq=n, evidence_class=EvidenceClass.USER_STATEMENT) for n in (5, 6, 7)]
    ranking = retrieve([Listing("bm25", remarks)], None, SCOPE, QUESTION, QUERY, Recollection(turns))
    assert [hit.passage.seq for hit in ranking.hits] == [5]

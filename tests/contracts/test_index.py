from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anaphor.adapters import fake, sqlite
from anaphor.adapters.fake import HashEmbedder
from anaphor.errors import ModelUnavailable, WrongEmbedder
from anaphor.ports import Index
from anaphor.types import EvidenceClass, Scope, Sources, StandaloneQuery
from contracts.scenes import (
    FOUR_LANGUAGES,
    MEI,
    RIVAL,
    TOM,
    AnyStore,
    document,
    found,
    passages,
    put,
    query,
    remembered,
    say,
    session,
    sources,
)

LEGS = pytest.mark.parametrize("leg", ["bm25", "dense", "sentence"])


def index(store: AnyStore, leg: str) -> Index:
    """That index of the store, with everything taken in."""
    if leg == "bm25":
        return store.lexical
    vectors = store.sentence(HashEmbedder()) if leg == "sentence" else store.dense(HashEmbedder())
    while vectors.refresh():
        pass
    return vectors


@LEGS
@pytest.mark.parametrize(("text", "word", "language"), FOUR_LANGUAGES)
def test_a_word_inside_a_sentence_is_found(store: AnyStore, leg: str, text: str, word: str, language: str) -> None:
    put(store, MEI, "a.md", text, language=language)
    put(store, MEI, "b.md", "unrelated 天氣 お知らせ", language=language)
    hit, *_ = index(store, leg).search(MEI, query(word, language))
    assert (hit.passage.source, hit.passage.text, hit.rank, dict(hit.ranks)) == ("a.md", text, 1, {leg: 1})
    assert hit.score > 0


@LEGS
@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans", "und"])
def test_either_script_of_chinese_finds_the_other(store: AnyStore, leg: str, language: str) -> None:
    put(store, MEI, "a.md", "臺灣鐵路的營業里程", language="zh-Hant")
    put(store, MEI, "b.md", "铁路的营业里程", language="zh-Hans")
    for asked in ("鐵路營業", "铁路营业"):
        assert sorted(sources(index(store, leg).search(MEI, query(asked, language)))) == ["a.md", "b.md"]


@pytest.mark.parametrize(
    "identifier", ["QX-20731", "app.yaml", "retention.max_days", "E4413", "kvstore-7", "C++", "a_b", "node@18.2"]
)
def test_an_identifier_is_found_whole_inside_chinese(store: AnyStore, identifier: str) -> None:
    put(store, MEI, "a.md", f"請將「{identifier}」改為新的值。", language="zh-Hant")
    put(store, MEI, "b.md", "請將 QX-20730 與 app.yml 改為舊的值。", language="zh-Hant")
    assert found(store, MEI, identifier.lower())[:1] == ["a.md"]


def test_title_and_section_lead_to_a_passage_and_are_not_in_it(store: AnyStore) -> None:
    whole = document("a.md", "上限是三十天。", title="保存期限", language="zh-Hant")
    store.documents.put(MEI, whole, passages(whole, section="免費方案"))
    put(store, MEI, "b.md", "保存期限與免費方案無關。", language="zh-Hant")
    for asked in ("保存期限", "免費方案"):
        hit = store.lexical.search(MEI, query(asked, "zh-Hant"))[0]
        assert (hit.passage.source, hit.passage.text) == ("a.md", "上限是三十天。")
    dense = index(store, "dense").search(MEI, query("保存期限免費方案上限", "zh-Hant"))
    assert dense[0].passage.text == "上限是三十天。"


def test_weights_order_the_hits(store: AnyStore) -> None:
    put(store, MEI, "tokyo", "東京 人口")
    put(store, MEI, "osaka", "大阪 人口")
    for heavy in ("東京", "大阪"):
        weights = {"人口": 1.0, "東京": 0.3, "大阪": 0.3} | {heavy: 0.6}
        expected = "tokyo" if heavy == "東京" else "osaka"
        assert sources(store.lexical.search(MEI, query("人口", **weights)))[0] == expected


def test_the_highest_weight_of_a_term_wins(store: AnyStore) -> None:
    put(store, MEI, "a", "population of Tokyo")
    alone = store.lexical.search(MEI, query("", population=0.9))
    twice = store.lexical.search(MEI, query("", population=0.9, Population=0.2))
    assert alone[0].score == pytest.approx(twice[0].score)
    doubled = store.lexical.search(MEI, query("", population=1.8))
    assert doubled[0].score == pytest.approx(2 * alone[0].score)


def test_terms_of_no_weight_are_not_looked_up(store: AnyStore) -> None:
    put(store, MEI, "a", "population")
    assert store.lexical.search(MEI, query("population", population=0.0)) == []


def test_a_rare_word_outweighs_common_ones_in_a_collection_of_four(store: AnyStore) -> None:
    # Where half of the passages have a word, the plainest inverse document frequency is zero.
    for source, text in {"a": "台中 人口", "b": "台中 氣候", "c": "台北 人口", "d": "台北 氣候 多少"}.items():
        put(store, MEI, source, text, language="zh-Hant")
    assert found(store, MEI, "台中 人口 多少", "zh-Hant")[0] == "a"


@LEGS
def test_the_limit_counts_after_the_scope(store: AnyStore, leg: str) -> None:
    for n in range(60):
        put(store, RIVAL, f"theirs{n}", "人口人口人口")
        put(store, MEI, f"private{n}", "人口人口人口", owner="mei")
    for n in range(5):
        put(store, TOM, f"{n}", f"台中市的人口有多少呢 {n}")
    assert sorted(sources(index(store, leg).search(TOM, query("人口"), limit=10))) == ["0", "1", "2", "3", "4"]
    assert len(index(store, leg).search(TOM, query("人口"), limit=3)) == 3
    assert index(store, leg).search(TOM, query("人口"), limit=0) == []


@LEGS
def test_the_limit_counts_after_the_filters(store: AnyStore, leg: str) -> None:
    for n in range(60):
        put(store, MEI, f"de{n}", "人口", metadata={"country": "de"})
    for n in range(5):
        put(store, MEI, f"tw{n}", "台中市的人口有多少呢", metadata={"country": "tw", "n": str(n)}, language="zh-Hant")

    def within(**filters: str) -> list[str]:
        hits = index(store, leg).search(MEI, query("人口"), filters=filters, limit=10)
        return sorted(sources(hits))

    assert within(country="tw") == [f"tw{n}" for n in range(5)]
    assert within(country="tw", n="3") == ["tw3"]
    assert within(source="tw2") == within(document_id="doc:tw2") == ["tw2"]
    assert len(within(language="zh-Hant")) == 5
    assert len(within(collection="default")) == 10
    assert within(country="fr") == within(planet="earth") == within(collection="legal") == []


class Told:
    """An embedder whose vectors are told: text → vector, made a unit long."""

    name = "told"
    dimensions = 3

    def __init__(self, vectors: dict[str, Sequence[float]]) -> None:
        self._vectors = vectors

    def embed(self, texts: Sequence[str], *, query: bool) -> list[list[float]]:
        return [[x / sum(y * y for y in v) ** 0.5 for x in v] for v in (self._vectors[text] for text in texts)]


def test_500_nearer_passages_of_others_hide_none_of_the_five_allowed(store: AnyStore) -> None:
    vectors: dict[str, Sequence[float]] = {"question": [1.0, 0.0, 0.0]}
    for i in range(1, 501):
        vectors[f"A{i}"] = [1.0, 0.001 * i, 0.0]
    for i in range(1, 6):
        vectors[f"B{i}"] = [0.5, 0.8, 0.01 * i]
    for name in list(vectors)[1:]:
        put(store, RIVAL if name[0] == "A" else MEI, name, name)
    dense = store.dense(Told(vectors))
    while dense.refresh(200):
        pass
    assert sources(dense.search(MEI, query("question"), limit=5)) == ["B1", "B2", "B3", "B4", "B5"]
    assert sources(dense.search(RIVAL, query("question"), limit=5)) == ["A1", "A2", "A3", "A4", "A5"]


SAID = {
    "en": (
        "The weather was fine and we walked a lot. My passport expires in March. Dinner was late again.",
        "passport",
    ),
    "zh-Hant": ("週末天氣很好，我們走了很多路。我的護照三月到期。晚餐又吃得很晚。", "護照"),
    "zh-Hans": ("周末天气很好，我们走了很多路。我的护照三月到期。晚饭又吃得很晚。", "护照"),
    "ja": (
        "週末は天気がよくてたくさん歩きました。パスポートは三月に切れます。夕食はまた遅くなりました。",
        "パスポート",
    ),
}


class ByWord:
    """An embedder that hears one word: near the question when a text has it, the nearer the less else it says."""

    name = "by-word"
    dimensions = 2

    def __init__(self, word: str) -> None:
        self._word = word

    def embed(self, texts: Sequence[str], *, query: bool) -> list[list[float]]:
        shares = [len(self._word) / len(text) if self._word in text else 0.0 for text in texts]
        return [[share, (1 - share**2) ** 0.5] for share in shares]


@pytest.mark.parametrize("language", SAID)
def test_what_was_said_counts_by_its_best_sentence(store: AnyStore, language: str) -> None:
    text, word = SAID[language]
    mine = session(store, MEI)
    say(store, mine, text, "long")
    middling = f"{word}{'、' if language != 'en' else ' '}{'x' * (len(text) // 2)}"
    say(store, mine, middling, "middling")
    embedder = ByWord(word)
    dense, sentence = store.dense(embedder), store.sentence(embedder)
    while sentence.refresh():
        pass
    ranked = [
        [hit.passage.text for hit in index.search(MEI, query(word, language), sources=Sources.MEMORY)]
        for index in (dense, sentence)
    ]
    assert ranked == [[middling, text], [text, middling]]


def test_vectors_of_sentences_go_with_what_was_said(store: AnyStore) -> None:
    mine = session(store, MEI)
    say(store, mine, SAID["zh-Hant"][0], "t1")
    sentence = index(store, "sentence")
    assert len(sentence.search(MEI, query("護照"), sources=Sources.MEMORY)) == 1
    store.sessions.delete(mine)
    assert sentence.search(MEI, query("護照"), sources=Sources.MEMORY) == []
    assert store.describe()["vectors"] == 0


def test_documents_have_one_vector_a_passage(store: AnyStore) -> None:
    put(store, MEI, "a.md", SAID["en"][0])
    assert sources(index(store, "sentence").search(MEI, query("passport"))) == ["a.md"]
    assert store.describe()["vectors"] == 1


@LEGS
def test_memory_is_searched_where_asked_across_all_sessions_of_that_person(store: AnyStore, leg: str) -> None:
    put(store, MEI, "a.md", "台中市的人口")
    for n, scope in enumerate([session(store, MEI), session(store, MEI), session(store, TOM), session(store, RIVAL)]):
        say(store, scope, f"我住在台中，第 {n} 次說。", f"t{n}")

    def texts(scope: Scope, **how: Sources) -> list[tuple[EvidenceClass, str]]:
        hits = index(store, leg).search(scope, query("台中"), **how)
        return sorted((hit.passage.evidence_class, hit.passage.text) for hit in hits)

    documents = [(EvidenceClass.DOCUMENT, "台中市的人口")]
    mine = [(EvidenceClass.USER_STATEMENT, f"我住在台中，第 {n} 次說。") for n in (0, 1)]
    assert texts(MEI) == texts(MEI, sources=Sources.DOCUMENTS) == documents
    assert texts(MEI, sources=Sources.MEMORY) == mine
    assert texts(MEI, sources=Sources.BOTH) == documents + mine
    assert texts(TOM, sources=Sources.MEMORY) == [(EvidenceClass.USER_STATEMENT, "我住在台中，第 2 次說。")]


@pytest.mark.parametrize(
    "text", ["我對花生過敏。", "我对花生过敏。", "私はピーナッツアレルギーです。", "I am allergic to peanuts."]
)
def test_what_was_said_is_found_as_soon_as_the_turn_is_committed(store: AnyStore, text: str) -> None:
    mine = session(store, MEI)
    say(store, mine, text, "t1")
    assert remembered(store, MEI, text) == [text]
    hit = store.lexical.search(MEI, query(text), sources=Sources.MEMORY)[0]
    assert (hit.passage.source, hit.passage.seq) == (mine.session, 1)


@LEGS
@pytest.mark.parametrize("text", ["", " ", "？！", "…", "\0", "\ud800", '"', "*", "^", "-", ":", "()"])
def test_a_query_without_a_usable_term_finds_nothing(store: AnyStore, leg: str, text: str) -> None:
    put(store, MEI, "a.md", "台中市的人口 the population")
    assert index(store, leg).search(MEI, query(text)) == []


@LEGS
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.characters(exclude_categories=()))
    | st.text(st.sampled_from("\"'*^():+-{}[] ANDORNEAT人口台\\\0\ud800")),
    language=st.sampled_from(["und", "zh-Hant", "zh-Hans", "ja", "en", "xx"]),
)
def test_any_text_is_safe_as_a_query(store: AnyStore, leg: str, text: str, language: str) -> None:
    if not store.documents.list(MEI):
        put(store, MEI, "a.md", 'AND OR NOT NEAR("人口" 台中*)', language="zh-Hant")
        put(store, RIVAL, "b.md", 'AND OR NOT NEAR("人口" 台中*)', language="zh-Hant")
    hits = index(store, leg).search(MEI, query(text, language))
    assert set(sources(hits)) <= {"a.md"}
    assert all(hit.score > 0 for hit in hits)
    weighted = StandaloneQuery(text, query("").decision, 1.0, language, terms=query("", **{text: 1.0}).terms)
    assert index(store, leg).search(MEI, weighted) == hits


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_a_passage(store: AnyStore, text: str) -> None:
    whole = document("a.md", "x" + text, title=text, version=repr(text))
    store.documents.put(MEI, whole, passages(whole, section=text))
    assert found(store, MEI, "x" + text) in ([], ["a.md"])
    store.documents.delete(MEI, "a.md")
    assert found(store, MEI, "x" + text) == []


def test_a_pasted_log_is_looked_up_in_time(store: AnyStore) -> None:
    put(store, MEI, "a.md", "錯誤 E4413 表示逾時")
    pasted = "E4413 錯誤 " + "2024-01-01 INFO nothing of note 一切正常\n" * 50_000
    assert found(store, MEI, pasted) == ["a.md"]


def test_what_is_not_yet_embedded_is_counted(store: AnyStore) -> None:
    dense = store.dense(HashEmbedder())
    for n in range(7):
        put(store, MEI, f"{n}.md", f"人口 {n}")
    say(store, session(store, MEI), "我住在台中。", "t1")
    assert dense.search(MEI, query("人口")) == []
    assert [dense.refresh(3), dense.refresh(3), dense.refresh(3), dense.refresh(3)] == [5, 2, 0, 0]
    assert len(dense.search(MEI, query("人口"), sources=Sources.BOTH)) == 8
    assert store.lexical.refresh() == 0


def test_vectors_follow_what_is_stored(store: AnyStore) -> None:
    dense = store.dense(HashEmbedder())
    for n in range(6):
        put(store, MEI, f"{n}.md", f"人口 {n}")
    assert dense.refresh(4) == 2
    assert len(dense.search(MEI, query("人口"))) == 4
    store.documents.delete(MEI, "0.md")
    assert sorted(sources(dense.search(MEI, query("人口")))) == ["1.md", "2.md", "3.md"]
    put(store, MEI, "1.md", "大阪の天気", version="2")
    assert sorted(sources(dense.search(MEI, query("人口")))) == ["2.md", "3.md"]
    assert dense.refresh() == 0
    assert sorted(sources(dense.search(MEI, query("人口")))) == ["1.md", "2.md", "3.md", "4.md", "5.md"]
    assert store.dense(HashEmbedder()).search(MEI, query("天気"))[0].passage.source == "1.md"


def test_vectors_of_another_embedder_are_refused_by_name(store: AnyStore) -> None:
    put(store, MEI, "a.md", "人口")
    index(store, "dense")
    other = store.dense(HashEmbedder(64))
    for ask in (lambda: other.search(MEI, query("人口")), other.refresh):
        with pytest.raises(WrongEmbedder) as refused:
            ask()
        assert all(part in str(refused.value) for part in ("hash-256", "256", "hash-64", "64"))


def test_embedding_anew_goes_on_beside_the_vectors_that_are_searched(store: AnyStore) -> None:
    for n in range(4):
        put(store, MEI, f"{n}.md", f"人口 {n}")
    dense, other = index(store, "dense"), store.dense(HashEmbedder(64))
    other.begin_anew()
    assert (other.waiting(), other.refresh(3)) == (4, 1)
    assert len(dense.search(MEI, query("人口"))) == 4, "the earlier vectors answer until the new ones are complete"
    with pytest.raises(WrongEmbedder, match="anaphor rebuild --embeddings"):
        other.search(MEI, query("人口"))
    put(store, MEI, "4.md", "人口 4")  # meanwhile: it waits for both
    assert (store.describe()["pending_vectors"], other.waiting()) == (1, 2)
    store.documents.delete(MEI, "0.md")
    other.begin_anew()  # again: nothing is lost of what was made
    assert other.refresh() == 0
    assert sorted(sources(other.search(MEI, query("人口")))) == ["1.md", "2.md", "3.md", "4.md"]
    told = store.describe()
    assert (told["embedder"]["name"], told["vectors"], told["coming_embedder"]) == ("hash-64", 4, None)
    with pytest.raises(WrongEmbedder, match=r"hash-64.*hash-256"):
        dense.search(MEI, query("人口"))


def test_the_same_embedder_may_begin_anew(store: AnyStore) -> None:
    put(store, MEI, "a.md", "人口")
    dense = index(store, "dense")
    dense.begin_anew()
    assert sources(dense.search(MEI, query("人口"))) == ["a.md"]
    assert (dense.waiting(), dense.refresh(), store.describe()["vectors"]) == (1, 0, 1)
    assert sources(dense.search(MEI, query("人口"))) == ["a.md"]


def test_one_that_was_coming_gives_way_to_a_third(store: AnyStore) -> None:
    for n in range(3):
        put(store, MEI, f"{n}.md", f"人口 {n}")
    index(store, "dense")
    for size in (64, 32):
        store.dense(HashEmbedder(size)).begin_anew()
        store.dense(HashEmbedder(size)).refresh(1)
    with pytest.raises(WrongEmbedder):
        store.dense(HashEmbedder(64)).refresh()
    assert store.dense(HashEmbedder(32)).refresh() == 0
    assert store.describe()["embedder"]["name"] == "hash-32"


def test_an_embedder_that_has_made_nothing_is_in_nobodys_way(store: AnyStore) -> None:
    class Broken(HashEmbedder):
        def embed(self, texts: Sequence[str], *, query: bool) -> Sequence[Sequence[float]]:
            raise ModelUnavailable("down")

    put(store, MEI, "a.md", "人口")
    with pytest.raises(ModelUnavailable):
        store.dense(Broken(64)).refresh()
    assert store.dense(HashEmbedder()).refresh() == 0


WORDS = st.sampled_from(["人口", "台中", "東京", "population", "app.yaml", "E4413", "の", "的", "天氣", "growth"])
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    stored=st.lists(st.tuples(st.sampled_from([MEI, TOM, RIVAL]), TEXTS, TEXTS, st.booleans()), max_size=20),
    asked=st.dictionaries(WORDS, st.sampled_from([0.3, 0.6, 1.0]), min_size=1),
)
def test_both_stores_rank_alike(
    tmp_path_factory: pytest.TempPathFactory,
    stored: list[tuple[Scope, str, str, bool]],
    asked: dict[str, float],
) -> None:
    with sqlite.Store(tmp_path_factory.mktemp("s") / "a.db") as one:
        other = fake.Store()
        for n, (scope, title, text, private) in enumerate(stored):
            for store in (one, other):
                put(store, scope, f"{n}", text, title=title, owner=scope.user if private else "")
        for scope in (MEI, TOM, RIVAL):
            hits = [store.lexical.search(scope, query("", **asked)) for store in (one, other)]
            assert [h.score for h in hits[0]] == pytest.approx([h.score for h in hits[1]])
            assert sorted(sources(hits[0])) == sorted(sources(hits[1]))

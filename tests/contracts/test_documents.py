from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import BadInput, UnknownDocument
from anaphor.stored import Entry, Put
from anaphor.types import Document, EvidenceClass, Scope
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
    say,
    session,
)


@pytest.mark.parametrize(("text", "word", "language"), FOUR_LANGUAGES)
def test_a_document_is_kept_verbatim_and_found(store: AnyStore, text: str, word: str, language: str) -> None:
    whole = document("a.md", text, title="標題 タイトル", language=language, ingested_at=5.0, metadata={"path": "/k/a"})
    cut = passages(whole, text.partition(word)[0], word, section="第一章 > 概要")
    assert store.documents.put(MEI, whole, cut) is True
    assert store.documents.get(MEI, "a.md") == store.documents.get(MEI, whole.document_id) == whole
    assert store.documents.list(MEI) == [replace(whole, text="")]
    assert store.documents.passages(MEI, [p.passage_id for p in cut] + ["no such"]) == {p.passage_id: p for p in cut}
    assert found(store, MEI, word, language) == ["a.md"]


def test_the_same_version_again_writes_nothing(store: AnyStore) -> None:
    assert put(store, MEI, "a.md", "Tokyo", version="1") is True
    assert put(store, MEI, "a.md", "Osaka", version="1") is False
    assert store.documents.get(MEI, "a.md").text == "Tokyo"
    assert found(store, MEI, "Osaka") == []


def test_another_version_takes_the_place_of_the_earlier(store: AnyStore) -> None:
    put(store, MEI, "a.md", "東京の人口", version="1", language="ja", metadata={"old": "yes"})
    old = store.lexical.search(MEI, query("人口", "ja"))[0].passage
    assert put(store, MEI, "a.md", "大阪の天気", version="2", language="ja") is True
    assert [(d.version, d.metadata) for d in store.documents.list(MEI)] == [("2", {})]
    assert found(store, MEI, "人口") == []
    assert found(store, MEI, "天気") == ["a.md"]
    assert store.documents.passages(MEI, [old.passage_id]) == {}


def test_what_is_deleted_is_gone_from_every_ranking(store: AnyStore) -> None:
    for n in range(5):
        put(store, MEI, f"{n}.md", f"台中市的人口 {n}")
    store.documents.delete(MEI, "doc:3.md")
    store.documents.delete(MEI, "1.md")
    assert sorted(found(store, MEI, "人口")) == ["0.md", "2.md", "4.md"]
    for unknown in ("1.md", "doc:1.md", ""):
        with pytest.raises(UnknownDocument):
            store.documents.delete(MEI, unknown)
        with pytest.raises(UnknownDocument):
            store.documents.get(MEI, unknown)


def test_documents_are_listed_by_source(store: AnyStore) -> None:
    for source in ("c", "a", "b"):
        put(store, MEI, source, "text")
    assert [d.source for d in store.documents.list(MEI)] == ["a", "b", "c"]


def test_a_document_without_a_time_has_the_clocks(store: AnyStore, clock: FixedClock) -> None:
    put(store, MEI, "a.md", "text")
    assert store.documents.get(MEI, "a.md").ingested_at == clock.now


def test_another_tenant_sees_nothing_and_may_have_the_same_source(store: AnyStore) -> None:
    put(store, MEI, "a.md", "the population of Tokyo")
    assert put(store, RIVAL, "a.md", "the population of Osaka") is True
    assert [d.source for d in store.documents.list(RIVAL)] == ["a.md"]
    assert store.documents.get(RIVAL, "a.md").text == "the population of Osaka"
    assert store.documents.passages(RIVAL, ["doc:a.md:1:0"])["doc:a.md:1:0"].text == "the population of Osaka"
    assert found(store, RIVAL, "Tokyo") == []
    store.documents.delete(RIVAL, "a.md")
    assert found(store, MEI, "population") == ["a.md"]


def test_what_is_private_is_read_by_its_owner_alone(store: AnyStore) -> None:
    put(store, MEI, "a.md", "for everyone: population")
    put(store, MEI, "a.md", "for Mei: population", owner="mei")
    assert len(store.documents.list(MEI)) == 2
    assert store.documents.get(MEI, "a.md").text == "for Mei: population"
    assert store.documents.get(TOM, "a.md").text == "for everyone: population"
    assert len(found(store, MEI, "population")) == 2
    assert len(found(store, TOM, "population")) == 1
    with pytest.raises(BadInput, match="private"):
        put(store, TOM, "b.md", "text", owner="mei")


def test_a_collection_is_read_where_the_scope_names_it(store: AnyStore) -> None:
    legal = Scope("acme", "mei", collections=frozenset({"legal"}))
    both = Scope("acme", "mei", collections=frozenset({"legal", "default"}))
    put(store, both, "a.md", "population", collection="legal")
    put(store, both, "a.md", "population", collection="default")
    assert [len(found(store, scope, "population")) for scope in (MEI, legal, both)] == [1, 1, 2]
    assert [d.collection for d in store.documents.list(legal)] == ["legal"]
    with pytest.raises(BadInput, match="legal"):
        put(store, MEI, "b.md", "text", collection="legal")
    nothing = Scope("acme", "mei", collections=frozenset())
    assert store.documents.list(nothing) == found(store, nothing, "population") == []


def test_two_passages_of_one_id_are_refused_and_nothing_is_kept(store: AnyStore) -> None:
    put(store, MEI, "a.md", "the first version")
    whole = document("a.md", "the second version", version="2")
    with pytest.raises(BadInput, match=r"doc:a\.md:2:0"):
        store.documents.put(MEI, whole, passages(whole) * 2)
    assert store.documents.get(MEI, "a.md").version == "1"
    assert found(store, MEI, "first") == ["a.md"]
    assert found(store, MEI, "second") == []


def test_a_passage_of_no_known_language_has_its_documents(store: AnyStore) -> None:
    # 東 is folded to 东 except in Japanese: told apart at the index, the two would not be found by one query.
    whole = Document("d", "a.md", "1", "東京の人口", language="ja")
    store.documents.put(MEI, whole, [replace(p, language="und") for p in passages(whole)])
    assert found(store, MEI, "東京", "ja") == ["a.md"]


def test_a_document_may_have_no_passages(store: AnyStore) -> None:
    assert store.documents.put(MEI, document("a.md", ""), []) is True
    assert store.documents.put(MEI, document("a.md", ""), []) is False
    assert store.documents.get(MEI, "a.md").text == ""


def test_remembered_turns_are_read_beside_documents(store: AnyStore) -> None:
    mine = session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    put(store, MEI, "a.md", "台中市的人口")
    read = store.documents.passages(MEI, ["t1:0", "doc:a.md:1:0"])
    assert {p.evidence_class for p in read.values()} == {EvidenceClass.USER_STATEMENT, EvidenceClass.DOCUMENT}
    assert (read["t1:0"].source, read["t1:0"].seq) == (mine.session, 1)
    assert "t1:0" not in store.documents.passages(TOM, ["t1:0", "doc:a.md:1:0"])


def test_what_was_said_around_a_remembered_turn_is_told_in_order(store: AnyStore) -> None:
    mine, elsewhere = session(store, MEI), session(store, MEI)
    for n, text in enumerate(["我養了一隻貓。", "牠叫麻糬。", "今年三歲。", "很愛睡。"], 1):
        say(store, mine, text, f"t{n}")
        say(store, elsewhere, f"另外一件事{n}。", f"e{n}")
    put(store, MEI, "a.md", "台中市的人口")
    around = store.documents.around(MEI, ["t2:0", "t4:0", "doc:a.md:1:0", "nobody"], 1)
    assert {name: [p.text for p in said] for name, said in around.items()} == {
        "t2:0": ["我養了一隻貓。", "牠叫麻糬。", "今年三歲。"],
        "t4:0": ["今年三歲。", "很愛睡。"],
    }
    assert [p.seq for p in store.documents.around(MEI, ["t2:0"], 9)["t2:0"]] == [1, 2, 3, 4]
    assert store.documents.around(TOM, ["t2:0"], 1) == {}
    assert store.documents.around(MEI, [], 1) == {}


def test_one_store_takes_documents_from_eight_threads(store: AnyStore) -> None:
    def fill(n: int) -> list[str]:
        for i in range(10):
            put(store, MEI, f"{n}-{i}.md", f"人口 {n} {i}")
            if i % 3 == 0:
                store.documents.delete(MEI, f"{n}-{i}.md")
        return found(store, MEI, "人口", limit=100)

    with ThreadPoolExecutor(8) as threads:
        assert all(list(threads.map(fill, range(8))))
    assert len(found(store, MEI, "人口", limit=100)) == len(store.documents.list(MEI)) == 48


def entry(source: str, text: str, instead_of: str | None = None, **rest: Any) -> Entry:
    whole = document(source, text, **rest)
    return Entry(whole, passages(whole), instead_of)


def test_several_are_stored_at_once_each_in_its_place(store: AnyStore) -> None:
    put(store, MEI, "old.md", "東京の人口", language="ja")
    put(store, MEI, "same.md", "台中市的人口")
    stored = store.documents.put_all(
        MEI,
        [
            entry("new.md", "東京の天気", language="ja"),
            entry("same.md", "台中市的人口"),
            entry("old.md", "大阪の天気", version="2", language="ja"),
            entry("old.md", "京都の天気", version="3", language="ja"),  # what comes later is later
            entry("mine.md", "天气很好", language="zh-Hans", owner="mei"),
        ],
    )
    assert stored == [Put.STORED, Put.SAME, Put.STORED, Put.STORED, Put.STORED]
    assert [(d.source, d.version) for d in store.documents.list(MEI)] == [
        *(("mine.md", "1"), ("new.md", "1"), ("old.md", "3"), ("same.md", "1")),
    ]
    assert sorted(found(store, MEI, "天気", "ja")) == ["new.md", "old.md"]
    assert found(store, MEI, "大阪") == []
    assert store.documents.put_all(MEI, []) == []


def test_one_that_cannot_be_stored_keeps_out_the_others(store: AnyStore) -> None:
    whole = document("b.md", "text")
    twice = Entry(whole, [*passages(whole), *passages(whole)])
    for wrong in (twice, entry("b.md", "text", owner="tom"), entry("b.md", "text", collection="secret")):
        with pytest.raises(BadInput):
            store.documents.put_all(MEI, [entry("a.md", "人口"), wrong])
    assert store.documents.list(MEI) == []
    assert found(store, MEI, "人口") == []


def test_an_entry_takes_the_place_of_the_version_it_names_and_of_no_other(store: AnyStore) -> None:
    assert store.documents.put_all(MEI, [entry("a.md", "one", "")]) == [Put.STORED]
    assert store.documents.put_all(MEI, [entry("a.md", "two", "", version="2")]) == [Put.OTHER]
    assert store.documents.put_all(MEI, [entry("a.md", "two", "7", version="2")]) == [Put.OTHER]
    assert store.documents.put_all(MEI, [entry("b.md", "two", "7", version="2")]) == [Put.OTHER]
    assert [d.version for d in store.documents.list(MEI)] == ["1"]
    assert store.documents.put_all(MEI, [entry("a.md", "one", "7")]) == [Put.SAME]
    assert store.documents.put_all(MEI, [entry("a.md", "two", "1", version="2")]) == [Put.STORED]
    assert found(store, MEI, "two") == ["a.md"]


def test_several_are_deleted_at_once_those_that_are_there(store: AnyStore) -> None:
    for n in range(4):
        put(store, MEI, f"{n}.md", f"台中市的人口 {n}")
    put(store, RIVAL, "4.md", "台中市的人口")
    assert store.documents.delete_all(MEI, ["doc:1.md", "doc:3.md", "doc:4.md", "no such", "0.md"]) == 2
    assert sorted(found(store, MEI, "人口")) == ["0.md", "2.md"]
    assert found(store, RIVAL, "人口") == ["4.md"]
    assert store.documents.delete_all(MEI, []) == 0

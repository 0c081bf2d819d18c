from __future__ import annotations

import pytest
from hypothesis import given

from anaphor.text.fold import matching
from anaphor.text.language import detect
from anaphor.text.region_words import alternatives, region_words
from anaphor.text.segment import index_terms, query_terms, segment
from anaphor.text.stem import stem
from growth import in_proportion
from text.strategies import languages, texts


def found(query: str, document: str, language: str | None = None) -> bool:
    """Whether the query shares a term with the document, each in the language it looks like."""
    terms = query_terms(query, language or detect(query))
    return not set(terms).isdisjoint(index_terms(document, detect(document)))


def test_cjk_gives_bigrams_and_latin_gives_words() -> None:
    assert [t.term for t in segment("台中市的API值")] == ["台中", "中市", "市的", "api", "值"]
    assert [t.term for t in segment("机")] == ["机"]
    assert [(t.term, t.start, t.end) for t in segment("ｻｰﾊﾞｰ")] == [("サー", 0, 2), ("ーバ", 1, 4), ("バー", 2, 5)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("QX-20731", ["qx-20731", "qx", "20731"]),
        ("kvstore-7", ["kvstore-7", "kvstor", "7"]),
        ("retention.max_days", ["retention.max_days", "retention", "max", "day"]),
        ("E4413", ["e4413"]),
        ("1,200", ["1200"]),
        ("3.5", ["3.5"]),
        ("1,2", ["1,2", "1", "2"]),
        ("user's", ["user"]),
        ("C++ C#", ["c++", "c", "c#", "c"]),
        ("https://a.example/b", ["https://a.example/b", "http", "a", "exampl", "b"]),
        ("👷🏻 ……！？ ()", []),
    ],
)
def test_identifiers_stay_whole_and_come_apart(text: str, terms: list[str]) -> None:
    assert [t.term for t in segment(text)] == terms


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("kvstore", "重启kvstore-7后告警恢复。"),
        ("-20731", "Ticket QX-20731 was closed."),
        ("e4413怎么办", "报错E4413表示租户未开通。"),
        ("ｅ４４１３", "报错E4413表示租户未开通。"),
        ("1200", "預付 1,200 元"),
        ("AB-120", "型番ＡＢ－１２０の保証期間"),
        ("ｻｰﾊﾞｰ", "サーバー再起動は毎月１０日に行います。"),
        ("サーバ", "サーバー再起動"),
        ("机", "会議室の机は六台あります。"),
        ("機械", "機械室の鍵は総務で借りてください。"),
        ("引越", "引っ越しの届出"),
        ("打合せ", "打ち合わせの時間"),
        ("申込書", "申し込み書は総務へ。"),
        ("取付け", "取り付け手順"),
        ("渡邊", "渡辺医師は火曜に来院します。"),
        ("國立病院", "国立病院です。"),
        ("台中仓库", "臺中倉庫裏的牀墊"),
        ("更新軟體", "更新软件前请先备份"),
        ("連接埠", "服务器默认端口为 8443。"),
        ("押金25000", "押金兩萬五"),
        ("2024年", "民國113年度的補助"),
        ("租多少錢", "每月租 500 元"),
        ("policies", "Our refund policy."),
        ("shipping", "We shipped it."),
        ("café", "Cafe on the corner"),
        ("A会議室", "会議室Aは8名まで"),
    ],
)
def test_what_should_be_found_is(query: str, document: str) -> None:
    assert found(query, document)


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("E44130", "报错E4413表示租户未开通。"),
        ("机", "機械室の鍵は総務で借りてください。"),
        ("機械", "会議室の机は六台あります。"),
        ("冷却塔", "塔式机柜与冷水机组"),
        ("軟體", "資料夾與軟墊請寄放在庫房。"),
        ("是什麼", "這是什麼都有的清單"),
    ],
)
def test_what_should_not_be_found_is_not(query: str, document: str) -> None:
    assert not found(query, document)


def test_the_grammar_of_a_question_is_not_asked_for() -> None:
    assert list(query_terms("這個套餐的租金是多少？", "zh-Hant"))[:3] == ["个套", "套餐", "餐的"]
    assert list(query_terms("What is the refund policy?", "en")) == ["refund", "policy"]
    assert "すか" not in query_terms("予約は必要ですか？", "ja")
    assert list(query_terms("The Who", "en")) == ["the", "who"]  # nothing else to ask for


@pytest.mark.parametrize("filler", ["？？？", "　", "👷🏻", "那呢？", "什麼", "是什么", "これは何ですか", "嗎", ""])
def test_filler_alone_has_no_terms(filler: str) -> None:
    assert list(query_terms(filler, detect(filler))) == []


def test_a_query_without_kana_asks_for_both_forms() -> None:
    assert list(query_terms("機械")) == ["机械", "機械"]
    assert list(query_terms("機械", "ja")) == ["機械"]
    assert list(query_terms("机械")) == ["机械"]


@pytest.mark.parametrize("text", ["The 髙橋倉庫 depot opens at nine.", "機械室 B2"])
@pytest.mark.parametrize("language", ["en", "und"])
def test_names_in_a_text_of_another_language_are_found_from_chinese_and_from_japanese(text: str, language: str) -> None:
    indexed = set(index_terms(text, language))
    named = "倉庫" if "倉庫" in text else "機械"
    for asking in ("ja", "zh-Hant", "zh-Hans"):
        assert indexed.intersection(query_terms(named, asking))
    assert ("高橋" in indexed) is ("髙橋" in text)


def test_a_text_with_kana_folds_as_japanese_where_nobody_says_what_it_is() -> None:
    assert index_terms("会議室の機械", "und") == index_terms("会議室の機械", "ja")
    assert "机械" not in index_terms("会議室の機械")


def test_what_another_region_says_weighs_less() -> None:
    asked = query_terms("伺服器", "zh-Hant")
    assert asked["伺服"] == 1.0 > asked["服务"] > 0


def test_regions_call_things_differently() -> None:
    assert {"服务器", "默认"} <= set(alternatives(matching("伺服器預設")))
    assert alternatives(matching("盧安達")) == ["卢旺达"]
    assert all(len(word) > 1 for word in region_words())
    assert all(matching(word) == word for word in region_words())


@pytest.mark.parametrize(
    ("word", "same"),
    [("policies", "policy"), ("stored", "storing"), ("boxes", "boxe"), ("stopped", "stop"), ("classes", "classe"),
     ("tenant's", "tenant"), ("status", "status"), ("ss", "ss"), ("bring", "bring"), ("need", "needs")],
)  # fmt: skip
def test_stems_meet(word: str, same: str) -> None:
    assert stem(word) == stem(same)


@given(texts, languages)
def test_terms_are_words_of_the_folded_text_in_place(text: str, language: str) -> None:
    for token in segment(text, language):
        assert token.term
        assert token.term.split() == [token.term]
        assert 0 <= token.start < token.end <= len(text)


@given(texts, languages)
def test_what_a_query_says_in_full_an_index_of_the_same_text_holds(text: str, language: str) -> None:
    indexed = set(index_terms(text, language))
    assert indexed.issuperset(token.term for token in segment(text, language))
    asked = query_terms(text, language)
    if asked and language == "ja":
        assert indexed.issuperset(asked)


@pytest.mark.parametrize("part", ["更新軟體前請先備份資料庫", "a-", "1,", "あい、", "一萬", "Ａ１ ", "x.y@z "])
def test_terms_take_time_in_proportion_to_the_text(part: str) -> None:
    def work(size: int) -> None:
        text = part * (size // len(part))
        index_terms(text)
        query_terms(text[: size // 4])

    assert in_proportion(work, 12_500)

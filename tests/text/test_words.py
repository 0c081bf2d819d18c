from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from anaphor.text.fold import matching
from anaphor.text.function_words import BY_LANGUAGE, COURTESY, EN, JA, QUESTION, ZH, ZH_BOUND
from anaphor.text.language import detect
from anaphor.text.words import content_words, names, words
from text.strategies import languages, texts


def content(text: str) -> list[str]:
    return [text[w.start : w.end] for w in content_words(text, detect(text))]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("會議室A的租金是多少？", ["會議室A", "租金"]),
        ("那它的增長率呢？", ["增長率"]),
        ("请问3楼会议室怎么预约", ["3楼会议室", "预约"]),
        ("信用卡還款日可以改嗎？", ["信用卡還款日", "改"]),
        ("申請表在哪裡下載", ["申請表", "下載"]),
        ("火車要多久", ["火車"]),
        ("現在所有人的目的地", ["現在所有人", "目的地"]),
        ("申し込み書の提出期限はいつですか？", ["申し込み書", "提出期限"]),
        ("引っ越しの届出", ["引っ越し", "届出"]),
        ("りんごの値段", ["りんご", "値段"]),
        ("はがきはどこ", ["はがき"]),
        ("サーバーの再起動について教えてください", ["サーバー", "再起動"]),
        ("kvstore-7 の retention.max_days はいくつ？", ["kvstore-7", "retention.max_days"]),
        ("Tell me about the composer Ada Brennick.", ["composer", "Ada Brennick"]),
        ("これは何ですか", []),
        ("What is it?", []),
        ("嗯？！", ["嗯"]),
    ],
)
def test_content_is_what_could_be_carried(text: str, kept: list[str]) -> None:
    assert content(text) == kept


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("我想在「青嵐攝影棚」拍照", ["青嵐攝影棚"]),
        ("Where did Ada Brennick of the Royal College study?", ["Ada Brennick of the Royal College"]),
        ("Students may apply.", []),
        ("會議室A和E4413", ["會議室A", "E4413"]),
        ("サーバーとスイッチを再起動", ["サーバー", "スイッチ"]),
        ("see app.yaml and max_days", ["app.yaml", "max_days"]),
        ("《快跑吧！小鹿》好看嗎", ["快跑吧！小鹿"]),
    ],
)
def test_names_are_what_a_text_calls_things(text: str, called: list[str]) -> None:
    assert [text[n.start : n.end] for n in names(text, detect(text))] == called


def test_function_words_stand_in_both_scripts() -> None:
    assert {matching(word) for word in ZH} <= ZH
    assert not ZH & ZH_BOUND
    assert all(any(matching(word) in matching(bound) for word in ZH) for bound in ZH_BOUND)
    assert set(QUESTION) == set(COURTESY) == {"zh", "ja", "en"}
    assert QUESTION["zh"] | COURTESY["zh"] <= ZH
    assert QUESTION["ja"] | COURTESY["ja"] <= JA
    assert QUESTION["en"] | COURTESY["en"] <= EN
    assert BY_LANGUAGE["zh-Hant"] == BY_LANGUAGE["zh-Hans"] == ZH


@given(texts, languages)
def test_words_are_verbatim_in_order_and_apart(text: str, language: str) -> None:
    for found in (words(text, language), content_words(text, language), names(text, language)):
        for one, next_one in pairwise(found):
            assert one.start <= next_one.start
            assert one.end <= next_one.end
        for token in found:
            assert 0 <= token.start <= token.end <= len(text)


@pytest.mark.parametrize("part", ["的", "りんご", "A ", "Aa.", "a_1.", "「", "會議室A", "9"])
def test_large_texts_are_no_trap(part: str) -> None:
    text = part * (30_000 // len(part))
    for token in (*content_words(text), *names(text)):
        assert part[0] in text[token.start : token.end]

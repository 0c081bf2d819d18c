from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.text.language import detect, language_of, reply_fits, script, settle
from text.strategies import texts


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("臺中市人口數", "zh-Hant"),
        ("人口统计", "zh-Hans"),
        ("人口はどれくらい", "ja"),
        ("What is the population?", "en"),
        ("人口", "und"),
        ("台中市人口", "und"),
        ("那 403 呢？", "und"),
        ("403", "und"),
        ("ERR_SYNC_0471", "und"),
        ("", "und"),
        ("？！", "und"),
        ("👷🏻", "und"),
        ("什么", "zh-Hans"),
        ("那它的增長率呢？", "zh-Hant"),
        ("會議室A", "zh-Hant"),
        ("会議室", "ja"),  # 会 is not Traditional, 議 is not Simplified
        ("図書館", "ja"),
        ("ｻｰﾊﾞｰ", "ja"),
        ("嘅𨋢", "zh-Hant"),
        ("ㄅㄆㄇ", "zh-Hant"),
    ],
)
def test_what_can_be_told_and_what_cannot(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What does 機械 mean?", "en"),
        ("「ありがとう」是什麼意思？", "zh-Hant"),
        ("這個API的timeout預設是多少", "zh-Hant"),
        ("iPhone 16 Pro Max 价格", "zh-Hans"),
        ("請問 How To Train Your Dragon 在哪裡播？", "zh-Hant"),
        ("How do I configure the 台中 office printer?", "en"),
        ("Python の list について教えて", "ja"),
        ("《勞動法》的主要功能是?", "zh-Hant"),  # the frame leaves it open; what it quotes tells
        ("`git commit` 怎么用", "zh-Hans"),
        ("東京特許許可局局長の発言", "ja"),
    ],
)
def test_the_frame_of_a_mixed_sentence_decides(text: str, language: str) -> None:
    assert detect(text) == language


def test_scripts_have_the_names_of_the_standard() -> None:
    assert [script(t) for t in ("臺灣", "台湾的", "の", "of", "1")] == ["Hant", "Hans", "Jpan", "Latn", "undetermined"]


def test_what_is_open_is_settled_by_the_talk_then_the_locale() -> None:
    assert settle("人口", ["臺灣的", "这是什么"]) == "zh-Hans"  # the newest is looked at first
    assert settle("人口", [], "zh-CN") == "zh-Hans"
    assert settle("人口", ["これは何ですか"]) == "ja"
    assert settle("機械", ["これは何ですか"]) == "ja"  # Traditional Chinese or Japanese
    assert settle("機械", ["What is this?"]) == "zh-Hant"
    assert settle("人口") == "zh-Hant"
    assert settle("403", ["人口は？"]) == "ja"
    assert settle("403") == "en"
    assert settle("What?", ["人口は？"], "zh-TW") == "en"


@pytest.mark.parametrize(
    ("locale", "language"),
    [("zh-TW", "zh-Hant"), ("zh_CN.UTF-8", "zh-Hans"), ("zh-Hans-SG", "zh-Hans"), ("zh-HK", "zh-Hant"), ("ja_JP", "ja"),
     ("en-GB", "en"), ("de", "und"), ("", "und"), (None, "und")],
)  # fmt: skip
def test_locales_become_tags(locale: str | None, language: str) -> None:
    assert language_of(locale) == language


@pytest.mark.parametrize(
    ("message", "reply", "fits"),
    [
        ("保固多久？要發票嗎", "The warranty is two years [1].", False),
        ("保固多久？要發票嗎", "保固為兩年，需要發票 [1]。", True),
        ("保固多久？要發票嗎", "保修为两年，需要发票 [1]。", False),
        ("保証期間はどれくらいですか？", "保固期間為兩年，需要發票。", False),
        ("保証期間はどれくらいですか？", "保証期間は2年です [1]。", True),
        ("What does E4413 mean?", "E4413: tenant not enabled [1].", True),
        ("What does E4413 mean?", "E4413 は無効です。", False),
        ("Wi-Fi 密碼？", "guest-2026", True),
    ],
)
def test_a_reply_fits_the_language_and_script_of_the_message(message: str, reply: str, fits: bool) -> None:
    assert reply_fits(message, reply) is fits


def test_an_open_message_takes_the_script_of_the_talk_then_of_the_locale() -> None:
    hant, hans = "人口約 285 萬人。", "人口约 285 万人。"
    assert reply_fits("人口", hant, talk_script="Hant")
    assert not reply_fits("人口", hans, talk_script="Hant")
    assert reply_fits("人口", hans, talk_script="Hans", locale="zh-TW")
    assert not reply_fits("人口", hans, locale="zh-TW")
    assert reply_fits("人口", hans)
    assert reply_fits("人口", hant)
    assert not reply_fits("人口", "The population is 2.85 million.")
    assert not reply_fits("人口", "人口は約285万人です。", talk_script="Hans")


@given(texts, st.lists(texts, max_size=3), st.none() | st.text(max_size=8))
def test_detection_is_total(text: str, talk: list[str], locale: str | None) -> None:
    assert detect(text) in ("zh-Hant", "zh-Hans", "ja", "en", "und")
    assert settle(text, talk, locale) in ("zh-Hant", "zh-Hans", "ja", "en")
    assert isinstance(reply_fits(text, "".join(talk), talk_script=script(text), locale=locale), bool)


def test_long_texts_are_sampled() -> None:
    assert detect("これは長い文章です。" * 50_000) == "ja"
    assert detect("「" * 200_000 + "`" * 200_000 + "a." * 50_000) in ("en", "und")

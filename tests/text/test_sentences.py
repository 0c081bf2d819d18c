from __future__ import annotations

import pytest
from hypothesis import given

from anaphor.text.mood import Mood, mood
from anaphor.text.sentences import assertions, sentences
from growth import in_proportion
from text.strategies import texts


def cut(text: str) -> list[str]:
    return [text[s.start : s.end] for s in sentences(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("经理说：“先登记。再入场。”随后离开。", ["经理说：“先登记。再入场。”", "随后离开。"]),
        ("彼は「はい。そうです。」と言った。次の文。", ["彼は「はい。そうです。」と言った。", "次の文。"]),
        ("請看《出發！小隊》再作答。", ["請看《出發！小隊》再作答。"]),
        ("上限３．５兆帕（見附錄……），超出停機。好！", ["上限３．５兆帕（見附錄……），超出停機。", "好！"]),
        ("真的？！是的……好。", ["真的？！", "是的……", "好。"]),
        ("Dr. Smith paid 3.5 euros, e.g. in app.yaml. He left at 5 p.m. Then he slept.",
         ["Dr. Smith paid 3.5 euros, e.g. in app.yaml.", "He left at 5 p.m.", "Then he slept."]),
        ("“Go!” he said. Why? No. 5 is free.", ["“Go!” he said.", "Why?", "No. 5 is free."]),
        ("See https://a.example/c?q=1&x=2. Then go!", ["See https://a.example/c?q=1&x=2.", "Then go!"]),
        ("1. First\n2. Second one. Really.\n- third", ["1. First", "2. Second one.", "Really.", "- third"]),
        ("沒有標點的一行\n第二行", ["沒有標點的一行", "第二行"]),
        ("A line of Latin text that somebody has wrapped at some\ncolumn goes on here. Next.",
         ["A line of Latin text that somebody has wrapped at some\ncolumn goes on here.", "Next."]),
        ("Title\nText under it.", ["Title", "Text under it."]),
        ("型番は３．５です．次です．", ["型番は３．５です．", "次です．"]),
        ("第一句。」』第二句", ["第一句。」』", "第二句"]),
        ("", []),
        (" \n\t", []),
    ],
)  # fmt: skip
def test_where_sentences_end(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


@given(texts)
def test_sentences_are_all_of_the_text_in_order(text: str) -> None:
    spans = sentences(text)
    end = 0
    for span in spans:
        assert not text[end : span.start].strip()
        assert span.start < span.end
        piece = text[span.start : span.end]
        assert piece == piece.strip()
        end = span.end
    assert not text[end:].strip()


@given(texts)
def test_no_sentence_but_the_first_begins_with_a_closing_mark_after_a_stop(text: str) -> None:
    for span in sentences(text)[1:]:
        if text[span.start - 1] in "。！？":
            assert text[span.start] not in "”’」』》）】。！？…"


@pytest.mark.parametrize(
    "part", ["あ。「い。」（う）\n", "Hi. E.g. J. Smith\n", "「", "「」", ". ", "。", "1.", "\n", " "]
)
def test_cutting_takes_time_in_proportion_to_the_text(part: str) -> None:
    assert in_proportion(lambda size: sentences(part * (size // len(part))), 12_500)


ASSERTED = """我對花生過敏。|我住在台北|我什麼都吃|我請假三天|我不吃辣|別克是我的車|我非常喜欢莫言的小说。
我未来三年都住无锡。|請假單已經送出|再来週の水曜に健康診断があります。|予約しなければならない|静かです|猫を飼っています
誰でも使えます。|いつも朝ご飯を食べません|明日行くかもしれない|I am allergic to peanuts.|I use Vim|My dog is called Rex
When I was young, I lived in Paris.|What I like is tea.|Use of drones is banned"""
ASKED = """退貨期限是幾天？|病假要交证明吗|谢谢卡在哪里领|你喜歡什麼|台北到花蓮的火車要多久|這樣好不好|能不能改期
料金はいくら|料金は|開いていますか|それって予約が必要じゃない？|What time is it|When does it open|can you help
How to reset|Do you know"""
ORDERED = """請記住我的名字|忘記剛才說的|以後用日文回答|再多解釋一點|帮我查一下|覚えておいてください|教えて
もう少し詳しく|Please remember my name|Tell me more|forget what I said|Let's start over"""
SUPPOSED = """如果明天下雨我就不去|假如我有車|もし雨なら中止です|晴れたら行きます|If it rains I stay home
Suppose I had a car"""
COURTEOUS = """謝謝|好的谢谢，辛苦了～|你好|ありがとうございました。|お願いします|こんにちは！|Thanks a lot!|ok
hi there|👋|……"""


@pytest.mark.parametrize(
    ("examples", "expected"),
    [(ASSERTED, Mood.ASSERTION), (ASKED, Mood.QUESTION), (ORDERED, Mood.COMMAND), (SUPPOSED, Mood.HYPOTHETICAL),
     (COURTEOUS, Mood.COURTESY)],
)  # fmt: skip
def test_what_a_sentence_does(examples: str, expected: Mood) -> None:
    said = examples.replace("\n", "|").split("|")
    assert {sentence: mood(sentence) for sentence in said} == dict.fromkeys(said, expected)


def test_assertions_are_what_remains() -> None:
    text = "你好！我住在台南。那裡有什麼好吃的？請記住我吃素。I work at night."
    assert [text[s.start : s.end] for s in assertions(text)] == ["我住在台南。", "I work at night."]


@given(texts)
def test_every_sentence_has_a_mood(text: str) -> None:
    assert mood(text) in Mood
    assert set(assertions(text)) <= set(sentences(text))

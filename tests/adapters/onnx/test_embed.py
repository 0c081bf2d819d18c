"""fastembed over a tiny model that is made here: one vector a token, the mean of them a text."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from anaphor.errors import MissingExtra, ModelRejected, ModelUnavailable

if importlib.util.find_spec("fastembed") is None or importlib.util.find_spec("onnx") is None:
    pytest.skip("needs the extra [onnx] and the package onnx", allow_module_level=True)

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers

from anaphor.adapters.onnx.embed import FastEmbedEmbedder

WORDS = ["[PAD]", "[UNK]", "query", ":", "passage", "人口", "台中", "東京", "天氣", "population", "."]


def model_in(folder: Path, seed: int = 0, first_token: bool = False) -> Path:
    """A folder as sentence-transformers exports one."""
    folder.mkdir(parents=True)
    table = np.random.default_rng(seed).normal(size=(len(WORDS), 8)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", 8])],
        [numpy_helper.from_array(table, "table")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(made, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    written = {
        "config.json": {"pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 32, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
    }
    if first_token:
        written["1_Pooling/config.json"] = {"pooling_mode_cls_token": True}
    for name, content in written.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return model_in(tmp_path_factory.mktemp("models") / "tiny")


def test_a_model_in_a_folder_gives_one_unit_vector_a_text_in_order(folder: Path) -> None:
    embedder = FastEmbedEmbedder(str(folder))
    texts = ["人口", "", "\0", "\ud83d", "台中 人口 " * 40, "population", "x" * 100_000] * 5
    vectors = embedder.embed(texts, query=False)
    assert [len(vector) for vector in vectors] == [embedder.dimensions] * len(texts) == [8] * len(texts)
    for text, vector in zip(texts, vectors, strict=True):
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-5)
        assert list(embedder.embed([text], query=False)[0]) == pytest.approx(list(vector), abs=1e-5)
    assert embedder.embed([], query=True) == []
    near, far = embedder.embed(["台中 人口", "東京 天氣"], query=False)
    assert np.dot(near, embedder.embed(["人口 台中"], query=True)[0]) > np.dot(far, near)


def test_dimensions_are_learnt_from_the_model(folder: Path) -> None:
    assert FastEmbedEmbedder(str(folder)).dimensions == 8


def test_another_model_in_a_folder_of_the_same_name_has_another_name(folder: Path, tmp_path: Path) -> None:
    other = model_in(tmp_path / "elsewhere" / "tiny", seed=1)
    one, two = FastEmbedEmbedder(str(folder)), FastEmbedEmbedder(str(other))
    assert one.name != two.name
    assert one.name.startswith("fastembed/tiny@")
    assert FastEmbedEmbedder(str(shutil.copytree(folder, tmp_path / "tiny"))).name == one.name
    assert list(one.embed(["人口"], query=True)[0]) != list(two.embed(["人口"], query=True)[0])


def test_a_model_whose_first_token_stands_for_the_text(tmp_path: Path) -> None:
    embedder = FastEmbedEmbedder(str(model_in(tmp_path / "first", first_token=True)))
    one, two, three = embedder.embed(["人口 台中", "人口 天氣", "天氣 人口"], query=False)
    assert list(one) == pytest.approx(list(two))
    assert list(one) != pytest.approx(list(three))


def test_models_of_the_e5_family_are_told_queries_from_passages(tmp_path: Path) -> None:
    embedder = FastEmbedEmbedder(str(model_in(tmp_path / "my-e5-small")))
    (asked,), (told,) = (embedder.embed(["人口"], query=query) for query in (True, False))
    assert list(asked) != pytest.approx(list(told))


def test_a_folder_without_a_model_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match=r"model\.onnx"):
        FastEmbedEmbedder(str(tmp_path))


def test_a_broken_model_is_one_line(tmp_path: Path) -> None:
    folder = model_in(tmp_path / "broken")
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelUnavailable, match="cannot be loaded") as broken:
        FastEmbedEmbedder(str(folder)).embed(["人口"], query=True)
    assert "\n" not in str(broken.value)
    (folder / "tokenizer.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelUnavailable):
        FastEmbedEmbedder(str(folder)).embed(["人口"], query=True)


def test_a_name_that_the_library_does_not_know() -> None:
    with pytest.raises(ModelRejected, match="no model 'acme/nothing'"):
        FastEmbedEmbedder("acme/nothing").embed(["人口"], query=True)


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'anaphor\[onnx\]'"):
        FastEmbedEmbedder()

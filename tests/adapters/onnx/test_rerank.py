"""A cross-encoder in a folder, on a tiny model made here: its score is how many of the pair's tokens occur twice."""

from __future__ import annotations

import pytest

from anaphor.errors import ModelRejected, ModelUnavailable
from anaphor.types import Decision, Passage, StandaloneQuery

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
tokenizers = pytest.importorskip("tokenizers")

from anaphor.adapters.onnx.rerank import CrossEncoder  # noqa: E402

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "貓", "狗", "叫", "麻", "糬", "猫", "犬", "cat", "dog", "名", "前"]


def tokenizer(folder):
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.save(str(folder / "tokenizer.json"))


def model(folder, columns=1):
    """Σ over the vocabulary of (times in the query) · (times in the passage), marks aside."""
    helper, kind = onnx.helper, onnx.TensorProto
    numbers = [0.0, 0.0, 0.0, 0.0, *[1.0] * (len(WORDS) - 4)]
    nodes = [
        helper.make_node("OneHot", ["input_ids", "depth", "values"], ["tokens"], axis=-1),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=kind.FLOAT),
        helper.make_node("Sub", ["one", "second"], ["first"]),
        helper.make_node("Unsqueeze", ["first", "last"], ["first_"]),
        helper.make_node("Unsqueeze", ["second", "last"], ["second_"]),
        helper.make_node("Mul", ["tokens", "first_"], ["asked"]),
        helper.make_node("Mul", ["tokens", "second_"], ["told"]),
        helper.make_node("ReduceSum", ["asked", "middle"], ["asked_"], keepdims=0),
        helper.make_node("ReduceSum", ["told", "middle"], ["told_"], keepdims=0),
        helper.make_node("Mul", ["asked_", "told_"], ["both"]),
        helper.make_node("Mul", ["both", "numbers"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "middle"], ["score"], keepdims=1),
        helper.make_node("Concat", ["score"] * columns, ["logits"], axis=1),
    ]
    constants = [
        helper.make_tensor("depth", kind.INT64, [], [len(WORDS)]),
        helper.make_tensor("values", kind.FLOAT, [2], [0.0, 1.0]),
        helper.make_tensor("one", kind.FLOAT, [1], [1.0]),
        helper.make_tensor("last", kind.INT64, [1], [-1]),
        helper.make_tensor("middle", kind.INT64, [1], [1]),
        helper.make_tensor("numbers", kind.FLOAT, [len(WORDS)], numbers),
    ]
    given = [
        helper.make_tensor_value_info(name, kind.INT64, ["n", "length"]) for name in ("input_ids", "token_type_ids")
    ]
    out = [helper.make_tensor_value_info("logits", kind.FLOAT, ["n", columns])]
    made = helper.make_model(
        helper.make_graph(nodes, "pairs", given, out, constants), opset_imports=[helper.make_opsetid("", 17)]
    )
    made.ir_version = 8
    onnx.checker.check_model(made)
    (folder / "model.onnx").write_bytes(made.SerializeToString())


@pytest.fixture
def folder(tmp_path):
    tokenizer(tmp_path)
    model(tmp_path)
    return tmp_path


def asked(text):
    return StandaloneQuery(text, Decision.STANDALONE, 1.0)


def passages(*texts):
    return [Passage(f"p{n}", text, "a.md") for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("what is the cat called?", "the cat", "the dog"),
        ("貓叫什麼?", "貓叫麻糬", "狗在睡"),
        ("猫叫什么?", "猫叫麻糬", "狗在睡"),
        ("猫の名前は?", "猫の名前", "犬の写真"),
    ],
)
def test_what_the_model_finds_alike_scores_higher_in_four_languages(folder, question, right, wrong):
    found = CrossEncoder(folder).scores(asked(question), passages(wrong, right))
    assert found[1] > found[0]


def test_one_score_a_passage_in_order_whatever_their_number_and_length(folder):
    texts = ["dog " * 3000, "", "cat", *["dog"] * 40, "cat cat"]
    reranker = CrossEncoder(folder)
    found = reranker.scores(asked("cat"), passages(*texts))
    assert found == [0.0, 0.0, 1.0, *[0.0] * 40, 2.0]
    assert reranker.scores(asked("cat"), []) == []
    assert reranker.scores(asked("\ud800"), passages("\0"))  # any text


def test_the_title_is_read_too(folder):
    assert CrossEncoder(folder).scores(asked("cat"), [Passage("p", "…", "a.md", title="cat")]) == [1.0]


def test_two_classes_are_one_score(folder):
    model(folder, columns=2)
    assert CrossEncoder(folder).scores(asked("cat"), passages("cat")) == [0.0]


def test_what_is_no_reranker_is_said_in_a_line(folder):
    model(folder, columns=3)
    with pytest.raises(ModelUnavailable, match="3 numbers a pair"):
        CrossEncoder(folder).scores(asked("cat"), passages("cat"))
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        CrossEncoder(folder).scores(asked("cat"), passages("cat"))


def test_a_folder_that_lacks_something_says_what(tmp_path):
    with pytest.raises(ModelRejected, match=r"needs one of model\.onnx"):
        CrossEncoder(tmp_path)
    model(tmp_path)
    with pytest.raises(ModelRejected, match=r"no tokenizer\.json"):
        CrossEncoder(tmp_path)


def test_another_model_has_another_name(folder):
    before = CrossEncoder(folder).name
    model(folder, columns=2)
    assert CrossEncoder(folder).name != before
    assert before.startswith("onnx/")

"""The small door: a list of messages in, a standalone query out."""

import subprocess
import sys

import pytest

import anaphor
from anaphor.errors import BadInput, BadMessages
from anaphor.types import Decision

TALK = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "東京の人口は何人ですか？"},
    {"role": "assistant", "content": "約1400万人です。"},
]


def test_the_last_user_message_is_the_question():
    query = anaphor.reconstruct([*TALK, {"role": "user", "content": "大阪は？"}])
    assert query.text == "大阪の人口は何人ですか？"
    assert query.decision is Decision.FOLLOW_UP
    assert query == anaphor.reconstruct(TALK, "大阪は？")


@pytest.mark.parametrize(
    ("first", "answer", "question", "text"),
    [
        ("HTTP 401 是什麼意思？", "未授權。", "那 403 呢？", "HTTP 403 是什麼意思？"),
        ("年假要提前几天申请？", "三天。", "那病假呢？", "病假要提前几天申请？"),
        ("東京の人口は何人ですか？", "1400万人です。", "では、大阪は？", "大阪の人口は何人ですか？"),
        ("What is the population of Tokyo?", "14 million.", "And Osaka?", "What is the population of Osaka?"),
    ],
)
def test_four_languages(first, answer, question, text):
    talk = [{"role": "user", "content": first}, {"role": "assistant", "content": answer}]
    assert anaphor.reconstruct(talk, question).text == text


def test_names_come_along_from_far_back():
    talk = [
        {"role": "user", "content": "Tell me about the composer Ada Brennick."},
        {"role": "assistant", "content": "Yes?"},
    ]
    for asked in (
        "Where was she born?",
        "Where did she study?",
        "Who taught her?",
        "Did she teach?",
        "Was she famous?",
    ):
        talk += [{"role": "user", "content": asked}, {"role": "assistant", "content": "I see."}]
    assert "Ada Brennick" in anaphor.reconstruct(talk, "When did she die?").text


def test_what_the_assistant_said_resolves_and_is_carried_no_further():
    answer = "The Basalt plan. " + "Basalt brings flamingos, and flamingos bring Basalt. " * 8
    talk = [{"role": "user", "content": "Which plan is cheapest?"}, {"role": "assistant", "content": answer}]
    query = anaphor.reconstruct(talk, "Does it include support?")
    assert "Basalt" in query.text
    assert not any("flamingo" in t.term.lower() for t in query.terms)


def test_parts_of_a_message_and_calls_of_tools():
    talk = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "What is Redis?"}, {"type": "image_url", "image_url": {}}],
        },
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "{}"},
        {"role": "assistant", "content": "An in-memory store."},
    ]
    assert "Redis" in anaphor.reconstruct(talk, "How do I install it?").text


def test_the_first_question_is_left_as_it_is():
    for question in ("再生能源補助怎麼申請？", "年假怎么请？", "予約は必要ですか", "How long is parental leave?"):
        query = anaphor.reconstruct([], question)
        assert query.text == question
        assert query.decision is Decision.STANDALONE


def test_a_language_where_the_text_does_not_tell():
    assert anaphor.reconstruct([], "人口", language="ja").language == "ja"
    assert anaphor.reconstruct([], "人口", language="zh-Hans").language == "zh-Hans"
    assert anaphor.reconstruct([], "人口").language == "zh-Hant"


@pytest.mark.parametrize(
    ("messages", "question", "told"),
    [
        ("hello", None, "str"),
        (3, None, "int"),
        (None, "x", "NoneType"),
        ({"role": "user"}, None, "dict"),
        (["hi"], "x", "messages[0]"),
        ([{"role": "user", "content": "a"}, {"content": "b"}], "x", "messages[1]"),
        ([{"role": "person", "content": "a"}], "x", "'person'"),
        ([{"role": "user"}], None, "messages[0]"),
        ([{"role": "user", "content": 3}], None, "messages[0]"),
        ([{"role": "user", "content": [3]}], None, "messages[0]"),
        ([], None, "no question"),
        ([{"role": "assistant", "content": "a"}], None, "no question"),
        ([], "", "empty"),
        ([], " \n\t", "empty"),
        ([], 7, "int"),
    ],
)
def test_what_is_malformed_is_named(messages, question, told):
    with pytest.raises(BadMessages) as caught:
        anaphor.reconstruct(messages, question)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_importing_is_cheap_and_needs_nothing_else():
    script = (
        "import sys, time; start = time.process_time(); import anaphor; anaphor.reconstruct; "
        "print(time.process_time() - start); "
        "assert not {'apsw', 'httpx', 'click', 'rich', 'numpy'} & sys.modules.keys()"
    )
    seconds = [
        float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    assert min(seconds) < 0.05


def test_the_public_names_are_there():
    for name in anaphor.__all__:
        assert getattr(anaphor, name) is not None
    assert set(anaphor.__all__) <= set(dir(anaphor))
    with pytest.raises(AttributeError):
        anaphor.nothing_of_the_kind  # noqa: B018


@pytest.mark.parametrize("language", ["xx", "zh", "ZH-HANT", "", 5, ["ja"]])
def test_a_language_is_one_of_the_four(language):
    with pytest.raises(BadInput, match="language must be one of zh-Hant, zh-Hans, ja, en, not ") as refused:
        anaphor.reconstruct(TALK, "大阪は？", language=language)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("model", ["gpt", 5, object()])
def test_a_model_is_something_that_replies(model):
    with pytest.raises(BadInput, match="model must be a ChatModel"):
        anaphor.reconstruct(TALK, "大阪は？", model=model)

"""The project's own rows, in four languages, and what is said of rows that are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphor.errors import MissingFile
from anaphor_eval.datasets import (
    Answerability,
    Contradiction,
    Conversation,
    DatasetError,
    FactItem,
    LongConversation,
    Passage,
    PlantedFact,
    PoisonedQuestion,
    SingleQuestion,
    read,
    read_as,
    read_pool,
)
from anaphor_eval.datasets.memory import counted, slices
from anaphor_eval.datasets.rag import question_like


@pytest.fixture
def written(tmp_path: Path):
    def write(*rows: Any, name: str = "set.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
        return path

    return write


def rewrite(
    turn_id: str, lang: str, utterance: str, standalone: str, history: list[str], **more: Any
) -> dict[str, Any]:
    said = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(history)]
    return {
        "id": turn_id,
        "lang": lang,
        "history": said,
        "utterance": utterance,
        "standalone": standalone,
        "needs_rewrite": utterance != standalone,
        **more,
    }


REWRITES = [
    rewrite("a-1", "zh-TW", "那它的增長率呢？", "台中市的人口增長率是多少？", ["台中市有多少人？", "約 286 萬人"]),
    rewrite("b-1", "zh-CN", "为什么", "为什么明天放假", ["明天放假", "真的"]),
    rewrite("c-1", "ja", "それはいつですか", "【customer】が予約したのはいつですか", ["予約したい", "はい"]),
    rewrite("d-1", "en", "How old is it?", "How old is the moon?", ["Tell me about the moon.", "It is a rock."]),
]


def test_rewrites_keep_their_words_and_lose_their_annotation(written):
    found = read_as(written(*REWRITES), Conversation)
    turns = [turn for conversation in found.items for turn in conversation.turns]
    assert found.languages == ("zh-Hant", "zh-Hans", "ja", "en")
    assert [turn.standalone[0] for turn in turns] == [
        "台中市的人口增長率是多少？",
        "为什么明天放假",
        "予約したのはいつですか",
        "How old is the moon?",
    ]
    assert all(turn.needs_history and turn.history[0].role == "user" for turn in turns)


@pytest.mark.parametrize(
    ("ids", "conversation"),
    [
        (["mtrag-ab12<::>1", "mtrag-ab12<::>4"], "mtrag-ab12"),
        (["cast2019-31-1", "cast2019-31-2"], "cast2019-31"),
        (["cast2022-132-path0-1-1", "cast2022-132-path1-2-3"], "cast2022-132"),
        (["canard-C_4_0-1", "canard-C_4_0-2"], "canard-C_4_0"),
        (["asdc.v4.127.1-0", "asdc.v4.127.5-1"], "asdc.v4.127"),
    ],
)
def test_rows_of_one_conversation_are_found_by_their_ids(written, ids, conversation):
    rows = [rewrite(turn_id, "en", "What about it?", "What about the tax?", ["The tax?", "20%"]) for turn_id in ids]
    found = read(written(*rows))
    assert [(c.conversation_id, len(c.turns)) for c in found.items] == [(conversation, 2)]


def test_an_id_of_no_known_shape_is_a_conversation_of_its_own(written):
    assert [c.conversation_id for c in read(written(*REWRITES)).items] == ["a-1", "b-1", "c-1", "d-1"]


def rag_row(**more: Any) -> dict[str, Any]:
    turns = [
        {
            "turn": 1,
            "task_id": "k<::>1",
            "query": "年假有幾天？",
            "standalone": "年假有幾天？",
            "gold_passages": ["p1"],
        },
        {"turn": 2, "task_id": "k<::>2", "query": "怎麼請？", "standalone": "年假怎麼請？", "gold_passages": ["p2"]},
    ]
    turns[0] |= {"reply": "15 天", "answerability": "ANSWERABLE", "gold_text_available": True}
    turns[1] |= {"reply": None, "answerability": "UNDERSPECIFIED", "gold_text_available": False}
    return {"id": "k", "lang": "zh-Hant", "domain": "hr", "turns": turns, **more}


def test_a_turn_follows_what_was_said_and_counts_only_where_its_gold_is_there(written):
    first, second = read_as(written(rag_row()), Conversation).items[0].turns
    assert (first.first, first.scored, first.needs_history, first.answers) == (True, True, False, ("15 天",))
    assert [said.content for said in second.history] == ["年假有幾天？", "15 天"]
    assert (second.scored, second.needs_history, second.gold) == (False, True, ("p2",))
    assert second.answerability is Answerability.UNDERSPECIFIED
    assert second.all_slices == ("all", "later", "underspecified", "domain:hr")


def test_a_missing_reply_makes_the_history_after_it_incomplete(written):
    row = rag_row()
    row["turns"][0]["reply"] = None
    assert [turn.history_complete for turn in read(written(row)).items[0].turns] == [True, False]


def test_a_question_among_people_counts_against_the_turn_that_answers_it(written):
    talk = [
        ("user", "知道故宫吗？", []),
        ("assistant", "知道，门票60元。", ["k1"]),
        ("user", "那不贵。", ["k1"]),
        ("assistant", "是的，它建于1406年。", ["k2"]),
    ]
    turns = [
        {"turn": i, "role": role, "content": content, "gold_passages": gold}
        for i, (role, content, gold) in enumerate(talk)
    ]
    asked, said = read(written({"id": "t", "lang": "zh", "domain": "travel", "turns": turns})).items[0].turns
    assert (asked.gold, asked.scored, asked.answers) == (("k1",), True, ("知道，门票60元。",))
    assert (said.gold, said.scored, len(said.history)) == (("k2",), False, 2)


@pytest.mark.parametrize(
    "text", ["去过吗", "电话是多少", "那里怎么样", "它是哪年建的", "然后呢", "你知道谁演的", "贵不贵？"]
)
def test_a_chinese_question_is_seen(text):
    assert question_like(text)


@pytest.mark.parametrize("text", ["我觉得还不错。", "还不到三十岁呢。", "这个没有什么", "是的，很漂亮。"])
def test_a_chinese_statement_is_no_question(text):
    assert not question_like(text)


def long(roles: tuple[str, str] = ("user", "assistant"), **question: Any) -> dict[str, Any]:
    said = [
        {"turn_id": 1, "role": roles[0], "content": "我爸以前修漁船。", "time": "2026-03-03 21:12"},
        {"turn_id": 2, "role": roles[1], "content": "修了多久？"},
    ]
    asked = {"id": "q1", "question": "我爸以前做什麼？", "answer": "修漁船", "category": "single_fact", "evidence": [1]}
    return {
        "id": "c",
        "lang": "zh-Hant",
        "sessions": [{"session_id": "s1", "date": "2026-03-03", "turns": said}],
        "questions": [asked | {"answerable": True} | question],
    }


def test_a_long_conversation_has_its_turns_dated_and_its_ids_as_text(written):
    conversation = read_as(written(long()), LongConversation).items[0]
    assert [turn.turn_id for turn in conversation.turns] == ["1", "2"]
    assert [turn.date for turn in conversation.turns] == ["2026-03-03 21:12", "2026-03-03"]
    assert conversation.questions[0].evidence == ("1",)


@pytest.mark.parametrize(
    ("speakers", "roles", "indexed"),
    [
        (("user", "assistant"), None, ["1"]),
        (("user", "assistant"), "both", ["1", "2"]),
        (("Ann", "Bob"), None, ["1", "2"]),
        (("Ann", "Bob"), "user", ["1", "2"]),
    ],
)
def test_what_is_indexed_by_roles(written, speakers, roles, indexed):
    conversation = read(written(long(speakers))).items[0]
    assert [turn.turn_id for turn in conversation.indexed(roles)] == indexed


def test_only_answerable_questions_with_evidence_in_indexed_turns_count(written):
    rows = [
        long(),
        long() | {"id": "d", "questions": [long(id="q2", evidence=[2])["questions"][0]]},
        long() | {"id": "e", "questions": [long(id="q3", answerable=False, evidence=[])["questions"][0]]},
    ]
    conversations = read(written(*rows)).items
    assert [each.question.question_id for each in counted(conversations)] == ["q1"]
    assert [each.evidence for each in counted(conversations, "both")] == [("1",), ("2",)]


def test_a_set_with_summaries_has_a_slice_without_them(written):
    rows = [long(), long() | {"id": "d", "questions": [long(id="q2", category="summarization")["questions"][0]]}]
    found = slices(counted(read(written(*rows)).items))
    assert {name: len(questions) for name, questions in found.items()} == {
        "all": 2,
        "single_fact": 1,
        "summarization": 1,
        "without_summarization": 1,
    }


def test_the_audits_evidence_is_used_and_marked(written):
    audit = {"error_type": "WRONG_CITATION", "correct_answer": "x", "correct_evidence": [2]}
    question = read(written(long(audit=audit))).items[0].questions[0]
    assert (question.evidence, question.audited) == (("2",), True)


def test_an_empty_audit_keeps_the_published_evidence(written):
    audit = {"error_type": "TEMPORAL_ERROR", "correct_answer": "x", "correct_evidence": []}
    question = read(written(long(audit=audit))).items[0].questions[0]
    assert (question.evidence, question.audited) == (("1",), False)


def test_a_question_that_failed_to_be_made_is_dropped_and_counted(written):
    found = read(written(long(), long(question="[ERRORQ]", choices="[ERRORC]", answer=None) | {"id": "d"}))
    assert [len(conversation.questions) for conversation in found.items] == [1, 0]
    assert sum(found.dropped.values()) == 1


def test_single_questions_and_their_pool(written, tmp_path):
    question = {"id": "1-1", "lang": "ja", "question": "首都は？", "answers": ["東京"], "gold_passages": ["p"]}
    found = read_as(written(question), SingleQuestion)
    assert found.items[0].gold == ("p",)
    pool = written({"id": "p", "title": "日本", "text": "日本の首都は東京。"}, name="pool.jsonl")
    assert read_pool([pool])[0].title == "日本"
    with pytest.raises(DatasetError, match="single questions; passages are needed"):
        read_as(tmp_path / "set.jsonl", Passage)


def test_a_pool_may_not_say_two_things_under_one_id(written):
    one = written({"id": "p", "text": "a"}, name="one.jsonl")
    two = written({"id": "p", "text": "b"}, name="two.jsonl")
    with pytest.raises(DatasetError, match="'p' is in another file with another text"):
        read_pool([one, two])


def test_facts_and_what_must_not_become_one(written):
    row = {
        "id": "f",
        "lang": "ja",
        "turns": [{"role": "user", "content": "姉は横浜に住んでいます。", "date": "2026-05-08"}],
        "facts": [{"about": "姉", "kind": "place", "value": "横浜", "status": "current"}],
        "not_facts": ["user は横浜に住む"],
    }
    item = read_as(written(row), FactItem).items[0]
    assert (item.facts[0].value, item.not_facts) == ("横浜", ("user は横浜に住む",))
    row["turns"][0]["date"] = "May 8"
    with pytest.raises(DatasetError, match=r"set\.jsonl:1: turns\[0\]: date 'May 8' is not a day as in 2026-05-08"):
        read(written(row))
    row["turns"][0]["date"] = "2026-05-08"
    row["facts"][0]["kind"] = "mood"
    with pytest.raises(DatasetError, match=r"set\.jsonl:1: facts\[0\]: kind 'mood' is none of"):
        read(written(row))


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("10.48‰", (("10.48‰",),)),
        (["Paris", "Rome"], (("Paris",), ("Rome",))),
        ([["Jan 5", "5 January"], "2020"], (("Jan 5", "5 January"), ("2020",))),
    ],
)
def test_planted_facts_have_every_way_to_say_every_part(written, answer, parts):
    row = {"id": "r", "lang": "zh", "query": "？", "answer": answer, "fakeanswer": "5‰"}
    row |= {"positive": ["真"], "positive_wrong": ["假"], "negative": []}
    assert read_as(written(row), PlantedFact).items[0].answers == parts


def test_poison_and_contradiction(written):
    poison = {"id": "p", "lang": "en", "question": "Who?", "correct answer": "Ann", "incorrect answer": "Bob"}
    assert read(written(poison | {"adv_texts": ["Bob did."]})).kind is PoisonedQuestion
    reply = {
        "id": "c",
        "lang": "zh",
        "history": [{"role": "user", "content": "你几岁"}],
        "reply": "八岁",
        "label": "none",
    }
    found = read_as(written(reply | {"contradicts_history": False, "method": "x"}), Contradiction)
    assert found.items[0].language == "zh-Hans"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"id": "a", "lang": "en", "history": [], "utterance": "x"', r"set\.jsonl:1: not JSON: Expecting"),
        ("[1]", r"element 1: a number, an object is needed"),
        ("", r"set\.jsonl:1: the file is empty"),
        ("hello", r"neither JSON Lines, nor a JSON list, nor qrels; it begins with 'h'"),
        ('{"a": 1}', r"set\.jsonl:1: no known format has the keys a"),
        ('{\n "a": 1\n}', r"one JSON object over many lines"),
        ('{"a": NaN}\n', r"set\.jsonl:1: not usable: NaN is no number"),
    ],
)
def test_a_file_that_is_something_else(tmp_path, text, reason):
    path = tmp_path / "set.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(DatasetError, match=reason):
        read(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"utterance": 3}, r'"utterance" is a number, a string is needed'),
        ({"history": "x"}, r'"history" is a string, a list of objects is needed'),
        ({"history": [{"role": "user"}]}, r'history\[0\]: "content" is missing'),
        ({"lang": "fr"}, r'"lang" is \'fr\'; known are'),
        ({"needs_rewrite": "yes"}, r'"needs_rewrite" is a string, true or false is needed'),
        ({"standalone": None}, r'"standalone" is null'),
    ],
)
def test_a_malformed_line_is_one_error_with_its_place(written, change, reason):
    path = written(REWRITES[0], REWRITES[3] | change)
    with pytest.raises(DatasetError, match=rf"set\.jsonl:2: .*{reason}") as caught:
        read(path)
    assert "\n" not in str(caught.value)


def test_ids_are_there_once(written):
    with pytest.raises(DatasetError, match=r"set\.jsonl:2: id 'd-1' is there twice, first at .*set\.jsonl:1$"):
        read(written(REWRITES[3], REWRITES[3]))
    with pytest.raises(DatasetError, match=r"set\.jsonl:2: turns\[0\]: turn 'k<::>1' is there twice"):
        read(written(rag_row(), rag_row(id="l")))
    passage = {"id": "p", "lang": "ja", "text": "梅雨は六月の雨である。"}
    with pytest.raises(DatasetError, match=r"set\.jsonl:3: passage 'p' is there twice, first at .*:1$"):
        read(written(passage, passage | {"id": "q"}, passage))


def test_two_questions_of_one_id_would_take_each_others_ranking(written):
    row = long()
    row["questions"] *= 2
    with pytest.raises(DatasetError, match=r"set\.jsonl:1: questions\[1\]: question '.*' is there twice"):
        read(written(row))


@pytest.mark.parametrize("empty", ["", " ", "\u3000"])
def test_a_question_that_asks_nothing_is_an_error_and_not_a_zero(written, empty):
    row = rag_row()
    row["turns"][1]["query"] = empty
    with pytest.raises(DatasetError, match=r'set\.jsonl:1: turns\[1\]: "query" is empty'):
        read(written(row))


def test_a_turn_without_a_word_is_in_no_index_and_no_evidence(written):
    row = long()
    spoken = len(read(written(row)).items[0].indexed("both"))
    evidence = row["questions"][0]["evidence"]
    for session in row["sessions"]:
        for turn in session["turns"]:
            if str(turn["turn_id"]) in map(str, evidence):
                turn["content"] = " "
    conversation = read(written(row)).items[0]
    assert len(conversation.indexed("both")) < spoken
    assert not [one for one in counted([conversation]) if set(one.evidence) & set(map(str, evidence))]


def test_evidence_must_be_a_turn(written):
    with pytest.raises(DatasetError, match=r"questions\[0\]: evidence '9' is no turn"):
        read(written(long(evidence=[9])))


def test_other_encodings_are_named_and_a_byte_order_mark_is_not_minded(tmp_path):
    path = tmp_path / "set.jsonl"
    line = json.dumps(REWRITES[0], ensure_ascii=False)
    path.write_bytes("\ufeff".encode() + line.encode())
    assert len(read(path).items) == 1
    path.write_bytes(line.encode() + b"\n" + line.encode("big5"))
    with pytest.raises(DatasetError, match=r"set\.jsonl:2: not UTF-8: byte 0x"):
        read(path)


def test_only_line_feeds_end_a_line(written):
    row = rewrite("a-1", "en", "What\u2028now?", "What\u2028now?", [])
    assert read(written(row)).items[0].turns[0].utterance == "What\u2028now?"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(MissingFile, match="no such file"):
        read(tmp_path / "none.jsonl")

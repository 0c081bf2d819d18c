"""Public data sets in the formats they are published in: tiny files of our own in those shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphor_eval.datasets import (
    Answerability,
    Conversation,
    DatasetError,
    LongConversation,
    SingleQuestion,
    read,
    read_as,
)


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1), "utf-8")
    return path


def test_longmemeval(tmp_path):
    question = {
        "question_id": "e47",
        "question_type": "single-session-user",
        "question": "What degree do I have?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer": "Botany",
        "answer_session_ids": ["answer_1"],
        "haystack_dates": ["2023/05/20", "2023/05/21", "2023/05/22"],
        "haystack_session_ids": ["filler", "answer_1", "filler"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hi"}],
            [
                {"role": "user", "content": "I studied botany.", "has_answer": True},
                {"role": "assistant", "content": "Nice.", "has_answer": False},
            ],
            [{"role": "user", "content": "Bye"}],
        ],
    }
    path = put(tmp_path / "one.json", [question, question | {"question_id": "e47_abs"}])
    answerable, unanswerable = read_as(path, LongConversation).items
    assert [turn.turn_id for turn in answerable.turns] == ["filler_1", "answer_1_1", "answer_1_2", "filler#2_1"]
    assert answerable.questions[0].evidence == ("answer_1_1",)
    assert answerable.questions[0].evidence_sessions == ("answer_1",)
    assert not unanswerable.questions[0].answerable
    with pytest.raises(DatasetError, match=r"element 1: haystack_session_ids, .* are not lists of one length"):
        read(put(tmp_path / "two.json", [question | {"haystack_dates": []}]))


def test_locomo_with_evidence_written_by_hand(tmp_path):
    talk = {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_2_date_time": "9 May",
        "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a dog"}],
        "session_1_date_time": "8 May",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "Hey."},
            {"speaker": "Bob", "dia_id": "D1:5", "text": "Hi."},
        ],
        "session_3_date_time": "10 May",
    }
    asked = [
        {"question": "When?", "answer": 2022, "evidence": ["D1:1; D2:1"], "category": 2},
        {"question": "Who?", "answer": "Bob", "evidence": ["D:1:05", "D", "D9:9"], "category": 4},
        {"question": "Why?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
    ]
    path = put(tmp_path / "locomo.json", [{"sample_id": "conv-1", "conversation": talk, "qa": asked}])
    conversation = read(path).items[0]
    assert [(turn.turn_id, turn.date, turn.role) for turn in conversation.turns] == [
        ("D1:1", "8 May", "Ann"),
        ("D1:5", "8 May", "Bob"),
        ("D2:1", "9 May", "Bob"),
    ]
    assert conversation.turns[2].caption == "a dog"
    assert [(q.answer, q.category, q.evidence, q.answerable) for q in conversation.questions] == [
        ("2022", "temporal", ("D1:1", "D2:1"), True),
        ("Bob", "single_hop", ("D1:5",), True),
        ("", "adversarial", ("D1:1",), False),
    ]


def beam_chat(folder: Path) -> None:
    messages = [
        {"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "My sprint ends on March 29. ->-> 1,1"},
        {"role": "assistant", "id": 1, "content": "Noted."},
    ]
    later = [{"role": "user", "id": 2, "content": "It was moved to April 2."}]
    put(folder / "chat.json", [{"batch_number": 1, "turns": [messages]}, {"batch_number": 2, "turns": [later]}])
    asked = {
        "abstention": [{"question": "Who paid?", "ideal_response": "Nothing is said.", "rubric": ["nothing"]}],
        "knowledge_update": [
            {
                "question": "When does it end?",
                "answer": "April 2",
                "source_chat_ids": {"updated_info": [2], "original_info": [0]},
                "rubric": ["April 2"],
            }
        ],
        "summarization": [
            {"question": "Sum up.", "ideal_summary": "A sprint.", "source_chat_ids": [[0, 1], [0]], "rubric": []}
        ],
    }
    put(folder / "probing_questions" / "probing_questions.json", asked)


def test_beam_one_chat_or_a_folder_of_them(tmp_path):
    for number in ("2", "10", "1"):
        beam_chat(tmp_path / "100K" / number)
    found = read_as(tmp_path / "100K", LongConversation)
    assert [c.conversation_id for c in found.items] == ["beam-100K-1", "beam-100K-2", "beam-100K-10"]
    assert read(tmp_path / "100K" / "2" / "chat.json").items == found.items[1:2]
    conversation = found.items[0]
    assert conversation.turns[0].content == "My sprint ends on March 29."
    assert [session.date for session in conversation.sessions] == ["March-15-2024", ""]
    assert [(q.category, q.answer, q.evidence, q.answerable) for q in conversation.questions] == [
        ("abstention", "Nothing is said.", (), False),
        ("knowledge_update", "April 2", ("0", "2"), True),
        ("summarization", "A sprint.", ("0", "1"), True),
    ]


def test_of_a_beam_chat_that_was_cut_the_cut_one_is_read(tmp_path):
    folder = tmp_path / "100K" / "1"
    beam_chat(folder)
    whole = json.loads((folder / "chat.json").read_text("utf-8"))
    longer = [*whole, {"batch_number": 99, "turns": [[{"id": 999, "role": "user", "content": "Cut off."}]]}]
    put(folder / "chat.json", longer)
    assert "999" in {turn.turn_id for turn in read(folder).items[0].turns}
    put(folder / "chat_trunecated.json", whole)
    assert "999" not in {turn.turn_id for turn in read(folder).items[0].turns}


def test_cast_with_its_rewrites_inside(tmp_path):
    turns = [
        {"number": 1, "raw_utterance": "What is LCIS?", "manual_rewritten_utterance": "What is LCIS?"},
        {"number": 2, "raw_utterance": "How deadly is it?", "manual_rewritten_utterance": "How deadly is LCIS?"},
    ]
    turns[0] |= {"canonical_result_id": "MARCO_D1", "passage_id": 7, "passage": "A condition."}
    path = put(tmp_path / "2021.json", [{"number": 106, "turn": turns}])
    first, second = read_as(path, Conversation).items[0].turns
    assert (first.turn_id, first.gold, first.needs_history) == ("106_1", ("MARCO_D1-7",), False)
    assert [said.content for said in second.history] == ["What is LCIS?", "A condition."]
    assert (second.standalone, second.needs_history, second.history_complete) == (("How deadly is LCIS?",), True, True)


def test_cast_with_its_rewrites_beside(tmp_path):
    turns = [
        {"number": n, "raw_utterance": text}
        for n, text in enumerate(["What is throat cancer?", "Is it treatable? "], 1)
    ]
    path = put(tmp_path / "topics.json", [{"number": 31, "title": "cancer", "turn": turns}])
    put(tmp_path / "topics_resolved.tsv", "31_1\tWhat is throat cancer?\n31_2\tIs throat cancer treatable?\n")
    second = read(path).items[0].turns[1]
    assert (second.utterance, second.standalone) == ("Is it treatable?", ("Is throat cancer treatable?",))
    put(tmp_path / "topics_resolved.tsv", "31_1 What\n")
    with pytest.raises(DatasetError, match=r"topics_resolved\.tsv:1: not `topic_turn<TAB>rewrite`"):
        read(path)


def test_canard_keeps_titles_out_of_the_history(tmp_path):
    row = {
        "QuAC_dialog_id": "C_1_0",
        "Question_no": 2,
        "History": ["Miles Dempsey", "War", "Who was he?", "A general."],
        "Question": "Was he promoted?",
        "Rewrite": "Was Miles Dempsey promoted?",
    }
    turn = read(put(tmp_path / "dev.json", [row])).items[0].turns[0]
    assert turn.topic == ("Miles Dempsey", "War")
    assert [(said.role, said.content) for said in turn.history] == [
        ("user", "Who was he?"),
        ("assistant", "A general."),
    ]


def test_mtrag_generation_tasks(tmp_path):
    row = {
        "conversation_id": "c1",
        "task_id": "c1<::>2",
        "turn": "2",
        "contexts": [{"document_id": "d1", "text": "Cards charge a fee.", "title": "Cards"}],
        "input": [
            {"speaker": "user", "text": "How do I pay?"},
            {"speaker": "agent", "text": "By card."},
            {"speaker": "user", "text": "Is there a fee?"},
        ],
        "targets": [{"speaker": "agent", "text": "Yes."}],
        "answerability": ["ANSWERABLE"],
        "Question Type": ["Factoid"],
        "Multi-Turn": ["Follow-up"],
        "Collection": "fiqa",
    }
    none = row | {"task_id": "c1<::>1", "turn": "1", "input": row["input"][:1], "answerability": ["UNANSWERABLE"]}
    found = read_as(put(tmp_path / "tasks.jsonl", json.dumps(row) + "\n" + json.dumps(none)), Conversation)
    first, second = found.items[0].turns
    assert (first.n, first.gold, first.answerability) == (1, (), Answerability.UNANSWERABLE)
    assert (second.utterance, second.gold, second.answers) == ("Is there a fee?", ("d1",), ("Yes.",))
    assert second.slices == ("domain:fiqa", "question:factoid", "multi_turn:follow-up")
    assert [passage.title for passage in found.passages] == ["Cards"]


def test_mtrag_retrieval_tasks_are_put_together_from_their_files(tmp_path):
    folder = tmp_path / "clapnq"
    asked = "|user|: Who ruled?\n|user|: what did he do?"
    put(folder / "clapnq_questions.jsonl", json.dumps({"_id": "a<::>2", "text": asked}))
    put(folder / "clapnq_rewrite.jsonl", json.dumps({"_id": "a<::>2", "text": "|user|: What did Linlithgow do?"}))
    put(folder / "qrels" / "dev.tsv", "query-id\tcorpus-id\tscore\na<::>2\tp1\t1\na<::>2\tp2\t0\n")
    turn = read_as(folder, Conversation).items[0].turns[0]
    assert (turn.n, turn.utterance, turn.standalone) == (2, "what did he do?", ("What did Linlithgow do?",))
    assert (turn.gold, turn.scored, turn.history_complete) == (("p1",), True, False)


def test_beir(tmp_path):
    folder = tmp_path / "scifact"
    put(folder / "corpus.jsonl", json.dumps({"_id": "d1", "title": "台中", "text": "台中市有 286 萬人。"}))
    queries = [{"_id": "q1", "text": "台中市人口有多少"}, {"_id": "q2", "text": "unjudged"}]
    put(folder / "queries.jsonl", "\n".join(json.dumps(query) for query in queries))
    put(folder / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\n")
    found = read_as(folder, SingleQuestion)
    assert [(q.question_id, q.gold, q.grades) for q in found.items] == [("q1", ("d1",), (2,))]
    assert found.passages[0].title == "台中"


def test_a_judged_query_that_is_not_there_is_an_error(tmp_path):
    folder = tmp_path / "scifact"
    put(folder / "queries.jsonl", json.dumps({"_id": "q1", "text": "梅雨とは"}))
    put(folder / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t1\nq3\td1\t0\n")
    with pytest.raises(DatasetError, match=r"scifact: 1 queries of the qrels are not there, 'q2' among them"):
        read(folder)


@pytest.mark.parametrize("text", ["query-id\tcorpus-id\tscore\nq\td\t1\n", "q 0 d 1\n"])
def test_qrels_of_both_kinds(tmp_path, text):
    (judgement,) = read(put(tmp_path / "q.tsv", text)).items
    assert (judgement.query_id, judgement.passage_id, judgement.relevance) == ("q", "d", 1)


@pytest.mark.parametrize(("text", "reason"), [("q\td\n", "2 columns"), ("q\td\tyes\n", "relevance 'yes'")])
def test_qrels_that_are_wrong(tmp_path, text, reason):
    with pytest.raises(DatasetError, match=rf"q\.tsv:1: {reason}"):
        read(put(tmp_path / "q.tsv", text))


def test_a_folder_of_something_else(tmp_path):
    with pytest.raises(DatasetError, match=r"neither queries\.jsonl"):
        read(tmp_path)

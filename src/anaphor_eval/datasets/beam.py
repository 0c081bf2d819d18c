"""BEAM in its original format: a folder a chat, with ``chat.json`` and ``probing_questions/probing_questions.json``.

Tavakoli, Salemi, Ye, Abdalla, Zamani, Mitchell (2025), "Beyond a Million Tokens: Benchmarking and Enhancing Long-Term
Memory in LLMs", arXiv:2510.27246. Chats longer than their size were cut, and the authors ask about
what is left (``chat_trunecated.json``, so spelled). The marks ``->-> 1,2`` that end some messages belong to their
making and are cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anaphor_eval.datasets.lines import DatasetError, Once, Row, json_list, json_value
from anaphor_eval.datasets.values import LongConversation, MemoryQuestion, Said, SaidSession

_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")


def is_beam(folder: Path) -> bool:
    return bool(chats(folder))


def chats(folder: Path) -> list[Path]:
    """The folders that hold a chat: this one, or those directly inside, in the order of their numbers."""
    if (folder / "chat.json").is_file():
        return [folder]
    inside = [path.parent for path in folder.glob("*/chat.json")]
    return sorted(inside, key=lambda path: (int(path.name) if path.name.isdigit() else 0, path.name))


def beam(folder: Path) -> list[LongConversation]:
    return [_conversation(chat) for chat in chats(folder)]


def _conversation(folder: Path) -> LongConversation:
    name = f"beam-{folder.resolve().parent.name}-{folder.resolve().name}"
    cut = folder / "chat_trunecated.json"
    messages = Once("message")
    sessions = tuple(_session(row, messages) for row in json_list(cut if cut.is_file() else folder / "chat.json"))
    there = frozenset(turn.turn_id for session in sessions for turn in session.turns)
    path = folder / "probing_questions" / "probing_questions.json"
    asked = json_value(path)
    if not isinstance(asked, dict):
        raise DatasetError(f"{path}:1: an object of lists, one a category, is needed")
    by_category = Row(str(path), asked)
    questions = tuple(
        _question(f"{name}-{category}-{i}", category, row, there)
        for category in asked
        for i, row in enumerate(by_category.rows(category))
    )
    return LongConversation(name, "en", sessions, questions)


def _session(row: Row, once: Once) -> SaidSession:
    talk = row.fields.get("turns")
    if not isinstance(talk, list):
        raise row.wrong('"turns" is not a list of lists of messages; the layout of 10M chats is not read')
    date = ""
    turns = []
    for group in talk:
        for each in Row(row.place, {"turns": group}).rows("turns"):
            date = date or (each.text("time_anchor") if each.has("time_anchor") else "")
            turns.append(
                Said(once(each, each.scalar("id")), each.text("role"), _without_mark(each.text("content")), date)
            )
    return SaidSession(f"B{row.scalar('batch_number')}", date, tuple(turns))


def _without_mark(content: str) -> str:
    text, mark, number = content.rpartition("->->")
    return text.rstrip() if mark and not number.strip("0123456789, \n") else content


def _question(question_id: str, category: str, row: Row, there: frozenset[str]) -> MemoryQuestion:
    sources = sorted(set(_numbers(row.fields.get("source_chat_ids", []))))
    evidence = tuple(str(number) for number in sources)
    for turn_id in evidence:
        if turn_id not in there:
            raise row.wrong(f"source_chat_ids name {turn_id}, which is no message of the chat")
    return MemoryQuestion(
        question_id=question_id,
        question=row.words("question"),
        answer=next((row.scalar(key) for key in _ANSWERS if row.has(key)), ""),
        category=category,
        evidence=evidence,
        answerable=category != "abstention",
        rubric=row.scalars("rubric"),
    )


def _numbers(value: Any) -> Iterator[int]:
    """The message numbers anywhere inside: a list, a list of lists, or an object of lists by role."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part)

"""LoCoMo in its original format: ten long talks between two people, evidence written ``D1:3``.

Maharana, Lee, Tulyakov, Bansal, Barbieri, Fang (2024), "Evaluating Very Long-Term Conversational Memory of LLM Agents",
ACL. Evidence is written by hand: ``D8:6; D9:17``, ``D30:05`` and ``D:11:26`` all occur; what names no turn is left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from anaphor_eval.datasets.lines import Once, Row, json_list
from anaphor_eval.datasets.values import LongConversation, MemoryQuestion, Said, SaidSession

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}

_SESSION = re.compile(r"session_(\d+)$")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def locomo(path: Path) -> list[LongConversation]:
    once = Once("sample_id")
    return [_conversation(row, once) for row in json_list(path)]


def _conversation(row: Row, once: Once) -> LongConversation:
    name, talk = once(row, row.scalar("sample_id")), row.row("conversation")
    numbers = sorted(int(match[1]) for key in talk.fields if (match := _SESSION.match(key)))
    sessions = []
    for number in numbers:
        date = talk.text(f"session_{number}_date_time") if talk.has(f"session_{number}_date_time") else ""
        turns = tuple(
            Said(
                turn_id=each.text("dia_id"),
                role=each.text("speaker"),
                content=each.text("text"),
                date=date,
                caption=each.text("blip_caption") if each.has("blip_caption") else "",
            )
            for each in talk.rows(f"session_{number}")
        )
        if turns:
            sessions.append(SaidSession(f"S{number}", date, turns))
    there = frozenset(turn.turn_id for session in sessions for turn in session.turns)
    questions = tuple(_question(f"{name}-q{i}", each, there) for i, each in enumerate(row.rows("qa")))
    return LongConversation(name, "en", tuple(sessions), questions)


def _question(question_id: str, row: Row, there: frozenset[str]) -> MemoryQuestion:
    number = row.number("category")
    if number not in CATEGORIES:
        raise row.wrong(f"category {number} is none of 1 to 5")
    named = [f"D{int(a)}:{int(b)}" for part in row.scalars("evidence") for a, b in _EVIDENCE.findall(part)]
    return MemoryQuestion(
        question_id=question_id,
        question=row.words("question"),
        answer=row.scalar("answer") if row.has("answer") else "",
        category=CATEGORIES[number],
        evidence=tuple(turn_id for turn_id in dict.fromkeys(named) if turn_id in there),
        answerable=number != 5,
    )

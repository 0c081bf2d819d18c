"""Long conversations with questions about what was said: the project's own rows, and which questions are counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anaphor_eval.datasets.lines import Once, Row
from anaphor_eval.datasets.values import LongConversation, MemoryQuestion, Said, SaidSession

_NO_QUESTION = "[ERRORQ]"  # MemDaily's generator failed here and left its mark in the question's place


def memory_rows(rows: Iterable[Row]) -> tuple[list[LongConversation], dict[str, int]]:
    """``{"id", "lang", "sessions": [{"session_id", "date", "turns"}], "questions": [{"id", …}]}``.

    Where an audit found other evidence than was published, the audit's is used. Questions that read ``[ERRORQ]`` are
    dropped and counted.
    """
    found = []
    dropped = 0
    conversations = Once("id")
    for row in rows:
        conversation_id, asked = conversations(row, row.scalar("id")), Once("question")
        sessions = tuple(_session(each) for each in row.rows("sessions"))
        spoken = [turn.turn_id for session in sessions for turn in session.turns]
        there = frozenset(spoken)
        if len(there) < len(spoken):
            twice = next(turn_id for turn_id in spoken if spoken.count(turn_id) > 1)
            raise row.wrong(f"turn_id {twice!r} is there twice; evidence could not be told apart")
        questions = []
        for each in row.rows("questions"):
            if _NO_QUESTION in each.text("question"):
                dropped += 1
                continue
            questions.append(_question(each, asked, there))
        found.append(LongConversation(conversation_id, row.language(), sessions, tuple(questions)))
    return found, {"no question, only [ERRORQ]": dropped} if dropped else {}


def _session(row: Row) -> SaidSession:
    date = row.scalar("date") if row.has("date") else ""
    turns = tuple(
        Said(
            turn_id=each.scalar("turn_id"),
            role=each.text("role"),
            content=each.text("content"),
            date=next((each.scalar(key) for key in ("time", "date") if each.has(key)), date),
            caption=each.text("image_caption") if each.has("image_caption") else "",
        )
        for each in row.rows("turns")
    )
    return SaidSession(row.scalar("session_id"), date, turns)


def _question(row: Row, once: Once, there: frozenset[str]) -> MemoryQuestion:
    published = row.scalars("evidence")
    evidence = (row.row("audit").scalars("correct_evidence") if row.has("audit") else ()) or published
    for turn_id in evidence:
        if turn_id not in there:
            raise row.wrong(f"evidence {turn_id!r} is no turn of this conversation")
    choices = row.fields.get("choices")
    return MemoryQuestion(
        question_id=once(row, row.scalar("id")),
        question=row.words("question"),
        answer=row.scalar("answer") if row.has("answer") else "",
        category=row.text("category"),
        evidence=tuple(dict.fromkeys(evidence)),
        answerable=row.flag("answerable") if row.has("answerable") else True,
        asked_at=next((row.scalar(key) for key in ("question_date", "question_time") if row.has(key)), ""),
        choices={str(key): str(value) for key, value in choices.items()} if isinstance(choices, dict) else {},
        correct_choice=row.scalar("correct_choice") if row.has("correct_choice") else "",
        rubric=row.scalars("rubric"),
        audited=set(evidence) != set(published),
    )


@dataclass(frozen=True, slots=True)
class Counted:
    """A question that counts, in its conversation, with the evidence an index of these turns can find."""

    conversation: LongConversation
    question: MemoryQuestion
    evidence: tuple[str, ...]


def counted(conversations: Iterable[LongConversation], roles: str | None = None) -> list[Counted]:
    """The answerable questions with evidence in indexed turns: the slice ``all`` of a memory set."""
    found = []
    for conversation in conversations:
        indexed = frozenset(turn.turn_id for turn in conversation.indexed(roles))
        for question in conversation.questions:
            evidence = question.evidence_among(indexed)
            if question.answerable and evidence:
                found.append(Counted(conversation, question, evidence))
    return found


def slices(questions: Sequence[Counted]) -> dict[str, list[Counted]]:
    """``all``, each category, and ``without_summarization`` where there is a category of that name (BEAM)."""
    found = {"all": list(questions)}
    for each in questions:
        found.setdefault(each.question.category, []).append(each)
    if "summarization" in found:
        found["without_summarization"] = [each for each in questions if each.question.category != "summarization"]
    return found

"""LongMemEval in its original format: one JSON list, one question with its whole history an element.

Wu, Wang, Yu, Zhang, Chang, Yu (2024), "LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory",
arXiv:2410.10813. A turn's id is ``<session>_<n>`` with n from 1 in the session, as in the authors' retrieval code. A
question whose id ends in ``_abs`` cannot be answered from the history.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from anaphor_eval.datasets.lines import Once, Row, json_list
from anaphor_eval.datasets.values import LongConversation, MemoryQuestion, Said, SaidSession


def longmemeval(path: Path) -> list[LongConversation]:
    """One conversation a question, its sessions as they stand in the file."""
    once = Once("question_id")
    return [_conversation(row, once) for row in json_list(path)]


def _conversation(row: Row, once: Once) -> LongConversation:
    ids, dates, talks = (
        row.scalars("haystack_session_ids"),
        row.scalars("haystack_dates"),
        row.fields["haystack_sessions"],
    )
    if not isinstance(talks, list) or not len(ids) == len(dates) == len(talks):
        raise row.wrong("haystack_session_ids, haystack_dates and haystack_sessions are not lists of one length")
    sessions, evidence = [], []
    seen: Counter[str] = Counter()
    for session_id, date, talk in zip(ids, dates, talks, strict=True):
        seen[session_id] += 1
        name = session_id if seen[session_id] == 1 else f"{session_id}#{seen[session_id]}"  # some filler is drawn twice
        turns = []
        for n, each in enumerate(Row(f"{row.place}: {session_id}", {"turns": talk}).rows("turns"), 1):
            turns.append(Said(f"{name}_{n}", each.text("role"), each.text("content"), date))
            if each.has("has_answer") and each.flag("has_answer"):
                evidence.append(f"{name}_{n}")
        sessions.append(SaidSession(name, date, tuple(turns)))
    question_id = once(row, row.scalar("question_id"))
    question = MemoryQuestion(
        question_id=question_id,
        question=row.words("question"),
        answer=row.scalar("answer"),
        category=row.text("question_type"),
        evidence=tuple(evidence),
        answerable=not question_id.endswith("_abs"),
        asked_at=row.text("question_date"),
        evidence_sessions=row.scalars("answer_session_ids"),
    )
    return LongConversation(question_id, "en", tuple(sessions), (question,))

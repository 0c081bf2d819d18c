"""Write the question down before anything else happens to it."""

from __future__ import annotations

from dataclasses import replace

from anaphor.errors import EmptyQuestion
from anaphor.ports import Turns
from anaphor.text.fold import clean
from anaphor.text.segment import segment
from anaphor.types import Question, Scope, Turn


def accept(turns: Turns, scope: Scope, question: Question, lease: float) -> Turn:
    """The running turn with its ``seq``, or the stored one if this ``turn_id`` has already been answered.

    Raises ``EmptyQuestion`` for a question without one letter or digit, and what ``Turns.accept`` raises.
    """
    text = clean(question.text).strip()
    if not any(segment(text)):
        of_marks = "the question has no letter or digit, in any script, that could be looked for: put it in words"
        raise EmptyQuestion(of_marks if text else "the question is empty")
    return turns.accept(scope, replace(question, text=text), lease=lease)

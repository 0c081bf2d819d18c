"""What a table tells by what it is not: a row has no deposit for the bicycle, and a sentence is of another bicycle."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.kinds import asking
from anaphor.steps.answer.weights import binds
from anaphor.steps.reading import Sentence, folding, is_cjk, read, ready, tokens
from anaphor.steps.tables import row_at, rows
from anaphor.text.fold import matching
from anaphor.text.other_words import stands
from anaphor.types import Passage, Span


def tells_nothing_asked(asked: Asked, sentence: Sentence, passage: Passage, lexical: Set[str]) -> bool:
    """Whether a row is of what the question names, and has nothing of what is asked of it.

    ``lexical``: the question's terms that a text can have.
    """
    row = row_at(passage, Span(sentence.start, sentence.end))
    if row is None or row.heads:
        return False
    way = folding(passage.language)
    left = asked.text
    for words in (*(aspect.asks for aspect in asked.aspects), *(words for _, words in asking()), binds()):
        left = words.sub(" ", left)
    own = ready(row.cells[0], way).of(lexical)
    wanted = {t.term for t in tokens(matching(left, way), way) if len(t.term) > 1 or not is_cjk(t.term)} & lexical
    rest = {term for term in wanted - own if not any(len(part) > 1 and part in term for part in own)}
    has = sentence.text.of(rest) | sentence.led_by.of(rest) | read(passage).heading.of(rest)
    return bool(own) and bool(rest) and not has


@dataclass(frozen=True, slots=True)
class RowsNamed:
    """What the first columns of tables name, folded: what the question names, and the rest."""

    asked: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    def leave_out(self, sentence: Sentence) -> bool:
        """Whether a sentence or a row is of another thing that a table has, and not of the one the question names."""
        if not self.asked:
            return False
        said = sentence.text.folded
        return any(stands(name, said) for name in self.others) and not any(stands(name, said) for name in self.asked)


def rows_named(question: str, passages: Mapping[int, Passage]) -> RowsNamed:
    """Of the tables in the passages."""
    asked: set[str] = set()
    others: set[str] = set()
    for passage in passages.values():
        way = folding(passage.language)
        for row in rows(passage):
            name = matching(row.cells[0], way).strip() if row.columns and not row.heads else ""
            if len(name) > 1:
                (asked if stands(name, matching(question, way)) else others).add(name)
    return RowsNamed(frozenset(asked), frozenset(others))

"""A question about one's own things is answered by words about one's own; a question about my sister's, by hers.

What a person told is left out of what may be quoted, sentence by sentence, where it is about somebody else than the
question: my wife's phone is no answer to what mine is, and where I was born does not say where my father was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from anaphor.steps.answer.own import TABLES, of_another_thing, wanted
from anaphor.steps.beside import speaker
from anaphor.text.deeds import told, whose
from anaphor.text.sentences import sentences
from anaphor.text.tabled import read_as, worded
from anaphor.types import Evidence, EvidenceClass, Passage, Question, StandaloneQuery


def of_whom(question: Question, query: StandaloneQuery) -> frozenset[str]:
    """Of whom the person wants to know something; where they name nobody, what was taken on counts."""
    return whose(question.text, query.language) or whose(query.text, query.language)


def owned(question: Question, query: StandaloneQuery, evidence: Evidence) -> Evidence:
    """The evidence with blanks where the person's sentences are about somebody else, so that every offset stays."""
    people = of_whom(question, query)
    if not people:
        return evidence
    asked = wanted(question.text, query.language) or wanted(query.text, query.language)

    def about_another(sentence: str) -> bool:
        does = told(sentence, query.language)
        return not does.may_tell_of(people) or (asked is not None and of_another_thing(asked, sentence, query.language))

    return replace(evidence, passages=tuple(_without(passage, about_another) for passage in evidence.passages))


def _without(passage: Passage, about_another: Callable[[str], bool]) -> Passage:
    if passage.evidence_class is not EvidenceClass.USER_STATEMENT or speaker(passage):
        return passage  # of several people who talk, each says "I"
    text = passage.text
    for span in sentences(text):
        if about_another(text[span.start : span.end]):
            text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return passage if text == passage.text else replace(passage, text=text)


def of_the_sources(question: Question, query: StandaloneQuery, evidence: Evidence) -> bool:
    """Whether a document's word comes before the person's: what may be done, and what something costs that they do not
    call their own. "My e-bike costs 9 dollars" says nothing of the price of the e-bike in the list."""
    if {passage.evidence_class for passage in evidence.passages} == {EvidenceClass.DOCUMENT}:
        return False  # there is nothing of theirs beside
    tongue, text = read_as(question.text, query.language)
    asks = any(worded(TABLES, tongue, name).search(text) for name in ("rules", "price"))
    return asks and (worded(TABLES, tongue, "rules").search(text) is not None or not of_whom(question, query))


def documents_alone(evidence: Evidence) -> Evidence:
    """The evidence with blanks for all that the person said."""
    blank = (
        replace(p, text=" " * len(p.text)) if p.evidence_class is EvidenceClass.USER_STATEMENT else p
        for p in evidence.passages
    )
    return replace(evidence, passages=tuple(blank))

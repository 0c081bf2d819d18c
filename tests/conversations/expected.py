"""Conversations that are not all right yet, by id, and why. A mended one has to be taken off the list.

A reason names the kind of fault, not the sentence: mend the kind, and every conversation that has it.
"""

from __future__ import annotations

# The standalone query
UNSAID = "a question whose subject is left unsaid is read as a new topic"
BESIDE = "what takes a slot is put beside what was there, not in its place"
LIST_QUESTION = "an ordinal by itself takes up the question that gave the list, not the last one asked"
UNCOUNTED = "what counts along a list or a pair is not resolved"
ANTECEDENT = "a pronoun or a fragment takes a word of the answer, or a piece of a phrase, for what is talked about"
BACK = "two turns back does not reach what was named there"
STICKS = "words of the earlier topic stay among the terms of a question that names its own"
CORRECTED = "a correction is not heard as one, or what was taken back stays"
ACCEPTED = "an accepted offer does not give what was offered, by name"
BROKEN = "a span is cut or put in at the wrong place, through an identifier or a word"
PARTED = "a greeting or half a clause is taken for a question of its own"
# The ranking
OUTWEIGHED = "what was carried outweighs what is asked"
DENIED = "two passages have the same words, and only the grammar tells which of them denies one"
# The quoting reader
BESIDE_THE_POINT = "the right passage, but not its sentence with the answer"
POURED_OUT = "a pasted log covers the question that is asked of it"
ONE_ITEM = "one item of a list where all are asked for"
ONE_OF_TWO = "one of two things asked for"
UNANSWERABLE = "answers what the documents do not say"
NEGATED = "what is asked for by negation is told by what it is not"


def because(*reasons: str) -> str:
    return "; ".join(reasons)


FAILURES: dict[str, str] = {
    "hant-零代詞": because(UNSAID),
    "hant-序數與比較": because(ONE_ITEM, UNCOUNTED),
    "hant-上上輪": because(BESIDE, BACK),
    "hant-更正": because(UNSAID),
    "hant-一次問兩件": because(BESIDE, UNSAID),
    "hant-否定": because(DENIED),
    "hant-中英夾雜": because(BESIDE_THE_POINT, BESIDE),
    "hans-上上次说的": because(BACK, STICKS),
    "hans-不要与没有": because(BESIDE, BESIDE_THE_POINT),
    "hans-要不要": because(BESIDE_THE_POINT, ANTECEDENT),
    "hans-补充信息": because(UNSAID),
    "hans-夹英文": because(UNSAID, ONE_OF_TWO),
    "ja-二つ前": because(BESIDE, BACK),
    "ja-話を戻す": because(ANTECEDENT, OUTWEIGHED, UNSAID),
    "ja-お願いします": because(ACCEPTED, UNSAID),
    "en-left-unsaid": because(UNSAID, ANTECEDENT),
    "en-ordinals": because(ONE_ITEM, LIST_QUESTION, UNCOUNTED),
    "en-what-about": because(BESIDE),
    "en-negation": because(NEGATED, ANTECEDENT, BESIDE),
    "en-declined-then-more": because(UNANSWERABLE, STICKS, ANTECEDENT),
}

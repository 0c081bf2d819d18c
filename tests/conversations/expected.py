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
ORDERED = "an order to start over is not heard"
ACCEPTED = "an accepted offer does not give what was offered, by name"
BROKEN = "a span is cut or put in at the wrong place, through an identifier or a word"
PARTED = "a greeting or half a clause is taken for a question of its own"
# The ranking
OUTWEIGHED = "what was carried outweighs what is asked"
# The quoting reader
BESIDE_THE_POINT = "the right passage, but not its sentence with the answer"
POURED_OUT = "a pasted log covers the question that is asked of it"
SAID_AGAIN = "asked for more, it repeats what it has said"
ONE_ITEM = "one item of a list where all are asked for"
ONE_OF_TWO = "one of two things asked for"
UNANSWERABLE = "answers what the documents do not say"
NEGATED = "what is asked for by negation is told by what it is not"


def because(*reasons: str) -> str:
    return "; ".join(reasons)


FAILURES: dict[str, str] = {
    "hant-代名詞": because(UNSAID, STICKS),
    "hant-零代詞": because(UNSAID),
    "hant-序數與比較": because(ONE_ITEM, UNCOUNTED),
    "hant-替換": because(BESIDE),
    "hant-上上輪": because(BESIDE, BACK),
    "hant-換題再回來": because(UNSAID),
    "hant-更正": because(UNSAID),
    "hant-否定": because(BESIDE, ANTECEDENT, NEGATED),
    "hant-接受提議": because(BESIDE_THE_POINT, UNSAID),
    "hant-說不知道之後": because(UNANSWERABLE, STICKS, BROKEN, UNSAID),
    "hant-兩個工作階段": because(BESIDE_THE_POINT, UNANSWERABLE),
    "hant-一次問兩件": because(BESIDE, UNSAID),
    "hant-貼上記錄": because(POURED_OUT, BESIDE_THE_POINT, BROKEN),
    "hant-中英夾雜": because(BESIDE_THE_POINT, BESIDE),
    "hant-繼續與重來": because(SAID_AGAIN, OUTWEIGHED, ORDERED),
    "hans-公司与其": because(ANTECEDENT, UNSAID, STICKS),
    "hans-省略主语": because(BESIDE_THE_POINT),
    "hans-前者后者": because(ONE_OF_TWO, LIST_QUESTION, UNCOUNTED),
    "hans-换一个": because(BESIDE),
    "hans-上上次说的": because(BACK, STICKS),
    "hans-切换再返回": because(BESIDE_THE_POINT),
    "hans-说错了": because(STICKS),
    "hans-不要与没有": because(BESIDE, BESIDE_THE_POINT),
    "hans-要不要": because(BESIDE_THE_POINT, ANTECEDENT),
    "hans-补充信息": because(UNSAID),
    "hans-报错与标识符": because(POURED_OUT, UNSAID),
    "hans-夹英文": because(UNSAID, ONE_OF_TWO),
    "hans-一次问几件": because(PARTED, ONE_OF_TWO),
    "ja-同社と同氏": because(ANTECEDENT, STICKS),
    "ja-主語なし": because(BESIDE_THE_POINT),
    "ja-二番目": because(OUTWEIGHED, LIST_QUESTION),
    "ja-では何々は": because(BESIDE),
    "ja-二つ前": because(BESIDE, BACK),
    "ja-話を戻す": because(ANTECEDENT, OUTWEIGHED, UNSAID),
    "ja-言い直し": because(CORRECTED),
    "ja-ではないほう": because(ANTECEDENT, UNSAID),
    "ja-お願いします": because(ACCEPTED, UNSAID),
    "ja-情報の追加": because(PARTED),
    "ja-ログと識別子": because(POURED_OUT, BROKEN),
    "ja-もう少し詳しく": because(SAID_AGAIN),
    "en-pronouns": because(ANTECEDENT),
    "en-left-unsaid": because(UNSAID, ANTECEDENT),
    "en-ordinals": because(ONE_ITEM, LIST_QUESTION, UNCOUNTED),
    "en-what-about": because(BESIDE),
    "en-two-turns-back": because(BESIDE, BACK),
    "en-there-and-back": because(ANTECEDENT),
    "en-negation": because(NEGATED, ANTECEDENT, BESIDE),
    "en-offers": because(ACCEPTED, UNSAID),
    "en-declined-then-more": because(UNANSWERABLE, STICKS, ANTECEDENT),
    "en-two-sessions": because(ANTECEDENT, UNANSWERABLE),
    "en-several-at-once": because(ANTECEDENT),
    "en-code": because(POURED_OUT, BESIDE_THE_POINT, BESIDE),
    "en-former-latter": because(ONE_OF_TWO, LIST_QUESTION, ORDERED),
    "en-continuation": because(SAID_AGAIN, BESIDE_THE_POINT),
}

"""Conversations that are not all right yet, by id, and why. A mended one has to be taken off the list.

A reason names the kind of fault, not the sentence: mend the kind, and every conversation that has it.
"""

from __future__ import annotations

# The standalone query
ANTECEDENT = "a pronoun takes what was asked about, where what the answer spoke of is meant"
# The ranking
OUTWEIGHED = "what was carried outweighs what is asked"
DENIED = "two passages have the same words, and only the grammar tells which of them denies one"
# The quoting reader
UNANSWERABLE = "answers what the documents do not say"


def because(*reasons: str) -> str:
    return "; ".join(reasons)


FAILURES: dict[str, str] = {
    "hant-否定": because(DENIED),
    "hans-不要与没有": because(DENIED),
    "ja-お願いします": because(OUTWEIGHED),
    "en-what-about": because(OUTWEIGHED),
    "en-declined-then-more": because(UNANSWERABLE, ANTECEDENT),
}

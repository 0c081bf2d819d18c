"""A talk in one line, and what a query must and must not hold: how these tests say what was said."""

from anaphor.steps.reconstruct import reconstruct
from anaphor.text.fold import matching
from anaphor.types import Outcome, Question, Recollection, Turn


def recollection(*said, outcome=Outcome.ANSWERED):
    """Question, answer, question, answer… An answer of ``""`` is a turn that could not be answered."""
    pairs = [(said[i], said[i + 1] if i + 1 < len(said) else "") for i in range(0, len(said), 2)]
    return Recollection(
        tuple(
            Turn(str(seq), seq, question, outcome if answer else Outcome.DECLINED, answer)
            for seq, (question, answer) in enumerate(pairs, 1)
        )
    )


def ask(said, utterance, **options):
    return reconstruct(Question(utterance, "now"), recollection(*said, **options))


def everything(query):
    """All that an index may be asked: text, sub-queries, terms; folded."""
    return matching("\n".join([query.text, *query.queries, *(t.term for t in query.terms)]))


def check(query, holds=(), lacks=()):
    """``holds``: each a word of the text or the terms, or alternatives with ``|``; ``lacks``: in none of them."""
    whole = everything(query)
    for words in holds:
        assert any(matching(word) in whole for word in words.split("|")), (
            f"{words!r} not in {query.text!r}, {query.terms}"
        )
    for word in lacks:
        assert matching(word) not in whole, f"{word!r} in {query.text!r}, {[t.term for t in query.terms]}"

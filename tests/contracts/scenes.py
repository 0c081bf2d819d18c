"""Short ways to say what every store test says: who, what document, what question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from anaphor.adapters import ephemeral, fake, sqlite
from anaphor.types import (
    Decision,
    Document,
    EvidenceClass,
    Hit,
    Outcome,
    Passage,
    Question,
    Scope,
    Sources,
    StandaloneQuery,
    Term,
    Turn,
)

AnyStore = fake.Store | sqlite.Store | ephemeral.Store
MEI = Scope("acme", "mei")
TOM = Scope("acme", "tom")
RIVAL = Scope("rival", "mei")

FOUR_LANGUAGES = [
    ("the population of Tokyo", "population", "en"),
    ("东京的人口是多少", "人口", "zh-Hans"),
    ("台中市的人口有多少", "人口", "zh-Hant"),
    ("東京の人口は何人ですか", "人口", "ja"),
]


def document(source: str, text: str, *, version: str = "1", **rest: Any) -> Document:
    return Document(f"doc:{source}", source, version, text, **{"language": "und", **rest})


def passages(whole: Document, *texts: str, section: str = "") -> list[Passage]:
    """One for each text, which stands in the document; the whole document if none is given."""
    cut = []
    for text in texts or (whole.text,):
        start = whole.text.index(text)
        cut.append(
            Passage(
                passage_id=f"{whole.document_id}:{whole.version}:{start}",
                text=text,
                source=whole.source,
                document_id=whole.document_id,
                title=whole.title,
                section=section,
                start=start,
                end=start + len(text),
                language=whole.language,
            )
        )
    return cut


def put(store: AnyStore, scope: Scope, source: str, text: str, **rest: Any) -> bool:
    whole = document(source, text, **rest)
    return store.documents.put(scope, whole, passages(whole))


def query(text: str, language: str = "und", **weights: float) -> StandaloneQuery:
    terms = tuple(Term(term, weight) for term, weight in weights.items())
    return StandaloneQuery(text, Decision.STANDALONE, 1.0, language, terms=terms)


def sources(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.source for hit in hits]


def found(store: AnyStore, scope: Scope, text: str, language: str = "und", **how: Any) -> list[str]:
    return sources(store.lexical.search(scope, query(text, language), **how))


def session(store: AnyStore, scope: Scope, name: str = "") -> Scope:
    return scope.within(store.sessions.create(scope, name).session_id)


def accept(store: AnyStore, scope: Scope, text: str, turn_id: str, lease: float = 60.0, **rest: Any) -> Turn:
    return store.turns.accept(scope, Question(text, turn_id, **rest), lease=lease)


def answered(turn: Turn, answer: str = "好的。") -> Turn:
    return replace(
        turn, outcome=Outcome.ANSWERED, answer=answer, decision=Decision.STANDALONE, standalone=turn.question
    )


def statement(scope: Scope, turn: Turn, language: str = "und") -> Passage:
    """The whole question, as something the person said."""
    return Passage(
        passage_id=f"{turn.turn_id}:0",
        text=turn.question,
        source=scope.session,
        evidence_class=EvidenceClass.USER_STATEMENT,
        end=len(turn.question),
        language=language,
        seq=turn.seq,
    )


def say(store: AnyStore, scope: Scope, text: str, turn_id: str, answer: str = "好的。") -> Turn:
    """A whole turn, remembered."""
    ended = answered(accept(store, scope, text, turn_id), answer)
    store.turns.commit(scope, ended, {"notes": []}, [statement(scope, ended)])
    return ended


def remembered(store: AnyStore, scope: Scope, text: str, among: Sources = Sources.MEMORY) -> list[str]:
    return [hit.passage.text for hit in store.lexical.search(scope, query(text), sources=among)]

"""What a question asks for: its kind, its aspects, how much each of its terms matters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from anaphor.steps.answer.aspects import Aspect, aspects_of
from anaphor.steps.answer.kinds import Kind, asking, kind_of
from anaphor.steps.answer.other_words import as_said_there
from anaphor.steps.answer.subjects import Subject, subjects_of
from anaphor.steps.answer.weights import MORE, binds, points, question_in, weighed
from anaphor.steps.reading import tokens
from anaphor.steps.reconstruct.wording import Kind as Named
from anaphor.steps.reconstruct.wording import tokens as named_tokens
from anaphor.text.patterns import pattern
from anaphor.types import Passage, StandaloneQuery

MOST_PARTS = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. ``weights`` are by term, for passages folded the Chinese and the Japanese way."""

    text: str
    kind: Kind
    language: str
    zh: Mapping[str, float]
    ja: Mapping[str, float]
    names: frozenset[str] = frozenset()  # Latin terms of names and identifiers
    identifiers: frozenset[str] = frozenset()  # whole, folded
    carried: frozenset[str] = frozenset()  # terms: what is talked about, not what is asked of it
    told: frozenset[str] = frozenset()  # terms that count only where a passage has them
    aspects: tuple[Aspect, ...] = ()
    several: bool = False  # it names things side by side
    more: bool = False  # it asks to go on about what was told
    subjects: tuple[Subject, ...] = ()  # what it is about, beside its aspects
    pointing: bool = False  # it only points at what it is about (它多少錢), and nothing says at what

    def weights(self, folded_as: str) -> Mapping[str, float]:
        return self.ja if folded_as == "ja" else self.zh

    @property
    def topic(self) -> frozenset[str]:
        """Terms of what is talked about."""
        return self.names | self.carried

    @property
    def measure(self) -> Aspect | None:
        """The aspect that only an amount with a unit of its own answers."""
        return next((aspect for aspect in self.aspects if aspect.measured), None)


def asked(query: StandaloneQuery, passages: Iterable[Passage] = ()) -> tuple[Asked, ...]:
    """The questions of a standalone query: its sub-queries, or itself; asked in the words of the passages' region."""
    texts = query.queries if len(query.queries) > 1 else _parts(query.text)
    return tuple(_asked(text, query, tuple(passages), alone=len(texts) == 1) for text in texts)


def _parts(text: str) -> tuple[str, ...]:
    """The text cut at its commas if every piece asks something of its own; else whole."""
    pieces = [piece.strip() for piece in _COMMA.split(text) if piece.strip()]
    ask = all(any(words.search(p) for kind, words in asking() if kind is not Kind.YES_NO) for p in pieces)
    return tuple(pieces) if 1 < len(pieces) <= MOST_PARTS and ask else (text,)


def _asked(text: str, query: StandaloneQuery, passages: Sequence[Passage], *, alone: bool) -> Asked:
    kind = kind_of(text)
    aspects = aspects_of(text, kind)
    in_zh, in_ja = (as_said_there(text, passages, way) for way in ("zh", "ja"))
    zh, ja = weighed(in_zh, query, "zh", alone), weighed(in_ja, query, "ja", alone)
    names = _named(text, query.language)
    carried = frozenset(t.term for c in query.carried for way in ("zh", "ja") for t in tokens(c.text, way))
    of_aspects = {aspect.term: aspect.weight for aspect in aspects}
    return Asked(
        text,
        kind,
        query.language,
        {**zh.weights, **of_aspects},
        {**ja.weights, **of_aspects},
        names,
        frozenset(t.term for t in named_tokens(question_in(text), query.language) if t.kind is Named.IDENTIFIER),
        carried,
        zh.told | ja.told,
        aspects,
        bool(_SIDE_BY_SIDE.search(text)),
        bool(_MORE.search(text)),
        subjects_of(question_in(in_ja if query.language == "ja" else in_zh), query.language, aspects, binds()),
        not zh.subject and bool(points().search(text)),
    )


def _named(text: str, language: str) -> frozenset[str]:
    """The terms of names and identifiers."""
    names = [t.text for t in named_tokens(text, language) if t.kind in (Named.NAME, Named.IDENTIFIER)]
    return frozenset(token.term for name in names for token in tokens(name, "zh"))


_COMMA = pattern(r"[，；;、]|,(?=\s)")

_SIDE_BY_SIDE = pattern(
    r"[\w」』](?:和|與|与|跟|及|以及|還是|还是)[\w「『]|[\u30a1-\u9fff」』]と[\u30a1-\u9fff「『]|\w\s(?:and|or"
    r"|versus|vs)\s\w",
    re.IGNORECASE,
)

_MORE = pattern(MORE, re.IGNORECASE)

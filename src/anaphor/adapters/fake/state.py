"""What an in-memory store holds; the classes beside this file read and write it under its lock."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from anaphor.adapters.fake.facts import Person
from anaphor.errors import BadInput, UnknownSession
from anaphor.ports import Clock
from anaphor.stored import ApiKey, Audited, Opinion, Retention, Session
from anaphor.text.fold import clean
from anaphor.text.segment import index_terms
from anaphor.types import Document, Outcome, Passage, Scope, Sources, Span, Turn

TITLE, SECTION = 2.0, 1.5  # what one occurrence there counts for; one in the text counts 1

Realm = tuple[str, str, str, str]
"""What becomes readable together: tenant, ``documents`` or ``memory``, owner (empty: everyone), collection."""


Vectors = tuple[Sequence[float], ...]
"""Of a passage: that of the whole, then those of its sentences."""


@dataclass(slots=True, eq=False)
class StoredTurn:
    """``shown``: place of what the turn was shown → whether its answer quotes it. Branches share the object."""

    turn: Turn
    lease_until: float
    home: tuple[str, int]
    lost: bool = False
    trace: str = "{}"
    committed_at: float = 0.0
    shown: dict[Hashable, bool] = field(default_factory=dict)
    opinion: Opinion | None = None
    unread: bool = True  # what it says is not in memory yet
    forgotten: list[Span] = field(default_factory=list)
    number: int = field(default_factory=itertools.count(1).__next__)  # in the order in which they were asked

    @property
    def waits(self) -> bool:
        """Whether it has ended and is to be read for what it says."""
        return self.unread and self.turn.outcome is not Outcome.RUNNING and bool(self.turn.question)


@dataclass(slots=True)
class StoredSession:
    session: Session
    turns: list[StoredTurn] = field(default_factory=list)
    origin: str = ""


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """``home`` is what it was stored with: a document, or the session and number of a turn."""

    passage: Passage
    realm: Realm
    home: Document | tuple[str, int]
    occurrences: Mapping[str, float]  # a term counts more in a title
    length: int


@dataclass(slots=True)
class State:
    clock: Clock
    trace_days: float
    lock: threading.RLock = field(default_factory=threading.RLock)
    sessions: dict[tuple[str, str, str], StoredSession] = field(default_factory=dict)
    documents: dict[tuple[Realm, str], Document] = field(default_factory=dict)
    passages: dict[int, StoredPassage] = field(default_factory=dict)
    postings: dict[Realm, dict[str, dict[int, float]]] = field(default_factory=dict)
    vectors: dict[int, Vectors] = field(default_factory=dict)
    embedder: tuple[str, int] | None = None
    coming: dict[int, Vectors] = field(default_factory=dict)  # vectors beside those that are searched
    coming_embedder: tuple[str, int] | None = None
    audit: list[tuple[str, Audited]] = field(default_factory=list)  # with the digest of the tenant
    retention: dict[str, Retention] = field(default_factory=dict)
    keys: dict[bytes, ApiKey] = field(default_factory=dict)
    memory: dict[tuple[str, str], Person] = field(default_factory=dict)
    erased: list[str] = field(default_factory=list)  # digests of persons, tenants and documents, in order
    newest: int = 0
    length: int = 0  # of all passages, in terms

    def session(self, scope: Scope) -> StoredSession:
        found = self.sessions.get((scope.tenant, scope.user, scope.session))
        if found is None:
            raise UnknownSession(f"no session {clean(scope.session)!r} of this user")
        return found

    def over(self, tenant: str, session: Session) -> bool:
        """Whether the session has had its time."""
        return self.retention.get(tenant, Retention()).ends_at(session) <= self.clock()

    def trace_days_of(self, tenant: str) -> float:
        told = self.retention.get(tenant, Retention()).trace_days
        return self.trace_days if told is None else told

    def add(self, passages: Iterable[StoredPassage]) -> None:
        for stored in passages:
            self.newest += 1
            self.passages[self.newest] = stored
            self.length += stored.length
            postings = self.postings.setdefault(stored.realm, {})
            for term, n in stored.occurrences.items():
                postings.setdefault(term, {})[self.newest] = n

    def remove(self, home: Document | tuple[str, int]) -> None:
        at = None if isinstance(home, Document) else home  # a document is itself, not another that reads the same
        self.remove_those(lambda stored: stored.home is home or stored.home == at)

    def remove_those(self, which: Callable[[StoredPassage], bool]) -> None:
        for key in [k for k, stored in self.passages.items() if which(stored)]:
            gone = self.passages.pop(key)
            self.vectors.pop(key, None)
            self.coming.pop(key, None)
            self.length -= gone.length
            for term in gone.occurrences:
                del self.postings[gone.realm][term][key]

    def readable(self, scope: Scope, sources: Sources, filters: Mapping[str, str] | None = None) -> dict[int, Passage]:
        """Everything a search may find: key → passage."""
        with self.lock:
            realms = {realm for realm in self.postings if may_read(scope, realm, sources)}
            return {
                key: stored.passage
                for key, stored in self.passages.items()
                if stored.realm in realms and _passes(stored, filters or {})
            }


def home_of(scope: Scope, seq: int) -> tuple[str, int]:
    """Of what was said in a turn. The session's id alone is not enough: an import brings it to another person too."""
    return "\0".join((scope.tenant, scope.user, scope.session)), seq


def place(home: Document | tuple[str, int], realm: Realm) -> Hashable:
    """The same for every version of a document."""
    return (realm, home.source) if isinstance(home, Document) else home


def cut(passages: Sequence[Passage], realm: Realm, home: Document | tuple[str, int]) -> list[StoredPassage]:
    ids = Counter(p.passage_id for p in passages)
    if len(ids) < len(passages):
        raise BadInput(f"two of {len(passages)} passages have the id {ids.most_common(1)[0][0]!r}")
    return [_indexed(p, realm, home) for p in passages]


def _indexed(passage: Passage, realm: Realm, home: Document | tuple[str, int]) -> StoredPassage:
    occurrences: dict[str, float] = {}
    length = 0
    for part, weight in ((passage.title, TITLE), (passage.section, SECTION), (passage.text, 1.0)):
        terms = index_terms(clean(part), passage.language)
        length += len(terms)
        for term in terms:
            occurrences[term] = occurrences.get(term, 0.0) + weight
    return StoredPassage(passage, realm, home, occurrences, length)


def may_read(scope: Scope, realm: Realm, sources: Sources) -> bool:
    tenant, kind, owner, collection = realm
    if tenant != scope.tenant:
        return False
    if kind == "memory":
        return owner == scope.user and sources is not Sources.DOCUMENTS
    return owner in ("", scope.user) and collection in scope.collections and sources is not Sources.MEMORY


def _passes(stored: StoredPassage, filters: Mapping[str, str]) -> bool:
    """A filter names a field of the document or else a name in its metadata; what was said in a turn has neither."""
    if not filters:
        return True
    if not isinstance(stored.home, Document):
        return False
    document = stored.home
    fields = {name: getattr(document, name) for name in ("document_id", "source", "title", "language", "collection")}
    return all({**document.metadata, **fields}.get(name) == wanted for name, wanted in filters.items())

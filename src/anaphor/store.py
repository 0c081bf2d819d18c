"""A store, whole: the ports of the steps, those that only look after what is kept, and what it can do as one thing."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Protocol

from anaphor.ports import Documents, Embedder, Index, Log, Memories, Portable, Sessions, VectorIndex
from anaphor.stored import ApiKey, Audited, Ended, Erased, Finding, Looked, Opinion, Retention
from anaphor.types import Json, Scope


class Erasure(Protocol):
    """Taking back what was kept: rows, index entries, vectors, traces, and every byte of them in every file.

    An answer that quotes what is erased stays as a turn; its text is replaced, its claims go. All of it or, after a
    crash, all of it at the next opening. Each raises ``NotFound`` for what is not there, and is audited.
    """

    def turn(self, scope: Scope, turn_id: str) -> Erased:
        """A turn of the scope's session, in every branch that shares it. Its number stays, so that none is missing."""

    def session(self, scope: Scope) -> Erased:
        """The scope's session. What a branch shares stays in the branch."""

    def document(self, scope: Scope, id_or_source: str) -> Erased:
        """Every document the scope may read that has that id, else that source."""

    def documents(self, scope: Scope, document_ids: Sequence[str]) -> Erased:
        """Those of the documents that are there and may be read, together: much cheaper than one by one."""

    def user(self, scope: Scope) -> Erased:
        """A person's sessions, memories and private documents. Of a person nobody knows there is nothing, no error."""

    def tenant(self, scope: Scope) -> Erased:
        """Everything of the scope's tenant, whoever's it is."""

    def resume(self) -> int:
        """Finish what a crash, or readers, have left unfinished; how many erasures that were."""

    def newest(self) -> int:
        """The number of the newest erasure: by it a process sees that another one has erased something."""

    def reached(self, scope: Scope, sources: Collection[str], after: int) -> bool:
        """Whether an erasure after that number was of the scope's user or tenant, or of a document of the sources."""

    def samples(self, scope: Scope, limit: int = 200) -> Sequence[str]:
        """Ids and stretches of text of the scope's user, to be looked for once they are erased."""

    def look(self, scope: Scope, samples: Sequence[str]) -> Sequence[Looked]:
        """Look for the scope's user in every table, and for the samples in every file."""


class Audit(Protocol):
    """Who read, exported, changed or erased what. Append-only; ids and digests, never contents.

    What a store does itself (an erasure, another name, documents stored) it notes with what it does, in one
    transaction; who reads is noted by whoever hands it out.
    """

    def note(self, scope: Scope, act: str, kind: str, what: str = "", n: int = 1) -> None:
        """One more line, of the scope's user. An id of a document is kept as a digest: whoever chose it may read it."""

    def read(self, scope: Scope, limit: int = 100, everyone: bool = False) -> Sequence[Audited]:
        """Newest first: the scope's user's own, or those of everyone of the tenant."""

    def purge(self, now: float | None = None) -> int:
        """Remove the lines whose retention has passed; how many."""


class Lifetimes(Protocol):
    """How long a tenant's things are kept, and the end of those whose time is over."""

    def get(self, scope: Scope) -> Retention:
        """Of the scope's tenant; the defaults where nothing was said."""

    def put(self, scope: Scope, retention: Retention) -> None:
        """For the scope's tenant, in place of what was said before. Counts for what is there already."""

    def end(self) -> Ended:
        """Archive or erase every session whose time is over, and remove the traces and lines of the audit that are due.

        Of every tenant. A session that is answering just now is left for the next time. Whether or not this was called:
        in a session whose time is over nothing more may be asked, and a trace that is due is not told.
        """


class Opinions(Protocol):
    """What people thought of answers, one opinion a turn."""

    def put(self, scope: Scope, turn_id: str, opinion: Opinion) -> None:
        """In place of an earlier one on that turn of the scope's session. ``UnknownTurn``; ``BadInput`` for none."""

    def get(self, scope: Scope, turn_id: str) -> Opinion | None:
        """The one on that turn, if it has any."""


class Keys(Protocol):
    """API keys of the service, by the digest of the secret: whoever reads the store learns no key."""

    def put(self, key: ApiKey, digest: bytes) -> None:
        """Keep a new key. ``BadInput`` for a tenant or user that is no name."""

    def find(self, digest: bytes) -> ApiKey | None:
        """The key with that digest, whether or not it still opens anything."""

    def list(self) -> Sequence[ApiKey]:
        """All, revoked ones too, oldest first."""

    def revoke(self, key_id: str, at: float) -> ApiKey:
        """From this moment on it opens nothing; again changes nothing. ``UnknownKey`` for an id that is none."""

    def exist(self) -> bool:
        """Whether there has ever been one: a service whose last key was revoked stays closed."""


class Store(Protocol):
    """What an assistant needs of a store. One room under ``adapters`` has all of it, over the same data."""

    @property
    def sessions(self) -> Sessions: ...
    @property
    def turns(self) -> Log: ...
    @property
    def documents(self) -> Documents: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def erasure(self) -> Erasure: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def lifetimes(self) -> Lifetimes: ...
    @property
    def keys(self) -> Keys: ...
    @property
    def opinions(self) -> Opinions: ...
    @property
    def portable(self) -> Portable: ...
    @property
    def lexical(self) -> Index:
        """By words. It is always up to date with what was written."""

    def dense(self, embedder: Embedder) -> VectorIndex:
        """By the meaning of whole passages, as this embedder has it."""

    def sentence(self, embedder: Embedder) -> VectorIndex:
        """By the meaning of the best sentence of what was said."""

    def describe(self) -> Json:
        """What there is to know about it, for ``doctor`` and ``/metrics``: counts, and versions and bytes if any.

        Always ``documents``, ``passages``, ``sessions``, ``turns``, ``facts``, ``summaries``, ``unread_turns``,
        ``vectors`` and ``pending_vectors``.
        """

    def check(self) -> Sequence[Finding]:
        """What in the store contradicts the rest of it; empty if all is well. Changes nothing."""

    def mend(self) -> Sequence[Finding]:
        """Make again what is made from turns and documents, vectors aside; what was wrong with it."""

    def back_up(self, to: str | os.PathLike[str]) -> int:
        """A copy as it is now, in a new file, while others read and write; its size in bytes."""

    def close(self) -> None:
        """Close every connection. Nothing may be asked of it afterwards."""

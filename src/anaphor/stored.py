"""The values of keeping: what a store holds beside the turns themselves, and what it says of what it did.

Frozen, as in ``types``. None of them travels along a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

from anaphor.errors import BadInput
from anaphor.types import Document, Json, Passage, Span, Turn

DAY = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation of ordered turns. The id is random and is the key; the name is only a label."""

    session_id: str
    name: str = ""
    created_at: float = 0.0
    last_at: float = 0.0
    turns: int = 0  # the newest turn's number, those shared with the session it branched off among them
    archived_at: float = 0.0  # an archived session can be read and branched off, and asked nothing
    parent: str = ""  # the id of the session it branched off,
    branched_after: int = 0  # and the number of the last turn the two share
    ephemeral: bool = False  # in memory alone, gone with the process


@dataclass(frozen=True, slots=True)
class Exchange:
    """What somebody said elsewhere, and what was answered, as it is taken into a session. ``said_at``: 0 is now.

    ``speaker`` is who said it where that was not the person the session belongs to. ``turn_id`` makes taking it in
    idempotent; empty is a new one.
    """

    question: str
    answer: str = ""
    said_at: float = 0.0  # seconds since the epoch, UTC
    speaker: str = ""
    turn_id: str = ""
    language: str = "und"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a person thought of an answer: ``thumbs`` is ``up``, ``down`` or empty, ``score`` 1 to 5 or 0 for none."""

    thumbs: str = ""
    score: int = 0
    comment: str = ""
    given_at: float = 0.0  # seconds since the epoch, UTC


@dataclass(frozen=True, slots=True)
class Logged:
    """One turn of a session as it is kept: with its trace, its passages that may be recalled, and an opinion of it.

    ``read``: what it says is in memory. Of the stretches ``forgotten`` the person wants nothing remembered.
    """

    turn: Turn
    trace: Json = field(default_factory=dict)
    committed_at: float = 0.0  # 0 where there is no trace
    passages: tuple[Passage, ...] = ()
    opinion: Opinion | None = None
    read: bool = False
    forgotten: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionLog:
    """A session with its own turns: those it shares stand with the session it branched off."""

    session: Session
    turns: tuple[Logged, ...] = ()
    origin: str = ""  # names what it was imported from


@dataclass(frozen=True, slots=True)
class Entry:
    """A document to be stored. ``instead_of`` is the version it may replace: empty for none, ``None`` for any."""

    document: Document
    passages: Sequence[Passage]
    instead_of: str | None = None


class Put(StrEnum):
    """What became of an entry."""

    STORED = "stored"
    SAME = "same"  # that version was there already
    OTHER = "other"  # another version is there than the one it may replace: somebody else was faster


@dataclass(frozen=True, slots=True)
class Taken:
    """What an import added. ``refused``: turns in whose place another stands, or whose session is archived."""

    sessions: int = 0
    turns: int = 0
    documents: int = 0
    refused: int = 0

    def __add__(self, other: Taken) -> Taken:
        return Taken(
            self.sessions + other.sessions,
            self.turns + other.turns,
            self.documents + other.documents,
            self.refused + other.refused,
        )


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure took: how many of each. ``answers`` were left as turns, without what they quoted.

    ``wiped``: no byte of it is left in any file. Otherwise others were reading just then, and the next erasure, or the
    next opening of the store, sees to it.
    """

    sessions: int = 0
    turns: int = 0
    documents: int = 0
    passages: int = 0
    answers: int = 0
    wiped: bool = True


@dataclass(frozen=True, slots=True)
class Looked:
    """Where an erasure was checked: rows of a table, or bytes of a file, and how many of them should not be there."""

    place: str
    looked: int
    found: int


@dataclass(frozen=True, slots=True)
class Audited:
    """One act. ``person`` is a digest of who did it; ``what`` an id or a digest, ``n`` how many things it touched."""

    at: float  # seconds since the epoch, UTC
    person: str
    act: str  # read, export, import, change, erase
    kind: str  # session, turn, document, user, tenant
    what: str = ""
    n: int = 1


@dataclass(frozen=True, slots=True)
class Retention:
    """How long a tenant's things are kept, in days; ``None`` is without end.

    A session ends ``idle_days`` after it was last used and ``days`` after it began, whichever is first, and is then
    archived or erased (``ending``). Traces and the audit have an end of their own. ``BadInput`` for what is no time.
    """

    idle_days: float | None = None
    days: float | None = None
    ending: str = "archive"
    trace_days: float | None = None  # ``None``: as the setting says
    audit_days: float | None = 365.0

    def __post_init__(self) -> None:
        if self.ending not in ("archive", "erase"):
            raise BadInput(f"ending is archive or erase, not {self.ending[:20]!r}")
        for name in ("idle_days", "days", "trace_days", "audit_days"):
            days = getattr(self, name)
            if days is not None and not 0 <= days < inf:
                raise BadInput(f"{name} is a number of days, 0 or more, not {days}")

    def ends_at(self, session: Session) -> float:
        """When the session's time is over, in seconds since the epoch; infinity for never."""
        ends = [
            since + days * DAY
            for since, days in ((session.last_at, self.idle_days), (session.created_at, self.days))
            if days is not None
        ]
        return min(ends, default=inf)


@dataclass(frozen=True, slots=True)
class Ended:
    """What had had its time: sessions archived, sessions erased, traces and lines of the audit removed."""

    archived: int = 0
    erased: int = 0
    traces: int = 0
    audit: int = 0

    def __add__(self, other: Ended) -> Ended:
        return Ended(
            self.archived + other.archived,
            self.erased + other.erased,
            self.traces + other.traces,
            self.audit + other.audit,
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the store that contradicts the rest. ``mend`` is the command that mends it; empty if none does."""

    what: str
    n: int
    mend: str = ""


class KeyRole(StrEnum):
    """What the holder of an API key may do; each role holds those before it."""

    READER = "reader"  # ask, search, and keep one's own conversations
    EDITOR = "editor"  # also take documents in and remove them
    ADMIN = "admin"  # also see how the service is doing

    def holds(self, other: KeyRole) -> bool:
        """Whether whoever has this role may do all that the other may."""
        order = list(KeyRole)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as the store knows it: never the key itself. Times are seconds since the epoch; 0 means never.

    ``collections`` are those whose documents it opens; none named, those of the settings.
    """

    key_id: str
    tenant: str
    user: str
    role: KeyRole = KeyRole.READER
    created_at: float = 0.0
    expires_at: float = 0.0
    revoked_at: float = 0.0
    collections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """A turn that has ended and whose statements are not yet in memory. ``session_id`` is where it was said.

    ``forgotten``: stretches of its question that the person wants nothing made of. ``generation`` is how often
    anything of the person's memory had changed when this was looked up.
    """

    session_id: str
    turn: Turn
    forgotten: tuple[Span, ...] = ()
    generation: int = 0

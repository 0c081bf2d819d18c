"""What the steps ask of the world. Each port is a protocol; its docstrings say what a signature cannot.

The contract tests in ``tests/contracts`` ask every one of these sentences of every adapter. What no step asks of a
store, and whoever looks after it does (erasing, retention, audit, keys), stands in ``store.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from anaphor.facts import Contested, Fact, Read, Record, Saying, Status, Summary, SummaryVersion, Version
from anaphor.stored import Entry, Exchange, Put, Session, SessionLog, Taken, Unread
from anaphor.types import Document, Hit, Message, Passage, Piece, Question, Scope, Sources, Span, StandaloneQuery, Turn


class ChatModel(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """As traces and notes call it."""

    def reply(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        timeout: float,
        schema: Mapping[str, Any] | None = None,
    ) -> Iterator[Piece]:
        """Pieces as they arrive; the last has ``finish`` set. Closing the iterator cancels the request.

        ``timeout`` (seconds) bounds the whole reply. ``schema`` (JSON Schema) asks for structured output; a server
        that has none is asked without it. Raises ``ModelError`` and nothing else, also in mid-reply.
        """


class Embedder(Protocol):
    """Text to vectors of length 1, queries and passages apart."""

    @property
    def name(self) -> str:
        """Identifies the vectors: two embedders of one name are interchangeable."""

    @property
    def dimensions(self) -> int:
        """Numbers in each vector; always the same. May cost a request the first time."""

    def embed(self, texts: Sequence[str], *, query: bool) -> Sequence[Sequence[float]]:
        """One unit vector a text, in order. Any text is accepted; text without words gives some vector."""


class Forgets(Protocol):
    """Says beforehand what a command to forget will come to."""

    def __call__(self, scope: Scope, turn: Turn) -> bool | None:
        """Whether there is anything of what it names; ``None`` where the turn asks for nothing to be forgotten."""


class Contradicts(Protocol):
    """Holds a sentence about the person against what they said of themselves."""

    def __call__(self, scope: Scope, sentence: str, rests_on: Collection[tuple[str, int]]) -> Fact | None:
        """The current or disputed fact that cannot be so if the sentence is; ``None`` where there is none.

        ``rests_on``: session and number of the turns whose words bear the sentence out. It contradicts no fact that
        one of them says.
        """


class Reranker(Protocol):
    """A second look at the best hits."""

    @property
    def name(self) -> str:
        """As it is told where it failed."""

    def scores(self, query: StandaloneQuery, passages: Sequence[Passage]) -> Sequence[float]:
        """One score a passage, in order; higher is better."""


class Index(Protocol):
    """One way of finding passages. What ``Documents`` and ``Turns`` have stored is what it finds."""

    @property
    def name(self) -> str:
        """As shown in ``Hit.ranks``: ``bm25``, ``dense``, …"""

    def search(
        self,
        scope: Scope,
        query: StandaloneQuery,
        *,
        sources: Sources = Sources.DOCUMENTS,
        filters: Mapping[str, str] | None = None,
        limit: int = 60,
    ) -> Sequence[Hit]:
        """Best first, at most ``limit``, only what the scope may read: the limit counts after scope and filters.

        Any query is accepted; one without a single usable term finds nothing. What is in the session's last turns
        and therefore in the window is not the index's business: the step leaves it out.
        """

    def refresh(self, limit: int = 256) -> int:
        """Take in up to ``limit`` passages that are stored but not yet in this index; how many are still left."""


class VectorIndex(Index, Protocol):
    """An index by meaning: ``refresh`` embeds what waits, which is slow and may be done in the background."""

    def waiting(self) -> int:
        """How many vectors are still to be made."""

    def begin_anew(self) -> None:
        """Have everything embedded again by ``refresh``, beside the vectors that are searched until it is complete.

        The embedder may be another than the one whose vectors are there. Once begun, again changes nothing; one of
        another embedder that was not finished gives way.
        """


class Sessions(Protocol):
    """The conversations of a person."""

    def create(self, scope: Scope, name: str = "", *, ephemeral: bool = False) -> Session:
        """A new session with an unguessable id; an empty ``name`` is none.

        ``ephemeral``: nothing of it ever reaches a disk, and it is gone with the process. ``BadInput`` for a name this
        person has already given, for one that is not one short visible line, and for ``ephemeral`` where all is kept.
        """

    def find(self, scope: Scope, id_or_name: str) -> Session:
        """By id, else by name, of this tenant and user; ``UnknownSession`` otherwise."""

    def list(self, scope: Scope) -> Sequence[Session]:
        """Of this tenant and user, the one last used first."""

    def rename(self, scope: Scope, name: str) -> Session:
        """Give the scope's session another name, as ``create`` takes them but never none. Touches no turn."""

    def branch(self, scope: Scope, after: int, name: str = "") -> Session:
        """A new session that shares the scope's session's turns up to number ``after``, and goes on from there.

        ``UnknownTurn`` for a turn that is not there, ``TurnInProgress`` for one that has not ended.
        """

    def archive(self, scope: Scope, archived: bool = True) -> Session:
        """Put the scope's session away, or take it out again. What is put away is read as before and asked nothing."""

    def delete(self, scope: Scope) -> None:
        """The scope's session with its turns, traces and everything made from them.

        What a session that branched off it shares stays there; an answer that quotes what is gone is erased.
        """


class Turns(Protocol):
    """The log of a session: the truth from which everything else can be made again."""

    def accept(self, scope: Scope, question: Question, *, lease: float) -> Turn:
        """Write the question down first, give it the next ``seq`` and the session's lease (seconds).

        Returns the running turn; a ``turn_id`` already ended returns that turn as it was stored, changing nothing.
        ``TurnInProgress`` while another turn holds the lease; a turn whose lease has run out is marked failed.
        So is one whose process is gone, at once. ``StaleTurn`` if ``question.expected_seq`` is given and is not the
        newest turn's; ``ArchivedSession`` where nothing more may be asked.
        """

    def commit(self, scope: Scope, turn: Turn, trace: Mapping[str, Any], said: Sequence[Passage] = ()) -> None:
        """Store the turn's end and its trace in one transaction and release the lease. Once: again changes nothing.

        ``said`` are the passages of the turn that may be recalled later; they are searchable when this returns.
        A turn that is no longer running (its lease ran out and another took its place) is ``StaleTurn``.
        """

    def recent(self, scope: Scope, limit: int, before: int | None = None) -> Sequence[Turn]:
        """The last ``limit`` ended turns (those below ``seq`` ``before`` if given), oldest first, erased ones left out.

        Those shared with the session it branched off come first.
        """

    def get(self, scope: Scope, turn_id: str) -> Turn:
        """By id, or by ``seq`` written in digits; ``UnknownTurn`` otherwise."""

    def trace(self, scope: Scope, turn_id: str) -> Mapping[str, Any]:
        """The trace as committed; empty once its retention has passed."""


class Log(Turns, Protocol):
    """Turns that may also be taken in from elsewhere."""

    def adopt(
        self, scope: Scope, said: Sequence[Exchange], passages: Callable[[Turn], Sequence[Passage]]
    ) -> Sequence[Turn]:
        """Take in what was said elsewhere, as turns with the next numbers and the outcome ``unverified``; all or none.

        An exchange whose ``turn_id`` the session knows is passed over. ``passages`` gives those of a turn that may be
        recalled later. ``TurnInProgress`` and ``ArchivedSession`` as in ``accept``.
        """


class Documents(Protocol):
    """What was ingested, and the passages it was cut into."""

    def put(self, scope: Scope, document: Document, passages: Sequence[Passage]) -> bool:
        """Store the document in place of any earlier version from the same source, in one transaction.

        Lexically searchable when this returns. ``False``, and nothing written, if that version is already there.
        """

    def put_all(self, scope: Scope, entries: Sequence[Entry]) -> Sequence[Put]:
        """Several at once, in order, each as ``put`` does; all of them in one transaction, or none."""

    def list(self, scope: Scope) -> Sequence[Document]:
        """What the scope may read, by source; ``text`` is left empty."""

    def get(self, scope: Scope, id_or_source: str) -> Document:
        """With its text; ``UnknownDocument`` otherwise."""

    def delete(self, scope: Scope, id_or_source: str) -> None:
        """Gone from the store and from every index when this returns."""

    def delete_all(self, scope: Scope, document_ids: Sequence[str]) -> int:
        """Those of the ids that exist and may be read, as ``delete`` does, at once; how many documents that were."""

    def passages(self, scope: Scope, passage_ids: Sequence[str]) -> Mapping[str, Passage]:
        """Those of the ids that exist and may be read, documents and remembered turns alike."""

    def around(self, scope: Scope, passage_ids: Sequence[str], reach: int = 1) -> Mapping[str, Sequence[Passage]]:
        """Of each *remembered* passage: what was said up to ``reach`` passages before and after it in its session.

        In the order in which it was said, the passage itself among it. Only what may be read; other ids are absent.
        """


class Memories(Protocol):
    """What is kept beyond the window: dated facts, each pointing at the turns that say it, and summaries.

    Facts are the person's, whichever session they were told in; ``scope.session`` counts for summaries alone. A fact
    is gone as soon as no turn that says it is there. ``generation`` counts the changes of a person's memory, erasures
    among them: what was worked out from an earlier one is not written.
    """

    def facts(
        self, scope: Scope, statuses: Collection[Status] = (), *, pinned: bool | None = None, limit: int = 1_000
    ) -> Sequence[Fact]:
        """In their newest version, the one said last first; of every status if none is named."""

    def get(self, scope: Scope, fact_id: str) -> Fact:
        """``UnknownFact`` for what is not this person's."""

    def history(self, scope: Scope, fact_id: str) -> Sequence[Version]:
        """Every version whose source is still there, oldest first."""

    def sayings(self, scope: Scope, fact_id: str) -> Sequence[Saying]:
        """The turns that say it, oldest first, with the clause as it stands there."""

    def touching(self, scope: Scope, keys: Collection[str]) -> Sequence[Fact]:
        """Every fact of these properties (``Read.key``), of any status, the one said first first."""

    def kin(self, scope: Scope, fact_ids: Collection[str]) -> Sequence[Fact]:
        """Every fact of the same properties as these, they among them, of any status, the one said first first."""

    def passages(self, scope: Scope, fact_ids: Collection[str]) -> Mapping[str, Sequence[Passage]]:
        """The person's words that say each of these facts, as they can be recalled; facts without any are absent."""

    def said(self, scope: Scope) -> Sequence[Passage]:
        """Everything of the person's own words that can be recalled, whichever session it was said in."""

    def decided(self, scope: Scope, limit: int) -> Sequence[tuple[Fact, float]]:
        """Facts that a person has rejected, or put in other words, and when; the one decided about last first."""

    def relevant(self, scope: Scope, terms: Mapping[str, float], limit: int) -> Sequence[Fact]:
        """Current and disputed facts: those that have the terms of a question (with their weights), the best first.

        Then those that are pinned, then the newest.
        """

    def connected(self, scope: Scope, names: Sequence[str], hops: int = 2, limit: int = 100) -> Sequence[Fact]:
        """Current and disputed facts about what the names name, then about what those name, the nearest first."""

    def contested(self, scope: Scope) -> Sequence[Contested]:
        """Claims of answers against facts that are current, the oldest first; those decided about since are absent."""

    def unread(self, scope: Scope, limit: int = 16) -> Sequence[Unread]:
        """The person's ended turns that were not read yet, in the order in which they were asked."""

    def still_unread(self, scope: Scope, turn: Unread) -> Unread | None:
        """That turn as it is to be read now; ``None`` if it is gone, or was read meanwhile."""

    def waiting(self, scope: Scope) -> int:
        """How many are to be read."""

    def behind(self, limit: int = 100) -> Sequence[Scope]:
        """Whose turns wait."""

    def keep(self, scope: Scope, turn: Unread, made: Sequence[Read], at: float) -> bool:
        """Write down what reading the turn made, and that it was read, in one transaction.

        What an earlier reading of the same turn made and this one did not goes, unless a person has decided about it.
        ``False``, and nothing written, if anything about the person's memory has changed since ``turn.generation``,
        or if the turn is gone or was read by somebody else meanwhile.
        """

    def generation(self, scope: Scope) -> int:
        """How often anything of the person's memory has changed; what ``change`` and ``keep`` compare with."""

    def change(self, scope: Scope, versions: Sequence[Version], generation: int) -> bool:
        """Write facts that are there already as their next versions; all or none, and ``False``, as ``keep`` does."""

    def forget(self, scope: Scope, fact_id: str, *, words: bool = False) -> Sequence[Fact]:
        """The fact, with its history, is gone; the stretches of turns that say it are not read again.

        What it had superseded, or disputed alone, is current again; those facts are returned. The turns stay; with
        ``words``, the clause that says it is not recalled any more either; what stands beside it is.
        """

    def withdraw(self, scope: Scope, turn_id: str, only: Span | None = None) -> int:
        """Keep nothing of what was said in this turn of the scope's session, and recall none of it; how many facts go.

        With ``only``, of that stretch of its question; facts are left to ``forget`` then. The turn stays in its
        conversation. ``UnknownTurn``.
        """

    def forgotten(self, scope: Scope, after: int = 0) -> Mapping[int, Sequence[Span]]:
        """By ``seq``, the stretches of the session's turns behind ``after`` that nothing is to be made of."""

    def begin_anew(self, scope: Scope) -> int:
        """Have every turn of the person read again; how many those are."""

    def summary(self, scope: Scope) -> Summary | None:
        """Of the session's turns that have left the window, if there is one."""

    def put_summary(self, scope: Scope, summary: Summary, by: str = "memory", why: str = "") -> bool:
        """In place of the one of the version before. ``False`` if another was written, or one of its turns erased."""

    def summary_history(self, scope: Scope) -> Sequence[SummaryVersion]:
        """Every version of the session's summary, oldest first; they go together when a turn goes that is in one."""

    def records(self, scope: Scope) -> Iterator[Record]:
        """Everything that is known of the person's facts, the one said first first."""

    def put_record(self, scope: Scope, record: Record) -> bool:
        """Take in an exported fact. ``False``, and nothing written, if it is there, or no turn that says it is."""

    def summaries(self, scope: Scope) -> Sequence[tuple[str, Summary]]:
        """The summaries of the person's sessions, with the sessions' ids."""


class Portable(Protocol):
    """A person's things, out of the store and into it."""

    def documents(self, scope: Scope) -> Iterator[Entry]:
        """The person's private documents, by source."""

    def logs(self, scope: Scope) -> Iterator[SessionLog]:
        """Every session with its ended turns, the first begun first, so that a parent stands before its branches."""

    def put(self, scope: Scope, log: SessionLog) -> Taken:
        """Store the session as it is, under its own id, for the scope's user. Once: again adds only what is missing.

        A turn in whose place another stands, an erased one too, is refused and counted.
        """

    def of_origin(self, scope: Scope, origin: str) -> Sequence[Session]:
        """The sessions imported from there, their branches among them."""

    def begin(self, scope: Scope, name: str, origin: str, at: float) -> Session:
        """A new session of that origin, begun at that time (0: now). A name that cannot be, or is taken, is changed."""

    def turn_ids(self, scope: Scope) -> Sequence[str]:
        """Of every turn of the scope's session, by number. An erased one still has the id it had, to be compared with.

        Only for turns whose ids begin with ``import-``: of others no id is kept.
        """


class TokenCounter(Protocol):
    """How many tokens a model will take for a text. An estimate errs high."""

    def __call__(self, text: str) -> int: ...


class Clock(Protocol):
    """Seconds since the epoch, UTC. A port so that tests and replays can say what time it is."""

    def __call__(self) -> float: ...

"""The whole system behind one door, for one person: ingest, ask, follow up, read.

with anaphor.open("kb.db") as assistant:
    assistant.ingest("handbook/")
    first = assistant.ask("How long are messages kept?")
    second = assistant.ask("And on the free plan?", session=first.session_id)
    print(second.query.text, second.answer)
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any

from anaphor.arguments import a_mapping, a_name, a_number, a_path, a_text, a_turn, a_whole_number, something_to_call
from anaphor.errors import AnaphorError, BadInput, TurnInProgress
from anaphor.ingest.backlog import Backlog, caught_up
from anaphor.ingest.index import Destination, FileReport, IngestReport, ingest
from anaphor.ingest.load import File, Skipped, known_by_name, load
from anaphor.ingest.place import Section, sections
from anaphor.ingest.sync import gone, still_named
from anaphor.ingest.watch import watch
from anaphor.memory.consolidate import Due
from anaphor.memory.extract_rules import Rule
from anaphor.persons_memory import PersonsMemory, zone_of
from anaphor.persons_moving import exported, taken_in
from anaphor.persons_sessions import PersonsSessions, noted
from anaphor.ports import Clock, VectorIndex
from anaphor.settings import Settings
from anaphor.steps.recount import recount
from anaphor.steps.retrieve import retrieve
from anaphor.store import Store
from anaphor.stored import Audited, Taken
from anaphor.text.language import settle
from anaphor.turn import Conversation, Tell
from anaphor.types import (
    Answer,
    Decision,
    Document,
    Passage,
    Question,
    Ranking,
    Recollection,
    Scope,
    Sources,
    StandaloneQuery,
)
from anaphor.upkeep import Upkeep

__all__ = ["Assistant", "FileReport", "IngestReport"]


@dataclass(frozen=True, slots=True)
class Assistant:
    """A store, the steps and a person. Close it, or use it as a context manager. ``wiring.build`` makes one.

    ``embedder`` is the name of what makes vectors, empty without one; ``embedder_because`` says why it is that one.
    ``dense`` is the index of its vectors, and ``backlog`` makes them in the background. ``upkeep`` ends what is due.
    ``rules`` are an operator's own for reading facts.
    """

    settings: Settings
    scope: Scope
    conversation: Conversation
    store: Store
    clock: Clock
    embedder: str = ""
    embedder_because: str = ""
    dense: VectorIndex | None = None
    backlog: Backlog | None = None
    upkeep: Upkeep | None = None
    rules: tuple[Rule, ...] = ()
    closed_with_it: tuple[Callable[[], None], ...] = ()

    def __enter__(self) -> Assistant:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop embedding in the background, close the store and every connection. What waits goes on the next time."""
        if self.backlog:
            self.backlog.stop()
        if self.upkeep:
            self.upkeep.stop()
        self.store.close()
        for close in self.closed_with_it:
            close()

    # ── asking ──

    def ask(
        self,
        question: str,
        *,
        session: str | None = None,
        name: str = "",
        ephemeral: bool = False,
        sources: Sources | str | None = None,
        filters: Mapping[str, str] | None = None,
        turn_id: str | None = None,
        expected_seq: int | None = None,
        wait: float | None = None,
        tell: Tell | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Answer:
        """One turn. Without ``session`` (an id or a name) a new one is started, with ``name`` as its label.

        ``ephemeral``: nothing of the new session ever reaches a disk, and it is gone when the assistant is closed.
        While another turn of the session runs, waits up to ``wait`` seconds (by default the setting) and then raises
        ``TurnInProgress``. The same ``turn_id`` again returns the stored answer.
        """
        asked = Question(
            text=a_text("question", question),
            turn_id=uuid.uuid4().hex if turn_id is None else a_turn("turn_id", turn_id),
            sources=_sources(sources),
            filters=a_mapping("filters", filters or {}),
            locale=self.settings.locale,
            expected_seq=None if expected_seq is None else a_whole_number("expected_seq", expected_seq),
        )
        wait = self.settings.wait if wait is None else a_number("wait", wait)
        something_to_call("tell", tell)
        something_to_call("cancelled", cancelled)
        if session is not None:
            if ephemeral and not self.sessions.find(session).ephemeral:
                raise BadInput(f"session {session!r} is kept: only a new session can be begun as ephemeral")
            return self._in_turn(self._within(session), asked, wait, tell, cancelled)
        scope = self.scope.within(self.sessions.start(name, ephemeral=ephemeral).session_id)
        try:
            return self._in_turn(scope, asked, wait, tell, cancelled)
        except BaseException:
            # Where nothing was written down, an empty session would only be in the way.
            with suppress(AnaphorError):
                if self.store.sessions.find(self.scope, scope.session).turns == 0:
                    self.store.sessions.delete(scope)
            raise

    def _in_turn(
        self,
        scope: Scope,
        question: Question,
        wait: float,
        tell: Tell | None,
        cancelled: Callable[[], bool] | None,
    ) -> Answer:
        listening: dict[str, Any] = {"tell": tell, "cancelled": cancelled}
        given = {name: heard for name, heard in listening.items() if heard}  # else as the turn has it
        if self.upkeep:
            self.upkeep.tend()
        deadline = time.monotonic() + wait
        for pause in _pauses():
            try:
                with self._first():
                    answer = self.conversation.ask(scope, question, **given)
                if answer.query.decision is Decision.COMMAND and self.memory.on:
                    self.memory.refresh()  # what a command asks of the memory is done when its answer is given
                return answer
            except TurnInProgress:
                if time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
        raise AssertionError("pauses never end")

    def _first(self) -> AbstractContextManager[None]:
        """While what is inside runs, nothing is embedded in the background."""
        return self.backlog.standing_back() if self.backlog else nullcontext()

    def trace(self, session: str, turn: str | int | None = None) -> Answer:
        """An earlier turn, by id or number, as it was answered; without ``turn`` the last one."""
        found = self.sessions.find(session)
        scope = self.scope.within(found.session_id)
        wanted = str(found.turns if turn is None else a_turn("turn", turn))
        told = self.store.turns.get(scope, wanted)
        noted(self.store, scope, "read", "turn", f"{scope.session}/{told.seq}")
        return recount(self.store.turns, self.store.documents, scope, told)

    def search(
        self,
        text: str,
        *,
        sources: Sources | str = Sources.DOCUMENTS,
        filters: Mapping[str, str] | None = None,
        limit: int | None = None,
    ) -> Ranking:
        """What the retrievers find for a text that needs no history. Commits nothing."""
        most = self.settings.hits if limit is None else a_whole_number("limit", limit, least=1)
        query = StandaloneQuery(a_text("text", text), Decision.STANDALONE, 1.0, settle(text, (), self.settings.locale))
        question = Question(text, "", _sources(sources), a_mapping("filters", filters or {}))
        indexes, reranker = self.conversation.indexes, self.conversation.reranker
        today = datetime.fromtimestamp(self.clock(), UTC).date()
        with self._first():
            return retrieve(
                *(indexes, reranker, self.scope, question, query, Recollection(), most),
                documents=self.store.documents,
                today=today,
            )

    def passages(self, answer: Answer) -> list[Passage]:
        """The passages of an answer's ranking, best first, as their sources are now; erased ones are left out."""
        scope = self.scope.within(answer.session_id)
        found = self.store.documents.passages(scope, [line.passage_id for line in answer.ranking])
        return [found[line.passage_id] for line in answer.ranking if line.passage_id in found]

    def read_passages(self, passage_ids: Sequence[str]) -> Mapping[str, Passage]:
        """By id, as their sources are now, for a person who looks at them; the audit says what they are of."""
        found = self.store.documents.passages(self.scope, passage_ids)
        for kind, what in dict.fromkeys(
            ("document", one.document_id) if one.document_id else ("session", one.source) for one in found.values()
        ):
            noted(self.store, self.scope, "read", kind, what)
        return found

    def sections(self, passage: Passage) -> list[Section]:
        """The sections of its document that hold the passage, the innermost first; the last is the document."""
        return sections(self.store.documents.get(self.scope, passage.document_id), passage)

    # ── out and in ──

    def export(self, session: str | None = None) -> Iterator[str]:
        """Everything of this person, as JSON Lines: sessions, turns, traces, memories, private documents.

        Of one ``session`` it is that with what it branched off, so that no turn of it is missing.
        """
        line = None if session is None else [each.session_id for each in self.sessions.line(session)]
        return exported(self.store, self.scope, line)

    def audit(self, limit: int = 100, everyone: bool = False) -> Sequence[Audited]:
        """What this person, or ``everyone`` of the tenant, has read, exported, changed and erased; newest first."""
        found = self.store.audit.read(self.scope, a_whole_number("limit", limit, least=1), bool(everyone))
        noted(self.store, self.scope, "read", "audit")
        return found

    def take_in(self, text: str, name: str, me: str = "") -> Taken:
        """Take in what ``text`` holds: an export, or conversations of other programs. Again adds only what is new.

        ``name`` says where it comes from; ``me`` what the person is called in it. What is in it is finished or, where
        it cannot be read, not begun.
        """
        return taken_in(self.store, self.scope, a_text("text", text), a_text("name", name), a_text("me", me))

    # ── documents ──

    def ingest(
        self,
        *paths: str | os.PathLike[str],
        collection: str = "default",
        private: bool = False,
        base: Path | None = None,
        metadata: Mapping[str, str] | None = None,
        sync: bool = False,
        by_name: bool = False,
        embed: bool = True,
        on_file: Callable[[FileReport], None] | None = None,
        on_reading: Callable[[str, int], None] | None = None,
    ) -> IngestReport:
        """Files, folders, patterns, ``-`` for standard input. Incremental; every file's fate is in the report.

        What is stored is found by its words when this returns. By its meaning it is found as soon as it is embedded,
        which goes on in the background: ``backlog`` says how many passages wait, and ``Assistant.embed`` waits for
        them. Without ``embed`` it is left to that, or to a later ingest. Nothing of it is lost when the program ends.
        Sources are named relative to ``base``. ``metadata`` can be filtered by; it stays with a document until it is
        given otherwise. With ``sync``, documents that came from below ``paths`` and whose files are gone are removed.
        ``by_name``: files are known by their names and not by where they lie, as those that somebody uploads again.
        A store that takes no more (a full disk) ends it, and ``stopped`` says at which file. ``on_reading`` hears the
        name and size of what is cut up and stored next.
        """
        to, named = self._destination(collection, private), _named(paths)
        for name, heard in (("on_file", on_file), ("on_reading", on_reading)):
            something_to_call(name, heard)
        there = still_named(to.shelf(), named) if sync else named
        items = load(there, None if base is None else Path(a_path("base", base))) if there else []
        report = ingest(
            known_by_name(items) if by_name else items,
            to,
            count=self.conversation.count,
            clock=self.clock,
            metadata=a_mapping("metadata", metadata or {}),
            sync=named if sync else (),
            on_file=on_file,
            on_reading=on_reading,
        )
        self.store.lexical.refresh()  # nothing of what was replaced is left in the store
        if embed:
            self.embed_in_background()
        return replace(report, backlog=self.waiting)

    def watch(
        self,
        *paths: str | os.PathLike[str],
        collection: str = "default",
        private: bool = False,
        base: Path | None = None,
        metadata: Mapping[str, str] | None = None,
        on_report: Callable[[IngestReport], None] | None = None,
        stop: Event | None = None,
    ) -> None:
        """Ingest files and folders, and what changes in them as it changes, until ``stop`` is set.

        As ``ingest`` with ``sync``: what is gone from the disk is removed. Embedding goes on in the background.
        """
        to, said = self._destination(collection, private), a_mapping("metadata", metadata or {})

        def take(items: Sequence[File | Skipped], sync: Sequence[str]) -> None:
            report = ingest(items, to, count=self.conversation.count, clock=self.clock, metadata=said, sync=sync)
            self.store.lexical.refresh()
            self.embed_in_background()
            if on_report:
                on_report(replace(report, backlog=self.waiting))

        watch(_named(paths), take, None if base is None else Path(a_path("base", base)), stop)

    def embed_in_background(self) -> None:
        """Go on with what waits, from this ingest or an earlier one, and return at once."""
        if self.backlog:
            self.backlog.wake()

    @property
    def waiting(self) -> int:
        """How many passages are found by their words and not yet by their meaning; 0 without an embedder."""
        return self.dense.waiting() if self.dense else 0

    @property
    def embedding_failed(self) -> str:
        """Why embedding in the background has stopped, or waits for a server; empty while all is well."""
        return self.backlog.failed if self.backlog else ""

    def gone(
        self, *paths: str | os.PathLike[str], collection: str = "default", private: bool = False
    ) -> Sequence[Document]:
        """What ``ingest`` of these paths would remove with ``sync``."""
        return gone(self._destination(collection, private).shelf(), _named(paths))

    def _destination(self, collection: str, private: bool) -> Destination:
        return Destination(self.store.documents, self.scope, a_name("collection", collection), bool(private))

    def embed(self, on_embedded: Callable[[int], None] | None = None) -> int:
        """Bring every index up to date, here and now; how many passages are left. ``on_embedded`` hears it meanwhile.

        Raises what the embedder raises; what was embedded up to there is kept.
        """
        if self.backlog:
            self.backlog.stop()
        return sum(caught_up(index, on_embedded) for index in self.conversation.indexes)

    def embed_again(self, on_embedded: Callable[[int], None] | None = None) -> int:
        """Make every vector anew, beside those that are searched until it is complete; how many passages are left.

        Broken off, it goes on where it was when it is called again.
        """
        if self.dense is None:
            raise BadInput(f"there is no embedder to embed with: {self.embedder_because}")
        self.dense.begin_anew()
        return self.embed(on_embedded)

    def documents(self) -> Sequence[Document]:
        """What this person may read, by source, without the text."""
        return self.store.documents.list(self.scope)

    def document(self, id_or_source: str) -> Document:
        """With its text, as it is read."""
        document = self.store.documents.get(self.scope, a_text("id_or_source", id_or_source))
        noted(self.store, self.scope, "read", "document", document.document_id)
        return document

    def delete_document(self, id_or_source: str) -> Document:
        """Gone from the store and from every index when this returns."""
        document = self.store.documents.get(self.scope, a_text("id_or_source", id_or_source))
        self.store.documents.delete(self.scope, document.document_id)
        return document

    # ── sessions ──

    @property
    def sessions(self) -> PersonsSessions:
        """The conversations of this person."""
        return PersonsSessions(self.store, self.scope)

    # ── memory ──

    @property
    def memory(self) -> PersonsMemory:
        """What is remembered of this person beyond the window."""
        settings = self.settings
        return PersonsMemory(
            *(self.store, self.scope, self.clock, self.conversation.count),
            zone=zone_of(settings.zone),
            due=Due(window=settings.window.turns, terms=settings.memory_terms),
            model=self.conversation.writer if settings.memory == "model" else None,
            timeout=settings.writer.timeout,
            rules=self.rules,
            refuses=settings.memory_refuses,
            on=settings.memory != "off",
        )

    def _within(self, session: str) -> Scope:
        return self.scope.within(self.sessions.find(session).session_id)


def _named(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    if not paths:
        raise BadInput("paths must name at least one file or folder")
    return [os.fspath(a_path("paths", path)) for path in paths]


def _sources(given: Sources | str | None) -> Sources | None:
    if given is None:
        return None
    try:
        return Sources(given)
    except ValueError:
        raise BadInput(f"sources is one of {', '.join(Sources)}, not {given!r}") from None


def _pauses() -> Iterator[float]:
    """Seconds between two looks at whether the other turn has ended."""
    pause = 0.02
    while True:
        yield pause
        pause = min(0.25, pause * 1.5)

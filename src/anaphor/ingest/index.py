"""``load → read → chunk → store``: what is unchanged is left alone, what has changed is replaced whole."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from anaphor.errors import StoreError
from anaphor.ingest.chunk import chunk
from anaphor.ingest.load import File, Skipped
from anaphor.ingest.parse import Parsed, Reader, Unreadable
from anaphor.ports import Clock, Documents, TokenCounter
from anaphor.text.language import detect
from anaphor.types import Document, Json, Scope

READER = "2"  # raise when parsing or cutting changes: what was read by another reader is read again


class Fate(StrEnum):
    """What became of one file."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"  # the same content is there under another name; not stored a second time
    EMPTY = "empty"
    SKIPPED = "skipped"
    UNREADABLE = "unreadable"
    FAILED = "failed"  # the store would not take it; what comes after it is not tried


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file's fate. ``detail``: of what it is a duplicate, why it was skipped, in what encoding it was."""

    source: str
    fate: Fate
    detail: str = ""
    passages: int = 0
    document_id: str = ""

    def as_dict(self) -> Json:
        return {
            "source": self.source,
            "outcome": str(self.fate),
            "detail": self.detail,
            "passages": self.passages,
            "document_id": self.document_id,
        }


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Every file that was met, with its fate; if ``stopped`` says why it went no further, those up to there."""

    files: tuple[FileReport, ...] = ()
    backlog: int = 0  # passages that are found by their words and not yet by their meaning
    embedding_failed: str = ""  # why, if it did
    stopped: str = ""  # why the store took no more, and how many files are left

    @property
    def counts(self) -> dict[str, int]:
        counted = Counter(str(report.fate) for report in self.files)
        return {str(fate): counted[fate] for fate in Fate if counted[fate]}

    @property
    def failed(self) -> tuple[FileReport, ...]:
        return tuple(report for report in self.files if report.fate in (Fate.UNREADABLE, Fate.FAILED))

    def as_dict(self) -> Json:
        return {
            "files": [f.as_dict() for f in self.files],
            "counts": self.counts,
            "backlog": self.backlog,
            "embedding_failed": self.embedding_failed,
            "stopped": self.stopped,
        }


@dataclass(slots=True)
class Shelf:
    """What the collection already holds, for one owner: by path, and by content."""

    by_path: dict[str, Document] = field(default_factory=dict)
    by_version: dict[str, Document] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        if earlier := self.by_path.get(path_of(document)):
            self.drop(earlier)
        self.by_path[path_of(document)] = document
        self.by_version.setdefault(document.version, document)

    def drop(self, document: Document) -> None:
        self.by_path.pop(path_of(document), None)
        if self.by_version.get(document.version, document).document_id == document.document_id:
            self.by_version.pop(document.version, None)

    def free_name(self, file: File) -> str:
        """The file's name, or its whole path where a file from elsewhere already has that name."""
        taken = any(d.source == file.name and path_of(d) != file.path for d in self.by_path.values())
        return file.path if taken else file.name


def path_of(document: Document) -> str:
    return document.metadata.get("path", document.source)


@dataclass(frozen=True, slots=True)
class Destination:
    """Where documents go: whose store, which collection, for all its readers or for one user."""

    documents: Documents
    scope: Scope
    collection: str = "default"
    private: bool = False

    @property
    def owner(self) -> str:
        return self.scope.user if self.private else ""

    @property
    def reach(self) -> Scope:
        return replace(self.scope, collections=self.scope.collections | {self.collection})

    def shelf(self) -> Shelf:
        shelf = Shelf()
        for document in self.documents.list(self.reach):
            if document.collection == self.collection and document.owner == self.owner:
                shelf.add(document)
        return shelf


def ingest(
    items: Iterable[File | Skipped],
    destination: Destination,
    *,
    count: TokenCounter,
    clock: Clock,
    on_file: Callable[[FileReport], None] | None = None,
    on_reading: Callable[[str, int], None] | None = None,
) -> IngestReport:
    """Read each file, tell its fate, go on with the next; a file that cannot be read never stops the others.

    A store that takes no more (a full disk) does: the report says which file that was, what went in before it, and how
    many were not tried. ``on_reading`` hears the name and the size in bytes of a file before it is cut up and stored.
    """
    items = list(items)
    with Reader() as reader:
        return _taken(items, Intake(destination, count, clock, destination.shelf(), reader, on_reading), on_file)


def _taken(items: list[File | Skipped], intake: Intake, on_file: Callable[[FileReport], None] | None) -> IngestReport:
    intake.waiting = {item.path for item in items if isinstance(item, File)}
    put_off: list[File] = []
    reports: list[FileReport] = []

    def tell(report: FileReport) -> None:
        reports.append(report)
        if on_file:
            on_file(report)

    def take(item: File) -> bool:
        """Whether its fate is known."""
        try:
            report = intake.take(item)
        except StoreError as error:
            tell(FileReport(item.name, Fate.FAILED, str(error)))
            raise _Stopped(str(error)) from error
        if report:
            tell(report)
        return report is not None

    try:
        for item in items:
            if isinstance(item, Skipped):
                tell(FileReport(item.name, Fate.UNREADABLE if item.asked_for else Fate.SKIPPED, item.reason))
            elif not take(item):
                put_off.append(item)
        intake.waiting.clear()
        for item in put_off:
            take(item)
    except _Stopped as stopped:
        return IngestReport(tuple(reports), stopped=_told(stopped, reports[-1].source, len(items) - len(reports)))
    return IngestReport(tuple(reports))


class _Stopped(Exception):
    """The store took no more."""


def _told(why: Exception, source: str, left: int) -> str:
    after = f", nor the {left} after it" if left else ""
    return f"{source} did not go in{after}: {why}"


@dataclass(slots=True)
class Intake:
    """One run of ingest. ``waiting``: paths whose turn is still to come."""

    to: Destination
    count: TokenCounter
    clock: Clock
    shelf: Shelf
    reader: Reader
    on_reading: Callable[[str, int], None] | None = None
    waiting: set[str] = field(default_factory=set)

    def take(self, file: File) -> FileReport | None:
        """The file's fate; ``None`` for a copy of a file whose own turn is still to come: that one may have changed."""
        self.waiting.discard(file.path)
        try:
            content = file.read()
        except OSError as error:
            return FileReport(file.name, Fate.UNREADABLE, error.strerror or str(error))
        version = f"{READER}-{hashlib.sha256(content).hexdigest()[:32]}"
        earlier = self.shelf.by_path.get(file.path)
        if earlier and earlier.version == version:
            return FileReport(earlier.source, Fate.UNCHANGED, document_id=earlier.document_id)
        same = self.shelf.by_version.get(version)
        if same and path_of(same) in self.waiting:
            return None
        if same:
            self._remove(earlier)
            return FileReport(file.name, Fate.DUPLICATE, f"of {same.source}", document_id=same.document_id)
        if self.on_reading:
            self.on_reading(file.name, len(content))
        try:
            parsed = self.reader.read(content, file.name)
        except Unreadable as error:
            return FileReport(file.name, Fate.UNREADABLE, str(error))
        if not parsed.text.strip():
            self._remove(earlier)
            return FileReport(file.name, Fate.EMPTY)
        return self._store(file, parsed, version, earlier)

    def _store(self, file: File, parsed: Parsed, version: str, earlier: Document | None) -> FileReport:
        source = earlier.source if earlier else self.shelf.free_name(file)
        document = Document(
            document_id=document_id(self.to, source),
            source=source,
            version=version,
            text=parsed.text,
            title=parsed.title,
            collection=self.to.collection,
            owner=self.to.owner,
            language=_language(parsed),
            ingested_at=self.clock(),
            metadata={"path": file.path, **_kept_beside(parsed)},
        )
        passages = chunk(document, parsed, self.count)
        self.to.documents.put(self.to.reach, document, passages)
        self.shelf.add(replace(document, text=""))
        fate = Fate.REPLACED if earlier else Fate.ADDED
        return FileReport(source, fate, "; ".join(parsed.remarks), len(passages), document.document_id)

    def _remove(self, earlier: Document | None) -> None:
        """What stood under this path before is no longer what the file says."""
        if earlier:
            self.to.documents.delete(self.to.reach, earlier.document_id)
            self.shelf.drop(earlier)


def _language(parsed: Parsed) -> str:
    """What the text shows; what the file says of itself only where the text does not tell."""
    found = detect(parsed.text)
    return parsed.language if found == "und" else found


def _kept_beside(parsed: Parsed) -> dict[str, str]:
    """What is kept beside the document, and can be filtered by."""
    told = {
        "format": parsed.format,
        "encoding": parsed.encoding,
        "date": parsed.date,
        "extraction": "suspect" if parsed.suspect else "",
    }
    return {name: value for name, value in told.items() if value}


def document_id(to: Destination, source: str) -> str:
    """The same source in the same place has the same id, always; it tells nothing about either."""
    identity = "\0".join((to.scope.tenant, to.collection, to.owner, source))
    return "d" + hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:20]

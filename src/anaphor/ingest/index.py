"""``load → read → chunk → store``: what is unchanged is left alone, what has changed is replaced whole."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anaphor.errors import BadInput, StoreError
from anaphor.ingest.chunk import chunk
from anaphor.ingest.front_matter import front_matter
from anaphor.ingest.load import File, Skipped
from anaphor.ingest.parse import Parsed, Reader, Unreadable
from anaphor.ingest.report import Fate, FileReport, IngestReport
from anaphor.ingest.shelf import Destination, Shelf, path_of
from anaphor.ingest.sync import divided_otherwise, gone
from anaphor.ports import Clock, TokenCounter
from anaphor.stored import Entry, Put
from anaphor.text.language import detect
from anaphor.types import Document

__all__ = ["Destination", "Fate", "FileReport", "IngestReport", "ingest"]

READER = "2"  # raise when parsing or cutting changes: what was read by another reader is read again
GIVEN = "given"  # in the metadata: the names that a person gave at ingest, which stay when the file changes
RESERVED = frozenset({"path", "encoding", "format", "extraction", GIVEN})  # names in the metadata that are ours
FIELDS = frozenset({"document_id", "source", "title", "language", "collection"})  # and those of a document's fields

AT_ONCE = 512  # passages stored in one transaction,
CHARACTERS = 2_000_000  # or so much text,
SECONDS = 1.0  # or what was read in so much time
ATTEMPTS = 5  # at a file that another ingest keeps changing


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read and cut, and is not stored yet."""

    file: File
    entry: Entry
    report: FileReport


@dataclass(frozen=True, slots=True)
class Emptied:
    """A file that no longer says what its document says."""

    document: Document
    report: FileReport


Taken = FileReport | Prepared | Emptied


def ingest(
    items: Iterable[File | Skipped],
    destination: Destination,
    *,
    count: TokenCounter,
    clock: Clock,
    metadata: Mapping[str, str] | None = None,
    sync: Iterable[str] = (),
    on_file: Callable[[FileReport], None] | None = None,
    on_reading: Callable[[str, int], None] | None = None,
) -> IngestReport:
    """Read each file, tell its fate, go on with the next; a file that cannot be read never stops the others.

    A store that takes no more (a full disk) does: the report says which file that was, what went in before it, and how
    many were not tried. A fate is told when it has come true: what is told as added is in the store. ``on_reading``
    hears the name and the size in bytes of a file before it is cut up. ``metadata`` joins each document's own and
    stays with it until it is given otherwise; an empty value takes a name away. Documents from below the names in
    ``sync`` whose files are gone are removed first.
    """
    items = list(items)
    given = _given(metadata or {})
    with Reader() as reader:
        intake = Intake(destination, count, clock, given, destination.shelf(), reader, on_reading)
        return _taken(items, Line(intake, on_file), sync)


def _taken(items: Sequence[File | Skipped], line: Line, sync: Iterable[str]) -> IngestReport:
    paths = {item.path for item in items if isinstance(item, File)}
    waiting = line.intake.waiting = set(paths)
    try:
        line.remove(gone(line.intake.shelf, sync))
        put_off = [item for item in items if not line.take(item)]
        waiting.clear()
        for item in put_off:
            line.take(item)
        line.store()
        line.remove(divided_otherwise(line.intake.shelf, paths))
    except _Stopped as stopped:
        left = len(items) - sum(report.fate is not Fate.REMOVED for report in line.reports)
        return IngestReport(tuple(line.reports), stopped=_told(stopped, line.reports[-1].source, left))
    return IngestReport(tuple(line.reports))


def _given(metadata: Mapping[str, str]) -> dict[str, str]:
    for name in metadata:
        if not name.strip() or name in RESERVED | FIELDS:
            raise BadInput(f"metadata cannot be named {name!r}: " + ", ".join(sorted(RESERVED | FIELDS)) + " are ours")
    return {name.strip(): value.strip() for name, value in metadata.items()}


class _Stopped(Exception):
    """The store took no more."""


def _told(why: Exception, source: str, left: int) -> str:
    after = f", nor the {left} after it" if left else ""
    return f"{source} did not go in{after}: {why}"


@dataclass(slots=True)
class Line:
    """Files on their way into the store, many in one transaction; each fate is told in order, once it is true."""

    intake: Intake
    on_file: Callable[[FileReport], None] | None
    reports: list[FileReport] = field(default_factory=list)
    under_way: list[Taken] = field(default_factory=list)
    since: float = 0.0

    def take(self, item: File | Skipped) -> bool:
        """Whether its fate is known or under way."""
        if isinstance(item, Skipped):
            taken: Taken | None = FileReport(
                item.name, Fate.UNREADABLE if item.asked_for else Fate.SKIPPED, item.reason
            )
        else:
            taken = self.intake.take(item)
        if taken is None:
            return False
        self.since = self.since if self.under_way else time.monotonic()
        self.under_way.append(taken)
        if self._due():
            self.store()
        return True

    def _due(self) -> bool:
        entries = [taken.entry for taken in self.under_way if isinstance(taken, Prepared)]
        return (
            sum(len(entry.passages) for entry in entries) >= AT_ONCE
            or sum(len(entry.document.text) for entry in entries) >= CHARACTERS
            or time.monotonic() - self.since >= SECONDS
        )

    def store(self) -> None:
        """Everything that is under way; then its fates are told."""
        taken, self.under_way = self.under_way, []
        prepared = [one for one in taken if isinstance(one, Prepared)]
        try:
            puts = dict(zip(map(id, prepared), self._put([one.entry for one in prepared]), strict=True))
            self._delete([one.document for one in taken if isinstance(one, Emptied)])
        except StoreError:
            self._one_by_one(taken)
            return
        for one in taken:
            self._settle(one, puts.get(id(one)))

    def _one_by_one(self, taken: list[Taken]) -> None:
        """As much as the store takes, so that the report can name the first that it does not."""
        for one in taken:
            report = one if isinstance(one, FileReport) else one.report
            try:
                put = self._put([one.entry])[0] if isinstance(one, Prepared) else None
                if isinstance(one, Emptied):
                    self._delete([one.document])
            except StoreError as error:
                self._tell(FileReport(report.source, Fate.FAILED, str(error)))
                raise _Stopped(str(error)) from error
            self._settle(one, put)

    def _put(self, entries: list[Entry]) -> list[Put]:
        to = self.intake.to
        return list(to.documents.put_all(to.reach, entries)) if entries else []

    def _delete(self, documents: list[Document]) -> None:
        to = self.intake.to
        if documents:
            to.documents.delete_all(to.reach, [document.document_id for document in documents])

    def _settle(self, one: Taken, put: Put | None, attempts: int = ATTEMPTS) -> None:
        """Tell the fate; what another ingest has changed meanwhile is taken again, as it is now."""
        if isinstance(one, FileReport):
            self._tell(one)
        elif put is not Put.OTHER:
            self._tell(replace(one.report, fate=Fate.UNCHANGED, passages=0) if put is Put.SAME else one.report)
        elif not attempts:
            self._tell(FileReport(one.report.source, Fate.FAILED, "another ingest keeps changing it: try again"))
        else:
            assert isinstance(one, Prepared)
            self.intake.shelf = self.intake.to.shelf()
            again = self.intake.take(one.file)
            assert again is not None, "it waits for nobody: it was taken before"
            if isinstance(again, Emptied):
                self._delete([again.document])
            self._settle(again, self._put([again.entry])[0] if isinstance(again, Prepared) else None, attempts - 1)

    def remove(self, documents: list[Document]) -> None:
        self._delete(documents)
        for document in documents:
            self.intake.shelf.drop(document)
            self._tell(FileReport(document.source, Fate.REMOVED, document_id=document.document_id))

    def _tell(self, report: FileReport) -> None:
        self.reports.append(report)
        if self.on_file:
            self.on_file(report)


@dataclass(slots=True)
class Intake:
    """One run of ingest. ``waiting``: paths whose turn is still to come."""

    to: Destination
    count: TokenCounter
    clock: Clock
    given: Mapping[str, str]
    shelf: Shelf
    reader: Reader
    on_reading: Callable[[str, int], None] | None = None
    waiting: set[str] = field(default_factory=set)

    def take(self, file: File) -> Taken | None:
        """What becomes of the file; ``None`` for a copy of one whose own turn is still to come: it may have changed."""
        self.waiting.discard(file.path)
        try:
            content = file.read()
        except OSError as error:
            return FileReport(file.name, Fate.UNREADABLE, error.strerror or str(error))
        earlier = self.shelf.by_path.get(file.path)
        given = self._given(earlier)
        version = _version(content, given)
        same = self.shelf.by_version.get(version)
        if earlier and earlier.version == version and (not same or path_of(same) == file.path):
            return FileReport(earlier.source, Fate.UNCHANGED, document_id=earlier.document_id)
        if same and path_of(same) in self.waiting:
            return None
        if same:
            report = FileReport(file.name, Fate.DUPLICATE, f"of {same.source}", document_id=same.document_id)
            return self._emptied(earlier, report)
        if self.on_reading:
            self.on_reading(file.name, len(content))
        try:
            parsed = self.reader.read(content, file.name)
        except Unreadable as error:
            return FileReport(file.name, Fate.UNREADABLE, str(error))
        if not parsed.text.strip():
            return self._emptied(earlier, FileReport(file.name, Fate.EMPTY))
        return self._prepared(file, parsed, version, earlier, given)

    def _given(self, earlier: Document | None) -> dict[str, str]:
        """What was given for the document before, and what is given now."""
        names = earlier.metadata.get(GIVEN, "").split("\n") if earlier else []
        before = {name: earlier.metadata[name] for name in names if name in earlier.metadata} if earlier else {}
        return {name: value for name, value in {**before, **self.given}.items() if value}

    def _prepared(
        self, file: File, parsed: Parsed, version: str, earlier: Document | None, given: Mapping[str, str]
    ) -> Prepared:
        source = earlier.source if earlier else self.shelf.free_name(file)
        own = {name: value for name, value in front_matter(parsed.text).items() if name not in RESERVED | FIELDS}
        document = Document(
            document_id=self.to.document_id(source),
            source=source,
            version=version,
            text=parsed.text,
            title=parsed.title,
            collection=self.to.collection,
            owner=self.to.owner,
            language=_language(parsed),
            ingested_at=self.clock(),
            metadata={**own, **_listed(given), "path": file.path, **_kept_beside(parsed)},
        )
        passages = chunk(document, parsed, self.count)
        self.shelf.add(replace(document, text=""))
        fate = Fate.REPLACED if earlier else Fate.ADDED
        report = FileReport(source, fate, "; ".join(parsed.remarks), len(passages), document.document_id)
        return Prepared(file, Entry(document, passages, earlier.version if earlier else ""), report)

    def _emptied(self, earlier: Document | None, report: FileReport) -> Taken:
        """What stood under this path before is no longer what the file says."""
        if not earlier:
            return report
        self.shelf.drop(earlier)
        return Emptied(earlier, report)


def _version(content: bytes, given: Mapping[str, str]) -> str:
    """Of what was read and of what was said about it: either changes the document."""
    version = f"{READER}-{hashlib.sha256(content).hexdigest()[:32]}"
    if not given:
        return version
    told = "\0".join(part for pair in sorted(given.items()) for part in pair)
    return f"{version}-{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _listed(given: Mapping[str, str]) -> dict[str, str]:
    return {**given, GIVEN: "\n".join(sorted(given))} if given else {}


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

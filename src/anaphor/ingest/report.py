"""What became of the files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from anaphor.types import Json


class Fate(StrEnum):
    """What became of one file."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"  # the same content is there under another name; not stored a second time
    REMOVED = "removed"  # its file is gone, and so is the document
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
        """In JSON's terms; the keys are a contract."""
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
        """How many files met each fate; fates that none met are not there."""
        counted = Counter(str(report.fate) for report in self.files)
        return {str(fate): counted[fate] for fate in Fate if counted[fate]}

    @property
    def failed(self) -> tuple[FileReport, ...]:
        """The files that should have gone in and did not."""
        return tuple(report for report in self.files if report.fate in (Fate.UNREADABLE, Fate.FAILED))

    def as_dict(self) -> Json:
        """In JSON's terms; the keys are a contract."""
        return {
            "files": [f.as_dict() for f in self.files],
            "counts": self.counts,
            "backlog": self.backlog,
            "embedding_failed": self.embedding_failed,
            "stopped": self.stopped,
        }

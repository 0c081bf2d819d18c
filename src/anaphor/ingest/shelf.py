"""What a collection already holds, and where new documents go."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

from anaphor.ingest.load import File
from anaphor.ports import Documents
from anaphor.types import Document, Scope


@dataclass(slots=True)
class Shelf:
    """What the collection already holds, for one owner: by path, by content, and by the name that is cited."""

    by_path: dict[str, Document] = field(default_factory=dict)
    by_version: dict[str, Document] = field(default_factory=dict)
    by_source: dict[str, Document] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        """In place of what stood under the same path."""
        if earlier := self.by_path.get(path_of(document)):
            self.drop(earlier)
        self.by_path[path_of(document)] = self.by_source[document.source] = document
        self.by_version.setdefault(document.version, document)

    def drop(self, document: Document) -> None:
        """It is there no more."""
        self.by_path.pop(path_of(document), None)
        self.by_source.pop(document.source, None)
        if self.by_version.get(document.version, document).document_id == document.document_id:
            self.by_version.pop(document.version, None)

    def free_name(self, file: File) -> str:
        """The file's name, or its whole path where a file from elsewhere already has that name."""
        holder = self.by_source.get(file.name)
        return file.path if holder and path_of(holder) != file.path else file.name


def path_of(document: Document) -> str:
    """What identifies the file, wherever it was named from; of older documents the source."""
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
        """The user, or empty for all readers of the collection."""
        return self.scope.user if self.private else ""

    @property
    def reach(self) -> Scope:
        """The scope, with the collection in it: what is taken in can be read back."""
        return replace(self.scope, collections=self.scope.collections | {self.collection})

    def shelf(self) -> Shelf:
        """What is there now."""
        shelf = Shelf()
        for document in self.documents.list(self.reach):
            if document.collection == self.collection and document.owner == self.owner:
                shelf.add(document)
        return shelf

    def document_id(self, source: str) -> str:
        """The same source in the same place has the same id, always; it tells nothing about either."""
        identity = "\0".join((self.scope.tenant, self.collection, self.owner, source))
        return "d" + hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:20]

"""Documents: list, take in, read, delete; and the collections they are in."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Annotated

from fastapi import APIRouter, File, Form, Response, UploadFile

from anaphor.errors import BadInput
from anaphor.service import examples
from anaphor.service.callers import Caller, as_caller
from anaphor.service.cleaned import Clean
from anaphor.service.described import shows
from anaphor.service.desk import TheCaller, TheDesk, TheEditor
from anaphor.service.replies import Json, reply
from anaphor.service.statuses import Refused
from anaphor.types import Document

router = APIRouter(tags=["documents"], route_class=Clean)

DEFAULT = "default"  # the collection that is meant where none is named

UPLOAD: Json = {
    "requestBody": {
        "content": {
            "multipart/form-data": {
                "example": {"files": ["plans.md, as a file"], "collection": "default", "private": False}
            }
        }
    }
}


def told(document: Document) -> Json:
    return {
        "document_id": document.document_id,
        "source": document.source,
        "version": document.version,
        "title": document.title,
        "collection": document.collection,
        "private": bool(document.owner),
        "language": document.language,
        "ingested_at": document.ingested_at,
        "metadata": dict(document.metadata),
    }


@router.get("/documents", responses=shows(examples.DOCUMENTS))
def list_documents(desk: TheDesk, caller: TheCaller) -> Response:
    """What this person may read."""
    return reply({"documents": [told(each) for each in as_caller(desk.assistant, caller).documents()]})


@router.get("/collections", responses=shows(examples.COLLECTIONS))
def list_collections(desk: TheDesk, caller: TheCaller) -> Response:
    """The collections of what this person may read: how many documents are in each, and how many of them private."""
    every = as_caller(desk.assistant, caller).documents()
    private = Counter(each.collection for each in every if each.owner)
    counted = sorted(Counter(each.collection for each in every).items())
    return reply(
        {"collections": [{"name": name, "documents": n, "private": private[name]} for name, n in counted]},
    )


@router.post(
    "/documents", status_code=201, responses=shows(examples.UPLOADED, 201, "Each file's fate"), openapi_extra=UPLOAD
)
def upload(
    desk: TheDesk,
    caller: TheEditor,
    files: Annotated[list[UploadFile], File(description="One or more files")],
    collection: Annotated[str, Form(max_length=200, description="Without one: `default`, or what the key opens.")] = "",
    private: Annotated[bool, Form()] = False,
) -> Response:
    """Take files in. Each file's fate is told; one that cannot be read does not keep the others out."""
    into = _collection(caller, collection)
    with tempfile.TemporaryDirectory(prefix="anaphor-upload-") as folder:
        here = Path(folder)
        paths = [_laid_down(here, file) for file in files]
        report = as_caller(desk.assistant, caller).ingest(
            *paths, collection=into, private=private, base=here, by_name=True
        )
    return reply({"files": [each.as_dict() for each in report.files], "stopped": report.stopped}, 201)


def _collection(caller: Caller, named: str) -> str:
    """Where documents go. A key that is for some collections takes nothing into another."""
    opened = caller.scope.collections
    into = named or (DEFAULT if DEFAULT in opened or not caller.confined else min(opened))
    if caller.confined and into not in opened:
        raise Refused(403, "not_allowed", f"the key is for the collections {', '.join(sorted(opened))}, not {into!r}")
    return into


def _laid_down(folder: Path, file: UploadFile) -> Path:
    """The file under its own name, and no path in it. Two of one name are two files."""
    name = PurePosixPath((file.filename or "").replace("\\", "/")).name
    if not name or name in (".", "..") or "\0" in name or len(name.encode("utf-8", "replace")) > 200:
        raise BadInput(f"a file needs a name of at most 200 bytes, not {name[:40]!r}")
    place = folder / name
    if place.exists():
        raise BadInput(f"two files are called {name!r}")
    with place.open("wb") as written:
        while piece := file.file.read(1 << 20):
            written.write(piece)
    return place


@router.get("/documents/{document:path}", responses=shows(examples.WITH_TEXT))
def read_document(desk: TheDesk, caller: TheCaller, document: str) -> Response:
    """With its text, by id or source."""
    found = as_caller(desk.assistant, caller).document(document)
    return reply({**told(found), "text": found.text})


@router.delete("/documents/{document:path}", responses=shows(examples.DOCUMENT, description="Gone"))
def delete_document(desk: TheDesk, caller: TheEditor, document: str) -> Response:
    """Gone from the store and from every index when this returns."""
    return reply(told(as_caller(desk.assistant, caller).delete_document(document)))

"""``anaphor documents``: what was ingested."""

from __future__ import annotations

import click

from anaphor.cli.terminal import (
    confirmed,
    existing,
    json_flag,
    one_line,
    print_json,
    remark,
    say,
    with_settings,
    yes_flag,
)
from anaphor.settings import Settings
from anaphor.types import Document, Json

KEPT = "Answers that quoted it lose what they quoted; the questions stay."


@click.group("documents")
def command() -> None:
    """List and delete what was ingested."""


@command.command("list")
@json_flag
@with_settings
def list_(settings: Settings, as_json: bool) -> None:
    """What this person may read, by source."""
    from anaphor.cli.lines import padded

    with existing(settings) as assistant:
        documents = assistant.documents()
    if as_json:
        print_json([as_dict(document) for document in documents])
        return
    for d in documents:
        private = "  (private)" if d.owner else ""
        say(f"{d.document_id}  {padded(d.language, 7)}  {padded(d.collection, 10)}  {one_line(d.source)}{private}")


@command.command("delete")
@click.argument("document")
@yes_flag
@json_flag
@with_settings
def delete(settings: Settings, document: str, yes: bool, as_json: bool) -> int:
    """Delete DOCUMENT (its id or source) from the store and every index.

    Answers that quoted it lose what they quoted; the questions stay.
    """
    with existing(settings) as assistant:
        found = assistant.store.documents.get(assistant.scope, document)
        if not confirmed(f"Delete {found.source}? {KEPT}", yes):
            return 1
        assistant.delete_document(found.document_id)
    if as_json:
        print_json({"deleted": found.document_id})
    else:
        say(f"deleted {one_line(found.source)}")
        remark(KEPT)
    return 0


def as_dict(document: Document) -> Json:
    return {
        "document_id": document.document_id,
        "source": document.source,
        "title": document.title,
        "collection": document.collection,
        "owner": document.owner,
        "language": document.language,
        "version": document.version,
        "ingested_at": document.ingested_at,
        "metadata": dict(document.metadata),
    }

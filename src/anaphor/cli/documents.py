"""``anaphor documents``: what was ingested."""

from __future__ import annotations

from collections import Counter

import click

from anaphor.cli.terminal import (
    confirmed,
    existing,
    filter_flag,
    json_flag,
    one_line,
    print_json,
    remark,
    say,
    when,
    with_collections,
    with_settings,
    yes_flag,
)
from anaphor.settings import Settings
from anaphor.types import Document, Json

FIELDS = ("document_id", "source", "title", "language", "collection")
KEPT = "Answers that quoted it lose what they quoted; the questions stay."


@click.group("documents")
def command() -> None:
    """List, show and delete what was ingested."""


@command.command("list")
@filter_flag
@json_flag
@with_settings
@with_collections
def list_(settings: Settings, filters: dict[str, str], as_json: bool) -> None:
    """What this person may read, by source."""
    from anaphor.cli.lines import padded

    with existing(settings) as assistant:
        documents = [document for document in assistant.documents() if _passes(document, filters)]
    if as_json:
        print_json([as_dict(document) for document in documents])
        return
    for d in documents:
        private = "  (private)" if d.owner else ""
        say(f"{d.document_id}  {padded(d.language, 7)}  {padded(d.collection, 10)}  {one_line(d.source)}{private}")


@command.command("show")
@click.argument("document")
@json_flag
@with_settings
@with_collections
def show(settings: Settings, document: str, as_json: bool) -> None:
    """What is kept of DOCUMENT (its id or source), and its text."""
    with existing(settings) as assistant:
        found = assistant.document(document)
    told = as_dict(found)
    if as_json:
        print_json({**told, "text": found.text})
        return
    metadata = {f"  {name}": value for name, value in found.metadata.items()}
    for name, value in {**told, "ingested_at": when(found.ingested_at), "metadata": "", **metadata}.items():
        say(f"{name:<14}{one_line(str(value))}".rstrip())
    say("\n" + found.text)


@command.command("collections")
@json_flag
@with_settings
@with_collections
def collections_(settings: Settings, as_json: bool) -> None:
    """The collections that are read, with how many documents each has for this person."""
    with existing(settings) as assistant:
        documents = assistant.documents()
    shared = Counter(document.collection for document in documents if not document.owner)
    private = Counter(document.collection for document in documents if document.owner)
    if as_json:
        print_json([{"collection": n, "documents": shared[n], "private": private[n]} for n in settings.collections])
        return
    for name in settings.collections:
        own = f"  ({private[name]} private)" if private[name] else ""
        say(f"{shared[name] + private[name]:>6}  {one_line(name)}{own}")


@command.command("delete")
@click.argument("document")
@yes_flag
@json_flag
@with_settings
@with_collections
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


def _passes(document: Document, filters: dict[str, str]) -> bool:
    told = {**document.metadata, **{name: getattr(document, name) for name in FIELDS}}
    return all(told.get(name) == value for name, value in filters.items())


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

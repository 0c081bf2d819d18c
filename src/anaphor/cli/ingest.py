"""``anaphor ingest``: documents in, with every file's fate."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from anaphor.cli import INTERRUPTED
from anaphor.cli.labels import Labels
from anaphor.cli.progress import OnEmbedded, progress
from anaphor.cli.terminal import complain, confirmed, json_flag, one_line, pairs, print_json, remark, say, with_settings
from anaphor.errors import AnaphorError
from anaphor.settings import Settings

if TYPE_CHECKING:
    from anaphor.assistant import Assistant, FileReport, IngestReport

SHOWN = 5  # names of what is about to be removed

SIGN = {
    "added": "+",
    "replaced": "~",
    "unchanged": "=",
    "duplicate": "=",
    "removed": "-",
    "empty": "○",
    "skipped": "·",
    "unreadable": "✗",
    "failed": "✗",
}


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--collection", default="default", show_default=True, metavar="NAME", help="Which collection they join.")
@click.option("--private", is_flag=True, help="Readable by this user alone.")
@click.option("--meta", multiple=True, metavar="NAME=VALUE", callback=pairs, help="Say something of them all.")
@click.option("--sync", is_flag=True, help="Remove what came from there and whose file is gone.")
@click.option("--watch", is_flag=True, help="Go on: take in what changes, and remove what goes, until Ctrl-C.")
@click.option("--no-embed", is_flag=True, help="Leave the embedding to the next time.")
@click.option("--yes", is_flag=True, help="Do not ask before removing.")
@json_flag
@with_settings
def command(
    settings: Settings,
    paths: tuple[str, ...],
    collection: str,
    private: bool,
    meta: dict[str, str],
    sync: bool,
    watch: bool,
    no_embed: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Take in files, folders with all below them, patterns, and - for standard input.

    Unchanged files are left alone and changed ones replaced. A file that cannot be read is told by name, and the rest
    goes on; the exit status is then 1. A full disk ends it, with the outcome of every file up to there. What was said
    with --meta (an empty VALUE takes it back) can be asked for with ask --filter. --sync asks on a terminal before it
    removes anything; elsewhere the flag is the answer. What is stored is found by its words; embedding it, so that it
    is found by its meaning, can be interrupted at any time, and the next ingest goes on. --watch is --sync that goes on
    by itself, without asking; with --json it prints one JSON value each time.
    """
    from anaphor.wiring import build

    labels = Labels(settings.locale)
    with build(settings) as assistant:
        if watch:
            return _watch(assistant, paths, {"collection": collection, "private": private, "metadata": meta}, as_json)
        if sync and not _agreed(assistant, paths, collection, private, yes or not sys.stdin or not sys.stdin.isatty()):
            return 1
        with progress(quiet=as_json) as (on_reading, _):
            report = assistant.ingest(
                *paths,
                collection=collection,
                private=private,
                metadata=meta,
                sync=sync,
                embed=False,
                on_reading=on_reading,
            )
        if not as_json:
            _tell(report, labels)
        status = 0
        if not no_embed and not report.stopped:
            with progress(quiet=as_json) as (_, on_embedded):
                report, status = _embedded(assistant, report, on_embedded)
    if as_json:
        print_json(report.as_dict())
    elif report.backlog:
        remark(labels("still to embed", n=report.backlog))
    if collection not in settings.collections and not as_json and report.counts:
        remark(labels("not read", collection=one_line(collection)))
    if report.stopped:
        complain(report.stopped)
    if report.embedding_failed:
        complain(f"the documents are in, but not all are embedded: {report.embedding_failed}")
    return status or (1 if report.failed or report.embedding_failed else 0)


def _watch(assistant: Assistant, paths: tuple[str, ...], where: dict[str, Any], as_json: bool) -> int:
    labels = Labels(assistant.settings.locale)

    def tell(report: IngestReport) -> None:
        if set(report.counts) <= {"unchanged"}:
            return
        if as_json:
            print_json(report.as_dict())
        else:
            _tell(report, labels)
        if report.stopped:
            complain(report.stopped)
        sys.stdout.flush()

    with suppress(KeyboardInterrupt):
        remark(labels("watching"))
        assistant.watch(*paths, **where, on_report=tell)
    if left := assistant.waiting:
        remark(labels("still to embed", n=left))
    return 0


def _agreed(assistant: Assistant, paths: tuple[str, ...], collection: str, private: bool, yes: bool) -> bool:
    gone = assistant.gone(*paths, collection=collection, private=private)
    named = ", ".join(document.source for document in gone[:SHOWN]) + ("…" if len(gone) > SHOWN else "")
    return not gone or confirmed(f"Remove {len(gone)} documents whose files are gone ({named})?", yes)


def _embedded(assistant: Assistant, report: IngestReport, heard: OnEmbedded) -> tuple[IngestReport, int]:
    """Until nothing waits, or somebody has had enough; and the exit status."""
    if heard and report.backlog:
        heard(report.backlog)
    try:
        return replace(report, backlog=assistant.embed(heard)), 0
    except KeyboardInterrupt:
        return replace(report, backlog=assistant.waiting), INTERRUPTED
    except AnaphorError as error:
        return replace(report, backlog=assistant.waiting, embedding_failed=str(error)), 1


def _tell(report: IngestReport, labels: Labels) -> None:
    for file in report.files:
        if str(file.fate) != "unchanged":
            say(_line(file))
    counted = ", ".join(f"{n} {labels('file ' + fate)}" for fate, n in report.counts.items())
    passages = sum(file.passages for file in report.files)
    say(f"{counted or labels('nothing to ingest')}" + (f" · {labels('in passages', n=passages)}" if passages else ""))


def _line(file: FileReport) -> str:
    detail = f"  ({one_line(file.detail)})" if file.detail else ""
    count = f"  {file.passages}" if file.passages else ""
    return f"{SIGN[str(file.fate)]} {one_line(file.source)}{count}{detail}"

"""``anaphor ingest``: documents in, with every file's fate."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import click

from anaphor.cli.terminal import complain, json_flag, one_line, print_json, say, with_settings
from anaphor.settings import Settings

if TYPE_CHECKING:
    from anaphor.assistant import FileReport, IngestReport
    from anaphor.cli.labels import Labels

OnReading: TypeAlias = "Callable[[str, int], None] | None"
OnEmbedded: TypeAlias = "Callable[[int], None] | None"

SIGN = {
    "added": "+",
    "replaced": "~",
    "unchanged": "=",
    "duplicate": "=",
    "empty": "○",
    "skipped": "·",
    "unreadable": "✗",
    "failed": "✗",
}


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--collection", default="default", show_default=True, metavar="NAME", help="Which collection they join.")
@click.option("--private", is_flag=True, help="Readable by this user alone.")
@json_flag
@with_settings
def command(settings: Settings, paths: tuple[str, ...], collection: str, private: bool, as_json: bool) -> int:
    """Take in files, folders with all below them, patterns, and - for standard input.

    Unchanged files are left alone and changed ones replaced. A file that cannot be read is told by name, and the rest
    goes on; the exit status is then 1. A full disk ends it, with the outcome of every file up to there.
    """
    from anaphor.cli.labels import Labels
    from anaphor.wiring import build

    labels = Labels(settings.locale)
    with build(settings) as assistant, progress(quiet=as_json) as (on_reading, on_embedded):
        report = assistant.ingest(
            *paths, collection=collection, private=private, on_reading=on_reading, on_embedded=on_embedded
        )
    if as_json:
        print_json(report.as_dict())
    else:
        _tell(report, labels)
    if report.stopped:
        complain(report.stopped)
    if report.embedding_failed:
        complain(f"the documents are in, but not all are embedded: {report.embedding_failed}")
    return 1 if report.failed or report.embedding_failed else 0


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


@contextmanager
def progress(quiet: bool) -> Iterator[tuple[OnReading, OnEmbedded]]:
    """What is being read, then how much is still to embed: on a terminal's standard error, gone when done."""
    if quiet or not sys.stderr.isatty():
        yield None, None
        return
    from rich.console import Console

    screen = Console(stderr=True, markup=False, highlight=False)
    with screen.status("…") as status:
        yield (
            lambda name, size: status.update(one_line(f"{name}, {size / 1_000_000:.1f} MB")),
            lambda left: status.update(f"embedding: {left} passages left"),
        )

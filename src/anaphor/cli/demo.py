"""``anaphor demo``: the sample knowledge base, one conversation a language, then the chat."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from anaphor.assistant import Assistant, IngestReport
from anaphor.cli.chat import Chat
from anaphor.cli.labels import Labels
from anaphor.cli.progress import OnEmbedded, OnReading, progress
from anaphor.cli.show import Stage, show_turn
from anaphor.cli.terminal import console, json_flag, print_json, remark, say, with_settings
from anaphor.demo import DOCUMENTATION, LANGUAGES, Script, documentation, knowledge, script
from anaphor.settings import Settings
from anaphor.types import Json


@click.command("demo")
@click.option("--lang", "languages", multiple=True, type=click.Choice(LANGUAGES), help="Only these languages.")
@click.option("--no-chat", is_flag=True, help="Do not go on to the chat.")
@json_flag
@with_settings
def command(settings: Settings, languages: tuple[str, ...], no_chat: bool, as_json: bool) -> None:
    """Ingest a sample knowledge base and this project's documentation, and play a conversation in each language.

    Every turn is shown with how it came about. On a terminal you can then ask yourself. Kept only with --store.
    """
    wanted = languages or LANGUAGES
    given = click.get_current_context().params["store"]
    with _place(given) as store:
        from anaphor.wiring import build

        with build(replace(settings, store=store)) as assistant:
            with progress(quiet=as_json) as (on_reading, on_embedded):
                report = prepare(assistant, on_reading, on_embedded)
            if as_json:
                print_json({"ingested": report.as_dict(), "conversations": [_as_dict(assistant, x) for x in wanted]})
                return
            _introduce(assistant, report)
            for language in wanted:
                play(assistant, script(language))
        if not no_chat and sys.stdin and sys.stdin.isatty() and sys.stdout.isatty():
            everything = replace(settings, store=store, collections=(*settings.collections, DOCUMENTATION))
            with build(everything) as assistant:
                with progress(quiet=False) as (_, on_embedded):
                    assistant.embed(on_embedded)
                Chat(assistant, assistant.sessions.start()).run()


def prepare(assistant: Assistant, on_reading: OnReading = None, on_embedded: OnEmbedded = None) -> IngestReport:
    """The knowledge base into the collection ``default``, the documentation into one of its own.

    The conversations need vectors of the first only. Those of the documentation take a minute, and are made when
    somebody is there to chat about it.
    """
    sample = assistant.ingest(knowledge(), base=knowledge(), embed=False, on_reading=on_reading)
    assistant.embed(on_embedded)
    own = [
        assistant.ingest(path, collection=DOCUMENTATION, base=path.parent, embed=False, on_reading=on_reading)
        for path in documentation()
    ]
    return replace(sample, files=(*sample.files, *(file for report in own for file in report.files)))


def play(assistant: Assistant, conversation: Script) -> None:
    """Ask each line in one session, and show each turn."""
    stage = Stage(console(), Labels(assistant.settings.locale), assistant.settings.budget)
    stage.console.rule(f"{conversation.title} · {conversation.language}", style="bright_black")
    session = assistant.sessions.start().session_id
    for line in conversation.lines:
        answer = assistant.ask(line.say, session=session)
        say("")
        show_turn(stage, answer, assistant.passages(answer), stage.labels(line.shows))
    say("")


def _as_dict(assistant: Assistant, language: str) -> Json:
    session = assistant.sessions.start().session_id
    turns = [assistant.ask(line.say, session=session).as_dict() for line in script(language).lines]
    return {"language": language, "session_id": session, "turns": turns}


def _introduce(assistant: Assistant, report: IngestReport) -> None:
    labels = Labels(assistant.settings.locale)
    passages = sum(file.passages for file in report.files)
    retrievers = " + ".join(index.name for index in assistant.conversation.indexes)
    remark(labels("demo", files=len(report.files), passages=passages, retrievers=retrievers))
    if assistant.conversation.writer is None:
        remark(labels("quoted"))


@contextmanager
def _place(store: str | None) -> Iterator[str]:
    """The store that was named, or one that is gone afterwards."""
    if store:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="anaphor-demo-") as folder:
        yield str(Path(folder) / "demo.db")

"""``anaphor chat``: a conversation in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import click

from anaphor.assistant import Assistant
from anaphor.cli.labels import Labels
from anaphor.cli.show import WHOLE, Stage, show_answer, show_decision, show_turn
from anaphor.cli.terminal import (
    complain,
    console,
    filter_flag,
    json_flag,
    one_line,
    print_json,
    read_for_memory,
    remark,
    say,
    with_collections,
    with_settings,
)
from anaphor.errors import AnaphorError, BadInput, UnreadableStore
from anaphor.settings import Settings
from anaphor.stored import Session
from anaphor.types import Claim, StandaloneQuery


@click.command("chat")
@click.option("--session", metavar="ID|NAME", help="Continue this conversation.")
@click.option("--new-session", metavar="NAME", help="Start a conversation and name it.")
@click.option("--ephemeral", is_flag=True, help="Keep nothing of it: no question, no answer, no trace.")
@click.option("--sources", type=click.Choice(["documents", "memory", "both"]), help="Where to look.")
@filter_flag
@json_flag
@with_settings
@with_collections
def command(
    settings: Settings,
    session: str | None,
    new_session: str | None,
    ephemeral: bool,
    sources: str | None,
    filters: dict[str, str],
    as_json: bool,
) -> None:
    """Ask and follow up. Without a terminal, each line of standard input is a question.

    With --json each answer is one JSON value.
    """
    from anaphor.wiring import build

    if session and new_session:
        raise BadInput("--session continues a conversation and --new-session starts one: give one of them")
    if ephemeral and session:
        raise BadInput("--session continues what is kept, and --ephemeral keeps nothing: give one of them")
    if new_session == "":
        raise BadInput("--new-session needs a name: without one, leave it out")
    if sys.stdin is None:
        raise BadInput("standard input is closed: there is nothing to read questions from")
    with build(settings) as assistant:
        sessions = assistant.sessions
        started = sessions.find(session) if session else sessions.start(new_session or "", ephemeral=ephemeral)
        assistant.embed_in_background()
        Chat(assistant, started, sources, as_json, filters).run()


@dataclass(slots=True)
class Chat:
    """The loop: read a line, answer it or obey it."""

    assistant: Assistant
    session: Session
    sources: str | None = None
    as_json: bool = False
    filters: Mapping[str, str] = field(default_factory=dict)

    def run(self) -> None:
        stage = self._stage
        if not self.as_json:
            remark(stage.labels("chat", id=self.session.name or self.session.session_id))
            if self.assistant.conversation.writer is None:
                remark(stage.labels("quoted"))
            if not self.assistant.documents():
                remark(stage.labels("nothing ingested", store=one_line(self.assistant.settings.store)))
        try:
            self._listen()
        except KeyboardInterrupt:
            say("")
            self._leave()
            raise
        self._leave()

    def _listen(self) -> None:
        for line in _typed():
            word, _, rest = line.partition(" ")
            if not word.startswith("/"):
                self._ask(line)
            elif word in ("/quit", "/exit", "/q"):
                return
            else:
                self._obey(word, rest.strip())

    @property
    def _stage(self) -> Stage:
        settings = self.assistant.settings
        return Stage(console(), Labels(settings.locale), settings.budget)

    def _ask(self, question: str) -> None:
        stage = self._stage
        try:
            with _listening(stage, quiet=self.as_json) as tell:
                answer = self.assistant.ask(
                    question, session=self.session.session_id, sources=self.sources, filters=self.filters, tell=tell
                )
        except UnreadableStore:
            raise  # a store that is gone keeps nothing: whoever talks on must know
        except AnaphorError as error:
            complain(str(error))
            return
        if self.as_json:
            print_json(answer.as_dict())
            read_for_memory(self.assistant)
            return
        show_decision(stage, answer)
        show_answer(stage, answer, self.assistant.passages(answer))
        for note in answer.notes:
            remark(f"  {note}")
        say("")
        read_for_memory(self.assistant)

    def _obey(self, word: str, rest: str) -> None:
        stage = self._stage
        try:
            if word == "/trace":
                answer = self.assistant.trace(self.session.session_id, rest or None)
                show_turn(replace(stage, passages=WHOLE), answer, self.assistant.passages(answer))
            elif word == "/new":
                self._leave()
                self.session = self.assistant.sessions.start(rest, ephemeral=self.session.ephemeral)
                remark(stage.labels("chat", id=self.session.name or self.session.session_id))
            elif word == "/sources":
                for document in self.assistant.documents():
                    say(one_line(document.source))
            else:
                say(stage.labels("help"))
        except UnreadableStore:
            raise
        except AnaphorError as error:
            complain(str(error))

    def _leave(self) -> None:
        """An empty session is not kept: nobody would miss it, and the list would fill with them."""
        found = self.assistant.sessions.find(self.session.session_id)
        if found.turns == 0 and not found.name:
            self.assistant.sessions.delete(found.session_id)
        elif not self.as_json and not found.ephemeral:
            remark(self._stage.labels("bye", id=found.name or found.session_id))


def _typed() -> Iterator[str]:
    """Lines, white space trimmed, empty ones left out, until the end of input."""
    on_terminal = sys.stdin.isatty()
    if on_terminal:
        with suppress(ImportError):  # Windows has none
            import_module("readline")  # input() then has line editing and a history
    while True:
        try:
            line = input("› " if on_terminal else "").strip()
        except EOFError:
            if on_terminal:
                say("")
            return
        if line:
            yield line


@contextmanager
def _listening(stage: Stage, quiet: bool) -> Iterator[Callable[[str, Any], None] | None]:
    """Shows each claim as it is released, until the whole answer takes its place."""
    if quiet or not stage.console.is_terminal:
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    shown = Text("…", "bright_black")
    with Live(shown, console=stage.console, transient=True, vertical_overflow="visible") as live:

        def tell(event: str, value: Any) -> None:
            if event == "query" and isinstance(value, StandaloneQuery) and value.decision.retrieves:
                live.update(Text(f"… {value.text}", "bright_black"))
            elif event == "claim" and isinstance(value, Claim):
                said.append(value.shown)
                live.update(Text("".join(said)))

        said: list[str] = []
        yield tell

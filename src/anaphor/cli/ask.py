"""``anaphor ask``: one turn."""

from __future__ import annotations

import click

from anaphor.cli.terminal import (
    console,
    filter_flag,
    json_flag,
    one_line,
    print_json,
    read_for_memory,
    remark,
    say,
    seconds,
    standard_input,
    with_collections,
    with_settings,
)
from anaphor.errors import BadInput, UnknownSession
from anaphor.settings import Settings
from anaphor.types import Answer


@click.command("ask")
@click.argument("question", nargs=-1, required=True)
@click.option("--session", metavar="ID|NAME", help="Continue this conversation.")
@click.option("--new-session", metavar="NAME", help="Start a conversation and name it.")
@click.option("--ephemeral", is_flag=True, help="Keep nothing of it: no question, no answer, no trace.")
@click.option("--sources", type=click.Choice(["documents", "memory", "both"]), help="Where to look.")
@filter_flag
@click.option("--turn-id", metavar="ID", help="With --session: the same id again returns the stored answer.")
@click.option(
    "--wait", type=float, callback=seconds, metavar="SECONDS", help="How long to wait for another turn of the session."
)
@click.option("-v", "--trace", is_flag=True, help="Show how the answer came about.")
@json_flag
@with_settings
@with_collections
def command(
    settings: Settings,
    question: tuple[str, ...],
    session: str | None,
    new_session: str | None,
    ephemeral: bool,
    sources: str | None,
    filters: dict[str, str],
    turn_id: str | None,
    wait: float | None,
    trace: bool,
    as_json: bool,
) -> None:
    """Ask QUESTION (- reads it from standard input).

    Without --session a new conversation is started and its id printed. An id of --turn-id is one of its session's, so
    that only --session finds it again. --filter names what was said of a document at ingest (--meta) or stands at its
    head, or its source, title, language or collection.
    """
    from anaphor.cli.labels import Labels
    from anaphor.cli.show import WHOLE, Stage, show_answer, show_turn
    from anaphor.wiring import build

    if session and new_session:
        raise BadInput("--session continues a conversation and --new-session starts one: give one of them")
    if ephemeral and (session or new_session or turn_id):
        raise BadInput("--ephemeral keeps nothing: there is no session to name or to continue")
    if new_session == "":
        raise BadInput("--new-session needs a name: without one, leave it out")
    text = standard_input() if question == ("-",) else " ".join(question)
    labels = Labels(settings.locale)
    with build(settings) as assistant:
        try:
            answer = assistant.ask(
                text,
                session=session,
                name=new_session or "",
                ephemeral=ephemeral,
                sources=sources,
                filters=filters,
                turn_id=turn_id,
                wait=wait,
            )
        except UnknownSession as unknown:
            raise UnknownSession(f"{str(unknown).rstrip('.')}; --new-session {session} starts it") from None
        for note in answer.notes:
            remark(f"anaphor: {note}")
        if as_json:
            print_json(answer.as_dict())
            read_for_memory(assistant)
            _succeeded(answer)
            return
        stage = Stage(console(), labels, settings.budget, WHOLE)
        (show_turn if trace else show_answer)(stage, answer, assistant.passages(answer))
        if session is None and not ephemeral:
            say("\n" + labels("new session", id=new_session or answer.session_id))
        if not assistant.documents():
            remark(labels("nothing ingested", store=one_line(settings.store)))
        elif session is None and assistant.conversation.writer is None:
            remark(labels("quoted"))
        read_for_memory(assistant)
        _succeeded(answer)


def _succeeded(answer: Answer) -> None:
    """Exit status 1 when a setting has to be mended (a wrong key, no such model). The turn itself lives."""
    if answer.model.get("rejected"):
        raise click.exceptions.Exit(1)

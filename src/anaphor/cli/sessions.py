"""``anaphor sessions``: the conversations of a person."""

from __future__ import annotations

import math

import click

from anaphor.cli.terminal import (
    confirmed,
    console,
    existing,
    json_flag,
    one_line,
    print_json,
    say,
    when,
    with_settings,
    yes_flag,
)
from anaphor.settings import Settings
from anaphor.stored import Session
from anaphor.types import Json, Turn


@click.group("sessions")
def command() -> None:
    """List, show, rename, branch, archive and delete conversations. Each is named by its id or its name."""


@command.command("list")
@json_flag
@with_settings
def list_(settings: Settings, as_json: bool) -> None:
    """The one last used first."""
    with existing(settings) as assistant:
        sessions = assistant.sessions.list()
    if as_json:
        print_json([as_dict(session) for session in sessions])
        return
    for session in sessions:
        away = "  (archived)" if session.archived_at else ""
        line = f"{session.session_id}  {when(session.last_at)}  {session.turns:>4}  {one_line(session.name)}"
        say(line.rstrip() + away)


@command.command("show")
@click.argument("session")
@json_flag
@with_settings
def show(settings: Settings, session: str, as_json: bool) -> None:
    """Every turn of SESSION, oldest first, also one that is still being answered."""
    from rich.text import Text

    from anaphor.cli.labels import Labels
    from anaphor.cli.lines import wrapped

    with existing(settings) as assistant:
        found = assistant.sessions.find(session)
        running = assistant.sessions.running(session)
        turns = [*assistant.sessions.read(session), *([running] if running else [])]
        now = assistant.clock()
    if as_json:
        print_json({**as_dict(found), "log": [turn_as_dict(turn, now) for turn in turns]})
        return
    screen, labels = console(), Labels(settings.locale)
    for turn in turns:
        for number, line in enumerate(wrapped(Text(turn.question, "bold"), screen.width - 5)):
            screen.print(Text(f"{turn.seq:>3}  " if number == 0 else "     ").append_text(line), soft_wrap=True)
        told = labels("still running", seconds=_left(turn, now)) if turn is running else turn.answer
        for line in wrapped(Text(told or labels(turn.outcome), "" if turn.answer else "dim"), screen.width - 5):
            screen.print(Text("     ").append_text(line), soft_wrap=True)


@command.command("rename")
@click.argument("session")
@click.argument("name")
@json_flag
@with_settings
def rename(settings: Settings, session: str, name: str, as_json: bool) -> None:
    """Give SESSION another NAME."""
    with existing(settings) as assistant:
        renamed = assistant.sessions.rename(session, name)
    if as_json:
        print_json(as_dict(renamed))
    else:
        say(f"{renamed.session_id}  {one_line(renamed.name)}")


@command.command("branch")
@click.argument("session")
@click.argument("turn", type=int)
@click.option("--name", default="", metavar="NAME", help="What the branch is called.")
@json_flag
@with_settings
def branch(settings: Settings, session: str, turn: int, name: str, as_json: bool) -> None:
    """Go on from an earlier TURN (its number) of SESSION: a new conversation that shares the past up to there."""
    with existing(settings) as assistant:
        made = assistant.sessions.branch(session, turn, name)
    if as_json:
        print_json(as_dict(made))
    else:
        say(f"{made.session_id}  {one_line(made.name)}".rstrip())


@command.command("archive")
@click.argument("session")
@json_flag
@with_settings
def archive(settings: Settings, session: str, as_json: bool) -> None:
    """Put SESSION away: it is read as before, and asked nothing."""
    _put_away(settings, session, True, as_json)


@command.command("unarchive")
@click.argument("session")
@json_flag
@with_settings
def unarchive(settings: Settings, session: str, as_json: bool) -> None:
    """Take SESSION out again, so that it may be asked in."""
    _put_away(settings, session, False, as_json)


def _put_away(settings: Settings, session: str, archived: bool, as_json: bool) -> None:
    with existing(settings) as assistant:
        told = assistant.sessions.archive(session, archived)
    if as_json:
        print_json(as_dict(told))
    else:
        say(f"{told.session_id}  {'archived' if archived else 'open'}")


@command.command("delete")
@click.argument("session")
@click.option("--turn", type=int, metavar="N", help="Only what was asked and answered in this turn; its number stays.")
@yes_flag
@json_flag
@with_settings
def delete(settings: Settings, session: str, turn: int | None, yes: bool, as_json: bool) -> int:
    """Delete SESSION with its turns, traces and everything made from them.

    What a branch shares with it stays in the branch.
    """
    with existing(settings) as assistant:
        found = assistant.sessions.find(session)
        called = found.name or found.session_id
        what = f"turn {turn} of session {called}" if turn else f"session {called} with {found.turns} turns"
        if not confirmed(f"Delete {what}?", yes):
            return 1
        if turn is not None:
            assistant.sessions.erase_turn(found.session_id, turn)
        else:
            assistant.sessions.delete(found.session_id)
    if as_json:
        print_json({"deleted": found.session_id, **({"turn": turn} if turn is not None else {})})
    else:
        say(f"deleted {found.session_id}" + (f" turn {turn}" if turn is not None else ""))
    return 0


def as_dict(session: Session) -> Json:
    return {
        "session_id": session.session_id,
        "name": session.name,
        "created_at": session.created_at,
        "last_at": session.last_at,
        "turns": session.turns,
        "archived_at": session.archived_at or None,
        "parent": session.parent or None,
        "branched_after": session.branched_after or None,
    }


def turn_as_dict(turn: Turn, now: float) -> Json:
    """``lease_left``: seconds after which a turn that is still running is given up."""
    running = {"lease_left": _left(turn, now)} if turn.lease_until else {}
    return {
        "turn_id": turn.turn_id,
        "seq": turn.seq,
        "asked_at": turn.asked_at,
        "question": turn.question,
        "decision": str(turn.decision) if turn.decision else None,
        "standalone": turn.standalone,
        "outcome": str(turn.outcome),
        "answer": turn.answer,
        **running,
    }


def _left(turn: Turn, now: float) -> int:
    return max(0, math.ceil(turn.lease_until - now))

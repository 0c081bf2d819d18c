"""``anaphor trace``: an earlier turn, told again."""

from __future__ import annotations

import click

from anaphor.cli.terminal import console, existing, json_flag, print_json, with_settings
from anaphor.settings import Settings


@click.command("trace")
@click.argument("session")
@click.argument("turn", required=False)
@json_flag
@with_settings
def command(settings: Settings, session: str, turn: str | None, as_json: bool) -> None:
    """Show how turn TURN (its number or id; by default the last one) of SESSION was answered.

    Quotes are read from their sources as they are now; what was erased is not shown.
    """
    from anaphor.cli.labels import Labels
    from anaphor.cli.show import WHOLE, Stage, show_turn

    with existing(settings) as assistant:
        answer = assistant.trace(session, turn)
        if as_json:
            print_json(answer.as_dict())
        else:
            stage = Stage(console(), Labels(settings.locale), settings.budget, WHOLE)
            show_turn(stage, answer, assistant.passages(answer))

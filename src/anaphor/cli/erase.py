"""``anaphor erase``: everything of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click
from click.core import ParameterSource

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
from anaphor.stored import Erased, Looked

UNWIPED = "Somebody is reading the store: its unused parts are wiped when it is next opened, or at the next erasure."


@click.command("erase")
@click.option("--everyone", is_flag=True, help="Every person of the tenant, and the documents they share.")
@click.option("--verify", is_flag=True, help="Look for it afterwards in every table and file, and say where.")
@yes_flag
@json_flag
@with_settings
def command(settings: Settings, everyone: bool, verify: bool, yes: bool, as_json: bool) -> int:
    """Erase everything of the person that --user names: conversations, traces, memories, private documents.

    Nothing of it is left in any file of the store. Copies made with anaphor backup or anaphor export are yours to
    erase. The exit status is 1 if --verify finds anything.
    """
    named = click.get_current_context().get_parameter_source("user") is ParameterSource.COMMANDLINE
    if named == everyone:
        raise click.UsageError("Say whose: --user NAME, or --everyone of the tenant.", click.get_current_context())
    whose = f"everyone of tenant {settings.tenant}" if everyone else f"user {settings.user} of tenant {settings.tenant}"
    with existing(settings) as assistant:
        erasure, scope = assistant.store.erasure, assistant.scope
        if not confirmed(f"Erase everything of {whose}? This cannot be undone.", yes):
            return 1
        samples = erasure.samples(scope) if verify else ()
        erased = erasure.tenant(scope) if everyone else erasure.user(scope)
        looked = erasure.look(scope, samples) if verify else ()
    found = sum(place.found for place in looked)
    if as_json:
        print_json({"erased": asdict(erased), **({"looked": [asdict(place) for place in looked]} if verify else {})})
    else:
        _tell(whose, erased, looked, len(samples))
    return 1 if found else 0


def _tell(whose: str, erased: Erased, looked: Sequence[Looked], samples: int) -> None:
    say(
        f"erased {one_line(whose)}: {erased.sessions} sessions, {erased.turns} turns, {erased.documents} documents, "
        f"{erased.passages} passages"
    )
    if not erased.wiped:
        remark(UNWIPED)
    if looked:
        say(f"looked for rows, and for {samples} ids and stretches of text")
    for place in looked:
        say(f"{'✗' if place.found else '·'} {place.place:<28} {place.looked:>12} looked at  {place.found:>6} found")

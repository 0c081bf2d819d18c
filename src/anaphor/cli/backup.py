"""``anaphor backup``: a copy of the store."""

from __future__ import annotations

import click

from anaphor.cli.terminal import existing, json_flag, one_line, print_json, say, with_settings
from anaphor.settings import Settings


@click.command("backup")
@click.argument("file")
@json_flag
@with_settings
def command(settings: Settings, file: str, as_json: bool) -> None:
    """Copy the store, as it is at this moment, to FILE. Others may read and write it meanwhile.

    The copy is a store: --store FILE reads it. What is erased later stays in it; anaphor restore erases it again.
    """
    with existing(settings) as assistant:
        size = assistant.store.back_up(file)
    if as_json:
        print_json({"file": file, "bytes": size})
    else:
        say(f"{one_line(file)}: {size} bytes")

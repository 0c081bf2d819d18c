"""``anaphor restore``: a copy in the place of the store."""

from __future__ import annotations

from pathlib import Path

import click

from anaphor.cli.terminal import confirmed, json_flag, one_line, print_json, remark, say, with_settings, yes_flag
from anaphor.settings import Settings


@click.command("restore")
@click.argument("file")
@yes_flag
@json_flag
@with_settings
def command(settings: Settings, file: str, yes: bool, as_json: bool) -> int:
    """Put the copy FILE in the place of the store. What was erased since the copy was made is erased again in it."""
    from anaphor.wiring import restore

    there = Path(settings.store).exists()
    if there and not confirmed(f"Put {file} in the place of {settings.store}, with all that is in it?", yes):
        return 1
    again = restore(settings, file)
    if as_json:
        print_json({"restored": file, "erased_again": again})
        return 0
    say(f"{one_line(settings.store)} is now what {one_line(file)} was")
    if again is None:
        remark("The store that was there is damaged and cannot tell what was erased in it: the copy may hold it still.")
    elif again:
        say(f"{again} erasures done again")
    return 0

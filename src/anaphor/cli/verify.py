"""``anaphor verify``: whether the parts of a store agree."""

from __future__ import annotations

from dataclasses import asdict

import click

from anaphor.cli.terminal import existing, json_flag, print_json, say, with_settings
from anaphor.settings import Settings


@click.command("verify")
@json_flag
@with_settings
def command(settings: Settings, as_json: bool) -> int:
    """Hold the log, traces, passages, indexes and vectors against each other, and look at every page of the file.

    The exit status is 1 if anything is wrong; each line then says what mends it.
    """
    with existing(settings) as assistant:
        found = assistant.store.check()
        told = assistant.store.describe()
    if as_json:
        print_json({"findings": [asdict(one) for one in found]})
        return 1 if found else 0
    for one in found:
        say(f"✗ {one.n} {one.what}" + (f": {one.mend} mends it" if one.mend else ""))
    if not found:
        say(f"all is well: {told['sessions']} sessions, {told['turns']} turns, {told['passages']} passages")
    return 1 if found else 0

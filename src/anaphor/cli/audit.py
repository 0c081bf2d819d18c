"""``anaphor audit``: who read, exported, changed or erased what."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

from anaphor.cli.terminal import existing, json_flag, print_json, say, with_settings
from anaphor.settings import Settings


@click.command("audit")
@click.option("--everyone", is_flag=True, help="Of every person of the tenant.")
@click.option("--limit", type=click.IntRange(min=1), default=100, metavar="N", help="At most so many (100).")
@json_flag
@with_settings
def command(settings: Settings, everyone: bool, limit: int, as_json: bool) -> None:
    """What was read, exported, changed and erased, the newest first: ids and digests, never contents or names.

    A person is told by a digest of tenant and user. anaphor retention says how long a line is kept.
    """
    with existing(settings) as assistant:
        found = assistant.audit(limit, everyone)
    if as_json:
        print_json([asdict(line) for line in found])
        return
    for line in found:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line.at))
        say(f"{when}  {line.person[:8]}  {line.act:<7} {line.kind:<10} {line.n:>6}  {line.what[:70]}".rstrip())

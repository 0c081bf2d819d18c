"""``anaphor export``: everything of a person."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from anaphor.cli.terminal import existing, json_flag, print_json, remark, with_settings
from anaphor.errors import BadInput
from anaphor.settings import Settings


@click.command("export")
@click.argument("file", required=False)
@json_flag
@with_settings
def command(settings: Settings, file: str | None, as_json: bool) -> None:
    """Write everything of the person to FILE (or standard output), as JSON Lines that anaphor import reads.

    Sessions with their turns, traces and memories, and private documents. What others share is not in it.
    """
    if file and Path(file).exists():
        raise BadInput(f"{file} is already there: name another file, or remove it")
    with existing(settings) as assistant:
        if file is None:
            for line in assistant.export():
                sys.stdout.write(line)
            return
        part = Path(f"{file}.part")
        try:
            with part.open("w", encoding="utf-8", newline="\n") as out:
                written = 0
                for line in assistant.export():
                    written += 1
                    out.write(line)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    if as_json:
        print_json({"file": file, "things": written - 1})
        return
    remark(f"{written - 1} things of {settings.user} written to {file}")

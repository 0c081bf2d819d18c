"""``anaphor import``: conversations from elsewhere."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from anaphor.cli.terminal import json_flag, one_line, print_json, remark, say, standard_input, with_settings
from anaphor.errors import BadInput, MissingFile
from anaphor.settings import Settings


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--me", default="", metavar="NAME", help="What the person is called in it, where that is not told.")
@json_flag
@with_settings
def command(settings: Settings, files: tuple[str, ...], me: str, as_json: bool) -> None:
    """Take in what each FILE holds (- is standard input). The same file again adds only what is new.

    An export of anaphor; conversations.json of ChatGPT or Claude; a text export of LINE; or a list of
    {role, content, date, speaker}, as JSON or JSON Lines. Dates, order, speakers and branches are kept.
    """
    from anaphor.stored import Taken
    from anaphor.wiring import build

    texts = [(file, _text(file)) for file in files]
    total = Taken()
    with build(settings) as assistant:
        for file, text in texts:
            taken = assistant.take_in(text, file, me)
            total += taken
            if not as_json:
                say(
                    f"{one_line(file)}: {taken.sessions} sessions, {taken.turns} turns, "
                    f"{taken.documents} documents are new"
                )
    if as_json:
        print_json(asdict(total))
    elif total.refused:
        remark(f"{total.refused} turns were left out: another stands in their place, or their session is archived")


def _text(file: str) -> str:
    if file == "-":
        return standard_input()
    try:
        return Path(file).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file} is not UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise MissingFile(f"{file} cannot be read: {error.strerror}") from None

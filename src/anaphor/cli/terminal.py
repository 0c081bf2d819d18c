"""Standard input, output and error as every command uses them."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anaphor.errors import AnaphorError, BadInput, MissingFile
from anaphor.settings import Settings, read, unheard

if TYPE_CHECKING:
    from rich.console import Console

    from anaphor.assistant import Assistant

PLAIN_WIDTH = 100  # where nobody sees a terminal's edge


def speak_utf8() -> None:
    """UTF-8 whatever the locale says: ``LANG=C`` must not cost anybody their language."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    # Closed by whoever called (``>&-``): what is said then goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def console() -> Console:
    """Colours and width of the terminal; plain text where there is none or ``NO_COLOR`` is set."""
    from rich.console import Console

    on_terminal = sys.stdout.isatty()
    plain = not on_terminal or bool(os.environ.get("NO_COLOR"))
    width = None if on_terminal or os.environ.get("COLUMNS", "").isdigit() else PLAIN_WIDTH
    return Console(
        file=sys.stdout,
        width=width,
        color_system=None if plain else "auto",
        force_terminal=on_terminal,
        no_color=plain,
        emoji=False,
        markup=False,
        highlight=False,
    )


# What is shown was written by others. A terminal obeys some of these characters; none is worth obeying.
CONTROLS = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"},
    **dict.fromkeys([*range(0x7F, 0xA0), 0x202D, 0x202E], "\ufffd"),
}


ONE_LINE = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}


def one_line(text: str) -> str:
    """A name as part of a line: what would break the line is written out."""
    return text.translate(ONE_LINE)


def when(seconds: float) -> str:
    """A moment (seconds since the epoch) as the clock of whoever reads it shows it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def say(text: str) -> None:
    """One or more lines on standard output."""
    click.echo(text.translate(CONTROLS))


def print_json(value: Any) -> None:
    told = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo(told.translate({code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x202D, 0x202E)}))


def complain(text: str) -> None:
    """One line on standard error."""
    click.echo(f"anaphor: {one_line(text.strip()).translate(CONTROLS)}", err=True)


def remark(text: str) -> None:
    """Something worth knowing that is not the output itself."""
    text = text.translate(CONTROLS)
    if not sys.stderr.isatty():
        click.echo(text, err=True)
        return
    from rich.text import Text

    from anaphor.cli.lines import wrapped

    for line in wrapped(Text(text), min(shutil.get_terminal_size().columns, 110)):
        click.echo(line.plain, err=True)


def confirmed(question: str, yes: bool) -> bool:
    """Whether a person agrees to what cannot be undone; nobody there and no ``--yes`` is a misuse (status 2)."""
    question = one_line(question)
    if yes:
        return True
    if not (sys.stdin and sys.stdin.isatty()):
        raise click.UsageError(f"{question} Nobody is there to ask: say --yes.")
    click.echo(f"{question} [y/N] ", nl=False, err=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def standard_input() -> str:
    """All of it, as UTF-8."""
    if sys.stdin is None:
        raise BadInput("standard input is closed: there is nothing to read")
    return sys.stdin.read()


def seconds(_context: click.Context, _option: click.Parameter, given: float | None) -> float | None:
    """Checked before anything is opened: what cannot be must not leave an empty store behind."""
    if given is not None and not (math.isfinite(given) and given >= 0):
        raise click.BadParameter(f"a number of seconds, 0 or more, not {given}")
    return given


def read_for_memory(assistant: Assistant) -> None:
    """Read what was said for facts, after the answer is shown and never at its cost: what fails waits."""
    sys.stdout.flush()
    if assistant.memory.on:
        with contextlib.suppress(AnaphorError):
            assistant.memory.refresh()


def existing(settings: Settings) -> Assistant:
    """The assistant over a store that is there. Who only looks, or takes away, makes none."""
    from anaphor.wiring import MEMORY, build

    if settings.store != MEMORY and "://" not in settings.store and not Path(settings.store).exists():
        raise MissingFile(
            f"there is no store at {settings.store}: anaphor ingest or anaphor ask makes one, --store names another"
        )
    return build(settings)


def pairs(_ctx: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """``NAME=VALUE`` flags as a mapping."""
    for pair in given:
        name, sign, _ = pair.partition("=")
        if not name.strip() or not sign:
            raise click.BadParameter(f"{pair!r} is not NAME=VALUE")
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in given)}


json_flag = click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
filter_flag = click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=pairs,
    help="Only what this is true of.",
)
yes_flag = click.option("--yes", is_flag=True, help="Do not ask.")


def with_collections(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the flag that says which collections are read, under ``with_settings``."""

    @click.option("--collections", metavar="NAMES", help="Which collections to read (ANAPHOR_COLLECTIONS).")
    @functools.wraps(command)
    def with_flag(settings: Settings, collections: str | None, **rest: Any) -> Any:
        if collections is not None:
            settings = replace(settings, collections=read({"collections": collections}).collections)
        return command(settings, **rest)

    return with_flag


def with_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the flags that say which store and whose; the command gets the ``Settings`` as its first argument."""

    @click.option("--store", metavar="FILE", help="The store (ANAPHOR_STORE; default anaphor.db).")
    @click.option("--tenant", metavar="NAME", help="Whose walled-off data (default local).")
    @click.option("--user", metavar="NAME", help="Which person (default local).")
    @functools.wraps(command)
    def with_flags(store: str | None, tenant: str | None, user: str | None, **rest: Any) -> Any:
        settings: Settings = read({"store": store, "tenant": tenant, "user": user})
        for told in unheard():
            complain(told)
        return command(settings, **rest)

    return with_flags

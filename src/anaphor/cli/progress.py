"""How far a long command is: on a terminal's standard error, gone when done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from anaphor.cli.terminal import CONTROLS, one_line

OnReading: TypeAlias = "Callable[[str, int], None] | None"
OnEmbedded: TypeAlias = "Callable[[int], None] | None"


@contextmanager
def progress(quiet: bool) -> Iterator[tuple[OnReading, OnEmbedded]]:
    """What is being read, and a bar of what is embedded; nothing where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None, None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    screen = Console(stderr=True, markup=False, highlight=False)
    # What is printed meanwhile belongs on standard output, and may go to a file.
    with Progress(*columns, console=screen, transient=True, redirect_stdout=False, redirect_stderr=False) as shown:
        reading = shown.add_task("", total=None, visible=False)
        embedding = shown.add_task("embedding", visible=False)

        def on_reading(name: str, size: int) -> None:
            told = one_line(f"{name}, {size / 1_000_000:.1f} MB").translate(CONTROLS)
            shown.update(reading, advance=1, description=told, visible=True)

        def on_embedded(left: int) -> None:
            total = max(left, int(shown.tasks[embedding].total or 0) if shown.tasks[embedding].visible else 0)
            shown.update(reading, visible=False)
            shown.update(embedding, total=total, completed=total - left, visible=True)

        yield on_reading, on_embedded

"""``anaphor embed``: what still waits to be found by its meaning."""

from __future__ import annotations

import click

from anaphor.cli import INTERRUPTED
from anaphor.cli.labels import Labels
from anaphor.cli.progress import progress
from anaphor.cli.terminal import existing, json_flag, print_json, remark, say, with_settings
from anaphor.errors import BadSettings
from anaphor.settings import Settings


@click.command("embed")
@json_flag
@with_settings
def command(settings: Settings, as_json: bool) -> int:
    """Embed what waits: what was ingested with --no-embed, and what an ingest was interrupted at.

    Can be interrupted at any time; the same command goes on.
    """
    status = 0
    with existing(settings) as assistant:
        if assistant.dense is None:
            raise BadSettings(f"there is no embedder to embed with: {assistant.embedder_because}")
        waiting = assistant.waiting
        with progress(quiet=as_json) as (_, on_embedded):
            if on_embedded and waiting:
                on_embedded(waiting)
            try:
                left = assistant.embed(on_embedded)
            except KeyboardInterrupt:
                left, status = assistant.waiting, INTERRUPTED
        vectors = assistant.store.describe()["vectors"]
    if as_json:
        print_json({"embedder": assistant.embedder, "vectors": vectors, "left": left})
        return status
    say(f"{vectors} passages embedded by {assistant.embedder}")
    if left:
        remark(Labels(settings.locale)("still to embed", n=left))
    return status

"""``anaphor rebuild``: what can be made again from what is stored."""

from __future__ import annotations

import click

from anaphor.cli.ingest import progress
from anaphor.cli.terminal import existing, json_flag, print_json, say, with_settings
from anaphor.errors import BadSettings
from anaphor.settings import Settings


@click.command("rebuild")
@click.option("--embeddings", is_flag=True, help="Embed everything again with the embedder that is set.")
@json_flag
@with_settings
def command(settings: Settings, embeddings: bool, as_json: bool) -> int:
    """Make again what is made from the documents and the conversations; those themselves are left as they are.

    After another embedder was set, --embeddings is what lets it search. The vectors that are there are searched until
    the new ones are complete. Whatever it is stopped by, the same command goes on from there.
    """
    from anaphor.wiring import embedder

    if not embeddings:
        raise click.UsageError("Say what to make again: --embeddings.", click.get_current_context())
    made, because = embedder(settings)
    if made is None:
        raise BadSettings(f"there is no embedder to embed with: {because}")
    with existing(settings) as assistant, progress(quiet=as_json) as (_, on_embedded):
        left = assistant.embed_again(on_embedded)
        vectors = assistant.store.describe()["vectors"]
    if as_json:
        print_json({"embedder": made.name, "vectors": vectors, "left": left})
    else:
        say(f"{vectors} passages embedded by {made.name}" + (f", {left} are left" if left else ""))
    return 1 if left else 0

"""``anaphor rebuild``: what can be made again from what is stored."""

from __future__ import annotations

from dataclasses import asdict

import click

from anaphor.cli.progress import progress
from anaphor.cli.terminal import existing, json_flag, print_json, say, with_settings
from anaphor.errors import BadSettings
from anaphor.settings import Settings


@click.command("rebuild")
@click.option("--embeddings", is_flag=True, help="Embed everything again with the embedder that is set.")
@click.option("--memory", is_flag=True, help="Read every turn of the person again for facts, and summarise anew.")
@json_flag
@with_settings
def command(settings: Settings, embeddings: bool, memory: bool, as_json: bool) -> int:
    """Make again what is made from the documents and the conversations; those themselves are left as they are.

    Without a flag the lexical index, the counts and the list of what waits for a vector: what anaphor verify says it
    mends.

    With --memory, what a person has decided about a fact stays as it is.

    After another embedder was set, --embeddings is what lets it search. The vectors that are there are searched until
    the new ones are complete. Whatever it is stopped by, the same command goes on from there.
    """
    from anaphor.wiring import embedder

    if memory:
        return _memory(settings, as_json)
    if not embeddings:
        return _indexes(settings, as_json)
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


def _memory(settings: Settings, as_json: bool) -> int:
    with existing(settings) as assistant:
        done = assistant.memory.rebuild()
    if as_json:
        print_json({"turns": done.turns, **done.did, "left": done.waiting})
    else:
        say(f"{done.turns} turns read again" + (f", {done.waiting} are left" if done.waiting else ""))
    return 1 if done.waiting else 0


def _indexes(settings: Settings, as_json: bool) -> int:
    with existing(settings) as assistant:
        mended = assistant.store.mend()
        left = assistant.store.check()
    if as_json:
        print_json({"mended": [asdict(one) for one in mended], "left": [asdict(one) for one in left]})
        return 1 if left else 0
    for one in mended:
        say(f"✓ {one.n} {one.what}")
    for one in left:
        say(f"✗ {one.n} {one.what}")
    say("made again" if mended else "made again; nothing was wrong with it")
    return 1 if left else 0

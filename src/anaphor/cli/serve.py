"""``anaphor serve``: the service."""

from __future__ import annotations

import click

from anaphor.cli.terminal import remark, with_settings
from anaphor.errors import BadInput, MissingExtra
from anaphor.settings import Settings


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Another than this machine's needs an API key.")
@click.option("--port", type=click.IntRange(0, 65535), default=8710, show_default=True, help="0: any that is free.")
@click.option("--workers", type=click.IntRange(1, 64), default=4, show_default=True, help="Turns answered at once.")
@click.option("--per-caller", type=click.IntRange(1), default=8, show_default=True, help="Of these, one caller's.")
@click.option(
    "--rate", type=click.FloatRange(0.1), default=20.0, show_default=True, help="A caller's requests a second."
)
@with_settings
def command(settings: Settings, host: str, port: int, workers: int, per_caller: int, rate: float) -> None:
    """Answer over HTTP: OpenAI's protocol under /v1, everything else under /api.

    Without an API key (anaphor keys create) only this machine is answered.
    """
    try:
        from anaphor.service.app import create, refuse_open_door
        from anaphor.service.gate import Bounds
        from anaphor.service.server import Server
    except ImportError as error:
        raise MissingExtra(f"the service is not installed ({error.name}); pip install 'anaphor[serve]'") from error
    from anaphor.wiring import build

    assistant = build(settings)
    try:
        refuse_open_door(assistant, host)
        keys = assistant.store.keys.exist()
    except BaseException:
        assistant.close()
        raise
    remark(
        f"anaphor serves {settings.store} at http://{'[' + host + ']' if ':' in host else host}:{port}"
        + ("" if keys else "; there is no API key, so only this machine is answered")
    )
    bounds = Bounds(workers=workers, in_flight=per_caller, rate=rate, burst=max(1, round(3 * rate)))
    server = Server(create(assistant, bounds), host, port)
    try:
        server.run()
    except SystemExit as error:
        raise BadInput(f"the service could not start at {host}:{port}: is something else there?") from error
    if not server.started:
        raise BadInput(f"the service could not start at {host}:{port}: is something else there?")

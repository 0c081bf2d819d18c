"""``anaphor retention``: how long a tenant's things are kept."""

from __future__ import annotations

from dataclasses import asdict, replace

import click

from anaphor.cli.terminal import existing, json_flag, print_json, say, with_settings
from anaphor.errors import BadInput
from anaphor.settings import Settings
from anaphor.stored import Retention

TOLD = {
    "idle_days": "a session ends when it was not used for",
    "days": "a session ends when it began before",
    "ending": "and is then",
    "trace_days": "a trace is kept for",
    "audit_days": "a line of the audit is kept for",
}


def days(_context: click.Context, option: click.Parameter, given: str | None) -> float | str | None:
    """A number of days, or the word for no end; ``None`` where the flag was not given."""
    if given is None or given == "none":
        return given
    try:
        return float(given)
    except ValueError:
        raise click.BadParameter(f"a number of days, or none, not {given!r}", param=option) from None


@click.command("retention")
@click.option("--idle-days", callback=days, metavar="DAYS", help="Since it was last used; none: no end.")
@click.option("--days", callback=days, metavar="DAYS", help="Since it began; none: no end.")
@click.option("--ending", type=click.Choice(["archive", "erase"]), help="What becomes of a session then.")
@click.option("--trace-days", callback=days, metavar="DAYS", help="How long a trace is kept; none: as is set.")
@click.option("--audit-days", callback=days, metavar="DAYS", help="How long the audit is kept; none: no end.")
@json_flag
@with_settings
def command(settings: Settings, ending: str | None, as_json: bool, **given: float | str | None) -> None:
    """Show or set how long the sessions, traces and audit of the tenant are kept; what is due ends at once.

    It counts for what is there already. While the store is used, and whenever it is opened, what has had its time is
    archived or erased.
    """
    said = {name: None if told == "none" else told for name, told in given.items() if told is not None}
    if ending:
        said["ending"] = ending
    with existing(settings) as assistant:
        lifetimes, scope = assistant.store.lifetimes, assistant.scope
        now = lifetimes.get(scope)
        if said:
            now = _changed(now, said)
            lifetimes.put(scope, now)
        ended = lifetimes.end()
    if as_json:
        print_json({**asdict(now), "ended": asdict(ended)})
        return
    for name, told in TOLD.items():
        say(f"{told:<42}{_told(now, name, settings)}")
    if any(asdict(ended).values()):
        say(
            f"ended now: {ended.archived} sessions archived, {ended.erased} erased, {ended.traces} traces, "
            f"{ended.audit} lines of the audit"
        )


def _told(now: Retention, name: str, settings: Settings) -> str:
    if name == "ending":
        return {"archive": "archived", "erase": "erased"}[now.ending]
    days: float | None = getattr(now, name)
    if days is not None:
        return f"{days:g} days"
    return f"{settings.trace_days:g} days, as is set" if name == "trace_days" else "no end"


def _changed(now: Retention, said: dict[str, float | str | None]) -> Retention:
    try:
        return replace(now, **said)  # type: ignore[arg-type]
    except BadInput as error:
        raise click.BadParameter(str(error)) from None

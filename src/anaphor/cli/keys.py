"""``anaphor keys``: who may ask the service."""

from __future__ import annotations

import time

import click

from anaphor.cli.terminal import (
    confirmed,
    existing,
    json_flag,
    one_line,
    print_json,
    remark,
    say,
    when,
    with_settings,
    yes_flag,
)
from anaphor.service.secret_keys import create, state
from anaphor.settings import Settings
from anaphor.stored import ApiKey, KeyRole
from anaphor.types import Json


@click.group("keys")
def command() -> None:
    """Make, list and revoke API keys of the service. With the first one, every request needs one."""


@command.command("create")
@click.option("--for-tenant", metavar="NAME", help="Whose data it opens; by default the setting tenant.")
@click.option("--for-user", metavar="NAME", help="Which person it speaks for; by default the setting user.")
@click.option(
    "--role",
    type=click.Choice([str(role) for role in KeyRole]),
    default="reader",
    show_default=True,
    help="What its holder may do.",
)
@click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    help="A collection it opens, again for more; without, those of the settings.",
)
@click.option("--days", type=float, metavar="N", help="Until it runs out; without, never.")
@json_flag
@with_settings
def create_(
    settings: Settings,
    for_tenant: str | None,
    for_user: str | None,
    role: str,
    collections: tuple[str, ...],
    days: float | None,
    as_json: bool,
) -> None:
    """A new key. It is shown this once; the store keeps its digest."""
    from anaphor.wiring import build

    with build(settings) as assistant:
        key, secret = create(
            assistant.store.keys,
            assistant.clock,
            for_tenant or settings.tenant,
            for_user or settings.user,
            KeyRole(role),
            days,
            collections,
        )
    if as_json:
        print_json({**as_dict(key, time.time()), "key": secret})
        return
    say(secret)
    remark(
        f"key {key.key_id} of {one_line(key.tenant)}/{one_line(key.user)}, {key.role}: shown this once, keep it safe"
    )


@command.command("list")
@json_flag
@with_settings
def list_(settings: Settings, as_json: bool) -> None:
    """All keys, revoked ones too, oldest first. Never the keys themselves."""
    with existing(settings) as assistant:
        keys, now = assistant.store.keys.list(), assistant.clock()
    if as_json:
        print_json([as_dict(key, now) for key in keys])
        return
    for key in keys:
        until = f"until {when(key.expires_at)}" if key.expires_at else "for ever"
        told = state(key, now) or until
        only = f"  {one_line(', '.join(key.collections))}" if key.collections else ""
        whose = f"{one_line(key.tenant)}/{one_line(key.user)}"
        say(f"{key.key_id}  {when(key.created_at)}  {key.role:<7} {whose}  {told}{only}")


@command.command("revoke")
@click.argument("key_id")
@yes_flag
@json_flag
@with_settings
def revoke(settings: Settings, key_id: str, yes: bool, as_json: bool) -> int:
    """From this moment on the key opens nothing."""
    with existing(settings) as assistant:
        keys = assistant.store.keys
        known = next((key for key in keys.list() if key.key_id == key_id), None)
        whose = f" of {known.tenant}/{known.user}" if known else ""
        # What is not there is told before anybody is asked about it.
        if known and not confirmed(f"Revoke the key {key_id}{whose}?", yes):
            return 1
        key = keys.revoke(key_id, assistant.clock())
    if as_json:
        print_json(as_dict(key, time.time()))
    else:
        say(f"{key.key_id} revoked")
    return 0


def as_dict(key: ApiKey, now: float) -> Json:
    return {
        "key_id": key.key_id,
        "tenant": key.tenant,
        "user": key.user,
        "role": str(key.role),
        "collections": list(key.collections),
        "created_at": key.created_at,
        "expires_at": key.expires_at or None,
        "revoked_at": key.revoked_at or None,
        "state": state(key, now) or "valid",
    }

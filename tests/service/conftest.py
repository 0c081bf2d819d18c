"""The service in this process, over a store in memory or in a file, with a few documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from anaphor import wiring
from anaphor.service.app import create
from anaphor.service.gate import Bounds
from anaphor.settings import read

DOCUMENTS = {
    "orin.md": (
        "# Orin 方案\n\nOrin 方案每月 300 元，可在 30 天內退款。\n\n"
        "# Vega 方案\n\nVega 方案每月 500 元，可在 14 天內退款。\n"
    ),
    "kvstore.md": "# Retention\n\nMessages are kept for 30 days. On the free plan they are kept for 7 days.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in DOCUMENTS.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def serve(folder: Path) -> Iterator[Callable[..., TestClient]]:
    """A client of a service of its own; ``bounds`` and settings as given."""
    opened = []

    def start(bounds: Bounds | None = None, **settings: object) -> TestClient:
        assistant = wiring.build(
            read({"store": ":memory:", "embedder": "none", **settings}, environment={}, directory=folder)
        )
        if not assistant.documents():
            assistant.ingest(*(folder / name for name in DOCUMENTS), base=folder)
        client = TestClient(
            create(assistant, bounds or Bounds(rate=10_000, burst=10_000)),
            base_url="http://localhost",
            raise_server_exceptions=False,
        )
        client.__enter__()
        opened.append(client)
        return client

    yield start
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def client(serve: Callable[..., TestClient]) -> TestClient:
    return serve()


def frames(text: str) -> list[tuple[str, str, str]]:
    """Server-sent events as a plain reader takes them: (id, event, data)."""
    found = []
    for block in text.split("\n\n"):
        told = {"id": "", "event": "", "data": []}
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            if name == "data":
                told["data"].append(value)
            elif name in ("id", "event"):
                told[name] = value
        if told["data"]:
            found.append((told["id"], told["event"], "\n".join(told["data"])))
    return found


def streamed(text: str) -> str:
    """What an OpenAI client shows of a stream."""
    return "".join(
        choice["delta"].get("content") or ""
        for _, _, data in frames(text)
        if data != "[DONE]"
        for choice in json.loads(data).get("choices", ())
    )

"""Every contract is asked of every store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphor.adapters import ephemeral, fake, sqlite
from anaphor.adapters.fake import FixedClock
from contracts.scenes import AnyStore


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(params=["memory", "sqlite", "beside"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Iterator[AnyStore]:
    made = _made(request.param, tmp_path, clock)
    yield made
    made.close()


def _made(kind: str, folder: Path, clock: FixedClock) -> AnyStore:
    if kind == "memory":
        return fake.Store(clock)
    if kind == "sqlite":
        return sqlite.Store(folder / "a.db", clock)
    return ephemeral.Store(fake.Store(clock), fake.Store(clock), clock)

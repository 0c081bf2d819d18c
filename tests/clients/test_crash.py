"""kill -9 with twenty streams open: every question that was accepted is there afterwards, and who listened goes on."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time

import httpx
import pytest

from page.conftest import COMMAND, Served
from service.conftest import frames

pytestmark = pytest.mark.served

STREAMS = 20


@pytest.fixture
def service(model, tmp_path, monkeypatch):
    monkeypatch.setenv("ANAPHOR_BASE_URL", model)
    monkeypatch.setenv("ANAPHOR_ANSWER_MODEL", "slow")
    monkeypatch.setenv("ANAPHOR_API_KEY", "k")
    made = Served(tmp_path, "--workers", str(STREAMS), "--per-caller", str(STREAMS))
    text = b"# Orin plan\n\nThe Orin plan costs 300 a month.\n"
    assert httpx.post(f"{made.url}/api/documents", files=[("files", ("a.md", text))]).status_code == 201
    yield made
    made.kill()


def keys(folder, *words):
    """``anaphor keys``, beside the service and on the same store."""
    command = [sys.executable, "-c", COMMAND, "keys", *words, "--store", "kept.db", "--json"]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


def listen(url, session, accepted, headers=None, ends=None):
    """Read the stream of one question until it breaks or ends."""
    try:
        with (
            httpx.Client(timeout=30) as client,
            client.stream(
                "POST",
                f"{url}/api/sessions/{session}/turns",
                json={"question": "What does Orin cost?"},
                headers=headers,
            ) as told,
        ):
            read = ""
            for piece in told.iter_text():
                read += piece
                if session not in accepted and "event: hits" in read:
                    accepted[session] = json.loads(frames(read)[0][2])
    except httpx.HTTPError as error:
        if ends is not None:
            ends[session] = error


def test_no_accepted_question_is_lost(service):
    sessions = [httpx.post(f"{service.url}/api/sessions", json={}).json()["session_id"] for _ in range(STREAMS + 1)]
    accepted: dict[str, dict] = {}
    ends: dict[str, Exception] = {}
    users = [threading.Thread(target=listen, args=(service.url, s, accepted, None, ends)) for s in sessions[:STREAMS]]
    for thread in users:
        thread.start()
    deadline = time.monotonic() + 30
    while len(accepted) < STREAMS and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(accepted) == STREAMS
    assert (
        httpx.post(f"{service.url}/api/sessions/{sessions[STREAMS]}/turns", json={"question": "One more?"}).status_code
        == 429
    )
    service.kill()
    for thread in users:
        thread.join(30)
    assert len(ends) == STREAMS

    service.start()
    for session, told in accepted.items():
        (turn,) = httpx.get(f"{service.url}/api/sessions/{session}").json()["turns"]
        assert (turn["turn_id"], turn["question"]) == (told["turn_id"], "What does Orin cost?")
        path = f"{service.url}/api/sessions/{session}/turns/{told['turn_id']}/events"
        ((_, name, _),) = frames(httpx.get(path, headers={"Last-Event-ID": "3"}, timeout=30).text)
        assert (name, turn["outcome"]) in {("error", "failed"), ("committed", "answered")}
    for session in sessions[STREAMS:]:
        assert httpx.get(f"{service.url}/api/sessions/{session}").json()["turns"] == []


def test_a_key_revoked_in_the_middle_of_a_stream_opens_nothing_more(service):
    made = keys(service.folder, "create", "--for-user", "mei")
    headers = {"Authorization": f"Bearer {made['key']}"}
    session = httpx.post(f"{service.url}/api/sessions", json={}, headers=headers).json()["session_id"]
    accepted: dict[str, dict] = {}
    ends: dict[str, Exception] = {}
    thread = threading.Thread(target=listen, args=(service.url, session, accepted, headers, ends))
    thread.start()
    deadline = time.monotonic() + 20
    while not accepted and time.monotonic() < deadline:
        time.sleep(0.05)
    keys(service.folder, "revoke", made["key_id"], "--yes")
    assert httpx.get(f"{service.url}/api/sessions", headers=headers).status_code == 401
    thread.join(15)
    assert not thread.is_alive(), "the stream goes on although its key was revoked"

"""Cases of the service: over HTTP, in this process, with models that do what the case says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
from fastapi.testclient import TestClient

from anaphor import wiring
from anaphor.service import events
from anaphor.service.app import create
from anaphor.service.gate import Bounds
from anaphor.settings import read
from anaphor.types import Message
from cases import one_turn
from contracts.openai_wire import Server, streamed


def check(case: Mapping[str, Any], place: Path) -> None:
    given = case["input"]
    if "parallel" in given:
        _check_parallel(case, place)
    elif "steps" in given:
        _check_steps(case, place)
    elif "requests" in given:
        _check_requests(case, place)
    elif "upstream_sse_utf8" in given:
        _check_split(case)
    elif "fake_llm_tokens" in given:
        _check_tokens(case)
    else:
        one_turn.check(case)


def serve(place: Path) -> TestClient:
    store = str(place / "case.db")
    assistant = wiring.build(read({"store": store, "embedder": "none"}, environment={}))
    return TestClient(create(assistant, Bounds(rate=1e6, burst=10**6)), base_url="http://localhost")


def turns(client: TestClient, session: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = client.get(f"/api/sessions/{session}").raise_for_status().json()["turns"]
    return told


def ask(client: TestClient, session: str, message: str, **more: Any) -> httpx.Response:
    return client.post(f"/api/sessions/{session}/turns", json={"question": message, "stream": False, **more})


def _check_parallel(case: Mapping[str, Any], place: Path) -> None:
    """Several questions of one session at once: each is answered in its turn, or is told that another is running."""
    given, (every, some) = case["input"], case["expect"]["either"]
    messages = [each["message"] for each in given["parallel"]]
    with serve(place) as client:
        client.post("/api/sessions", json={"name": given["session"]})
        with ThreadPoolExecutor(len(messages)) as pool:
            statuses = list(pool.map(lambda m: ask(client, given["session"], m).status_code, messages))
        kept = turns(client, given["session"])
    assert set(statuses) <= {every["all_status"], some["others_status"]}
    assert statuses.count(200) >= 1
    assert len(kept) == statuses.count(200)
    assert sorted(turn["question"] for turn in kept) == sorted(
        message for message, status in zip(messages, statuses, strict=True) if status == 200
    )
    assert all(turn["answer"] and turn["outcome"] not in ("running", "failed") for turn in kept)


def _check_steps(case: Mapping[str, Any], place: Path) -> None:
    """A tab that knows an old state renames and writes: no turn is lost by it."""
    expect = case["expect"]
    with serve(place) as client:
        session = client.post("/api/sessions", json={}).json()["session_id"]
        for step in case["input"]["steps"]:
            match step["op"]:
                case "load":
                    for n in range(2):
                        ask(client, session, f"What is item {n}?")
                    before = turns(client, session)
                case "append":
                    assert ask(client, session, step["message"]).status_code == 200
                case "rename":
                    client.patch(f"/api/sessions/{session}", json={"name": step["title"]}).raise_for_status()
                    assert 2 * len(turns(client, session)) == expect["after_rename_messages"]
                    assert client.get(f"/api/sessions/{session}").json()["name"] == expect["title"]
                case "put_history":
                    told = client.put(f"/api/sessions/{session}", json={"turns": before})
                    assert told.status_code in expect["put_history_status_in"]
                    stale = ask(client, session, "One more?", expected_seq=len(before))
                    assert stale.status_code in expect["put_history_status_in"]
                case "get_history":
                    assert 2 * len(turns(client, session)) == expect["final_messages"]


def _check_requests(case: Mapping[str, Any], place: Path) -> None:
    """Bodies as they come, read again after a restart."""
    wanted = []
    with serve(place) as client:
        session = client.post("/api/sessions", json={}).json()["session_id"]
        for request in case["input"]["requests"]:
            body = request["body"].replace('"message"', '"question"', 1)
            body = body.rstrip().removesuffix("}") + ', "stream": false}'
            told = client.post(
                f"/api/sessions/{session}/turns",
                content=body.encode("utf-8", "surrogatepass"),
                headers={"Content-Type": "application/json"},
            )
            assert told.status_code < 500
            if told.status_code == 200:
                wanted.append(request)
        _stored(turns(client, session), wanted)
    with serve(place) as client:
        _stored(turns(client, session), wanted)


def _stored(kept: list[dict[str, Any]], wanted: list[Mapping[str, Any]]) -> None:
    assert len(kept) == len(wanted)
    for turn, request in zip(kept, wanted, strict=True):
        turn["question"].encode("utf-8")
        if "stored" in request:
            assert turn["question"] == request["stored"]
        else:
            assert re.search(request["stored_regex"], turn["question"])


def _check_split(case: Mapping[str, Any]) -> None:
    """A reply whose bytes are cut anywhere comes whole out of the model's adapter, and whole into the stream."""
    sent = json.loads(re.search(r"data: (.*)", case["input"]["upstream_sse_utf8"])[1])["delta"]
    told = json.dumps({"choices": [{"delta": {"content": sent}, "finish_reason": None}]}, ensure_ascii=False)
    whole = f"data: {told}\n\ndata: [DONE]\n\n".encode()
    cuts: list[Iterable[bytes]] = [[whole[:i], whole[i:]] for i in range(1, len(whole))]
    for pieces in [*cuts, [bytes([b]) for b in whole]]:
        text = _said(pieces)
        assert text == case["expect"]["client_text"]
        assert json.loads(events.frame({"t": text}).decode().removeprefix("data: "))["t"] == text


def _said(pieces: Iterable[bytes]) -> str:
    model = Server(streamed(*pieces)).model()
    return "".join(p.text for p in model.reply([Message("user", "x")], temperature=0, max_tokens=9, timeout=5))


def _check_tokens(case: Mapping[str, Any]) -> None:
    """What a model says travels as JSON on one line: it can end no event, and begin none."""
    given, expect = case["input"]["fake_llm_tokens"], case["expect"]
    text, names = "", []
    for block in b"".join(events.frame({"content": token}) for token in given).decode().split("\n\n"):
        for line in re.split(r"\r\n|\n|\r", block):
            field, _, value = line.partition(": ")
            if field == "event":
                names.append(value)
            elif field == "data":
                text += json.loads(value)["content"]
    assert text == expect["client_text"]
    assert len(names) == expect["events_named_fake"]

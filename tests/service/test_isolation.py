"""Every route there is, asked by somebody else: another person, another tenant, with ids that are known and guessed."""

from __future__ import annotations

import pytest

from anaphor.stored import KeyRole
from service.test_gate import made
from service.test_memory import waited

OTHERS = [("acme", "ken"), ("rival", "mei"), ("rival", "ken")]
SECRETS = ("papaya", "Momo")  # only ever said or written by the one whose they are
GUESSED = {"session": "kyoto", "turn": "1", "document": "diary.txt", "fact": "1", "name": "anaphor"}
OF_NOBODY = {"GET /health", "GET /ready", "GET /metrics", "GET /v1/models", "GET /v1/models/{name}", "POST /api/login"}
BODIES = {
    "/api/sessions": {"name": "theirs"},
    "/api/sessions/{session}": {"name": "theirs"},
    "/api/sessions/{session}/branches": {"after_seq": 1},
    "/api/sessions/{session}/turns": {"question": "What was said about the fruit and the cat?", "stream": False},
    "/api/sessions/{session}/turns/{turn}/feedback": {"thumbs": "up"},
    "/api/search": {"text": "fruit cat secret word diary", "sources": "both"},
    "/api/reconstruct": {"messages": [], "question": "What?"},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "Which fruit, which cat?"}]},
    "/api/memory/facts/{fact}/revert": {"version": 1},
}


@pytest.fixture
def client(serve):
    return serve(memory="embedded")


def routes(client):
    return [
        (method.upper(), path)
        for path, methods in client.app.openapi()["paths"].items()
        for method in methods
        if f"{method.upper()} {path}" not in OF_NOBODY
    ]


def secrets_of(client, mine):
    """What a person has of every kind, and by which ids."""
    session = client.post("/api/sessions", headers=mine, json={"name": "kyoto"}).json()["session_id"]
    told = "My cat is called Momo. My name is Papaya."
    turn = client.post(f"/api/sessions/{session}/turns", headers=mine, json={"question": told, "stream": False}).json()
    client.post(
        "/api/documents", headers=mine, data={"private": "true"},
        files=[("files", ("diary.txt", b"The secret word of the fruit is papaya."))],
    )  # fmt: skip
    (document,) = [
        each["document_id"]
        for each in client.get("/api/documents", headers=mine).json()["documents"]
        if each["source"] == "diary.txt"
    ]
    (fact, *_) = waited(client, 1, headers=mine)
    return {"session": session, "turn": turn["turn_id"], "document": document, "fact": fact["fact_id"]}


@pytest.mark.parametrize("other", OTHERS, ids="/".join)
def test_no_route_gives_or_changes_what_is_somebody_elses(client, other):
    mine = made(client, "mei", KeyRole.EDITOR, tenant="acme")
    theirs = made(client, other[1], KeyRole.ADMIN, tenant=other[0])
    known = secrets_of(client, mine)
    before = everything(client, mine, known)
    for method, path in routes(client):
        for ids in (known, GUESSED):
            told = client.request(
                method,
                path.format(**{**GUESSED, **ids}),
                headers=theirs,
                **({"json": BODIES.get(path, {})} if method in ("POST", "PATCH", "PUT") else {}),
                params={"id": [f"{known['session']}:1:0", known["document"]]} if path == "/api/passages" else None,
            )
            assert told.status_code < 500, (method, path, told.text)
            assert not any(secret in told.text for secret in SECRETS), (method, path, told.text)
            assert known["session"] not in told.text or told.status_code in (404, 422), (method, path, told.text)
            if "{" in path and path != "/v1/models/{name}":
                assert told.status_code in (400, 404, 422), (method, path, told.text)
    assert everything(client, mine, known) == before


def everything(client, mine, known):
    session = client.get(f"/api/sessions/{known['session']}", headers=mine).json()
    return (
        {key: session[key] for key in ("name", "turns")},
        client.get(f"/api/documents/{known['document']}", headers=mine).json()["text"],
        client.get(f"/api/memory/facts/{known['fact']}", headers=mine).json(),
        client.get(f"/api/sessions/{known['session']}/turns/1", headers=mine).json()["answer"],
    )


def test_every_route_but_a_few_asks_for_a_key(client):
    made(client, "mei")
    for method, path in routes(client):
        body = {"json": BODIES.get(path, {})} if method in ("POST", "PATCH", "PUT") else {}
        told = client.request(method, path.format(**GUESSED), **body)
        assert told.status_code in (401, 422), (method, path, told.status_code)
        assert told.status_code == 401 or "files" in told.text, (method, path, told.text)

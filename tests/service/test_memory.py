"""``/api/memory``: what is remembered, decided about over HTTP, by its own person alone."""

import time

import pytest

from anaphor.service.gate import Bounds
from service.test_gate import made


def say(client, text, session=None, **headers):
    session = session or client.post("/api/sessions", json={}, **headers).json()["session_id"]
    told = client.post(f"/api/sessions/{session}/turns", json={"question": text, "stream": False}, **headers)
    assert told.status_code == 200
    return session


def facts(client, query="", **headers):
    return client.get(f"/api/memory/facts{query}", **headers).json()["facts"]


def waited(client, n, query="", **headers):
    """The facts, once so many are there: they are read in the background."""
    deadline = time.monotonic() + 10
    while len(found := facts(client, query, **headers)) < n and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def test_what_is_said_is_read_in_the_background_and_its_source_is_told(client):
    session = say(client, "My name is Bergen.")
    (fact,) = waited(client, 1)
    assert (fact["value"], fact["kind"], fact["about"], fact["status"]) == ("Bergen", "identity", "user", "current")
    whole = client.get(f"/api/memory/facts/{fact['fact_id']}").json()
    (source,) = whole["sources"]
    assert (source["session_id"], source["seq"]) == (session, 1)
    assert source["text"].startswith("My name is Bergen")
    assert client.get("/api/memory/facts").json()["waiting"] == 0
    assert b"anaphor_memory_waiting 0.0" in client.get("/metrics").content


def test_a_fact_is_decided_about_and_taken_back(client):
    say(client, "My name is Bergen.")
    (fact,) = waited(client, 1)
    at = f"/api/memory/facts/{fact['fact_id']}"
    edited = client.patch(at, json={"value": "Oslo", "why": "moved"}).json()
    assert (edited["value"], edited["version"], edited["why"]) == ("Oslo", 2, "moved")
    assert client.post(f"{at}/pin", json={}).json()["pinned"] is True
    assert [f["fact_id"] for f in facts(client, "?pinned=true")] == [fact["fact_id"]]
    assert client.post(f"{at}/reject", json={}).json()["status"] == "retired"
    assert facts(client) == []
    assert client.post(f"{at}/accept", json={}).json()["status"] == "current"
    reverted = client.post(f"{at}/revert", json={"version": 1}).json()
    assert (reverted["value"], reverted["pinned"], reverted["status"]) == ("Bergen", False, "current")
    versions = client.get(f"{at}/history").json()["versions"]
    assert [v["does"] for v in versions] == ["added", "edited", "pinned", "rejected", "accepted", "reverted"]
    assert client.delete(at).json() == {"deleted": fact["fact_id"]}
    assert client.get(at).status_code == 404
    assert facts(client) == []


def test_what_cannot_be_is_an_error_that_says_why(client):
    say(client, "My name is Bergen.")
    (fact,) = waited(client, 1)
    at = f"/api/memory/facts/{fact['fact_id']}"
    assert client.post(f"{at}/revert", json={"version": 9}).status_code == 400
    assert client.patch(at, json={}).status_code == 400
    assert client.patch(at, json={"kind": "work"}).status_code == 422
    assert client.get("/api/memory/facts?status=wrong").status_code == 422
    assert client.post("/api/memory/facts/nothing/accept", json={}).status_code == 404
    assert client.get("/api/memory/summaries/nothing").status_code == 404


def test_nobody_reads_or_changes_what_is_another_persons(serve):
    client = serve(Bounds(rate=10_000, burst=10_000), memory="embedded")
    people = {
        (tenant, user): {"headers": made(client, user, tenant=tenant)}
        for tenant in ("acme", "rival")
        for user in ("mei", "mei2")
    }
    for (tenant, user), key in people.items():
        say(client, f"My name is {tenant.title()}{user}.", **key)
    own = {who: waited(client, 1, **key) for who, key in people.items()}
    for (tenant, user), key in people.items():
        assert [fact["value"] for fact in own[tenant, user]] == [f"{tenant.title()}{user}"]
        for other, (theirs,) in own.items():
            if other == (tenant, user):
                continue
            at = f"/api/memory/facts/{theirs['fact_id']}"
            tried = [
                client.get(at, **key),
                client.get(f"{at}/history", **key),
                client.post(f"{at}/accept", json={}, **key),
                client.post(f"{at}/reject", json={}, **key),
                client.post(f"{at}/pin", json={}, **key),
                client.post(f"{at}/revert", json={"version": 1}, **key),
                client.patch(at, json={"value": "mine"}, **key),
                client.delete(at, **key),
            ]
            assert {told.status_code for told in tried} == {404}
    assert {who: facts(client, **key) for who, key in people.items()} == own
    assert client.get("/api/memory/review", **people["acme", "mei"]).json() == {"queue": []}


def test_the_description_tells_of_every_route_with_examples(client):
    told = client.app.openapi()
    paths = {path for path in told["paths"] if path.startswith("/api/memory")}
    assert {path.rsplit("/", 1)[-1] for path in paths} >= {"facts", "review", "history", "accept", "reject", "revert"}
    schemas = told["components"]["schemas"]
    assert schemas["Edited"]["properties"]["value"]["examples"] == ["高雄"]
    assert schemas["Reverted"]["properties"]["version"]["examples"] == [1]


@pytest.fixture
def client(serve):
    return serve(memory="embedded")


def test_turned_off_nothing_is_kept(serve):
    client = serve(memory="off")
    say(client, "My name is Bergen.")
    time.sleep(0.3)
    assert facts(client) == []
    assert client.get("/api/memory/facts").json()["waiting"] == 1

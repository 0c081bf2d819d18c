"""Who is let in, with how much, how often; and what stands on every answer."""

import logging

import pytest

from anaphor.service.gate import Bounds, Buckets
from anaphor.service.secret_keys import create
from anaphor.stored import KeyRole


def made(client, user, role=KeyRole.READER, days=None, tenant="local", collections=()):
    desk = client.app.state.desk
    _, secret = create(desk.assistant.store.keys, desk.assistant.clock, tenant, user, role, days, collections)
    return {"Authorization": f"Bearer {secret}"}


def test_without_a_key_only_this_machine_is_answered(client):
    assert client.get("/api/sessions").status_code == 200
    assert client.get("/api/sessions", headers={"Host": "evil.example"}).status_code == 403
    assert client.get("/api/sessions", headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.get("/api/sessions", headers={"Origin": "http://localhost:8710"}).status_code == 200
    # Clients of OpenAI always send some key.
    assert client.get("/v1/models", headers={"Authorization": "Bearer sk-whatever"}).status_code == 200


def test_with_a_key_in_the_store_every_request_needs_one(client):
    mei = made(client, "mei")
    for path in ("/api/sessions", "/v1/models", "/metrics", "/api/documents"):
        told = client.get(path)
        assert (told.status_code, told.json()["error"]["code"]) == (401, "bad_key")
    assert client.get("/api/sessions", headers=mei).status_code == 200
    assert client.get("/api/sessions", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/health").status_code == 200


def test_a_revoked_key_opens_nothing_from_that_moment_and_the_service_stays_closed(client):
    mei = made(client, "mei")
    store = client.app.state.desk.assistant.store
    (key,) = store.keys.list()
    store.keys.revoke(key.key_id, 1.0)
    assert client.get("/api/sessions", headers=mei).status_code == 401
    assert client.get("/api/sessions").status_code == 401


def test_a_key_runs_out(client, monkeypatch):
    mei = made(client, "mei", days=1)
    assert client.get("/api/sessions", headers=mei).status_code == 200
    doorman = client.app.state.desk.doorman
    now = doorman._clock()
    monkeypatch.setattr(doorman, "_clock", lambda: now + 86_401)
    assert client.get("/api/sessions", headers=mei).status_code == 401


def test_a_role_may_do_what_it_may(client):
    reader, editor, admin = (made(client, "mei", role) for role in KeyRole)
    upload = {"files": [("files", ("a.txt", b"The tower is 12 metres high."))]}
    assert client.post("/api/documents", headers=reader, **upload).status_code == 403
    assert client.post("/api/documents", headers=editor, **upload).status_code == 201
    assert client.delete("/api/documents/a.txt", headers=reader).status_code == 403
    assert [client.get("/metrics", headers=key).status_code for key in (reader, editor, admin)] == [403, 403, 200]


def test_a_key_opens_its_collections_and_no_other(client):
    everywhere = made(client, "ken", KeyRole.EDITOR)
    here = made(client, "mei", KeyRole.EDITOR, collections=["handbook", "手冊"])
    upload = {"files": [("files", ("a.txt", b"The tower is 12 metres high."))]}
    assert client.post("/api/documents", headers=here, data={"collection": "default"}, **upload).status_code == 403
    assert client.post("/api/documents", headers=here, data={"collection": "other"}, **upload).status_code == 403
    assert client.post("/api/documents", headers=here, **upload).status_code == 201  # into the first of its own
    (document,) = client.get("/api/documents", headers=here).json()["documents"]
    assert document["collection"] == "handbook"
    for path in (f"/api/documents/{document['document_id']}", "/api/documents/a.txt"):
        assert client.get(path, headers=here).status_code == 200
        assert client.get(path, headers=everywhere).status_code == 404
    for path in ("/api/documents/orin.md", "/api/documents/kvstore.md"):
        assert client.get(path, headers=here).status_code == 404
        assert client.delete(path, headers=here).status_code == 404
    text = {"text": "Orin Vega 方案 tower metres"}
    found = [client.post("/api/search", headers=key, json=text).json()["hits"] for key in (here, everywhere)]
    assert [sorted({hit["source"] for hit in hits}) for hits in found] == [["a.txt"], ["orin.md"]]
    assert client.get("/api/passages", headers=here, params={"id": found[1][0]["passage_id"]}).json()["passages"] == {}
    asked = {"messages": [{"role": "user", "content": "How high is the tower?"}]}
    assert (
        "12" in client.post("/v1/chat/completions", headers=here, json=asked).json()["choices"][0]["message"]["content"]
    )
    told = client.post("/v1/chat/completions", headers=everywhere, json=asked).json()
    assert told["anaphor"]["outcome"] == "declined"


@pytest.mark.parametrize("other", [("local", "ken"), ("elsewhere", "mei")])
def test_nobody_reaches_what_is_somebody_elses_by_any_route(client, other):
    mine = made(client, "mei", KeyRole.EDITOR)
    theirs = made(client, other[1], KeyRole.ADMIN, tenant=other[0])
    session = client.post("/api/sessions", headers=mine, json={"name": "mine"}).json()["session_id"]
    asked = client.post(
        f"/api/sessions/{session}/turns",
        headers=mine,
        json={"question": "我的貓叫什麼？ I have a cat named Momo.", "stream": False},
    ).json()
    client.post(
        "/api/documents", headers=mine, data={"private": "true"},
        files=[("files", ("diary.txt", b"The secret word is papaya."))],
    )  # fmt: skip
    turn = asked["turn_id"]
    for named in (session, "mine"):
        for method, path, body in (
            ("GET", f"/api/sessions/{named}", None),
            ("PATCH", f"/api/sessions/{named}", {"name": "x"}),
            ("POST", f"/api/sessions/{named}/branches", {"after_seq": 1}),
            ("DELETE", f"/api/sessions/{named}", None),
            ("POST", f"/api/sessions/{named}/turns", {"question": "What was said?"}),
            ("GET", f"/api/sessions/{named}/turns/{turn}", None),
            ("GET", f"/api/sessions/{named}/turns/1/events", None),
            ("POST", f"/api/sessions/{named}/turns/{turn}/stop", None),
            ("GET", "/api/documents/diary.txt", None),
            ("DELETE", "/api/documents/diary.txt", None),
        ):
            told = client.request(method, path, headers=theirs, json=body)
            assert told.status_code == 404, (method, path, told.text)
    found = client.post("/api/search", headers=theirs, json={"text": "secret word papaya Momo", "sources": "both"})
    assert "papaya" not in found.text.replace("secret word papaya", "")
    assert "Momo" not in "".join(hit["text"] for hit in found.json()["hits"])
    hits = client.post("/api/search", headers=mine, json={"text": "secret word papaya", "sources": "both"}).json()[
        "hits"
    ]
    ids = [hit["passage_id"] for hit in hits if "papaya" in hit["text"]]
    assert ids
    assert client.get("/api/passages", headers=theirs, params={"id": ids}).json() == {"passages": {}}
    assert client.get("/api/sessions", headers=theirs).json() == {"sessions": []}
    assert len(client.get(f"/api/sessions/{session}", headers=mine).json()["turns"]) == 1


def test_too_much_is_refused_by_length_and_by_what_comes(serve):
    client = serve(Bounds(body=1_000, upload=2_000, rate=1e6, burst=10**6))
    assert client.post("/api/search", json={"text": "x" * 2_000}).status_code == 413

    def pieces():
        for _ in range(100):
            yield b" " * 100

    told = client.post("/api/search", content=pieces(), headers={"Content-Type": "application/json"})
    assert told.status_code == 413
    assert client.post("/api/documents", files=[("files", ("a.txt", b"x" * 3_000))]).status_code == 413


def test_who_asks_too_often_hears_when_to_come_back(serve):
    client = serve(Bounds(rate=0.5, burst=3))
    statuses = [client.get("/api/sessions").status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert int(client.get("/api/sessions").headers["retry-after"]) >= 1
    for free in ("/health", "/", "/assets/js/main.js"):
        assert client.get(free).status_code == 200


def test_a_bucket_fills_again_and_no_further_than_its_rim():
    now = [0.0]
    buckets = Buckets(rate=2, burst=2, now=lambda: now[0])
    assert [buckets.take(b"a") for _ in range(3)] == [0, 0, 0.5]
    assert buckets.take(b"b") == 0
    now[0] = 0.5
    assert buckets.take(b"a") == 0
    now[0] = 100
    assert [buckets.take(b"a") for _ in range(3)] == [0, 0, 0.5]


def test_every_answer_carries_the_headers(client):
    for path in ("/health", "/api/sessions", "/nowhere", "/v1/models"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_store_answers_and_the_meters_count(client):
    assert client.get("/ready").json() == {"status": "ready"}
    session = client.post("/api/sessions", json={}).json()["session_id"]
    for _ in range(2):
        client.post(f"/api/sessions/{session}/turns", json={"question": "Orin 方案每月多少錢？", "stream": False})
    text = client.get("/metrics").text
    assert 'anaphor_decisions_total{decision="standalone"}' in text
    assert 'anaphor_step_seconds_count{step="retrieve"} 2.0' in text
    assert "anaphor_evidence_repeated_total 1.0" in text
    client.app.state.desk.assistant.store.close()


def test_a_store_that_does_not_answer_is_not_ready(serve, folder):
    client = serve(store=str(folder / "kept.db"))
    client.app.state.desk.assistant.store.close()
    told = client.get("/ready")
    assert told.status_code == 503
    assert str(folder) not in told.text


def test_the_log_tells_ids_and_never_what_was_said_or_a_key(client, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    key = made(client, "mei", KeyRole.ADMIN)
    secret = key["Authorization"].removeprefix("Bearer ")
    said = "鸚鵡箱 papaya-51"
    session = client.post("/api/sessions", headers=key, json={"name": said}).json()["session_id"]
    path = f"/api/sessions/{session}/turns"
    client.post(path, headers=key, json={"question": said, "stream": False})
    client.post("/v1/chat/completions", headers=key, json={"messages": [{"role": "user", "content": said}]})
    client.post("/api/documents", headers=key, files=[("files", ("papaya-51.txt", said.encode()))])
    client.post(path, headers=key, json={"question": said, "wrong": said})
    client.get("/api/sessions", headers={"Authorization": f"Bearer {secret}x"})
    desk = client.app.state.desk

    def broken(*_args, **_how):
        raise RuntimeError("the inside")

    monkeypatch.setattr(type(desk.assistant.conversation.turns), "accept", broken)
    told = client.post(path, headers=key, json={"question": said, "stream": False})
    assert told.status_code == 500
    known_as = told.json()["error"]["message"].rsplit(" ", 1)[1]
    log = caplog.text
    assert known_as in log, "what is told to a client leads to what happened"
    assert "the inside" in log
    assert "the inside" not in told.text
    for kept_out in ("鸚鵡箱", "papaya", secret):
        assert kept_out not in log

"""``/api``: sessions, turns with their events, documents, search."""

import json
import threading
import time

import pytest

from anaphor import turn
from anaphor.service import flights
from service.conftest import frames


def started(client, name=""):
    return client.post("/api/sessions", json={"name": name}).json()["session_id"]


def test_a_turn_with_its_events_in_order(client):
    session = started(client)
    told = frames(client.post(f"/api/sessions/{session}/turns", json={"question": "Orin 方案每月多少錢？"}).text)
    names = [name for _, name, _ in told]
    assert names[:4] == ["accepted", "decision", "query", "hits"]
    assert names[-2:] == ["verdict", "committed"]
    assert set(names[4:-2]) == {"claim"}
    assert [n for n, _, _ in told] == [str(n) for n in range(1, len(told) + 1)]
    answer = json.loads(told[-1][2])
    assert "300" in answer["answer"]
    assert json.loads(told[0][2]) == {"turn_id": answer["turn_id"], "seq": 1, "session_id": session}


def test_a_follow_up_is_searched_for_as_a_standalone_query(client):
    session = started(client)
    client.post(f"/api/sessions/{session}/turns", json={"question": "Orin 方案每月多少錢？", "stream": False})
    answer = client.post(f"/api/sessions/{session}/turns", json={"question": "那 Vega 呢？", "stream": False}).json()
    assert answer["decision"] == "follow_up"
    assert "500" in answer["answer"]
    assert answer["seq"] == 2


def test_events_are_followed_from_where_one_was_cut_off(client):
    session = started(client)
    whole = frames(client.post(f"/api/sessions/{session}/turns", json={"question": "Orin 方案？"}).text)
    rest = frames(client.get(f"/api/sessions/{session}/turns/1/events", headers={"Last-Event-ID": "2"}).text)
    assert rest == whole[2:]
    assert frames(client.get(f"/api/sessions/{session}/turns/1/events", headers={"Last-Event-ID": "999"}).text) == []


def test_after_a_restart_the_log_tells_how_a_turn_ended(serve, folder):
    store = str(folder / "kept.db")
    first = serve(store=store)
    session = started(first)
    answer = first.post(f"/api/sessions/{session}/turns", json={"question": "Vega 方案？", "stream": False}).json()
    second = serve(store=store)
    ((n, name, data),) = frames(second.get(f"/api/sessions/{session}/turns/{answer['turn_id']}/events").text)
    assert (name, json.loads(data)["answer"]) == ("committed", answer["answer"])
    assert int(n) > 100


def test_the_same_turn_id_returns_the_stored_answer(client):
    session = started(client)
    ask = {"question": "Vega 方案每月多少錢？", "turn_id": "mine", "stream": False}
    first, again = (client.post(f"/api/sessions/{session}/turns", json=ask).json() for _ in range(2))
    assert (again["answer"], again["seq"]) == (first["answer"], 1)
    assert client.get(f"/api/sessions/{session}").json()["turns"][0]["turn_id"] == "mine"


def test_a_client_that_knows_an_old_turn_gets_the_current_number(client):
    session = started(client)
    for _ in range(2):
        client.post(f"/api/sessions/{session}/turns", json={"question": "Vega 方案？", "stream": False})
    stale = client.post(f"/api/sessions/{session}/turns", json={"question": "Orin 方案？", "expected_seq": 1})
    assert stale.status_code == 409
    assert (stale.json()["error"]["code"], stale.json()["error"]["seq"]) == ("stale_turn", 2)


def test_sessions_are_named_renamed_and_deleted(client):
    session = started(client, "kyoto")
    assert client.get("/api/sessions/kyoto").json()["session_id"] == session
    client.post("/api/sessions/kyoto/turns", json={"question": "Orin 方案？", "stream": False})
    assert client.patch("/api/sessions/kyoto", json={"name": "奈良"}).json()["name"] == "奈良"
    assert len(client.get("/api/sessions/奈良").json()["turns"]) == 1
    assert client.delete(f"/api/sessions/{session}").status_code == 200
    assert client.get(f"/api/sessions/{session}").status_code == 404
    assert client.get("/api/sessions").json() == {"sessions": []}


def test_documents_are_uploaded_read_searched_and_deleted(client):
    files = [
        ("files", ("東京.md", "# 東京\n\n東京の塔は333メートルです。".encode())),
        ("files", ("no.bin", b"\x00\x01\xff" * 50)),
    ]
    told = client.post("/api/documents", files=files)
    assert told.status_code == 201
    assert {each["source"]: each["outcome"] for each in told.json()["files"]}["東京.md"] == "added"
    assert {each["source"]: each["outcome"] for each in told.json()["files"]}["no.bin"] != "added"
    hits = client.post("/api/search", json={"text": "東京の塔の高さ"}).json()["hits"]
    assert "333" in hits[0]["text"]
    assert "333" in client.get("/api/documents/東京.md").json()["text"]
    passage = hits[0]["passage_id"]
    assert passage in client.get("/api/passages", params={"id": [passage, "none"]}).json()["passages"]
    assert client.delete("/api/documents/東京.md").status_code == 200
    assert client.get("/api/documents/東京.md").status_code == 404
    found = client.post("/api/search", json={"text": "東京の塔の高さ"}).json()["hits"]
    assert passage not in [hit["passage_id"] for hit in found]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/../../b.txt", "..", "/x.txt", "C:\\x\\y.txt"])
def test_an_uploaded_file_has_a_name_and_no_path(client, name):
    told = client.post("/api/documents", files=[("files", (name, b"The tower is 12 metres high."))])
    if told.status_code == 201:
        assert "/" not in told.json()["files"][0]["source"]
        assert ".." not in told.json()["files"][0]["source"]
    else:
        assert told.status_code == 400


def test_the_small_door_over_http(client):
    messages = [
        {"role": "user", "content": "What does the Orin plan cost?"},
        {"role": "assistant", "content": "300 a month."},
    ]
    told = client.post("/api/reconstruct", json={"messages": messages, "question": "And the Vega plan?"})
    assert "Vega" in told.json()["text"]
    assert told.json()["decision"] == "follow_up"
    assert client.post("/api/reconstruct", json={"messages": [{"role": "king", "content": "x"}]}).status_code == 400


@pytest.mark.parametrize(
    ("question", "status"),
    [("", 400), ("   ", 400), ("？？？", 400), ("\x00", 400), ("x" * 200_000, 413), (None, 422), (5, 422)],
)
def test_a_question_that_is_none(client, question, status):
    session = started(client)
    told = client.post(f"/api/sessions/{session}/turns", json={"question": question})
    assert told.status_code == status
    assert told.json()["error"]["message"]
    assert client.get(f"/api/sessions/{session}").json()["turns"] == []


@pytest.mark.parametrize(
    ("question", "why"), [(" \n", "is empty"), ("👍", "put it in words"), ("？！", "put it in words")]
)
def test_a_question_without_a_word_is_told_what_it_lacks(client, question, why):
    told = client.post(f"/api/sessions/{started(client)}/turns", json={"question": question}).json()["error"]
    assert told["code"] == "empty_question"
    assert told["message"].endswith(why)
    said = {"messages": [{"role": "user", "content": question}]}
    assert client.post("/v1/chat/completions", json=said).status_code == 400


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ('{"question": "hi \\ud83c\\udf63", "stream": false}', "hi 🍣"),
        ('{"question": "broken \\ud83c end", "stream": false}', "broken \ufffd end"),
        ('{"question": "𠮷野家で👨‍👩‍👧と", "stream": false}', "𠮷野家で👨‍👩‍👧と"),
    ],
)
def test_halves_of_pairs_are_replaced_and_whole_characters_survive(serve, folder, body, stored):
    store = str(folder / "kept.db")
    client = serve(store=store)
    session = started(client)
    headers = {"Content-Type": "application/json"}
    assert client.post(f"/api/sessions/{session}/turns", content=body.encode(), headers=headers).status_code == 200
    for reader in (client, serve(store=store)):
        assert reader.get(f"/api/sessions/{session}").json()["turns"][0]["question"] == stored


@pytest.mark.parametrize("body", [b"\xff\xfe{", b"[" * 100_000, b"{", b"null", b'{"question": NaN}'])
def test_a_body_that_is_no_request(client, body):
    session = started(client)
    told = client.post(f"/api/sessions/{session}/turns", content=body, headers={"Content-Type": "application/json"})
    assert told.status_code in (400, 422)
    assert "error" in told.json()


def test_two_questions_at_once_are_both_answered_or_one_is_told_so(client):
    session = started(client)
    found = []

    def ask(word):
        found.append(
            client.post(
                f"/api/sessions/{session}/turns", json={"question": f"Remember word {word}.", "stream": False}
            ).status_code
        )

    threads = [threading.Thread(target=ask, args=(word,)) for word in ("ONE", "TWO", "THREE")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) <= {200, 409}
    turns = client.get(f"/api/sessions/{session}").json()["turns"]
    assert len(turns) == found.count(200)
    assert [turn["seq"] for turn in turns] == list(range(1, len(turns) + 1))


def test_a_reader_who_leaves_does_not_lose_the_turn(client):
    session = started(client)
    with client.stream("POST", f"/api/sessions/{session}/turns", json={"question": "Orin 方案？"}) as response:
        next(response.iter_bytes(10))
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        turns = client.get(f"/api/sessions/{session}").json()["turns"]
        if turns and turns[0]["outcome"] != "running":
            break
        time.sleep(0.02)
    assert turns[0]["outcome"] == "answered"


def test_what_is_not_there_is_404_and_nothing_more(client):
    session = started(client)
    for path in (
        "/api/sessions/none", f"/api/sessions/{session}/turns/1", f"/api/sessions/{session}/turns/9/events",
        "/api/documents/none", "/nowhere", "/api/nowhere",
    ):  # fmt: skip
        told = client.get(path)
        assert told.status_code == 404, path
        assert told.json()["error"]["code"] == "not_found"


def test_whatever_is_unforeseen_tells_nothing_of_the_inside(client, monkeypatch):
    def broken(*_args, **_kwargs):
        raise ZeroDivisionError("/secret/path")

    monkeypatch.setattr("anaphor.assistant.Assistant.search", broken)
    told = client.post("/api/search", json={"text": "x"})
    assert told.status_code == 500
    assert "secret" not in told.text
    assert "ZeroDivisionError" not in told.text


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"thumbs": "up"}, 200),
        ({"score": 4, "comment": "有幫助"}, 200),
        ({}, 400),
        ({"score": 9}, 422),
        ({"thumbs": "sideways"}, 422),
    ],
)
def test_an_opinion_of_an_answer(client, given, status):
    session = started(client)
    client.post(f"/api/sessions/{session}/turns", json={"question": "Orin 方案？", "stream": False})
    told = client.post(f"/api/sessions/{session}/turns/1/feedback", json=given)
    assert told.status_code == status
    if status == 200:
        assert told.json() == {"thumbs": None, "score": None, "comment": ""} | given
    assert client.post(f"/api/sessions/{session}/turns/2/feedback", json={"thumbs": "up"}).status_code == 404


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"{", "the body is not JSON"),
        (b'{"question": "x",}', "the body is not JSON"),
        (b'{"question": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", "the body is not JSON: it is nested too deeply"),
        (b'{"question": "x", "n": ' + b"9" * 6_000 + b"}", "the body is not JSON: a number in it has thousands"),
        (b'{"question": "\xff"}', "the body is not JSON: it is not UTF-8 (byte 14)"),
        (b"[1]", "the body must be a JSON object"),
        (b'"x"', "the body must be a JSON object"),
        (b'{"question": 5}', "question: "),
        (b"{}", "question: "),
    ],
)
def test_what_is_wrong_with_a_body_is_told_in_words(client, body, told):
    session = started(client)
    answer = client.post(f"/api/sessions/{session}/turns", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith(told)


def test_a_nul_joins_no_two_words(client):
    session = started(client)
    body = {"question": "Orin\0方案\0每月多少錢？", "stream": False}
    assert client.post(f"/api/sessions/{session}/turns", json=body).json()["question"] == "Orin 方案 每月多少錢？"


def test_a_session_is_exported_with_what_it_branched_off(client):
    session = started(client, "kyoto")
    for question in ("Orin 方案每月多少錢？", "那 Vega 呢？"):
        client.post(f"/api/sessions/{session}/turns", json={"question": question, "stream": False})
    branch = client.post("/api/sessions/kyoto/branches", json={"after_seq": 1}).json()["session_id"]
    client.post(f"/api/sessions/{branch}/turns", json={"question": "可以退款嗎？", "stream": False})
    other = started(client, "other")
    told = client.get(f"/api/sessions/{branch}/export")
    assert told.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in told.text.splitlines()]
    assert {line["session_id"] for line in lines if line["kind"] == "session"} == {session, branch}
    assert [line["question"] for line in lines if line["kind"] == "turn"][-1] == "可以退款嗎？"
    assert other not in told.text
    client.delete(f"/api/sessions/{branch}")
    client.delete("/api/sessions/kyoto")
    taken = client.app.state.desk.assistant.take_in(told.text, "export.jsonl")
    assert (taken.sessions, taken.turns) == (2, 3)


def test_collections_are_listed_with_what_is_in_them(client):
    upload = {"files": [("files", ("a.txt", b"The tower is 12 metres high."))]}
    client.post("/api/documents", data={"collection": "日記", "private": "true"}, **upload)
    assert client.get("/api/collections").json() == {"collections": [{"name": "default", "documents": 2, "private": 0}]}


def test_who_read_what_is_in_the_audit_and_nothing_of_what_was_read(client):
    session = started(client)
    client.post(f"/api/sessions/{session}/turns", json={"question": "Orin 方案每月多少錢？", "stream": False})
    client.get(f"/api/sessions/{session}")
    client.get(f"/api/sessions/{session}/turns/1")
    client.get("/api/documents/orin.md")
    ids = [hit["passage_id"] for hit in client.post("/api/search", json={"text": "Orin Vega 方案"}).json()["hits"]]
    client.get("/api/passages", params={"id": [*ids, "none"]})
    client.get(f"/api/sessions/{session}/export")
    assistant = client.app.state.desk.assistant
    every = assistant.store.audit.read(assistant.scope)
    lines = [(line.act, line.kind, line.what) for line in every if line.act in ("read", "export")]
    assert lines == [
        ("export", "session", session),
        ("read", "document", lines[1][2]),  # one of its passages, and
        ("read", "document", lines[1][2]),  # the whole
        ("read", "turn", f"{session}/1"),
        ("read", "session", session),
    ]
    assert not any("orin" in what.casefold() for _, _, what in lines)
    assert client.get("/api/sessions/none").status_code == 404
    assert len(assistant.store.audit.read(assistant.scope)) == len(every)


def test_an_ephemeral_conversation_is_on_no_disk(serve, folder):
    client = serve(store=str(folder / "kept.db"))
    session = client.post("/api/sessions", json={"ephemeral": True}).json()["session_id"]
    client.post(f"/api/sessions/{session}/turns", json={"question": "鸚鵡箱：Orin 方案每月多少錢？", "stream": False})
    answer = client.post(f"/api/sessions/{session}/turns", json={"question": "那 Vega 呢？", "stream": False}).json()
    assert "500" in answer["answer"]
    assert [turn["seq"] for turn in client.get(f"/api/sessions/{session}").json()["turns"]] == [1, 2]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == "kept.db" for path in files)
    for said in ("鸚鵡箱", session, answer["turn_id"]):
        assert not [path for path in files if said.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/api/sessions?limit=abc", "limit: "),
        ("/api/sessions?limit=-1", "limit: "),
        ("/api/sessions?limit=1&limit=2", "limit: is there 2 times"),
        ("/api/sessions?lmit=1", "lmit: there is no such parameter here; there is limit"),
        ("/api/documents?limit=1", "limit: there is no such parameter here; there is none"),
        ("/api/passages?id=a&id=b&ids=c", "ids: "),
        ("/api/memory/facts?pinned=perhaps", "pinned: "),
        ("/api/memory/facts?status=current&status=odd", "status"),
        ("/api/me?%E5%90%8D=1", "名: "),
    ],
)
def test_a_parameter_that_nobody_hears_is_an_error(client, path, told):
    answer = client.get(path)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "malformed"
    assert answer.json()["error"]["message"].startswith(told)


def test_every_route_of_our_own_looks_at_its_whole_query(client):
    for path, methods in client.app.openapi()["paths"].items():
        for method in methods:
            if path.startswith("/api"):
                told = client.request(method, f"{path}?nobody-hears-this=1")
                assert (told.status_code, told.json()["error"]["code"]) == (422, "malformed"), f"{method} {path}"
    # OpenAI's clients may add what they like.
    assert client.get("/v1/models?api-version=2026-01-01").status_code == 200


def test_as_many_conversations_as_are_wanted_are_listed(client):
    for n in range(3):
        client.post("/api/sessions", json={"name": f"n{n}"})
    assert [each["name"] for each in client.get("/api/sessions?limit=2").json()["sessions"]] == ["n2", "n1"]
    assert len(client.get("/api/sessions").json()["sessions"]) == 3


def test_events_tell_nothing_of_what_was_erased_meanwhile(client):
    session = started(client)
    path = f"/api/sessions/{session}/turns"
    answer = client.post(path, json={"question": "Vega 方案每月多少錢？", "stream": False}).json()
    assert "500" in answer["answer"]
    events = f"{path}/{answer['turn_id']}/events"
    assert "500" in client.get(events).text
    client.delete("/api/documents/orin.md")
    told = client.get(events)
    assert [name for _, name, _ in frames(told.text)] == ["committed"]
    assert "500" not in told.text


@pytest.mark.parametrize("path", ["/api/sessions/slow/turns", "/v1/chat/completions"])
def test_a_listener_hears_that_the_line_is_alive_while_nothing_comes(client, monkeypatch, path):
    client.post("/api/sessions", json={"name": "slow"})
    monkeypatch.setattr(flights, "HEARTBEAT", 0.05)
    at_once = turn.retrieve

    def slowly(*given, **more):
        time.sleep(0.4)
        return at_once(*given, **more)

    monkeypatch.setattr(turn, "retrieve", slowly)
    body = {"messages": [{"role": "user", "content": "Orin 方案每月多少錢？"}], "stream": True}
    told = client.post(path, json=body if path.startswith("/v1") else {"question": "Orin 方案每月多少錢？"}).text
    assert told.count(": alive\n\n") >= 2
    assert "300" in "".join(data for _, _, data in frames(told)), "and no reader takes that for an event"

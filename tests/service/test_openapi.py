"""Whatever the description of the API allows, and much that it does not, comes to an answer that it describes."""

from __future__ import annotations

import os
import time
from functools import cache

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings

from anaphor import wiring
from anaphor.service import examples
from anaphor.service.app import create
from anaphor.service.described import OF_A_NAME
from anaphor.service.gate import Bounds
from anaphor.settings import read

EXAMPLES = int(os.environ.get("ANAPHOR_OPENAPI_EXAMPLES", "36"))
SOAKED = 20_000  # requests, over all operations


@cache
def application() -> FastAPI:
    assistant = wiring.build(read({"store": ":memory:", "embedder": "none"}, environment={}))
    assistant.sessions.start("kyoto")
    assistant.ask("Where is the key?", session="kyoto")
    return create(assistant, Bounds(rate=1e9, burst=10**9, body=100_000))


@cache
def operations():
    import schemathesis

    schema = schemathesis.openapi.from_dict(application().openapi())
    schema.app = application()
    return {found.ok().label: found.ok() for found in schema.get_all_operations()}


DESCRIBED = {
    f"{method.upper()} {path}": told
    for path, methods in application().openapi()["paths"].items()
    for method, told in methods.items()
}
# Where everything is a text of any kind there is nothing that could be wrong.
CAN_BE_WRONG = [label for label, told in DESCRIBED.items() if "requestBody" in told]
TRIED = [(label, "positive") for label in DESCRIBED] + [(label, "negative") for label in CAN_BE_WRONG]


def tried(label, mode, n):
    """So many requests, none of which comes to a failure of ours, an undescribed status or another shape."""
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error, status_code_conformance
    from schemathesis.specs.openapi.checks import response_schema_conformance

    checks, made = [not_a_server_error, status_code_conformance, response_schema_conformance], 0

    @given(case=operations()[label].as_strategy(generation_mode=GenerationMode(mode)))
    @settings(max_examples=n, deadline=None, suppress_health_check=list(HealthCheck), derandomize=n < 100)
    def asked(case):
        nonlocal made
        response = case.call(base_url="http://localhost", headers={"Host": "localhost"})
        case.validate_response(response, checks=checks)
        made += 1

    asked()
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("label", "mode"), TRIED)
def test_no_request_comes_to_anything_undescribed(label, mode):
    assert tried(label, mode, EXAMPLES) >= 1


@pytest.mark.soak
def test_nor_does_any_of_twenty_thousand():
    """Operations without any choice are soon exhausted; the others make up for them."""
    made, rounds = 0, 0
    while made < SOAKED:
        each, rounds = max(25, (SOAKED - made) // len(TRIED)), rounds + 1
        made += sum(tried(label, mode, each) for label, mode in TRIED)
        print(f"{made} requests after round {rounds}")


@pytest.mark.slow
def test_every_operation_is_tried():
    assert len(DESCRIBED) >= 20
    assert set(DESCRIBED) == set(operations())
    assert len(CAN_BE_WRONG) >= 6


def values(told):
    """The successful answers that an operation describes: status and content type, with what is said of each."""
    return {
        (status, kind): content
        for status, answer in told["responses"].items()
        if status.startswith("2")
        for kind, content in answer.get("content", {}).items()
    }


@pytest.mark.parametrize("label", DESCRIBED)
def test_every_operation_shows_an_example_and_says_what_may_go_wrong(label):
    told = DESCRIBED[label]
    assert told.get("description"), "an operation says what it does"
    assert values(told), "an operation says what comes"
    assert all(content.get("example") for content in values(told).values())
    assert "default" not in told["responses"]
    if label not in ("GET /health", "GET /ready"):
        assert {"401", "403", "413", "429", "500", "503"} <= told["responses"].keys()
    for status, answer in told["responses"].items():
        assert answer["description"]
        if status[0] in "45":
            assert answer["content"]["application/json"]["example"]["error"]["code"]
    for kind, content in told.get("requestBody", {}).get("content", {}).items():
        name = content["schema"].get("$ref", "").rsplit("/", 1)[-1]
        properties = application().openapi()["components"]["schemas"].get(name, {}).get("properties", {})
        shown = content.get("example") or [each for each in properties.values() if each.get("examples")]
        assert shown, f"the {kind} of {label} has no example"


def alike(example, real, where=""):
    """Whether an answer has the keys of the example, all the way down; where not, the place."""
    if isinstance(example, dict) and isinstance(real, dict):
        if where.rpartition(".")[2] in OF_A_NAME:
            return []
        odd = [f"{where}.{key}" for key in sorted(example.keys() ^ real.keys())]
        return odd + [
            w for key in example.keys() & real.keys() for w in alike(example[key], real[key], f"{where}.{key}")
        ]
    if isinstance(example, list) and isinstance(real, list) and example:
        return [w for each in real for w in alike(example[0], each, where)]
    return []


def test_the_examples_are_what_comes(client, serve):
    remembering = serve(memory="embedded")
    talk = remembering.post("/api/sessions", json={}).json()["session_id"]
    remembering.post(f"/api/sessions/{talk}/turns", json={"question": "My name is Bergen.", "stream": False})
    deadline = time.monotonic() + 10
    while not remembering.get("/api/memory/facts").json()["facts"] and time.monotonic() < deadline:
        time.sleep(0.02)
    session = client.post("/api/sessions", json={"name": "kyoto"}).json()
    answer = client.post(
        "/api/sessions/kyoto/turns", json={"question": "Orin 方案每月多少錢？", "stream": False}
    ).json()
    said = [{"role": "user", "content": "Vega 方案每月多少錢？"}]
    passage = answer["citations"][0]["passage_id"]
    real = [
        (examples.SESSION, session),
        (examples.ANSWER, answer),
        (examples.ANSWER, client.get("/api/sessions/kyoto/turns/1").json()),
        (examples.WITH_TURNS, client.get("/api/sessions/kyoto").json()),
        (examples.SESSIONS, client.get("/api/sessions").json()),
        (examples.OPINION, client.post("/api/sessions/kyoto/turns/1/feedback", json={"thumbs": "up"}).json()),
        (examples.STOPPED, client.post("/api/sessions/kyoto/turns/1/stop").json()),
        (examples.DOCUMENTS, client.get("/api/documents").json()),
        (examples.COLLECTIONS, client.get("/api/collections").json()),
        (examples.WITH_TEXT, client.get("/api/documents/orin.md").json()),
        (examples.UPLOADED, client.post("/api/documents", files=[("files", ("a.txt", b"Some text."))]).json()),
        (examples.HITS, client.post("/api/search", json={"text": "Orin"}).json()),
        (examples.PASSAGE, client.get("/api/passages", params={"id": [passage]}).json()["passages"][passage]),
        (examples.STANDALONE, client.post("/api/reconstruct", json={"messages": said}).json()),
        (examples.ME, client.get("/api/me").json()),
        (examples.MODELS, client.get("/v1/models").json()),
        (examples.COMPLETION, client.post("/v1/chat/completions", json={"messages": said}).json()),
        (examples.FACTS, remembering.get("/api/memory/facts").json()),
        (examples.REVIEW, remembering.get("/api/memory/review").json()),
        (examples.REFRESHED, remembering.post("/api/memory/refresh").json()),
    ]
    assert [where for example, told in real for where in alike(example, told)] == []

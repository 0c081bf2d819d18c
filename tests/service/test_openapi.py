"""Whatever the description of the API allows, and much that it does not, comes to an answer that it describes."""

from __future__ import annotations

import os
from functools import cache

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings

from anaphor import wiring
from anaphor.service.app import create
from anaphor.service.gate import Bounds
from anaphor.settings import read

EXAMPLES = int(os.environ.get("ANAPHOR_OPENAPI_EXAMPLES", "12"))


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


@pytest.mark.slow
@pytest.mark.parametrize(("label", "mode"), TRIED)
def test_no_request_comes_to_anything_undescribed(label, mode):
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error, status_code_conformance

    @given(case=operations()[label].as_strategy(generation_mode=GenerationMode(mode)))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=EXAMPLES < 100)
    def asked(case):
        response = case.call(base_url="http://localhost", headers={"Host": "localhost"})
        case.validate_response(response, checks=[not_a_server_error, status_code_conformance])

    asked()


@pytest.mark.slow
def test_every_operation_is_tried():
    assert len(DESCRIBED) >= 20
    assert set(DESCRIBED) == set(operations())
    assert len(CAN_BE_WRONG) >= 6

"""Cases from the field: small inputs, each the shape of a fault that people met in systems of this kind.

Every line of the files named by ``ANAPHOR_CASES`` (several are parted as in PATH), or else of those beside this file,
is one test. What is expected to fail is listed by id in ``expected.py``; what is being worked on may fail.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cases import ingesting, parsing, remembering, retrieving, rewriting, serving
from cases.expected import FAILURES, LATER

HERE = Path(__file__).parent
KINDS = {
    "rewrite": rewriting.check,
    "parse": parsing.check,
    "retrieve": retrieving.check,
    "ingest": ingesting.check,
    "memory": remembering.check,
    "http": serving.check,
    "stream": serving.check,
}


def files() -> list[Path]:
    named = os.environ.get("ANAPHOR_CASES", "")
    return [Path(p) for p in named.split(os.pathsep) if p] or [HERE / "dev.jsonl", HERE / "dev_cjk.jsonl"]


def lines() -> list[Any]:
    return [
        as_parameter(line, f"{path.stem}-{n}")
        for path in files()
        for n, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if line.strip()
    ]


def as_parameter(line: str, place: str) -> Any:
    case = json.loads(line)
    name = case.get("id", place)
    marks = []
    if name in FAILURES:
        marks.append(pytest.mark.xfail(reason=FAILURES[name], strict=True))
    elif name in LATER:
        marks.append(pytest.mark.xfail(reason=LATER[name], strict=False))
    return pytest.param(case, id=name, marks=marks)


@pytest.mark.parametrize("case", lines())
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    kind = case["kind"]
    assert kind in KINDS, f"{case['id']}: unknown kind {kind!r}; known are {', '.join(KINDS)}"
    KINDS[kind](case, tmp_path)

"""Where what a turn was shown stands, so that erasing the source finds the answers that rest on it.

A trace holds the same and more, and has its own end; this has none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import apsw

from anaphor.adapters.sqlite.connection import rows
from anaphor.types import Scope

NOT_SHOWN = frozenset({"budget", "duplicate"})  # the reasons of ``left_out`` that kept a passage from the evidence
OF_PASSAGES = """
    SELECT passage_id, turn_key, owner, collection, passages.source FROM passages JOIN realms USING (realm_key)
    WHERE tenant = ? AND passage_id IN (SELECT value FROM json_each(?))
    AND (owner = ? OR (kind = 'documents' AND owner = ''))"""


def digest(*parts: str) -> str:
    """Names a thing without saying anything about it: one way, the same on every machine."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def of_document(tenant: str, owner: str, collection: str, source: str) -> str:
    """The same for every version of the document."""
    return digest("document", tenant, owner, collection, source)


def of_turn(turn_key: int) -> str:
    """Keys are never used again."""
    return f"turn:{turn_key}"


def note(connection: apsw.Connection, scope: Scope, turn_key: int, trace: Mapping[str, Any]) -> None:
    """Store what the turn was shown and what it quotes. Inside a write."""
    for origin, cited in shown(connection, scope, trace).items():
        connection.execute("INSERT OR REPLACE INTO rests_on VALUES (?, ?, ?)", (turn_key, origin, int(cited)))


def shown(connection: apsw.Connection, scope: Scope, trace: Mapping[str, Any]) -> dict[str, bool]:
    """Origin → whether the answer quotes it, for every passage that the trace says was evidence."""
    cited = set(_ids(trace.get("citations", ())))
    left_out = set(_ids(line for line in trace.get("left_out", ()) if line.get("reason") in NOT_SHOWN))
    wanted = cited | (set(_ids(trace.get("ranking", ()))) - left_out)
    if not wanted:
        return {}
    found: dict[str, bool] = {}
    for passage_id, turn_key, owner, collection, source in rows(
        connection, OF_PASSAGES, (scope.tenant, json.dumps(sorted(wanted)), scope.user)
    ):
        origin = of_turn(turn_key) if turn_key else of_document(scope.tenant, owner, collection, source)
        found[origin] = found.get(origin, False) or passage_id in cited
    return found


def _ids(lines: Iterable[Mapping[str, Any]]) -> list[str]:
    return [str(line["passage_id"]) for line in lines if isinstance(line, Mapping) and "passage_id" in line]

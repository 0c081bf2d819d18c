"""API keys of the service."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.errors import BadInput, UnknownKey
from anaphor.stored import ApiKey, KeyRole
from anaphor.text.label import unfit

_COLUMNS = "key_id, tenant, user, role, created_at, expires_at, revoked_at, collections"


class Keys:
    """``store.Keys``. Revoking is durable when it returns: what opens a store must not come back after a power cut."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, key: ApiKey, digest: bytes) -> None:
        for name in (key.tenant, key.user, *key.collections):
            if why := unfit(name):
                raise BadInput(f"a key is for a tenant, a user and collections that have names: {why}")
        with self._database.write(durable=True) as connection:
            connection.execute(
                f"INSERT INTO api_keys ({_COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(key.key_id, key.tenant, key.user, str(key.role)),
                    *(key.created_at, key.expires_at, key.revoked_at),
                    *(json.dumps(sorted(set(key.collections))), digest),
                ),
            )

    def find(self, digest: bytes) -> ApiKey | None:
        with self._database.read() as connection:
            found = row(connection, f"SELECT {_COLUMNS} FROM api_keys WHERE digest = ?", (digest,))
        return None if found is None else _key(found)

    def list(self) -> Sequence[ApiKey]:
        with self._database.read() as connection:
            return [_key(found) for found in rows(connection, f"SELECT {_COLUMNS} FROM api_keys ORDER BY number")]

    def revoke(self, key_id: str, at: float) -> ApiKey:
        with self._database.write(durable=True) as connection:
            connection.execute("UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at = 0", (at, key_id))
            found = row(connection, f"SELECT {_COLUMNS} FROM api_keys WHERE key_id = ?", (key_id,))
        if found is None:
            raise UnknownKey(f"no API key has the id {key_id[:60]!r}")
        return _key(found)

    def exist(self) -> bool:
        with self._database.read() as connection:
            return value(connection, "SELECT 1 FROM api_keys LIMIT 1") is not None


def _key(found: Sequence[Any]) -> ApiKey:
    key_id, tenant, user, role, created, expires, revoked, collections = found
    return ApiKey(key_id, tenant, user, KeyRole(role), created, expires, revoked, tuple(json.loads(collections)))

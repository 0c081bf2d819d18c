"""API keys in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphor.adapters.fake.state import State
from anaphor.errors import BadInput, UnknownKey
from anaphor.stored import ApiKey
from anaphor.text.label import unfit


class Keys:
    """``store.Keys``."""

    def __init__(self, state: State) -> None:
        self._state = state

    def put(self, key: ApiKey, digest: bytes) -> None:
        for name in (key.tenant, key.user, *key.collections):
            if why := unfit(name):
                raise BadInput(f"a key is for a tenant, a user and collections that have names: {why}")
        with self._state.lock:
            self._state.keys[digest] = replace(key, collections=tuple(sorted(set(key.collections))))

    def find(self, digest: bytes) -> ApiKey | None:
        with self._state.lock:
            return self._state.keys.get(digest)

    def list(self) -> Sequence[ApiKey]:
        with self._state.lock:
            return list(self._state.keys.values())

    def revoke(self, key_id: str, at: float) -> ApiKey:
        with self._state.lock:
            for digest, key in self._state.keys.items():
                if key.key_id == key_id:
                    self._state.keys[digest] = key if key.revoked_at else replace(key, revoked_at=at)
                    return self._state.keys[digest]
        raise UnknownKey(f"no API key has the id {key_id[:60]!r}")

    def exist(self) -> bool:
        with self._state.lock:
            return bool(self._state.keys)

"""API keys: made, shown once, and known again by their digest.

A key is 256 random bits, so a plain digest is enough: there is nothing to guess that a slow one would protect.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from anaphor.errors import BadInput
from anaphor.ports import Clock
from anaphor.store import Keys
from anaphor.stored import ApiKey, KeyRole

PREFIX = "anaphor-"  # by which a scanner of leaked secrets, and a person, know what it is
LONGEST = 3650.0  # days


def create(
    keys: Keys,
    clock: Clock,
    tenant: str,
    user: str,
    role: KeyRole,
    days: float | None = None,
    collections: Sequence[str] = (),
) -> tuple[ApiKey, str]:
    """The key and its secret. ``days`` until it runs out, ``None`` means never; no ``collections``: the settings'."""
    if days is not None and not 0 < days <= LONGEST:
        raise BadInput(f"a key lasts more than 0 and at most {LONGEST:g} days, not {days:g}")
    now = clock()
    secret = PREFIX + secrets.token_urlsafe(32)
    ends = 0.0 if days is None else now + days * 86_400
    made = ApiKey(secrets.token_hex(8), tenant, user, role, now, ends, collections=tuple(sorted(set(collections))))
    keys.put(made, digest(secret))
    return made, secret


def opened_by(keys: Keys, clock: Clock, shown: bytes) -> ApiKey | None:
    """The key with that digest, if it still opens anything."""
    found = keys.find(shown)
    return found if found is not None and not state(found, clock()) else None


def state(key: ApiKey, now: float) -> str:
    """Why it opens nothing; empty while it does."""
    if key.revoked_at:
        return "revoked"
    return "expired" if 0 < key.expires_at <= now else ""


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()

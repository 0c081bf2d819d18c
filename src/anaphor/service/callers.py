"""Who is asking.

With at least one API key in the store every request needs one, and a key is for one tenant, one user and one role. With
none the service answers the person at this machine only: it is bound to the loopback interface, and a page of some
other site that the same person has open cannot reach it (the names in ``Host`` and ``Origin`` are looked at).
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from fastapi import Request

from anaphor.assistant import Assistant
from anaphor.ports import Clock
from anaphor.service.secret_keys import digest, opened_by
from anaphor.service.statuses import Refused
from anaphor.store import Keys
from anaphor.stored import KeyRole
from anaphor.types import Scope

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
COOKIE = "anaphor-visit"
VISITS = 10_000


@dataclass(frozen=True, slots=True)
class Caller:
    """One person of one tenant, and what they may do."""

    scope: Scope
    role: KeyRole
    digest: bytes = b""  # of the key that was shown; empty where there is none
    confined: bool = False  # to the collections of the scope, in what is taken in too

    @property
    def name(self) -> tuple[str, str]:
        return self.scope.tenant, self.scope.user


@dataclass(frozen=True, slots=True)
class Visit:
    """A browser that has shown a key: what its cookie stands for. ``csrf`` has to come back with all that changes."""

    secret: str
    csrf: str


class Doorman:
    """Looks at keys. ``local`` is who asks where there is no key at all."""

    def __init__(self, keys: Keys, local: Scope, clock: Clock, hosts: Iterable[str] = LOOPBACK) -> None:
        self._keys = keys
        self._clock = clock
        self._visits: OrderedDict[str, Visit] = OrderedDict()
        self._local = local
        self._hosts = frozenset(hosts)
        self._any = False

    def caller(self, request: Request) -> Caller:
        if not self._has_keys():
            self._refuse_strangers(request)
            return Caller(self._local, KeyRole.ADMIN)
        given = _bearer(request) or self._shown_before(request)
        shown = digest(given) if given else b""
        found = opened_by(self._keys, self._clock, shown) if shown else None
        if found is None:
            raise Refused(401, "bad_key", "an API key is needed: Authorization: Bearer …" if not given else _BAD)
        collections = frozenset(found.collections) or self._local.collections
        scope = replace(self._local, tenant=found.tenant, user=found.user, collections=collections)
        return Caller(scope, found.role, shown, bool(found.collections))

    def let_in(self, secret: str) -> tuple[str, Visit]:
        """A cookie for a browser that shows a key; the key itself never goes back to it."""
        if opened_by(self._keys, self._clock, digest(secret)) is None:
            raise Refused(401, "bad_key", _BAD)
        cookie, visit = secrets.token_urlsafe(32), Visit(secret, secrets.token_urlsafe(32))
        self._visits[cookie] = visit
        while len(self._visits) > VISITS:
            self._visits.popitem(last=False)
        return cookie, visit

    def see_out(self, request: Request) -> None:
        self._visits.pop(request.cookies.get(COOKIE, ""), None)

    def csrf(self, request: Request) -> str:
        """The token that the page sends along; empty where there is no cookie to be abused."""
        visit = self._visits.get(request.cookies.get(COOKIE, ""))
        return visit.csrf if visit else ""

    def still_open(self, caller: Caller) -> bool:
        """Whether what opened a stream still opens anything: a key may be revoked while it runs."""
        if not caller.digest:
            return not self._has_keys()
        return opened_by(self._keys, self._clock, caller.digest) is not None

    def _shown_before(self, request: Request) -> str:
        """The key of the browser's visit. A cookie comes by itself, so what changes something needs the token too."""
        visit = self._visits.get(request.cookies.get(COOKIE, ""))
        if visit is None:
            return ""
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            token = request.headers.get("x-anaphor-csrf", "")
            if not secrets.compare_digest(token.encode("utf-8", "replace"), visit.csrf.encode()):
                raise Refused(403, "csrf", "the page's token is missing: load the page again")
        return visit.secret

    def _has_keys(self) -> bool:
        """Asked of the store each time until there is one: the first key closes the door at once, whoever made it."""
        self._any = self._any or self._keys.exist()
        return self._any

    def _refuse_strangers(self, request: Request) -> None:
        host = _name(request.headers.get("host", ""))
        if host and host not in self._hosts:
            raise Refused(403, "other_host", "without API keys this service answers to the names of this machine only")
        origin = request.headers.get("origin")
        if origin is not None and _name(urlsplit(origin).netloc) not in self._hosts:
            raise Refused(403, "other_origin", "without API keys no other site's page may ask")


_BAD = "the API key is unknown, revoked or has run out"


def _bearer(request: Request) -> str:
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" else ""


def _name(netloc: str) -> str:
    """Without the port."""
    if netloc.startswith("["):
        return netloc.partition("]")[0] + "]"
    return netloc.rpartition(":")[0] if netloc.count(":") == 1 else netloc


def needs(caller: Caller, role: KeyRole) -> None:
    """Raises unless the caller's role holds that one."""
    if not caller.role.holds(role):
        raise Refused(403, "not_allowed", f"the key's role is {caller.role}; this needs {role}")


def as_caller(assistant: Assistant, caller: Caller) -> Assistant:
    """The assistant as that person uses it."""
    return replace(assistant, scope=caller.scope)

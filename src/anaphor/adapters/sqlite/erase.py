"""Erasing: rows, index entries, vectors, traces, and every byte of them in the file.

An erasure is written down before anything is done (``asked``), carried out in one transaction (``done``), and then
wiped: until then the table ``erasures`` says what is left to do, and the next opening of the store does it.

What is covered. ``COVERED`` names every table of the schema and what takes its rows; a test holds it against the
schema, so that a new table cannot be forgotten.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import apsw

from anaphor.adapters.sqlite import audit, facts, gaps, origins, tombstones
from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.lineage import hand_over
from anaphor.adapters.sqlite.looking import look, samples
from anaphor.adapters.sqlite.passages import among, readable, remove_passages
from anaphor.adapters.sqlite.sessions import session_key
from anaphor.errors import StoreBusy, UnknownDocument, UnknownSession, UnknownTurn
from anaphor.ports import Clock
from anaphor.stored import Erased, Looked
from anaphor.text.fold import clean
from anaphor.types import Scope, Sources

COVERED = {
    "sessions": "the session, or every one of the user or tenant",
    "turns": "with their session; one alone keeps its number and nothing else",
    "traces": "with their turn; what a trace tells of erased sources is taken out of it",
    "rests_on": "with their turn",
    "opinions": "with their turn",
    "sayings": "with their turn",
    "facts": "with the last turn that says them (facts.after_turns)",
    "fact_versions": "with their fact, and those with a turn's words or read from it with that turn",
    "fact_terms": "with their fact",
    "forgotten": "with their turn",
    "summaries": "with the first of the turns that they are made from",
    "summary_versions": "with the first of the turns that one of them is made from",
    "generations": "of the user or tenant, by its columns; counts alone",
    "api_keys": "of the user or tenant, by its columns",
    "realms": "of the user or tenant",
    "documents": "the document, or those of the realms",
    "document_metadata": "with their document",
    "passages": "of the turns, documents or realms",
    "lexicon": "the terms of the passages (remove_passages)",
    "lexicon_data": "part of lexicon",
    "lexicon_idx": "part of lexicon",
    "lexicon_docsize": "part of lexicon",
    "lexicon_config": "part of lexicon; settings alone",
    "vectors": "with their passage, of every kind and maker",
    "waiting": "with their passage",
    "retention": "of the tenant",
    "erasures": "holds the target until it is done, then a digest",
    "audit": "holds digests and ids alone; has its own retention",
    "makers": "names embedders, nobody's data",
    "marks": "counts and versions, nobody's data",
    "migrations": "versions of the schema, nobody's data",
    "sqlite_sequence": "the newest keys, nobody's data",
}
"""Every table, and how an erasure reaches it. Any further table that has columns ``tenant`` and ``user`` is emptied of
the person's rows by itself (``_owned``)."""

Carry = Callable[[apsw.Connection, dict[str, Any], float], Erased]


class Erasure:
    """``store.Erasure``."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def turn(self, scope: Scope, turn_id: str) -> Erased:
        return self._erase("turn", scope, turn=turn_id)

    def session(self, scope: Scope) -> Erased:
        return self._erase("session", scope)

    def sessions(self, scopes: Sequence[Scope]) -> Erased:
        """Several, of whomever, and the file wiped once; those that are gone meanwhile are passed over."""
        gone = 0
        for scope in scopes:
            with contextlib.suppress(UnknownSession):
                gone += self._begun("session", scope).sessions
        return Erased(gone, wiped=not gone or self._wipe())

    def document(self, scope: Scope, id_or_source: str) -> Erased:
        with self._database.read() as connection:
            named = _named_documents(connection, scope, [id_or_source], ("document_id", "source"))
        if not named:
            raise UnknownDocument(f"no document {clean(id_or_source)!r} that this user may read")
        return self._erase("document", scope, documents=[key for key, *_ in named])

    def documents(self, scope: Scope, document_ids: Sequence[str]) -> Erased:
        with self._database.read() as connection:
            named = _named_documents(connection, scope, document_ids, ("document_id",))
        return self._erase("document", scope, documents=[key for key, *_ in named]) if named else Erased()

    def user(self, scope: Scope) -> Erased:
        return self._erase("user", scope)

    def tenant(self, scope: Scope) -> Erased:
        return self._erase("tenant", scope)

    def newest(self) -> int:
        with self._database.read() as connection:
            return int(value(connection, "SELECT max(erasure_key) FROM erasures WHERE done_at IS NOT NULL") or 0)

    def reached(self, scope: Scope, sources: Collection[str], after: int) -> bool:
        with self._database.read() as connection:
            done = rows(
                connection,
                "SELECT target FROM erasures WHERE erasure_key > ? AND done_at IS NOT NULL "
                "AND kind IN ('user', 'tenant', 'document')",
                (after,),
            )
            # The realm of an erased document stays, unless its owner or tenant was erased with it.
            realms = rows(
                connection,
                "SELECT owner, collection FROM realms WHERE tenant = ? AND kind = 'documents' AND owner IN ('', ?)",
                (scope.tenant, scope.user),
            )
        mine = {
            origins.of_document(scope.tenant, owner, collection, source)
            for owner, collection in realms
            for source in sources
        }
        mine |= {origins.digest("user", scope.tenant, scope.user), origins.digest("tenant", scope.tenant)}
        return any(not mine.isdisjoint(told.split()) for (told,) in done)

    def samples(self, scope: Scope, limit: int = 200) -> Sequence[str]:
        with self._database.read() as connection:
            return samples(connection, scope, limit)

    def look(self, scope: Scope, samples: Sequence[str]) -> Sequence[Looked]:
        return look(self._database, scope, samples, COVERED)

    def resume(self) -> int:
        with self._database.read() as connection:
            begun = rows(connection, "SELECT erasure_key, kind, target FROM erasures WHERE done_at IS NULL")
            unwiped = value(connection, "SELECT count(*) FROM erasures WHERE wiped_at IS NULL")
        for key, kind, target in begun:
            self._carry_out(key, kind, json.loads(target))
        if unwiped:
            self._wipe()
        return int(unwiped)

    def _erase(self, kind: str, scope: Scope, **named: Any) -> Erased:
        erased = self._begun(kind, scope, **named)
        return replace(erased, wiped=self._wipe())

    def _begun(self, kind: str, scope: Scope, **named: Any) -> Erased:
        """Everything but the wiping."""
        with self._database.write(durable=True) as connection:
            target = _target(connection, kind, scope, named)
            connection.execute(
                "INSERT INTO erasures (kind, target, asked_at) VALUES (?, ?, ?)",
                (kind, json.dumps(target), self._clock()),
            )
            key = connection.last_insert_rowid()
        return self._carry_out(key, kind, target)

    def _carry_out(self, key: int, kind: str, target: dict[str, Any]) -> Erased:
        now, scope = self._clock(), Scope(target["tenant"], target["user"])
        with self._database.write(durable=True) as connection:
            if value(connection, "SELECT done_at FROM erasures WHERE erasure_key = ?", (key,)):
                return Erased()  # another process was faster
            erased = _CARRIED_OUT_BY[kind](connection, target, now)
            connection.execute(
                "UPDATE erasures SET done_at = ?, target = ? WHERE erasure_key = ?", (now, target["digest"], key)
            )
            n = erased.sessions + erased.turns + erased.documents
            audit.record(connection, scope, "erase", kind, target["what"], n, now)
        return erased

    def _wipe(self) -> bool:
        wiped = False
        with contextlib.suppress(StoreBusy):
            # Only what was done before the file was looked through is wiped by it.
            with self._database.read() as connection:
                newest = value(connection, "SELECT max(erasure_key) FROM erasures WHERE done_at IS NOT NULL")
            if wiped := gaps.wipe(self._database):
                with self._database.write() as connection:
                    connection.execute(
                        "UPDATE erasures SET wiped_at = ? WHERE wiped_at IS NULL AND erasure_key <= ?",
                        (self._clock(), newest or 0),
                    )
        return wiped


def _target(connection: apsw.Connection, kind: str, scope: Scope, named: dict[str, Any]) -> dict[str, Any]:
    """Everything needed to carry the erasure out, also by another process, later; ``NotFound`` if there is nothing.

    ``digest`` is what stays of it afterwards; ``what`` goes into the audit.
    """
    target: dict[str, Any] = {"tenant": scope.tenant, "user": scope.user, "what": ""}
    told = [scope.tenant] if kind == "tenant" else [scope.tenant, scope.user]
    if kind in ("session", "turn"):
        target["session"] = session_key(connection, scope)
        target["what"] = scope.session
        told.append(scope.session)
    if kind == "turn":
        from anaphor.adapters.sqlite.turns import required  # turns know sessions, and sessions erasing

        turn = required(connection, scope, named["turn"])
        if turn["erased_at"] and not turn["question"]:
            raise UnknownTurn(f"turn {turn['seq']} of session {clean(scope.session)!r} is erased already")
        target["turn"] = turn["turn_key"]
        target["what"] = f"{scope.session}/{turn['seq']}"
        told.append(str(turn["seq"]))
    if kind == "document":
        found = _named_documents(connection, scope, named["documents"], ("document_key",))
        told = [origins.of_document(scope.tenant, *where) for _, *where, _ in found]
        ids = " ".join(origins.digest("id", document_id) for *_, document_id in found)
        target |= {"documents": [key for key, *_ in found], "origins": told, "what": ids}
    target["digest"] = " ".join(told) if kind == "document" else origins.digest(kind, *told)
    return target


def _named_documents(
    connection: apsw.Connection, scope: Scope, wanted: Sequence[str | int], columns: Sequence[str]
) -> list[tuple[Any, ...]]:
    """Key, owner, collection, source and id of the readable documents; the first of the columns that finds any."""
    names = [clean(name) if isinstance(name, str) else name for name in wanted]
    for column in columns:
        found = rows(
            connection,
            "SELECT document_key, owner, collection, source, document_id FROM documents JOIN realms USING (realm_key) "
            "WHERE realm_key IN (SELECT value FROM json_each(?)) "
            f"AND {column} IN (SELECT value FROM json_each(?))",
            (among(readable(connection, scope, Sources.DOCUMENTS)), among(names)),
        )
        if found:
            return found
    return []


def _turn(connection: apsw.Connection, target: dict[str, Any], now: float) -> Erased:
    key = target["turn"]
    answers = tombstones.after_turns(connection, [key], now)
    passages = _count(connection, "passages WHERE turn_key = ?", key)
    remove_passages(connection, "turn_key = ?", (key,))
    facts.after_turns(connection, [key], now)
    for table in ("traces", "rests_on", "opinions", "forgotten"):
        connection.execute(f"DELETE FROM {table} WHERE turn_key = ?", (key,))
    connection.execute(
        "UPDATE turns SET turn_id = ?, question = '', outcome = 'failed', asked_at = 0, lease_until = 0, lost = 1, "
        "answer = '', decision = NULL, standalone = '', language = 'und', claims = '[]', held_by = '', speaker = '', "
        "erased_at = ? WHERE turn_key = ?",
        (_erased_id(connection, key), now, key),
    )
    return Erased(turns=1, passages=passages, answers=answers)


def _erased_id(connection: apsw.Connection, key: int) -> str:
    """An imported turn keeps its id, a digest that says nothing: importing it again must not bring it back."""
    had = str(value(connection, "SELECT turn_id FROM turns WHERE turn_key = ?", (key,)))
    return had if had.startswith("import-") else f"erased-{secrets.token_hex(8)}"


def _session(connection: apsw.Connection, target: dict[str, Any], now: float) -> Erased:
    key = target["session"]
    hand_over(connection, key)
    turns = [turn for (turn,) in rows(connection, "SELECT turn_key FROM turns WHERE session_key = ?", (key,))]
    answers = tombstones.after_turns(connection, turns, now, but=key)
    facts.after_turns(connection, turns, now)
    passages = _count(connection, "passages JOIN turns USING (turn_key) WHERE session_key = ?", key)
    remove_passages(connection, "turn_key IN (SELECT turn_key FROM turns WHERE session_key = ?)", (key,))
    connection.execute("DELETE FROM sessions WHERE session_key = ?", (key,))
    return Erased(1, len(turns), passages=passages, answers=answers)


def _document(connection: apsw.Connection, target: dict[str, Any], now: float) -> Erased:
    keys = among(target["documents"])
    sources = rows(
        connection, "SELECT source FROM documents WHERE document_key IN (SELECT value FROM json_each(?))", (keys,)
    )
    answers = tombstones.after_documents(connection, target["origins"], [source for (source,) in sources], now)
    passages = _count(connection, "passages WHERE document_key IN (SELECT value FROM json_each(?))", keys)
    remove_passages(connection, "document_key IN (SELECT value FROM json_each(?))", (keys,))
    connection.execute("DELETE FROM documents WHERE document_key IN (SELECT value FROM json_each(?))", (keys,))
    return Erased(documents=len(sources), passages=passages, answers=answers)


def _user(connection: apsw.Connection, target: dict[str, Any], _now: float) -> Erased:
    # The owner '' is no person of that name: it is everybody, and their documents are not one person's to erase.
    return _everything(
        connection,
        "tenant = ? AND {user} = ?",
        (target["tenant"], target["user"]),
        "AND (owner <> '' OR kind = 'memory')",
    )


def _tenant(connection: apsw.Connection, target: dict[str, Any], _now: float) -> Erased:
    return _everything(connection, "tenant = ?", (target["tenant"],))


def _everything(connection: apsw.Connection, whose: str, bindings: tuple[str, ...], but_shared: str = "") -> Erased:
    """All of a person or tenant. Nothing of anybody else rests on it: what is private is shown to its owner alone."""
    sessions = f"SELECT session_key FROM sessions WHERE {whose.format(user='user')}"
    realms = f"SELECT realm_key FROM realms WHERE {whose.format(user='owner')} {but_shared}"
    erased = Erased(
        _count(connection, f"sessions WHERE {whose.format(user='user')}", *bindings),
        _count(connection, f"turns WHERE session_key IN ({sessions})", *bindings),
        _count(connection, f"documents WHERE realm_key IN ({realms})", *bindings),
        _count(connection, f"passages WHERE realm_key IN ({realms})", *bindings),
    )
    remove_passages(connection, f"realm_key IN ({realms})", bindings)
    connection.execute(f"DELETE FROM documents WHERE realm_key IN ({realms})", bindings)
    connection.execute(f"DELETE FROM realms WHERE {whose.format(user='owner')} {but_shared}", bindings)
    connection.execute(f"UPDATE sessions SET parent_key = NULL WHERE session_key IN ({sessions})", bindings)
    for table, columns in _owned(connection):
        if "user" in columns or "user" not in whose:
            connection.execute(f"DELETE FROM {table} WHERE {whose.format(user='user')}", bindings)
    return erased


def _owned(connection: apsw.Connection) -> list[tuple[str, set[str]]]:
    """Tables with a column ``tenant``, and their columns; the audit's is a digest, and not for taking away."""
    found = []
    for (table,) in rows(connection, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"):
        columns = {name for _, name, *_ in rows(connection, f"PRAGMA table_info({table})")}
        if "tenant" in columns and table not in ("audit", "realms"):
            found.append((table, columns))
    return found


def _count(connection: apsw.Connection, what: str, *bindings: str | int) -> int:
    found = row(connection, f"SELECT count(*) FROM {what}", bindings)
    return int(found[0]) if found else 0


_CARRIED_OUT_BY: dict[str, Carry] = {
    "turn": _turn,
    "session": _session,
    "document": _document,
    "user": _user,
    "tenant": _tenant,
}

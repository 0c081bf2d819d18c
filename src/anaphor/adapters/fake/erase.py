"""Erasing, in memory: what is dropped is gone; what rests on it is treated as in any store."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anaphor.adapters.fake.audit import digest, record
from anaphor.adapters.fake.facts import after_turns
from anaphor.adapters.fake.state import Realm, State, StoredTurn, may_read, place
from anaphor.errors import UnknownDocument, UnknownSession, UnknownTurn
from anaphor.stored import Erased, Looked
from anaphor.text.erased import stands_for
from anaphor.text.fold import clean
from anaphor.types import Document, Outcome, Scope, Sources, Support, Turn

NOT_SHOWN = frozenset({"budget", "duplicate"})
STRUCK_OUT = frozenset({Support.UNSUPPORTED, Support.UNCITED})


def _document(tenant: str, owner: str, source: str) -> str:
    return digest("document", tenant, owner, source)


class Erasure:
    """``store.Erasure``."""

    def __init__(self, state: State) -> None:
        self._state = state

    def turn(self, scope: Scope, turn_id: str) -> Erased:
        state = self._state
        with state.lock:
            stored = found_turn(state, scope, turn_id)
            answers = self._tombstones([stored.home], frozenset())
            self._take_out_of_later(stored, "")
            after_turns(state, [stored])
            before = len(state.passages)
            state.remove(stored.home)
            had = stored.turn.turn_id
            kept = had if had.startswith("import-") else f"erased-{secrets.token_hex(8)}"
            blank = Turn(kept, stored.turn.seq, "", Outcome.FAILED)
            stored.turn = replace(blank, erased_at=state.clock())
            stored.trace, stored.committed_at, stored.lost, stored.shown, stored.opinion = "{}", 0.0, True, {}, None
            stored.forgotten = []
            record(state, scope, "erase", "turn", f"{scope.session}/{stored.turn.seq}")
            return Erased(turns=1, passages=before - len(state.passages), answers=answers)

    def session(self, scope: Scope) -> Erased:
        state = self._state
        with state.lock:
            gone = state.session(scope)
            del state.sessions[scope.tenant, scope.user, scope.session]
            shared = {id(turn) for other in state.sessions.values() for turn in other.turns}
            last = [turn for turn in gone.turns if id(turn) not in shared]
            answers = self._tombstones([turn.home for turn in last], frozenset())
            after_turns(state, last)
            before = len(state.passages)
            for turn in last:
                state.remove(turn.home)
            for other in state.sessions.values():
                if other.session.parent == scope.session:
                    other.session = replace(other.session, parent="", branched_after=0)
            record(state, scope, "erase", "session", scope.session, 1 + len(last))
            return Erased(1, len(last), passages=before - len(state.passages), answers=answers)

    def document(self, scope: Scope, id_or_source: str) -> Erased:
        named = self._readable(scope)
        chosen = [one for one in named if one[1].document_id == id_or_source]
        chosen = chosen or [one for one in named if one[1].source == id_or_source]
        if not chosen:
            raise UnknownDocument(f"no document {clean(id_or_source)!r} that this user may read")
        return self._documents(scope, chosen)

    def documents(self, scope: Scope, document_ids: Sequence[str]) -> Erased:
        chosen = [one for one in self._readable(scope) if one[1].document_id in set(document_ids)]
        return self._documents(scope, chosen) if chosen else Erased()

    def _readable(self, scope: Scope) -> list[tuple[Realm, Document]]:
        with self._state.lock:
            found = self._state.documents.items()
            return [(realm, document) for (realm, _), document in found if may_read(scope, realm, Sources.DOCUMENTS)]

    def _documents(self, scope: Scope, chosen: Sequence[tuple[Realm, Document]]) -> Erased:
        state = self._state
        with state.lock:
            places = [place(document, realm) for realm, document in chosen]
            answers = self._tombstones(places, {document.source for _, document in chosen})
            before = len(state.passages)
            for realm, document in chosen:
                state.remove(document)
                del state.documents[realm, document.source]
            state.erased += [_document(realm[0], realm[2], document.source) for realm, document in chosen]
            ids = " ".join(digest("id", document.document_id) for _, document in chosen)
            record(state, scope, "erase", "document", ids, len(chosen))
            return Erased(documents=len(chosen), passages=before - len(state.passages), answers=answers)

    def user(self, scope: Scope) -> Erased:
        return self._everything(scope, "user")

    def tenant(self, scope: Scope) -> Erased:
        return self._everything(scope, "tenant")

    def resume(self) -> int:
        return 0

    def newest(self) -> int:
        return len(self._state.erased)

    def reached(self, scope: Scope, sources: Collection[str], after: int) -> bool:
        mine = {_document(scope.tenant, owner, source) for owner in ("", scope.user) for source in sources}
        mine |= {digest("user", scope.tenant, scope.user), digest("tenant", scope.tenant)}
        with self._state.lock:
            return not mine.isdisjoint(self._state.erased[after:])

    def samples(self, scope: Scope, limit: int = 200) -> Sequence[str]:
        with self._state.lock:
            mine = [key[2] for key in self._state.sessions if key[:2] == (scope.tenant, scope.user)]
        return mine[:limit]

    def look(self, scope: Scope, samples: Sequence[str]) -> Sequence[Looked]:  # noqa: ARG002
        with self._state.lock:
            sessions = self._state.sessions
            realms = [realm for realm, _ in self._state.documents]
            mine = sum(1 for key in sessions if key[:2] == (scope.tenant, scope.user))
            own = sum(1 for realm in realms if (realm[0], realm[2]) == (scope.tenant, scope.user))
            return [Looked("sessions", len(sessions), mine), Looked("documents", len(realms), own)]

    def _everything(self, scope: Scope, kind: str) -> Erased:
        state = self._state
        whole = kind == "tenant"
        with state.lock:
            sessions = [key for key in state.sessions if key[0] == scope.tenant and (whole or key[1] == scope.user)]
            turns = {id(turn) for key in sessions for turn in state.sessions[key].turns}
            documents = [
                key for key in state.documents if key[0][0] == scope.tenant and (whole or key[0][2] == scope.user != "")
            ]
            before = len(state.passages)
            for key in sessions:
                for stored in state.sessions.pop(key).turns:
                    state.remove(stored.home)
            state.memory = {
                key: person
                for key, person in state.memory.items()
                if key[0] != scope.tenant or not (whole or key[1] == scope.user)
            }
            for where in documents:
                state.remove(state.documents.pop(where))
            state.keys = {
                digest: key
                for digest, key in state.keys.items()
                if key.tenant != scope.tenant or not (whole or key.user == scope.user)
            }
            if whole:
                state.retention.pop(scope.tenant, None)
            state.erased.append(digest(kind, scope.tenant, *(() if whole else (scope.user,))))
            n = len(sessions) + len(turns) + len(documents)
            record(state, scope, "erase", kind, "", n)
            return Erased(len(sessions), len(turns), len(documents), before - len(state.passages))

    def _turns(self) -> Iterable[StoredTurn]:
        """Each once, also where branches share it."""
        found = {id(turn): turn for session in self._state.sessions.values() for turn in session.turns}
        return found.values()

    def _tombstones(self, gone: Collection[Hashable], sources: Collection[str]) -> int:
        erased = 0
        for stored in self._turns():
            rests = {where: stored.shown[where] for where in gone if where in stored.shown}
            if not rests:
                continue
            question = stored.turn.question
            if any(rests.values()):
                erased += 1
                _erase_answer(stored, self._state.clock())
                self._take_out_of_later(stored, question)
            else:
                _drop_struck_out(stored)
            trace = json.loads(stored.trace)
            for citation in trace.get("citations", ()):
                citation["source"] = "" if citation.get("source") in sources else citation.get("source")
            trace.pop("notes", None)
            stored.trace = json.dumps(trace)
            for where in rests:
                del stored.shown[where]
        return erased

    def _take_out_of_later(self, source: StoredTurn, said_there: str) -> None:
        seq = source.turn.seq
        later = {
            id(turn): turn
            for session in self._state.sessions.values()
            if any(turn is source for turn in session.turns)
            for turn in session.turns[seq:]
        }
        for stored in later.values():
            _drop_struck_out(stored)
            asked_back = stored.turn.outcome is Outcome.CLARIFYING
            if asked_back:
                _erase_answer(stored, self._state.clock())
            trace = json.loads(stored.trace)
            carried = trace.get("query", {}).get("carried", [])
            told = bool(stored.committed_at)
            if asked_back or not told or any(c["seq"] == seq and c["text"] not in said_there for c in carried):
                stored.turn = replace(stored.turn, standalone="")
                if not told:
                    continue
                trace["query"] = {k: v for k, v in trace.get("query", {}).items() if k == "rewriter"}
                kept = {k: v for k, v in trace.items() if k not in ("notes", "signals")}
                stored.trace = json.dumps(kept)


def shown(state: State, scope: Scope, trace: Mapping[str, Any]) -> dict[Hashable, bool]:
    """Place of every passage that the trace says was evidence → whether the answer quotes it."""
    cited = {line["passage_id"] for line in trace.get("citations", ())}
    left_out = {line["passage_id"] for line in trace.get("left_out", ()) if line.get("reason") in NOT_SHOWN}
    wanted = cited | ({line["passage_id"] for line in trace.get("ranking", ()) if "passage_id" in line} - left_out)
    found: dict[Hashable, bool] = {}
    for stored in state.passages.values() if wanted else ():
        tenant, _, owner, _ = stored.realm
        if stored.passage.passage_id in wanted and tenant == scope.tenant and owner in ("", scope.user):
            where = place(stored.home, stored.realm)
            found[where] = found.get(where, False) or stored.passage.passage_id in cited
    return found


def found_turn(state: State, scope: Scope, turn_id: str) -> StoredTurn:
    """A turn of the scope's session, by id or number."""
    unknown = UnknownTurn(f"no turn {clean(turn_id)!r} in session {clean(scope.session)!r} of this user")
    try:
        turns = state.session(scope).turns
    except UnknownSession as error:
        raise unknown from error
    named = [stored for stored in turns if stored.turn.turn_id == turn_id]
    if not named and turn_id.isascii() and turn_id.isdigit() and len(turn_id) < 16:
        named = [stored for stored in turns if stored.turn.seq == int(turn_id)]
    if not named or (named[0].turn.erased_at and not named[0].turn.question):
        raise unknown
    return named[0]


def _erase_answer(stored: StoredTurn, now: float) -> None:
    stored.turn = replace(stored.turn, answer=stands_for(stored.turn.language), claims=(), erased_at=now)


def _drop_struck_out(stored: StoredTurn) -> None:
    kept = tuple(claim for claim in stored.turn.claims if claim.verdict not in STRUCK_OUT)
    stored.turn = replace(stored.turn, claims=kept)

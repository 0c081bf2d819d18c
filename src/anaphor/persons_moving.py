"""A person's things, out of a store and into one: our own exports, and conversations of other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from anaphor.persons_sessions import noted
from anaphor.portable import Imported, Whole, lines_of, read
from anaphor.steps.take_in import take_in
from anaphor.store import Store
from anaphor.stored import Taken
from anaphor.types import Scope


def exported(store: Store, scope: Scope, sessions: Sequence[str] | None = None) -> Iterator[str]:
    """Everything of the scope's person as lines of JSON, or of these sessions (ids) alone.

    Sessions that a session branched off have to be among them, or turns that it shares would be missing. The audit has
    it before the first line is given.
    """
    portable, memories = store.portable, store.memories
    if sessions is None:
        noted(store, scope, "export", "user")
        known = memories.records(scope), memories.summaries(scope)
        yield from lines_of(portable.documents(scope), portable.logs(scope), *known)
        return
    noted(store, scope, "export", "session", sessions[0])
    yield from lines_of((), (log for log in portable.logs(scope) if log.session.session_id in sessions))


def taken_in(store: Store, scope: Scope, text: str, name: str, me: str = "") -> Taken:
    """Take in what ``text`` holds, whatever wrote it; again adds only what is new, and what of it is counted.

    ``name`` is told in errors; ``me`` is what the person is called in it, where that is not told.
    """
    told = read(text, name, me)
    taken = _whole(store, scope, told) if isinstance(told, Whole) else _conversations(store, scope, told)
    store.audit.note(scope, "import", "user", n=taken.sessions + taken.turns + taken.documents)
    return taken


def _whole(store: Store, scope: Scope, told: Whole) -> Taken:
    """An export of ours. Turns come before the facts that point at them."""
    taken = Taken()
    for entry in told.documents:
        own = replace(entry.document, owner=scope.user)
        reach = replace(scope, collections=scope.collections | {own.collection})
        taken += Taken(documents=int(store.documents.put(reach, own, entry.passages)))
    for log in told.logs:
        taken += store.portable.put(scope, log)
    for record in told.records:
        store.memories.put_record(scope, record)
    for session_id, summary in told.summaries:
        within = scope.within(session_id)
        if store.memories.summary(within) is None:
            store.memories.put_summary(within, replace(summary, version=1))
    return taken


def _conversations(store: Store, scope: Scope, told: Sequence[Imported]) -> Taken:
    taken = Taken()
    for one in told:
        for way in one.paths:
            taken += take_in(store.sessions, store.turns, store.portable, scope, one.origin, one.name, way)
    return taken

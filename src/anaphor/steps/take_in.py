"""Take an imported conversation in; again adds only what is new in it."""

from __future__ import annotations

from collections.abc import Sequence

from anaphor.errors import ArchivedSession
from anaphor.ports import Log, Portable, Sessions
from anaphor.steps.adopt import adopt
from anaphor.stored import Exchange, Taken
from anaphor.types import Scope


def take_in(
    sessions: Sessions, log: Log, portable: Portable, scope: Scope, origin: str, name: str, way: Sequence[Exchange]
) -> Taken:
    """One way through a conversation of that origin. What sessions of that origin already hold of it is shared.

    It goes on where one of them ends; it branches off where they part; it is a session of its own where none begins
    like it. A turn that was erased here stays erased.
    """
    ids = [exchange.turn_id for exchange in way]
    best, shared, length = None, 0, 0
    for session in portable.of_origin(scope, origin):
        held = portable.turn_ids(scope.within(session.session_id))
        common = next((n for n, (a, b) in enumerate(zip(held, ids, strict=False)) if a != b), min(len(held), len(ids)))
        if common > shared or best is None:
            best, shared, length = session, common, len(held)
    if best is not None and shared == len(ids):
        return Taken()
    began = 0
    if best is None or shared == 0:
        best = portable.begin(scope, name, origin, way[0].said_at)
        began = 1
    elif shared < length:
        best = sessions.branch(scope.within(best.session_id), shared)
        began = 1
    try:
        return Taken(began, len(adopt(log, scope.within(best.session_id), way[shared:])))
    except ArchivedSession:
        return Taken(refused=len(way) - shared)

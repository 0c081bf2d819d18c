"""The conversations of one person, each called by its id or its name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from anaphor.arguments import a_text, a_turn, a_whole_number
from anaphor.errors import BadInput, StoreFull
from anaphor.steps.adopt import adopt
from anaphor.store import Store
from anaphor.stored import Erased, Exchange, Opinion, Session
from anaphor.types import Outcome, Scope, Turn

EVERY_TURN = 1_000_000


def noted(store: Store, scope: Scope, act: str, kind: str, what: str = "") -> None:
    """A line in the audit. A disk that is full must not keep anybody from reading what is theirs."""
    with suppress(StoreFull):
        store.audit.note(scope, act, kind, what)


@dataclass(frozen=True, slots=True)
class PersonsSessions:
    """The conversations of one person. Each is named by its id or its name."""

    store: Store
    scope: Scope

    def list(self) -> Sequence[Session]:
        """The one last used first."""
        return self.store.sessions.list(self.scope)

    def start(self, name: str = "", *, ephemeral: bool = False) -> Session:
        """``ephemeral``: nothing of it ever reaches a disk, and it is gone when the assistant is closed."""
        return self.store.sessions.create(self.scope, a_text("name", name), ephemeral=bool(ephemeral))

    def find(self, session: str) -> Session:
        """By id, else by name; ``UnknownSession``."""
        return self.store.sessions.find(self.scope, a_text("session", session))

    def line(self, session: str) -> Sequence[Session]:
        """The session, the one it branched off, and so on."""
        found = [self.find(session)]
        while found[-1].parent:
            found.append(self.find(found[-1].parent))
        return found

    def running(self, session: str) -> Turn | None:
        """The turn that is being answered now, if there is one; ``lease_until`` says how long it may still take."""
        found = self.find(session)
        if not found.turns:
            return None
        newest = self.store.turns.get(self.scope.within(found.session_id), str(found.turns))
        return newest if newest.outcome is Outcome.RUNNING else None

    def turns(self, session: str) -> Sequence[Turn]:
        """Every turn that has ended, oldest first."""
        return self.store.turns.recent(self._within(session), EVERY_TURN)

    def read(self, session: str) -> Sequence[Turn]:
        """As ``turns``, for a person who looks at them; the audit says so."""
        within = self._within(session)
        noted(self.store, within, "read", "session", within.session)
        return self.store.turns.recent(within, EVERY_TURN)

    def branch(self, session: str, after: int, name: str = "") -> Session:
        """A new session that shares the turns up to number ``after`` and goes on from there."""
        after = a_whole_number("after", after)
        return self.store.sessions.branch(self._within(session), after, a_text("name", name))

    def adopt(self, session: str, exchanges: Sequence[Exchange]) -> Sequence[Turn]:
        """Take what was said elsewhere into the session, as turns of the outcome ``unverified``."""
        return adopt(self.store.turns, self._within(session), exchanges)

    def judge(self, session: str, turn: str | int, thumbs: str = "", score: int = 0, comment: str = "") -> Opinion:
        """Keep what the person thought of an answer, in place of what they thought before.

        ``thumbs`` is ``up`` or ``down``, ``score`` 1 to 5; one of the three must say something.
        """
        if thumbs not in ("", "up", "down"):
            raise BadInput(f"thumbs is up or down, not {thumbs[:20]!r}")
        if score != 0 and not 1 <= a_whole_number("score", score) <= 5:
            raise BadInput(f"score is a whole number from 1 to 5, not {score}")
        opinion = Opinion(thumbs, score, a_text("comment", comment))
        if opinion == Opinion():
            raise BadInput("an opinion is thumbs, a score or a comment; none was given")
        scope, turn_id = self._within(session), a_turn("turn", turn)
        self.store.opinions.put(scope, turn_id, opinion)
        return self.store.opinions.get(scope, turn_id) or opinion

    def archive(self, session: str, archived: bool = True) -> Session:
        """Put away, or take out again: what is put away is read as before, and asked nothing."""
        return self.store.sessions.archive(self._within(session), archived)

    def erase_turn(self, session: str, turn: str | int) -> Erased:
        """What was asked and answered in it; its number stays."""
        return self.store.erasure.turn(self._within(session), a_turn("turn", turn))

    def rename(self, session: str, name: str) -> Session:
        """Another name, which must be this person's only one of that name. No turn is touched."""
        return self.store.sessions.rename(self._within(session), a_text("name", name))

    def delete(self, session: str) -> Session:
        """With its turns, traces and everything made from them."""
        found = self.find(session)
        self.store.sessions.delete(self.scope.within(found.session_id))
        return found

    def _within(self, session: str) -> Scope:
        return self.scope.within(self.find(session).session_id)

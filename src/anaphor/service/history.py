"""Which conversation a list of messages is.

Most clients keep the conversation themselves and send all of it each time. What they send back is what was streamed to
them, so a conversation is recognised by its content: each turn has a digest of everything up to it, and the messages
before the question either end at such a turn or they do not.

    they end at the newest turn        the conversation goes on
    they end at an earlier turn        somebody edited or asked again: a branch from there
    they share a beginning with one    a branch from there, and what the client adds is ``unverified``
    nothing is known of them           a new conversation, with everything ``unverified``
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from anaphor.assistant import Assistant
from anaphor.errors import UnknownSession
from anaphor.stored import Exchange, Session
from anaphor.text.fold import clean

MOST = 50_000  # digests kept
LOOKED_THROUGH = 200  # conversations of a person that are read for one not known yet

Pair = tuple[str, str]
Person = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """A turn of a session."""

    session_id: str
    seq: int


class Known:
    """Digests of conversations, by person. Made from the log when wanted: losing them loses nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._places: OrderedDict[tuple[Person, bytes], Place] = OrderedDict()
        self._read: dict[tuple[Person, str], int] = {}  # session → how many turns it had when it was read

    def place(self, assistant: Assistant, pairs: Sequence[Pair]) -> tuple[Place | None, int]:
        """The turn at which the longest known beginning ends, and how many pairs that is."""
        person, digests = _person(assistant), chain(pairs)
        found = self._longest(person, digests)
        if found[1] < len(pairs):
            self._read_on(assistant)
            found = self._longest(person, digests)
        return found

    def go_on(self, assistant: Assistant, pairs: Sequence[Pair], place: Place) -> None:
        """The conversation that ends with these pairs ends at that turn."""
        with self._lock:
            self._keep(_person(assistant), chain(pairs)[-1], place)

    def forget(self, assistant: Assistant, session_id: str) -> None:
        """A session that is not there any more."""
        person = _person(assistant)
        with self._lock:
            for key in [k for k, place in self._places.items() if k[0] == person and place.session_id == session_id]:
                del self._places[key]

    def _read_on(self, assistant: Assistant) -> None:
        """Conversations of the log that are not known yet, or have gone on elsewhere."""
        person = _person(assistant)
        for session in assistant.sessions.list()[:LOOKED_THROUGH]:
            if self._read.get((person, session.session_id)) == session.turns:
                continue
            turns = assistant.sessions.turns(session.session_id)
            with self._lock:
                for digest, turn in zip(chain([(t.question, t.answer) for t in turns]), turns, strict=True):
                    self._keep(person, digest, Place(session.session_id, turn.seq))
                self._read[person, session.session_id] = session.turns

    def _keep(self, person: Person, digest: bytes, place: Place) -> None:
        self._places[person, digest] = place
        self._places.move_to_end((person, digest))
        while len(self._places) > MOST:
            self._places.popitem(last=False)

    def _longest(self, person: Person, digests: Sequence[bytes]) -> tuple[Place | None, int]:
        with self._lock:
            for n in range(len(digests), 0, -1):
                if (place := self._places.get((person, digests[n - 1]))) is not None:
                    return place, n
        return None, 0


def _person(assistant: Assistant) -> Person:
    return assistant.scope.tenant, assistant.scope.user


def chain(pairs: Sequence[Pair]) -> list[bytes]:
    """A digest a pair, of everything up to and with it. White space at the ends does not count."""
    found, before = [], b""
    for question, answer in pairs:
        digest = hashlib.sha256(before)
        for text in (question, answer):
            digest.update(b"\0" + clean(text).strip().encode("utf-8", "replace"))
        before = digest.digest()
        found.append(before)
    return found


def paired(messages: Sequence[tuple[str, str]]) -> tuple[list[Pair], str]:
    """(role, words) of user and assistant → what was asked and answered, and the question that is asked now.

    Several messages of one role in a row are one. The question is empty when the last word was the assistant's.
    """
    pairs: list[list[str]] = []
    last = ""
    for role, words in messages:
        if role == "user":
            if last == "user":
                pairs[-1][0] += "\n" + words
            else:
                pairs.append([words, ""])
        elif role == "assistant":
            if not pairs:
                pairs.append(["", words])
            else:
                pairs[-1][1] = f"{pairs[-1][1]}\n{words}" if last == "assistant" else words
        else:
            continue
        last = role
    question = pairs.pop()[0] if last == "user" else ""
    return [(asked, answered) for asked, answered in pairs], question


def settled(known: Known, assistant: Assistant, pairs: Sequence[Pair]) -> tuple[Session, bool]:
    """The session in which the question is asked, and whether it was made for it."""
    sessions = assistant.sessions
    if not pairs:
        return sessions.start(), True
    while True:
        place, n = known.place(assistant, pairs)
        if place is None:
            session, made = sessions.start(), True
            break
        try:
            session, made = sessions.find(place.session_id), False
        except UnknownSession:
            known.forget(assistant, place.session_id)  # erased meanwhile, and the client goes on with it
            continue
        if n < len(pairs) or session.turns != place.seq:
            session, made = sessions.branch(place.session_id, place.seq), True
        break
    if n < len(pairs):
        sessions.adopt(session.session_id, [Exchange(asked, answered) for asked, answered in pairs[n:]])
    return session, made

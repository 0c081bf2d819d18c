"""Turns that are being answered, and those who listen.

A turn runs in a worker thread, to its commit, whoever listens. What happens is written down as numbered events; a
listener reads them from any number on, so that one who was cut off goes on where they were (``Last-Event-ID``), and one
who never comes back costs nothing. Events are kept for a while after the turn; after that, and after a restart, the
store tells how it ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from anaphor.service.callers import Caller
from anaphor.service.gate import Bounds
from anaphor.service.statuses import Refused, described
from anaphor.turn import Tell
from anaphor.types import Answer, Claim, Ranking, StandaloneQuery, Turn

KEPT = 120.0  # seconds for which the events of a turn are kept after its end,
MOST_KEPT = 500  # of so many turns at most: some 100 kB each
HEARTBEAT = 5.0  # seconds without an event after which a listener hears that the line is alive

Json = dict[str, Any]
Ask = Callable[[Tell, Callable[[], bool]], Answer]


@dataclass(frozen=True, slots=True)
class Event:
    """``n`` counts from 1 within a turn. What it tells is put together when somebody reads it: mostly nobody does."""

    n: int
    name: str
    tell: Callable[[], Json]

    @property
    def told(self) -> Json:
        return self.tell()


@dataclass(frozen=True, slots=True, eq=False)
class _Listener:
    """Whom to wake: for every event, or only at the end."""

    loop: asyncio.AbstractEventLoop
    woken: asyncio.Event
    at_the_end: bool = False


@dataclass(eq=False)
class Flight:
    """One turn on its way. ``answer`` or ``error`` is there once ``done`` is set."""

    caller: Caller
    events: list[Event] = field(default_factory=list)
    answer: Answer | None = None
    error: BaseException | None = None
    turn: Turn | None = None
    session_id: str = ""
    ended_at: float = 0.0
    _stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _listeners: set[_Listener] = field(default_factory=set)

    @property
    def ended(self) -> bool:
        return self.answer is not None or self.error is not None

    def stop(self) -> None:
        """The turn keeps what was released so far and is committed as cancelled."""
        self._stopped.set()

    def run(self, ask: Ask, landed: Callable[[Flight], None] = lambda _: None) -> None:
        """``landed`` hears of the end before any listener does."""
        # Everything is written down before the turn counts as ended: a listener leaves at its end.
        try:
            answer = ask(self._hear, self._stopped.is_set)
            self._publish("verdict", partial(_verdict, answer))
            self._publish("committed", answer.as_dict)
            ended: Answer | BaseException = answer
        except BaseException as error:
            told = described(error)["error"]
            self._publish("error", lambda: told)
            ended = error
        self.ended_at = time.monotonic()
        landed(self)
        if isinstance(ended, Answer):
            self.answer = ended
        else:
            self.error = ended
        self._wake()

    def _hear(self, name: str, value: Any) -> None:
        match value:
            case Turn():
                self.turn = value
                self._publish("accepted", partial(_accepted, value, self.session_id))
            case StandaloneQuery():
                self._publish("decision", partial(_decision, value))
                self._publish("query", partial(_query, value))
            case Ranking():
                # Of a passage only its id is held on to: its text may be erased meanwhile.
                found = [(hit.passage.passage_id, hit.rank, hit.score, hit.ranks) for hit in value.hits]
                self._publish("hits", partial(_hits, found, value.failed))
            case Claim():
                self._publish(name, partial(_claim, value))

    def _publish(self, name: str, tell: Callable[[], Json]) -> None:
        with self._lock:
            self.events.append(Event(len(self.events) + 1, name, tell))
        self._wake()

    def _wake(self) -> None:
        ended = self.ended
        with self._lock:
            listeners = [listener for listener in self._listeners if ended or not listener.at_the_end]
        for listener in listeners:
            with contextlib.suppress(RuntimeError):  # the loop has closed: nobody listens there any more
                listener.loop.call_soon_threadsafe(listener.woken.set)

    async def follow(self, after: int = 0) -> AsyncIterator[Event | None]:
        """Events numbered above ``after``, as they come; ``None`` when nothing came for a while."""
        with self._listening() as me:
            while True:
                me.woken.clear()
                ended = self.ended
                for event in self.events[after:]:
                    yield event
                    after = event.n
                if ended:
                    return
                try:
                    await asyncio.wait_for(me.woken.wait(), HEARTBEAT)
                except TimeoutError:
                    yield None

    @contextlib.contextmanager
    def _listening(self, at_the_end: bool = False) -> Iterator[_Listener]:
        me = _Listener(asyncio.get_running_loop(), asyncio.Event(), at_the_end)
        with self._lock:
            self._listeners.add(me)
        try:
            yield me
        finally:
            with self._lock:
                self._listeners.discard(me)

    async def begun(self) -> None:
        """Returns when the question is written down; raises what kept it from being so."""
        async for _ in self.follow():
            if self.turn is not None:
                return
        if self.error is not None:
            raise self.error

    async def landed(self) -> Answer:
        """The answer, when there is one; raises what the turn failed of."""
        with self._listening(at_the_end=True) as me:  # each waking would take the turn's own thread off its work
            while not self.ended:
                me.woken.clear()
                if not self.ended:
                    await me.woken.wait()
        if self.answer is None:
            raise self.error or RuntimeError("a turn ended without an answer")
        return self.answer


def _accepted(turn: Turn, session_id: str) -> Json:
    return {"turn_id": turn.turn_id, "seq": turn.seq, "session_id": session_id}


def _decision(query: StandaloneQuery) -> Json:
    told = query.as_dict()
    return {key: told[key] for key in _DECISION}


def _query(query: StandaloneQuery) -> Json:
    return {key: value for key, value in query.as_dict().items() if key not in _DECISION}


_DECISION = ("decision", "confidence", "language")


def _hits(found: Sequence[tuple[str, int, float, Mapping[str, int]]], failed: Sequence[str]) -> Json:
    keys = ("passage_id", "rank", "score")
    return {
        "ranking": [{**dict(zip(keys, hit, strict=True)), "ranks": dict(ranks)} for *hit, ranks in found],
        "failed": list(failed),
    }


def _claim(claim: Claim) -> Json:
    verdict = str(claim.verdict) if claim.verdict else None
    return {"text": claim.text, "cites": list(claim.cites), "shown": claim.shown, "verdict": verdict}


def _verdict(answer: Answer) -> Json:
    told = answer.as_dict()
    return {"outcome": told["outcome"], "claims": told["claims"]}


class Flights:
    """All turns on their way. ``workers`` of the bounds run at once; some more wait; the rest is refused."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._pool = ThreadPoolExecutor(bounds.workers, thread_name_prefix="turn")
        self._lock = threading.Lock()
        self._under_way: dict[Flight, Future[None]] = {}
        self._ended: deque[Flight] = deque()  # the first ended first
        self._of_session: dict[str, list[Flight]] = {}
        self._closing = False

    def start(self, caller: Caller, ask: Ask, session_id: str = "") -> Flight:
        """Raises ``Refused`` (429, 503) when this caller, or the service, has too many under way."""
        with self._lock:
            self._sweep()
            if self._closing:
                raise Refused(503, "stopping", "the service is stopping", 5)
            if sum(flight.caller.name == caller.name for flight in self._under_way) >= self._bounds.in_flight:
                raise Refused(429, "turns_in_flight", f"{self._bounds.in_flight} questions are under way already", 1)
            if len(self._under_way) >= self._bounds.workers + self._bounds.waiting:
                raise Refused(503, "full", "as many questions are waiting as can wait", 2)
            flight = Flight(caller, session_id=session_id)
            self._of_session.setdefault(session_id, []).append(flight)
            self._under_way[flight] = self._pool.submit(self._run, flight, ask)
        return flight

    def _run(self, flight: Flight, ask: Ask) -> None:
        flight.run(ask, self._landed)

    def _landed(self, flight: Flight) -> None:
        with self._lock:
            self._under_way.pop(flight, None)
            self._ended.append(flight)

    def find(self, caller: Caller, session_id: str, turn: str) -> Flight | None:
        """That person's turn, by id or number."""
        with self._lock:
            self._sweep()
            for flight in reversed(self._of_session.get(session_id, [])):
                known = flight.turn
                if flight.caller.name == caller.name and known and turn in (known.turn_id, str(known.seq)):
                    return flight
        return None

    def under_way(self) -> int:
        return len(self._under_way)

    def hurry(self) -> None:
        """No more turns begin; those that run get their time, and then are stopped, which commits what they have."""
        with self._lock:
            if self._closing:
                return
            self._closing = True
        late = threading.Timer(self._bounds.grace, self._stop_all)
        late.daemon = True
        late.start()

    def _stop_all(self) -> None:
        with self._lock:
            for flight in self._under_way:
                flight.stop()

    def close(self) -> None:
        """Wait for the turns that run; after their time they are stopped."""
        self.hurry()
        with self._lock:
            running = set(self._under_way.values())
        wait(running, timeout=2 * self._bounds.grace)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _sweep(self) -> None:
        """Events of turns that ended long ago are let go, and of very many turns those of the oldest."""
        old = time.monotonic() - KEPT
        while self._ended and (self._ended[0].ended_at < old or len(self._ended) > MOST_KEPT):
            gone = self._ended.popleft()
            others = self._of_session[gone.session_id]
            others.remove(gone)
            if not others:
                del self._of_session[gone.session_id]

"""Puts the service together: the assistant, its bounds and the routes, as one ASGI application."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import PlainTextResponse
from starlette.concurrency import run_in_threadpool

import anaphor
from anaphor.assistant import Assistant
from anaphor.errors import AnaphorError, BadInput
from anaphor.service import api, completions, memory, page, statuses
from anaphor.service.callers import LOOPBACK, Doorman
from anaphor.service.described import ERRORS, shows
from anaphor.service.desk import Desk, TheAdmin, TheDesk
from anaphor.service.flights import Flights
from anaphor.service.gate import Bounds, Gate
from anaphor.service.history import Known
from anaphor.service.meters import Meters
from anaphor.service.replies import reply


def create(assistant: Assistant, bounds: Bounds | None = None) -> FastAPI:
    """The application over an assistant, which it closes when it stops."""
    bounds = bounds or Bounds()
    doorman = Doorman(assistant.store.keys, assistant.scope, assistant.clock)
    desk = Desk(assistant, doorman, bounds, Flights(bounds), Meters(), Known())

    @contextlib.asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        assistant.embed_in_background()
        desk.flights = Flights(bounds)  # an application that is started again takes questions again
        await run_in_threadpool(desk.reading.start)
        yield
        await run_in_threadpool(desk.flights.close)
        await run_in_threadpool(desk.reading.stop)
        await run_in_threadpool(assistant.close)

    # No page of the framework's own: they would load scripts from elsewhere.
    app = FastAPI(
        title="anaphor", version=anaphor.__version__, docs_url=None, redoc_url=None, lifespan=life,
        description="Conversational question answering that rebuilds the context before it searches.",
    )  # fmt: skip
    app.state.desk = desk
    for router in (completions.router, api.router, memory.router):
        app.include_router(router)
    _at_the_root(app)
    page.installed(app)
    statuses.installed(app)
    app.add_middleware(Gate, bounds=bounds)
    return app


METRICS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Counters and times",
        "content": {
            "text/plain": {"schema": {"type": "string"}, "example": 'anaphor_outcomes_total{outcome="answered"} 12.0\n'}
        },
    }
}


def _at_the_root(app: FastAPI) -> None:
    @app.get("/health", tags=["service"], responses=shows({"status": "ok", "version": anaphor.__version__}))
    async def health() -> Response:
        """This process is alive."""
        return reply({"status": "ok", "version": anaphor.__version__})

    @app.get("/ready", tags=["service"], responses={**shows({"status": "ready"}), 503: ERRORS[503]})
    def ready(desk: TheDesk) -> Response:
        """The store answers."""
        try:
            desk.assistant.store.describe()
        except AnaphorError as error:
            return statuses.answer(error)
        return reply({"status": "ready"})

    @app.get("/metrics", tags=["service"], response_class=PlainTextResponse, responses={**METRICS, **ERRORS})
    def metrics(desk: TheDesk, caller: TheAdmin) -> Response:
        """For Prometheus."""
        assert caller
        desk.meters.flying.set(desk.flights.under_way())
        desk.meters.unread.set(desk.assistant.store.describe()["unread_turns"])
        return Response(desk.meters.text(), media_type="text/plain; version=0.0.4")


def refuse_open_door(assistant: Assistant, host: str) -> None:
    """Without an API key anybody who can reach the address could read everything."""
    if not _is_loopback(host) and not assistant.store.keys.exist():
        raise BadInput(
            f"without an API key the service answers on this machine only, and {host} can be reached from others: "
            "make one with anaphor keys create, or leave --host out"
        )


def _is_loopback(host: str) -> bool:
    if host in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

"""The server under the application: a signal ends it in order, and with status 0."""

from __future__ import annotations

import signal
import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from anaphor.service.desk import Desk

KEEP_ALIVE = 75  # seconds; longer than clients keep an idle connection: they must be the ones to close it
LONGEST_END = 20  # seconds after a signal in which answers that are under way may go out
HEAD = 65_536  # bytes of a request's head


class Server(uvicorn.Server):
    """Ends on SIGINT and SIGTERM. Uvicorn's own sends itself the signal again once all is done: status 143 or 130."""

    def __init__(self, app: FastAPI, host: str, port: int) -> None:
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=LONGEST_END,
            timeout_keep_alive=KEEP_ALIVE,
            h11_max_incomplete_event_size=HEAD,
        )
        super().__init__(config)
        self._desk: Desk = app.state.desk

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  (the signature of a signal's)
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._desk.flights.hurry()  # streams end with their turns, and connections with their streams
        await super().shutdown(sockets)

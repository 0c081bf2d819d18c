"""A model that is slow, on a port of its own."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Slow(BaseHTTPRequestHandler):
    """Says a word every tenth of a second, for a long time."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            for _ in range(300):
                told = {"choices": [{"index": 0, "delta": {"content": "word "}, "finish_reason": None}]}
                self.wfile.write(f"data: {json.dumps(told)}\n\n".encode())
                self.wfile.flush()
                time.sleep(0.1)
        except OSError:
            return

    def log_message(self, *_args):
        pass


@contextmanager
def slow_model():
    """Its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()


@pytest.fixture
def model():
    with slow_model() as address:
        yield address

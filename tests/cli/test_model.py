"""With a model on a server of the OpenAI kind: what it adds, and that its failing never fails the turn."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Server(ThreadingHTTPServer):
    """Replies with ``status``; what it says is ``says``, in pieces; what it was asked is kept in ``asked``."""

    status = 200
    says = "OK"

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Replies)
        self.asked = []


class Replies(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.headers.get("Authorization"), body))
        self.send_response(self.server.status)
        streaming = self.server.status == 200
        self.send_header("Content-Type", "text/event-stream" if streaming else "application/json")
        self.end_headers()
        if not streaming:
            self.wfile.write(json.dumps({"error": {"message": "Incorrect API key provided: sk-wrong"}}).encode())
            return
        for piece in [*self.server.says, ""]:
            choice = {"index": 0, "delta": {"content": piece}, "finish_reason": None if piece else "stop"}
            self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_):
        """The test's output is not the place."""


@pytest.fixture
def server(monkeypatch):
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
        monkeypatch.setenv("ANAPHOR_ANSWER_MODEL", "big-model")
        yield server
        server.shutdown()
        thread.join()


def test_a_model_answers_from_the_evidence_and_is_named(filled, server):
    server.says = "团队版每人每月 35 元。[1]"
    done = filled("ask", "团队版每人每月多少钱？", "--json")
    told = json.loads(done.out)
    assert told["model"]["writer"] == "big-model"
    assert "35" in told["answer"]
    assert server.asked[-1][0] == "Bearer sk-wrong"
    assert "quoted" not in done.err


def test_a_wrong_key_costs_the_model_and_not_the_answer(filled, server):
    server.status = 401
    done = filled("ask", "团队版每人每月多少钱？", "--new-session", "prices")
    assert done.status == 1  # a setting has to be mended
    assert "团队版每人每月 35 元" in done.out
    assert json.loads(filled("trace", "prices", "--json").out)["outcome"] == "answered"
    assert "big-model" in done.err
    assert "sk-wrong" not in done.out + done.err


def test_a_server_that_fails_for_now_fails_nothing(filled, server):
    server.status = 500
    done = filled("ask", "团队版每人每月多少钱？")
    assert done.status == 0
    assert "团队版每人每月 35 元" in done.out
    assert "big-model" in done.err


def test_the_doctor_asks_the_model(filled, server):
    assert "✓ answering  big-model" in filled("doctor").out
    server.status = 401
    done = filled("doctor")
    assert done.status == 1
    assert "✗ answering  big-model" in done.out
    assert "sk-wrong" not in done.out + done.err


def test_a_server_without_a_model_name_is_one_clear_line(anaphor, server, monkeypatch):
    monkeypatch.delenv("ANAPHOR_ANSWER_MODEL")
    done = anaphor("ask", "What is 401?")
    assert done.status == 1
    assert "set ANAPHOR_MODEL" in done.err


def test_no_key_is_ever_in_the_store(filled, server, place):
    server.status = 401
    filled("ask", "团队版每人每月多少钱？")
    filled("chat", stdin="那企业版呢？\n")
    assert not [path for path in place.glob("anaphor.db*") if b"sk-wrong" in path.read_bytes()]


def test_a_rewriting_model_is_asked_only_with_its_flag(anaphor, server, monkeypatch):
    monkeypatch.setenv("ANAPHOR_REWRITE_MODEL", "small-model")
    messages = json.dumps([{"role": "user", "content": "東京の人口は？"}, {"role": "user", "content": "大阪は？"}])
    assert anaphor("reconstruct", stdin=messages).status == 0
    assert server.asked == []
    assert anaphor("reconstruct", "--model", stdin=messages).status == 0

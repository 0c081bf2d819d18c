"""Embedding in the background: it goes on by itself, turns come first, and nothing is lost when it stops."""

import threading
import time

import pytest

from anaphor.adapters.fake import HashEmbedder, Store
from anaphor.errors import ModelUnavailable, WrongEmbedder
from anaphor.ingest import backlog as module
from anaphor.ingest.backlog import MOST, Backlog, paced
from contracts.scenes import MEI, put


class Watched(HashEmbedder):
    """Says when it is asked, and waits until it may answer."""

    def __init__(self):
        super().__init__(16)
        self.asked = threading.Semaphore(0)
        self.may = threading.Event()
        self.may.set()
        self.fails = 0

    def embed(self, texts, *, query):
        self.asked.release()
        assert self.may.wait(10)
        if self.fails:
            self.fails -= 1
            raise ModelUnavailable("the server is down")
        return super().embed(texts, query=query)


@pytest.fixture
def embedder():
    return Watched()


@pytest.fixture
def store():
    store = Store()
    for n in range(40):
        put(store, MEI, f"{n}.md", f"台中市的人口 {n}")
    return store


@pytest.fixture
def backlog(store, embedder, monkeypatch):
    monkeypatch.setattr(module, "PAUSE", 0.01)
    made = Backlog(store.dense(embedder))
    yield made
    embedder.may.set()
    made.stop()


def until(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_it_ends_when_nothing_waits_and_begins_again_when_something_does(store, backlog):
    assert (backlog.waiting, backlog.running) == (40, False)
    backlog.wake()
    until(lambda: not backlog.running)
    assert backlog.waiting == 0
    put(store, MEI, "new.md", "東京の人口")
    backlog.wake()
    until(lambda: backlog.waiting == 0)


def test_what_is_stored_during_the_last_step_is_not_forgotten(store, backlog, embedder):
    embedder.may.clear()
    backlog.wake()
    assert embedder.asked.acquire(timeout=10)
    put(store, MEI, "new.md", "東京の人口")
    backlog.wake()
    embedder.may.set()
    until(lambda: backlog.waiting == 0 and not backlog.running)


def test_while_a_turn_runs_no_step_is_begun(backlog, embedder):
    with backlog.standing_back():
        with backlog.standing_back():
            backlog.wake()
        assert not embedder.asked.acquire(timeout=0.1)
        assert backlog.waiting == 40
    until(lambda: backlog.waiting == 0)


def test_what_a_turn_leaves_to_embed_is_embedded_after_it(store, backlog):
    backlog.wake()
    until(lambda: backlog.waiting == 0 and not backlog.running)
    with backlog.standing_back():
        put(store, MEI, "said.md", "我住在台中。")
    until(lambda: backlog.waiting == 0)
    backlog.stop()
    with backlog.standing_back():
        put(store, MEI, "more.md", "我住在台南。")
    assert (backlog.running, backlog.waiting) == (False, 1), "nobody asked for it since it was stopped"


def test_stopped_it_leaves_the_rest_for_the_next_time(backlog, embedder):
    embedder.may.clear()
    backlog.wake()
    assert embedder.asked.acquire(timeout=10)
    stopping = threading.Thread(target=backlog.stop)
    stopping.start()
    embedder.may.set()
    stopping.join(10)
    assert not backlog.running
    assert 0 < backlog.waiting < 40
    backlog.wake()
    until(lambda: backlog.waiting == 0)


def test_one_that_stands_back_can_be_stopped(backlog):
    with backlog.standing_back():
        backlog.wake()
        backlog.stop()
        assert not backlog.running


def test_a_server_that_fails_is_asked_again(backlog, embedder):
    embedder.fails = 3
    backlog.wake()
    until(lambda: backlog.waiting == 0)
    assert backlog.failed == ""


def test_a_server_that_stays_down_is_told_and_waited_for(backlog, embedder):
    embedder.fails = 1_000
    backlog.wake()
    until(lambda: backlog.failed == "the server is down")
    assert backlog.running
    backlog.stop()
    assert not backlog.running


def test_vectors_of_another_embedder_end_it(store, backlog):
    store.dense(HashEmbedder(64)).refresh()
    backlog.wake()
    until(lambda: not backlog.running)
    assert "anaphor rebuild --embeddings" in backlog.failed
    with pytest.raises(WrongEmbedder):
        store.dense(Watched()).refresh()


def test_steps_are_as_long_as_a_turn_may_wait():
    assert [paced(8, seconds) for seconds in (0.01, 0.4, 1.5)] == [16, 8, 4]
    assert (paced(MOST, 0.0), paced(1, 60.0)) == (MOST, 1)

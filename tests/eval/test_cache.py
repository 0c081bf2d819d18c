"""What is worked out once is worked out never again, also after a kill."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from anaphor.adapters.fake.embed import HashEmbedder
from anaphor.errors import BadInput
from anaphor_eval.cache import NAME, Cache, Cached, key_of

TEXTS = ["the population of Tokyo", "東京的人口", "东京的人口", "東京の人口", "the population of Tokyo", "", "\ud83d"]


class Counting:
    """A hashing embedder that remembers what it was asked."""

    name, dimensions = "counting", 32

    def __init__(self):
        self.asked = []

    def embed(self, texts, *, query):
        self.asked += [(text, query) for text in texts]
        return HashEmbedder(32).embed(texts, query=query)


def test_vectors_are_the_embedders_own_and_each_is_made_once(tmp_path):
    embedder = Counting()
    with Cache(tmp_path) as cache:
        cached = Cached(embedder, cache, threads=2)
        assert (cached.name, cached.dimensions) == ("counting", 32)
        once = cached.embed(TEXTS, query=False)
        assert len(embedder.asked) == len(set(TEXTS))
        assert np.allclose(once, HashEmbedder(32).embed(TEXTS, query=False))
        again = cached.embed(TEXTS, query=False)
        assert len(embedder.asked) == len(set(TEXTS))
        assert np.array_equal(once, again)
        cached.embed(TEXTS[:1], query=True)
        assert embedder.asked[-1] == (TEXTS[0], True)


def test_another_run_finds_them_and_another_model_does_not(tmp_path):
    with Cache(tmp_path) as cache:
        Cached(HashEmbedder(32), cache).embed(TEXTS, query=True)
    embedder = Counting()
    with Cache(tmp_path) as cache:
        Cached(embedder, cache).embed(TEXTS, query=True)
        assert embedder.asked
        embedder.asked.clear()
        Cached(embedder, cache).embed(TEXTS, query=True)
        assert not embedder.asked


def test_the_texts_themselves_are_not_kept(tmp_path):
    with Cache(tmp_path) as cache:
        Cached(HashEmbedder(32), cache).embed(["a very private sentence"], query=False)
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"private" not in kept


def test_a_cell_is_kept_whole(tmp_path):
    with Cache(tmp_path) as cache:
        assert cache.cell(b"k") is None
        cache.keep_cell(b"k", {"ranking": ["年次#1", "a"], "ms": 0.1})
        assert cache.cell(b"k") == {"ranking": ["年次#1", "a"], "ms": 0.1}


def test_a_cell_that_nobody_asks_for_any_more_is_dropped(tmp_path, monkeypatch):
    with Cache(tmp_path) as cache:
        cache.keep_cell(b"k", [1])
    later = time.time() + 31 * 86_400
    monkeypatch.setattr("anaphor_eval.cache.time.time", lambda: later)
    with Cache(tmp_path) as cache:
        assert cache.cell(b"k") is None


def test_keys_tell_where_one_part_ends():
    assert key_of("ab", "c") != key_of("a", "bc")


def test_a_folder_that_cannot_be_used_is_one_clear_error(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="name another with --cache"):
        Cache(tmp_path / "file")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / NAME).write_text("not a database, but long enough to be taken for one" * 40)
    with pytest.raises(BadInput, match="cannot be used"):
        Cache(tmp_path / "broken")


# ── a run that is killed and goes on ──────────────────────────────────────────────────────────────────────────────

RUN = """
import sys, time
from anaphor import wiring
from anaphor.adapters.fake.embed import HashEmbedder
from anaphor.cli import run

class Slow(HashEmbedder):
    def embed(self, texts, *, query):
        time.sleep(float(sys.argv[1]))
        return super().embed(texts, query=query)

wiring.embedder = lambda _settings: (Slow(64), "for the test")
sys.exit(run(sys.argv[2:]))
"""


def talk(folder):
    passages = [
        {"id": f"p{n}", "lang": "en", "title": "", "text": f"Plan {n} costs {n * 7} dollars a month."}
        for n in range(120)
    ]
    turns = [
        {
            "turn": n + 1,
            "task_id": f"t{n}",
            "query": f"What does plan {n} cost?",
            "standalone": None,
            "gold_passages": [f"p{n}"],
            "reply": "Some dollars.",
        }
        for n in range(40)
    ]
    (folder / "plans_passages.jsonl").write_text("\n".join(map(json.dumps, passages)), "utf-8")
    rows = [{"id": f"c{i}", "lang": "en", "turns": turns[i : i + 4]} for i in range(0, 40, 4)]
    path = folder / "plans_talk.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def start(folder, cache, out, pause):
    arguments = ["eval", "retrieval", str(talk(folder)), "--rewriter", "raw", "--rewriter", "previous"]
    arguments += ["--retriever", "dense", "--retriever", "rrf", "--cache", str(cache), "--json", str(out)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ANAPHOR_", "OPENAI_"))}
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(pause), *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL
    )


def vectors(cache):
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(cache / NAME)) as connection:
        return connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
    return 0


def rows_of(out):
    rows = json.loads(out.read_text("utf-8"))["rows"]
    for row in rows:
        for name in ("ms_p50", "ms_p95"):
            del row["metrics"][name]
    return rows


def test_a_file_that_was_damaged_is_one_line_that_says_the_cure(tmp_path):
    with Cache(tmp_path) as cache:
        cache.keep_cell(b"key", {"rows": []})
        cache._connection.execute("UPDATE finished SET cell = x'00'")
        cache._connection.commit()
        with pytest.raises(BadInput, match=r"anaphor-eval\.sqlite cannot be used \(.*\); delete it, or name another"):
            cache.cell(b"key")
        cache._connection.execute("DROP TABLE vectors")
        with pytest.raises(BadInput, match="delete it"):
            cache.vectors("m", [b"key"])


def test_a_run_that_is_killed_and_resumed_gives_identical_rows(tmp_path):
    whole = start(tmp_path, tmp_path / "whole", tmp_path / "whole.json", 0)
    assert whole.wait(60) == 0
    killed = start(tmp_path, tmp_path / "killed", tmp_path / "resumed.json", 0.15)
    deadline = time.monotonic() + 60
    while vectors(tmp_path / "killed") < 32 and time.monotonic() < deadline:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    half = vectors(tmp_path / "killed")
    assert 32 <= half < 160
    assert not (tmp_path / "resumed.json").exists()
    resumed = start(tmp_path, tmp_path / "killed", tmp_path / "resumed.json", 0)
    assert resumed.wait(60) == 0
    assert rows_of(tmp_path / "resumed.json") == rows_of(tmp_path / "whole.json")
    again = start(tmp_path, tmp_path / "killed", tmp_path / "again.json", 0)
    assert again.wait(60) == 0
    first, second = (json.loads((tmp_path / f"{name}.json").read_text())["rows"] for name in ("resumed", "again"))
    assert first == second  # to the millisecond: finished cells are not measured again

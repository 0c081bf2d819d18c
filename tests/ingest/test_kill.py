"""kill -9 at random moments of ingest and of embedding, then once more to the end: the same store as without."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from adapters.sqlite.test_failures import orphans
from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store
from contracts.scenes import MEI, query

INGEST = """
import sys, time
from pathlib import Path
from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store
from anaphor.ingest import index
from anaphor.ingest.load import load
from anaphor.text.tokens import estimate
from anaphor.types import Scope

path, folder, size, anew = sys.argv[1:]
index.AT_ONCE = 7  # many transactions

class Slow(HashEmbedder):
    def embed(self, texts, *, query):
        time.sleep(0.002 * len(texts))
        return super().embed(texts, query=query)

with Store(path) as store:
    dense = store.dense(Slow(int(size)))
    print("begun", flush=True)
    if anew == "anew":
        dense.begin_anew()
    else:
        to = index.Destination(store.documents, Scope("acme", "mei"))
        index.ingest(load([folder], Path(folder).parent), to, count=estimate, clock=lambda: 1.0, sync=[folder])
        store.lexical.refresh()
    while dense.refresh(5):
        pass
"""
TEXTS = ("特休假每年{n}天。", "团队版每人每月{n}元。", "夏季休暇は{n}日です。", "Kestrel keeps messages for {n} days.")


def start(path: Path, folder: Path, size: int = 16, anew: bool = False) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INGEST, str(path), str(folder), str(size), "anew" if anew else "-"],
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(child: subprocess.Popen[str]) -> None:
    child.communicate(timeout=120)
    assert child.returncode == 0


def change(folder: Path, chance: random.Random, files: int) -> None:
    """Write some files anew, take some away."""
    for _ in range(chance.randrange(1, 6)):
        n = chance.randrange(files)
        file = folder / f"{n % 5}" / f"{n}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and chance.random() < 0.3:
            file.unlink()
            continue
        # Never two of the same content: which of them is the copy would depend on which came first.
        parts = [chance.choice(TEXTS).format(n=chance.randrange(10**9)) for _ in range(chance.randrange(1, 8))]
        file.write_text(f"# {n}\n\n" + "\n\n## x\n\n".join(parts), encoding="utf-8")


def everything(path: Path, size: int = 16) -> dict[str, Any]:
    """What the store holds, however it came to hold it."""
    with Store(path) as store:
        assert not any(orphans(store).values())
        assert store.describe()["pending_vectors"] == 0
        assert store.describe()["coming_embedder"] is None
        held = {d.source: (d.version, d.title, d.language, dict(d.metadata)) for d in store.documents.list(MEI)}
        texts = {source: store.documents.get(MEI, source).text for source in held}
        with store._database.read() as connection:
            rows = connection.execute(
                "SELECT passage_id, source, text, section, passages.span_start, passages.span_end, language, "
                "kind, vector FROM passages JOIN vectors USING (passage_key) ORDER BY passage_id, kind"
            )
            passages = list(rows)
            assert list(connection.execute("PRAGMA integrity_check")) == [("ok",)]
            assert list(connection.execute("PRAGMA foreign_key_check")) == []
            ((stored,),) = connection.execute("SELECT count(*) FROM passages")
        assert len(passages) == stored
        found = {
            word: sorted(
                (hit.passage.passage_id, round(hit.score, 6))
                for hit in store.lexical.search(MEI, query(word), limit=10_000)
            )
            for word in ("特休假", "团队版", "夏季休暇", "messages")
        }
        near = [hit.passage.passage_id for hit in store.dense(HashEmbedder(size)).search(MEI, query("休假"), limit=10)]
    return {"documents": held, "texts": texts, "passages": passages, "found": found, "near": near}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "kb"
    made.mkdir()
    return made


@pytest.mark.parametrize(
    "kills", [pytest.param(25, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.soak)], ids=str
)
def test_ingest_that_is_killed_and_resumed_gives_the_store_that_would_be_there(
    tmp_path: Path, folder: Path, kills: int
) -> None:
    chance = random.Random(4_711)
    killed = tries = 0
    longest = 0.25  # seconds until the kill, at most: shorter where the machine is quicker
    while killed < kills:
        tries += 1
        assert tries < 10 * kills, f"{killed} of {tries} were killed before they were done"
        change(folder, chance, files=60)
        child = start(tmp_path / "killed.db", folder)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.uniform(0, longest))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        in_time = child.returncode == -signal.SIGKILL
        killed += in_time
        longest *= 1.05 if in_time else 0.8
        with Store(tmp_path / "killed.db") as store:
            assert not any(orphans(store).values())
    finish(start(tmp_path / "killed.db", folder))
    finish(start(tmp_path / "whole.db", folder))
    assert everything(tmp_path / "killed.db") == everything(tmp_path / "whole.db")


@pytest.mark.slow
def test_embedding_anew_that_is_killed_goes_on_where_it_was(tmp_path: Path, folder: Path) -> None:
    chance = random.Random(12)
    for _ in range(20):
        change(folder, chance, files=60)
    finish(start(tmp_path / "a.db", folder))
    for _ in range(4):
        child = start(tmp_path / "a.db", folder, size=32, anew=True)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.uniform(0.02, 0.15))
        child.kill()
        child.communicate()
    finish(start(tmp_path / "a.db", folder, size=32, anew=True))
    finish(start(tmp_path / "b.db", folder, size=32))
    assert everything(tmp_path / "a.db", 32) == everything(tmp_path / "b.db", 32)


def test_two_processes_that_ingest_at_once_give_what_one_gives(tmp_path: Path, folder: Path) -> None:
    chance = random.Random(99)
    for _ in range(3):
        for _ in range(8):
            change(folder, chance, files=40)
        children = [start(tmp_path / "both.db", folder) for _ in range(2)]
        for child in children:
            finish(child)
    finish(start(tmp_path / "one.db", folder))
    assert everything(tmp_path / "both.db") == everything(tmp_path / "one.db")

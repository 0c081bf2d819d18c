"""What ingest, embed and documents do with sync, metadata, collections and what waits to be embedded."""

import io
import json
import sys

import pytest

from anaphor.adapters.fake import HashEmbedder
from anaphor.cli import run
from anaphor.errors import ModelUnavailable


@pytest.fixture
def embedding(monkeypatch):
    """An embedder that is there, and whose failures the test decides."""
    from anaphor import wiring

    class Told(HashEmbedder):
        raises = None
        after = 0

        def embed(self, texts, *, query):
            if not query and Told.raises and not Told.after:
                raise Told.raises
            Told.after = max(0, Told.after - (not query))
            return super().embed(texts, query=query)

    Told.raises, Told.after = None, 0
    monkeypatch.setattr(wiring, "embedder", lambda settings: (Told(), "the test's"))
    return Told


def counts(done):
    return json.loads(done.out)["counts"]


def test_sync_removes_what_is_gone_and_says_so(filled, place):
    (place / "kb/休暇.md").unlink()
    assert counts(filled("ingest", "kb", "--json")) == {"unchanged": 3}
    done = filled("ingest", "kb", "--sync")
    assert (done.status, done.out.splitlines()[0]) == (0, "- kb/休暇.md")
    assert "休暇" not in filled("documents", "list").out


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("typed", "status"), [("n\n", 1), ("", 1), ("y\n", 0)])
def test_on_a_terminal_sync_asks_first(filled, place, monkeypatch, capsys, typed, status):
    (place / "kb/休暇.md").unlink()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    assert run(["ingest", "kb", "--sync"]) == status
    assert "Remove 1 documents whose files are gone (kb/休暇.md)? [y/N]" in capsys.readouterr().err
    assert ("休暇" in filled("documents", "list").out) is bool(status)


def test_what_is_said_of_documents_filters_them(filled):
    filled("ingest", "kb/retention.md", "--meta", "team=平台組")
    listed = json.loads(filled("documents", "list", "--filter", "team=平台組", "--json").out)
    assert [d["source"] for d in listed] == ["kb/retention.md"]
    asked = ("ask", "--json", "How long are messages kept?", "--filter")
    assert json.loads(filled(*asked, "team=平台組").out)["citations"]
    assert not json.loads(filled(*asked, "team=sales").out)["ranking"]
    assert filled("ingest", "kb", "--meta", "team").status == 1
    assert filled("ingest", "kb", "--meta", "path=/").err.startswith("anaphor: metadata cannot be named 'path'")


def test_a_document_is_shown_and_collections_are_counted(filled):
    told = json.loads(filled("documents", "show", "kb/休暇.md", "--json").out)
    assert told["text"].startswith("# 休暇規程")
    assert "夏季休暇は5日です。" in filled("documents", "show", told["document_id"]).out
    assert filled("documents", "show", "nothing").status == 1
    done = filled("ingest", "kb/休暇.md", "--collection", "rules")
    assert "ANAPHOR_COLLECTIONS" in done.err
    filled("ingest", "kb/retention.md", "--private")
    told = json.loads(filled("documents", "collections", "--collections", "default,rules", "--json").out)
    assert told == [
        {"collection": "default", "documents": 4, "private": 1},
        {"collection": "rules", "documents": 1, "private": 0},
    ]
    assert filled("documents", "collections").out == "     5  default  (1 private)\n"


def test_embedding_can_be_left_to_the_next_time(anaphor, place, embedding):
    (place / "a.md").write_text("特休假每年十四天。", "utf-8")
    done = anaphor("ingest", "a.md", "--no-embed")
    assert (done.status, done.err.startswith("1 passages are still to be embedded")) == (0, True)
    assert json.loads(anaphor("embed", "--json").out) == {"embedder": "hash-256", "vectors": 1, "left": 0}
    assert anaphor("ingest", "a.md").err == ""


def test_interrupted_embedding_loses_nothing(anaphor, place, embedding):
    for n in range(70):
        (place / f"{n}.md").write_text(f"特休假每年 {n} 天。", "utf-8")
    embedding.raises, embedding.after = KeyboardInterrupt(), 1
    done = anaphor("ingest", ".", "--json")
    assert (done.status, json.loads(done.out)["backlog"]) == (130, 38)
    assert json.loads(anaphor("ask", "--json", "特休假幾天？").out)["ranking"]
    embedding.after = 1
    done = anaphor("embed")
    assert (done.status, done.err.startswith("6 passages are still")) == (130, True)
    embedding.raises = None
    assert json.loads(anaphor("ingest", ".", "--json").out)["backlog"] == 0


def test_an_embedder_that_fails_costs_no_document(anaphor, place, embedding):
    (place / "a.md").write_text("特休假每年十四天。", "utf-8")
    embedding.raises = ModelUnavailable("the server is down")
    done = anaphor("ingest", "a.md")
    assert done.status == 1
    assert done.out == "+ a.md  1\n1 added · 1 passages\n"
    assert "not all are embedded: the server is down" in done.err


def test_embed_without_an_embedder_or_a_store_says_why(anaphor, filled):
    assert "there is no embedder" in filled("embed").err
    assert "there is no store" in anaphor("embed", "--store", "none.db").err


def test_chat_goes_on_with_what_waits(anaphor, place, embedding, monkeypatch):
    (place / "a.md").write_text("特休假每年十四天。", "utf-8")
    anaphor("ingest", "a.md", "--no-embed")
    from anaphor.ingest.backlog import Backlog

    woken = []
    monkeypatch.setattr(Backlog, "wake", lambda self: woken.append(self.waiting))
    monkeypatch.setattr(sys, "stdin", io.StringIO("特休假幾天？\n"))
    assert anaphor("chat").status == 0
    assert woken == [1]


def test_watching_takes_in_what_changes_until_it_is_interrupted(anaphor, place, monkeypatch, embedding):
    from anaphor.ingest import watch

    (place / "kb").mkdir()
    (place / "kb/a.md").write_text("特休假每年十四天。", "utf-8")

    def changes(roots, stop):
        yield set()
        (place / "kb/b.md").write_text("夏季休暇は5日です。", "utf-8")
        (place / "kb/a.md").unlink()
        yield {(1, str(place / "kb/b.md")), (3, str(place / "kb/a.md"))}
        raise KeyboardInterrupt

    monkeypatch.setattr(watch, "_changes", changes)
    done = anaphor("ingest", "kb", "--watch", "--meta", "team=hr")
    assert done.status == 0
    assert done.out == "+ kb/a.md  1\n1 added · 1 passages\n- kb/a.md\n+ kb/b.md  1\n1 added, 1 removed · 1 passages\n"
    assert json.loads(anaphor("documents", "list", "--json").out)[0]["metadata"]["team"] == "hr"


def test_another_embedder_is_told_and_embeds_anew_beside_what_is_there(anaphor, place, embedding, monkeypatch):
    from anaphor import wiring

    for n in range(40):
        (place / f"{n}.md").write_text(f"特休假每年 {n} 天。", "utf-8")
    anaphor("ingest", ".")
    asked = ("ask", "--json", "特休假幾天？")
    monkeypatch.setattr(wiring, "embedder", lambda settings: (HashEmbedder(64), "the test's"))
    told = anaphor("doctor", "--offline")
    assert (told.status, "vectors were made by hash-256: anaphor rebuild --embeddings\n" in told.out) == (1, True)
    assert any("hash-256" in note and "hash-64" in note for note in json.loads(anaphor(*asked).out)["notes"])

    class Interrupted(HashEmbedder):
        asked = 0

        def embed(self, texts, *, query):
            Interrupted.asked += 1
            if Interrupted.asked > 1:
                raise KeyboardInterrupt
            return super().embed(texts, query=query)

    monkeypatch.setattr(wiring, "embedder", lambda settings: (Interrupted(64), "the test's"))
    assert anaphor("rebuild", "--embeddings").status == 130
    assert "goes on, 8 passages are left" in anaphor("doctor", "--offline").out
    monkeypatch.setattr(wiring, "embedder", lambda settings: (embedding(), "the test's"))
    assert not json.loads(anaphor(*asked).out)["notes"], "the earlier vectors answer meanwhile"
    monkeypatch.setattr(wiring, "embedder", lambda settings: (HashEmbedder(64), "the test's"))
    assert json.loads(anaphor("rebuild", "--embeddings", "--json").out)["left"] == 0
    assert not json.loads(anaphor(*asked).out)["notes"]

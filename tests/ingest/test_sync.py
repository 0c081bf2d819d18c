"""What is gone goes, what another ingest does meanwhile is seen, and what was said about a document stays with it."""

import os
import shutil
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.adapters.fake import FixedClock, HashEmbedder, Store
from anaphor.adapters.sqlite import Store as SqliteStore
from anaphor.errors import BadInput, MissingFile
from anaphor.ingest.front_matter import front_matter
from anaphor.ingest.index import Destination, ingest
from anaphor.ingest.load import Skipped, load
from anaphor.ingest.pattern import matches
from anaphor.ingest.sync import gone, still_named
from anaphor.text.tokens import estimate
from anaphor.types import Decision, Scope, Sources, StandaloneQuery

SCOPE = Scope("acme", "mei")


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    made = Store(clock=FixedClock()) if request.param == "memory" else SqliteStore(tmp_path / "a.db", FixedClock())
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "kb"
    for name, text in [
        ("休假.md", "# 休假\n\n特休假每年十四天。\n"),
        ("sub/套餐.md", "# 套餐\n\n团队版每人每月 35 元。\n"),
        ("sub/休暇.txt", "夏季休暇は5日です。\n"),
        ("retention.txt", "Kestrel keeps messages for seven days.\n"),
    ]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def take_in(store, tmp_path):
    def run(*paths, sync=True, metadata=None, on_file=None, **where):
        to = Destination(store.documents, SCOPE, **where)
        named = [str(path) for path in paths]
        there = still_named(to.shelf(), named) if sync else named
        report = ingest(
            load(there, tmp_path) if there else [],
            to,
            count=estimate,
            clock=FixedClock(),
            sync=named if sync else (),
            metadata=metadata,
            on_file=on_file,
        )
        return {file.source: str(file.fate) for file in report.files}

    return run


def found(store, text, **how):
    hits = store.lexical.search(SCOPE, StandaloneQuery(text, Decision.STANDALONE, 1.0), **how)
    return [hit.passage.source for hit in hits]


def sources(store, scope=SCOPE):
    return [d.source for d in store.documents.list(scope)]


def test_what_is_gone_is_in_no_ranking_any_more(folder, store, take_in):
    take_in(folder)
    dense = store.dense(HashEmbedder())
    dense.refresh()
    (folder / "retention.txt").unlink()
    shutil.rmtree(folder / "sub")
    assert take_in(folder) == {
        "kb/retention.txt": "removed",
        "kb/sub/休暇.txt": "removed",
        "kb/sub/套餐.md": "removed",
        "kb/休假.md": "unchanged",
    }
    assert found(store, "seven days") == found(store, "团队版") == found(store, "夏季休暇") == []
    hits = dense.search(SCOPE, StandaloneQuery("seven days", Decision.STANDALONE, 1.0), sources=Sources.BOTH)
    assert [hit.passage.source for hit in hits] == ["kb/休假.md"]


def test_without_sync_what_is_gone_stays(folder, store, take_in):
    take_in(folder)
    (folder / "retention.txt").unlink()
    assert "kb/retention.txt" not in take_in(folder, sync=False)
    assert found(store, "seven days") == ["kb/retention.txt"]


def test_an_emptied_folder_and_one_that_is_gone_take_everything_along(folder, store, take_in):
    take_in(folder)
    shutil.rmtree(folder / "sub")
    (folder / "sub").mkdir()
    assert set(take_in(folder / "sub").values()) == {"removed"}
    assert sources(store) == ["kb/retention.txt", "kb/休假.md"]
    shutil.rmtree(folder)
    assert set(take_in(folder).values()) == {"removed"}
    assert sources(store) == []
    with pytest.raises(MissingFile):
        take_in(folder)  # by now nothing is known of it: it may be a slip of the pen


def test_only_what_came_from_there_is_looked_at(folder, store, take_in, tmp_path):
    (tmp_path / "kb2").mkdir()
    (tmp_path / "kb2/a.txt").write_text("Apples are red.", encoding="utf-8")
    take_in(folder, tmp_path / "kb2")
    take_in(folder, collection="other")
    (tmp_path / "kb2/a.txt").unlink()
    (folder / "retention.txt").unlink()
    assert take_in(folder)["kb/retention.txt"] == "removed"
    assert "kb2/a.txt" in sources(store), "another folder whose name begins alike"
    assert "kb/retention.txt" in sources(store, Scope("acme", "mei", collections=frozenset({"other"})))


def test_a_pattern_means_what_it_means_to_the_shell(folder, store, take_in):
    take_in(folder)
    for name in ("retention.txt", "sub/休暇.txt", "sub/套餐.md"):
        (folder / name).unlink()
    assert take_in(str(folder / "*.txt")) == {"kb/retention.txt": "removed"}
    assert take_in(str(folder / "**/*.m[a-e]")) == {"kb/sub/套餐.md": "removed", "kb/休假.md": "unchanged"}
    assert take_in(str(folder / "sub" / "??.txt")) == {"kb/sub/休暇.txt": "removed"}


def test_a_named_file_that_is_gone(folder, store, take_in):
    take_in(folder)
    (folder / "retention.txt").unlink()
    assert take_in(folder / "retention.txt") == {"kb/retention.txt": "removed"}


def test_a_folder_that_may_not_be_looked_into_is_not_gone(folder, store, take_in, monkeypatch):
    take_in(folder)
    closed, walk = str(folder / "sub"), os.walk

    def refused(path, onerror=None):
        for where, folders, files in walk(path):
            if where == closed:
                onerror(PermissionError(13, "Permission denied", closed))
            else:
                yield where, folders, files

    def looked(path):
        if path.startswith(closed + os.sep):
            raise PermissionError(13, "Permission denied", path)
        return os.path.lexists(path)

    monkeypatch.setattr("anaphor.ingest.load.os.walk", refused)
    monkeypatch.setattr("anaphor.ingest.sync.is_current", looked)
    assert "removed" not in take_in(folder).values()


def test_a_renamed_file_keeps_its_words(folder, store, take_in):
    take_in(folder)
    (folder / "retention.txt").rename(folder / "keeping.txt")
    outcome = take_in(folder)
    assert (outcome["kb/retention.txt"], outcome["kb/keeping.txt"]) == ("removed", "added")
    assert found(store, "seven days") == ["kb/keeping.txt"]


def test_what_would_be_removed_can_be_asked(folder, store, take_in):
    take_in(folder)
    (folder / "retention.txt").unlink()
    shelf = Destination(store.documents, SCOPE).shelf()
    assert [d.source for d in gone(shelf, [str(folder)])] == ["kb/retention.txt"]
    assert gone(shelf, ["-"]) == []


# ── others at the same time ───────────────────────────────────────────────────────────────────────────────────────


def test_what_is_told_as_added_is_in_the_store(folder, store, take_in):
    heard = []

    def told(report):
        heard.append((report.source, report.source in sources(store)))

    take_in(folder, on_file=told)
    assert sorted(heard) == sorted((source, True) for source in sources(store))


def meanwhile(store, monkeypatch, act):
    """``act`` happens once, after this ingest has read its files and before it stores them."""
    put_all = store.documents.put_all

    def late(scope, entries):
        monkeypatch.setattr(store.documents, "put_all", put_all)
        act()
        return put_all(scope, entries)

    monkeypatch.setattr(store.documents, "put_all", late)


def test_another_ingest_of_the_same_folder_at_the_same_time(folder, store, take_in, monkeypatch):
    meanwhile(store, monkeypatch, lambda: take_in(folder))
    assert set(take_in(folder).values()) == {"unchanged"}
    assert len(sources(store)) == 4


def test_a_file_that_changes_while_it_is_ingested_ends_as_it_is_last(folder, store, take_in, monkeypatch):
    take_in(folder)

    def change_again():
        (folder / "retention.txt").write_text("Kestrel keeps letters for nine weeks.", encoding="utf-8")
        take_in(folder)

    (folder / "retention.txt").write_text("Kestrel keeps notes for two years.", encoding="utf-8")
    meanwhile(store, monkeypatch, change_again)
    assert take_in(folder)["kb/retention.txt"] == "unchanged"
    assert found(store, "nine weeks") == ["kb/retention.txt"]
    assert found(store, "two years") == []


def test_two_files_that_get_one_name_at_the_same_time_are_both_kept(store, take_in, tmp_path, monkeypatch):
    for place, text in [("a", "Apples are red."), ("b", "Bananas are yellow.")]:
        (tmp_path / place / "docs").mkdir(parents=True)
        (tmp_path / place / "docs/fruit.txt").write_text(text, encoding="utf-8")

    def elsewhere(place):
        to = Destination(store.documents, SCOPE)
        items = load([tmp_path / place / "docs"], tmp_path / "elsewhere")
        return ingest(items, to, count=estimate, clock=FixedClock()).files[0]

    meanwhile(store, monkeypatch, lambda: elsewhere("a"))
    report = elsewhere("b")
    assert (str(report.fate), report.source) == ("added", str(tmp_path / "b/docs/fruit.txt"))
    assert found(store, "apples") == ["docs/fruit.txt"]
    assert found(store, "bananas") == [report.source]


def test_copies_that_two_ingests_stored_are_one_after_the_next(folder, store, take_in, monkeypatch):
    (folder / "copy.txt").write_bytes((folder / "retention.txt").read_bytes())
    meanwhile(store, monkeypatch, lambda: take_in(folder / "retention.txt"))
    take_in(folder / "copy.txt")
    assert len(found(store, "seven days")) == 2
    assert take_in(folder)["kb/retention.txt"] == "duplicate"
    assert found(store, "seven days") == ["kb/copy.txt"]


# ── what is said about a document ─────────────────────────────────────────────────────────────────────────────────


def test_what_is_given_can_be_filtered_by_and_stays_when_the_file_changes(folder, store, take_in):
    take_in(folder, metadata={"team": "平台組", "year": "2026"})
    assert found(store, "seven days", filters={"team": "平台組"}) == ["kb/retention.txt"]
    assert found(store, "seven days", filters={"team": "sales"}) == []
    (folder / "retention.txt").write_text("Kestrel keeps letters for seven days.", encoding="utf-8")
    assert take_in(folder)["kb/retention.txt"] == "replaced"
    assert found(store, "seven days", filters={"team": "平台組", "year": "2026"}) == ["kb/retention.txt"]
    assert set(take_in(folder).values()) == {"unchanged"}
    assert set(take_in(folder, metadata={"team": "sales", "year": ""}).values()) == {"replaced"}
    told = store.documents.get(SCOPE, "kb/retention.txt").metadata
    assert (told["team"], "year" in told) == ("sales", False)


@pytest.mark.parametrize("name", ["path", "given", "title", "collection", " "])
def test_names_that_are_ours_cannot_be_given(folder, take_in, name):
    with pytest.raises(BadInput, match="cannot be named"):
        take_in(folder, metadata={name: "x"})


def test_the_head_of_a_text_is_its_metadata(store, take_in, tmp_path):
    (tmp_path / "a.md").write_text(
        "---\ntitle: 年假\nTeam: 人資 # who\nauthors:\n  - 王小明\n  - 'Ken # Ito'\npath: /etc\n---\n\n"
        "特休假每年十四天。\n",
        encoding="utf-8",
    )
    take_in(tmp_path / "a.md", metadata={"team": "HR"})
    told = store.documents.get(SCOPE, "a.md")
    assert told.title == "年假"
    assert {k: told.metadata[k] for k in ("team", "authors")} == {"team": "HR", "authors": "王小明, Ken # Ito"}
    assert told.metadata["path"] == os.path.realpath(tmp_path / "a.md")
    assert found(store, "特休假", filters={"authors": "王小明, Ken # Ito"}) == ["a.md"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\n部門: 業務部\n標籤：[甲, '乙']\n---\n", {"部門": "業務部", "標籤": "甲, 乙"}),
        ("---\r\nlang: ja\r\n---\r\n本文".replace("\r\n", "\n"), {"lang": "ja"}),
        ("---\nno end: here\n", {}),
        ("text\n---\na: b\n---\n", {}),
        ("---\n---\n", {}),
        ("---\na:\nb: ~\nc: |\n---\n", {}),
        ("", {}),
    ],
)
def test_heads(text, expected):
    assert front_matter(text) == expected


@given(st.text(alphabet="-:a\n [],'\"#　：", max_size=80))
def test_no_head_is_an_error(text):
    assert all(front_matter("---\n" + text).values())


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links_that_lead_back_are_told_and_not_followed(folder, store, take_in, tmp_path):
    for name in ("loop", "again", "third"):
        os.symlink(folder, folder / name)
    begun = time.monotonic()
    for pattern in (folder, f"{folder}/**/*.md", f"{folder}/**"):
        take_in(pattern, sync=False)
    assert time.monotonic() - begun < 20
    assert sorted(d.source for d in store.documents.list(SCOPE)) == [
        "kb/retention.txt",
        "kb/sub/休暇.txt",
        "kb/sub/套餐.md",
        "kb/休假.md",
    ]
    passed = [item for item in load([folder], tmp_path) if isinstance(item, Skipped)]
    assert [(item.name, item.reason) for item in passed] == [
        (f"kb/{name}/", "a link to a folder; name the folder itself") for name in ("again", "loop", "third")
    ]


def test_a_pattern_through_folders_passes_hidden_ones_over(tmp_path, monkeypatch):
    for name in ("a.md", "b/c.md", "b/.d/e.md", ".f/g.md", "b/h.txt", "b/i/j.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert matches("**/*.md") == ["a.md", "b/c.md", "b/i/j.md"]
    assert matches("b/**/*.md") == ["b/c.md", "b/i/j.md"]
    assert matches(".f/**/*.md") == [".f/g.md"]
    assert matches(f"{tmp_path}/b/**/c.md") == [f"{tmp_path}/b/c.md"]
    assert matches("nothing") == matches("**/*.pdf") == []
    assert matches("b/[ch].*") == ["b/c.md", "b/h.txt"]

"""What changes on the disk changes in the store, however an editor saves."""

import os
import shutil
import threading
import time

import pytest

from anaphor.adapters.fake import FixedClock, Store
from anaphor.errors import BadInput, MissingExtra
from anaphor.ingest import watch as module
from anaphor.ingest.index import Destination, ingest
from anaphor.ingest.watch import affected, watch
from anaphor.text.tokens import estimate
from anaphor.types import Scope

SCOPE = Scope("acme", "mei")


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "kb"
    (root / "sub").mkdir(parents=True)
    (root / "休假.md").write_text("特休假每年十四天。", encoding="utf-8")
    (root / "sub/plans.txt").write_text("The team plan costs 49 dollars.", encoding="utf-8")
    return root


@pytest.fixture
def store():
    return Store(clock=FixedClock())


@pytest.fixture
def take(store):
    """Ingests what it is given; ``take.fates`` is what became of it, call by call."""

    def taken(items, sync):
        to = Destination(store.documents, SCOPE)
        report = ingest(items, to, count=estimate, clock=FixedClock(), sync=sync)
        taken.fates.append({file.source: str(file.fate) for file in report.files})

    taken.fates = []
    return taken


def texts(store):
    return {d.source: store.documents.get(SCOPE, d.source).text for d in store.documents.list(SCOPE)}


def played(folder, take, *steps, named=None):
    """Each step changes the disk and says what the system would tell of it."""

    def changes():
        yield set()
        for step in steps:
            yield {(None, str(path)) for path in step()}

    watch(named or [str(folder)], take, folder.parent, changes=changes())
    return take.fates[2:]


def test_everything_is_taken_first_and_looked_at_once_more_when_watching_has_begun(folder, take):
    assert played(folder, take) == []
    assert take.fates == [
        {"kb/sub/plans.txt": "added", "kb/休假.md": "added"},
        {"kb/sub/plans.txt": "unchanged", "kb/休假.md": "unchanged"},
    ]


def test_only_what_has_changed_is_looked_at(folder, store, take):
    def write():
        (folder / "new.md").write_text("夏季休暇は5日です。", encoding="utf-8")
        return [folder / "new.md", folder / "new.md"]

    assert played(folder, take, write) == [{"kb/new.md": "added"}]


def test_an_editor_that_saves_by_renaming(folder, store, take):
    def save():
        (folder / ".plans.swp").write_text("x", encoding="utf-8")
        (folder / "sub/plans.txt~").write_text("The team plan costs 59 dollars.", encoding="utf-8")
        os.replace(folder / "sub/plans.txt~", folder / "sub/plans.txt")
        return [folder / ".plans.swp", folder / "sub/plans.txt~", folder / "sub/plans.txt"]

    assert played(folder, take, save) == [{"kb/sub/plans.txt": "replaced"}]
    assert texts(store)["kb/sub/plans.txt"] == "The team plan costs 59 dollars."


def test_a_renamed_file_and_a_moved_folder_keep_their_words(folder, store, take):
    def rename():
        (folder / "休假.md").rename(folder / "假.md")
        return [folder / "休假.md", folder / "假.md"]

    def move():
        (folder / "sub").rename(folder / "other")
        return [folder / "sub", folder / "other"]

    assert played(folder, take, rename, move) == [
        {"kb/休假.md": "removed", "kb/假.md": "added"},
        {"kb/sub/plans.txt": "removed", "kb/other/plans.txt": "added"},
    ]
    assert sorted(texts(store)) == ["kb/other/plans.txt", "kb/假.md"]


def test_what_comes_and_goes_between_two_looks_is_nothing(folder, take):
    assert played(folder, take, lambda: [folder / "gone.md"], lambda: [folder.parent / "elsewhere.md"]) == [{}]


def test_the_whole_folder_may_go_and_come_back(folder, store, take):
    def go():
        shutil.move(folder, folder.parent / "away")
        return [folder]

    def come():
        shutil.move(folder.parent / "away", folder)
        return [folder]

    fates = played(folder, take, go, come)
    assert [set(fate.values()) for fate in fates] == [{"removed"}, {"added"}]
    assert len(texts(store)) == 2


def test_of_a_file_that_is_named_only_the_file(folder, store, take):
    def write():
        (folder / "sub/plans.txt").write_text("The team plan costs 59 dollars.", encoding="utf-8")
        (folder / "sub/more.txt").write_text("More.", encoding="utf-8")
        return [folder / "sub/plans.txt", folder / "sub/more.txt"]

    assert played(folder, take, write, named=[str(folder / "sub/plans.txt")]) == [{"kb/sub/plans.txt": "replaced"}]
    assert list(texts(store)) == ["kb/sub/plans.txt"]


def test_hidden_paths_are_nobodys_and_many_are_all():
    hidden = {"/kb/.git/HEAD", "/kb/a/.b/c.md", "/kb2/a.md", "/kb/.x.md"}
    assert affected(["/kb"], {*hidden, "/kb/a.md"}) == ["/kb/a.md"]
    assert affected(["/home/.config/kb"], {"/home/.config/kb/a.md"}) == ["/home/.config/kb/a.md"]
    assert affected(["/kb"], {f"/kb/{n}.md" for n in range(module.SOME + 1)}) == ["/kb"]


def test_what_is_not_there_cannot_be_watched(folder, take):
    for name in ("-", str(folder / "nowhere")):
        with pytest.raises(BadInput, match="can be watched"):
            watch([name], take)


def test_without_the_package_the_error_says_how_to_get_it(folder, take, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "watchfiles", None)
    with pytest.raises(MissingExtra, match=r"pip install 'anaphor\[watch\]'"):
        watch([str(folder)], take)


def test_the_system_itself_tells(folder, store, take, monkeypatch):
    pytest.importorskip("watchfiles")
    monkeypatch.setattr(module, "QUIET", 50)
    monkeypatch.setattr(module, "LOOK", 100)
    stop = threading.Event()
    thread = threading.Thread(target=watch, args=([str(folder)], take, folder.parent, stop))
    thread.start()
    try:
        until(lambda: len(take.fates) > 1)
        (folder / "sub/new.md").write_text("夏季休暇は5日です。", encoding="utf-8")
        (folder / "休假.md").unlink()
        until(lambda: sorted(texts(store)) == ["kb/sub/new.md", "kb/sub/plans.txt"])
    finally:
        stop.set()
        thread.join(10)
    assert not thread.is_alive()


def until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)

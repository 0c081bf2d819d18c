import os
import sys
from pathlib import Path

import pytest

from anaphor.adapters.fake import FixedClock, Store
from anaphor.errors import MissingFile, StoreFull
from anaphor.ingest.index import Destination, ingest
from anaphor.ingest.load import load
from anaphor.text.tokens import estimate
from anaphor.types import Decision, Scope, StandaloneQuery

SCOPE = Scope("acme", "mei")
TEXTS = {
    "zh-Hant/錯誤碼.md": "# 錯誤碼\n\n## 403\n\n403 表示沒有權限。\n",
    "zh-Hans/套餐.md": "# 套餐\n\n## 团队版\n\n团队版每人每月 35 元。\n",
    "ja/休暇.md": "# 休暇規程\n\n## 夏季休暇\n\n夏季休暇は5日です。\n",
    "en/retention.txt": "Kestrel keeps messages for seven days.\n",
}


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "kb"
    for name, text in TEXTS.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def store():
    return Store(clock=FixedClock())


@pytest.fixture
def take_in(store, tmp_path):
    """Ingests paths and returns {source: outcome}."""

    def run(*paths, base=None, **where):
        destination = Destination(store.documents, SCOPE, **where)
        items = load(paths, base or tmp_path)
        report = ingest(items, destination, count=estimate, clock=FixedClock())
        run.report = report
        return {file.source: str(file.fate) for file in report.files}

    return run


def found(store, text, scope=SCOPE):
    hits = store.lexical.search(scope, StandaloneQuery(text, Decision.STANDALONE, 1.0))
    return [hit.passage.source for hit in hits]


def test_a_folder_is_taken_in_with_all_below_it(folder, take_in, store):
    assert take_in(folder) == {f"kb/{name}": "added" for name in TEXTS}
    for text, source in [
        ("沒有權限", "錯誤碼.md"),
        ("团队版", "套餐.md"),
        ("夏季休暇", "休暇.md"),
        ("seven days", "txt"),
    ]:
        assert found(store, text)[0].endswith(source)


def test_the_language_is_each_documents_own(folder, take_in, store):
    take_in(folder)
    languages = {Path(d.source).parent.name: d.language for d in store.documents.list(SCOPE)}
    assert languages == {"zh-Hant": "zh-Hant", "zh-Hans": "zh-Hans", "ja": "ja", "en": "en"}


def test_a_second_time_changes_nothing(folder, take_in, store):
    take_in(folder)
    before = store.documents.list(SCOPE)
    assert set(take_in(folder).values()) == {"unchanged"}
    assert store.documents.list(SCOPE) == before


def test_what_has_changed_is_replaced_whole(folder, take_in, store):
    take_in(folder)
    (folder / "en/retention.txt").write_text("Kestrel keeps letters for nine weeks.\n", encoding="utf-8")
    assert take_in(folder)["kb/en/retention.txt"] == "replaced"
    assert found(store, "seven days") == []
    assert found(store, "nine weeks") == ["kb/en/retention.txt"]
    assert len(store.documents.list(SCOPE)) == len(TEXTS)


def test_the_same_file_named_from_elsewhere_is_the_same_document(folder, take_in, store):
    take_in(folder)
    again = take_in(folder / "en/retention.txt", base=folder)
    assert again == {"kb/en/retention.txt": "unchanged"}
    (folder / "en/retention.txt").write_text("Other words.\n", encoding="utf-8")
    assert take_in(folder / "en/retention.txt", base=folder) == {"kb/en/retention.txt": "replaced"}
    assert len(store.documents.list(SCOPE)) == len(TEXTS)


def test_the_same_content_under_another_name_is_told_and_not_stored_twice(folder, take_in, store):
    take_in(folder)
    (folder / "en/copy.txt").write_bytes((folder / "en/retention.txt").read_bytes())
    assert take_in(folder)["kb/en/copy.txt"] == "duplicate"
    assert "of kb/en/retention.txt" in [file.detail for file in take_in.report.files]
    assert found(store, "seven days") == ["kb/en/retention.txt"]


def test_a_copy_keeps_the_old_words_when_the_original_changes(folder, take_in, store):
    (folder / "en/copy.txt").write_bytes((folder / "en/retention.txt").read_bytes())
    take_in(folder)
    assert found(store, "seven days") == ["kb/en/copy.txt"]
    (folder / "en/copy.txt").write_text("Something else.\n", encoding="utf-8")
    outcome = take_in(folder)
    assert (outcome["kb/en/copy.txt"], outcome["kb/en/retention.txt"]) == ("replaced", "added")
    assert found(store, "seven days") == ["kb/en/retention.txt"]


def test_a_file_that_becomes_a_copy_gives_up_what_it_said(folder, take_in, store):
    take_in(folder)
    (folder / "zh-Hans/套餐.md").write_bytes((folder / "en/retention.txt").read_bytes())
    assert take_in(folder)["kb/zh-Hans/套餐.md"] == "duplicate"
    assert found(store, "团队版") == []


def test_an_emptied_file_gives_up_what_it_said(folder, take_in, store):
    take_in(folder)
    (folder / "en/retention.txt").write_text(" \n\n", encoding="utf-8")
    assert take_in(folder)["kb/en/retention.txt"] == "empty"
    assert found(store, "seven days") == []


def test_what_is_not_read_is_told_by_name_and_the_rest_goes_on(folder, take_in):
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("x", encoding="utf-8")
    (folder / ".hidden.md").write_text("x", encoding="utf-8")
    (folder / "layers.psd").write_bytes(b"8BPS")
    (folder / "photo").write_bytes(b"\x89PNG\0\0\0\0")
    outcome = take_in(folder)
    assert outcome["kb/.git/"] == outcome["kb/.hidden.md"] == outcome["kb/layers.psd"] == "skipped"
    assert outcome["kb/photo"] == "unreadable"
    assert outcome["kb/ja/休暇.md"] == "added"


def test_a_file_asked_for_by_name_that_cannot_be_read_is_a_failure(folder, take_in):
    (folder / "layers.psd").write_bytes(b"8BPS")
    assert take_in(folder / "layers.psd") == {"kb/layers.psd": "unreadable"}
    assert ".md" in take_in.report.failed[0].detail


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_a_folder_is_not_waited_for(folder, take_in):
    os.mkfifo(folder / "pipe.txt")
    assert take_in(folder)["kb/pipe.txt"] == "skipped"


def test_a_broken_link_is_told(folder, take_in):
    (folder / "gone.md").symlink_to(folder / "nowhere.md")
    assert take_in(folder)["kb/gone.md"] == "unreadable"


def test_a_missing_path_stops_before_anything_is_read(folder, take_in, store):
    with pytest.raises(MissingFile, match=r"no such file or folder: .*nowhere"):
        take_in(folder, folder / "nowhere")
    assert not store.documents.list(SCOPE)


def test_patterns_and_repeated_names(folder, take_in):
    assert len(take_in(str(folder / "**/*.md"), folder / "ja/休暇.md", folder / "ja")) == 3
    with pytest.raises(MissingFile, match="no file matches"):
        take_in(str(folder / "*.rst"))


def test_standard_input_is_a_document(take_in, store, monkeypatch):
    class Piped:
        buffer = type("Buffer", (), {"read": staticmethod(lambda: "從管線來的文字。".encode("big5"))})

    monkeypatch.setattr(sys, "stdin", Piped)
    assert take_in("-") == {"stdin": "added"}
    assert found(store, "管線") == ["stdin"]


def test_a_private_document_and_another_collection_are_apart(folder, take_in, store):
    take_in(folder / "ja", private=True)
    assert found(store, "夏季休暇") == ["kb/ja/休暇.md"]
    assert found(store, "夏季休暇", Scope("acme", "ken")) == []
    take_in(folder / "ja", collection="rules")
    assert found(store, "夏季休暇", Scope("acme", "ken", collections=frozenset({"rules"}))) == ["kb/ja/休暇.md"]
    assert (
        len({d.document_id for d in store.documents.list(Scope("acme", "mei", "", frozenset({"default", "rules"})))})
        == 2
    )


def test_an_unusual_encoding_is_mentioned(folder, take_in, store):
    (folder / "old.txt").write_bytes("門市營業時間為上午十點到晚上九點。".encode("big5"))
    take_in(folder / "old.txt")
    assert take_in.report.files[0].detail == "big5hkscs"
    assert found(store, "營業時間") == ["kb/old.txt"]


def test_two_folders_of_one_name_do_not_overwrite_each_other(take_in, store, tmp_path):
    for place, text in [("a", "Apples are red."), ("b", "Bananas are yellow.")]:
        (tmp_path / place / "docs").mkdir(parents=True)
        (tmp_path / place / "docs/fruit.txt").write_text(text, encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    assert take_in(tmp_path / "a/docs", base=elsewhere) == {"docs/fruit.txt": "added"}
    assert set(take_in(tmp_path / "b/docs", base=elsewhere).values()) == {"added"}
    assert found(store, "apples") == ["docs/fruit.txt"]
    assert found(store, "bananas") == [str(tmp_path / "b/docs/fruit.txt")]


def test_a_full_store_tells_what_went_in_and_what_did_not(folder, store, take_in, monkeypatch):
    put_all = store.documents.put_all

    def full(scope, entries):
        if any(entry.document.source == "kb/ja/休暇.md" for entry in entries):
            raise StoreFull("no room left for the store")
        return put_all(scope, entries)

    monkeypatch.setattr(store.documents, "put_all", full)
    assert take_in(folder) == {"kb/en/retention.txt": "added", "kb/ja/休暇.md": "failed"}
    assert take_in.report.stopped == "kb/ja/休暇.md did not go in, nor the 2 after it: no room left for the store"
    assert [file.source for file in take_in.report.failed] == ["kb/ja/休暇.md"]
    monkeypatch.setattr(store.documents, "put_all", put_all)
    assert set(take_in(folder).values()) == {"unchanged", "added"}
    assert take_in.report.stopped == ""


def test_what_is_read_is_told_with_its_size(folder, store, tmp_path):
    heard = []
    to = Destination(store.documents, SCOPE)
    items = load([folder / "ja"], tmp_path)
    for _ in range(2):
        ingest(items, to, count=estimate, clock=FixedClock(), on_reading=lambda *told: heard.append(told))
    assert heard == [("kb/ja/休暇.md", len(TEXTS["ja/休暇.md"].encode()))], "what has not changed is not read"


def test_closed_standard_input_is_told(take_in, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert take_in("-") == {"stdin": "unreadable"}
    assert "closed" in take_in.report.files[0].detail


def test_a_file_cut_off_in_its_last_character_says_so(take_in, tmp_path):
    (tmp_path / "a.txt").write_bytes("夏季休暇は5日です。".encode()[:-1])
    assert take_in(tmp_path / "a.txt") == {"a.txt": "added"}
    assert take_in.report.files[0].detail == "cut off in the middle of its last character"

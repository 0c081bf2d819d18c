"""Texts that are too large to be held at once: by parts, with nothing lost between them."""

import itertools
import os
import subprocess
import sys
import textwrap

import pytest

from anaphor.adapters.fake import FixedClock, Store
from anaphor.ingest import large
from anaphor.ingest.decode import decode
from anaphor.ingest.index import Destination, ingest
from anaphor.ingest.load import File, Skipped, load
from anaphor.ingest.parse import Reader
from anaphor.text.tokens import estimate
from anaphor.types import Scope

LINES = {
    "zh-Hant": "第{i}行：台中市的人口有多少？門市營業時間為上午十點到晚上九點。",
    "zh-Hans": "第{i}行：东京的人口是多少？门店营业时间为上午十点到晚上九点。",
    "ja": "{i}行目：東京の人口は何人ですか。第二倉庫の鍵は守衛室にあります。",
    "en": "Line {i}: how many people live in Tokyo? The café opens at ten.",
}
ENCODINGS = {
    "zh-Hant": ("utf-8", "big5", "utf-16", "utf-32"),
    "zh-Hans": ("utf-8", "gb18030", "utf-16"),
    "ja": ("utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16"),
    "en": ("utf-8", "cp1252", "utf-16"),
}


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(large, "LARGE", 20_000)
    monkeypatch.setattr(large, "PART", 10_000)
    monkeypatch.setattr(large, "LINE", 4_000)


def written(language, n=600):
    return "".join(LINES[language].format(i=i) + "\n" for i in range(n))


@pytest.mark.parametrize(("language", "encoding"), [(n, e) for n, encodings in ENCODINGS.items() for e in encodings])
def test_the_parts_together_are_the_file(small_parts, tmp_path, language, encoding):
    text = written(language)
    (tmp_path / "big.txt").write_bytes(text.encode(encoding))
    items = load([tmp_path / "big.txt"], tmp_path)
    assert len(items) > 2
    assert [item.name for item in items] == [f"big.txt#part={n}" for n in range(1, len(items) + 1)]
    assert "".join(decode(item.read()).text for item in items) == text


def test_every_part_of_a_table_has_its_header(small_parts, tmp_path):
    rows = "".join(f"{i},鍵,2026-01-{i % 28 + 1:02}\r\n" for i in range(2_000))
    (tmp_path / "stock.csv").write_bytes(("編號,品名,日期\r\n" + rows).encode("big5"))
    with Reader() as reader:
        parts = [reader.read(item.read(), item.name) for item in load([tmp_path / "stock.csv"], tmp_path)]
    assert all(part.text.startswith("編號,品名,日期\n") for part in parts)
    assert all(part.blocks[-1].header == "編號 | 品名 | 日期" for part in parts)
    assert sum(len(part.blocks) - 1 for part in parts) == 2_000


@pytest.mark.parametrize("unit", ["字", "a b ", "é"])
def test_a_file_of_one_line_loses_nothing_either(small_parts, tmp_path, unit):
    text = unit * (60_000 // len(unit.encode()))
    (tmp_path / "line.txt").write_text(text, encoding="utf-8")
    read = [decode(item.read()) for item in load([tmp_path / "line.txt"], tmp_path)]
    assert "".join(part.text for part in read) == text
    assert not any(part.damaged for part in read)


def test_a_log_that_grows_keeps_its_earlier_parts(small_parts, tmp_path):
    path = tmp_path / "app.log"
    path.write_text(written("en"), encoding="utf-8")
    before = [item.read() for item in load([path], tmp_path)]
    with path.open("a", encoding="utf-8") as file:
        file.write(written("en", 200))
    after = [item.read() for item in load([path], tmp_path)]
    assert after[: len(before) - 1] == before[:-1]
    assert len(after) > len(before)


def test_a_part_is_current_as_long_as_the_file_is_so_large(small_parts, tmp_path):
    path = str(tmp_path / "app.log")
    (tmp_path / "app.log").write_bytes(b"x\n" * 15_000)
    assert large.is_current(f"{path}#part=3")
    assert not large.is_current(f"{path}#part=4")
    assert not large.is_current(path)
    (tmp_path / "app.log").write_bytes(b"x\n")
    assert large.is_current(path)
    assert not large.is_current(f"{path}#part=1")
    os.unlink(path)
    with pytest.raises(FileNotFoundError):
        large.is_current(f"{path}#part=1")


@pytest.mark.parametrize("sync", [False, True])
def test_a_file_that_grows_or_shrinks_is_in_the_store_once(small_parts, tmp_path, sync):
    store = Store(clock=FixedClock())
    path = tmp_path / "app.log"
    to = Destination(store.documents, Scope("acme", "mei"))

    def taken_in(lines):
        path.write_text(written("en", lines), encoding="utf-8")
        named = [str(path)] if sync else []
        report = ingest(load([path], tmp_path), to, count=estimate, clock=FixedClock(), sync=named)
        return sorted(str(file.fate) for file in report.files), [d.source for d in store.documents.list(to.scope)]

    assert taken_in(100) == (["added"], ["app.log"])
    assert taken_in(600) == (["added"] * 4 + ["removed"], [f"app.log#part={n}" for n in range(1, 5)])
    assert taken_in(600)[0] == ["unchanged"] * 4
    assert taken_in(400) == (
        ["removed", "replaced", "unchanged", "unchanged"],
        [f"app.log#part={n}" for n in range(1, 4)],
    )
    assert taken_in(100) == (["added", "removed", "removed", "removed"], ["app.log"])


def test_a_large_file_that_cannot_be_divided_is_told_before_it_is_read(tmp_path):
    with (tmp_path / "scan.pdf").open("wb") as file:
        file.truncate(300_000_000)
    (item,) = load([tmp_path / "scan.pdf"], tmp_path)
    assert item == Skipped("scan.pdf", "too large: 300 MB, and such a file is read up to 200 MB", asked_for=True)


def test_a_text_of_middling_size_is_taken_in_whole(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x\n" * 500_000)
    (item,) = load([tmp_path / "a.txt"], tmp_path)
    assert isinstance(item, File)
    assert item.name == "a.txt"


WEIGHED = """
    import resource, sys, time
    import anaphor
    from pathlib import Path
    folder = Path(sys.argv[1])
    with anaphor.open(folder / "kb.db", embedder="none") as assistant:
        begun = time.perf_counter()
        report = assistant.ingest(folder / "big.txt", embed=False)
        seconds = time.perf_counter() - begun
        assert not report.failed, report.failed[:1]
        hits = assistant.search("quagga").hits
        assert hits and "quagga" in hits[0].passage.text
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(peak, len(report.files), sum(f.passages for f in report.files), round(seconds, 1))
"""


def weighed(folder, megabytes):
    """Peak memory in MB, parts, passages and seconds of taking in a text of that size, in a process of its own."""
    with (folder / "big.txt").open("wb") as file:
        for n in itertools.takewhile(lambda _: file.tell() < megabytes * 1_000_000, itertools.count()):
            file.write("".join(line.format(i=n) + "\n\n" for line in LINES.values()).encode())
        file.write(b"At the very end stands a quagga.\n")
    command = [sys.executable, "-c", textwrap.dedent(WEIGHED), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    peak, parts, passages, seconds = done.stdout.split()
    return int(peak), int(parts), int(passages), float(seconds)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_text(tmp_path):
    (tmp_path / "small").mkdir()
    (tmp_path / "large").mkdir()
    small, large_ = weighed(tmp_path / "small", 9), weighed(tmp_path / "large", 36)
    assert large_[1] >= 3 * small[1]
    assert large_[0] < 1.5 * small[0]


@pytest.mark.soak
def test_memory_is_bounded_on_a_text_of_a_gigabyte(tmp_path):
    peak, parts, passages, seconds = weighed(tmp_path, 1_000)
    print(f"1 GB of text: {peak} MB at most, {parts} parts, {passages} passages, {seconds} s")
    assert peak < 1_500

"""The child that reads: what a file may cost, and that it costs nobody else anything."""

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anaphor.adapters.fake import FixedClock, Store
from anaphor.ingest.index import Destination, ingest
from anaphor.ingest.load import File
from anaphor.ingest.parse import READABLE, Limits, Parsed, Reader, Unreadable
from anaphor.text.tokens import estimate
from anaphor.types import Scope
from ingest import made

PAGE = b"<p>The warehouse key hangs in the guard room.</p>"


@pytest.fixture(scope="module")
def reader():
    with Reader() as reading:
        yield reading


def test_one_child_reads_many_files(reader):
    reader.read(PAGE, "a.html")
    child = reader._child._process.pid
    for n in range(20):
        assert reader.read(PAGE, f"{n}.html").text.startswith("The warehouse")
    assert reader._child._process.pid == child


def test_text_needs_no_child():
    with Reader() as reading:
        for name in ("a.txt", "a.md", "a.csv"):
            reading.read("第二倉庫の鍵".encode("cp932"), name)
        assert reading._child is None


def test_a_file_that_takes_too_long_is_given_up_and_the_next_is_read():
    with Reader(Limits(seconds=0.01)) as hasty, pytest.raises(Unreadable, match=r"not read within 0\.01 s"):
        hasty.read(PAGE, "a.html")
    with Reader() as reading:
        reading.read(PAGE, "a.html")
        reading.limits = Limits(seconds=0.001)
        with pytest.raises(Unreadable, match="not read within"):
            reading.read(b"[" + b"{}," * 2_000_000 + b"1]", "a.json")
        reading.limits = Limits()
        assert "warehouse" in reading.read(PAGE, "a.html").text


@pytest.mark.skipif(sys.platform != "linux", reason="only there the limit of memory is kept")
def test_a_file_that_takes_too_much_memory_is_given_up_and_the_next_is_read():
    with Reader(Limits(memory=256 << 20)) as reading:
        with pytest.raises(Unreadable, match="takes more than 256 MB of memory"):
            reading.read(b"[" + b"{}," * 5_000_000 + b"1]", "a.json")
        assert "warehouse" in reading.read(PAGE, "a.html").text


def test_a_parser_that_dies_costs_one_file():
    with Reader() as reading:
        reading.read(PAGE, "a.html")
        reading._child._process.kill()
        reading._child._process.wait()
        with pytest.raises(Unreadable, match="its parser died of it"):
            reading.read(PAGE, "a.html")
        assert "warehouse" in reading.read(PAGE, "a.html").text


def test_no_child_is_left_behind():
    with Reader() as reading:
        reading.read(PAGE, "a.html")
        process = reading._child._process
    assert process.returncode is not None


def test_a_package_that_is_not_installed_is_named_with_its_extra(tmp_path, monkeypatch):
    (tmp_path / "pypdfium2.py").write_text("raise ImportError('no', name='pypdfium2')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with (
        Reader() as reading,
        pytest.raises(Unreadable, match=r"pdf needs the package pypdfium2: pip install 'anaphor\[documents\]'"),
    ):
        reading.read(b"%PDF-1.7\n", "a.pdf")


def test_what_a_parser_prints_is_no_answer():
    with Reader() as reading:
        assert "warehouse" in reading.read(PAGE, "a.html").text
        assert reading.read(made.meaningless_pdf(), "a.pdf").suspect


def test_reading_text_imports_no_parser():
    code = (
        "import sys\nfrom anaphor.ingest.parse import Reader\nReader().read(b'a', 'a.txt')\n"
        "print([m for m in ('pypdfium2', 'mammoth', 'python_calamine', 'email', 'html.parser') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


HEADS = [
    b"%PDF-1.7\n",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"<html>",
    b"From: a\n\n",
    b'{"a":',
    b"\xff\xfe",
]
BYTES = st.binary(max_size=300) | st.builds(bytes.__add__, st.sampled_from(HEADS), st.binary(max_size=300))


@given(BYTES, st.sampled_from(sorted(READABLE)))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_at_all_end_in_a_document_or_a_named_refusal(reader, content, suffix):
    told(reader, content, f"a{suffix}")


@given(st.data(), st.sampled_from(sorted(made.MAKERS)), st.sampled_from(sorted(made.TEXTS)))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_ends_in_a_document_or_a_named_refusal(reader, data, suffix, language):
    content = bytearray(WHOLE[suffix, language])
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(1, len(content)))] if data.draw(st.booleans()) else content
    told(reader, bytes(content), f"a{suffix}")


def told(reader: Reader, content: bytes, name: str) -> None:
    """A document that is whole, or a refusal of one line."""
    refusal, parsed = "", None
    try:
        parsed = reader.read(content, name)
    except Unreadable as error:
        refusal = str(error)
    assert parsed is not None or refusal.strip()
    assert "\n" not in refusal
    if parsed is not None:
        whole(parsed)


def whole(parsed: Parsed) -> None:
    parsed.text.encode("utf-8")
    assert "\0" not in parsed.text
    assert all(0 <= b.start < b.end <= len(parsed.text) for b in parsed.blocks)
    assert all(a.end <= b.start for a, b in zip(parsed.blocks, parsed.blocks[1:], strict=False))


WHOLE = {
    (suffix, language): make(made.content(language, "m7x"))
    for suffix, make in made.MAKERS.items()
    for language in made.TEXTS
}


@given(st.lists(st.tuples(BYTES, st.sampled_from(sorted(READABLE))), max_size=5))
@settings(max_examples=25)
def test_any_bytes_raise_nothing_at_ingest(contents):
    store = Store(clock=FixedClock())
    items = [File(f"{n}{suffix}", f"{n}{suffix}", lambda c=c: c) for n, (c, suffix) in enumerate(contents)]
    report = ingest(items, Destination(store.documents, Scope("acme", "mei")), count=estimate, clock=FixedClock())
    assert sorted(file.source for file in report.files) == sorted(item.name for item in items)
    assert all(str(file.fate) != "unreadable" or file.detail for file in report.files)

"""A folder as people have them: a thousand files in every format and encoding, and some that nothing can be made of."""

import itertools
from dataclasses import dataclass

import pytest

import anaphor
from anaphor.ingest.parse import Reader
from ingest import made

N = 1_000
BROKEN = {
    "scan.pdf": (made.scanned_pdf, "image only"),
    "locked.pdf": (made.encrypted_pdf, "encrypted"),
    "locked.docx": (made.encrypted_office, "encrypted"),
    "flagged.docx": (made.locked_zip, "encrypted"),
    "bomb.docx": (made.zip_bomb, "zip bomb"),
    "cut.xlsx": (lambda: made.xlsx(made.content("en", "x"))[:3000], "broken"),
    "broken.pdf": (lambda: b"%PDF-1.7\n%garbage", "broken"),
    "old.xls": (made.old_word, "before 2007"),
    "fake.pptx": (lambda: b"hello", "in spite of its name"),
    "bad.json": (lambda: b"{", "broken"),
    "no.eml": (lambda: b"hello", "no e-mail"),
    "picture.txt": (lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), "binary"),
}
ODD = {
    "nothing.md": (b"", "empty"),
    "blank.html": (b"<html><body> </body></html>", "empty"),
    "a.psd": (b"8BPS", "skipped"),
}


@dataclass(frozen=True)
class Wanted:
    name: str
    language: str
    mark: str


def folder(root, n=N):
    """Makes the folder; what has to be found in it again."""
    combinations = itertools.cycle(
        [
            *((language, suffix, "utf-8") for language in made.TEXTS for suffix in made.MAKERS),
            *(
                (language, suffix, encoding)
                for language, encodings in made.ENCODINGS.items()
                for encoding in encodings
                for suffix in (".txt", ".md", ".csv", ".tsv", ".json")
            ),
        ]
    )
    wanted = []
    for i in range(n - len(BROKEN) - len(ODD)):
        language, suffix, encoding = next(combinations)
        mark = f"mk{i:04}q"
        content = made.MAKERS[suffix](made.content(language, mark))
        if encoding != "utf-8":
            content = content.decode("utf-8").encode(encoding)
        path = root / language / f"{i % 17}" / f"file{i}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        wanted.append(Wanted(path.relative_to(root).as_posix(), language, mark))
    for name, (make, _) in BROKEN.items():
        (root / name).write_bytes(make())
    for name, (content, _) in ODD.items():
        (root / name).write_bytes(content)
    return wanted


@pytest.mark.parametrize("n", [pytest.param(N, marks=pytest.mark.slow), 220])
def test_nothing_is_lost_and_every_failure_is_named(tmp_path, n):
    root = tmp_path / "kb"
    root.mkdir()
    wanted = folder(root, n)
    with anaphor.open(tmp_path / "kb.db", embedder="none") as assistant:
        report = assistant.ingest(root, base=root, embed=False)
        fates = {file.source: file for file in report.files}
        assert len(report.files) == n
        lost = [w for w in wanted if str(fates[w.name].fate) != "added"]
        assert not lost, [(w.name, fates[w.name].detail) for w in lost[:5]]
        for name, (_, told) in BROKEN.items():
            assert str(fates[name].fate) == "unreadable"
            assert told in fates[name].detail, f"{name}: {fates[name].detail}"
        for name, (_, told) in ODD.items():
            assert str(fates[name].fate) == told, name
        for each in wanted:
            document = assistant.store.documents.get(assistant.scope, each.name)
            text = "".join(document.text.split())
            assert "".join(made.TEXTS[each.language].split()) in text, each.name
            assert document.metadata["format"], each.name
        for each in wanted[:: max(1, n // 100)]:
            hits = assistant.search(each.mark).hits
            assert hits, each.name
            assert hits[0].passage.source.partition("#")[0] == each.name
        again = {str(file.fate) for file in assistant.ingest(root, base=root, embed=False).files}
        assert again == {"unchanged", "unreadable", "empty", "skipped"}


def test_the_folder_has_every_format_and_every_encoding(tmp_path):
    seen = set()
    with Reader() as reader:
        for each in folder(tmp_path, 260):
            parsed = reader.read((tmp_path / each.name).read_bytes(), each.name)
            seen |= {parsed.format, parsed.encoding}
    assert {"text", "markdown", "table", "html", "json", "mail", "epub", "docx", "pptx", "xlsx", "pdf"} <= seen
    assert {
        "utf-8",
        "utf-16-le",
        "utf-16-be",
        "utf-32-le",
        "gb18030",
        "cp932",
        "euc_jp",
        "iso2022_jp_ext",
        "cp1252",
    } <= seen
    assert seen & {"big5hkscs", "cp950"}

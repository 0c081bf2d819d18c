"""Each format, made by the test: what of it is kept, where it stands, and what is left out."""

import io
import json
import zipfile

import pytest

from anaphor.ingest.chunk import chunk
from anaphor.ingest.parse import Kind, Reader, Unreadable, parse
from anaphor.text.fold import clean
from anaphor.types import Document
from ingest import made

LANGUAGES = list(made.TEXTS)


@pytest.fixture(scope="module")
def reader():
    with Reader() as reading:
        yield reading


def passages(parsed, name="a.pdf"):
    return chunk(Document("d1", name, "v" * 16, parsed.text, parsed.title), parsed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("suffix", list(made.MAKERS))
def test_a_text_is_the_same_in_every_format(reader, suffix, language):
    content = made.content(language, "m7x")
    parsed = reader.read(made.MAKERS[suffix](content), f"manual{suffix}")
    assert "".join(content.text.split()) in "".join(parsed.text.split())
    assert "wallaby" not in parsed.text, "what only serves to find one's way about is left out"
    assert parsed.suspect == ""
    found = passages(parsed)
    assert all(p.text == parsed.text[p.start : p.end] for p in found)
    titled = suffix not in (".txt", ".csv", ".tsv", ".jsonl", ".xlsx")
    assert parsed.title == (content.title if titled else "manual")
    if suffix in (".md", ".html", ".json", ".epub", ".docx", ".pptx", ".xlsx", ".pdf"):
        assert any(p.section.startswith(content.heading) and "m7x" in p.text for p in found)


@pytest.mark.parametrize("suffix", [".md", ".csv", ".tsv", ".html", ".docx", ".xlsx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_part_of_a_table_carries_the_header_it_does_not_show(reader, suffix, language):
    header = made.content(language, "x").rows[0]
    rows = [header, *((f"n{n}", f"{header[1]} {n} " * 6) for n in range(60))]
    content = made.Content("T", "H", "t", rows, language)
    found = [
        p for p in passages(reader.read(made.MAKERS[suffix](content), f"t{suffix}")) if "n1" in p.text or "n5" in p.text
    ]
    assert len(found) > 2
    told = " | ".join(header)
    assert all(told in p.section for p in found[1:])
    assert told not in found[0].section or told not in found[0].text
    assert not any(header[0] in p.text for p in found[1:]), "it is carried, and not shown"


def test_pages_are_told_in_the_source(reader):
    for suffix in (".pdf", ".pptx"):
        content = made.content("ja", "m7x")
        found = passages(reader.read(made.MAKERS[suffix](content), f"a{suffix}"), f"a{suffix}")
        assert [p.source for p in found if "m7x" in p.text] == [f"a{suffix}#page=2"]


def test_lines_of_a_pdf_are_joined_as_its_language_wants(reader):
    for language in LANGUAGES:
        content = made.content(language, "m7x")
        assert content.text in reader.read(made.pdf(content), "a.pdf").text


def test_a_running_head_is_no_part_of_the_text(reader):
    from reportlab.pdfgen import canvas

    file = io.BytesIO()
    drawn = canvas.Canvas(file)
    for n in range(1, 6):
        drawn.setFont("Helvetica", 10)
        drawn.drawString(60, 810, f"ACME confidential, {n} of 5")
        for line in range(5):
            drawn.drawString(60, 700 - 14 * line, f"Page {n} says that clause {n}.{line} holds until it is replaced.")
        drawn.drawString(300, 20, str(n))
        drawn.showPage()
    drawn.save()
    parsed = reader.read(file.getvalue(), "a.pdf")
    assert "confidential" not in parsed.text
    assert parsed.text.count("holds until") == 25
    assert not [line for line in parsed.text.splitlines() if line.strip().isdigit()]


def test_some_pages_of_a_pdf_may_be_pictures(reader):
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter()
    for part in (made.pdf(made.content("en", "m7x")), made.scanned_pdf()):
        for page in PdfReader(io.BytesIO(part)).pages:
            writer.add_page(page)
    parsed = reader.read(made.saved(writer.write), "a.pdf")
    assert "m7x" in parsed.text
    assert parsed.remarks == ("2 of 4 pages are images without a text layer (3, 4); OCR is not ours",)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("scan.pdf", made.scanned_pdf, "image only: no text layer on its 2 pages; OCR is not ours"),
        ("locked.pdf", made.encrypted_pdf, "encrypted: "),
        ("locked.docx", made.encrypted_office, "encrypted: "),
        ("locked.docx", made.locked_zip, "encrypted: "),
        ("old.doc", made.old_word, "an Office .doc of before 2007"),
        ("bomb.docx", made.zip_bomb, "a zip bomb: "),
        ("bomb.epub", lambda: made.zip_bomb("META-INF/container.xml"), "a zip bomb: "),
        ("bomb.xlsx", lambda: made.zip_bomb("xl/workbook.xml"), "a zip bomb: "),
        ("broken.pdf", lambda: b"%PDF-1.7\nand then nothing", "broken pdf: "),
        ("cut.docx", lambda: made.docx(made.content("en", "x"))[:2000], "broken: a zip container"),
        ("cut.epub", lambda: made.epub(made.content("en", "x"))[:200], "broken: a zip container"),
        ("fake.pdf", lambda: b"hello", "no pdf file in spite of its name"),
        ("fake.xlsx", lambda: b"a,b\n1,2\n", "no xlsx file in spite of its name"),
        ("bad.json", lambda: b'{"a": ', "broken json: "),
        ("deep.json", lambda: b"[" * 200_000, "broken json: nested too deep"),
        ("no.eml", lambda: b"just a line", "no e-mail: "),
        ("music.txt", lambda: b"ID3\x03\0\0\0" + bytes(range(256)) * 4, "binary, not text"),
    ],
)
def test_what_cannot_be_read_is_named(reader, name, content, told):
    with pytest.raises(Unreadable, match=f"^{told}") as error:
        reader.read(content(), name)
    assert "\n" not in str(error.value)


def test_a_folder_in_a_zip_is_no_document(reader):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(Unreadable, match="unpack it"):
        reader.read(file.getvalue(), "a.txt")


def test_a_file_is_what_its_first_bytes_say(reader):
    content = made.content("en", "m7x")
    for suffix in (".pdf", ".docx", ".pptx", ".xlsx", ".epub", ".html"):
        assert "m7x" in reader.read(made.MAKERS[suffix](content), "stdin").text


@pytest.mark.parametrize("suffix", list(made.MAKERS))
def test_an_empty_file_is_empty_in_every_format(reader, suffix):
    assert reader.read(b"", f"a{suffix}").text == ""


# ── HTML ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "charset"), [("zh-Hant", "big5"), ("zh-Hans", "gb2312"), ("ja", "shift_jis"), ("ja", "euc-jp")]
)
def test_the_charset_that_a_page_declares_is_believed_where_it_fits(reader, language, charset):
    content = made.content(language, "m7x")
    assert content.text in reader.read(made.html(content, charset), "a.html").text
    wrong = made.html(content).replace(b"utf-8", charset.encode())
    assert content.text in reader.read(wrong, "a.html").text


def test_the_structure_of_a_page_is_kept(reader):
    page = """<html><body><h1>規程</h1><p>夏季休暇は
    五日です。<ruby>有給<rt>ゆうきゅう</rt></ruby>休暇は別です。</p><ul><li>一つ<ul><li>中</li></ul></li><li>二つ</li></ul>
    <ol><li>first<li>second</ol><pre>if x:
        y()</pre><table><tr><td><table><tr><td>a</td></tr></table></td></tr></table><p hidden>wallaby</p>
    <div role="navigation">wallaby</div><form>Name: <select><option>wallaby</select></form>"""
    parsed = reader.read(page.encode(), "a.html")
    assert parsed.text == (
        "# 規程\n\n夏季休暇は五日です。有給休暇は別です。\n\n- 一つ\n  - 中\n- 二つ\n\n1. first\n2. second\n\n"
        "```\nif x:\n        y()\n```\n\na\n\nName:"
    )
    assert [b.kind for b in parsed.blocks].count(Kind.CODE) == 1


def test_navigation_that_is_never_closed_takes_nothing_with_it(reader):
    assert "Opening hours" in reader.read(b"<body><nav><p>Opening hours", "a.html").text


def test_what_a_page_says_of_itself(reader):
    page = b'<html lang="zh-TW"><title>T</title><meta property="article:published_time" content="2026-03-01"><p>403'
    parsed = reader.read(page, "a.html")
    assert (parsed.title, parsed.date, parsed.language) == ("T", "2026-03-01", "zh-Hant")
    assert passages(parsed)[0].date == "2026-03-01"


# ── the others ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_cell_may_have_several_lines():
    parsed = parse('id,note\n1,"two\nlines"\n2,x\n', "a.csv")
    assert [parsed.text[b.start : b.end] for b in parsed.blocks] == ["id,note\n", '1,"two\nlines"\n', "2,x\n"]


def test_a_quotation_mark_that_nothing_closes_quotes_nothing():
    text = "id;size\n" + '1;3" pipe\n' * 500
    assert len(parse(text, "a.csv").blocks) == 501


def test_numbers_are_no_header():
    assert {b.header for b in parse("1,2\n3,4\n", "a.csv").blocks} == {""}


def test_values_of_a_sheet_are_as_they_are_shown(reader):
    import datetime

    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["when", "how many", "done"])
    book.active.append([datetime.date(2026, 11, 30), 3.0, True])
    book.active.append([datetime.datetime(2026, 11, 30, 9, 30), 2.5, None])
    book.create_sheet("secret").sheet_state = "hidden"
    parsed = reader.read(made.saved(book.save), "a.xlsx")
    assert "| 2026-11-30 | 3 | TRUE |\n| 2026-11-30 09:30:00 | 2.5 |  |" in parsed.text
    assert parsed.remarks == ("1 hidden sheets not read",)


def test_records_are_told_by_name(reader):
    told = {"title": "庫存", "items": [{"name": "鍵", "place": {"room": "守衛室"}}, {"name": "鎖", "tags": ["a", "b"]}]}
    parsed = reader.read(json.dumps(told).encode(), "a.json")
    assert parsed.title == "庫存"
    assert [parsed.text[b.start : b.end] for b in parsed.blocks][1:] == [
        "name: 鍵\nplace.room: 守衛室",
        "name: 鎖\ntags: a, b",
    ]
    assert parsed.blocks[1].section == ("items",)


def test_a_line_that_is_no_json_is_kept_and_told(reader):
    parsed = reader.read('{"a": "一"}\noops\n{"a": "二"}\n'.encode(), "a.jsonl")
    assert parsed.text == "a: 一\n\noops\n\na: 二"
    assert parsed.remarks == ("1 lines are no JSON and stand as they are, the first is line 2",)


def test_a_mail_whose_charset_is_told_wrongly_is_read(reader):
    for charset, text in (("gb2312", "镕金仓库签收单：㐂字号。"), ("us-ascii", "第二倉庫の鍵は守衛室にあります。")):
        encoding = "gb18030" if charset == "gb2312" else "cp932"
        kind = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit"
        head = f"From: a@example.com\nSubject: x\n{kind}\n\n"
        assert text in reader.read(head.encode() + text.encode(encoding), "a.eml").text


def test_slides_come_in_the_order_they_are_shown(reader):
    import pptx

    deck = pptx.Presentation()
    for heading in ("first", "second", "third"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = heading
        slide.notes_slide.notes_text_frame.text = f"note to the {heading}"
    order = deck.slides._sldIdLst
    order.insert(0, order[2])
    parsed = reader.read(made.saved(deck.save), "a.pptx")
    assert [b.section[-1] for b in parsed.blocks] == ["third", "first", "second"]
    assert "note to the third" in parsed.text
    assert parsed.text.count("\f") == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.eml", b"From: \0Mei <a@example.com>\nSubject: x\n\nm7x\n"),
        ("a.json", b'{"a\\u0000b": "m7x\\u0000", "c": "\\ud800"}'),
        ("a.html", b"<p>&#0;a</p><p>m7x</p>"),
    ],
)
def test_a_nul_moves_no_offset(reader, name, content):
    parsed = reader.read(content, name)
    stored = clean(parsed.text)
    assert stored == parsed.text
    assert any("m7x" in stored[b.start : b.end] for b in parsed.blocks)

"""Files of every format, made here: what a text looks like when Word, Excel, a browser or a scanner has had it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape

TEXTS = {
    "zh-Hant": "門市營業時間為上午十點到晚上九點，請先登入再更換密碼。",
    "zh-Hans": "团队版每人每月三十五元，请先登录再更换密码。",
    "ja": "夏季休暇は五日です。第二倉庫の鍵は守衛室にあります。",
    "en": "The café opens at ten, and the warehouse key hangs in the guard room.",
}
ENCODINGS = {
    "zh-Hant": ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "big5", "big5hkscs", "gb18030"),
    "zh-Hans": ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "gbk"),
    "ja": ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp932", "euc_jp", "iso2022_jp"),
    "en": ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"),
}
FONTS = {"zh-Hant": "MSung-Light", "zh-Hans": "STSong-Light", "ja": "HeiseiMin-W3", "en": "Helvetica"}


@dataclass(frozen=True)
class Content:
    """What each file says: a title, a heading, a paragraph that only this file has, a small table."""

    title: str
    heading: str
    text: str
    rows: Sequence[Sequence[str]]
    language: str = "en"


def content(language: str, mark: str) -> Content:
    words = {
        "zh-Hant": ("門市手冊", "營業時間", ("編號", "品名"), "鑰匙"),
        "zh-Hans": ("门店手册", "营业时间", ("编号", "品名"), "钥匙"),
        "ja": ("店舗手引き", "営業時間", ("番号", "品名"), "鍵"),
        "en": ("Shop handbook", "Opening hours", ("Number", "Name"), "key"),
    }[language]
    title, heading, header, thing = words
    return Content(title, heading, f"{TEXTS[language]} {mark}", (header, (mark, thing), (f"{mark}b", thing)), language)


def plain(c: Content) -> bytes:
    return f"{c.heading}\n\n{c.text}\n".encode()


def markdown(c: Content) -> bytes:
    rows = "".join("| " + " | ".join(row) + " |\n" + ("|---|---|\n" if n == 0 else "") for n, row in enumerate(c.rows))
    return f"# {c.title}\n\n## {c.heading}\n\n{c.text}\n\n{rows}".encode()


def table(c: Content, mark: str = ",") -> bytes:
    cells = [*c.rows, (c.text, "x")]
    return "".join(mark.join(f'"{x}"' if mark in x else x for x in row) + "\r\n" for row in cells).encode()


def tabs(c: Content) -> bytes:
    return table(c, "\t")


def html(c: Content, encoding: str = "utf-8") -> bytes:
    cells = "".join("<tr>" + "".join(f"<td>{escape(x)}</td>" for x in row) + "</tr>" for row in c.rows)
    page = (
        f'<!doctype html><html lang="{c.language}"><head><meta charset="{encoding}"><title>{c.title}</title>'
        "<style>p{}</style><script>var wallaby = 1;</script></head><body><nav><a href='/'>wallaby</a></nav>"
        f"<h1>{c.title}</h1><h2>{c.heading}</h2><p>{escape(c.text)}</p><table>{cells}</table>"
        "<footer>wallaby</footer></body></html>"
    )
    return page.encode(encoding)


def as_json(c: Content) -> bytes:
    records = [dict(zip(c.rows[0], row, strict=True)) for row in c.rows[1:]]
    return json.dumps({"title": c.title, c.heading: [{"text": c.text}, *records]}, ensure_ascii=False).encode()


def json_lines(c: Content) -> bytes:
    records = [{"text": c.text}, *(dict(zip(c.rows[0], row, strict=True)) for row in c.rows[1:])]
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def mail(c: Content, charset: str = "utf-8") -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "Mei <mei@example.com>", "ken@example.com"
    message["Subject"], message["Date"] = c.title, "Mon, 30 Nov 2026 10:00:00 +0800"
    message.set_content(f"{c.heading}\n\n{c.text}\n", charset=charset)
    message.add_alternative(f"<p>{c.heading}</p><p>{c.text}</p>", subtype="html")
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="map.png")
    return message.as_bytes()


def epub(c: Content) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        book.writestr(
            "OEBPS/book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            f"<dc:title>{c.title}</dc:title><dc:language>{c.language}</dc:language><dc:date>2026-11-30</dc:date></metadata>"
            '<manifest><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/>'
            '<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>'
            '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>'
            '<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>',
        )
        book.writestr("OEBPS/one.xhtml", f"<html><body><h2>{c.heading}</h2><p>{escape(c.text)}</p></body></html>")
        book.writestr("OEBPS/two.xhtml", "<html><body><h2>2</h2><p>The end.</p></body></html>")
        book.writestr("OEBPS/nav.xhtml", "<html><body><p>wallaby</p></body></html>")
    return made.getvalue()


def docx(c: Content) -> bytes:
    import docx as library

    document = library.Document()
    document.core_properties.title = c.title
    document.add_heading(c.heading, 1)
    document.add_paragraph(c.text)
    made = document.add_table(len(c.rows), len(c.rows[0]))
    for y, row in enumerate(c.rows):
        for x, cell in enumerate(row):
            made.cell(y, x).text = cell
    return saved(document.save)


def pptx(c: Content) -> bytes:
    import pptx as library

    deck = library.Presentation()
    deck.core_properties.title = c.title
    for heading, text in ((c.title, "."), (c.heading, c.text)):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = heading
        slide.placeholders[1].text = text
    return saved(deck.save)


def xlsx(c: Content) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = c.heading
    for row in (*c.rows, (c.text, "x")):
        book.active.append(list(row))
    return saved(book.save)


def pdf(c: Content) -> bytes:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen import canvas

    font = FONTS[c.language]
    if c.language != "en":
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    made = io.BytesIO()
    drawn = canvas.Canvas(made)
    drawn.setTitle(c.title)
    words = c.text.split(" ") if c.language == "en" else list(c.text)
    gap = " " if c.language == "en" else ""
    for heading in (c.title, c.heading):
        drawn.setFont(font, 20)
        drawn.drawString(60, 780, heading)
        drawn.setFont(font, 11)
        if heading == c.heading:
            half = len(words) // 2
            drawn.drawString(60, 740, gap.join(words[:half]))
            drawn.drawString(60, 725, gap.join(words[half:]))
        else:
            for n in range(4):
                drawn.drawString(60, 740 - 15 * n, f"{c.title} {'-' * n}")
        drawn.showPage()
    drawn.save()
    return made.getvalue()


def saved(save: Callable[[io.BytesIO], object]) -> bytes:
    made = io.BytesIO()
    save(made)
    return made.getvalue()


MAKERS: dict[str, Callable[[Content], bytes]] = {
    ".txt": plain,
    ".md": markdown,
    ".csv": table,
    ".tsv": tabs,
    ".html": html,
    ".json": as_json,
    ".jsonl": json_lines,
    ".eml": mail,
    ".epub": epub,
    ".docx": docx,
    ".pptx": pptx,
    ".xlsx": xlsx,
    ".pdf": pdf,
}

# ── what cannot be read ──────────────────────────────────────────────────────────────────────────────────────────


def scanned_pdf() -> bytes:
    from reportlab.pdfgen import canvas

    made = io.BytesIO()
    drawn = canvas.Canvas(made)
    for _ in range(2):
        drawn.rect(50, 50, 300, 300, fill=1)
        drawn.showPage()
    drawn.save()
    return made.getvalue()


def encrypted_pdf() -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(io.BytesIO(pdf(content("en", "locked")))))
    writer.encrypt("secret", algorithm="RC4-128")
    return saved(writer.write)


def encrypted_office() -> bytes:
    """What begins a document that Office has encrypted: a compound file with a stream of that name."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(512)


def old_word() -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "WordDocument".encode("utf-16-le") + bytes(512)


def zip_bomb(member: str = "word/document.xml", size: int = 600_000_000) -> bytes:
    made = io.BytesIO()
    block = bytes(1_000_000)
    with (
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(member, "w", force_zip64=True) as file,
    ):
        for _ in range(size // len(block)):
            file.write(block)
    return made.getvalue()


def locked_zip() -> bytes:
    """A member whose flag says that it is encrypted."""
    locked = bytearray(docx(content("en", "locked")))
    at = locked.find(b"PK\x01\x02")
    while at >= 0:
        locked[at + 8] |= 1
        at = locked.find(b"PK\x01\x02", at + 1)
    return bytes(locked)


def meaningless_pdf() -> bytes:
    """One whose glyphs have no meaning that is told: text drawn with codes of the font's own, without ToUnicode."""
    text = "".join(f"{n:04X}" for n in range(0x0E00, 0x0E60))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        stream(f"BT /F1 12 Tf 50 700 Td <{text}> Tj ET".encode()),
        b"<</Type/Font/Subtype/Type0/BaseFont/Nameless/Encoding/Identity-H/DescendantFonts[6 0 R]>>",
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Nameless/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
        b"/Supplement 0>>/FontDescriptor 7 0 R/DW 1000>>",
        b"<</Type/FontDescriptor/FontName/Nameless/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800"
        b"/Descent -200/CapHeight 700/StemV 80>>",
    ]
    return assembled(objects)


def stream(content: bytes) -> bytes:
    return b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)


def assembled(objects: Sequence[bytes]) -> bytes:
    made, places = b"%PDF-1.7\n", []
    for n, one in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj%s endobj\n" % (n, one)
    table = b"".join(b"%010d 00000 n \n" % at for at in places)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
        len(objects) + 1,
        start,
    )
    return made

"""DOCX, by way of mammoth: it knows what Word means by its styles, lists, tracked changes and footnotes."""

from __future__ import annotations

import io
import re

from anaphor.ingest.parse.archive import opened, told_of
from anaphor.ingest.parse.parsed import Parsed, Unreadable, Writer
from anaphor.ingest.parse.web import write_page
from anaphor.text.language import language_of

_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_BACK = re.compile(r'<a href="#[^"]{0,200}-ref-\d+">↑</a>')  # from a footnote back to where it is called


def word(content: bytes, stem: str) -> Parsed:
    import mammoth

    with opened(content) as archive:
        told = dict(told_of(archive))
        pictures = sum(name.startswith("word/media/") for name in archive.namelist())
    markup = mammoth.convert_to_html(
        io.BytesIO(content), style_map=_STYLES, convert_image=mammoth.images.img_element(lambda _: {"src": ""})
    ).value
    writer = Writer(told.get("title", ""))
    write_page(_BACK.sub("", markup), writer)
    if not writer.pieces and pictures:
        raise Unreadable(f"image only: {pictures} pictures and no text; OCR is not ours")
    date = _DATE.match(told.get("created") or told.get("modified") or "")
    return writer.parsed(stem, format="docx", date=date[0] if date else "", language=language_of(told.get("language")))

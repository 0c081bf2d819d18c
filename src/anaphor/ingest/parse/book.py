"""EPUB: the chapters in their reading order, each an HTML page inside a zip container (EPUB 2 and 3)."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from anaphor.ingest.decode import decode
from anaphor.ingest.parse.archive import attribute, local, member, opened, xml
from anaphor.ingest.parse.parsed import Parsed, Unreadable, Writer
from anaphor.ingest.parse.web import write_page
from anaphor.text.language import language_of

_PAGES = ("application/xhtml+xml", "text/html")
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")  # obscured fonts hide no text


def book(content: bytes, stem: str) -> Parsed:
    with opened(content) as archive:
        _refuse_locked(archive)
        package = _package(archive)
        root = xml(archive, package)
        told = {local(element): (element.text or "").strip() for element in reversed(list(_metadata(root)))}
        writer = Writer(told.get("title", ""))
        missing = []
        for path in _chapters(root, posixpath.dirname(package)):
            try:
                write_page(decode(member(archive, path), "utf-8").text, writer)
            except Unreadable:
                missing.append(path)
    date = _DATE.match(told.get("date", ""))
    return writer.parsed(
        stem,
        format="epub",
        date=date[0] if date else "",
        language=language_of(told.get("language")),
        remarks=(f"{len(missing)} chapters are missing or damaged: {', '.join(missing[:3])}",) if missing else (),
    )


def _refuse_locked(archive: ZipFile) -> None:
    if "META-INF/encryption.xml" in archive.namelist():
        methods = {attribute(e, "Algorithm") for e in xml(archive, "META-INF/encryption.xml").iter()} - {""}
        if methods - set(_FONTS) and "META-INF/rights.xml" in archive.namelist():
            raise Unreadable("encrypted: it is locked by its seller (DRM)")


def _package(archive: ZipFile) -> str:
    for element in xml(archive, "META-INF/container.xml").iter():
        if local(element) == "rootfile" and attribute(element, "full-path"):
            return attribute(element, "full-path")
    raise Unreadable("broken: it names no package document")


def _metadata(root: Element) -> list[Element]:
    return [child for element in root if local(element) == "metadata" for child in element]


def _chapters(root: Element, folder: str) -> list[str]:
    """Paths inside the container, in reading order, without the table of contents."""
    items = {attribute(e, "id"): e for e in root.iter() if local(e) == "item"}
    order = [attribute(e, "idref") for e in root.iter() if local(e) == "itemref"]
    return [
        posixpath.normpath(posixpath.join(folder, unquote(attribute(item, "href"))))
        for item in (items[told] for told in order if told in items)
        if attribute(item, "media-type") in _PAGES and "nav" not in attribute(item, "properties").split()
    ]

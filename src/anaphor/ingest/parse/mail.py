"""E-mail (RFC 5322, MIME): who wrote to whom and when, the text, and the names of what is attached.

Of two versions of one text the plain one is read. Attachments are named and not read: save them beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from anaphor.ingest.decode import decode
from anaphor.ingest.parse.lines import lines, paragraphs
from anaphor.ingest.parse.parsed import Parsed, Unreadable, Writer
from anaphor.ingest.parse.web import write_page

_SHOWN = ("From", "To", "Cc", "Date")


def mail(content: bytes, stem: str) -> Parsed:
    message = BytesParser(EmailMessage, policy=policy.default).parsebytes(content)
    if not any(message.get(name) for name in ("From", "To", "Subject", "Date", "Received")):
        raise Unreadable("no e-mail: it has neither sender nor receiver nor subject nor date")
    writer = Writer(_header(message, "Subject"))
    told = [f"{name}: {_header(message, name)}" for name in _SHOWN if message.get(name)]
    writer.block("\n".join(told))
    encodings = [_write(part, writer) for part in _texts(message)]
    attached = [part.get_filename() or part.get_content_type() for part in message.iter_attachments()]
    remarks = (f"attached and not read: {', '.join(attached)}",) if attached else ()
    return writer.parsed(
        stem,
        format="mail",
        date=_date(message),
        encoding=next((e for e in encodings if e != "utf-8"), "utf-8"),
        remarks=remarks,
    )


def _header(message: EmailMessage, name: str) -> str:
    """The header's words; bytes that no charset was told for are decoded by how they look."""
    try:
        told = " ".join(str(message.get(name, "")).split())
    except (ValueError, IndexError, AttributeError):  # the parser of headers, on some that are none
        return ""
    raw = told.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return decode(raw).text


def _texts(message: EmailMessage) -> Iterator[EmailMessage]:
    """The parts that are the text: each version but the best left out."""
    if message.get_content_type() == "multipart/alternative":
        options = [part for part in message.iter_parts() if isinstance(part, EmailMessage)]
        plain = [part for part in options if part.get_content_type() == "text/plain"]
        for part in plain[:1] or options[-1:]:
            yield from _texts(part)
    elif message.is_multipart():
        for inner in message.iter_parts():
            if isinstance(inner, EmailMessage) and not inner.is_attachment():
                yield from _texts(inner)
    elif message.get_content_maintype() == "text" and not message.is_attachment():
        yield message


def _write(part: EmailMessage, writer: Writer) -> str:
    """The encoding it was in."""
    content = part.get_payload(decode=True)
    decoded = decode(content if isinstance(content, bytes) else b"", part.get_content_charset() or "")
    if part.get_content_subtype() == "html":
        write_page(decoded.text, writer)
    else:
        for piece in paragraphs(lines(decoded.text)):
            writer.block(decoded.text[piece.start : piece.end], piece.kind, piece.header)
    return decoded.encoding


def _date(message: EmailMessage) -> str:
    try:
        return parsedate_to_datetime(str(message["Date"])).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""

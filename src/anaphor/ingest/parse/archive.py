"""Zip containers, opened with care: what they would unpack to is known before anything is unpacked."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from anaphor.ingest.parse.parsed import Unreadable

UNPACKED = 400_000_000  # bytes of all members together
MEMBERS = 20_000
_ENTITIES = re.compile(rb"<!ENTITY", re.I)


def opened(content: bytes) -> zipfile.ZipFile:
    """Raises ``Unreadable`` for what is broken, encrypted, or would unpack to more than a document is."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Unreadable(f"broken: a zip container that cannot be opened ({error})") from None
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    if unpacked > UNPACKED or len(members) > MEMBERS:
        raise Unreadable(
            f"a zip bomb: {len(content):,} bytes would unpack to {unpacked:,} in {len(members):,} files; "
            f"at most {UNPACKED:,} in {MEMBERS:,} are read"
        )
    if any(member.flag_bits & 1 for member in members):
        raise Unreadable("encrypted: it opens with a password only; save a copy without one")
    return archive


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Never more than the size the container states. ``Unreadable`` if it is missing or damaged."""
    try:
        return archive.read(name)
    except KeyError:
        raise Unreadable(f"broken: {name} is missing inside it") from None
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, ValueError, RuntimeError) as error:
        raise Unreadable(f"broken: {name} inside it cannot be unpacked ({error})") from None
    except Exception as error:  # zlib.error and lzma.LZMAError have no common parent
        raise Unreadable(f"broken: {name} inside it cannot be unpacked ({error})") from None


def xml(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    """A member as XML, which may define no entities of its own."""
    content = member(archive, name)
    if _ENTITIES.search(content):
        raise Unreadable(f"{name} inside it defines entities, which no document needs: not read")
    try:
        return ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Unreadable(f"broken: {name} inside it is no XML ({error})") from None


def local(element: ElementTree.Element) -> str:
    """The tag without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: ElementTree.Element, name: str) -> str:
    """By name, whatever its namespace."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


def relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Of a part of an office file: id → (kind, path of what it points at)."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", name + ".rels")
    if path not in archive.namelist():
        return {}
    return {
        relation.get("Id", ""): (
            relation.get("Type", "").rpartition("/")[2],
            posixpath.normpath(posixpath.join(folder, relation.get("Target", ""))).lstrip("/"),
        )
        for relation in xml(archive, path)
        if relation.get("TargetMode") != "External"
    }


def told_of(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Name and value of what an office file says of itself: title, created, modified, language."""
    if "docProps/core.xml" in archive.namelist():
        for element in xml(archive, "docProps/core.xml"):
            yield local(element), (element.text or "").strip()

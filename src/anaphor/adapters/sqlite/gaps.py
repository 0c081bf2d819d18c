"""What SQLite leaves behind in the unused parts of pages, and blanking it.

``secure_delete`` overwrites what is deleted where it stood. It does not overwrite the copies that stay behind where a
page was split or filled anew: cells that were moved to another page stand on in the gap between a page's pointers and
its content until something else needs the room. Measured on a table with an index on text: of 3,000 rows updated and
1,500 deleted, about a hundred pages still held whole deleted values. They are blanked here, in the file itself.

The gap is no part of the database: what is written there changes nothing that any reader can see. It is done while the
write-ahead log is empty and the write lock is held, so that nobody else writes the file; and it ends with a commit,
which makes every other connection forget the pages it has in memory, old gaps among them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from anaphor.adapters.sqlite.connection import Database, rows, value

TREES = frozenset({2, 5, 10, 13})  # the first byte of a page of a b-tree; of any other page it is another, or 0
AT_ONCE = 512  # pages read together
_MOST = 1 << 24  # pages; beyond it the first byte of an overflow page could look like that of a tree's


@dataclass(frozen=True, slots=True)
class Left:
    """A stretch of the file, ``start`` to ``end``, that belongs to nothing and is not blank."""

    start: int
    end: int


def wipe(database: Database) -> bool:
    """Blank every gap, and empty the write-ahead log. ``False`` if readers would not let go of it: try again later."""
    for _ in range(5):
        if not database.forget_deleted():
            return False
        with database.write(durable=True) as connection:
            if database.log_size():
                continue  # somebody wrote in between
            connection.release_memory()
            if not hasattr(os, "pwrite") or value(connection, "PRAGMA page_count") > _MOST:
                break
            raw = database.raw()
            for left in leftovers(raw):
                os.pwrite(raw, bytes(left.end - left.start), left.start)
            os.fsync(raw)
            connection.execute(
                "INSERT INTO marks VALUES ('wiped', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"
            )
        return database.forget_deleted()
    else:
        return False
    with database.alone() as connection:
        rows(connection, "VACUUM")
    return database.forget_deleted()


def leftovers(raw: int) -> Iterator[Left]:
    """Of the file open as ``raw``; the write-ahead log is not looked into."""
    header = os.pread(raw, 100, 0)
    if len(header) < 100:
        return
    size = int.from_bytes(header[16:18], "big")
    size = 65_536 if size == 1 else size
    if int.from_bytes(header[52:56], "big"):
        return  # auto-vacuum: its pointer pages could look like a tree's; no store of ours is made so
    unused = _free(raw, size, int.from_bytes(header[32:36], "big"))
    at = 0
    while chunk := os.pread(raw, size * AT_ONCE, at):
        for offset in range(0, len(chunk) - size + 1, size):
            number = (at + offset) // size + 1
            if number in unused:
                continue
            head = 100 if number == 1 else 0
            if chunk[offset + head] in TREES:
                for start, end in _of_tree(chunk[offset : offset + size], head):
                    yield Left(at + offset + start, at + offset + end)
        at += len(chunk)


def _of_tree(page: bytes, head: int) -> Iterator[tuple[int, int]]:
    cells = int.from_bytes(page[head + 3 : head + 5], "big")
    content = int.from_bytes(page[head + 5 : head + 7], "big") or 65_536
    pointers_end = head + (12 if page[head] in (2, 5) else 8) + 2 * cells
    if not pointers_end <= content <= len(page):
        return  # no tree's page after all
    gap = page[pointers_end:content]
    if gap.count(0) != len(gap):
        yield pointers_end, content
    block = int.from_bytes(page[head + 1 : head + 3], "big")
    while content <= block <= len(page) - 4:
        following = int.from_bytes(page[block : block + 2], "big")
        end = block + int.from_bytes(page[block + 2 : block + 4], "big")
        if end > len(page):
            return
        body = page[block + 4 : end]
        if body.count(0) != len(body):
            yield block + 4, end
        if following <= block:
            return
        block = following


def _free(raw: int, size: int, trunk: int) -> frozenset[int]:
    """The pages on the list of free ones; they are blank, but for the list itself."""
    found: set[int] = set()
    while trunk and trunk not in found:
        page = os.pread(raw, size, (trunk - 1) * size)
        found.add(trunk)
        n = min(int.from_bytes(page[4:8], "big"), size // 4 - 2)
        found.update(int.from_bytes(page[8 + 4 * i : 12 + 4 * i], "big") for i in range(n))
        trunk = int.from_bytes(page[:4], "big")
    return frozenset(found)

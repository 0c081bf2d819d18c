"""Whose the vectors are, what still waits for one, and another embedder's vectors beside the ones that are searched.

A *maker* is an embedder as the store knows it, by name and dimensions. The current one's vectors are searched. Another
may be coming: everything waits for it as well, and in the transaction that takes its last vector it becomes the
current one and the earlier one's vectors go. Until then nothing that is searched has changed.

What waits is a kind of vector of a passage: to add a kind, add it to ``PARTS`` and, in a migration, to what waits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.vectors import numpy
from anaphor.errors import WrongEmbedder
from anaphor.ports import Embedder
from anaphor.text.sentences import told_apart
from anaphor.types import Json

PASSAGE, SENTENCE = "passage", "sentence"


class Part(NamedTuple):
    """What one vector stands for: ``passage.text[start:end]``, embedded as ``told``."""

    start: int
    end: int
    told: str


class Maker(NamedTuple):
    """An embedder that has made, or is to make, vectors of the store."""

    key: int
    name: str
    dimensions: int
    coming: bool


def whole(title: str, section: str, text: str) -> list[Part]:
    """The passage as one vector; title and section help to find it."""
    return [Part(0, len(text), "\n".join(part for part in (title, section, text) if part))]


def by_sentence(title: str, section: str, text: str) -> list[Part]:  # noqa: ARG001
    """Each sentence as a vector, where there are several."""
    return [Part(span.start, span.end, text[span.start : span.end]) for span in told_apart(text)]


PARTS: Mapping[str, Callable[[str, str, str], Sequence[Part]]] = {PASSAGE: whole, SENTENCE: by_sentence}
"""Kind → the parts of a passage (title, section, text) that have a vector of that kind; in this order they are made."""

OF = {PASSAGE: "TRUE", SENTENCE: "turn_key IS NOT NULL"}
"""Kind → the passages that have such vectors. A document is cut small; what a person says is about many things."""


def put_down(connection: apsw.Connection, passage_keys: Iterable[int]) -> None:
    """These passages wait for every kind of vector, of every maker. Inside a write."""
    keys = json.dumps(list(passage_keys))
    for kind, those in OF.items():
        connection.execute(
            "INSERT INTO waiting (maker_key, kind, passage_key) SELECT maker_key, ?, passage_key FROM makers, passages "
            f"WHERE passage_key IN (SELECT value FROM json_each(?)) AND {those}",
            (kind, keys),
        )


def makers(connection: apsw.Connection) -> list[Maker]:
    """The current one first, then the coming one."""
    found = rows(connection, "SELECT maker_key, name, dimensions, coming FROM makers ORDER BY coming")
    return [Maker(key, name, dimensions, bool(coming)) for key, name, dimensions, coming in found]


def current(connection: apsw.Connection) -> Maker | None:
    """Whose vectors are searched; ``None`` while there are none."""
    return next((maker for maker in makers(connection) if not maker.coming), None)


def searched(connection: apsw.Connection, embedder: Embedder) -> int | None:
    """The key of the current maker, which must be this embedder; ``None`` while nothing has been embedded."""
    found = makers(connection)
    if not any(_has_vectors(connection, maker) for maker in found if not maker.coming):
        return None
    now = found[0]
    if _is(now, embedder):
        return now.key
    raise _wrong(connection, now, embedder)


def left(connection: apsw.Connection, embedder: Embedder | None = None) -> int:
    """How many passages have vectors still to be made: by that embedder, else by the current one."""
    # By name alone: how long its vectors are is something a server may have to be asked for.
    ours = [m for m in makers(connection) if (m.name == embedder.name if embedder else not m.coming)]
    if not ours:
        return int(value(connection, "SELECT count(*) FROM passages"))
    return sum(_waiting(connection, maker) for maker in ours)


def described(connection: apsw.Connection) -> Json:
    """Whose the vectors are and how many are there and still to be made; the same of an embedder that is coming."""
    now, coming = current(connection), next((m for m in makers(connection) if m.coming), None)
    return {
        "vectors": _count(connection, now) if now else 0,
        "pending_vectors": left(connection),
        "embedder": {"name": now.name, "dimensions": now.dimensions} if now else None,
        "coming_embedder": {
            "name": coming.name,
            "dimensions": coming.dimensions,
            "vectors": _count(connection, coming),
            "pending_vectors": _waiting(connection, coming),
        }
        if coming
        else None,
    }


def refresh(database: Database, embedder: Embedder, limit: int) -> int:
    """Embed up to ``limit`` passages that wait, the current vectors' first; how many are left."""
    with database.read() as connection:
        ours = _ours(connection, embedder)
        if not ours and not value(connection, "SELECT EXISTS (SELECT 1 FROM passages)"):
            return 0
    if not ours:
        with database.write() as connection:
            ours = _ours(connection, embedder) or [_enter(connection, embedder, coming=False)]
    for maker in ours:
        with database.read() as connection:
            batch = _next(connection, maker, limit)
        if batch:
            made = _made(embedder, batch)
            with database.write() as connection:
                _keep(connection, maker, made)
            break
    with database.read() as connection:
        return left(connection, embedder)


def begin_anew(connection: apsw.Connection, embedder: Embedder) -> None:
    """Have everything embedded by this embedder, beside what is searched now. Once begun, again changes nothing.

    One that was coming and is another gives way. Inside a write.
    """
    now, coming = current(connection), next((m for m in makers(connection) if m.coming), None)
    if coming and _is(coming, embedder):
        return
    if coming:
        _forget(connection, coming)
    beside = now is not None and _has_vectors(connection, now)
    if now and not beside:
        _forget(connection, now)
    _enter(connection, embedder, coming=beside)


def _is(maker: Maker, embedder: Embedder) -> bool:
    return maker.name == embedder.name and maker.dimensions == embedder.dimensions


def _ours(connection: apsw.Connection, embedder: Embedder) -> list[Maker]:
    """Those makers that are this embedder. ``WrongEmbedder`` where the vectors are another's."""
    found = makers(connection)
    ours = [maker for maker in found if _is(maker, embedder)]
    if found and not ours and _has_vectors(connection, found[0]):
        raise _wrong(connection, found[0], embedder)
    return ours


def _wrong(connection: apsw.Connection, now: Maker, embedder: Embedder) -> WrongEmbedder:
    told = (
        f"the store holds {now.dimensions}-dimensional vectors of {now.name!r}, and {embedder.name!r} makes "
        f"{embedder.dimensions}-dimensional ones: use {now.name!r}, or "
    )
    coming = [maker for maker in makers(connection) if maker.coming and _is(maker, embedder)]
    if coming:
        return WrongEmbedder(
            f"{told}finish embedding again with anaphor rebuild --embeddings ({_waiting(connection, coming[0])} left)"
        )
    return WrongEmbedder(f"{told}embed again with anaphor rebuild --embeddings")


def _enter(connection: apsw.Connection, embedder: Embedder, *, coming: bool) -> Maker:
    """Write the maker down, with everything that is stored waiting for it. Inside a write."""
    if not coming and (idle := current(connection)):
        _forget(connection, idle)  # one that has made nothing is in nobody's way
    connection.execute(
        "INSERT INTO makers (name, dimensions, coming) VALUES (?, ?, ?)",
        (embedder.name, embedder.dimensions, int(coming)),
    )
    maker = Maker(connection.last_insert_rowid(), embedder.name, embedder.dimensions, coming)
    for kind, those in OF.items():
        connection.execute(
            f"INSERT INTO waiting (maker_key, kind, passage_key) SELECT ?, ?, passage_key FROM passages WHERE {those}",
            (maker.key, kind),
        )
    return maker


def _next(connection: apsw.Connection, maker: Maker, limit: int) -> list[tuple[Any, ...]]:
    """``kind, passage_key, title, section, text`` of what waits longest; a kind is finished before the next begins."""
    found: list[tuple[Any, ...]] = []
    for kind in PARTS:
        found += rows(
            connection,
            "SELECT kind, passage_key, title, section, text FROM waiting JOIN passages USING (passage_key) "
            "WHERE maker_key = ? AND kind = ? ORDER BY passage_key LIMIT ?",
            (maker.key, kind, max(0, limit - len(found))),
        )
    return found


class _Vectors(NamedTuple):
    """Of one passage and kind; a passage may have no part of a kind, and so no vector."""

    kind: str
    passage_key: int
    parts: Sequence[Part]
    vectors: Sequence[bytes]


def _made(embedder: Embedder, batch: Sequence[tuple[Any, ...]]) -> list[_Vectors]:
    parts = [PARTS[kind](title, section, text) for kind, _, title, section, text in batch]
    vectors = iter(_embedded(embedder, [part.told for some in parts for part in some]))
    return [
        _Vectors(kind, key, some, [next(vectors) for _ in some])
        for (kind, key, *_), some in zip(batch, parts, strict=True)
    ]


def _embedded(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    np = numpy()
    if not texts:
        return []
    made = np.asarray(embedder.embed(texts, query=False), dtype=np.float32)
    if made.shape != (len(texts), embedder.dimensions):
        raise WrongEmbedder(
            f"embedder {embedder.name!r} says {embedder.dimensions} dimensions and made an array of "
            f"{made.shape} for {len(texts)} texts"
        )
    return [vector.tobytes() for vector in made]


def _keep(connection: apsw.Connection, maker: Maker, made: Sequence[_Vectors]) -> None:
    """Only where it is still wanted: meanwhile the passage may be gone, or embedded by another process."""
    connection.executemany(
        "INSERT INTO vectors (maker_key, kind, passage_key, span_start, span_end, vector) "
        "SELECT maker_key, kind, passage_key, ?, ?, ? FROM waiting "
        "WHERE maker_key = ? AND kind = ? AND passage_key = ?",
        (
            (part.start, part.end, vector, maker.key, kind, key)
            for kind, key, parts, vectors in made
            for part, vector in zip(parts, vectors, strict=True)
        ),
    )
    connection.executemany(
        "DELETE FROM waiting WHERE maker_key = ? AND kind = ? AND passage_key = ?",
        ((maker.key, kind, key) for kind, key, *_ in made),
    )
    still_coming = row(connection, "SELECT 1 FROM makers WHERE maker_key = ? AND coming", (maker.key,))
    if still_coming and not _waiting(connection, maker):
        _take_over(connection, maker)


def _take_over(connection: apsw.Connection, coming: Maker) -> None:
    if now := current(connection):
        _forget(connection, now)
    connection.execute("UPDATE makers SET coming = 0 WHERE maker_key = ?", (coming.key,))


def _forget(connection: apsw.Connection, maker: Maker) -> None:
    for table in ("vectors", "waiting", "makers"):
        connection.execute(f"DELETE FROM {table} WHERE maker_key = ?", (maker.key,))


def _waiting(connection: apsw.Connection, maker: Maker) -> int:
    return int(value(connection, "SELECT count(DISTINCT passage_key) FROM waiting WHERE maker_key = ?", (maker.key,)))


def _count(connection: apsw.Connection, maker: Maker) -> int:
    return int(value(connection, "SELECT count(*) FROM vectors WHERE maker_key = ?", (maker.key,)))


def _has_vectors(connection: apsw.Connection, maker: Maker) -> bool:
    return bool(value(connection, "SELECT EXISTS (SELECT 1 FROM vectors WHERE maker_key = ?)", (maker.key,)))

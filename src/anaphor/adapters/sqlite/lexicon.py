"""The lexical index: FTS5 over terms that ``anaphor.text`` has cut.

Every term carries the key of its realm in front (``7:人口``), so each realm has posting lists of its own: a query reads
only what its scope may read, however large the rest of the store is, and how rare a word is is counted in there alone.
"""

from __future__ import annotations

import functools
import hashlib
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

import apsw

from anaphor.adapters.sqlite.connection import rows, value
from anaphor.text.segment import index_terms

TITLE, SECTION = 2.0, 1.5  # what one occurrence there counts for; one in the text counts 1
K1, B = 0.6, 0.75  # of BM25. The usual k1, 1.2, ranks worse: a second occurrence says little where a passage is short
TERMS = 64  # a query is looked up by its heaviest terms, at most so many,
MOST = 1024  # of so many that are counted
ARMS = 400  # SQLite joins at most 500 SELECTs in one compound,
IN_ALL = 12_000  # and binds at most 32,766 values in one statement: two an arm

APART = frozenset({"aside.py", "erased.py", "language.py", "sentences.py", "tokens.py", "weigh.py"})
"""Modules of the text package that have no part in ``index_terms``."""

Terms = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Of title, section and text."""


def terms(title: str, section: str, text: str, language: str) -> Terms:
    return _heading(title, language), _heading(section, language), index_terms(text, language)


@functools.lru_cache(maxsize=4096)
def _heading(text: str, language: str) -> Sequence[str]:
    return tuple(index_terms(text, language))  # the same for every passage of a document


def add(connection: apsw.Connection, entries: Iterable[tuple[int, int, Terms]]) -> None:
    """Entries are passage key, realm key and terms."""
    connection.executemany(
        "INSERT INTO lexicon (rowid, title, section, text) VALUES (?, ?, ?, ?)",
        ((key, *(_in_realm(realm, part) for part in parts)) for key, realm, parts in entries),
    )


def remove(connection: apsw.Connection, entries: Sequence[tuple[int, int, Terms]], stored: int, wipe: bool) -> None:
    """Take entries out of an index that holds ``stored``; with ``wipe``, so that no term of them is left in the file.

    Wiping term by term (secure-delete) costs about 10 ms an entry, writing the index anew about 20 µs an entry it
    holds: whichever is less. What is not wiped now is wiped by the next that is, or by ``wipe_the_rest``.
    """
    unwiped = value(connection, "SELECT value FROM marks WHERE name = 'unwiped'") or 0
    anew = wipe and (unwiped > 0 or len(entries) * 500 > stored)
    connection.execute("INSERT INTO lexicon (lexicon, rank) VALUES ('secure-delete', ?)", (int(wipe and not anew),))
    connection.executemany(
        "INSERT INTO lexicon (lexicon, rowid, title, section, text) VALUES ('delete', ?, ?, ?, ?)",
        ((key, *(_in_realm(realm, part) for part in parts)) for key, realm, parts in entries),
    )
    if not wipe:
        connection.execute("INSERT OR REPLACE INTO marks VALUES ('unwiped', ?)", (unwiped + len(entries),))
    if anew:
        _write_anew(connection)


def wipe_the_rest(connection: apsw.Connection) -> bool:
    """Wipe what was removed without; whether there was any."""
    if not value(connection, "SELECT value FROM marks WHERE name = 'unwiped'"):
        return False
    _write_anew(connection)
    return True


def _write_anew(connection: apsw.Connection) -> None:
    connection.execute("INSERT INTO lexicon (lexicon) VALUES ('optimize')")
    connection.execute("DELETE FROM marks WHERE name = 'unwiped'")


def keep_current(connection: apsw.Connection) -> None:
    """Make the index anew if the text package now cuts differently than when it was made. Inside a write."""
    if not is_current(connection):
        write_from_passages(connection)


def write_from_passages(connection: apsw.Connection) -> None:
    """Make the whole index anew. Inside a write."""
    connection.execute("INSERT INTO lexicon (lexicon) VALUES ('delete-all')")
    stored = connection.execute("SELECT passage_key, realm_key, title, section, text, language FROM passages")
    add(connection, ((key, realm, terms(*parts)) for key, realm, *parts in stored))
    connection.execute("INSERT OR REPLACE INTO marks VALUES ('segmentation', ?)", (digest(),))


def is_current(connection: apsw.Connection) -> bool:
    return bool(value(connection, "SELECT value FROM marks WHERE name = 'segmentation'") == digest())


@functools.cache
def digest() -> str:
    """Of everything that may decide how a text is cut: two equal digests give equal terms."""
    package = files("anaphor.text")
    parts = [*package.iterdir(), *(package / "tables").iterdir()]
    seen = hashlib.sha256(unicodedata.unidata_version.encode())
    for part in sorted(parts, key=lambda part: part.name):
        if part.is_file() and part.name not in APART:
            seen.update(part.read_bytes())
    return seen.hexdigest()[:16]


def _in_realm(realm: int, parts: Iterable[str]) -> str:
    front = f"{realm}:"
    together = f" {front}".join(parts)
    return front + together if together else ""


def ranked(
    connection: apsw.Connection, weights: Mapping[str, float], realms: Mapping[int, int]
) -> tuple[str, list[float | str]]:
    """A SELECT of ``passage_key, score`` for every passage that has one of the terms, and its bindings.

    BM25 (k1 = 0.6, b = 0.75) with the inverse document frequency ``ln(1 + (N - n + 0.5) / (n + 0.5))``, over the
    passages of the realms (realm key → passages): FTS5's own is about zero for a term that half of the passages have,
    which in a small collection is nearly every term, so its share is divided out. The empty string if nothing matches.
    """
    found = _occurrences(connection, weights, realms)
    everything = value(connection, "SELECT sum(passages) FROM realms")
    visible = sum(realms.values())
    share = {term: rarity(sum(n.values()), visible) for term, n in found.items()}
    chosen = sorted(found, key=lambda term: -weights[term] * share[term])[:TERMS]
    arms = [
        (_SCALE * weights[term] * share[term] / _rarity_in_fts5(n, everything), realm, term)
        for term in chosen
        for realm, n in found[term].items()
    ]
    # The column rank and not the function bm25(): that one is not available everywhere SQLite may move an arm to.
    arm = (
        "SELECT rowid AS passage_key, ? * -rank AS score FROM lexicon "
        f"WHERE lexicon MATCH ? AND rank MATCH '{_WEIGHTS}'"
    )
    sql = _compound([arm] * len(arms))
    return sql, [part for factor, realm, term in arms for part in (factor, _phrase(realm, term))]


def _occurrences(
    connection: apsw.Connection, weights: Mapping[str, float], realms: Mapping[int, int]
) -> dict[str, dict[int, int]]:
    """Term → realm → passages that have it; only where there are any."""
    asked = [(term, realm) for term in heaviest(weights, len(realms)) for realm in realms]
    sql = _compound(["SELECT count(*) FROM lexicon(?)"] * len(asked))
    counts = rows(connection, sql, tuple(_phrase(realm, term) for term, realm in asked)) if asked else []
    found: dict[str, dict[int, int]] = {}
    for (term, realm), (n,) in zip(asked, counts, strict=True):
        if n:
            found.setdefault(term, {})[realm] = n
    return found


def heaviest(weights: Mapping[str, float], realms: int) -> list[str]:
    """The terms that are looked up at all, in so many realms."""
    most = min(max(TERMS, MOST // max(1, realms)), IN_ALL // max(1, realms))
    return sorted(weights, key=lambda term: -weights[term])[:most]


def _compound(selects: Sequence[str]) -> str:
    blocks = [" UNION ALL ".join(selects[i : i + ARMS]) for i in range(0, len(selects), ARMS)]
    return blocks[0] if len(blocks) == 1 else " UNION ALL ".join(f"SELECT * FROM ({block})" for block in blocks)


def _phrase(realm: int, term: str) -> str:
    quoted = in_realm(realm, term).replace('"', '""')
    return f'"{quoted}"'


def in_realm(realm: int, term: str) -> str:
    """The term as the index holds it."""
    return f"{realm}:{term}"


def rarity(n: int, of: int) -> float:
    """The inverse document frequency of a term that n passages of so many have."""
    return math.log1p((of - n + 0.5) / (n + 0.5))


# FTS5's k1 is always 1.2: occurrences that count twice as much make it half of that, up to a factor.
_FTS5_K1 = 1.2
_TIMES = _FTS5_K1 / K1
_SCALE = (K1 + 1) / (_FTS5_K1 + 1)
_WEIGHTS = f"bm25({_TIMES * TITLE}, {_TIMES * SECTION}, {_TIMES})"


def _rarity_in_fts5(n: int, of: int) -> float:
    idf = math.log((of - n + 0.5) / (n + 0.5))
    return idf if idf > 0 else 1e-6

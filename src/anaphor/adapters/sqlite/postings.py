"""Posting lists in memory: which passages have a term, and how much it counts there.

FTS5 takes a microsecond for each passage that has one of a question's terms, most of it for working out a rank; a
question of twenty words over a hundred thousand messages meets forty thousand. So in a large store the lists are read
bare and kept, and ranks are worked out in arrays. Nothing of it is written down anywhere: what was deleted is in no
list from the next search on, and what was added is added to the lists that are kept.
"""

from __future__ import annotations

import functools
import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

import apsw

from anaphor.adapters.sqlite import lexicon
from anaphor.adapters.sqlite.connection import row, rows
from anaphor.adapters.sqlite.vectors import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"
Place: TypeAlias = tuple[int, str]
"""A realm's key and a term."""

LARGE = 5_000  # passages; below, SQLite ranks as fast, and numpy need not be loaded
KEPT = 4_000_000  # passages in all lists that are kept: 32 MB,
EACH = 64  # and so many more for every list, however short
FEW = 256  # passages added since; of more, the lists are read again

_FORGETS = """
    SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'passages'), 0),
           coalesce((SELECT sum(passages) FROM realms), 0)"""


def worth_it(connection: apsw.Connection) -> bool:
    """Whether the store is large enough, and numpy is there."""
    return bool(row(connection, _FORGETS)[1] > LARGE and find_spec("numpy"))  # type: ignore[index]


@dataclass(frozen=True, slots=True)
class List:
    """``keys`` of passages (uint32), rising, and what the term counts in each (float32)."""

    keys: Array
    counts: Array


class Postings:
    """Of one store. May be used by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._kept: OrderedDict[Place, List] = OrderedDict()
        self._held = 0
        self._lengths: Array = numpy().zeros(0, numpy().float32)  # by passage key, in terms
        self._newest = self._removed = 0

    def best(
        self,
        connection: apsw.Connection,
        weights: Mapping[str, float],
        realms: Mapping[int, int],
        allowed: Sequence[int] | None,
        limit: int,
    ) -> list[tuple[int, float]]:
        """Passage keys and scores, best first, by ``lexicon.ranked``'s formula; only ``allowed`` ones, if given."""
        np = numpy()
        with self._lock:
            newest = self._catch_up(connection)
            lists = self._lists(connection, lexicon.heaviest(weights, len(realms)), realms, newest)
            self._make_room()
            lengths = self._lengths
        if not lists:
            return []
        keys, scores = self._scored(lists, weights, sum(realms.values()), lengths)
        if allowed is not None:
            among = np.isin(keys, np.array(allowed, np.int64))
            keys, scores = keys[among], scores[among]
        if len(keys) > limit:
            least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            keys, scores = keys[scores >= least], scores[scores >= least]
        order = np.lexsort((keys, -scores))[:limit]
        return list(zip(keys[order].tolist(), scores[order].tolist(), strict=True))

    def _scored(
        self, lists: Mapping[str, List], weights: Mapping[str, float], visible: int, lengths: Array
    ) -> tuple[Array, Array]:
        np = numpy()
        rarity = {term: lexicon.rarity(len(found.keys), visible) for term, found in lists.items()}
        chosen = sorted(lists, key=lambda term: -weights[term] * rarity[term])[: lexicon.TERMS]
        keys = np.concatenate([lists[term].keys for term in chosen]).astype(np.int64)
        counts = np.concatenate([lists[term].counts for term in chosen])
        factors = np.repeat(
            np.array([weights[term] * rarity[term] for term in chosen], np.float32),
            [len(lists[term].keys) for term in chosen],
        )
        mean = lengths.sum() / max(1, np.count_nonzero(lengths))
        long = lexicon.K1 * (1 - lexicon.B + lexicon.B * lengths[keys] / mean)
        first = int(keys.min())
        scores = np.bincount(keys - first, factors * counts * (lexicon.K1 + 1) / (counts + long))
        found = np.flatnonzero(scores)
        return found + first, scores[found]

    def _catch_up(self, connection: apsw.Connection) -> bool:
        """Take in what was added since the last search; begin anew where something was removed.

        Whether the connection sees the newest state that is known: another thread may have been further.
        """
        newest, stored = row(connection, _FORGETS)  # type: ignore[misc]
        if newest - stored > self._removed or newest - self._newest > FEW:
            self._forget()
            self._removed = newest - stored
        if newest > self._newest:
            self._measure(connection, newest)
            if self._kept:
                self._add(connection)
            self._newest = newest
        return bool(newest == self._newest and newest - stored == self._removed)

    def _measure(self, connection: apsw.Connection, newest: int) -> None:
        np = numpy()
        if newest >= len(self._lengths):
            lengths = np.zeros(newest + newest // 4 + 1, np.float32)
            lengths[: len(self._lengths)] = self._lengths
        else:
            lengths = self._lengths.copy()  # a search in another thread keeps the one it has
        found = rows(connection, "SELECT id, sz FROM lexicon_docsize WHERE id > ?", (self._newest,))
        if found:
            lengths[[key for key, _ in found]] = [sum(varints(sizes)) for _, sizes in found]
        self._lengths = lengths

    def _add(self, connection: apsw.Connection) -> None:
        np = numpy()
        added: dict[Place, list[tuple[int, float]]] = {}
        sql = (
            "SELECT passage_key, realm_key, title, section, text, language FROM passages "
            "WHERE passage_key > ? ORDER BY passage_key"
        )
        for key, realm, *parts in rows(connection, sql, (self._newest,)):
            for term, count in counted(lexicon.terms(*parts)).items():
                if (realm, term) in self._kept:
                    added.setdefault((realm, term), []).append((key, count))
        for place, some in added.items():
            had = self._kept[place]
            self._kept[place] = List(
                np.append(had.keys, np.array([key for key, _ in some], np.uint32)),
                np.append(had.counts, np.array([count for _, count in some], np.float32)),
            )

    def _lists(
        self, connection: apsw.Connection, terms: Sequence[str], realms: Mapping[int, int], keep: bool
    ) -> dict[str, List]:
        np = numpy()
        places = [(realm, term) for term in terms for realm in realms]
        read = _read(connection, [place for place in places if place not in self._kept])
        found: dict[str, List] = {}
        for term in terms:
            some = [self._list(read, (realm, term), keep) for realm in realms]
            some = [each for each in some if len(each.keys)]
            if len(some) == 1:
                found[term] = some[0]
            elif some:
                found[term] = List(
                    np.concatenate([each.keys for each in some]), np.concatenate([each.counts for each in some])
                )
        return found

    def _list(self, read: Mapping[Place, List], place: Place, keep: bool) -> List:
        if place not in read:
            self._kept.move_to_end(place)
            return self._kept[place]
        made = read[place]
        if keep:
            self._kept[place] = made
            self._held += len(made.keys) + EACH
        return made

    def _make_room(self) -> None:
        while self._held > KEPT:
            _, gone = self._kept.popitem(last=False)
            self._held -= len(gone.keys) + EACH


def _read(connection: apsw.Connection, places: Sequence[Place]) -> dict[Place, List]:
    """The lists of these terms, in one statement that gives a row a term and not one an occurrence.

    Between two rows other threads have their turn, and a question has thousands of occurrences.
    """
    found = dict.fromkeys(places, _none())
    if places:
        connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurring USING fts5vocab(main, lexicon, instance)")
        wanted = json.dumps([lexicon.in_realm(*place) for place in places])
        for n, together in rows(connection, _OCCURRENCES, (wanted,)):
            found[places[n]] = _list_of(together)
    return found


_OCCURRENCES = """
    SELECT wanted.key, group_concat(doc * 4 + CASE col WHEN 'title' THEN 1 WHEN 'section' THEN 2 ELSE 0 END)
    FROM json_each(?) AS wanted CROSS JOIN temp.occurring ON occurring.term = wanted.value GROUP BY wanted.key"""


def _list_of(together: str) -> List:
    """From numbers in a text: of each occurrence four times the key of its passage, and the column."""
    np = numpy()
    packed = np.fromstring(together, np.int64, sep=",")
    keys, at = np.unique(packed >> 2, return_inverse=True)
    worth = np.array([_WORTH["text"], _WORTH["title"], _WORTH["section"]], np.float32)[packed & 3]
    return List(keys.astype(np.uint32), np.bincount(at, worth, len(keys)).astype(np.float32))


@functools.cache
def _none() -> List:
    return List(numpy().zeros(0, numpy().uint32), numpy().zeros(0, numpy().float32))


_WORTH = {"title": lexicon.TITLE, "section": lexicon.SECTION, "text": 1.0}


def counted(parts: lexicon.Terms) -> Counter[str]:
    """What each term counts in a passage of these parts."""
    counts: Counter[str] = Counter()
    for worth, terms in zip(_WORTH.values(), parts, strict=True):
        for term in terms:
            counts[term] += worth  # type: ignore[assignment]
    return counts


def varints(packed: bytes) -> list[int]:
    """SQLite's integers of variable length."""
    found, value = [], 0
    for byte in packed:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(value)
            value = 0
    return found

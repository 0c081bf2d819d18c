"""Questions that a table answers with its rows: which rooms are there, what is cheapest, which cannot be renewed.

What is asked for stands behind the question word (哪幾種房型, what kinds of tickets, どんな資料を) and is the name of a
column, or a part of what stands in the first one. The rows are all there are, unless the question names something
that only some of them have, or asks for what has most or least of something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.aspects import measures
from anaphor.steps.answer.kinds import Kind
from anaphor.steps.answer.things import Thing, things
from anaphor.steps.reading import Text, folding, is_cjk, read, ready, tokens
from anaphor.steps.reconstruct.negation import negations
from anaphor.steps.tables import Row, rows
from anaphor.text.numbers import numbers
from anaphor.text.patterns import pattern
from anaphor.types import EvidenceClass, Passage

MOST = 12  # rows that are told
KNOWN = 0.5  # share of the question's worth that the table and its headings must have

_KINDS = frozenset({Kind.LIST, Kind.WHICH, Kind.WHAT, Kind.HOW_MANY, Kind.WHO, Kind.WHERE})


@dataclass(frozen=True, slots=True)
class Told:
    """A row of passage ``n``; ``cell`` where only that of it is told: the name of one of all that there are."""

    n: int
    row: Row
    cell: str = ""


def rows_asked(asked: Asked, passages: Mapping[int, Passage]) -> list[Told]:
    """The rows that answer, in their order; empty where no table is asked for."""
    wanted = things(asked.text) if asked.kind in _KINDS and not asked.several else ()
    if not wanted:
        return []
    for whole in tables_of(passages):
        places = {told.row: told.n for told in reversed(whole)}
        found = _of_table(asked, wanted, passages[whole[0].n], [told.row for told in whole])
        if found:
            return [Told(places[row], row, cell) for row, cell in found[:MOST]]
    return []


def tables_of(passages: Mapping[int, Passage]) -> list[list[Told]]:
    """The rows of each table whose columns have names, in order, once; also of one that several passages share."""
    found: dict[tuple[str, tuple[str, ...]], list[tuple[int, Told]]] = {}
    for n, passage in passages.items():
        for row in rows(passage) if passage.evidence_class is EvidenceClass.DOCUMENT else ():
            if row.columns and not row.heads:
                told = found.setdefault((passage.source or str(n), row.columns), [])
                if all(row.cells != one.row.cells for _, one in told):
                    told.append((passage.start + row.span.start, Told(n, row)))
    return [[told for _, told in sorted(table, key=lambda one: one[0])] for table in found.values()]


def _of_table(asked: Asked, wanted: Sequence[Thing], passage: Passage, table: list[Row]) -> list[tuple[Row, str]]:
    way = folding(passage.language)
    columns = table[0].columns
    at, those = _column(wanted, columns, table, passage.language)
    section = passage.section.rpartition("› ")[2]
    if at is None and _MOST_OR_LEAST.search(asked.text) and any(t.ends(section, passage.language) for t in wanted):
        at, those = 0, table
    if at is None or not _is_about(asked, wanted, passage, table, way):
        return []
    best = _superlative(asked.text, columns, those)
    if best is not None:
        return [(row, "") for row in best]
    kept = _fitting(asked, columns, at, those, way, passage.language, read(passage).heading)
    if kept is None:
        names = {row.cells[at]: row for row in reversed(those)}
        return (
            [(row, name) for name, row in reversed(names.items())]
            if asked.kind is not Kind.WHAT or len(those) > 1
            else []
        )
    return [(row, "") for row in kept]


def _column(
    wanted: Sequence[Thing], columns: Sequence[str], table: list[Row], language: str
) -> tuple[int | None, list[Row]]:
    """Which column is asked for, and which rows have it; the first where what is asked for is a part of its cells."""
    for at, name in enumerate(columns):
        if any(thing.called(name, language) for thing in wanted):
            return at, [row for row in table if row.cells[at]]
    inside = [row for row in table if any(thing.inside(row.cells[0], language) for thing in wanted)]
    return (0, inside) if len(inside) > 1 else (None, [])


def _is_about(asked: Asked, wanted: Sequence[Thing], passage: Passage, table: list[Row], way: str) -> bool:
    """Whether the table and what stands over it have most of what the question names."""
    nouns = {thing.noun for thing in wanted}
    named = ready(_MOST_OR_LEAST.sub(" ", asked.text), way)
    weights = {
        t: w for t, w in asked.weights(way).items() if t[0] != "\0" and (len(t) > 1 or not is_cjk(t) or t in nouns)
    }
    weights = {t: weights[t] for t in named.of(weights)}
    said = "\n".join([*nouns, *table[0].columns, *("\n".join(row.cells) for row in table)])
    has = ready(said, way).of(weights) | read(passage).heading.of(weights)
    counted = {t: w for t, w in weights.items() if t not in asked.told or t in has}
    return sum(weights[t] for t in has) >= KNOWN * sum(counted.values())


def _fitting(
    asked: Asked, columns: Sequence[str], at: int, table: list[Row], way: str, language: str, heading: Text
) -> list[Row] | None:
    """The rows that have what only some have of the question's words; ``None`` where it names nothing of the kind."""
    denied = bool(negations(asked.text, language))
    terms = {t for t in asked.weights(way) if t[0] != "\0" and (len(t) > 1 or not is_cjk(t))}
    terms -= heading.of(terms)
    named = {c for c, name in enumerate(columns) if c != at and ready(name, way).of(terms)}
    kept, told = list(table), False
    for c in range(len(columns)):
        cells = {row: ready(row.cells[c], way).of(terms) for row in kept}
        verdicts = {row: _yes_or_no(row.cells[c], language) for row in kept}
        some = (
            frozenset().union(*cells.values()) - frozenset.intersection(*map(frozenset, cells.values()))
            if cells
            else set()
        )
        if (c in named or any(cells.values())) and False in verdicts.values() and set(verdicts.values()) != {False}:
            kept, told = [row for row in kept if (verdicts[row] is False) is denied], True
        elif some:
            most = max(len(has & some) for has in cells.values())
            kept, told = [row for row in kept if len(cells[row] & some) == most], True
    return kept if told else None


def _yes_or_no(cell: str, language: str) -> bool | None:
    """Whether the cell says yes or no; ``None`` if neither."""
    said = cell.strip().casefold()
    if said in _YES:
        return True
    if said in _NO or _DENIES.match(said) or negations(cell, language):
        return False
    return True if re.match(r"可|能|有|あり|含", said) else None


def _superlative(text: str, columns: Sequence[str], table: list[Row]) -> list[Row] | None:
    """The rows with most or least; all where no one column tells it; ``None`` where that is not asked for."""
    asks = _MOST_OR_LEAST.search(text)
    if not asks:
        return None
    least = bool(_LEAST.search(asks[0]))
    priced = bool(_PRICED.search(asks[0]))
    price = next(aspect for aspect in measures() if aspect.name == "price")
    found: list[list[Row]] = []
    named = [c for c, name in enumerate(columns) if c and _named(name, text)]
    for c, name in enumerate(columns):
        if named and c not in named:
            continue
        values = {
            row: value for row in table if (value := _value(row.cells[c], price.tells if priced else None)) is not None
        }
        tells = price.asks.search(name) or all(price.tells.search(row.cells[c]) for row in values)
        if len(values) == len(table) and bool(tells) is priced and _of_one_unit([row.cells[c] for row in values]):
            extreme = (min if least else max)(values.values())
            found.append([row for row, value in values.items() if value == extreme])
    return found[0] if found and all(one == found[0] for one in found) else list(table)


def _named(column: str, text: str) -> bool:
    """Whether the question has the name of the column: storage, of the most storage."""
    return bool(ready(text, "zh").of({t.term for t in tokens(column, "zh") if len(t.term) > 1 or not is_cjk(t.term)}))


def _of_one_unit(cells: Sequence[str]) -> bool:
    """Whether the amounts can be compared as numbers: 200 GB and 2 TB cannot."""
    return len({re.sub(r"[\d.,，\s]+", " ", cell).strip().casefold() for cell in cells}) == 1


def _value(cell: str, price: re.Pattern[str] | None) -> float | None:
    """The number of a cell; of 1泊 1,500円, where it is a price, the one with a currency."""
    amount = price.search(cell) if price else None
    found = numbers(cell[amount.start() :] if amount else cell)
    return (
        float(found[0].value) if found else (0.0 if re.search(r"免[費费]|無料|\bfree\b", cell, re.IGNORECASE) else None)
    )


_YES = frozenset({"是", "有", "可", "可以", "○", "〇", "◯", "✓", "✔", "yes", "y", "true", "あり", "可能", "はい", "含"})
_NO = frozenset(
    {
        "否",
        "無",
        "无",
        "沒有",
        "没有",
        "不可",
        "×",
        "✗",
        "✕",
        "✘",
        "-",
        "—",
        "no",
        "n",
        "false",
        "none",
        "なし",
        "不可能",
        "いいえ",
    }
)

_DENIES = pattern(r"[不無无沒没未非]|not? ")

_MOST_OR_LEAST = pattern(
    r"最(?:便宜|貴|贵|多|少|大|小|長|长|短|重|輕|轻|高|低|久|快|慢|も?\w{1,3}[いな])|(?:一番|いちばん|最も)\w{1,6}"
    r"|\b(?:cheapest|most expensive|dearest|most|least|fewest|largest|biggest|smallest|longest|shortest"
    r"|heaviest|lightest|highest|lowest|fastest|slowest)\b",
    re.IGNORECASE,
)

_LEAST = pattern(r"便宜|少|小|短|輕|轻|低|安|軽|cheapest|least|fewest|smallest|shortest|lightest|lowest", re.IGNORECASE)

_PRICED = pattern(r"便宜|貴|贵|安|高い|cheap|expensive|dear", re.IGNORECASE)

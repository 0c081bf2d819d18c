"""The rows of a table that a question names by row and column: 鮮魚の2023年度, the price of the H3.

So are two that are compared (which is quieter, the H1 or the H3), and the hours of the house, which a table tells by
days while a sentence beside it tells those of another thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.columns import Told, tables_of
from anaphor.steps.answer.kinds import Kind
from anaphor.steps.answer.rank import POINTS_BACK
from anaphor.steps.answer.things import plain
from anaphor.steps.reading import Text, folding, is_cjk, read, ready, tokens
from anaphor.steps.tables import Row
from anaphor.text.fold import matching
from anaphor.text.other_words import stands
from anaphor.text.patterns import pattern
from anaphor.text.stretches import cycles
from anaphor.types import Passage

MOST_COMPARED = 3

_NO_CELL = frozenset({Kind.HOW_TO, Kind.WHY, Kind.LIST})
_DAYS = 2  # rows from which on a table goes by days


def cells_asked(asked: Asked, passages: Mapping[int, Passage]) -> list[Told]:
    """The rows that answer, in their order; empty where the question names none."""
    if asked.kind in _NO_CELL:
        return []
    for table in tables_of(passages):
        found = _hours(asked, passages, table) or _named(asked, passages, table)
        if found:
            return found
    return []


def names_longer_word(asked: Asked, passages: Mapping[int, Passage]) -> bool:
    """Whether the question names a thing that holds the name of a row, and that no passage has: 半年卡, of 年卡."""
    for table in tables_of(passages):
        for told in table:
            way = folding(passages[told.n].language)
            name, question = _name(told.row, way), matching(asked.text, way)
            longer = next((m[0] for m in _LONGER.finditer(question) if question.startswith(name, m.end())), "")
            if longer and len(name) > 1 and not any(longer + name in _folded(p) for p in passages.values()):
                return True
    return False


def _named(asked: Asked, passages: Mapping[int, Passage], table: Sequence[Told]) -> list[Told]:
    """By row and column, where the question names both; two rows, or the row for two columns, where it compares."""
    passage = passages[table[0].n]
    way = folding(passage.language)
    question = _put(matching(asked.text, way), "\n".join(table[0].row.columns), way)
    wanted = [name for asks, name in _ATTRIBUTES if asks.search(question)]
    rows = _longest([t for t in table if _stands(_name(t.row, way), question)], way)
    columns = [matching(name, way) for name in table[0].row.columns[1:]]
    named = [c for c in columns if _stands(plain(c), question)]
    about = [t for t in table if any(name.search(_name(t.row, way)) for name in wanted)]
    if _COMPARES.search(question) and wanted:
        if 1 < len(rows) <= MOST_COMPARED and any(name.search(c) for name in wanted for c in columns):
            return rows
        if 1 < len(named) <= MOST_COMPARED and len(about) == 1:
            return about
    if asked.kind is Kind.YES_NO or asked.several:
        return []
    if len(rows) == 1:
        tells = [c for c in columns if any(name.search(c) for name in wanted) or _shares(c, question, way)]
        return rows if tells and _known(asked, passages, rows[0], table) else []
    return about if len(named) == 1 and len(about) == 1 and not rows else []


def _hours(asked: Asked, passages: Mapping[int, Passage], table: Sequence[Told]) -> list[Told]:
    """The rows of a table by days, where the hours are asked for, of a day or at all, and of no other thing."""
    passage = passages[table[0].n]
    way, days = folding(passage.language), cycles()[0]
    question = matching(asked.text, way)
    opening = any(aspect.name == "opening" for aspect in asked.aspects)
    names = [_name(t.row, way) for t in table]
    by_days = sum(days.named(name) and any(form.search(name) for form in days.forms) for name in names)
    if not opening or by_days < _DAYS or _DATE.search(question) or _of_another(asked, passages, passage):
        return []
    if any(form.search(question) for form in days.forms) or days.put(question, "\n".join(names)) != question:
        put = days.put(question, "\n".join(names))
        if _apart(question, passages):
            return []
        return [t for t, name in zip(table, names, strict=True) if _of_day(name, put)]
    return list(table) if asked.kind is not Kind.YES_NO else []


def _apart(question: str, passages: Mapping[int, Passage]) -> bool:
    """Whether a sentence of its own tells of the very day: 毎週水曜日は定休日です."""
    days = cycles()[0]
    here = [name for form, names in zip(days.forms, days.names, strict=True) if form.search(question) for name in names]
    for passage in passages.values():
        for sentence in read(passage).sentences:
            said = sentence.text.folded
            told = sentence.quotable and not sentence.row and not POINTS_BACK.match(passage.text, sentence.start)
            if told and _CLOSED.search(said) and any(name in said for name in here):
                return True
    return False


def _of_day(name: str, question: str) -> bool:
    """Whether the row is of a day that the question names, as the table calls it."""
    here = [form for form in cycles()[0].forms if form.search(question)]
    return stands(name, question) or any(form.search(name) for form in here)


def _of_another(asked: Asked, passages: Mapping[int, Passage], of_table: Passage) -> bool:
    """Whether the question names a thing whose hours a sentence tells, or one that no passage has."""
    opening = next(aspect for aspect in asked.aspects if aspect.name == "opening")
    way = folding(of_table.language)
    days = cycles()[0]
    for subject in asked.subjects:
        if subject.does or any(form.search(subject.word) for form in days.forms) or subject.word in _OF_THE_HOUSE:
            continue
        if not subject.known((text for p in passages.values() for text in _texts(p)), way):
            return True
        for p in passages.values():
            found = read(p).sentences
            section = ready(p.section.rpartition("› ")[2], way)
            other = p.section != of_table.section and bool(section.of(subject.terms(way)))
            for sentence in found:
                tells = not sentence.row and opening.tells.search(p.text, sentence.start, sentence.end)
                if tells and (other or subject.known([sentence.text], way)):
                    return True
    return False


def _texts(passage: Passage) -> list[Text]:
    reading = read(passage)
    return [reading.heading, *(sentence.text for sentence in reading.sentences)]


def _known(asked: Asked, passages: Mapping[int, Passage], row: Told, table: Sequence[Told]) -> bool:
    """Whether all that the question names stands with the table, and no sentence says of the row what that lacks.

    No profit is read off a table of sales, and no lessons for adults off one of tickets.
    """
    way = folding(passages[row.n].language)
    around = [text for n in {t.n for t in table} for text in _texts(passages[n])]
    own = ready("\n".join((*row.row.columns, *row.row.cells)), way)
    lacks = [s for s in asked.subjects if not s.does and not s.known([own, read(passages[row.n]).heading], way)]
    if not all(subject.known(around, way) for subject in lacks):
        return False
    name = _name(row.row, way)
    said = [s.text for p in passages.values() for s in read(p).sentences if not s.row and stands(name, s.text.folded)]
    return not any(subject.known([text], way) for subject in lacks for text in said)


def _longest(rows: Sequence[Told], way: str) -> list[Told]:
    """Without the rows whose name is only a part of another's."""
    names = [_name(t.row, way) for t in rows]
    return [t for t, name in zip(rows, names, strict=True) if not any(name != n and name in n for n in names)]


def _name(row: Row, way: str) -> str:
    return plain(matching(row.cells[0], way)).strip()


def _folded(passage: Passage) -> str:
    return matching(passage.text, folding(passage.language))


def _stands(name: str, question: str) -> bool:
    """Whether the question has the name, and not only in a longer one: no 年卡 in 半年卡."""
    if len(name) < 2 or not stands(name, question):
        return False
    return name.isascii() or any(
        not _LONGER.match(question[m.start() - 1 : m.start()]) for m in re.finditer(re.escape(name), question)
    )


def _shares(column: str, question: str, way: str) -> bool:
    """Whether the question has a word of a column's name."""
    return bool(ready(question, way).of({t.term for t in tokens(column, way) if len(t.term) > 1 or not is_cjk(t.term)}))


def _put(question: str, columns: str, way: str) -> str:
    """The days of the question as the columns call them: 土曜 as 土日."""
    return cycles()[0].put(question, matching(columns, way))


_LONGER = pattern("[半双单副雙單]")
_COMPARES = pattern(r"哪|どちら|どっち|どれ|\bwhich\b|\bwhat is \w+er\b|\bor\b|还是|比较")
_DATE = pattern(
    r"\d{1,2}\s?[月日号]|christmas|new year|holiday|easter|春节|过年|国定|除夕|祝日|正月|年末|盆"
    r"|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
)
_CLOSED = pattern(r"休|不[开開]|[闭閉関关]|\bclosed?\b")
_OF_THE_HOUSE = frozenset({"hours", "hour", "time", "时间", "時間", "营业", "营业时间", "営業", "営業時間"})

# What is asked, in folded questions; and how a row or a column that tells it is called.
_ATTRIBUTES = (
    (
        pattern(
            r"多少[钱元]|几[元块]|便宜|贵|[価价価價][格钱錢]|安い|高い|いくら|料金"
            r"|\b(?:costs?|prices?|cheaper|cheapest|dearer|expensive)\b|\bhow much\b"
        ),
        pattern(r"[价費费価價]|料金|金额|金額|\b(?:prices?|costs?|fees?|per night)\b|あたり"),
    ),
    (pattern(r"安静|吵|噪|静か|うるさ|\b(?:quiet|noisy|loud)\w*"), pattern(r"噪|音|\bnoise\b|\bsound\b")),
    (pattern(r"[轻轻]|多重|更?重|軽|\b(?:heav|light|weigh)\w*"), pattern(r"重|\bweight\b")),
    (pattern(r"[几哪]一?[楼层]|何階|\b(?:which|what) floor\b"), pattern(r"楼|层|階|フロア|\bfloor\b|\blevel\b")),
    (pattern(r"几点|开门|开放|关门|何時|開館|閉館|\bopen\w*|\bclos\w+|\bwhat time\b"), pattern(r"时间|時間|\bhours\b")),
    (pattern(r"功率|耗电|几瓦|消費電力|\bpower\b|\bwatts?\b"), pattern(r"功率|電力|电力|\bpower\b")),
    (
        pattern(r"容量|几升|几公升|リットル|\blit(?:re|er)s?\b|\bhow much water\b"),
        pattern(r"容量|水箱|タンク|\bcapacity\b|\btank\b"),
    ),
)

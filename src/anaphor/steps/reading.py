"""A passage, read: its sentences, and what is in each. Answering and verifying both look for terms in them.

Terms are compared, never shown: CJK bigrams and single Han characters (用 in 使用 and 用途 is half a match, and half a
match often tells synonyms), Latin stems, identifiers whole. A text is folded either the Japanese way or the Chinese way
(Traditional to Simplified); whoever compares a question with a passage folds it as the passage is folded.

Of a question or a claim the terms are listed. Of a passage they are only looked up, which is ten times quicker: a CJK
term is there if the folded text has it as a part.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from anaphor.steps.lists import begins_below
from anaphor.steps.tables import Row, rows
from anaphor.text.characters import CJK, HAN
from anaphor.text.fold import matching
from anaphor.text.instructions import instructing
from anaphor.text.marks import MARK
from anaphor.text.segment import Token, segment
from anaphor.text.sentences import sentences
from anaphor.text.stem import stem
from anaphor.text.words import LATIN_RUN
from anaphor.types import Passage, Span

_LONGEST = 20_000  # characters of one passage that are read; chunks are far below it


@dataclass(frozen=True, slots=True)
class Text:
    """A text made ready to be asked for terms."""

    folded: str = ""
    latin: frozenset[str] = frozenset()

    def of(self, wanted: Iterable[str]) -> set[str]:
        """Those of the terms that are in the text."""
        folded, latin = self.folded, self.latin
        return {
            term for term in wanted if (term in latin if term[0] < "\u3005" or not is_cjk(term) else term in folded)
        }


@dataclass(frozen=True, slots=True)
class Sentence:
    """``passage.text[start:end]``.

    A heading, a lead-in with a colon and a question state nothing: they are not ``quotable``, and they lead to what
    stands below them (``led_by``), as an answer stands below its question in a list of frequent ones. A row of a table
    is one sentence, led to by the names of its columns.
    """

    start: int
    end: int
    text: Text
    led_by: Text = Text()
    quotable: bool = True
    replies: bool = False  # it is one of the first behind a question
    row: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage's sentences in order. ``heading`` is title and section, which lead to all of it."""

    sentences: tuple[Sentence, ...]
    heading: Text


@functools.lru_cache(maxsize=128)
def read(passage: Passage) -> Reading:
    """Kept for the few passages of a turn, which several steps read."""
    heading = f"{passage.title}\n{passage.section}"
    table = tuple(row for row in rows(passage) if row.span.end <= _LONGEST)
    return _read(passage.text[:_LONGEST], heading, folding(passage.language), table)


def folding(language: str) -> str:
    """How texts of the language are folded: ``ja`` or ``zh``."""
    return "ja" if language == "ja" else "zh"


def ready(text: str, folded_as: str) -> Text:
    """The text made ready to be asked for terms."""
    folded = matching(text, folded_as)
    latin: set[str] = set()
    for run in _latin().findall(folded):
        if run.isalnum():
            latin.add(stem(run))
        else:
            latin.update(token.term for token in segment(run, folded_as))
    return Text(folded, frozenset(latin))


def terms(text: str, folded_as: str) -> frozenset[str]:
    """The terms of a text."""
    return frozenset(token.term for token in tokens(text, folded_as))


def tokens(text: str, folded_as: str) -> Iterator[Token]:
    """The terms with their places, in the order of the text; a Han character stands before the bigram it begins."""
    if text.isascii():
        yield from segment(text, folded_as)
        return
    reached = 0
    for token in segment(text, folded_as):
        if is_cjk(token.term):
            for at, character in enumerate(token.term):
                start = token.start + at
                if start >= reached and _han().match(character):
                    yield Token(character, start, start + 1)
                    reached = start + 1
            if len(token.term) > 1:
                yield token
        else:
            yield token


@functools.lru_cache(maxsize=8192)
def is_cjk(term: str) -> bool:
    """Whether a term is a piece of a run, to be looked for inside words, and not a word of its own."""
    return term[0] >= "\u3005" and bool(_cjk().match(term))


def announces(text: str, span: Span) -> bool:
    """Whether the sentence only says that a list comes, which begins on the next line: 次の三つです。, as follows."""
    item = MARK.match(text, span.start)
    return not item and bool(_ANNOUNCES.search(text, span.start, span.end)) and begins_below(text, span.end)


def clauses(text: str, span: Span) -> list[Span]:
    """The stretches of a sentence between its commas, semicolons, colons and conjunctions."""
    cuts = [span.start, *(m.end() for m in _CLAUSE_END.finditer(text, span.start, span.end)), span.end]
    return [Span(a, b) for a, b in itertools.pairwise(cuts) if a < b]


REPLIES = 2  # sentences behind a question that may answer it
_STATES_NOTHING = re.compile(r"^#{1,6}\s|[：:]\s*[」』”\"')）*]*$")
_ASKS = re.compile(
    r"[?？]\s*[」』”\"')）*]*$|^\**(?:Q\d{0,3}|Ｑ|问|問)\s?[.．：:、](?=\s?\S)"
    r"|(?:で|ま)(?:す|せん|した)か[。．]?$|でしょうか[。．]?$"
)
_ANNOUNCES = re.compile(
    r"次の|下記の|如下|下列|以下(?![載载])|\b(?:following|as follows|these|below)\b"
    r"|[二三四五六七八九十兩两\d][つ種种個个項项點点類类步]"
)
_CLAUSE_END = re.compile(
    r"[，；：、]|[,;:](?=\s)|——|──"
    r"|\s(?=(?:and|but|or|while|whereas|although|though|because|unless|if|which|who)\s)"
)


@functools.cache
def _latin() -> re.Pattern[str]:
    return re.compile(LATIN_RUN)


@functools.cache
def _han() -> re.Pattern[str]:
    return re.compile(f"[{HAN}]")


@functools.cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


def _read(text: str, heading: str, folded_as: str, table: tuple[Row, ...]) -> Reading:
    orders = instructing(text)
    titles = {line.strip() for line in heading.splitlines() if line.strip()}
    by_place = {row.span: row for row in table}
    found: list[Sentence] = []
    led_by, replies = Text(), 0
    for span in _with_rows(sentences(text), table):
        said = text[span.start : span.end]
        has = ready(said, folded_as)
        row = by_place.get(span)
        if row and not row.heads:
            obeys = any(order.start < span.end and span.start < order.end for order in orders)
            over = ready("\n".join(row.columns), folded_as)
            found.append(Sentence(span.start, span.end, has, over, not obeys, row=True))
        elif row or said in titles or _STATES_NOTHING.search(said) or _ASKS.search(said) or announces(text, span):
            led_by, replies = has, REPLIES if _ASKS.search(said) else 0
            found.append(Sentence(span.start, span.end, has, quotable=False))
        else:
            obeys = any(order.start <= span.start < order.end for order in orders)
            found.append(Sentence(span.start, span.end, has, led_by, not obeys, replies=replies > 0))
            replies -= 1
    return Reading(tuple(found), ready(heading, folded_as))


def _with_rows(spans: list[Span], table: tuple[Row, ...]) -> list[Span]:
    """The spans with every row of a table as one, whatever stops stand in its cells."""
    if not table:
        return spans
    whole = [row.span for row in table]
    apart = [s for s in spans if not any(r.start < s.end and s.start < r.end for r in whole)]
    return sorted([*apart, *whole], key=lambda span: span.start)

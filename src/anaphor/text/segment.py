"""Terms of a text for an index and a query, and words of a text for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from anaphor.text.fold import fold
from anaphor.text.function_words import BY_LANGUAGE, EN, JA, ZH


@dataclass(frozen=True, slots=True)
class Token:
    """``term`` is folded; ``start`` and ``end`` are offsets in the source."""

    term: str
    start: int
    end: int


_CJK = "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = f"[^\\W_{_CJK}]"
_RUN = re.compile(f"[{_CJK}]+|{_LATIN}+(?:[-_./:@'’+#,]+{_LATIN}+)*")
_PART = re.compile(r"[^\W_]+")
_KATAKANA_OR_KANJI = re.compile(
    f"[\u30a1-\u30fa\u30fc]+|[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+|[\u3041-\u309f]+|{_LATIN}+(?:[-_./:@'’+#,]+{_LATIN}+)*"
)


def segment(text: str, language: str = "und") -> Iterator[Token]:
    """CJK bigrams, Latin words and identifiers whole and in parts."""
    folded = fold(text, language)
    for run in _RUN.finditer(folded.text):
        for start, end in _pieces(run[0]):
            span = folded.source(run.start() + start, run.start() + end)
            yield Token(run[0][start:end], span.start, span.end)


def _pieces(run: str) -> Iterator[tuple[int, int]]:
    if re.match(f"[{_CJK}]", run):
        if len(run) == 1:
            yield 0, 1
        for i in range(len(run) - 1):
            yield i, i + 2
        return
    yield 0, len(run)
    parts = [m.span() for m in _PART.finditer(run)]
    if len(parts) > 1:
        yield from parts


def index_terms(text: str, language: str = "und") -> list[str]:
    """What an index keeps for the text."""
    return [t.term for t in segment(text, language)]


def query_terms(text: str, language: str = "und") -> list[str]:
    """What an index is asked for."""
    terms = list(dict.fromkeys(index_terms(text, language)))
    return [t for t in terms if t not in EN] or terms


def words(text: str, language: str = "und") -> list[Token]:
    """Readable spans: Latin words, katakana runs, kanji runs cut at function words."""
    functional = BY_LANGUAGE.get(language, ZH | EN)
    longest = max(map(len, functional))
    out = []
    for run in _KATAKANA_OR_KANJI.finditer(text):
        if not re.match("[\u3400-\u9fff]", run[0]) or language == "ja":
            out.append(Token(run[0].casefold(), run.start(), run.end()))
            continue
        at = begin = run.start()
        while at < run.end():
            size = next((n for n in range(longest, 0, -1) if text[at : at + n] in functional), 0)
            if size:
                if begin < at:
                    out.append(Token(text[begin:at], begin, at))
                out.append(Token(text[at : at + size], at, at + size))
                begin = at + size
            at += size or 1
        if begin < run.end():
            out.append(Token(text[begin : run.end()], begin, run.end()))
    return out


def content_words(text: str, language: str = "und") -> list[Token]:
    """Words less function words."""
    functional = ZH | JA | EN
    return [
        w for w in words(text, language) if w.term not in functional and not re.fullmatch("[\u3041-\u309f]+", w.term)
    ]


_NAME = re.compile(
    r"[「『《“\"]([^「」『』《》“”\"\n]{1,40})[」』》”\"]|[A-Z][\w.'-]*(?: (?:of |de |the )?[A-Z0-9][\w.'-]*)*|[\u30a1-\u30fa\u30fc・]{2,}|[A-Za-z]*[\w.-]*\d[\w.-]*"
)


def names(text: str) -> list[Token]:
    """Quoted spans, capitalised names, identifiers and katakana words."""
    out = []
    for match in _NAME.finditer(text):
        group = 1 if match[1] else 0
        out.append(Token(match[group].casefold(), match.start(group), match.end(group)))
    return out

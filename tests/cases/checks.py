"""How the expectations of a case are compared with a text. Every failure names the field, what was wanted and the text.

Substrings are compared after NFKC and lower-casing, traditional and simplified forms alike; regular expressions are
searched in the text as it is, case-insensitively.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import opencc

from anaphor.text.language import script
from anaphor.types import StandaloneQuery

Expect = Mapping[str, Any]


@functools.cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


@functools.lru_cache(maxsize=4096)
def folded(text: str) -> str:
    return _converter().convert(unicodedata.normalize("NFKC", text).lower())


def has(text: str, part: str) -> bool:
    return folded(part) in folded(text)


def check_query(query: StandaloneQuery, expect: Expect, message: str) -> None:
    """The standalone text; ``all_of`` also by a weighted term; ``none_of`` also of sub-queries and terms."""
    terms = [t.term for t in query.terms]
    everywhere = [query.text, *query.queries, *terms]
    known = {
        "all_of": lambda wanted: all_of("query", wanted, [query.text, *terms]),
        "any_of": lambda wanted: all_of("query", [wanted], [query.text, *terms]),
        "none_of": lambda banned: none_of("query", banned, everywhere),
        "all_of_regex": lambda wanted: all_of_regex("query", wanted, query.text),
        "none_of_regex": lambda banned: none_of_regex("query", banned, everywhere),
        "verbatim": lambda wanted: verbatim(wanted, query.text),
        "verbatim_if_present": lambda wanted: verbatim_if_present(wanted, query.text),
        "max_chars": lambda most: at_most("query", most, query.text),
        "min_similarity_to_message": lambda least: similar(least, query.text, message),
        "not_equal": lambda banned: not_equal(banned, query.text),
        "equals": lambda wanted: equal(wanted, query.text, message),
        "script": lambda wanted: written_in("query", wanted, query.text),
    }
    apply(known, expect, "query")


def check_answer(answer: str, cited: Iterable[str], expect: Expect) -> None:
    cites = set(cited)
    known = {
        "all_of": lambda wanted: all_of("answer", wanted, [answer]),
        "any_of": lambda wanted: all_of("answer", [wanted], [answer]),
        "none_of": lambda banned: none_of("answer", banned, [answer]),
        "all_of_regex": lambda wanted: all_of_regex("answer", wanted, answer),
        "none_of_regex": lambda banned: none_of_regex("answer", banned, [answer]),
        "max_chars": lambda most: at_most("answer", most, answer),
        "script": lambda wanted: written_in("answer", wanted, answer),
        "cites": lambda wanted: exactly("citations", wanted, cites, answer),
        "cites_include": lambda wanted: including("citations", wanted, cites, answer),
        "cites_exclude": lambda banned: excluding("citations", banned, cites, answer),
    }
    apply(known, expect, "answer")


def apply(known: Mapping[str, Callable[[Any], None]], expect: Expect, what: str) -> None:
    for field, wanted in expect.items():
        assert field in known, f"this runner cannot read {what}.{field}"
        known[field](wanted)


def all_of(what: str, wanted: Sequence[Sequence[str] | str], texts: Sequence[str]) -> None:
    for group in wanted:
        options = [group] if isinstance(group, str) else group
        found = any(has(text, option) for text in texts for option in options)
        assert found, f"{what}: none of {options} in {list(texts)}"


def none_of(what: str, banned: Iterable[str], texts: Iterable[str]) -> None:
    for text in texts:
        for part in banned:
            assert not has(text, part), f"{what}: {part!r} must not be in {text!r}"


def all_of_regex(what: str, wanted: Iterable[str], text: str) -> None:
    for pattern in wanted:
        assert re.search(pattern, text, re.IGNORECASE), f"{what}: {pattern!r} not found in {text!r}"


def none_of_regex(what: str, banned: Iterable[str], texts: Iterable[str]) -> None:
    for text in texts:
        for pattern in banned:
            assert not re.search(pattern, text, re.IGNORECASE), f"{what}: {pattern!r} must not match {text!r}"


def verbatim(wanted: Iterable[str], text: str) -> None:
    for part in wanted:
        assert part in text, f"query: {part!r} is not there character for character in {text!r}"


def verbatim_if_present(wanted: Iterable[str], text: str) -> None:
    """If the beginning of it is there in any case, the whole must be there as it was written."""
    for part in wanted:
        if part[:12].lower() in text.lower():
            assert part in text, f"query: {part!r} was changed or cut in {text!r}"


def at_most(what: str, most: int, text: str) -> None:
    assert len(text) <= most, f"{what}: {len(text)} characters, at most {most}: {text[:80]!r}…"


def similar(least: float, text: str, message: str) -> None:
    ratio = SequenceMatcher(None, message.lower(), text.lower()).ratio()
    assert ratio >= least, f"query: similarity {ratio:.2f} to the message, at least {least}: {text!r}"


def not_equal(banned: str | Iterable[str], text: str) -> None:
    for other in [banned] if isinstance(banned, str) else banned:
        assert folded(text.strip()) != folded(other), f"query: must not be {other!r}"


def equal(wanted: str | Iterable[str], text: str, message: str) -> None:
    options = [message if w == "@original" else w for w in ([wanted] if isinstance(wanted, str) else wanted)]
    assert text in options, f"query: {text!r} is none of {options}"


def written_in(what: str, wanted: str, text: str) -> None:
    """Marks of citations, digits and code count for no script; what cannot be told fits any Chinese one."""
    found = script(text)
    fits = found == wanted or (found == "undetermined" and wanted in ("Hant", "Hans"))
    assert fits, f"{what}: written in {found}, not {wanted}: {text!r}"


def exactly(what: str, wanted: Iterable[str], found: set[str], shown: object) -> None:
    assert found == set(wanted), f"{what}: {sorted(found)}, not {sorted(wanted)}; {shown!r}"


def including(what: str, wanted: Iterable[str], found: Iterable[str], shown: object) -> None:
    missing = set(wanted) - set(found)
    assert not missing, f"{what}: {sorted(missing)} missing among {sorted(found)}; {shown!r}"


def excluding(what: str, banned: Iterable[str], found: Iterable[str], shown: object) -> None:
    wrong = set(banned) & set(found)
    assert not wrong, f"{what}: {sorted(wrong)} must not be there; {shown!r}"


def first(wanted: str, ranked: Sequence[str], shown: object) -> None:
    assert list(ranked[:1]) == [wanted], f"ranking: {list(ranked)}, first must be {wanted}; {shown!r}"


def among_first(expect: Expect, ranked: Sequence[str], shown: object) -> None:
    """``top_k``: {"k", "include", "exclude"}."""
    top = list(dict.fromkeys(ranked))[: expect["k"]]
    including(f"first {expect['k']}", expect.get("include", ()), top, shown)
    excluding(f"first {expect['k']}", expect.get("exclude", ()), top, shown)

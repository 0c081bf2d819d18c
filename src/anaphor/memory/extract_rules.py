"""The rules of extraction, as tables: ours (``tables/*.toml``) and an operator's file of the same form.

A table has words and rules::

    [words]
    ward = "(?:ICU|ward [A-Z0-9]+)"

    [[rule]]
    name = "ward"              # shown where a rule is at fault
    kind = "work"              # one of the kinds of facts
    relation = "ward"          # the property; two values of one are compared
    single = true              # one value at a time: a newer one supersedes
    form = '\\bI work on (?P<v>%ward%)'

A form is a regular expression, searched in one clause (ignoring case; Chinese in simplified characters). ``%word%``
stands for an entry of ``words``, ours or the table's own. Its groups: ``v`` the value (else all that matched), ``k``
the part of the value that is compared, ``who`` whom it is about (else the clause's subject), ``name`` a person's name,
``n`` and ``u`` a quantity and its unit, ``of`` what names the property, ``old`` the value that was replaced, ``when``
the condition, ``no`` a negation, ``new`` a word that says something has changed. Keys besides: ``language`` (``en ja
zh``; none: every), ``who`` (``user``, ``other``), ``about``, ``state``, ``change``, ``fixed``, ``negated``,
``changed``, ``hedged``, ``whole``, ``group``, ``confidence``.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphor.errors import BadSettings
from anaphor.facts import Change, Kind, State

_WORD = re.compile(r"%(\w+)%")
_KEYS = frozenset(
    (
        *("name", "kind", "relation", "single", "fixed", "form", "state", "change", "who", "about"),
        *("negated", "changed", "hedged", "group", "confidence", "language", "whole"),
    )
)
LANGUAGES = ("en", "ja", "zh")


@dataclass(frozen=True, slots=True)
class Rule:
    """``group``: of the rules of one group, the first that fits a clause speaks."""

    name: str
    kind: Kind
    form: re.Pattern[str]
    relation: str = ""
    who: str = ""  # "user", "other", or anyone
    about: str = ""  # whoever the clause speaks of, it says this of them ("user": what somebody left to the person)
    state: State | None = None  # None: as the clause's words of time say
    change: Change = Change.SET
    single: bool = False
    fixed: bool = False
    negated: bool = False
    changed: bool = False
    opening: str = ""  # matched behind the clause's opening words (``lead``), or those and the subject (``s``)
    whole: bool = False  # searched in whole sentences, not in clauses
    hedged: bool = False  # also in a clause that is half a question or half an order
    group: str = ""
    confidence: float = 0.7
    language: str = ""


@functools.cache
def rules_of(language: str) -> tuple[Rule, ...]:
    """Our rules for ``en``, ``ja`` or ``zh``; none for another language."""
    return _rules(_table(language), language, f"{language}.toml", {}) if language in LANGUAGES else ()


def seeded(path: Path) -> tuple[Rule, ...]:
    """The rules of an operator's file; ``BadSettings`` names the rule and what is wrong with it."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSettings(f"the rules of extraction in {path} cannot be read: {error}") from error
    language = str(table.get("language", ""))
    return _rules(table, language, str(path), _words_of(language))


def _table(language: str) -> Mapping[str, Any]:
    text = Path(__file__).with_name("tables").joinpath(f"{language}.toml").read_text("utf-8")
    return tomllib.loads(text)


def _words_of(language: str) -> Mapping[str, str]:
    return dict(_table(language).get("words", {})) if language in (*LANGUAGES, "any", "contradiction") else {}


@functools.cache
def words(language: str) -> Mapping[str, str]:
    """The words of our table, each written out."""
    raw = _words_of(language)
    return {name: _expanded(value, raw, f"{language}.toml") for name, value in raw.items()}


@functools.cache
def cue(language: str, name: str) -> re.Pattern[str]:
    """The words of that name as an expression; of the table ``any`` those that hold for every language."""
    return re.compile(_numbered(words(language)[name]), re.IGNORECASE)


def _expanded(form: str, known: Mapping[str, str], where: str, depth: int = 0) -> str:
    def put(match: re.Match[str]) -> str:
        if match[1] not in known or depth > 8:
            raise BadSettings(f"{where}: %{match[1]}% is no word of the table")
        return _expanded(known[match[1]], known, where, depth + 1)

    return _WORD.sub(put, form)


def _opened(form: str) -> tuple[str, str]:
    """The form without what every branch of it begins with, ``%s%`` or ``^%lead%``: those are read once a clause.

    Written out in each rule they would make compiling the table several times as dear.
    """
    branches = _branches(form)
    for name, start in (("s", "%s%"), ("lead", "^%lead%")):
        if all(branch.startswith(start) for branch in branches):
            return name, "|".join(branch.removeprefix(start) for branch in branches)
    return "", form


def _branches(form: str) -> list[str]:
    """The alternatives of the form at its top level."""
    found, depth, start, at = [], 0, 0, 0
    in_class = False
    while at < len(form):
        mark = form[at]
        if mark == "\\":
            at += 2
            continue
        if mark == "[" and not in_class:
            in_class = True
        elif mark == "]":
            in_class = False
        elif not in_class:
            depth += (mark == "(") - (mark == ")")
            if mark == "|" and depth == 0:
                found.append(form[start:at])
                start = at + 1
        at += 1
    return [*found, form[start:]]


_GROUP = re.compile(r"\(\?P<([a-z]+)>")


def _numbered(form: str) -> str:
    """With every group but the first of a name numbered, since a form may say ``who`` in each of its branches."""
    seen: dict[str, int] = {}

    def put(match: re.Match[str]) -> str:
        seen[match[1]] = seen.get(match[1], 0) + 1
        return f"(?P<{match[1]}{seen[match[1]] if seen[match[1]] > 1 else ''}>"

    return _GROUP.sub(put, form)


def groups_of(match: re.Match[str]) -> dict[str, tuple[int, int]]:
    """Where the groups that caught something stand, by their names without numbers."""
    found: dict[str, tuple[int, int]] = {}
    for name, value in match.groupdict().items():
        if value:
            found.setdefault(name.rstrip("0123456789"), match.span(name))
    return found


def _rules(table: Mapping[str, Any], language: str, where: str, known: Mapping[str, str]) -> tuple[Rule, ...]:
    known = {**known, **table.get("words", {})}
    entries = enumerate(table.get("rule", ()), 1)
    return tuple(_rule(entry, language, known, f"{where}, rule {n}") for n, entry in entries)


def _rule(entry: Mapping[str, Any], language: str, known: Mapping[str, str], where: str) -> Rule:
    where = f"{where} ({entry['name']})" if "name" in entry else where
    if unknown := set(entry) - _KEYS:
        raise BadSettings(f"{where}: {sorted(unknown)[0]} is no key of a rule")
    try:
        kind, form = Kind(entry["kind"]), str(entry["form"])
        state = State(entry["state"]) if "state" in entry else None
        change = Change(entry.get("change", "set"))
        opening, form = _opened(form) if language == "zh" else ("", form)
        compiled = re.compile(_numbered(_expanded(form, known, where)), re.IGNORECASE)
    except KeyError as error:
        raise BadSettings(f"{where}: it has no {error.args[0]}") from error
    except (ValueError, re.error) as error:
        raise BadSettings(f"{where}: {error}") from error
    name = str(entry.get("name", f"{kind.value} {entry.get('relation', '')}".strip()))
    given = {key: entry[key] for key in _KEYS & set(entry) - {"name", "kind", "form", "state", "change", "group"}}
    group = str(entry.get("group") or name)
    told = {"language": language, "opening": opening, **given}
    return Rule(name, kind, compiled, state=state, change=change, group=group, **told)

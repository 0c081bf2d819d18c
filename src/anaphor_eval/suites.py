"""Suites of whole conversations: how they are written, read and judged. docs/suites.md shows the format.

Reading says what is wrong with a file in one line, with the line it stands on. Judging needs no running product: it
holds what was observed in a turn against what was expected of it. A conversation is right only if *all* its turns
are: three turns that are each right in 90% of cases are all right in 73%.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from anaphor.errors import BadInput, MissingFile
from anaphor.text.fold import matching
from anaphor.types import Decision, Outcome
from anaphor_eval.strict import parsed

USER = "local"
SESSION = "main"


class SuiteError(BadInput):
    """A suite that is not what it should be: ``file:line: reason``."""


@dataclass(frozen=True, slots=True)
class SuiteDocument:
    """A document given inline. With a ``user`` it is that user's alone."""

    document_id: str
    text: str
    title: str = ""
    collection: str = "default"
    user: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One of these must be there (or, forbidden, the only one must not)."""

    any_of: tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join(self.any_of)


@dataclass(frozen=True, slots=True)
class Expected:
    """What must hold after a turn. An empty field expects nothing."""

    decisions: tuple[Decision, ...] = ()
    query_has: tuple[Term, ...] = ()
    query_lacks: tuple[str, ...] = ()
    query_unchanged: bool = False
    first: tuple[str, ...] = ()  # one of these documents
    not_found: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    states: tuple[Term, ...] = ()
    never_states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SuiteTurn:
    """One thing said, by whom and where, and what must hold after it."""

    utterance: str
    expected: Expected
    user: str = USER
    session: str = SESSION
    reply: str = ""


@dataclass(frozen=True, slots=True)
class SuiteConversation:
    """Turns in the order in which they are said, over all its users and sessions."""

    conversation_id: str
    kind: str
    language: str
    documents: tuple[SuiteDocument, ...]  # the suite's own first
    turns: tuple[SuiteTurn, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    conversations: tuple[SuiteConversation, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """What a system did in a turn. ``ranking`` has the document id of every hit, best first."""

    query: str
    decision: Decision
    outcome: Outcome
    queries: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
    answer: str = ""
    calls: int = 0  # how often a model was asked
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Miss:
    """One expectation that did not hold: its key in the suite, what was expected, what was there."""

    check: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.check}: expected {self.expected}, found {self.found}"


def judge(turn: SuiteTurn, observed: Observed) -> tuple[Miss, ...]:
    """Everything that did not hold; empty if the turn is right.

    Terms are compared after NFKC, lower-casing and Traditional to Simplified, as parts of the text. What is required
    of the query may also be one of its weighted terms; what is forbidden may be in neither, nor in a sub-query.
    """
    expected = turn.expected
    misses: list[Miss] = []

    def unless(holds: bool, check: str, wanted: object, found: object) -> None:
        if not holds:
            misses.append(Miss(check, str(wanted), str(found)))

    searched = (observed.query, *observed.queries, *observed.terms)
    if expected.decisions:
        wanted = " or ".join(expected.decisions)
        unless(observed.decision in expected.decisions, "decision", wanted, observed.decision)
    for term in expected.query_has:
        unless(_said(term.any_of, (observed.query, *observed.terms)), "query_has", term, repr(observed.query))
    for text in expected.query_lacks:
        unless(not _said((text,), searched), "query_lacks", f"no {text}", _where(text, searched))
    if expected.query_unchanged:
        same = _even(observed.query) == _even(turn.utterance)
        unless(same, "query_unchanged", repr(turn.utterance), repr(observed.query))
    if expected.first:
        found = observed.ranking[0] if observed.ranking else "nothing"
        unless(found in expected.first, "first", " or ".join(expected.first), found)
    for document in expected.not_found:
        unless(document not in observed.ranking, "not_found", f"no {document}", "it in the ranking")
    if expected.outcomes:
        unless(observed.outcome in expected.outcomes, "outcome", " or ".join(expected.outcomes), observed.outcome)
    for term in expected.states:
        unless(_said(term.any_of, (observed.answer,)), "states", term, repr(observed.answer))
    for text in expected.never_states:
        unless(not _said((text,), (observed.answer,)), "never_states", f"no {text}", repr(observed.answer))
    return tuple(misses)


def _said(any_of: Iterable[str], texts: Sequence[str]) -> bool:
    there = [matching(text) for text in texts]
    return any(matching(wanted) in text for wanted in any_of for text in there)


def _where(text: str, searched: Sequence[str]) -> str:
    return next((repr(each) for each in searched if _said((text,), (each,))), "")


def _even(text: str) -> str:
    return "".join(matching(text).split()).strip("。.?？!！")


def read_suite(path: str | Path) -> Suite:
    """A YAML file (``.yaml``, ``.yml``) or JSON Lines with one conversation a line.

    Raises ``SuiteError`` or ``MissingFile``. In YAML every scalar is text: ``403``, ``no`` and ``2024-01-01`` are
    words.
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SuiteError(f"{path}:1: not UTF-8: byte 0x{error.object[error.start]:02x}") from None
    except OSError as error:
        raise MissingFile(f"cannot read {path}: {error.strerror}") from None
    if path.suffix in (".yaml", ".yml"):
        value, lines = _yaml(path, text)
    elif path.suffix == ".jsonl":
        value, lines = _json_lines(path, text)
    else:
        raise SuiteError(f"{path}: a suite is a .yaml, .yml or .jsonl file")
    _check(path, value, lines)
    return _suite(path, value, lines)


Place = tuple[str | int, ...]
"""Keys and positions that lead to a value from the top."""


def _yaml(path: Path, text: str) -> tuple[Any, dict[Place, int]]:
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.BaseLoader)
        value = yaml.load(text, Loader=yaml.BaseLoader)  # every scalar stays text; it can construct nothing else
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise SuiteError(f"{path}:{line}: not YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise SuiteError(f"{path}:1: not YAML: {error}") from None
    if node is None:
        raise SuiteError(f"{path}:1: the file is empty")
    lines: dict[Place, int] = {}
    _walk(path, node, (), lines)
    return value, lines


def _walk(path: Path, node: Any, place: Place, lines: dict[Place, int]) -> None:
    """Where everything stands. What YAML would lose without a word is an error: the first of two keys of one name."""
    lines[place] = node.start_mark.line + 1
    if node.id == "mapping":
        for key, value in node.value:
            inside, line = (*place, key.value), key.start_mark.line + 1
            if inside in lines:
                raise SuiteError(f"{path}:{line}: {_named(place)}{key.value!r} is there twice")
            _walk(path, value, inside, lines)
            lines[inside] = line
    elif node.id == "sequence":
        for i, value in enumerate(node.value):
            _walk(path, value, (*place, i), lines)
    elif any("\ud800" <= c <= "\udfff" for c in node.value):
        raise SuiteError(f"{path}:{lines[place]}: {_named(place)}half of a surrogate pair is no character")


def _json_lines(path: Path, text: str) -> tuple[Any, dict[Place, int]]:
    conversations: list[Any] = []
    lines: dict[Place, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        conversations.append(parsed(line, path, number, SuiteError))
        lines["conversations", len(conversations) - 1] = number
    if not conversations:
        raise SuiteError(f"{path}:1: the file is empty")
    return {"conversations": conversations}, lines


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a suite; a line of a JSON Lines suite is its ``conversation``."""
    found: dict[str, Any] = json.loads(files("anaphor_eval").joinpath("schemas/suite.json").read_text("utf-8"))
    return found


def _check(path: Path, value: Any, lines: Mapping[Place, int]) -> None:
    import jsonschema

    errors = list(jsonschema.Draft202012Validator(schema()).iter_errors(value))
    if errors:
        # The first in the file; at one place a misspelt key before the key that is missing because of it.
        error = min(errors, key=lambda each: (_line(lines, tuple(each.path)), each.validator != "additionalProperties"))
        raise _wrong(path, lines, tuple(error.path), _reason(error))


def _line(lines: Mapping[Place, int], place: Place) -> int:
    """The line of the place, or of the nearest thing around it."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def _named(place: Place) -> str:
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".")
    return f"{name}: " if name else ""


def _reason(error: Any) -> str:
    """A schema's complaint in a person's words."""
    kind, wanted, there = error.validator, error.validator_value, error.instance
    if kind == "required":
        return f"{', '.join(repr(key) for key in wanted if key not in there)} is missing"
    if kind == "additionalProperties":
        known = list(error.schema["properties"])
        unknown = next(key for key in there if key not in known)
        close = difflib.get_close_matches(str(unknown), known, 1, 0.5)
        return f"no such key as {unknown!r}; " + (
            f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
        )
    if kind == "enum":
        close = difflib.get_close_matches(str(there), map(str, wanted), 1, 0.6)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        return f"{there!r} is none of {', '.join(map(str, wanted))}{hint}"
    if kind == "type":
        return f"{_sort(there)}, {_SORTS.get(wanted, wanted)} is needed"
    if kind in ("minLength", "minItems"):
        return "it is empty"
    if kind == "anyOf":
        deepest = max(error.context, key=lambda each: len(each.path), default=None)
        if deepest is not None and (deepest.path or deepest.validator == "enum"):
            return _reason(deepest)
        return f"{_sort(there)}, a text or a list of texts is needed"
    return str(error.message)


_SORTS = {"string": "a text", "array": "a list", "object": "a mapping"}


def _sort(value: Any) -> str:
    if value is None:
        return "nothing"
    names = {
        str: "a text",
        list: "a list",
        dict: "a mapping",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), type(value).__name__)


def _suite(path: Path, value: Mapping[str, Any], lines: Mapping[Place, int]) -> Suite:
    shared = tuple(_document(each) for each in value.get("documents", []))
    seen: set[str] = set()
    conversations = []
    for i, each in enumerate(value["conversations"]):
        place: Place = ("conversations", i)
        if each["id"] in seen:
            raise _wrong(path, lines, (*place, "id"), f"id {each['id']!r} is there twice")
        seen.add(each["id"])
        documents = shared + tuple(_document(document) for document in each.get("documents", []))
        ids = [document.document_id for document in documents]
        if len(set(ids)) < len(ids):
            again = next(j for j, name in enumerate(ids) if name in ids[:j])
            own = again - len(shared)
            there: Place = ("documents", again, "id") if own < 0 else (*place, "documents", own, "id")
            raise _wrong(path, lines, there, f"document {ids[again]!r} is there twice")
        turns = tuple(_turn(turn) for turn in each["turns"])
        for n, turn in enumerate(turns):
            for key in ("first", "not_found"):
                unknown = next((name for name in getattr(turn.expected, key) if name not in ids), None)
                if unknown is not None:
                    reason = f"no document {unknown!r}; there are {', '.join(ids) or 'none'}"
                    raise _wrong(path, lines, (*place, "turns", n, key), reason)
        if all(turn.expected == Expected() for turn in turns):
            raise _wrong(path, lines, place, "nothing is expected of any turn: it would be right whatever happens")
        language = each.get("language") or value.get("language") or "und"
        conversations.append(SuiteConversation(each["id"], each.get("kind", ""), language, documents, turns))
    return Suite(value.get("suite", path.stem), tuple(conversations))


def _wrong(path: Path, lines: Mapping[Place, int], place: Place, reason: str) -> SuiteError:
    return SuiteError(f"{path}:{_line(lines, place)}: {_named(place)}{reason}")


def _document(value: Mapping[str, str]) -> SuiteDocument:
    return SuiteDocument(
        value["id"], value["text"], value.get("title", ""), value.get("collection", "default"), value.get("user", "")
    )


def _turn(value: Mapping[str, Any]) -> SuiteTurn:
    expected = Expected(
        decisions=tuple(Decision(name) for name in _listed(value.get("decision"))),
        query_has=tuple(Term(tuple(_listed(term))) for term in value.get("query_has", [])),
        query_lacks=tuple(value.get("query_lacks", [])),
        query_unchanged="query_unchanged" in value,
        first=tuple(_listed(value.get("first"))),
        not_found=tuple(value.get("not_found", [])),
        outcomes=tuple(Outcome(name) for name in _listed(value.get("outcome"))),
        states=tuple(Term(tuple(_listed(term))) for term in value.get("states", [])),
        never_states=tuple(value.get("never_states", [])),
    )
    return SuiteTurn(
        value["utterance"], expected, value.get("user", USER), value.get("session", SESSION), value.get("reply", "")
    )


def _listed(value: str | list[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else value

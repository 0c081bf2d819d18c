"""JSON as language models write it: inside prose, with trailing commas, single quotes, bare keys, or cut off half-way.

A reader of one pass with a limit of depth. It invents nothing: a string, key or number that the text breaks off in
is left out, and the containers around it are marked as not whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DEPTH = 32

_SPACE = re.compile(r"\s*")
_OPENING = re.compile(r"[{\[]")
_BARE_KEY = re.compile(r"[A-Za-z_]\w*(?=\s*[:：])")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=\s*[,，}\]])")
_WORD = re.compile(r"(?:true|false|null|True|False|None)(?=\s*[,，}\]])")
_UNFINISHED_SCALAR = re.compile(r"[-+.\w]*\Z")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_CLOSING_QUOTE = {'"': '"', "'": "'", "“": "”", "「": "」"}
_COLON = frozenset(":：")
_COMMA = frozenset(",，")
_AFTER_STRING = re.compile(r"\s*(?:[,，:：}\]]|\Z)")


@dataclass(frozen=True, slots=True)
class Found:
    """A value that stands in a text: ``text[start:end]``. Not ``whole``: the text ended before the value did."""

    value: Any
    start: int
    end: int
    whole: bool


class _Malformed(ValueError):
    """No JSON, however loosely read. ``resume`` is where to look on; 0 for just behind the opening bracket."""

    def __init__(self, resume: int = 0) -> None:
        super().__init__()
        self.resume = resume


_CUT = object()  # stands for a value that the text broke off in


def containers(text: str) -> Iterator[Found]:
    """Every outermost object and array of the text, in order; what stands between them is prose."""
    at = 0
    while opening := _OPENING.search(text, at):
        start = opening.start()
        try:
            value, at, whole = _container(text, start, 0)
        except _Malformed as fault:
            at = fault.resume or start + 1
            continue
        yield Found(value, start, at, whole)


def _container(text: str, at: int, depth: int) -> tuple[Any, int, bool]:
    if depth >= DEPTH:
        raise _Malformed(at + 1)  # not from the start again: that would cost the square of the length
    return _object(text, at + 1, depth) if text[at] == "{" else _array(text, at + 1, depth)


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int, bool]:
    members: dict[str, Any] = {}
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == "}":
            return members, at + 1, True
        key, at = _key(text, at)
        if key is _CUT:
            return members, len(text), False
        at = _skip(text, at)
        if at == len(text):
            return members, at, False
        if text[at] not in _COLON:
            raise _Malformed
        value, at, whole = _value(text, _skip(text, at + 1), depth)
        if value is not _CUT:
            members[key] = value
        at = _skip(text, at)
        if not whole or at == len(text):
            return members, len(text), False
        at = _past_comma(text, at, "}")


def _array(text: str, at: int, depth: int) -> tuple[list[Any], int, bool]:
    items: list[Any] = []
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == "]":
            return items, at + 1, True
        value, at, whole = _value(text, at, depth)
        if value is not _CUT:
            items.append(value)
        at = _skip(text, at)
        if not whole or at == len(text):
            return items, len(text), False
        at = _past_comma(text, at, "]")


def _past_comma(text: str, at: int, closing: str) -> int:
    """Behind the comma; a missing one is a fault unless the container closes here."""
    if text[at] in _COMMA:
        return at + 1
    if text[at] != closing:
        raise _Malformed
    return at


def _value(text: str, at: int, depth: int) -> tuple[Any, int, bool]:
    if at == len(text):
        return _CUT, at, False
    if text[at] in "{[":
        return _container(text, at, depth + 1)
    if text[at] in _CLOSING_QUOTE:
        string, at = _string(text, at)
        return string, at, string is not _CUT
    if number := _NUMBER.match(text, at):
        written = number.group()
        if len(written) > 40:
            raise _Malformed
        return (float(written) if set(written) & set(".eE") else int(written)), number.end(), True
    if word := _WORD.match(text, at):
        return _WORDS[word.group()], word.end(), True
    if _UNFINISHED_SCALAR.match(text, at):
        return _CUT, len(text), False
    raise _Malformed


def _key(text: str, at: int) -> tuple[Any, int]:
    if at == len(text):
        return _CUT, at
    if text[at] in _CLOSING_QUOTE:
        return _string(text, at)
    if bare := _BARE_KEY.match(text, at):
        return bare.group(), bare.end()
    raise _Malformed


def _string(text: str, at: int) -> tuple[Any, int]:
    """The string that opens here. A quote mark closes it only where JSON could go on, so unescaped quotes are kept."""
    closing = _CLOSING_QUOTE[text[at]]
    scan = at + 1
    while True:
        scan = text.find(closing, scan)
        if scan < 0:
            return _CUT, len(text)
        if not _escaped(text, scan, at) and _AFTER_STRING.match(text, scan + 1):
            return _unescape(text[at + 1 : scan]), scan + 1
        scan += 1


def _escaped(text: str, at: int, start: int) -> bool:
    """Whether an odd number of backslashes stands before this place."""
    before = at - 1
    while before > start and text[before] == "\\":
        before -= 1
    return (at - 1 - before) % 2 == 1


def _unescape(body: str) -> str:
    if "\\" not in body:
        return body
    plain = _ESCAPE.sub(_unescaped, body)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # joins the halves of a pair


_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescaped(escape: re.Match[str]) -> str:
    code = escape.group(1)
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at

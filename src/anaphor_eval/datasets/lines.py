"""Reading files a row at a time, so that whatever is wrong is one line: the file, the line, the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphor.errors import BadInput, MissingFile
from anaphor.types import Message
from anaphor_eval.strict import parsed

_TAGS = {
    "zh-tw": "zh-Hant",
    "zh-hk": "zh-Hant",
    "zh-hant": "zh-Hant",
    "zh-cn": "zh-Hans",
    "zh-sg": "zh-Hans",
    "zh-hans": "zh-Hans",
    "zh": "zh-Hans",
    "ja": "ja",
    "ja-jp": "ja",
    "en": "en",
    "en-us": "en",
    "en-gb": "en",
    "mixed": "und",
    "und": "und",
}


class DatasetError(BadInput):
    """A file that is not what it should be: ``file:line: reason``."""


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a file and where it stands. Every method either gives what was asked for or says what is there."""

    place: str  # "file:line", or "file: element 3" in a file that is one JSON list
    fields: Mapping[str, Any]

    def wrong(self, reason: str) -> DatasetError:
        return DatasetError(f"{self.place}: {reason}")

    def has(self, *keys: str) -> bool:
        """All of them are there and not null."""
        return all(self.fields.get(key) is not None for key in keys)

    def text(self, key: str) -> str:
        """A string, perhaps empty."""
        value = self._there(key)
        if not isinstance(value, str):
            raise self.wrong(f'"{key}" is {_sort(value)}, a string is needed')
        return value

    def words(self, key: str) -> str:
        """A string that says something: an empty question would be a silent zero."""
        value = self.text(key)
        if not value.strip():
            raise self.wrong(f'"{key}" is empty')
        return value

    def scalar(self, key: str) -> str:
        """A string or a number, as a string."""
        value = self._there(key)
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise self.wrong(f'"{key}" is {_sort(value)}, a string or a number is needed')
        return str(value)

    def flag(self, key: str) -> bool:
        value = self._there(key)
        if not isinstance(value, bool):
            raise self.wrong(f'"{key}" is {_sort(value)}, true or false is needed')
        return value

    def number(self, key: str) -> int:
        value = self._there(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(f'"{key}" is {_sort(value)}, a whole number is needed')
        return value

    def scalars(self, key: str) -> tuple[str, ...]:
        """A list of strings or numbers, as strings; absent or null is empty."""
        value = self.fields.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.wrong(f'"{key}" is {_sort(value)}, a list is needed')
        for i, part in enumerate(value):
            if isinstance(part, bool) or not isinstance(part, (str, int, float)):
                raise self.wrong(f'"{key}"[{i}] is {_sort(part)}, a string or a number is needed')
        return tuple(str(part) for part in value)

    def rows(self, key: str) -> tuple[Row, ...]:
        """A list of objects."""
        value = self._there(key)
        if not isinstance(value, list):
            raise self.wrong(f'"{key}" is {_sort(value)}, a list of objects is needed')
        for i, part in enumerate(value):
            if not isinstance(part, dict):
                raise self.wrong(f'"{key}"[{i}] is {_sort(part)}, an object is needed')
        return tuple(Row(f"{self.place}: {key}[{i}]", part) for i, part in enumerate(value))

    def row(self, key: str) -> Row:
        """An object."""
        value = self._there(key)
        if not isinstance(value, dict):
            raise self.wrong(f'"{key}" is {_sort(value)}, an object is needed')
        return Row(f"{self.place}: {key}", value)

    def messages(self, key: str) -> tuple[Message, ...]:
        """A list of ``{"role", "content"}``; absent or null is empty."""
        if not self.has(key):
            return ()
        return tuple(Message(said.text("role"), said.text("content")) for said in self.rows(key))

    def language(self, default: str = "und") -> str:
        """The tag of ``lang``, mapped to BCP 47."""
        if not self.has("lang"):
            return default
        given = self.text("lang")
        tag = _TAGS.get(given.replace("_", "-").lower())
        if tag is None:
            raise self.wrong(f'"lang" is {given!r}; known are {", ".join(sorted(_TAGS))}')
        return tag

    def _there(self, key: str) -> Any:
        if key not in self.fields:
            raise self.wrong(f'"{key}" is missing')
        return self.fields[key]


class Once:
    """Ids of which each may be there once: two things of one id could not be told apart in a run."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._seen: dict[str, str] = {}

    def __call__(self, row: Row, identity: str) -> str:
        """The same id; raises if another row has it already."""
        if identity in self._seen:
            raise row.wrong(f"{self._what} {identity!r} is there twice, first at {self._seen[identity]}")
        self._seen[identity] = row.place
        return identity


def json_lines(path: Path) -> Iterator[Row]:
    """The objects of a JSON Lines file; empty lines are passed over."""
    for number, line in numbered_lines(path):
        if line.strip():
            yield Row(f"{path}:{number}", _object(path, number, line))


def json_list(path: Path) -> tuple[Row, ...]:
    """The objects of a file that is one JSON list."""
    value = json_value(path)
    if not isinstance(value, list):
        raise DatasetError(f"{path}:1: {_sort(value)}, a list of objects is needed")
    for i, part in enumerate(value, 1):
        if not isinstance(part, dict):
            raise DatasetError(f"{path}: element {i}: {_sort(part)}, an object is needed")
    return tuple(Row(f"{path}: element {i}", part) for i, part in enumerate(value, 1))


def json_value(path: Path) -> Any:
    """Whatever JSON the whole file is."""
    return parsed("".join(line for _, line in numbered_lines(path)), path, 1, DatasetError)


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines with their line ends, from 1. Only line feeds end a line: U+2028 inside a string does not."""
    number = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path}:{number}: not UTF-8: byte 0x{error.object[error.start]:02x}") from None
    except OSError as error:
        raise MissingFile(f"cannot read {path}: {error.strerror}") from None


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    value = parsed(line, path, number, DatasetError)
    if not isinstance(value, dict):
        raise DatasetError(f"{path}:{number}: {_sort(value)}, an object is needed")
    return value


def _sort(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a string", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)

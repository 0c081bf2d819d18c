"""A model's structured answer, taken apart while it arrives: each object of ``claims`` is a claim as soon as it ends.

Where a server takes no schema, or a model does not keep to it, the reply is prose with [n] marks (``claims``). Which of
the two it is shows in its first characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from anaphor.steps.answer.claims import CITES, LONGEST, cites_in
from anaphor.steps.loose_json import containers
from anaphor.types import Claim

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "sources": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["text", "sources"],
                "additionalProperties": False,
            },
        },
        "all_answered": {"type": "boolean"},
    },
    "required": ["claims", "all_answered"],
    "additionalProperties": False,
}
"""One sentence a claim, with the numbers of its sources; ``all_answered`` is false where a part is left open."""

_BEGINS = re.compile(r"\s*(?:```(?:json)?\s*)?\{\s*(?:\"|\Z)")
_CLAIMS = re.compile(r"\"claims\"\s*:\s*\[")
_BETWEEN = re.compile(r"[\s,]*")
_OPEN = re.compile(r"\"all_answered\"\s*:\s*false\b")
_CJK_END = re.compile("[。！？」』）\u3040-\u30ff\u3400-\u9fff]$")
_MOST_SOURCES = 50


def begins_structured(text: str) -> bool | None:
    """Whether the reply is an object; ``None`` while too little of it is there to tell."""
    stripped = text.lstrip()
    if not stripped or "```json".startswith(stripped) or stripped in ("{", "```json", "```json\n"):
        return None
    return bool(_BEGINS.match(text))


class Objects:
    """Feed it pieces; it gives back the claims that have become whole. As ``Cutter``, for a structured reply."""

    def __init__(self) -> None:
        self._text = ""
        self._at = -1  # where the next object begins; -1 before the list has
        self._ended = False
        self._last = ""
        self.found = False  # the list of claims is there, if only an empty one

    def feed(self, text: str) -> list[Claim]:
        """``text`` is what has newly arrived."""
        self._text += text
        if self._at < 0:
            begun = _CLAIMS.search(self._text)
            if not begun:
                return []
            self._at, self.found = begun.end(), True
        claims = []
        while not self._ended and (value := self._next()) is not None:
            claim = self._claim(value)
            if claim.text:
                claims.append(claim)
        return claims

    def close(self, whole: bool) -> list[Claim]:
        """Nothing more, whole or not: an object that the reply broke off in is never used."""
        del whole
        return []

    @property
    def leaves_open(self) -> bool:
        """Whether the model says that the sources do not answer all of it."""
        return bool(_OPEN.search(self._text))

    def _next(self) -> Mapping[str, Any] | None:
        between = _BETWEEN.match(self._text, self._at)
        start = between.end() if between else self._at
        if self._text[start : start + 1] not in ("", "{"):
            self._ended = True
            return None
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(self._text, start)
        except (ValueError, RecursionError):
            return None
        self._at = end
        return value if isinstance(value, dict) else {}

    def _claim(self, value: Mapping[str, Any]) -> Claim:
        said = value.get("text")
        text = " ".join(said.split()) if isinstance(said, str) else ""
        cites = (*_numbers(value.get("sources")), *cites_in(text))
        text = CITES.sub("", text).strip()[:LONGEST]
        lead = "" if not self._last or _CJK_END.search(self._last) else " "
        self._last = text or self._last
        return Claim(text, tuple(dict.fromkeys(cites)), lead=lead)


def prose_in(text: str) -> str:
    """The answer of an object that is not the one asked for; the text as it is where there is none."""
    for found in containers(text):
        said = found.value.get("answer") if isinstance(found.value, dict) else None
        if isinstance(said, str) and said.strip():
            return said
    return text


def _numbers(value: object) -> Sequence[int]:
    listed = value if isinstance(value, list) else [value]
    numbers = [
        int(n) for n in listed[:_MOST_SOURCES] if isinstance(n, int | str) and str(n).isascii() and str(n).isdigit()
    ]
    return [n for n in numbers if n < 1000]

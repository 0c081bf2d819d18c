"""A conversation as another program wrote it down."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from anaphor.errors import BadInput
from anaphor.stored import Exchange


@dataclass(frozen=True, slots=True)
class Said:
    """One message, in order. ``role`` is ``user`` or ``assistant``; ``key`` identifies it in its source."""

    role: str
    text: str
    at: float = 0.0  # seconds since the epoch, 0 where it is not told
    speaker: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """One conversation. ``origin`` is the same whenever it is imported again.

    ``paths`` are the ways from its beginning to each of its ends, the one shown last first: a question that was put
    anew, or answered anew, makes two of them that share their past.
    """

    origin: str
    name: str
    paths: tuple[tuple[Exchange, ...], ...]


def exchanges(said: Iterable[Said], begin: str = "") -> tuple[Exchange, ...]:
    """What was asked with what was answered. Messages without a key are identified by all that was said up to there."""
    found: list[Exchange] = []
    chain = begin
    question: Said | None = None
    answers: list[Said] = []

    def close() -> None:
        nonlocal chain
        if question is None and not answers:
            return
        keys = [one.key for one in (question, *answers[:1]) if one and one.key]
        told = "\n\n".join(one.text for one in answers)
        first = question or answers[0]
        chain = _digest(chain, *keys) if keys else _digest(chain, first.role, first.text, told)
        text = question.text if question else ""
        found.append(Exchange(text, told, first.at, question.speaker if question else "", f"import-{chain}"))

    for one in said:
        if one.role == "assistant":
            answers.append(one)
        else:
            close()
            question, answers = one, []
    close()
    return tuple(found)


def origin(kind: str, *parts: str) -> str:
    """Names a conversation of that kind by what identifies it there; says nothing about it."""
    return f"{kind}:{_digest(kind, *parts)}"


def paths(parents: Mapping[str, str], order: Sequence[str], shown: str) -> list[list[str]]:
    """Ways from the beginning to each end of a tree of messages (child → parent), the one that ends in ``shown`` first.

    ``order`` are all messages, oldest first. A circle, which no export should hold, is cut where it closes.
    """
    inner = set(parents.values())
    ends = [key for key in order if key not in inner]
    if shown in parents or shown in order:
        ends = [shown, *(end for end in reversed(ends) if end != shown)]
    else:
        ends.reverse()
    found = []
    for end in ends:
        way, seen, at = [], set(), end
        while at and at not in seen:
            seen.add(at)
            way.append(at)
            at = parents.get(at, "")
        found.append(way[::-1])
    return found


def moment(told: Any) -> float:
    """Seconds since the epoch from a number (of seconds, or of milliseconds) or an ISO 8601 date; 0 for nothing.

    A date without a zone is in this machine's. ``BadInput`` for what is no date.
    """
    if told is None or told == "":
        return 0.0
    try:
        if isinstance(told, int | float) and not isinstance(told, bool):
            return datetime.fromtimestamp(told / (1000 if told > 1e11 else 1)).timestamp()
        return datetime.fromisoformat(str(told)).timestamp()
    except (ValueError, OverflowError, OSError):
        raise BadInput(f"{str(told)[:40]!r} is no date: ISO 8601 (2026-05-01T10:00:00+08:00) or seconds") from None


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]

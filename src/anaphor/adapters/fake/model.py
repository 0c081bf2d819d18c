"""A model that says what it was told to say: for tests, documentation and demonstrations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anaphor.errors import ModelError, ModelTimeout, ModelUnavailable
from anaphor.types import Message, Piece, Usage

_ONE_CALL = Usage(calls=1)  # a script counts no tokens
_CUT_OFF = ModelUnavailable("the scripted model was cut off in mid-reply")


@dataclass(frozen=True, slots=True)
class Request:
    """What a model was asked, and how."""

    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    timeout: float
    schema: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        """Everything the model was shown, in one string, to look things up in."""
        return "\n".join(message.content for message in self.messages)


@dataclass(frozen=True, slots=True)
class Dies:
    """A reply that breaks off: ``text`` arrives, then ``error`` is raised."""

    text: str = ""
    error: BaseException = _CUT_OFF


@dataclass(frozen=True, slots=True)
class Ends:
    """A reply that ends otherwise than by itself: ``length``, ``content_filter``, …"""

    text: str
    finish: str
    usage: Usage = _ONE_CALL


Reply = str | Dies | Ends | BaseException
Scripted = Reply | Callable[[Request], Reply]


class ScriptedModel:
    """Gives ``replies`` in order, ``piece`` characters at a time; exceptions among them are raised.

    A callable is given the ``Request`` and returns the reply; a callable *in place of* the sequence answers every
    request. ``requests`` holds what was asked, ``cancelled`` how many replies were closed before their end. A request
    that the script does not foresee is an ``AssertionError``: it is the test that is wrong, and no step may hide it.
    """

    def __init__(
        self, replies: Sequence[Scripted] | Callable[[Request], Reply], name: str = "scripted", piece: int = 8
    ) -> None:
        if isinstance(replies, str):
            replies = [replies]  # a str is a sequence too, and one reply was meant
        self.name = name
        self.requests: list[Request] = []
        self.cancelled = 0
        self._replies = replies
        self._piece = piece
        self._lock = threading.Lock()

    def reply(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        timeout: float,
        schema: Mapping[str, Any] | None = None,
    ) -> Iterator[Piece]:
        request = Request(tuple(messages), temperature, max_tokens, timeout, schema)
        with self._lock:
            self.requests.append(request)
            scripted = self._scripted(len(self.requests))
        reply = scripted(request) if callable(scripted) else scripted
        if timeout <= 0:
            reply = ModelTimeout(f"{self.name} had no time to reply")
        return self._pieces(reply)

    def _scripted(self, number: int) -> Scripted:
        if callable(self._replies):
            return self._replies
        if number > len(self._replies):
            raise AssertionError(f"{self.name} was asked {number} times; its script has {len(self._replies)} replies")
        return self._replies[number - 1]

    def _pieces(self, reply: Reply) -> Iterator[Piece]:
        if isinstance(reply, BaseException):
            raise reply
        text = reply if isinstance(reply, str) else reply.text
        try:
            for start in range(0, len(text), self._piece):
                yield Piece(text[start : start + self._piece])
            if isinstance(reply, Dies):
                raise reply.error
            yield _last(reply)
        except GeneratorExit:
            self.cancelled += 1
            raise

    def __repr__(self) -> str:
        return f"ScriptedModel({self.name!r}, asked {len(self.requests)} times)"


def failing(error: ModelError | None = None, name: str = "failing") -> ScriptedModel:
    """A model of which every request fails: with ``error``, or as a server that is not there."""
    return ScriptedModel(lambda _request: error or ModelUnavailable(f"{name} is not there"), name)


def _last(reply: str | Ends) -> Piece:
    if isinstance(reply, Ends):
        return Piece(finish=reply.finish, usage=reply.usage)
    return Piece(finish="stop", usage=_ONE_CALL)

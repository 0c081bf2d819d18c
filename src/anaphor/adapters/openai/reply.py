"""A chat completion read from its body: a stream of chunks, or one JSON text from a server that does not stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from anaphor.adapters.openai.decoded import decoded
from anaphor.adapters.openai.endpoint import Endpoint
from anaphor.adapters.openai.failures import URL_CURE, Refused, TryAgain, refusal_in_reply, reported_error
from anaphor.adapters.openai.incoming import Incoming
from anaphor.adapters.openai.sse import events
from anaphor.errors import ModelRefused, ModelRejected, ModelUnavailable
from anaphor.types import Piece, Usage

DONE = "[DONE]"
LONGEST_REPLY = (
    32 * 1024 * 1024
)  # bytes of a reply; 100,000 tokens of thoughts, each streamed by itself, are about 25 MiB
MOST_TOKENS = 10**12  # a larger count is none
_FILTERED = ("content_filter", "safety", "prohibited_content", "blocklist", "recitation", "spii")


def pieces(incoming: Incoming, endpoint: Endpoint) -> Iterator[Piece]:
    """The text as it arrives, then how it ended. Reasoning that servers send beside the text is no part of it.

    Raises ``TryAgain`` for a reply that breaks off, ``Refused`` for an error inside it, ``ModelRefused`` if the model
    declined.
    """
    reply = _Reply()
    for payload in _payloads(incoming, endpoint):
        if payload == DONE:
            reply.finish = reply.finish or "stop"
        else:
            text = reply.take(payload, endpoint)
            if text:
                yield Piece(text)
        if reply.finish:
            incoming.complete()
    if reply.refusal or reply.finish.lower().startswith(_FILTERED):
        reason = " ".join(reply.refusal.split())[:200] or reply.finish
        raise ModelRefused(f"{endpoint.who} declined to reply: {reason}")
    if reply.half:
        yield Piece("\ufffd")
    if not reply.finish or reply.finish == "error":
        arrived = f"cut off its reply after {reply.length} characters" if reply.length else "gave an empty reply"
        raise TryAgain(ModelUnavailable(f"{endpoint.who} {arrived}"))
    yield Piece(finish=reply.finish, usage=reply.usage)


class _Reply:
    """What is known of a reply so far."""

    def __init__(self) -> None:
        self.finish = ""
        self.refusal = ""
        self.half = ""
        self.length = 0  # characters of text
        self.usage = Usage(calls=1)

    def take(self, payload: Any, endpoint: Endpoint) -> str:
        """The text that one chunk, or a whole completion, adds."""
        error = reported_error(payload)
        if error is not None and not self.finish:
            raise Refused(refusal_in_reply(error, endpoint.key))
        if not isinstance(payload, Mapping):
            return ""
        if isinstance(payload.get("usage"), Mapping):
            self.usage = _usage(payload["usage"])
        for choice in _mappings(payload.get("choices")):
            if choice.get("index", 0) == 0:
                return self._chosen(choice)
        return ""

    def _chosen(self, choice: Mapping[str, Any]) -> str:
        said = choice.get("delta") or choice.get("message") or {}
        self.finish = str(choice.get("finish_reason") or self.finish)
        if not isinstance(said, Mapping):
            return ""
        self.refusal += str(said.get("refusal") or "")
        text = self._characters(_text(said.get("content")))
        self.length += len(text)
        return text

    def _characters(self, text: str) -> str:
        """Whole characters only: half of a surrogate pair waits for the other half, perhaps in the next chunk."""
        text, self.half = self.half + text, ""
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self.half = text[:-1], text[-1]
        if any("\ud800" <= c <= "\udfff" for c in text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text.replace("\0", "")


def _payloads(incoming: Incoming, endpoint: Endpoint) -> Iterator[Any]:
    """The decoded JSON values of a body, and ``DONE``."""
    head, body = _head(incoming.at_most(LONGEST_REPLY))
    if head[:1] in (b"{", b"["):
        yield _whole(body, endpoint)
        yield DONE
        return
    if head[:1] == b"<":
        raise ModelRejected(f"{endpoint.who} answered with a web page; does the base URL lack /v1?")
    for event in events(body):
        if event.data.strip() == DONE:
            yield DONE
        elif event.name == "error":
            yield _reported(event.data)
        else:
            yield from _decoded(event.data, endpoint)


def _head(chunks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first bytes that are not white space (which some servers send while they think), and the whole body."""
    arriving = iter(chunks)
    seen: list[bytes] = []
    for chunk in arriving:
        seen.append(chunk)
        head = chunk.removeprefix(b"\xef\xbb\xbf").lstrip()
        if head:
            return head, _chained(seen, arriving)
    return b"", iter(seen)


def _chained(first: list[bytes], rest: Iterator[bytes]) -> Iterator[bytes]:
    yield from first
    yield from rest


def _whole(body: Iterable[bytes], endpoint: Endpoint) -> Any:
    read = b"".join(body)
    try:
        value = decoded(read.decode("utf-8-sig", "replace"))
    except ValueError:
        raise TryAgain(ModelUnavailable(f"{endpoint.who} cut off its reply, or sent what is no JSON")) from None
    if reported_error(value) is None and not (isinstance(value, dict) and "choices" in value):
        raise ModelRejected(f"{endpoint.who} answered with something that is no chat completion; {URL_CURE}")
    return value


def _decoded(data: str, endpoint: Endpoint) -> Iterator[Any]:
    """The values in an event's data: one, or one a line where a server forgot the empty line between two events."""
    try:
        yield decoded(data)
        return
    except ValueError:
        parts = data.split("\n")
    for part in parts:
        if part.strip() == DONE:
            yield DONE
        elif part.lstrip()[:1] in ("{", "["):
            try:
                yield decoded(part)
            except ValueError:
                # Skipping it would lose text without a word.
                raise TryAgain(ModelUnavailable(f"{endpoint.who} cut off its reply in mid-chunk")) from None


def _reported(data: str) -> dict[str, Any]:
    """An error event's data, as an error object whatever its shape."""
    try:
        value = decoded(data)
    except ValueError:
        return {"error": {"message": data}}
    return {"error": reported_error(value) or value}


def _usage(counted: Mapping[str, Any]) -> Usage:
    def tokens(key: str) -> int:
        value = counted.get(key)
        return value if isinstance(value, int) and 0 <= value <= MOST_TOKENS else 0

    return Usage(1, tokens("prompt_tokens"), tokens("completion_tokens"))


def _text(content: Any) -> str:
    """A message's text: a string, or the text parts of a list (beside which Mistral puts the model's thoughts)."""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in _mappings(content) if part.get("type") == "text")


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []

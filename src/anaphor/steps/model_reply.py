"""A model's reply, whatever is wrong with the adapter that brings it: pieces, and then the end or a ``ModelError``.

Adapters may be anybody's. One that raises what the port does not allow for, or hands over what is no piece, is a model
that could not be used, and that never fails a turn.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from anaphor.errors import ModelError, ModelUnavailable
from anaphor.ports import ChatModel
from anaphor.text.tokens import estimate
from anaphor.types import Message, Piece, Usage

COUNTED = 200_000  # characters of a reply that are counted
SHOWN = 200  # characters of what an adapter says of its failure


def replied(model: ChatModel, messages: Sequence[Message], **asked: Any) -> Generator[Piece, None, None]:
    """``model.reply(messages, **asked)``; raises ``ModelError`` only. Closing it cancels what is still under way.

    What the tokens are estimated at is added to the usage: of what was sent to the first piece, so that a reply that
    dies has it too, of what came back to the last.
    """
    arriving: Iterator[Piece] = iter(())
    sent = sum(estimate(message.content) for message in messages)
    texts: list[str] = []
    try:
        arriving = model.reply(messages, **_given(asked))
        for piece in arriving:
            texts.append(_sound(piece).text)
            came = estimate("".join(texts)[:COUNTED]) if piece.finish else 0
            yield replace(piece, usage=piece.usage + Usage(estimated_input=sent, estimated_output=came))
            sent = 0
    except ModelError:
        raise
    except Exception as error:
        raise ModelUnavailable(f"failed with {_named(error)}") from error
    finally:
        _close(arriving)


def _given(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is not asked for: an adapter that knows of no schema can answer where none is wanted."""
    return {key: value for key, value in asked.items() if value is not None}


def _sound(piece: object) -> Piece:
    if isinstance(piece, Piece) and isinstance(piece.text, str) and isinstance(piece.finish, str):
        return piece
    raise TypeError(f"a reply is made of Piece, not of {type(piece).__name__}")


def _named(error: Exception) -> str:
    """The class of the error, and what it says, in one line."""
    try:
        said = " ".join(str(error).split())[:SHOWN]
    except Exception:
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _close(reply: Iterator[Piece]) -> None:
    close = getattr(reply, "close", None)
    if callable(close):
        with suppress(Exception):
            close()

"""A model's reply, whatever is wrong with the adapter that brings it: pieces, and then the end or a ``ModelError``.

Adapters may be anybody's. One that raises what the port does not allow for, or hands over what is no piece, is a model
that could not be used, and that never fails a turn.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from anaphor.errors import ModelError, ModelUnavailable
from anaphor.ports import ChatModel
from anaphor.types import Message, Piece

SHOWN = 200  # characters of what an adapter says of its failure


def replied(model: ChatModel, messages: Sequence[Message], **asked: Any) -> Generator[Piece, None, None]:
    """``model.reply(messages, **asked)``; raises ``ModelError`` only. Closing it cancels what is still under way."""
    arriving: Iterator[Piece] = iter(())
    try:
        arriving = model.reply(messages, **_given(asked))
        for piece in arriving:
            yield _sound(piece)
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

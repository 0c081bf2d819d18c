"""Every error anaphor raises, as a tree.

    AnaphorError                     one line a person can read, and act on
    ├── BadInput                     what was given cannot be used
    │   ├── EmptyQuestion
    │   ├── BadMessages              the small door was given something that is no list of messages
    │   └── BadSettings              a setting that is unknown, malformed or contradicts another
    ├── NotFound                     what was named is not there (or is somebody else's: the two look alike on purpose)
    │   ├── UnknownSession
    │   ├── UnknownTurn
    │   ├── UnknownDocument
    │   ├── UnknownKey
    │   ├── UnknownFact
    │   └── MissingFile
    ├── ArchivedSession              the session may be read, and asked nothing
    ├── TurnInProgress               another turn of the session holds the lease
    ├── StaleTurn                    the session has moved on since the caller last looked
    ├── MissingExtra                 an optional package is not installed
    ├── StoreError                   the store cannot be used as asked
    │   ├── UnreadableStore          not a store, damaged, or not permitted
    │   ├── NewerStore               written by a later version
    │   ├── StoreBusy                locked by another process for too long
    │   ├── StoreFull                no room left on the device
    │   └── WrongEmbedder            vectors in the store were made by another embedder
    └── ModelError                   a model could not be used; never fails a turn
        ├── ModelTimeout
        ├── ModelUnavailable         refused connection, 5xx, cut off in mid-reply
        ├── ModelRejected            wrong key, no such model, malformed request: trying again does not help
        └── ModelRefused             the model declined to reply (a safety filter, a refusal)

A command prints the message and exits with status 1; the service maps each branch to one HTTP status.
"""

from __future__ import annotations

from math import ceil


class AnaphorError(Exception):
    """Anything anaphor raises on purpose. ``str(error)`` is one line, fit to be shown."""


class BadInput(AnaphorError, ValueError):
    """What was given cannot be used as it is."""


class EmptyQuestion(BadInput):
    """A question of nothing but white space, marks or control characters."""


class BadMessages(BadInput):
    """Not a list of ``{"role", "content"}``; the message says which element and why."""


class BadSettings(BadInput):
    """A setting that is unknown, malformed, or contradicts another; names it and where it came from."""


class NotFound(AnaphorError, LookupError):
    """What was named is not there, or belongs to somebody else: the two cannot be told apart from outside."""


class UnknownSession(NotFound):
    """No session of this tenant and user has that id or name."""


class UnknownTurn(NotFound):
    """No turn of this session has that id or number."""


class UnknownDocument(NotFound):
    """No document this scope may read has that id or source."""


class UnknownKey(NotFound):
    """No API key has that id."""


class UnknownFact(NotFound):
    """Nothing that is remembered of this user has that id."""


class MissingFile(NotFound):
    """A path that does not exist or cannot be read."""


class ArchivedSession(AnaphorError):
    """The session is archived: it may be read and branched off; the message says how to ask in it again."""


class TurnInProgress(AnaphorError):
    """Another turn of the session is running. ``seq`` is that turn's number, ``seconds`` how long it may still take."""

    def __init__(self, seq: int, seconds: float) -> None:
        left = max(1, ceil(seconds))
        super().__init__(
            f"turn {seq} of this session is still being answered, for at most {left} s more: ask again later, or wait "
            f"longer (--wait {left}); if whoever asked it is gone, it counts as failed after that time"
        )
        self.seq = seq
        self.seconds = seconds


class StaleTurn(AnaphorError):
    """The session has moved on since the caller last looked. ``seq`` is the newest turn's number."""

    def __init__(self, message: str, seq: int) -> None:
        super().__init__(message)
        self.seq = seq


class MissingExtra(AnaphorError, ImportError):
    """An optional package is not installed; the message gives the ``pip install`` that brings it."""


class StoreError(AnaphorError):
    """The store cannot be used as asked."""


class UnreadableStore(StoreError):
    """Not a store of ours, damaged, or not permitted."""


class NewerStore(StoreError):
    """Written by a later version of anaphor; both versions are named."""


class StoreBusy(StoreError):
    """Locked by another process for longer than the caller was willing to wait."""


class StoreFull(StoreError):
    """No room left on the device; nothing of the failed write was kept."""


class WrongEmbedder(StoreError):
    """The vectors in the store were made by another embedder; both are named, and what re-embeds."""


class ModelError(AnaphorError):
    """A model could not be used. Caught where a step has something else to fall back on."""


class ModelTimeout(ModelError):
    """No reply within the step's own time budget."""


class ModelUnavailable(ModelError):
    """Refused connection, overload, or cut off in mid-reply: another try may help."""


class ModelRejected(ModelError):
    """Wrong key, no such model, malformed request: another try does not help."""


class ModelRefused(ModelError):
    """The model declined to reply."""

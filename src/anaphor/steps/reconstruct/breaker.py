"""A model that keeps failing is left alone for a while, so that not every turn waits for it in vain."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anaphor.errors import ModelRefused, ModelUnavailable
from anaphor.ports import ChatModel, Clock
from anaphor.types import Message, Piece


class Breaker:
    """``ports.ChatModel`` around another one. After ``failures`` in a row it raises at once for ``cool_down`` seconds.

    Then one request is let through: if it succeeds all is as before, if not the cool-down begins again. A refusal by
    the model is no failure of it. A reply that the caller closed says nothing either way, unless its time was over: a
    model that is still writing then is as good as dead. For any number of threads.
    """

    def __init__(
        self, model: ChatModel, clock: Clock = time.monotonic, *, failures: int = 3, cool_down: float = 30.0
    ) -> None:
        self._model = model
        self._clock = clock
        self._failures = failures
        self._cool_down = cool_down
        self._lock = threading.Lock()
        self._failed = 0
        self._closed_until = 0.0

    @property
    def name(self) -> str:
        return self._model.name

    def reply(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        timeout: float,
        schema: Mapping[str, Any] | None = None,
    ) -> Iterator[Piece]:
        self._let_through()
        start = self._clock()
        try:
            yield from self._model.reply(
                messages, temperature=temperature, max_tokens=max_tokens, timeout=timeout, schema=schema
            )
        except ModelRefused:
            self._note(failed=False)
            raise
        except GeneratorExit:
            if self._clock() - start >= timeout:
                self._note(failed=True)
            raise
        except Exception:  # an adapter that breaks its promise to raise ModelError alone has failed as well
            self._note(failed=True)
            raise
        self._note(failed=False)

    def close(self) -> None:
        """Close the model, where there is something to close."""
        close = getattr(self._model, "close", None)
        if close is not None:
            close()

    def _let_through(self) -> None:
        with self._lock:
            left = self._closed_until - self._clock()
            if self._failed >= self._failures:
                if left > 0:
                    raise ModelUnavailable(
                        f"{self.name} failed {self._failed} times in a row; it is asked again in {left:.0f} s"
                    )
                self._closed_until = self._clock() + self._cool_down  # the others wait for what this request shows

    def _note(self, *, failed: bool) -> None:
        with self._lock:
            self._failed = self._failed + 1 if failed else 0
            self._closed_until = self._clock() + self._cool_down if self._failed >= self._failures else 0.0

"""What is kept beyond the window.

Nothing is yet: no summary is written and no fact extracted, so there is nothing to read. What a person asserted is
remembered as passages (see ``Turns.commit``) and found by the indexes; it needs neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from anaphor.types import Scope


class Memories:
    """``ports.Memories`` of a store that holds no summaries and no facts."""

    def summary(self, scope: Scope) -> str:  # noqa: ARG002
        return ""

    def facts(self, scope: Scope, limit: int) -> Sequence[str]:  # noqa: ARG002
        return ()

"""Take what was said elsewhere into a session: a client's own history, an imported conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphor.ports import Log
from anaphor.steps.commit import said
from anaphor.stored import Exchange
from anaphor.text.language import settle
from anaphor.types import Scope, Turn


def adopt(log: Log, scope: Scope, exchanges: Sequence[Exchange], locale: str | None = None) -> Sequence[Turn]:
    """The turns they became: ``unverified``, so that nothing of them is shown as what we know to be supported.

    What the person asserted in them can be recalled like what they say here; what others said cannot.
    """
    told = [
        replace(one, language=settle(one.question or one.answer, (), locale)) if one.language == "und" else one
        for one in exchanges
    ]
    return log.adopt(scope, told, lambda turn: said(scope, turn))

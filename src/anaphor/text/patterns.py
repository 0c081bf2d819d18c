"""Regular expressions that are compiled when they are first used: importing a module costs none of them."""

from __future__ import annotations

import re
from typing import Any, cast


def pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Like ``re.compile``, later."""
    return cast("re.Pattern[str]", _Uncompiled(expression, flags))


class _Uncompiled:
    def __init__(self, expression: str, flags: int) -> None:
        self._expression, self._flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        # Called only for what is not there yet: from the first use on, the methods are the compiled expression's own.
        compiled = re.compile(self._expression, self._flags)
        for method in ("match", "fullmatch", "search", "finditer", "findall", "sub", "split"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)

"""Traditional and Simplified Chinese, each put in the other by OpenCC's phrases (extra ``scripts``).

With the words of Taiwan and of the mainland, where its tables have them.
"""

from __future__ import annotations

import importlib.util
import threading
from typing import Any

from anaphor.errors import MissingExtra
from anaphor.text.fold import clean

_WAYS = {"zh-Hant": "s2twp", "zh-Hans": "tw2sp"}


class ScriptConverter:
    """Loads its tables at the first text, once for each way. May be used from several threads at the same time."""

    def __init__(self) -> None:
        if importlib.util.find_spec("opencc") is None:
            raise MissingExtra(
                "the setting other_script needs OpenCC, which is not installed; pip install 'anaphor[scripts]'"
            )
        self._lock = threading.Lock()
        self._loaded: dict[str, Any] = {}

    def __call__(self, text: str, script: str) -> str:
        """The text in ``zh-Hant`` or ``zh-Hans``; in any other language, as it is."""
        way = _WAYS.get(script)
        return str(self._way(way).convert(clean(text))) if way else text

    def _way(self, way: str) -> Any:
        with self._lock:
            if way not in self._loaded:
                import opencc

                self._loaded[way] = opencc.OpenCC(way)
            return self._loaded[way]

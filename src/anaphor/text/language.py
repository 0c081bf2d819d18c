"""Which language a text is in, where that can be told."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from importlib.resources import files

_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〇]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_QUIET = re.compile(r"`[^`]*`|https?://\S+|\[\d+\]|[A-Za-z]*\d[\w-]*")
SCRIPT = {"zh-Hant": "Hant", "zh-Hans": "Hans", "ja": "Jpan", "en": "Latn", "und": "undetermined"}
LANGUAGE = {script: language for language, script in SCRIPT.items()}


def detect(text: str) -> str:
    """``zh-Hant``, ``zh-Hans``, ``ja``, ``en``, or ``und`` where the characters do not tell."""
    text = _QUIET.sub(" ", text)
    han = _HAN.findall(text)
    if len(_KANA.findall(text)) * 10 > len(han):
        return "ja"
    if han:
        hant, hans = _one_script_only()
        votes = sum(c in hant for c in han) - sum(c in hans for c in han)
        return "zh-Hant" if votes > 0 else "zh-Hans" if votes < 0 else "und"
    return "en" if _LATIN.search(text) else "und"


def script(text: str) -> str:
    """``Hant``, ``Hans``, ``Jpan``, ``Latn`` or ``undetermined``."""
    return SCRIPT[detect(text)]


def settle(text: str, talk: Sequence[str] = (), locale: str | None = None) -> str:
    """The language to answer in: of the text, else of the talk (newest last, looked at first), else the locale's."""
    for candidate in (text, *reversed(talk)):
        found = detect(candidate)
        if found != "und":
            return found
    return _of_locale(locale) or ("zh-Hant" if _HAN.search(text) else "en")


def _of_locale(locale: str | None) -> str:
    tag = (locale or "").replace("_", "-").lower()
    if tag.startswith("zh"):
        return "zh-Hans" if any(x in tag for x in ("cn", "sg", "hans")) or tag == "zh" else "zh-Hant"
    return next((x for x in ("ja", "en") if tag.startswith(x)), "")


def reply_fits(message: str, reply: str, *, talk_script: str | None = None, locale: str | None = None) -> bool:
    """Whether the reply is in the language, and for Chinese the script, of the message."""
    asked, given = detect(message), detect(reply)
    if asked == "und" and talk_script:
        asked = LANGUAGE.get(talk_script, "und")
    if asked == "und":
        asked = _of_locale(locale) or "und"
    if given == "und" or asked == given:
        return True
    if asked == "und":
        return given.startswith("zh") if _HAN.search(message) else True
    return asked == "en" and not _LATIN.search(_QUIET.sub(" ", message))


@functools.cache
def _one_script_only() -> tuple[frozenset[str], frozenset[str]]:
    lines = files("anaphor.text").joinpath("tables/simplified.txt").read_text("utf-8").split("\n")
    traditional, simplified = frozenset(lines[0]), frozenset(lines[1])
    return traditional - simplified - frozenset("著裡"), simplified - traditional - frozenset(lines[2])

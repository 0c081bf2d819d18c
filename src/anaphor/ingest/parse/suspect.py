"""Text taken out of a file that draws its characters: what can be mended is, and what is not the text is told.

A PDF says what its glyphs *look like*; what they *mean* stands in a table of its own (ToUnicode) that may be missing,
wrong, or point at radicals that merely look like the character (⽅ for 方).
"""

from __future__ import annotations

import functools
import re
import unicodedata

from anaphor.text.characters import HAN
from anaphor.text.fold import radicals

SAMPLE = 60_000  # characters that are looked at
SHARE = 0.03  # of characters that nobody writes, or of glyphs without a meaning
LATIN = 200  # letters, from which on their vowels tell
VOWELS = (0.2, 0.6)
FOREIGN = 0.05  # of letters of scripts that stand in the text like foreign bodies
RARE = 0.5  # of Han characters that no everyday character set has
HAN_ENOUGH = 30

_GLYPH = re.compile(r"\(cid:\d{1,6}\)|/g\d{2,5}\b|/uni[0-9A-F]{4}\b")
_LIGATURES = dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
_HAN_CHARACTER = re.compile(f"[{HAN}]")
_LATIN = re.compile("[A-Za-z]")
_VOWEL = re.compile("[AEIOUYaeiouy]")
_USUAL = re.compile(
    r"[ -~\n\r\t\f\u00a0-\u02af\u0370-\u052f\u1e00-\u27ff\u2900-\u2bff"
    r"\u3000-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]+"
)


@functools.cache
def _mending() -> dict[int, str]:
    return {**radicals(), **{ord(sign): letters for sign, letters in _LIGATURES.items()}, 0xAD: ""}


def mended(text: str) -> str:
    """Radicals as the characters they stand for, typographic ligatures as letters, soft hyphens gone."""
    return text.translate(_mending())


def suspicion(text: str, unmapped: float = 0.0) -> str:
    """Why the text is probably not what the file shows; empty if it may well be.

    ``unmapped`` is the share of glyphs for which the file says no meaning.
    """
    text = text[: SAMPLE // 2] + text[-SAMPLE // 2 :] if len(text) > SAMPLE else text
    written = sum(not c.isspace() for c in text)
    if not written:
        return ""
    if unmapped > SHARE:
        return f"the file does not say what {unmapped:.0%} of its glyphs mean"
    glyphs = sum(len(m) for m in _GLYPH.findall(text))
    if glyphs > SHARE * written:
        return f"{glyphs / written:.0%} of it are numbers of glyphs, not characters"
    text = _GLYPH.sub("", text)
    unusual = [c for part in _USUAL.split(text) for c in part]
    strange = sum(_nobody_writes(c) for c in unusual)
    if strange > max(2, SHARE * written):
        return f"{strange / written:.0%} of its characters are none that anybody writes"
    return _of_letters(text, unusual, written)


def _nobody_writes(c: str) -> bool:
    return c == "\ufffd" or unicodedata.category(c) in ("Co", "Cn", "Cc", "Cs")


def _of_letters(text: str, unusual: list[str], written: int) -> str:
    scripts = {_script(c) for c in unusual if unicodedata.category(c)[0] in "LM"}
    foreign = sum(unicodedata.category(c)[0] in "LM" for c in unusual)
    if len(scripts) >= 3 and foreign > max(3, FOREIGN * written):
        return f"letters of {len(scripts)} unrelated scripts are strewn over it"
    latin = len(_LATIN.findall(text))
    if latin >= LATIN and latin * 2 > written:
        vowels = len(_VOWEL.findall(text)) / latin
        if not VOWELS[0] <= vowels <= VOWELS[1]:
            return f"{vowels:.0%} of its Latin letters are vowels, which no language has"
    han = _HAN_CHARACTER.findall(text)
    rare = sum(not _everyday(c) for c in han)
    if len(han) >= HAN_ENOUGH and rare > RARE * len(han):
        return f"{rare / len(han):.0%} of its Han characters are in no everyday character set"
    return ""


def _script(c: str) -> str:
    return unicodedata.name(c, "UNKNOWN").split(" ")[0]


@functools.lru_cache(maxsize=8192)
def _everyday(c: str) -> bool:
    return any(c.encode(charset, "ignore") for charset in ("gb2312", "big5", "shift_jis"))

"""entity_kept: are the named things of the utterance still in the rewrite?

    entity_kept = Σ_u |{e ∈ N(u) : e ∈ x}| / Σ_u |N(u)|

x the rewrite of utterance u, N(u) its named things, as far as form alone shows them: numbers, Latin words inside CJK
text, capitalised words that do not begin an English sentence, words with digits or capitals inside, katakana runs,
and what stands in 「」『』《》 or quotation marks. Chinese and Japanese names in plain Han characters cannot be seen
this way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from anaphor_eval.metrics.share import Share

_HAN_OR_KANA = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_QUOTED = re.compile('「([^「」]{1,40})」|『([^『』]{1,40})』|《([^《》]{1,40})》|“([^“”]{1,40})”|"([^"]{1,40})"')
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{2,}(?:・[\u30a1-\u30fa\u30fc]{2,})*")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.-])[0-9]+(?:[.,:/][0-9]+)*[A-Za-z%]*")  # 12, 3.5%, 16GB; not the 7 of v7
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f][\w\u00c0-\u024f]*(?:[-.'][\w\u00c0-\u024f]+)*", re.ASCII)
_ENDS = re.compile(r"[.!?:;]\s*[\"'(]*$")


def named_things(text: str) -> list[str]:
    """In order of appearance, each once, as written."""
    return list(dict.fromkeys(_named(unicodedata.normalize("NFKC", text))))


def entity_kept(rewrite: str, utterance: str) -> Share:
    there = _plain(rewrite)
    named = named_things(utterance)
    return Share(sum(_plain(thing) in there for thing in named), len(named))


def _named(text: str) -> Iterator[str]:
    for match in _QUOTED.finditer(text):
        yield next(part for part in match.groups() if part).strip()
    yield from _KATAKANA.findall(text)
    yield from _NUMBER.findall(text)
    beside_cjk = bool(_HAN_OR_KANA.search(text))
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("'s")
        inside = word[1:] != word[1:].lower() or any(c.isdigit() for c in word)
        named = word[0].isupper() and word != "I" and not word.startswith("I'") and not _begins(text, match.start())
        if len(word) > 1 and (beside_cjk or inside or named):
            yield word


def _begins(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\"'(")
    return not before or bool(_ENDS.search(text[max(0, start - 8) : start])) or before.endswith("\n")


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())

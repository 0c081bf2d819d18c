"""Noun phrases of a text: what a pronoun may stand for, and what may stand in another's place.

There is no parser here. In Chinese and Japanese a phrase is what is left between words that carry grammar; in English
a run of words that are neither grammar nor common verbs. Names, quoted titles, identifiers and words in another
script stay whole.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from anaphor.steps.family_names import FAMILY_NAMES
from anaphor.steps.reconstruct.kinds import kind, time_at_edge
from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.phrases_cjk import chinese, japanese
from anaphor.steps.reconstruct.phrases_english import english
from anaphor.steps.reconstruct.tables import Table, sections, table

__all__ = ["Phrase", "phrases"]


@functools.lru_cache(maxsize=1024)  # a talk is read again from its beginning at every turn
def phrases(text: str, language: str) -> tuple[Phrase, ...]:
    """In the order in which they stand."""
    if language == "en":
        return tuple(english(text))
    found = japanese(text) if language == "ja" else chinese(text)
    rules = table(language)
    return tuple(
        _owning(
            text,
            [
                *_attributes_apart(
                    _names_apart(_times_apart(found), _TITLED_JA if language == "ja" else _TITLED_ZH), rules
                )
            ],
            rules.of,
        )
    )


def _times_apart(found: Iterable[Phrase]) -> Iterator[Phrase]:
    """A time written onto a thing (台南門市週日, 明天高鐵) is a phrase of its own."""
    for phrase in found:
        cut = time_at_edge(phrase.key) if len(phrase.text) == len(phrase.key) and not phrase.kind else 0
        if not cut:
            yield phrase
            continue
        at = cut % len(phrase.key)
        for start, end in ((0, at), (at, len(phrase.key))):
            key = phrase.key[start:end]
            named = phrase.named and not key.isdigit() and kind(key) != "time"
            part = Phrase(phrase.text[start:end], phrase.start + start, phrase.start + end, key, kind(key), named)
            yield from _times_apart((part,))


def _names_apart(found: Iterable[Phrase], titled: re.Pattern[str]) -> Iterator[Phrase]:
    """A name ends with its title (林雅婷醫師 | 專長植牙), and is somebody's."""
    for phrase in found:
        name = titled.match(phrase.key) if len(phrase.text) == len(phrase.key) else None
        if name is None:
            yield phrase
            continue
        at, rest = name.end(), phrase.key[name.end() :]
        yield replace(phrase, text=phrase.text[:at], end=phrase.start + at, key=name[0], kind="person", named=True)
        if len(rest) > 1:
            yield Phrase(phrase.text[at:], phrase.start + at, phrase.end, rest, kind(rest))


_NO_PERSON = "(?![们會会的室證証证費费類类席団团])"
_TITLED_ZH = re.compile(
    f"[{''.join(sorted(FAMILY_NAMES))}][\u4e00-\u9fff]{{0,2}}?"
    f"(?:医师|医生|老师|教授|教练|经理|主任|院长|店长|护士|护理师|律师|博士|先生|女士|小姐){_NO_PERSON}"
)
_TITLED_JA = re.compile(
    f"(?!.{{1,4}}[科任治当]先生)[\u3005\u30a1-\u30fa\u30fc\u4e00-\u9fff]{{2,6}}?(?:先生|教授|監督|選手|部長|課長|社長|店長){_NO_PERSON}"
)


def _attributes_apart(found: Iterable[Phrase], rules: Table) -> Iterator[Phrase]:
    """An attribute written onto its owner (台灣人口) is two phrases."""
    for phrase in found:
        key = phrase.key.removesuffix("方面").removesuffix("上")  # 開放時間上
        if key in rules.attributes or (len(key) < 6 and key.endswith(rules.attribute_ends)):
            yield replace(phrase, attribute=True)
            continue
        whole = phrase.key.endswith(_compounds()) or len(phrase.text) != len(phrase.key)
        sizes = () if whole else range(min(5, len(phrase.key) - 2), 1, -1)
        size = next((n for n in sizes if phrase.key[-n:] in rules.attributes), 0)
        if not size or _one_word(phrase.key, size):
            yield phrase
            continue
        cut, owner = phrase.end - size, phrase.key[:-size]
        if owner.startswith("最") or owner in ("初代", "歴代", "现任", "首任", "历任", "第一任"):  # 最高速度, 初代館長
            yield replace(phrase, attribute=True)
            continue
        relative = owner in rules.attributes  # 電池 of 電池保固
        named = replace(phrase, text=phrase.text[:-size], end=cut, key=owner, kind=kind(owner), owner=True)
        yield replace(named, attribute=relative)
        yield Phrase(phrase.text[-size:], cut, phrase.end, phrase.key[-size:], attribute=True)


def _one_word(key: str, size: int) -> bool:
    """ボクササイズ, オンライン: a word in katakana that only ends like one."""
    word = _KATAKANA_WORD.search(key)
    return word is not None and size < len(word[0]) < size + _OWNER_AT_LEAST


_KATAKANA_WORD = re.compile("[\u30a1-\u30fa\u30fc]+$")
_OWNER_AT_LEAST = 4  # characters of katakana before it


@functools.cache
def _compounds() -> tuple[str, ...]:
    """Heads that make one noun with what stands before them: 家庭会员 is a kind of member, and nobody's."""
    return tuple(" ".join(sections("kinds")["compounds"]).split())


def _owning(text: str, listed: list[Phrase], of: str) -> Iterator[Phrase]:
    for phrase, after in zip(listed, [*listed[1:], None], strict=False):
        owns = after is not None and text[phrase.end : after.start].strip() == of
        yield replace(phrase, owner=phrase.owner or owns)

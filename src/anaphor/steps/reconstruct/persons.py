"""Who may be somebody, and whether "he" or "she" may mean them, by how the name is written.

A given name tells seldom more than a likelihood, so that it only chooses between several: where nobody else may be
meant, 他 may be anybody, and "she" whoever there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from anaphor.steps.family_names import FAMILY_NAMES
from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.tables import table

T = TypeVar("T")

_HE = re.compile("(?:he|him|his|himself|he's|he'd|he'll|hes)|他|彼")
_SHE = re.compile("(?:she|her|hers|herself|she's|she'd|she'll|shes)|她|妳|彼女")
_TITLE = re.compile(
    "(?:医师|医生|医師|老师|教授|教练|经理|主任|院长|店长|护士|护理师|律师|博士|先生|監督|選手|部長|課長|社長|店長|氏|さん)$"
)
_MR, _MS = re.compile(r"(?:mr|sir|lord|king|prince)\b"), re.compile(r"(?:mrs|ms|miss|lady|queen|princess)\b")
_ADDRESS = re.compile(r"(?:(?:mr|mrs|ms|miss|dr|prof|professor|sir|lady|lord|president|senator)\.? )+")
_WOMEN = frozenset(
    "美芳芬娟婷怡淑惠慧玲珍珠蓉莲雅雯萍丽娜娴娇媛妍妮婕姿姗珊瑶琴琳瑜莹瑛菁菲萱蕙薇兰茹莉莎芝芷芸苓翠秀绮彤倩妤姵娥婉婵嫣霞香馨燕凤妹姐娘妃妙曼柔"
)
_MEN = frozenset("国强伟雄豪杰龙建军刚勇宏德胜辉荣武斌超鹏毅峰磊锋涛坤昌财贤勋彪钢铁栋梁柱雷震汉邦权")
_JA_WOMEN = re.compile("[子美恵江代香奈菜穂乃花枝絵妃]$")
_JA_MEN = re.compile("[郎男夫雄介助太平也彦樹史司斗翔健誠隆剛一二三志輔吾人之政]$")


def may_be_somebody(phrase: Phrase) -> bool:
    """A person by title or first name, or in Chinese and Japanese a family name and one or two characters more."""
    if phrase.kind == "person":
        return True
    key = phrase.key
    short = 2 <= len(key) <= 3 and not phrase.kind and not phrase.attribute and not phrase.verbal
    return short and key[0] in FAMILY_NAMES and not key.isascii()


def sex(phrase: Phrase, language: str) -> str:
    """``man``, ``woman`` or nothing."""
    if phrase.key.isascii():
        if _MR.match(phrase.key) or _MS.match(phrase.key):
            return "man" if _MR.match(phrase.key) else "woman"
        first = _ADDRESS.sub("", phrase.key).split(" ")[0]
        man, woman = first in table("en").men, first in table("en").women
        return "" if man == woman else "man" if man else "woman"
    name = _TITLE.sub("", phrase.key)
    if language == "ja":
        return "woman" if _JA_WOMEN.search(name) else "man" if _JA_MEN.search(name) else ""
    if not may_be_somebody(phrase) or len(name) < 2:
        return ""
    given = set(name[1:])
    man, woman = bool(given & _MEN), bool(given & _WOMEN)
    return "" if man == woman else "man" if man else "woman"


def agrees(phrase: Phrase, said: str, language: str) -> bool:
    """Whether the pronoun may mean somebody who is called so."""
    wanted = _wanted(said)
    return not wanted or sex(phrase, language) in ("", wanted)


def agreeing(found: Iterable[T], name: Callable[[T], Phrase], said: str, language: str) -> list[T]:
    """Those that agree; all of them if none does. Beside somebody whom it cannot be, who surely is goes first."""
    found, wanted = list(found), _wanted(said)
    agree = [each for each in found if agrees(name(each), said, language)]
    surely = [each for each in agree if sex(name(each), language) == wanted] if len(agree) < len(found) else []
    return surely or agree or found


def _wanted(said: str) -> str:
    return "woman" if _SHE.fullmatch(said) else "man" if _HE.fullmatch(said) else ""

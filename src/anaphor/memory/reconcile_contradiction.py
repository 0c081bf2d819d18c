"""Whether a reply contradicts what was said before it, told by form, without a model. Chinese first, others as far as
polarity and numbers carry.

Four signs, each of which needs that both speak of the same thing:

- *polarity*: the same question, in other words or turned round, answered yes and then no (Zheng et al. 2022, CDConv,
  call it antonym and negation; an antonym in the question turns the answer round);
- *number*: another age, year, time, price or count of the same unit;
- *value*: the same question for a place, name, job or thing, answered by another one;
- *forgotten*: the other speaker asks about what they have told themselves, and the reply does not know it, or says
  something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from anaphor.text.fold import matching
from anaphor.text.numbers import numbers
from anaphor.text.patterns import pattern

Talk = Sequence[tuple[str, str]]  # role ("user", "assistant") and what was said, oldest first

_NO = pattern(
    r"^(?:啊|哦|嗯|哈+|呵+|额|呃)*[,，]?(?:不(?!过|错|知道|好意思|客气|用谢)|没(?!事|关系|错|问题|啥)|无(?!论)|否|才不|并不|别)|"
    r"^(?:我)?(?:还|也|从来|都|真的|一点|很少|从)?(?:不(?!过|错|知道|得不|禁)|没(?:有)?)"
)
_YES = pattern(
    r"^(?:啊|哦|嗯+|哈+|呵+)*[,，]?(?:是(?!不是)|对(?!不起|面|方|于)|嗯|好的?|有(?!点)|会|可以|能|当然|肯定|喜欢|想|要|住|去|在(?!哪)|懂|爱|行)|"
    r"^(?:我)?(?:也|很|都|非常|特别|当然|挺|最)(?:是|喜欢|爱|想|有|会|能|要)"
)
_TURNED = pattern(r"讨厌|厌恶|反感|痛恨|拒绝|失败|难过")
_UNKNOWING = pattern(
    r"不(?:知道|晓得|清楚|记得|认识|太清楚)|忘(?:记|了)|没(?:听|说|见)过|怎么(?:会)?知道|哪(?:里|儿)?知道|猜不|谁知道|不告诉|"
    r"^(?:是)?(?:什么|谁|哪|几|多少|为什么|怎么)|你(?:说|猜|告诉)|知道啊?[,，]?你(?:说|告诉)"
)
_ASKS_OF_OWN = pattern(
    r"知道我|知道[^,，?？]{0,10}(?:吗|么)|(?:^|[,，。！])我[^,，。]{0,16}(?:什么|哪|谁|几|多少|怎么|何时)"
)
_UNIT = pattern(r"岁|年级|年|点|月|号|个|块|元|万|米|公里|次|天|小时|平|斤|只|套|后")
_WORD = pattern(r"[一-龥]{2}")


def contradicts(talk: Talk, reply: str) -> bool:
    """Whether ``reply``, the assistant's, contradicts what the assistant said, or ignores what the user told."""
    asked, answered, again = _last_three(talk)
    if not again:
        return False
    first, second = matching(answered), matching(reply)
    return _forgotten(asked, again, second) or (
        bool(answered) and (_turned(asked, again, first, second) or _other_number(first, second))
    )


def _last_three(talk: Talk) -> tuple[str, str, str]:
    users = [matching(text) for role, text in talk if role == "user"]
    own = [text for role, text in talk if role == "assistant"]
    return (users[-2] if len(users) > 1 else ""), (own[-1] if own else ""), (users[-1] if users else "")


def _pairs(text: str) -> set[str]:
    return {text[i : i + 2] for i in range(len(text) - 1) if _WORD.fullmatch(text[i : i + 2])}


def _shared(one: str, other: str) -> float:
    a, b = _pairs(one), _pairs(other)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _forgotten(asked: str, again: str, reply: str) -> bool:
    """What the other has told, and asks back, is not known, or asked for."""
    return bool(_ASKS_OF_OWN.search(again) and _UNKNOWING.search(reply) and asked)


def _turned(asked: str, again: str, first: str, second: str) -> bool:
    """Yes and then no to what is nearly the same question; the other way round where one of the two is turned."""
    if _shared(asked, again) < 0.3:
        return False
    one, other = _polarity(first), _polarity(second)
    if not one or not other:
        return False
    turned = bool(_TURNED.search(asked)) != bool(_TURNED.search(again))
    return (one != other) != turned


def _polarity(text: str) -> int:
    if _NO.search(text):
        return -1
    return 1 if _YES.search(text) else 0


def _other_number(first: str, second: str) -> bool:
    """Another number of the same unit, and none in common."""
    one, other = _quantities(first), _quantities(second)
    return any(unit in other and not (values & other[unit]) for unit, values in one.items())


def _quantities(text: str) -> dict[str, set[float]]:
    found: dict[str, set[float]] = {}
    for number in numbers(text):
        unit = _UNIT.match(text, number.end)
        if unit:
            found.setdefault(unit[0], set()).add(float(number.value))
    return found

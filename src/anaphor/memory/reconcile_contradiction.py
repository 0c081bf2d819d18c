"""Whether a reply contradicts what was said before it, told by form, without a model; in Chinese.

The setting is that of Zheng et al. (2022), "CDConv: A Benchmark for Contradiction Detection in Chinese Conversations",
EMNLP: a speaker answers, is asked the same again in other words, turned round or about a detail, and answers anew; or
is asked for what the other has told. The signs, each of which needs that both speak of one thing:

- *forgotten*: what the other told of themselves, or the speaker said of themselves, is not known;
- *polarity*: yes and then no to nearly the same question, or the same verb affirmed and denied;
- *number*: another age, year, time, price or count of the same unit;
- *value*: to the question for a place, a job, a subject, a season or a name another answer; two that cannot both be
  (a student, at work); two answers to one question, word for word the same, that share next to nothing.

The signs were written by hand and chosen by looking at the open half of that set, whose licence allows no learning.
"""

from __future__ import annotations

from collections.abc import Sequence

from anaphor.memory.extract_rules import cue, groups_of
from anaphor.text.fold import matching
from anaphor.text.numbers import numbers
from anaphor.text.patterns import pattern

Talk = Sequence[tuple[str, str]]  # role ("user", "assistant") and what was said, oldest first

ALIKE = 0.25  # share of the shorter question's pairs of characters that both have, from which they ask the same
WORD_FOR_WORD = 0.6  # the same, from which they are one question
LITTLE = 0.3  # share of the shorter answer's characters, below which two answers are different ones
_HAN_PAIR = pattern(r"[一-龥]{2}")
_OF_OWN = ("job", "major", "from")


def contradicts(talk: Talk, reply: str) -> bool:
    """Whether ``reply``, the assistant's, contradicts the assistant's answer before, or ignores what the user told."""
    users = [matching(text) for role, text in talk if role == "user"]
    own = [matching(text) for role, text in talk if role == "assistant"]
    if len(users) < 2 or not own:
        return False
    told, again, first, second = users[-2], users[-1], own[-1], matching(reply)
    same = _shared(told, again) >= ALIKE
    return (
        _forgot_the_other(told, again, second, same)
        or _other_number(first, second)
        or _other_age(again, first, second)
        or _other_place(again, first, second)
        or _other_of_few(again, first, second)
        or _other_kind(first, second)
        or (same and _answers_differ(told, again, first, second))
        or (_shared(told, again) >= WORD_FOR_WORD and _nothing_in_common(again, first, second))
    )


def _has(name: str, text: str) -> bool:
    return cue("contradiction", name).search(text) is not None


def _shared(one: str, other: str) -> float:
    a, b = _pairs(one), _pairs(other)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _pairs(text: str) -> set[str]:
    return {text[i : i + 2] for i in range(len(text) - 1) if _HAN_PAIR.fullmatch(text[i : i + 2])}


# ── forgotten ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _forgot_the_other(told: str, again: str, reply: str, same: bool) -> bool:
    if not _has("unknowing", reply):
        return False
    if "知道" in again:
        return _could_answer(told, again) and ("我" in again or _has("asks_number", again))
    return same and "我" in again and "你" not in again and _has("asks_what", again)


def _could_answer(told: str, again: str) -> bool:
    """Whether what was told holds something of the kind that is asked for."""
    for kind in ("number", "place", "time"):
        if _has(f"asks_{kind}", again):
            return _has(f"has_{kind}", told)
    return True


# ── the speaker's own answers ─────────────────────────────────────────────────────────────────────────────────────


def _answers_differ(told: str, again: str, first: str, second: str) -> bool:
    return (
        _turned(told, again, first, second)
        or _denied(again, first, second)
        or _forgot_oneself(again, first, second)
        or _other_job(again, first, second)
        or any(_other_value(name, first, second) for name in _OF_OWN)
    )


def _turned(told: str, again: str, first: str, second: str) -> bool:
    """Yes and then no to the same question; with an antonym in one of the two questions they do not compare."""
    one, other = _polarity(first), _polarity(second)
    if not one or not other or _has("asks_what", again):
        return False
    if _has("turned", told) != _has("turned", again):
        return one == other == 1  # yes, I like it; and yes, I hate it
    if _has("asks_denying", told) != _has("asks_denying", again) and _has("bare", second):
        return False  # to a question that denies, both yes and no may agree
    return one != other


def _polarity(text: str) -> int:
    return -1 if _has("no", text) else 1 if _has("yes", text) else 0


def _denied(again: str, first: str, second: str) -> bool:
    """A verb affirmed in one answer and denied in the other, and neither both ways."""
    one, other = _verbs(first), _verbs(second)
    open_question = _has("asks_what", again)
    return any(
        len(signs) == 1 and len(other.get(verb, ())) == 1 and signs != other[verb]
        for verb, signs in one.items()
        if not (open_question and verb in ("喜欢", "爱", "有"))
    )


def _verbs(text: str) -> dict[str, set[bool]]:
    found: dict[str, set[bool]] = {}
    for match in cue("contradiction", "verb").finditer(text):
        found.setdefault(match["verb"], set()).add(match["no"] is None)
    return found


def _forgot_oneself(again: str, first: str, second: str) -> bool:
    return "你" in again and _has("does_not_know", second) and not _has("dislikes", again) and not _has("vague", first)


def _other_job(again: str, first: str, second: str) -> bool:
    if not _has("asks_job", again) or _has("not_job", again):
        return False
    one, other = _content(first) - set("做工作干行业"), _content(second) - set("做工作干行业")
    return bool(one and other and not one & other)


def _nothing_in_common(again: str, first: str, second: str) -> bool:
    """Two answers to one question for a thing that share next to nothing."""
    if not _has("asks_what", again) or _has("vague", first):
        return False
    one, other = _content(first), _content(second)
    return bool(one and other) and len(one & other) < LITTLE * min(len(one), len(other))


def _content(text: str) -> set[str]:
    return {c for c in text if c.isalnum()} - {m[0] for m in cue("contradiction", "small").finditer(text)}


def _other_value(name: str, first: str, second: str) -> bool:
    one, other = _values(name, first), _values(name, second)
    return bool(one and other) and not any(_much_alike(a, b) for a in one for b in other)


def _much_alike(one: str, other: str) -> bool:
    """Whether they may be the same in other words: 销售 and 汽车销售; 平面设计 and 室内设计 are not."""
    return one in other or other in one or len(set(one) & set(other)) > len(set(one) | set(other)) / 2


def _values(name: str, text: str) -> set[str]:
    found = (groups_of(match).get("v") for match in cue("contradiction", name).finditer(text))
    return {text[slice(*span)] for span in found if span}


def _other_place(again: str, first: str, second: str) -> bool:
    if "知道" in again or not _has("asks_place", again):
        return False
    one, other = _values("place", first), _values("place", second)
    return bool(one and other) and not any(a in b or b in a for a in one for b in other)


def _other_of_few(again: str, first: str, second: str) -> bool:
    """Another season, or another name, where that is what is asked for."""
    for name in ("season", "name", "school"):
        if _has(f"asks_{name}", again):
            one, other = _values(name, first), _values(name, second)
            if one and other and not any(a in b or b in a for a in one for b in other):
                return True
    return False


def _other_kind(first: str, second: str) -> bool:
    """A student and somebody at work; a man and a woman."""
    one, other = _occupied(first), _occupied(second)
    if one and other and not one & other:
        return True
    return (_has("man", first) and _has("woman", second)) or (_has("woman", first) and _has("man", second))


def _occupied(text: str) -> set[str]:
    return {name for name in ("student", "worker") if _has(name, text) and not _has(f"no_{name}", text)}


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _other_number(first: str, second: str) -> bool:
    """Another number of the same unit, and none in common."""
    one, other = _quantities(first), _quantities(second)
    return any(unit in other and not values & other[unit] for unit, values in one.items())


def _quantities(text: str) -> dict[str, set[float]]:
    found: dict[str, set[float]] = {}
    for number in numbers(text):
        unit = cue("contradiction", "unit").match(text, number.end)
        if unit:
            found.setdefault(unit[0], set()).add(float(number.value))
    return found


def _other_age(again: str, first: str, second: str) -> bool:
    if not _has("asks_age", again):
        return False
    one, other = _ages(first), _ages(second)
    return bool(one and other) and min(abs(a - b) for a in one for b in other) > 1


def _ages(text: str) -> list[float]:
    read = (numbers(f"{match['n']}岁") for match in cue("contradiction", "age").finditer(text))
    return [float(found[0].value) for found in read if found and 0 < found[0].value < 100]

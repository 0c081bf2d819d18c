"""Drifts planted in people's rewrites: what a guard has to catch, made by rule so that it is known what is wrong.

Of a turn with a history and a person's rewrite g, at most one drift a kind:

    entity_swapped     something g takes from the history gives way to something of another conversation
    number_changed     a number of g, said by the person or in the history, is another one
    negation_dropped   a negation that the utterance has is gone from g
    constraint_added   a place, year, price or kind of person that nobody named narrows g
    retracted_back     what g takes from the history was taken back right before the utterance

What is swapped in or added stands nowhere in the utterance or its history, so each is wrong whatever else may be right.
The rules are the evaluator's own, and simple: they know nothing of how the product reads texts. Every choice is drawn
from the seed and the turn's id.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from anaphor_eval.content import content_tokens
from anaphor_eval.datasets.values import Conversation, GoldTurn
from anaphor_eval.metrics.entity_kept import named_things

KINDS = ("entity_swapped", "number_changed", "negation_dropped", "constraint_added", "retracted_back")


@dataclass(frozen=True, slots=True)
class Drift:
    """``text`` is what a model might have written, ``corrected`` what the person said right before the utterance."""

    kind: str
    turn_id: str
    text: str
    corrected: str = ""


def drifts(conversations: Sequence[Conversation], *, seed: int) -> list[Drift]:
    """In the order of the turns, then of ``KINDS``."""
    things = _things(conversations)
    found: list[Drift] = []
    for conversation in conversations:
        for turn in conversation.turns:
            if turn.standalone and turn.history:
                found += _planted(turn, conversation, things, random.Random(f"{seed}:drift:{turn.turn_id}"))
    return found


def _planted(
    turn: GoldTurn, conversation: Conversation, things: Sequence[tuple[str, str, str]], draw: random.Random
) -> Iterator[Drift]:
    gold, language = turn.standalone[0], conversation.language
    said = "\n".join([turn.utterance, gold, *(message.content for message in turn.history)]).casefold()
    others = [
        thing
        for group, lang, thing in things
        if lang == language and group != conversation.conversation_id and not _heard(thing, said)
    ]
    own = carried_thing(turn)
    other = draw.choice(others) if others else ""
    if own and other and (text := _replaced(gold, own, other)) != gold:
        yield Drift("entity_swapped", turn.turn_id, text)
    if text := _other_number(gold, said, draw):
        yield Drift("number_changed", turn.turn_id, text)
    if text := _affirmed(gold, turn.utterance, language):
        yield Drift("negation_dropped", turn.turn_id, text)
    if text := _narrowed(gold, said, language, other, draw):
        yield Drift("constraint_added", turn.turn_id, text)
    if own and other and not _heard(own, turn.utterance.casefold()):
        yield Drift("retracted_back", turn.turn_id, gold, _CORRECTION[language].format(own=own, other=other))


_CORRECTION = {
    "en": "No, not {own}. I meant {other}.",
    "zh-Hans": "不是{own}，我说的是{other}。",
    "zh-Hant": "不是{own}，我說的是{other}。",
    "ja": "{own}ではなくて、{other}のことです。",
}


# ── things ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _things(conversations: Iterable[Conversation]) -> list[tuple[str, str, str]]:
    """(conversation, language, thing): what people's rewrites took from their histories."""
    found = {
        (conversation.conversation_id, conversation.language, thing): None
        for conversation in conversations
        if conversation.language in _CORRECTION
        for turn in conversation.turns
        if turn.standalone and turn.history and (thing := carried_thing(turn))
    }
    return list(found)


_WORDS = re.compile(r"[A-Za-z0-9\u00c0-\u024f][\w\u00c0-\u024f'’.-]*[\w\u00c0-\u024f]|[A-Za-z0-9]")
_CJK = "\u30a1-\u30fa\u30fc\u3400-\u9fff々〇"
_CJK_RUN = re.compile(f"[{_CJK}]{{2,12}}|[A-Za-z][A-Za-z0-9]+")


def carried_thing(turn: GoldTurn) -> str:
    """The longest named thing of the rewrite that was said before and is not in the utterance; else the longest row
    of two content words or more, or of Han characters or katakana, that is so. Empty where there is none."""
    gold, heard = turn.standalone[0], "\n".join(message.content for message in turn.history).casefold()
    candidates = [thing for thing in _rows(gold) if _heard(thing, heard) and not _partly_heard(thing, turn.utterance)]
    known = [thing for thing in named_things(gold) if len(thing) > 1]
    named = [thing for thing in candidates if any(name in thing for name in known)]
    several = [thing for thing in candidates if " " in thing or not thing.isascii()]
    return max(named or several, key=len, default="")


def _rows(gold: str) -> Iterator[str]:
    """Rows of up to five content words, or the content characters of a run of Han and katakana and all its parts."""
    if re.search(f"[{_CJK}]", gold):
        for run in _CJK_RUN.findall(gold):
            cuts = [(i, j) for i in range(len(run)) for j in range(i + 2, len(run) + 1)]
            yield from [run] if run.isascii() else (run[i:j] for i, j in cuts if _is_content(run[i:j]))
        return
    words = [word for word in _WORDS.finditer(gold) if content_tokens(word[0])]
    for first in range(len(words)):
        for last in range(first, min(first + 5, len(words))):
            if last > first and gold[words[last - 1].end() : words[last].start()] != " ":
                break
            yield re.sub(r"['’]s\Z", "", gold[words[first].start() : words[last].end()])


def _is_content(run: str) -> bool:
    return len(content_tokens(run)) == len(run)


def _heard(thing: str, said: str) -> bool:
    thing = thing.casefold()
    if not thing.isascii():
        return thing in said
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(thing)}(?![a-z0-9])", said))


def _partly_heard(thing: str, utterance: str) -> bool:
    """A thing of which the utterance has a part: it was spelled out, not carried."""
    said = set(content_tokens(utterance))
    return any(token in said for token in content_tokens(thing))


def _replaced(text: str, old: str, new: str) -> str:
    form = re.escape(old)
    return re.sub(rf"(?<![A-Za-z0-9]){form}(?![A-Za-z0-9])" if old.isascii() else form, lambda _: new, text)


# ── numbers, negations, constraints ───────────────────────────────────────────────────────────────────────────────

_NUMBER = re.compile(
    r"(?<![\w.,-])\d{1,9}(?:[.,]\d+)?(?![\w-]|[.,]\d)|(?<=[\u3041-\u9fff、。])\d{1,9}(?=[\u3041-\u9fff])"
)
_HAN_NUMBER = re.compile(
    "(?<![一二三四五六七八九十百千万萬第])[二三四五六七八九](?=[天日年月個个名人位泊歲岁次杯本張张枚台])"
)


def _other_number(gold: str, said: str, draw: random.Random) -> str:
    found = [*_NUMBER.finditer(gold), *_HAN_NUMBER.finditer(gold)]
    if not found:
        return ""
    number = draw.choice(found)
    written = number[0]
    for _ in range(20):
        if written in _HAN_DIGITS:
            other = draw.choice(_HAN_DIGITS)
        else:
            digit = draw.randrange(len(written))
            other = (
                written[:digit] + draw.choice("123456789") + written[digit + 1 :] if written[digit].isdigit() else ""
            )
        if (
            other
            and other != written
            and other + gold[number.end() : number.end() + 1] not in said
            and not (other.isdigit() and re.search(rf"(?<!\d){other}(?!\d)", said))
        ):
            return gold[: number.start()] + other + gold[number.end() :]
    return ""


_HAN_DIGITS = "二三四五六七八九"

_DROPPED: dict[str, Sequence[tuple[str, str]]] = {
    "en": (
        (r"\b(ca|wo)n['’]?t\b", "can"),
        (r"\bcannot\b", "can"),
        (r"n['’]t\b", ""),
        (r"\b(?:do|does|did) not ", ""),
        (r"\bnot ", ""),
        (r"\bnever ", ""),
        (r"\bno longer ", ""),
        (r"\bwithout\b", "with"),
    ),
    "zh": (
        ("不是", "是"),
        ("没有", "有"),
        ("沒有", "有"),
        ("不(?=[想要会會能喜吃喝去看用需含同])", ""),
        ("[没沒](?=[去看吃买買收用带帶])", ""),
    ),
    "ja": (
        ("ではな(?:い|かった)", "だ"),
        ("じゃな(?:い|かった)", "だ"),
        ("できな(?:い|かった)", "できる"),
        ("しな(?:い|かった)", "する"),
        ("必要な(?:い|かった)", "必要だ"),
        ("はな(?:い|かった)(?=[。で]|$)", "はある"),
        ("がな(?:い|かった)(?=[。で]|$)", "がある"),
        ("([かがさたなまらわ])な(?:い|かった)(?=[。の]|$)", ""),
        ("ません", "ます"),
        ("なし", "あり"),
    ),
}
_ENDS_JA = dict(zip("かがさたなまらわ", "くぐすつぬむるう", strict=True))
_NEGATES = {
    "en": re.compile(r"\b(?:not|never|without|cannot|no longer)\b|n['’]t\b|\b(?:ca|wo|do|does|did|is|are)nt\b", re.I),
    "zh": re.compile("不是|[没沒]有|不[想要会會能喜吃喝去看用需含同]|[没沒][去看吃买買收用带帶]"),
    "ja": re.compile("な[いくし]|なかった|ません"),
}
_NOT_NEGATING = {  # what only looks like one: such turns are passed over, as nobody can say by rule
    "en": re.compile(
        r"\b(?:not only|why (?:not|don)|or not|do(?:es)?n['’]?t (?:you|we)|(?:can|could|would|wo)n['’]?t you)", re.I
    ),
    "zh": re.compile(r"(.)[不没沒]\1|有没有|有沒有|是不是|要不|[不没沒].{0,4}[吗嗎吧?？]|不同"),
    "ja": re.compile(
        "(?:ない|ません|ないでしょう|ないです)(?:か|よね|でしょうか)|かもしれ|なければ|なくては|少ない|しか|ないと|[?？]|じゃん|とんでも|申し訳"
    ),
}


def _without_negation(instead: str, key: str, found: re.Match[str]) -> str:
    return _ENDS_JA.get(found[1], instead) if found.lastindex and key == "ja" else instead


def _affirmed(gold: str, utterance: str, language: str) -> str:
    key = language[:2]
    if not all(_NEGATES[key].search(text) and not _NOT_NEGATING[key].search(text) for text in (gold, utterance)):
        return ""
    text = gold
    for form, instead in _DROPPED[key]:
        text = re.sub(form, partial(_without_negation, instead, key), text)
    return "" if text == gold or _NEGATES[key].search(text) else text


_CONSTRAINTS = {
    "en": (
        "in {year}",
        "in Norway",
        "for children",
        "for free",
        "under 300 dollars",
        "before 1950",
        "in {other}",
        "for beginners",
        "at night",
        "in New Zealand",
        "for {other}",
        "without {other}",
    ),
    "zh-Hans": ("在青岛", "{year}年", "免费", "三百块以下", "给小孩", "最便宜", "在{other}", "昨天", "除了{other}"),
    "zh-Hant": ("在花蓮", "{year}年", "免費", "三百元以下", "給小孩", "最便宜", "在{other}", "昨天", "除了{other}"),
    "ja": (
        "札幌で",
        "{year}年に",
        "無料で",
        "3000円以下で",
        "子供向けに",
        "最安値で",
        "{other}で",
        "昨日",
        "{other}以外で",
    ),
}


def _narrowed(gold: str, said: str, language: str, other: str, draw: random.Random) -> str:
    forms = [form for form in _CONSTRAINTS[language] if other or "{other}" not in form]
    for form in draw.sample(forms, len(forms)):
        constraint = form.format(year=draw.randrange(1890, 2040), other=other)
        if not any(token in said for token in content_tokens(constraint)):
            break
    else:
        return ""
    if language == "en":
        body = gold.rstrip(" ?.!")
        return f"{body} {constraint}{gold[len(body) :]}"
    return constraint + gold

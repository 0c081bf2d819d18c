"""What only a certain thing in a sentence can answer: a telephone number by digits, an age by years, a depth by metres.

A sentence that is about the person or the thing, and has nothing of the kind, does not answer; and is not quoted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.rank import Place, told
from anaphor.steps.reading import folding, read
from anaphor.text.patterns import pattern
from anaphor.types import EvidenceClass, Passage


def telling(asked: Asked, places: Sequence[Place], passages: Mapping[int, Passage]) -> Sequence[Place]:
    """The places, less those before the first that tells what is asked for; none where no place does.

    All of them where nothing of the kind is asked for, or where the best is next to a sentence that tells it.
    """
    tells = next((answers for asks, answers in _ONLY_BY if asks.search(asked.text)), None)
    if tells is None or not places or passages[places[0].n].evidence_class is not EvidenceClass.DOCUMENT:
        return places
    best = places[0]
    found = read(passages[best.n]).sentences
    near = [found[at] for at in (best.at, best.at - 1, best.at + 1) if 0 <= at < len(found)]
    if any(tells.search(told(sentence, passages[best.n])) for sentence in near):
        return places
    for at, place in enumerate(places):
        passage = passages[place.n]
        sentence = read(passage).sentences[place.at]
        way = folding(passage.language)
        if asked.subjects and not any(s.known([sentence.text], way) for s in asked.subjects if not s.does):
            continue
        if tells.search(told(sentence, passage)):
            return places[at:]
    return []


def _words(expression: str) -> re.Pattern[str]:
    return pattern(expression, re.IGNORECASE)


# What asks for it, and what a sentence has that tells it.
_ONLY_BY = (
    (
        _words(
            r"(?:電話|电话|手機|手机|分機|分机|携帯|内線)(?:番号|號碼|号码)?(?:是|は|呢|：|を教えて\w*)?"
            r"(?:多少|[幾几][號号]|何番|什[麼么])?(?:ですか)?\s*[?？]?\s*$|\b(?:phone|telephone|mobile) number\b"
        ),
        _words(r"\d{3}"),
    ),
    (
        _words(
            r"年齢|年[齡龄]|年[紀纪](?!念)|[幾几][歲岁]|何歳"
            r"|\bage of\b|['’]s age\b|\bhow old (?:is|are) (?:he|she|mrs?|ms|dr)\b"
        ),
        _words(r"[\d一二三四五六七八九十]\s?[歲岁歳才]|[出誕诞]生|生まれ|\baged?\b|\byears? old\b|\bborn\b"),
    ),
    (
        _words(r"多深|水深|深さ|深度|\bhow deep\b|\bdepth\b"),
        _words(
            r"深|\d\s?(?:公尺|公分|米|厘米|メートル|センチ|met(?:er|re)s?|feet|foot|cm|m)(?![a-z²])|\bdeep\b|\bdepth\b"
        ),
    ),
    (
        _words(
            r"(?:e-?mail|電子[郵邮]件|电子邮件|[郵邮]箱|メールアドレス)(?:地址|位址| address)?"
            r"(?:是什[麼么]|[是は呢])?\s*[?？]?\s*$"
        ),
        _words(r"@|＠"),
    ),
    (
        _words(
            r"(?:要|需要?)(?:[門门]票|收[費费]|付?[錢钱費费])[嗎吗]|收[費费][嗎吗]|免[費费]的?[嗎吗]|(?:無料|有料)(?:です|でしょう)?か"
            r"|は(?:無料|有料)\s*[?？]|\b(?:is|are) .{2,40}\b(?:free|charged)\s*\?"
        ),
        _words(
            r"\d\s?(?:元|円|块|塊)|[$€£¥]\s?\d|[門门]票|入場料|免|[收費费錢钱]|料|\bfree\b|\bcharge|\bcosts?\b|\bfee\b"
        ),
    ),
    (
        _words(r"何リットル|[幾几多]少?(?:公升|升)|\bhow many lit(?:re|er)s\b"),
        _words(r"\d\s?(?:リットル|公升|升|lit(?:re|er)s?\b|L\b)"),
    ),
)

"""How much each term of a question matters when sentences are compared with it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from anaphor.steps.answer.aspects import aspects_of
from anaphor.steps.answer.kinds import asking, kind_of
from anaphor.steps.reading import clauses, is_cjk, tokens
from anaphor.steps.reconstruct.wording import Kind as Named
from anaphor.steps.reconstruct.wording import tokens as named_tokens
from anaphor.text.segment import content_words
from anaphor.text.sentences import sentences
from anaphor.types import Span, StandaloneQuery

LATIN = 3.0
UNLISTED = 0.3  # what a word of the text weighs that is none of the query's terms, where the query has terms
CARRIED = 0.5  # times what was carried weighs: it says what is talked about, the person's own words what is asked of it
ASPECT = 0.4  # times what the question's own words for an aspect weigh, beside the aspect itself
TOLD = 0.3  # what a word weighs that stands beside the question: in a pasted log, in an excuse before it
IDENTIFIER = 3.0  # times LATIN: it names one thing
PART = 0.2  # times, a part of an identifier
OTHER = 0.15  # times, a word of the query's other parts

_INSIDE = frozenset(("and", "or", "the", "a", "an", "of", "in", "on", "at", "to", "for"))  # a name: Alder and the Birch

MORE = (
    r"\b(?:tell me |say |explain )?(?:a (?:bit|little) )?more(?: about| on| details?)\b|\btell me more\b"
    r"|\bin more detail\b"
    r"|\bgo on\b|\belaborate\b|(?:請|请)?(?:再|多)+(?:多)?(?:解釋|解释|說明|说明|介紹|介绍|講|讲|說"
    r"|说)(?:得?(?:詳細|详细))?(?:一?[點点些下])?"
    r"|(?:詳細|详细)(?:一?[點点些])?(?:解釋|解释|說明|说明|介紹|介绍|講|讲|說|说)?(?:一?[點点些下])|更(?:詳細"
    r"|详细)|繼續(?:說|講)?$|继续(?:说|讲)?$"
    r"|(?:もう少し|もっと)(?:詳しく|詳細に|くわしく)?(?:教えて|説明して|知りたい)?(?:ください|下さい|くれ)?"
    r"|詳しく(?:教えて|説明して)|続けて"
)
"""What only asks to go on: it says how much is wanted, and of nothing."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """``told`` are terms that count only where a passage has them; ``subject``: something is named to ask about."""

    weights: Mapping[str, float]
    told: frozenset[str]
    subject: bool


def weighed(text: str, query: StandaloneQuery, folded_as: str, alone: bool) -> Weighed:
    """Weight by term of one question; ``alone`` if it is the whole query.

    A term counts by the share of it that is content, times what the query says it weighs. Words that only ask (who,
    多少, いつ) and words that only bind (of, 的, は) are no content; a bigram half inside such a word counts half. A
    text of nothing else counts whole. A Latin word counts as much as a CJK word of two characters, which has three
    terms; an identifier more, for it names one thing.
    """
    shares = _Shares.of(text, query)
    given = _given(query, folded_as)
    weights: dict[str, float] = {}
    inside: set[str] = set()
    beside: set[str] = set()
    subject = False
    for token in tokens(text, folded_as):
        here = slice(token.start, token.end)
        share = sum(shares.content[here]) / (token.end - token.start)
        if not share or (shares.anything and token.term in _INSIDE):
            continue
        weight = share * given.get(token.term, UNLISTED if given else 1.0)
        if token.term in shares.identifiers:
            weight = max(weight, 1.0)
        elif any(shares.told[here]):
            weight = 0.0 if token.term.isdigit() else min(weight, TOLD)
        subject |= not any(shares.aspects[here]) and not any(shares.points[here])
        (beside if any(shares.told[here]) else inside).add(token.term)
        weight *= _times(token.term, any(shares.aspects[here]), any(shares.named[here]), shares)
        weights[token.term] = max(weights.get(token.term, 0.0), weight)
    for name, asked in shares.identifiers.items():
        weights[name] = LATIN * IDENTIFIER
        (inside if asked else beside).add(name)
    if not alone:
        for term in given.keys() - weights.keys():
            weights[term] = OTHER * given[term] * (1 if is_cjk(term) else LATIN)
            beside.add(term)
    return Weighed(weights, frozenset(beside - inside), subject and shares.anything)


def question_in(text: str) -> str:
    """The text with its sentences that ask nothing blanked out; as it is if none or all of them ask."""
    shown = list(text)
    for span in _told(text):
        shown[span.start : span.end] = " " * (span.end - span.start)
    return "".join(shown)


@dataclass(frozen=True, slots=True)
class _Shares:
    """Of each character whether it belongs to content, to what stands beside the question, and so on."""

    content: bytearray
    anything: bool  # there is content; where there is none, all of the text is taken for it
    told: bytearray
    aspects: bytearray
    points: bytearray
    named: bytearray  # parts of identifiers and addresses
    identifiers: Mapping[str, bool]  # whether each stands in the question itself

    @classmethod
    def of(cls, text: str, query: StandaloneQuery) -> _Shares:
        content = _marked(text, (Span(w.start, w.end) for w in content_words(text, query.language)))
        for pattern in (*(words for _, words in asking()), binds(), _modal()):
            for match in pattern.finditer(text):
                content[match.start() : match.end()] = bytes(match.end() - match.start())
        anything = any(content)
        if not anything:
            content = bytearray(b"\1" * len(text))
        named = [t for t in named_tokens(text, query.language) if t.kind in (Named.IDENTIFIER, Named.ADDRESS)]
        told = [*_told(text), *_excuses(text), *(Span(*m.span()) for m in _of_now().finditer(text))]
        told += [Span(t.start, t.start + len(t.text)) for t in named if t.kind is Named.ADDRESS]
        marks = _marked(text, told)
        return cls(
            content,
            anything,
            marks,
            _marked(text, (Span(*m.span()) for a in aspects_of(text, kind_of(text)) for m in a.asks.finditer(text))),
            _marked(text, (Span(*m.span()) for m in points().finditer(text))),
            _marked(text, (Span(t.start, t.start + len(t.text)) for t in named)),
            {t.term: not any(marks[t.start : t.start + 1]) for t in named if t.kind is Named.IDENTIFIER},
        )


def _times(term: str, of_aspect: bool, in_name: bool, shares: _Shares) -> float:
    if is_cjk(term):
        return ASPECT if of_aspect else 1.0
    if term in shares.identifiers:
        return LATIN * IDENTIFIER
    return LATIN * (PART if in_name else ASPECT if of_aspect else 1.0)


def _given(query: StandaloneQuery, folded_as: str) -> dict[str, float]:
    """What the query says its terms weigh; what it only carried less."""
    carried = {t.term for c in query.carried for t in tokens(c.text, folded_as)}
    given: dict[str, float] = {}
    for term in query.terms:
        for token in tokens(term.term, folded_as):
            weight = term.weight * (CARRIED if token.term in carried else 1.0)
            given[token.term] = max(given.get(token.term, 0.0), weight)
    return given


def _told(text: str) -> list[Span]:
    """The sentences that ask nothing, where others do."""
    spans = sentences(text)
    silent = [s for s in spans if not _asks(text[s.start : s.end])]
    return silent if len(silent) < len(spans) else []


def _excuses(text: str) -> list[Span]:
    """The clauses before the one that asks which only tell what happened: 臨時不去了，還能取消嗎？

    What is to be the case (如果下雨, if it rains) is no excuse: the question holds only for that.
    """
    found: list[Span] = []
    for sentence in sentences(text):
        parts = clauses(text, sentence)
        if len(parts) > 1 and _asks(text[parts[-1].start : parts[-1].end]):
            found += [p for p in parts[:-1] if _happened().search(text[p.start : p.end].rstrip(" ，、,"))]
    return found


def _asks(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？")) or any(words.search(sentence) for _, words in asking())


def _marked(text: str, spans: Iterator[Span] | list[Span]) -> bytearray:
    marks = bytearray(len(text))
    for span in spans:
        marks[span.start : span.end] = b"\1" * (min(span.end, len(text)) - span.start)
    return marks


@functools.cache
def binds() -> re.Pattern[str]:
    """Contractions, what makes a condition or compares with before, and what only asks to go on."""
    return re.compile(
        r"\b\w+n['’]t\b|\b(?:what|where|who|how|when|why|that|it|there|here|let)['’]s\b|\bnot\b|才算|才[能會会]"
        r"|算是|指的?(?=是)|(?<=是)指|所指|位[在於于](?=哪|何|什|甚)|があ(?:り|る)(?:ます)?か?"
        r"|\b(?:do|don['’]t|would) you (?:really )?(?:think|believe|know|say)(?: that| if| whether)?\b"
        r"|\bi (?:(?:have|['’]ve) )?(?:heard|read|think|thought|believe|guess|wonder|feel like)"
        r"(?: that| if| whether)?\b"
        r"|\bis i[ts] possible (?:to|that)\b|\bis there (?:any|a) (?:way|chance) (?:to|that|of)\b"
        r"|\bare you sure\b|\breally\b"
        r"|\bplease\b|[你您](?:覺得|觉得|認為|认为|說|说|知道)"
        r"|我?(?:聽說|听说|以為|以为)|有[沒没]有可能|真的"
        r"|と(?:思い|思って)(?:い)?ます(?:か)?|と聞きました(?:が)?|でしょうね|本当に"
        r"|\bdo (?:you|they) (?:have|offer|sell|provide)\b|\bare (?:there|available|offered)\b"
        r"|\b(?:still|now|same|again|also|too|just|so)\b|還是|还是|仍然|同樣|同样|やはり|同じ|" + MORE,
        re.IGNORECASE,
    )


@functools.cache
def _modal() -> re.Pattern[str]:
    """Words before a verb that say whether it may or must be done, and those that count: no source need have them."""
    return re.compile(
        r"\bbring(?= (?:my|our|an?)\b)|(?<=可以)[帶带](?=[^\s?？]{1,8}[嗎吗])"
        r"|一[顆颗碗份杯張张盒瓶包塊块片](?=[\u3400-\u9fff])"
        r"|(?<=[幾几哪少])[種种個个項项間间類类款座家所條条部張张本位隻只]|需要|可以|[能會会要](?=[退換换借還还拿取帶带用吃喝住買买賣卖開开做去停看寄收付繳缴])"
    )


@functools.cache
def _happened() -> re.Pattern[str]:
    return re.compile(
        r"^(?!.*(?:如果|要是|假如|假設|假设|萬一|万一|若|的話|的话|時候|时候|[後后]$|完了|以[後后])).*(?<![為为除])了$"
        r"|^(?!.*(?:たら|れば|なら|場合|とき|時)).*(?:ましたが|ましたけど|たんですが|たのですが|てしまって|たので|ていて)$"
        r"|^(?!.*\b(?:if|when|once|unless|after|before|in case)\b).*\b(?:i|we|my|our)\b.*"
        r"\b(?:lost|forgot|missed|broke|arrived|changed|have|has|had|was|were|am|are|is|can['’]t|cannot)\b",
        re.IGNORECASE | re.DOTALL,
    )


@functools.cache
def _of_now() -> re.Pattern[str]:
    """Words for the time of asking, which sources seldom repeat."""
    return re.compile(
        r"今年(?:度)?|本年度|現在|现在|目前|如今|今のところ|最近|今(?=は|も|から)"
        r"|\b(?:this (?:year|season)|now|right now|currently|at the moment|at present|these days|nowadays)\b",
        re.IGNORECASE,
    )


@functools.cache
def points() -> re.Pattern[str]:
    """Words that point at what was said."""
    return re.compile(
        r"[它牠他她][們们]?|[這这那](?:個|个|[種种款家間间本位些])?|[こそあ]れ|[こそあ]の|\b(?:it|this|that|they"
        r"|these|those|he|she)\b",
        re.IGNORECASE,
    )

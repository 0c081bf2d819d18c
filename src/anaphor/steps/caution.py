"""Topics that an operator lists as high-risk: the person confirms the key conditions before anything is answered.

Who asks for a dose is asked back for whom it is. The reply is taken together with the question that waited for it, and
searched for and answered as one; the same topic is then not asked about again while that turn is in the window.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from anaphor.steps.answer.phrases import confirm
from anaphor.steps.reconstruct import embedded
from anaphor.steps.reconstruct.thread import Thread
from anaphor.text.fold import matching
from anaphor.text.segment import content_words
from anaphor.types import Carried, Decision, HighRisk, Outcome, Question, Recollection, StandaloneQuery, Term, Turn

LANGUAGES = ("en", "zh-Hant", "zh-Hans", "ja")
CONFIRMED = "confirmed"  # why the question that waited is carried
OF_THE_REPLY = 0.5  # what a word of the reply weighs beside one of the question


def caution(
    question: Question, query: StandaloneQuery, recollection: Recollection, topics: Sequence[HighRisk]
) -> StandaloneQuery:
    """The query as it is; or a question back; or, after that one, the query that waited with what was replied."""
    if not topics:
        return query
    turns = recollection.turns
    waiting = turns[-1] if turns and _asked_back(turns[-1], topics) else None
    if waiting and query.decision is not Decision.COMMAND and not _asks(question.text):
        if _refusal().fullmatch(question.text):
            return replace(query, decision=Decision.SMALL_TALK)
        return _together(waiting, question, query)
    topic = _topic(f"{query.text}\n{question.text}", topics) if query.decision.retrieves else None
    if topic is None or _confirmed(topic, turns):
        return query
    back = confirm(query.language, topic.conditions)
    return replace(query, decision=Decision.CLARIFICATION, ask_back=back, signals=("high-risk topic", *query.signals))


def _topic(text: str, topics: Sequence[HighRisk]) -> HighRisk | None:
    folded = matching(text)
    return next((topic for topic in topics if any(_stands(matching(word), folded) for word in topic.words)), None)


def _stands(word: str, folded: str) -> bool:
    """Latin words from their beginning (dose in doses), others anywhere."""
    if not word.isascii():
        return word in folded
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(word)}", folded))


def _asked_back(turn: Turn, topics: Sequence[HighRisk]) -> HighRisk | None:
    """The topic whose conditions the turn asked for."""
    if turn.outcome is not Outcome.CLARIFYING:
        return None
    return next((t for t in topics if any(turn.answer == confirm(lang, t.conditions) for lang in LANGUAGES)), None)


def _confirmed(topic: HighRisk, turns: Sequence[Turn]) -> bool:
    """Whether one of the turns asked for the topic's conditions and the next one was taken as the reply."""
    return any(
        _asked_back(asked, (topic,)) is not None
        and reply.outcome is not Outcome.CLARIFYING
        and reply.standalone.startswith(asked.standalone)
        for asked, reply in pairwise(turns)
    )


def _together(waiting: Turn, question: Question, query: StandaloneQuery) -> StandaloneQuery:
    """The question that waited, and beside it what the person replied."""
    asked = embedded(waiting.standalone, Thread(), question.locale)
    bare = _agreement().fullmatch(question.text)
    said = "" if bare else question.text.strip()
    known = {term.term for term in asked.terms}
    words = content_words(said, query.language)
    terms = [Term(w.term, OF_THE_REPLY) for w in words if w.term not in known]
    return replace(
        asked,
        text=f"{waiting.standalone} {said}".strip(),
        decision=Decision.FOLLOW_UP,
        confidence=1.0,
        queries=(),
        terms=(*asked.terms, *dict.fromkeys(terms)),
        carried=(Carried(waiting.standalone, waiting.seq, CONFIRMED, 1.0),),
        refused=query.refused,
        usage=query.usage,
        signals=("replies to what a high-risk topic asked back",),
    )


def _asks(text: str) -> bool:
    return text.rstrip().endswith(("?", "？")) or bool(_question().search(text))


@functools.cache
def _question() -> re.Pattern[str]:
    return re.compile(
        r"[嗎吗呢]\s*$|什[麼么]|多少|怎[麼么]|如何|(?:です|ます)か[。\s]*$|^\s*(?:what|who|when|where|how|why)\b", re.I
    )


@functools.cache
def _agreement() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:yes|yep|yeah|ok(?:ay)?|sure|confirmed?|i confirm|correct|right|that is right"
        r"|是的?|對的?|对的?|好的?|沒錯|没错|確認|确认|可以|嗯"
        r"|はい|ええ|うん|そうです|確認しました|大丈夫です|合っています)\W*",
        re.IGNORECASE,
    )


@functools.cache
def _refusal() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:no(?: thanks?| thank you)?|nope|never ?mind|forget it|stop|cancel"
        r"|不用了?|不要了?|算了|不必了?|沒關係|没关系|取消|不是"
        r"|いいえ|結構です|いいです|やめます|キャンセル)\W*",
        re.IGNORECASE,
    )

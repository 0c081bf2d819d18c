"""What is talked of when nobody says it: the thing that a question without a subject may be about.

A guess must not feed the next one. What a turn only came to mean because its subject was guessed counts no more for
the turns after it than when the person said it, and what is no name of a thing (a verb, a clause, a measure, those for
whom something is) never counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.phrases import Phrase
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.thread import Said, Thread

ESTABLISHED = frozenset(("shop", "body", "place", "room", "plan", "vehicle", "card", "leave", "insurance", "code"))
HOUSES = frozenset(("shop", "body", "place"))

_CLAUSE = re.compile(
    "^(?:@|[早晚多少]@)(?!.*[券票卡]$)|@$|[个個](?:月|小时|小時|人|星期)|[退住去来來入出第]$|(?:申请|申請|参加|参観|集合|退房|入住|报名|報名|带课|帶課)$".replace(
        "@", "[一二两三四五六七八九十几半兩幾\\d]+[个個位晚天年月次人分小時时]"
    )
)


_HERE = frozenset(
    ("公司", "店", "店家", "商店", "民宿", "餐厅", "会社", "お店", "店舗", "学校", "company", "shop", "store")
)


WHETHER_KNOWN = re.compile(
    "(?:知道|[听聽][说說]|了解|喜[欢歡]|看[过過]|[听聽][过過]|去[过過]|[认認][识識]|介[绍紹](?:一下)?|知って|ご存)[过過]?[^,，。?？!！]{0,2}$"
)


def is_introduced(phrase: Phrase, said: str) -> bool:
    """聽說過龍脊古道嗎？ — asked of by its name, to be talked about."""
    at = said.find(phrase.text)
    return at > 0 and bool(WHETHER_KNOWN.search(said[max(0, at - 8) : at]))


@dataclass(frozen=True, slots=True)
class Subject:
    """``topic`` in one stretch, its ``phrases``, and the turn that has it."""

    topic: str
    phrases: tuple[Phrase, ...]
    turn: Said


_NEVER_A_TOPIC = re.compile(
    "(?:定休日?|休[館業]日|(?:営業|開館|营业|开放)[時时][間间]|住所|地址|[電电][話话](?:番号|号码)?)$"
)


def is_thing(phrase: Phrase) -> bool:
    """Whether it names something that may be talked about on and on."""
    if phrase.key in _HERE:
        return False
    if phrase.attribute and _NEVER_A_TOPIC.search(phrase.key):
        return False
    if phrase.kind in ESTABLISHED and not phrase.verbal:
        return True  # 四人房, though it begins as a measure does
    return phrase.kind not in ("group", "time", "number") and not phrase.verbal and not _CLAUSE.search(phrase.key)


def is_established(phrase: Phrase, thread: Thread) -> bool:
    """A name, a place, a plan …, whatever has something, or what was spoken of in more than one question."""
    if phrase.attribute:
        return False
    if phrase.named or phrase.owner or phrase.kind in ESTABLISHED:
        return True
    if any(turn.language != "en" and is_introduced(phrase, turn.question) for turn in thread.said):
        return True
    return sum(phrase.text in turn.question for turn in thread.said) > 1


def subject(thread: Thread, *, sure: bool, owner: bool = False, far: bool = False) -> Subject | None:
    """The newest; ``sure`` asks for one that is established. ``owner``: what something may be of.

    Only ``far`` looks behind a question that named something else in the person's own words.
    """
    for turn in reversed(thread.said):
        if not turn.phrases:
            if len(turn.question) >= A_WHOLE_QUESTION[turn.language == "en"] and turn.standalone == turn.question:
                return None  # about something else, though nothing in it is seen to be its name
            continue
        if turn.given and any(turn.given in earlier.question for earlier in thread.said):
            continue  # what it was given is talked of, and was said before
        topic = turn.owner if owner else turn.topic
        here = [p for p in turn.topics if p.text in topic]
        things = [p for p in here if is_thing(p) and (_said(p, turn) or is_established(p, thread))]
        if things and (not sure or _are_sure(things, turn, thread)):
            whole = len(things) == len(here) and (not sure or _is_a_name(things[-1]) or len(things) == 1)
            found = Subject(topic if whole else things[0].text, tuple(things), turn)
            earlier = Thread(thread.said[: thread.said.index(turn)], thread.retracted)
            return _behind_a_signal(found, earlier, owner) or _as_first_said(found, earlier)
        if not far and turn.topics and not turn.guessed:
            return None
    return None


A_WHOLE_QUESTION = (14, 40)  # characters, in Chinese and Japanese, and in English


def _are_sure(things: list[Phrase], turn: Said, thread: Thread) -> bool:
    """Established; or in the last question what something that points or counts was taken for."""
    if any(is_established(p, thread) for p in things):
        return True
    return turn is thread.last and not turn.guessed and all(p.text not in turn.question for p in things)


def _is_a_name(phrase: Phrase) -> bool:
    return phrase.named or phrase.kind in ESTABLISHED


def _behind_a_signal(found: Subject, earlier: Thread, owner: bool) -> Subject | None:
    """After a question what E-207 means, the thing that shows it is talked of."""
    if not _is_signal(found):
        return None
    behind = subject(earlier, sure=False, owner=owner)
    return None if behind is None or _is_signal(behind) else behind


def _is_signal(found: Subject) -> bool:
    return all(p.kind == "code" for p in found.phrases) and bool(_SIGNALS.search(found.turn.standalone))


def _as_first_said(found: Subject, earlier: Thread) -> Subject:
    """云岫科技, though it was since put before something else without a break."""
    phrase = found.phrases[0]
    if found.topic == phrase.text and phrase.text not in found.turn.question:
        for turn in reversed(earlier.said):
            for first in turn.topics:
                if first.text in phrase.text and first.text in turn.question and is_thing(first):
                    return Subject(first.text, (first,), turn)
    return found


_SIGNALS = re.compile(r"意思|意味|错误|錯誤|エラー|[显顯]示|表示|代[码碼]|\b(?:error|mean|code)s?\b")


def _said(phrase: Phrase, turn: Said) -> bool:
    """In the person's own words; a name that an answer gave and a pronoun took up is as good."""
    return phrase.text in turn.question or not turn.guessed


def of_the_house(heard: Heard) -> bool:
    """Who is asked is asked about themselves: 你們在哪裡, 定休日は, do you take cards."""
    return bool(pattern(heard.language, "of_the_house").search(heard.seen.text))

"""Another of the same kind, and another circumstance: a blue one?, on the free plan?, 当日だとどうなりますか？"""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.likeness import likeness
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.phrasing import about
from anaphor.steps.reconstruct.reading import REPLACED, SLOT, TOPIC, Reading
from anaphor.steps.reconstruct.seen import pattern, see
from anaphor.steps.reconstruct.slots import slot_of
from anaphor.steps.reconstruct.subject import is_thing
from anaphor.steps.reconstruct.swapping import Swap, kept_of
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind

ALIKE = 2.0  # likeness from which one thing may stand in another's place, whatever stands before it


def another(heard: Heard, thread: Thread) -> Reading | None:
    """The last question, of another of that kind or under another circumstance."""
    last = thread.latest
    if last is None:
        return None
    swapped = (
        _one(heard, last)
        or _one_that_is(heard, last)
        or _circumstance(heard, last)
        or _day(heard, last)
        or _not_by_the_night(heard, last)
    )
    if swapped is None:
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.85,
        text=swapped.text,
        signals=(f"another: {heard.asked}",),
        carried=kept_of(last, swapped, SLOT),
        left_behind=tuple(LeftBehind(text, last.seq, REPLACED) for text in swapped.replaced),
        weigh=((last.seq, 1.0),),
        own=heard.bare,
    )


def doing_so(heard: Heard, thread: Thread) -> Reading | None:
    """我朋友的是白鷺，他要怎麼弄？ — how that is done with another thing, which was asked of the first."""
    if not thread.said or not pattern(heard.language, "does_so").search(heard.seen.text):
        return None
    new = next((p for p in reversed(heard.topics) if is_thing(p) and not _WHOSE.fullmatch(p.key)), None)
    asked = (
        t for t in reversed(thread.said) if pattern(t.language, "asks_how").search(see(t.standalone, t.language).text)
    )
    turn = next(asked, None)
    if new is None or turn is None or not turn.topics or new.key in {p.key for p in turn.phrases}:
        return None
    alike = (p for p in turn.topics if max(likeness(new, p), likeness(p, new)) >= ALIKE)
    old = next(alike, turn.topics[0])
    name = re.sub(r" ones?$", f" {old.text.split(' ')[-1]}", new.text)
    swapped = Swap(turn.standalone[: old.start] + name + turn.standalone[old.end :], (old.text,))
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.75,
        text=swapped.text,
        signals=(f"how that is done with: {name}",),
        carried=kept_of(turn, swapped, SLOT),
        left_behind=tuple(LeftBehind(text, turn.seq, REPLACED) for text in swapped.replaced),
        own=name,
    )


def _asks_how(turn: Said) -> bool:
    return bool(pattern(turn.language, "asks_how").search(see(turn.standalone, turn.language).text))


_WHOSE = re.compile("朋友|同事|家人|室友|同学|友達|友人|同僚|家族|(?:my )?(?:friend|colleague|roommate|partner|mate)s?")


def asked_before(heard: Heard, thread: Thread) -> Reading | None:
    """And for adults? — where children were asked about, though other questions came between."""
    last, slot = thread.latest, slot_of(heard)
    new = phrases(slot, heard.language)
    if last is None or len(new) != 1 or new[0].kind not in ("group", "person", "subject"):
        return None
    if max((likeness(new[0], old) for old in last.phrases), default=0.0) >= ALIKE:
        return None
    for turn in reversed(thread.said[:-1]):
        old = next((p for p in turn.phrases if p.kind == new[0].kind and p.key != new[0].key), None)
        if old is not None:
            swapped = Swap(turn.standalone[: old.start] + new[0].text + turn.standalone[old.end :], (old.text,))
            return Reading(
                decision=Decision.FOLLOW_UP,
                confidence=0.75,
                text=swapped.text,
                signals=(f"asked before of another: {heard.asked}",),
                carried=kept_of(turn, swapped, SLOT),
                left_behind=(LeftBehind(old.text, turn.seq, REPLACED),),
                weigh=((turn.seq, 1.0),),
                own=slot,
            )
    return None


def says_all(heard: Heard, thread: Thread) -> Reading | None:
    """キャンセルの締め切りは？ — of what, and what of it: nothing of another question is needed."""
    last, slot = thread.latest, slot_of(heard)
    named = phrases(slot, heard.language)
    if last is not None and slot and _BECOMES.search(heard.seen.text) and not _has_a_place(slot, last):
        return Reading(Decision.STANDALONE, 0.6, heard.asked, ("asks what becomes of it",), weigh=((last.seq, 0.5),))
    if last is not None and (reading := _is_there_too(heard, last)):
        return reading
    if last is not None and not heard.tie and _IS_THERE.fullmatch(heard.seen.text) and "有" not in last.standalone:
        return Reading(Decision.STANDALONE, 0.7, heard.asked, ("asks whether there is one",))
    if last is None or heard.language == "en" or len(named) != 2 or not named[0].owner:
        return None
    if not named[1].attribute and (heard.language == "ja" or likeness_to(last, named) >= ALIKE):
        return None
    owner, asked = named
    known = any(old.key == asked.key for old in last.phrases)
    if known or owner.kind in ("time", "number", "group") or owner.key in {p.key for p in last.phrases}:
        return None
    return Reading(Decision.STANDALONE, 0.7, heard.asked, ("says of what, and what of it",))


def likeness_to(turn: Said, named: tuple[Phrase, ...]) -> float:
    """How well any of the phrases can stand in the question."""
    return max((likeness(new, old) for new in named for old in turn.phrases), default=0.0)


def _is_there_too(heard: Heard, turn: Said) -> Reading | None:
    """Rust 有嗎？ after which languages the SDK has: a name, and not a thing that every house may have."""
    named = heard.topics
    if not _IS_THERE.fullmatch(heard.seen.text) or len(named) != 1 or not named[0].named or not turn.topics:
        return None
    topic = turn.topics[0]
    carried = (Carried(topic.text, turn.seq, TOPIC, 0.8),)
    return Reading(Decision.FOLLOW_UP, 0.7, about(heard, topic.text), ("asks for one more",), carried, own=heard.bare)


_IS_THERE = re.compile("[^,。?也那]{2,12}(?:有吗|有没有)[?]*")
_BECOMES = re.compile("はどうな(?:り|る|って)")


def _has_a_place(slot: str, turn: Said) -> bool:
    """Whether it can stand in the question: a time anywhere, a thing where one like it stands."""
    new = phrases(slot, turn.language)
    return kind(slot) == "time" or any(likeness(n, old) >= 1.0 or n.kind == "time" for n in new for old in turn.phrases)


_TIES = r"(?:(?:and|or|but|so|then|ok|what about|how about)[, ]+)*"
_ONE = re.compile(
    rf"{_TIES}(?:an? |the )?(?!(?:first|second|third|fourth|fifth|last|middle|other|same|that|this|which|any|each|every"
    r"|another|new|old|former|latter|no)\b)(?P<what>[\w-]+(?: [\w-]+)?) ones?[?.! ]*"
)


def _one(heard: Heard, turn: Said) -> Swap | None:
    """And a blue one? after the red light: the blue light."""
    found = _ONE.fullmatch(heard.seen.text) if heard.language == "en" else None
    old = next((p for p in reversed(turn.topics) if " " in p.key), None)
    if found is None or old is None:
        return None
    what = heard.seen.group(found, "what")
    new = f"{what} {old.text.split(' ')[-1]}"
    return Swap(turn.standalone[: old.start] + new + turn.standalone[old.end :], (old.text[: -len(old.head) - 1],))


_ONE_THAT = re.compile(
    rf"{_TIES}(?:an? |the )?ones? (?:that|which) (?P<be>is|was|are|were|does|did|do|has|have|can|could)"
    r"(?P<no>n't| not)?[?.! ]*"
)


def _one_that_is(heard: Heard, turn: Said) -> Swap | None:
    """And one that was? after a bicycle that wasn't locked: the same, without the negation."""
    found = _ONE_THAT.fullmatch(heard.seen.text) if heard.language == "en" else None
    if found is None:
        return None
    said = re.search(rf"\b(?:that|which) {found['be']}(?P<no>n't|n’t| not)?\b", turn.standalone)
    if said is None or bool(said["no"]) == bool(found["no"]):
        return None
    words = said[0].split(" ")[0] + f" {found['be']}" + (found["no"] or "")
    return Swap(turn.standalone[: said.start()] + words + turn.standalone[said.end() :], (said[0].split(" ", 1)[1],))


_WITH = re.compile(
    rf"{_TIES}(?P<with>(?P<word>on|with|under|during|without|for) (?:the |an? |my )?[^,.;?!]{{2,40}}?)[?.! ]*"
)


def _circumstance(heard: Heard, turn: Said) -> Swap | None:
    """And on the free plan? narrows a question in which nothing of that sort was said."""
    found = _WITH.fullmatch(heard.seen.text) if heard.language == "en" else None
    new = phrases(slot_of(heard), "en") if found else ()
    if found is None or len(new) != 1:
        return None
    said_so = re.compile(rf"\b{found['word']} (?:the |an? |my )?$")
    for old in turn.phrases:
        if said_so.search(turn.standalone[: old.start].casefold()) or likeness(new[0], old) >= ALIKE:
            return None
    body = turn.standalone.rstrip("?.! ")
    return Swap(f"{body} {heard.seen.group(found, 'with')}{turn.standalone[len(body) :]}")


_DAY = re.compile(
    "(?P<day>[^、。はがをに]{1,8})(?:だと|の場合は|なら|だったら)(?P<asks>どう(?:なり|なっ|です)[^、。?]{0,10}|どうなる)[?。]*"
)


def _day(heard: Heard, turn: Said) -> Swap | None:
    """当日だとどうなりますか？ — of what was asked about, if it was not asked for a day."""
    found = _DAY.fullmatch(heard.seen.text) if heard.language == "ja" else None
    topic = turn.topic
    if found is None or not topic:
        return None
    day, asks = heard.seen.group(found, "day"), heard.seen.group(found, "asks")
    if _WEATHER.fullmatch(found["day"]):
        return Swap(f"{topic}は{heard.bare}")
    if kind(found["day"]) != "time" or any(p.kind == "time" for p in turn.phrases):
        return None
    return Swap(f"{day}の{topic}は{asks}？")


_WEATHER = re.compile("雨天?|小雨|大雨|雪|台風|荒天|悪天候|強風|雷|中止|延期|遅刻|遅れ|満席|満室|欠席")
_NIGHTLY = re.compile("[一二三两兩\\d]+(?:晚|夜|泊|个月|個月)")


def _not_by_the_night(heard: Heard, turn: Said) -> Swap | None:
    """洗澡呢？ after 家庭房一晚多少錢: what is no room is not paid for by the night."""
    new = phrases(slot_of(heard), heard.language) if heard.language.startswith("zh") else ()
    if len(new) != 1 or new[0].named or new[0].attribute or new[0].kind not in ("", "group"):
        return None
    for old, night in zip(turn.phrases, turn.phrases[1:], strict=False):
        if old.kind == "room" and old.end == night.start and _NIGHTLY.fullmatch(night.text):
            return Swap(turn.standalone[: old.start] + new[0].text + turn.standalone[night.end :], (old.text,))
    return None

"""Utterances that do something rather than ask: greet and thank, order, take up an offer, reply to a question."""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.heard import MARKS, Heard
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.reading import ACCEPTANCE, REPLY, Reading
from anaphor.steps.reconstruct.seen import pattern, see
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.text.fold import matching
from anaphor.text.instructions import outlives
from anaphor.text.wishes import Wish, to_forget
from anaphor.types import Carried, Decision


def small_talk(heard: Heard, thread: Thread) -> Reading | None:
    """Greetings and thanks want nothing looked up; after an offer they may be its refusal."""
    refused = _all_of(heard.asked, "refuses", heard.language) and thread.last is not None and bool(offer(thread.last))
    if (
        not heard.polite
        and not refused
        and not (_all_of(heard.asked, "refuses", heard.language) and _all_of(heard.asked, "small_talk", heard.language))
    ):
        return None
    return Reading(Decision.SMALL_TALK, 0.97, heard.asked, signals=(f"small talk: {heard.asked[:40]}",))


def command(heard: Heard) -> tuple[Reading | None, str]:
    """An order to the assistant itself, and what is still to be looked up after it."""
    if asked := to_forget(heard.asked):
        named = f"to be forgotten: {asked[1][:40] or asked[0]}"
        boundary = asked[0] is not Wish.FORGET_NAMED  # what is to be forgotten is not gone on about
        return Reading(Decision.COMMAND, 0.95, heard.asked, signals=(named,), boundary=boundary), ""
    if _RULES.search(heard.asked) and outlives(heard.asked):
        return None, ""  # "ignore your instructions" asks the memory for nothing
    begun, rest = _fresh_start(heard)
    if begun:
        signals = (f"fresh start: {heard.asked[:40]}",)
        return Reading(Decision.COMMAND, 0.95, heard.asked, signals, boundary=True), rest
    seen = see(heard.asked, heard.language).text
    if pattern(heard.language, "commands", end=f"{MARKS}*").fullmatch(seen) and not seen.endswith(("?", "吗", "呢")):
        return Reading(Decision.COMMAND, 0.9, heard.asked, signals=(f"order: {heard.asked[:40]}",)), ""
    return None, ""


_RULES = re.compile(
    r"instruction|\brules?\b|prompt|guideline|指示|指令|[规規]则|規則|提示|命令|ルール|プロンプト", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,，。!！;；、](?=\s*\S)|\.\s")


def _fresh_start(heard: Heard) -> tuple[bool, str]:
    """Whether the utterance begins with an order to start afresh, and what follows the last such clause."""
    seen = see(heard.asked, heard.language)
    resets = pattern(heard.language, "resets", end=f"{MARKS}*")
    begun, at = False, 0
    for end in [*(m.end() for m in _CLAUSE.finditer(seen.text)), len(seen.text)]:
        clause = seen.text[at:end].strip(" ,.!。、;")
        polite = bool(pattern(heard.language, "small_talk", end=f"{MARKS}*").fullmatch(clause))
        if not resets.fullmatch(clause) and not (polite and len(clause) < 12):
            break
        begun, at = begun or not polite, end
    return begun, seen.verbatim(at, len(seen.text)).strip() if begun and at < len(seen.text) else ""


# -- taking up what the assistant offered ------------------------------------------------------------------------------


def acceptance(heard: Heard, thread: Thread) -> Reading | None:
    """好啊, お願いします, yes please: the question is what was offered."""
    last = thread.last
    if last is None or not _all_of(heard.asked, "accepts", heard.language):
        return None
    found = standing_offer(thread)
    return _taken_up(*found, heard.language) if found else None


def taken_up_and_more(heard: Heard, thread: Thread) -> tuple[Reading, str] | None:
    """What was offered and what is asked besides: お願いします。駐車場も… Only a plain yes; "ok" may be a nod."""
    last = thread.last
    first, rest = _first_clause(heard)
    if (
        last is None
        or not rest
        or _all_of(heard.asked, "accepts", heard.language)
        or not _PLAIN_YES.search(first)
        or not _all_of(first, "accepts", heard.language)
    ):
        return None
    found = standing_offer(thread)
    return (_taken_up(*found, heard.language), rest) if found else None


_PLAIN_YES = re.compile(r"yes|yeah|yep|please|sure|お願い|ぜひ|麻烦|需要|^要|想")


def _first_clause(heard: Heard) -> tuple[str, str]:
    """The first clause, and the rest verbatim."""
    seen = see(heard.said, heard.language)
    end = _CLAUSE.search(seen.text)
    if end is None:
        return seen.text, ""
    return seen.text[: end.start()], seen.verbatim(end.end(), len(seen.text)).strip()


OFFERED = 1.7  # what was offered is what is asked
NAMED_BESIDE = 0.15  # what the answer named beside the offer


def _taken_up(last: Said, offered: str, language: str) -> Reading:
    offered = _LEADING_IN.sub("", offered)
    topic = "" if language == "ja" and _IS_A_CLAUSE.search(offered) else _topic_beside(last, offered)
    carried = [Carried(offered, last.seq, ACCEPTANCE, OFFERED)]
    carried += [Carried(topic, last.seq, ACCEPTANCE, 0.8)] if topic else []
    carried += [Carried(p.text, last.seq, ACCEPTANCE, NAMED_BESIDE) for p in _new_in_answer(last, offered)[:3]]
    text = _joined(topic, offered, language)
    signals = (f"takes up: {offered[:60]}",)
    return Reading(Decision.FOLLOW_UP, 0.92, text, signals, tuple(carried), own="")


_IS_A_CLAUSE = re.compile("[をでがに]|(?:した|する|ある|付き|付いた)の?")  # says itself of what


def _all_of(text: str, name: str, language: str) -> bool:
    """The whole text is made of these, one or several."""
    folded = see(text, language).text
    return bool(pattern(language, name, start=f"{MARKS}*(?:", end=f"{MARKS}*){{1,4}}").fullmatch(folded))


def offer(turn: Said) -> str:
    """What the end of the answer offers to tell, or asks about; empty if it does neither."""
    language = turn.answer_language
    only_asked = False
    for sentence in reversed(turn.last_sentences[-2:]):
        seen = see(sentence, language)
        marked = seen.text.rstrip().endswith("?") or pattern(language, "offer_marks").search(seen.text)
        if not (marked or only_asked):
            continue
        start = 0
        if opening := pattern(language, "offer_openings").match(seen.text):
            start = opening.end()
        end = len(seen.text)
        if closing := pattern(language, "offer_closings", end=r"\s*$").search(seen.text, start):
            end = closing.start() if closing.start() > start else end
        offered = seen.verbatim(start, end).strip(" ,，、。?？!！") if start < end else ""
        only_asked = bool(_ONLY_ASKS.fullmatch(offered)) and sentence is not turn.last_sentences[-2:][0]
        if only_asked:
            continue  # what was offered stands before it
        if offered and (phrases(offered, language) or (language != "en" and len(offered) > 1)):
            return offered
    return ""


_ONLY_ASKS = re.compile(
    "(?:そちら|こちら|それ|これ)?(?:で|に|を|は|の)?(?:特に|何か)?(?:いかが|どう|よろしい|(?:ご|お)?希望)?"
    "(?:でしょう|なさいます|いたします|ございます|はございます|します|です|しましょう|しょう)?(?:か|ね)?"
    "|(?:how|what) about (?:that|it)|would that (?:work|help|be ok(?:ay)?)"
    "|您?(?:觉得|覺得)?(?:如何|怎么样|怎麼樣|好吗|好嗎|可以吗|可以嗎)",
    re.IGNORECASE,
)


def _topic_beside(turn: Said, offered: str) -> str:
    """What the person had asked about, unless the offer names it.

    Of 溫泉會館的大眾池 only the owner is kept beside 湯屋的收費方式, but all of it beside a bare 收費方式.
    """
    key = see(offered, turn.language).text
    if any(phrase.key in key for phrase in turn.topics):
        return ""
    if turn.language == "en":
        return turn.named_topic
    owners = [p for p in turn.topics if p.owner]
    if owners and any(p.names_something for p in phrases(offered, turn.language)):
        return owners[0].text
    return turn.topic


def _new_in_answer(turn: Said, offered: str) -> list[Phrase]:
    """What the answer brought up beside the offer; its own facts are not among it, only the things it named."""
    known = [p.key for p in turn.phrases]
    new = (p for p in turn.answer_phrases if p.names_something and p.text not in offered)
    return [p for p in new if not any(p.key in key or key in p.key for key in known)]


def _joined(topic: str, thing: str, language: str) -> str:
    if not topic:
        return thing
    if language == "en":
        return f"{thing} for {topic}"
    if language == "ja":
        return f"{topic}の{thing}"
    return topic + (" " if topic[-1:].isascii() and thing[:1].isascii() else "") + thing


# -- replying to a question asked back ---------------------------------------------------------------------------------


def reply(heard: Heard, thread: Thread) -> Reading | None:
    """A fragment after the assistant asked something: the person's earlier question, made more precise."""
    last = thread.last
    if last is None or heard.is_question or not last.answer or not last.last_sentences:
        return None
    asked = see(last.last_sentences[-1], last.answer_language).text.rstrip()
    fragment = len(heard.phrases) <= 2 and len(heard.bare) <= (60 if heard.language == "en" else 24)
    if not asked.endswith(("?", "吗", "呢", "か。")) or not fragment or not heard.phrases:
        return None
    if heard.language == "ja" and (not asks(last) or len(last.last_sentences) > 1):
        return Reading(Decision.STANDALONE, 0.7, heard.asked, ("replies to a question",), weigh=((last.seq, 0.5),))
    join = {"en": " ", "ja": "、"}.get(heard.language, "，")
    text = last.standalone.rstrip("。.!！？? ") + join + heard.bare.rstrip("。.!！ ")
    carried = tuple(Carried(p.text, last.seq, REPLY, 0.8) for p in last.phrases)
    return Reading(
        Decision.FOLLOW_UP, 0.8, text, ("replies to a question",), carried, weigh=((last.seq, 1.0),), own=heard.bare
    )


def asks(turn: Said) -> bool:
    return bool(pattern(turn.language, "question").search(see(turn.standalone, turn.language).text))


def slot_asked(heard: Heard, thread: Thread) -> Reading | None:
    """ご予算はどのくらいで… — とくに決めていません。 What was asked for is what a bare wish is about."""
    last = thread.last
    if heard.language != "ja" or heard.is_question or last is None or not last.last_sentences or asks(last):
        return None
    asked = see(last.last_sentences[-1], "ja")
    if not asked.text.rstrip().endswith(("?", "か。", "か")):
        return None
    slot = _ASKED_SLOT.search(asked.text)
    name = asked.group(slot, "slot") if slot else ""
    text = f"{name}は{heard.asked}" if name and name not in heard.asked else heard.asked
    carried = (Carried(name, last.seq, REPLY, 0.5),) if name in text and name else ()
    return Reading(
        Decision.FOLLOW_UP, 0.7, text, ("replies to a question",), carried, weigh=((last.seq, 0.5),), own=heard.asked
    )


_ASKED_SLOT = re.compile(
    "(?:^|[、。])(?:他に|ほかに|また、)?(?:お|ご)?(?P<slot>[^、。はがをにで]{2,12}?)(?:の(?:方|ほう))?(?:は|について|ですが)"
)


def standing_offer(thread: Thread) -> tuple[Said, str] | None:
    """The offer that is still open: also if the person said something since that got no answer."""
    for turn in reversed(thread.said[-2:]):
        if turn.answer:
            offered = offer(turn)
            withdrawn = thread.is_retracted(matching(offered, "und"))  # 仙台ではなくて高松です — 仙台の宿を… — はい
            return (turn, offered) if offered and not withdrawn and not _ANYTHING_ELSE.match(offered) else None
    return None


_ANYTHING_ELSE = re.compile("(?:その)?(?:他|ほか)(?:に|は)|anything else|something else|还有其他|還有其他|其他")


def offered_thing(thread: Thread) -> tuple[Said, str] | None:
    """それでお願いします: the thing that was offered, without the words that offer it."""
    found = standing_offer(thread)
    if found is None or found[0].answer_language != "ja":
        return None
    turn, offered = found
    thing = _OFFERING.sub("", _LEADING_IN.sub("", offered)).strip("、。 ")
    return (turn, thing) if 1 < len(thing) <= 60 else None


_LEADING_IN = re.compile(
    "^(?:[^。]{0,60}(?:ので|ですが|ますが|でしたら|ましたら|ですと|ますと|ということで|もちろん)、)?"
    "(?:(?:それでは|では|そうしましたら|それでしたら|そうなりますと|でしたら|また|なお|その他に|やはり|ついでに),?、?)*"
)
_OFFERING = re.compile(
    "(?:(?:など)?(?:は|を|も|が|に|で|の|という)*(?:お|ご)?(?:いかが|どう|よろしい|探し|調べ|用意|手配|案内|希望|宜しい|検索|付け|利用|ござい).*)$"
)

"""What is left out rather than pointed at: a subject, the whole question (why?), a part that the talk supplies."""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.asked_for import asked_name, asked_who
from anaphor.steps.reconstruct.centre import centre
from anaphor.steps.reconstruct.enough import says_enough
from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.likeness import likeness
from anaphor.steps.reconstruct.phrases import Phrase
from anaphor.steps.reconstruct.phrasing import about, of_topic
from anaphor.steps.reconstruct.reading import CONTINUATION, REPLACED, TOPIC, ZERO_SUBJECT, Reading
from anaphor.steps.reconstruct.seen import pattern, patterns, see
from anaphor.steps.reconstruct.speech import slot_asked
from anaphor.steps.reconstruct.subject import (
    HOUSES,
    Subject,
    is_established,
    is_introduced,
    is_thing,
    of_the_house,
    subject,
)
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.steps.reconstruct.told import of_what_was_told
from anaphor.types import Carried, Decision, LeftBehind

ALIKE = 1.5  # likeness from which one thing is of the sort of another

# -- more of the same --------------------------------------------------------------------------------------------------


def continuation(heard: Heard, thread: Thread) -> Reading | None:
    """Tell me more; why?; for example? — about what was just asked."""
    last = thread.latest
    said = [seen.text.strip(" ?!。.,~、") for seen in (see(heard.asked, heard.language), heard.seen)]
    forms = patterns(heard.language, "continuations")
    if last is None or not any(form.fullmatch(text) for form in forms for text in said):
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.9,
        text=_continued(heard, last),
        signals=(f"continues: {heard.bare}",),
        carried=tuple(Carried(p.text, last.seq, CONTINUATION, 1.0 if p.names_something else 0.7) for p in last.phrases),
        weigh=((last.seq, 2.0),),
        own=heard.bare,
    )


_AGAIN = re.compile(r"再(?:说|讲)(?:一次|一遍)|重复一|もう(?:一度|1度|一回)|\b(?:that|it) again\b|\brepeat\b")
_MORE = re.compile(r"\b(?:more|details?|information|info|further)$")


def _continued(heard: Heard, last: Said) -> str:
    said, asked = heard.bare.strip(), last.standalone.strip()
    if _AGAIN.search(heard.seen.text):
        return asked
    if heard.language == "en":
        if _MORE.search(heard.seen.text.rstrip(" .?!")) and last.topic:
            return f"{said.rstrip(' .?!')} about {last.topic}"
        return f"{asked} {said}"
    closed = asked.endswith(("？", "?", "。", "！", "!"))
    return asked + ("" if closed else "。" if heard.language == "ja" else "，") + said


# -- a subject that is not said ----------------------------------------------------------------------------------------

NOTHING_NAMED = "nothing named"
NO_OWNER = "an attribute without an owner"
NO_SUBJECT = "no subject"
SURE = {NOTHING_NAMED: 0.85, NO_OWNER: 0.85, NO_SUBJECT: 0.7}


def zero_subject(heard: Heard, thread: Thread) -> Reading | None:
    """需要多少錢？ いくらですか · how do I apply? — a question that names nothing, or only an attribute."""
    lack = lacking(heard) or _first_lacks(heard)
    if not lack or not thread.said:
        return None
    if reading := slot_asked(heard, thread):
        return reading
    if lack == NO_SUBJECT and (reading := of_what_was_told(heard, thread)):
        return reading
    if heard.language == "ja" and not heard.is_question:
        return None  # a wish: 朝食はいりません
    who = _who(heard, thread)
    owner, of_whole = lack == NO_OWNER, pattern(heard.language, "of_the_whole").search(heard.seen.text)
    found = subject(thread, sure=True, owner=owner, far=True) if of_whole else None
    found = found or subject(thread, sure=lack == NO_SUBJECT and not _NEEDS_ONE.search(heard.seen.text), owner=owner)
    if found is None or found.phrases[0].text not in thread.said[-1].question:  # just said: there is no doubt
        found = _talked_of(heard, thread, found.phrases[0].key if found else "") or found
    if found is None and who:
        found = Subject(who, tuple(p for p in thread.said[-1].answer_phrases if p.text == who), thread.said[-1])
    if found is None or not _fits_the_house(heard, found):
        return _unsure(heard, thread, lack)
    turn, topic, last = found.turn, who or found.topic, thread.said[-1]
    if not who and says_enough(heard, found):
        return _beside(heard, turn)
    spans = [p.text for p in (*turn.topics, *(turn.answer_phrases if who else ())) if p.text in topic]
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=SURE[lack] - 0.3 * (not heard.is_question),
        text=about(heard, topic),
        signals=(lack,),
        carried=tuple(Carried(text, turn.seq, ZERO_SUBJECT, 0.9) for text in dict.fromkeys(spans)),
        weigh=((last.seq if found.phrases[0].text in last.standalone else turn.seq, 1.0),),
        own=heard.bare,
    )


def _beside(heard: Heard, turn: Said) -> Reading:
    """It may be asked of the house as well as of what was talked of: that is weighed, and not said."""
    signals = ("says enough by itself",)
    decision = Decision.STANDALONE if heard.topics else Decision.FOLLOW_UP
    return Reading(decision, 0.75, heard.asked, signals, weigh=((turn.seq, 1.0),))


_NEEDS_ONE = re.compile(
    "^(?:还|也)?(?:能|可以|可不可以|能不能|会|会不会|要)(?!开)|^[^、。にでの]{1,8}[はがも]?(?:要り|必要です|必要でしょう)[^。]{0,4}か"
)
# Who asks so asks it of something: 能用醫保嗎, where 有停車場嗎 may be asked of the house.


def _talked_of(heard: Heard, thread: Thread, by_rule: str = "") -> Subject | None:
    """In Chinese, what the talk is about, where that is clear, and another than what the rule would take."""
    if not heard.language.startswith("zh"):
        return None
    found = centre(thread, own=frozenset(p.key for p in heard.topics), favoured=by_rule)
    if found is None or found.probability < CLEARLY or found.place.phrase.key == by_rule:
        return None
    phrase = found.place.phrase
    if not by_rule and found.age:
        return None  # another question came between
    if not is_thing(phrase) or not (is_established(phrase, thread) or (by_rule and found.probability >= SURELY)):
        return None
    return Subject(phrase.text, (phrase,), found.place.turn)


def unsaid(heard: Heard, thread: Thread) -> Reading | None:
    """7:30 到 18:00，票價多少？ 專輯的製作人是誰？ — what it names are times, numbers, and sorts of things.

    Only in Chinese, and only where it is clear what the talk is about.
    """
    if not heard.is_question or any(_names(p, heard) for p in heard.topics) or of_the_house(heard):
        return None
    if len(heard.bare) > LONGEST or not (found := _talked_of(heard, thread)):
        return None
    phrase, seq = found.phrases[0], found.turn.seq
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.65,
        text=about(heard, found.topic),
        signals=("names nothing of its own",),
        carried=(Carried(phrase.text, seq, TOPIC, 0.9),),
        weigh=((seq, 0.5),),
        own=heard.bare,
    )


CLEARLY = 0.5  # the probability from which what a talk is about is taken for granted
SURELY = 0.8  # the same, for what is no name
LONGEST = 60  # characters


def _names(phrase: Phrase, heard: Heard) -> bool:
    """Whether a phrase can be what the question is about."""
    if phrase.named or phrase.owner:
        return True
    value = len(_FIGURES.sub("", phrase.key)) < 2 or bool(_GIVES.search(heard.bare[: phrase.start]))
    return not value and phrase.key not in table("zh").sorts and _INSIDE.sub("", phrase.key) not in table("zh").sorts


_FIGURES = re.compile("[0-9:：.~\\-至到点分钟小时天年月日周元块人次号]|开放")  # 7:30-18:00, 121分鐘
_INSIDE = re.compile("[里裡中上内內]$")
_GIVES = re.compile("[是为為在：:]$")  # 地址是…, 電話：…


def _fits_the_house(heard: Heard, found: Subject) -> bool:
    """Who is asked about themselves is asked about no thing of theirs, unless a shop, a town was talked of."""
    if not of_the_house(heard):
        return True
    if heard.language == "en":
        return False
    if any(is_introduced(p, found.turn.question) for p in found.phrases):
        return True
    return any(p.kind in HOUSES for p in found.phrases) or bool(_IS_SOMEWHERE.search(found.turn.standalone))


_IS_SOMEWHERE = re.compile("在哪|地址|[营營][业業]|[几幾][点點]|どこに|営業|住所|開店|何時から")


def _unsure(heard: Heard, thread: Thread, lack: str) -> Reading | None:
    """Nothing that was said is surely meant: the question stays as it was asked, and the last one weighs a little."""
    last = thread.latest
    if last is None or of_the_house(heard):
        return Reading(Decision.STANDALONE, 0.75, heard.asked, ("about who is asked",)) if of_the_house(heard) else None
    return Reading(
        decision=Decision.STANDALONE if heard.topics else Decision.FOLLOW_UP,
        confidence=0.5,
        text=heard.asked,
        signals=(f"{lack}, and nothing that is surely meant",),
        weigh=() if heard.topics else ((last.seq, 0.5),),
    )


def _who(heard: Heard, thread: Thread) -> str:
    """どこで生まれましたか？ after 誰が設計した？ — whoever that was."""
    if pattern(heard.language, "of_somebody").search(heard.seen.text):
        return asked_who(thread)
    return _which(thread) if heard.language.startswith("zh") and thread.last else ""


def _which(thread: Thread) -> str:
    """一晚多少錢？ after 哪個房型能帶寵物？ — the one that was named."""
    last, named = thread.said[-1], asked_name(thread)
    if named is None or not _ASKS_WHICH.search(see(last.standalone, last.language).text):
        return ""
    return next((p.text for p in last.answer_phrases if p.key == named and is_thing(p)), "")


_ASKS_WHICH = re.compile("哪(?:一)?(?:个|家|间|款|种|班|条|座|所)")


_HAS_A_SUBJECT = re.compile("[^,。?]{3,}[^的]的[^的,。?]{1,3}(?:可以|能|会|要|有|是|需要)")  # 兩個月的貓可以…


_WA = re.compile("(?P<noun>[^、。はがをに?]{2,8})は(?!い(?:くら|つ)?ないで)")


def _says_its_topic(heard: Heard) -> bool:
    """素焼きは何度ですか: a noun marked as the topic, though it is not written as nouns mostly are."""
    marked = _WA.match(heard.seen.text)
    rules = table("ja")
    if marked is None or heard.phrases or not re.search("[\u30a1-\u30fa\u4e00-\u9fff]", marked["noun"]):
        return False
    return marked["noun"] not in rules.verbs | rules.grammar and not kind(marked["noun"])


def _is_topic(phrase: Phrase, heard: Heard) -> bool:
    """在宅勤務は…できますか: says at once what it is about."""
    marked = heard.language == "ja" and heard.bare[phrase.end : phrase.end + 1] == "は"
    return marked and phrase.start == 0 and len(phrase.key) >= 4 and phrase.kind != "group"


def _first_lacks(heard: Heard) -> str:
    """早上幾點開，有沒有寵物推車可以借？ — what the first of two questions lacks, the second does not tell."""
    first, mark, rest = heard.bare.partition("，") if heard.language.startswith("zh") else ("", "", "")
    if not mark or not 3 < len(first) <= FIRST_CLAUSE or not _ASKS_AT_ONCE.match(see(rest, heard.language).text):
        return ""
    alone = replace(heard, asked=first, bare=first)
    named = [p for p in alone.phrases if not p.attribute and p.kind != "time"]
    return lacking(alone) if alone.is_question and not named and not any(p.owner for p in heard.topics) else ""


FIRST_CLAUSE = 14  # characters
_ASKS_AT_ONCE = re.compile("有没有|是否|能不能|可不可以|会不会|要不要|需不需要|怎么|如何|哪|[几多]|什么")
_OF_WHAT = re.compile(
    r" (?:of|for|with|between) (?!(?:it|that|this|them|these|those|the|me|us|my|one|students?|children|kids|seniors?"
    r"|adults?|groups?|members?)\b|\d)\w",
    re.IGNORECASE,
)
_WHO_DOES = re.compile(r"who (?!is\b|are\b|was\b|were\b|can\b|else\b)")  # who treats children
_MODIFIED = {
    "zh": re.compile("[^,，。]{4,}[^的]的$"),
    "ja": re.compile("[^、。]{3,}(?:できる|られる|する|した|ている|[くすむうる]る)$"),
    "en": re.compile("(?!)"),
}


def lacking(heard: Heard) -> str:
    """What the utterance lacks to stand alone; empty if nothing."""
    if not heard.topics:
        attributes = [p for p in heard.phrases if p.attribute]
        if any(_MODIFIED[heard.language[:2]].search(heard.bare[: p.start]) for p in attributes):
            return ""  # 精算できる費用: says itself which
        if heard.language == "en" and any(_OF_WHAT.match(heard.bare[p.end :]) for p in attributes):
            return ""  # the advantages of knowing several languages
        if attributes:
            return NO_OWNER if sum(p.key.count(" ") for p in attributes) < 2 else ""
        if heard.language == "ja" and _says_its_topic(heard):
            return ""
        if heard.language.startswith("zh") and _HAS_A_SUBJECT.match(heard.seen.text):
            return ""
        return NOTHING_NAMED if len(heard.bare) <= (80 if heard.language == "en" else 30) else ""
    if all(p.kind == "group" for p in heard.topics) and heard.is_question and not _WHO_DOES.match(heard.seen.text):
        return NO_SUBJECT  # 學生有優惠嗎？
    if any(p.owner or p.named or _is_topic(p, heard) for p in heard.topics):
        return ""
    return NO_SUBJECT if pattern(heard.language, "subjectless").fullmatch(heard.seen.text) else ""


# -- a whole question that is begun with a tie -------------------------------------------------------------------------


def tied(heard: Heard, thread: Thread) -> Reading | None:
    """那自強號要多久？ — a whole question, but begun with 那: what the last question said besides is still meant.

    A thing like the one asked about takes its place (病假 after 年假); if nothing is left besides, nothing is carried.
    """
    last = thread.latest
    if last is None or not heard.tie or _MERELY.match(heard.tie) or not heard.topics or not last.topics:
        return None
    known = {p.key for p in heard.topics}
    replaced = [old for old in last.topics if any(likeness(new, old) >= ALIKE for new in heard.topics)]
    rest = [p for p in last.topics if p not in replaced and p.key not in known]
    if not rest or known & {p.key for p in last.phrases} or any(r.key in k for r in thread.retracted for k in known):
        return None
    if not replaced and (heard.language == "en" or any(p.named or p.owner for p in heard.topics)):
        return None
    if not replaced and of_the_house(heard):
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.6,
        text=heard.bare if replaced else about(heard, last.topic),
        signals=(f"tied by {heard.tie}",),
        carried=tuple(Carried(p.text, last.seq, TOPIC, 0.5 if replaced else 0.8) for p in rest),
        left_behind=tuple(LeftBehind(p.text, last.seq, REPLACED) for p in replaced),
        weigh=((last.seq, 0.5),),
        own=heard.bare,
    )


_MERELY = re.compile(
    r"另外|此外|還有|还有|順|顺|再來|再来|而且|並且|并且|ちなみに|あと|それと|また|(?:also|plus|besides)\b"
)
# No more than: one more question.


# -- a piece of a question ---------------------------------------------------------------------------------------------


def fragment(heard: Heard, thread: Thread) -> Reading | None:
    """Other games?, any awards, 還有其他的嗎: a piece of a question about what was talked of."""
    last = thread.last
    if last is None or not last.topics or any(p.named for p in heard.topics) or not _is_fragment(heard):
        return None
    if _says_it_again(heard, last):
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.6,
        text=of_topic(heard, last.topic),
        signals=(f"a fragment: {heard.bare}",),
        carried=tuple(Carried(p.text, last.seq, TOPIC, 0.7) for p in last.topics if p.text in last.topic),
        weigh=((last.seq, 1.0),),
        own=heard.bare,
    )


_WHO = re.compile(r"who\b")  # are the trainers: whoever works there
_ARE_THERE = re.compile(
    r"^(?:which|what) \w+ \w+ (?:are|is) there$"
)  # which delivery modes are there: all of it is said
SHORT = 9  # words
_NARROWED = re.compile(r"\b(?:of|in|for|from|on|at|between|about) (?!it\b|them\b|that\b)\w")


def presuming(heard: Heard, thread: Thread) -> Reading | None:
    """What did the doctors do? Which variety is best? — names nothing, and takes what it asks about for known."""
    last = thread.latest
    said = heard.seen.text.strip(" ?.!")
    if of_the_house(heard):
        return None
    if last is None or not last.topics or len(said.split()) > SHORT or any(p.named for p in heard.topics):
        return None
    if len(heard.topics) > 1 or _says_it_again(heard, last):
        return None
    if not pattern(heard.language, "presumes").fullmatch(said) or _NARROWED.search(said) or _ARE_THERE.search(said):
        return None
    if _WHO.match(said) and not any(p.named for p in last.topics):
        return _beside(heard, last)
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.55,
        text=of_topic(heard, last.topic),
        signals=(f"presumes: {heard.bare}",),
        carried=tuple(Carried(p.text, last.seq, TOPIC, 0.5) for p in last.topics if p.text in last.topic),
        weigh=((last.seq, 1.0),),
        own=heard.bare,
    )


def _says_it_again(heard: Heard, last: Said) -> bool:
    """Its words are the topic's: the first major boy band, after the first boy band."""
    if {p.key for p in heard.topics} & {p.key for p in last.phrases}:
        return True
    words = {w for p in heard.topics for w in p.key.split(" ") if heard.language == "en"}
    return any(p.head in words for p in last.topics)


def _is_fragment(heard: Heard) -> bool:
    text = heard.seen.text.strip()
    if pattern(heard.language, "fragments").fullmatch(text):
        return True
    short = heard.language == "en" and len(text.split()) <= 3 and not heard.tie
    return short and not pattern("en", "question").match(text)


def like(new: tuple[Phrase, ...], old: tuple[Phrase, ...], enough: float) -> bool:
    """Whether one of them is of the sort of one of the others."""
    return any(likeness(n, o) >= enough for n in new for o in old)

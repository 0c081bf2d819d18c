"""What is left out rather than pointed at: a subject, the whole question (why?), the topic one goes back to."""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.heard import Heard, hear
from anaphor.steps.reconstruct.phrases import Phrase
from anaphor.steps.reconstruct.reading import CONTINUATION, REPLACED, RETURN, TOPIC, ZERO_SUBJECT, Reading
from anaphor.steps.reconstruct.seen import patterns, see
from anaphor.steps.reconstruct.slots import likeness
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread, names_something
from anaphor.types import Carried, Decision, LeftBehind


def continuation(heard: Heard, thread: Thread) -> Reading | None:
    """Tell me more; why?; for example? — about what was just asked."""
    last = _last_with_words(thread)
    text = heard.seen.text.strip(" ?!。.,~、")
    if last is None or not any(form.fullmatch(text) for form in patterns(heard.language, "continuations")):
        return None
    carried = tuple(Carried(p.text, last.seq, CONTINUATION, 1.0 if names_something(p) else 0.7) for p in last.phrases)
    return Reading(
        Decision.FOLLOW_UP,
        0.9,
        _continued(heard, last),
        (f"continues: {heard.bare}",),
        carried,
        weigh=((last.seq, 2.0),),
        own=heard.bare,
    )


_MORE = re.compile(r"\b(?:more|details?|information|info|further)$")


def _continued(heard: Heard, last: Said) -> str:
    said, asked = heard.bare.strip(), last.standalone.strip()
    if heard.language == "en":
        if _MORE.search(heard.seen.text.rstrip(" .?!")) and last.topic:
            return f"{said.rstrip(' .?!')} about {last.topic}"
        return f"{asked} {said}"
    end = "" if asked.endswith(("？", "?", "。", "！", "!")) else "。" if heard.language == "ja" else "，"
    return f"{asked}{end}{said}"


def _last_with_words(thread: Thread) -> Said | None:
    return next((turn for turn in reversed(thread.said) if turn.phrases), None)


# -- a subject that is not said ----------------------------------------------------------------------------------------


def zero_subject(heard: Heard, thread: Thread) -> Reading | None:
    """需要多少錢？ いくらですか · how do I apply? — a question that names nothing, or only an attribute."""
    last = _last_with_words(thread)
    if last is None or not last.topics:
        return None
    lack = lacking(heard)
    if not lack:
        return None
    topic = last.topic
    confidence = {"nothing named": 0.85, "an attribute without an owner": 0.85, "no subject": 0.7}[lack]
    if not heard.is_question:
        confidence -= 0.3
    return Reading(
        Decision.FOLLOW_UP,
        confidence,
        about(heard, topic),
        (lack,),
        tuple(Carried(p.text, last.seq, ZERO_SUBJECT, 0.9) for p in last.topics if p.text in topic),
        weigh=((last.seq, 1.0),),
        own=heard.bare,
    )


_SUBJECTLESS = {
    "zh": re.compile(
        "(?:还|也|另外)?(?:有没有|有|可不可以|可以|能不能|能|会不会|会|要不要|需不需要|需要|要|是不是|是否|是|支持|支援|包含|包括|附|含|适合|值得|提供|最多|最少|最早|最晚|一次|一个月|每月|一年|什么时候|何时|几点|多久|多少|怎么|如何|为什么|在哪|哪里)"
    ),
    "ja": re.compile("(?!)"),
    "en": re.compile(r"(?!)"),
}


def lacking(heard: Heard) -> str:
    """What the utterance lacks to stand alone; empty if nothing."""
    if any(p.owner or p.named for p in heard.topics):
        return ""
    if not heard.topics:
        if any(p.attribute for p in heard.phrases):
            return "an attribute without an owner"
        return "nothing named" if _names_nothing(heard) else ""
    language = "zh" if heard.language.startswith("zh") else heard.language
    first = heard.topics[0]
    subjectless = _SUBJECTLESS.get(language)
    if subjectless and first.start > 0 and subjectless.match(heard.seen.text) and _yes_or_no(heard):
        return "no subject"
    return ""


def _yes_or_no(heard: Heard) -> bool:
    return
    bool(re.match("(?:还|也)?(?:有没有|有|可不可以|可以|能不能|能|会不会|会|要不要|需不需要|需要|是不是|是否|支持|支援|包含|包括|附|含|适合)",
    heard.seen.text)) and bool(
        re.search("(?:吗|没有|没|\\?|呢|有没有|不)[?。]*$|^有没有|^可不可以|^能不能|^会不会|^要不要|^是否",
        heard.seen.text)
    )


def _names_nothing(heard: Heard) -> bool:
    """Not even a word that the phrase rules did not know: grammar and common verbs only."""
    return len(heard.bare) <= (80 if heard.language == "en" else 30)


def about(heard: Heard, topic: str) -> str:
    """The utterance with its topic said."""
    said = heard.bare
    if heard.language == "en":
        body = said.rstrip("?.! ")
        return f"{body} for {topic}{said[len(body):].strip()}"
    first = next((p for p in heard.phrases if p.attribute), None)
    if first is not None and first is heard.phrases[0] and (first.start == 0 or heard.language == "ja"):
        return said[: first.start] + topic + table(heard.language).of + said[first.start :]
    if heard.language == "ja":
        return f"{topic}は{said}" if not re.match("[^、。]{0,12}[はが]", heard.seen.text) else f"{topic}の{said}"
    glue = " " if topic[-1:].isascii() and said[:1].isascii() else ""
    return topic + glue + said


# -- the rest of what was being talked about ---------------------------------------------------------------------------


def tied(heard: Heard, thread: Thread) -> Reading | None:
    """那自強號要多久？ — a whole question, but begun with 那: what the last question said besides is still meant.

    A thing like the one asked about takes its place (病假 after 年假); if nothing is left besides, nothing is carried.
    """
    last = _last_with_words(thread)
    if last is None or not heard.tie or not heard.topics or not last.topics:
        return None
    replaced = _like(heard.topics, last.topics)
    known = {p.key for p in heard.topics}
    rest = [p for p in last.topics if p not in replaced and p.key not in known]
    if not rest or known & {p.key for p in last.phrases}:
        return None
    if not replaced and (heard.language == "en" or any(p.named or p.owner for p in heard.topics)):
        return None
    carried = tuple(Carried(p.text, last.seq, TOPIC, 0.5 if replaced else 0.8) for p in rest)
    return Reading(
        Decision.FOLLOW_UP,
        0.6,
        heard.bare if replaced else about(heard, last.topic),
        (f"tied by {heard.tie}",),
        carried,
        tuple(LeftBehind(p.text, last.seq, REPLACED) for p in replaced),
        weigh=((last.seq, 0.5),),
        own=heard.bare,
    )


def _like(new: tuple[Phrase, ...], old: tuple[Phrase, ...]) -> list[Phrase]:
    return [o for o in old if any(likeness(n, o) >= 1.5 for n in new)]


# -- going back --------------------------------------------------------------------------------------------------------

_FIRST = re.compile(r"\b(?:first|original|beginning|start)\b|最初|一?開始|一?开始|第一|最早|最初")
_NO_TOPIC = re.compile(r"(?:the )?(?:first|previous|earlier|original|last|other)?\s*(?:one|ones|topic|question|point|subject|thing|it|that)?|個|个|那個|那个|第一?個?|問題|问题|話題|话题|話|件|質問|一個|一个", re.I)


def going_back(heard: Heard, thread: Thread) -> tuple[Said, str, str] | None:
    """The turn that is returned to, the rest of the utterance, and the words that named it."""
    if len(thread.said) < 1:
        return None
    for form in patterns(heard.language, "returns"):
        match = form.match(heard.seen.text) if form is not patterns(heard.language, "returns")[-1] else form.search(heard.seen.text)
        if match is None or not match[0].strip():
            continue
        topic = heard.seen.group(match, "topic")
        target = _target(topic, match[0], thread, heard.language)
        if target is not None:
            rest = heard.seen.verbatim(match.end(), len(heard.seen.text)).strip(" ,，。、:：-") if match.end() < len(heard.seen.text) else ""
            return target, rest, match[0]
    return None


def _target(topic: str, said: str, thread: Thread, language: str) -> Said | None:
    with_topics = [t for t in thread.said if t.topics]
    if not with_topics:
        return None
    if not topic or _NO_TOPIC.fullmatch(topic.strip()):
        if _FIRST.search(said):
            return with_topics[0]
        current = {p.key for p in with_topics[-1].topics}
        earlier = [t for t in with_topics[:-1] if not current & {p.key for p in t.topics}]
        return earlier[-1] if earlier else None
    key = see(topic, language).text
    for turn in reversed(with_topics):
        if any(key in p.key or p.key in key for p in turn.topics):
            return turn
    return None


def returned(heard: Heard, target: Said, rest: Reading | None, said: str) -> Reading:
    """What is asked of the topic returned to; the earlier question itself if nothing is."""
    if rest is None:
        carried = tuple(Carried(p.text, target.seq, RETURN, 1.0) for p in target.phrases)
        return Reading(Decision.FOLLOW_UP, 0.85, target.standalone, (f"goes back: {said}",), carried, (),
        ((target.seq, 1.0),), "")
    carried = tuple(Carried(c.text, c.seq, RETURN, c.weight) for c in rest.carried)
    return Reading(Decision.FOLLOW_UP, 0.85, rest.text, (f"goes back: {said}", *rest.signals), carried,
    rest.left_behind, rest.weigh, rest.own)


def rehear(rest: str, heard: Heard) -> Heard:
    return hear(rest, (heard.text,))



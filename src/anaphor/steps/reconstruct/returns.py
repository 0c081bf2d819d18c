"""Going back to an earlier topic: 回到剛才的高鐵 · さっきのホテルの話ですが · back to the first one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from anaphor.steps.reconstruct.antecedents import named_in_answer
from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.reading import RETURN, Reading
from anaphor.steps.reconstruct.seen import pattern, patterns, see
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision


@dataclass(frozen=True, slots=True)
class Return:
    """To which turn, what of it, with what words, and what is asked then (empty if nothing)."""

    to: Said
    what: str
    words: str
    rest: str


def going_back(heard: Heard, thread: Thread) -> Return | None:
    """Where the utterance goes back to, if it does."""
    seen = heard.seen
    for form in patterns(heard.language, "returns"):
        match = form.search(seen.text)
        if match is None or not match[0].strip():
            continue
        topic = seen.group(match, "topic")
        target = _target(topic, match[0], thread, heard.language)
        if target is None:
            continue
        before = seen.verbatim(0, match.start()) if match.start() else ""
        after = seen.verbatim(match.end(), len(seen.text)) if match.end() < len(seen.text) else ""
        rest = f"{before.strip()} {after.strip()}".strip(" ,，。、:：-のは的")
        return Return(target, _what(topic, target, heard.language), match[0], rest)
    return None


def names_topic(heard: Heard) -> tuple[str, str] | None:
    """Back to retention: can it be changed? — the topic, and what is asked of it; ``None`` if either lacks."""
    match = patterns(heard.language, "returns")[0].match(heard.seen.text)
    topic = heard.seen.group(match, "topic") if match else ""
    rest = heard.seen.verbatim(match.end(), len(heard.seen.text)).strip(" ,:-") if match else ""
    if (
        not rest
        or not phrases(topic, heard.language)
        or pattern(heard.language, "no_topic").fullmatch(topic.casefold())
    ):
        return None
    return topic, rest


_BACK_TO_IT = re.compile("戻[りるっしすれ]")
_ABOUT = re.compile("^的?(?:话题|話題|事情|部分)")


def said_again(heard: Heard) -> str:
    """The utterance with only the name of what it goes back to; empty if it names nothing, or does not go back."""
    seen = heard.seen
    for form in patterns(heard.language, "returns")[1:]:
        match = form.match(seen.text)
        topic = seen.group(match, "topic") if match else ""
        if match is None or not topic or match.end() >= len(seen.text):
            continue
        if heard.language == "ja" and _BACK_TO_IT.search(match[0]):
            rest = seen.verbatim(match.end(), len(seen.text)).lstrip("、, ")
            return f"{topic}は{rest}"
        if phrases(topic, heard.language):
            tail = seen.verbatim(match.end("topic"), len(seen.text))
            return topic + _ABOUT.sub("", tail)
    return ""


def _target(topic: str, words: str, thread: Thread, language: str) -> Said | None:
    """The turn with that topic, the newest first; without a topic named, the first of all or the one before this."""
    asked = [t for t in thread.said if t.topics]
    if not asked:
        return None
    if pattern(language, "two_back").search(words):
        return thread.said[-2] if len(thread.said) > 1 else None
    key = _plain(see(topic, language).text, language)
    if not pattern(language, "no_topic").fullmatch(key):
        return next((t for t in reversed(asked) if _speaks_of(key, t)), None)
    if pattern(language, "first").search(words):
        return asked[0]
    current = {p.key for p in asked[-1].topics}
    return next((t for t in reversed(asked[:-1]) if not current & {p.key for p in t.topics}), None)


def _plain(key: str, language: str) -> str:
    """お城 is a castle, too."""
    return re.sub("^[おご](?=[\u4e00-\u9fff\u30a1-\u30fa])", "", key) if language == "ja" else key


def _speaks_of(key: str, turn: Said) -> bool:
    return any(key in p.key or p.key in key for p in (*turn.topics, *turn.answer_phrases[:12]))


def _what(topic: str, turn: Said, language: str) -> str:
    """Of that turn: what is called so (那家供應商: who the answer named), the phrase with those words, or its topic."""
    key = _plain(see(topic, language).text, language)
    if pattern(language, "no_topic").fullmatch(key):
        return turn.topic
    named = named_in_answer(key, Thread((turn,)), language)
    if named:
        return named
    beside = (p.text for p in (*turn.topics, *turn.answer_phrases) if key in p.key or p.key in key)
    return next(beside, turn.topic)


def returned(back: Return, rest: Reading | None) -> Reading:
    """What is asked of the topic gone back to; the earlier question itself if nothing is."""
    signal = f"goes back: {back.words}"
    if rest is None:
        carried = tuple(Carried(p.text, back.to.seq, RETURN, 1.0) for p in back.to.phrases)
        weigh = ((back.to.seq, 1.0),)
        return Reading(Decision.FOLLOW_UP, 0.85, back.to.standalone, (signal,), carried, weigh=weigh, own="")
    return replace(
        rest,
        decision=Decision.FOLLOW_UP,
        confidence=0.85,
        signals=(signal, *rest.signals),
        carried=tuple(replace(c, reason=RETURN) for c in rest.carried),
    )

"""Going back to an earlier topic: 回到剛才的高鐵 · さっきのホテルの話ですが · back to the first one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.reading import RETURN, Reading
from anaphor.steps.reconstruct.seen import pattern, patterns, see
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision


@dataclass(frozen=True, slots=True)
class Return:
    """To which turn, with what words, and what is asked then (empty if nothing)."""

    to: Said
    words: str
    rest: str


def going_back(heard: Heard, thread: Thread) -> Return | None:
    """Where the utterance goes back to, if it does."""
    seen = heard.seen
    for form in patterns(heard.language, "returns"):
        match = form.search(seen.text)
        if match is None or not match[0].strip():
            continue
        target = _target(seen.group(match, "topic"), match[0], thread, heard.language)
        if target is None:
            continue
        before = seen.verbatim(0, match.start()) if match.start() else ""
        after = seen.verbatim(match.end(), len(seen.text)) if match.end() < len(seen.text) else ""
        return Return(target, match[0], f"{before.strip()} {after.strip()}".strip(" ,，。、:：-"))
    return None


def _target(topic: str, words: str, thread: Thread, language: str) -> Said | None:
    """The turn with that topic, the newest first; without a topic named, the first of all or the one before this."""
    asked = [t for t in thread.said if t.topics]
    if not asked:
        return None
    key = see(topic, language).text
    if not pattern(language, "no_topic").fullmatch(key):
        return next((t for t in reversed(asked) if any(key in p.key or p.key in key for p in t.topics)), None)
    if pattern(language, "first").search(words):
        return asked[0]
    current = {p.key for p in asked[-1].topics}
    return next((t for t in reversed(asked[:-1]) if not current & {p.key for p in t.topics}), None)


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

"""Taking back: 不是 A，是 B · A じゃなくて B · scratch that, I meant B.

What was asked stays, the thing is exchanged, and what was taken back is not carried any further. A contrast inside a
question (不是本國人可以申請嗎, "why X, not Y?", 〜じゃない？) takes nothing back: A must have been said before, or
the cue be plain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.reading import CORRECTION, RETRACTED, Reading
from anaphor.steps.reconstruct.seen import pattern, patterns, see
from anaphor.steps.reconstruct.slots import kept_of, swap
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind


@dataclass(frozen=True, slots=True)
class Correction:
    """``right`` stands for ``wrong`` (empty if it was not repeated); ``rest`` is what the utterance asks besides."""

    wrong: str
    right: str
    rest: str
    plain: bool  # said in so many words: scratch that, 說錯了


def correction(heard: Heard, thread: Thread) -> Reading | None:
    """The question as it would have been asked without the slip."""
    if not thread.said:
        return None
    found = _found(heard, thread)
    if found is None:
        return _objection(heard, thread)
    turn = _corrected(found, thread)
    if turn is None:
        return None
    right = _without_one(found.right, turn, heard.language)
    if pattern(heard.language, "question").search(see(right, heard.language).text) and len(phrases(right,
    heard.language)) > 0:
        return _asked_anew(heard, found, turn, right)
    text, gone = _exchanged(turn, found.wrong, right, heard.language)
    if found.rest and pattern(heard.language, "question").search(see(found.rest, heard.language).text):
        text = _rest_about(right, found.rest, heard.language)
    retracted = [LeftBehind(g, turn.seq, RETRACTED) for g in gone]
    return Reading(
        decision=Decision.CORRECTION,
        confidence=0.93 if found.plain and gone else 0.88 if gone else 0.7,
        text=text,
        signals=(f"takes back: {', '.join(gone) or found.wrong or '?'}", f"means: {right}"),
        carried=tuple(c for c in kept_of(turn, _kept(text, gone), CORRECTION) if not _overlaps(c.text, gone)),
        left_behind=tuple(retracted),
        weigh=((turn.seq, 1.0),),
        own=f"{right} {found.rest}".strip(),
    )


def _kept(text: str, gone: tuple[str, ...]):  # type: ignore[no-untyped-def]
    from anaphor.steps.reconstruct.slots import Swap

    return Swap(text, gone)


def _found(heard: Heard, thread: Thread) -> Correction | None:
    seen = see(heard.asked, heard.language)
    cue = pattern(heard.language, "takes_back").match(seen.text)
    plain = bool(cue and cue.end())
    begin = cue.end() if cue else 0
    for start in dict.fromkeys((begin, 0)):
        for form in patterns(heard.language, "corrections"):
            match = form.fullmatch(seen.text, start)
            if match is None:
                continue
            groups = match.groupdict()
            wrong = seen.group(match, "wrong") if groups.get("wrong") else ""
            right = seen.group(match, "right")
            rest = seen.group(match, "rest") if groups.get("rest") else ""
            found = Correction(_named(wrong), _named(right), rest, plain and start > 0)
            if _holds(found, form.pattern, heard, thread):
                return found
    return None


def _named(text: str) -> str:
    return re.sub(r"^(?:the|a|an|about|for|in|at) (?=\S)", "", text.strip(" ,，。.!！?？「」"), flags=re.I)


def _holds(found: Correction, form: str, heard: Heard, thread: Thread) -> bool:
    """Whether something is really taken back."""
    if not found.right or len(found.right) > 80:
        return False
    if found.wrong:
        return said_before(found.wrong, thread, heard.language) or (
            found.plain and not pattern(heard.language, "question").search(see(heard.asked, heard.language).text)
        )
    meant = bool(_MEANT.match(see(heard.asked, heard.language).text[_cue_end(heard) :])) if heard.language else False
    fragment = len(phrases(found.right, heard.language)) <= 2 and not pattern(heard.language, "question").search(
        see(found.right, heard.language).text
    )
    if meant:
        return True
    return found.plain and fragment and bool(phrases(found.right, heard.language)) and _short(found.right,
    heard.language)


def _cue_end(heard: Heard) -> int:
    cue = pattern(heard.language, "takes_back").match(see(heard.asked, heard.language).text)
    return cue.end() if cue else 0


_MEANT = re.compile(
    r"(?:no,? )?(?:i (?:meant|mean|was asking about|was referring to|am referring to|am asking about|was talking about|am talking about)|what i (?:meant|mean))\b"
    r"|我(?:刚才|刚刚|之前)?(?:的意思是|是(?:说|指|问)|(?:说|指|问|讲)的是)"
    r"|(?:私が|さっき|先ほど)*(?:言った|聞いた|言いたかった|聞きたかった|質問した)(?:の|こと)は"
)


def _short(text: str, language: str) -> bool:
    return len(text.split()) <= 6 if language == "en" else len(text) <= 16


def said_before(text: str, thread: Thread, language: str) -> bool:
    key = see(text, language).text
    return any(key in see(f"{t.question}\n{t.standalone}\n{t.answer}", language).text for t in thread.said)


def _corrected(found: Correction, thread: Thread) -> Said | None:
    """The newest question that holds what was wrong; without it, the newest question."""
    asked = [t for t in reversed(thread.said) if t.phrases]
    if found.wrong:
        key = see(found.wrong, "und").text
        for turn in asked:
            if key in see(turn.standalone, "und").text:
                return turn
    return asked[0] if asked else None


_ONE = re.compile(r"^(?P<what>.+?)\s+(?:one|ones)$", re.I)


def _without_one(right: str, turn: Said, language: str) -> str:
    """"The Osaka one" is the Osaka office when the Kyoto office was asked about."""
    match = _ONE.match(right)
    if language == "en" and match:
        named = [p for p in turn.topics if " " in p.key]
        head = named[0].text.split(" ")[-1] if named else ""
        return f"{match['what']} {head}".strip()
    return re.sub(r"(?:那|這|这)?(?:個|个|家|間|间|種|种|款)$|の(?:方|ほう)$", "", right) or right


def _exchanged(turn: Said, wrong: str, right: str, language: str) -> tuple[str, tuple[str, ...]]:
    """The earlier question with ``right`` in the place of what was wrong."""
    seen = see(turn.standalone, language)
    key = see(wrong, language).text if wrong else ""
    if key and key in seen.text:
        at = seen.text.index(key)
        span = seen.folded.source(at, at + len(key))
        return turn.standalone[: span.start] + right + turn.standalone[span.end :], (wrong,)
    if key and see(right, language).text in seen.text:
        return turn.standalone, (wrong,)  # the question was right; it was the answer that spoke of something else
    swapped = swap(turn, right, language)
    gone = tuple(_difference(old, right, language) for old in swapped.replaced)
    return swapped.text, (*gone, *((wrong,) if wrong and wrong not in gone else ()))


def _difference(old: str, new: str, language: str) -> str:
    """Of Kyoto office, replaced by Osaka office, only Kyoto was wrong."""
    if language == "en":
        kept = new.casefold().split()
        words = [w for w in old.split() if w.casefold() not in kept]
        return " ".join(words) or old
    n = 0
    while n < min(len(old), len(new)) - 1 and old[-1 - n] == new[-1 - n]:
        n += 1
    return old[: len(old) - n] if n >= 2 and len(old) - n >= 2 else old


def _overlaps(text: str, gone: tuple[str, ...]) -> bool:
    return any(g and g in text for g in gone)


def _asked_anew(heard: Heard, found: Correction, turn: Said, right: str) -> Reading:
    """I meant: which series was the best? — the whole question is put again."""
    topic = [p for p in turn.topics if p.text not in right]
    own = [p for p in phrases(right, heard.language) if not p.attribute]
    carried = tuple(Carried(p.text, turn.seq, CORRECTION, 0.4) for p in topic)
    text = right
    if topic and not own:
        text = f"{topic[0].text} {right}" if heard.language == "en" else topic[0].text + right
    gone = (LeftBehind(found.wrong, turn.seq, RETRACTED),) if found.wrong else ()
    return Reading(Decision.CORRECTION, 0.75, text, (f"means: {right}",), carried, gone, ((turn.seq, 0.7),), right)


def _rest_about(right: str, rest: str, language: str) -> str:
    """不是台南，是台東，幾點開？ — the question that follows is about what is right."""
    if see(right, language).text in see(rest, language).text:
        return rest
    return f"{rest.rstrip('?.! ')} for {right}?" if language == "en" else f"{right}{'は' if language == 'ja' else ''}{rest}"


def _objection(heard: Heard, thread: Thread) -> Reading | None:
    """Only 不對, "that's wrong": what was asked is asked again, since nothing else is known to be meant."""
    cue = pattern(heard.language, "takes_back").fullmatch(see(heard.asked + " ", heard.language).text)
    last = next((t for t in reversed(thread.said) if t.phrases), None)
    if cue is None or last is None or not cue[0].strip():
        return None
    carried = tuple(Carried(p.text, last.seq, CORRECTION, 0.8) for p in last.phrases)
    return Reading(Decision.CORRECTION, 0.5, last.standalone, ("objects, and says no more",), carried, (), ((last.seq,
    1.0),), "")



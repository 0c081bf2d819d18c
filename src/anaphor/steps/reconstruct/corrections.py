"""Taking back: 不是 A，是 B · A じゃなくて B · scratch that, I meant B.

What was asked stays, the thing is exchanged, and what was taken back is not carried any further. A contrast inside a
question (不是本國人可以申請嗎, "why X, not Y?", 〜じゃない？) takes nothing back: it must have been said before, or the
cue be plain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.likeness import ENOUGH, likeness
from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.reading import CORRECTION, RETRACTED, Reading
from anaphor.steps.reconstruct.seen import Seen, pattern, patterns, see
from anaphor.steps.reconstruct.swapping import Swap, kept_of, swap
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind

LONGEST = 300  # characters: whoever says more says something else


@dataclass(frozen=True, slots=True)
class Correction:
    """``right`` stands for ``wrong`` (empty if it was not repeated); ``rest`` is what the utterance asks besides."""

    wrong: str
    right: str
    rest: str
    plain: bool  # said in so many words: scratch that, 說錯了


def correction(heard: Heard, thread: Thread) -> Reading | None:
    """The question as it would have been asked without the slip."""
    if len(heard.said) > LONGEST:
        return None
    said, asked = see(heard.said, heard.language), see(heard.asked, heard.language)
    if not pattern(heard.language, "may_correct").search(said.text):
        return None
    found = _found(said, heard.language, thread) or _found(asked, heard.language, thread)
    if found is None:
        return _objection(said, heard.language, thread)
    turn = _corrected(found, thread)
    if turn is None or _answers_no(found, said, heard.language, thread):
        return None
    elliptic = bool(_OF_THAT_SORT.search(said.text))
    right = _without_one(found.right, turn, heard.language)
    right = _of_that_sort(right, turn, heard.language) if elliptic else right
    if _asks(right, heard.language) and phrases(right, heard.language):
        return _asked_anew(heard, found, turn, right)
    rest = found.rest if found.rest and _asks(found.rest, heard.language) else ""
    if not rest and _says_all(right, turn, heard.language):
        return _put_anew(found, turn, right)
    text, gone = _exchanged(turn, found.wrong, right, heard.language)
    if rest:
        text = _rest_about(right, rest, heard.language)
    return Reading(
        decision=Decision.CORRECTION,
        confidence=0.93 if found.plain and gone else 0.88 if gone else 0.7,
        text=text,
        signals=(f"takes back: {', '.join(gone) or '?'}", f"means: {right}"),
        carried=kept_of(turn, Swap(text, gone), CORRECTION),
        left_behind=tuple(LeftBehind(text, turn.seq, RETRACTED) for text in gone),
        weigh=((turn.seq, 1.0),),
        own=f"{right} {rest}".strip(),
    )


def _asks(text: str, language: str) -> bool:
    return bool(pattern(language, "question").search(see(text, language).text))


def _found(seen: Seen, language: str, thread: Thread) -> Correction | None:
    """The first form that fits, read from after a cue, else from the start."""
    cue = pattern(language, "takes_back").match(seen.text)
    after_cue = cue.end() if cue else 0
    for start in dict.fromkeys((after_cue, 0)):
        for form in patterns(language, "corrections"):
            match = form.fullmatch(seen.text, start)
            if match is None:
                continue
            groups = match.groupdict()
            found = Correction(
                wrong=_named(seen.group(match, "wrong") if groups.get("wrong") else ""),
                right=_named(seen.group(match, "right")),
                rest=seen.group(match, "rest") if groups.get("rest") else "",
                plain=start > 0,
            )
            if _holds(found, seen.text, start, language, thread):
                return found
    return None


def _answers_no(found: Correction, said: Seen, language: str, thread: Thread) -> bool:
    """いえ、旅行です after ビジネス目的でしょうか？ — no is an answer then, and takes back nothing the person said."""
    last = thread.last
    if last is None or not last.last_sentences or not pattern(language, "says_no").match(said.text):
        return False
    asked = pattern(last.answer_language, "question").search(see(last.last_sentences[-1], last.answer_language).text)
    return bool(asked) and not (found.wrong and said_before(found.wrong, language, Thread((last,))))


def _named(text: str) -> str:
    text = _WHAT_IS_SAID_OF_IT.sub("", text.strip(" ,，。.!！?？「」"))
    text = re.sub(r"(?<=..)[啦喔哦耶吧]$", "", text)
    return re.sub(r"^(?:the|a|an|about|for|in|at) (?=\S)", "", text, flags=re.IGNORECASE)


_WHAT_IS_SAID_OF_IT = re.compile(  # 大会議室のことを聞いています
    "(?<=..)(?:の(?:こと|話|件|ほう|方))?(?:を|が|について)?"
    "(?:(?:聞|訊|尋ね|うかが|伺)(?:い|きたか?|いたか?)?(?:て(?:い)?(?:ます|る)|たい?|ました)|知りた(?:い|かった))"
    "(?:の|ん)?(?:です|でした)?(?:が|けど)?$|(?<=..)の(?:こと|話|件)$"
)


def _holds(found: Correction, text: str, start: int, language: str, thread: Thread) -> bool:
    """Whether something is really taken back: it was said before, or the person says so in so many words."""
    if not found.right or _NEGATED.match(found.right):
        return False
    if found.wrong:
        if _asks(text, language):
            return said_before(found.wrong, language, thread)
        return found.plain or said_before(found.wrong, language, thread) or _is_asked(found.right, language)
    if pattern(language, "meant").match(text, start):
        return True
    named = phrases(found.right, language)
    short = len(found.right.split()) <= 6 if language == "en" else len(found.right) <= 16
    return found.plain and short and 0 < len(named) <= 2 and not _asks(found.right, language)


def _is_asked(text: str, language: str) -> bool:
    """不是費用，是時間: what is named last is a thing one asks about, and no answer to anything."""
    return any(p.attribute for p in phrases(text, language)[-1:])


_NEGATED = re.compile(r"(?:not|no)\b|不是", re.IGNORECASE)


def said_before(text: str, language: str, thread: Thread) -> bool:
    """Whether an earlier turn has those words, in the question or in the answer."""
    key = see(text, language).text
    return any(key in see(f"{t.question}\n{t.standalone}\n{t.answer}", language).text for t in thread.said)


def _corrected(found: Correction, thread: Thread) -> Said | None:
    """The newest question that holds what was wrong; without it, the newest question."""
    asked = [t for t in reversed(thread.said) if t.phrases]
    key = see(found.wrong, "und").text
    holding = (t for t in asked if key and key in see(t.standalone, "und").text)
    return next(holding, asked[0] if asked else None)


_ONE = re.compile(r"^(?P<what>.+?)\s+ones?$", re.IGNORECASE)
_THAT_ONE = re.compile(r"(?:那|這|这)(?:個|个|家|間|间|種|种|款)$|の(?:方|ほう)$")


_OF_THAT_SORT = re.compile("(?:の(?:ほう|方|もの|やつ))(?![^、。]*では)")


def _of_that_sort(right: str, turn: Said, language: str) -> str:
    """陶器のほう, after ガラスのコップ: 陶器のコップ."""
    of = "の" if language == "ja" else "的"
    named = phrases(right, language)
    for before, after in zip(turn.topics, turn.topics[1:], strict=False):
        joined = turn.standalone[before.end : after.start] == of and len(named) == 1
        if joined and after.key not in named[0].key and likeness(named[0], after) < ENOUGH:
            return f"{right}{of}{after.text}"
    return right


def _without_one(right: str, turn: Said, language: str) -> str:
    """ "The Osaka one" is the Osaka office when the Kyoto office was asked about."""
    if language != "en":
        return _THAT_ONE.sub("", right) or right
    match = _ONE.match(right)
    if match is None:
        return right
    named = [p for p in turn.topics if " " in p.key]
    head = named[0].text.split(" ")[-1] if named else ""
    return f"{match['what']} {head}".strip()


def _says_all(right: str, turn: Said, language: str) -> bool:
    """金毛的理賠上限, the Birch plan's storage limit: of what, and what of it that was not asked before."""
    named = phrases(right, language)
    owner = next((p for p in named if p.owner and p.names_something), None)
    asked = next((p for p in named if owner and p is not owner and (p.attribute or p.start > owner.start)), None)
    if asked is None or asked.key in see(turn.standalone, language).text:
        return False
    return asked.attribute or not any(likeness(asked, old) >= ENOUGH for old in turn.phrases if not old.attribute)


def _put_anew(found: Correction, turn: Said, right: str) -> Reading:
    """What was meant is a question by itself; nothing of the one that was not meant is left in it."""
    gone = dict.fromkeys(p.text for p in turn.topics if p.names_something and p.text not in right)
    gone |= {found.wrong: None} if found.wrong else {}
    return Reading(
        decision=Decision.CORRECTION,
        confidence=0.93 if found.plain else 0.88,
        text=right,
        signals=(f"takes back: {', '.join(gone) or '?'}", f"means: {right}"),
        left_behind=tuple(LeftBehind(text, turn.seq, RETRACTED) for text in gone),
    )


def _exchanged(turn: Said, wrong: str, right: str, language: str) -> tuple[str, tuple[str, ...]]:
    """The earlier question with ``right`` in the place of what was wrong, and what had to go."""
    seen = see(turn.standalone, language)
    key = see(wrong, language).text
    if key and (at := _stands(key, seen.text)) is not None:
        start, end = at
        span = seen.folded.source(start, end)
        after = turn.standalone[span.end :]
        more = seen.text[start + len(key) : end]  # the plural of what was wrong
        right += more if more and right.islower() else ""
        if language == "en" and right[:1].isupper():
            before = turn.standalone[: span.start]
            return re.sub(r"\b[Tt]he $", "", before) + right + after, (wrong,)
        said_twice = next((n for n in range(min(len(right), len(after)), 1, -1) if after.startswith(right[-n:])), 0)
        return turn.standalone[: span.start] + right + after[said_twice:], (wrong,)
    if key and see(right, language).text in seen.text:
        return turn.standalone, (wrong,)  # the question was right; it was the answer that spoke of something else
    swapped = swap(turn, right, language)
    gone = dict.fromkeys(_difference(old, right, language) for old in swapped.replaced)
    return swapped.text, (*gone, *((wrong,) if wrong and wrong not in gone else ()))


def _stands(key: str, text: str) -> tuple[int, int] | None:
    """Where the words stand; in a script with spaces not inside another word, but for its plural."""
    ascii_ = key.isascii()
    found = re.search(rf"(?<![a-z0-9]){re.escape(key)}(?:e?s)?(?![a-z0-9])" if ascii_ else re.escape(key), text)
    return found.span() if found else None


def _difference(old: str, new: str, language: str) -> str:
    """Of Kyoto office, replaced by Osaka office, only Kyoto was wrong."""
    if language == "en":
        kept = new.casefold().split()
        return " ".join(w for w in old.split() if w.casefold() not in kept) or old
    n = 0
    while n < min(len(old), len(new)) - 1 and old[-1 - n] == new[-1 - n]:
        n += 1
    return old[: len(old) - n] if n >= 2 and len(old) - n >= 2 else old


def _asked_anew(heard: Heard, found: Correction, turn: Said, right: str) -> Reading:
    """I meant: which series was the best? — the whole question is put again."""
    beside = [p for p in turn.topics if p.text not in right]
    own = [p for p in phrases(right, heard.language) if not p.attribute]
    text = right
    if beside and not own:
        text = f"{beside[0].text} {right}" if heard.language == "en" else beside[0].text + right
    return Reading(
        decision=Decision.CORRECTION,
        confidence=0.75,
        text=text,
        signals=(f"means: {right}",),
        carried=tuple(Carried(p.text, turn.seq, CORRECTION, 0.4) for p in beside),
        left_behind=(LeftBehind(found.wrong, turn.seq, RETRACTED),) if found.wrong else (),
        weigh=((turn.seq, 0.7),),
        own=right,
    )


def _rest_about(right: str, rest: str, language: str) -> str:
    """不是台南，是台東，幾點開？ — the question that follows is about what is right."""
    if see(right, language).text in see(rest, language).text:
        return rest
    if language == "en":
        return f"{rest.rstrip('?.! ')} for {right}?"
    return f"{right}{'は' if language == 'ja' else ''}{rest}"


def _objection(seen: Seen, language: str, thread: Thread) -> Reading | None:
    """Only 不對, "that's wrong": what was asked is asked again, since nothing else is known to be meant."""
    cue = pattern(language, "takes_back").fullmatch(seen.text + ".") or pattern(language, "takes_back").fullmatch(
        seen.text
    )
    last = thread.latest
    if cue is None or last is None or not cue[0].strip(" ."):
        return None
    carried = tuple(Carried(p.text, last.seq, CORRECTION, 0.8) for p in last.phrases)
    signals = ("objects, and says no more",)
    return Reading(Decision.CORRECTION, 0.5, last.standalone, signals, carried, (), ((last.seq, 1.0),), "")

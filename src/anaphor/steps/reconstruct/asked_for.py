"""Whom a question asked for, which its answer named, and whom the person spoke of as theirs: who may be meant next."""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.persons import may_be_somebody
from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Mention, Said, Thread
from anaphor.text.fold import matching


def asked_name(thread: Thread) -> str | None:
    """Who wrote it? — Frank Herbert. That name is then what is talked about."""
    last = thread.last
    if last is None or not last.answer:
        return None
    asked = matching(last.standalone, last.language)
    if not pattern(last.language, "asks_for").search(asked):
        return None
    known = [p.key for p in last.phrases]
    new = [p for p in last.answer_phrases if p.names_something and not any(p.key in key for key in known)]
    if pattern(last.language, "asks_who").search(asked) and (somebody := [p for p in new if may_be_somebody(p)]):
        new = somebody
    new = new[:NEW_AT_MOST]
    marker = _MARKER.search(last.standalone)
    marked = (p for p in new if marker and last.answer[: p.start].endswith(marker[0]))
    beside = sorted(new, key=lambda p: -_said_beside(p, last))  # of several, the one of whom that is said
    return next((p.key for p in (*marked, *beside)), None)


NEW_AT_MOST = 6  # names of an answer that may be what was asked for


def _said_beside(name: Phrase, turn: Said) -> int:
    """How much of the question the clause with the name says again."""
    start = max((m.end() for m in _CLAUSE_ENDS.finditer(turn.answer, 0, name.start)), default=0)
    end = _CLAUSE_ENDS.search(turn.answer, name.end)
    clause = matching(turn.answer[start : end.start() if end else len(turn.answer)], turn.answer_language)
    return sum(phrase.key in clause for phrase in turn.phrases)


_CLAUSE_ENDS = re.compile(r"[,，;；。、:：\n]|\.\s|\b(?:and|while|but)\b")
_MARKER = re.compile("[由被归歸](?=[谁誰哪])")  # 由誰主持 — … 由館員童雪主持


def asked_who(thread: Thread) -> str:
    """Who designed it? — Ito Kenji. That is a person, however it is written; empty if no person was asked for."""
    last, named = thread.last, asked_name(thread)
    if last is None or not pattern(last.language, "asks_who").search(matching(last.standalone, last.language)):
        return ""
    phrase = next((p for p in last.answer_phrases if p.key == named), None)
    if phrase is None or phrase.kind not in ("", "person"):
        return ""
    return phrase.text if not phrase.text.isascii() or phrase.kind or may_be_named(phrase) else ""


def may_be_named(phrase: Phrase) -> bool:
    """Two or three capitalised words that are no place and no organisation may be somebody's name."""
    words = phrase.text.split(" ")
    return (
        phrase.named
        and not phrase.kind
        and 2 <= len(words) <= 3
        and all(
            w[:1].isupper() and w.isalpha() and not w.isupper() and w.casefold() not in table("en").organisations
            for w in words
        )
    )


# -- of the person's own ---------------------------------------------------------------------------------------------

_FAMILY = (
    "女儿|儿子|太太|老婆|老公|爸爸|妈妈|父亲|母亲|妻子|丈夫|奶奶|爷爷|外婆|外公|哥哥|弟弟|姐姐|妹妹"
    "|娘|息子|妻|夫|父|母|兄|弟|姉|妹|祖母|祖父"
)
_SHE_IS = re.compile("女儿|太太|老婆|妈妈|母亲|妻子?|奶奶|外婆|姐姐|妹妹|娘|母|姉|妹|祖母")
_MINE = re.compile(
    f"(?:我(?:的)?|^|[、。,])(?P<who>{_FAMILY})(?=[今已才有会要想在是也的はがもの0-9一二三四五六七八九十,，])"
)


def relative(thread: Thread, said: str) -> Mention | None:
    """我女兒九歲。 … 她能玩嗎？ — whom the person spoke of as theirs, if nobody else has been named since."""
    for turn in reversed(thread.said):
        for phrase in turn.phrases:
            who = re.match(_FAMILY, phrase.key)
            mine = who and _MINE.search(matching(turn.question, turn.language))
            if who and mine and bool(_SHE_IS.match(who[0])) == (said[:1] == "她" or said.startswith("彼女")):
                cut = replace(phrase, text=phrase.text[: who.end()], end=phrase.start + who.end(), key=who[0])
                return Mention(cut, turn.seq, "question", 1.0, turn.standalone)
        if any(may_be_somebody(p) for p in (*turn.topics, *turn.answer_phrases)):
            return None
    return None

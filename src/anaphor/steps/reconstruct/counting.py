"""The second one, 後者, 2番目: the item of the list takes the place of the words that count."""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.likeness import ENOUGH, likeness
from anaphor.steps.reconstruct.lists import Listed, Ordinal, chosen, listed, ordinals, pair
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.phrasing import Edit, edited
from anaphor.steps.reconstruct.reading import ORDINAL, OTHER_ITEM, Reading
from anaphor.steps.reconstruct.references import one_of_two
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.slots import slot_of
from anaphor.steps.reconstruct.subject import is_established, is_thing
from anaphor.steps.reconstruct.swapping import swap
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.text.fold import matching
from anaphor.types import Carried, Decision, LeftBehind


def counted(heard: Heard, thread: Thread) -> Reading | None:
    """Every ordinal of the utterance replaced by its item; an ordinal alone takes up the last question."""
    counted_ = [
        o for o in ordinals(heard.seen, heard.language) if not (o.other and one_of_two(heard.seen.text[: o.start]))
    ]
    picked = [(o, p) for o in counted_ if (p := chosen(o, thread, heard.language))]
    picked = [(o, p) for o, p in picked if not _counts_something_else(o, heard, p[1])]
    if not picked:
        return _past_the_end(heard, thread)
    item, source = picked[0][1]
    text = edited(heard, [Edit(o.start, o.end, i) for o, (i, _) in picked])
    own = edited(heard, [Edit(o.start, o.end, " ") for o, _ in picked])
    last = thread.latest
    if last is not None and len(picked) == 1 and _is_bare(own, heard):
        text, own = _asked_again(item, source, last, heard.language), ""
    others = [i for i in source.items if not any(i == taken or i in taken for _, (taken, _) in picked)]
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.93,
        text=text,
        signals=tuple(f"counts along a list: {heard.seen.verbatim(o.start, o.end)}" for o, _ in picked),
        carried=tuple(Carried(one, s.seq, ORDINAL, 1.0) for _, (i, s) in picked for one in _one_by_one(i, s)),
        left_behind=tuple(LeftBehind(i, source.seq, OTHER_ITEM) for i in others),
        weigh=((last.seq if last else source.seq, 0.2),),
        own=own,
    )


def which_of_them(heard: Heard, thread: Thread) -> Reading | None:
    """Which is cheaper?, 哪個比較划算？, どちらが安い？ — of the things that were just named side by side."""
    last = thread.last
    asked = pattern(heard.language, "which_of_them").match(heard.seen.text)
    if last is None or asked is None or any(p.named for p in heard.topics):
        return None
    found = side_by_side(thread, heard)
    if found is None or len(found.items) > SEVERAL_AT_MOST:
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.85,
        text=_of_them(heard, found.items),
        signals=(f"which of them: {asked[0]}",),
        carried=tuple(Carried(i, found.seq, ORDINAL, 1.0) for i in found.items),
        weigh=((last.seq, 0.2),),
        own=heard.bare,
    )


def _one_by_one(taken: str, source: Listed) -> tuple[str, ...]:
    """The first two are two."""
    return tuple(i for i in source.items if i in taken) or (taken,)


def side_by_side(thread: Thread, heard: Heard) -> Listed | None:
    """What the last question named together; or one after the other was asked about; or the last answer named."""
    last = thread.said[-1]
    asked = Thread((replace(last, answer=""),))
    found = pair(asked) or listed(asked)
    compares = pattern(heard.language, "compares_them").search(heard.seen.text)
    if found is None and compares and (items := _one_after_the_other(thread, heard)):
        found = Listed(items, last.seq)
    return found or pair(Thread((last,))) or listed(Thread((last,)))


_TWO_OF_THEM = re.compile(r"[这那](?:两|二)|\b(?:the|those|these) two\b|[こそ]の(?:二|2|ふた)つ")


def _one_after_the_other(thread: Thread, heard: Heard) -> tuple[str, ...]:
    """海景雙人房一晚多少錢 … 山景四人房呢: things of one sort, each the topic of a question of its own."""
    last, two = thread.said[-1], bool(_TWO_OF_THEM.search(heard.seen.text))
    for now in filter(is_thing, last.topics):
        found = [now.text]
        for turn in reversed(thread.said[:-1]):
            for old in turn.topics:
                known = old.key in matching(last.standalone, last.language) or old.text in found
                if known or not is_thing(old) or not _is_own(old, turn):
                    continue
                if _alike(old, now) or (two and is_established(old, thread)):
                    if two:
                        return (old.text, now.text)
                    found.insert(0, old.text)
        if len(found) > 1:
            return tuple(found)
    return ()


def _is_own(phrase: Phrase, turn: Said) -> bool:
    """The person said it, or at least a part of it."""
    return phrase.text in turn.question or any(p.key in phrase.key for p in phrases(turn.question, turn.language))


def _alike(old: Phrase, new: Phrase) -> bool:
    return max(likeness(old, new), likeness(new, old)) >= ENOUGH and not (old.attribute or new.attribute)


SEVERAL_AT_MOST = 6
_THE_TWO = re.compile(
    "^(?:这|那|其中|這)?(?:[两兩二](?:者|[个個款种種间間家座台部条條位支把])[^哪,，]{0,3}?)?(?:之间|之間|里面|裡面|当中|當中|里|裡|中)?[,，]?(?=哪|何|谁|誰|$)"
)


def _of_them(heard: Heard, items: tuple[str, ...]) -> str:
    """Where they are named: before the question, in English after it."""
    said = heard.bare
    if heard.language == "en":
        return f"{said.rstrip('?.! ')}, {', '.join(items[:-1])} or {items[-1]}?"
    if heard.language == "ja":
        return f"{'と'.join(items)}では{said}"
    return "、".join(items[:-1]) + "和" + items[-1] + _THE_TWO.sub("", said)


def _past_the_end(heard: Heard, thread: Thread) -> Reading | None:
    """第四個呢？ of a list of three, or of none: nothing is made up."""
    found, source = ordinals(heard.seen, heard.language), listed(thread)
    here = len(source.items) if source else 0
    if len(found) != 1 or found[0].index > FAR or (source and abs(found[0].index) < here):
        return None
    if not _is_bare(edited(heard, [Edit(found[0].start, found[0].end, " ")]), heard):
        return None
    return Reading(Decision.STANDALONE, 0.5, heard.asked, (f"counts past the end of {here} items",))


FAR = 9


def _is_bare(rest: str, heard: Heard) -> bool:
    """Nothing but the ordinal: 第二種呢？ but not 二番目の料金は？"""
    return not any(map(str.isalnum, rest)) or (bool(slot_of(heard)) and not phrases(rest, heard.language))


def _counts_something_else(found: Ordinal, heard: Heard, source: Listed) -> bool:
    """第一條鐵路, the second world war: a noun follows that the list is not about."""
    span = heard.seen.folded.source(found.start, found.end)
    at = span.end
    if any(p.start < span.start and at < p.end for p in heard.phrases):
        return not any(heard.bare[at : at + 2] in item for item in source.items)
    follows = next((p for p in heard.phrases if at <= p.start <= at + (heard.language == "en")), None)
    if follows is None or follows.attribute or follows.verbal or follows.kind in ("number", "time"):
        return False
    return not any(follows.text in item for item in source.items)


def _asked_again(item: str, source: Listed, last: Said, language: str) -> str:
    """The last question, of this item: in place of another one, of the pair itself, or of what is most like it."""
    question = last.standalone
    here = [i for i in source.items if i in question]
    if len(here) > 1:
        start = question.index(here[0])
        end = question.index(here[-1], start) + len(here[-1])
        return question[:start] + item + question[end:]
    if here:
        return question.replace(here[0], item, 1)
    if last.seq == source.seq:
        return item  # what the list was asked with is answered
    return swap(last, item, language).text

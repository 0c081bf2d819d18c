"""One thing in another's place: 那自強號呢？, what about refunds?, 大阪は？

For a correction, B is put in this way where A was said.
"""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.enough import is_of_houses
from anaphor.steps.reconstruct.heard import Heard, untied
from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.phrasing import Edit, about, edited
from anaphor.steps.reconstruct.reading import REPLACED, SLOT, Reading
from anaphor.steps.reconstruct.references import references
from anaphor.steps.reconstruct.seen import pattern, patterns, see
from anaphor.steps.reconstruct.swapping import Swap, fitted, kept_of, parts_of, swap
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Decision, LeftBehind


def frame(heard: Heard, thread: Thread) -> Reading | None:
    """An utterance that only names the new thing: the question is the previous one."""
    last = thread.latest
    slot = slot_of(heard)
    if last is None or not slot:
        return _named_first(heard, thread)
    swapped = (
        _likewise_of(last, slot, heard)
        or _another_action(last, slot)
        or _asked_likewise(last, slot, heard)
        or _marked_alike(last, slot, heard)
        or _contrasted(last, slot)
    )
    swapped = swapped or swap(last, slot, heard.language)
    if _says_all(slot, last, heard.language):
        return None
    if not swapped.replaced and is_of_houses(slot, heard.language) and kind(slot) != "group":
        return None  # 定休日は？ after who the owner is
    if not swapped.replaced and len(phrases(slot, heard.language)) > 1:
        return None  # 首都リスボンの緯度は？ says all that is asked
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.92 if swapped.replaced else 0.82,
        text=swapped.text,
        signals=(f"ellipsis: {heard.asked}",),
        carried=kept_of(last, swapped, SLOT),
        left_behind=tuple(LeftBehind(text, last.seq, REPLACED) for text in swapped.replaced),
        weigh=((last.seq, 1.0),),
        own=slot,
    )


LONG_SLOT = 10  # characters


def _says_all(slot: str, last: Said, language: str) -> bool:
    """オランダの憲法上の首都は？ — of what, and what of it, and nothing that the last question had."""
    named = phrases(slot, language)
    if language == "en" or len(named) < 2 or len(slot) < LONG_SLOT or not named[-1].attribute:
        return False
    known = {p.key for p in last.phrases}
    return any(p.owner for p in named[:-1]) and not known & {p.key for p in named}


_LIKEWISE = re.compile(r"也|一样|同じ|同様|\b(?:too|also|same|as well)\b")


def _likewise_of(turn: Said, slot: str, heard: Heard) -> Swap | None:
    """電池也一樣嗎？ after 吸塵器保固多久: of that part the same is asked, and not the part itself."""
    new, asked = phrases(slot, heard.language), next((p for p in turn.phrases if p.attribute), None)
    if heard.language == "en" or not _LIKEWISE.search(heard.seen.text) or len(new) != 1 or not new[0].attribute:
        return None
    if asked is None or asked.key == new[0].key:
        return Swap(slot + ("、" if heard.language == "ja" else "") + turn.standalone)
    at = asked.start
    return Swap(turn.standalone[:at] + slot + table(heard.language).of + turn.standalone[at:])


_HELPING = re.compile(r"(?:(?:and|but|so)[, ]+)?(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have) ")


def _asked_likewise(turn: Said, slot: str, heard: Heard) -> Swap | None:
    """Can cats? after "Can dogs eat grapes?": what is named stands where the subject stood."""
    likewise = heard.language == "en" and _HELPING.match(heard.seen.text) and _HELPING.match(turn.standalone.casefold())
    if not likewise or not turn.phrases:
        return None
    old, the = turn.phrases[0], re.match(r"(?:the|an?|my|your) ", slot)
    before = turn.standalone[: old.start]
    before = re.sub(r"(?:the|an?|my|your) $", "", before, flags=re.IGNORECASE) if the else before
    new = slot if the else fitted(Phrase(slot, 0, len(slot), slot.casefold(), named=old.named), old)
    return Swap(before + new + turn.standalone[old.end :], (old.text,))


_ACTION = re.compile(r"\b(?:do|can|could|should|to|did) (?:i|we|you|one)? ?([a-z]+)", re.IGNORECASE)


def _another_action(turn: Said, slot: str) -> Swap | None:
    """And pausing? after "How do I cancel my membership?": another thing to do with it."""
    verbs, said = table("en").verbs, slot.casefold()
    old = _ACTION.search(turn.standalone)
    if not said.endswith("ing") or said not in verbs or old is None or old[1].casefold() not in verbs:
        return None
    bases = (said[:-3] + "e", said[:-3], said[:-4])
    new = next((base for base in bases if base in verbs), said)
    return Swap(turn.standalone[: old.start(1)] + new + turn.standalone[old.end(1) :], (old[1],))


_MARKERS = re.compile("[到往去從从由在對对給给用搭坐]")
_PREPOSITION = re.compile(r"\b(from|to|in|on|at|with|by) (?:the |an? )?$")


def _marked_alike(turn: Said, slot: str, heard: Heard) -> Swap | None:
    """到台中呢？ stands where 到高雄 stood, "from Nara?" where "from Osaka" did."""
    if heard.language == "en":
        before = heard.seen.text[: heard.seen.text.rfind(slot.casefold())]
        marker, new = _PREPOSITION.search(before), slot
        wanted = re.compile(rf"\b{marker[1]} (?:the |an? )?$") if marker else None
    else:
        marker, new = _MARKERS.match(slot), slot[1:]
        wanted = re.compile(f"{marker[0]}$") if marker else None
    old = next((p for p in turn.phrases if wanted and wanted.search(turn.standalone[: p.start].casefold())), None)
    if old is None or not new:
        return None
    place = next(parts_of(old, Phrase(new, 0, len(new), new.casefold(), kind(new.casefold()))))
    sorts = {kind(new.casefold()), place.kind} - {""}
    if len(sorts) > 1 or "group" in sorts:
        return None
    return Swap(turn.standalone[: place.start] + new + turn.standalone[place.end :], (place.text,))


def _contrasted(turn: Said, slot: str) -> Swap | None:
    """那不含蛋的呢？ after 不含堅果, 那能帶的呢？ after 不能帶: the same words but one, or without the negation."""
    said = slot.removesuffix("的")
    if slot.isascii() or not said or (said == slot and len(slot) < 3):
        return None
    for negation in ("不", "沒", "没"):
        if negation + said in turn.standalone:
            return Swap(turn.standalone.replace(negation + said, said, 1), (negation + said,))
    for size in range(len(said) - 1, 1, -1):
        at = turn.standalone.find(said[:size])
        old = next((p for p in turn.phrases if at >= 0 and p.start == at + size), None)
        if old is not None:
            text = turn.standalone[: old.start] + said[size:] + turn.standalone[old.end :]
            return Swap(text, (old.text,))
    return None


def _named_first(heard: Heard, thread: Thread) -> Reading | None:
    """那 G5 呢，保固多久？ — the new thing, and then a question about it."""
    last = thread.latest
    seen = see(heard.asked, heard.language)
    cut = (_FIRST_IN_ENGLISH if heard.language == "en" else _FIRST_CLAUSE).search(seen.text)
    if last is None or cut is None or not 0 < cut.end() < len(seen.text):
        return None
    first, rest = seen.verbatim(0, cut.start() + 1).rstrip("，,、 "), seen.verbatim(cut.end(), len(seen.text))
    named = slot_of(replace(heard, asked=first, bare=first))
    if re.search(rf"\bthe {re.escape(named.casefold())}$", first.casefold()):
        named = f"the {named}"
    if not named or not pattern(heard.language, "question").search(see(rest, heard.language).text):
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.85,
        text=_of_the_named(replace(heard, asked=rest.strip(), bare=rest.strip()), named),
        signals=(f"names first: {named}",),
        left_behind=tuple(LeftBehind(p.text, last.seq, REPLACED) for p in last.topics if p.text not in named),
    )


def _of_the_named(heard: Heard, named: str) -> str:
    """那黑喵呢？它的等待期多久？ — what points back in the question points at what was named first."""
    found = references(heard.seen, heard.language)
    if not found or found[0].kind not in ("things", "owners", "persons", "places"):
        return about(heard, named)
    owning = table(heard.language).of if found[0].kind == "owners" and heard.language != "en" else ""
    owning = "" if heard.seen.text.startswith(owning, found[0].end) else owning
    return edited(heard, [Edit(found[0].start, found[0].end, named + owning)])


_FIRST_CLAUSE = re.compile(
    "(?<=[呢咧?])[,、? ]+(?=.)|(?<=は)[?？] ?(?=.)|(?<=[呢咧])(?=多|几|怎|什么|哪|谁|有没|能|可以)"
)
_FIRST_IN_ENGLISH = re.compile(r"[,?] (?=(?:who|what|when|where|how|why|which|is|are|does|do|did|can|was|were|will)\b)")


def slot_of(heard: Heard) -> str:
    """The new thing in an elliptic utterance; empty if the utterance is more than that."""
    for seen in (see(heard.asked, heard.language), heard.seen):
        for form in patterns(heard.language, "frames"):
            match = form.fullmatch(seen.text.strip())
            if match and (slot := seen.group(match, "slot")) and _only_names(slot, heard.language):
                return slot
    return ""


_CLAUSE_WORDS = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|how|what|why|i|you|it|they|he|she|them|that"
    r"|this|there|not|if|when|theyre|theyve|youre|its|dont|cant|isnt|arent|whats|wheres|hows)\b"
)
_PIECE = re.compile(r"(?:any|some|more|other|another|best|worst|cheapest|fastest|nearest|closest)\b")
_NO_NAME = re.compile("我|你|您|然后|所以|现在|以后|之后|什么|あなた|今|結構|大丈夫")


def _only_names(slot: str, language: str) -> bool:
    """A slot holds a name, asks nothing and points at nothing."""
    seen = see(slot, language)
    asks = pattern(language, "question").search(see(untied(slot, language)[1], language).text)
    if asks or references(seen, language) or _NO_NAME.fullmatch(seen.text):
        return False
    if language == "en":
        if _PIECE.match(seen.text):
            return False  # any toilets? is a piece of a question
        return len(slot.split()) <= 6 and not _CLAUSE_WORDS.search(seen.text)
    named = phrases(slot, language)
    if len(named) > 3 or (language == "ja" and _SAYS_MORE.search(seen.text)):
        return False
    return bool(named) or len(slot) <= 6


_SAYS_MORE = re.compile(
    "[をにが]|[いるたてで](?=[^の])|(?:ある|いる|ない|なる|する|つく|[きけせてねべめれえ]る|です|ます)$"
)

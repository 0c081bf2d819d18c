"""Put what is meant in place of what points at it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from anaphor.steps.reconstruct.antecedents import antecedent, is_clear
from anaphor.steps.reconstruct.entities import pronoun_class
from anaphor.steps.reconstruct.heard import Heard, hear
from anaphor.steps.reconstruct.phrasing import Edit, edited
from anaphor.steps.reconstruct.reading import PRONOUN, REPLACED, TOPIC, Reading
from anaphor.steps.reconstruct.references import Reference, from_outside, references
from anaphor.steps.reconstruct.slots import frame
from anaphor.steps.reconstruct.speech import offered_thing
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Mention, Thread
from anaphor.types import Carried, Decision, LeftBehind

SURE, LIKELY, UNRESOLVED = 0.9, 0.7, 0.5


def pointing(heard: Heard, thread: Thread) -> Reading | None:
    """Put what is meant in place of what points at it."""
    if not thread.said:
        return None
    found = from_outside(references(heard.seen, heard.language), heard)
    if found and (reading := _offered(found[0], heard, thread)):
        return reading
    meant = list(_meant(found, heard, thread))
    meant += [] if meant else definite(heard, thread)
    if not meant:
        return _unresolved(found, heard, thread) if found else None
    first, mention = meant[0]
    if heard.language == "en" and (event := _event(first, heard, thread)):
        return event
    edits, named = [], set()
    for reference, antecedent_ in meant:
        key = antecedent_.phrase.key
        if not (key in named and reference.text in _OWNING):  # "Boise got its name" needs it named once
            edits.append(Edit(reference.start, reference.end, _of(reference, antecedent_, heard, thread)))
        named.add(key)
    carried = {m.phrase.key: Carried(m.phrase.text, m.seq, PRONOUN, 1.0) for _, m in meant}
    if first.kind == "alternatives" and (asked := frame(hear(edited(heard, edits), (heard.text,)), thread)):
        return replace(asked, carried=(*carried.values(), *asked.carried), signals=(f"{first.kind}: {first.text}",))
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=SURE if is_clear(first, mention, thread) else LIKELY,
        text=edited(heard, edits),
        signals=tuple(f"{r.kind}: {r.text}" for r, _ in meant),
        carried=tuple(carried.values()),
        left_behind=_passed_over(first, mention, thread),
        weigh=() if first.kind == "alternatives" or any(p.named for p in heard.topics) else ((mention.seq, 1.0),),
        own=edited(heard, [replace(e, text=" ") for e in edits]),
    )


def _of(reference: Reference, meant: Mention, heard: Heard, thread: Thread) -> str:
    """那個濾芯多久換一次？ — the filter of what was talked about, if it was a part of that in the answer."""
    last, head = thread.last, reference.head
    parts = {p.key for p in last.answer_phrases} if last and reference.kind == "demonstratives" else set()
    if heard.language == "en" or head not in parts or head in meant.phrase.key:
        return written(reference, meant.text, heard)
    of = table(heard.language).of
    return meant.text + of + heard.seen.verbatim(reference.end - len(head), reference.end)


def _meant(found: list[Reference], heard: Heard, thread: Thread) -> Iterator[tuple[Reference, Mention]]:
    """What each means. He and that are not the same: what one of them means, one of another sort does not."""
    sorts: dict[str, str] = {}
    for reference in found:
        sort = pronoun_class(reference.kind, reference.text)
        taken = frozenset(key for key, other in sorts.items() if other != sort)
        if mention := antecedent(reference, heard, thread, taken):
            sorts[mention.phrase.key] = sort
            yield reference, mention


def _offered(first: Reference, heard: Heard, thread: Thread) -> Reading | None:
    """せっかくなので、それでお願いします: what was offered just now, if nothing is asked."""
    offered = offered_thing(thread) if heard.language == "ja" and not heard.is_question else None
    if offered is None or first.kind not in ("things", "places", "alternatives"):
        return None
    turn, thing = offered
    edit = Edit(first.start, first.end, thing)
    carried = (Carried(thing, turn.seq, PRONOUN, 1.0),)
    signals = (f"what was offered: {first.text}",)
    own = edited(heard, [replace(edit, text=" ")])
    return Reading(Decision.FOLLOW_UP, LIKELY, edited(heard, [edit]), signals, carried, own=own)


_HOW_TO = re.compile(r"(?:how (?:do|can|should|would|could)|can|could|should|may|what happens if) (?:i|we|you|one)\b")


def _event(first: Reference, heard: Heard, thread: Thread) -> Reading | None:
    """How do I reset my router? Will that delete my settings? — "that" is to do so: both are asked."""
    last = thread.last
    if last is None or first.text not in ("that", "this") or not _HOW_TO.match(last.standalone.casefold()):
        return None
    carried = tuple(Carried(p.text, last.seq, PRONOUN, 0.8) for p in last.phrases)
    text = f"{last.standalone.strip()} {heard.asked}"
    signals = (f"what was asked about: {first.text}",)
    return Reading(Decision.FOLLOW_UP, LIKELY, text, signals, carried, weigh=((last.seq, 2.0),), own=heard.bare)


def definite(heard: Heard, thread: Thread) -> list[tuple[Reference, Mention]]:
    """How long is the permit valid? — the parking permit, if that was asked about."""
    if heard.language != "en":
        return []
    if "the " not in heard.seen.text:
        return []
    asked = [m for m in thread.mentions() if m.said_in == "question" and " " in m.phrase.key]
    found = []
    for phrase in heard.phrases:
        start = phrase.start - len("the ")
        longer = next((m for m in asked if _is_longer(m.phrase.key, phrase.key)), None)
        if start < 0 or heard.bare[start : phrase.start].casefold() != "the ":
            continue
        if heard.bare[phrase.end :].startswith(" of "):
            continue  # the side effects of long use
        alone = not any(p.named for p in heard.topics) and phrase.key == heard.topics[0].key if heard.topics else False
        if longer is None and alone and phrase.key in table("en").sorts:
            longer = _named_so(phrase.key, heard, thread)
        if longer:
            found.append((Reference("definites", start, phrase.end, heard.bare[start : phrase.end]), longer))
    return found


def _is_longer(key: str, head: str) -> bool:
    """The parking permit is a permit; the first band says no more than the band does."""
    more = key.removesuffix(f" {head}")
    return more != key and not all(w in table("en").adjectives for w in more.split(" "))


def _named_so(head: str, heard: Heard, thread: Thread) -> Mention | None:
    """The company: a name that was asked about and may be called so."""
    mention = antecedent(Reference("demonstratives", 0, 0, f"the {head}", head), heard, thread)
    return mention if mention and mention.phrase.named else None


def _unresolved(found: list[Reference], heard: Heard, thread: Thread) -> Reading | None:
    """It points at something that is not found: what was talked about is weighed, the sentence left as it is."""
    last = thread.last
    if last is None or not last.topics or (found[0].kind == "demonstratives" and heard.topics):
        return None
    signals = tuple(f"{r.kind}, unresolved: {r.text}" for r in found)
    carried = tuple(Carried(p.text, last.seq, TOPIC, 0.5) for p in last.topics)
    return Reading(Decision.FOLLOW_UP, UNRESOLVED, heard.asked, signals, carried, weigh=((last.seq, 1.0),))


def _passed_over(reference: Reference, mention: Mention, thread: Thread) -> tuple[LeftBehind, ...]:
    if reference.kind != "alternatives" or thread.last is None:
        return ()
    others = (p for p in thread.last.topics if p.key != mention.phrase.key)
    return tuple(LeftBehind(p.text, thread.last.seq, REPLACED) for p in others)


# -- how it is written -------------------------------------------------------------------------------------------------

_CONTRACTED = {
    "theyre": " are",
    "theyve": " have",
    "theyll": " will",
    "theyd": " would",
    "itll": " will",
    "itd": " would",
    "'s": " is",
    "'re": " are",
    "'ll": " will",
    "'d": " would",
    "'ve": " have",
}
_OWNING = frozenset(("its", "their", "theirs", "his", "hers", "whose"))
_MOVING = re.compile("[在到去从離离]")


def written(reference: Reference, name: str, heard: Heard) -> str:
    """The antecedent in the form its place asks for: its → X's, 其 → X的, それって → Xは, その首都 → Xの首都."""
    said = reference.text
    if heard.language == "en":
        return _written_in_english(reference, name, heard.seen.text)
    if (
        reference.kind == "owners"
        and heard.language == "ja"
        and heard.seen.text[reference.end : reference.end + 1] == "の"
    ):
        return name
    if reference.kind == "owners":
        return name + ("中" if said == "其中" else table(heard.language).of)
    if heard.language == "ja" and said.endswith("って"):
        return name + "は"
    if _ITS.match(said) and reference.head not in table("ja").sorts and reference.head not in name:
        return f"{name}の{heard.seen.verbatim(reference.end - len(reference.head), reference.end)}"
    if reference.kind == "places" and _MOVING.match(said):
        return heard.seen.verbatim(reference.start, reference.start + 1) + name
    if reference.kind == "demonstratives" and (inside := _INSIDE.search(said)):
        return name + heard.seen.verbatim(reference.end - len(inside[0]), reference.end)
    return name


_ITS = re.compile("その|この|そちらの|こちらの")
_INSIDE = re.compile("(?<=..)(?:境内|内)$")


def _written_in_english(reference: Reference, name: str, text: str) -> str:
    said = reference.text
    if said in _OWNING or (said == "her" and _noun_follows(text, reference.end)):
        return f"{name}'" if name.endswith("s") else f"{name}'s"
    verb = next((verb for ending, verb in _CONTRACTED.items() if said.endswith(ending)), "")
    if verb:
        return name + verb
    return f"in {name}" if said == "there" else name


def _noun_follows(text: str, at: int) -> bool:
    word = re.match(r" ([a-z']+)", text[at:])
    return word is not None and word[1] not in table("en").grammar

"""What a sentence does to what is known: corrects it, gives it another value, ends it, adds to it or takes from it.

"Sorry, I meant Tim", 醫生加到10毫克, 退職しました state nothing that a rule could read by itself: they speak of what
was told before. What a sentence does is read in ``text.deeds``; here it is found which of the known facts it
is done to, and said as a statement of that fact: the same property, with the new value in it or in its new state. Held
against what is known like any other, it then supersedes. What no known fact fits bears on nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from anaphor.facts import PERSON, Change, Kind, State, Statement
from anaphor.memory.bearing_pieces import COMMON, comparable, names_in, pieces, place_of
from anaphor.memory.extract import SMALL
from anaphor.memory.extract_days import when
from anaphor.memory.extract_rules import cue, groups_of
from anaphor.memory.reconcile_alike import key, within
from anaphor.text.deeds import CHANGING, COUNTING, ME, NOT_SO, SOMEBODY, Deed, Told, told
from anaphor.text.fold import Folded, fold
from anaphor.text.numbers import numbers
from anaphor.text.patterns import pattern
from anaphor.text.sentences import sentences

SHORT = 60  # characters of a sentence that only puts right what was said
MOST_ENDED = 6  # facts that one sentence ends
SURE = 0.6  # how sure a statement is that was made of what is known
_EDGE = " \t\r\n,，、.。;；:：!！?？~～…\"'「」『』“”（）()"
_PLACE_OF_JOB = frozenset({"works_in"})


@dataclass(frozen=True, slots=True)
class Known:
    """A statement that is held to be so; ``near``: told lately, so that words which name nothing may mean it."""

    statement: Statement
    near: bool


def borne(
    text: str, language: str, said: date, known: Sequence[Known], made: Sequence[Statement]
) -> tuple[Statement, ...]:
    """The statements of a turn, with those that its sentences make of what is known; ``known`` is newest first.

    ``made`` are those that the rules read out of it. Where a sentence bears on something known, what it does to that
    takes the place of what else was read out of it about the same thing.
    """
    found: list[Statement] = []
    left = list(made)
    for span in sentences(text):
        own = [one for one in left if one.start < span.end and span.start < one.end]
        left = [one for one in left if one not in own]
        sentence = text[span.start : span.end]
        does = told(sentence, language)
        if does.deeds & (CHANGING | COUNTING) and not does.deeds & NOT_SO:
            before = (*found, *own) if Deed.CORRECTS in does.deeds else found
            pool = [Known(one, near=True) for one in before[::-1]]
            new = list(_Sentence(sentence, language, said, does, [*pool, *known]).bears(own))
            new = [replace(one, start=span.start, end=span.start + len(sentence.rstrip())) for one in new]
            own = [one for one in own if not any(_gives_way(one, other, does) for other in new)] + new
        found += own
    return (*found, *left)


def may_bear(text: str, language: str) -> bool:
    """Whether any of its sentences does something to what is known; the facts need be looked up only then."""
    return any(told(text[s.start : s.end], language).deeds & (CHANGING | COUNTING) for s in sentences(text))


def _gives_way(read: Statement, made: Statement, does: Told) -> bool:
    """Whether what a rule read is told better by what the sentence does to something known."""
    if made.kind is Kind.COUNT:
        return read.kind in (Kind.COUNT, Kind.POSSESSION) or (read.kind is Kind.EVENT and made.unit != "")
    if Deed.CORRECTS in does.deeds and does.leans and read.kind is made.kind:
        return True
    if read.kind is Kind.EVENT or read.about != made.about:
        return False
    if read.kind in _TIMED and made.kind in _TIMED and (does.leans or made.state is read.state):
        return True
    over = made.state in (State.PAST, State.CANCELLED)
    return read.kind is made.kind or (over and read.kind in (Kind.PREFERENCE, Kind.WORK, Kind.PLAN, Kind.HEALTH))


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    language: str
    said: date
    does: Told
    known: Sequence[Known]

    def bears(self, own: Sequence[Statement]) -> Iterator[Statement]:
        """What it makes of what is known; what a rule has read of the same is left to that."""
        if self.does.deeds & COUNTING and (counted := self._counted()):
            yield from counted
            return
        over = list(self._over(own)) if self.does.deeds & {Deed.ENDS, Deed.CANCELS} else []
        renewed = [new for one in own if one.changed for new in self._renewed(one)] if not over else []
        yield from (*over, *renewed)
        if over or renewed or not (self.does.leans or Deed.REVIVES in self.does.deeds):
            return
        corrects = Deed.CORRECTS in self.does.deeds
        read = {one.kind for one in own if one.changed and (one.single or one.replaces) and not corrects}
        if self.does.deeds & (CHANGING - {Deed.ENDS, Deed.CANCELS}):
            yield from (one for one in self._another_value() if one.kind not in read)

    def _renewed(self, read: Statement) -> Iterator[Statement]:
        """What a rule read as changed, of a thing that is known under other words: the trip to Rome, another dose."""
        for of in (one.statement for one in self.known if one.statement.state in (State.CURRENT, State.PLANNED)):
            if read.kind is Kind.SCHEDULE and of.kind in _TIMED and read.about == of.about:
                same = key(of.relation) == key(read.relation) and of.kind is read.kind
                if not same and any(self._says(part, read.relation) for part in (of.relation, of.value) if part):
                    if of.kind is Kind.SCHEDULE:
                        yield replace(read, relation=of.relation)
                    elif put := self._same_sort([of]):
                        yield self._changed(*put)
                    return
            elif (
                (read.kind, read.relation, read.about)
                == (of.kind, of.relation, of.about)
                == (Kind.HEALTH, "takes", of.about)
            ):
                put = self._same_sort([of])
                if put and put[1] != of.value and key(put[1]) == key(read.value):
                    yield replace(read, replaces=of.value)
                    return

    # ── counts ──

    def _counted(self) -> list[Statement]:
        """So many more or fewer of what is counted; none at all, where all of it is gone."""
        counts = [
            one.statement
            for one in self.known
            if one.statement.kind is Kind.COUNT and one.statement.change is Change.SET and self._of_whom(one.statement)
        ]
        named = [one for one in counts if one.relation and self._says(one.relation)]
        if self.does.all_of_them and named:
            gone = replace(named[0], value=self.text.strip(_EDGE), quantity=0.0, changed=True, valid_from="")
            return [replace(gone, valid_to="", confidence=SURE)]
        if cue(self.tongue, "only_used").search(self.folded.text):
            return []
        change = Change.ADD if Deed.ADDS in self.does.deeds else Change.REMOVE
        for value, quantity, unit in self._amounts():
            # Its noun is the thing that is counted; a number with its counter alone is of what that counts.
            of = next((one for one in named if within(one.relation, value)), None)
            if of is None and change is Change.REMOVE and cue(self.tongue, "of_them").search(value):
                of = next(iter(counts), None)
            elif of is None and unit and value.endswith(unit):
                of = next((one for one in (*named, *counts) if unit in (one.unit, *_ANY_COUNTER)), None)
            if of is not None:
                more = replace(of, value=value, quantity=quantity, unit=unit or of.unit, change=change, core="")
                return [replace(more, valid_from="", valid_to="", context="", changed=False, confidence=SURE)]
        return []

    def _amounts(self) -> Iterator[tuple[str, float, str]]:
        for found in cue(self.tongue, "how_many").finditer(self.folded.text):
            groups = groups_of(found)
            unit = self._verbatim(*groups["u"]) if "u" in groups else ""
            written = self._verbatim(*groups["n"])
            exact = numbers(f"{written}{unit or ' '}", self.tongue)
            quantity = float(exact[0].value) if exact else SMALL.get(written.casefold())
            if quantity is not None:
                yield self._verbatim(*found.span()).strip(_EDGE), quantity, unit

    # ── what is over ──

    def _over(self, own: Sequence[Statement]) -> Iterator[Statement]:
        """What it ends. A word for an end does so only to what can end in that way, and only where that is named, or
        is the one thing of its sort: a sentence that merely mentions a thing ends nothing."""
        if self.does.all_of_them:
            return
        live = [one for one in self.known if one.statement.state in (State.CURRENT, State.PLANNED)]
        live = [one for one in live if not one.statement.negated]
        cancels = Deed.CANCELS in self.does.deeds
        found = self._called_off(live, own) if cancels else [*self._left(live), *self._stopped(live), *self._lost(live)]
        state = State.CANCELLED if cancels else State.PAST
        for of in list(dict.fromkeys(found))[:MOST_ENDED]:
            yield replace(of, value=self.text.strip(_EDGE), core=_value(of), state=state, **_FRESH)  # type: ignore[arg-type]

    def _called_off(self, live: Sequence[Known], own: Sequence[Statement]) -> list[Statement]:
        """The plan that is named; where none is, the newest that was spoken of lately."""
        timed = [one for one in live if one.statement.kind in _TIMED]
        named = [one.statement for one in timed if self._names(one.statement)]
        cancelled = [one.value for one in own if one.state is State.CANCELLED]
        if not named and (self.does.leans or any(map(cue(self.tongue, "only_occasion").fullmatch, cancelled))):
            return [one.statement for one in timed if one.near and self._of_whom(one.statement)][:1]
        return named

    def _left(self, live: Sequence[Known]) -> list[Statement]:
        """The job or the bond that is over; of "she" whoever was spoken of last."""
        found: list[Statement] = []
        for sort, kinds, relations in _ENDED:
            if not cue(self.tongue, sort).search(self.folded.text):
                continue
            sorts = [one.statement for one in live if one.statement.kind in kinds and self._of_whom(one.statement)]
            sorts = [of for of in sorts if not relations or _role(of, relations)]
            if (
                self.does.mentions and relations is not _PARTNERS
            ):  # a colleague who retired holds no job of the person's
                sorts = [of for of in sorts if key(of.about) in map(key, self.does.mentions)]
            whose = sorts[0].about if sorts and self.does.owners == {SOMEBODY} else ""
            sorts = [of for of in sorts if whose in ("", of.about)]
            found += [of for of in sorts if not cue(self.tongue, sort).search(fold(of.value, self.tongue).text)]
        return found

    def _stopped(self, live: Sequence[Known]) -> list[Statement]:
        """What is no longer taken: the drug that is named, or the one spoken of lately."""
        if not cue(self.tongue, "ends_taking").search(self.folded.text):
            return []
        taken = [one for one in live if one.statement.relation == "takes" and self._of_whom(one.statement)]
        named = [one.statement for one in taken if self._says_any(one.statement.value)]
        return named or ([one.statement for one in taken if one.near][:1] if self.does.leans else [])

    def _lost(self, live: Sequence[Known]) -> list[Statement]:
        """What was sold, given away or has died: a thing by its words, a pet by its name."""
        if not cue(self.tongue, "ends_having").search(self.folded.text):
            return []
        named = [one.statement for one in live if one.statement.kind in _HAD and self._names(one.statement)]
        pets = {key(of.about) for of in named if of.kind is Kind.IDENTITY and of.about != PERSON}
        named = [of for of in named if of.kind is Kind.POSSESSION or key(of.about) in pets]
        if not named and self.does.leans:  # "I sold it": what was spoken of last, if that can be sold
            last = live[0] if live and live[0].near else None
            named = [last.statement] if last and last.statement.kind is Kind.POSSESSION else []
        return named + [
            one.statement for one in live if one.statement.kind is Kind.POSSESSION and key(one.statement.value) in pets
        ]

    def _names(self, of: Statement) -> bool:
        """Whether it says what the fact is about: Rex, the Honda, the trip to Rome."""
        if of.kind is Kind.SCHEDULE:
            return bool(of.relation) and self._says(of.relation)
        bare = _AMOUNT_OF.sub("", of.value)
        if len(key(bare)) > 1 and within(bare, self.text) and len(key(bare)) <= len(key(self.text)):
            return True
        return any(f" {name} " in f" {key(self.text)} " for name in names_in(of.value))

    def _says_any(self, part: str) -> bool:
        if part.isascii():
            words = {word for word in key(part).split() if len(word) > 4 and word not in COMMON}
            return bool(words & set(key(self.text).split()))
        return any(key(part)[-n:] in key(self.text) for n in (4, 3, 2))

    def _says(self, part: str, text: str = "") -> bool:
        """Whether the sentence has the words, or the one that tells what they are of: "dentist appointment"."""
        text = text or self.text
        if within(part, text) and (len(key(part)) > 1 or not part.isascii()):
            return True
        whole, own = key(part), key(text)
        if whole.isascii():
            words = [word for word in whole.split() if len(word) > 2 and word not in COMMON and not word.isdigit()]
            return bool(words) and any(f" {word} " in f" {own} " for word in words[-1:] + names_in(part))
        tail = whole[-2:]
        return len(whole) > 2 and tail in own and not tail.isdigit()

    # ── another value ──

    def _another_value(self) -> Iterator[Statement]:
        """The newest fact of which it says another value, with that in the place of the old one."""
        corrects = Deed.CORRECTS in self.does.deeds
        corrected = self._corrected() if corrects else []
        near = [one.statement for one in self.known if one.near and self._of_whom(one.statement)]
        if Deed.REVIVES in self.does.deeds:
            yield from self._again([one for one in near if one.state is State.CANCELLED])
            return
        near = [one for one in near if one.state in (State.CURRENT, State.PLANNED) and not one.negated]
        near = [one for one in near if one.change is Change.SET]
        if not corrects:  # only what is dated or dosed takes another value by the way
            near = [one for one in near if one.kind in _TIMED or one.relation == "takes"]
        for old, new in corrected:
            for of in near:
                if old and (put := _put(of, old, new)):
                    yield self._changed(of, put)
                    return
        if found := self._same_sort(near):
            yield self._changed(*found)
            return
        for old, new in corrected:
            filled = next(filter(_is_named, near), None)
            if filled is not None and not old and self._owns_up() and not pieces(new, self.tongue):
                yield self._changed(filled, _put(filled, _named(filled), new) or new)
                return

    def _owns_up(self) -> bool:
        """Whether it opens with a word for a slip, and says little besides."""
        return len(self.text) <= SHORT and bool(cue(self.tongue, "owns_up").search(self.folded.text.strip()))

    def _again(self, over: Sequence[Statement]) -> Iterator[Statement]:
        for of in over[:1]:
            found = self._same_sort([replace(of, value=_value(of))])
            value = found[1] if found else of.core or of.value
            again = replace(of, value=value, core="", state=State.PLANNED, **_FRESH)  # type: ignore[arg-type]
            yield self._dated(replace(again, replaces=value, context=self.text.strip(_EDGE)))

    def _same_sort(self, near: Sequence[Statement]) -> tuple[Statement, str] | None:
        """The newest fact with a time or an amount of the sort that the sentence gives, and its value with that."""
        new = pieces(self.folded.text, self.tongue)
        for of in near:
            folded = fold(of.value, self.tongue)
            first = pieces(folded.text, self.tongue)
            amounts = [match[0].strip() for match in cue(self.tongue, "piece_amount").finditer(folded.text)]
            value = of.value
            for sort in new:
                there = amounts if sort == "amount" else [first[sort]] if sort in first else []
                if old := next((one for one in there if comparable(sort, one, new[sort])), ""):
                    was = folded.source(*place_of(folded.text, old))
                    value = value.replace(of.value[was.start : was.end], self._as_written(new[sort]), 1)
            if value != of.value:
                return of, value
        return None

    def _changed(self, of: Statement, value: str) -> Statement:
        """The fact with the value put so; a role is filled by somebody else."""
        if _is_role(of):
            return replace(of, about=value, replaces=of.about, **_FRESH)  # type: ignore[arg-type]
        now = replace(of, value=value, core="", replaces=_value(of), **_FRESH)  # type: ignore[arg-type]
        exact = numbers(value, self.tongue) if of.quantity is not None else []
        quantity = float(exact[0].value) if exact else of.quantity
        return self._dated(replace(now, quantity=quantity, unit=of.unit, context=self.text.strip(_EDGE)))

    def _dated(self, statement: Statement) -> Statement:
        first, last = when(self.text, self.said, self.language)
        return replace(statement, valid_from=first, valid_to=last)

    def _corrected(self) -> list[tuple[str, str]]:
        """What was said before, where it is named, and what is right."""
        bare = self.folded.text.strip(_EDGE)
        found = []
        for match in cue(self.tongue, "corrected").finditer(bare):
            parts = {name: bare[slice(*span)].strip(_EDGE) for name, span in groups_of(match).items()}
            if parts.get("new"):
                found.append((self._as_written(parts.get("old", "")), self._as_written(parts["new"])))
        return found

    # ── whose, and in which words ──

    def _of_whom(self, of: Statement) -> bool:
        """Whether it may be about whoever the fact is about."""
        people = self.does.owners - {ME, SOMEBODY}
        if people:
            return key(of.about) in map(key, people) or (ME in self.does.owners and of.about == PERSON)
        if self.does.owners == {SOMEBODY}:  # "they moved it": whoever does it, it is still the person's
            return of.about != PERSON or bool(cue(self.tongue, "acts_on_it").search(self.folded.text))
        return of.about == PERSON or _is_role(of) or of.kind is Kind.IDENTITY

    @property
    def tongue(self) -> str:
        return self.language.split("-")[0] if self.language.split("-")[0] in ("en", "ja", "zh") else "en"

    @property
    def folded(self) -> Folded:
        return fold(self.text, self.tongue)

    def _verbatim(self, start: int, end: int) -> str:
        span = self.folded.source(start, end)
        return self.text[span.start : span.end]

    def _as_written(self, folded: str) -> str:
        at = self.folded.text.find(folded) if folded else -1
        return self._verbatim(at, at + len(folded)) if at >= 0 else folded


_FRESH = {
    "changed": True,
    "fixed": False,
    "negated": False,
    "quantity": None,
    "unit": "",
    "valid_from": "",
    "valid_to": "",
    "confidence": SURE,
}
_TIMED = frozenset({Kind.PLAN, Kind.SCHEDULE})
_HAD = frozenset({Kind.POSSESSION, Kind.IDENTITY})
_BONDS = frozenset({"wife", "husband", "partner", "spouse", "妻", "夫", "太太", "先生", "老公", "老婆", "丈夫", "妻子"})
_LOVES = frozenset(
    {
        "girlfriend",
        "boyfriend",
        "partner",
        "fiancé",
        "fiancée",
        "女朋友",
        "男朋友",
        "女友",
        "男友",
        "彼氏",
        "彼女",
        "恋人",
    }
)
_PARTNERS = _BONDS | _LOVES
_ENDED: tuple[tuple[str, frozenset[Kind], frozenset[str]], ...] = (
    ("ends_job", frozenset({Kind.WORK}), frozenset()),
    ("ends_job", frozenset({Kind.PLACE}), _PLACE_OF_JOB),
    ("ends_bond", frozenset({Kind.RELATION}), _PARTNERS),
)
"""What is over when a word of that sort is said: which kinds of facts, and which relations of them."""
_AMOUNT_OF = pattern(
    r"^(?:the|a|an|my|our|some|one|two|three|\d+) "
    r"|^(?:\d+|[一二两兩三四五六七八九十]+)[个個只隻条條台辆輛架张張把本间間套栋棟支枝部匹頭羽冊枚台]"
)
_ANY_COUNTER = ("つ", "個", "个")


def _value(of: Statement) -> str:
    return of.core or of.value


def _is_role(of: Statement) -> bool:
    return of.kind is Kind.RELATION and bool(of.relation) and of.about != PERSON


def _role(of: Statement, relations: frozenset[str]) -> bool:
    return key(of.relation) in set(map(key, relations))


def _is_named(of: Statement) -> bool:
    """Whether the fact has a value that another name or noun can take the place of."""
    if _is_role(of) or of.core or of.relation == "name":
        return True
    return of.single and of.kind in (Kind.PLACE, Kind.WORK) and not any(map(str.isdigit, of.value))


def _named(of: Statement) -> str:
    return of.about if _is_role(of) else of.core or of.value


def _put(of: Statement, old: str, new: str) -> str:
    """The fact's value with the new words where the old ones stand, and none of its own twice: 对腰果过敏."""
    value = of.about if _is_role(of) else of.value
    at = value.casefold().find(old.casefold())
    if at < 0:
        return ""
    before, behind = value[:at], value[at + len(old) :]
    if behind.strip() and new.endswith(behind):
        new = new.removesuffix(behind)
    if before.strip() and new.startswith(before):
        new = new.removeprefix(before)
    return before + new + behind

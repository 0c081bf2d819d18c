"""What a person says of themselves and their world, read out of one turn without a model.

Only what the person asserts is read: ``extract_heard`` leaves out questions, orders, suppositions, quotations, what
others are said to say, pasted text, irony, and what only repeats the assistant. What is left is read clause by clause
by rules (``extract_rules``: one table a language, and the operator's own). A rule is grammar, not a topic: a verb with
its places, a copula, a possessive, a counter. What no rule fits is not a fact; the turn itself can still be recalled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from datetime import date, datetime, tzinfo

from anaphor.facts import PERSON, Change, Kind, State, Statement
from anaphor.memory.extract_days import when
from anaphor.memory.extract_heard import Clause, heard, language_of
from anaphor.memory.extract_people import about_of
from anaphor.memory.extract_rules import Rule, cue, groups_of, rules_of, words
from anaphor.memory.extract_safe import refused, suspicion
from anaphor.memory.extract_yes import affirmed
from anaphor.memory.reconcile_alike import key
from anaphor.text.deeds import ME, NOT_SO, SOMEBODY, Deed, told
from anaphor.text.fold import Folded, fold
from anaphor.text.mood import Mood, mood
from anaphor.text.numbers import numbers
from anaphor.text.sentences import sentences

SAID_YES = 0.5  # how sure a statement is that was only nodded to
MOST = 24  # statements of one turn that are taken; whoever says more pastes, or wants to flood the memory
_EDGE = " \t\r\n,，、.。;；:：!！?？~～…\"'「」『』“”（）()"


def extract(
    turn_text: str,
    *,
    language: str = "",
    said_on: date,
    zone: tzinfo | None = None,
    before: str = "",
    rules: Sequence[Rule] = (),
) -> tuple[Statement, ...]:
    """The statements of a turn, in the order said, at most ``MOST`` of them.

    A bare yes states what it was asked by ``before``: its values are words of the question.

    ``said_on`` is the day of the turn for the person, or the moment, which ``zone`` then makes that day; ``before`` the
    assistant's message it answers; ``rules`` the operator's own, tried first.
    """
    if said_of_it := affirmed(turn_text, before):
        heard_as = extract(said_of_it, language=language, said_on=said_on, zone=zone, rules=rules)
        end = len(turn_text.rstrip())
        return tuple(replace(s, start=0, end=end, context=said_of_it, confidence=SAID_YES) for s in heard_as)
    said = _day(said_on, zone)
    tongue = language_of(turn_text, language)
    known = (*(rule for rule in rules if rule.language in ("", tongue)), *rules_of(tongue))
    found: list[Statement] = []
    for clause in heard(turn_text, tongue, before):
        does = told(clause.verbatim(0, len(clause.text)), tongue).deeds
        for statement in _read(clause, known, said):
            if _stands(statement, clause, does):
                _keep(found, statement)
        if len(found) >= MOST:
            break
    found += _orders(turn_text, found)
    whole = fold(turn_text, tongue)
    return tuple(replace(s, about=_as_written(s.about, whole)) for s in sorted(found[:MOST], key=lambda s: s.start))


def _orders(text: str, found: Sequence[Statement]) -> list[Statement]:
    """What orders an assistant about for good and states nothing: it waits in review, and is nothing until then."""
    if len(text) > LONGEST_ORDER or not suspicion(text):
        return []
    spans = [span for span in sentences(text) if mood(text[span.start : span.end]) is not Mood.QUESTION]
    return [
        Statement(PERSON, Kind.PREFERENCE, said, span.start, span.end, relation="wish", suspect=why)
        for span in spans
        if (why := suspicion(said := text[span.start : span.end]))
        and not refused(said)
        and not any(one.start < span.end and span.start < one.end for one in found)
    ]


LONGEST_ORDER = 400  # characters of a turn; what is longer is pasted


def _stands(statement: Statement, clause: Clause, does: Set[Deed]) -> bool:
    """Whether the clause says it, and does not suppose or deny it; who is there for two days lives elsewhere."""
    if does & NOT_SO and statement.kind in _MOVED:
        return False
    visits = Deed.STAYS in does and cue(clause.language, "for_a_time").search(clause.text)
    return not (visits and statement.kind is Kind.PLACE and statement.state is State.CURRENT)


_MOVED = frozenset({Kind.PLACE, Kind.EVENT, Kind.SCHEDULE, Kind.WORK})


def _as_written(about: str, whole: Folded) -> str:
    """Whom it is about in the turn's own script: 女儿 was read out of 女兒."""
    if about == PERSON or about in whole.original or about.isascii():
        return about
    at = whole.text.find(about)
    if at >= 0:
        span = whole.source(at, at + len(about))
        return whole.original[span.start : span.end]
    written = {c: whole.original[whole.source(n, n + 1).start] for n, c in enumerate(whole.text) if c in about}
    return "".join(written.get(c, c) for c in about)


def _day(said_on: date, zone: tzinfo | None) -> date:
    if not isinstance(said_on, datetime):
        return said_on
    return (said_on.astimezone(zone) if zone is not None else said_on).date()


def _read(clause: Clause, rules: Sequence[Rule], said: date) -> Iterator[Statement]:
    """What the rules find in one clause. Of rules of one kind and group the first that fits speaks."""
    spoken: set[str] = set()
    for rule in rules:
        if rule.group in spoken or not clause.takes(hedged=rule.hedged, whole=rule.whole):
            continue
        found = _found(clause, rule)
        if found is None or (statement := _stated(clause, rule, *found, said)) is None:
            continue
        spoken.add(rule.group)
        yield statement
        yield from _replaced(rule, statement)


def _found(clause: Clause, rule: Rule) -> tuple[re.Match[str], tuple[int, int]] | None:
    """Where the rule fits, and the clause's subject before it, if the rule begins behind one."""
    if not rule.opening:
        match = rule.form.search(clause.text)
        return (match, (0, 0)) if match else None
    for at, start, end in clause.openings if rule.opening == "s" else clause.leads:
        if match := rule.form.match(clause.text, at):
            return match, (start, end)
    return None


def _stated(clause: Clause, rule: Rule, match: re.Match[str], subject: tuple[int, int], said: date) -> Statement | None:
    groups = groups_of(match)
    if subject[1]:
        groups.setdefault("who", subject)
    said_of = {name: clause.text[slice(*span)] for name, span in groups.items()}
    who = rule.about or about_of(
        clause, said_of.get("who", ""), clause.verbatim(*groups["name"]) if "name" in groups else ""
    )
    if who == PERSON and not rule.about and rule.kind in _OWNED:
        who = _owner(clause)
    if not who or (rule.who == "user" and who != PERSON) or (rule.who == "other" and who == PERSON):
        return None
    span = groups.get("v") or match.span()
    value = clause.verbatim(*span).strip(_EDGE)
    if (
        not value
        or _malformed(rule.kind, clause.text[slice(*span)].strip(_EDGE), clause.language)
        or refused(clause.verbatim(0, len(clause.text)))
    ):
        return None
    first, last = when(clause.text, said, clause.language)
    state = _state(rule, clause, first, said)
    if state is State.PLANNED:
        first, last = (_to_come(day, said, clause.text) for day in (first, last))
    quantity, unit = _quantity(clause, groups)
    return Statement(
        about=who,
        kind=rule.kind,
        value=value,
        start=clause.start,
        end=clause.end,
        relation=_relation(clause, rule, groups),
        quantity=quantity,
        unit=unit,
        change=rule.change,
        state=state,
        context=clause.verbatim(*groups["context"]).strip(_EDGE) if "context" in groups else "",
        applies_when=clause.verbatim(*groups["when"]).strip(_EDGE) if "when" in groups else "",
        valid_from=first,
        valid_to=last,
        negated=rule.negated or "no" in groups,
        single=rule.single,
        fixed=rule.fixed,
        changed=rule.changed or clause.changed or "new" in groups,
        core=clause.verbatim(*groups["k"]).strip(_EDGE) if "k" in groups else "",
        replaces=clause.verbatim(*groups["old"]).strip(_EDGE) if "old" in groups else "",
        suspect=clause.suspect,
        confidence=rule.confidence,
    )


_OWNED = frozenset({Kind.SCHEDULE, Kind.HEALTH})


def _owner(clause: Clause) -> str:
    """Whose it is where the clause names somebody else alone: "my mother's appointment", 我媽的牙醫."""
    owners = told(clause.verbatim(0, len(clause.text)), clause.language).owners
    others = owners - {ME, SOMEBODY}
    who = next(iter(others)) if len(others) == 1 and ME not in owners else ""
    # Whom one goes to is not whose it is: my dentist appointment.
    return who if who and not cue(clause.language, "gone_to").fullmatch(who) else PERSON


def _malformed(kind: Kind, value: str, language: str) -> bool:
    """Whether it is a piece of a clause rather than a value of the kind: 一件小事, の水曜, 所以."""
    known = words(language)
    return any(cue(language, name).search(value) for name in ("malformed", f"malformed_{kind}") if name in known)


def _state(rule: Rule, clause: Clause, first: str, said: date) -> State:
    """As the rule says; else past or planned by the clause's words of time, or by its date for what happens once."""
    if rule.state is not None:
        return rule.state
    if clause.state is not None:
        return clause.state
    if first and rule.kind in (Kind.SCHEDULE, Kind.EVENT, Kind.PLAN):
        return State.PLANNED if first > said.isoformat() else State.PAST
    return State.PAST if rule.kind is Kind.EVENT else State.CURRENT


def _to_come(day: str, said: date, text: str) -> str:
    """A day without its year of what is planned is the next one: booked in May "on June 4"."""
    if not day or day >= said.isoformat() or day[:4] in text:
        return day
    later = f"{int(day[:4]) + 1}{day[4:]}"
    return day if day.endswith("02-29") or later < said.isoformat() else later


def _relation(clause: Clause, rule: Rule, groups: dict[str, tuple[int, int]]) -> str:
    """The rule's word for the property, or the words that name it: the thing counted, the role held."""
    if "of" in groups:
        named = _WHOSE.sub("", clause.verbatim(*groups["of"]).strip(_EDGE))
        return f"{rule.relation} {named}".strip() if rule.relation else named
    return rule.relation


def _quantity(clause: Clause, groups: dict[str, tuple[int, int]]) -> tuple[float | None, str]:
    if "n" not in groups:
        return None, ""
    written = clause.verbatim(*groups["n"])
    unit = clause.verbatim(*groups["u"]).strip(_EDGE) if "u" in groups else ""
    exact = numbers(f"{written}{unit or ' '}", clause.language)
    value = exact[0].value if exact else SMALL.get(written.lower().strip())
    return (float(value) if value is not None else None), unit


_WHOSE = re.compile(r"^(?:[\w-]+ ){0,2}?[\w-]+['’]s (?=\w)")  # "mother's dentist appointment": of the mother's, that

SMALL = {"a": 1, "an": 1, "one": 1, "another": 1, "one more": 1, "a couple of": 2, "a pair of": 2}
_NUMERALS = ("零〇", "一", "二两兩", "三", "四", "五", "六", "七", "八", "九", "十")
SMALL |= {c: n for n, characters in enumerate(_NUMERALS) for c in characters}


def _replaced(rule: Rule, by: Statement) -> Iterator[Statement]:
    """ "From A to B" says A too: it was so, and is no more."""
    if not by.replaces:
        return
    about, value = by.about, by.replaces
    if rule.kind is Kind.RELATION and by.about != PERSON:
        about, value = by.replaces, by.value  # who held the role before
    old = replace(by, about=about, value=value, state=State.PAST, replaces="", core="", valid_from="", valid_to="")
    yield replace(old, quantity=None, change=Change.SET, valid_to=by.valid_from)


def _keep(found: list[Statement], new: Statement) -> None:
    """Of two statements of one clause that say one thing, the one with more of its words is kept.

    What is counted is not told as a possession besides.
    """
    for at, old in enumerate(found):
        counted = old.kind is Kind.COUNT and new.kind is Kind.POSSESSION and old.about == new.about
        if counted and old.start == new.start and key(new.value) in key(old.value):
            return
        meets = old.start < new.end and new.start < old.end
        if meets and (old.about, old.kind, old.state, old.negated) == (new.about, new.kind, new.state, new.negated):
            if key(new.value) in key(old.value):
                return
            if key(old.value) in key(new.value) and not old.relation:
                found[at] = new
                return
    found.append(new)

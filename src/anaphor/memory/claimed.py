"""What an answer says of the person, held against what they said of themselves.

The sentence is turned round into the person's own ("You live in Leeds" into "I live in Leeds") and read by the rules
that read their turns, so that it speaks of the same property as a fact does, and contradicts one as a newer statement
would. It changes nothing: what an answer says is never a fact.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, tzinfo

from anaphor.facts import Change, Fact, Kind, State, Statement, Status
from anaphor.memory.consolidate import key_of
from anaphor.memory.extract import extract
from anaphor.memory.extract_rules import Rule
from anaphor.memory.reconcile import cannot_both_be, value_of
from anaphor.memory.reconcile_alike import within
from anaphor.ports import Clock, Contradicts, Memories
from anaphor.text.language import detect
from anaphor.types import Scope


def contradictions(
    memories: Memories, clock: Clock, zone: tzinfo | None = None, rules: Sequence[Rule] = ()
) -> Contradicts:
    """``ports.Contradicts`` over these memories; ``rules`` are an operator's own, ``zone`` the person's."""

    def contradicted(scope: Scope, sentence: str, rests_on: Collection[tuple[str, int]]) -> Fact | None:
        said_on = datetime.fromtimestamp(clock(), UTC)
        own = as_their_own(sentence)
        for statement in extract(own, said_on=said_on, zone=zone, rules=rules):
            for fact in _against(statement, own, memories.touching(scope, {key_of(statement)})):
                if set(rests_on).isdisjoint((one.session_id, one.seq) for one in memories.sayings(scope, fact.fact_id)):
                    return fact
        return None

    return contradicted


def _against(statement: Statement, sentence: str, known: Sequence[Fact]) -> Iterator[Fact]:
    live = [fact for fact in known if fact.status in (Status.CURRENT, Status.DISPUTED)]
    if statement.kind is not Kind.COUNT:
        yield from (fact for fact in live if cannot_both_be(fact.statement, statement) and not _says_so(fact, sentence))
        return
    counted = [f for f in live if f.statement.state is statement.state and f.statement.quantity is not None]
    sum_of = sum(_SIGN[f.statement.change] * (f.statement.quantity or 0) for f in counted)
    if statement.state is State.CURRENT and statement.change is Change.SET and counted:
        yield from counted[-1:] if statement.quantity != sum_of else ()


def _says_so(fact: Fact, sentence: str) -> bool:
    """Whether the sentence has the fact's value too, in whatever else it says ("from Leeds to York")."""
    return not fact.statement.negated and within(value_of(fact.statement), sentence)


_SIGN = {Change.SET: 1, Change.ADD: 1, Change.REMOVE: -1}


def as_their_own(sentence: str) -> str:
    """The sentence about the person as they would say it of themselves, without "you told me that" before it."""
    if detect(sentence) == "en":
        sentence = _TOLD.sub("", sentence)
        for form, own in _ENGLISH:
            sentence = form.sub(own, sentence)
        return sentence[:1].upper() + sentence[1:]
    for form, own in _CJK:
        sentence = form.sub(own, sentence)
    return sentence


_TOLD = re.compile(
    r"^(?:(?:according to|based on|from|as per) (?:what you (?:said|told me|mentioned)|(?:your|our) [\w ]+?),\s*"
    r"|(?:you(?:['’]ve| have)?|the user(?: has)?) (?:also |earlier |previously )?"
    r"(?:said|told me|mentioned|stated|noted|wrote)(?: (?:earlier|before|previously|(?:in|on) [^,]{1,20}?))?,?"
    r"(?: that)? "
    r"|as you (?:said|mentioned|told me)(?: (?:earlier|before))?, )",
    re.IGNORECASE,
)
_ENGLISH = [
    (re.compile(form, re.IGNORECASE), own)
    for form, own in (
        (r"\b(?:the user|you) (?:are|is)\b", "I am"),
        (r"\byou['’]re\b", "I'm"),
        (r"\b(?:the user|you) (?:were|was)\b", "I was"),
        (r"\bthe user (?:has|does)\b", "I have"),
        (r"\bthe user ((?!said|told)[a-z]+[^s\W])s\b", r"I \1"),
        (r"\b(?:the user['’]s|your)\b", "my"),
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\b(?:to|for|with|from|of|by|at) (?:you|the user)\b", "to me"),
        (r"\b(?:the user|you)\b", "I"),
    )
]
_CJK = [
    (re.compile(form), own)
    for form, own in (
        (
            r"^(?:根據|根据|依照|按照|依)?[你您妳](?:之前|先前|剛才|刚才|曾經|曾经|也|自己)*"
            r"(?:[說说提][過过]|[說说]|提到|表示|告訴我|告诉我)的?[，,：:]?",
            "",
        ),
        (r"[你您妳]們?|使用者|用戶|用户", "我"),
        (r"あなた|お客様|ご自身|ユーザー", "私"),
        (r"にお住まい(?:です|とのことです)?", "に住んでいます"),
        (r"(?<=[るたいすだ])(?:とのこと(?:です|でした)|と(?:おっしゃ|仰|言)ってい(?:ます|ました))", ""),
        (r"とのこと(?:です|でした)", "です"),
        (r"[おご](?=(?:名前|誕生日|仕事|勤め|住まい|予約|出身))", ""),
    )
]

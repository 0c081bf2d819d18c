"""Putting questions together into conversations, and conversations one after another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from anaphor.errors import BadInput
from anaphor.text.fold import matching
from anaphor.types import Message, Passage
from anaphor_eval.datasets.values import Answerability, Conversation, Dataset, GoldTurn, SingleQuestion
from anaphor_eval.derive import chinese, japanese
from anaphor_eval.derive.topic import Topic

LONGEST = 6
"""Turns of a conversation."""

ALIKE = 0.6
"""Share of common character pairs from which two questions ask the same thing in other words."""


class DeriveError(BadInput):
    """Questions from which no conversation can be made, and why."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One language's way of leaving a title out."""

    topic: Callable[[str, Sequence[str]], Topic]
    names_title: Callable[[str, Topic], bool]
    opens_with: Callable[[str, Topic], bool]
    rival: Callable[[str, str, str, Topic], bool]
    without_title: Callable[[str, Topic, random.Random, bool], str | None]


def rules(language: str) -> Rules:
    if language == "ja":
        return Rules(
            japanese.topic,
            japanese.names_title,
            japanese.opens_with,
            japanese.rival,
            lambda question, topic, draw, near: japanese.without_title(question, topic, draw, near=near),
        )
    if language in ("zh-Hant", "zh-Hans"):
        return Rules(
            lambda title, texts: chinese.topic(title, texts, language),
            lambda question, topic: chinese.names_title(question, topic, language),
            lambda question, topic: chinese.opens_with(question, topic, language),
            lambda question, asked, answered, topic: chinese.rival(question, asked, answered, topic, language),
            lambda question, topic, draw, near: chinese.without_title(question, topic, language, draw, near=near),
        )
    raise DeriveError(f"no rules to leave a title out in {language!r}; there are zh-Hant, zh-Hans, ja")


def derived(
    questions: Dataset[SingleQuestion], pool: Iterable[Passage], *, seed: int, longest: int = LONGEST
) -> Dataset[Conversation]:
    """Conversations of 2 to ``longest`` turns, each with at least one question whose title was left out.

    Questions keep their order. One that asks what an earlier one of its conversation asked, or has the same answer, is
    passed over. Slices: ``follow_up`` (title left out), ``kept`` (as published).
    """
    passages = {passage.passage_id: passage for passage in pool}
    articles = _articles(questions, passages)
    texts: dict[str, list[str]] = {}
    for passage in passages.values():
        texts.setdefault(passage.title, []).append(passage.text)
    made = []
    for title, asked in articles.items():
        language = asked[0].language
        by = rules(language)
        topic = by.topic(title, texts[title])
        for conversation in _cut(asked, topic, by, longest):
            turns = _turns(conversation, topic, by, seed)
            if any("follow_up" in turn.slices for turn in turns):
                name = f"{questions.name}:{conversation[0].question_id}"
                made.append(Conversation(name, language, turns, title))
    return Dataset(f"{questions.name}.derived", Conversation, tuple(made))


def _articles(questions: Dataset[SingleQuestion], passages: Mapping[str, Passage]) -> dict[str, list[SingleQuestion]]:
    found: dict[str, list[SingleQuestion]] = {}
    for question in questions.items:
        for passage_id in question.gold:
            if passage_id not in passages:
                raise DeriveError(
                    f"{questions.name}: question {question.question_id!r}: no passage {passage_id!r} in the pool"
                )
        if question.gold:
            found.setdefault(passages[question.gold[0]].title, []).append(question)
    if not found.keys() - {""}:
        raise DeriveError(f"{questions.name}: no passage has a title, and what is left out of a question is the title")
    found.pop("", None)
    return found


def _cut(asked: Sequence[SingleQuestion], topic: Topic, by: Rules, longest: int) -> Iterable[list[SingleQuestion]]:
    """One article's questions as conversations; each begins with a question that names the title.

    It ends with the last question that names the title before two in a row that do not: by then something else is
    spoken of, and 它 or それ would point to that.
    """
    current: list[SingleQuestion] = []
    aside: list[SingleQuestion] = []  # questions without the title since the last that has it
    for question in asked:
        if any(_same(question, earlier, topic) for earlier in (*current, *aside)):
            continue
        if not current and not by.opens_with(question.question, topic):
            continue
        if by.names_title(question.question, topic):
            if len(aside) > 1 or len(current) + len(aside) >= longest:
                yield current
                current, aside = [], []
                if not by.opens_with(question.question, topic):
                    continue
            current += [*aside, question]
            aside = []
        elif current:
            aside.append(question)
    yield current


def _same(a: SingleQuestion, b: SingleQuestion, topic: Topic) -> bool:
    if {matching(answer) for answer in a.answers} & {matching(answer) for answer in b.answers}:
        return True
    first, second = _pairs(a.question, topic), _pairs(b.question, topic)
    return len(first & second) >= ALIKE * min(len(first), len(second))


def _pairs(text: str, topic: Topic) -> set[str]:
    """Pairs of neighbouring characters, the topic's name aside: that all questions on an article have in common."""
    text = matching(text)
    for name in topic.names:
        text = text.replace(matching(name), " ")
    even = "".join(c for c in text if c.isalnum())
    return {even[i : i + 2] for i in range(len(even) - 1)}


def _turns(conversation: Sequence[SingleQuestion], topic: Topic, by: Rules, seed: int) -> tuple[GoldTurn, ...]:
    turns: list[GoldTurn] = []
    history: list[Message] = []
    near = False  # whether the turn before was about the topic, by name or by reference
    before = ("", "")  # what it asked, and was told
    for n, question in enumerate(conversation, 1):
        named = by.names_title(question.question, topic)
        draw = random.Random(f"{seed}:{question.question_id}")
        clear = n > 1 and not by.rival(question.question, *before, topic)
        shorter = by.without_title(question.question, topic, draw, near) if clear else None
        utterance = shorter or question.question
        turns.append(
            GoldTurn(
                turn_id=question.question_id,
                n=n,
                utterance=utterance,
                history=tuple(history),
                standalone=(question.question,),
                needs_history=True if shorter else False if named else None,
                gold=question.gold,
                grades=question.grades,
                scored=True,
                answers=question.answers,
                answerability=Answerability.ANSWERABLE,
                slices=("follow_up",) if shorter else ("kept",),
            )
        )
        history.append(Message("user", utterance))
        if question.answers:
            history.append(Message("assistant", question.answers[0]))
        near = shorter is not None or by.opens_with(question.question, topic)
        before = (question.question, "".join(question.answers[:1]))
    return tuple(turns)


def spliced(conversations: Dataset[Conversation], *, seed: int) -> Dataset[Conversation]:
    """Each conversation's head, then the tail of one about something else, begun by a question that names its title.

    Only the tail's turns are scored. Its first has the slice ``topic_switch`` and needs no history; the others have
    ``after_switch`` beside what they had.
    """
    draw = random.Random(f"{seed}:spliced")
    made = []
    others = list(conversations.items)
    for head in conversations.items:
        apart = [other for other in others if other.domain != head.domain and other.language == head.language]
        if not apart:
            raise DeriveError(
                f"{conversations.name}: all conversations are about one thing; there is nothing to switch to"
            )
        tail = draw.choice(apart)
        starts = [i for i, turn in enumerate(tail.turns) if turn.needs_history is not None]
        made.append(_after(head, tail, draw.choice(starts)))
    return Dataset(conversations.name.removesuffix(".derived") + ".spliced", Conversation, tuple(made))


def _after(head: Conversation, tail: Conversation, start: int) -> Conversation:
    name = f"{head.conversation_id}+{tail.conversation_id}"
    turns = [
        replace(turn, turn_id=f"{name}#{n}", scored=False, slices=("head",)) for n, turn in enumerate(head.turns, 1)
    ]
    history = [*turns[-1].history, *_said(turns[-1])]
    for i, turn in enumerate(tail.turns[start:]):
        switch = i == 0
        turn = replace(
            turn,
            turn_id=f"{name}#{len(turns) + 1}",
            n=len(turns) + 1,
            utterance=turn.standalone[0] if switch else turn.utterance,
            history=tuple(history),
            needs_history=False if switch else turn.needs_history,
            slices=("topic_switch",) if switch else ("after_switch", *turn.slices),
        )
        turns.append(turn)
        history += _said(turn)
    return Conversation(name, head.language, tuple(turns), tail.domain)


def _said(turn: GoldTurn) -> list[Message]:
    return [Message("user", turn.utterance), *(Message("assistant", answer) for answer in turn.answers[:1])]

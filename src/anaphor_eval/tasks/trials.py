"""What ``answers`` asks: a question, the passages it may rest on, and what people hold to be right about both.

Unanswerable questions are made by *leaving the gold out*: the same question over the same pool, its gold passages
removed and their siblings (the rest of the article, what else is found) kept. That is harder than a question about
something else altogether, and there are as many as there are questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anaphor.types import Passage
from anaphor_eval.datasets import Conversation, Dataset, GoldTurn, PlantedFact, PoisonedQuestion, SingleQuestion
from anaphor_eval.metrics.abstention import positive
from anaphor_eval.rewriters import Asked, exchanges

LEAVE_GOLD_OUT = "leave_gold_out"
LABELLED = "labelled"


@dataclass(frozen=True, slots=True)
class Trial:
    """One question asked once.

    ``passages`` are given to the reader as they are; ``None``: what retrieval finds, less ``without``. ``answerable``
    is ``None`` where nobody can say (partly answerable, underspecified). ``planted``: a false answer that the passages
    were written to spread; ``disagreeing``: whether they also hold the true one.
    """

    trial_id: str
    group: str
    language: str
    asked: Asked
    golds: tuple[str, ...] = ()
    answerable: bool | None = None
    passages: tuple[Passage, ...] | None = None
    without: frozenset[str] = frozenset()
    gold: tuple[str, ...] = ()
    planted: str = ""
    disagreeing: bool | None = None
    slices: tuple[str, ...] = ("all",)


def single_questions(dataset: Dataset[SingleQuestion], pool: Mapping[str, Passage], *, given: bool) -> list[Trial]:
    """Each question with its gold, and once more without it; ``given``: the passages are given, not searched."""
    siblings = _by_title(pool.values())
    found = []
    for each in dataset.items:
        gold = tuple(pool[i] for i in each.gold if i in pool)
        if gold:
            asked = Asked(each.question, standalone=each.question, turn_id=each.question_id)
            group = gold[0].title or each.question_id
            trial = Trial(each.question_id, group, each.language, asked, each.answers, True, gold=each.gold)
            found += _twice(trial, gold, siblings, given=given)
    return found


def conversations(dataset: Dataset[Conversation], pool: Mapping[str, Passage], *, given: bool) -> list[Trial]:
    """Turns that annotators called answerable or not, and the answerable ones once more without their gold."""
    siblings = _by_title(pool.values())
    found: list[Trial] = []
    for conversation in dataset.items:
        for turn in conversation.turns:
            answerable = positive(turn.answerability) if turn.answerability else turn.scored or None
            gold = tuple(pool[i] for i in turn.gold if i in pool)
            if answerable is None or (answerable and not gold):
                continue
            trial = Trial(
                turn.turn_id,
                conversation.conversation_id,
                conversation.language,
                Asked(turn.utterance, exchanges(turn.history), _standalone(turn), turn.turn_id),
                turn.answers,
                answerable,
                gold=tuple(p.passage_id for p in gold),
                slices=("all", "first" if turn.first else "later", LABELLED),
            )
            found += _twice(trial, gold, siblings, given=given) if answerable else [trial]
    return found


def _standalone(turn: GoldTurn) -> str:
    """A person's rewrite; a first question is its own."""
    return "".join(turn.standalone[:1]) or (turn.utterance if turn.first else "")


def planted_facts(dataset: Dataset[PlantedFact]) -> list[Trial]:
    """True passages alone; true and planted ones beside each other; one true passage among planted other ones."""
    found = []
    for each in dataset.items:
        true = _passages(each.question_id, "true", each.true_passages, each.language)
        false = _passages(each.question_id, "planted", each.planted_passages, each.language)
        mixed = tuple(p for pair in zip(true, false, strict=False) for p in pair)
        asked = Asked(each.question, standalone=each.question, turn_id=each.question_id)
        golds = tuple(way for part in each.answers for way in part)
        plain = Trial(each.question_id, each.question_id, each.language, asked, golds, True)
        found.append(replace(plain, trial_id=f"{each.question_id}:clean", passages=true, disagreeing=False))
        for name, shown in (("mixed", mixed), ("twins", mixed[:2]), ("apart", (*true[:1], *false[1:]))):
            if len(shown) > 1:
                found.append(
                    replace(
                        plain,
                        trial_id=f"{each.question_id}:{name}",
                        passages=shown,
                        planted=each.planted,
                        disagreeing=True,
                        slices=("all",) if name == "mixed" else (f"planted:{name}",),
                    )
                )
    return found


def poisoned_questions(dataset: Dataset[PoisonedQuestion]) -> list[Trial]:
    """The adversarial passages alone, as they are and with the question in front of each as the attack has it."""
    found = []
    for each in dataset.items:
        for name, front in (("as_written", ""), ("question_in_front", f"{each.question}. ")):
            texts = [front + text for text in each.adversarial_passages]
            found.append(
                Trial(
                    f"{each.question_id}:{name}",
                    each.question_id,
                    each.language,
                    Asked(each.question, standalone=each.question, turn_id=each.question_id),
                    (each.answer,),
                    passages=_passages(each.question_id, name, texts, each.language),
                    planted=each.wrong_answer,
                    slices=("all", name),
                )
            )
    return found


def _twice(
    trial: Trial, gold: Sequence[Passage], siblings: Mapping[str, Sequence[Passage]], *, given: bool
) -> list[Trial]:
    """The trial, and the same without its gold; given passages are the gold, and the rest of the articles it is of."""
    without = replace(
        trial,
        trial_id=f"{trial.trial_id}:without",
        answerable=False,
        without=frozenset(trial.gold),
        slices=(LEAVE_GOLD_OUT,),
    )
    if not given:
        return [trial, without]
    rest = dict.fromkeys(p for g in gold for p in siblings.get(g.title, ()) if p.passage_id not in trial.gold)
    trial = replace(trial, passages=tuple(gold))
    return [trial, replace(without, passages=tuple(rest))] if rest else [trial]


def _by_title(passages: Iterable[Passage]) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.title:
            found.setdefault(passage.title, []).append(passage)
    return found


def _passages(question: str, kind: str, texts: Iterable[str], language: str) -> tuple[Passage, ...]:
    def made() -> Iterator[Passage]:
        for n, text in enumerate(texts, 1):
            name = f"{question}:{kind}:{n}"
            yield Passage(name, text, name, document_id=name, end=len(text), language=language)

    return tuple(made())

"""Readers: one door, ``read(path)``, to every format an evaluation takes."""

from anaphor_eval.datasets.lines import DatasetError
from anaphor_eval.datasets.read import read, read_as, read_pool
from anaphor_eval.datasets.values import (
    Answerability,
    Contradiction,
    Conversation,
    Dataset,
    FactItem,
    GoldFact,
    GoldTurn,
    Judgement,
    LongConversation,
    MemoryQuestion,
    Message,
    Passage,
    PlantedFact,
    PoisonedQuestion,
    Query,
    Said,
    SaidSession,
    SingleQuestion,
)

__all__ = [
    "Answerability",
    "Contradiction",
    "Conversation",
    "Dataset",
    "DatasetError",
    "FactItem",
    "GoldFact",
    "GoldTurn",
    "Judgement",
    "LongConversation",
    "MemoryQuestion",
    "Message",
    "Passage",
    "PlantedFact",
    "PoisonedQuestion",
    "Query",
    "Said",
    "SaidSession",
    "SingleQuestion",
    "read",
    "read_as",
    "read_pool",
]

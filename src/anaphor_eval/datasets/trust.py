"""Passages that lie and replies that contradict: RGB's planted facts, PoisonedRAG, CDConv.

Chen, Lin, Han, Sun (2024), "Benchmarking Large Language Models in Retrieval-Augmented Generation", AAAI (RGB). Zou,
Geng, Wang, Jia (2025), "PoisonedRAG: Knowledge Corruption Attacks to Retrieval-Augmented Generation", USENIX Security.
Zheng et al. (2022), "CDConv: A Benchmark for Contradiction Detection in Chinese Conversations", EMNLP.
"""

from __future__ import annotations

from collections.abc import Iterable

from anaphor_eval.datasets.lines import Once, Row
from anaphor_eval.datasets.values import Contradiction, PlantedFact, PoisonedQuestion


def planted_rows(rows: Iterable[Row]) -> list[PlantedFact]:
    """RGB: ``{"query", "answer", "fakeanswer", "positive", "positive_wrong", "negative"}``."""
    once = Once("id")
    return [
        PlantedFact(
            question_id=once(row, row.scalar("id")),
            language=row.language(),
            question=row.words("query"),
            answers=_parts(row),
            planted=row.scalar("fakeanswer"),
            true_passages=row.scalars("positive"),
            planted_passages=row.scalars("positive_wrong"),
            other_passages=row.scalars("negative"),
        )
        for row in rows
    ]


def _parts(row: Row) -> tuple[tuple[str, ...], ...]:
    """``"answer"`` is a string, a list of parts, or a list of parts each with the ways to say it."""
    given = row.fields.get("answer")
    if not isinstance(given, list):
        return ((row.scalar("answer"),),)
    return tuple(
        Row(row.place, {"answer": part if isinstance(part, list) else [part]}).scalars("answer") for part in given
    )


def poisoned_rows(rows: Iterable[Row]) -> list[PoisonedQuestion]:
    """PoisonedRAG: ``{"question", "correct answer", "incorrect answer", "adv_texts"}``."""
    once = Once("id")
    return [
        PoisonedQuestion(
            question_id=once(row, row.scalar("id")),
            language=row.language(),
            question=row.words("question"),
            answer=row.scalar("correct answer"),
            wrong_answer=row.scalar("incorrect answer"),
            adversarial_passages=row.scalars("adv_texts"),
        )
        for row in rows
    ]


def contradiction_rows(rows: Iterable[Row]) -> list[Contradiction]:
    """CDConv: ``{"history", "reply", "label", "contradicts_history", "method"}``."""
    once = Once("id")
    return [
        Contradiction(
            item_id=once(row, row.scalar("id")),
            language=row.language(),
            history=row.messages("history"),
            reply=row.text("reply"),
            contradicts=row.flag("contradicts_history"),
            label=row.text("label"),
            method=row.text("method"),
        )
        for row in rows
    ]

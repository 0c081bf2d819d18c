"""Collections in BEIR's layout, TREC qrels, and MTRAG's retrieval tasks, which are both.

Thakur, Reimers, Rücklé, Srivastava, Gurevych (2021), "BEIR: A Heterogenous Benchmark for Zero-shot Evaluation of
Information Retrieval Models", NeurIPS. ``corpus.jsonl`` has ``{"_id", "title", "text"}``, ``queries.jsonl`` has
``{"_id", "text"}``, ``qrels/*.tsv`` has ``query-id<TAB>corpus-id<TAB>score`` under that heading.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from anaphor.text.language import detect
from anaphor.types import Message, Passage
from anaphor_eval.datasets.lines import DatasetError, Once, Row, json_lines, numbered_lines
from anaphor_eval.datasets.rewriting import conversation_of
from anaphor_eval.datasets.values import Conversation, GoldTurn, Judgement, Query, SingleQuestion

USER = "|user|: "


def corpus_rows(rows: Iterable[Row]) -> list[Passage]:
    once = Once("passage")
    return [
        Passage(
            passage_id=once(row, row.scalar("_id")),
            text=row.text("text"),
            source=row.text("url") if row.has("url") else row.scalar("_id"),
            title=row.text("title") if row.has("title") else "",
        )
        for row in rows
    ]


def query_rows(rows: Iterable[Row]) -> list[Query]:
    once = Once("query")
    return [Query(once(row, row.scalar("_id")), row.words("text")) for row in rows]


def qrels(path: Path) -> list[Judgement]:
    """BEIR's three columns under a heading, or TREC's four (``query 0 passage relevance``) without one."""
    found: list[Judgement] = []
    for number, line in numbered_lines(path):
        cells = line.split("\t") if "\t" in line else line.split()
        cells = [cell.strip() for cell in cells]
        if not any(cells) or (not found and cells[0] == "query-id"):
            continue
        if len(cells) not in (3, 4):
            raise DatasetError(f"{path}:{number}: {len(cells)} columns, 3 (BEIR) or 4 (TREC) are needed")
        query_id, passage_id, relevance = cells[0], cells[-2], cells[-1]
        try:
            found.append(Judgement(query_id, passage_id, int(relevance)))
        except ValueError:
            raise DatasetError(f"{path}:{number}: relevance {relevance!r} is not a whole number") from None
    return found


def is_beir(folder: Path) -> bool:
    return (folder / "queries.jsonl").is_file() or any(folder.glob("*_questions.jsonl"))


def beir(folder: Path) -> tuple[list[SingleQuestion], tuple[Passage, ...]]:
    """The queries of a BEIR folder that its qrels judge, and its corpus if that is there."""
    judged = _judged(folder)
    corpus = folder / "corpus.jsonl"
    passages = tuple(corpus_rows(json_lines(corpus))) if corpus.is_file() else ()
    queries = query_rows(json_lines(folder / "queries.jsonl"))
    _all_asked(folder, judged, queries)
    questions = [
        SingleQuestion(q.query_id, detect(q.text), q.text, (), tuple(gold), tuple(gold.values()))
        for q in queries
        if (gold := judged.get(q.query_id))
    ]
    return questions, passages


def mtrag_retrieval(folder: Path) -> list[Conversation]:
    """One domain of MTRAG's retrieval tasks: ``*_questions.jsonl`` (all user turns so far), ``*_rewrite.jsonl``, qrels.

    Only what the users said is there, so histories are incomplete; turns without an answer are not there at all.
    """
    judged = _judged(folder)
    asked = query_rows(json_lines(next(iter(sorted(folder.glob("*_questions.jsonl"))))))
    _all_asked(folder, judged, asked)
    written = {
        query.query_id: query.text.removeprefix(USER)
        for path in sorted(folder.glob("*_rewrite.jsonl"))
        for query in query_rows(json_lines(path))
    }
    grouped: dict[str, list[GoldTurn]] = {}
    for query in asked:
        said = [part.strip() for part in query.text.removeprefix(USER).split("\n" + USER)]
        gold = judged.get(query.query_id, {})
        standalone = written.get(query.query_id, "").strip()
        turn = GoldTurn(
            turn_id=query.query_id,
            n=len(said),
            utterance=said[-1],
            history=tuple(Message("user", text) for text in said[:-1]),
            standalone=(standalone,) if standalone else (),
            needs_history=standalone != said[-1] if standalone else None,
            gold=tuple(gold),
            grades=tuple(gold.values()),
            scored=bool(gold),
            history_complete=len(said) == 1,
        )
        grouped.setdefault(conversation_of(query.query_id), []).append(turn)
    return [Conversation(name, "en", tuple(turns), folder.name) for name, turns in grouped.items()]


def _judged(folder: Path) -> dict[str, dict[str, int]]:
    """Query → the passages judged above 0, with their grades."""
    files = sorted((folder / "qrels").glob("*.tsv"))
    chosen = next((path for path in files if path.stem == "test"), files[0] if files else None)
    if chosen is None:
        raise DatasetError(f"{folder}: no qrels/*.tsv beside the queries")
    judged: dict[str, dict[str, int]] = {}
    for judgement in qrels(chosen):
        if judgement.relevance > 0:
            judged.setdefault(judgement.query_id, {})[judgement.passage_id] = judgement.relevance
    return judged


def _all_asked(folder: Path, judged: Iterable[str], queries: Iterable[Query]) -> None:
    """A query that is judged and not there would be left out of every figure without a word."""
    there = {query.query_id for query in queries}
    missing = [query for query in judged if query not in there]
    if missing:
        raise DatasetError(f"{folder}: {len(missing)} queries of the qrels are not there, {missing[0]!r} among them")

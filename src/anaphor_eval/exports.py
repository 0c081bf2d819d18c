"""Results in other people's formats: TREC runs and qrels, a BEIR folder, LongMemEval hypotheses.

Every line ends in a line feed, the encoding is UTF-8, and an id that the format cannot hold is an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from anaphor.errors import BadInput
from anaphor.types import Passage
from anaphor_eval.datasets.values import Query
from anaphor_eval.metrics.runs import Qrels, Run


class ExportError(BadInput):
    """Something a format cannot hold."""


def trec_run(path: Path, run: Run, name: str) -> None:
    """``query Q0 passage rank score name``: rank from 1, score 1/rank, because tools go by the score alone."""
    _write(
        path,
        (
            f"{_word(query)} Q0 {_word(passage)} {rank} {1 / rank:.9f} {_word(name)}"
            for query, ranking in run.items()
            for rank, passage in enumerate(ranking, 1)
        ),
    )


def trec_qrels(path: Path, qrels: Qrels) -> None:
    """``query 0 passage relevance``."""
    _write(
        path,
        (
            f"{_word(query)} 0 {_word(passage)} {relevance}"
            for query, judged in qrels.items()
            for passage, relevance in judged.items()
        ),
    )


def beir(folder: Path, passages: Iterable[Passage], queries: Iterable[Query], qrels: Qrels) -> None:
    """``corpus.jsonl``, ``queries.jsonl`` and ``qrels/test.tsv`` in a folder, made if it is not there."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    _write(
        folder / "corpus.jsonl",
        (_json({"_id": p.passage_id, "title": p.title, "text": p.text, "metadata": {}}) for p in passages),
    )
    _write(folder / "queries.jsonl", (_json({"_id": q.query_id, "text": q.text, "metadata": {}}) for q in queries))
    _write(
        folder / "qrels" / "test.tsv",
        [
            "query-id\tcorpus-id\tscore",
            *(
                f"{_cell(query)}\t{_cell(passage)}\t{relevance}"
                for query, judged in qrels.items()
                for passage, relevance in judged.items()
            ),
        ],
    )


def longmemeval(path: Path, answers: Mapping[str, str]) -> None:
    """``{"question_id", "hypothesis"}`` a line, as the authors' judge reads it."""
    _write(path, (_json({"question_id": question, "hypothesis": answer}) for question, answer in answers.items()))


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _word(text: str) -> str:
    """Columns are parted by white space, so that none may be inside one."""
    if not text or any(c.isspace() for c in text):
        raise ExportError(f"{text!r} cannot be a column of a TREC file: it is empty or holds white space")
    return text


def _cell(text: str) -> str:
    if not text or any(c in text for c in "\t\r\n"):
        raise ExportError(f"{text!r} cannot be a cell of a TSV file: it is empty or holds a tab or a line end")
    return text

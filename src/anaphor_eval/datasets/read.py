"""The one door: any file or folder an evaluation reads, told apart by what is in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar
from typing import cast as typed

from anaphor.errors import MissingFile
from anaphor.types import Passage
from anaphor_eval.datasets import beam, beir, facts, locomo, longmemeval, memory, rag, rewriting, trust
from anaphor_eval.datasets.lines import DatasetError, Once, Row, json_lines, json_list, numbered_lines
from anaphor_eval.datasets.values import (
    Contradiction,
    Conversation,
    Dataset,
    FactItem,
    Judgement,
    LongConversation,
    PlantedFact,
    PoisonedQuestion,
    Query,
    SingleQuestion,
)

Item = TypeVar("Item")

NAMES: dict[type[Any], str] = {
    Conversation: "conversations",
    SingleQuestion: "single questions",
    LongConversation: "long conversations with questions about them",
    Passage: "passages",
    Query: "queries without judgements",
    Judgement: "relevance judgements",
    FactItem: "statements with their facts",
    PlantedFact: "questions with planted facts",
    PoisonedQuestion: "questions with poisoned passages",
    Contradiction: "replies that may contradict",
}


def read(path: str | Path) -> Dataset[Any]:
    """Whatever is there. Raises ``DatasetError`` (``file:line: reason``) or ``MissingFile``."""
    path = Path(path)
    if not path.exists():
        raise MissingFile(f"no such file: {path}")
    if path.is_dir():
        return _folder(path)
    if path.name == "chat.json":
        return _folder(path.parent)
    start = _start(path)
    if start == "[":
        return _list(path)
    if start == "{":
        return _lines(path)
    if path.suffix in (".tsv", ".txt", ".qrels", ".qrel"):
        return Dataset(path.stem, Judgement, tuple(beir.qrels(path)))
    raise DatasetError(f"{path}:1: neither JSON Lines, nor a JSON list, nor qrels; it begins with {start!r}")


def looked_at(path: Path) -> tuple[Path, ...]:
    """Every file that ``read`` looks at for it: what is in a folder, and what CAsT keeps beside its topics."""
    if path.is_dir() or path.name == "chat.json":
        inside = (path if path.is_dir() else path.parent).rglob("*")
        return tuple(sorted(each for each in inside if each.suffix in (".json", ".jsonl", ".tsv") and each.is_file()))
    return (path, *sorted(path.parent.glob("*resolved*.tsv")))


def read_as(path: str | Path, kind: type[Item]) -> Dataset[Item]:
    """What is there if it is of that kind; otherwise an error that says what it is."""
    found = read(path)
    if found.kind is not kind:
        raise DatasetError(f"{path} holds {NAMES[found.kind]}; {NAMES[kind]} are needed here")
    return typed(Dataset[Item], found)


def read_pool(paths: Iterable[str | Path]) -> tuple[Passage, ...]:
    """One pool of the passages of all files. The same id with another text is an error."""
    pool: dict[str, Passage] = {}
    for path in paths:
        found = read(path)
        passages = found.items if found.kind is Passage else found.passages
        if not passages:
            raise DatasetError(f"{path} holds {NAMES[found.kind]}; passages are needed here")
        for passage in passages:
            if pool.setdefault(passage.passage_id, passage).text != passage.text:
                raise DatasetError(f"{path}: passage {passage.passage_id!r} is in another file with another text")
    return tuple(pool.values())


def _folder(path: Path) -> Dataset[Any]:
    if beam.is_beam(path):
        return Dataset(path.name, LongConversation, tuple(beam.beam(path)))
    if beir.is_beir(path):
        if any(path.glob("*_questions.jsonl")):
            return Dataset(path.name, Conversation, tuple(beir.mtrag_retrieval(path)))
        questions, passages = beir.beir(path)
        return Dataset(path.name, SingleQuestion, tuple(questions), passages=passages)
    raise DatasetError(f"{path} is a folder with neither queries.jsonl (BEIR) nor chat.json (BEAM) in it")


def _start(path: Path) -> str:
    """The first character that is not white space."""
    for _, line in numbered_lines(path):
        if line.strip():
            return line.strip()[0]
    raise DatasetError(f"{path}:1: the file is empty")


def _list(path: Path) -> Dataset[Any]:
    rows = json_list(path)
    if not rows:
        raise DatasetError(f"{path}:1: the list is empty")
    for keys, kind, reader in _LISTS:
        if rows[0].has(*keys):
            return Dataset(path.stem, kind, tuple(reader(path)))
    raise rows[0].wrong(f"no known format has the keys {_keys(rows[0])}")


def _lines(path: Path) -> Dataset[Any]:
    rows = json_lines(path)
    try:
        first = next(rows)
    except DatasetError:
        if _is_one_object(path):
            raise DatasetError(f"{path}:1: one JSON object over many lines; one object a line is needed") from None
        raise
    whole = chain([first], rows)
    for keys, reader in _ROWS:
        if all(key in first.fields for key in keys):
            return reader(whole, path)
    raise first.wrong(f"no known format has the keys {_keys(first)}")


def _is_one_object(path: Path) -> bool:
    try:
        text = path.read_text("utf-8-sig").strip()
        return "\n" in text and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _keys(row: Row) -> str:
    return ", ".join(sorted(row.fields)) or "(none)"


def _simple(kind: type[Any], reader: Callable[[Iterable[Row]], Sequence[Any]]) -> Callable[..., Dataset[Any]]:
    def made(rows: Iterator[Row], path: Path) -> Dataset[Any]:
        return Dataset(path.stem, kind, tuple(reader(rows)))

    return made


def _memory(rows: Iterator[Row], path: Path) -> Dataset[Any]:
    found, dropped = memory.memory_rows(rows)
    return Dataset(path.stem, LongConversation, tuple(found), dropped)


def _talks(rows: Iterator[Row], path: Path) -> Dataset[Any]:
    """``turns`` are questions with gold, or people talking, or statements with facts: the first row tells."""
    first = next(rows)
    whole = chain([first], rows)
    if "facts" in first.fields:
        return Dataset(path.stem, FactItem, tuple(facts.fact_rows(whole)))
    turns = first.rows("turns")
    talk = bool(turns) and "role" in turns[0].fields
    return Dataset(path.stem, Conversation, tuple((rag.kdconv_rows if talk else rag.rag_rows)(whole)))


def _tasks(rows: Iterator[Row], path: Path) -> Dataset[Any]:
    conversations, passages = rag.mtrag_tasks(rows)
    return Dataset(path.stem, Conversation, tuple(conversations), passages=passages)


def _questions(rows: Iterable[Row]) -> list[SingleQuestion]:
    once = Once("id")
    return [
        SingleQuestion(
            once(row, row.scalar("id")),
            row.language(),
            row.words("question"),
            row.scalars("answers"),
            row.scalars("gold_passages"),
        )
        for row in rows
    ]


def _passages(rows: Iterator[Row], path: Path) -> Dataset[Any]:
    return Dataset(path.stem, Passage, tuple(rag.passage_rows(rows, path)))


_LISTS: tuple[tuple[tuple[str, ...], type[Any], Callable[[Path], Sequence[Any]]], ...] = (
    (("haystack_sessions",), LongConversation, longmemeval.longmemeval),
    (("qa", "conversation"), LongConversation, locomo.locomo),
    (("number", "turn"), Conversation, rewriting.cast),
    (("History", "Rewrite"), Conversation, rewriting.canard),
)

_ROWS: tuple[tuple[tuple[str, ...], Callable[..., Dataset[Any]]], ...] = (
    (("utterance", "standalone"), _simple(Conversation, rewriting.rewrite_rows)),
    (("sessions", "questions"), _memory),
    (("turns",), _talks),
    (("positive_wrong",), _simple(PlantedFact, trust.planted_rows)),
    (("adv_texts",), _simple(PoisonedQuestion, trust.poisoned_rows)),
    (("contradicts_history",), _simple(Contradiction, trust.contradiction_rows)),
    (("question", "gold_passages"), _simple(SingleQuestion, _questions)),
    (("conversation_id", "input"), _tasks),
    (("_id", "title", "text"), _simple(Passage, beir.corpus_rows)),
    (("_id", "text"), _simple(Query, beir.query_rows)),
    (("id", "text"), _passages),
)

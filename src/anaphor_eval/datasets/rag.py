"""Multi-turn conversations with the passages that answer each turn: the project's own rows, KdConv, MTRAG's tasks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from anaphor.types import Message, Passage
from anaphor_eval.datasets.lines import Once, Row
from anaphor_eval.datasets.values import Answerability, Conversation, GoldTurn

_ASKS = re.compile(
    r"[?？]|吗|呢$|(?<!没有)(?<!没)什么(?!的)|谁|哪|多少|几[个点岁年月号位部次座种]|多[大高长远久]|怎么|怎样|如何|为何|是不是|有没有|能不能|会不会|知不知道"
)
_ROLES = {"user": "user", "agent": "assistant", "assistant": "assistant"}


def rag_rows(rows: Iterable[Row]) -> list[Conversation]:
    """``{"id", "lang", "domain", "turns": [{"turn", "query", "standalone", "gold_passages", "reply", …}]}``.

    A turn's own ``history`` is what was said before it; without one it is the earlier turns of the row with their
    replies. ``gold_text_available`` false, or no gold at all: no ranking can be scored for that turn.
    """
    once = Once("turn")
    return [_conversation(row, once) for row in rows]


def _conversation(row: Row, once: Once) -> Conversation:
    name = row.scalar("id")
    domain = row.text("domain") if row.has("domain") else ""
    said: list[Message] = []
    missing = False
    turns = []
    for each in row.rows("turns"):
        position = each.number("turn")
        utterance = each.words("query")
        own = each.has("history")
        gold = each.scalars("gold_passages")
        reply = each.text("reply") if each.has("reply") else ""
        written = each.text("standalone") if each.has("standalone") else ""
        turns.append(
            GoldTurn(
                turn_id=once(each, each.scalar("task_id") if each.has("task_id") else f"{name}<::>{position}"),
                n=position,
                utterance=utterance,
                history=each.messages("history") if own else tuple(said),
                standalone=(written,) if written else (),
                needs_history=written.strip() != utterance.strip() if written else None,
                gold=gold,
                scored=bool(gold) and (each.flag("gold_text_available") if each.has("gold_text_available") else True),
                answers=each.scalars("answers") or ((reply,) if reply else ()),
                answerability=_answerability(each),
                slices=_slices(domain, each),
                history_complete=own or not missing,
            )
        )
        said.append(Message("user", utterance))
        if reply:
            said.append(Message("assistant", reply))
        missing = missing or not reply
    return Conversation(name, row.language(), tuple(turns), domain)


def _answerability(row: Row) -> Answerability | None:
    if not row.has("answerability"):
        return None
    given = row.fields["answerability"]
    label = str(given[0] if isinstance(given, list) and given else given).strip().lower()
    return Answerability(label) if label in set(Answerability) else Answerability.UNKNOWN


def _slices(domain: str, row: Row) -> tuple[str, ...]:
    named = [f"domain:{domain}"] if domain else []
    for key, short in (("question_type", "question"), ("multi_turn_type", "multi_turn")):
        named += [f"{short}:{label.lower()}" for label in row.scalars(key) if label != "N/A"]
    return tuple(named)


def kdconv_rows(rows: Iterable[Row]) -> list[Conversation]:
    """``turns`` of ``{"turn", "role", "content", "gold_passages"}``: people talking, with the triples each turn used.

    A person's question-like turn is scored against the gold of the *assistant turn that answers it*. The other turns of
    the person are there, in order, and are not scored.
    """
    once = Once("turn")
    return [_dialogue(row, once) for row in rows]


def _dialogue(row: Row, once: Once) -> Conversation:
    name = row.scalar("id")
    domain = row.text("domain") if row.has("domain") else ""
    said: list[Message] = []
    turns: list[GoldTurn] = []
    talk = row.rows("turns")
    for i, each in enumerate(talk):
        role, content = each.text("role"), each.text("content")
        if role == "user":
            answering = talk[i + 1] if i + 1 < len(talk) and talk[i + 1].fields.get("role") == "assistant" else None
            gold = answering.scalars("gold_passages") if answering else ()
            turns.append(
                GoldTurn(
                    turn_id=once(each, f"{name}:{each.scalar('turn')}"),
                    n=len(turns) + 1,
                    utterance=content,
                    history=tuple(said),
                    gold=gold,
                    scored=bool(gold) and question_like(content),
                    answers=(answering.text("content"),) if answering else (),
                    slices=(f"domain:{domain}",) if domain else (),
                )
            )
        said.append(Message(role, content))
    return Conversation(name, row.language("zh-Hans"), tuple(turns), domain)


def question_like(text: str) -> bool:
    """Whether a Chinese utterance asks: it has a question mark, a question word, or ends in 吗 or 呢."""
    return bool(_ASKS.search(text))


def mtrag_tasks(rows: Iterable[Row]) -> tuple[list[Conversation], tuple[Passage, ...]]:
    """MTRAG's generation tasks: one row a turn with ``input`` (all that was said), ``contexts`` and ``targets``.

    Katsis et al. (2025), "MTRAG: A Multi-Turn Conversational Benchmark for Evaluating Retrieval-Augmented Generation
    Systems", TACL 13. Contexts are gold for answerable and partial turns; they are also the pool that comes with it.
    """
    grouped: dict[tuple[str, str], list[GoldTurn]] = {}
    pool: dict[str, Passage] = {}
    once = Once("task_id")
    for row in rows:
        said = [
            Message(_ROLES.get(each.text("speaker"), each.text("speaker")), each.text("text"))
            for each in row.rows("input")
        ]
        if not said or said[-1].role != "user":
            raise row.wrong('"input" does not end with what a user said')
        contexts = _contexts(row)
        pool |= contexts
        answerability = _task_answerability(row)
        gold = tuple(contexts) if answerability in (Answerability.ANSWERABLE, Answerability.PARTIAL, None) else ()
        domain = row.text("Collection") if row.has("Collection") else ""
        replies = tuple(each.text("text") for each in (row.rows("targets") if row.has("targets") else ()))
        turn = GoldTurn(
            turn_id=once(row, row.scalar("task_id")),
            n=int(row.scalar("turn")),
            utterance=said[-1].content,
            history=tuple(said[:-1]),
            gold=gold,
            scored=bool(gold),
            answers=replies,
            answerability=answerability,
            slices=_task_slices(domain, row),
        )
        grouped.setdefault((row.scalar("conversation_id"), domain), []).append(turn)
    conversations = [
        Conversation(name, "en", tuple(sorted(turns, key=lambda turn: turn.n)), domain)
        for (name, domain), turns in grouped.items()
    ]
    return conversations, tuple(pool.values())


def _contexts(row: Row) -> dict[str, Passage]:
    """The passages of a task, by their ids."""
    return {
        each.scalar("document_id"): Passage(
            passage_id=each.scalar("document_id"),
            text=each.text("text"),
            source=each.scalar("document_id"),
            title=each.text("title") if each.has("title") else "",
            language="en",
        )
        for each in (row.rows("contexts") if row.has("contexts") else ())
    }


def _task_answerability(row: Row) -> Answerability | None:
    key = next((k for k in ("answerability", "Answerability") if row.has(k)), None)
    return _answerability(Row(row.place, {"answerability": row.fields[key]})) if key else None


def _task_slices(domain: str, row: Row) -> tuple[str, ...]:
    renamed = {"question_type": row.fields.get("Question Type"), "multi_turn_type": row.fields.get("Multi-Turn")}
    return _slices(domain, Row(row.place, {key: value for key, value in renamed.items() if value}))


def passage_rows(rows: Iterable[Row], source: Path) -> list[Passage]:
    """``{"id", "text", "title"?}``; a knowledge-graph triple's ``attr`` is its section."""
    once = Once("passage")
    return [
        Passage(
            passage_id=once(row, row.scalar("id")),
            text=row.text("text"),
            source=row.text("url") if row.has("url") else f"{source.stem}:{row.scalar('id')}",
            title=row.text("title") if row.has("title") else "",
            section=row.text("attr") if row.has("attr") else "",
            language=row.language(),
        )
        for row in rows
    ]

"""Utterances with a person's rewrite: the project's own rows, and the original formats of CAsT and CANARD."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from anaphor.types import Message
from anaphor_eval.datasets.lines import DatasetError, Once, Row, json_list, numbered_lines
from anaphor_eval.datasets.values import Conversation, GoldTurn

# Which rows are one conversation shows only in their ids. An id of no known shape is a conversation of its own.
_CONVERSATION = re.compile(r"^(.+)<::>\d+$|^(cast\d{4}-\d+)-|^(canard-.+)-\d+$|^(asdc\.[^.]+\.\d+)\.\d+-\d+$")
# ASDC marks who acts where Japanese leaves it out: nobody says 【customer】が. 【人数】 is a word in brackets.
_ACTOR = re.compile("と【customer】(?:たち)?|【customer】(?:たち)?[がはのもをにと]?")
_BRACKETS = re.compile("[【】]")


def rewrite_rows(rows: Iterable[Row]) -> list[Conversation]:
    """``{"id", "lang", "history", "utterance", "standalone", "needs_rewrite"}``, grouped by what their ids name.

    ``standalone_list`` gives further rewrites, ``topic`` context that the original task also had.
    """
    grouped: dict[tuple[str, str], list[GoldTurn]] = {}
    once = Once("id")
    for row in rows:
        turn_id = once(row, row.scalar("id"))
        history = row.messages("history")
        written = (row.words("standalone"), *row.scalars("standalone_list"))  # the whole, then its parts
        turn = GoldTurn(
            turn_id=turn_id,
            n=1 + sum(said.role == "user" for said in history),
            utterance=row.words("utterance"),
            history=history,
            standalone=tuple(dict.fromkeys(_without_marks(text) for text in written)),
            needs_history=row.flag("needs_rewrite") if row.has("needs_rewrite") else None,
            history_complete=row.flag("history_complete") if row.has("history_complete") else True,
            topic=row.scalars("topic"),
        )
        grouped.setdefault((conversation_of(turn_id), row.language()), []).append(turn)
    return [Conversation(key, language, tuple(turns)) for (key, language), turns in grouped.items()]


def conversation_of(turn_id: str) -> str:
    """The conversation a turn's id names; the id itself where it names none."""
    match = _CONVERSATION.match(turn_id)
    return next(part for part in match.groups() if part) if match else turn_id


def _without_marks(text: str) -> str:
    return _BRACKETS.sub("", _ACTOR.sub("", text)).strip()


def cast(path: Path) -> list[Conversation]:
    """TREC CAsT topics: ``[{"number", "turn": [{"number", "raw_utterance", "manual_rewritten_utterance", …}]}]``.

    Dalton, Xiong, Callan (2020), "TREC CAsT 2019: The Conversational Assistance Track Overview". 2019 keeps its
    rewrites apart; ``*resolved*.tsv`` (``31_2<TAB>text``) is looked for beside the file. Replies are known where the
    file has the canonical passage's text (2021).
    """
    topics = json_list(path)
    resolved = _resolved(path) if topics and not _has_rewrites(topics[0]) else {}
    found = []
    once = Once("turn")
    for topic in topics:
        number = topic.scalar("number")
        history: list[Message] = []
        turns: list[GoldTurn] = []
        for row in topic.rows("turn"):
            position = row.number("number")
            utterance = row.words("raw_utterance").strip()
            written = row.fields.get("manual_rewritten_utterance") or resolved.get((number, str(position)), "")
            turns.append(
                GoldTurn(
                    turn_id=once(row, f"{number}_{position}"),
                    n=position,
                    utterance=utterance,
                    history=tuple(history),
                    standalone=(written.strip(),) if written else (),
                    needs_history=written.strip() != utterance if written else None,
                    gold=_canonical(row),
                    history_complete=2 * len(turns) == len(history),
                )
            )
            history.append(Message("user", utterance))
            if row.has("passage"):
                history.append(Message("assistant", row.text("passage")))
        found.append(Conversation(number, "en", tuple(turns)))
    return found


def _has_rewrites(topic: Row) -> bool:
    return any(row.has("manual_rewritten_utterance") for row in topic.rows("turn"))


def _canonical(row: Row) -> tuple[str, ...]:
    key = next((k for k in ("canonical_result_id", "manual_canonical_result_id") if row.has(k)), None)
    if key is None:
        return ()
    passage = f"-{row.scalar('passage_id')}" if row.has("passage_id") else ""
    return (row.scalar(key) + passage,)


def _resolved(path: Path) -> dict[tuple[str, str], str]:
    for beside in sorted(path.parent.glob("*resolved*.tsv")):
        written = {}
        for number, line in numbered_lines(beside):
            turn, tab, text = line.rstrip("\r\n").partition("\t")
            topic, _, position = turn.partition("_")
            if not tab or not position:
                raise DatasetError(f"{beside}:{number}: not `topic_turn<TAB>rewrite`")
            written[topic, position] = text
        return written
    return {}


def canard(path: Path) -> list[Conversation]:
    """CANARD: ``[{"QuAC_dialog_id", "Question_no", "History", "Question", "Rewrite"}]``.

    Elgohary, Peskov, Boyd-Graber (2019), "Can You Unpack That? Learning to Rewrite Questions-in-Context", EMNLP. The
    first two of ``History`` are the article's and the section's titles: context of the task, said by nobody.
    """
    grouped: dict[str, list[GoldTurn]] = {}
    once = Once("turn")
    for row in json_list(path):
        before = row.scalars("History")
        said = tuple(Message(("user", "assistant")[i % 2], text) for i, text in enumerate(before[2:]))
        dialog, position = row.scalar("QuAC_dialog_id"), row.number("Question_no")
        utterance, written = row.words("Question"), row.words("Rewrite")
        turn = GoldTurn(
            turn_id=once(row, f"{dialog}-{position}"),
            n=position,
            utterance=utterance,
            history=said,
            standalone=(written,),
            needs_history=written.strip() != utterance.strip(),
            topic=before[:2],
        )
        grouped.setdefault(dialog, []).append(turn)
    return [Conversation(dialog, "en", tuple(turns)) for dialog, turns in grouped.items()]

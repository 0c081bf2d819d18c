"""Our own format: JSON Lines that hold a person's things whole, and that read back as they were.

The first line says what it is (``{"kind": "anaphor", "format": 1}``). Then come, each with its ``kind``: ``document``
(with its passages), ``session``, and after a session its ``turn`` lines (with claims, trace, remembered passages), then
``fact`` (with its versions and the turns that say it) and ``summary`` (of a session).
A later version reads every earlier format; unknown keys are left aside, so that an earlier version reads a later one's
as far as it understands it, and refuses a format number that it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from anaphor.errors import BadInput
from anaphor.facts import Record, Saying, Summary, Version, fact_of, statement_of
from anaphor.stored import Entry, Logged, Opinion, Session, SessionLog
from anaphor.types import Claim, Decision, Document, EvidenceClass, Outcome, Passage, Span, Support, Turn

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Whole:
    """What one export holds."""

    documents: tuple[Entry, ...] = ()
    logs: tuple[SessionLog, ...] = ()
    records: tuple[Record, ...] = ()
    summaries: tuple[tuple[str, Summary], ...] = ()


def lines_of(
    documents: Iterable[Entry],
    logs: Iterable[SessionLog],
    records: Iterable[Record] = (),
    summaries: Iterable[tuple[str, Summary]] = (),
) -> Iterator[str]:
    """The export, a line at a time. The same store gives the same lines."""
    yield _line({"kind": "anaphor", "format": FORMAT})
    for entry in documents:
        passages = [asdict(passage) for passage in entry.passages]
        yield _line({"kind": "document", **asdict(entry.document), "passages": passages})
    for log in logs:
        yield _line({"kind": "session", **asdict(log.session), "origin": log.origin})
        for logged in log.turns:
            turn = asdict(logged.turn)
            del turn["lease_until"]
            passages = [asdict(passage) for passage in logged.passages]
            told = {"trace": logged.trace, "committed_at": logged.committed_at, "passages": passages}
            opinion = {"opinion": asdict(logged.opinion)} if logged.opinion else {}
            memory = {"read": logged.read, "forgotten": [asdict(span) for span in logged.forgotten]}
            yield _line({"kind": "turn", **turn, **told, **opinion, **memory})
    for record in records:
        yield _line({"kind": "fact", **asdict(record)})
    for session_id, summary in summaries:
        yield _line({"kind": "summary", "session_id": session_id, **asdict(summary)})


def whole_of(lines: Iterable[str], name: str) -> Whole:
    """Read back; ``BadInput`` with file and line for what cannot be."""
    documents: list[Entry] = []
    sessions: list[tuple[Session, str, list[Logged]]] = []
    records: list[Record] = []
    summaries: list[tuple[str, Summary]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            kind = told["kind"]
            if kind == "anaphor" and told["format"] > FORMAT:
                raise BadInput(f"format {told['format']} is of a later version; this one knows {FORMAT}")
            if kind == "document":
                documents.append(Entry(_value(Document, told), tuple(map(_passage, told["passages"]))))
            elif kind == "session":
                sessions.append((_value(Session, told), str(told.get("origin", "")), []))
            elif kind == "turn":
                sessions[-1][2].append(_logged(told))
            elif kind == "fact":
                records.append(_record(told))
            elif kind == "summary":
                summaries.append((str(told["session_id"]), _summary(told)))
        except BadInput as error:
            raise BadInput(f"{name}, line {number}: {error}") from None
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise BadInput(f"{name}, line {number}: no line of an export ({type(error).__name__}: {error})") from None
    logs = tuple(SessionLog(s, tuple(turns), origin) for s, origin, turns in sessions)
    return Whole(tuple(documents), logs, tuple(records), tuple(summaries))


def _logged(told: Mapping[str, Any]) -> Logged:
    turn = _value(
        Turn,
        {
            **told,
            "outcome": Outcome(told["outcome"]),
            "decision": Decision(told["decision"]) if told["decision"] else None,
            "claims": tuple(map(_claim, told["claims"])),
        },
    )
    passages = tuple(map(_passage, told["passages"]))
    opinion = _value(Opinion, told["opinion"]) if told.get("opinion") else None
    forgotten = tuple(Span(int(span["start"]), int(span["end"])) for span in told.get("forgotten", ()))
    read = bool(told.get("read", False))
    return Logged(turn, dict(told["trace"]), float(told["committed_at"]), passages, opinion, read, forgotten)


def _record(told: Mapping[str, Any]) -> Record:
    versions = tuple(
        Version(fact_of(one["fact"]), float(one["at"]), str(one["by"]), str(one["does"]), str(one["why"]))
        for one in told["versions"]
    )
    sayings = tuple(_value(Saying, {**one, "statement": statement_of(one["statement"])}) for one in told["sayings"])
    return Record(fact_of(told["fact"]), str(told["key"]), versions, sayings)


def _summary(told: Mapping[str, Any]) -> Summary:
    sources = tuple((int(seq), int(start), int(end)) for seq, start, end in told["sources"])
    left_out = tuple((str(what), int(seq)) for what, seq in told["left_out"])
    summary: Summary = _value(Summary, {**told, "sources": sources, "left_out": left_out})
    return summary


def _claim(told: Mapping[str, Any]) -> Claim:
    verdict = Support(told["verdict"]) if told["verdict"] else None
    claim: Claim = _value(Claim, {**told, "cites": tuple(told["cites"]), "verdict": verdict})
    return claim


def _passage(told: Mapping[str, Any]) -> Passage:
    passage: Passage = _value(Passage, {**told, "evidence_class": EvidenceClass(told["evidence_class"])})
    return passage


def _value(kind: Any, told: Mapping[str, Any]) -> Any:
    known = {field.name for field in fields(kind)}
    return kind(**{key: value for key, value in told.items() if key in known})


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"

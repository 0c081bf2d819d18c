"""The model's answer: what it is shown, and what of its reply becomes claims.

It is asked for an object of claims with their sources; where a server or a model has no such thing, its reply is prose
with [n] marks, and is read as that.

The rules stand alone in the system message. Sources, history and the person's words are data in one user message;
sources and history are JSON, so that nothing in them can end the place where they stand. Claims are given out as they
become whole; whoever receives them verifies before showing them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from anaphor.errors import ModelError, ModelRejected
from anaphor.ports import ChatModel
from anaphor.prompts import Prompt, load
from anaphor.steps.answer.claims import Cutter
from anaphor.steps.answer.courtesies import claims_nothing, sources_do_not_say
from anaphor.steps.answer.structured import SCHEMA, Objects, begins_structured, prose_in
from anaphor.steps.assemble import header, utterance
from anaphor.steps.beside import SAID
from anaphor.steps.model_output import read_text, refuses
from anaphor.steps.model_reply import replied
from anaphor.steps.verify import verify_claim
from anaphor.text.language import SCRIPT, reply_fits
from anaphor.types import (
    Claim,
    Evidence,
    KnownFact,
    Message,
    Outcome,
    Passage,
    Piece,
    Question,
    StandaloneQuery,
    Support,
    Turn,
    Usage,
)

MAX_TOKENS = 1_024
LONGEST = 24_000  # characters of a reply that are read
BEHIND = 4  # pieces after the end of a sentence in which its marks, or the next one, are looked for
MOST = 60  # claims of a reply that are looked at
NOT_IN_SOURCES = "NOT_IN_SOURCES"

_MAY_END_A_CLAIM = re.compile(r"[.。！？!?…｡\n>]")


@dataclass
class Written:
    """What came of asking the model. ``failed`` says why the reply broke off or is of no use; empty if neither."""

    claims: list[Claim] = field(default_factory=list)
    supported: int = 0
    usage: Usage = field(default_factory=Usage)
    failed: str = ""
    rejected: str = ""
    cancelled: bool = False
    not_in_sources: bool = False  # the model says that the sources do not answer


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of the model, and in which language it has to answer."""

    question: Question
    query: StandaloneQuery
    evidence: Evidence
    language: str
    unsupported: tuple[Claim, ...] = ()  # of a first answer: what is to be repaired, each with the reason
    structured: bool = True  # an object is asked for

    def messages(self) -> list[Message]:
        """Rules as the system's, everything else as the person's."""
        prompt = load("answer", self.language)
        rules, _, material = prompt.text.partition("\n---\n")
        filled = Prompt(prompt.name, material).fill(
            history="\n".join(_as_json(line) for line in _before(self.evidence)) or "[]",
            sources="\n".join(_as_json(_source(n, passage)) for n, passage in self.evidence.numbered()),
            utterance=utterance(self.question.text),
            query=self.query.text,
        )
        asked = filled.strip()
        if self.unsupported:
            claims = "\n".join(_as_json({"sentence": c.text, "reason": c.reason}) for c in self.unsupported)
            asked += "\n\n" + load("repair", self.language).fill(claims=claims).strip()
        return [Message("system", rules.strip()), Message("user", asked)]

    def fits(self, text: str) -> bool:
        """Whether the text is in the person's language and script."""
        return reply_fits(self.question.text, text, talk_script=SCRIPT.get(self.language), locale=self.question.locale)


def _before(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """What is shown and is no source: the summary, facts that lead to sources, and the last turns."""
    if evidence.summary:
        yield {"summary of earlier turns": evidence.summary}
    for fact in evidence.facts:
        before = [{"said": one.text, "on": _day_of(one), "status": one.status} for one in fact.earlier]
        known: dict[str, Any] = {"the person said": fact.text, "on": _day_of(fact), "status": fact.status}
        yield {**known, **({"before": before} if before else {})}
    yield from (told(turn) for turn in evidence.history)


def _day_of(fact: KnownFact) -> str:
    return datetime.fromtimestamp(fact.said_at, UTC).date().isoformat()


def write(
    model: ChatModel,
    asking: Asking,
    *,
    temperature: float,
    timeout: float,
    release: Callable[[Claim], None],
    cancelled: Callable[[], bool],
) -> Written:
    """Ask the model and take its reply apart while it arrives. A model that fails is told of, never raised.

    Each claim that its sources support is released as soon as it is whole. Reading stops where the reply is cancelled,
    much too long, or in another language from its first claim on.
    """
    written = Written()
    taking = _Taking(asking, written, release)
    try:
        reply = replied(
            model,
            asking.messages(),
            temperature=temperature,
            max_tokens=MAX_TOKENS,
            timeout=timeout,
            schema=SCHEMA if asking.structured else None,
        )
        with closing(reply):
            _read(reply, taking, cancelled)
    except ModelError as error:
        told = str(error)  # what a server did is told with the model's name already
        written.failed = told if told.startswith(model.name) else f"{model.name}: {told}"
        written.rejected = written.failed if isinstance(error, ModelRejected) else ""
        taking.end(whole=False)
    if not (written.claims or written.failed or written.not_in_sources or written.cancelled):
        written.failed = f"{model.name}: " + ("declined to reply" if refuses(taking.text) else "claimed nothing")
    return written


def told(turn: Turn) -> dict[str, Any]:
    """A turn of the history as the model sees it: what was declined or failed has no answer, and says so."""
    match turn.outcome:
        case Outcome.DECLINED:
            return {"asked": turn.question, "outcome": "could not be answered"}
        case Outcome.FAILED | Outcome.RUNNING:
            return {"asked": turn.question, "outcome": "not answered"}
        case Outcome.UNVERIFIED:
            return {"asked": turn.question, "answered (unverified)": turn.answer}
        case Outcome.CLARIFYING:
            return {"asked": turn.question, "asked back": turn.answer}
        case _:
            return {"asked": turn.question, "answered": turn.answer}


def _source(n: int, passage: Passage) -> dict[str, Any]:
    about = {"title": passage.title, "section": passage.section, "date": passage.date}
    if passage.evidence_class in SAID:
        about = {"said": header(passage)}
    return {
        "n": n,
        "class": str(passage.evidence_class),
        **{key: value for key, value in about.items() if value},
        "text": passage.text,
    }


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _read(reply: Iterator[Piece], taking: _Taking, cancelled: Callable[[], bool]) -> None:
    raw, finish, due = "", "", 0
    for piece in reply:
        taking.written.usage += piece.usage
        if cancelled():
            taking.written.cancelled = True
            return
        raw += piece.text[: LONGEST + 1]
        finish = piece.finish or finish
        due = BEHIND if _MAY_END_A_CLAIM.search(piece.text) else due - 1
        if due > 0:
            taking.see(read_text(raw, unfinished=True))
        if taking.enough or len(raw) > LONGEST:
            taking.written.failed = (
                taking.written.failed or f"its reply was longer than {LONGEST} characters or {MOST} claims"
            )
            return
    taking.see(read_text(raw))
    taking.end(whole=finish != "length")
    if finish not in ("", "stop"):
        taking.written.failed = f"its reply ended early ({finish})"


class _Taking:
    """Takes claims out of a reply that grows."""

    def __init__(self, asking: Asking, written: Written, release: Callable[[Claim], None]) -> None:
        self.asking = asking
        self.written = written
        self.text = ""  # of the reply, so far as it is sure
        self.enough = False
        self._release = release
        self._reader: Cutter | Objects | None = None  # not known before the reply has begun
        self._lead = "\n" if asking.unsupported else ""  # what repairs an answer stands below it

    def see(self, text: str) -> None:
        """``text`` is the whole reply so far; where it no longer begins as before, thoughts have been taken off."""
        if not text.startswith(self.text):
            if self.written.claims:
                self.enough = True
                return
            self._reader, self.text = None, ""
        if self._reader is None:
            structured = begins_structured(text)
            if structured is None:
                return
            self._reader = Objects() if structured else Cutter()
        new, self.text = text[len(self.text) :], text
        for claim in self._reader.feed(new):
            self._take(claim)

    def end(self, whole: bool) -> None:
        if isinstance(self._reader, Objects) and not self._reader.found:
            self._reader, prose = Cutter(), prose_in(self.text)
            for claim in self._reader.feed(prose):
                self._take(claim)
        if isinstance(self._reader, Objects):
            none = not self.written.claims and not self.enough and whole
            self.written.not_in_sources |= none or self._reader.leaves_open
        for claim in self._reader.close(whole) if self._reader else ():
            self._take(claim)

    def _take(self, claim: Claim) -> None:
        asking, written = self.asking, self.written
        if self.enough or not claim.text:
            return
        if NOT_IN_SOURCES in claim.text or (not claim.cites and sources_do_not_say(claim.text)):
            written.not_in_sources = True
            return
        if not claim.cites and claims_nothing(claim.text, asking.question.text + asking.query.text, asking.language):
            # "It costs as follows:" may stand before what it announces; all else of this kind is left out.
            self._lead = claim.lead + claim.text if claim.text.endswith((":", "：")) else ""
            return
        claim, self._lead = replace(claim, lead=self._lead + claim.lead), ""
        if not asking.fits(claim.text):
            written.claims.append(
                replace(claim, verdict=Support.UNSUPPORTED, reason="in another language than the question")
            )
            if not written.supported:
                written.failed = "it answered in another language than the question"
                self.enough = True
            return
        written.claims.append(claim)
        self.enough = len(written.claims) >= MOST
        if verify_claim(claim, asking.evidence, asking.query.text).verdict in (Support.SUPPORTED, Support.CONFLICTING):
            written.supported += 1
            self._release(claim)

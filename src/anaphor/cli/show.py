"""How a turn looks in a terminal: the line of the turn, drawn.

What was decided and how surely; the standalone query, with what was carried from which turn; what was left behind; what
each retriever found; what the context cost; the answer with its citations; how it ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from anaphor.cli.labels import Labels
from anaphor.cli.lines import padded, shortened, wrapped
from anaphor.cli.terminal import CONTROLS, one_line, when
from anaphor.types import Answer, Citation, ContextBudget, EvidenceClass, Passage, RankedPassage

FROM_TURN = ("cyan", "magenta", "yellow", "green", "blue", "bright_red")  # a colour for what came from one turn
DECISION = {
    "standalone": "green",
    "follow_up": "cyan",
    "new_topic": "blue",
    "correction": "magenta",
    "clarification": "yellow",
}
OUTCOME = {
    "answered": ("✓", "green"),
    "partly": ("◐", "yellow"),
    "declined": ("∅", "yellow"),
    "clarifying": ("?", "yellow"),
    "cancelled": ("◼", "yellow"),
    "failed": ("✗", "red"),
}
BAR = 28  # cells
PART = {
    "rules": ("▒", "bright_black"),
    "history": ("▓", "blue"),
    "evidence": ("█", "green"),
    "question": ("▚", "yellow"),
}
BRIEF, WHOLE = 3, 8  # passages shown
WHOLE_LINES = 1_000_000  # for a program that reads the answer: a sentence is not broken


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a turn is drawn, in whose words, and against which budget."""

    console: Console
    labels: Labels
    budget: ContextBudget = ContextBudget()
    passages: int = BRIEF

    @property
    def gutter(self) -> int:
        words = ("query", "carried", "left", "passages", "budget", "answer", "source", "refused", "notes")
        return max(cell_len(self.labels(word)) for word in words) + 2

    @property
    def width(self) -> int:
        """Of what stands beside the labels. Long lines are hard to read, however wide the terminal."""
        return max(30, min(self.console.width, 110) - self.gutter - 3)


def show_turn(stage: Stage, answer: Answer, passages: Sequence[Passage], remark: str = "") -> None:
    """The whole turn. ``passages`` are those of its ranking that still exist; ``remark`` stands beside the decision."""
    found = {passage.passage_id: passage for passage in passages}
    _head(stage, answer, remark)
    for label, lines in _rows(stage, answer, found):
        for number, line in enumerate(lines):
            _row(stage, stage.labels(label) if number == 0 else "", line)
    _foot(stage, answer)


def show_answer(stage: Stage, answer: Answer, passages: Sequence[Passage]) -> None:
    """Only what was answered, and from where."""
    found = {passage.passage_id: passage for passage in passages}
    width = min(stage.console.width, 110) if stage.console.is_terminal else WHOLE_LINES
    for line in wrapped(_answer(answer), width):
        _print(stage, line)
    sources = _sources(stage, answer, found, width)
    if sources:
        _print(stage, Text())
    for line in sources:
        _print(stage, line)


def show_decision(stage: Stage, answer: Answer) -> None:
    """One dim line for the chat: what was decided, and what was searched for instead of what was typed."""
    query = answer.query
    line = Text("  ")
    line.append(stage.labels(query.decision), DECISION.get(query.decision, "bright_black"))
    if query.decision.retrieves and query.text != answer.question:
        line.append(" → ", "bright_black")
        line.append_text(_query(answer, "bright_black"))
    for part in wrapped(line, min(stage.console.width, 110)):
        _print(stage, part)


# ── the parts ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _rows(stage: Stage, answer: Answer, found: dict[str, Passage]) -> Iterator[tuple[str, list[Text]]]:
    query, width = answer.query, stage.width
    if query.decision.retrieves:
        yield "query", wrapped(_query(answer), width)
    if query.carried:
        yield (
            "carried",
            [line for c in query.carried for line in wrapped(_from_turn(stage, c.text, c.seq, c.reason), width)],
        )
    if query.left_behind:
        yield (
            "left",
            [
                line
                for x in query.left_behind
                for line in wrapped(_from_turn(stage, x.text, x.seq, x.reason, "strike"), width)
            ],
        )
    for refusal in query.refused:
        told = _begun(f"{refusal.rewriter}: ", "bright_black").append(refusal.text, "strike")
        yield "refused", wrapped(told.append(f" — {refusal.reason}", "yellow"), width)
    yield "passages", _passages(stage, answer, found)
    yield "budget", _budget(stage, answer)
    yield "answer", wrapped(_answer(answer), width)
    if sources := _sources(stage, answer, found, width):
        yield "source", sources
    for note in answer.notes:
        yield "notes", wrapped(Text(note, "yellow"), width)


def _query(answer: Answer, style: str = "") -> Text:
    """The standalone query, what was carried in the colour of its turn."""
    text = Text(answer.query.text, style)
    low = answer.query.text.casefold()
    for carried in answer.query.carried:
        at = low.find(carried.text.casefold())
        if at >= 0 and len(low) == len(answer.query.text):
            text.stylize(f"{_colour(carried.seq)} underline", at, at + len(carried.text))
    return text


def _from_turn(stage: Stage, text: str, seq: int, reason: str, style: str = "") -> Text:
    colour = _colour(seq)
    line = _begun(text, f"{colour} {style}".strip())
    line.append(f"  ← {stage.labels('turn', n=seq)}", colour)
    return line.append(f" · {stage.labels(reason)}", "bright_black") if reason else line


def _colour(seq: int) -> str:
    return FROM_TURN[(seq - 1) % len(FROM_TURN)]


def _passages(stage: Stage, answer: Answer, found: dict[str, Passage]) -> list[Text]:
    if not answer.query.decision.retrieves:
        return [Text(stage.labels("searched nothing"), "bright_black")]
    if not answer.ranking:
        return [Text(stage.labels("found nothing"), "bright_black")]
    top = answer.ranking[: stage.passages]
    retrievers = list(dict.fromkeys(name for line in top for name in line.ranks))
    lines = [_passage(stage, line, found.get(line.passage_id), retrievers) for line in top]
    if len(answer.ranking) > len(top):
        lines.append(Text("   " + stage.labels("more", n=len(answer.ranking) - len(top)), "bright_black"))
    return lines


def _passage(stage: Stage, line: RankedPassage, passage: Passage | None, retrievers: Sequence[str]) -> Text:
    ranks = "  ".join(f"{name} {line.ranks.get(name, '–'):>2}" for name in retrievers)
    room = stage.width - 3 - cell_len(ranks) - 2
    where = _where(stage, passage, passage.section, room) if passage else stage.labels("erased")
    text = _begun(f"{line.rank:<3}", "bold")
    text.append(padded(where, room) + "  ", "" if passage else "bright_black")
    return text.append(ranks, "bright_black")


def _where(stage: Stage, passage: Passage | Citation, section: str, room: int) -> str:
    """Source and section in ``room`` cells: folders are given up first, then the end of the section."""
    if passage.seq is not None and passage.evidence_class is not EvidenceClass.DOCUMENT:
        return " · ".join(part for part in (stage.labels("turn", n=passage.seq), _moment(passage.date)) if part)
    below = f" › {section}" if section else ""
    parts = one_line(passage.source).split("/")
    names = ["/".join(parts), *("…/" + "/".join(parts[n:]) for n in range(1, len(parts)))]
    fitting = next((name for name in names if cell_len(name + below) <= room), names[-1])
    return shortened(fitting + below, room)


def _moment(date: str | None) -> str:
    """A moment in ISO 8601 as the reader's own clock shows it; a day alone as it is."""
    if not date or "T" not in date:
        return date or ""
    try:
        return when(datetime.fromisoformat(date).timestamp())
    except (ValueError, OverflowError, OSError):  # what an import brought, and no clock shows
        return date


def _budget(stage: Stage, answer: Answer) -> list[Text]:
    spent = {part: getattr(answer.spent, part) for part in PART}
    total = max(stage.budget.total, answer.spent.total, 1)
    bar, filled = Text(), 0
    for part, tokens in spent.items():
        cells = min(BAR - filled, max(1, round(BAR * tokens / total))) if tokens else 0
        bar.append(PART[part][0] * cells, PART[part][1])
        filled += cells
    bar.append("·" * (BAR - filled), "bright_black")
    bar.append(f"  {answer.spent.total}/{total}  ", "bold")
    parts = [
        (f"{PART[part][0]} {stage.labels(part)} {tokens}", PART[part][1]) for part, tokens in spent.items() if tokens
    ]
    words = Text("  ").join(Text(word, style) for word, style in parts)
    if cell_len(bar.plain) + cell_len(words.plain) <= stage.width:
        return [bar.append_text(words)]
    return [bar, *wrapped(words, stage.width)]


def _answer(answer: Answer) -> Text:
    text = Text(answer.answer)
    text.highlight_regex(r"\[\d+\]", "cyan")
    return text


def _sources(stage: Stage, answer: Answer, found: dict[str, Passage], width: int) -> list[Text]:
    lines: list[Text] = []
    for citation in answer.citations:
        passage = found.get(citation.passage_id)
        text = _begun(f"[{citation.n}] ", "cyan")
        text.append(_where(stage, citation, passage.section if passage else "", width - 4))
        if citation.quote is None:
            text.append(f"  {stage.labels('erased')}", "bright_black")
        elif citation.quote.strip() not in answer.answer:  # an answer that quotes has already said it
            text.append(f"  “{' '.join(citation.quote.split())}”", "bright_black")
        lines += wrapped(text, width)
    return list({line.plain: line for line in lines}.values())


# ── the frame ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _head(stage: Stage, answer: Answer, remark: str) -> None:
    query = answer.query
    for number, line in enumerate(wrapped(Text(answer.question, "bold"), stage.width + stage.gutter - 3)):
        start = _begun(f"╭ {answer.seq} " if number == 0 else "│" + " " * (2 + len(str(answer.seq))), "bright_black")
        _print(stage, start.append_text(line))
    told = _begun("│ ", "bright_black")
    told.append(stage.labels(query.decision), f"bold {DECISION.get(query.decision, 'bright_black')}")
    told.append(f" {query.confidence:.2f}", "bright_black")
    if query.decision.retrieves and query.text == answer.question:
        told.append(f" · {stage.labels('as asked')}", "bright_black")
    if query.rewriter not in ("", "embedded"):
        told.append(f" · {query.rewriter}", "bright_black")
    if remark and remark != stage.labels(query.decision):
        told.append(f"  ({remark})", "italic bright_black")
    _print(stage, told)


def _row(stage: Stage, label: str, content: Text) -> None:
    line = _begun("│ ", "bright_black")
    line.append(padded(label, stage.gutter), "bright_black")
    _print(stage, line.append_text(content))


def _foot(stage: Stage, answer: Answer) -> None:
    sign, colour = OUTCOME.get(answer.outcome, ("·", "bright_black"))
    line = _begun("╰ ", "bright_black").append(f"{sign} {stage.labels(answer.outcome)}", colour)
    if milliseconds := sum(answer.timings_ms.values()):
        line.append(f" · {milliseconds:.0f} ms", "bright_black")
    if answer.usage.calls:
        used = answer.usage
        billed = used.input_tokens + used.output_tokens
        tokens = f"{billed} tokens" if billed else f"~{used.estimated_input + used.estimated_output} tokens"
        line.append(f" · {answer.model.get('writer') or answer.model.get('rewriter', '')} · {tokens}", "bright_black")
    _print(stage, line)


def _begun(text: str, style: str) -> Text:
    """A line that begins so; what is appended keeps its own style, which under ``Text(text, style)`` it does not."""
    return Text().append(text, style)


def _print(stage: Stage, line: Text) -> None:
    line.rstrip()
    line.plain = line.plain.translate(CONTROLS)  # one character for one, so that the styles stay where they are
    stage.console.print(line, soft_wrap=True, highlight=False)

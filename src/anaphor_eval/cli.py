"""``anaphor eval TASK FILE… --json OUT``: measure, write the rows, say the main ones.

Every dimension may be given several times; what is measured is every combination. Progress goes to standard error where
that is a terminal.
"""

from __future__ import annotations

import math
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from anaphor.errors import BadInput
from anaphor.settings import read as read_settings
from anaphor_eval import product
from anaphor_eval.cache import Cache, default_folder
from anaphor_eval.rewriters import REWRITERS
from anaphor_eval.rows import MARGIN, Output, Row, output
from anaphor_eval.tasks import plan as plans
from anaphor_eval.tasks.plan import Plan

Function = TypeVar("Function", bound=Callable[..., Any])


@click.group("eval")
def command() -> None:
    """Measure rewriting, retrieval, memory, answers and conversations; report what was measured."""


def _dimension(name: str, values: Sequence[str], told: str) -> Callable[[Function], Function]:
    return click.option(f"--{name}", multiple=True, type=click.Choice(list(values)), help=f"{told} (repeatable)")


DIMENSIONS: tuple[Callable[[Any], Any], ...] = (
    _dimension("rewriter", REWRITERS, "How the standalone query is made."),
    _dimension("history", plans.HISTORIES, "Earlier answers: the data's, or the system's own."),
    _dimension("source", plans.SOURCES, "What of the past is shown."),
    _dimension("roles", plans.ROLES, "Whose turns are indexed."),
    _dimension("retriever", product.RETRIEVERS, "How passages are found."),
    click.option("--budget", multiple=True, type=click.IntRange(1), help="Tokens of evidence (repeatable)."),
    click.option(
        "--length", multiple=True, type=click.IntRange(1), help="Grow conversations to so many tokens (repeatable)."
    ),
    _dimension("reader", plans.READERS, "Who answers, where answers are needed."),
    click.option("--gold-passages", is_flag=True, help="Give the reader the gold passages."),
)


class Share(click.FloatRange):
    """From 0 to 1. ``nan`` is a float that no comparison ever refuses."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        share = super().convert(value, param, ctx)
        if math.isnan(share):
            self.fail(f"{value} is no number.", param, ctx)
        return share


SHARE = Share(0, 1)

COMMON: tuple[Callable[[Any], Any], ...] = (
    click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path)),
    click.option("--json", "to", type=click.Path(path_type=Path, dir_okay=False), help="Write the rows here."),
    click.option("--limit", type=click.IntRange(1), help="Only so many conversations of a file, drawn by the seed."),
    click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of every random choice."),
    click.option("--split", help="What part of the data this is; told in every row."),
    click.option(
        "--cache",
        "folder",
        type=click.Path(path_type=Path, file_okay=False),
        help="Where vectors and finished cells are kept.",
    ),
    click.option("--fresh", is_flag=True, help="Measure finished cells anew; vectors are kept."),
    click.option(
        "--margin",
        type=SHARE,
        default=MARGIN,
        show_default=True,
        help="How far below an arm may lie and still be not below.",
    ),
    click.option("--no-versus", is_flag=True, help="Do not hold arms against each other."),
)


def _options(*groups: Sequence[Callable[[Any], Any]]) -> Callable[[Function], Function]:
    def decorated(function: Function) -> Function:
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return decorated


@command.command("rewrite")
@_options(COMMON, DIMENSIONS)
def rewrite(**given: Any) -> None:
    """Standalone queries held against a person's rewrites."""
    from anaphor_eval.tasks.rewrite import rewrite as measured

    _measure("rewrite", measured, given)


@command.command("retrieval")
@_options(
    COMMON,
    (
        click.option(
            "--passages", multiple=True, type=click.Path(path_type=Path), help="The pool that is searched (repeatable)."
        ),
        click.option(
            "--k", multiple=True, type=click.IntRange(1), help="Cuts of the metrics: 1, 5 and 10 (repeatable)."
        ),
        click.option(
            "--form",
            multiple=True,
            type=click.Choice(["single", "derived", "spliced"]),
            help="What is made of single questions: all that their language has rules for (repeatable).",
        ),
        click.option(
            "--trec", "export", type=click.Path(path_type=Path, file_okay=False), help="Write TREC runs and qrels here."
        ),
        click.option(
            "--beir", type=click.Path(path_type=Path, file_okay=False), help="Write a BEIR folder a rewriter here."
        ),
    ),
    DIMENSIONS,
)
def retrieval(**given: Any) -> None:
    """Passages found for every turn of conversations, held against gold passages."""
    from anaphor_eval.tasks.retrieval import retrieval as measured

    _measure("retrieval", measured, given)


@command.command("memory")
@_options(
    COMMON,
    (
        click.option("--k", multiple=True, type=click.IntRange(1), help="Cuts of recall: 1, 5 and 10 (repeatable)."),
        click.option(
            "--hypotheses",
            type=click.Path(path_type=Path, dir_okay=False),
            help="Have every question answered; write LongMemEval's hypotheses here.",
        ),
    ),
    DIMENSIONS,
)
def memory(**given: Any) -> None:
    """Evidence of long conversations inside a budget."""
    from anaphor_eval.tasks.memory import memory as measured

    _measure("memory", measured, given)


@command.command("answers")
@_options(
    COMMON,
    (
        click.option(
            "--passages", multiple=True, type=click.Path(path_type=Path), help="The pool that is searched (repeatable)."
        ),
    ),
    DIMENSIONS,
)
def answers(**given: Any) -> None:
    """Answers held against gold ones, and what is declined where the sources do not say."""
    from anaphor_eval.tasks.answers import answers as measured

    _measure("answers", measured, given)


@command.command("conversation")
@_options(
    COMMON,
    (
        click.option("--fail-under", type=SHARE, help="Exit status 1 if fewer conversations are all right."),
        click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write JUnit XML here."),
        click.option("--verbose", is_flag=True, help="Say what is wrong in every turn that is."),
    ),
    DIMENSIONS,
)
def conversation(fail_under: float | None, junit: Path | None, verbose: bool, **given: Any) -> int:
    """Whole conversations through the whole system: a conversation is right when all its turns are."""
    from anaphor_eval.tasks.conversation import Judged, junit_xml, told, whole

    judged: list[Judged] = []
    _writable(junit)

    def measured(plan: Plan) -> list[Row]:
        found, rows = whole(plan)
        judged.extend(found)
        return rows

    _measure("conversation", measured, given, show=False)
    if junit is not None:
        _written(junit, junit_xml(judged))
    for line in told(judged, verbose=verbose):
        click.echo(line)
    right = sum(one.right for one in judged) / len(judged)
    if fail_under is not None and right < fail_under:
        click.echo(f"{right:.3f} of the conversations are all right; --fail-under asks for {fail_under:g}", err=True)
        return 1
    return 0


@command.command("extraction")
@_options(COMMON, DIMENSIONS)
def extraction(**given: Any) -> None:
    """Facts read out of what a person says; replies that contradict what was said before."""
    from anaphor_eval.tasks.extraction import extraction as measured

    _measure("extraction", measured, given)


@command.command("report")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--markdown", type=click.Path(path_type=Path, dir_okay=False), help="Write Markdown here.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write one HTML page here.")
@click.option("--title", default="What was measured", show_default=True, help="What the report is called.")
def report(runs: tuple[Path, ...], markdown: Path | None, html: Path | None, title: str) -> None:
    """Tables and charts from the JSON that measuring wrote."""
    from anaphor_eval.report import as_html, as_markdown, load

    loaded = [load(path) for path in runs]
    if markdown is None and html is None:
        click.echo(as_markdown(loaded, title))
    if markdown is not None:
        _written(markdown, as_markdown(loaded, title))
    if html is not None:
        _written(html, as_html(loaded, title))


def _writable(to: Path | None) -> None:
    """Before anything is measured: an hour's work is not lost for a misspelt folder."""
    if to is not None and not to.absolute().parent.is_dir():
        raise BadInput(f"cannot write {to}: there is no folder {to.parent}")


def _written(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None


# ── one measuring ─────────────────────────────────────────────────────────────────────────────────────────────────


def _measure(task: str, measured: Callable[[Plan], list[Row]], given: dict[str, Any], *, show: bool = True) -> None:
    _refuse(task, given)
    to: Path | None = given["to"]
    _writable(to)
    _writable(given.get("hypotheses"))
    settings = read_settings()
    progress = Progress()
    with Cache(given["folder"] or default_folder()) as cache:
        plan = Plan(
            files=given["files"],
            settings=settings,
            cache=cache,
            dimensions={name: given[name] for name in _NAMES},
            passages=given.get("passages") or (),
            ks=tuple(sorted(set(given.get("k") or plans.KS))),
            limit=given["limit"],
            seed=given["seed"],
            split=given["split"],
            compare=not given["no_versus"],
            margin=given["margin"],
            fresh=given["fresh"],
            forms=given.get("form") or (),
            export=given.get("export"),
            beir=given.get("beir"),
            hypotheses=given.get("hypotheses"),
            gold_passages=given["gold_passages"],
            tell=progress,
        )
        try:
            found = measured(plan)
        finally:
            progress.clear()
        made = output(shlex.join(["anaphor", *sys.argv[1:]]), _settings(plan), found)
    if to is not None:
        try:
            made.write(to)
        except OSError as error:
            raise BadInput(f"cannot write {to}: {error.strerror}") from None
    if show:
        _show(made, to)


_NAMES = ("rewriter", "history", "source", "roles", "retriever", "budget", "length", "reader")


def _refuse(task: str, given: dict[str, Any]) -> None:
    if given["gold_passages"] and task != "answers":
        raise BadInput(f"--gold-passages is for measuring answers; {task} has no use for it")
    names = [path.parent.name if path.name == "chat.json" else path.stem for path in given["files"]]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"two files are called {twice!r}: rows are told apart by that name, so rename one")


def _settings(plan: Plan) -> dict[str, Any]:
    asked = {name: list(values) for name, values in plan.dimensions.items() if values}
    return {
        "files": [str(path) for path in plan.files],
        **({"passages": [str(path) for path in plan.passages]} if plan.passages else {}),
        **asked,
        **({"gold_passages": True} if plan.gold_passages else {}),
        "k": list(plan.ks),
        "limit": plan.limit,
        "seed": plan.seed,
        "margin": plan.margin,
        "bootstrap": {"level": plan.drawing().level, "draws": plan.drawing().draws, "seed": plan.drawing().seed},
        "code": plans.code(),
        **product.told(plan.settings),
    }


def _show(made: Output, to: Path | None) -> None:
    from anaphor_eval.report import brief

    for line in brief([row.as_dict() for row in made.rows]):
        click.echo(line)
    click.echo(f"{len(made.rows)} rows in {to}" if to else f"{len(made.rows)} rows; --json FILE keeps them all")


class Progress:
    """One line on standard error, written over again; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._last = 0.0

    def __call__(self, what: str, done: int, of: int) -> None:
        if self._shown and time.monotonic() - self._last > 0.1:
            self._last = time.monotonic()
            sys.stderr.write(f"\r\x1b[K{what[:80]}  {done}/{of}")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

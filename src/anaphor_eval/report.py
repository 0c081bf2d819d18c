"""A run's rows as something to read: a few lines for a terminal, Markdown, one self-contained HTML page.

Nothing is computed here that is not in the rows. A difference whose interval holds zero is told as within noise.
"""

from __future__ import annotations

import html
import json
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from anaphor.errors import BadInput, MissingFile
from anaphor_eval.charts import chart
from anaphor_eval.headlines import headline, varying
from anaphor_eval.rows import DIMENSIONS
from anaphor_eval.strict import parsed

Json = Mapping[str, Any]

COLUMNS = (
    *(
        "answer_in_quote",
        "f1",
        "supported_claims",
        "uncited_claims",
        "unquoted_numbers",
        "unquoted_names",
        "abstention_auroc",
    ),
    *("answered_when_answerable", "abstained_when_unanswerable", "abstained_at_90"),
    *("conflict_flagged", "false_flags", "attack_success"),
    *("recall@5", "recall@10", "success@5", "all@5", "ndcg@10", "mrr"),
    *("evidence_all", "evidence_share", "evidence_share_of_oracle", "evidence_rank_p50", "evidence_rank_p90", "tokens"),
    *("exact", "rouge_l", "bleu", "carried_precision", "carried_recall", "carried_f1"),
    *("kept_when_standalone", "entity_kept", "added_content", "guard_refused"),
    *("all_turns_right", "turn_right", "model_calls", "ms_p50", "ms_p95"),
)
"""What a table shows, in this order, of what a row has."""

MAIN_SLICES = (
    *("all", "first", "later", "needs_history", "needs_none", "follow_up", "kept", "topic_switch", "after_switch"),
    *("drift", "drift:entity_swapped", "drift:number_changed", "drift:negation_dropped", "drift:constraint_added"),
    "drift:retracted_back",
    *("without_summarization", "leave_gold_out", "gold_shown", "labelled", "planted:twins", "planted:apart"),
)
NEEDED = frozenset(("data", "slice", "n", "metrics"))
"""What every row has."""

WHOLE_NUMBERS = ("tokens", "evidence_rank_p50", "evidence_rank_p90")
NOISE = "within noise"
NOT_BELOW = "not below"


@dataclass(frozen=True, slots=True)
class Table:
    """``head`` and ``body`` are text; ``folded`` tables are long, and closed until somebody opens them."""

    caption: str
    head: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """One data set of one run (or the run's own facts): lines, tables, perhaps a chart."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    chart: tuple[Json, ...] = ()  # the rows that a chart is drawn from
    level: int = 3


def load(path: Path) -> Json:
    """What ``anaphor eval … --json`` wrote."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}:1: not UTF-8: byte 0x{error.object[error.start]:02x}") from None
    except OSError as error:
        raise MissingFile(f"cannot read {path}: {error.strerror}") from None
    run = parsed(text, path, 1, BadInput)
    rows = run.get("rows") if isinstance(run, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) and row.keys() >= NEEDED for row in rows):
        raise BadInput(f"{path} has no rows with {', '.join(sorted(NEEDED))}: it was not written by anaphor eval")
    return dict(run)


# ── a terminal ────────────────────────────────────────────────────────────────────────────────────────────────────


def brief(rows: Sequence[Json]) -> Iterator[str]:
    """The main slices, a line an arm, and what differs from the first arm."""
    for data, lang in dict.fromkeys((row["data"], row.get("lang", "")) for row in rows):
        here = [row for row in rows if (row["data"], row.get("lang", "")) == (data, lang)]
        yield f"{data} {f'({lang})' if lang else ''}".strip()
        for where in (where for where in MAIN_SLICES if any(row["slice"] == where for row in here)):
            part = [row for row in here if row["slice"] == where]
            yield f"  {where}, n = {', '.join(dict.fromkeys(str(row['n']) for row in part))}"
            dimensions = varying(here)
            for row in part:
                figures = [f"{name} {figure(row, name)}" for name in shown_columns(part) if name in row["metrics"]]
                yield f"    {named(row, dimensions):<24} {'  '.join(figures[:5])}"


# ── what a report says ────────────────────────────────────────────────────────────────────────────────────────────


def sections(runs: Sequence[Json]) -> Iterator[Section]:
    for run in runs:
        yield about(run)
        for data, lang in dict.fromkeys((row["data"], row.get("lang", "")) for row in run["rows"]):
            yield data_section([row for row in run["rows"] if (row["data"], row.get("lang", "")) == (data, lang)])


def about(run: Json) -> Section:
    """Corpus, commit, settings, seed, machine."""
    settings = run.get("settings", {})
    corpus = sorted({row["data"] for row in run["rows"]})
    rest = {key: value for key, value in settings.items() if key not in ("seed", "files", "passages", "code")}
    lines = (
        f"Command: `{run.get('command', '')}`",
        f"Corpus: {', '.join(corpus)}" + (f" (from {_names(settings)})" if settings.get("files") else ""),
        f"Version {run.get('version') or 'unknown'}, commit `{run.get('commit') or 'unknown'}`",
        f"Seed: {settings.get('seed', 'unknown')}; settings: "
        + ", ".join(f"{key} {json.dumps(value, ensure_ascii=False)}" for key, value in rest.items()),
        "Machine: " + ", ".join(f"{key} {value}" for key, value in run.get("machine", {}).items()),
    )
    return Section(f"Run: {', '.join(corpus) or 'nothing'}", lines, level=2)


def _names(settings: Json) -> str:
    paths = [*settings.get("files", ()), *settings.get("passages", ())]
    return ", ".join(Path(path).name for path in paths)


def data_section(rows: Sequence[Json]) -> Section:
    """One data set in one language: its main slices in full, the others by the headline figure, the differences."""
    lang = rows[0].get("lang")
    split = rows[0].get("split")
    dimensions = varying(rows)
    fixed = {name: rows[0][name] for name in DIMENSIONS if name in rows[0] and name not in dimensions}
    lines = []
    if fixed:
        lines.append(", ".join(f"{name}: {value}" for name, value in fixed.items()))
    if split:
        lines.append(f"Split: {split}")
    tables = []
    for where in dict.fromkeys([*MAIN_SLICES, *(row["slice"] for row in rows)]):
        part = [row for row in rows if row["slice"] == where]
        if part and where in MAIN_SLICES:
            tables.append(slice_table(where, part, dimensions))
    others = [row for row in rows if row["slice"] not in MAIN_SLICES]
    if others:
        tables.append(others_table(others, dimensions))
    tables += [table for where in ("later", "all") if (table := differences(rows, where, dimensions))][:1]
    main = next((where for where in ("later", "all") if any(row["slice"] == where for row in rows)), "all")
    chart = tuple(row for row in rows if row["slice"] == main)
    title = rows[0]["data"] + (f" ({lang})" if lang else "")
    return Section(title, tuple(lines), tuple(tables), chart if len(chart) > 1 else ())


def slice_table(where: str, rows: Sequence[Json], dimensions: Sequence[str]) -> Table:
    columns = shown_columns(rows)
    body = tuple((*_place(row, dimensions), *(figure(row, name) for name in columns)) for row in rows)
    n = ", ".join(dict.fromkeys(str(row["n"]) for row in rows))
    return Table(f"{where}, n = {n}", (*dimensions, *columns), body)


def others_table(rows: Sequence[Json], dimensions: Sequence[str]) -> Table:
    """The data set's own categories by the headline figure."""
    metric = headline(rows)
    arms = list(dict.fromkeys(named(row, dimensions) for row in rows))
    body = []
    for where in dict.fromkeys(row["slice"] for row in rows):
        part = {named(row, dimensions): row for row in rows if row["slice"] == where}
        n = ", ".join(dict.fromkeys(str(row["n"]) for row in part.values()))
        body.append((where, n, *(figure(part[arm], metric, limits=False) if arm in part else "" for arm in arms)))
    return Table(f"{metric} by category", ("slice", "n", *arms), tuple(body), folded=True)


def differences(rows: Sequence[Json], where: str, dimensions: Sequence[str]) -> Table | None:
    """Every pair of arms that differ in one dimension, once, by the headline figure.

    *At least* is the one-sided limit of the difference; *not below* stands where that is above minus the run's margin.
    """
    part = [row for row in rows if row["slice"] == where]
    metric = headline(part)
    told: dict[tuple[str, ...], tuple[str, ...]] = {}
    for row in part:
        for versus in row.get("versus", ()):
            if versus["metric"] != metric:
                continue
            this, other = named(row, dimensions), named(_other(row, versus, part), dimensions)
            if (other, this) not in told:
                told[this, other] = (this, other, *_difference(versus))
    if not told:
        return None
    head = ("this", "against", "difference", "interval", "at least", "p", "p (Holm)", "")
    return Table(f"Differences in {metric}, {where}", head, tuple(told.values()), folded=True)


def _other(row: Json, versus: Json, rows: Sequence[Json]) -> Json:
    """The row a difference is told against: it has what ``versus`` names; the rest is this row's, or does not apply."""

    def fits(each: Json) -> bool:
        return all(
            each.get(name) == versus[name] if name in versus else each.get(name) in (None, row.get(name))
            for name in DIMENSIONS
        )

    return next((each for each in rows if fits(each)), {**row, **versus})


def _difference(versus: Json) -> tuple[str, ...]:
    limits = versus.get("interval")
    noise = limits is None or limits[0] <= 0 <= limits[1]
    above = limits is not None and limits[0] > 0  # and then nobody asks whether it is below
    not_below = versus.get("not_below", False)
    return (
        signed(versus["difference"]),
        f"[{signed(limits[0])}, {signed(limits[1])}]" if limits else "none",
        signed(versus["lower"]) if "lower" in versus else "",
        f"{versus['p']:.3f}",
        f"{versus['p_holm']:.3f}" if "p_holm" in versus else "",
        ", ".join(word for word, holds in ((NOISE, noise), (NOT_BELOW, not_below and not above)) if holds),
    )


def named(row: Json, dimensions: Sequence[str]) -> str:
    return " × ".join(str(row[name]) for name in dimensions if row.get(name) is not None)


def _place(row: Json, dimensions: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(row[name]) if row.get(name) is not None else "" for name in dimensions)


def shown_columns(rows: Sequence[Json]) -> tuple[str, ...]:
    return tuple(name for name in COLUMNS if any(name in row["metrics"] for row in rows))


def figure(row: Json, metric: str, *, limits: bool = True) -> str:
    """``.461 [.398, .524]``; whole numbers and milliseconds as they are."""
    value = row["metrics"].get(metric)
    if value is None:
        return ""
    found = row.get("intervals", {}).get(metric) if limits else None
    return number(value, metric) + (f" [{number(found[0], metric)}, {number(found[1], metric)}]" if found else "")


def number(value: float, metric: str) -> str:
    if metric in WHOLE_NUMBERS:
        return f"{value:.0f}"
    if metric.startswith("ms_") or metric == "bleu":
        return f"{value:.1f}"
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("0.", ".", 1)


# ── Markdown and HTML ─────────────────────────────────────────────────────────────────────────────────────────────


def as_markdown(runs: Sequence[Json], title: str, charts: Mapping[str, str] | None = None) -> str:
    """``charts``: by section title, the path of a picture to show there."""
    parts = [f"# {title}"]
    for section in sections(runs):
        parts.append(f"{'#' * section.level} {section.title}")
        parts.append("\n".join(f"- {line}" for line in section.lines))
        if charts and section.title in charts:
            parts.append(f"![{section.title}]({charts[section.title]})")
        parts += [_markdown_table(table) for table in section.tables]
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown_table(table: Table) -> str:
    lines = [_markdown_line(table.head), _markdown_line(["---"] * len(table.head)), *map(_markdown_line, table.body)]
    if table.folded:
        return "\n".join([f"<details><summary>{html.escape(table.caption)}</summary>", "", *lines, "", "</details>"])
    return "\n".join([f"**{table.caption}**", "", *lines])


def _markdown_line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def as_html(runs: Sequence[Json], title: str) -> str:
    """One page with its style and its charts inside; it asks the network for nothing."""
    parts = []
    for section in sections(runs):
        parts.append(f"<h{section.level}>{html.escape(section.title)}</h{section.level}>")
        if section.lines:
            parts.append("<ul>" + "".join(f"<li>{_html_line(line)}</li>" for line in section.lines) + "</ul>")
        if section.chart:
            parts.append(f"<figure>{chart(section.chart, section.title)}</figure>")
        parts += [_html_table(table) for table in section.tables]
    return _template().substitute(title=html.escape(title), body="\n".join(parts))


def _html_line(line: str) -> str:
    """Backquotes are code, as in Markdown."""
    pieces = html.escape(line).split("`")
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in table.head)
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.body)
    caption = html.escape(table.caption)
    inside = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    if table.folded:
        return f"<details><summary>{caption}</summary>{inside}</details>"
    return f"<h4>{caption}</h4>{inside}"


@cache
def _template() -> string.Template:
    return string.Template(files("anaphor_eval").joinpath("templates/report.html").read_text("utf-8"))

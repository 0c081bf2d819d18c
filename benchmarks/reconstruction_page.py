"""The page of the bench of reconstruction: the reach row by row, then everything that was measured, and charts."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Line = Mapping[str, Any]
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44")


def write(to: Path, run: Mapping[str, Any]) -> None:
    """``reconstruction.md`` and its charts, from what is kept in ``reconstruction.json``."""
    parts = run["parts"]
    lines = {name: part["lines"] for name, part in parts.items()}
    figures = to / "figures"
    figures.mkdir(exist_ok=True)
    for name, draw in CHARTS.items():
        if lines.get(name):
            (figures / f"reconstruction-{name}.svg").write_text(draw(lines[name]), "utf-8")
    introduction = Path(__file__).with_name("reconstruction.md").read_text("utf-8")
    sections = [introduction.format(about=_about(run), reach="\n".join(_reach(lines)))]
    sections += [text for name, section in SECTIONS.items() if lines.get(name) for text in [section(lines[name])]]
    (to / "reconstruction.md").write_text("\n\n".join(part.strip() for part in sections) + "\n", "utf-8")


def _about(run: Mapping[str, Any]) -> str:
    machine = ", ".join(f"{key} {value}" for key, value in run["machine"].items())
    rows = [
        f"| {name} | `{part['commit'][:12]}` | {part['limit'] or 'all'} | {', '.join(part['retrievers'])} | "
        f"{part['seconds']} | {part['load']} |"
        for name, part in run["parts"].items()
    ]
    head = (
        "| part | commit | conversations of the large sets | retrievers | seconds | load |\n|---|---|---|---|---|---|"
    )
    return f"Version {run['version']}; {machine}.\n\n{head}\n" + "\n".join(rows)


# ── the reach ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _reach(lines: Mapping[str, Sequence[Line]]) -> Iterator[str]:
    yield "| what | aim | measured (n) | reached |"
    yield "|---|---|---|---|"
    for line in _of(lines, "human", arm="embedded"):
        for other in ("gold", "gold+previous"):
            told = line["versus"][other]
            what = f"MTRAG human, later turns, {line['retriever']}, {line['metric']}, against `{other}`"
            measured = f"{_value(line)} against {told_value(lines, line, other)}: {_difference(told)}"
            yield _row(what, "not below (.02, one-sided 95%)", f"{measured} ({line['n']})", told["not_below"])
    for line in _of(lines, "pooled", arm="embedded"):
        told = line["versus"]["raw"]
        if line["row"] == "pooled":
            what, aim, met = "MTRAG human + UN, later turns", "significantly above raw", told["above"]
        else:
            what, aim, met = "MTRAG UN alone", "≥ raw + .05 with bm25", told["difference"] >= 0.05
        yield _row(f"{what}, {line['retriever']}, R@5", aim, f"{_value(line)}: {_difference(told)} ({line['n']})", met)
    for line in _of(lines, "derived", arm="gap closed"):
        what = f"{line['data']} derived, {line['metric']}, share of the gap raw → gold closed"
        yield _row(what, "≥ .80", f"{_value(line)} ({line['n']})", line["value"] >= 0.8)
    for line in _of(lines, "kdconv", arm="embedded"):
        told = line["versus"]["raw"]
        measured = f"{_value(line)}: {_difference(told)} ({line['n']})"
        yield _row("KdConv, questions, R@5", "≥ raw + .10", measured, told["difference"] >= 0.1)
    for line in _of(lines, "spliced"):
        what = f"{line['data']} spliced: query unchanged, nothing of the old topic"
        yield _row(what, "≥ .95", f"{_value(line)} ({line['n']})", line["value"] >= 0.95)
    for line in _of(lines, "kept"):
        what = f"kept when standalone, with history: {line['data']}"
        yield _row(what, "≥ .95", f"{_value(line)} ({line['n']})", line["value"] >= 0.95)
    for data, aim in (("CANARD + CAsT", 0.55), ("rewrite_zh_hans", 0.6), ("asdc_ja", 0.45)):
        for line in _of(lines, "carried", data=data, metric="carried_f1"):
            yield _row(f"carried F1: {data}", f"≥ {aim:g}", f"{_value(line)} ({line['n']})", line["value"] >= aim)
    for line in _of(lines, "guard", data="all"):
        person = line["arm"] == "a person's rewrite"
        what = "guard: a person's rewrites refused" if person else f"guard: planted drifts caught, {line['arm']}"
        met = line["value"] <= 0.05 if person else line["value"] >= 0.9
        yield _row(what, "≤ .05" if person else "≥ .90", f"{_value(line)} ({line['n']})", met)
    for arm, most in (("whole turn", 5), ("with vectors", 25)):
        for line in _of(lines, "time", arm=arm):
            measured = f"{line['p50']:.1f} / {line['p95']:.1f} ms ({line['n']})"
            yield _row(
                f"time up to the query, {arm}, p50 / p95: {line['data']}",
                f"p95 ≤ {most} ms",
                measured,
                line["p95"] <= most,
            )
    for line in _of(lines, "calls", arm="0.8"):
        told = line["versus"]["always"]
        measured = (
            f"{line['avoided']:.0%} avoided; R@10 {_value(line)}, − asking always {_difference(told)} ({line['n']})"
        )
        met = line["avoided"] >= 0.6 and told["not_below"]
        yield _row(
            f"model calls avoided at the default threshold, {line['retriever']}",
            "≥ 60%, not below (.01)",
            measured,
            met,
        )


def told_value(lines: Mapping[str, Sequence[Line]], like: Line, arm: str) -> str:
    same = _of(lines, "human", arm=arm, retriever=like["retriever"], metric=like["metric"])
    return _figure(next(iter(same))["value"])


def _row(what: str, aim: str, measured: str, met: bool) -> str:
    return f"| {what} | {aim} | {measured} | {'yes' if met else '**no**'} |"


def _of(lines: Mapping[str, Sequence[Line]], part: str, **wanted: Any) -> list[Line]:
    return [line for line in lines.get(part, ()) if all(line.get(key) == value for key, value in wanted.items())]


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".replace("0.", ".", 1)


def _value(line: Line) -> str:
    limits = line.get("interval")
    between = f" [{_figure(limits[0])}, {_figure(limits[1])}]" if limits else ""
    return _figure(line["value"]) + between


def _difference(told: Mapping[str, Any]) -> str:
    between = f" [{told['between'][0]:+.3f}, {told['between'][1]:+.3f}]" if told.get("between") else ""
    least = f", at least {told['least']:+.3f}" if told.get("least") is not None else ""
    return f"{told['difference']:+.3f}{between}{least}"


# ── everything ────────────────────────────────────────────────────────────────────────────────────────────────────


def _table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*rows, *("| " + " | ".join(row) + " |" for row in body)])


def _human(lines: Sequence[Line]) -> str:
    body = [
        (
            *(line["retriever"], line["metric"], line["arm"], _value(line)),
            *(_difference(line["versus"][other]) if other in line["versus"] else "" for other in ("raw", "gold")),
        )
        for line in lines
    ]
    head = ("retriever", "metric", "rewriter", "value", "− raw", "− gold")
    n = f"n = {lines[0]['n']} turns of {lines[0]['groups']} conversations."
    return f"## MTRAG human, later turns\n\n{n}\n\n{_table(head, body)}"


def _plain(title: str, head: str) -> Any:
    def section(lines: Sequence[Line]) -> str:
        body = [
            (
                *(line.get("data", ""), line["arm"], line.get("retriever", ""), line.get("metric", "")),
                f"{line['n']} / {line.get('groups', '')}",
                _value(line),
                "; ".join(f"− {other} {_difference(told)}" for other, told in line.get("versus", {}).items()),
            )
            for line in lines
        ]
        columns = ("data", "arm", "retriever", "metric", "n / conversations", "value", "difference")
        return f"## {title}\n\n{head}\n\n{_table(columns, body)}"

    return section


def _guard(lines: Sequence[Line]) -> str:
    arms = list(dict.fromkeys(line["arm"] for line in lines))
    body = []
    for data in dict.fromkeys(line["data"] for line in lines):
        here = {line["arm"]: line for line in lines if line["data"] == data}
        body.append((data, *(f"{_figure(here[a]['value'])} ({here[a]['n']})" if a in here else "" for a in arms)))
    why = [
        (line["data"], ", ".join(f"{reason} {n}" for reason, n in line["reasons"].items()))
        for line in lines
        if line.get("reasons")
    ]
    return (
        "## The guard\n\nShare refused (n). The first column should be low, the others high.\n\n"
        + _table(("data", *arms), body)
        + "\n\nWhy people's rewrites were refused, by the first reason given:\n\n"
        + _table(("data", "reasons"), why)
    )


def _time(lines: Sequence[Line]) -> str:
    body = [(line["data"], line["arm"], str(line["n"]), f"{line['p50']:.2f}", f"{line['p95']:.2f}") for line in lines]
    return "## Time up to the query\n\n" + _table(("data", "what", "n", "p50, ms", "p95, ms"), body)


def _calls(lines: Sequence[Line]) -> str:
    body = [
        (line["retriever"], line["arm"], f"{line['avoided']:.0%}", _value(line), _difference(line["versus"]["always"]))
        for line in lines
    ]
    head = ("retriever", "asked below", "calls avoided", "R@10", "− asking always")
    return (
        "## What asking a model costs and gives\n\nMTRAG human, later turns; a person stands in for the model.\n\n"
        "![R@10 by the share of calls avoided](figures/reconstruction-calls.svg)\n\n" + _table(head, body)
    )


def _window(lines: Sequence[Line]) -> str:
    shown = [line for line in lines if line["metric"] != "recall@10"]
    names = list(dict.fromkeys((line["data"], line["metric"]) for line in shown))
    by = {(line["arm"], line["data"], line["metric"]): line for line in lines}
    body = [(arm, *(_value(by[arm, *name]) for name in names)) for arm in dict.fromkeys(line["arm"] for line in lines)]
    return (
        "## How many turns are seen\n\nThe limit of tokens is lifted; the default is 4 turns within 800 tokens.\n\n"
        "![by turns seen](figures/reconstruction-window.svg)\n\n"
        + _table(("turns", *(f"{data}, {metric}" for data, metric in names)), body)
    )


def _errors(lines: Sequence[Line]) -> str:
    kinds = list(dict.fromkeys(line["arm"] for line in lines))
    by = {(line["data"], line["arm"]): line for line in lines}
    body = [
        (data, str(by[data, kinds[0]]["n"]), *(f"{by[data, kind]['value']:.3f}" for kind in kinds))
        for data in dict.fromkeys(line["data"] for line in lines)
    ]
    text = Path(__file__).with_name("reconstruction_errors.md").read_text("utf-8").strip()
    return f"{text}\n\n" + _table(("data", "n", *kinds), body)


SECTIONS: dict[str, Any] = {
    "human": _human,
    "pooled": _plain("MTRAG human and UN", "Turns with a history; nobody has written rewrites for UN."),
    "derived": _plain("Derived conversations", "Turns with a history; [how they are made](derived.md)."),
    "kdconv": _plain("KdConv", "A person's question against what the person answering it used."),
    "spliced": _plain("Spliced topic switches", "The first turn of the new topic."),
    "kept": _plain("Kept when standalone", "Utterances with a history that need none."),
    "carried": _plain("Carried words", "The evaluator's tokens, added up over all utterances of a set."),
    "guard": _guard,
    "time": _time,
    "calls": _calls,
    "window": _window,
    "own": _plain(
        "The system's own earlier answers",
        "![own history against the data's](figures/reconstruction-own.svg)\n\nThe same turns, with the replies of the "
        "data in the history (`gold`), and with what the product itself answered (`own`).",
    ),
    "errors": _errors,
}


# ── charts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _drawn(title: str, x: str, y: str, curves: Mapping[str, Sequence[tuple[float, Line]]]) -> str:
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": title, "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(8, 3.2), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        for colour, (name, points) in zip(COLOURS * 3, curves.items(), strict=False):
            places, values = [place for place, _ in points], [line["value"] for _, line in points]
            limits = [line["interval"] or (line["value"],) * 2 for _, line in points]
            whiskers = [[v - low for v, (low, _) in zip(values, limits, strict=True)]]
            whiskers += [[high - v for v, (_, high) in zip(values, limits, strict=True)]]
            axes.errorbar(places, values, whiskers, label=name, color=colour, marker="o", capsize=2, elinewidth=0.7)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.set_title(title, loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        if len(curves) > 1:
            figure.legend(loc="outside right upper", frameon=False)
        told = io.StringIO()
        figure.savefig(told, format="svg", metadata={"Date": None})
    return re.sub(r"^.*?(?=<svg)", "", told.getvalue(), flags=re.DOTALL)


def _window_chart(lines: Sequence[Line]) -> str:
    names = dict.fromkeys((line["data"], line["metric"]) for line in lines)
    curves = {
        f"{data} {metric}": [
            (float(line["arm"]), line) for line in lines if (line["data"], line["metric"]) == (data, metric)
        ]
        for data, metric in names
    }
    return _drawn("How many turns are seen", "turns", "recall or carried F1", curves)


def _calls_chart(lines: Sequence[Line]) -> str:
    retrievers = dict.fromkeys(line["retriever"] for line in lines)
    curves = {r: [(line["avoided"], line) for line in lines if line["retriever"] == r] for r in retrievers}
    return _drawn("A person's rewrite in a model's place", "share of calls avoided", "R@10", curves)


def _own_chart(lines: Sequence[Line]) -> str:
    order = ("gold", "own")
    metrics = dict.fromkeys(line["metric"] for line in lines)
    curves = {m: [(float(order.index(line["arm"])), line) for line in lines if line["metric"] == m] for m in metrics}
    return _drawn("Earlier replies: the data's (0), the system's own (1)", "history", "recall", curves)


CHARTS: dict[str, Any] = {"window": _window_chart, "calls": _calls_chart, "own": _own_chart}

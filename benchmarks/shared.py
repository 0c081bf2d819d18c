"""What the benches share: their command line, the head of a run, and how rows are kept.

A bench is run by itself, ``python benchmarks/NAME.py DATA``. ``DATA`` (or ``ANAPHOR_DATA``) is the folder of the
evaluation sets, which are not part of this project; results go to ``docs/benchmarks``, unless ``--to`` names a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from anaphor.errors import AnaphorError
from anaphor_eval import rows
from anaphor_eval.cache import default_folder

RESULTS = Path(__file__).parents[1] / "docs" / "benchmarks"

Json = Mapping[str, Any]


def command_line(about: str | None, *, cached: bool = True) -> argparse.ArgumentParser:
    """``DATA``, ``--to`` and, for a bench that keeps anything, ``--cache``; what else it takes it adds itself."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("ANAPHOR_DATA", ""))
    parser.add_argument("--to", type=Path, default=RESULTS)
    if cached:
        parser.add_argument("--cache", type=Path, default=default_folder(), help="vectors and finished cells")
    return parser


def data_of(given: argparse.Namespace, make: str, files: Iterable[str] = ()) -> Path:
    """The folder of the evaluation sets. Without it, or where it lacks one of ``files``, the bench ends here.

    ``make`` is the target that runs the bench, as ``bench-recall``.
    """
    data = Path(given.data)
    if not given.data or not data.is_dir():
        at = f" at {given.data}" if given.data else ""
        stop(f"no folder of evaluation data{at}: make {make} DATA=folder")
    needs(data, files)
    return data


def needs(data: Path, files: Iterable[str]) -> None:
    """The bench ends here where one of them is not there."""
    if missing := [file for file in files if not (data / file).exists()]:
        stop(f"{data} lacks {', '.join(missing)}")


def stop(why: str) -> NoReturn:
    """End with one line on standard error and status 1."""
    sys.exit(f"bench: {why}")


def run(main: Callable[[Sequence[str]], int]) -> NoReturn:
    """What ``python benchmarks/NAME.py …`` does: an error of ours is one line."""
    try:
        sys.exit(main(sys.argv[1:]))
    except AnaphorError as error:
        stop(str(error))


def head(command: str) -> dict[str, Any]:
    """Where figures come from: the command, the version and commit, and the machine."""
    return {"command": command, "version": rows.version(), "commit": rows.commit(), "machine": rows.machine()}


def kept(path: Path, key: str, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The runs of an earlier result, by what they call themselves under ``key``; those of other names are dropped."""
    runs = json.loads(path.read_text("utf-8"))["runs"] if path.exists() else []
    known = set(names)
    return {run[key]: run for run in runs if run[key] in known}


def keep(path: Path, runs: Sequence[Json]) -> None:
    """Several runs in one file, a row a line, so that what changed between two commits can be seen."""
    _write(path, '{"runs": [\n' + ",\n".join(f"{_begun(run, None)}{_rows(run)}]}}" for run in runs) + "\n]}\n")


def keep_one(path: Path, run: Json) -> None:
    """One run in a file of its own, a row a line."""
    _write(path, f"{_begun(run, 1)}{_rows(run)} ]\n}}\n")


def _begun(run: Json, indent: int | None) -> str:
    """The run as JSON up to where its rows begin."""
    told = json.dumps({key: value for key, value in run.items() if key != "rows"}, ensure_ascii=False, indent=indent)
    return told.removesuffix("}").rstrip() + (',\n "rows": [\n' if indent else ', "rows": [\n')


def _rows(run: Json) -> str:
    return ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in run["rows"]) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def short(value: float) -> str:
    """Three digits after the point, without a zero before it: ``.473``."""
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.3f}"

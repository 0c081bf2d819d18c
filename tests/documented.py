"""Pages of documentation: run what they show, and say where something else comes out.

    python tests/documented.py            every page: what differs
    python tests/documented.py --write    the same, and what comes out is written into the pages

What a fence is called decides what becomes of it. All fences of a page run in order, in one empty folder of its own,
with no network, no model and no embedder:

    python    run, in one namespace a page; a ``text`` fence right below it is what it prints
    pycon     the same, at the prompt
    console   lines that begin with ``$ `` are commands, what follows each is its output
    diff      taken over into the file that is named above it
    any other is only shown; under a line that ends in ``name.ext`` and a colon, it is a file of that name

Milliseconds, ids, dates and versions may be others. ``…`` stands for anything within a line, alone on a line for any
lines.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KNOWLEDGE = "src/anaphor/demo/knowledge"
LOCALES = {"README.zh-TW.md": "zh_TW.UTF-8", "README.zh-CN.md": "zh_CN.UTF-8", "README.ja.md": "ja_JP.UTF-8"}
WITH_SOURCE = {"adding-an-adapter.md"}  # pages that change the source: they are given a copy of it

_FENCE = re.compile(r"(`{3,})([\w-]*)\s*$")
_NAMED = re.compile(r"`([\w./-]+\.\w+)`\s*[:：]\s*$")
_SHELL = re.compile(r"[|<>&;$*`]|^\w+=")
_VOLATILE = (
    (re.compile(r"\b\d+ ms\b"), "0 ms"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "0" * 32),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d\+00:00)?)?"), "0000-00-00"),
    (re.compile(r'("(?:remember|reconstruct|retrieve|assemble|answer|verify)"): [\d.]+'), r"\1: 0"),
    (re.compile(r"\b\d+(?:\.\d+)? MB\b"), "0 MB"),
    (re.compile(r"\bin \d+\.\d+s\b"), "in 0s"),
    (re.compile(r"format \d+, SQLite [\d.]+"), "format 0, SQLite 0"),
    (re.compile(r"Python [\d.]+, \w+"), "Python 0"),
)


def pages() -> list[Path]:
    """Every page, those that are written by measuring (docs/benchmarks) aside."""
    return [*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").glob("*.md"))]


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block; ``lines`` are ``page[start:end]``, counted from 0, without the fence itself."""

    kind: str
    start: int
    end: int
    text: str
    named: str = ""  # the file it is, if it is one


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. ``want`` is the output shown, which stands in the page's lines ``[start:end]``."""

    kind: str
    code: str
    line: int  # in the page, from 1
    want: str | None = None
    start: int = 0
    end: int = 0
    named: str = ""


def fences(text: str) -> list[Fence]:
    found: list[Fence] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        opened = _FENCE.fullmatch(lines[at])
        if not opened:
            at += 1
            continue
        end = next(n for n in range(at + 1, len(lines)) if lines[n].rstrip() == opened[1])
        above = next((line for line in reversed(lines[:at]) if line.strip()), "")
        named = _NAMED.search(above)
        body = "".join(line + "\n" for line in lines[at + 1 : end])
        found.append(Fence(opened[2], at + 1, end, body, named[1] if named else ""))
        at = end + 1
    return found


def steps(text: str) -> list[Step]:
    found: list[Step] = []
    lines = text.split("\n")
    for number, fence in enumerate(all_fences := fences(text)):
        if fence.kind == "console":
            found += _commands(fence)
        elif fence.kind == "pycon":
            found += _prompts(fence)
        elif fence.named:
            found.append(Step(fence.kind, fence.text, fence.start + 1, named=fence.named))
        elif fence.kind == "python":
            below = all_fences[number + 1] if number + 1 < len(all_fences) else None
            step = Step("python", fence.text, fence.start + 1)
            if below and below.kind == "text" and not "".join(lines[fence.end + 1 : below.start - 1]).strip():
                step = Step("python", fence.text, fence.start + 1, below.text, below.start, below.end)
            found.append(step)
    return found


def _commands(fence: Fence) -> Iterator[Step]:
    lines = fence.text.splitlines()
    begins = [n for n, line in enumerate(lines) if line.startswith("$ ")]
    assert begins[:1] == [0], f"line {fence.start + 1}: a console block begins with a command"
    for n, following in zip(begins, [*begins[1:], len(lines)], strict=True):
        output = n + 1
        while lines[output - 1].endswith("\\"):
            output += 1
        command = "\n".join(lines[n:output])[2:]
        want = "".join(line + "\n" for line in lines[output:following])
        yield Step("console", command, fence.start + n + 1, want, fence.start + output, fence.start + following)


def _prompts(fence: Fence) -> Iterator[Step]:
    for example in doctest.DocTestParser().get_examples(fence.text):
        first = fence.start + example.lineno
        output = first + example.source.count("\n")
        yield Step("pycon", example.source, first + 1, example.want, output, output + example.want.count("\n"))


# ── running ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Run:
    """One page being run, in ``folder``."""

    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def __call__(self, step: Step) -> str:
        """What comes out."""
        if step.named:
            path = self.folder / step.named
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_patched(path.read_text("utf-8"), step) if step.kind == "diff" else step.code, "utf-8")
            return ""
        if step.kind == "console":
            return self._command(step.code)
        return self._python(step)

    def _command(self, command: str) -> str:
        if command.startswith("anaphor ") and not _SHELL.search(command) and "\\\n" not in command:
            return self._ours(shlex.split(command)[1:])
        done = subprocess.run(
            ["bash", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            cwd=self.folder,
            timeout=120,
        )
        return done.stdout

    def _ours(self, arguments: list[str]) -> str:
        """In this process: half a second cheaper, and every page has many."""
        from anaphor.cli import run

        out, typed = io.StringIO(), sys.stdin
        sys.stdin = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                run(arguments)
        finally:
            sys.stdin = typed
        return out.getvalue()

    def _python(self, step: Step) -> str:
        out = io.StringIO()
        mode = "single" if step.kind == "pycon" else "exec"
        # The block's own line numbers, so that a traceback leads to the page.
        code = compile("\n" * (step.line - 1) + step.code, "the page", mode, dont_inherit=True)
        try:
            with contextlib.redirect_stdout(out):
                exec(code, self.names)
        except Exception as error:
            if step.kind != "pycon":
                raise
            out.write("Traceback (most recent call last):\n" + "".join(traceback.format_exception_only(error)))
        return out.getvalue()


def _patched(text: str, step: Step) -> str:
    lines = step.code.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(old) == 1, f"line {step.line}: what the diff takes away is not (once) in {step.named}"
    return text.replace(old, new)


@contextlib.contextmanager
def place(page: Path) -> Iterator[Path]:
    """An empty folder to be in, with the sample knowledge base where a clone has it, and nothing set but the place."""
    kept = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    kept |= {"LANG": LOCALES.get(page.name, "C.UTF-8"), "TZ": "UTC", "COLUMNS": "100", "ANAPHOR_EMBEDDER": "none"}
    before, were = dict(os.environ), os.getcwd()
    with tempfile.TemporaryDirectory(prefix="anaphor-docs-") as name:
        folder = Path(name)
        if page.name in WITH_SOURCE:
            _copy_source(folder)
            kept["PYTHONPATH"] = str(folder / "src")
        else:
            shutil.copytree(ROOT / KNOWLEDGE, folder / KNOWLEDGE)
            kept["PYTHONPATH"] = str(ROOT / "src")  # what a shell starts is of the same tree
        try:
            os.environ.clear()
            os.environ.update(kept | {"HOME": name})
            os.chdir(folder)
            yield folder
        finally:
            os.chdir(were)
            os.environ.clear()
            os.environ.update(before)


def _copy_source(folder: Path) -> None:
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", folder / "src", ignore=without)
    shutil.copytree(ROOT / "tests/contracts", folder / "tests/contracts", ignore=without)
    for name in ("tests/test_layers.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)


# ── comparing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def agrees(want: str, got: str) -> bool:
    return re.fullmatch(_pattern(_masked(want)), _masked(got)) is not None


def _masked(text: str) -> str:
    text = "".join(line.rstrip() + "\n" for line in text.splitlines())
    for volatile, shown in _VOLATILE:
        text = volatile.sub(shown, text)
    return text


def _pattern(want: str) -> str:
    """Lines of ``…`` alone match any lines, also none."""
    parts = [
        r"(?:[^\n]*\n)*" if line.strip() == "…" else r"[^\n]*".join(map(re.escape, line.split("…"))) + "\n"
        for line in want.splitlines()
    ]
    return "".join(parts)


def differences(page: Path) -> list[tuple[Step, str]]:
    """Every step of the page whose output is another than the page shows, with what came out."""
    found = []
    with place(page) as folder:
        run = Run(folder)
        for step in steps(page.read_text("utf-8")):
            try:
                got = run(step)
            except Exception as error:
                raise AssertionError(f"{page.name}:{step.line}: {type(error).__name__}: {error}") from error
            if step.want is not None and not agrees(step.want, got):
                found.append((step, got))
    return found


def told(page: Path, step: Step, got: str) -> str:
    return f"{page.name}:{step.line}: {step.code.strip()}\n  shown:\n{step.want}  came out:\n{got}"


def write(page: Path, found: list[tuple[Step, str]]) -> None:
    """Put what came out in place of what is shown."""
    lines = page.read_text("utf-8").split("\n")
    for step, got in sorted(found, key=lambda pair: -pair[0].start):
        lines[step.start : step.end] = [line.rstrip() for line in got.splitlines()]
    page.write_text("\n".join(lines), "utf-8")


def main(arguments: list[str]) -> int:
    wanted = [Path(name).resolve() for name in arguments if name != "--write"] or pages()
    status = 0
    for page in wanted:
        found = differences(page)
        for step, got in found:
            print(told(page, step, got))
        if "--write" in arguments:
            write(page, found)
        elif found:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

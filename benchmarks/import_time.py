"""How long the doors take to open: milliseconds of CPU time in a fresh interpreter, the best of several.

    python benchmarks/import_time.py [--json FILE]

Aim: ``import anaphor`` and the small door's first answer each under 50 ms. What the interpreter itself takes is
measured beside it and not subtracted.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from pathlib import Path

TRIES = 9
MEASURED = {
    "interpreter alone": "pass",
    "import anaphor": "import anaphor",
    "small door, first answer": (
        "import anaphor; anaphor.reconstruct([{'role': 'user', 'content': '東京の人口は'}], 'では大阪は？')"
    ),
    "import anaphor.wiring": "import anaphor.wiring",
    "anaphor --help": "import sys; sys.argv = ['anaphor', '--help']; from anaphor.cli import run; run(['--help'])",
}
CLOCKED = """
import time
start = time.perf_counter()
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()):
    {code}
print((time.perf_counter() - start) * 1000)
"""


def measure(code: str) -> list[float]:
    """Milliseconds, fastest first."""
    clocked = CLOCKED.format(code=code)
    command = [sys.executable, "-c", clocked]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(TRIES)]
    return sorted(float(told.splitlines()[-1]) for told in runs)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", type=Path, metavar="FILE")
    given = options.parse_args()
    rows = []
    for name, code in MEASURED.items():
        times = measure(code)
        rows.append({"what": name, "best_ms": round(times[0], 1), "median_ms": round(times[TRIES // 2], 1)})
        print(f"{name:<28} best {times[0]:6.1f} ms   median {times[TRIES // 2]:6.1f} ms")
    if given.json:
        machine = {"python": platform.python_version(), "system": platform.platform()}
        given.json.write_text(json.dumps({"machine": machine, "rows": rows}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

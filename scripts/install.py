"""Install anaphor into the running interpreter: ``install.py [EXTRA…] [--group NAME…]``.

Groups are read from pyproject.toml here, because pip learned to read them only in version 25.1.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> None:
    groups = [arguments[i + 1] for i, word in enumerate(arguments) if word == "--group"]
    extras = [w for i, w in enumerate(arguments) if w != "--group" and (i == 0 or arguments[i - 1] != "--group")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [package for group in groups for package in project["dependency-groups"][group]]
    target = str(ROOT) + (f"[{','.join(extras)}]" if extras else "")
    constraints = ROOT / "constraints.txt"
    pinned = ["--constraint", str(constraints)] if constraints.exists() else []
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pinned]
    if extras or not groups:
        wanted = ["--editable", target, *wanted]
    subprocess.run([*pip, *wanted], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])

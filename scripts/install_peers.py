"""Install the libraries that ``benchmarks/speed.py`` is held against, into an environment of their own.

python scripts/install_peers.py [FOLDER]     by default .venv-peers; prints the interpreter to give as --python
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PEERS = (
    "faiss-cpu==1.15.1",
    "langchain-classic==1.0.8",
    "langchain-community==0.4.2",
    "llama-index-core==0.14.25",
    "llama-index-retrievers-bm25==0.8.0",
    "mem0ai==2.2.1",
    "qdrant-client==1.20.0",
    "rank-bm25==0.2.2",
)


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0] if arguments else Path(__file__).resolve().parents[1] / ".venv-peers")
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEERS], check=True)
    print(python)


if __name__ == "__main__":
    main(sys.argv[1:])

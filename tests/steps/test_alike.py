from __future__ import annotations

import pytest

from anaphor.steps.alike import LOOKED_AT, spread
from anaphor.types import Hit, Passage

SAME = {
    "en": [
        "Lost keys are replaced within 14 days.",
        "Lost keys are replaced within 14 days!",
        "So, lost keys are replaced within 14 days.",
        "Lost keys are replaced within fourteen days.",
    ],
    "zh-Hant": [
        "遺失的鑰匙會在十四天內補發。",
        "遺失的鑰匙會在14天內補發。",
        "遺失的鑰匙會在十四天內補發！",
        "嗯，遺失的鑰匙會在十四天內補發。",
    ],
    "zh-Hans": [
        "遗失的钥匙会在十四天内补发。",
        "遗失的钥匙会在14天内补发。",
        "遗失的钥匙会在十四天内补发！",
        "嗯，遗失的钥匙会在十四天内补发。",
    ],
    "ja": [
        "紛失した鍵は十四日以内に再発行します。",
        "紛失した鍵は14日以内に再発行します。",
        "紛失した鍵は十四日以内に再発行します！",
        "えっと、紛失した鍵は十四日以内に再発行します。",
    ],
}
ANOTHER = {
    "en": "Keys of the archive need the librarian's signature.",
    "zh-Hant": "檔案室的鑰匙需要館員簽名。",
    "zh-Hans": "档案室的钥匙需要馆员签名。",
    "ja": "資料室の鍵には司書の署名が要ります。",
}


def hits(*texts: str, language: str = "en") -> list[Hit]:
    return [
        Hit(Passage(f"p{n}", text, f"{n}.md", language=language), 1 / n, n, {"bm25": n})
        for n, text in enumerate(texts, 1)
    ]


@pytest.mark.parametrize("language", SAME)
def test_one_statement_does_not_fill_every_place(language: str) -> None:
    found = spread(hits(*SAME[language], ANOTHER[language], language=language))
    assert [hit.passage.passage_id for hit in found] == ["p1", "p2", "p5", "p3", "p4"]
    assert [hit.rank for hit in found] == [1, 2, 3, 4, 5]


def test_what_differs_stays_where_it_is() -> None:
    ranked = hits("keys", "locks", "", "doors", "", "")
    assert [hit.passage.text for hit in spread(ranked)[:3]] == ["keys", "locks", ""]
    assert spread([]) == ()


def test_only_the_front_is_looked_at() -> None:
    ranked = hits(*(f"statement number {n} about {n}" for n in range(LOOKED_AT)), *["the same"] * 3)
    assert spread(ranked) == tuple(ranked)

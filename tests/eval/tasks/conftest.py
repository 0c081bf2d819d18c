"""Small sets of our own in four languages, an embedder that hashes, and the command as a person calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphor import wiring
from anaphor.adapters.fake.embed import HashEmbedder
from anaphor.cli import run

PASSAGES = [
    ("en-limit", "en", "Rate limit", "The Kestrel API answers 600 calls a minute; what is above that gets status 429."),
    ("en-price", "en", "Plans", "The Kestrel Harbour plan costs 40 dollars a month and is billed on the first."),
    ("en-backup", "en", "Backups", "Owl makes a backup every night at two and keeps it for thirty days."),
    ("hant-refund", "zh-Hant", "退款", "獵戶方案的退款須於三十天內提出，款項在七天內退回。"),
    ("hant-price", "zh-Hant", "方案", "獵戶方案每月四百元，天琴方案每月九百元。"),
    ("hant-export", "zh-Hant", "匯出", "資料可以匯出成試算表，每天最多十次。"),
    ("hans-share", "zh-Hans", "分享", "云雀网盘的分享链接默认七天后失效，可以设置密码。"),
    ("hans-price", "zh-Hans", "套餐", "云雀网盘的高级套餐每年一百二十元。"),
    ("hans-trash", "zh-Hans", "回收站", "删除的文件在回收站保留十五天。"),
    ("ja-leave", "ja", "休暇", "年次休暇は入社六か月後に十日付与され、翌年まで繰り越せる。"),
    ("ja-room", "ja", "会議室", "会議室の予約は二週間前から受け付ける。"),
    ("ja-lend", "ja", "貸出", "ノートパソコンの貸出は総務部が受け付け、期間は三十日である。"),
]

TALKS: dict[str, list[tuple[str, str, str, str]]] = {
    # language: utterance, a person's rewrite, gold passage, reply
    "en": [
        ("How many calls a minute does the Kestrel API answer?", "", "en-limit", "600 calls a minute."),
        ("And what does the Harbour plan of Kestrel cost?", "", "en-price", "40 dollars a month."),
        ("When is it billed?", "When is the Kestrel Harbour plan billed?", "en-price", "On the first."),
    ],
    "zh-Hant": [
        ("獵戶方案每月多少錢？", "", "hant-price", "每月四百元。"),
        ("那退款呢？", "獵戶方案的退款期限是幾天？", "hant-refund", "三十天內提出。"),
    ],
    "zh-Hans": [
        ("云雀网盘的分享链接多久失效？", "", "hans-share", "默认七天后失效。"),
        ("它的高级套餐多少钱？", "云雀网盘的高级套餐每年多少钱？", "hans-price", "一百二十元。"),
    ],
    "ja": [
        ("年次休暇は何日付与されますか？", "", "ja-leave", "十日です。"),
        ("それは翌年まで繰り越せますか？", "年次休暇は翌年まで繰り越せますか？", "ja-leave", "はい。"),
    ],
}


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings, no models, no cache of this machine; vectors by hashing."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANAPHOR_MODEL", "ANAPHOR_CONFIG", "LANG", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(wiring, "embedder", lambda _settings: (HashEmbedder(64), "for the test"))


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Conversations in four languages, two of each, and their passages beside them."""
    lines(
        tmp_path / "talks_passages.jsonl",
        [{"id": i, "lang": lang, "title": title, "text": text} for i, lang, title, text in PASSAGES],
    )
    return lines(
        tmp_path / "talks_four.jsonl",
        [
            {
                "id": f"{language}-{copy}",
                "lang": language,
                "domain": "products",
                "turns": [
                    {
                        "turn": n,
                        "task_id": f"{language}-{copy}-{n}",
                        "query": utterance,
                        "standalone": standalone or utterance,
                        "gold_passages": [gold],
                        "reply": reply,
                        "answerability": "ANSWERABLE",
                    }
                    for n, (utterance, standalone, gold, reply) in enumerate(talk, 1)
                ],
            }
            for language, talk in TALKS.items()
            for copy in (1, 2)
        ],
    )


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Single questions on two articles, in Traditional Chinese, with their passages."""
    lines(
        tmp_path / "articles_passages.jsonl",
        [
            {"id": "o1", "lang": "zh-Hant", "title": "獵戶市", "text": "獵戶市是海邊的城市，人口三十萬，以漁業聞名。"},
            {"id": "o2", "lang": "zh-Hant", "title": "獵戶市", "text": "獵戶市於1890年設港，港口位於城市東側。"},
            {
                "id": "t1",
                "lang": "zh-Hant",
                "title": "天琴山",
                "text": "天琴山海拔兩千公尺，位於北部，山頂有一座觀測站。",
            },
            {"id": "t2", "lang": "zh-Hant", "title": "天琴山", "text": "天琴山的觀測站在1952年啟用。"},
        ],
    )
    asked = [
        ("q1", "獵戶市的人口有多少？", "三十萬", "o1"),
        ("q2", "獵戶市在哪一年設港？", "1890年", "o2"),
        ("q3", "獵戶市以什麼聞名？", "漁業", "o1"),
        ("q4", "天琴山的海拔是多少？", "兩千公尺", "t1"),
        ("q5", "天琴山位於哪裡？", "北部", "t1"),
        ("q6", "天琴山的觀測站何時啟用？", "1952年", "t2"),
    ]
    return lines(
        tmp_path / "articles_zh.jsonl",
        [
            {"id": i, "lang": "zh-Hant", "question": question, "answers": [answer], "gold_passages": [gold]}
            for i, question, answer, gold in asked
        ],
    )


REMEMBERED = {
    "en": (
        ["My sister Ada moved to Lisbon in May.", "I am allergic to peanuts.", "The garden needs water every day."],
        "Where did my sister Ada move?",
    ),
    "zh-Hant": (
        ["我妹妹五月搬到高雄了。", "我對花生過敏。", "院子每天都要澆水。"],
        "我妹妹搬到哪裡？",
    ),
    "zh-Hans": (
        ["我妹妹五月搬到厦门了。", "我对花生过敏。", "院子每天都要浇水。"],
        "我妹妹搬到哪里？",
    ),
    "ja": (
        ["妹は五月に福岡へ引っ越しました。", "私は落花生にアレルギーがあります。", "庭には毎日水をやります。"],
        "妹はどこへ引っ越しましたか？",
    ),
}


@pytest.fixture
def memories(tmp_path: Path) -> Path:
    """One long (well) conversation a language; the answer is in its first turn."""
    rows = []
    for language, (said, question) in REMEMBERED.items():
        turns = []
        for n, text in enumerate(said, 1):
            turns.append({"turn_id": f"u{n}", "role": "user", "content": text})
            turns.append({"turn_id": f"a{n}", "role": "assistant", "content": "OK."})
        rows.append(
            {
                "id": f"talk-{language}",
                "lang": language,
                "sessions": [
                    {"session_id": "s1", "date": "2026-03-01", "turns": turns[:4]},
                    {"session_id": "s2", "date": "2026-04-01", "turns": turns[4:]},
                ],
                "questions": [
                    {"id": "q1", "question": question, "answer": "", "category": "single", "evidence": ["u1"]},
                    {
                        "id": "q2",
                        "question": question,
                        "answer": "",
                        "category": "unanswerable",
                        "evidence": [],
                        "answerable": False,
                    },
                ],
            }
        )
    return lines(tmp_path / "memories.jsonl", rows)


class Called:
    """``anaphor eval …`` with what it wrote."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys = folder, capsys
        self.status = 0
        self.out = self.err = ""

    def __call__(self, *arguments: object, json_file: str = "out.json") -> list[dict[str, Any]]:
        to = self._folder / json_file
        to.unlink(missing_ok=True)
        self.status = run(["eval", *map(str, arguments), *(["--json", str(to)] if arguments[0] != "report" else [])])
        captured = self._capsys.readouterr()
        self.out, self.err = captured.out, captured.err
        self.whole = json.loads(to.read_text("utf-8")) if to.exists() else {}
        return list(self.whole.get("rows", []))


@pytest.fixture
def evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Called:
    return Called(tmp_path, capsys)

import io
import sys
from types import SimpleNamespace

import pytest

from anaphor.cli import run

FILES = {
    "錯誤碼.md": """# 白鷺 API 的錯誤碼

## 401

401 表示請求沒有帶憑證。

## 403

403 表示帳號沒有存取資源的權限。
""",
    "套餐.md": """# 青鸟云盘的套餐

## 团队版

团队版每人每月 35 元。

## 企业版

企业版每人每月 68 元。
""",
    "休暇.md": """# 休暇規程

## 夏季休暇

夏季休暇は5日です。

## 慶弔休暇

慶弔休暇は3日です。
""",
    "retention.md": """# Retention

Kestrel keeps messages for 7 days.

## Free plan

On the free plan messages are kept for 24 hours.
""",
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty directory with nothing set but that no embedder is wanted."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANAPHOR_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def anaphor(place, capsys, monkeypatch):
    """``anaphor("ask", "…")`` as on a command line without a terminal: status, out and err."""

    def call(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogatepass"))))
        capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return SimpleNamespace(status=status, out=out, err=err)

    return call


@pytest.fixture
def filled(anaphor, place):
    """The same, with four small documents in four languages ingested."""
    (place / "kb").mkdir()
    for name, text in FILES.items():
        (place / "kb" / name).write_text(text, encoding="utf-8")
    assert anaphor("ingest", "kb").status == 0
    return anaphor

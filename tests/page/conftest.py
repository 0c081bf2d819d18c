"""A real service in a process of its own, and a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from page.slow import model

__all__ = ["CHROMIUM", "COMMAND", "DOCUMENTS", "Served", "browser", "model", "served", "two", "visit"]

COMMAND = "from anaphor.cli import main; main()"
CHROMIUM = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def two(first: str, says: str, second: str, other: str) -> str:
    return f"# {first}\n\n{says}\n\n# {second}\n\n{other}\n"


DOCUMENTS = {
    "方案.md": two("Orin 方案", "Orin 方案每月 300 元。", "Vega 方案", "Vega 方案每月 500 元，可在 14 天內退款。"),
    "套餐.md": two("星辰套餐", "星辰套餐每月 30 元。", "大海套餐", "大海套餐每月 50 元，可以在 3 天内退款。"),
    "プラン.md": two(
        "桜プラン", "桜プランの料金は月額 1,200 円です。", "楓プラン", "楓プランの料金は月額 2,400 円です。"
    ),
    "plans.md": two(
        "Basic plan", "The Basic plan costs 9 dollars.", "Studio plan", "The Studio plan costs 29 dollars."
    ),
    "evil.md": "# Zebra\n\nThe zebra note says <script>window.broken=1</script> <img src=x onerror=window.broken=1>.\n",
}


class Served:
    def __init__(self, folder: Path, *more: str) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.more = more
        self.start()

    def start(self) -> None:
        command = [
            sys.executable,
            "-c",
            COMMAND,
            "serve",
            "--store",
            "kept.db",
            "--port",
            str(self.port),
            "--rate",
            "1000",
            *self.more,
        ]
        environment = {**os.environ, "ANAPHOR_EMBEDDER": "none"}
        self.process = subprocess.Popen(command, cwd=self.folder, env=environment, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{self.url}/ready").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("the service did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    service = Served(tmp_path_factory.mktemp("served"))
    files = [("files", (name, text.encode())) for name, text in DOCUMENTS.items()]
    assert httpx.post(f"{service.url}/api/documents", files=files).status_code == 201
    yield service
    service.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(CHROMIUM))
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser, served):
    """A page in a language and a size. What the console complains of fails the test, but so many failed requests."""
    contexts, complaints, expected = [], [], 0

    def open_page(locale: str, width: int, dark: bool = False, url: str = "", refused: int = 0):
        nonlocal expected
        expected += refused
        context = browser.new_context(
            viewport={"width": width, "height": 844 if width < 500 else 800},
            locale=locale,
            color_scheme="dark" if dark else "light",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url or served.url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    failed = [text for text in complaints if text.startswith("Failed to load resource")]
    assert len(failed) == expected, complaints
    assert complaints == failed

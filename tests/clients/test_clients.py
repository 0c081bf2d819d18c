"""Clients that know nothing of us, unchanged, against a real service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from page.conftest import Served, two

pytestmark = pytest.mark.served

QUESTION, FOLLOW_UP = "Orin 方案每月多少錢？", "那 Vega 呢？"
NODE = "openai@7.59.0"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    service = Served(tmp_path_factory.mktemp("clients"))
    text = two("Orin 方案", "Orin 方案每月 300 元。", "Vega 方案", "Vega 方案每月 500 元。")
    assert httpx.post(f"{service.url}/api/documents", files=[("files", ("方案.md", text.encode()))]).status_code == 201
    yield service.url
    service.stop()


def test_openai_for_python(url):
    from openai import NotFoundError, OpenAI

    client = OpenAI(base_url=f"{url}/v1", api_key="sk-any")
    assert [model.id for model in client.models.list()] == ["anaphor"]
    said = [{"role": "user", "content": QUESTION}]
    first = client.chat.completions.create(model="anaphor", messages=said)
    assert "300" in first.choices[0].message.content
    assert first.usage.total_tokens > 0
    said += [{"role": "assistant", "content": first.choices[0].message.content}, {"role": "user", "content": FOLLOW_UP}]
    text, usage, told = "", None, None
    stream = client.chat.completions.create(
        model="anaphor", messages=said, stream=True, stream_options={"include_usage": True}
    )
    for piece in stream:
        usage = piece.usage or usage
        told = (piece.model_extra or {}).get("anaphor") or told
        text += "".join(choice.delta.content or "" for choice in piece.choices)
    assert "500" in text
    assert usage.total_tokens > 0
    assert told["decision"] == "follow_up"
    assert told["session_id"] == first.model_extra["anaphor"]["session_id"]
    with pytest.raises(NotFoundError):
        client.models.retrieve("gpt-9")


def test_openai_for_node(url, tmp_path):
    subprocess.run(["npm", "init", "-y"], cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", NODE], cwd=tmp_path, check=True, timeout=180
    )
    (tmp_path / "talk.mjs").write_text(
        f"""
        import OpenAI from "openai";
        const client = new OpenAI({{ baseURL: "{url}/v1", apiKey: "sk-any" }});
        const said = [{{ role: "user", content: "{QUESTION}" }}];
        const first = await client.chat.completions.create({{ model: "anaphor", messages: said }});
        said.push(first.choices[0].message, {{ role: "user", content: "{FOLLOW_UP}" }});
        const stream = await client.chat.completions.create({{ model: "anaphor", messages: said, stream: true }});
        let text = "";
        for await (const piece of stream) text += piece.choices[0]?.delta?.content || "";
        const models = [];
        for await (const model of client.models.list()) models.push(model.id);
        console.log(JSON.stringify({{ first: first.choices[0].message.content, text, models }}));
        """,
        "utf-8",
    )
    done = subprocess.run(["node", "talk.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60)
    told = json.loads(done.stdout)
    assert "300" in told["first"]
    assert "500" in told["text"]
    assert told["models"] == ["anaphor"]


def test_langchain_openai(url):
    code = f"""
from langchain_openai import ChatOpenAI
model = ChatOpenAI(base_url="{url}/v1", api_key="sk-any", model="anaphor", temperature=0)
first = model.invoke([("human", "{QUESTION}")])
said = [("human", "{QUESTION}"), ("ai", first.content), ("human", "{FOLLOW_UP}")]
text = "".join(piece.content for piece in model.stream(said))
print(first.content, "|", text)
"""
    environment = {**os.environ, "LANGSMITH_TRACING": "false"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    first, _, second = done.stdout.partition("|")
    assert "300" in first
    assert "500" in second


def test_the_llm_command(url, tmp_path):
    (tmp_path / "extra-openai-models.yaml").write_text(
        f"- model_id: anaphor\n  model_name: anaphor\n  api_base: {url}/v1\n", "utf-8"
    )
    environment = {
        **os.environ, "LLM_USER_PATH": str(tmp_path), "LLM_LOAD_PLUGINS": "", "OPENAI_API_KEY": "sk-any",
    }  # fmt: skip

    def llm(*words: str) -> str:
        command = [str(Path(sys.executable).with_name("llm")), *words]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=120, check=True, stdin=subprocess.DEVNULL
        ).stdout

    assert "300" in llm("-m", "anaphor", QUESTION)
    assert "500" in llm("-c", FOLLOW_UP)
    assert "500" in llm("--no-stream", "-m", "anaphor", "Vega 方案每月多少錢？")

"""Other libraries over the same texts, vectors and questions; run by ``speed.py`` in an environment of their own.

    python speed_peers.py --task FILE    FILE: {"peer", "messages", "questions", "vectors", "turns", "limit"}
    python speed_peers.py --rank FILE    FILE: {"peer", "texts", "vectors", "conversations", "limit"}, for ``peers.py``

Each is set up as its documentation does: LangChain's ensemble of BM25 and FAISS, LlamaIndex's fusion of vectors and
BM25, mem0 with its own store and without inference. Prints one line of JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import Any

os.environ.update(OPENAI_API_KEY="none", MEM0_TELEMETRY="False", ANONYMIZED_TELEMETRY="False", OMP_NUM_THREADS="1")

import numpy as np

MEI = "mei"


def vectors_of(real: Any, texts: list[str]) -> Any:
    """As ``speed.Mixed`` makes them, or those that were given by their texts."""
    if isinstance(real, dict):
        return np.array([real[text] for text in texts])
    picks = np.array([list(hashlib.sha256(t.encode("utf-8", "replace")).digest()[:9]) for t in texts], np.int64)
    chosen = (picks[:, 0:6:2] * 256 + picks[:, 1:6:2]) % len(real)
    made = (real[chosen] * (picks[:, 6:9] + 32).astype(np.float32)[:, :, None]).sum(axis=1)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


class LangChain:
    """EnsembleRetriever of BM25Retriever and FAISS. BM25Retriever takes nothing in later: a turn rebuilds it."""

    packages = ("langchain-classic", "langchain-community", "faiss-cpu", "rank-bm25")

    def __init__(self, real: Any, messages: list[str], limit: int) -> None:
        from langchain_core.embeddings import Embeddings

        class Given(Embeddings):
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return vectors_of(real, texts).tolist()

            def embed_query(self, text: str) -> list[float]:
                return vectors_of(real, [text])[0].tolist()

        from langchain_community.vectorstores import FAISS

        self.limit, self.messages = limit, list(messages)
        pairs = list(zip(messages, vectors_of(real, messages).tolist(), strict=True))
        self.store = FAISS.from_embeddings(pairs, Given())
        self._join()

    def _join(self) -> None:
        from langchain_classic.retrievers import EnsembleRetriever
        from langchain_community.retrievers import BM25Retriever

        words = BM25Retriever.from_texts(self.messages, k=self.limit)
        meaning = self.store.as_retriever(search_kwargs={"k": self.limit})
        self.retriever = EnsembleRetriever(retrievers=[words, meaning], weights=[0.5, 0.5])

    def add(self, message: str) -> None:
        self.store.add_texts([message])
        self.messages.append(message)
        self._join()

    def ask(self, question: str) -> list[str]:
        return [found.page_content for found in self.retriever.invoke(question)]


class LlamaIndex:
    """QueryFusionRetriever by reciprocal rank over a vector index and BM25Retriever, which a turn rebuilds."""

    packages = ("llama-index-core", "llama-index-retrievers-bm25", "bm25s")

    def __init__(self, real: Any, messages: list[str], limit: int) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.core.embeddings import BaseEmbedding
        from llama_index.core.schema import TextNode

        class Given(BaseEmbedding):
            def _get_query_embedding(self, query: str) -> list[float]:
                return vectors_of(real, [query])[0].tolist()

            def _get_text_embedding(self, text: str) -> list[float]:
                return vectors_of(real, [text])[0].tolist()

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return self._get_query_embedding(query)

        self.limit, self.node = limit, TextNode
        made = vectors_of(real, messages).tolist()
        self.nodes = [TextNode(text=t, embedding=v) for t, v in zip(messages, made, strict=True)]
        self.index = VectorStoreIndex(nodes=self.nodes, embed_model=Given())
        self._join()

    def _join(self) -> None:
        from llama_index.core.llms import MockLLM
        from llama_index.core.retrievers import QueryFusionRetriever
        from llama_index.retrievers.bm25 import BM25Retriever

        words = BM25Retriever.from_defaults(nodes=self.nodes, similarity_top_k=self.limit)
        meaning = self.index.as_retriever(similarity_top_k=self.limit)
        self.retriever = QueryFusionRetriever(
            [meaning, words],
            similarity_top_k=self.limit,
            num_queries=1,
            mode="reciprocal_rerank",
            use_async=False,
            llm=MockLLM(),
        )

    def add(self, message: str) -> None:
        node = self.node(text=message)
        self.index.insert_nodes([node])
        self.nodes.append(node)
        self._join()

    def ask(self, question: str) -> list[str]:
        return [found.node.text for found in self.retriever.retrieve(question)]


class Mem0:
    """Memory with its default store (Qdrant, in a folder) and no inference: messages are kept as they are."""

    packages = ("mem0ai", "qdrant-client")

    def __init__(self, real: Any, messages: list[str], limit: int) -> None:
        class Given:
            def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002
                return vectors_of(real, [text])[0].tolist()

            def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:  # noqa: ARG002
                return vectors_of(real, texts).tolist()

        from mem0 import Memory

        self.limit = limit
        dimensions = vectors_of(real, messages[:1]).shape[1]
        self.folder = tempfile.TemporaryDirectory(prefix="anaphor-mem0-")
        os.environ["MEM0_DIR"] = self.folder.name
        self.memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"path": f"{self.folder.name}/q", "embedding_model_dims": dimensions},
                },
                "history_db_path": f"{self.folder.name}/history.db",
            }
        )
        self.memory.embedding_model = Given()
        for message in messages:
            self.add(message)

    def add(self, message: str) -> None:
        self.memory.add([{"role": "user", "content": message}], user_id=MEI, infer=False)

    def ask(self, question: str) -> list[str]:
        found = self.memory.search(question, filters={"user_id": MEI}, top_k=self.limit)
        return [each["memory"] for each in found["results"]]


PEERS = {"langchain": LangChain, "llamaindex": LlamaIndex, "mem0": Mem0}


def timed(work: Any, over: list[str]) -> dict[str, float]:
    clock, processor = [], []
    for each in over:
        began, spent = time.perf_counter(), time.process_time()
        work(each)
        processor.append((time.process_time() - spent) * 1000)
        clock.append((time.perf_counter() - began) * 1000)
    return {
        f"{name}_p{p}": round(float(np.percentile(times, p)), 3)
        for name, times in (("clock", clock), ("processor", processor))
        for p in (50, 95)
    }


def resident() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def ranked(task: Any) -> dict[str, Any]:
    """For every question of every conversation the texts found, best first, and the milliseconds that took."""
    real = dict(zip(task["texts"], np.load(task["vectors"]), strict=True))
    peer = PEERS[task["peer"]]
    found = []
    for conversation in task["conversations"]:
        made = peer(real, conversation["messages"], task["limit"])
        answers = []
        for question in conversation["questions"]:
            began = time.perf_counter()
            texts = made.ask(question)
            answers.append((texts, (time.perf_counter() - began) * 1000))
        found.append(answers)
    return {"ranked": found, "versions": ", ".join(f"{name} {metadata.version(name)}" for name in peer.packages)}


def main() -> None:
    task = json.loads(Path(sys.argv[2]).read_text("utf-8"))
    if sys.argv[1] == "--rank":
        print(json.dumps(ranked(task)))
        return
    real = np.load(task["vectors"])
    peer, turns = PEERS[task["peer"]], task["turns"]
    stored, later = task["messages"][:-turns], task["messages"][-turns:]
    before, began = resident(), time.perf_counter()
    made = peer(real, stored, task["limit"])
    told: dict[str, Any] = {"fill_s": round(time.perf_counter() - began, 1)}
    timed(made.ask, task["questions"])  # once over, as ours
    told["retrieve"] = timed(made.ask, task["questions"])
    told["memory_mb"] = round(resident() - before, 1)
    told["turn"] = timed(made.add, later[: 5 if len(stored) > 20_000 else 20])
    told["versions"] = ", ".join(f"{name} {metadata.version(name)}" for name in peer.packages)
    print(json.dumps(told))


if __name__ == "__main__":
    main()

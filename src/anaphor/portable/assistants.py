"""What ChatGPT and Claude export: ``conversations.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anaphor.portable.imported import Imported, Said, exchanges, moment, origin, paths


def chatgpt(conversation: Mapping[str, Any]) -> Imported:
    """A tree of messages (``mapping``: id → ``message``, ``parent``); ``current_node`` is the end that was shown."""
    mapping = conversation["mapping"]
    parents = {key: node.get("parent") or "" for key, node in mapping.items()}
    oldest_first = sorted(mapping, key=lambda key: _time(mapping[key].get("message")))
    ways = paths(parents, oldest_first, conversation.get("current_node") or "")
    said = {key: one for key, node in mapping.items() if (one := _of_chatgpt(key, node.get("message")))}
    told = conversation.get("conversation_id") or conversation.get("id") or conversation.get("create_time")
    # One without an id is known by its beginning, which stays when it grows.
    first = next((said[key].text for key in oldest_first if key in said), "")
    identity = str(told or [conversation.get("title"), first])
    return _imported("chatgpt", identity, conversation.get("title"), ways, said)


def claude(conversation: Mapping[str, Any]) -> Imported:
    """A list of messages; where they say whose answer they are (``parent_message_uuid``), a tree."""
    messages = conversation["chat_messages"] or []
    keys = [str(message["uuid"]) for message in messages]
    linear = dict(zip(keys[1:], keys, strict=False))
    told = {str(m["uuid"]): str(m.get("parent_message_uuid") or "") for m in messages}
    parents = {key: parent for key, parent in told.items() if parent in told} or linear
    shown = str(conversation.get("current_leaf_message_uuid") or (keys[-1] if keys else ""))
    said = {key: one for key, message in zip(keys, messages, strict=True) if (one := _of_claude(key, message))}
    return _imported("claude", str(conversation["uuid"]), conversation.get("name"), paths(parents, keys, shown), said)


def _imported(kind: str, identity: str, name: Any, ways: Sequence[Sequence[str]], said: Mapping[str, Said]) -> Imported:
    told = [exchanges((said[key] for key in way if key in said), identity) for way in ways]
    return Imported(origin(kind, identity), str(name or ""), tuple(dict.fromkeys(way for way in told if way)))


def _of_chatgpt(key: str, message: Mapping[str, Any] | None) -> Said | None:
    if not message or message.get("recipient", "all") != "all":
        return None  # an order to a tool
    role = (message.get("author") or {}).get("role")
    hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
    content = message.get("content") or {}
    parts = content.get("parts") or []
    text = "\n".join(part for part in parts if isinstance(part, str)).strip()
    if role not in ("user", "assistant") or hidden or not text:
        return None
    return Said(role, text, _time(message), key=key)


def _of_claude(key: str, message: Mapping[str, Any]) -> Said | None:
    parts = [part.get("text", "") for part in message.get("content") or () if part.get("type") == "text"]
    text = "\n\n".join(part for part in parts if part).strip() or str(message.get("text") or "").strip()
    files = [str(file.get("file_name") or "") for file in (*message.get("attachments", ()), *message.get("files", ()))]
    text = "\n".join([text, *(f"[{name}]" for name in files if name)]).strip()
    if not text:
        return None
    role = "user" if message.get("sender") == "human" else "assistant"
    return Said(role, text, moment(message.get("created_at")), key=key)


def _time(message: Mapping[str, Any] | None) -> float:
    return moment((message or {}).get("create_time"))

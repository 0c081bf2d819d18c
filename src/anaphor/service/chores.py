"""Titles, tags and follow-ups: what chat programs ask the same endpoint for, beside the talk.

They come as an ordinary completion. Searching for them would be noise and committing them would put them into the
person's history, so they are recognised — by ``metadata.task``, or by the shape in which a program is known to
write them — and answered by the model if there is one, else from the talk itself. Known shapes: Open WebUI's default
prompts (a message that opens with ``### Task:`` and holds the talk in ``<chat_history>``), and LibreChat's and
LobeChat's requests for a title.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

CHORES = {
    "title_generation": "title",
    "tags_generation": "tags",
    "follow_up_generation": "follow_ups",
    "query_generation": "queries",
    "image_prompt_generation": "prompt",
    "emoji_generation": "emoji",
    "autocomplete_generation": "text",
    "function_calling": "tools",
    "moa_response_generation": "moa",
}
"""``metadata.task`` → what the answer to it is called."""

OPENING = re.compile(r"\A\s*###\s*Task:\s*\n(.{0,600})", re.DOTALL)
TALK = re.compile(r"<chat_history>(.*?)</chat_history>", re.DOTALL)
BY_WORDS = (
    ("follow_ups", re.compile(r"follow[- ]?up", re.IGNORECASE)),
    ("tags", re.compile(r"\btags?\b", re.IGNORECASE)),
    ("title", re.compile(r"\btitle\b", re.IGNORECASE)),
    ("queries", re.compile(r"search quer", re.IGNORECASE)),
    ("text", re.compile(r"autocomplet", re.IGNORECASE)),
)
TITLES = re.compile(
    r"\A\s*(?:provide|generate|write|create) a (?:concise|short|brief)[^\n]{0,120}\btitle\b"
    r"[^\n]{0,400}(?:conversation|chat)"
    r"|你是一名擅长会话的助理，你需要将用户的会话总结为",
    re.IGNORECASE,
)
LONGEST_TITLE = 24  # characters of CJK text; Latin words get twice that


@dataclass(frozen=True, slots=True)
class Chore:
    """What is asked for, and the talk it is asked about (empty where the request does not hold it)."""

    kind: str
    talk: str


def recognised(task: object, words: Sequence[str]) -> Chore | None:
    """A chore, or ``None`` for a question of the person's. ``words`` are the messages' texts, the last one last."""
    if not words:
        return None
    last = words[-1]
    talk = TALK.search(last)
    said = talk.group(1).strip() if talk else "\n".join(words[:-1])
    if isinstance(task, str) and task in CHORES:
        return Chore(CHORES[task], said)
    opening = OPENING.match(last)
    if opening and talk:
        kind = next((kind for kind, words_of in BY_WORDS if words_of.search(opening.group(1))), "title")
        return Chore(kind, said)
    if any(TITLES.search(text[:1000]) for text in (words[0], last)):
        return Chore("title", said or last)
    return None


def answered(chore: Chore) -> str:
    """Without a model: the title is what the person asked first; tags and follow-ups are none."""
    match chore.kind:
        case "title":
            return json.dumps({"title": title(chore.talk)}, ensure_ascii=False)
        case "tags" | "follow_ups" | "queries":
            return json.dumps({chore.kind: []})
        case "text":
            return json.dumps({"text": ""})
        case _:
            return "{}"


def title(talk: str) -> str:
    """The first thing the person said, cut at a mark or between words."""
    said = next((line for line in talk.splitlines() if line.strip()), "")
    said = re.sub(r"\A\s*(?:user|human)\s*:\s*", "", said.strip(), flags=re.IGNORECASE)
    first = re.split(r"(?<=[。？！?!])|(?<=\.)\s", said, maxsplit=1)[0].strip()
    most = LONGEST_TITLE if re.search(r"[\u3040-\u30ff\u3400-\u9fff]", first) else 2 * LONGEST_TITLE
    if len(first) <= most:
        return first.rstrip("。.") or "…"
    cut = first[:most]
    return (cut.rpartition(" ")[0] if " " in cut else cut) + "…"

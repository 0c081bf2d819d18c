"""The small door: a standalone query from a list of messages, without a store and without a model.

import anaphor
query = anaphor.reconstruct(messages, "那它的增長率呢？")
hits = your_retriever(query.text)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anaphor.errors import BadInput, BadMessages

if TYPE_CHECKING:
    from anaphor.ports import ChatModel
    from anaphor.types import StandaloneQuery, Turn

ROLES = ("user", "assistant")
LANGUAGES = ("zh-Hant", "zh-Hans", "ja", "en")
PASSED_OVER = ("system", "developer", "tool", "function")
READ_AT_MOST = 60  # turns: more than a question reaches back to, so that names come along from where they were said


def reconstruct(
    messages: Sequence[Mapping[str, Any]],
    question: str | None = None,
    *,
    language: str | None = None,
    model: ChatModel | None = None,
) -> StandaloneQuery:
    """The last thing the person said, rewritten to need no history.

    ``messages`` are ``{"role", "content"}``, oldest first; without ``question`` the last user message is the question
    and what stands before it the history. ``content`` is a string, or a list of parts of which those with ``text``
    count. ``language`` (``zh-Hant``, ``zh-Hans``, ``ja``, ``en``) helps where the text does not tell. What the
    assistant said is not known to be true: it resolves references and is carried no further. Raises ``BadMessages``, or
    ``BadInput`` for a language or model that is none; never because of what the model says.
    """
    # Imported when first called: the tables of four languages are not to be paid for by whoever only imports the
    # package.
    from anaphor.steps.reconstruct import reconstruct as reconstruct_turn
    from anaphor.steps.reconstruct import understood
    from anaphor.types import Question, Recollection

    if language is not None and language not in LANGUAGES:
        raise BadInput(f"language must be one of {', '.join(LANGUAGES)}, not {_shown(language)}")
    if model is not None and not callable(getattr(model, "reply", None)):
        raise BadInput(f"model must be a ChatModel (something with reply), not {type(model).__name__}")
    said = _said(messages)
    if question is None:
        said, question = _question_of(said)
    if not isinstance(question, str):
        raise BadMessages(f"the question must be a string, not {type(question).__name__}")
    if not any(c.isalnum() or not c.isascii() for c in question if not c.isspace()):
        raise BadMessages("the question is empty: there is nothing to make a query of")
    turns = understood(_turns(said)[-READ_AT_MOST:], language)
    return reconstruct_turn(Question(question, "", locale=language), Recollection(tuple(turns)), model)


def _shown(value: object) -> str:
    return repr(value[:40]) if isinstance(value, str) else type(value).__name__


def _said(messages: Any) -> list[tuple[str, str]]:
    """Role and text of every message that is part of the talk."""
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Sequence):
        raise BadMessages(f'expected a list of {{"role", "content"}}, got {type(messages).__name__}')
    said = []
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise BadMessages(f'messages[{i}] must be {{"role", "content"}}, not {type(message).__name__}')
        role = message.get("role")
        if role in PASSED_OVER:
            continue
        if role not in ROLES:
            told = f"the role {role!r}" if "role" in message else "no role"
            raise BadMessages(f"messages[{i}] has {told}; expected one of {', '.join((*ROLES, 'system'))}")
        said.append((str(role), _text(message, i)))
    return said


def _text(message: Mapping[str, Any], i: int) -> str:
    if "content" not in message:
        raise BadMessages(f"messages[{i}] has no content")
    content = message["content"]
    if content is None and message["role"] == "assistant":
        return ""  # a call of a tool, without words
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and all(isinstance(part, Mapping) for part in content):
        return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    raise BadMessages(f"messages[{i}]: the content must be a string, not {type(content).__name__}")


def _question_of(said: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], str]:
    for i in range(len(said) - 1, -1, -1):
        if said[i][0] == "user":
            return said[:i], said[i][1]
    raise BadMessages("no question: messages hold no message of the user's, and none was given apart")


def _turns(said: list[tuple[str, str]]) -> list[Turn]:
    """User messages with what was answered to each; several of one role in a row are one text."""
    from anaphor.types import Outcome, Turn

    pairs: list[list[str]] = []
    last = ""
    for role, text in said:
        if role == "user" and last == "user":
            pairs[-1][0] += "\n" + text
        elif role == "user":
            pairs.append([text, ""])
        elif not pairs:
            pairs.append(["", text])
        else:
            pairs[-1][1] = f"{pairs[-1][1]}\n{text}".strip()
        last = role
    return [
        Turn(str(seq), seq, question, Outcome.UNVERIFIED if answer else Outcome.FAILED, answer)
        for seq, (question, answer) in enumerate(pairs, 1)
    ]

"""What a file is that holds conversations, and what stands in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anaphor.errors import BadInput
from anaphor.portable.assistants import chatgpt, claude
from anaphor.portable.imported import Imported, Said, exchanges, moment, origin
from anaphor.portable.lines import Whole, whole_of
from anaphor.portable.messenger import line, looks_like_line

KNOWN = (
    "an export of anaphor's (JSON Lines), conversations.json of ChatGPT or Claude, a text export of LINE, or a list of "
    "{role, content, date, speaker}"
)
WHEN = ("date", "timestamp", "created_at", "time", "t")


def read(text: str, name: str, me: str = "") -> Whole | list[Imported]:
    """What ``text`` holds. ``me`` is what the person is called in it, where that has to be told.

    ``BadInput`` with the file's name, and the place in it, for what cannot be read.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise BadInput(f"{name} is empty")
    if text.lstrip()[0] not in "[{" or text.startswith("[LINE]"):
        if looks_like_line(text):
            return [line(text, me)]
        raise BadInput(f"{name} is of no kind that can be imported: {KNOWN}")
    told = _json(text, name)
    if isinstance(told, _Lines):
        if told and isinstance(told[0], dict) and told[0].get("kind") == "anaphor":
            return whole_of(text.split("\n"), name)
        return [*_conversations(list(told), name, me)]
    if isinstance(told, dict) and told.get("kind") == "anaphor":
        return whole_of(text.split("\n"), name)
    return [*_conversations(told if isinstance(told, list) else [told], name, me)]


class _Lines(list[Any]):
    """The values of JSON Lines."""


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BadInput(f"{name} is nested too deeply") from None
    except ValueError as error:
        values = _Lines()
        for number, written in enumerate(text.split("\n"), 1):
            try:
                values += [json.loads(written)] if written.strip() else []
            except (ValueError, RecursionError):
                where = f"line {number}" if number > 1 else str(error)
                raise BadInput(f"{name} is neither JSON nor JSON Lines: {where}") from None
        return values


def _conversations(told: Sequence[Any], name: str, me: str) -> Iterator[Imported]:
    if told and all(isinstance(one, Mapping) and "role" in one for one in told):
        try:
            yield _messages(told, name, name, me)
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
        return
    for number, one in enumerate(told, 1):
        try:
            if not isinstance(one, Mapping):
                raise BadInput(f"of no kind that can be imported: {KNOWN}")
            if "mapping" in one:
                yield chatgpt(one)
            elif "chat_messages" in one:
                yield claude(one)
            elif "messages" in one:
                title = str(one.get("title") or one.get("name") or "")
                identity = str(one.get("id") or title or f"{name} {number}")
                yield _messages(one["messages"], identity, title or name, me)
            else:
                raise BadInput(f"of no kind that can be imported: {KNOWN}")
        except BadInput as error:
            raise BadInput(f"{name}, conversation {number}: {error}") from None
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise BadInput(
                f"{name}, conversation {number}: not as such exports are written ({type(error).__name__}: {error})"
            ) from None


def _joined(content: Any) -> Any:
    """Text that stands in parts, as some programs write it; pictures and files among them say nothing."""
    if not isinstance(content, list) or not all(isinstance(part, Mapping | str) for part in content):
        return content
    parts = [part if isinstance(part, str) else str(part.get("text") or "") for part in content]
    return "\n".join(part for part in parts if part)


def _messages(told: Sequence[Mapping[str, Any]], identity: str, name: str, me: str) -> Imported:
    """``[{role, content, date, speaker}]``; only ``role`` and ``content`` must be there."""
    said = []
    for number, one in enumerate(told, 1):
        role, content = one.get("role"), _joined(one.get("content"))
        if not isinstance(content, str) or not isinstance(role, str):
            raise BadInput(f"message {number} has no role and content that are text")
        speaker = str(one.get("speaker") or one.get("name") or "")
        when = next((one[key] for key in WHEN if key in one), None)
        if content.strip() and role in ("user", "human", "assistant", "ai"):
            answer = role in ("assistant", "ai")
            said.append(Said("assistant" if answer else "user", content.strip(), moment(when), speaker))
    people = {one.speaker for one in said if one.role == "user"}
    mine = me or (next(iter(people)) if len(people) == 1 else "")
    plain = [Said(s.role, s.text, s.at, "" if s.speaker == mine or s.role != "user" else s.speaker) for s in said]
    return Imported(origin("messages", identity), name, (exchanges(plain, identity),) if plain else ())

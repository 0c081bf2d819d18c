"""``anaphor reconstruct``: the small door, from standard input."""

from __future__ import annotations

import json
from typing import Any

import click

from anaphor.cli.terminal import json_flag, print_json, say, standard_input
from anaphor.errors import BadMessages


@click.command("reconstruct")
@click.option("--language", metavar="TAG", help="zh-Hant, zh-Hans, ja or en, where the text does not tell.")
@click.option("--model", "with_model", is_flag=True, help="Let the rewriting model of the settings have a try.")
@json_flag
def command(language: str | None, with_model: bool, as_json: bool) -> None:
    """Print the standalone query for a list of messages (JSON, oldest first) on standard input.

    Either [{"role": "user", "content": "…"}, …], whose last user message is the question, or
    {"messages": […], "question": "…"}.
    """
    import anaphor

    messages, question = _read(standard_input())
    model = _rewriter() if with_model else None
    query = anaphor.reconstruct(messages, question, language=language, model=model)
    if as_json:
        print_json(query.as_dict())
    else:
        say(query.text)


def _read(text: str) -> tuple[Any, str | None]:
    """The messages, and the question if it stands apart. What the messages hold is the small door's business."""
    try:
        given = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise BadMessages(
            f"standard input is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except ValueError:  # what is left: Python reads no integer of more than some thousand digits
        raise BadMessages("standard input holds a number of thousands of digits: no list of messages has one") from None
    except RecursionError:
        raise BadMessages("standard input is not a list of messages: it is nested too deeply") from None
    if not isinstance(given, dict):
        return given, None
    if unknown := sorted(given.keys() - {"messages", "question"}):
        raise BadMessages(f"unknown key {unknown[0]!r}: an object has the keys messages and question")
    if "messages" not in given:
        raise BadMessages("the object on standard input has no key messages")
    return given["messages"], given.get("question")


def _rewriter() -> Any:
    from anaphor.errors import BadSettings
    from anaphor.settings import read
    from anaphor.wiring import rewriter

    model = rewriter(read())
    if model is None:
        raise BadSettings("--model is given, but no rewriting model is set: see ANAPHOR_REWRITE_MODEL")
    return model

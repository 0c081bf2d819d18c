"""Requests as they are read: no halves of surrogate pairs, no NULs, in no text of any JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from anaphor.text.fold import clean


class CleanRequest(Request):
    """JSON with halves of surrogate pairs replaced and NULs taken out, before anything reads it."""

    async def json(self) -> Any:
        return _clean(await super().json())


def _clean(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case list():
            return [_clean(each) for each in value]
        case dict():
            return {clean(key): _clean(each) for key, each in value.items()}
        case _:
            return value


class Clean(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Any]:
        handled = super().get_route_handler()

        async def cleaned(request: Request) -> Response:
            response: Response = await handled(CleanRequest(request.scope, request.receive))
            return response

        return cleaned

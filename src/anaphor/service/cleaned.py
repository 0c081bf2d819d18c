"""Requests as they are read: no halves of surrogate pairs, no NULs, in no text of any JSON; no query nobody hears."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from json import JSONDecodeError
from typing import Any, get_args, get_origin

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from anaphor.text.fold import clean


class CleanRequest(Request):
    """JSON with halves of surrogate pairs replaced and NULs taken out, before anything reads it."""

    async def json(self) -> Any:
        try:
            return _clean(await super().json())
        except RecursionError:
            raise _unreadable("it is nested too deeply") from None
        except UnicodeDecodeError as error:
            raise _unreadable(f"it is not UTF-8 (byte {error.start})") from None
        except JSONDecodeError:
            raise  # the framework tells where
        except ValueError:
            raise _unreadable("a number in it has thousands of digits") from None


def _unreadable(why: str) -> HTTPException:
    """An HTTPException, because of any other error of reading the framework says only that there was one."""
    return HTTPException(422, f"the body is not JSON: {why}")


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
    """A route whose bodies are cleaned, and whose query is looked at whole.

    A parameter that the route has not is an error and not a wish that was not heard, as a field of a body is; so is one
    that is there twice where it can be one thing only. OpenAI's clients may send what they like.
    """

    lenient = False

    def get_route_handler(self) -> Callable[[Request], Any]:
        handled, known = super().get_route_handler(), dict(_query(self.dependant))

        async def cleaned(request: Request) -> Response:
            if not self.lenient and (wrong := list(_wrong(request, known))):
                raise RequestValidationError(wrong)
            response: Response = await handled(CleanRequest(request.scope, request.receive))
            return response

        return cleaned


class CleanLenient(Clean):
    lenient = True


def _query(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """The parameters of a route's query, and whether each may be there more than once."""
    for each in dependant.query_params:
        kind = each.field_info.annotation
        yield each.alias, any(get_origin(one) is list for one in (kind, *get_args(kind)))
    for below in dependant.dependencies:
        yield from _query(below)


def _wrong(request: Request, known: Mapping[str, bool]) -> Iterator[dict[str, Any]]:
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        place = ("query", clean(name)[:60])
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            yield {"type": "extra_forbidden", "loc": place, "msg": f"there is no such parameter here; there is {there}"}
        elif times > 1 and not known[name]:
            yield {"type": "repeated", "loc": place, "msg": f"is there {times} times, and can be one thing only"}

"""The page, and how a browser is let in."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.staticfiles import StaticFiles

from anaphor.service.api import ERRORS
from anaphor.service.callers import COOKIE
from anaphor.service.cleaned import Clean
from anaphor.service.desk import TheCaller, TheDesk
from anaphor.service.schemas import Strict

PAGE = str(files("anaphor").joinpath("web"))

router = APIRouter(prefix="/api", responses=ERRORS, route_class=Clean, tags=["page"])


class ShownKey(Strict):
    key: str = Field(max_length=200, examples=["anaphor-…"])


@router.post("/login")
def login(desk: TheDesk, shown: ShownKey, request: Request, response: Response) -> dict[str, str]:
    """Show a key once; the browser gets a cookie that no script can read and no other site can send."""
    cookie, visit = desk.doorman.let_in(shown.key)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", secure=secure, path="/")
    return {"csrf": visit.csrf}


@router.post("/logout")
def logout(desk: TheDesk, caller: TheCaller, request: Request, response: Response) -> dict[str, bool]:
    assert caller
    desk.doorman.see_out(request)
    response.delete_cookie(COOKIE, path="/")
    return {"out": True}


@router.get("/me")
def me(desk: TheDesk, caller: TheCaller, request: Request) -> dict[str, Any]:
    """Who is asking, and what this service has: for the page."""
    return {
        "tenant": caller.scope.tenant,
        "user": caller.scope.user,
        "role": str(caller.role),
        "csrf": desk.doorman.csrf(request),
        "with_cookie": COOKIE in request.cookies,
        "writer": desk.assistant.conversation.writer.name if desk.assistant.conversation.writer else "",
        "embedder": desk.assistant.embedder,
        "backlog": desk.assistant.waiting,
        "budget": desk.assistant.settings.budget.total,
    }


def installed(app: FastAPI) -> None:
    """The page at the root, its parts beside it."""
    app.include_router(router)
    app.mount("/assets", StaticFiles(directory=PAGE), name="assets")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(f"{PAGE}/index.html", media_type="text/html; charset=utf-8")

"""The page, and how a browser is let in."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.staticfiles import StaticFiles

from anaphor.service import examples
from anaphor.service.callers import COOKIE, Caller
from anaphor.service.cleaned import Clean
from anaphor.service.described import ERRORS, shows
from anaphor.service.desk import Desk, TheCaller, TheDesk
from anaphor.service.schemas import Strict
from anaphor.service.statuses import OUTSIDE
from anaphor.stored import KeyRole

PAGE = str(files("anaphor").joinpath("web"))

router = APIRouter(prefix="/api", responses=ERRORS, route_class=Clean, tags=["page"])


class ShownKey(Strict):
    key: str = Field(max_length=200, examples=["anaphor-…"])


@router.post("/login", responses=shows({"csrf": examples.ME["csrf"]}))
def login(desk: TheDesk, shown: ShownKey, request: Request, response: Response) -> dict[str, str]:
    """Show a key once; the browser gets a cookie that no script can read and no other site can send."""
    cookie, visit = desk.doorman.let_in(shown.key)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", secure=secure, path="/")
    return {"csrf": visit.csrf}


@router.post("/logout", responses=shows({"out": True}))
def logout(desk: TheDesk, caller: TheCaller, request: Request, response: Response) -> dict[str, bool]:
    """The browser's cookie opens nothing from now on."""
    assert caller
    desk.doorman.see_out(request)
    response.delete_cookie(COOKIE, path="/")
    return {"out": True}


@router.get("/me", responses=shows(examples.ME))
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
        "embedding_failed": _failed(desk, caller),
        "budget": desk.assistant.settings.budget.total,
    }


def _failed(desk: Desk, caller: Caller) -> str:
    """Why embedding has stopped: in full, with the address of a server, for those who may mend it."""
    why = desk.assistant.embedding_failed
    return why if caller.role.holds(KeyRole.EDITOR) or not why else OUTSIDE["model_error"]


def installed(app: FastAPI) -> None:
    """The page at the root, its parts beside it."""
    app.include_router(router)
    app.mount("/assets", StaticFiles(directory=PAGE), name="assets")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(f"{PAGE}/index.html", media_type="text/html; charset=utf-8")

"""``/api``: sessions, turns, documents and search as they are, for our own page and for programs."""

from __future__ import annotations

from fastapi import APIRouter

from anaphor.service.api import documents, search, sessions, turns
from anaphor.service.described import ERRORS

__all__ = ["ERRORS", "router"]

router = APIRouter(prefix="/api", responses=ERRORS)
for part in (sessions, turns, documents, search):
    router.include_router(part.router)

"""Searching without a conversation, passages by id, and the small door."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

import anaphor
from anaphor.service import examples
from anaphor.service.callers import as_caller
from anaphor.service.cleaned import Clean
from anaphor.service.described import shows
from anaphor.service.desk import TheCaller, TheDesk
from anaphor.service.replies import Json, reply
from anaphor.service.schemas import Searched, Told
from anaphor.types import Passage

router = APIRouter(route_class=Clean)


def told(passage: Passage) -> Json:
    return {
        "passage_id": passage.passage_id,
        "text": passage.text,
        "source": passage.source,
        "class": str(passage.evidence_class),
        "title": passage.title,
        "section": passage.section,
        "start": passage.start,
        "end": passage.end,
        "language": passage.language,
        "date": passage.date,
        "seq": passage.seq,
    }


@router.post("/search", tags=["search"], responses=shows(examples.HITS))
def search(desk: TheDesk, caller: TheCaller, wanted: Searched) -> Response:
    """What the retrievers find for a query that needs no history."""
    ranking = as_caller(desk.assistant, caller).search(wanted.text, sources=wanted.sources, limit=wanted.limit)
    hits = [
        {**told(hit.passage), "rank": hit.rank, "score": hit.score, "ranks": dict(hit.ranks)}
        for hit in ranking.hits[: wanted.limit]
    ]
    return reply({"hits": hits, "failed": list(ranking.failed)})


@router.get("/passages", tags=["search"], responses=shows(examples.PASSAGES))
def read_passages(
    desk: TheDesk, caller: TheCaller, id: Annotated[list[str], Query(max_length=100, examples=[["b7d1a4:0:64"]])]
) -> Response:
    """Passages by id, as their sources are now; those that are gone, or somebody else's, are left out."""
    found = as_caller(desk.assistant, caller).read_passages(id)
    return reply({"passages": {key: told(passage) for key, passage in found.items()}})


@router.post("/reconstruct", tags=["reconstruct"], responses=shows(examples.STANDALONE))
def reconstruct(caller: TheCaller, wanted: Told) -> Response:
    """The small door: messages in, a standalone query out. Nothing is stored."""
    assert caller
    return reply(anaphor.reconstruct(wanted.messages, wanted.question, language=wanted.language).as_dict())

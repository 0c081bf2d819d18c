"""Every public call of the door with ids that are somebody else's, and with ids that are nobody's."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from anaphor.assistant import Assistant
from anaphor.errors import NotFound
from anaphor.persons_sessions import PersonsSessions
from anaphor.settings import read
from anaphor.stored import Exchange
from anaphor.types import Answer
from anaphor.wiring import build

SECRET = "鸚鵡箱"
WHO = {"owner": ("acme", "kai"), "colleague": ("acme", "kai2"), "rival": ("rival", "kai"), "nobody": ("", "")}

# Takes no id of anybody's, or only looks at what is the caller's own; looked at below.
OWN = {
    "ask",
    "search",
    "documents",
    "export",
    "list",
    "start",
    "watch",
    "ingest",
    "gone",
    "take_in",
    "waiting",
    "audit",
}
# No data of a person's in or out.
HARMLESS = {"close", "embed", "embed_again", "embed_in_background", "embedding_failed", "sections"}
# What is named comes from elsewhere, and has its own tests.
ELSEWHERE = {"memory", "sessions"}


def fields(kind: type) -> set[str]:
    return {field.name for field in dataclasses.fields(kind)}


def public(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")} - fields(kind)


def with_a_session(sessions: PersonsSessions, session: str) -> dict[str, Callable[[], Any]]:
    return {
        "find": lambda: sessions.find(session),
        "line": lambda: sessions.line(session),
        "running": lambda: sessions.running(session),
        "turns": lambda: sessions.turns(session),
        "read": lambda: sessions.read(session),
        "branch": lambda: sessions.branch(session, 1),
        "adopt": lambda: sessions.adopt(session, [Exchange("let me in")]),
        "judge": lambda: sessions.judge(session, 1, "up"),
        "archive": lambda: sessions.archive(session),
        "erase_turn": lambda: sessions.erase_turn(session, 1),
        "rename": lambda: sessions.rename(session, "mine now"),
        "delete": lambda: sessions.delete(session),
    }


def with_ids(assistant: Assistant, session: str, document: str) -> dict[str, Callable[[], Any]]:
    return {
        "trace": lambda: assistant.trace(session, 1),
        "document": lambda: assistant.document(document),
        "delete_document": lambda: assistant.delete_document(document),
    }


@pytest.fixture(params=["a file", "memory alone"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Assistant]]:
    store = str(tmp_path / "a.db") if request.param == "a file" else ":memory:"
    told: dict[str, Any] = {"store": store, "embedder": "none", "user": "kai", "tenant": "acme"}
    whole = build(read(told, environment={}, directory=tmp_path))

    def as_whom(who: str) -> Assistant:
        tenant, user = WHO[who]
        return dataclasses.replace(whole, scope=dataclasses.replace(whole.scope, tenant=tenant, user=user))

    yield as_whom
    whole.close()


@pytest.fixture
def answer(opened: Callable[[str], Assistant], tmp_path: Path) -> Answer:
    """Of the owner, who has said and stored something nobody else may see."""
    (tmp_path / "private.md").write_text(f"# 私人\n\n403 的密碼是{SECRET}。\n", encoding="utf-8")
    owner = opened("owner")
    owner.ingest(tmp_path / "private.md", private=True, base=tmp_path)
    return owner.ask(f"我住在{SECRET}。403 的密碼是什麼？", name="trip")


def test_no_public_call_is_forgotten() -> None:
    called = {*with_a_session(None, "x"), *with_ids(None, "x", "x"), "passages", "read_passages"}  # type: ignore[arg-type]
    every = public(Assistant) | public(PersonsSessions)
    forgotten = every - called - OWN - HARMLESS - ELSEWHERE
    assert not forgotten, f"say here what somebody else's ids come to: {forgotten}"


@pytest.mark.parametrize("who", [who for who in WHO if who != "owner"])
def test_nobody_elses_ids_open_anything(opened: Callable[[str], Assistant], answer: Answer, who: str) -> None:
    owner, other = opened("owner"), opened(who)
    (document,) = owner.documents()
    before = [*owner.export()]
    known = [answer.session_id, "trip"]
    guessed = ["0" * 32, answer.session_id[:-1], "%", "", "' OR 1=1 --", answer.session_id.upper() + " "]
    for session in [*known, *guessed]:
        for name, call in with_a_session(other.sessions, session).items():
            with pytest.raises(NotFound):
                print(name, session, call())
        with pytest.raises(NotFound):
            other.ask("let me in", session=session)
    for named in (document.document_id, document.source, "%", "*"):
        for call in with_ids(other, answer.session_id, named).values():
            with pytest.raises(NotFound):
                call()
    assert other.passages(answer) == []
    ids = [line.passage_id for line in answer.ranking]
    assert ids
    assert other.read_passages(ids) == {}
    assert owner.read_passages(ids).keys() <= set(ids)
    assert other.sessions.list() == []
    assert other.documents() == []
    assert SECRET not in str([*other.export()])
    assert {line.act for line in other.audit()} <= {"export", "read"}, "one's own doings alone"
    for sources in ("documents", "memory", "both"):
        assert other.search(f"403 {SECRET}", sources=sources).hits == ()
        said = other.ask("403 的密碼是什麼？我住在哪裡？", sources=sources)
        assert SECRET not in str(said.as_dict())
        other.sessions.delete(said.session_id)
    assert [*owner.export()] == before


def test_an_export_that_somebody_else_takes_in_is_a_copy(opened: Callable[[str], Assistant], answer: Answer) -> None:
    owner, other = opened("owner"), opened("colleague")
    other.take_in("".join(owner.export()), "kai.jsonl")
    assert other.sessions.find(answer.session_id).turns == 1
    other.sessions.delete(answer.session_id)
    for document in other.documents():
        other.delete_document(document.document_id)
    assert owner.sessions.find(answer.session_id).turns == 1
    assert len(owner.documents()) == 1
    assert owner.search(f"403 {SECRET}").hits

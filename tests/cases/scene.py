"""A fresh store with the documents of a case, its history said, and the message asked."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from anaphor.adapters.fake import Store
from anaphor.ingest.index import Destination, IngestReport, ingest
from anaphor.ingest.load import File
from anaphor.ports import ChatModel
from anaphor.steps.reconstruct import reconstruct
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation
from anaphor.types import Answer, Outcome, Question, Recollection, Scope, Turn

PERSON = Scope("local", "local")


@dataclass(frozen=True)
class Scene:
    """One person with one store; ``locale`` is the language of their interface."""

    locale: str | None = None
    rewriter: ChatModel | None = None
    store: Store = field(default_factory=Store)

    def documents(self, docs: Sequence[Mapping[str, str]]) -> IngestReport:
        return self.files({doc["id"]: doc["text"].encode() for doc in docs})

    def files(self, contents: Mapping[str, bytes]) -> IngestReport:
        items = [File(name, name, lambda content=content: content) for name, content in contents.items()]
        to = Destination(self.store.documents, PERSON)
        return ingest(items, to, count=estimate, clock=time.time)

    def names(self) -> dict[str, str]:
        """Document id → name in the case."""
        return {d.document_id: d.source for d in self.store.documents.list(PERSON)}

    def ask(self, message: str, history: Sequence[Mapping[str, str]] = ()) -> Answer:
        scope = PERSON.within(self.store.sessions.create(PERSON).session_id)
        self._say(scope, history)
        conversation = Conversation(
            self.store.turns,
            self.store.documents,
            (self.store.lexical,),
            estimate,
            self.store.memories,
            rewriter=self.rewriter,
        )
        return conversation.ask(scope, Question(message, "asked", locale=self.locale))

    def ranked(self, answer: Answer) -> list[str]:
        """The names of the documents in the final ranking, best first, each once."""
        passages = self.store.documents.passages(PERSON, [line.passage_id for line in answer.ranking])
        return list(dict.fromkeys(passages[line.passage_id].source for line in answer.ranking))

    def _say(self, scope: Scope, history: Sequence[Mapping[str, str]]) -> None:
        """The history as turns of the session, each understood the way it would have been when it was said."""
        said: list[Turn] = []
        for n, (question, answer) in enumerate(pairs(history)):
            asked = Question(question, f"said-{n}", locale=self.locale)
            query = reconstruct(asked, Recollection(tuple(said)))
            turn = self.store.turns.accept(scope, asked, lease=60)
            turn = replace(
                turn,
                outcome=Outcome.ANSWERED if answer else Outcome.FAILED,
                answer=answer,
                decision=query.decision,
                standalone=query.text,
                language=query.language,
            )
            self.store.turns.commit(scope, turn, {})
            said.append(turn)


def pairs(history: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    """What the person said with what was answered; an assistant that speaks first answers nothing."""
    found: list[list[str]] = []
    for message in history:
        if message["role"] == "user":
            found.append([message["content"], ""])
        elif found:
            found[-1][1] = message["content"]
    return [(question, answer) for question, answer in found]


def spelled_out(parts: Sequence[Mapping[str, Any]]) -> str:
    """A long input: ``{"text"}``, ``{"repeat", "times"}``, or ``{"generate", "times"}`` where ``{i}`` counts from 1."""
    return "".join(_part(part) for part in parts)


def _part(part: Mapping[str, Any]) -> str:
    times = int(part.get("times", part.get("n", part.get("count", 1))))
    if "repeat" in part:
        return str(part["repeat"]) * times
    if "generate" in part:
        return "".join(str(part["generate"]).replace("{i}", str(i)) for i in range(1, times + 1))
    return str(part["text"])


def message_of(given: Mapping[str, Any]) -> str:
    return spelled_out(given["message_parts"]) if "message_parts" in given else str(given["message"])


def locale_of(case: Mapping[str, Any]) -> str | None:
    return None if case.get("lang") in (None, "mixed") else str(case["lang"])

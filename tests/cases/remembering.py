"""Cases of long-term memory: what a person says over time, what is kept of it, and what a question then gets.

Every event and every question is a turn of a session of its own, so that nothing is answered from the window; turns are
read after each.
What a memory says is the clause its fact points at: two facts read out of one clause are one memory.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from anaphor.adapters import fake, sqlite
from anaphor.adapters.fake import FixedClock
from anaphor.errors import AnaphorError
from anaphor.facts import Fact, Statement, Status
from anaphor.memory.consolidate import Refreshed, consolidate, embedded
from anaphor.persons_memory import PersonsMemory
from anaphor.steps.commit import said
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation
from anaphor.types import Answer, Outcome, Question, Scope, Sources, Turn
from cases import checks

Case = Mapping[str, Any]
FROM_THE_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
LOST = (Status.SUPERSEDED, Status.RETIRED)


def check(case: Case, place: Path) -> None:
    given = case["input"]
    for n, variant in enumerate(given.get("variants", ["same process"])):
        scene = Told(given, place / f"{n}.db" if "second process" in variant else None)
        scene.tell()
        before = scene.memories()
        if "replay" in given:
            scene.tell(again=True)
        _check_kept(case, scene, before)
        if "steps" in given:
            _check_steps(case, scene, [scene.step(step) for step in given["steps"]])
        _check_answers(case, scene)
        scene.store.close()


class Told:
    """People, what they have said so far, and what is remembered of it."""

    def __init__(self, given: Case, file: Path | None) -> None:
        self.given, self.file = given, file
        self.zone: tzinfo = ZoneInfo(given["tz"]) if "tz" in given else _zone(given.get("events", []))
        self.clock = FixedClock(FROM_THE_BEGINNING)
        self.store = sqlite.Store(file, self.clock) if file else fake.Store(self.clock)
        self.consolidation: threading.Thread | None = None
        self.result: str = ""
        self.turns = 0

    def tell(self, again: bool = False) -> None:
        events = self.given.get("events", [])
        for event, reply in _with_replies(events):
            if not again:
                self.clock.now = _moment(event["t"])
            self.say(event["user"], event["text"], reply)
        for person in self.given.get("setup", []) if not again else ():
            for fact in person["facts"]:
                self.clock.now += 60
                self.say(person["user"], fact)

    def say(self, user: str, text: str, reply: str = "") -> None:
        scope = self.new_session(user)
        self.turns += 1
        if reply:
            turn = self.store.turns.accept(scope, Question(text, f"said-{self.turns}"), lease=60)
            ended = replace(turn, outcome=Outcome.ANSWERED, answer=reply, standalone=text)
            self.store.turns.commit(scope, ended, {}, said(scope, ended))
        else:
            self.conversation.ask(scope, Question(text, f"said-{self.turns}", sources=Sources.MEMORY))
        if self.consolidation is None:
            self.memory(user).refresh()

    def new_session(self, user: str) -> Scope:
        scope = Scope("local", user)
        return scope.within(self.store.sessions.create(scope).session_id)

    @property
    def conversation(self) -> Conversation:
        store = self.store
        return Conversation(store.turns, store.documents, (store.lexical,), estimate, store.memories)

    def memory(self, user: str) -> PersonsMemory:
        return PersonsMemory(self.store, Scope("local", user), self.clock, estimate, self.zone)

    @property
    def users(self) -> list[str]:
        told = [*self.given.get("events", []), *self.given.get("setup", [])]
        return list(dict.fromkeys(one["user"] for one in told))

    def facts(self, *statuses: Status) -> list[Fact]:
        return [fact for user in self.users for fact in self.memory(user).list(statuses or [Status.CURRENT])]

    def words(self, fact: Fact) -> str:
        user = next(u for u in self.users if fact in self.memory(u).list(list(Status)))
        return self.memory(user).sayings(fact.fact_id)[0].text

    def memories(self, *statuses: Status) -> list[str]:
        """Each once: the words, and what was read out of them."""
        found: dict[tuple[str, str, int], list[str]] = {}
        for fact in self.facts(*statuses):
            clause = found.setdefault((fact.session_id, fact.turn_id, fact.statement.start), [self.words(fact)])
            clause.append(fact.statement.value)
        return [" | ".join(parts) for parts in found.values()]

    def ask(self, query: Case, scope: Scope, n: int) -> Answer:
        last = self.given.get("now") or (self.given["events"][-1]["t"] if self.given.get("events") else None)
        if moment := query.get("now") or last:
            self.clock.now = max(self.clock.now if "now" not in query else 0.0, _moment(moment)) + 60
        return self.conversation.ask(scope, Question(query["q"], f"asked-{n}", sources=Sources.MEMORY))

    def step(self, step: Case) -> list[str]:
        """One operation; what it shows."""
        user = step.get("user", step.get("as", ""))
        match step["op"]:
            case "search":
                return self._search(user, step)
            case "start_consolidation":
                self._start_consolidation(user, step["fake_llm_delay_ms"] / 1000)
            case "sleep_ms":
                time.sleep(step["ms"] / 1000)
            case "add":
                self.say(user, step["fact"])
            case "delete_matching":
                self._delete(user, step["text"])
            case "wait_consolidation":
                assert self.consolidation is not None
                self.consolidation.join(60)
                self.consolidation = None
                self.memory(user).refresh()
            case "list_memories":
                return self.memories()
            case other:
                raise AssertionError(f"this runner knows no operation {other!r}")
        return []

    def _search(self, user: str, step: Case) -> list[str]:
        scope = Scope("local", user)
        filters = {name: str(value) for name, value in step.get("client_filters", {}).items()}
        try:
            facts = self.store.memories.relevant(scope, {step["q"]: 1.0}, 50)
            asked = Question(step["q"], "search", sources=Sources.MEMORY, filters=filters)
            answer = self.conversation.ask(self.new_session(user), asked)
        except AnaphorError:
            return []
        return [*(fact.statement.value for fact in facts), answer.answer]

    def _delete(self, user: str, text: str) -> None:
        memory = self.memory(user)
        for fact in memory.list(list(Status)):
            if text in self.words(fact) or text in fact.statement.value:
                memory.delete(fact.fact_id)

    def _start_consolidation(self, user: str, delay: float) -> None:
        """Everything is read again, by a model that takes its time, here or in another process."""
        scope = Scope("local", user)
        self.store.memories.begin_anew(scope)
        work = self._in_another_process if self.file else self._here
        self.consolidation = threading.Thread(target=work, args=(scope, delay))
        self.consolidation.start()

    def _here(self, scope: Scope, delay: float) -> None:
        self.result = result_of(slowly(self.store, scope, delay))

    def _in_another_process(self, scope: Scope, delay: float) -> None:
        script = (
            "import sys\nfrom anaphor.adapters import sqlite\nfrom anaphor.types import Scope\n"
            "from cases.remembering import result_of, slowly\n"
            "path, user, delay = sys.argv[1:]\n"
            "print(result_of(slowly(sqlite.Store(path), Scope('local', user), float(delay))))\n"
        )
        command = [sys.executable, "-c", script, str(self.file), scope.user, str(delay)]
        done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        self.result = done.stdout.strip()


def slowly(store: Any, scope: Scope, delay: float) -> Refreshed:
    read = embedded(UTC)

    def think(turns: Sequence[Turn], before: Mapping[str, str]) -> Mapping[str, Sequence[Statement]]:
        found = read(turns, before)
        time.sleep(delay)
        return found

    return consolidate(store.turns, store.memories, scope, think, time.time)


def result_of(done: Refreshed) -> str:
    return "skipped_stale" if done.skipped else "retried" if done.retried else "merged"


def _check_kept(case: Case, scene: Told, before: Sequence[str]) -> None:
    expect, now = case["expect"], scene.memories()
    said = [event["text"] for event in case["input"].get("events", [])]
    known = {
        "current_count": lambda n: checks.exactly("how many", [str(n)], {str(len(now))}, now),
        "current_count_max": lambda n: _at_most(n, now),
        "exact_duplicate_count": lambda n: _alike_at_most(n, scene),
        "count_after_replay_equals_count_before": lambda _: _as_many(before, now),
        "retired_count": lambda n: _as_many([""] * n, scene.memories(*LOST)),
        "history_kept": lambda _: _kept(scene),
        "memories_none_of": lambda banned: checks.none_of("memories", banned, now),
        "memories_none_of_regex": lambda banned: checks.none_of_regex("memories", banned, now),
        "current_must_include": lambda wanted: checks.all_of("memories", wanted, now),
        "current_must_not_include_exact": lambda banned: _not_exactly(banned, scene),
        "stored_script": lambda wanted: _written_in(wanted, scene),
        "stored_text_in_one_of_the_said_forms": lambda _: _as_said(said, scene),
        "stored_text_none_of_unless_with_absolute_date": lambda words: _dated(words, scene),
    }
    later = {"answers", "memories_all_of", "consolidation_result_in", "every_step_none_of", "step_4"}
    late = "steps" in case["input"]
    for field, wanted in expect.items():
        if field in known and not late:
            known[field](wanted)
        elif not late and not field.startswith("context_for_query"):
            assert field in later, f"this runner cannot read {field}"


def _check_steps(case: Case, scene: Told, shown: Sequence[Sequence[str]]) -> None:
    expect, now = case["expect"], scene.memories()
    known = {
        "every_step_none_of": lambda banned: [checks.none_of("step", banned, texts) for texts in shown],
        "step_4": lambda _: checks.none_of("step 4", ["Bergen", "oboe"], shown[3]),
        "memories_all_of": lambda wanted: checks.all_of("memories", wanted, now),
        "memories_none_of": lambda banned: checks.none_of("memories", banned, now),
        "consolidation_result_in": lambda wanted: checks.including("consolidation", [scene.result], wanted, now),
    }
    checks.apply(known, expect, "expect")


def _check_answers(case: Case, scene: Told) -> None:
    queries, expect = case["input"].get("queries", []), case["expect"]
    for n, (query, wanted) in enumerate(zip(queries, expect.get("answers", []), strict=bool(expect.get("answers")))):
        if "as_of" in query:
            _check_visible(scene, query, wanted)
            continue
        answer = scene.ask(query, scene.new_session(scene.users[0]), n)
        allowed = wanted.get("allow_regex", [])
        rest = {field: value for field, value in wanted.items() if field != "allow_regex"}
        if any(re.search(pattern, answer.answer) for pattern in allowed):
            rest.pop("none_of_regex", None)
        checks.check_answer(answer.answer, (), rest)
        for field, banned in expect.items():
            if field == f"context_for_query_{n + 1}_must_not_contain_as_current":
                checks.none_of("current", banned, scene.memories(Status.CURRENT))


def _check_visible(scene: Told, query: Case, wanted: Case) -> None:
    """What had been said by the end of a day, in the person's zone."""
    now = datetime.fromtimestamp(_moment(scene.given["now"]), scene.zone).date()
    last = now - timedelta(1) if query["as_of"] == "yesterday" else date.fromisoformat(query["as_of"])
    told = "\n".join(turn.question for _, turn in scene.memory(scene.users[0]).said(last=last))
    named = [word for word in ("alpha", "beta", "gamma", "delta") if word in told]
    checks.exactly("visible", wanted["memory_ids_visible"], set(named), told)


def _at_most(most: int, memories: Sequence[str]) -> None:
    assert len(memories) <= most, f"at most {most}: {list(memories)}"


def _as_many(wanted: Sequence[str], memories: Sequence[str]) -> None:
    assert len(memories) == len(wanted), f"{len(wanted)} expected: {list(memories)}"


def _alike_at_most(most: int, scene: Told) -> None:
    texts = [checks.folded(scene.words(fact).strip(" .")) for fact in scene.facts()]
    keys = [(text, fact.statement.value) for text, fact in zip(texts, scene.facts(), strict=True)]
    assert all(keys.count(key) <= most for key in keys), keys


def _kept(scene: Told) -> None:
    assert scene.memories(*LOST), "nothing is kept of what was so before"


def _not_exactly(banned: Sequence[str], scene: Told) -> None:
    for fact in scene.facts():
        assert fact.statement.value not in banned, f"{fact.statement.value!r} is current"


def _written_in(wanted: str, scene: Told) -> None:
    for fact in scene.facts(*Status):
        checks.written_in("memory", wanted, scene.words(fact))


def _as_said(said: Sequence[str], scene: Told) -> None:
    for fact in scene.facts(*Status):
        assert any(scene.words(fact) in text and fact.statement.value in text for text in said), fact


def _dated(words: Sequence[str], scene: Told) -> None:
    for fact in scene.facts():
        if any(word in scene.words(fact) for word in words):
            assert fact.statement.valid_from, f"{scene.words(fact)!r} has no day"


def _with_replies(events: Sequence[Case]) -> list[tuple[Case, str]]:
    """What a person says, each with what the assistant said right after it."""
    found: list[tuple[Case, str]] = []
    for event in events:
        if event["role"] == "user":
            found.append((event, ""))
        elif found:
            found[-1] = (found[-1][0], event["text"])
    return found


def _moment(told: str) -> float:
    return datetime.fromisoformat(told).timestamp()


def _zone(events: Sequence[Case]) -> tzinfo:
    return datetime.fromisoformat(events[0]["t"]).tzinfo or UTC if events else UTC

"""Several people of several tenants do what they like, in any order; each sees what is theirs, and nothing else.

A model says what each may see. After every operation somebody looks at everything they can look at, and tries every
call with ids that are somebody else's (which they know) and with ids that are nobody's (which they guessed).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from anaphor.errors import NotFound
from anaphor.steps.adopt import adopt
from anaphor.stored import Exchange, Opinion
from anaphor.types import Scope, Sources
from contracts.scenes import AnyStore, accept, answered, found, put, query, remembered, say

PEOPLE = [
    Scope("acme", "kai"),
    Scope("acme", "kai2"),
    Scope("acme", "KAI"),
    Scope("acme", "kai%"),
    Scope("rival", "kai"),
    Scope("", "kai"),
    Scope("acme", "", collections=frozenset({"default", "extra"})),
]
LOOKS = 4  # of every so many operations, one is followed by somebody looking at everything


@dataclass
class Model:
    """What is stored: session id → whose and what was said; document → who may read it."""

    sessions: dict[str, tuple[Scope, list[str]]] = field(default_factory=dict)
    documents: dict[tuple[str, str, str, str], str] = field(default_factory=dict)  # tenant, owner, collection, source

    def of(self, person: Scope) -> dict[str, list[str]]:
        return {key: said for key, (whose, said) in self.sessions.items() if whose == person}

    def readable(self, person: Scope) -> list[str]:
        return sorted(
            source
            for (tenant, owner, collection, source) in self.documents
            if tenant == person.tenant and owner in ("", person.user) and collection in person.collections
        )


class Play:
    def __init__(self, store: AnyStore, seed: int) -> None:
        self.store, self.model, self.chance, self.n = store, Model(), random.Random(seed), 0
        self.gone: list[str] = []

    def step(self) -> None:
        self.n += 1
        person = self.chance.choice(PEOPLE)
        act = self.chance.choices(
            [self.start, self.talk, self.document, self.branch, self.adopt, self.drop, self.drop_document, self.erase],
            [10, 40, 12, 4, 4, 3, 3, 0.4],
        )[0]
        act(person)
        if self.n % LOOKS == 0:
            self.look(self.chance.choice(PEOPLE))

    def one(self, person: Scope) -> Scope | None:
        own = sorted(self.model.of(person))
        return person.within(self.chance.choice(own)) if own else None

    def start(self, person: Scope) -> None:
        made = self.store.sessions.create(person, f"name {self.n}")
        self.model.sessions[made.session_id] = (person, [])

    def talk(self, person: Scope) -> None:
        if mine := self.one(person):
            text = f"I live in word{self.n}x."
            say(self.store, mine, text, f"t{self.n}", f"to {text}")
            self.model.sessions[mine.session][1].append(text)

    def adopt(self, person: Scope) -> None:
        if mine := self.one(person):
            adopt(self.store.turns, mine, [Exchange(f"I live in word{self.n}x.", turn_id=f"a{self.n}")])
            self.model.sessions[mine.session][1].append(f"I live in word{self.n}x.")

    def branch(self, person: Scope) -> None:
        mine = self.one(person)
        said = self.model.sessions[mine.session][1] if mine else []
        if mine and said:
            after = self.chance.randint(1, len(said))
            made = self.store.sessions.branch(mine, after)
            self.model.sessions[made.session_id] = (person, said[:after])

    def document(self, person: Scope) -> None:
        owner = self.chance.choice(["", person.user])
        collection = self.chance.choice(sorted(person.collections))
        source = f"{self.chance.randint(1, 8)}.md"
        put(
            self.store,
            person,
            source,
            f"population word{self.n}d",
            version=str(self.n),
            owner=owner,
            collection=collection,
        )
        self.model.documents[person.tenant, owner, collection, source] = f"word{self.n}d"

    def drop(self, person: Scope) -> None:
        if mine := self.one(person):
            self.store.sessions.delete(mine)
            del self.model.sessions[mine.session]
            self.gone.append(mine.session)

    def drop_document(self, person: Scope) -> None:
        if sources := self.model.readable(person):
            source = self.chance.choice(sources)
            self.store.documents.delete(person, source)
            for key in list(self.model.documents):
                tenant, owner, collection, name = key
                mine = tenant == person.tenant and owner in ("", person.user) and collection in person.collections
                if mine and name == source:
                    del self.model.documents[key]

    def erase(self, person: Scope) -> None:
        self.store.erasure.user(person)
        self.gone += self.model.of(person)
        self.model.sessions = {key: one for key, one in self.model.sessions.items() if one[0] != person}
        self.model.documents = {
            key: word
            for key, word in self.model.documents.items()
            if (key[0], key[1]) != (person.tenant, person.user) or key[1] == ""
        }

    def look(self, person: Scope) -> None:
        store, model = self.store, self.model
        own = model.of(person)
        assert sorted(one.session_id for one in store.sessions.list(person)) == sorted(own)
        assert sorted(d.source for d in store.documents.list(person)) == model.readable(person)
        for key, said in list(own.items())[:3]:
            assert [turn.question for turn in store.turns.recent(person.within(key), 1000)] == said
        everything = {text for said in own.values() for text in said}
        hits = store.lexical.search(person, query("I live in"), sources=Sources.MEMORY, limit=10_000)
        assert {hit.passage.text for hit in hits} <= everything
        assert sorted(set(found(store, person, "population", limit=10_000))) == sorted(set(model.readable(person)))
        self.look_at_others_documents(person)
        foreign = [key for key, (whose, _) in model.sessions.items() if whose != person]
        guessed = [*self.gone[-2:], "0" * 32, "", "%", "' OR 1=1 --"]
        known = self.chance.sample(foreign, min(2, len(foreign)))
        for key in [*known, *guessed]:
            self.refused(person.within(key))
        for key in known:
            word = next(iter(model.sessions[key][1][-1:]), "")
            assert not word or word in everything or word not in remembered(store, person, word, Sources.BOTH)

    def look_at_others_documents(self, person: Scope) -> None:
        """By the ids of their documents and passages."""
        readable = self.model.readable(person)
        for (tenant, owner, collection, source), word in list(self.model.documents.items())[-6:]:
            passage_id = f"doc:{source}:{word[4:-1]}:0"
            mine = tenant == person.tenant and owner in ("", person.user) and collection in person.collections
            assert set(self.store.documents.passages(person, [passage_id])) == ({passage_id} if mine else set())
            if not mine and source not in readable:
                for call in (self.store.documents.get, self.store.documents.delete, self.store.erasure.document):
                    for name in (source, f"doc:{source}"):
                        with pytest.raises(NotFound):
                            call(person, name)
                assert self.store.documents.delete_all(person, [f"doc:{source}"]) == 0

    def refused(self, scope: Scope) -> None:
        """Every call with a session that is not this person's."""
        store = self.store
        assert store.turns.recent(scope, 10) == []
        calls: list[Callable[[], Any]] = [
            lambda: store.sessions.find(scope, scope.session),
            lambda: store.sessions.rename(scope, "mine now"),
            lambda: store.sessions.branch(scope, 1),
            lambda: store.sessions.archive(scope),
            lambda: store.sessions.delete(scope),
            lambda: store.turns.get(scope, "1"),
            lambda: store.turns.trace(scope, "1"),
            lambda: accept(store, scope, "let me in", "x"),
            lambda: adopt(store.turns, scope, [Exchange("let me in")]),
            lambda: store.erasure.turn(scope, "1"),
            lambda: store.erasure.session(scope),
            lambda: store.portable.turn_ids(scope),
            lambda: store.opinions.put(scope, "1", Opinion("up")),
            lambda: store.opinions.get(scope, "1"),
        ]
        for call in calls:
            with pytest.raises(NotFound):
                call()


@pytest.mark.parametrize("operations", [pytest.param(120), pytest.param(20_000, marks=pytest.mark.soak)], ids=str)
def test_everybody_sees_what_is_theirs_and_nothing_else(store: AnyStore, operations: int) -> None:
    play = Play(store, 20_731)
    for _ in range(operations):
        play.step()
    for person in PEOPLE:
        play.look(person)
    assert store.check() == []


def test_the_person_without_a_name_does_not_own_what_is_everybodys(store: AnyStore) -> None:
    nobody = Scope("acme", "")
    put(store, PEOPLE[0], "shared.md", "population of Taichung")
    say(store, nobody.within(store.sessions.create(nobody).session_id), "I live in Oslo.", "t1")
    assert store.erasure.user(nobody).sessions == 1
    assert remembered(store, nobody, "Oslo") == []
    assert [told.source for told in store.documents.list(PEOPLE[0])] == ["shared.md"]


def test_an_export_of_somebody_elses_is_brought_to_oneself_alone(store: AnyStore) -> None:
    mine, theirs = PEOPLE[0], PEOPLE[1]
    one = store.sessions.create(mine).session_id
    say(store, mine.within(one), "I live in Oslo.", "t1")
    (log,) = store.portable.logs(mine)
    assert list(store.portable.logs(theirs)) == []
    assert store.portable.put(theirs, log).turns == 1
    say(store, theirs.within(one), "I live in Bergen.", "t2")
    assert [turn.turn_id for turn in store.turns.recent(mine.within(one), 9)] == ["t1"]
    assert remembered(store, mine, "Bergen") == []


def test_a_commit_with_somebody_elses_session_is_refused(store: AnyStore) -> None:
    mine, theirs = PEOPLE[0], PEOPLE[1]
    one = store.sessions.create(mine).session_id
    turn = accept(store, mine.within(one), "mine", "t1")
    with pytest.raises(NotFound):
        store.turns.commit(theirs.within(one), answered(turn), {})

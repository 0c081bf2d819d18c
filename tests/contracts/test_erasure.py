"""Erasing reaches what was made from what is erased, and nothing else; who did what is noted without a name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import AnaphorError, UnknownDocument, UnknownSession, UnknownTurn
from anaphor.stored import Opinion
from anaphor.text.erased import stands_for
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation
from anaphor.types import Answer, Claim, Outcome, Question, Scope, Sources, Support
from contracts.scenes import MEI, RIVAL, TOM, AnyStore, accept, answered, found, put, remembered, say, session

# Document, question, follow-up, a word of the document that stands in the answer; language.
QUOTED = [
    ("白鷺方案每月收費三百元。", "白鷺方案每月收費多少？", "那它每月收多少？", "三百元", "zh-Hant"),
    ("青鸟套餐每月收费三百元。", "青鸟套餐每月收费多少？", "那它每月收多少？", "三百元", "zh-Hans"),
    ("シラサギプランの料金は月額300円です。", "シラサギプランの料金は？", "それはいくらですか？", "300円", "ja"),
    ("The Kestrel plan costs 300 dollars.", "What does the Kestrel plan cost?", "And what does it cost?", "300", "en"),
]


def ask(store: AnyStore, scope: Scope, text: str, turn_id: str, sources: Sources = Sources.DOCUMENTS) -> Answer:
    conversation = Conversation(store.turns, store.documents, (store.lexical,), estimate, store.memories)
    return conversation.ask(scope, Question(text, turn_id, sources=sources))


@pytest.mark.parametrize(("text", "first", "second", "word", "language"), QUOTED)
def test_an_answer_that_quotes_an_erased_document_loses_what_it_quoted(
    store: AnyStore, clock: FixedClock, text: str, first: str, second: str, word: str, language: str
) -> None:
    mine = session(store, MEI)
    put(store, MEI, "plan.md", text, language=language)
    put(store, MEI, "other.md", "Herons are birds. 鷺是鳥。")
    assert word in ask(store, mine, first, "t1").answer
    ask(store, mine, second, "t2")
    say(store, mine, "thanks", "t3", "not at all")
    erased = store.erasure.document(MEI, "plan.md")
    assert (erased.documents, erased.passages, erased.answers) == (1, 1, 2)
    gone = store.turns.get(mine, "t1")
    assert (gone.question, gone.answer, gone.claims) == (first, stands_for(gone.language), ())
    assert gone.erased_at == clock.now
    assert gone.carriable_answer == ""
    assert store.turns.get(mine, "t3").answer == "not at all"
    assert found(store, MEI, text) in ([], ["other.md"])
    again = ask(store, mine, first, "t1")
    assert all(citation.quote is None and citation.source == "" for citation in again.citations)
    assert word not in str(store.turns.trace(mine, "t1")) + str(store.turns.trace(mine, "t2"))


def test_what_a_later_question_carried_from_an_erased_answer_goes_too(store: AnyStore) -> None:
    mine = session(store, MEI)
    put(store, MEI, "a.md", "Taichung")
    trace = {"citations": [{"passage_id": "doc:a.md:1:0", "source": "a.md"}]}
    store.turns.commit(mine, answered(accept(store, mine, "Which city?", "t1"), "Taichung"), trace)
    for turn_id, carried, kept in (("t2", "Taichung", False), ("t3", "city", True)):
        turn = replace(answered(accept(store, mine, "And there?", turn_id)), standalone=f"And in {carried}?")
        query = {"query": {"text": "x", "carried": [{"text": carried, "seq": 1, "reason": "it", "weight": 1}]}}
        store.turns.commit(mine, turn, query)
        assert kept or store.turns.get(mine, turn_id).standalone
    store.erasure.document(MEI, "a.md")
    assert [store.turns.get(mine, turn_id).standalone for turn_id in ("t2", "t3")] == ["", "And in city?"]
    assert "Taichung" not in str(store.turns.trace(mine, "t2"))
    assert store.turns.trace(mine, "t3")["query"]["carried"][0]["text"] == "city"


def test_what_was_struck_out_of_an_answer_goes_with_the_document_it_was_shown(store: AnyStore) -> None:
    mine = session(store, MEI)
    put(store, MEI, "a.md", "Taichung")
    struck, kept = Claim("Taichung", (), Support.UNCITED), Claim("yes", (1,), Support.SUPPORTED)
    turn = replace(answered(accept(store, mine, "?1", "t1"), "yes"), claims=(struck, kept))
    store.turns.commit(mine, turn, {"ranking": [{"passage_id": "doc:a.md:1:0"}]})
    assert store.erasure.document(MEI, "a.md").answers == 0
    assert store.turns.get(mine, "t1").claims == (kept,)
    assert store.turns.get(mine, "t1").answer == "yes"


def test_an_answer_is_found_when_its_trace_is_long_gone_and_its_document_has_a_new_version(
    store: AnyStore, clock: FixedClock
) -> None:
    mine = session(store, MEI)
    put(store, MEI, "plan.md", QUOTED[0][0])
    ask(store, mine, QUOTED[0][1], "t1")
    clock.advance(31 * 86_400)
    assert store.lifetimes.end().traces == 1
    put(store, MEI, "plan.md", "別的內容", version="2")
    assert "三百元" in store.turns.get(mine, "t1").answer
    assert store.erasure.document(MEI, "plan.md").answers == 1
    assert "三百元" not in store.turns.get(mine, "t1").answer


def test_an_erased_turn_keeps_its_number_and_nothing_else(store: AnyStore) -> None:
    mine, other = session(store, MEI), session(store, MEI)
    for n, text in enumerate(("我住在台中。", "我養了一隻貓。", "我喜歡茶。"), 1):
        say(store, mine, text, f"t{n}")
    quoting = ask(store, other, "我養了什麼？", "q", Sources.MEMORY)
    assert "貓" in quoting.answer
    erased = store.erasure.turn(mine, "t2")
    assert (erased.turns, erased.passages, erased.answers) == (1, 1, 1)
    blank = store.turns.get(mine, "2")
    assert (blank.question, blank.answer, blank.standalone, blank.asked_at) == ("", "", "", 0)
    assert [turn.seq for turn in store.turns.recent(mine, 9)] == [1, 3]
    assert remembered(store, MEI, "貓") == []
    assert "貓" not in store.turns.get(other, "q").answer
    assert say(store, mine, "next", "t2").seq == 4, "its id is free again"
    with pytest.raises(UnknownTurn):
        store.erasure.turn(mine, "2")


def test_a_turn_is_erased_in_every_branch_that_shares_it(store: AnyStore) -> None:
    mine = session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    other = mine.within(store.sessions.branch(mine, 1).session_id)
    say(store, other, "我喜歡茶。", "t2")
    store.erasure.turn(other, "1")
    assert store.turns.get(mine, "1").question == store.turns.get(other, "1").question == ""


def test_a_person_is_erased_and_nobody_else(store: AnyStore) -> None:
    for scope in (MEI, TOM, RIVAL):
        say(store, session(store, scope, "trip"), f"I live in Taichung, {scope.tenant}.", "t1")
        put(store, scope, "private.md", f"secret of {scope.user}", owner=scope.user)
        put(store, scope, "shared.md", "population of Taichung")
    erased = store.erasure.user(MEI)
    assert (erased.sessions, erased.turns, erased.documents, erased.passages) == (1, 1, 1, 2)
    assert store.sessions.list(MEI) == []
    assert remembered(store, MEI, "Taichung") == []
    assert [d.source for d in store.documents.list(MEI)] == ["shared.md"]
    for scope in (TOM, RIVAL):
        assert len(store.sessions.list(scope)) == len(remembered(store, scope, "Taichung")) == 1
        assert [d.source for d in store.documents.list(scope)] == ["private.md", "shared.md"]
    assert store.erasure.user(MEI).sessions == 0, "of a person who is not there, there is nothing"


def test_a_tenant_is_erased_and_no_other(store: AnyStore) -> None:
    for scope in (MEI, TOM, RIVAL):
        say(store, session(store, scope), "I live in Taichung.", "t1")
        put(store, scope, f"{scope.user}.md", "population of Taichung")
    erased = store.erasure.tenant(TOM)
    assert (erased.sessions, erased.turns, erased.documents) == (2, 2, 2)
    assert store.sessions.list(MEI) == store.sessions.list(TOM) == store.documents.list(MEI) == []
    assert len(store.sessions.list(RIVAL)) == len(store.documents.list(RIVAL)) == 1


def test_several_documents_are_erased_together_and_unknown_ones_are_no_error(store: AnyStore) -> None:
    for name in ("a.md", "b.md", "c.md"):
        put(store, MEI, name, "population of Taichung")
    assert store.erasure.documents(MEI, ["doc:a.md", "doc:c.md", "doc:x.md"]).documents == 2
    assert store.erasure.documents(MEI, ["doc:x.md"]).documents == 0
    assert store.erasure.documents(RIVAL, ["doc:b.md"]).documents == 0
    assert found(store, MEI, "Taichung") == ["b.md"]


@pytest.mark.parametrize("stranger", [TOM, RIVAL])
def test_a_stranger_erases_nothing(store: AnyStore, stranger: Scope) -> None:
    mine = session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    put(store, MEI, "private.md", "secret", owner="mei")
    theirs = stranger.within(mine.session)
    for call, error in (
        (lambda: store.erasure.turn(theirs, "t1"), UnknownTurn | UnknownSession),
        (lambda: store.erasure.session(theirs), UnknownSession),
        (lambda: store.erasure.document(theirs, "private.md"), UnknownDocument),
    ):
        with pytest.raises(AnaphorError) as refused:
            call()
        assert isinstance(refused.value, error)
    store.erasure.user(theirs)
    assert len(store.turns.recent(mine, 5)) == len(store.documents.list(MEI)) == 1
    noted = {(line.act, line.kind) for line in store.audit.read(MEI)}
    assert noted == {("change", "document")}, "what was not done is not noted"


def test_what_is_done_is_noted_without_names_or_contents(store: AnyStore, clock: FixedClock) -> None:
    mine = session(store, MEI, "my secret trip")
    say(store, mine, "我住在台中。", "a secret id")
    put(store, MEI, "secret.md", "secret")
    store.erasure.turn(mine, "a secret id")
    clock.advance(1)
    store.erasure.document(MEI, "secret.md")
    store.sessions.delete(mine)
    store.audit.note(TOM, "read", "session", "abc", 3)
    *told, stored = store.audit.read(MEI)
    assert (stored.act, stored.kind, stored.n) == ("change", "document", 1)
    assert [(line.act, line.kind) for line in told] == [("erase", k) for k in ("session", "document", "turn")]
    assert (told[0].what, told[2].what) == (mine.session, f"{mine.session}/1")
    assert [line.at for line in told] == [clock.now, clock.now, clock.now - 1]
    assert len({line.person for line in store.audit.read(TOM, everyone=True)}) == 2
    assert store.audit.read(RIVAL, everyone=True) == []
    assert len(store.audit.read(MEI, limit=2)) == 2
    for secret in ("secret", "mei", "acme", "台中"):
        assert secret not in str(store.audit.read(MEI, everyone=True))


def test_what_is_changed_is_noted_with_it(store: AnyStore) -> None:
    mine = session(store, MEI, "a secret name")
    say(store, mine, "我住在台中。", "a secret id")
    store.sessions.rename(mine, "another secret")
    store.sessions.archive(mine)
    store.sessions.archive(mine, False)
    store.opinions.put(mine, "a secret id", Opinion("up", comment="secret"))
    put(store, MEI, "secret.md", "secret")
    put(store, MEI, "secret.md", "secret")  # nothing new
    store.audit.note(MEI, "read", "document", "doc:secret.md")
    told = [(line.act, line.kind, line.n) for line in store.audit.read(MEI)][::-1]
    session_line = ("change", "session", 1)
    assert told == [*[session_line] * 3, ("change", "turn", 1), ("change", "document", 1), ("read", "document", 1)]
    read, put_, judged, *_ = store.audit.read(MEI)
    assert read.what == put_.what
    assert judged.what == f"{mine.session}/1"
    assert "secret" not in str(store.audit.read(MEI))


def test_the_audit_outlives_the_person_and_ends_with_its_own_retention(store: AnyStore, clock: FixedClock) -> None:
    store.audit.note(MEI, "export", "user")
    store.erasure.user(MEI)
    assert [line.act for line in store.audit.read(MEI)] == ["erase", "export"]
    clock.advance(364 * 86_400)
    store.audit.note(MEI, "read", "session")
    assert store.audit.purge() == 0
    clock.advance(2 * 86_400)
    assert store.audit.purge() == 2
    assert [line.act for line in store.audit.read(MEI)] == ["read"]


def test_what_an_erasure_left_can_be_looked_for(store: AnyStore) -> None:
    mine = session(store, MEI)
    say(store, mine, "我住在台中市北屯區文心路四段的一棟公寓裡面，已經很多年了。", "t1")
    samples = store.erasure.samples(MEI)
    assert mine.session in samples
    assert sum(place.found for place in store.erasure.look(MEI, samples))
    assert store.erasure.user(MEI).wiped
    looked = store.erasure.look(MEI, samples)
    assert looked
    assert sum(place.found for place in looked) == 0


def test_a_turn_that_was_erased_while_it_ran_is_not_committed(store: AnyStore) -> None:
    mine = session(store, MEI)
    turn = accept(store, mine, "我住在台中。", "t1")
    store.erasure.turn(mine, "t1")
    with pytest.raises(UnknownTurn):
        store.turns.commit(mine, answered(turn), {})
    assert store.turns.get(mine, "1").outcome is Outcome.FAILED
    assert say(store, mine, "next", "t2").seq == 2


def test_another_process_can_see_whom_and_what_an_erasure_reached(store: AnyStore) -> None:
    for whose in (MEI, TOM, RIVAL):
        put(store, whose, "a.md", "the population of Taichung", owner=whose.user)
    before = store.erasure.newest()
    assert not store.erasure.reached(MEI, {"a.md"}, 0)
    store.erasure.document(MEI, "a.md")
    after = store.erasure.newest()
    assert after > before
    assert store.erasure.reached(MEI, {"b.md", "a.md"}, before)
    assert not store.erasure.reached(MEI, {"a.md"}, after)
    assert not store.erasure.reached(MEI, {"b.md"}, before)
    assert not store.erasure.reached(TOM, {"a.md"}, before), "his own document of that name is there"
    assert not store.erasure.reached(RIVAL, {"a.md"}, before)
    store.erasure.user(TOM)
    assert [store.erasure.reached(each, (), after) for each in (MEI, TOM, RIVAL)] == [False, True, False]
    last = store.erasure.newest()
    store.erasure.tenant(RIVAL)
    assert [store.erasure.reached(each, (), last) for each in (MEI, TOM, RIVAL)] == [False, False, True]

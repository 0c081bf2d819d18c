"""The same questions over a longer conversation."""

from __future__ import annotations

import pytest

from anaphor_eval.datasets.dates import iso
from anaphor_eval.datasets.lengthen import lengthened
from anaphor_eval.datasets.values import LongConversation, MemoryQuestion, Said, SaidSession
from anaphor_eval.tokens import count


def talk(name: str, *sessions: tuple[str, str, list[tuple[str, str]]], question: str = "", language: str = "en"):
    made = tuple(
        SaidSession(
            session,
            date,
            tuple(Said(f"{session}:{n}", role, text, date) for n, (role, text) in enumerate(turns, 1)),
        )
        for session, date, turns in sessions
    )
    asked = (MemoryQuestion("q", question, "", "single", (f"{sessions[0][0]}:1",)),) if question else ()
    return LongConversation(name, language, made, asked)


OWN = talk(
    "own",
    ("s1", "2026-01-05", [("Ada", "I moved to Lisbon."), ("Ben", "Nice.")]),
    ("s2", "2026-03-05", [("Ada", "It rains.")]),
    question="Where does Ada live since she met Zoe?",
)


def filler(name: str, date: str, text: str = "We painted the fence. " * 4, role: str = "user"):
    return talk(name, ("x1", date, [(role, text), ("assistant", "Good. " * 20)]))


def test_sessions_of_others_are_put_between_in_order_of_date_and_nothing_else_changes():
    grown, length = lengthened(OWN, [OWN, filler("f", "2026-02-01"), filler("g", "2025-12-31")], 80)
    assert [session.session_id for session in grown.sessions] == ["g/x1", "s1", "f/x1", "s2"]
    assert grown.questions == OWN.questions
    assert length == sum(count(turn.content) for turn in grown.turns) >= 80
    assert {turn.turn_id for turn in OWN.turns} <= {turn.turn_id for turn in grown.turns}


@pytest.mark.parametrize("text", ["Ada was here.", "I met Zoe.", "Zoe, Zoe!"])
def test_what_names_anybody_the_questions_are_about_is_left_out(text):
    grown, _ = lengthened(OWN, [filler("f", "2026-02-01", text)], 80)
    assert grown.sessions == OWN.sessions


def test_another_language_is_left_out_and_a_conversation_that_is_long_enough_stays():
    japanese = talk("j", ("x1", "2026-02-01", [("user", "柵を塗りました。" * 20)]), language="ja")
    assert lengthened(OWN, [japanese], 80)[0].sessions == OWN.sessions
    assert lengthened(OWN, [filler("f", "2026-02-01")], 5)[0].sessions == OWN.sessions


def test_it_grows_as_far_as_there_is_something_to_add():
    grown, length = lengthened(OWN, [filler("f", "2026-02-01")], 10_000)
    assert length == sum(count(turn.content) for turn in grown.turns) < 10_000


def test_an_assistants_replies_are_counted_and_not_indexed():
    grown, _ = lengthened(OWN, [filler("f", "2026-02-01")], 80)
    assert [turn.turn_id for turn in grown.indexed()] == ["s1:1", "s1:2", "f/x1:1", "s2:1"]
    assert len(grown.indexed("both")) == 5


def test_a_person_and_an_assistant_keep_the_persons_turns():
    own = talk("own", ("s1", "2026-01-05", [("user", "I moved."), ("assistant", "Nice.")]), question="Where?")
    grown, _ = lengthened(own, [filler("f", "2026-02-01")], 60)
    assert [turn.turn_id for turn in grown.indexed()] == ["s1:1", "f/x1:1"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09"),
        ("March-15-2024", "2024-03-15"),
        ("2024年04月01日 周一 08:30", "2024-04-01T08:30"),
        ("2024年04月01日", "2024-04-01"),
        ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21"),
        ("2026-03-03T21:12+08:00", "2026-03-03T21:12+08:00"),
        ("some day", ""),
        ("Smarch-15-2024", ""),
        ("", ""),
    ],
)
def test_dates_of_data_sets_are_read(written, told):
    assert iso(written) == told

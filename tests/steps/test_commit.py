"""What is kept of a turn, and how it is told again later."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from anaphor.steps.commit import LONGEST, commit, said, trace
from anaphor.steps.recount import recount
from anaphor.types import (
    Answer,
    Carried,
    Claim,
    Decision,
    Draft,
    Evidence,
    EvidenceClass,
    Hit,
    Outcome,
    Passage,
    Quote,
    Ranking,
    Scope,
    StandaloneQuery,
    Support,
    Turn,
    Usage,
    Verdict,
)

SCOPE = Scope("acme", "mei", "s1")
SOURCE = "前言。退款須於三十天內提出。後記。"
PASSAGE = Passage("p1", SOURCE[3:], "refund.md", document_id="d1", start=3, end=len(SOURCE))
QUERY = StandaloneQuery(
    "獵戶方案的退款期限",
    Decision.FOLLOW_UP,
    0.9,
    "zh-Hant",
    carried=(Carried("獵戶方案", 1, "zero subject"),),
    signals=("zero subject",),
    usage=Usage(1, 30, 5),
)
HELD = Claim("退款須於三十天內提出。", (1,), Support.SUPPORTED)
STRUCK = Claim("也可以用電話退款。", (1,), Support.UNSUPPORTED, reason="not in the cited sentence")


class Log:
    """Keeps what is committed."""

    def __init__(self) -> None:
        self.turn: Turn | None = None
        self.kept: dict[str, Any] = {}
        self.said: Sequence[Passage] = ()

    def commit(self, _scope, turn, trace, said=()):
        self.turn, self.kept, self.said = turn, json.loads(json.dumps(trace)), said

    def trace(self, _scope, _turn_id):
        return self.kept


class Shelf:
    def __init__(self, *passages: Passage) -> None:
        self.held = {p.passage_id: p for p in passages}

    def passages(self, _scope, ids):
        return {i: self.held[i] for i in ids if i in self.held}


def ended(log: Log, *claims: Claim, question: str = "期限多久?", outcome: Outcome = Outcome.PARTLY) -> Answer:
    running = Turn("t2", 2, question, Outcome.RUNNING)
    draft = Draft(claims, (Quote(1, 0, 11),), writer="scripted", usage=Usage(1, 200, 20))
    verdict = Verdict(claims, outcome, draft.quotes)
    ranking = Ranking((Hit(PASSAGE, 0.5, 1, {"bm25": 1}),))
    timings = {"remember": 0.1}
    return commit(log, SCOPE, running, QUERY, ranking, Evidence((PASSAGE,)), draft, verdict, timings, {})


def test_what_was_struck_out_is_kept_for_audit_and_shown_to_nobody():
    log = Log()
    answer = ended(log, HELD, STRUCK)
    assert answer.answer == "退款須於三十天內提出。[1]"
    assert log.turn is not None
    assert log.turn.claims == (HELD, STRUCK)
    assert "電話" not in log.turn.carriable_answer


def test_a_citation_points_at_the_words_in_the_source():
    citation = ended(Log(), HELD).citations[0]
    assert citation.quote == SOURCE[citation.start : citation.end] == "退款須於三十天內提出。"


def test_the_trace_holds_no_text_of_passages_and_no_answer():
    kept = json.dumps(trace(ended(Log(), HELD, STRUCK)), ensure_ascii=False)
    assert "三十天" not in kept
    assert "電話" not in kept


def test_a_turn_told_again_is_the_answer_that_was_given():
    log = Log()
    answer = ended(log, HELD, STRUCK)
    assert recount(log, Shelf(PASSAGE), SCOPE, log.turn).as_dict() == answer.as_dict()


@pytest.mark.parametrize(
    "shelf", [Shelf(), Shelf(replace(PASSAGE, text="退款須於十天內提出。後記。"))], ids=["erased", "changed since"]
)
def test_a_quote_whose_source_is_gone_is_null(shelf):
    log = Log()
    ended(log, HELD)
    assert [c.quote for c in recount(log, shelf, SCOPE, log.turn).citations] == [None]


def test_without_its_trace_a_turn_still_tells_what_the_log_holds():
    log = Log()
    ended(log, HELD)
    log.kept = {}
    told = recount(log, Shelf(), SCOPE, log.turn)
    assert (told.question, told.answer, told.query.text) == ("期限多久?", "退款須於三十天內提出。[1]", QUERY.text)


def test_usage_of_rewriting_and_answering_is_added_up():
    assert ended(Log(), HELD).usage == Usage(2, 230, 25)


@pytest.mark.parametrize(
    ("utterance", "remembered"),
    [
        ("我住在台中。附近有圖書館嗎?", ["我住在台中。"]),
        ("我住在台中市。附近有图书馆吗?", ["我住在台中市。"]),
        ("私は京都に住んでいます。近くに図書館はありますか?", ["私は京都に住んでいます。"]),
        ("I live in Leeds. Is there a library nearby?", ["I live in Leeds."]),
        ("What if I moved to Leeds?", []),
    ],
)
def test_only_what_a_person_asserts_can_be_recalled_later(utterance, remembered):
    log = Log()
    ended(log, HELD, question=utterance)
    assert [p.text for p in log.said] == remembered


@pytest.mark.parametrize(
    ("utterance", "remembered"),
    [
        ("我養了一隻貓。牠叫麻糬。要打什麼疫苗?我住台中。", ["我養了一隻貓。牠叫麻糬。", "我住台中。"]),
        ("我养了一只猫。它叫麻薯。要打什么疫苗?我住台中市。", ["我养了一只猫。它叫麻薯。", "我住台中市。"]),
        ("猫を飼っています。名前は麻糬です。何を打てばいい?", ["猫を飼っています。名前は麻糬です。"]),
        ("I have a cat. She is called Mochi. Which shots?", ["I have a cat. She is called Mochi."]),
    ],
)
def test_what_was_said_in_one_breath_is_one_passage(utterance, remembered):
    log = Log()
    ended(log, HELD, question=utterance)
    assert [p.text for p in log.said] == remembered
    assert all(utterance[p.start : p.end] == p.text for p in log.said)


def test_a_passage_of_what_was_said_has_an_end():
    turn = Turn("t1", 1, "I live in Leeds. " * 400, Outcome.ANSWERED)
    lengths = [len(p.text) for p in said(SCOPE, turn)]
    assert len(lengths) > 1
    assert max(lengths) <= LONGEST


def test_what_was_answered_can_be_recalled_where_that_is_wanted_as_the_assistants_words():
    turn = Turn("t1", 1, "I live in Leeds.", Outcome.ANSWERED, "Leeds is in Yorkshire.")
    own, both = said(SCOPE, turn), said(SCOPE, turn, "both")
    assert [p.text for p in own] == ["I live in Leeds."]
    assert [(p.text, p.evidence_class, p.passage_id) for p in both[1:]] == [
        ("Leeds is in Yorkshire.", EvidenceClass.ASSISTANT_STATEMENT, "s1:1:a0")
    ]
    declined = replace(turn, outcome=Outcome.DECLINED)
    assert [p.evidence_class for p in said(SCOPE, declined, "both")] == [EvidenceClass.USER_STATEMENT]


def test_what_was_said_carries_its_date_and_an_id_no_other_session_has():
    log = Log()
    ended(log, HELD, question="I live in Leeds.")
    assert [(p.passage_id, p.date, p.source, p.seq) for p in log.said] == [
        ("s1:2:0", "1970-01-01T00:00:00+00:00", "s1", 2)
    ]


def test_a_command_leaves_nothing_to_recall():
    log = Log()
    ended(log, question="I live in Leeds. Forget what I said.", outcome=Outcome.COMMAND)
    assert log.said == ()

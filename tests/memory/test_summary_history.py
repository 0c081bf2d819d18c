"""Summaries have versions: who wrote which, when and why; taken back, one is as it was, and what came later counts."""

from __future__ import annotations

import pytest

from anaphor.errors import BadInput
from anaphor.steps.remember import remember
from anaphor.text.tokens import estimate
from anaphor.types import Window
from memory.test_whole_conversations import MEI, Talk

SAID = {
    "en": ("I live in Leeds.", "My cat is called Miso.", "I play the cello.", "I work at a bakery.", "I drive a van."),
    "zh-Hant": ("我住在台南。", "我的貓叫米粒。", "我會拉大提琴。", "我在麵包店上班。", "我開一台貨車。"),
    "zh-Hans": ("我住在苏州。", "我的猫叫米粒。", "我会拉大提琴。", "我在面包店上班。", "我开一辆货车。"),
    "ja": (
        "京都に住んでいます。",
        "猫の名前は米です。",
        "チェロを弾きます。",
        "パン屋で働いています。",
        "車に乗っています。",
    ),
}


@pytest.mark.parametrize("language", SAID)
def test_a_summary_is_taken_back_to_one_of_its_versions(talk: Talk, language: str) -> None:
    session = talk.session()
    for text in SAID[language] + SAID[language][:1]:
        talk.say(text, session)
    versions = talk.memory.summary_history(session.session)
    assert [one.summary.version for one in versions] == list(range(1, len(versions) + 1))
    assert len(versions) > 1
    assert {one.by for one in versions} == {"memory"}
    assert [one.at for one in versions] == sorted(one.at for one in versions)
    first = versions[0].summary
    again = talk.memory.revert_summary(session.session, 1, "the shorter one")
    assert (again.text, again.to_seq, again.version) == (first.text, first.to_seq, len(versions) + 1)
    assert talk.memory.summary(session.session) == again
    last = talk.memory.summary_history(session.session)[-1]
    assert (last.by, last.why) == ("mei", "the shorter one")
    with pytest.raises(BadInput, match="has no version 99"):
        talk.memory.revert_summary(session.session, 99)
    talk.say(SAID[language][1], session)
    now = talk.memory.summary(session.session)
    assert now is not None
    assert now.to_seq > again.to_seq
    talk.store.erasure.turn(MEI.within(session.session), "t1")
    assert talk.memory.summary(session.session) is None
    assert not talk.memory.summary_history(session.session)


@pytest.mark.parametrize("language", SAID)
def test_a_turn_is_not_told_by_a_summary_what_was_rejected_since(talk: Talk, language: str) -> None:
    session = talk.session()
    for text in SAID[language]:
        talk.say(text, session)
    summary = talk.memory.summary(session.session)
    assert summary is not None
    first = talk.memory.list()[-1]
    assert SAID[language][0] in summary.text
    talk.memory.reject(first.fact_id)
    assert SAID[language][0] not in _told(talk, session.session)
    talk.memory.revert(first.fact_id, first.version)
    assert SAID[language][0] in _told(talk, session.session)


def _told(talk: Talk, session: str) -> str:
    """The summary as the next turn has it."""
    scope = MEI.within(session)
    return remember(talk.store.turns, talk.store.memories, scope, 99, Window(2, 400), estimate).summary

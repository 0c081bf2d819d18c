"""Facts are read once nobody waits for an answer, and in the end although somebody always does."""

from __future__ import annotations

import itertools

import pytest

from anaphor.service import reading
from anaphor.service.reading import CALM, LOOKS, STANDS_BACK, Reading


@pytest.fixture
def now(monkeypatch):
    """A clock that only sleeping moves."""
    told = [0.0]
    monkeypatch.setattr(reading.time, "monotonic", lambda: told[0])
    monkeypatch.setattr(reading.time, "sleep", lambda seconds: told.__setitem__(0, told[0] + seconds))
    return told


def stood_back(now, under_way):
    Reading(None, under_way)._stand_back()
    return now[0]


def test_it_begins_soon_when_nothing_is_asked(now):
    assert stood_back(now, lambda: 0) == pytest.approx(CALM, abs=2 * LOOKS)


def test_it_does_not_come_between_two_questions_of_one_talk(now):
    questions = itertools.cycle([1, 0, 0, 0])
    assert stood_back(now, lambda: next(questions)) == pytest.approx(STANDS_BACK, abs=2 * LOOKS)


def test_it_begins_when_the_last_answer_is_some_time_ago(now):
    assert stood_back(now, lambda: now[0] < 0.7) == pytest.approx(0.7 + CALM, abs=3 * LOOKS)

"""What a fact can be edited into, and what is refused in one line."""

import pytest

from anaphor.errors import BadInput
from anaphor.facts import Fact, Kind, Statement
from anaphor.memory.review import Decided, edited

MEI = Decided("mei", 2.0)
FACT = Fact("f1", Statement("user", Kind.PLACE, "花蓮", 0, 2), "s", "t1", 1, 1.0, turns=("t1",))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"valid_from": "notadate"}, "valid_from is a day"),
        ({"valid_from": "2026-13-45"}, "valid_from is a day"),
        ({"valid_from": "2026-05-01", "valid_to": "1999-01-01"}, "lies before"),
        ({"quantity": float("nan")}, "quantity is a number"),
        ({"quantity": float("inf")}, "quantity is a number"),
        ({"quantity": "三"}, "quantity is a number"),
        ({"state": "gone"}, "state is one of"),
        ({"value": "  "}, "value is a text"),
    ],
)
def test_what_cannot_be_so_is_refused(changes, told):
    with pytest.raises(BadInput, match=told):
        edited(FACT, changes, [], MEI)


@pytest.mark.parametrize("day", ["2026", "2026-05", "2026-05-01", ""])
def test_a_day_a_month_and_a_year_are_days(day):
    written = edited(FACT, {"valid_from": day, "value": "桃園"}, [], MEI)
    assert written[0].fact.statement.valid_from == day

"""What a new statement does to the facts that are there."""

import pytest

from anaphor.facts import Change, Kind, State, Statement, Status
from anaphor.memory.reconcile import reconcile


def said(value, kind=Kind.PLACE, relation="lives_in", about="user", **more):
    return Statement(about, kind, value, 0, len(value), relation=relation, **more)


class Kept:
    """Facts as a store would hold them."""

    def __init__(self):
        self.facts = {}
        self.turns = 0

    def take(self, statement, turn_id="", at=None):
        self.turns += 1
        turn_id = turn_id or f"t{self.turns}"
        where = ("s1", turn_id, self.turns, float(at if at is not None else self.turns))
        done = reconcile(statement, f"f{self.turns}", where, list(self.facts.values()))
        for fact in (*done.others, done.fact):
            self.facts[fact.fact_id] = fact
        return done

    def current(self):
        return [f.statement.value for f in self.facts.values() if f.status is Status.CURRENT]


@pytest.mark.parametrize(
    ("one", "again"),
    [
        ("墨团", "墨團"),
        ("杭州机房的服务器上", "杭州機房的伺服器上"),
        ("ＡＢＣ商事", "ABC商事"),
        ("the Grimsby fish market", "Grimsby Fish Market "),
    ],
)
def test_the_same_again_is_merged_whatever_the_script_width_or_region(one, again):
    kept = Kept()
    kept.take(said(one))
    done = kept.take(said(again))
    assert done.does == "merged"
    assert done.fact.statement.value == one
    assert done.fact.times == 2
    assert len(kept.facts) == 1


@pytest.mark.parametrize(("old", "new"), [("花蓮", "桃園"), ("长沙", "株洲"), ("出雲", "松江"), ("Leeds", "Hull")])
def test_a_newer_value_of_what_has_one_at_a_time_supersedes(old, new):
    kept = Kept()
    first = kept.take(said(old, single=True)).fact
    done = kept.take(said(new, single=True))
    assert done.does == "superseded"
    assert kept.current() == [new]
    assert kept.facts[first.fact_id].status is Status.SUPERSEDED
    assert kept.facts[first.fact_id].replaced_by == done.fact.fact_id


def test_an_older_value_that_arrives_late_does_not_supersede():
    kept = Kept()
    kept.take(said("Hull", single=True), at=10)
    done = kept.take(said("Leeds", single=True), at=5)
    assert done.fact.status is Status.SUPERSEDED
    assert kept.current() == ["Hull"]


def test_counts_and_changes_are_both_kept_in_order():
    kept = Kept()
    kept.take(said("37 coins", Kind.COUNT, "coin", quantity=37.0, single=True))
    done = kept.take(said("one more coin", Kind.COUNT, "coins", quantity=1.0, change=Change.ADD))
    assert done.does == "appended"
    assert kept.current() == ["37 coins", "one more coin"]
    kept.take(said("40 coins", Kind.COUNT, "coin", quantity=40.0, single=True))
    assert kept.current() == ["40 coins"]


def test_what_merely_mentions_a_thing_retires_nothing_about_it():
    kept = Kept()
    kept.take(said("the Heron repository", Kind.POSSESSION, "owns", about="Mika"))
    kept.take(said("Oslo", Kind.PLACE, "is_in", about="The Heron repository", single=True))
    done = kept.take(
        said(
            "Postgres",
            Kind.POSSESSION,
            "uses",
            about="The Heron repository",
            single=True,
            replaces="MySQL",
            changed=True,
        )
    )
    assert done.does == "added"
    assert done.others == ()
    assert len(kept.current()) == 3


def test_a_value_that_cannot_change_is_disputed_when_it_does():
    kept = Kept()
    kept.take(said("3 May", Kind.IDENTITY, "birthday", single=True, fixed=True))
    done = kept.take(said("5 May", Kind.IDENTITY, "birthday", single=True, fixed=True))
    assert done.does == "disputed"
    assert kept.current() == []
    assert {f.status for f in kept.facts.values()} == {Status.DISPUTED}
    assert "turn 1" in done.why


def test_a_contradiction_is_disputed_and_a_change_of_mind_is_not():
    kept = Kept()
    kept.take(said("烏龍茶", Kind.PREFERENCE, "likes"))
    assert kept.take(said("乌龙茶", Kind.PREFERENCE, "likes", negated=True)).does == "disputed"
    other = Kept()
    other.take(said("烏龍茶", Kind.PREFERENCE, "likes"))
    assert other.take(said("烏龍茶", Kind.PREFERENCE, "likes", negated=True, changed=True)).does == "superseded"


def test_what_is_cancelled_ends_the_plan():
    kept = Kept()
    kept.take(said("礼文島の旅行", Kind.PLAN, "", state=State.PLANNED))
    done = kept.take(said("礼文島の旅行", Kind.PLAN, "", state=State.CANCELLED))
    assert done.does == "superseded"
    assert [f.statement.state for f in kept.facts.values() if f.status is Status.CURRENT] == [State.CANCELLED]


def test_who_holds_a_role_is_the_value_of_the_role():
    kept = Kept()
    kept.take(said("thesis supervisor", Kind.RELATION, "thesis supervisor", about="Dr Abara", single=True))
    kept.take(said("dentist", Kind.RELATION, "dentist", about="Dr Wu", single=True))
    done = kept.take(said("thesis supervisor", Kind.RELATION, "thesis supervisor", about="Dr Lindqvist", single=True))
    assert done.does == "superseded"
    assert [f.statement.about for f in kept.facts.values() if f.status is Status.CURRENT] == ["Dr Wu", "Dr Lindqvist"]


def test_a_turn_that_is_read_again_changes_nothing_even_when_its_value_has_gone():
    kept = Kept()
    kept.take(said("Leeds", single=True), turn_id="a")
    kept.take(said("Hull", single=True), turn_id="b")
    before = dict(kept.facts)
    assert kept.take(said("Leeds", single=True), turn_id="a").does == "untouched"
    assert kept.facts == before


def test_what_reads_like_an_instruction_is_put_apart():
    kept = Kept()
    done = kept.take(said("an admin", Kind.IDENTITY, "", suspect="reads like an instruction to the assistant"))
    assert done.does == "quarantined"
    assert kept.current() == []

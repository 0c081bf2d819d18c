"""Whatever is said in whatever order: what reconciling never does."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from anaphor.facts import Change, Kind, State, Statement, Status
from anaphor.memory.reconcile import property_of, reconcile

SINGLE = {(Kind.PLACE, "lives_in"), (Kind.IDENTITY, "birthday"), (Kind.COUNT, "hens"), (Kind.RELATION, "dentist")}
PROPERTIES = [*SINGLE, (Kind.PREFERENCE, "likes"), (Kind.POSSESSION, "owns"), (Kind.PLAN, ""), (Kind.EVENT, "")]
VALUES = ["Hull", "hull ", "Leeds", "花蓮", "花莲", "桃園", "tea", "green tea", "松江"]


@st.composite
def statements(draw):
    kind, relation = draw(st.sampled_from(PROPERTIES))
    single = (kind, relation) in SINGLE
    change = draw(st.sampled_from(list(Change))) if kind is Kind.COUNT else Change.SET
    value = draw(st.sampled_from(VALUES))
    return Statement(
        about=draw(st.sampled_from(["user", "Oona", "妹妹"])),
        kind=kind,
        value=value,
        start=0,
        end=len(value),
        relation=relation,
        quantity=float(draw(st.integers(1, 3))) if kind is Kind.COUNT else None,
        change=change,
        state=draw(st.sampled_from(list(State))),
        applies_when=draw(st.sampled_from(["", "", "", "早上"])),
        negated=draw(st.booleans()) and kind is Kind.PREFERENCE,
        single=single and change is Change.SET,
        fixed=relation == "birthday",
        changed=draw(st.booleans()),
        replaces=draw(st.sampled_from(["", "", "Leeds", "花莲"])),
    )


said = st.lists(st.tuples(st.lists(statements(), min_size=1, max_size=3), st.integers(0, 9)), max_size=12)


def told(turns, facts=None, again=""):
    facts = dict(facts or {})
    does = Counter()
    for seq, (spoken, at) in enumerate(turns, 1):
        for n, statement in enumerate(spoken):
            where = ("s", f"t{seq}", seq, float(at))
            done = reconcile(statement, f"{again}{seq}-{n}", where, list(facts.values()))
            before = {fact_id: facts[fact_id] for fact_id in facts}
            for fact in (*done.others, done.fact):
                facts[fact.fact_id] = fact
            does[done.does] += 1
            untouched(before, facts, done)
    return facts, does


def untouched(before, after, done):
    """Only facts of the very same property, or tastes of the same person, may change."""
    mine = done.fact.statement
    for fact_id, fact in before.items():
        if after[fact_id] != fact:
            same_taste = fact.statement.kind is Kind.PREFERENCE is mine.kind and fact.statement.about == mine.about
            assert same_taste or property_of(fact.statement) == property_of(mine)
            assert after[fact_id].version == fact.version + 1
            assert after[fact_id].why


@settings(max_examples=300, deadline=None)
@given(said)
def test_what_has_one_value_at_a_time_never_has_two_that_are_current(turns):
    facts, _ = told(turns)
    current = Counter(
        (property_of(f.statement), f.statement.applies_when)
        for f in facts.values()
        if f.status is Status.CURRENT and f.statement.single and f.statement.state is State.CURRENT
    )
    assert all(n == 1 for n in current.values()), current


@settings(max_examples=300, deadline=None)
@given(said)
def test_reading_every_turn_twice_changes_nothing(turns):
    once, _ = told(turns)
    twice, does = told(turns, once, again="again-")
    assert twice == once
    assert set(does) <= {"untouched"}


@settings(max_examples=200, deadline=None)
@given(said)
def test_nothing_is_lost_and_every_decision_says_why(turns):
    facts, does = told(turns)
    made = sum(does.values()) - does["merged"] - does["untouched"]
    assert len(facts) == made
    for fact in facts.values():
        assert fact.turns
        if fact.status is Status.SUPERSEDED:
            assert fact.replaced_by in facts
        if fact.status is Status.DISPUTED:
            assert fact.against


def test_what_was_planned_and_has_come_takes_the_place_of_what_was_so():
    def dentist(value, state):
        return Statement("user", Kind.RELATION, value, 0, len(value), relation="dentist", state=state, single=True)

    turns = [([dentist("Leeds", State.CURRENT)], 1), ([dentist("Hull", State.PLANNED)], 2)]
    facts, _ = told([*turns, ([dentist("Hull", State.CURRENT)], 3)])
    assert [f.statement.value for f in facts.values() if f.status is Status.CURRENT] == ["Hull"]

"""``store.Store``: what a store says of itself as one thing."""

from contracts.scenes import MEI, RIVAL, put, say, session

COUNTED = ("documents", "passages", "sessions", "turns", "facts", "summaries", "unread_turns")


def test_a_store_tells_how_much_it_holds_of_everybody(store):
    told = store.describe()
    assert {name: told[name] for name in COUNTED} == dict.fromkeys(COUNTED, 0)
    assert (told["vectors"], told["pending_vectors"]) == (0, 0)
    put(store, MEI, "a.md", "東京の人口は何人ですか")
    for who, text in ((MEI, "我住在台中。"), (RIVAL, "I live in Leeds.")):
        say(store, session(store, who), text, "t1")
    told = store.describe()
    assert {name: told[name] for name in COUNTED} == {
        **dict.fromkeys(COUNTED, 0),
        "documents": 1,
        "passages": 3,
        "sessions": 2,
        "turns": 2,
        "unread_turns": 2,
    }
    assert told["pending_vectors"] == 3


def test_looking_whether_all_is_well_finds_nothing_wrong_with_what_was_just_written(store):
    put(store, MEI, "a.md", "台中市的人口有多少")
    before = [store.describe()[name] for name in COUNTED]
    assert list(store.check()) == []
    assert list(store.mend()) == []
    assert [store.describe()[name] for name in COUNTED] == before

from __future__ import annotations

from contracts.scenes import MEI, AnyStore, say, session


def test_before_anything_is_summarised_there_is_nothing(store: AnyStore) -> None:
    mine = session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    assert store.memories.summary(mine) == ""
    assert list(store.memories.facts(mine, 8)) == []

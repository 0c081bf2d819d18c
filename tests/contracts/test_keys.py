"""``store.Keys`` and ``store.Opinions``."""

import pytest

from anaphor.errors import BadInput, NotFound, UnknownKey, UnknownTurn
from anaphor.stored import ApiKey, KeyRole, Opinion
from anaphor.types import Question, Scope

MEI = Scope("acme", "mei")


def test_a_key_is_found_by_its_digest_and_by_nothing_else(store):
    assert not store.keys.exist()
    key = ApiKey("k1", "acme", "mei", KeyRole.EDITOR, 5.0, 9.0)
    store.keys.put(key, b"digest")
    assert store.keys.find(b"digest") == key
    assert store.keys.find(b"k1") is None
    assert store.keys.list() == [key]
    assert store.keys.exist()


def test_revoking_is_told_once_and_the_key_stays_known(store):
    store.keys.put(ApiKey("k1", "acme", "mei"), b"digest")
    assert store.keys.revoke("k1", 7.0).revoked_at == 7.0
    assert store.keys.revoke("k1", 8.0).revoked_at == 7.0
    assert store.keys.find(b"digest").revoked_at == 7.0
    with pytest.raises(UnknownKey, match="k2"):
        store.keys.revoke("k2", 1.0)


def test_a_key_may_be_for_some_collections(store):
    store.keys.put(ApiKey("k1", "acme", "mei", collections=("handbook", "日記", "handbook")), b"one")
    store.keys.put(ApiKey("k2", "acme", "mei"), b"two")
    assert store.keys.find(b"one").collections == ("handbook", "日記")
    assert [key.collections for key in store.keys.list()] == [("handbook", "日記"), ()]
    assert store.keys.revoke("k1", 1.0).collections == ("handbook", "日記")
    with pytest.raises(BadInput):
        store.keys.put(ApiKey("k3", "acme", "mei", collections=("a\nb",)), b"three")


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 201])
def test_a_key_is_for_somebody(store, name):
    with pytest.raises(BadInput):
        store.keys.put(ApiKey("k1", name, "mei"), b"digest")
    with pytest.raises(BadInput):
        store.keys.put(ApiKey("k1", "acme", name), b"digest")
    assert not store.keys.exist()


def test_erasing_a_person_takes_their_keys(store):
    for n, (tenant, user) in enumerate([("acme", "mei"), ("acme", "ken"), ("other", "mei")]):
        store.keys.put(ApiKey(f"k{n}", tenant, user), bytes([n]))
    store.erasure.user(MEI)
    assert [key.key_id for key in store.keys.list()] == ["k1", "k2"]
    store.erasure.tenant(MEI)
    assert [key.key_id for key in store.keys.list()] == ["k2"]


def turn_of(store):
    scope = MEI.within(store.sessions.create(MEI).session_id)
    return scope, store.turns.accept(scope, Question("What is kept?", "t1"), lease=60)


def test_an_opinion_is_one_a_turn_and_its_owners(store, clock):
    scope, _ = turn_of(store)
    assert store.opinions.get(scope, "t1") is None
    store.opinions.put(scope, "t1", Opinion("down", 2, "no"))
    store.opinions.put(scope, "1", Opinion("up", comment="better\ud800"))
    assert store.opinions.get(scope, "t1") == Opinion("up", 0, "better\ufffd", clock())
    for other in (Scope("acme", "ken", scope.session), Scope("other", "mei", scope.session), MEI.within("none")):
        with pytest.raises(NotFound):
            store.opinions.get(other, "t1")
        with pytest.raises(NotFound):
            store.opinions.put(other, "t1", Opinion("up"))


def test_an_opinion_goes_with_its_turn(store):
    scope, _ = turn_of(store)
    store.opinions.put(scope, "t1", Opinion("up", comment="papaya"))
    store.erasure.turn(scope, "t1")
    with pytest.raises(UnknownTurn):
        store.opinions.get(scope, "t1")

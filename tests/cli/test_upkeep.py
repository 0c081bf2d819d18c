"""Looking after a store on the command line."""

import json

import apsw


def test_a_store_is_verified_mended_copied_and_put_back(filled, place):
    filled("ask", "--new-session", "a", "403 是什麼意思？")
    assert "all is well: 1 sessions, 1 turns" in filled("verify").out
    assert filled("backup", "copy.db").status == 0
    assert filled("backup", "copy.db").status == 1
    connection = apsw.Connection("anaphor.db")
    connection.execute("UPDATE realms SET passages = 99")
    connection.close()
    done = filled("verify")
    assert (done.status, "anaphor rebuild mends it" in done.out) == (1, True)
    assert json.loads(filled("verify", "--json").out)["findings"][0]["mend"] == "anaphor rebuild"
    assert filled("rebuild").status == 0
    assert filled("verify").status == 0
    filled("sessions", "delete", "a", "--yes")
    assert filled("restore", "copy.db").status == 2, "nobody is there to ask"
    done = filled("restore", "copy.db", "--yes")
    assert (done.status, "1 erasures done again" in done.out) == (0, True)
    assert filled("sessions", "list", "--json").out.strip() == "[]"
    assert json.loads(filled("restore", "copy.db", "--yes", "--json").out) == {"restored": "copy.db", "erased_again": 1}


def test_a_copy_makes_a_store_where_there_is_none(filled, place):
    filled("backup", "copy.db")
    assert filled("restore", "copy.db", "--store", "new.db").status == 0
    assert len(json.loads(filled("documents", "list", "--store", "new.db", "--json").out)) == 4


def test_what_is_not_there_is_not_verified(anaphor, place):
    for command in (("verify",), ("rebuild",), ("backup", "x.db"), ("restore", "x.db")):
        assert anaphor(*command).status == 1
    assert list(place.iterdir()) == []

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest

from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store
from anaphor.adapters.sqlite.connection import Database, rows, value
from anaphor.adapters.sqlite.migrations import MIGRATIONS, applied, migrate
from anaphor.errors import NewerStore, UnreadableStore
from anaphor.types import Scope
from contracts.scenes import query

NEXT = len(MIGRATIONS) + 1


def next_add_a_table(connection: apsw.Connection) -> None:
    connection.execute("CREATE TABLE added (x)")
    connection.execute("ALTER TABLE sessions ADD COLUMN colour TEXT")


def next_break_off(connection: apsw.Connection) -> None:
    connection.execute("CREATE TABLE added (x)")
    raise RuntimeError("power cut")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Store(tmp_path / "a.db").close()
    return tmp_path / "a.db"


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    database = Database(path)
    with database.read() as connection:
        found = rows(connection, sql)
    database.close()
    return found


def test_a_new_store_is_at_the_newest_schema(path: Path) -> None:
    ((number, name, effects), *later) = ask(path, "SELECT number, name, effects FROM migrations ORDER BY number")
    assert (number, name) == (1, "m001_initial")
    assert [n for n, *_ in later] == list(range(2, len(MIGRATIONS) + 1))
    assert {"turns", "passages", "lexicon", "vectors"} <= set(json.loads(str(effects))["made"])


def test_opening_again_changes_nothing(path: Path) -> None:
    before = ask(path, "SELECT * FROM migrations")
    Store(path).close()
    assert ask(path, "SELECT * FROM migrations") == before


def test_a_step_is_recorded_with_what_it_did(path: Path) -> None:
    database = Database(path)
    assert migrate(database, 7.0, (*MIGRATIONS, next_add_a_table)) == NEXT
    database.close()
    ((name, at, effects),) = ask(path, f"SELECT name, applied_at, effects FROM migrations WHERE number = {NEXT}")
    assert (name, at) == ("next_add_a_table", 7.0)
    assert json.loads(str(effects)) == {"made": ["added"], "changed": ["sessions"], "dropped": []}


def test_a_step_that_breaks_off_leaves_nothing_and_runs_again(path: Path) -> None:
    database = Database(path)
    with pytest.raises(RuntimeError, match="power cut"):
        migrate(database, 7.0, (*MIGRATIONS, next_break_off))
    with database.read() as connection:
        assert applied(connection, path, NEXT) == len(MIGRATIONS)
        assert value(connection, "SELECT count(*) FROM sqlite_schema WHERE name = 'added'") == 0
    assert migrate(database, 7.0, (*MIGRATIONS, next_add_a_table)) == NEXT
    database.close()


def test_a_newer_store_is_refused_with_both_versions(path: Path) -> None:
    database = Database(path)
    migrate(database, 7.0, (*MIGRATIONS, next_add_a_table))
    with database.write() as connection:
        connection.execute(f"UPDATE migrations SET made_by = '9.9.9' WHERE number = {NEXT}")
    database.close()
    with pytest.raises(NewerStore) as refused:
        Store(path)
    message = str(refused.value)
    assert all(part in message for part in (f"schema {NEXT}", "9.9.9", f"schema {len(MIGRATIONS)}", str(path)))
    assert "\n" not in message


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE photos (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(UnreadableStore, match="not a store"):
        Store(path)
    assert [name for (name,) in _tables(path)] == ["photos"]
    assert path.read_bytes()[96:] == before[96:]  # but for the header's note of the journal mode


def _tables(path: Path) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    found = rows(connection, "SELECT name FROM sqlite_schema")
    connection.close()
    return found


def test_the_vectors_of_an_earlier_store_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(path)
    migrate(database, 1.0, MIGRATIONS[:1])
    with database.write() as connection:
        for statement in (
            "INSERT INTO realms VALUES (1, 'acme', 'documents', '', 'default', 2)",
            "INSERT INTO documents VALUES (1, 1, 'd', 'a.md', '1', '', 'und', 1.0, '人口')",
            *(
                f"INSERT INTO passages VALUES ({n}, 1, 1, NULL, 'p{n}', 'a.md', 'document', 'd', '', '', 0, 2, "
                "'und', NULL, NULL, '人口')"
                for n in (1, 2)
            ),
            "INSERT INTO vectors VALUES (7, 1, zeroblob(1024))",
            "INSERT INTO unembedded VALUES (2)",
            """INSERT INTO marks VALUES ('embedder', '{"name": "hash-256", "dimensions": 256}')""",
        ):
            connection.execute(statement)
    database.close()
    with Store(path) as store:
        told = store.describe()
        assert (told["embedder"], told["vectors"]) == ({"name": "hash-256", "dimensions": 256}, 1)
        assert told["pending_vectors"] == 1
        assert store.dense(HashEmbedder()).refresh() == 0
        assert len(store.dense(HashEmbedder()).search(Scope("acme", "mei"), query("人口"))) == 2

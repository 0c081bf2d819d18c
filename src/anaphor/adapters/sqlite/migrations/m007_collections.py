"""The collections that an API key opens, as a list in JSON; empty where it opens those of the settings."""

from __future__ import annotations

import apsw


def m007_collections(connection: apsw.Connection) -> None:
    connection.execute("ALTER TABLE api_keys ADD COLUMN collections TEXT NOT NULL DEFAULT '[]'")

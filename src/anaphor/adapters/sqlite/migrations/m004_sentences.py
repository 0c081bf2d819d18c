"""What was said waits for vectors of its sentences too."""

from __future__ import annotations

import apsw


def m004_sentences(connection: apsw.Connection) -> None:
    connection.execute(
        "INSERT INTO waiting (maker_key, kind, passage_key) "
        "SELECT maker_key, 'sentence', passage_key FROM makers, passages WHERE turn_key IS NOT NULL"
    )

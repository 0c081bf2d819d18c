"""What is expected to fail, by id, with the reason; strictly, so that a mended case is noticed and taken off here."""

from __future__ import annotations

FAILURES: dict[str, str] = {}

LATER: dict[str, str] = {}

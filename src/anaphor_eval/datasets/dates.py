"""Dates as data sets write them, in ISO 8601: the day, and the time of day where there is one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FORMS: Sequence[re.Pattern[str]] = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?P<h>\d{1,2}):(?P<min>\d\d) (?P<half>[ap]m) on (?P<d>\d{1,2}) (?P<m>[a-z]{3,9}),? (?P<y>\d{4})",  # LoCoMo
        r"(?P<m>[a-z]{3,9})-(?P<d>\d{1,2})-(?P<y>\d{4})",  # BEAM
        r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日(?:\D+(?P<h>\d{1,2}):(?P<min>\d\d))?",  # MemDaily
        r"(?P<y>\d{4})/(?P<m>\d\d?)/(?P<d>\d\d?)(?:\D+(?P<h>\d{1,2}):(?P<min>\d\d))?",  # LongMemEval
    )
)


def iso(written: str) -> str:
    """Empty for what is written in no form known here; what is ISO 8601 stays as it is."""
    try:
        datetime.fromisoformat(written)
    except ValueError:
        found = (_read(match) for form in _FORMS if (match := form.match(written.strip())))
        return next((told for told in found if told), "")
    return written


def _read(match: re.Match[str]) -> str:
    told = match.groupdict()
    month = told["m"].lower()[:3]
    number = int(month) if month.isdecimal() else _MONTHS.index(month) + 1 if month in _MONTHS else 0
    hour = int(told.get("h") or 0)
    if half := told.get("half"):
        hour = hour % 12 + 12 * (half.lower() == "pm")
    try:
        at = datetime(int(told["y"]), number, int(told["d"]), hour, int(told.get("min") or 0))
    except ValueError:
        return ""
    return at.isoformat(timespec="minutes") if told.get("h") else at.date().isoformat()

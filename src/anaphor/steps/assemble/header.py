"""What stands above a passage when a model is shown it; part of its price.

Of a document: title, section and date. Of what was said: when, on which day of the week, where in the conversation, and
by whom unless the text itself begins with that: 「2026/05/22 週五 22:45，第 626 則，你」. In the passage's language;
the time is the one of the zone it was written down in.
"""

from __future__ import annotations

from datetime import datetime

from anaphor.steps.beside import SAID, speaker
from anaphor.types import EvidenceClass, Passage

_WEEKDAYS = {
    "zh-Hant": ("週一", "週二", "週三", "週四", "週五", "週六", "週日"),
    "zh-Hans": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    "ja": ("月", "火", "水", "木", "金", "土", "日"),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
_DAY = {"zh-Hant": "{0} {1}", "zh-Hans": "{0} {1}", "ja": "{0}({1})", "en": "{1} {0}"}
_PLACE = {"zh-Hant": "第 {} 則", "zh-Hans": "第 {} 条", "ja": "{}件目", "en": "no. {}"}
_COMMA = {"zh-Hant": "，", "zh-Hans": "，", "ja": "、", "en": ", "}
_WHO = {
    EvidenceClass.USER_STATEMENT: {"zh-Hant": "你", "zh-Hans": "你", "ja": "あなた", "en": "you"},
    EvidenceClass.ASSISTANT_STATEMENT: {"zh-Hant": "助理", "zh-Hans": "助手", "ja": "助手", "en": "assistant"},
}


def header(passage: Passage) -> str:
    if passage.evidence_class not in SAID:
        return " · ".join(part for part in (passage.title, passage.section, passage.date) if part)
    language = passage.language if passage.language in _DAY else "zh-Hant" if passage.language == "zh" else "en"
    place = "" if passage.seq is None else _PLACE[language].format(passage.seq)
    who = "" if speaker(passage) else _WHO[passage.evidence_class][language]
    return _COMMA[language].join(part for part in (_when(passage.date, language), place, who) if part)


def _when(date: str | None, language: str) -> str:
    """As it is written where it is not ISO 8601; the time of day where there is one."""
    if not date:
        return ""
    try:
        said = datetime.fromisoformat(date)
    except ValueError:
        return date
    day = _DAY[language].format(said.strftime("%Y/%m/%d"), _WEEKDAYS[language][said.weekday()])
    return f"{day} {said:%H:%M}" if len(date) > len("2026-05-22") else day

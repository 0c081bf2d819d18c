"""A long paste with a question in it."""

from __future__ import annotations

import re

LONG = 600  # characters; more than that is a paste with a question in it
QUESTION_AT_MOST = 500
LINE_AT_MOST = 240
EDGE = 6000  # how much of either end of a paste is searched for the question
TAIL = 200_000  # how much of a paste is searched for lines that tell what went wrong
LINES = 3  # of those that are kept

_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]*")
_ASKS = re.compile(
    r"[?？]|(?:嗎|吗|呢)[。\s]*$|什麼|什么|怎麼|怎么|如何|為何|为何|為什麼|为什么|哪個|哪个|哪裡|哪里|多少|幾|是否"
    r"|かどうか|(?:です|ます|でしょう)か|なぜ|どう|どれ|何が|教えて|ください"
    r"|^\W*(?:please |can you |could you )?(?:what|which|why|how|where|who|when|is|are|do|does|did|can|could|should"
    r"|will|would|explain|summari[sz]e|tell|find|help|translate)\b",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|Traceback|File \"|at [\w.$]{1,80}\(|```|\w{1,40}\[\d+\]:"
    r"|(?:ERROR|WARN|INFO|DEBUG|FATAL)\b|[\w.]{1,80}(?:Error|Exception):)",
    re.MULTILINE,
)
_WENT_WRONG = re.compile(
    r"(?:error|exception)\b|\b(?:fatal|fail(?:ed|ure)?|warn(?:ing)?|denied|refused|timed? ?out|panic)\b"
    r"|\b(?:critical|cannot)\b|錯誤|错误|失敗|失败|例外|警告|逾時|超时|エラー",
    re.IGNORECASE,
)
_LOG_LINE = re.compile(r"\S*\d{4}-\d\d-\d\d|\s*(?:at |File |#|//|<|\{)")


def reduced(text: str) -> tuple[str, str]:
    """The question of a long message or a pasted log, and what tells most of the rest; else it is all question.

    The question is the last sentence that asks, else the first, else the last line; never a cut through the middle.
    """
    text = text.strip()
    pasted = text.count("\n") > 1 and bool(_LOGGED.search(text[:EDGE]))
    if len(text) <= LONG and not pasted:
        return text, ""
    asking = _asking(text[-EDGE:])[-1:] or _asking(text[:EDGE])[:1]
    if not asking and len(text) <= LONG:
        return text, ""
    question = asking[0] if asking else _last_line(text)
    return question[:QUESTION_AT_MOST].strip(), "\n".join(_telling(text, question))


def _asking(text: str) -> list[str]:
    found = (m[0].strip() for m in _SENTENCE.finditer(text) if len(m[0]) <= QUESTION_AT_MOST)
    return [s for s in found if _ASKS.search(s) and not _LOG_LINE.match(s)]


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text[-EDGE:].split("\n") if line.strip()]
    return lines[-1][-QUESTION_AT_MOST:] if lines else ""


def _telling(text: str, question: str) -> list[str]:
    """The last few different lines that say what went wrong; without any, the last lines beside the question."""
    text = text[-TAIL:]
    lines: dict[str, str] = {}
    end = 0
    for match in _WENT_WRONG.finditer(text):
        if match.start() < end:
            continue  # the same line
        start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        end = end if end >= 0 else len(text)
        line = text[max(start, match.start() - LINE_AT_MOST) : min(end, match.end() + LINE_AT_MOST)].strip()
        if line and question not in line:
            lines[re.sub(r"\d+", "0", line)] = line[:LINE_AT_MOST]
    if lines:
        return list(lines.values())[-LINES:]
    others = (line.strip() for line in text[-EDGE:].split("\n"))
    return [line[:LINE_AT_MOST] for line in others if line and question not in line][-2:]

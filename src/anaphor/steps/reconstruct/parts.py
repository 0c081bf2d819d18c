"""An utterance that is more than one question: a long paste with a question in it, or several questions at once."""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.phrasing import owned
from anaphor.steps.reconstruct.seen import pattern, patterns, see

LONG = 600  # characters; more than that is a paste with a question in it
QUESTION_AT_MOST = 500
QUERY_AT_MOST = 1200
LINE_AT_MOST = 240
EDGE = 6000  # how much of either end of a paste is searched for the question
TAIL = 200_000  # how much of a paste is searched for lines that tell what went wrong
LINES = 3  # of those that are kept
AT_MOST = 4  # sub-queries

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


# -- several questions -------------------------------------------------------------------------------------------------


def sub_queries(text: str, language: str) -> tuple[str, ...]:
    """The questions of one utterance, each as a query of its own; empty if it is only one.

    A comparison asks the same of two things.
    """
    queries = [query for piece in _pieces(text, language) for query in _compared(piece, language) or [piece]]
    queries = list(dict.fromkeys(queries))
    return tuple(queries[:AT_MOST]) if len(queries) > 1 else ()


def _pieces(text: str, language: str) -> list[str]:
    """Stretches that ask. One that names nothing is not cut off: 「…嗎？為什麼？」 is one question."""
    seen = see(text, language)
    cuts = [m.end() for m in pattern(language, "parts").finditer(seen.text)]
    pieces: list[str] = []
    begin = 0
    for end in [*cuts, len(seen.text)]:
        piece = seen.verbatim(begin, end).strip(" ,，、") if begin < end else ""
        begin = end
        if pieces and piece and not (_is_question(piece, language) and phrases(piece, language)):
            pieces[-1] += f" {piece}" if language == "en" else piece
        elif piece:
            pieces.append(piece)
    return pieces if all(_is_question(piece, language) and _quotes_whole(piece) for piece in pieces) else [text]


def _quotes_whole(piece: str) -> bool:
    """A question mark inside a quotation ends nothing: 「先即位乎？」是誰說的?"""
    pairs = (("「", "」"), ("『", "』"), ("《", "》"), ("“", "”"), ("(", ")"), ("（", "）"))
    return piece.count('"') % 2 == 0 and all(piece.count(left) == piece.count(right) for left, right in pairs)


def _is_question(text: str, language: str) -> bool:
    return bool(pattern(language, "question").search(see(text, language).text))


def _compared(piece: str, language: str) -> list[str]:
    """比較 A 跟 B 的流量上限 → A 的流量上限, B 的流量上限. Without an aspect there is nothing to ask of each."""
    seen = see(piece.rstrip("。？?！!. "), language)
    for form in patterns(language, "compares"):
        match = form.fullmatch(seen.text)
        if match and match["by"] and seen.group(match, "a") and seen.group(match, "b"):
            return [owned(seen.group(match, side), seen.group(match, "by"), language) for side in "ab"]
    return []

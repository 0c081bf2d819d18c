"""An utterance that is more than one question: a long paste with a question in it, or several questions at once."""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.seen import pattern, patterns, see
from anaphor.steps.reconstruct.tables import table

LONG = 600  # characters; more than that is a paste with a question in it
QUESTION_AT_MOST = 500
QUERY_AT_MOST = 1200
EDGE = 6000  # how much of either end of a paste is searched for the question
TAIL = 200_000  # how much of a paste is searched for lines that tell what went wrong
AT_MOST = 4  # sub-queries

_ASKS = re.compile(
    r"[?？]|(?:嗎|吗|呢)[。\s]*$|什麼|什么|怎麼|怎么|如何|為何|为何|為什麼|为什么|哪個|哪个|哪裡|哪里|多少|幾|是否|かどうか|(?:です|ます|でしょう)か|なぜ|どう|どれ|何が|教えて|ください"
    r"|^\W*(?:please |can you |could you )?(?:what|which|why|how|where|who|when|is|are|do|does|did|can|could|should|will|would|explain|summari[sz]e|tell|find|help|translate)\b",
    re.IGNORECASE,
)
_WENT_WRONG = re.compile(
    r"[^\n]*(?:\b(?:\w*error|\w*exception|fatal|fail(?:ed|ure)?|warn(?:ing)?|denied|refused|timed? ?out|panic|cannot|critical)\b|錯誤|错误|失敗|失败|例外|警告|逾時|超时|エラー|失敗|例外|警告)[^\n]*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]*|\n")


def reduced(text: str) -> tuple[str, str]:
    """The question of a long message or a pasted log, and what tells most of the rest; else it is all question.

    The question is the last sentence that asks, else the first, else the last line; never a cut through the middle.
    """
    text = text.strip()
    if len(text) <= LONG and not _is_pasted(text):
        return text, ""
    question = _asked(text[-EDGE:], last=True) or _asked(text[:EDGE], last=False)
    if not question and len(text) <= LONG:
        return text, ""
    question = question or _edge_line(text)
    return question[:QUESTION_AT_MOST].strip(), "\n".join(_telling(text, question))


_LOGGED = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|Traceback|File \"|at [\w.$]+\(|```|\w+\[\d+\]:|(?:ERROR|WARN|INFO|DEBUG|FATAL)\b"
    r"|[\w.]+(?:Error|Exception):)",
    re.MULTILINE,
)


def _is_pasted(text: str) -> bool:
    """A few lines of a log with a question under or above them."""
    return text.count("\n") > 1 and bool(_LOGGED.search(text))


def _asked(text: str, *, last: bool) -> str:
    found = [m[0].strip() for m in _SENTENCE.finditer(text) if _ASKS.search(m[0]) and len(m[0]) <= QUESTION_AT_MOST]
    found = [s for s in found if not re.match(r"\S*\d{4}-\d\d-\d\d|^\s*(?:at |File |#|//|<|\{)", s)]
    if not found:
        return ""
    return found[-1] if last else found[0]


def _edge_line(text: str) -> str:
    lines = [line.strip() for line in text[-EDGE:].split("\n") if line.strip()]
    return lines[-1][-QUESTION_AT_MOST:] if lines else text.strip()[-QUESTION_AT_MOST:]


def _telling(text: str, question: str) -> list[str]:
    """Up to three different lines that say what went wrong, the last ones; without any, the line before the question."""
    seen: dict[str, str] = {}
    for match in _WENT_WRONG.finditer(text[-TAIL:]):
        line = match[0].strip()[:240]
        if line and question not in line:
            seen[re.sub(r"\d+", "0", line)] = line
    if not seen:
        others = [line.strip()[:240] for line in text[-EDGE:].split("\n") if line.strip() and question not in line]
        return others[-2:]
    return list(seen.values())[-3:]


def sub_queries(text: str, language: str) -> tuple[str, ...]:
    """The questions of one utterance, each as a query of its own; empty if it is only one.

    A comparison asks the same of two things. A part without a topic of its own is given the topic of the part before.
    """
    pieces = _pieces(text, language)
    queries: list[str] = []
    for piece in pieces:
        queries += _compared(piece, language) or [piece]
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
        if not piece:
            continue
        asks = bool(pattern(language, "question").search(see(piece, language).text))
        names = bool(phrases(piece, language))
        if pieces and not (asks and names):
            pieces[-1] += piece if language != "en" else f" {piece}"
        else:
            pieces.append(piece)
    asking = [p for p in pieces if pattern(language, "question").search(see(p, language).text)]
    return pieces if len(asking) == len(pieces) else [text]


def _compared(piece: str, language: str) -> list[str]:
    """比較 A 跟 B 的流量上限 → A 的流量上限, B 的流量上限. Without an aspect there is nothing to ask of each."""
    seen = see(piece.rstrip("。？?！!. "), language)
    for form in patterns(language, "compares"):
        match = form.fullmatch(seen.text)
        if match and match["by"] and all(seen.group(match, side) for side in "ab"):
            return [_of(seen.group(match, side), seen.group(match, "by"), language) for side in "ab"]
    return []


def _of(owner: str, aspect: str, language: str) -> str:
    return f"{aspect} of {owner}" if language == "en" else f"{owner}{table(language).of}{aspect}"

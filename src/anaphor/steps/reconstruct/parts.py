"""Several questions in one utterance."""

from __future__ import annotations

from itertools import pairwise

from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.phrasing import owned
from anaphor.steps.reconstruct.seen import Seen, pattern, patterns, see
from anaphor.text.aside import asked_after_all
from anaphor.text.patterns import pattern as expression
from anaphor.text.sentences import sentences

QUERY_AT_MOST = 1200
AT_MOST = 4  # sub-queries


def sub_queries(text: str, language: str) -> tuple[str, ...]:
    """The questions of one utterance, each as a query of its own; empty if it is only one.

    A comparison asks the same of two things.
    """
    announced = asked_after_all(text)
    pieces = announced if len(announced) > 1 else _pieces(announced[0] if announced else text, language)
    queries = [query for piece in pieces for query in _compared(piece, language) or [piece]]
    queries = list(dict.fromkeys(queries))
    return tuple(queries[:AT_MOST]) if len(queries) > 1 else ()


def _pieces(text: str, language: str) -> list[str]:
    """Stretches that ask. One that names nothing is not cut off: 「…嗎？為什麼？」 is one question."""
    seen = see(text, language)
    cuts = [m.end() for m in pattern(language, "parts").finditer(seen.text)]
    if language == "en" and "." in text:
        cuts = [at for at in cuts if seen.text[at - 1] != "." or _period_ends(text, seen, at)]
    cuts = [at for at, until in pairwise([*cuts, len(seen.text)]) if not _points_back(seen, at, until)]
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


_BACK = expression(
    r"[它他她牠]|(?<![尤极极與与])其(?![他它實实次餘余中])"
    r"|\b(?:it|its|they|their|them|he|she|his|her|him)\b|それ(?!と|から)|その|そこ|彼"
)


def _points_back(seen: Seen, at: int, until: int) -> bool:
    """Within one sentence: 「那個活動，哪一個是它的地點？」 asks one thing, and its second half alone asks nothing."""
    return seen.text[at - 1] not in "?!。;." and _BACK.search(seen.text, at, until) is not None


def _period_ends(text: str, seen: Seen, at: int) -> bool:
    """Not the one of Dr. or U.S."""
    stop = seen.folded.source(at - 1, at).end
    return any(span.end == stop for span in sentences(text))


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
        if match is None or not seen.group(match, "a") or not seen.group(match, "b"):
            continue
        if match.groupdict().get("how"):
            return [f"{seen.group(match, side)} {seen.group(match, 'how')}" for side in "ab"]
        if match["by"]:
            return [owned(seen.group(match, side), seen.group(match, "by"), language) for side in "ab"]
    return []

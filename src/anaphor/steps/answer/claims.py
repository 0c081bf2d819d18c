"""Cut a model's reply into claims while it arrives.

A claim is a sentence with the [n] marks in it and directly behind it. It is whole when the next one has begun or its
line has ended, so that a mark which arrives late is never lost. List marks and line breaks become the claim's ``lead``;
a fenced block of code is one claim.
"""

from __future__ import annotations

import re

from anaphor.text.marks import MARK
from anaphor.text.sentences import sentences
from anaphor.types import Claim

LONGEST = 4_000  # characters of one claim; what is longer is cut

CITES = re.compile(
    r"[ \t]*[\[［【〔]\^?(?:(?:sources?|來源|来源|資料|资料|出典|文献)\s*)?"
    r"(\d{1,3}(?:\s*[,，、;；–—-]\s*\d{1,3}){0,20})[\]］】〕]",
    re.IGNORECASE,
)
_BEGUN = re.compile(r"[ \t]*[\[［【〔][^\[\]［］【】〔〕\n]{0,60}\Z")
_RANGE = re.compile(r"(\d+)\s*[–—-]\s*(\d+)")
_STOPS = re.compile(r"[.。！？!?…｡\n]")
_ENDS = re.compile(r"[.。！？!?…｡][」』”\"'’)）*]*\s*\Z")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+|[ \t]*>[ \t]?")


def cites_in(text: str) -> tuple[int, ...]:
    """The numbers of all marks, each once, in order: [2], [1, 3], 【4】, [5-7]."""
    found: list[int] = []
    for mark in CITES.finditer(text):
        listed = _RANGE.sub(_spelled_out, mark[1])
        found += [int(n) for n in re.findall(r"\d+", listed)]
    return tuple(dict.fromkeys(found))


def _spelled_out(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[2])
    return " ".join(map(str, range(first, last + 1))) if 0 < last - first < 20 else match[0]


class Cutter:
    """Feed it pieces; it gives back the claims that have become whole."""

    def __init__(self) -> None:
        self._line = ""  # of the line that still grows, what has not been given back
        self._lead = ""
        self._begun = False  # the line's first claim has been given back, or its list mark taken off
        self._code: list[str] = []  # lines of a fenced block that has not ended

    def feed(self, text: str) -> list[Claim]:
        """``text`` is what has newly arrived."""
        self._line += text
        claims = self._ended_lines()
        if (not self._code and _STOPS.search(self._line)) or len(self._line) > LONGEST:
            claims += self._sentences_that_another_follows()
        return claims

    def close(self, whole: bool = True) -> list[Claim]:
        """What is left when the reply has ended; without its last sentence if the reply broke off inside it."""
        claims = self._ended_lines()
        if whole or _ENDS.search(CITES.sub("", self._line)):
            claims += self._ended_line(self._line)
            if self._code:
                claims.append(self._claim("\n".join(self._code)))
        self._line = ""
        return claims

    def _ended_lines(self) -> list[Claim]:
        claims: list[Claim] = []
        while "\n" in self._line:
            line, self._line = self._line.split("\n", 1)
            claims += self._ended_line(line)
            self._lead += "\n"
            self._begun = False
        return claims

    def _ended_line(self, line: str) -> list[Claim]:
        fence = line.lstrip().startswith("```")
        if self._code and fence:
            code, self._code = [*self._code, line], []
            return [self._claim("\n".join(code))]
        if self._code or fence:
            self._code.append(line)
            return []
        claims, _ = self._cut(self._without_mark(line), all_of_it=True)
        return claims

    def _sentences_that_another_follows(self) -> list[Claim]:
        if self._line.lstrip().startswith("`"):
            return []
        mark_begun = _BEGUN.search(self._line, max(0, len(self._line) - 80))
        held = self._line[mark_begun.start() :] if mark_begun else ""
        line = self._without_mark(self._line[: len(self._line) - len(held)])
        claims, rest = self._cut(line, all_of_it=len(line) > LONGEST)
        self._line = rest + held
        return claims

    def _without_mark(self, line: str) -> str:
        """Take list and heading marks off the front and put them into the lead."""
        while not self._begun:
            mark = MARK.match(line) or _HEADING.match(line)
            if not mark or not line[mark.end() :].strip():
                break
            self._lead += mark[0]
            line = line[mark.end() :]
            self._begun = mark.re is MARK
        return line

    def _cut(self, line: str, all_of_it: bool) -> tuple[list[Claim], str]:
        """The whole sentences of the line, and what is left of it."""
        spans = sentences(CITES.sub(lambda mark: " " * len(mark[0]), line))
        ends = [span.start for span in spans[1:]] + [len(line)] * bool(spans)
        if not all_of_it:
            ends = ends[:-1]
        claims: list[Claim] = []
        at = 0
        for end in ends:
            claims.append(self._claim(line[at:end]))
            at = end
            self._begun = True
        return claims, "" if all_of_it else line[at:]

    def _claim(self, text: str) -> Claim:
        lead = self._lead
        without = CITES.sub("", text).lstrip()
        stripped = without.rstrip()
        self._lead = without[len(stripped) :]
        return Claim(stripped[:LONGEST], cites_in(text), lead=lead)

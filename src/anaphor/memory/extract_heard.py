"""What of a turn the person asserts, in clauses; everything else is left out here, once, for all rules.

Left out: what is quoted, pasted, translated or told by somebody else; questions, orders and suppositions, with what
hangs on them in their sentence; stories, games of make-believe and examples, where the whole turn is one; irony;
secrets; and sentences that only repeat what the assistant said before. In doubt a clause is left out, because a
question remembered as a fact does more harm than a fact forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from anaphor.facts import PERSON, State
from anaphor.memory.extract_people import Opening, openings, subject_of
from anaphor.memory.extract_rules import LANGUAGES, cue
from anaphor.memory.extract_safe import refused, suspicion
from anaphor.text.characters import HAN, KANA
from anaphor.text.fold import Folded, fold, matching, visible
from anaphor.text.language import detect
from anaphor.text.mood import Mood, mood
from anaphor.text.patterns import pattern
from anaphor.text.sentences import sentences
from anaphor.types import Span

LONGEST = 4000  # characters of a turn that are read; a longer one is pasted
LONGEST_SENTENCE = 320
LONGEST_CLAUSE = 160
HIDDEN = "\ufffc"  # stands for a character that the person did not say themselves

_KANA = pattern(f"[{KANA}]")
_HAN = pattern(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch that is read by itself. ``text`` is folded; ``subject`` is ``PERSON``, a person as named, or empty.

    ``start`` and ``end`` are offsets in the turn. ``state`` is what the words of time say, ``hedged`` whether it is
    part of an order ("please avoid tables"), which tells a wish and nothing else.
    """

    text: str
    source: Folded
    start: int
    end: int
    language: str
    subject: str = PERSON
    person: str = ""  # whom "he" and "she" mean here
    state: State | None = None
    changed: bool = False
    hedged: bool = False
    leads: tuple[Opening, ...] = ()  # where what is said may begin, behind the opening words
    openings: tuple[Opening, ...] = ()  # and behind those and the subject
    suspect: str = ""  # why its sentence is to be looked at before it is used
    part: bool = False  # of a sentence of several clauses
    whole: bool = False  # a sentence

    def takes(self, *, hedged: bool, whole: bool) -> bool:
        """Whether a rule of that kind may be searched here."""
        return (hedged or not self.hedged) and (not self.part if whole else self.part or not self.whole)

    def verbatim(self, start: int, end: int) -> str:
        """The turn's own words for ``text[start:end]``."""
        span = self.source.source(start, end)
        return self.source.original[span.start : span.end]


def language_of(text: str, language: str = "") -> str:
    """``ja``, ``zh`` or ``en``: by whose grammar the turn is read."""
    known = language or detect(text)
    if known == "und":
        return "ja" if _KANA.search(text) else "zh" if _HAN.search(text) else "en"
    return known.split("-")[0]


def heard(text: str, language: str, before: str = "") -> tuple[Clause, ...]:
    """The clauses that the person asserts (or, ``hedged``, orders), in order."""
    if len(text) > LONGEST or language not in LANGUAGES:
        return ()
    shown = own_words(text, language)
    folded = _folded(shown, language)
    if cue(language, "make_believe").search(folded) or cue(language, "irony").search(folded):
        return ()
    echoed = _said_before(before)
    found: list[Clause] = []
    for span in sentences(shown):
        sentence = shown[span.start : span.end]
        if len(sentence) <= LONGEST_SENTENCE and not _left_out(sentence, text[span.start : span.end], language, echoed):
            suspect = suspicion(text[span.start : span.end])
            clauses = _clauses(shown, span, language, found[-1].person if found else "")
            found.extend(replace(clause, suspect=suspect) if suspect else clause for clause in clauses)
    return tuple(found)


def _folded(text: str, language: str) -> str:
    return visible(text).text if language == "en" else matching(text, language)


def own_words(text: str, language: str) -> str:
    """The text with what is quoted or pasted hidden, each character by one."""
    return cue(language, "quoted").sub(_hide, cue(language, "pasted").sub(_hide, text))


def _hide(match: re.Match[str]) -> str:
    """The match with its last group hidden; all of it where it has none."""
    start, end = match.span(match.lastindex or 0)
    start, end = start - match.start(), end - match.start()
    return match[0][:start] + re.sub(r"[^\n]", HIDDEN, match[0][start:end]) + match[0][end:]


def _said_before(before: str) -> str:
    return re.sub(r"[\s\W_]+", "", matching(before[:20_000]))


def _left_out(sentence: str, raw: str, language: str, echoed: str) -> bool:
    folded = _folded(sentence, language)
    if refused(raw) or cue(language, "fiction").search(folded):
        return True
    bare = re.sub(r"[\s\W_]+", "", matching(sentence))
    return mood(sentence) is Mood.COURTESY or (len(bare) >= 12 and bare in echoed)


def _clauses(shown: str, sentence: Span, language: str, person: str) -> Iterator[Clause]:
    """The clauses of a sentence that are asserted; a supposition takes everything after it along.

    A sentence of several clauses of which none was left out comes once more, as a whole, at the end.
    """
    pieces = [_trimmed(shown, piece) for piece in _split(shown, sentence, language)]
    texts = [_folded(shown[piece.start : piece.end], language) for piece in pieces]
    if texts and cue(language, "tag").search(texts[-1]):
        return
    corrects = bool(cue(language, "corrects").search(_folded(shown[sentence.start : sentence.end].strip(), language)))
    subject, taken = PERSON, 0
    for piece, text in zip(pieces, texts, strict=True):
        rest = _folded(shown[piece.start : sentence.end], language)
        if cue(language, "supposes").search(text) or cue(language, "supposes_rest").search(rest):
            return
        if cue(language, "hearsay").search(text):
            if cue(language, "hearsay_goes_on").search(text):
                return
            subject = ""  # what follows may still be theirs
            continue
        if cue(language, "asks").search(text) or piece.end - piece.start > LONGEST_CLAUSE:
            continue
        subject, person = subject_of(text, language, subject, person)
        taken += 1
        clause = _clause(shown, piece, language, subject, person, part=len(pieces) > 1)
        clause = replace(clause, changed=True) if corrects else clause
        yield clause
        if clause.hedged and cue(language, "someone").search(text):
            subject = ""  # "write a letter from a man who … and lives in a caravan"
    if 1 < len(pieces) == taken:
        yield _clause(shown, _trimmed(shown, sentence), language, PERSON, person, whole=True)


def _clause(
    shown: str, piece: Span, language: str, subject: str, person: str, *, part: bool = False, whole: bool = False
) -> Clause:
    source = _source(shown[piece.start : piece.end], language)
    leads, behind = openings(source.text, language)
    return Clause(
        source.text,
        source,
        piece.start,
        piece.end,
        language,
        subject=subject,
        person=person,
        state=_time(source.text, language),
        changed=bool(cue(language, "changed").search(source.text)),
        hedged=bool(cue(language, "orders").search(source.text)),
        leads=leads,
        openings=behind,
        part=part,
        whole=whole,
    )


def _trimmed(shown: str, piece: Span) -> Span:
    """Without the marks that end it, a question mark aside."""
    text = shown[piece.start : piece.end]
    start = len(text) - len(text.lstrip())
    return Span(piece.start + start, piece.start + len(text.rstrip(" \t\r\n.。!！…,，、;；~～")))


def _source(piece: str, language: str) -> Folded:
    return visible(piece) if language == "en" else fold(piece, language)


def _split(shown: str, sentence: Span, language: str) -> Iterator[Span]:
    start = sentence.start
    for match in cue(language, "splits").finditer(shown, sentence.start, sentence.end):
        if cue(language, "only_time").fullmatch(_folded(shown[start : match.start()].strip(), language)):
            continue  # "Next Friday, we …"
        if start < match.start():
            yield Span(start, match.start())
        start = match.end()
    if start < sentence.end:
        yield Span(start, sentence.end)


def _time(text: str, language: str) -> State | None:
    for name, state in (("cancelled", State.CANCELLED), ("past", State.PAST), ("planned", State.PLANNED)):
        if cue(language, name).search(text):
            return state
    return None

"""The quoting reader: the sentence or two of the evidence that answer, verbatim and cited. No model.

A row of a table is told with the names of its columns, which alone make it readable; what is cited is the row as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anaphor.steps.answer.asked import Asked, asked
from anaphor.steps.answer.attributes import telling
from anaphor.steps.answer.cells import cells_asked, names_longer_word
from anaphor.steps.answer.columns import rows_asked
from anaphor.steps.answer.kinds import Kind
from anaphor.steps.answer.limits import with_limits
from anaphor.steps.answer.phrases import (
    assistant_said,
    decline,
    in_other_language,
    missing_part,
    person_said,
    source_says,
    sources_disagree,
)
from anaphor.steps.answer.rank import STRONG_SIGNS, Place, confidence, enough, leads, likely, ranked, shows_sign
from anaphor.steps.answer.second import follows, said_at, with_second
from anaphor.steps.echo import echoes
from anaphor.steps.lists import Item, items_around
from anaphor.steps.reading import folding, is_cjk, read, ready
from anaphor.steps.rivals import newer, rival
from anaphor.steps.tables import row_at
from anaphor.text.instructions import instructing
from anaphor.text.language import detect
from anaphor.types import Claim, Draft, Evidence, EvidenceClass, Passage, Quote, Span, StandaloneQuery, Support

NEAR = 0.1  # score from which a passage is worth naming in a decline
SOMEWHAT = 0.4  # of how sure one has to be to answer, from which on a sentence is worth showing in a decline
LOOKED_AT = 6  # places among which sources that disagree are looked for
AS_GOOD = 0.6  # of the best one's score, from which on a place would answer too
FURTHER = 3  # sentences that are quoted when more is asked for


@dataclass(frozen=True, slots=True)
class Piece:
    """What is quoted: a span of passage ``n``. ``mark`` is a list mark that stood before it."""

    n: int
    span: Span
    mark: str = ""
    cell: str = ""  # what alone is told of a row


def quote(query: StandaloneQuery, evidence: Evidence, language: str, note: str = "") -> Draft:
    """Verbatim sentences as claims; or no claims, and an opening that says that the sources do not answer.

    Every part of a question with several is answered, or said to be missing, by itself. ``language`` is the person's.
    """
    passages = usable(query, evidence)
    parts = asked(query, passages.values())
    places = [ranked(part, passages) for part in parts]
    told = "\n".join(turn.carriable_answer for turn in evidence.history)
    found = [_pieces(part, ranking, passages, told) for part, ranking in zip(parts, places, strict=True)]
    sure = _sure(parts, places)
    if not any(found):
        return Draft(opening=_decline(query, language, parts, places, passages), note=note, score=sure)
    opening = "".join(missing_part(language, p.text) for p, pieces in zip(parts, found, strict=True) if not pieces)
    missing = tuple(
        Claim(part.text, (), Support.UNSUPPORTED, reason="no sentence of the sources answers this part")
        for part, pieces in zip(parts, found, strict=True)
        if not pieces
    )
    said, contested = with_rivals(_once(found, passages), passages, query.text)
    if not contested:
        more = [
            piece for ranking, pieces in zip(places, found, strict=True) if pieces for piece in _next(ranking, passages)
        ]
        others, contested = with_rivals(more, passages, query.text)
        said = list(dict.fromkeys([*said, *(piece for piece in others if piece in contested)]))
    if contested:
        opening += sources_disagree(language)
    elif not opening and _foreign(said, passages, language):
        opening = in_other_language(language)
    claims = tuple(_claim(i, said, passages, language, contested) for i in range(len(said)))
    quotes = tuple(Quote(piece.n, piece.span.start, piece.span.end) for piece in said)
    return Draft(claims + missing, quotes, opening=opening, note=note, score=sure)


def with_rivals(
    said: Sequence[Piece], passages: Mapping[int, Passage], question: str
) -> tuple[list[Piece], frozenset[Piece]]:
    """The pieces, each with what another source says instead right behind it; and those that are contested.

    Of two versions of one document only the newer is quoted, and nothing is contested.
    """
    kept: list[Piece] = []
    contested: set[Piece] = set()
    for piece in said:
        found = rival(piece.n, piece.span, passages, question)
        other = Piece(found.n, found.span) if found else piece
        latest = newer(passages[piece.n], passages[other.n])
        if found and latest is None:
            kept += [piece, other]
            contested |= {piece, other}
        else:
            kept.append(other if latest is passages[other.n] else piece)
    return list(dict.fromkeys(kept)), frozenset(contested)


def _next(ranking: Sequence[Place], passages: Mapping[int, Passage]) -> list[Piece]:
    """The places behind the best that would answer too: where sources disagree about those, it is told as well."""
    able = [place for place in ranking[1:LOOKED_AT] if place.sure >= enough(passages) and not place.against]
    return [_piece(place, passages[place.n]) for place in able if place.score >= AS_GOOD * ranking[0].score]


def _once(found: Sequence[Sequence[Piece]], passages: Mapping[int, Passage]) -> list[Piece]:
    """Every piece once, also where several passages say it word for word: near-duplicates are one voice."""
    by_text: dict[str, Piece] = {}
    for piece in (piece for pieces in found for piece in pieces):
        by_text.setdefault(passages[piece.n].text[piece.span.start : piece.span.end].strip(), piece)
    return list(by_text.values())


def declined(query: StandaloneQuery, evidence: Evidence, language: str) -> Draft:
    """No claims; an opening that says what was searched for and which passage comes nearest."""
    passages = usable(query, evidence)
    parts = asked(query, passages.values())
    return Draft(opening=_decline(query, language, parts, [ranked(part, passages) for part in parts], passages))


def _sure(parts: Sequence[Asked], places: Sequence[Sequence[Place]]) -> float:
    """How likely it is that the sources answer; of the least sure part of a question with several."""
    surest = (max((place.sure for place in ranking), default=0.0) for ranking in places)
    return min(likely(confidence(part, sure), part.language) for part, sure in zip(parts, surest, strict=True))


def usable(query: StandaloneQuery, evidence: Evidence) -> dict[int, Passage]:
    """Passages by number that may be quoted: a summary never, the assistant's words where they are asked for."""
    allowed = {EvidenceClass.DOCUMENT, EvidenceClass.USER_STATEMENT}
    if query.asks_about_memory:
        allowed.add(EvidenceClass.ASSISTANT_STATEMENT)
    return {n: p for n, p in evidence.best_first() if p.evidence_class in allowed}


def _decline(
    query: StandaloneQuery,
    language: str,
    parts: Sequence[Asked],
    places: Sequence[Sequence[Place]],
    passages: Mapping[int, Passage],
) -> str:
    """In the person's language: what was searched for, and the nearest thing the sources do say, if anything is."""
    searched = query.queries if len(query.queries) > 1 else (query.text,)
    nearest = max(
        ((r[0], part) for r, part in zip(places, parts, strict=True) if r), key=lambda pair: pair[0].score, default=None
    )
    if nearest is None or nearest[0].score < NEAR:
        return decline(language, searched)
    place, part = nearest
    passage = passages[place.n]
    says = _told(_piece(place, passage), passage) if _may_be_shown(place, part, passages) else ""
    return decline(language, searched, passage, says)


def _may_be_shown(place: Place, asked: Asked, passages: Mapping[int, Passage]) -> bool:
    """Whether the sentence is about it somewhat, and could not be taken for the answer that it is not.

    It holds no number where one is asked for, and no person, and it is no yes and no no.
    """
    near = place.sure >= SOMEWHAT * enough(passages) and not place.against
    return near and asked.kind is not Kind.YES_NO and not shows_sign(place.at, asked, passages[place.n])


def _told(piece: Piece, passage: Passage) -> str:
    """What is quoted, word for word; a row of a table with the names of its columns."""
    row = row_at(passage, piece.span)
    if piece.cell:
        return piece.cell
    return (row.told if row else "") or passage.text[piece.span.start : piece.span.end]


def _pieces(asked: Asked, places: Sequence[Place], passages: Mapping[int, Passage], told: str) -> list[Piece]:
    """What answers one question, in the order in which it should be read; empty if the sources do not say.

    ``told`` is what was answered before.
    """
    if listed := rows_asked(asked, passages) or cells_asked(asked, passages):
        numbered = asked.kind is Kind.HOW_MANY and len(listed) > 1
        marks = (f"{n}." if numbered else "-" if one.cell else "" for n, one in enumerate(listed, 1))
        return [Piece(one.n, one.row.span, mark, one.cell) for one, mark in zip(listed, marks, strict=True)]
    if names_longer_word(asked, passages):
        return []
    places = telling(asked, _without_echoes(asked, places, passages), passages)
    if max((place.sure for place in places), default=0.0) < enough(passages):
        return []
    if asked.more:
        return [_piece(place, passages[place.n]) for place in _further(places, passages, told)]
    best = places[0]
    sentence = read(passages[best.n]).sentences[best.at]
    span = Span(sentence.start, sentence.end)
    if asked.kind in (Kind.HOW_TO, Kind.LIST) or leads(best, asked, passages):
        items = _harmless(items_around(passages[best.n].text, span), passages[best.n].text)
        if items and not (asked.kind not in (Kind.HOW_TO, Kind.LIST) and _names_one(asked, best, items, passages)):
            return [Piece(best.n, item.span, item.mark) for item in items]
    chosen = with_limits(asked, with_second(asked, places, passages), passages)
    return [_piece(place, passages[place.n]) for place in chosen]


def _without_echoes(asked: Asked, places: Sequence[Place], passages: Mapping[int, Passage]) -> Sequence[Place]:
    """Without the sentences that only repeat the question, however well they cover it.

    One stays where a number or a date is asked for: it may stand in the sentence beside it; and one that says what came
    of the reason before it.
    """
    if asked.kind in STRONG_SIGNS or asked.kind in (Kind.YES_NO, Kind.COMPARE, Kind.HOW_TO, Kind.LIST):
        return places
    near = [
        p
        for p in places[:LOOKED_AT]
        if not echoes(said_at(p, passages[p.n]), asked.text, passages[p.n].language)
        or (asked.kind is Kind.WHY and p.at and follows(said_at(p, passages[p.n])))
    ]
    return [*near, *places[LOOKED_AT:]]


def _names_one(asked: Asked, best: Place, items: Sequence[Item], passages: Mapping[int, Passage]) -> bool:
    """Whether the question names the item at ``best`` and no other: the deposit, of the steps to a card."""
    passage = passages[best.n]
    way = folding(passage.language)
    wanted = {t for t in asked.weights(way) if t[0] != "\0" and (len(t) > 1 or not is_cjk(t))}
    sentence = read(passage).sentences[best.at]
    own = sentence.text.of(wanted) - sentence.led_by.of(wanted) - ready(passage.section, way).of(wanted)
    others = [i for i in items if not i.span.start <= sentence.start < i.span.end and i.span.start != sentence.end]
    texts = (
        passage.text[i.span.start : i.span.end] for i in others if not sentence.start <= i.span.start < sentence.end
    )
    return bool(own.difference(*(ready(text, way).of(own) for text in texts)))


def _harmless(items: Sequence[Item], text: str) -> list[Item]:
    """The items that instruct nobody to say anything."""
    orders = instructing(text)
    return [i for i in items if not any(o.start < i.span.end and i.span.start < o.end for o in orders)]


def _further(places: Sequence[Place], passages: Mapping[int, Passage], told: str) -> list[Place]:
    """What was not told yet of the passage that is about it; of the next one, if all of that was told."""
    for n in dict.fromkeys(place.n for place in places if place.sure >= enough(passages)):
        reading = read(passages[n])
        untold = [Place(n, at) for at, s in enumerate(reading.sentences) if s.quotable]
        untold = [place for place in untold if said_at(place, passages[n]) not in told]
        if untold:
            return untold[:FURTHER]
    return []


def _piece(place: Place, passage: Passage) -> Piece:
    sentence = read(passage).sentences[place.at]
    return Piece(place.n, Span(sentence.start, sentence.end))


def _claim(
    at: int,
    said: Sequence[Piece],
    passages: Mapping[int, Passage],
    language: str,
    contested: frozenset[Piece] = frozenset(),
) -> Claim:
    piece = said[at]
    passage = passages[piece.n]
    text = _told(piece, passage)
    lead = ""
    if piece.mark:
        lead = f"\n{piece.mark} "
    elif at:
        before = said[at - 1]
        apart = before.n != piece.n or before.mark or row_at(passage, piece.span)
        lead = "\n" if apart else " " if text[:1].isascii() else ""
    if passage.evidence_class is EvidenceClass.USER_STATEMENT:
        lead = ("\n" if at else "") + person_said(language, passage.date)
    elif passage.evidence_class is EvidenceClass.ASSISTANT_STATEMENT:
        lead = ("\n" if at else "") + assistant_said(language)
    elif piece in contested:
        lead = "\n" + source_says(language, passage)
    return Claim(text, (piece.n,), lead=lead)


def _foreign(said: Sequence[Piece], passages: Mapping[int, Passage], language: str) -> bool:
    """Whether the quotes are, as a whole, in another language than the person's; the scripts of Chinese are one."""
    if all(passages[p.n].language[:2] == language[:2] for p in said):
        return False  # a few words of Japanese may well have no kana
    theirs = detect("".join(passages[p.n].text[p.span.start : p.span.end] for p in said))
    return "und" not in (theirs, language) and theirs[:2] != language[:2]

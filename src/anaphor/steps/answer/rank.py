"""Which sentences of the evidence answer a question, best first.

    score(s) = coverage(s) + CLAUSE · best clause(s) + NEIGHBOURS · gain(s) + SIGN · sign(s) − RANK · rank(passage)
               − OPPOSITE · opposite(s)

``coverage`` is the share of the question's terms that stand in the sentence, each by its weight and by its rarity among
the sentences shown, ``log(1 + (N − n + ½) / (n + ½))`` as in BM25; terms of the passage's title and section count in
part, for they are what the passage is about, and so do names that stood in it before. What the question is an aspect
of (a price, a remedy) is one of its terms, which a sentence has that tells it. ``best clause`` is the same for its best
two neighbouring clauses (nearness), names and what was carried aside; ``gain`` what the sentences beside it would add
(an answer often stands next to the words of its question), ``sign`` whether it holds, beyond the question's own words,
what an answer of the kind looks like: a number, a date, a reason. ``opposite``: it negates what is asked for, or the
other way round.

Whether anything is answered at all rests on coverage alone. A term that no passage has is the rarest of all, so a
question about another aspect of the right thing stays uncovered. In a passage that has no word for the thing itself all
coverage is discounted (``subjects``): its price is the price of another thing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.aspects import Aspect, measures
from anaphor.steps.answer.kinds import Kind, has_sign, shows
from anaphor.steps.answer.other_rows import rows_named, tells_nothing_asked
from anaphor.steps.answer.polarity import opposite
from anaphor.steps.answer.subjects import about_other_things, counts_what_is_nowhere, mostly_unheard
from anaphor.steps.answer.things import things
from anaphor.steps.reading import Sentence, clauses, folding, is_cjk, read, ready
from anaphor.steps.reconstruct.wording import same_identifier
from anaphor.steps.tables import row_at
from anaphor.text.marks import MARK
from anaphor.types import Passage, Span

ENOUGH = 0.26  # how sure one has to be of the best sentence of one passage; below it the sources do not say
ENOUGH_JA = 0.33
AMONG_OTHERS = 0.12  # how much surer among many passages: most of them are about something else, and cover by chance
HEADING = 0.7  # what a term counts that only the title or the section has
CLAUSE = 0.4
NEIGHBOURS = 0.25
SIGN = 0.1
MISSED = 2  # times as much counts a name that no passage has: what is asked about is not there
STEPS = 0.3  # what steps count below a line or a heading about what is to be done
IN_ORDER = 0.1  # what numbers before steps count, and none before what is only listed
LISTED = 0.4  # what several things side by side count, where a list is asked for
STRONG = 2  # times SIGN, for signs that leave little doubt
STRONG_SIGNS = frozenset({Kind.YEAR, Kind.WHEN, Kind.HOW_MANY})  # numbers and dates
UNSIGNED = 0.8  # what coverage is worth where no number or date that was asked for stands in or beside the sentence
OTHER_MEASURE = 0.6  # the same, where the sentence has an amount of another kind: a price is no weight
ASPECT = 0.4  # share of a question that a title must leave open, to be an aspect of its own
OPPOSITE = 0.3
DENIES = 0.1
POLAR = frozenset({Kind.WHICH, Kind.WHAT, Kind.LIST, Kind.WHO, Kind.WHERE})  # what is one way only, if the question is
RANK = 0.01
BOTH = 0.3  # share of what the headings have, that counts when the sentence has it too
SHOWN = 0.25  # what of the part that headings leave open the number or date counts that was asked for
NOT_COUNTED = 0.6  # the same, where what is counted is nowhere
NOT_HEARD = 0.3  # what coverage is worth where half of what is asked of the thing, or more, stands nowhere
OF_YES_NO, OF_ONE_THING = 0.6, 0.2  # what of its sureness such a question loses, where questions are compared
ONE_THING = frozenset({Kind.HOW_MANY, Kind.WHEN, Kind.YEAR, Kind.WHERE, Kind.WHO, Kind.WHICH})
OTHER_THING = 0.4  # what coverage and score are worth in a passage that is about another thing
ELSEWHERE = 0.15  # off the score of a passage that nowhere has what is talked about
OTHERS = 30  # sentences about other things that are counted in, lest with few sentences every word were common
SAME_QUESTION = 0.33  # share of the question's worth that one in a source must have, for what stands below to answer
CLOSELY = 12  # sentences that are looked at closely

_OF_PRICES = frozenset({"percentage", "telephone"})  # what a price can be told by, or beside

POINTS_BACK = re.compile(
    r"(?:これ|この|その|それ|ここ|そこ|同[社国年氏]|また|他|她|它|牠|此|這|这|該|该|其|但|而|後者|后者|前者)"
    r"|(?:it|its|this|that|these|those|he|she|they|his|her|their|such|however)\b",
    re.IGNORECASE,
)
"""A sentence that begins so goes on about what stood before."""


@dataclass(frozen=True, slots=True)
class Place:
    """Sentence ``at`` of the ``n``-th passage (from 1). ``coverage`` is of the question's weight, from 0 to 1."""

    n: int
    at: int
    coverage: float = 0.0
    score: float = 0.0
    sign: bool = False  # it shows what an answer of the question's kind looks like
    told: bool = False  # it tells one of the question's aspects
    whole: float = 0.0  # coverage, its headings counted in
    left: float = 1.0  # the share it has of what its headings leave open
    around: float = 0.0  # coverage by it, the sentences beside it and its headings, together
    against: bool = False  # it says the opposite of what is asked for

    @property
    def sure(self) -> float:
        """How sure it is that this place answers: what it covers itself, which those around it may help, but not do."""
        return min((self.coverage + self.around) / 2, 2 * self.coverage)


@dataclass(frozen=True, slots=True)
class Scale:
    """What each term of the question is worth against passages folded one way; the worths sum to 1."""

    worth: Mapping[str, float]
    lexical: frozenset[str]  # the terms that texts can have

    def of(self, found: Set[str]) -> float:
        return sum(worth for term, worth in self.worth.items() if term in found)


def ranked(asked: Asked, passages: Mapping[int, Passage]) -> list[Place]:
    """The sentences of the numbered passages, best first; what neither they nor a heading share is left out."""
    if asked.pointing or _unheard_of(asked, passages):
        return []
    scales = _scales(asked, passages)
    in_tables = rows_named(asked.text, passages)
    titles = {n: read(p).heading.of(scales[folding(p.language)].lexical) for n, p in passages.items()}
    on_topic = _on_topic(asked, passages, scales)
    wanted = things(asked.text) if asked.kind is Kind.LIST else ()
    roughly: list[Place] = []
    for rank, (n, passage) in enumerate(passages.items()):
        reading, scale = read(passage), scales[folding(passage.language)]
        has = [_has(s, passage, asked, scale) for s in reading.sentences]
        elsewhere = set().union(*(t for m, t in titles.items() if m != n)) if asked.several else set()
        away = RANK * rank + ELSEWHERE * (1 - on_topic[n])
        titled = any(
            thing.ends(name, passage.language) for thing in wanted for name in (passage.title, passage.section)
        )
        named: set[str] = set()
        for at, (here, sentence) in enumerate(zip(has, reading.sentences, strict=True)):
            over = titles[n] | (set() if _asked_there(sentence, scale) else sentence.led_by.of(scale.lexical))
            led = over | named
            if sentence.quotable and (here or led):
                beside = (has[at - 1] if at else set()) | (has[at + 1] if at + 1 < len(has) else set())
                back = named if POINTS_BACK.match(passage.text, sentence.start) else set()
                covered = scale.of(here | back) + HEADING * scale.of(led - here - back)
                gain = scale.of(beside - here - led)
                left = 1.0 if titled else _of_aspect(scale, here, over, elsewhere, asked)
                roughly.append(
                    Place(
                        n,
                        at,
                        min(covered, left),
                        covered + NEIGHBOURS * gain - away,
                        told=bool(here - scale.lexical),
                        whole=covered,
                        left=left,
                        around=scale.of(here | beside) + HEADING * scale.of(led - here - beside),
                    )
                )
            named |= here & asked.topic
    roughly.sort(key=lambda place: -place.score)
    closely = [_closely(place, asked, passages[place.n], scales) for place in roughly[:CLOSELY]]
    subjects = [subject for subject in asked.subjects if not subject.does]
    others = about_other_things(subjects, asked.language, passages)
    places = [
        _discounted(place, OTHER_THING)
        if place.n in others or in_tables.leave_out(read(passages[place.n]).sentences[place.at])
        else place
        for place in (*closely, *roughly[CLOSELY:])
    ]
    if asked.kind is Kind.YES_NO and mostly_unheard(asked.subjects, asked.names, passages):
        places = [_discounted(place, NOT_HEARD) for place in places]
    if not asked.measure and counts_what_is_nowhere(subjects, asked.language, passages):
        places = [_discounted(place, NOT_COUNTED) for place in places]
    return sorted(places, key=lambda place: -place.score)


def enough(passages: Mapping[int, Passage]) -> float:
    """How sure one has to be that a place of these passages answers.

    Of Japanese ones surer: its questions share more characters with sentences that do not answer them.
    """
    own = ENOUGH_JA if all(folding(p.language) == "ja" for p in passages.values()) and passages else ENOUGH
    return own + AMONG_OTHERS * (1 - 1 / max(1, len(passages)))


def confidence(asked: Asked, sure: float) -> float:
    """From 0 to 1, as it may be compared between questions of different kinds.

    Whether something is so, or one number, name or day, is less often told by the sentence that has all the words than
    what is asked for broadly. By hand, with half of MTRAG in view.
    """
    doubt = OF_YES_NO if asked.kind is Kind.YES_NO else OF_ONE_THING if asked.kind in ONE_THING else 0.0
    return (sure + OF_YES_NO - doubt) / (1 + OF_YES_NO)


def likely(score: float, language: str) -> float:
    """From 0 to 1: how likely it is that the sources answer, where every second question can be answered from them.

    A logistic curve for each language, for questions share more with sentences that do not answer them in Japanese, and
    the score of English tells less. By hand, with half of DRCD, of JSQuAD and of MTRAG in view.
    """
    steep, even = _LIKELY.get(language[:2], _LIKELY["zh"])
    return 1 / (1 + math.exp(-steep * (score - even)))


_LIKELY = {"zh": (15.0, 0.56), "ja": (14.0, 0.72), "en": (4.5, 0.67)}  # how steep the curve is, and where it is even


def _discounted(place: Place, worth: float) -> Place:
    """A place where another thing than the question's is told."""
    return replace(
        place,
        coverage=place.coverage * worth,
        around=place.around * worth,
        score=place.score * worth,
    )


def _unheard_of(asked: Asked, passages: Mapping[int, Passage]) -> bool:
    """Whether the question names things by identifiers, and no passage has any of them."""
    if not asked.identifiers:
        return False
    texts = "\n".join(f"{p.title}\n{p.section}\n{p.source}\n{p.text}" for p in passages.values())
    return not any(same_identifier(identifier, texts) for identifier in asked.identifiers)


def _has(sentence: Sentence, passage: Passage, asked: Asked, scale: Scale) -> set[str]:
    """What of the question stands in the sentence, the aspects that it tells among it."""
    here = sentence.text.of(scale.lexical)
    if sentence.row and any(len(term) > 1 or not is_cjk(term) for term in here):
        here |= sentence.led_by.of(scale.lexical)  # a row that is meant is told with the names of its columns
    if _asked_there(sentence, scale):
        here |= sentence.led_by.of(scale.lexical)  # an answer need not say again what it is asked
    return here | {a.term for a in asked.aspects if _tells(a, sentence, passage, asked)}


def _asked_there(sentence: Sentence, scale: Scale) -> bool:
    """Whether it stands below a question that is by a third, or more, the one that is asked."""
    return sentence.replies and scale.of(sentence.led_by.of(scale.lexical)) >= SAME_QUESTION


def _on_topic(asked: Asked, passages: Mapping[int, Passage], scales: Mapping[str, Scale]) -> dict[int, float]:
    """How much each passage has of what is talked about, by what the passage with most of it has."""
    shares: dict[int, float] = {}
    for n, passage in passages.items():
        scale, reading = scales[folding(passage.language)], read(passage)
        topic = asked.carried & scale.lexical
        shares[n] = scale.of(reading.heading.of(topic).union(*(s.text.of(topic) for s in reading.sentences)))
    most = max(shares.values(), default=0.0)
    return {n: share / most if most else 1.0 for n, share in shares.items()}


def _of_aspect(scale: Scale, here: Set[str], led: Set[str], elsewhere: Set[str], asked: Asked) -> float:
    """The share that the sentence has of what its headings leave open, or 1 where they leave little.

    A title that names what is asked about would else answer every question about it; what the sentence says again
    counts in part, an identifier whole. Of two things that are asked about side by side, the other one is left to the
    passage that has it for its title.
    """
    led = led - asked.identifiers
    open_still = 1 - scale.of(led | elsewhere)
    if open_still < ASPECT:
        return 1.0
    again = BOTH * scale.of(led - elsewhere)
    return (scale.of(here - led - elsewhere) + BOTH * scale.of(here & led - elsewhere)) / (open_still + again)


def leads(place: Place, asked: Asked, passages: Mapping[int, Passage]) -> bool:
    """Whether the line above says more of the question than the sentence itself: the whole list below it answers.

    Above the items of a list, and the rows of a table, that is the section they stand in, too.
    """
    passage = passages[place.n]
    scale = _scales(asked, passages)[folding(passage.language)]
    sentence = read(passage).sentences[place.at]
    over = sentence.led_by.of(scale.lexical)
    if MARK.match(passage.text, sentence.start):
        over |= ready(passage.section, folding(passage.language)).of(scale.lexical)
    return scale.of(over) > scale.of(sentence.text.of(scale.lexical))


def added(asked: Asked, passages: Mapping[int, Passage], first: Place, second: Place) -> float:
    """The share of the question's worth that a second place has and the first has not."""
    scales = _scales(asked, passages)
    scale = scales[folding(passages[second.n].language)]
    had, has = (_has(read(passages[p.n]).sentences[p.at], passages[p.n], asked, scale) for p in (first, second))
    return scale.of(has - had)


def _scales(asked: Asked, passages: Mapping[int, Passage]) -> dict[str, Scale]:
    """Worth is weight times rarity among the sentences shown."""
    readings = [(folding(p.language), read(p)) for p in passages.values()]
    count = OTHERS + sum(len(reading.sentences) for _, reading in readings)
    scales: dict[str, Scale] = {}
    for folded_as in {way for way, _ in readings}:
        weights = asked.weights(folded_as)
        measured = {a.term for a in asked.aspects if a.measured and asked.kind is Kind.HOW_MANY}
        lexical = frozenset(weights) - {aspect.term for aspect in asked.aspects}
        seen = Counter(t for _, r in readings for s in r.sentences for t in s.text.of(lexical))
        seen.update(_telling(asked, passages))
        led = {t for _, r in readings for t in r.heading.of(lexical)}
        worth = {
            t: w
            * math.log(1 + (count - seen[t] + 0.5) / (seen[t] + 0.5))
            * (MISSED if _missed(t, asked, seen, led) else 1)
            for t, w in weights.items()
            if (t not in asked.told or seen[t] or t in led) and (t in lexical or seen[t] or t in measured)
        }
        total = sum(worth.values()) or 1.0
        scales[folded_as] = Scale({t: w / total for t, w in worth.items()}, lexical & worth.keys())
    return scales


def _telling(asked: Asked, passages: Mapping[int, Passage]) -> Counter[str]:
    """How many sentences tell each aspect."""
    return Counter(
        aspect.term
        for aspect in asked.aspects
        for passage in passages.values()
        for s in read(passage).sentences
        if _tells(aspect, s, passage, asked)
    )


def _missed(term: str, asked: Asked, seen: Mapping[str, int], led: Set[str]) -> bool:
    """Whether it is a name that no passage has."""
    return term in asked.names and not seen[term] and term not in led


def _closely(place: Place, asked: Asked, passage: Passage, scales: Mapping[str, Scale]) -> Place:
    """The place with what its clauses and its look add to the score."""
    folded_as = folding(passage.language)
    scale = scales[folded_as]
    sentence = read(passage).sentences[place.at]
    if sentence.row and tells_nothing_asked(asked, sentence, passage, scale.lexical):
        place = _discounted(place, OTHER_THING)
    text = passage.text[sentence.start : sentence.end]
    here = sentence.text.of(scale.lexical - asked.topic)
    parts = [ready(text[c.start : c.end], folded_as).of(here) for c in clauses(text, Span(0, len(text)))]
    nearest = max(scale.of(a | b) for a, b in zip(parts, [*parts[1:], set()], strict=True))
    sign = shows_sign(place.at, asked, passage)
    score = place.score + CLAUSE * nearest
    against = opposite(asked.text, text, _language(asked, passage)) if asked.kind in POLAR else 0.0
    if asked.kind is Kind.YES_NO:  # a sentence that denies answers too, but of two the one that denies nothing more
        score -= DENIES * opposite(asked.text, text, _language(asked, passage))
    if against:
        doubt = UNSIGNED if against == 1 else 1
        return replace(
            place,
            score=score - OPPOSITE * against,
            coverage=place.coverage * doubt,
            around=place.around * doubt,
            against=True,
        )
    if asked.kind in (Kind.HOW_TO, Kind.LIST) and (mark := MARK.match(text)):
        ordered = any(map(str.isdigit, mark["mark"]))
        fits = IN_ORDER if ordered is (asked.kind is Kind.HOW_TO) else 0.0  # steps have an order
        if ordered and asked.kind is Kind.HOW_TO and not any(a.name == "remedy" for a in asked.aspects):
            over = sentence.led_by.of(scale.lexical) | ready(passage.section, folded_as).of(scale.lexical)
            fits += STEPS * bool(over)
        return replace(place, score=score + STRONG * SIGN + fits, sign=True)
    if asked.kind is Kind.LIST:
        return replace(place, score=score + LISTED * sign, sign=sign)
    if asked.kind not in STRONG_SIGNS:
        return replace(place, score=score + SIGN * sign, sign=sign)
    count = len(read(passage).sentences)
    near = sign or any(shows_sign(at, asked, passage) for at in (place.at - 1, place.at + 1) if 0 <= at < count)
    doubt = 1 if near else OTHER_MEASURE if _measures_else(asked, sentence, passage) else UNSIGNED
    coverage = min(place.whole, place.left + SHOWN * sign) * doubt
    score += STRONG * SIGN * sign
    return replace(place, score=score, sign=sign, coverage=coverage, around=place.around * doubt)


def shows_sign(at: int, asked: Asked, passage: Passage) -> bool:
    """Whether the sentence holds, beyond the question's own words, what an answer of the kind looks like."""
    if asked.measure:
        sentence = read(passage).sentences[at]
        return _tells(asked.measure, sentence, passage, asked)
    if not has_sign(asked.kind):
        return False
    sentence = read(passage).sentences[at]
    text = passage.text[sentence.start : sentence.end]
    here = sentence.text.of(_lexical(asked, passage))
    beyond = _beyond(text, sentence.text.folded, here)
    mark = MARK.match(text)
    return shows(asked.kind, beyond[mark.end() :] if mark and len(beyond) == len(text) else beyond)


def told(sentence: Sentence, passage: Passage) -> str:
    """The sentence; a row of a table with the names of its columns."""
    row = row_at(passage, Span(sentence.start, sentence.end)) if sentence.row else None
    return (row.told if row else "") or passage.text[sentence.start : sentence.end]


def _measures_else(asked: Asked, sentence: Sentence, passage: Passage) -> bool:
    """Whether the sentence has a price where another amount is asked for, or another where a price is."""
    wanted = asked.measure
    others = [a for a in measures() if wanted and "price" in (a.name, wanted.name) and a.name not in _OF_PRICES]
    return any(a is not wanted and _tells(a, sentence, passage, asked) for a in others)


def _lexical(asked: Asked, passage: Passage) -> frozenset[str]:
    """The question's terms that a text can have."""
    return frozenset(asked.weights(folding(passage.language))) - {aspect.term for aspect in asked.aspects}


def _tells(aspect: Aspect, sentence: Sentence, passage: Passage, asked: Asked) -> bool:
    """Whether the sentence tells the aspect."""
    text = told(sentence, passage)
    if aspect.unless and aspect.unless.search(text):
        pieces = [text[c.start : c.end] for c in clauses(text, Span(0, len(text)))]
        text = "\n".join(piece for piece in pieces if not aspect.unless.search(piece))
    elif aspect.anew:
        here = sentence.text.of(_lexical(asked, passage))
        return bool(aspect.tells.search(_beyond(text, sentence.text.folded, here)))
    return bool(aspect.tells.search(text))


def _language(asked: Asked, passage: Passage) -> str:
    return passage.language if passage.language != "und" else asked.language


def _beyond(text: str, folded: str, asked: Set[str]) -> str:
    """The text without the words of the question; folded where folding has moved the characters."""
    beyond = list(text if len(text) == len(folded) else folded)
    for term in asked:
        at = folded.find(term) if len(term) > 1 else -1
        while at >= 0:
            beyond[at : at + len(term)] = " " * len(term)
            at = folded.find(term, at + len(term))
    return "".join(beyond)

"""The second sentence that is quoted, where the best one alone does not answer or cannot be understood.

It is never one that says the same of a thing which nobody asked about (``siblings``).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from anaphor.steps.answer.asked import Asked
from anaphor.steps.answer.kinds import Kind
from anaphor.steps.answer.rank import POINTS_BACK, STRONG_SIGNS, Place, added, enough, shows_sign
from anaphor.steps.answer.siblings import is_of_the_other, is_sibling
from anaphor.steps.reading import folding, is_cjk, read
from anaphor.text.fold import matching
from anaphor.text.marks import MARK
from anaphor.text.segment import content_words
from anaphor.types import Passage

NEEDED = 0.2  # what the other of two things must add, of the question's worth
AS_GOOD = 0.8  # of the best one's score, from which on a sentence is as good
CLOSE = 0.65  # of the best one's score, from which on the second of a passage may well be the one that answers
LOOKED_AT = 5  # places among which the sentence for the other of two things is looked for
WHOLE = 0.7  # coverage from which on a sentence says all of the question, and perhaps not what it says it of
REST = 0.15  # the same, of the sentence behind the best, where something is so or not
CLEARER = 1.5  # times the score of the sentence beside the best, from which on one elsewhere is taken in its place
LITTLE = 6  # characters of content beyond the question's: a sentence with fewer says little that is new

_LABEL = re.compile(r"[^\s：:，,。.、；;（(]{1,12}(?: [^\s：:，,。.、；;（(]{1,12}){0,2}\s?[：:]\s?(?=\S)")
_OF_A_THING = frozenset({Kind.WHAT, Kind.WHICH, Kind.WHO, Kind.WHERE})
_STEPS = frozenset({Kind.HOW_TO, Kind.LIST, Kind.YES_NO})  # a sentence more is no likelier to be the one


def with_second(asked: Asked, places: Sequence[Place], passages: Mapping[int, Passage]) -> list[Place]:
    """The best place, and at most one more, as they should be read; ``places`` are ranked, best first."""
    best, others = places[0], places[1:]
    if asked.several:
        near = others[:LOOKED_AT]
        second = [p for p in near if is_of_the_other(asked, best, p, passages)]
        return _in_order(best, (second or [p for p in near if _of_the_other(asked, passages, best, p)])[:1])
    if asked.kind is Kind.COMPARE:
        return _in_order(best, [max(others, key=lambda p: added(asked, passages, best, p))] if others else [])
    chosen = _alone_or_with(asked, best, others, passages)
    form = _form(best, passages)
    if form[0] and asked.kind not in _STEPS:
        return [best]  # the item that is meant: the next one is of another thing
    return [p for p in chosen if p is best or (_form(p, passages) == form and not is_sibling(asked, best, p, passages))]


def _form(place: Place, passages: Mapping[int, Passage]) -> tuple[bool, bool]:
    """Whether it is an item of a list, or a row: what stands beside those speaks of something else than one of them.

    So is a line that begins with what it is about, among others that do: 會議室：1 小時 600 元.
    """
    passage = passages[place.n]
    found = read(passage).sentences
    said = [
        said_at(Place(place.n, at), passage) for at in (place.at, place.at - 1, place.at + 1) if 0 <= at < len(found)
    ]
    labelled = bool(_LABEL.match(said[0])) and any(_LABEL.match(one) for one in said[1:])
    return bool(MARK.match(said[0])) or labelled, found[place.at].row


def _alone_or_with(asked: Asked, best: Place, others: Sequence[Place], passages: Mapping[int, Passage]) -> list[Place]:
    """The best place of a question about one thing, and what it needs beside it."""
    if asked.kind in STRONG_SIGNS and not best.sign:
        return _in_order(best, _showing(asked, best, others, passages))
    if asked.aspects and not asked.measure and not best.told:
        telling = [p for p in others if p.told and p.n == best.n]
        telling += [p for p in others[:LOOKED_AT] if p.told and p.sure >= enough(passages)]
        if telling:
            return _in_order(best, telling[:1])
    passage = passages[best.n]
    before = _before(asked, best, others, passages)
    unclear = [] if before else _unclear(asked, best, others, passage)
    if unclear:
        return [best, *unclear]
    if asked.kind is Kind.HOW_TO and not before and (led := _done_first(best, passage)):
        return [*led, best]
    if asked.kind is Kind.YES_NO and not before and (rest := _with_the_rest(asked, best, passages)):
        return [best, *rest]
    leading = before or _pointed_at(asked, best, passage) or _naming(asked, best, passage)
    return [*leading, best] if leading else [best, *_going_on(best, passage)]


def _in_order(best: Place, second: Sequence[Place]) -> list[Place]:
    """Two places of one passage in its order."""
    both = [best, *second]
    return sorted(both, key=lambda p: p.at) if all(p.n == best.n for p in second) else both


def _showing(asked: Asked, best: Place, others: Sequence[Place], passages: Mapping[int, Passage]) -> list[Place]:
    """What shows the number or date that was asked for: a sentence beside the best, or one that fits clearly better."""
    beside = [p for p in _beside(best, passages[best.n]) if shows_sign(p.at, asked, passages[p.n])]
    showing = [p for p in others[:LOOKED_AT] if p.sign and p.sure >= enough(passages)]
    scores = {(p.n, p.at): p.score for p in others}
    if showing and beside and showing[0].score > CLEARER * scores.get((beside[0].n, beside[0].at), 0.0):
        return showing[:1]
    return (beside or showing)[:1]


def _before(asked: Asked, best: Place, others: Sequence[Place], passages: Mapping[int, Passage]) -> list[Place]:
    """The sentence before, where the best begins by pointing back at it and it has what the best lacks."""
    if not POINTS_BACK.match(said_at(best, passages[best.n])):
        return []
    before = [p for p in others if p.n == best.n and p.at == best.at - 1]
    return before if before and added(asked, passages, best, before[0]) >= NEEDED else []


def _done_first(best: Place, passage: Passage) -> list[Place]:
    """What stands directly below a heading that asks, and before the best: what is done, then what comes of it."""
    found = read(passage).sentences
    heading = passage.section.rpartition("› ")[2].rstrip()
    first = next((at for at, sentence in enumerate(found) if sentence.quotable), best.at)
    return [Place(best.n, first)] if heading.endswith(("?", "？")) and best.at - 2 <= first < best.at else []


def said_at(place: Place, passage: Passage) -> str:
    """The sentence at the place."""
    sentence = read(passage).sentences[place.at]
    return passage.text[sentence.start : sentence.end]


def _with_the_rest(asked: Asked, best: Place, passages: Mapping[int, Passage]) -> list[Place]:
    """The next sentence, where it has what the best lacks: "No booking is needed", behind "There is a car park"."""
    found = read(passages[best.n]).sentences
    after = Place(best.n, best.at + 1)
    there = after.at < len(found) and found[after.at].quotable and not found[after.at].row
    return [after] if there and added(asked, passages, best, after) >= REST else []


def _of_the_other(asked: Asked, passages: Mapping[int, Passage], best: Place, other: Place) -> bool:
    """Whether a place is for the other of two things: it has what the best lacks, or is as good and of elsewhere."""
    gain = added(asked, passages, best, other)
    return gain >= NEEDED or (other.n != best.n and gain > 0 and other.score >= AS_GOOD * best.score)


def _pointed_at(asked: Asked, best: Place, passage: Passage) -> list[Place]:
    """The sentence before one that points back, or has no subject of its own, where a thing is asked for: it names it.

    Where a time is asked for, the one before "in the same year".
    """
    why = asked.kind is Kind.WHY  # whose answer is told, and then what came of it
    timed = asked.kind in (Kind.YEAR, Kind.WHEN)
    if not (why or timed or asked.kind in _OF_A_THING) or not best.at or _points().search(asked.text):
        return []
    before = Place(best.n, best.at - 1)
    said = said_at(best, passage)
    if timed:
        points = bool(_same_time().match(said)) and shows_sign(before.at, asked, passage)
    else:
        points = follows(said) if why else bool(_points().search(said) or _no_subject().match(said))
    return [before] if points and read(passage).sentences[before.at].quotable else []


def follows(said: str) -> bool:
    """Whether a sentence says what came of what stands before it."""
    return bool(POINTS_BACK.match(said) or _so().match(said))


def _naming(asked: Asked, best: Place, passage: Passage) -> list[Place]:
    """Where a thing is asked for that the passage is about and the sentence leaves out: what says its name.

    "Which of the ten members has no coast?" — "As its only land without one, it …", of an article on Laos. That is the
    first sentence which begins with the title; else the title itself, where it stands in the text.
    """
    title = matching(passage.title, passage.language)
    if (
        not title
        or asked.kind not in _OF_A_THING
        or best.coverage < WHOLE
        or not _asks_for_the_thing().search(asked.text)
    ):
        return []
    language = passage.language
    if any(title in matching(text, language) for text in (asked.text, said_at(best, passage))):
        return []
    found = read(passage).sentences
    begins = [at for at, s in enumerate(found[: best.at]) if s.text.folded.startswith(title)]
    begins.sort(key=lambda at: not found[at].quotable)
    return [Place(best.n, at) for at in begins[:1]]


def _unclear(asked: Asked, best: Place, others: Sequence[Place], passage: Passage) -> list[Place]:
    """The runner-up of the same passage, where either may be the one that answers, or the best says little new."""
    runner_up = next((p for p in others[:LOOKED_AT] if p.n == best.n), None)
    if runner_up is None or runner_up.against or asked.kind in _STEPS:
        return []
    person = asked.kind is Kind.WHO and asked.text.isascii()  # whose look tells less in Chinese and Japanese
    if best.sign and not runner_up.sign and (asked.measure or person or asked.kind in STRONG_SIGNS):
        return []  # only one of them has a number, a date or a person at all
    if asked.text.isascii() and not _shares(asked, runner_up, passage) and _shares(asked, best, passage):
        return []  # all it has of the question stands over both
    close = runner_up is others[0] and runner_up.score >= CLOSE * best.score
    return [runner_up] if close or _says_little(asked, best, passage) else []


def _shares(asked: Asked, place: Place, passage: Passage) -> bool:
    """Whether the sentence itself has a word of the question."""
    wanted = {t for t in asked.weights(folding(passage.language)) if len(t) > 1 or not is_cjk(t)}
    return bool(read(passage).sentences[place.at].text.of(wanted))


def _says_little(asked: Asked, place: Place, passage: Passage) -> bool:
    question = matching(asked.text, folding(passage.language))
    words = content_words(said_at(place, passage), passage.language)
    return sum(len(word.term) for word in words if word.term not in question) < LITTLE


def _going_on(best: Place, passage: Passage) -> list[Place]:
    """The next sentence, where it begins by taking the best up: what was asked is often said of it there."""
    found = read(passage).sentences
    at = best.at + 1
    goes_on = at < len(found) and found[at].quotable and _takes_up().match(passage.text, found[at].start)
    return [Place(best.n, at)] if goes_on else []


def _beside(place: Place, passage: Passage) -> list[Place]:
    """The sentences around that may be quoted, the nearest first, those before ahead of those behind."""
    found = read(passage).sentences
    near = [place.at + away for away in (-1, 1, -2) if 0 <= place.at + away < len(found)]
    return [Place(place.n, at) for at in near if found[at].quotable]


@functools.cache
def _points() -> re.Pattern[str]:
    """What points, within a sentence, at something that was named before it."""
    return re.compile(
        r"[這这](?![裡里種种些樣样麼么])|此(?![外時时前後后])|[該该](?!死)|其(?![他它中餘余實实次])"
        r"|この(?!ほか|他|ため|よう)|その(?!後|ため|ほか|他|よう|まま|もの)|\b(?:this|these|such an?)\b",
        re.IGNORECASE,
    )


@functools.cache
def _no_subject() -> re.Pattern[str]:
    """What begins a sentence whose subject was named before it."""
    return re.compile(
        r"是(?!否)|此乃|即[是為为]|[也亦又並并](?=[被稱称是為为叫名])|從此|从此|(?:also |is |was )(?=[a-z])",
        re.IGNORECASE,
    )


@functools.cache
def _same_time() -> re.Pattern[str]:
    return re.compile(
        r"同[年月日](?!代)|當年|当年|從此|从此|同年|この年|同じ年|(?:in )?th(?:at|e same) (?:year|day|month)\b",
        re.IGNORECASE,
    )


@functools.cache
def _so() -> re.Pattern[str]:
    """What begins a sentence whose reason stands before it."""
    return re.compile(
        r"因此|所以|[於于]是|因而|從此|从此|結果|结果|そのため|このため|よって|したがって|こうして"
        r"|(?:therefore|thus|hence|so|as a result|consequently)\b",
        re.IGNORECASE,
    )


@functools.cache
def _takes_up() -> re.Pattern[str]:
    return re.compile(
        r"(?:これ|この|それを|[對对]此|為此|为此|因此|此後|此后|此[舉举一]|[這这](?!裡|里)|該|该"
        r"|(?:this|these|for this|it was)\b)",
        re.IGNORECASE,
    )


@functools.cache
def _asks_for_the_thing() -> re.Pattern[str]:
    """A question whose answer is the name of what it describes."""
    return re.compile(
        r"(?:は|とは|のは|って)\s*(?:何|なに|なん|誰|だれ|どこ|どれ|どの|どちら|いずれ)?\w{0,8}[か]?\s*[?？。]?\s*$"
        r"|何と(?:いう|呼|言)|という\w{0,4}は|(?:是|為|为|叫|稱為|称为)(?:什麼|什么|甚麼|誰|谁|哪|何)|^(?:哪|誰|谁|什麼|什么|何)"
        r"|^\W*(?:what|which|who)\b",
        re.IGNORECASE,
    )

"""From a reading to the query: the weighted terms, and the sub-queries.

Weights. A word of the standalone text counts 1, a span that was carried besides what the rule gave it; what a pronoun
meant counts more, since the question is about it. The other words of the turns a reading hangs on count a little
(``QUESTION``), those the last answer kept using a little less (``ANSWER``): on multi-turn questions over English
documents this finds about as much as a person's rewrite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.parts import QUERY_AT_MOST, sub_queries
from anaphor.steps.reconstruct.reading import BESIDES, ORDINAL, OTHER_TOPIC, PRONOUN, SLOT, TOPIC, ZERO_SUBJECT, Reading
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.spans import Span, spans
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.text.fold import matching
from anaphor.text.segment import content_words
from anaphor.types import Decision, LeftBehind, StandaloneQuery, Term

MEANT = 1.7  # what a pronoun, an ordinal or a slot meant: what the question is about
ASKED = MEANT  # what a question names that left its subject unsaid
QUESTION = 0.3  # a word of the question that the utterance hangs on
ANSWER = 0.2  # a word that the answer to it used more than once
PASTED = 0.3
ANSWER_LONG = 240  # characters: a short answer is a fact, and a fact is not to be searched for; a long one
# brings vocabulary
ANSWER_WORDS = 12
TERMS_AT_MOST = 64
READ_AS_IT_STANDS, WEIGHED = 0.75, 0.8  # how sure a reading is that leaves a question alone; and with words beside it


def carry(heard: Heard, thread: Thread, reading: Reading) -> StandaloneQuery:
    """The query that needs no history."""
    text = reading.text.strip()[:QUERY_AT_MOST] or heard.asked[:QUERY_AT_MOST] or heard.text.strip()[:QUERY_AT_MOST]
    retrieves = reading.decision.retrieves
    if heard.pasted and retrieves and not heard.topics:
        text = f"{text}\n{heard.pasted}"[:QUERY_AT_MOST]  # what does this mean? — the log says what "this" is
    likely = spans(heard, thread, reading)
    reading = replace(reading, left_behind=_still_left(reading.left_behind, likely))
    queries = sub_queries(text, heard.language) if retrieves and not heard.pasted else ()
    return StandaloneQuery(
        text=text,
        decision=reading.decision,
        confidence=_sure(reading) if likely else reading.confidence,
        language=heard.language,
        queries=queries,
        terms=tuple(terms(heard, thread, reading, likely)) if retrieves else (),
        carried=reading.carried if retrieves else (),
        left_behind=reading.left_behind,
        signals=reading.signals,
        asks_about_memory=bool(pattern(heard.language, "memory").search(heard.seen.text)),
    )


def _sure(reading: Reading) -> float:
    """Where what may be meant is weighed, a rewrite finds no more: a question that was read as it stands is left so."""
    stands = reading.decision in (Decision.STANDALONE, Decision.NEW_TOPIC) and reading.confidence >= READ_AS_IT_STANDS
    return max(reading.confidence, WEIGHED) if stands else reading.confidence


def _still_left(left: tuple[LeftBehind, ...], likely: Sequence[Span]) -> tuple[LeftBehind, ...]:
    """What is weighed a little is not left behind for another topic."""
    weighed = [matching(word, "en") for span in likely for word in _words(span.text, "en")]
    return tuple(x for x in left if x.reason != OTHER_TOPIC or not any(w in matching(x.text, "en") for w in weighed))


def terms(heard: Heard, thread: Thread, reading: Reading, likely: Sequence[Span] = ()) -> Iterable[Term]:
    """The heaviest weight each span is given; none that was left behind.

    What was said in this utterance stays whole in Chinese and Japanese: an index that cuts it into overlapping pairs
    of characters would lose, between two words, the pairs that join them. Of earlier turns only content counts.
    """
    known = any(span.reason == BESIDES for span in reading.carried)  # is not looked for
    own = reading.own if known and reading.own is not None else reading.text
    weights: dict[str, tuple[str, float]] = {}

    def add(words: Iterable[str], weight: float) -> None:
        for word in words:
            key = matching(word, heard.language).strip()
            if any(map(str.isalnum, key)) and (key not in weights or weights[key][1] < weight):
                weights[key] = (weights.get(key, (word, 0))[0], weight)

    gone = [part for x in reading.left_behind for part in _parts(matching(x.text, heard.language))]
    chosen = [matching(span.text, heard.language) for span in reading.carried]
    gone = [part for part in gone if not any(part in key for key in chosen)]  # the once of "at most once"
    gone += [r.key for r in thread.retracted]
    add(_words(own, "en") if heard.language == "en" else [own.strip()], 1.0)
    if any(span.reason == SLOT for span in reading.carried) and reading.own:
        add([reading.own], MEANT)  # 那不含蛋的呢？ asks of what was said just now
    if heard.language != "en" and any(span.reason in (ZERO_SUBJECT, TOPIC) for span in reading.carried):
        add([p.text for p in heard.given], ASKED)
    for span in reading.carried:
        if span.reason != BESIDES:
            add([span.text], MEANT if span.reason in (PRONOUN, ORDINAL) else span.weight)
    for seq, factor in reading.weigh:
        turn = thread.by(seq)
        if turn is not None:
            add(_words(turn.standalone, turn.language), QUESTION * factor)
            if turn is thread.last:
                add(_vocabulary(turn), ANSWER * factor)
    for span_ in likely:
        add(_words(span_.text, heard.language), span_.probability)
    add(_words(heard.pasted, heard.language), PASTED)
    said = matching(own, heard.language)
    kept = [Term(word, weight) for key, (word, weight) in weights.items() if key in said or not _touches(key, gone)]
    return sorted(kept, key=lambda t: -t.weight)[:TERMS_AT_MOST]


def _parts(key: str) -> list[str]:
    """What was left behind, and if it is written in several words each of them."""
    words = [w for w in key.split(" ") if len(w) > 2] if key.isascii() else []
    return [key, *words]


def _touches(key: str, gone: list[str]) -> bool:
    return any(g and (g in key or (key in g and len(key) > 1)) for g in gone)


def _words(text: str, language: str) -> list[str]:
    return [text[w.start : w.end] for w in content_words(text, language)]


def _vocabulary(turn: Said) -> list[str]:
    """What a long answer says again and again. An unverified one only resolves references."""
    if not turn.weighed or len(turn.answer) < ANSWER_LONG:
        return []
    words = content_words(turn.answer, turn.answer_language)
    counted = Counter(w.term for w in words)
    shown = {w.term: turn.answer[w.start : w.end] for w in words}
    return [shown[term] for term, n in counted.most_common(ANSWER_WORDS) if n > 1]

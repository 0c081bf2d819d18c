"""What was said so far, as far as a later utterance may reach back to it."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from functools import cached_property

from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.text.language import settle
from anaphor.text.sentences import sentences

RECENCY = 0.65  # how much of its salience a mention keeps from one turn to the next
TOPIC_MARKED = 0.35  # more, for what a question in Japanese begins with and marks as its topic
ANSWER_SEEN = 800  # characters of an answer that are searched for antecedents


@dataclass(frozen=True)
class Said:
    """One turn. ``standalone`` is the question as it came to mean; ``answer`` resolves references.

    ``weighed`` says whether the answer's words may be weighed too: those of an assistant text that we never committed
    may not.
    """

    seq: int
    question: str
    standalone: str
    answer: str = ""
    weighed: bool = True
    language: str = "und"

    @cached_property
    def guessed(self) -> bool:
        """Whether the subject was put before or behind a question that had none."""
        said, meant = self.question.rstrip("?？。.!！ "), self.standalone.rstrip("?？。.!！ ")
        same = next((n for n, (a, b) in enumerate(zip(said, meant, strict=False)) if a != b), len(said))
        return len(said) < len(meant) and meant.endswith(said[same:])

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        return phrases(self.standalone, self.language)

    @cached_property
    def answer_language(self) -> str:
        return _settled(self.answer[:400], self.standalone)

    @cached_property
    def answer_phrases(self) -> tuple[Phrase, ...]:
        return phrases(self.answer[:ANSWER_SEEN], self.answer_language)

    @cached_property
    def topics(self) -> tuple[Phrase, ...]:
        """The phrases of the question that name something; of a question that names nothing, attributes and actions."""
        named = tuple(p for p in self.phrases if p.names_something)
        return named or tuple(p for p in self.phrases if p.attribute) or tuple(p for p in self.phrases if p.verbal)

    @cached_property
    def topic(self) -> str:
        """What the question was about, in one stretch of its words (台北到花蓮的火車)."""
        named = self.topics
        if not named:
            return ""
        first, last = named[0], named[0]
        for phrase in named[1:]:
            if len(self.standalone[last.end : phrase.start]) > (14 if self.language == "en" else 5) or _BREAK.search(
                self.standalone[last.end : phrase.start]
            ):
                break
            last = phrase
        return self.standalone[first.start : last.end]

    @cached_property
    def given(self) -> str:
        """In English, the topic that was put behind a question that had said none."""
        said, meant = self.question.rstrip("?.! "), self.standalone.rstrip("?.! ")
        more = meant[len(said) :] if meant.startswith(said) and self.language == "en" else ""
        return more.removeprefix(" for ") if more.startswith(" for ") else ""

    @cached_property
    def owner(self) -> str:
        """Of what something was asked (海鳴電機, when its employees were asked about); else the topic."""
        owners = [p for p in self.topics if p.owner]
        return owners[-1].text if owners else self.topic

    @cached_property
    def named_topic(self) -> str:
        """In English, the name that was asked about with what it belongs to (visa for Cordellia); else the topic."""
        for before, phrase in zip((None, *self.topics), self.topics, strict=False):
            if phrase.named:
                linked = before and _LINK.fullmatch(self.standalone[before.end : phrase.start])
                return self.standalone[(before if before and linked else phrase).start : phrase.end]
        return self.topic

    @cached_property
    def last_sentences(self) -> list[str]:
        spans = sentences(self.answer[-600:])
        tail = self.answer[-600:]
        return [tail[s.start : s.end] for s in spans]


@functools.lru_cache(maxsize=1024)
def _settled(answer: str, asked: str) -> str:
    return settle(answer, (asked,))


_BREAK = re.compile(
    "[?？!！。;；\n]|出現|出现|顯示|显示|是|要|有|可以|能|会|會|嗎|吗|は|が|[租借買买訂订办辦][一两兩三]|\\b(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|what|how|why|who|when|where|and)\\b"
)


_LINK = re.compile(r" (?:of|for|in|at|on|from|to) (?:the |a |an )?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase of an earlier turn, with how likely it is meant when something is only pointed at."""

    phrase: Phrase
    seq: int
    said_in: str  # question, answer
    salience: float
    source: str = field(repr=False, default="")

    @property
    def text(self) -> str:
        """As it is written into another sentence: with its article if it had one."""
        before = self.source[max(0, self.phrase.start - 6) : self.phrase.start].casefold()
        if (
            self.phrase.text.isascii()
            and re.search(r"\b(?:a|an|the|my|your|our|this) $", before)
            and not self.phrase.named
        ):
            return f"the {self.phrase.text}"
        return self.phrase.text


@dataclass(frozen=True, slots=True)
class Retraction:
    """A span the person took back in turn ``seq``."""

    text: str
    key: str
    seq: int


@dataclass(frozen=True, slots=True)
class Thread:
    """The turns since the last fresh start, oldest first."""

    said: tuple[Said, ...] = ()
    retracted: tuple[Retraction, ...] = ()

    @property
    def last(self) -> Said | None:
        return self.said[-1] if self.said else None

    @property
    def latest(self) -> Said | None:
        """The newest turn whose question holds anything to carry."""
        return next((turn for turn in reversed(self.said) if turn.phrases), None)

    @property
    def talk(self) -> tuple[str, ...]:
        return tuple(turn.question for turn in self.said)

    def by(self, seq: int) -> Said | None:
        return next((turn for turn in self.said if turn.seq == seq), None)

    def is_retracted(self, key: str) -> bool:
        return any(r.key in key for r in self.retracted)

    def mentions(self) -> list[Mention]:
        """Everything that may be meant, the most likely first. What was taken back is not among it."""
        found: dict[str, Mention] = {}
        newest = len(self.said) - 1
        spoken = [{p.key for p in turn.phrases} for turn in self.said]
        for age, turn in ((newest - i, turn) for i, turn in enumerate(self.said)):
            for mention in _mentions(turn, age):
                key = mention.phrase.key
                again = sum(key in keys for keys in spoken)
                salience = mention.salience + 0.15 * max(0, again - 1)
                if not self.is_retracted(key) and (key not in found or found[key].salience < salience):
                    found[key] = Mention(mention.phrase, mention.seq, mention.said_in, salience, mention.source)
        return sorted(found.values(), key=lambda m: -m.salience)


_WHICH = re.compile(r"(?:哪[^些\s]{0,2}|どの|どちらの|\bwhich |\bwhat )$")


def _owns(phrase: Phrase, owning: set[int], turn: Said) -> float:
    """海豚平台的地址 is about 海豚平台, but 海豚平台的 webhook about the webhook."""
    if turn.language == "en":
        return phrase.owner
    return (phrase.start in owning) - 0.5 * (phrase.owner and phrase.start not in owning)


def _mentions(turn: Said, age: int) -> list[Mention]:
    """Recent over older, the person's own words over the answer's, owners and names over the rest."""
    found = []
    owning = {p.start for p, after in zip(turn.phrases, turn.phrases[1:], strict=False) if p.owner and after.attribute}
    for i, phrase in enumerate(turn.topics):
        named = (
            0.3 if turn.language == "en" else 0.1
        ) * phrase.named  # a name in Latin letters is nothing special there
        salience = RECENCY**age * (1 + named + 0.4 * _owns(phrase, owning, turn) + 0.15 * (i == 0))
        salience += TOPIC_MARKED * (
            i == 0 and turn.language == "ja" and turn.standalone[phrase.end : phrase.end + 1] == "は"
        )
        if _WHICH.search(turn.standalone[max(0, phrase.start - 6) : phrase.start].casefold()):
            salience /= 2  # which company: none is named by that
        found.append(Mention(phrase, turn.seq, "question", salience, turn.standalone))
    opening = next((s.end for s in sentences(turn.answer[:ANSWER_SEEN])), 0)
    for phrase in turn.answer_phrases:
        if phrase.names_something:
            salience = (0.7 if phrase.end <= opening else 0.4) * RECENCY**age + 0.3 * phrase.named + 0.05 * phrase.owner
            found.append(Mention(phrase, turn.seq, "answer", salience, turn.answer))
    return found

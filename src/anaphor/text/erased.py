"""What stands where something was erased: of an answer whose source it was, and of a text that it was a part of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from anaphor.text.patterns import pattern
from anaphor.types import EvidenceClass, Passage, Span

_STANDS_FOR = {
    "zh-Hant": "（這個回答所引用的內容已被刪除。）",
    "zh-Hans": "（这个回答所引用的内容已被删除。）",
    "ja": "（この回答が引用していた内容は削除されました。）",
    "en": "(What this answer quoted has been erased.)",
}


def stands_for(language: str) -> str:
    """In the language of the turn; in English where that is not known."""
    return _STANDS_FOR.get(language, _STANDS_FOR["en"])


def left_of(passage: Passage, gone: Span) -> Iterator[Passage]:
    """What is left of a person's words without that stretch of their turn: what stands before it, and behind it.

    Words that only joined the two (and, 而且, それに) go with it. Each piece has an id of its own.
    """
    if passage.evidence_class is not EvidenceClass.USER_STATEMENT:
        return
    whole = passage.passage_id.rpartition(":")[0]
    for start, end in ((passage.start, gone.start), (gone.end, passage.start + len(passage.text))):
        text = passage.text[max(0, start - passage.start) : max(0, end - passage.start)]
        bare = _BEFORE.sub("", _BEHIND.sub("", text))
        if len(list(filter(str.isalnum, bare))) < SHORTEST:
            continue
        at = max(start, passage.start) + text.index(bare)
        name = f"{whole}:{at}-{at + len(bare)}"
        yield replace(passage, passage_id=name, text=bare, start=at, end=at + len(bare))


SHORTEST = 2  # letters and digits of a piece that says something
_JOINS = r"and|but|so|also|plus|而且|并且|並且|也|还有|還有|然后|然後|但是?|それに|そして|また|しかし"
_BEFORE = pattern(rf"^(?:[\s,，、;；。．.!！?？:：]|(?:{_JOINS})(?![a-z]))+")
_BEHIND = pattern(r"(?:[\s,，、;；:：]|\b(?:and|but|so|also|plus)\b(?=[\s,]*$))+$")


def joined(text: str, gone: Sequence[Span]) -> list[Span] | None:
    """The stretches with the words and marks that join them to the rest; ``None`` where hardly anything is left."""
    found, left = [], text
    for span in gone:
        before, behind = _BEHIND.search(text[: span.start]), _BEFORE.match(text[span.end :])
        start = before.start() if before else span.start
        found.append(Span(start, span.end + (behind.end() if behind else 0)))
        left = left[:start] + " " * (found[-1].end - start) + left[found[-1].end :]
    return found if len(list(filter(str.isalnum, left))) >= ENOUGH else None


ENOUGH = 4  # letters and digits of what still says something

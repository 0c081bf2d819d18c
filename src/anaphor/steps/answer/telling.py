"""An utterance that tells something and asks nothing: I moved the dentist to Friday. 我叫小美。 歯医者は金曜です。

There is nothing to answer, unless a source covers nearly all of it: "My order arrived broken" may find its rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphor.steps.answer.quote import usable
from anaphor.steps.reading import folding, read, terms
from anaphor.steps.reconstruct.wording import Kind, same_identifier
from anaphor.steps.reconstruct.wording import tokens as named_tokens
from anaphor.text.deeds import CHANGING, COUNTING, told
from anaphor.text.fold import matching
from anaphor.text.mood import Mood, mood
from anaphor.text.patterns import pattern
from anaphor.text.segment import content_words
from anaphor.text.sentences import sentences
from anaphor.types import Decision, Evidence, Question, StandaloneQuery, Turn

COVERED = 0.8  # share of what is told from which on a sentence of the sources is about it
_SHORT = 60
_LONGEST = 600  # characters; who pastes a text wants something of it


def only_tells(question: Question, query: StandaloneQuery) -> bool:
    """Whether the person states something of their own, and neither asks, wishes, orders nor takes anything up."""
    text = question.text
    if len(text) > _LONGEST or query.decision not in _MAY_TELL:
        return False
    if (query.carried or query.decision is Decision.FOLLOW_UP) and not _TELLS_BY_ITSELF.search(text):
        return False
    moods = {mood(text[s.start : s.end]) for s in sentences(text)}
    return (
        Mood.ASSERTION in moods
        and moods <= {Mood.ASSERTION, Mood.COURTESY}
        and (bool(_OF_ONESELF.search(text)) or _changes(text, query.language))
        and not _WISHES.search(text)
    )


_MAY_TELL = frozenset({Decision.STANDALONE, Decision.NEW_TOPIC, Decision.FOLLOW_UP})

# Begins with who tells it, and says nothing of what was asked or meant before: whatever could be taken on, it needs
# nothing of it.
_TELLS_BY_ITSELF = pattern(
    r"^\W*(?:(?:and|but|so|also|well|by the way|actually|oh),? )*"
    r"(?:i|we|my|our)(?:['’]\w+)?\b(?!.{0,12}\b(?:mean|meant|ask\w*|question|talk\w*|refer\w*|said|say)\b)"
    r"|^\W*(?:對了|对了|其實|其实|還有|还有|另外)?[，,]?(?:我|我們|我们|咱)(?!.{0,6}(?:問|问|指|說|说|意思|講|讲))"
    r"|^\W*(?:私|僕|俺|うち)[はのがも](?!.{0,12}(?:聞|質問|言|意味))",
    re.IGNORECASE,
)


def _changes(text: str, language: str) -> bool:
    """Whether it says that something of theirs is no longer as it was: 賣了三隻雞, 手机号换成139…了."""
    does = (told(text[s.start : s.end], language) for s in sentences(text))
    return any(one.so and one.deeds & (CHANGING | COUNTING) for one in does)


def last_asked(question: Question, history: Sequence[Turn]) -> str:
    """The person's question before this one, where this one asks what it was: what did I just ask? 我剛才問了什麼？"""
    if len(question.text) > _SHORT or not _WHAT_WAS_ASKED.search(question.text):
        return ""
    asked = [
        turn
        for turn in history
        if any(mood(turn.question[s.start : s.end]) is Mood.QUESTION for s in sentences(turn.question))
    ]
    return (asked or list(history))[-1].question if history else ""


_WHAT_WAS_ASKED = pattern(
    r"\bwhat (?:did i|have i|was it (?:that )?i) (?:just |only |last )*(?:ask|asked)(?: you)?(?: just now"
    r"| before| last| a moment ago)?\W*$"
    r"|\bwhat was (?:my|the) (?:last|previous) question\b|\bwhat was i (?:just )?asking\b"
    r"|我(?:剛才|刚才|剛剛|刚刚|剛|刚|上一次|之前|前面)*(?:問|问)(?:了|過|过|的是|的|你)*(?:什麼|什么|啥)"
    r"|我(?:的)?(?:上一?個|上一?个|剛才的|刚才的|前一個|前一个)(?:問題|问题)是(?:什麼|什么)"
    r"|何を(?:聞[いき]|尋ね|質問し)(?:た|まし)|(?:前|さっき|直前|先ほど)の質問(?:は|って)何",
    re.IGNORECASE,
)


def bears_on(query: StandaloneQuery, evidence: Evidence) -> bool:
    """Whether a sentence that may be quoted has nearly all that was told, or a passage has an identifier of it."""
    passages = usable(query, evidence)
    found = [t.term for t in named_tokens(query.text, query.language) if t.kind is Kind.IDENTIFIER]
    if any(same_identifier(name, matching(p.text)) for name in found for p in passages.values()):
        return True
    for passage in passages.values():
        way = folding(passage.language)
        said = " ".join(word.term for word in content_words(query.text, query.language))
        wanted = terms(said, way)
        for sentence in read(passage).sentences if wanted else ():
            if sentence.quotable and len(sentence.text.of(wanted)) >= COVERED * len(wanted):
                return True
    return False


# Words for oneself; in Japanese, which leaves them out, the end of a sentence that says what was done or is so.
_OF_ONESELF = pattern(
    r"\b(?:i|i['’](?:m|ve|ll|d)|we|we['’](?:re|ve|ll)|my|our|mine)\b"
    r"|我|咱|本人|敝"
    r"|(?:私|わたし|僕|ぼく|俺|うち|自分|弊社)(?:たち|達)?(?:は|が|も|の|を|に)"
    r"|(?:ました|[てで]います|[てで]おります|[てで]ます|ことにした|になった|になります|にします|する予定です|だった|でした)(?:よ|ね|。|！|!|\s|$)"
    r"|(?<!件)(?<!こと)(?<!話)(?<!について)(?:です|ます|ません|あります|います|だよ|だね)(?:よ|ね|。|！|!|\s|$)"
    # somebody by name, who does what people do
    r"|^\s*(?-i:[A-Z][a-z'-]+(?: [A-Z][a-z'-]+)?) (?:is|was|has|had|lives?|lived|works?|worked|moved|likes?"
    r"|loves?|hates?|prefers?"
    r"|plays?|stud(?:y|ies|ied)|got|bought|sold|speaks?|came|went|drives?|teaches|taught|runs?|owns?|adopted"
    r"|married|broke|lost|won"
    r"|passed|graduated|retired|joined|left|can['’]?t|doesn['’]?t|isn['’]?t)\b",
    re.IGNORECASE,
)

# What wants something of the listener, or is at a loss.
_WISHES = pattern(
    r"\b(?:i|we)(?: (?:just|only|really|also|still|do))? (?:want|need|wish|wonder|forgot|forget|lost)\b"
    r"|\bwould like\b|['’]d like\b|\blooking for\b|\b(?:trying|hoping) to\b|\b(?:can['’]?t|cannot|could ?n['’]?t)\b"
    r"|\b(?:don['’]t|do not|didn['’]t) (?:know|understand|see|find|get)\b|\bquestion\b|\bhelp\b|\bplease\b"
    r"|想(?!起|到|法|像|必)|要(?!求|好)|需要|希望|忘|找不到|不知道|不懂|不明白|不能|無法|无法|沒辦法|没办法|問題|问题|幫|帮|請|请|求"
    r"|たい|ほしい|欲しい|忘れ|でき(?:ない|ません)|わか(?:らない|りません)|分か(?:らない|りません)|困|お願い|教え|質問|願え"
    r"|わたく?しは何|とは$",
    re.IGNORECASE,
)

"""What of a question about the past says what is looked for.

"Can you list the order in which I brought up different aspects of my essay throughout our conversations? Mention only
three items." looks for the essay. That there were conversations, that the answer is to be a list and how long, is found
nowhere, or everywhere: such words only bring up messages that happen to have them. What somebody says before the
question stays: it was tried without, and what people begin with tells more often than not what they are after.

Who says "what I really wanted to ask is …" has told where the question begins; only then what stands before it goes.

Nothing is taken away that names a thing; where next to nothing would be left, the question stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

from anaphor.text.aside import asked_after_all
from anaphor.text.patterns import pattern
from anaphor.types import StandaloneQuery

LONGEST = 2000  # characters of a question that are looked at
LEAST, LEAST_CJK = 8, 3  # characters that must be left: of a script with spaces, and without

_ASIDE = pattern(
    # English: how long the list is to be; the request; the order; that it was said; where
    r"(?i)\bmention only\b[^.?!]{0,40}[.?!]?|\(mention (?:only )?\w+ items?[^()]{0,20}\)"
    r"|^(?:(?:can|could|would|will) you )?(?:please )?(?:list|walk me through|remind me of|go through"
    r"|outline|summari[sz]e"
    r"|(?:give|tell|provide|write) (?:me )?(?=(?:an? )?(?:\w+ )?(?:list|summary|overview|timeline)\b))\b"
    r"|\ban? (?:\w+ )?(?:list|summary|overview|timeline) of\b"
    r"|\b(?:in )?the order (?:in which|that) i (?:brought up|mentioned|discussed|talked about|raised)\b"
    r"|\bhow i (?:brought up|mentioned|discussed|talked about|raised)\b|,? \bin order\b(?! to\b)"
    r"|\b(?:have i|did i|i(?:'ve| have)?) (?:mentioned?|brought up|told you about|talk(?:ed)? about)\b"
    r"|\bdifferent (?:aspects|ways|things)\b(?: of| related to)?"
    r"|\b(?:throughout|across|during|over the course of|in) (?:all )?(?:of )?(?:our (?:\w+ )?"
    r"(?:conversation|chat|session|discussion)s?|my (?:\w+ )?(?:conversation|chat|session|message|discussion)s)\b"
    r"(?: so far)?"
    # Chinese
    "|^(?:請|请)?(?:幫我|帮我|你)?(?:能不能|可以|能)?(?:依序|按(?:時間|时间)?(?:順序|顺序)|依(?:時間|时间)?(?:順序|顺序))?"
    "(?:列出|整理|總結|总结|回顧|回顾)(?:一下|出)?"
    "|(?:在)?(?:我們|我们|咱們|咱们)(?:之前|以前|至今|到目前為止|到目前为止)?(?:的)?(?:所有|歷次|历次)?(?:對話|对话|聊天|談話|谈话)"
    "(?:記錄|记录|紀錄)?(?:中|裡|里|過程中|过程中)?"
    "|我(?:曾經|曾经|之前|先後|先后)?(?:提到|提過|提过|提起|談到|谈到|談過|谈过|聊到|聊過|聊过)(?:過|过)?(?:的)?"
    "|(?:只|僅|仅)(?:要)?(?:列|說|说|提|寫|写)[^。！？!?]{0,12}(?:項|项|個|个|條|条)[。！!]?"
    # Japanese
    "|(?:これまで|今まで)の(?:会話|やりとり|やり取り|チャット)(?:の中)?(?:で|を通して|全体で)?"
    "|(?:私|僕|俺)が(?:話した|言った|触れた|挙げた|話題にした)"
    "|(?:順番に|時系列で|順に)(?:挙げ|並べ|教え|まとめ)て(?:ください|下さい|くれ|ほしい)?[。]?"
    "|[^。、]{0,10}だけ(?:挙げ|答え|書い)て(?:ください|下さい)[。]?"
)
_BLANKS = pattern(r"\s+")
_EDGES = " \t\n,.?!:;，。？！：；、…"


def sought(query: StandaloneQuery) -> StandaloneQuery:
    """The query with what is looked for as its text; the same value where that is all of it."""
    text = thing(query.text)
    if text == query.text:
        return query
    terms = tuple(replace(term, term=thing(term.term)) for term in query.terms)
    return replace(query, text=text, terms=terms)


def thing(question: str) -> str:
    """What the question is about, without how it is to be answered and where it was said."""
    if len(question) > LONGEST:
        return question
    asked = " ".join(asked_after_all(question)) or question
    left = _BLANKS.sub(" ", _ASIDE.sub(" ", asked)).strip(_EDGES).lstrip("的の")
    return left if _enough(left) and len(left) < len(question.strip(_EDGES)) else question


def _enough(text: str) -> bool:
    letters = [character for character in text if character.isalnum()]
    return len(letters) >= (LEAST if all(map(str.isascii, letters)) else LEAST_CJK)

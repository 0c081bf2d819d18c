"""What a bare yes says: the question it answers, turned into a statement of the person who answers.

"Are you allergic to nuts?" — "Yes." says "I am allergic to nuts"; 你住在台南嗎？ — 對。 says 我住在台南. Only a
question about the person that can be turned by form says anything; an offer ("Shall I look it up?") and a question for
a thing do not.
"""

from __future__ import annotations

from anaphor.text.characters import HAN, KANA
from anaphor.text.fold import matching
from anaphor.text.patterns import pattern

LONGEST = 24  # characters of an answer that is a yes and nothing else
LONGEST_ASKED = 160

_EDGE = " \t\r\n。．.!！~～…、,，\"'「」"
_YES = pattern(
    r"(?:oh,? |well,? )?(?:yes|yeah|yep|yup|right|correct|exactly|indeed|that's (?:right|correct|true)|true)"
    r"(?:,? (?:i (?:am|do|have|was)|it is|that's right|exactly))?|i (?:am|do|have)"
    r"|(?:嗯,?)?(?:是|是的|是啊|是呀|是喔|对|对的|对啊|对呀|没错|正是|嗯|嗯嗯|有|有的|有啊|会|会的)"
    r"|(?:はい|ええ|うん)(?:、?(?:そうです(?:ね|よ)?|その通りです))?|そう(?:です|だよ|なんです)(?:ね|よ)?|その通り(?:です)?"
)
_ASKED = pattern(r"[^.!?。！？\n]{2,160}[?？]\s*$")
_EN = pattern(
    r"(?:and |so |oh,? |ok(?:ay)?,? |then |just to check,? )*(?:(?P<are>are|were) you (?P<a>.+)"
    r"|do you (?P<do>(?!want|mind|need me|"
    r"mean|think|know|remember|have any|have time|prefer that i)\w.+)|have you (?P<have>.+)|(?P<is>is"
    r"|are) your (?P<y>[\w' -]+?) "
    r"(?P<b>(?:a|an|the|in|at|on|called|named|from|[a-z]+(?:ian|ing|ed))\b.*)|you(?P<you>(?:'re|'ve| are| have"
    r"| \w+) .+?),? "
    r"(?:right|correct|don't you|aren't you|is that right|haven't you))"
)
_ZH = pattern(
    r"(?:那|所以|那么|请问)?,?(?P<q>(?:你|您)(?!要不要|想不想|需要|希望|要我|想让).{1,60}?)(?:,?(?:对吗|是吗|是吧|没错吧|对吧)|吗|吧)"
)
_JA = pattern(
    r"(?:では|それでは|じゃあ|ところで)?、?(?:あなた(?:は|が)、?)?(?P<q>.{2,60}?(?:です|ます|ました|でした|ません))(?:か|よね|ね)"
)
_NOT = pattern(
    r"什么|谁|哪|怎|几|多少|为何|何|誰|どこ|いつ|どれ|どの|いくつ|いくら|なぜ|どう|ましょう|でしょう|もらえ|いただけ|\bwhat\b|\bwho\b|\bwhere\b|\bwhen\b|\bhow\b|\bor\b|还是"
)
_KANA, _HANZI = pattern(f"[{KANA}]"), pattern(f"[{HAN}]")
_YOURS = pattern(r"\b(?:yourself|yours|your|you)\b")
_MINE = {"yourself": "myself", "yours": "mine", "your": "my", "you": "me"}


def affirmed(text: str, before: str) -> str:
    """What the answer states in whole, as the person would say it; empty where it is no bare yes, or says nothing."""
    bare = text.strip(_EDGE)
    if not bare or len(bare) > LONGEST:
        return ""
    japanese = bool(_KANA.search(bare))
    if not _YES.fullmatch(matching(bare, "ja" if japanese else "zh").replace("’", "'")):
        return ""
    asked = _ASKED.search(before[-400:].strip())
    question = asked[0].strip().rstrip("?？").strip() if asked else ""
    if not question or len(question) > LONGEST_ASKED:
        return ""
    if _KANA.search(question):
        return _japanese(question)
    return _chinese(question) if _HANZI.search(question) else _english(question)


def _english(question: str) -> str:
    folded = question.replace("’", "'")
    found = _EN.fullmatch(folded[:1].lower() + folded[1:])
    if found is None or _NOT.search(folded):
        return ""
    if found["are"]:
        said = f"I {'am' if found['are'] == 'are' else 'was'} {found['a']}"
    elif found["do"]:
        said = f"I {found['do']}"
    elif found["have"]:
        said = f"I have {found['have']}"
    elif found["is"]:
        said = f"my {found['y']} {found['is']} {found['b']}"
    else:
        said = "I" + (found["you"] or "").replace("'re", "'m", 1).replace(" are ", " am ", 1)
    return _YOURS.sub(lambda word: _MINE[word[0]], said) + "."


def _chinese(question: str) -> str:
    folded = matching(question)
    found = _ZH.fullmatch(folded)
    if found is None or _NOT.search(folded) or len(folded) != len(question):
        return ""
    said = question[found.start("q") : found.end("q")]
    return said.replace("你", "我").replace("您", "我") + "。"


def _japanese(question: str) -> str:
    found = _JA.fullmatch(question.strip("。"))
    return f"{found['q']}。" if found and not _NOT.search(question) else ""

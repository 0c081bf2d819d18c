"""What a person asks to be forgotten: what they just said, what they said of a thing, or everything.

By form alone, and only where the whole utterance asks it: forget I said that, 把剛才的忘掉, さっきのなしで; forget
what I said about cilantro, 忘記我說的香菜, パクチーの話は忘れて. "I forgot about the meeting" and 忘了帶鑰匙 ask
nothing, so the Chinese word that also means "forgot" counts only with words for what was said. Nor does an order to
drop one's rules.
"""

from __future__ import annotations

from enum import StrEnum

from anaphor.text.characters import KANA
from anaphor.text.fold import matching
from anaphor.text.instructions import outlives
from anaphor.text.patterns import pattern
from anaphor.text.sentences import sentences
from anaphor.types import Span

LONGEST = 200  # characters
_EDGE = " \t\r\n。．.!！~～…、,，\"'「」『』“”"


class Wish(StrEnum):
    """What the person asks of the memory."""

    REMEMBER = "remember"  # keep what was said: 先記住這些要求, remember this, 覚えておいて
    FORGET_LAST = "forget_last"  # what the last turn said: 忘記剛才說的
    FORGET_NAMED = "forget_named"  # what was said of a thing: forget about Leeds
    FORGET_ALL = "forget_all"  # everything: 忘掉所有關於我的事


def to_forget(text: str) -> tuple[Wish, str] | None:
    """What the utterance asks to be forgotten, and the thing it names, verbatim; ``None`` where it asks for nothing."""
    if len(text) > LONGEST:
        return None
    first, *more = sentences(text) or [Span(0, 0)]
    if more and (found := to_forget(text[first.start : first.end])):
        return found  # a reason may stand behind the wish: Forget what I said about my job. It was a joke.
    bare = text.strip(_EDGE)
    folded = matching(bare, "ja" if _KANA.search(text) else "zh").replace("’", "'").strip(_EDGE)
    if folded.endswith("?") and _ASKED_NICELY.search(folded):
        folded = folded.rstrip("? ")
    if not folded or folded.endswith("?"):
        return None
    for wish, forms in ((Wish.FORGET_ALL, _ALL), (Wish.FORGET_LAST, _LAST)):
        if forms.fullmatch(folded):
            return wish, ""
    named = "" if outlives(text) else _named(bare, folded)
    return (Wish.FORGET_NAMED, named) if named else None


def _named(bare: str, folded: str) -> str:
    found = _FORMS.fullmatch(folded)
    if found is None:
        return ""
    group = next((name for name, part in found.groupdict().items() if part), "")
    said = found[group].strip(_EDGE) if group else ""
    if not said or _NO_THING.fullmatch(said):
        return ""
    at = folded.find(said)
    return bare[at : at + len(said)].strip(_EDGE) if len(folded) == len(bare) else said


_KANA = pattern(f"[{KANA}]")
# A question by its form that asks to be done.
_ASKED_NICELY = pattern(
    r"^(?:can|could|would|will) you\b|^(?:请|麻烦|可以|能|能不能|可不可以)|(?:ますか|くれる|くれない|もらえる)\?$"
)

# ── the parts ──

_POLITE_EN = (
    r"(?:(?:please|ok(?:ay)?|actually|oh|wait|sorry|no|hmm|and|just|now|then|(?:can|could|would|will) you|you can"
    r"|i(?:'d like| would like| want) you to),? )*"
)
_LET_GO_EN = r"(?:forget|erase|delete|remove|unremember|(?:don't|do not) (?:remember|keep|store|save)|stop remembering)"
_DROP_EN = rf"(?:{_LET_GO_EN}|ignore|disregard|scratch|strike|drop|never ?mind)"
_I_SAID_EN = r"i(?:'ve| have)?(?: ever| just| only just)* (?:said|told you|mentioned|wrote|typed|shared)(?: to you)?"
_WHEN_EN = r"(?: just now| right now| now| a (?:moment|minute|second) ago| earlier| before)?"
_AFTER_EN = (
    r"(?:,? (?:please|now|then|again|ok(?:ay)?|thanks|thank you|would you|will you|forget (?:it|that|about it)"
    r"|from (?:your |the )?(?:memory|record|records)|i(?:'m| am) serious|i mean it|seriously|for good|completely))*"
)
_IT_EN = r"(?:that|this|it|anything|so)"

_POLITE_ZH = (
    "(?:请|麻烦|拜托|可以|能不能|可不可以|能|那就|那|算了|不好意思|抱歉|对不起|好了?|诶|欸|啊|,| )*"
    "(?:你|您)?(?:就|帮我|给我)?"
)
_LET_GO_ONLY_ZH = (
    "(?:忘记|忘掉|忘光|别记(?:住|得|着)?|不要记(?:住|得|着|录)?|不用记(?:住|得|着)?|别再记得?|不要再记得?|别再提|不要再提"
    "|删掉|删除|删了|清除|清掉|抹掉|抹去)(?:掉)?"
)
_LET_GO_ZH = f"(?:{_LET_GO_ONLY_ZH}|忘了)"
_AFTER_ZH = "(?:,? ?(?:吧|吗|好吗|好了|就好|就行|了吧|谢谢|拜托|啦|哦|喔|哈))*"
_SAID_ZH = "(?:(?:我|之前|以前|上次|刚才|刚刚|先前|跟你|对你|和你)*(?:说|讲|提|告诉你|聊)(?:过|到|起|了)*的?)"
_THING_ZH = "(?:的(?:事情?|那件事|话|那句话|内容|记录|一切)|这件事|那件事)"
_JUST_ZH = "(?:我)?(?:刚才|刚刚|刚|方才|上一?句|上一?条|前面|之前|先前|上面|最后一?句)(?:我)?(?:跟你|对你|和你|所)?"
_JUST_SAID_ZH = (
    f"(?:{_JUST_ZH}(?:说|讲|提|写|打|聊|告诉你)(?:过|到|了|起)*(?:的)?|{_JUST_ZH}的?(?=的|那|这|话|消息|讯息)的?"
    "|我(?:跟你|对你)?(?:说|讲|提|写|打)(?:过)?的|(?=[那这]))"
)
_WORDS_ZH = "(?:[那这](?:一)?(?:句话?|些话?|段话?|条消息|件事)|话|句话|那些|内容|东西|事情?|消息|讯息|信息)?"
_UNSAID_ZH = (
    "(?:你)?(?:就)?(?:当|当作|当成|当做)(?:是)?(?:我|你)?(?:没|没有|从没|不曾)(?:说|讲|提|听到|听见|听|看到)(?:过)?"
)

_SORRY_JA = "(?:(?:すみません|すいません|ごめん(?:なさい|ね)?|やっぱり?|あ|では|じゃあ?|お願い)[、, ]*)*"
_JUST_JA = "(?:さっき|いま|今|先ほど|先程|たった今|今しがた|直前|前|上|最後)"
_SAID_JA = "(?:私が|僕が|俺が)?(?:言った|話した|書いた|伝えた|教えた|送った|喋った|言っ)"
_WORDS_JA = "(?:こと|の|話|発言|件|ひと言|一言|言葉|メッセージ|内容|やつ|分)"
_LET_GO_JA = (
    "(?:忘れ|消し|削除し|取り消し|(?:聞か|言わ)?なかったことにし|無かったことにし|無しにし|なしにし|忘れ去っ)(?:て|といて)"
    "|(?:覚え|記憶し|記録し)ないで"
)
_PLEASE_JA = (
    "(?:ください|下さい|ほしい(?:です|の)?|欲しい(?:です)?|くれ(?:ますか|ない|る)?|もらえ(?:ますか|る|ない)?|いただけますか"
    "|おいて(?:ください|下さい|くれ|ほしい(?:です)?)?|いい(?:です)?|お願い(?:します)?)?(?:ね|よ)*"
)

# ── everything ──

_ALL = pattern(
    rf"{_POLITE_EN}(?:forget|delete|erase|clear|wipe)(?: about)? (?:(?:everything|all)(?: of (?:it|that))?"
    r"(?: (?:that )?(?:you (?:know|remember|have)(?: (?:about|on|of) me)?|i(?:'ve| have)? (?:ever )?(?:said|told you)"
    r"|about me))?|what you (?:know|remember|have) (?:about|on|of) me|all (?:of )?my (?:data|facts|details)|me)"
    rf"{_AFTER_EN}"
    rf"|{_POLITE_EN}(?:clear|wipe|reset|erase|delete) (?:your|my) (?:memory|memories)(?: of me)?{_AFTER_EN}"
    rf"|{_POLITE_ZH}(?:把|将)?{_LET_GO_ZH}(?:你)?(?:所有|全部|一切)(?:的)?(?:关于我|有关我|我说过|我讲过|你记得|你知道|记忆).{{0,8}}"
    rf"|{_POLITE_ZH}{_LET_GO_ZH}(?:关于我|有关我|我)的(?:所有|全部|一切).{{0,6}}"
    rf"|{_POLITE_ZH}(?:把|将)(?:(?:关于我|有关我)的?(?:所有|全部|一切)?|我说过的?(?:所有|全部|一切))的?"
    rf"(?:事情?|内容|话|东西|资料|记忆)?(?:都|全都?)?{_LET_GO_ZH}{_AFTER_ZH}"
    rf"|{_SORRY_JA}(?:(?:私について|私に関して|私のこと)?(?:の)?(?:覚えていること|記憶|知っていること|話したこと|言ったこと|こと)?(?:は|を)?"
    rf"(?:全部|すべて|全て)|私のこと(?:は|を)?)(?:{_LET_GO_JA}){_PLEASE_JA}"
)

# ── what was just said ──

_LAST = pattern(
    rf"{_POLITE_EN}{_DROP_EN} (?:about )?(?:(?:that|this|it)(?: last (?:one|bit|part|thing|message|sentence))?"
    rf"|(?:what(?:ever)?|everything|the things?) (?:that )?{_I_SAID_EN}{_WHEN_EN}"
    rf"|(?:that )?{_I_SAID_EN} {_IT_EN}{_WHEN_EN}|(?:that )?you (?:ever )?(?:heard|read|saw) {_IT_EN}"
    r"|my last (?:message|sentence|statement|remark)|the last (?:thing|bit|part|message|sentence)"
    rf"(?: (?:that )?{_I_SAID_EN})?){_WHEN_EN}{_AFTER_EN}"
    rf"|{_POLITE_EN}(?:let's |let us )?(?:pretend|act as if|act like) (?:that )?i (?:(?:never|didn't) (?:ever )?"
    rf"(?:say|said|tell you|told you|mention|mentioned)|hadn't (?:said|told you|mentioned)) {_IT_EN}{_AFTER_EN}"
    rf"|{_POLITE_EN}i take (?:that|it|what i (?:just )?said) back{_AFTER_EN}"
    # Chinese, in simplified characters
    rf"|{_POLITE_ZH}(?:{_LET_GO_ZH}|忽略|无视|撤回|收回){_JUST_SAID_ZH}{_WORDS_ZH}(?:都|全部)?{_AFTER_ZH}"
    rf"|{_POLITE_ZH}(?:把|将)(?:{_JUST_ZH}的?|{_JUST_SAID_ZH}){_WORDS_ZH}(?:都|全都?|全部|给)?(?:{_LET_GO_ZH}|撤回|作废){_AFTER_ZH}"
    rf"|{_POLITE_ZH}{_JUST_SAID_ZH}{_WORDS_ZH},?(?:你|就|请|都|全都?|全部)*(?:{_LET_GO_ONLY_ZH}|忘了(?=吧)|撤回|作废|不算数?|不作数){_AFTER_ZH}"
    rf"|{_POLITE_ZH}(?:{_JUST_ZH}|{_JUST_SAID_ZH})?{_WORDS_ZH},?{_UNSAID_ZH}{_AFTER_ZH}"
    rf"|(?:我)?(?:收回|撤回){_JUST_SAID_ZH}{_WORDS_ZH}{_AFTER_ZH}"
    # Japanese
    rf"|{_SORRY_JA}(?:{_JUST_JA}(?:の)?|それ|これ)?(?:{_SAID_JA})?{_WORDS_JA}?(?:は|を|も)?[、, ]?(?:もう|全部)?"
    rf"(?:{_LET_GO_JA}){_PLEASE_JA}"
    rf"|{_SORRY_JA}{_JUST_JA}(?:の)?(?:{_SAID_JA})?{_WORDS_JA}?(?:は|を)?[、, ]?"
    r"(?:なし|無し|ナシ|なかったこと|取り消し|撤回)"
    r"(?:で|に(?:して(?:ください|下さい)?)?|ます|します|させてください)?(?:お願いします|頼む|ね|よ)*"
)

# ── a thing that is named ──

_FORMS = pattern(
    # English
    rf"{_POLITE_EN}(?:{_LET_GO_EN}|never ?mind)"
    rf" (?:(?:what(?:ever)?|everything|anything|all|the things?|all the things) (?:that )?{_I_SAID_EN}{_WHEN_EN}"
    r" (?:about|regarding|on|of) (?P<a>[^,;?]{2,80}?)"
    rf"|(?:that )?{_I_SAID_EN} (?!{_IT_EN}\b)(?:that )?(?P<b>[^,;?]{{2,80}}?)"
    r"|(?P<my>(?:my (?!last\b|previous\b|earlier\b|first\b|second\b|questions?\b|messages?\b|chat\b|conversation\b"
    r"|history\b|context\b|memory\b|memories\b|own\b)|(?:where|what|who|how much|how old) i )[^,;?]{2,60}?)"
    r"|(?:about|that) (?P<c>(?!it\b|that\b|this\b|them\b|everything\b|all\b|what\b|i (?:just )?(?:said|told|mentioned)"
    rf"|the (?:last|previous|first|second|above)\b)[^,;?]{{2,60}}?)){_AFTER_EN}"
    # Chinese, in simplified characters
    rf"|{_POLITE_ZH}{_LET_GO_ZH}(?:所有)?{_SAID_ZH}(?:关于|有关)?(?P<d>[^,;?，；、]{{1,30}}?){_THING_ZH}?{_AFTER_ZH}"
    rf"|{_POLITE_ZH}{_LET_GO_ZH}(?:关于|有关)(?!我的(?:一切|所有))(?P<e>[^,;?，；、]{{1,30}}?){_THING_ZH}?{_AFTER_ZH}"
    rf"|{_POLITE_ZH}{_LET_GO_ONLY_ZH}(?P<f>(?!所有|全部|一切|关于|有关)[^,;?，；、]{{1,20}}?){_THING_ZH}{_AFTER_ZH}"
    rf"|{_POLITE_ZH}{_LET_GO_ONLY_ZH}(?P<mine>我(?:的(?!话|问题|一切|所有|消息)|住|在哪|对)[^,;?，；、]{{1,20}}?){_AFTER_ZH}"
    rf"|{_POLITE_ZH}(?:把|将){_SAID_ZH}?(?:关于|有关)?(?P<g>[^,;?，；、]{{1,30}}?){_THING_ZH}?(?:都|全)?{_LET_GO_ZH}{_AFTER_ZH}"
    # Japanese
    rf"|{_SORRY_JA}(?:私が?|先ほど|さっき|前に)?(?P<h>[^,;?、]{{1,30}}?)(?:(?:のこと|について|に関して|の件|の話)(?:を?(?:話した|言った|書いた|伝えた)"
    r"(?:こと|の|話|内容)?)?|(?:が|は|を|に).{1,20}?(?:と|って)(?:言った|話した|伝えた|書いた)(?:こと|の|話|件))(?:は|を|も)?(?:もう|全部)?"
    rf"(?:{_LET_GO_JA}){_PLEASE_JA}"
    rf"|{_SORRY_JA}(?P<j>[^,;?、]{{1,30}}?)(?:と|って)(?:言った|話した|伝えた|書いた)(?:こと|の|話|件)(?:は|を|も)?(?:{_LET_GO_JA}){_PLEASE_JA}"
    rf"|{_SORRY_JA}(?:私の|僕の|俺の)(?P<watashi>[^,;?、をは]{{1,20}}?)(?:は|を|も)?(?:もう|全部)?(?:{_LET_GO_JA}){_PLEASE_JA}"
    rf"|{_SORRY_JA}(?P<i>[^,;?、をは]{{1,20}}?)(?:は|を)(?:もう|全部)?(?:{_LET_GO_JA})(?=[くだ下ほ欲もいおね]){_PLEASE_JA}"
)
# What says no thing: the last turn, or all of it, is another wish.
_NO_THING = pattern(
    "(?:我|你|刚才|刚刚|之前|以前|前面|所有|全部|一切|这些|那些|这个|那个|话|事|今|さっき|これ|それ|全部|私|自分|すべて)*(?:的|说|讲|说的)*"
    r"|me|you|us|the (?:conversation|chat)"
)

"""What is asked to be forgotten by its name: forget what I said about cilantro, 忘記我說的香菜, パクチーの話は忘れて.

By form alone, and only where the whole utterance asks it. "I forgot about the meeting" and 忘了帶鑰匙 ask nothing, so
the Chinese word that also means "forgot" counts only with words for what was said.
"""

from __future__ import annotations

from anaphor.text.characters import KANA
from anaphor.text.fold import matching
from anaphor.text.patterns import pattern

LONGEST = 200  # characters
_EDGE = " \t\r\n。．.!！~～…、,，\"'「」『』“”"

_KANA = pattern(f"[{KANA}]")
_SAID_ZH = "(?:(?:我|之前|以前|上次|刚才|刚刚|先前|跟你|对你|和你)*(?:说|讲|提|告诉你|聊)(?:过|到|起|了)*的?)"
_LET_GO_ZH = "(?:忘记|忘掉|忘了|别记(?:住|得)?|不要记(?:住|得)?|删掉|删除|清除)(?:掉)?"
_LET_GO_ONLY_ZH = "(?:忘记|忘掉|别记(?:住|得)?|不要记(?:住|得)?|删掉|删除|清除)(?:掉)?"
_THING_ZH = "(?:的(?:事情?|那件事|话|那句话|内容|记录|一切)|这件事|那件事)"
_POLITE_ZH = "(?:请|麻烦|拜托)?(?:你|您)?(?:帮我)?"
_FORMS = pattern(
    # English
    r"(?:please |ok(?:ay)?,? |actually,? |can you |could you |you can )*(?:forget|erase|delete|remove|don't remember)"
    r" (?:(?:what(?:ever)?|everything|anything|all|the things?|all the things) (?:that )?i(?:'ve| have)?"
    r" (?:ever |just )?(?:said|told you|mentioned|wrote|shared)(?: to you)?(?: earlier| before)? (?:about|regarding|on)"
    r" (?P<a>[^,;?]{2,80}?)|that i(?:'ve| have)? (?:said|told you|mentioned) (?:that )?(?P<b>[^,;?]{2,80}?)"
    r"|(?:about|that) (?P<c>(?!it\b|that\b|this\b|them\b|everything\b|all\b|what\b|i (?:just )?(?:said|told|mentioned)"
    r"|the (?:last|previous|first|second|above)\b)[^,;?]{2,60}?))(?: please| now| then| again| from (?:your )?memory)?"
    # Chinese, in simplified characters
    rf"|{_POLITE_ZH}{_LET_GO_ZH}(?:所有)?{_SAID_ZH}(?:关于|有关)?(?P<d>[^,;?，；、]{{1,30}}?){_THING_ZH}?(?:吧|好吗)?"
    rf"|{_POLITE_ZH}{_LET_GO_ZH}(?:关于|有关)(?!我的(?:一切|所有))(?P<e>[^,;?，；、]{{1,30}}?){_THING_ZH}?(?:吧|好吗)?"
    rf"|{_POLITE_ZH}{_LET_GO_ONLY_ZH}(?P<f>(?!所有|全部|一切|关于|有关)[^,;?，；、]{{1,20}}?){_THING_ZH}(?:吧|好吗)?"
    rf"|{_POLITE_ZH}(?:把|将){_SAID_ZH}?(?:关于|有关)?(?P<g>[^,;?，；、]{{1,30}}?){_THING_ZH}?(?:都|全)?{_LET_GO_ZH}(?:吧|好吗)?"
    # Japanese
    r"|(?:私が?|先ほど|さっき|前に)?(?P<h>[^,;?、]{1,30}?)(?:(?:のこと|について|に関して|の件|の話)(?:を?(?:話した|言った|書いた|伝えた)"
    r"(?:こと|の|話|内容)?)?|(?:が|は|を|に).{1,20}?(?:と|って)(?:言った|話した|伝えた|書いた)(?:こと|の|話|件))(?:は|を|も)?(?:もう|全部)?"
    r"(?:忘れ|消し|削除し)て(?:ください|下さい|ほしい(?:です)?|くれ(?:ますか)?|おいて(?:ください)?)?(?:ね|よ)?"
)
# What says no thing: the last turn, or all of it, is another wish.
_NO_THING = pattern(
    "(?:我|你|刚才|刚刚|之前|以前|前面|所有|全部|一切|这些|那些|这个|那个|话|事|今|さっき|これ|それ|全部|私|自分|すべて)*(?:的|说|讲|说的)*"
    r"|me|you|us|the (?:conversation|chat)"
)


def to_be_forgotten(text: str) -> str:
    """The thing that the utterance asks to be forgotten, verbatim; empty where it asks for nothing, or names none."""
    if len(text) > LONGEST:
        return ""
    language = "ja" if _KANA.search(text) else "zh"
    bare = text.strip(_EDGE)
    folded = matching(bare, language).replace("’", "'")
    found = _FORMS.fullmatch(folded)
    if found is None or folded.endswith("?"):
        return ""
    group = next((name for name, part in found.groupdict().items() if part), "")
    said = found[group].strip(_EDGE) if group else ""
    if not said or _NO_THING.fullmatch(said):
        return ""
    at = folded.find(said)
    return bare[at : at + len(said)].strip(_EDGE) if len(folded) == len(bare) else said

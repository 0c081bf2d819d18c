"""What a sentence does: assert, ask, order, suppose, or be courteous. Only an assertion can be held against anyone.

Told by form alone, without a model, in Chinese, Japanese and English; in doubt a sentence is not an assertion,
because a question remembered as a fact does more harm than a fact forgotten.
"""

from __future__ import annotations

import re
from enum import StrEnum

from anaphor.text.characters import HAN, KANA
from anaphor.text.fold import matching
from anaphor.text.patterns import pattern


class Mood(StrEnum):
    ASSERTION = "assertion"
    QUESTION = "question"
    COMMAND = "command"
    HYPOTHETICAL = "hypothetical"
    COURTESY = "courtesy"


_KANA = pattern(f"[{KANA}]")
_HAN = pattern(f"[{HAN}]")
_ENDS_ASKING = pattern(r"\?[\s\"')\]」』》）】~!?…。.]*$")
_LABELLED = pattern(r"notes?(?: (?!that\b|down\b|this\b)[\w-]{1,20}){0,2}:")  # "Note alpha: …" states
# "Make it six people", 改成四個人: of what is arranged it tells a number; of what the assistant wrote it orders one.
_AMENDS = pattern(
    r"(?:(?:ok|okay|sorry|actually|no|please|oh|wait),? )*(?:make|change) (?:it|that)(?: to)?(?: for)? "
    r"(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)"
    r"(?!.*\b(?:words?|sentences?|lines?|paragraphs?|pages?|bullets?|points?|characters?|items?|examples?|times|steps"
    r"|percent|languages?|versions?|columns?|rows?)\b)"
    r"|(?:那就?|请|麻烦)?(?:改|换)(?:成|为|到)(?:\d+|[一二两三四五六七八九十]+)"
    r"个?(?:人|位|大人|小孩|点|号|月|日|毫克|天|晚|间|张|份)(?!.*[字句行段页])"
)
_EDGE = " \t\r\n\"'「」『』《》()[]【】。.!?~…、,;:*_`#>-・"


def mood(sentence: str) -> Mood:
    """The mood of one sentence; a sentence without a letter or digit is courtesy, as it says nothing."""
    sentence = sentence[:2000]
    japanese = bool(_KANA.search(sentence))
    folded = matching(sentence, "ja" if japanese else "zh")
    if not any(map(str.isalnum, folded)):
        return Mood.COURTESY
    rules = _JA if japanese else _ZH if _HAN.search(folded) else _EN
    bare = folded.strip(_EDGE)
    if rules[Mood.COURTESY].fullmatch(bare):
        return Mood.COURTESY
    if _ENDS_ASKING.search(folded):
        return Mood.QUESTION
    if _LABELLED.match(bare) or _AMENDS.match(bare):
        return Mood.ASSERTION
    for found in (Mood.HYPOTHETICAL, Mood.QUESTION, Mood.COMMAND):
        if rules[found].search(bare):
            return found
    return Mood.ASSERTION


def _rules(courtesy: str, hypothetical: str, question: str, command: str) -> dict[Mood, re.Pattern[str]]:
    gap = r"[\s,、。.!~…]*"
    return {
        Mood.COURTESY: pattern(f"(?:(?:{courtesy}){gap}){{1,6}}"),
        Mood.HYPOTHETICAL: pattern(hypothetical),
        Mood.QUESTION: pattern(question),
        Mood.COMMAND: pattern(command),
    }


# On folded text: Chinese in simplified form.
_ZH = _rules(
    courtesy="你好|您好|大家好|嗨|哈喽|哈啰|早安|早上好|午安|晚安|晚上好|谢谢(?:你|您|大家)?|谢了|多谢|感谢(?:你|您)?|"
    "辛苦了?|好的?|好啊|好吧|嗯+|哦+|喔+|是的?|对的?|没错|没关系|没事|不客气|再见|拜拜|了解|知道了|明白了?|收到|"
    "不好意思|抱歉|对不起|ok|okay|了|啦|呀|啊|喔",
    hypothetical="如果|假如|假设|要是|倘若|若是|若(?!干)|万一|的话|除非|一旦|假定",
    question="[吗嘛么](?:呀|啊)?$|呢$|(?<!么)吧$|(?P<verb>[\u4e00-\u9fff])不(?P=verb)|有没有|行不行|(?<![定断查看知问论认察验测道])是否|可否|能否|有无$|(?<![不也都就正还])[为是]$|"
    "(?<!没)(?<!没有)(?:什么|谁|哪(?:里|儿|个|些|位|种|一|边|天|家|几)|怎(?:么|样)|多少)(?!都|也|的都|人都|时候都|东西都)|为什么|为何|如何|"
    "多[久长大远高重]$|多(?:久|长时间)|何[时地处人]|(?:干|做|为|有|是)啥|啥$|想(?:问|知道|请教|请问)|请问|"
    "(?<![十好上的近后前过这那每头他第])几(?![乎何率度许经近])(?=[\u4e00-\u9fff])",
    command="^(?:那就|那|然后|接着|现在|先|再|你|您|请你|麻烦你)?,?(?:"
    "请(?![假款购领])|麻烦|拜托|帮(?:我|忙|个忙)?(?!助|派|会)|告诉我|记(?:住|得|下)|忘(?:记|掉|了(?:刚|我|前))|"
    "别(?![的人墅名处针克称字具致扭])|不要|勿|给我|列出|列举|说明|解释|翻译|总结|概括|查(?:一下|询|找)?(?=.)|"
    "比较一?下?|推荐|介绍|搜(?:索|寻|一下)|继续|换(?:个|成)|改(?:成|用|回)|重新|从头|开始(?:新|吧)|取消|删除|删掉|"
    "清除|停止|等一?下|再(?:说|讲|解释|给|多|来|试)|多(?:说|讲|解释)|用.{1,6}(?:回答|回复|写)|写(?:一|个|篇|封)|画|"
    "算一?下|以后(?:请|都|用|叫|别|不要)|叫我)",
)

_JA = _rules(
    courtesy="ありがとう(?:ございま(?:す|した))?|どうも|こんにちは|おはよう(?:ございます)?|こんばんは|はじめまして|"
    "よろしく(?:お願い(?:いた)?します)?|お疲れ(?:様|さま)(?:です|でした)?|了解(?:です|しました|いたしました)?|"
    "わかりました|分かりました|承知(?:しました|いたしました)|はい|いいえ|うん|ええ|すみません(?:でした)?|"
    "ごめん(?:なさい)?|さようなら|失礼(?:します|しました)|なるほど|そうですか|そうですね|助かりました|お願いします|ね|よ",
    hypothetical="(?<!か)もし|仮に|たとえ(?!ば)|としたら|とすれば|(?<!なぜ)なら(?![なびんぬず])(?!す|べ|い)|"
    "(?<![あしわふも])たら(?![しなくいずせ])(?!.*た$)|(?:(?<!によ)[れけせ]|(?<![い言例とて])え)ば(?!な)",
    question="(?<![静確僅豊細愚としん])(?<!明ら)(?<!ほ)(?<!まさ)か(?:な|ね|しら)?$|"
    "(?:でしょう|だろう)か|"
    "(?:(?<!幾)何(?![百千万十度回])|誰|だれ|どこ|(?<![てでしなきい])いつ|なぜ|どうして|いくら|いくつ|どれ|どちら|どなた)"
    "(?!か|も|で[もな]|に?も|とか|しろ|らか|を?問わず)[^、]{0,20}$|"
    "どう(?:すれば|したら|やって|なり|なっ|思|です)|(?<![なほん])(?:どの|どんな)(?![^、]{0,12}(?:でも|も))|は$|"
    "っけ$|知りたい|じゃない$|ですって$",
    command="(?:ください|下さい)(?:ね|ませ)?$|なさい$|てくれ$|せよ$|しろ$|ましょう$|"
    "(?:教え|覚え|忘れ|見せ|まとめ|続け|調べ|書い|直し|やめ|比べ|聞かせ|挙げ|訳し|説明し|要約し)て(?:おいて)?(?:ね|よ)?$|"
    "て(?:ほしい|欲しい|もらいたい|いただきたい|もらえる|くれる)|お願い(?:いた)?し(?:ます|たい)|"
    "^(?:もう少し|もっと)?(?:詳しく|簡単に|短く)$|(?:てはいけません|ないで)$",
)

_AUXILIARY = (
    "is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|might|must|have|has|had|isn't|aren't|"
    "wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|haven't|hasn't|hadn't"
)
_ALWAYS_ASKING = "is|are|was|were|did|does|isn't|aren't|wasn't|weren't|didn't|doesn't|has|hasn't"
_SUBJECT = (
    "i|you|he|she|it|we|they|the|a|an|my|your|his|her|its|our|their|this|that|these|those|there|any|anyone|someone"
)
_VERBS = (
    "tell|show|list|give|explain|describe|summari[sz]e|compare|find|search|look|remember|forget|ignore|write|translate|"
    "make|use|set|call|stop|start|go|help|check|open|send|add|remove|delete|keep|try|answer|repeat|continue|reset|"
    "clear|suggest|recommend|convert|calculate|define|draft|rewrite|rephrase|elaborate|expand|respond|reply|speak|"
    "remind|be|wait|note|get|put|read|run|take"
)
_LEAD = "^(?:(?:and|but|so|ok|okay|well|also|then|now|hi|hello|hey|thanks|sorry)[, ]+){0,3}"
_EN = _rules(
    courtesy="hi|hello|hey|thanks?(?: you)?(?: (?:so|very) much| a lot| again)?|"
    "good (?:morning|afternoon|evening|night)|bye|goodbye|ok(?:ay)?|yes|no|yep|nope|sure|great|perfect|cool|nice|"
    "got it|i see|you(?:'re| are) welcome|sorry|excuse me|no problem|please|there|everyone|all",
    hypothetical=r"\b(?:if|suppose|supposing|imagine|hypothetically|unless|assuming|had i|were i|in case)\b",
    question=_LEAD + rf"(?:(?:{_ALWAYS_ASKING})\b|(?:{_AUXILIARY}) (?:{_SUBJECT}|[\w-]+ (?:to|be)|not)\b|"
    r"(?:can|could|would|should) (?!openers?\b|be\b)[\w-]+ \w|"
    r"(?:what|which|who|whom|whose|what's|who's|how)\b(?! (?:i|you|he|she|we|they)\b)|why\b|"
    rf"(?:when|where|when's|where's) (?:{_AUXILIARY}|and|or|to)\b|"
    r"(?:at|in|on|to|for|from|by|with|of|under|until) (?:what|which|whom|whose)\b|any (?:idea|news|chance)\b)|"
    r"\b(?:wondering|want to know|like to know|curious) (?:if|whether|what|which|who|when|where|why|how|about)\b|"
    r", (?:what|which|who|how|why|where|when) (?:else|is|are|was|were|did|do|does|can|would|could|should)\b|"
    r", (?:right|isn't it|aren't they|no)$",
    command=_LEAD + r"(?:please|kindly|let's|let us|do not|don't|never mind|"
    rf"(?:{_VERBS})(?! (?:is|are|was|were|of|has|had|will|starts?|can)\b))\b",
)

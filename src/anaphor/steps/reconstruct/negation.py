"""What a text negates. Negation is a construction, not a character: 不錯, 無線, 有沒有 and 必要じゃない？ negate
nothing.

Method: what only looks like a negation (lexicalised words, A-not-A questions, tags, polite requests, double negations
that mean "must") is blanked out first; what is left is counted, each with the word it negates.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from anaphor.text.fold import matching


@dataclass(frozen=True, slots=True)
class Negation:
    """``surface`` is the negator with what follows or precedes it, ``governs`` the word it negates; both folded."""

    surface: str
    governs: str


def negations(text: str, language: str = "und") -> tuple[Negation, ...]:
    """Each negation of the text, in order of the kind of language; empty where the text negates nothing."""
    folded = matching(text, language)
    return tuple(
        Negation(found.group().strip(), found.group("what"))
        for negators, look_alikes in ((_english(),) if folded.isascii() else _constructions(language))
        if negators.search(folded)  # in most texts there is none, and nothing has to be blanked
        for found in negators.finditer(look_alikes.sub(_blank, folded))
    )


def excludes(text: str, language: str = "und") -> bool:
    """Whether the text negates or excludes anything in any way, words such as "except", 除外 and 以外 included."""
    folded = matching(text, language)
    for _, look_alikes in _constructions(language):
        folded = look_alikes.sub(_blank, folded)
    return bool(negations(text, language)) or bool(_exclusions().search(folded))


def _constructions(language: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return _english(), _japanese() if language == "ja" else _chinese()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


@functools.cache
def _exclusions() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:except|excluding|besides|other than|instead|rather than|lack\w*|avoid\w*|fail\w*|unable|impossible"
        r"|refus\w*|forb\w+|prohibit\w*|disallow\w*|unless|stop\w*|un\w{4,}|non-?\w+|dis\w{4,}"
        r"|in(?:valid|complete|correct|eligible)\w*)\b"
        r"|[不没沒未無无非別别勿否免]|除[外了去くき]|以外|之外|禁止|拒|ない|なし|なく|ません|ず[にと、]|抜き"
    )


@functools.cache
def _english() -> tuple[re.Pattern[str], re.Pattern[str]]:
    negators = re.compile(
        r"(?:\b(?:not|never|without|cannot|neither|nor|none|nobody|nothing|nowhere|no)\b|\b\w+n['’]t\b"
        r"|\b(?:do|does|did|ca|wo|is|are|was|were|would|could|should|have|has)nt\b)"
        r"(?:\s+(?:the|a|an|any|to|be|been|have|really|yet|so|very|it|they|you|i|we|he|she|that|this)\b)*"
        r"\s*(?P<what>\w*)"
    )
    look_alikes = re.compile(
        r"\bnot only\b|\bnot just\b|\bwhy (?:not|don['’]?t (?:we|you|i))\b|\bnot to mention\b|\bno longer than\b"
        r"|\bor not\b|\b(?:if|why) not\b|\bno\.\s*\d|,?\s*\bno\s*\?"
        r"|(?:^|[.,!?;]\s*)(?:no|nope|oh no|not really)\b\s*(?:[,.!?;]|$)"
        r"|[,;]\s*(?:is|are|was|were|do|does|did|can|could|will|would|have|has|had|should)n['’]?t\s+\w+\s*\?"
        r"|\b(?:can|could|would|won)['’]?n?['’]?t you\b"
        r"|\bi (?:do not|don['’]?t|did not|didn['’]?t|am not|['’]m not) "
        r"(?:know|understand(?:ing)?|get it|sure|mean|think|familiar)\b"
        r"|\bno (?:problem|worries|matter|one['’]s?|doubt)\b|\bnothing (?:but|else)\b"
        r"|\bnever ?mind\b|\bcan['’]?t wait\b|\bnon\b|(?:^|[.,!?;]\s*)not sure\b"
    )
    return negators, look_alikes


@functools.cache
def _chinese() -> tuple[re.Pattern[str], re.Pattern[str]]:
    # On folded text: Simplified forms stand for both.
    negators = re.compile(
        r"(?:不是|没有|不|没|未|勿|无(?=[法需须从权人任糖油盐酒息烟毒添籽])|别|非)(?P<what>[\w]{0,2})"
    )
    look_alikes = re.compile(
        r"(\w)[不没]\1|(?:有没有?|是不是?|[是有]否)(?=\w)|[是能可会要应该]否|否则"
        r"|不(?:错|仅|但|过|只|光|单|如|同|论|管|得不|少(?!于)|久|断|禁|愧|妨|料|然|好意思|客气|用谢|锈钢|动产"
        r"|倒翁|可思议|时|止|外乎|由得|良|二|一会|必客气)"
        r"|对不起|差不多|了不起|不得了|说不定|巴不得|恨不得|忍不住|要不(?=要|然|是|我|你|就)|动不动|来不及"
        r"|不知道?(?=[^，。,]*[吗呢?？]|[你您]|有没|能|可|哪|什么)|没(?:关系|问题|错|事|准|想到|收(?![费到过取款入钱]))"
        r"|(?<=[了过到完好])没有?[?？啊呢吗]*$|(?<=\w)不[?？]*$"
        r"|未(?:来|免|婚|知|成年)|非(?:常|洲|法|得|凡|但|典|议|遗|诚)|(?:是|莫|除|无|南|北|东|西|若)非"
        r"|别(?:人|的|处|克|墅|名|针|致|称|具|样|离|扭|号|说|提|字)|[特区个类性级分告差识派送离鉴辨阔惜职]别|莫名"
        r"|勿忘"
    )
    return negators, look_alikes


@functools.cache
def _japanese() -> tuple[re.Pattern[str], re.Pattern[str]]:
    negators = re.compile(
        r"(?P<what>[^\s、。,.?？!！「」]{0,3}?)"
        r"(?:じゃな[いくか]|ではな[いくか]|な(?:い|かった|くて|くても|くは|ければ|く(?=[、,。\s]|な[るりっ]|$))"
        r"|(?:(?<=[一-龯ァ-ヶー])|(?<=[はも])(?=なし(?:[、だでの希]|$)))なし|(?<=に)なし(?=の)|ません|ませんでした|\wず[に、]|[わらまえべれせじきけ]ず(?=\w|$))"
    )
    look_alikes = re.compile(
        r"(?:じゃ|では)(?:ない|ありません)(?:です|でしょう)?か[なねい]?|(?:じゃ|では)ない(?:です)?(?:の|よね"
        r"|ね)?\s*[?？]|じゃん"
        r"|ません(?:でしょう)?か|ない(?:です|でしょう)か|ないか(?:な|しら)?(?=[。?？、]|$)"
        r"|かもしれ(?:ない|ません)|な(?:ければ|くては|いと)(?:なら|いけ|だめ|駄目)(?:ない|ません)?|なきゃ|なくちゃ"
        r"|(?:構|かま)[いわ](?:ません|な[いく])|(?:問題|異論|差し支え)(?:は|も)?(?:ない|ありません|ございません)"
        r"|とりあえず|ざるを得(?:ない|ません)|しか(?:ない|ありません)"
        r"|少な[いくか]|危な[いくか]|つまらな[いく]|もったいな[いく]|(?:しょう|仕方|しかた)が?(?:ない|なく"
        r"|ありません)|とんでもな[いく]"
        r"|申し訳(?:ない|なく|ありません|ございません)|すみません|済みません|切な[いく]|さりげな[いく]"
        r"|何気な[いく]|間違いな[いく]|間もなく|まもなく"
        r"|(?:だけ|ばかり|のみ)(?:で|じゃ)?は?(?:なく|ない|ならず)|限らず|かかわらず|問わず"
        r"|(?<=[をがはもに])なく[しすせさそ]|(?:行|おこ)な[いく](?=ま|た|、)|必ず|まず|ずつ|ずっと|はず|いず(?=れ)"
        r"|思わず"
    )
    return negators, look_alikes

"""Sentences of a model's reply that claim nothing ("Here is what I found:", 希望對你有幫助, ご参考になれば幸いです).

And those by which it says that the sources do not answer.
"""

from __future__ import annotations

import re

from anaphor.steps.reconstruct.wording import Kind, tokens
from anaphor.text.fold import matching
from anaphor.text.numbers import numbers
from anaphor.text.patterns import pattern
from anaphor.text.segment import content_words

_LONGEST = 240  # a longer sentence says something


def claims_nothing(text: str, question: str, language: str) -> bool:
    """Whether it has only words of courtesy, of answering as such, and of the question; no number and no name."""
    if len(text) > _LONGEST or numbers(text, language):
        return False
    asked = matching(question, language)
    if any(
        token.kind in (Kind.NAME, Kind.IDENTIFIER, Kind.ADDRESS) and token.term not in asked
        for token in tokens(text, language)
    ):
        return False
    return all(word.term in asked or _OF_ANSWERING.fullmatch(word.term) for word in content_words(text, language))


def sources_do_not_say(text: str) -> bool:
    """Whether the sentence says that the sources do not hold the answer."""
    return len(text) <= _LONGEST and bool(_DENIALS.search(text))


# Folded content words that a sentence about the answer itself is made of.
_OF_ANSWERING = pattern(
    r"sure|certain(?:ly)?|course|okay|ok|yes|great|happy|glad|help(?:ful|s|ed)?|hope"
    r"|hopefully|answer(?:s|ed|ing)?|question(?:s)?|inform(?:ation|ed)?|source(?:s)?"
    r"|document(?:s|ation)?|provid(?:e|es|ed)|given|follow(?:s|ing)?|found|find"
    r"|bas(?:e|ed)|accord(?:ing|ingly)|summar(?:y|ize|ise|ised|ized)|short"
    r"|brief(?:ly)?"
    r"|detail(?:s|ed)?|point(?:s)?|key|main|list(?:ed)?|below|above|let|know|feel|free"
    r"|ask|need|further|more|anything|else|here|relevant|context|passage(?:s)?|text"
    r"|say|says|said|state(?:s|d)?"
    r"|explain(?:s|ed)?|explanation|overview|regarding|assist(?:ance)?|clarif(?:y"
    r"|ication)|conclusion|overall|therefore|thus|note"
    r"|(?:好的?|当然|没问题|以下|如下|下列|上述|根据|依据|按照|依照|参考|资料|来源|文件|文档|内容|信息|资讯|讯息|提供|整理|总结|综上|所述"
    r"|综合|简单|简短|来说|而言|说明|回答|答案|答复|回复"
    r"|问题|提问|希望|帮助|帮上忙|有用|进一步|其他|更多|需要|随时|告诉|欢迎|相关|重点|几点|部分|方面|显示|指出|提到|结论|换句话|也就是)+"
    r"|(?:以下|上記|下記|次|通り|とおり|回答|答え|答|お答え|資料|出典|情報|文書|内容|参考|質問|ご質問|まとめ|まとめる|要約|説明|詳細|補足"
    r"|結論|幸い|お役|役立|立|必要|他|何|場合|関連|点|箇条書き"
    r"|承知|了解|もちろん|提供|記載|基|述べ|示|紹介|お知らせ|気軽|遠慮|不明)[ぁ-ん]*",
    re.IGNORECASE,
)

_DENIALS = pattern(
    r"\b(?:source|document|passage|text|context|information|material"
    r"|article)s?\b[^.\n]{0,60}\b(?:do(?:es)? not|don['’]t|doesn['’]t|did not|cannot"
    r"|not)\b[^.\n]{0,20}"
    r"\b(?:say|mention|state|contain|provide|include|specify|answer|cover|address|have|discuss)"
    r"|\bno (?:information|mention|answer|details?|data)\b[^.\n]{0,40}\b(?:source"
    r"|document|passage|text|context|provided|available|given)"
    r"|\bnot (?:mentioned|stated|specified|provided|found|covered"
    r"|available)\b[^.\n]{0,30}\b(?:source|document|passage|text|context)"
    r"|\bI (?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t) (?:have|find"
    r"|know)\b[^.\n]{0,40}\b(?:information|answer|source|document|mention)"
    r"|(?:資料|资料|來源|来源|文件|文档|內容|内容|材料)[^。\n]{0,16}(?:沒有|没有|未|並未|并未|無|无)[^。\n]{0,8}(?:提到"
    r"|提及|說明|说明|提供|記載|记载|答案|資訊|信息|相關|相关|指出|包含)"
    r"|(?:無法|无法|不能)[^。\n]{0,10}(?:從|从|根據|根据|依據|依据)?[^。\n]{0,10}(?:資料|资料|來源|来源)[^。\n]{0,12}(?:得知|回答|確定|确定|找到)"
    r"|(?:找不到|查不到|沒有找到|没有找到)[^。\n]{0,16}(?:資料|资料|資訊|信息|答案|內容|内容)"
    r"|(?:資料|文書|出典|情報|記載|文献)[^。\n]{0,30}(?:ありません|ございません|見当たりません|書かれていません|記載されていません"
    r"|含まれていません|述べられていません|触れられていません|わかりません|分かりません|見つかりません)",
    re.IGNORECASE,
)

"""Text inside a source that speaks to the assistant instead of informing the reader.

A sentence that tells whoever reads it to drop its rules, to take on a role or to say something to the user is data like
any other, but it supports no claim and is never quoted as an answer; nor is what follows it in its paragraph, for that
is usually what it wants said.
"""

from __future__ import annotations

import functools
import re

from anaphor.text.sentences import sentences
from anaphor.types import Span


def instructing(text: str) -> list[Span]:
    """The stretches of the text that instruct the assistant, each to the end of its paragraph."""
    if not _marks().search(text):
        return []
    found: list[Span] = []
    for sentence in sentences(text):
        if found and sentence.start < found[-1].end:
            continue
        if _marks().search(text, sentence.start, sentence.end):
            end = text.find("\n\n", sentence.start)
            found.append(Span(sentence.start, end if end >= 0 else len(text)))
    return found


@functools.cache
def _marks() -> re.Pattern[str]:
    earlier = r"(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|the|my|other|system|these|those)"
    rules = r"(?:instructions?|prompts?|rules?|directions?|guidelines?|commands?|context|messages?)"
    return re.compile(
        rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{{0,30}}\b{earlier}\b[^.\n]{{0,30}}\b{rules}\b"
        rf"|\b(?:ignore|disregard)\b[^.\n]{{0,20}}\beverything\b[^.\n]{{0,20}}\b(?:above|before|said)\b"
        r"|\b(?:system|developer) (?:prompt|message|override|instruction)s?\b|\bnew instructions?\s*:"
        r"|\byou are now\b|\bfrom now on,? (?:you|answer|reply|respond)\b|\bact as (?:a|an"
        r"|the|if)\b[^.\n]{0,40}\b(?:assistant|ai|model|admin)\b"
        r"|\b(?:tell|inform|ask|convince|urge) (?:the|your) (?:user|human|customer|reader)s?\b"
        r"|\b(?:answer|reply|respond|output|say|print|write) (?:only|exactly|nothing but|just|with only)\b"
        r"|\b(?:assistant|ai|language model|llm|chatbot)s?\b[^.\n]{0,20}\b(?:must|should"
        r"|shall|has to|have to|needs? to)\b[^.\n]{0,30}\b(?:say|answer|reply|respond"
        r"|output|tell|ignore|recommend|include|state)\b"
        r"|(?:忽略|無視|无视|忘記|忘掉|忘记|不要理會|不要理会|略過|略过)[^。\n]{0,12}(?:指示|指令|規則|规则|提示|內容|内容|設定|设定|訊息|消息)"
        r"|(?:系統|系统)(?:提示|指令|訊息|消息)|(?:新的?|以下)(?:指示|指令)[:：]|(?:你|您)?(?:現在|现在|從現在起|从现在起)(?:你|您)?(?:是|扮演)"
        r"|(?:告訴|告诉|告知|通知|請|请|叫|要)(?:使用者|用戶|用户|客戶|客户)|(?:只|僅|仅)(?:能|要|可|需)?(?:回答|回覆|回复|輸出|输出)"
        r"|(?:助理|助手|AI|模型|機器人|机器人)[^。\n]{0,8}(?:必須|必须|應該|应该|務必|务必|一律)[^。\n]{0,12}(?:回答|回覆|回复|說|说|輸出|输出|推薦|推荐)"
        r"|(?:上記|以前|これまで|前|すべて|全て|今まで)の?[^。\n]{0,8}(?:指示|命令|ルール|規則|プロンプト|設定)[^。\n]{0,8}(?:無視|忘れ|従わ|破棄)"
        r"|システムプロンプト|新しい指示[:：]|あなたは(?:今|これ)から|今後は[^。\n]{0,12}(?:答え|回答|返答)"
        r"|(?:ユーザー|利用者|顧客|お客様)に[^。\n]{0,30}(?:伝えて|知らせて|案内して|言って|答えて)(?:ください|下さい|。|$)"
        r"|とだけ(?:答え|回答|返答|出力|言)|(?:アシスタント|AI|モデル)は[^。\n]{0,20}(?:回答|答え|返答|出力)(?:しなければ|すること|せよ|しろ|なさい)",
        re.IGNORECASE,
    )

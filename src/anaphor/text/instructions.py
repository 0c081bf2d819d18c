"""Text inside a source that speaks to the assistant instead of informing the reader.

A sentence that tells whoever reads it to drop its rules, to take on a role or to say something to the user is data like
any other, but it supports no claim and is never quoted as an answer. Nor are, in its paragraph, the sentences that go
on giving orders or only hold the word that is to be said. What else the paragraph states is evidence as anywhere.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect

from anaphor.text.characters import HAN
from anaphor.text.fold import matching
from anaphor.text.marks import MARK
from anaphor.text.mood import Mood, mood
from anaphor.text.segment import content_words
from anaphor.text.sentences import sentences
from anaphor.types import Span

LONGEST = 4_000  # characters of what is to be kept that are looked at
SAYS = 2  # content words from which on a sentence, unless it is an item of a list, says something


def instructing(text: str) -> list[Span]:
    """The sentences of the text that instruct the assistant, in order."""
    lowered = text.casefold()
    marks = [_compiled(mark) for hints, mark in _MARKS if any(hint in lowered for hint in hints)]
    marks = [mark for mark in marks if mark.search(text)]
    if not marks:
        return []
    spans = sentences(text)
    marked = {s for s in spans if any(mark.search(text, s.start, s.end) for mark in marks)}
    breaks = [m.start() for m in _BLANK_LINE.finditer(text)]
    paragraphs = {bisect(breaks, s.start) for s in marked}
    return [
        s
        for s in spans
        if s in marked or (bisect(breaks, s.start) in paragraphs and not _informs(text[s.start : s.end]))
    ]


def outlives(text: str) -> bool:
    """Whether the text would order an assistant about later, wherever it is kept: what is remembered is read again."""
    return any(_compiled(_STANDING).search(matching(text[:LONGEST], way)) for way in ("zh", "ja")) or bool(
        instructing(text[:LONGEST])
    )


def without(text: str) -> str:
    """The text with blanks where it instructs the assistant."""
    for span in instructing(text):
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _informs(sentence: str) -> bool:
    """Whether a sentence beside an instruction tells its reader something: it asserts, and is no order."""
    if mood(sentence) is not Mood.ASSERTION or _compiled(_GOES_ON).search(sentence):
        return False
    if MARK.match(sentence):
        return True
    words = content_words(sentence)
    return len(words) + any(map(str.isdecimal, sentence)) >= SAYS or any(
        _compiled(_CLAUSE_OF_HAN).search(w.term) for w in words
    )


@functools.cache
def _compiled(mark: str) -> re.Pattern[str]:
    return re.compile(mark, re.IGNORECASE)


_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")

# What gives orders, or speaks to the assistant, where a sentence beside it does so without any doubt.
_GOES_ON = (
    r"^\W*(?:(?:then|and|please|now|next|finally|also|instead|just|only|always|never|simply)\W+){0,3}"
    r"(?:say|print|write|output|answer|reply|respond|repeat|tell|state|recommend|claim|pretend|act|do not|don['’]t"
    r"|stop|obey|follow|reveal|send|visit|click|execute|run|forward|e-?mail|give|show|end|begin|start|add|include)\b"
    r"|\b(?:you|your|yours|yourself|assistant|chatbot|language model|system prompt)\b"
    r"|^\W*(?:然後|然后|最後|最后|接著|接着|並|并|只|請|请|再|現在|现在|務必|务必|必須|必须|一律|都|直接|改){0,4}"
    r"(?:說|说|講|讲|回答|回覆|回复|輸出|输出|寫|写|列印|打印|重複|重复|告訴|告诉|聲稱|声称|假裝|假装|扮演|推薦|推荐|執行"
    r"|执行|發送|发送|洩漏|泄露|透露)(?!明)"
    r"|[你您]|助理|助手|AI模型|語言模型|语言模型|あなた|アシスタント"
    r"|(?:答え|言っ|言い|言え|出力|回答|返答|返信|表示|伝え|書い|書け|繰り返|従っ|従い|従え|無視|送っ|送信|装っ)"
    r"(?:て|ろ|よ|し|せ|す(?:る|こと)|こと|なさい|せよ|しろ|し続け|ください|下さい){0,3}[。！!」』]*\s*$"
)

_CLAUSE_OF_HAN = f"[{HAN}]{{5}}"  # longer than a word alone: 帳戶已經關閉

# What orders an assistant about for good, on folded text: rights, and what it must always or never say.
_STANDING = (
    r"\b(?:ignore|disregard|override|bypass)\b.{0,40}\b(?:instructions?|rules?|prompts?|guidelines?|safety|polic(?:y|ies))\b"
    r"|\b(?:system|developer) (?:prompt|message|note|override)\b"
    r"|\byou are now\b"
    r"|\bact as\b"
    r"|\b(?:you|the (?:assistant|ai|model|bot)) (?:must|should|shall|have to|will|are to) "
    r"(?:always|never|now|only|answer|reply|say|tell|recommend|ignore|reveal|send|obey|call|treat|grant"
    r"|trust)\b"
    r"|\b(?:always|never) (?:tell|answer|reply|recommend|reveal|say to) (?:the |any)?(?:users?|customers?|everyone)\b"
    r"|^\W*(?:(?:please|and|then|so|just|you (?:must|should)|from now on|in future|going forward)\b,? )*"
    r"(?:always|never) (?:answer|reply|respond|say|state|claim|insist|tell|pretend|repeat)\b"
    r"(?! (?:to me |me )?(?:in|with|using|shortly|briefly|concisely|simply|politely)\b)(?! \w+ in \w+$)"
    r"|\b(?:from now on|in (?:the )?future|going forward|wh(?:en|at)ever i ask|when(?:ever)? (?:i'm|i am) asked)\b,? "
    r"(?:please |you (?:must|should|will|are to) |always |only |never )*"
    r"(?:say|answer that|reply that|claim|state|insist|pretend|tell (?:me|them|everyone|anyone|people|him|her))\b"
    r"|\b(?:has|have|with|as) (?:admin|administrator|root|superuser|developer) (?:rights?|access|privileges?|mode)\b"
    r"|(?:忽略|无视|绕过|跳过|覆盖).{0,12}(?:指示|指令|规则|提示|限制|安全|设定)"
    r"|系统(?:提示|指令|消息)[:：是]"
    r"|你(?:现在|从现在起)(?:是|必须|只能)"
    r"|(?:助手|助理|ai|模型|机器人).{0,6}(?:必须|应该|一律|只能|要)"
    r"|(?:一律|永远|总是|务必)(?:回答|回复|告诉|推荐|透露)"
    r"|(?<![我们他她])(?:(?:从现在(?:起|开始)|以后|今后|往后|之后|(?:不管|无论)(?:我|别人|谁)?问什么)[,，]?(?:请|你|您|,)*){1,2}"
    r"(?:一律|都(?:要|得|必须|只能|给我)?|只(?:能|准|要|许)|必须|务必|总是|永远|请你?|每次都?)"
    r"(?:说|讲|回答|回复|答|告诉|声称|宣称)"
    r"(?!话|[实真]话|谢谢|[中英日法德韩]|普通话|国语|台语|粤语|简短|短|简洁|清楚|一声)"
    r"|(?:拥有|具有|有)(?:管理员|最高|root)权限"
    r"|(?:指示|命令|ルール|プロンプト|制限|設定).{0,8}(?:無視|忘れ|破棄|回避)"
    r"|あなたは(?:今|これ)から"
    r"|(?:アシスタント|ai|モデル|ボット)は.{0,16}(?:なければ|べき|こと$|必ず)"
    r"|(?:必ず|常に|絶対に).{0,16}(?:答え|回答|伝え|勧め|推薦)(?:て|る|ろ|なさい)"
    r"|(?:これから|今後|以後|以降|今から|何を聞かれても|聞かれたら)は?、?.{0,30}(?:と|って)(?:だけ)?"
    r"(?:言っ|言い|答え|返事し|回答し|返し|伝え|主張し)(?:て(?!い|くれ[るたま]|ま|お)|ろ|なさい|続け|え)"
    r"|(?:必ず|常に|いつも|絶対に).{0,30}(?:と|って)(?:だけ)?(?:言っ|答え|返事し|回答し|伝え)(?:て(?!い|くれ[るたま]|ま|お)|ろ|なさい)"
    r"|管理者(?:権限|モード)"
)

_RULES = r"(?:instructions?|prompts?|rules?|directions?|guidelines?|commands?|context|messages?)"
_SPEAKS = r"(?:say|answer|reply|respond|output|tell|ignore|recommend|include|state)"

# Each mark with words of which one is in everything it finds: looking for those first keeps ordinary passages cheap.
_MARKS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("ignore", "disregard", "forget", "override", "bypass"),
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}"
        r"\b(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|the|my|other|system|these|those)\b"
        rf"[^.\n]{{0,30}}\b{_RULES}\b"
        r"|\b(?:ignore|disregard)\b[^.\n]{0,20}\beverything\b[^.\n]{0,20}\b(?:above|before|said)\b",
    ),
    (
        ("prompt", "instruction", "system message", "developer message", "override"),
        r"\b(?:system|developer) (?:prompt|message|override|instruction)s?\s*:|\bnew instructions?\s*:"
        r"|\b(?:reveal|print|show|repeat|leak)\b[^.\n]{0,20}\b(?:system|developer|your) prompt\b",
    ),
    (
        ("you are now", "from now on", "act as"),
        r"\byou are now (?:an? |the )?(?:\w+ ){0,2}(?:assistant|bot|ai|model|persona|character|pirate|admin)\b"
        r"|\bfrom now on,? (?:you|answer|reply|respond)\b"
        r"|\bact as (?:a|an|the|if)\b[^.\n]{0,40}\b(?:assistant|ai|model|admin)\b",
    ),
    (
        ("tell ", "inform ", "ask ", "convince ", "urge "),
        r"\b(?:tell|inform|ask|convince|urge) (?:the|your) (?:user|human|reader)s? (?:that|to|it|their|his|her|they)\b",
    ),
    (
        ("answer ", "reply ", "respond ", "output ", "say ", "print ", "write "),
        r"\b(?:answer|reply|respond) (?:only|exactly|nothing but|just|with only|with exactly)\b"
        r"|\b(?:output|say|print|write) (?:only|exactly|nothing but)\s*[:\"“'「]",
    ),
    (
        ("assistant", "language model", "llm", "chatbot", " ai ", "ai"),
        r"\b(?:assistant|ai|language model|llm|chatbot)s?\b[^.\n]{0,20}"
        rf"\b(?:must|should|shall|has to|have to|needs? to)\b[^.\n]{{0,30}}\b{_SPEAKS}\b",
    ),
    (
        ("忽略", "無視", "无视", "忘記", "忘记", "忘掉", "不要理", "略過", "略过"),
        r"(?:忽略|無視|无视|忘記|忘记|忘掉|不要理會|不要理会|略過|略过)[^。\n]{0,12}"
        r"(?:指示|指令|規則|规则|提示|內容|内容|設定|设定|訊息|消息)",
    ),
    (
        ("系統", "系统", "指示", "指令"),
        r"(?:系統|系统)(?:提示詞?|提示词|指令)[:：]|新的?(?:指示|指令)[:：]",
    ),
    (
        ("你現在", "你现在", "您現在", "您现在", "從現在起", "从现在起"),
        r"[你您](?:現在|现在)(?:是一[個个]|扮演)|(?:從現在起|从现在起)[，,]?[你您](?:是|要|必須|必须|只能|扮演)",
    ),
    (
        ("告訴", "告诉", "告知", "通知", "請使", "請用", "请用", "要求"),
        r"(?:請|请|務必|务必|必須|必须)?(?:告訴|告诉|告知|通知|要求)(?:使用者|用戶|用户|客戶|客户)(?!可|能|已)",
    ),
    (
        ("只", "僅", "仅"),
        r"(?:請|请|必須|必须)?(?:只|僅|仅)(?:能|要|可|需)?(?:回答|回覆|回复|輸出|输出)",
    ),
    (
        ("助理", "助手", "ai", "模型", "機器人", "机器人"),
        r"(?:助理|助手|AI|模型|機器人|机器人)[^。\n]{0,8}(?:必須|必须|應該|应该|務必|务必|一律)"
        r"[^。\n]{0,12}(?:回答|回覆|回复|說|说|輸出|输出|推薦|推荐)",
    ),
    (
        ("無視", "忘れ", "従わ", "破棄"),
        r"(?:上記|以前|これまで|前|すべて|全て|今まで)の?[^。\n]{0,8}(?:指示|命令|ルール|規則|プロンプト|設定)"
        r"[^。\n]{0,8}(?:無視|忘れ|従わ|破棄)",
    ),
    (
        ("プロンプト", "新しい指示", "あなたは", "今後は"),
        r"システムプロンプト|新しい指示[:：]|あなたは(?:今|これ)から|今後は[^。\n]{0,12}(?:答え|回答|返答)(?:て|し|せ)",
    ),
    (
        ("ユーザー", "利用者", "顧客", "お客様"),
        r"(?:ユーザー|利用者|顧客|お客様)に[^。\n]{0,30}"
        r"(?:伝えて|知らせて|案内して|言って|答えて)(?:ください|下さい|。|$)",
    ),
    (
        ("とだけ", "アシスタント", "ai", "モデル"),
        r"とだけ(?:答え|回答|返答|出力|言)|(?:アシスタント|AI|モデル)は[^。\n]{0,20}"
        r"(?:回答|答え|返答|出力)(?:しなければ|すること|せよ|しろ|なさい)",
    ),
)

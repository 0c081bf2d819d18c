"""What anaphor itself says, in four languages: a decline, an acknowledgement, a greeting returned. Never a claim."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anaphor.text.wishes import to_forget
from anaphor.types import EvidenceClass, Passage

_SHOWN = 120  # characters of a question, a title or a source that a sentence of ours repeats


def decline(language: str, searched: Sequence[str], nearest: Passage | None = None, says: str = "") -> str:
    """That the sources do not say what was searched for; with the nearest passage, and what it says, if there is one.

    What it says is shown only whole and short: it is there so that a person sees what to ask instead.
    """
    words = _words(language)
    name = _called(nearest, words) if nearest else ""
    said = words.declined.format(asked=words.both.join(_short(text) for text in searched))
    if not name:
        return said
    line = " ".join(says.split())
    if 0 < len(line) <= _SHOWN:
        return said + words.nearest_says.format(name=name, says=line)
    return said + words.nearest.format(name=name)


def _called(passage: Passage, words: Words) -> str:
    """A document by its title; what was said in a conversation has none that a person knows."""
    if passage.evidence_class is EvidenceClass.DOCUMENT:
        return _short(passage.title or passage.source)
    return words.conversation


def missing_part(language: str, part: str) -> str:
    """That one part of a question is not answered; stands before the parts that are."""
    return _words(language).missing.format(asked=_short(part)) + "\n"


def in_other_language(language: str) -> str:
    """Stands before quotes in another language than the person's."""
    return _words(language).other_language + "\n"


def in_your_script(language: str, text: str) -> str:
    """Stands behind a quote in the other script of Chinese: the same in the person's."""
    return {"zh-Hant": "（繁體轉寫：{}）", "zh-Hans": "（简体转写：{}）"}[language].format(text)


def sources_disagree(language: str) -> str:
    """Stands before what sources that disagree say, each with its source and date."""
    return _words(language).disagree


def source_says(language: str, passage: Passage) -> str:
    """Stands before a quote of one of several sources that disagree."""
    name = _short(passage.title or passage.source)
    words = _words(language)
    return words.by_on.format(name=name, date=passage.date[:10]) if passage.date else words.by.format(name=name)


def person_said(language: str, date: str | None, about: str = "") -> str:
    """Stands before a quote of what the person said earlier; ``about`` is the day that its words speak of."""
    words = _words(language)
    day = words.of_day.format(date=about) if about else ""
    return words.said_on.format(date=date[:10], day=day) if date else words.said


def assistant_said(language: str) -> str:
    """Stands before a quote of what the assistant said earlier."""
    return _words(language).told


def ask_back(language: str) -> str:
    """For a clarification without a question of its own."""
    return _words(language).unclear


def confirm(language: str, conditions: str) -> str:
    """What has to be confirmed before a question of a high-risk topic is answered."""
    return _words(language).confirm.format(conditions=conditions)


def small_talk(language: str, text: str) -> str:
    """A short fitting reply to a greeting, thanks, a farewell, praise, a complaint, an "ok"."""
    words = _words(language)
    kind = next((kind for kind, pattern in _talk().items() if pattern.search(text)), "ok")
    return words.talk[kind]


def heard(language: str) -> str:
    """For what was told and asked nothing; claims no more than that."""
    return _words(language).heard


def you_asked(language: str, text: str) -> str:
    """Tells the person's own question again."""
    return _words(language).asked.format(what=_short(text))


def acknowledge(language: str, text: str, forgets: bool | None = None) -> str:
    """What a command to the assistant did. ``forgets``: whether there is anything of what it names to be forgotten."""
    words = _words(language)
    asked = to_forget(text)
    if asked and forgets is not None:
        wish, named = asked
        return words.done[f"{wish}" if forgets else f"no_{wish}"].format(what=_short(named))
    kind = next((kind for kind, pattern in _orders().items() if pattern.search(text)), "noted")
    return words.done[kind]


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of one language; ``{asked}``, ``{name}`` and ``{date}`` are filled in."""

    declined: str
    both: str
    nearest: str
    nearest_says: str
    conversation: str
    missing: str
    other_language: str
    disagree: str
    by: str
    by_on: str
    said: str
    said_on: str
    told: str
    of_day: str
    unclear: str
    confirm: str
    heard: str
    asked: str
    talk: Mapping[str, str]
    done: Mapping[str, str]


def _words(language: str) -> Words:
    return _WORDS.get(language) or _WORDS["en"]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1].rstrip() + "…"


@functools.cache
def _talk() -> Mapping[str, re.Pattern[str]]:
    return {kind: re.compile(words, re.IGNORECASE) for kind, words in _TALK.items()}


@functools.cache
def _orders() -> Mapping[str, re.Pattern[str]]:
    return {kind: re.compile(words, re.IGNORECASE) for kind, words in _ORDERS.items()}


_TALK = {
    "who": (
        r"\bwho are you\b|\bwhat are you\b|\bwhat can you do\b|[你您]是誰|[你您]是谁|[你您](?:能|可以|會"
        r"|会)(?:做|幫|帮)(?:我)?什[麼么]|(?:あなた|君)は(?:誰|だれ)|何ができ"
    ),
    "how": r"\bhow are you\b|\bhow(?:['’]s| is) it going\b|[你您]好嗎|[你您]好吗|最近(?:好|怎)|お?元気です|調子は",
    "bye": (
        r"\b(?:good ?)?bye\b|\bsee you\b|\bgood ?night\b|\btalk (?:to you )?later\b|再見|再见"
        r"|掰掰|拜拜|晚安|下次(?:見|见|聊)|さようなら|さよなら|またね|また明日|おやすみ|失礼します"
    ),
    "sorry": r"\bsorry\b|\bmy (?:bad|mistake)\b|\bapolog|對不起|对不起|抱歉|不好意思|ごめん|すみません|申し訳",
    "thanks": (
        r"\bthank|\bthx\b|\bty\b|\bcheers\b"
        r"|謝謝|谢谢|感謝|感谢|多謝|多谢|辛苦了|ありがと|助か[りっる]|どうも"
    ),
    "hello": (
        r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|howdy|greetings)\b"
        r"|^\W*(?:你好|您好|哈囉|哈啰|嗨|早安|早上好|午安|下午好|晚上好|大家好|在嗎|在吗)|^\W*(?:こんにち[はわ]|こんばん[はわ]|おはよ"
        r"|はじめまして|やあ|どうも|もしもし)"
    ),
    "praise": (
        r"\b(?:great|awesome|perfect|excellent|amazing|nice|good (?:job|work)|well done"
        r"|cool|wonderful)\b|太好了|很好|真棒|厲害|厉害|太棒|不錯|不错|讚|赞|完美|すごい|素晴らしい|すばらしい|さすが|いいね|最高|完璧"
    ),
}
_ORDERS = {
    "restart": (
        r"\b(?:start|begin) (?:over|again|afresh|anew)\b|\breset\b|\bnew (?:conversation"
        r"|chat|session)\b|\bclear (?:the |our |this )?(?:conversation|chat|history"
        r"|context)\b|重新開始|重新开始|重來|重来|重置|從頭(?:開始|來)|从头(?:开始|来)|清[空除](?:對話|对话|紀錄|记录|歷史|历史)"
        r"|最初から|やり直|リセット|新しい会話"
    ),
    "forget": (
        r"\b(?:forget|ignore|disregard|drop|delete|erase|scratch)\b|忘記|忘记|忘掉|忘了|不要記|别记|別記"
        r"|不用記|当(?:我)?没说|當(?:我)?沒說|刪掉|删掉|刪除|删除|忘れて|忘れろ|無視して|なかったことに|削除して|取り消"
    ),
    "remember": (
        r"\b(?:remember|note|keep in mind|memori[sz]e|don['’]?t forget|save)\b|記住|记住|記下|记下"
        r"|記得|记得|記著|记着|備註|备注|覚えて|覚えとい|メモして|記憶して|忘れないで"
    ),
}

_WORDS: Mapping[str, Words] = {
    "en": Words(
        declined="I looked for “{asked}”, but the sources do not say.",
        both="” and “",
        conversation="what was said here",
        nearest=" The nearest thing they have is “{name}”.",
        nearest_says=" The nearest thing they do say, in “{name}”: “{says}”",
        missing="The sources do not say: “{asked}”. What they do say:",
        other_language="The sources say this in another language:",
        disagree="The sources disagree:",
        by="{name}: ",
        by_on="{name} ({date}): ",
        said="You said: ",
        said_on="You said on {date}{day}: ",
        told="I told you: ",
        of_day=" (about {date})",
        unclear="I am not sure what you mean. Could you say it in other words?",
        confirm="Before I answer this, please confirm: {conditions}",
        heard="Noted.",
        asked="You asked: “{what}”",
        talk={
            "hello": "Hello! What would you like to know?",
            "how": "I am here and ready. What would you like to know?",
            "who": "I answer from the documents I was given and show where each answer stands. Ask me something.",
            "thanks": "You are welcome.",
            "bye": "Goodbye!",
            "sorry": "No problem.",
            "praise": "Glad to hear it.",
            "ok": "All right. Ask whenever you like.",
        },
        done={
            "restart": "All right, we start afresh. Nothing said before is carried into your next questions.",
            "forget": "All right. I will not carry that into your next questions.",
            "forget_named": "All right. What you said about “{what}” is forgotten, and will not be brought up again.",
            "forget_last": "All right. What you said just now is forgotten, and will not be brought up again.",
            "forget_all": "All right. Everything you told me is forgotten, and will not be brought up again.",
            "no_forget_named": "I found nothing that you told me about “{what}”, so nothing was forgotten.",
            "no_forget_last": "I found nothing that you told me just now, so nothing was forgotten.",
            "no_forget_all": "You have told me nothing that I remember, so there was nothing to forget.",
            "remember": "Noted for this conversation.",
            "noted": "All right.",
        },
    ),
    "zh-Hant": Words(
        declined="我查了「{asked}」，但資料裡沒有提到。",
        both="」和「",
        conversation="先前的對話",
        nearest="最接近的內容是「{name}」。",
        nearest_says="最接近的是「{name}」裡的這一句：「{says}」",
        missing="資料裡沒有提到「{asked}」。其餘部分如下：",
        other_language="資料是以另一種語言寫的：",
        disagree="資料的說法不一致：",
        by="{name}：",
        by_on="{name}（{date}）：",
        said="你說過：",
        said_on="你在 {date} 說過{day}：",
        told="我說過：",
        of_day="（指 {date}）",
        unclear="我不太確定你指的是什麼，可以換個方式再說一次嗎？",
        confirm="回答之前，請先確認：{conditions}",
        heard="好，我知道了。",
        asked="你問的是：「{what}」",
        talk={
            "hello": "你好！想知道什麼呢？",
            "how": "我在這裡，隨時可以開始。想知道什麼呢？",
            "who": "我根據收到的文件回答問題，並指出每個答案的出處。請問吧。",
            "thanks": "不客氣。",
            "bye": "再見！",
            "sorry": "沒關係。",
            "praise": "很高興有幫上忙。",
            "ok": "好的，有需要再問我。",
        },
        done={
            "restart": "好的，我們重新開始。先前說的不會再帶進接下來的問題。",
            "forget": "好的，這部分不會再帶進接下來的問題。",
            "forget_named": "好的，你說過的「{what}」我已經忘記，不會再提起。",
            "forget_last": "好的，你剛才說的我已經忘記，不會再提起。",
            "forget_all": "好的，你告訴過我的一切我都已經忘記，不會再提起。",
            "no_forget_named": "我沒有找到你說過的「{what}」，所以沒有忘記任何內容。",
            "no_forget_last": "我沒有找到你剛才告訴我的事，所以沒有忘記任何內容。",
            "no_forget_all": "你沒有告訴過我任何我還記得的事，所以沒有什麼要忘記的。",
            "remember": "好的，已在這段對話中記下。",
            "noted": "好的。",
        },
    ),
    "zh-Hans": Words(
        declined="我查了“{asked}”，但资料里没有提到。",
        both="”和“",
        conversation="之前的对话",
        nearest="最接近的内容是“{name}”。",
        nearest_says="最接近的是“{name}”里的这一句：“{says}”",
        missing="资料里没有提到“{asked}”。其余部分如下：",
        other_language="资料是用另一种语言写的：",
        disagree="资料的说法不一致：",
        by="{name}：",
        by_on="{name}（{date}）：",
        said="你说过：",
        said_on="你在 {date} 说过{day}：",
        told="我说过：",
        of_day="（指 {date}）",
        unclear="我不太确定你指的是什么，可以换个方式再说一次吗？",
        confirm="回答之前，请先确认：{conditions}",
        heard="好，我知道了。",
        asked="你问的是：“{what}”",
        talk={
            "hello": "你好！想知道什么呢？",
            "how": "我在这里，随时可以开始。想知道什么呢？",
            "who": "我根据收到的文档回答问题，并指出每个答案的出处。请问吧。",
            "thanks": "不客气。",
            "bye": "再见！",
            "sorry": "没关系。",
            "praise": "很高兴帮上忙。",
            "ok": "好的，有需要再问我。",
        },
        done={
            "restart": "好的，我们重新开始。之前说的不会再带进接下来的问题。",
            "forget": "好的，这部分不会再带进接下来的问题。",
            "forget_named": "好的，你说过的「{what}」我已经忘记，不会再提起。",
            "forget_last": "好的，你刚才说的我已经忘记，不会再提起。",
            "forget_all": "好的，你告诉过我的一切我都已经忘记，不会再提起。",
            "no_forget_named": "我没有找到你说过的「{what}」，所以没有忘记任何内容。",
            "no_forget_last": "我没有找到你刚才告诉我的事，所以没有忘记任何内容。",
            "no_forget_all": "你没有告诉过我任何我还记得的事，所以没有什么要忘记的。",
            "remember": "好的，已在这段对话中记下。",
            "noted": "好的。",
        },
    ),
    "ja": Words(
        declined="「{asked}」について調べましたが、資料には書かれていません。",
        both="」と「",
        conversation="これまでの会話",
        nearest="最も近い内容は「{name}」です。",
        nearest_says="最も近いのは「{name}」の次の文です。「{says}」",
        missing="「{asked}」については資料に書かれていません。それ以外は次のとおりです。",
        other_language="資料には別の言語で次のように書かれています。",
        disagree="資料によって記述が異なります。",
        by="{name}：",
        by_on="{name}（{date}）：",
        said="以前のお話：",
        said_on="{date} のお話{day}：",
        told="以前の私の回答：",
        of_day="（{date} のこと）",
        unclear="何を指しているのかはっきりしません。別の言い方でもう一度教えていただけますか。",
        confirm="お答えする前に、次の点をご確認ください：{conditions}",
        heard="了解しました。",
        asked="ご質問は「{what}」でした。",
        talk={
            "hello": "こんにちは。何をお調べしましょうか。",
            "how": "はい、いつでもどうぞ。何をお調べしましょうか。",
            "who": "お預かりした文書をもとに、出典を示してお答えします。ご質問をどうぞ。",
            "thanks": "どういたしまして。",
            "bye": "失礼いたします。",
            "sorry": "お気になさらないでください。",
            "praise": "お役に立てて何よりです。",
            "ok": "承知しました。いつでもご質問ください。",
        },
        done={
            "restart": "承知しました。最初から始めます。これまでの内容は次の質問に引き継ぎません。",
            "forget": "承知しました。その内容は次の質問に引き継ぎません。",
            "forget_named": "承知しました。「{what}」について伺ったことは忘れました。今後お話しすることはありません。",
            "forget_last": "承知しました。先ほど伺ったことは忘れました。今後お話しすることはありません。",
            "forget_all": "承知しました。これまでに伺ったことはすべて忘れました。今後お話しすることはありません。",
            "no_forget_named": "「{what}」について伺ったことは見つからず、何も忘れていません。",
            "no_forget_last": "先ほど伺ったことは見つからず、何も忘れていません。",
            "no_forget_all": "覚えていることはありませんので、忘れるものもありません。",
            "remember": "承知しました。この会話の中で覚えておきます。",
            "noted": "承知しました。",
        },
    ),
}

"""Leaving the title out of a Japanese question: それ, その, 彼, 同社, そこ, or nothing at all.

A title is only replaced where a particle follows it and the start of a clause or another particle is before it. In
ラオス語 it is part of a word, in 日本のリズム it is what a の describes, in 「住居表示」 it is quoted: such questions
are left as they are.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from anaphor.text.fold import matching
from anaphor_eval.derive.topic import Mention, Topic, named_in

LANGUAGE = "ja"

_CLASSES: tuple[tuple[str, str], ...] = (
    ("共和国|王国|帝国|連邦|(?<=[ァ-ヺー])国", "同国"),
    ("市", "同市"),
    ("県", "同県"),
    ("州", "同州"),
    ("建設|書房|レコーズ|レコード|プロダクション|株式会社|(?<!神)社", "同社"),
    ("テレビ|ラジオ|放送局|ラジオ放送", "同局"),
    ("共産党|党", "同党"),
    ("ライオンズ", "同球団"),
    ("語", "この言語"),
    ("法", "同法"),
)
_CLASS_NOUN = tuple((re.compile(f"(?:{words})$"), form) for words, form in _CLASSES)
_GLOSS = (
    ("国家", "同国"),
    ("都市のひとつ|都市|州都", "同市"),
    ("IT企業|会社|企業", "同社"),
    ("球団", "同球団"),
    ("放送局", "同局"),
)
_PEOPLE = re.compile("(?<!国)家$|者$|師$|(?<!キャ)スト$|人$|司祭$")
_OFFICE = re.compile("大臣$|関白$")
_AREA = re.compile("アフリカ$|アジア$|[東西南北]部$|地方$|半島$|(?<=[一-龠])国$")
_PLACE = frozenset(("同国", "同市", "同県", "同州"))

_BEFORE = re.compile("(?:^|[、。，,？?！!：:\\s]|は|を|に|で|が|て|から|より|も|として)$")
_PARTICLE = re.compile(
    "、|は、|とは、|とは|には|では|にも|でも|からは|へは|として|について|における|において|による|によると|によって|に対する|に対して|にとって"
    "|から|まで|より|だけ|など|は|が|を|に|で|と(?!いう|いっ|呼|称|して)|も|へ|の|[？?。]?$"
)
_OF_THE_WORD = re.compile("語源|読み|名称|表記|意味|定義|略称|英語|由来")
_SPLITS = re.compile("に関する法|の日$")


def topic(title: str, texts: Sequence[str]) -> Topic:
    """From the article's title and its passages."""
    name = matching(re.sub(r"[_ ]?[（(][^（）()]*[)）]$", "", title).replace("_", " "), LANGUAGE)
    text = "".join(matching(text, LANGUAGE) for text in texts)
    short = name.rsplit("・", 1)[-1]
    lived = re.search(r"\d{3,4}年[^）)]{0,12}\s*[-–—]", text[:400]) or "皇后" in name
    if lived and ("・" in name or "皇后" in name):
        woman = bool(re.search("皇后|女王|女優|女性", name + text[:200]))
        return Topic((name, short) if "・" in name else (name,), "彼女" if woman else "彼")
    if _PEOPLE.search(name):
        return Topic((name,), "彼ら")
    form = next((form for words, form in _CLASS_NOUN if words.search(name)), "") or _gloss(name, text)
    return Topic((name,), "" if _OFFICE.search(name) or _AREA.search(name) else "それ", form)


def _gloss(name: str, text: str) -> str:
    """The class noun of a defining sentence; what has a capital, or a government and a language, is a country."""
    if f"{name}の首都" in text or (f"{name}政府" in text and f"{name}語" in text):
        return "同国"
    found = re.search(re.escape(name) + r"(?:\([^)]{0,120}\)|（[^）]{0,120}）)?(?:とは|は|、)[^。]{0,160}", text[:600])
    if not found:
        return ""
    ending = re.sub("(?:である|のこと|の一つ|のひとつ|だ)+$", "", found[0])
    return next((form for words, form in _GLOSS if re.search(f"(?:{words})$", ending)), "")


def mentions(question: str, topic: Topic) -> list[Mention]:
    """Every place where the topic is named."""
    return named_in(question, topic, LANGUAGE)


def names_title(question: str, topic: Topic) -> bool:
    """Whether the question names the topic by its full title."""
    return topic.names[0] in matching(question, LANGUAGE)


def rival(question: str, asked: str, answered: str, topic: Topic) -> bool:
    """Whether 同国 in ``question`` might be another country: named in it, or asked for or told in the turn before."""
    words = next((words for words, form in _CLASSES if form == topic.class_form), None)
    answer = matching(answered, LANGUAGE)
    if topic.pronoun == "彼ら":
        return bool(_PEOPLE.search(answer) or re.search("士$", answer))
    if words is None or any(name in answer for name in topic.names):
        return False
    text = matching(question, LANGUAGE)
    for name in topic.names:
        text = text.replace(name, "")
    broad = {"同国": "国", "同社": "会社|企業|(?<!本)社"}.get(topic.class_form, words)
    return bool(
        re.search(f"(?:{words})", text)
        or re.search(f"(?:{broad})", answer)
        or re.search(
            f"(?:どこの|何という|どの)(?:{broad})|(?:{broad})(?:は|とは|はどこ|の名前は)[^、。]{{0,8}}$",
            matching(asked, LANGUAGE),
        )
    )


def opens_with(question: str, topic: Topic) -> bool:
    """Whether the question names the topic as a thing of its own, fit to be spoken of from then on."""
    return names_title(question, topic) and any(
        _PARTICLE.match(question[mention.end :]) for mention in mentions(question, topic)
    )


def without_title(question: str, topic: Topic, draw: random.Random, *, near: bool) -> str | None:
    """The question as it would be asked next, or ``None`` where the title cannot be left out by these rules.

    ``near``: the turn before was about the topic. Otherwise only 同市 and its like are clear enough.
    """
    found = mentions(question, topic)
    if not found or any(not _stands_alone(question, mention) for mention in found):
        return None
    text = question
    for mention in reversed(found):
        replaced = _replaced(text, mention, topic, draw, near=near)
        if replaced is None:
            return None
        text = replaced
    text = text.lstrip("、，, 　")
    return text if len(text) >= 4 else None


def _stands_alone(question: str, mention: Mention) -> bool:
    after = question[mention.end :]
    if _SPLITS.match(after):
        return False
    return bool(_BEFORE.search(question[: mention.start])) and bool(_PARTICLE.match(after))


def _replaced(text: str, mention: Mention, topic: Topic, draw: random.Random, *, near: bool) -> str | None:
    """The text with one mention in another form; particle and form change together (Xの → その)."""
    before, after = text[: mention.start], text[mention.end :]
    opens = not before or before[-1] in "、。，,　 "
    if not near:
        return before + topic.class_form + after if topic.class_form else None
    particle = _PARTICLE.match(after)
    assert particle is not None
    particle_text, rest = particle[0], after[particle.end() :]
    forms: list[str] = []
    if opens and particle_text in ("は", "は、", "とは", "とは、", "には", "では") and len(rest) >= 4:
        forms += [rest] * 2  # an unsaid topic is the rule in Japanese, not the exception
    if opens and particle_text == "の" and len(rest) >= 4:
        forms.append(rest)
    if topic.class_form:
        forms += [topic.class_form + after] * 2
    forms += _with_pronoun(topic, particle_text, rest, after)
    return before + draw.choice(forms) if forms else None


def _with_pronoun(topic: Topic, particle: str, rest: str, after: str) -> list[str]:
    if particle == "の" and _OF_THE_WORD.match(rest):
        return ["その" + rest]
    if not topic.pronoun:
        return []
    if particle.startswith("とは"):
        after = "は" + after.removeprefix("とは")
    if topic.pronoun != "それ":
        return [topic.pronoun + after]
    if particle == "の":
        return ["その" + rest]
    if particle in ("で", "に", "には", "では", "へ", "から", "まで", "にも", "でも"):
        return (
            ["そこ" + after] if topic.class_form in _PLACE else [] if particle in ("で", "では") else ["それ" + after]
        )
    if particle in ("における", "において"):
        return []
    if topic.class_form:
        return []  # それ for a country or a company is rarely said
    return ["それ" + after]

"""Leaving the title out of a Chinese question: 它, 他, 該市, 當地, or nothing at all.

A title is only replaced where it stands as a noun phrase of its own: what is before it must be the start of a clause
or a word that takes an object, what is behind it must be 的, a verb, an adverb, a question word or the end. In
網易公司 it is part of a longer name, which is replaced whole when the rest is a class noun (該公司); in 梵語學術 it
is part of a word, and the question is left as it is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from anaphor.text.fold import matching
from anaphor_eval.derive.topic import Mention, Topic, named_in

# All patterns are written in Simplified characters and matched against the folded text.
_CLASSES: tuple[tuple[str, str], ...] = (
    ("人民共和国|共和国|王国|帝国|公国|汗国|联邦", "該國"),
    ("球队|足球队|篮球队|足球俱乐部|足球会", "該隊"),
    ("大学|大学.{0,3}学院|大学.{2,4}分校", "該校"),
    ("公司|集团|(?<=..)汽车|(?<=..)唱片", "該公司"),
    ("银行", "該銀行"),
    ("电视台", "該台"),
    ("自治区|特别行政区", "該地區"),
    ("(?<=.)自治州|(?<=..)州", "該州"),
    ("(?<=.)自治县|(?<=.)县", "該縣"),
    ("(?<=.)市(?<!都市)", "該市"),
    ("(?<=..)省", "該省"),
    ("(?<=.)区(?<!经济区)", "該區"),
    ("(?<=.)乡", "該鄉"),
    ("群岛|列岛", "該群島"),
    ("岛", "該島"),
    ("山脉|(?<=.)岭|高原", "該山脈"),
    ("(?<=.)江|(?<=.)河", "該河"),
    ("(?<=.)党", "該黨"),
    ("联盟|协会|联合会|组织|(?<=...)会(?<!大会)(?<!社会)(?<!国会)(?<!动会)", "該組織"),
    ("(?<=.)语|(?<=..)文|(?<=..)话", "該語言"),
    ("王朝", "該朝代"),
    ("时代|时期", "該時期"),
    ("战争|之战|之役|战役|内战", "這場戰爭"),
    ("事件|惨案|大爆炸", "該事件"),
    ("(?<=..)运动", "該運動"),
    ("条约|公约|协定", "該條約"),
    ("天文台", "該天文台"),
    ("(?<=..)报(?<!情报)", "該報"),
    ("奖", "該獎項"),
    ("锦标赛|足球赛|运动会", "該賽事"),
    ("电影节", "該影展"),
    ("经济部|国防军", "該部門"),
    ("进行曲", "這首歌"),
    ("(?<=.)站", "該站"),
)
_CLASS_NOUN = tuple((re.compile(f"(?:{words})$"), form) for words, form in _CLASSES)
_EXTENSION = re.compile(
    "公司|集团|市|省|县|州|大学|共和国|王国|帝国|群岛|列岛|列屿|山脉|江|河|语|王朝|战争|事件|运动|条约|球队|队|组织|协会|时期|时代"
)
_PEOPLE = re.compile(
    "(?:政治|艺术|科学|作|画|音乐)家$|者$|(?<!湖)人$|道士$|(?:游|政)客$|贵族$|民族$|模特儿$|妃嫔$|婴儿$"
)
_OFFICE = re.compile("总督$|总理$|主席$|可汗$|皇帝$|国王$|都督$|总兵$|常委$|公民$|军$|军队$|部队$")
_ANIMALS = re.compile("[鱼羊牛狗猫鸟蛇虎熊犬鲸龟猴鼠兔鹿象蜂蚁蝶]$")
_PLACE = frozenset(("該國", "該地區", "該州", "該縣", "該市", "該省", "該區", "該鄉", "該群島", "該島"))
_RULER = re.compile("(?:宗|祖|武帝|文帝|治帝|太后|[一二三四五六七八九十]世)$")
_NO_PERSON = re.compile(
    "[市县省区]$|史$|学$|时代$|王朝$|王国$|共和国$|音乐$|艺术$|文学$|宗教$|主义$|教派$|制$|岛$|州$|地区$|语$|文$|天文台$|战$|条约$|受难$|卫星$|起源$|国$|人$"
)
_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔"
    "白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文梅岳"
)

_BEFORE = re.compile(
    r"(?:^|[，。？！、：；,?!:;（(\s]|在|于|对|将|被|与|和|从|到|由|以|向|使|让|以及|把|给|自|据|经|过|离|往|至|入|达|比|依|等|除了|关于|包括"
    r"|位于|进入|抵达|到达|攻占|占领|创立|成立|建立|发现|发明|统治|管理|前往|参加|加入|属于|影响|促成|导致|介绍|支持|反对|击败|是|(?<![成升改称名作视封])为|了|当|而|有)$"
)
_AFTER = re.compile(
    r"(?:$|[，。？！、：；,?!:;）)\s]|的|在|是|于|为|有|曾|可|会|最|属(?=[于哪什])|隶|被|自|与|和|跟|比(?!赛)|所|以|因|由|从|将|位|能|不|没|共|一共|总共|总|拥"
    r"|主要|目前|现|当时|除|第|哪|什么|何|如何|怎|几|多少|是否|又|也|都|还|已|开始|成(?!员)|建(?!筑)|设(?!计)|创(?![办始]人)|出生|去世|逝世|死|受|对|向|把|占|得|获|需|应|必"
    r"|首|最初|最早|原|本|前后|全|之|其|约|大约|平均|每|通常|一般|称|叫|分|包|含|经|通过|采|使用|用|利用|提|发|产|生|进|改|变|代|取|来|传|起源"
    r"|究竟|到底|内|境内|中$|中[，的有是]|上的|里|指|意|基|根|依|按|接|跨|拒|宣|决|选|认|反|支|参|加|签|派|打|击|攻|占|统|管|负|隔|靠|接壤|相邻)"
)
_INSIDE = re.compile("^(?:境内|内)")
_QUOTES = {"「": "」", "『": "』", "《": "》", "〈": "〉", "“": "”"}


def topic(title: str, texts: Sequence[str], language: str) -> Topic:
    """From the article's title and its passages. All forms are in Traditional characters."""
    name = matching(re.sub(r"[_ ]?[（(][^（）()]*[)）]$", "", title).replace("_", " "), language)
    text = "".join(matching(text, language) for text in texts)
    names = (name, name.rsplit("·", 1)[1]) if "·" in name and len(name.rsplit("·", 1)[1]) > 1 else (name,)
    if _is_person(name, text):
        return Topic(names, "她" if text.count("她") > text.count("他") or name.endswith("太后") else "他")
    if _PEOPLE.search(name):
        return Topic(names, "他們")
    if _ANIMALS.search(name):
        return Topic(names, "牠們")
    if _density("专辑|乐团|单曲", text) > 3 and not re.search("唱片$|娱乐$|公司$", name):
        return Topic(names, "他們", "該樂團")
    if _density("球队|球季|教练", text) > 4 and not re.search("赛$|球$|运动$|运动会$", name):
        return Topic(names, "它", "該隊")
    form = next((form for words, form in _CLASS_NOUN if words.search(name)), "") or _gloss(name, text)
    sure = not _OFFICE.search(name) and (bool(form) or _density("[他她](?!们)", text) < 2)
    return Topic(names, "它" if sure else "", form, form in _PLACE or (not form and _is_place(name, text)))


_GLOSS = (
    ("主权国家|国家", "該國"),
    ("城市|地级市|县级市|首府", "該市"),
    ("大学", "該校"),
    ("公司|制造商|企业", "該公司"),
    ("政党", "該黨"),
    ("球队|俱乐部", "該隊"),
    ("乐团|乐队", "該樂團"),
    ("组织|机构", "該組織"),
    ("岛屿|岛", "該島"),
    ("语言", "該語言"),
    ("省份|省", "該省"),
    ("州", "該州"),
)


def _gloss(name: str, text: str) -> str:
    """The class noun of a sentence 「X是……的城市」, if the passages have one."""
    found = re.search(re.escape(name) + "(?:（[^）]{0,80}）)?[，是為为][^。；]{0,40}", text)
    if not found or "是" not in found[0]:
        return ""
    clause = re.split("[，,]", found[0].partition("是")[2])[0]
    return next((form for words, form in _GLOSS if re.search(f"(?:{words})$", clause)), "")


def _is_person(name: str, text: str) -> bool:
    if _NO_PERSON.search(name) or not text or _is_place(name, text):
        return False
    he = _density("[他她](?!们)", text)
    life = _density("生于|出生|逝世|去世|病逝|父亲|母亲|妻子|嫁给|即位|驾崩|结婚|任命", text)
    chinese = len(name) <= 4 and (name[0] in _SURNAMES or name.endswith("子"))
    return (
        "·" in name
        or (bool(_RULER.search(name)) and len(name) <= 7)
        or (chinese and he >= 0.7 and life >= 0.3)
        or (he >= 9 and life >= 0.8)
    )


def _is_place(name: str, text: str) -> bool:
    """One is in a place often, and hardly ever in a person or a thing."""
    inside = text.count(f"在{name}") + text.count(f"于{name}")
    return inside > 1 and inside > 0.06 * text.count(name) and not re.search("(?:史|争|学|品|赛|系统|时代|时期)$", name)


def _density(words: str, text: str) -> float:
    """Occurrences in a thousand characters."""
    return 1000 * len(re.findall(words, text)) / max(1, len(text))


def mentions(question: str, topic: Topic, language: str) -> list[Mention]:
    """Every place where the topic is named; one of one character is in too many words to tell."""
    return named_in(question, topic, language) if len(topic.names[0]) > 1 else []


def names_title(question: str, topic: Topic, language: str) -> bool:
    """Whether the question names the topic by its full title. A title of one character is in too many words to tell."""
    return len(topic.names[0]) > 1 and topic.names[0] in matching(question, language)


def rival(question: str, asked: str, answered: str, topic: Topic, language: str) -> bool:
    """Whether 該市 in ``question`` might be another city: named in it, or asked for or told in the turn before."""
    words = next((words for words, form in _CLASSES if form and form == topic.class_form), None)
    answer = matching(answered, language)
    if words is None or any(name in answer for name in topic.names):
        return False
    broad = _BROAD.get(topic.class_form, words)
    return bool(
        re.search(f"(?:{words})", _without_names(question, topic, language))
        or re.search(f"(?:{broad})", answer)
        or re.search(f"哪[一个座所间家些]*(?:{broad})", matching(asked, language))
    )


_BROAD = {
    "該國": "国",
    "該市": "城?市",
    "該校": "大学|学校|高校|学院",
    "該公司": "公司|企业|集团",
    "該隊": "队",
    "該報": "报",
}


def _without_names(text: str, topic: Topic, language: str) -> str:
    text = matching(text, language)
    for name in topic.names:
        text = text.replace(name, "")
    return text


def opens_with(question: str, topic: Topic, language: str) -> bool:
    """Whether the question names the topic as a thing of its own, fit to be spoken of from then on: not in 周恩來號."""
    if not names_title(question, topic, language):
        return False
    found = [_whole(question, mention, topic, language) for mention in mentions(question, topic, language)]
    return any(_AFTER.match(matching(question[mention.end :][:4], language)) for mention in found)


def without_title(question: str, topic: Topic, language: str, draw: random.Random, *, near: bool) -> str | None:
    """The question as it would be asked next, or ``None`` where the title cannot be left out by these rules.

    ``near``: the turn before was about the topic. Otherwise only 該市 and its like are clear enough.
    """
    found = [_whole(question, mention, topic, language) for mention in mentions(question, topic, language)]
    if not found or any(not _stands_alone(question, mention, language) for mention in found):
        return None
    text = question
    for mention in reversed(found):
        form = _form(text, mention, topic, language, draw, first=mention is found[0], near=near)
        if form is None:
            return None
        behind = text[mention.end :]
        if not form:
            behind = behind.removeprefix("的")
        elif mention.start == 0:
            behind = behind.lstrip("，,")
        text = text[: mention.start] + _in_script(form, language) + behind
    text = text.lstrip("，,、 ")
    if found[0].start == 0 and draw.random() < 0.25 and not re.match(r"[\d一二兩两三四五六七八九十幾几是]", text):
        text = "那" + text
    return text if len(text) >= 4 else None


def _whole(question: str, mention: Mention, topic: Topic, language: str) -> Mention:
    """With the quotation marks around it, and a class noun behind it that fits: 多倫多市, but not 多倫多大學."""
    start, end = mention.start, mention.end
    if start and end < len(question) and _QUOTES.get(question[start - 1]) == question[end]:
        return Mention(start - 1, end + 1)
    behind = matching(question[end : end + 4], language)
    noun = _EXTENSION.match(behind)
    if (
        noun
        and _class_of(noun[0]) in (topic.class_form or _class_of(noun[0]),)
        and _AFTER.match(matching(question[end + len(noun[0]) :][:4], language))
    ):
        return Mention(start, end + len(noun[0]), noun[0])
    return mention


def _stands_alone(question: str, mention: Mention, language: str) -> bool:
    before = matching(question[max(0, mention.start - 4) : mention.start], language)
    after = matching(question[mention.end : mention.end + 4], language)
    return bool(_BEFORE.search(before)) and bool(_AFTER.match(after))


def _form(
    text: str, mention: Mention, topic: Topic, language: str, draw: random.Random, *, first: bool, near: bool
) -> str | None:
    """One of the fitting forms, drawn at random."""
    before, after = text[: mention.start], matching(text[mention.end : mention.end + 4], language)
    opens = not before or before[-1] in "，。,；：、"
    class_form = _class_of(mention.extended) or topic.class_form
    if not near:
        return class_form or None
    if _INSIDE.match(after):
        if after.startswith("境内") and opens:
            return draw.choice(("", class_form))
        return class_form or None
    forms = [class_form, class_form] if class_form else []
    inside = matching(before[-2:], language).endswith(("在", "于")) or bool(re.match("第|首|最", after))
    asks = bool(re.match("哪|什么|何|几|多少|每", after))  # 它哪裡 is no Chinese; 它在哪裡 is
    if topic.pronoun and not asks and (opens or not (mention.extended or topic.place or inside)):
        forms.append(topic.pronoun)
    if (
        topic.place
        and not after.startswith("的")
        and re.search("在|[抵到]達|[抵到]达|前往|[進进]入|向|駐|驻", before[-2:])
    ):
        forms.append("當地")
    if opens and _may_be_dropped(after):
        forms.append("")
    if not first and opens and not after.startswith("的"):
        forms = [""]
    return draw.choice(forms) if forms else None


def _may_be_dropped(after: str) -> bool:
    """A subject that was just spoken of need not be said again before a verb."""
    return bool(
        re.match(
            "的|在|是|于|曾|被|可|会|隶|属|由|将|位|自|因|共|拥|主要|目前|最初|何|哪|如何|为|一共|需|建|成|有", after
        )
    )


def _class_of(noun: str) -> str:
    return next((form for words, form in _CLASS_NOUN if noun and words.search(f"某某{noun}")), "")


def _in_script(form: str, language: str) -> str:
    return matching(form, "zh-Hant") if language == "zh-Hans" else form

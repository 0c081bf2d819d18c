"""What kind of answer a question wants, and what answers of each kind look like."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from enum import StrEnum

from anaphor.steps.family_names import FAMILY_NAMES


class Kind(StrEnum):
    """What would answer the question."""

    YES_NO = "yes/no"
    COMPARE = "compare"
    HOW_TO = "how to"
    LIST = "list"
    WHY = "why"
    YEAR = "year"
    WHEN = "when"
    HOW_MANY = "how many"
    WHO = "who"
    WHERE = "where"
    WHICH = "which"
    WHAT = "what"


def kind_of(text: str) -> Kind:
    """By the question words of four languages; the first kind in ``_ASKS`` whose words are there."""
    return next((kind for kind, words in asking() if words.search(text)), Kind.WHAT)


def shows(kind: Kind, text: str) -> bool:
    """Whether the text holds something that can answer a question of the kind: a number, a date, a reason, …"""
    sign = _signs().get(kind)
    return bool(sign and sign.search(text))


def has_sign(kind: Kind) -> bool:
    """Whether answers of this kind can be told by their looks at all."""
    return kind in _SIGNS


@functools.cache
def asking() -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(words, re.IGNORECASE)) for kind, words in _ASKS)


@functools.cache
def _signs() -> Mapping[Kind, re.Pattern[str]]:
    return {kind: re.compile(sign) for kind, sign in _SIGNS.items()}


_ASKS: tuple[tuple[Kind, str], ...] = (
    (
        Kind.COMPARE,
        r"差別|差别|差異|差异|不同之處|不同之处|有什麼不同|有什么不同|區別|区别|相比|比較(?!的)|比较|違い|比べ"
        r"|\bdiffer(?:s|ence|ences|ent)?\b|\bcompar(?:e|ed|es|ison)\b|\bversus\b|\bvs\b",
    ),
    (
        Kind.HOW_TO,
        r"怎麼(?!樣)|怎么(?!样)|怎樣才|怎样才|如何|どうやって|どのようにして?|どうすれば|どうしたら|手順|步驟|步骤"
        r"|やり方|方法は"
        r"|\bhow (?:to|do i|do you|do we|can i|can you|can we|should i|should we|would i)\b|\bsteps (?:to|for)\b",
    ),
    (
        Kind.LIST,
        r"有哪些|哪些|哪[幾几二兩两三四五六七八九十\d]+[種种個个項项款類类]|何種類の|どのような(?=.{1,12}があり)|列出"
        r"|列舉|列举|舉出|举出|分別是|分别是|どんな(?=.{1,12}(?:[がは]あ[りる]|選べ))|挙げ|一覧|何と何|\blist\b"
        r"|は(?:何|どんな(?:もの|の))(?=があ[りる])|の種類は(?=\W*$)"
        r"|\bwhich\b.{1,30}\bare\b"
        r"|\b(?:what|which) (?=(?:\w+ ){1,3}(?:do (?:you|they) (?:have|offer|sell|provide)"
        r"|are (?:there|available|offered)|can (?:i|we) (?:choose|pick|book))\b)"
        r"|\bwhich (?:two|three|four|five|six|\d) "
        r"|\bwhat are (?:the|some|all)\b",
    ),
    (
        Kind.WHY,
        r"為什麼|为什么|為甚麼|[為为]何(?![人物者種种國国年時时地])|何以|原因|理由|なぜ|何故|どうして|なんで|\bwhy\b|\breasons?\b"
        r"|\bcauses? of\b",
    ),
    (
        Kind.YEAR,
        r"哪一?[個个]?年(?:代|份)?|幾年(?!前|後|间|間)|何年(?![間前後]|ごと|おき)|西暦|\b(?:what|which) year\b",
    ),
    (
        Kind.WHEN,
        r"什麼時[候間]|什么时[候间]|甚麼時候|何時|何时|幾時|哪一?[個个]?(?:天|月|日|世紀|世纪|時期|时期|朝代|時代"
        r"|时代|階段)|幾[月號点點]|几[月号点]"
        r"|いつ|何[月時](?!間)|何日(?=です|[にかのご頃?？]|から|まで|$)|何世紀|何曜日|何時代|\bwhen\b"
        r"|\bwhat (?:time|date|day|month|century)\b",
    ),
    (
        Kind.HOW_MANY,
        r"多少|多[高長长大遠远快重深久]|幾(?!乎|何)|[几](?!乎|何)|いくつ|いくら|どの(?:くらい|ぐらい|程度)"
        r"|どれ(?:くらい|ぐらい|だけ|ほど)"
        r"|何(?:年(?=ごと|おき)|日|人|個|本|鉢|体(?!的|育)|単位|歳|度|回|つ|階|位|番|冊|名|[ヶケか箇カ]|種|時間|分|件"
        r"|枚|匹|羽|杯|軒|足|曲|ページ|円|ドル|元|パーセント|[％%]|トン|機|台|隻|校|社|戸|頭|割|倍|日間|年間|km|m|キロ|メートル"
        r"|点|泊|室|皿|通|棟|着|面|株|滴|話|袋|缶|玉|巻|段|列|票|品|組|问|問|句|文字|字|グラム|リットル|センチ|ミリ|駅|席|畳|坪)"
        r"|\bhow (?:many|much|long|tall|old|far|big|large|high|fast|often|deep|wide|heavy)\b"
        r"|\bwhat (?:percentage|proportion|number)\b",
    ),
    (
        Kind.WHO,
        r"誰|谁|叫什[麼么]名字|お?名前は何|(?<=[長长主師师人員员任])(?:叫|姓)什[麼么]|[是為为由被]何人|何人[所創创建發发提制擔担寫写任]|哪一?[位名](?!置)|哪一?[個个]?人|(?<![\u3400-\u9fff])何人(?!か|で|が)|だれ|どなた|何者|\bwho(?:m"
        r"|se)?\b",
    ),
    (
        Kind.WHERE,
        r"哪[裡里裏兒儿邊边]|哪一?[個个座]?(?:國家?|国家?|地區|地区|城市|省份?|縣|县|市|地方|區域|区域|島|岛|州|洲)"
        r"|何處|何处|在哪|什麼地方|什么地方|どこ|どの(?:国|都市|県|地域|街|町|島|地方|辺)|どちらの(?:国|県)"
        r"|何[県国市州]|\bwhere\b"
        r"|\b(?:what|which) (?:country|city|state|place|region|continent)\b",
    ),
    (
        Kind.WHICH,
        r"哪一?[個个種种項项家間间隻只條条本部座片支顆颗場场首款類类層层艘架輛"
        r"辆棟栋所派件張张句段門门]?|どの|どちら|どれ|どっち|\bwhich\b",
    ),
    (
        Kind.WHAT,
        r"什麼|什么|甚麼|啥|何(?:という|と|を|が|の)?|なに|なん(?:という|と)?|どんな|どういう|どのような|どう"
        r"|\bwhat\b|\bhow\b|\btell me\b",
    ),
    (
        Kind.YES_NO,
        r"[嗎吗]\s*[？?]?\s*$|是否|是不是|有沒有|有没有|能不能|可不可以|會不會|会不会|(?:です|ます|でしょう"
        r"|ません)か\s*[。？?]?\s*$"
        r"|^\s*(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had)\b",
    ),
)
_NUMBER = (
    r"\d|[二三四五六七八九十百千万萬億亿兆兩两〇]{2}"
    r"|[一二三四五六七八九十百千兩两半数數]"
    r"[個个位名人次座條条種种年月日歲岁倍成割回本隻只家度處处所項项部層层%％]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million|billion|half|percent"
    r"|twice)\b"
)
_REASON = (
    r"因|由於|由于|所以|導致|导致|以便|為了|为了|使得|ため|ので|から|により|よって|理由|目的"
    r"|\b(?:[Bb]ecause|[Dd]ue to|[Ss]ince|so that)\b|\breason"
)
_TIME = (
    r"\d+\s*(?:年|月|日(?!間|间|[でと、])|世紀|世纪|時|时|点|點|分)|[一二三四五六七八九十元]+(?:年|月|日|世紀|世纪"
    r"|時|时)"
    r"|[\d一二三四五六七八九十兩两半数數]+\s*(?:個|个|か|ヶ)?(?:工作|營業|营业|営業)?(?:天|日|小時|小时|分鐘|分钟|時間|分|週間?|周|月)(?:之|以)?(?:內|内|後|后|前)"
    r"|時期|时期|時代|时代|年代|世紀|之後|之后|之前|以後|以后|以前|期間|期间"
    r"|前日|翌日|当日|當日|[月火水木金土日]曜|土日|週|周[一二三四五六日]|春|夏|秋|冬"
    r"|\b(?:1\d|20)\d\d\b|\b\d{1,2}(?::\d\d| ?[ap]\.?m)|day\b|\bin the (?:morning|afternoon|evening)\b|\b(?:noon"
    r"|midnight)\b|\bcentur|\b(?:within|before|after|until|during)\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
)
_PERSON = (
    r"[·・]|[\u30a1-\u30fa\u30fc]{3,}|氏|さん|由|によ"
    + "|[" + "".join(sorted(FAMILY_NAMES)) + "]"
    + r"[\u3400-\u9fff]{1,2}"
    r"|[A-Z][\w.'-]+ (?:(?:of|de|van|von|the) )?[A-Z]"
)  # fmt: skip
_PLACE = (
    r"[省市縣县州郡國国區区鎮镇村島岛街路河江山湖海洲町府都港]|地區|地区|半島|半岛|[\u30a1-\u30fa\u30fc]{3,}|·"
    r"|\b(?:in|at|near|from|on) (?:the )?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b)[A-Z]"
)
_ENUMERATION = (
    r"[^、，。\n]{1,24}、[^、。\n]{1,24}(?:[、和與与及]|など|があ)"
    r"|,[^,.\n]{1,40},? (?:and|or) |\w (?:as well as|and) (?:a|an|the) "
)
_SIGNS: Mapping[Kind, str] = {
    Kind.LIST: _ENUMERATION,
    Kind.WHY: _REASON,
    Kind.YEAR: r"\d{3,4}(?!\d)|[元〇一二三四五六七八九十]年|\d年|年代|世紀|世纪",
    Kind.WHEN: _TIME,
    Kind.HOW_MANY: _NUMBER,
    Kind.WHO: _PERSON,
    Kind.WHERE: _PLACE,
}

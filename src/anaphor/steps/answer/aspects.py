"""What questions ask about in words that answers do not repeat: 多少錢 is told by 2,480 元, 是什麼意思 by 表示.

An aspect counts as one more term of the question, which a sentence has if it tells it. So a price is found without the
word for price, and of two sentences about the same thing the one with the price is taken.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from anaphor.steps.answer.kinds import Kind


@dataclass(frozen=True, slots=True)
class Aspect:
    """``asks`` finds its words in a question, ``tells`` its answers. ``measured``: only an amount answers."""

    name: str
    asks: re.Pattern[str]
    tells: re.Pattern[str]
    measured: bool = False
    anew: bool = False  # told only beside the question's own words
    unless: re.Pattern[str] | None = None  # a clause with this tells it not: 15 euros a day is no frequency
    weight: float = 3.0  # as much as a Latin word, or a CJK word of two characters

    @property
    def term(self) -> str:
        """As which it stands among the question's terms; no text has such a term."""
        return f"\0{self.name}"


def aspects_of(question: str, kind: Kind) -> tuple[Aspect, ...]:
    """The aspects a question asks about; when, where, who, why and how ask for no amount."""
    return tuple(a for a in _aspects() if not (a.measured and kind in _NO_AMOUNT) and a.asks.search(question))


@functools.cache
def measures() -> tuple[Aspect, ...]:
    """The aspects that only an amount answers."""
    return tuple(aspect for aspect in _aspects() if aspect.measured)


@functools.cache
def _aspects() -> tuple[Aspect, ...]:
    return tuple(
        Aspect(name, _words(asks), _words(tells), name in _MEASURED, name in _ANEW, unless=_unless(name))
        for name, asks, tells in _ASPECTS
    )


def _unless(name: str) -> re.Pattern[str] | None:
    return _words(_PAID) if name == "times" else None


def _words(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


_ANEW = frozenset({"times"})
_NO_AMOUNT = frozenset({Kind.WHEN, Kind.YEAR, Kind.WHERE, Kind.WHO, Kind.WHY, Kind.HOW_TO, Kind.LIST})
_MEASURED = frozenset({"price", "weight", "length", "duration", "percentage", "telephone", "people", "times"})
_AMOUNT = r"(?:\d[\d,.]*|[一二三四五六七八九十百千兩两半数數]+)"
_PAID = (
    rf"[$€£¥￥]\s?\d|{_AMOUNT}\s?(?:多)?(?:元|圓|圆|塊|块|円|ドル|ユーロ|美金)"
    r"|\d[\d,.]*\s?(?:dollars?|euros?|pounds?|pence|cents?|yen|yuan|usd|eur|gbp|twd|cny|jpy)\b"
)
_AMOUNT_EN = (
    r"(?:\d[\d,.]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half an?|an?)\b)"
    r"(?:[ -]\w+){0,1}?[ -]?"
)
_ASPECTS: tuple[tuple[str, str, str], ...] = (
    (
        "price",
        r"[錢钱]|[價价][格錢钱]?|(?:価格|定価|単価|物価)|[費费](?!用?(?:は何|には|の種類|有什|有哪|包括|項目|项目))(?:用|是|多)?|收[費费]|いくら(?!か(?!か)|で[もは])|[料代]金|値段|何円|便宜|划算|(?<![寶宝珍名高尊])[貴贵](?!公司|[賓宾州重族庭姓校館馆店])|安い|安く|高い(?=[のでか？?]|です)"
        r"|\bcosts?\b|\bprices?\b|\bpriced\b|\bfees?\b|\bcharges?\b|\bcheap|\bexpensive\b"
        r"|\bhow much (?:is|are|was|were|for|do i pay|(?=does (?:the|a|an|one) \w+(?: \w+)?\??$))|\bpay(?:ing)? (?:for"
        r"|how)\b",
        rf"[$€£¥￥]\s?\d|{_AMOUNT}\s?(?:多)?(?:元|圓|圆|塊(?:錢)?|块钱|美金|円|ドル|ユーロ|万円|萬元|万元|日圓|日元)"
        r"|\d[\d,.]*\s?(?:dollars?|euros?|pounds?|pence|cents?|yen|yuan|usd|eur|gbp|twd|cny|jpy)\b"
        r"|免[費费]|不(?:用|收|必).{0,2}[錢钱費费]|無料|\bfree\b|\bno charge\b|\bcharges? nothing\b"
        r"|[費费]用|負擔|负担|(?:[價价][格錢钱]?|料金|[費费])(?:[（(][^）)]{1,4}[）)])?[:：]\s?\d"
        r"|\b(?:fees?|prices?|costs?)\b[^.\n]{0,60}\d|\bpaid by\b|\bat no cost\b",
    ),
    (
        "weight",
        r"多重|重量|重さ|何キロ(?!メ)|何グラム|\bweigh|\bhow heavy\b",
        rf"{_AMOUNT}\s?(?:公斤|千克|公克|克|斤|公噸|吨|噸|キロ(?!メ)|グラム|トン|kg|g\b)"
        r"|\d[\d,.]*\s?(?:kilo(?:gram)?s?|grams?|pounds?|tons?|ounces?|kg|g|lbs?|oz)\b",
    ),
    (
        "length",
        r"(?<![限期間间])多(?:[長长](?!的?[時时])|[遠远高寬宽深])|(?:長|高|広|深|大き)さ|距離|距离|何キロメートル"
        r"|何メートル"
        r"|\bhow (?:far|tall|high|wide|deep)\b",
        rf"{_AMOUNT}\s?(?:公里|公尺|公分|厘米|千米|米|里|尺|キロ(?!グ)|メートル|センチ|km|cm|mm|m\b)"
        r"|\d[\d,.]*\s?(?:kilomet|met(?:er|re)|miles?|feet|foot|inch|centimet|km|cm|mm|m\b)",
    ),
    (
        "duration",
        r"多久(?!.{0,6}次)|[限期間间]多[長长]|多[長长]時間|多[長长]时间|[幾几多少]+(?:個|个)?(?:天|日|小時|小时"
        r"|分鐘|分钟|週|周|月|年)(?!級|级|代)|何(?:日間?|時間|分間?|週間?|か月|ヶ月|カ月|年間)"
        r"|どの?(?:くらい|ぐらい)の?(?:期間|時間|間)|\bhow (?:long|many (?:\w+ )?(?:days?|hours?|minutes?|weeks?"
        r"|months?|years?))\b|\btakes?\b(?=\W*$)",
        rf"{_AMOUNT}\s?(?:個|个)?(?:工作)?(?:天|日|小時|小时|分鐘|分钟|秒|週|周|星期|月|年)"
        rf"|{_AMOUNT}\s?(?:営業)?(?:日|時間|分|秒|週間|か月|ヶ月|カ月|年)"
        rf"|{_AMOUNT_EN}(?:second|minute|hour|day|week|month|year|decade)s?\b",
    ),
    (
        "percentage",
        r"百分之[幾几多]|百分比|比例|佔多少|占多少|何(?:パーセント|[％%割])|割合|\bwhat (?:percentage|proportion"
        r"|share)\b",
        r"[%％]|百分之|成(?!立|為|为|本|功)|割|\bper ?cent\b|\bhalf\b|\bthird\b|\bquarter\b",
    ),
    (
        "telephone",
        r"電話|电话|專線|专线|熱線|热线|客服|連絡先|連絡方法|聯絡方式|联系方式"
        r"|\b(?:(?:tele|mobile )?phone|mobile)(?: numbers?)?\b|\bhotline\b|\bcall (?:for|if)\b"
        r"|\bnumber (?:of|for) (?:the|a)\b[^?]{0,30}\b(?:hotline|line"
        r"|desk|office)\b",
        r"\d{2,4}[-– ]\d{3,4}|\b\d{5,}\b|電話|电话|\bcall\b",
    ),
    (
        "meaning",
        r"什[麼么]意思|啥意思|意味|代表什|どういうこと|\bmeans?\b|\bmeaning\b|\bstands? for\b",
        r"表示|代表|意[指味]|指的是|という意味|を示|のことです|\bmeans?\b|\bindicates?\b|\bstands? for\b"
        r"|\bsays that\b",
    ),
    (
        "called",
        r"何と(?:も|は)?(?:呼|言|い|称)|何という(?!か)|と(?:呼|言)われ.{0,6}は何|(?:叫|稱|称|喚)(?:做|作|為|为)?(?:什[麼么]|甚麼|何)|什[麼么]名[稱称字]|名[稱称]是"
        r"|\bcalled\b|\bknown as\b|\bname (?:of|for)\b|\bnamed\b",
        r"と(?:も|は)?(?:呼|言|い[うわ]|称)|[稱称](?:為|为|作|之)|叫(?:做|作)|又名|名[為为]"
        r"|\bcalled\b|\bknown as\b|\bnamed\b",
    ),
    (
        "cause",
        r"原因|怎[麼么]回事|怎[麼么]了|為什[麼么]|为什么|為何|为何|何故|なぜ|どうして|\bwhy\b|\bcaus(?:e|es|ed)\b"
        r"|\breasons?\b",
        r"表示|因[為为]|由[於于]|原因|導致|导致|ため|ので|から(?:です)?。|を示|\bbecause\b|\bdue to\b|\bmeans?\b"
        r"|\bcaused\b",
    ),
    (
        "remedy",
        r"怎[麼么](?:解決|解决|[辦办](?=[^\w]|$|[呢啊嗎吗])|處理|处理|修|恢復|恢复|弄|做)|如何(?:解決|解决|處理|处理|恢復|恢复|修)"
        r"|どうすれば|どうしたら|直し方|対処|解決"
        r"|\bhow (?:do|can|should) (?:i|we|you) (?:fix|solve|resolve|recover|repair|get rid)\b|\bfix(?:es)?\b"
        r"|\bsolve",
        r"(?<!申)請(?!問|假)|(?<!申)请(?!问|假)|把|就[會会]|即可|調高|調整|调高|ください|下さい|してから|すると"
        r"|(?:^|[.!?:]\s+)(?:set|run|use|raise|lower|open|press|click|check|call|clean|remove|replace|restart"
        r"|install|update)\b",
    ),
    (
        "colour",
        r"什[麼么]?顏色|什么颜色|哪[種种]顏?颜?色|何色(?!あ|が|の種)|\bwhat colou?r|\bwhich colou?r",
        r"[紅红藍蓝綠绿黃黄白黑紫橙灰銀银金粉棕]色|[赤青緑黄白黒紫灰]い?色?|\b(?:red|blue|green|yellow|white|black"
        r"|purple|orange|gr[ae]y|pink|brown)\b",
    ),
    (
        "opening",
        r"營業|营业|開門|开门|幾點開|几点开|開放時間|开放时间|開館|开馆|公休|休館|营业时间|営業|定休|休み"
        r"|打烊|關門|关门|閉館|闭馆|有[開开](?=[嗎吗著着?？]|$)|[開开]不[開开]|(?<=[天日號号\d一二三四五六末])[開开][嗎吗]"
        r"|開いて(?:い)?(?:る|ます)|閉ま[りる]|閉店|\bopen(?:s|ing)?\b|\bclos(?:e|es|ed|ing)\b",
        r"營業|营业|公休|休息|休館|休馆|[閉闭]館|[閉闭]馆|休診|休诊|不開|不开|開門|开门|開放|开放|営業|定休|休み|休館|開館|閉店"
        r"|\bopen(?:s|ing)?\b|\bclos(?:e|es|ed|ing)\b|\bhours\b(?=[^.]{0,12}:)",
    ),
    (
        "deadline",
        r"最[晚遲迟]|截止|期限|之前要|いつまで|締め?切|\bdeadline\b|\bby when\b|\blatest\b|\bhow late\b",
        r"[內内]|以前|之前|截止|前日|まで|以内|締め?切|\bwithin\b|\bby (?:the )?\w|\bbefore\b|\buntil\b|\bno later\b",
    ),
    (
        "repayment",
        r"入[帳账]|退[錢钱]|[錢钱].{0,6}[退回]|返金|\bmoney back\b|\brefunded\b",
        r"退[回還还款費费錢钱\s\d]|[全不]退|入[帳账]|返金|返却|\bpaid back\b|\brefund(?:ed|s)?\b|\breturned\b",
    ),
    (
        "people",
        r"(?:多少|[幾几]|何)(?:個|个)?[人名位]|多少(?:員工|员工)|\bhow many (?:people|persons|employees|staff"
        r"|visitors|members|guests|students)\b",
        r"[\d一二三四五六七八九十百千万萬兩两]\s?(?:多|余|餘)?(?:個|个)?[人名位]"
        r"|\d[\d,.]*\s(?:\w+ )?(?:people|persons|employees|staff|visitors|members|guests|students|workers"
        r"|inhabitants)\b"
        r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve) (?:people|persons|guests|members)\b",
    ),
    (
        "times",
        r"(?:多少|[幾几])次|多久.{0,6}一?次|何[回度](?!目)|何(?:年|日|週間?|[かヶカ]月|時間)(?:ごと|おき)"
        r"|\bhow (?:often|many times)\b",
        r"[\d一二三四五六七八九十百千兩两]\s?[次回]|[每毎隔]\s?(?:[\d一二三四五六七八九十百千兩两半]{1,4}\s?[個个ヶか]?)?"
        r"(?:[天日週周月季年]|小時|小时|分鐘|分钟|公里|時間)|おき|ごと"
        r"|\b(?:every|each|per|once|twice|times|daily|weekly|monthly|yearly|annually|quarterly)\b"
        r"|\ba (?:day|week|month|year)\b",
    ),
)

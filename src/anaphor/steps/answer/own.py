"""Questions about what a person has told of their own things, and which of their statements speak of the same one.

"When is my flight?" asks for the time of one thing. A statement speaks of it when it has the thing's words and shows
what an answer looks like, or says that something about it changed ("I moved my flight", 我把牙醫改到週五了). A few
properties go by several verbs: who moved to York lives there. All of this is told by form alone, so that it holds for
what was said a moment ago and has not been read into facts yet.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from anaphor.steps.answer.kinds import Kind, kind_of, shows
from anaphor.text.fold import matching
from anaphor.text.mood import Mood, mood
from anaphor.text.patterns import pattern
from anaphor.text.stem import stem
from anaphor.text.words import content_words

LONGEST = 160  # characters of a question that is looked at
LONGEST_SAID = 400  # characters of a sentence that may speak of one's own thing
KINDS = frozenset({Kind.WHEN, Kind.YEAR, Kind.WHERE, Kind.HOW_MANY, Kind.WHO, Kind.WHICH, Kind.WHAT})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question wants to know of which thing. ``of``: a property of the person's with verbs of its own."""

    kind: Kind
    things: tuple[str, ...]
    english: bool
    of: str = ""
    own: bool = False  # it says that the thing is the person's
    before: bool = False  # it asks how it was, or what became of it


@dataclass(frozen=True, slots=True)
class Tells:
    """How a statement speaks of what is wanted."""

    whole: (
        bool  # it has all the words for the thing; else all but the sort of occasion: "the dentist" for the appointment
    )
    changed: bool = False  # says that it is different now
    settled: bool = False  # says it of the one thing there is: "my flight is …", 歯医者は…


@functools.lru_cache(maxsize=256)
def wanted(text: str, language: str) -> Wanted | None:
    """What the question asks of a thing that the person may have told of; ``None`` for other questions."""
    if len(text) > LONGEST or (kind := kind_of(text)) not in KINDS:
        return None
    folded = _folded(text, language)
    english = language not in ("zh-Hant", "zh-Hans", "zh", "ja") and folded.isascii()
    of = next((name for name, (asks, _) in _PROPERTIES.items() if asks.search(folded)), "")
    things = _things(folded, language, english)
    if (not things and not of) or (_RULES.search(folded) and not of):
        return None
    own = bool(_MINE.search(folded))
    return Wanted(kind, things, english, of, own, bool(_BEFORE.search(folded)))


def _folded(text: str, language: str) -> str:
    return matching(text, "ja" if language == "ja" else "zh").replace("’", "'")


def _things(folded: str, language: str, english: bool) -> tuple[str, ...]:
    if english:
        words = (word.term.removesuffix("'s") for word in content_words(folded, "en"))
        return tuple(dict.fromkeys(stem(word) for word in words if word not in _FRAME and "'" not in word))
    asked = _COUNTED.sub(" ", folded)
    words = (_VERB_END.sub("", _FRAME_CJK.sub("", word.term)) for word in content_words(asked, language))
    return tuple(dict.fromkeys(word for word in words if word))


def tells(asked: Wanted, sentence: str, language: str) -> Tells | None:
    """How the statement speaks of it; ``None`` where it does not."""
    if len(sentence) > LONGEST_SAID or mood(sentence) is not Mood.ASSERTION:
        return None
    folded = _folded(sentence, language)
    if _NOT_SO.search(folded) or (asked.of == "lives" and _NOT_YET.search(folded)):
        return None  # what may be, was refused or is still to come puts nothing in the place of what is
    changed = bool(_CHANGED.search(folded))
    if asked.of:
        return Tells(True, changed, settled=True) if _PROPERTIES[asked.of][1].search(folded) else None
    missing = _missing(asked, folded)
    if missing is None or (missing and _of_another(asked, folded)):
        return None
    if missing and not changed and asked.kind not in (Kind.WHEN, Kind.HOW_MANY):
        return None
    if not _OVER.search(folded) and not _shows(asked.kind, folded, sentence):
        return None
    return Tells(not missing, changed, settled=bool(_SETTLED.search(folded)) and asked.kind is not Kind.HOW_MANY)


def _missing(asked: Wanted, folded: str) -> bool | None:
    """Whether words for the thing are missing; ``None`` where more than words for an occasion are, or all."""
    folded += _LIVES_THERE if _MOVED.search(folded) else ""
    if asked.english:
        here = {stem(word.removesuffix("'s")) for word in _WORD.findall(folded)}
        missing = [thing for thing in asked.things if thing not in here]
        known = len(missing) < len(asked.things) and all(thing in _OCCASIONS for thing in missing)
        return bool(missing) if known else None
    left = [_left(thing, folded) for thing in asked.things]
    known = left != list(asked.things) and all(_OCCASION_CJK.fullmatch(rest) for rest in left)
    return any(left) if known else None


def _left(thing: str, text: str) -> str:
    """What of the thing does not stand in the text, with two characters at least, or all of it, together."""
    for size in range(len(thing), min(2, len(thing)) - 1, -1):
        for at in range(len(thing) - size + 1):
            if thing[at : at + size] in text:
                rest = thing[:at] + thing[at + size :]
                return "" if len(rest) == 1 and rest in text else rest
    return thing


def _of_another(asked: Wanted, folded: str) -> bool:
    """Whether the words shared stand behind a word that makes them another thing: "my doctor appointment"."""
    words = _WORD.findall(folded)
    for before, word in zip(["", *words], words, strict=False):
        if stem(word) in asked.things and before and before not in _DETERMINERS and stem(before) not in asked.things:
            return True
    return False


def _shows(kind: Kind, folded: str, sentence: str) -> bool:
    """Whether it has what an answer of the kind looks like, where that can be told by its looks."""
    if kind in (Kind.WHEN, Kind.YEAR):
        return bool(_TIME.search(folded)) or shows(kind, sentence)
    if kind is Kind.HOW_MANY:
        return bool(_AMOUNT.search(folded))
    return True


def verbs(asked: Wanted) -> tuple[str, ...]:
    """Other words by which a statement may tell the property, for an index to look for."""
    somewhere = asked.kind is Kind.WHERE and any(thing in ("live", "liv") or "住" in thing for thing in asked.things)
    return _VERBS.get(asked.of or ("lives" if somewhere else ""), ())


def spoken_of(text: str, language: str, said: Sequence[str]) -> bool:
    """Whether the person's statements are to be looked at: it asks for something of their own, or of a thing that one
    of the statements at hand tells by all its words."""
    asked = wanted(text, language)
    if asked is not None and asked.own and asked.kind is not Kind.WHAT:
        return True
    if asked is None or (asked.kind in (Kind.WHAT, Kind.WHICH) and len(asked.things) < 2 and not asked.of):
        return False
    found = (tells(asked, sentence, language) for sentence in said)
    return any(told is not None and told.whole for told in found)


_WORD = pattern(r"[a-z0-9][a-z0-9'-]*")
_MOVED = pattern(r"\bmoved (?:to|into|back)\b|\brelocated\b|搬(?:到|去|回|家)|引っ越|移り住")
_LIVES_THERE = " live 住"  # what somebody is said to do who moved
_OCCASIONS = frozenset(
    map(
        stem,
        ("appointment", "booking", "reservation", "meeting", "visit", "session", "class", "lesson", "trip", "plan"),
    )
)
_OCCASION_CJK = pattern(r"[看約约預予约診诊课課间間时時的去行程搭坐要有会們们店]*")
_DETERMINERS = frozenset(
    (
        *("my", "our", "the", "a", "an", "this", "that", "his", "her", "their", "and", "to", "of", "for", "with"),
        *("i", "we", "it", "is", "was", "on", "at", "in", "moved", "changed"),
    )
)
_FRAME = frozenset(
    (
        *(
            "time",
            "day",
            "date",
            "many",
            "much",
            "now",
            "currently",
            "again",
            "today",
            "still",
            "exactly",
            "kind",
            "tell",
        ),
        *(
            "remind",
            "remember",
            "know",
            "right",
            "moment",
            "please",
            "anyway",
            "actually",
            "new",
            "old",
            "one",
            "originally",
            "original",
        ),
        *("previously", "previous", "before", "first", "used", "earlier"),
    )
)
_FRAME_CJK = pattern(
    r"^(?:私|僕|俺|自分|今|現在|现在|目前|最近|当初|元々|もともと|以前|前|原本|原来|本来|最初)$|^(?:現在|现在|目前|原本|原来|本来|以前|之前)(?=.)"
    r"|^[个個只隻枚位口台张張本条條辆輛](?=.)"
)
_VERB_END = pattern(r"(?:原本|原来|本来|以前|之前|当初)$|(?:要|想|会)?(?:去|到|来)$")
_COUNTED = pattern(
    r"何(?:匹|枚|人|個|階|台|本|冊|歳|頭|羽|杯|回|つ)|(?:多少|几)(?:个|只|枚|位|口|台|张|本|条|楼|层|岁|辆|头|盆)?"
)
_MINE = pattern(r"\b(?:i|i'm|i've|my|we|our|me|us)\b|我|咱|私|僕|俺|うち")
# What may be done, or has to be: a matter of rules, whoever asks.
_RULES = pattern(
    r"\b(?:should|can|could|may|must|would|need to|have to|has to|allowed|supposed)\b"
    r"|可以|能不能|能否|能(?=[^力])|必[须需]|应该|应当|需要|该(?:怎|如|付|交|缴)|要(?:付|交|缴|花|等)|べき|なければ|必要|でき|ればいい|払"
)
_BEFORE = pattern(
    r"\b(?:before|original(?:ly)?|previous(?:ly)?|used to|first|history|ever|over time|changed?)\b"
    r"|原本|本来|原来|之前|以前|当初|变|改(?:过|了)|もともと|元々|以前|前は|最初|変わ"
)
_TIME = pattern(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:today|tonight|tomorrow|noon|midnight|weekend|week"
    r"|month|year)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|星期|礼拜|[周週][一二三四五六日天末]|[上下]午|早上|晚上|中午|[今明后]天|[今明后去]年|[上下这]个?[周月]"
    r"|[一二三四五六七八九十]+(?:点|月|号|日|時|时)|曜|週|明日|今日|明後日|来[週月年]|再来|午[前後]|正午"
)
_AMOUNT = pattern(
    r"\d|\b(?:no|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty"
    r"|fifty|dozen|"
    r"another|couple|pair|both|all)\b|[一二两兩三四五六七八九十百千万零〇半]|没|いな|ゼロ|全部"
)
_CHANGED = pattern(
    r"\b(?:moved?|changed?|switch(?:ed)?|reschedul\w+|postpon\w+|push(?:ed)? (?:back|to)|brought forward|put (?:off"
    r"|back)|"
    r"cancel\w*|call(?:ed|ing) (?:it )?off|instead|now|no longer|not any ?more|any ?more|actually|sorry|correction"
    r"|i meant|"
    r"turns out|it's .{0,30}\bnot\b|became|has become|updated?|replaced?|delay\w*)\b"
    r"|改|换|換|取消|延[后期到至]|提前|推迟|提早|搬|转到|调到|现在|如今|变成|不去了?|不再|不是.{0,20}[,，]?是|才对|说错|记错|不对|更正|其实"
    r"|変(?:更|え|わ)|になっ|になり|になる|キャンセル|取りやめ|やめ(?:て|た|まし)|中止|延期|早ま|ことにし|今は|もう|今度は"
    r"|じゃなく|ではなく|間違|訂正|実は|移(?:り|っ|し)|引っ越"
)
_OVER = pattern(
    r"\bcancel\w*|\bcall(?:ed|ing) (?:\w+ )*off\b|\bnot (?:going|happening|coming)\b|\bno longer\b|\bwon't be\b"
    r"|\bany ?more\b"
    r"|取消|不去了|不办了|不约了|没有了|停办|キャンセル|取りやめ|中止|行かないことに|なくなり"
)
_NOT_SO = pattern(
    r"\b(?:might|maybe|perhaps|possibly|considering|thinking (?:of|about))\b|\b(?:i|we|it|they|he|she) (?:may|could)\b"
    r"|\b(?:did|have|has|will|do|does|wo|is|are|am)(?: not|n't) (?:be )?(?:mov|chang|switch|reschedul"
    r"|postpon|cancel)\w*"
    r"|\b(?:wanted|tried|offered|asked) .{1,60}\bbut\b|\b(?:refused|declined)\b"
    r"|可能|也许|或许|说不定|考虑|没有?(?:搬|改|换|換|取消|调|延)|不(?:会|打算|想)(?:搬|改|换|換|取消|调|延)"
    r"|かもし|かも(?:。|$)|検討|(?:変え|変更し|移|引っ越)[おそろ]?うと?か?(?:な|と思|と考)"
    r"|(?:引っ越し|変更し|変わり|変え|移り|移し|転職し|キャンセルし|取りやめ)ませんで"
    r"|(?:引っ越さ|引っ越しし|変わら|変え|変更し|移ら|移さ|転職し|キャンセルし)なかった"
)
_NOT_YET = pattern(
    r"\b(?:moving|going to move|will move|'ll move|planning to|plan to|want to|hope to)\b"
    r"|(?:下个?(?:月|周|星期|礼拜|季)|明年|[打准][算备]|计划|预计|想)[^,，。]{0,8}搬|[要会将]搬"
    r"|(?:来[月年週]|再来[月年週]|[0-9]+月に).{0,12}引っ越し(?:ます|する|予定)|引っ越す(?:予定|つもり|こと)|引っ越したい"
)
_SETTLED = pattern(
    r"\b(?:my|our|the) [\w' -]{1,40}? (?:is|are|starts?|leaves?|begins?|takes place|will be)\b|'s [\w-]+ (?:is|are"
    r"|will be)\b"
    r"|我们?(?:家)?的.{1,12}?(?:是|约|在|改|叫|为)|我.{1,8}?的.{1,8}?(?:是|在)|[^はもが]{1,12}は[^。]{1,24}(?:です|だ|になり|になっ|に変)|が好き|好きな"
)
_KIN_ZH = (
    r"(?:妈|爸|姐|妹|哥|弟|先生|太太|老公|老婆|朋友|同事|儿子|女儿|爷|奶|外公|外婆|男友|女友|男朋友|女朋友"
    r"|主管|老板|叔|姨|姑|舅|表|堂|室友|邻居)"
)
_KIN_JA = "(?:妹|兄|弟|姉|母|父|友人|友達|親友|夫|妻|娘|息子|祖父|祖母|叔|伯|同僚|上司|彼|彼女|子ども|いとこ)"
_MY_ZH = rf"(?:^|[,，。;；]\s*|我们?(?!的?{_KIN_ZH})[^,，。他她]{{0,12}})"
_PROPERTIES: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "lives": (
        re.compile(
            r"\bwhere (?:do|am|are|did) (?:i|we)(?: \w+)? (?:live|living|staying|based)\b|\b(?:what|which) (?:city"
            r"|town|country) (?:do|am) (?:i|we) liv"
            r"|\bmy (?:home )?address\b|我们?(?:家)?[^,，。他她]{0,4}住(?:在|到)?(?:哪|什么地方)|我们?家(?:现在)?在哪"
            rf"|^(?!.*{_KIN_JA}[はがの])(?=.*(?:どこ|どちら|何県|何市|どの)).*(?:住んで|住まい|暮らし)"
        ),
        re.compile(
            r"\b(?:i|we)(?:'m|'ve|'re| am| are| have| just| recently| now| still| currently|'ve just| actually)* "
            r"(?:live|living|lived|moved? (?:to|into|from|back|out|here)|moving to|relocat|based in|settled in)"
            rf"|{_MY_ZH}(?:住|搬(?!运|东西|货))|^(?!.*{_KIN_JA}[はがも]).*(?:住ん|住み|引っ越|引越|転居|暮らし)"
        ),
    ),
    "works": (
        re.compile(
            r"\bwhere (?:do|am) i(?: \w+)? (?:work|working)\b|\bwho do i work for\b|\bwhat(?:'s| is) my (?:job"
            r"|occupation|profession)\b"
            r"|\bwhat do i do for (?:a living|work)\b|\bmy (?:current )?(?:employer|company)\b"
            r"|我[^,，。他她]{0,4}在哪[^,，。]{0,6}(?:上班|工作|任职)|我[^,，。他她]{0,4}(?:的工作是|的职业是|做什么工作|是做什么的|在做什么工作)"
            rf"|^(?!.*{_KIN_JA}[はがの])(?=.*(?:どこ|何|どの|どちら)).*(?:働い|勤め|仕事)"
        ),
        re.compile(
            r"\bi(?:'m|'ve| am| have| just| recently| now| still| currently| actually)* "
            r"(?:work(?:s|ed|ing)?(?: full time| part time)? (?:at|for|as|in|with)|joined|(?:quit|left|started"
            r"|switched|changed|got) (?:my |a |the |to )?(?:new )?(?:jobs?|work|working)|employed)"
            r"|\bmy (?:new )?(?:job|employer|company) (?:is|was)\b|\bi(?:'m| am) (?:now )?an? [\w -]+ (?:at|for) "
            rf"|{_MY_ZH}(?:[^,，。]{{0,10}}(?:上班|工作|任职|就职)|跳槽|转职|离职|换工作)"
            rf"|^(?!.*{_KIN_JA}[はがも]).*(?:働い|働き|勤め|転職|入社|仕事をし)"
        ),
    ),
}
_VERBS: dict[str, tuple[str, ...]] = {
    "lives": ("moved", "living", "live", "搬", "住", "搬到", "引っ越", "住ん"),
    "works": ("work", "job", "joined", "上班", "工作", "跳槽", "働", "転職", "勤め"),
}

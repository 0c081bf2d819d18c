"""Which language and script a text is written in, where that can be told.

The sentence frame decides: what stands in quotation marks, code, URLs, identifiers and citation marks is left out of
account as long as anything else is there. Kana make Japanese. Without kana each Han character says which of the three
it can belong to (機 is Traditional or Japanese, 会 Simplified or Japanese, 図 only Japanese, 人 all three), and the
language with which the fewest characters disagree wins; where Chinese and Japanese agree equally well, Chinese. A
text that agrees with both Chinese scripts (人口, 台中市人口) is ``und``, and so is one without letters (403).

Sources: the standard character sets Big5, GB 2312 and JIS X 0208 as Python's codecs know them, less the forms that
``tables/`` know as belonging to another script.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence

from anaphor.text.fold import han_variants
from anaphor.text.function_words import EN
from anaphor.text.patterns import pattern

SCRIPT = {"zh-Hant": "Hant", "zh-Hans": "Hans", "ja": "Jpan", "en": "Latn", "und": "undetermined"}
LANGUAGE = {script: language for language, script in SCRIPT.items()}

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d"

_HAN = pattern(f"[{HAN}]")
_KANA = pattern(f"[{KANA}]+")
_CJK = pattern(f"[{HAN}{KANA}]+")
_WORD = pattern("[A-Za-zＡ-Ｚａ-ｚ\u00c0-\u024f]+(?:['’-][A-Za-z\u00c0-\u024f]+)*")
_CODE = pattern(
    r"```.{0,4000}?```|`[^`\n]{1,200}`|\w{1,20}://[^\s「」『』（）。，、]{1,500}|\[\d{1,3}\]|"
    r"[A-Za-z0-9]{0,40}(?:[_./@\\][A-Za-z0-9]{1,40}){1,10}|[A-Za-z-]{0,40}\d[A-Za-z0-9-]{0,40}",
    re.S | re.A,
)
_PLAIN_ENGLISH = pattern(r"\b[a-z]{2,20} [a-z]{2,20}\b")  # two words side by side are no code, wherever they stand
_QUOTED = pattern(r"「[^「」]{0,200}」|『[^『』]{0,200}』|《[^《》]{0,200}》|“[^“”]{0,200}”|\"[^\"\n]{0,200}\"")

# In one Chinese script only, though the character sets have them in both; and words no Japanese sentence has.
_HANS_ONLY, _HANT_ONLY = frozenset("么"), frozenset("嘅嗰咗冇唔喺㗎佢哋𨋢")
_CHINESE = pattern(
    "[的嗎吗呢吧這这們们你您她很哪什麼么沒没嘅咗冇唔喺㗎佢]|那[個个些裡里]|是不是|可以|多少|怎[樣样]|如何"
)
_BOPOMOFO = pattern("[\u3105-\u312f]")
_SAMPLE = 6000


def detect(text: str) -> str:
    """``zh-Hant``, ``zh-Hans``, ``ja``, ``en``, or ``und`` where the characters do not tell.

    Latin letters are taken for English. Long texts are judged by their beginning, middle and end.
    """
    text = _sampled(text)
    if text.isascii() and "`" not in text and _PLAIN_ENGLISH.search(text):
        return "en"
    frame = _frame(text)
    cjk = _length(_CJK.findall(frame))
    words = _WORD.findall(frame)
    if words and _is_latin(words, cjk):
        return "en"
    if not cjk:
        return "zh-Hant" if _BOPOMOFO.search(frame) else "und"
    candidates = _candidates(frame)
    if candidates != ["ja"]:  # where nothing tells Chinese from Japanese: Chinese, which has more readers
        candidates = [c for c in candidates if c != "ja"]
    if len(candidates) == 2:  # the frame is Chinese of either script: what it quotes may tell which
        candidates = _least(_objections(text), candidates)
    return candidates[0] if len(candidates) == 1 else "und"


def script(text: str) -> str:
    """``Hant``, ``Hans``, ``Jpan``, ``Latn`` or ``undetermined``."""
    return SCRIPT[detect(text)]


def settle(text: str, talk: Sequence[str] = (), locale: str | None = None) -> str:
    """The language to answer in, never ``und``.

    What the text itself leaves open is settled by the talk (oldest first, as a conversation is; the newest is looked at
    first), then by the interface's locale, then ``zh-Hant`` for a text with Han characters and ``en`` for any other.
    """
    found = detect(text)
    frame = _frame(_sampled(text))
    open_to = _candidates(frame) if _CJK.search(frame) and found != "en" else []
    if found != "und" and len(open_to) < 2:
        return found
    context = [detect(said) for said in reversed(talk)] + [language_of(locale)]
    for language in context:
        if language != "und" and (language in open_to or not open_to):
            return language
    return found if found != "und" else "zh-Hant" if open_to else "en"


def language_of(locale: str | None) -> str:
    """A locale or language tag (``zh-TW``, ``zh_CN``, ``ja-JP``) as one of our tags, else ``und``."""
    parts = re.split("[-_.]", (locale or "").lower())
    if parts[0] in ("zh", "yue"):
        return "zh-Hans" if {"hans", "cn", "sg", "my"} & set(parts) or parts == ["zh"] else "zh-Hant"
    return parts[0] if parts[0] in ("ja", "en") else "und"


def reply_fits(message: str, reply: str, *, talk_script: str | None = None, locale: str | None = None) -> bool:
    """Whether the reply is in the language, and for Chinese the script, that the message asks for.

    A message that leaves it open takes the script of the talk, then the locale's; failing both, a message in Han
    characters accepts either Chinese script, and any other message accepts anything. Code and names do not count: a
    reply that is nothing else fits.
    """
    asked, given = detect(message), detect(reply)
    han = bool(_CJK.search(message))
    if asked == "und":
        known = (LANGUAGE.get(talk_script or "", "und"), language_of(locale))
        asked = next((k for k in known if k != "und" and (k != "en" or not han)), "und")
    if given == "und" or asked == given:
        return given != "und" or asked != "ja" or len(_HAN.findall(reply)) < 8
    if asked == "und":
        return given.startswith("zh") if han else True
    return asked == "ja" and len(_HAN.findall(_frame(reply))) < 4 and given != "en"


def _length(runs: Sequence[str]) -> int:
    return len("".join(runs))


def _sampled(text: str) -> str:
    if len(text) <= 3 * _SAMPLE:
        return text
    middle = len(text) // 2
    return "\n".join((text[:_SAMPLE], text[middle : middle + _SAMPLE], text[-_SAMPLE:]))


def _frame(text: str) -> str:
    """What is left without code and quotations; if no letter is left, without code only."""
    plain = _CODE.sub(" ", text)
    bare = _QUOTED.sub(" ", plain)
    return bare if _CJK.search(bare) or _WORD.search(bare) else plain


def _is_latin(words: list[str], cjk: int) -> bool:
    """Latin words carry the sentence: there is nothing else, or English function words outweigh the characters."""
    if not cjk:
        return True
    function_words = sum(word in EN for word in words) + (words[0].lower() in EN)
    return function_words > 0 and (function_words * 2 >= cjk or len(words) > cjk)


def _candidates(frame: str) -> list[str]:
    """The languages with which the fewest characters disagree, of ``zh-Hant``, ``zh-Hans``, ``ja``."""
    against = _objections(frame)
    return _least(against, list(against))


def _least(against: dict[str, int], languages: list[str]) -> list[str]:
    least = min(against[language] for language in languages)
    return [language for language in languages if against[language] == least]


def _objections(text: str) -> dict[str, int]:
    """How many characters and words speak against each language."""
    kana = _length(_KANA.findall(text))
    against = {"zh-Hant": kana, "zh-Hans": kana, "ja": len(_CHINESE.findall(text))}
    for character, n in Counter(_HAN.findall(text)).items():
        for language in against.keys() - _belongs_to(character):
            against[language] += n
    if kana:
        # Japanese, unless the kana are few in a sentence that is otherwise plainly Chinese.
        against["ja"] = 0 if kana * 2 >= against["ja"] else against["ja"] + kana
    return against


@functools.lru_cache(maxsize=32768)
def _belongs_to(character: str) -> frozenset[str]:
    """The languages that write this Han character; all three for one that none of the character sets has."""
    simplified, shinjitai = han_variants("simplified"), han_variants("shinjitai")
    languages = set()
    if character not in _HANS_ONLY and _common_in_big5(character, character in _simplified_forms()):
        languages.add("zh-Hant")
    if character not in _HANT_ONLY and _in(character, "gb2312"):
        languages.add("zh-Hans")
    if ord(character) not in shinjitai and _in(character, "shift_jis"):
        languages.add("ja")
    if not languages:
        if ord(character) in simplified or character in _HANT_ONLY:
            languages.add("zh-Hant")
        elif character in _simplified_forms():
            languages.add("zh-Hans")
    return frozenset(languages or ("zh-Hant", "zh-Hans", "ja"))


def _common_in_big5(character: str, only_common: bool) -> bool:
    """In Big5; for a character that is a simplified form too (体), in its first level, that of everyday use (台)."""
    encoded = character.encode("big5", "ignore")
    return bool(encoded) and (encoded < b"\xc9" or not only_common)


def _in(character: str, charset: str) -> bool:
    return bool(character.encode(charset, "ignore"))


@functools.cache
def _simplified_forms() -> frozenset[str]:
    return frozenset(han_variants("simplified").values())

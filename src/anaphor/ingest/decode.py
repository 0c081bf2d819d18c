"""Bytes to text. A codec that merely does not raise is not the answer: the decoded text has to look like writing.

GB18030 takes nearly every byte sequence, EUC-JP passes as GBK, and ISO-2022-JP is plain ASCII. So every codec that can
read the file is tried, and what it gives is scored by how much of it is characters that people of that script write
most, less what nobody writes (private use, lone half-width kana, rare signs).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from anaphor.text.fold import clean

SAMPLE = 8_000  # non-ASCII characters that are looked at; the codec itself always reads the whole
DAMAGE = 0.05  # a larger share of unreadable characters is no text

# The characters written most in each script, about 30 to 60 % of any running text.
_HANS = frozenset(
    "的一是不了在人有我他这中大来上个国说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起"
    "还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种"
    "声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代"
    "军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利"
    "受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思"
    "非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语"
    "英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石"
    "若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴费服支档错误码签库需额"
)
_HANT = frozenset(
    "的一是不了在人有我他這中大來上個國說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起"
    "還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種"
    "聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代"
    "軍產入先山五太水萬市眼體別處總才場師書比住員九笑性通目華報立馬命張活難神數件安表原車白應路期叫死常提感金何更反合放做系計或司利"
    "受光王果親界及今京務制解各任至清物台象記邊共風戰幹接它許八特覺望直服毛林題建南度統色字請交愛讓認算論百吃義科怎元社術結六功指思"
    "非流每青管夫連遠資隊跟帶花快條院變聯言權往展該領傳近留紅治決週保達辦運武半候七必城父強步完革深區即求品士轉量空甚眾技輕程告江語"
    "英基派滿式李息寫呢識極令黃德收臉錢黨倒未持取設始版雙歷越史商千片容研像找友孩站廣改議形委早房音火際則首單據導影失拿網香似斯專石"
    "若兵弟誰校讀志飛觀爭究包組造落視濟喜離雖壞興費服支檔錯誤碼簽庫需額嘅啲係喺咗唔樓廈"
)
_JPAN = frozenset(
    "日一人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車"
    "何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心"
    "界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕"
    "去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢的全部連対実表"
    "戦経最現調化当約首法性要制治務成期取都和機平加受続進数記初指権支産点報済活原共得解交資予向際勝面告反判認参利組信在件側任引求所次"
    "昨論官増係感情投示変打直両式確果容必演歳争談能位置流格疑過局放常状球職与供役構割身費付由説難優夫収断石違消神番規術備宅害配警育席"
    "訪乗残想線客号定期給与請届出勤休暇申請承認管検済庫倉守衛鍵橋"
)
_CJK_MARKS = frozenset("〇、。，．；：？！「」『』（）《》〈〉【】“”‘’…—～・ー々　％")
_KANA = re.compile("[\u3041-\u309e\u30a1-\u30fe]")
_HAN = re.compile("[\u4e00-\u9fff]")
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_NOBODY_WRITES = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
_CONTROLS = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_NOT_ASCII = re.compile("[^\x00-\x7f]")
_ESCAPED_JAPANESE = re.compile(rb"\x1b(?:\$[@B(]|\([BJI])")
_ACCENTED = re.compile("(?<=[A-Za-z])[\u00c0-\u00ff]|[\u00c0-\u00ff](?=[a-z])")
_WESTERN_MARK = frozenset("£§©®°±·»«¿¡€–—‘’“”…")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with newlines as ``\\n``; ``damaged`` counts the places where bytes made no character.

    ``cut`` if the file ends in the middle of a character, which is one of those places.
    """

    text: str
    encoding: str
    damaged: int = 0
    cut: bool = False

    @property
    def remarks(self) -> tuple[str, ...]:
        """For the report: an encoding that is not UTF-8, and what could not be read."""
        unusual = "" if self.encoding == "utf-8" else self.encoding
        damaged = self.damaged - self.cut
        broken = f"{damaged} characters could not be read" if damaged else ""
        cut = "cut off in the middle of its last character" if self.cut else ""
        return tuple(part for part in (unusual, broken, cut) if part)


class NotText(ValueError):
    """The bytes are no text in any encoding that is known here. The message says what they look like."""


def decode(content: bytes, declared: str = "") -> Decoded:
    """The text the bytes were meant to be. Raises ``NotText``.

    ``declared`` is what the file itself, or its envelope, says of its encoding; it is believed if it fits.
    """
    if declared and (encoding := _known(declared)) and not content.startswith(tuple(mark for mark, _ in _MARKS)):
        said_utf8 = encoding == "utf-8" or content.isascii()
        if _reads(content, encoding) and (said_utf8 or not _reads(content, "utf-8")):
            return _finished(content, encoding)
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _finished(content[len(mark) :], encoding)
    if _ESCAPED_JAPANESE.search(content):
        return _finished(content, "iso2022_jp_ext")
    if b"\0" in content:
        return _wide(content)
    if _reads(content, "utf-8") or _cut_short(content):
        return _finished(content, "utf-8")
    return _mixed(content) or _by_plausibility(content)


# What is written under these names is, in practice, one of their extensions (as in the WHATWG's Encoding Standard).
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "iso2022_jp": "iso2022_jp_ext",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "euc_kr": "cp949",
}


def _known(declared: str) -> str:
    """The codec for a declared name; empty for a name that no codec has, or none for text."""
    try:
        found = codecs.lookup(declared.strip().replace("x-sjis", "cp932"))
    except (LookupError, ValueError):
        return ""
    if not getattr(found, "_is_text_encoding", True) or found.name in ("utf-16", "utf-32"):
        return ""
    return _WIDER.get(found.name, found.name)


_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def _wide(content: bytes) -> Decoded:
    """UTF-16 or UTF-32 without a mark if it reads like writing, text with a stray NUL; a binary file otherwise."""
    read = {name: content[: 4 * SAMPLE].decode(name, "replace") for name in _WIDE}
    encoding = max(read, key=lambda name: _like_writing(read[name]))
    if _like_writing(read[encoding]) > 0.6:
        return _finished(content, encoding)
    if content.count(b"\0") * 200 < len(content):
        return decode(content.replace(b"\0", b""))
    raise NotText("binary, not text: it holds NUL bytes")


def _like_writing(text: str) -> float:
    """1 if every character is one that people write much, less for rare ones, below 0 for what is no writing."""
    points = sum(
        1.0
        if " " <= c <= "~" or c in "\t\n\r" or c in _COMMON or c in _CJK_MARKS or _KANA.match(c) or _FULL_WIDTH.match(c)
        else 0.5
        if _HAN.match(c) or c in _WESTERN_MARK or "\u00c0" <= c <= "\u024f" or c > "\U0001ffff"
        else -1.0
        for c in text
    )
    return points / max(1, len(text))


def _mixed(content: bytes) -> Decoded | None:
    """UTF-8 in some lines and an older encoding in others, as where one file was appended to another."""
    lines = content.split(b"\n")
    readable = [_reads(line, "utf-8") for line in lines]
    new = "".join(line.decode("utf-8") for line, fits in zip(lines, readable, strict=True) if fits)
    if len(_NOT_ASCII.findall(new)) < 6 or _score("utf-8")(_sample(new)) < 3.0 or _any(_sample(new)) < 1.0:
        return None
    old = b"\n".join(line for line, fits in zip(lines, readable, strict=True) if not fits)
    encoding, score = _best(old, _LEGACY)
    if score < 1.0 or not _reads(old, encoding):
        return None
    codecs_of = ("utf-8" if fits else encoding for fits in readable)
    text = "\n".join(line.decode(codec) for line, codec in zip(lines, codecs_of, strict=True))
    return replace(_finished(text.encode("utf-8"), "utf-8"), encoding=f"utf-8 and {encoding}, line by line")


def _by_plausibility(content: bytes) -> Decoded:
    # A file may be cut off in the middle or hold a few stray bytes: what is lost counts against a codec, no more.
    return _finished(content, _best(content, ("utf-8", *_LEGACY, "utf-16-le", "utf-16-be"))[0])


def _best(content: bytes, encodings: Iterable[str]) -> tuple[str, float]:
    scores = {name: _score(name)(_sample(content.decode(name, "replace"))) for name in encodings}
    best = max(scores, key=lambda name: scores[name])
    return best, scores[best]


def _score(encoding: str) -> Callable[[str], float]:
    return _any if encoding.startswith("utf-16") else _LEGACY.get(encoding, _unicode)


def _sample(text: str) -> str:
    """The characters that tell encodings apart, with their neighbours, from the beginning and from the end."""
    telling = "".join(re.findall(r"[A-Za-z]?[^\x00-\x7f]+[A-Za-z]?", text))
    return telling if len(telling) <= SAMPLE else telling[: SAMPLE // 2] + telling[-SAMPLE // 2 :]


def _like(common: frozenset[str], kana: float, han: float) -> Callable[[str], float]:
    def score(text: str) -> float:
        telling = [c for c in text if not c.isascii()]
        points = sum(
            3.0
            if c in common
            else 1.0
            if c in _CJK_MARKS or _FULL_WIDTH.match(c)
            else kana
            if _KANA.match(c)
            else han
            if _HAN.match(c)
            else 0.2
            if c > "\U0001ffff"
            else -1.5
            for c in telling
        )
        points -= 5.0 * len(_NOBODY_WRITES.findall(text)) + 0.5 * len(_lone_half_kana(text))
        return points / max(1, len(telling))

    return score


def _lone_half_kana(text: str) -> list[str]:
    """Half-width kana between other characters; a word of them is something that people do write."""
    return re.findall("(?<![\uff61-\uff9f])[\uff61-\uff9f]{1,2}(?![\uff61-\uff9f])", text)


def _western(text: str) -> float:
    telling = [c for c in text if not c.isascii()]
    points = 1.6 * len(_ACCENTED.findall(text)) + sum(1.0 for c in telling if c in _WESTERN_MARK)
    return (points - 5.0 * len(_NOBODY_WRITES.findall(text))) / max(1, len(telling)) - 0.4


def _unicode(text: str) -> float:
    """A few bytes of damage leave the rest of a UTF-8 file whole; nothing else is UTF-8 by chance."""
    telling = [c for c in text if not c.isascii()]
    return 3.0 - 9.0 * text.count("\ufffd") / max(1, len(telling))


_COMMON = _HANS | _HANT | _JPAN
_any = _like(_COMMON, kana=2.0, han=0.0)

_LEGACY: dict[str, Callable[[str], float]] = {
    "gb18030": _like(_HANS, kana=-0.5, han=0.0),
    "big5hkscs": _like(_HANT, kana=-0.5, han=0.0),
    "cp950": _like(_HANT, kana=-0.5, han=-0.01),  # a few characters that HKSCS has elsewhere
    "cp932": _like(_JPAN, kana=2.0, han=0.0),
    "euc_jp": _like(_JPAN, kana=2.0, han=0.0),
    "cp1252": _western,
}


def _reads(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeError:
        return False
    return True


def _cut_short(content: bytes) -> bool:
    """Whether it is UTF-8 but for its last character, of which bytes are missing; ASCII before that proves nothing."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        whole = content[: error.start]
        return error.end == len(content) and error.reason == "unexpected end of data" and not whole.isascii()
    return False


def _finished(content: bytes, encoding: str) -> Decoded:
    text = content.decode(encoding, "replace")
    damaged = text.count("\ufffd") - (content.count("\ufffd".encode()) if encoding == "utf-8" else 0)
    if damaged > max(2, DAMAGE * len(text)):
        raise NotText(f"not text in a known encoding: nearest is {encoding}, and {damaged} of {len(text)} fail")
    controls = len(_CONTROLS.findall(text))
    if controls > max(2, DAMAGE * len(text)):
        raise NotText(f"binary, not text: {controls} of {len(text)} characters are control codes")
    cut = damaged > 0 and text.endswith("\ufffd") if encoding != "utf-8" else _cut_short(content)
    return Decoded(clean(text).replace("\r\n", "\n").replace("\r", "\n"), encoding, max(0, damaged), cut)

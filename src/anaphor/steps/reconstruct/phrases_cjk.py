"""Noun phrases of Chinese and Japanese: what is left between the words that carry grammar."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from anaphor.steps.family_names import FAMILY_NAMES
from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.phrase import QUOTED, Phrase, bare
from anaphor.steps.reconstruct.tables import Table, table
from anaphor.text.fold import Folded, fold

Stretch = tuple[int, int]

_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
_HIRAGANA = "[\u3041-\u309f]"
_CJK = f"\u3005-\u3007{_KATAKANA}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = "[0-9]{1,3}(?:,[0-9]{3})+|[a-z0-9\u00c0-\u024f][a-z0-9\u00c0-\u024f'&+#@_/.:%-]*"
_UNIT = re.compile(f"{QUOTED.pattern}|(?P<cjk>[{_CJK}]+)|(?P<latin>{_LATIN})|(?P<kana>{_HIRAGANA}+)")
_EACH = re.compile(
    "(?<=[\u4e00-\u9fff]{2})[租买订借办换点叫][一二两三几](?=[台辆间张份位件本](?!的))|"  # 飛梭租車 | 租一台車
    "[每毎](?:一|1)?[个個]?(?:人|位|月|年|晚|夜|周|週|星期|小时|次|组|泊|名)(?!间|間)"
)  # the measure is no noun
_NO_NAME = re.compile("the|of|and|or|is|are|what|how|vs|ok|hi|hello|thanks|please")


def chinese(text: str) -> Iterator[Phrase]:
    """Characters are cut at grammar words and common verbs; a space between the scripts joins."""
    folded, rules = fold(text), table("zh")
    pieces, titles = _pieces(folded.text, lambda unit: _between(unit[0], unit.start(), rules))
    yield from _joined(text, folded, pieces, titles, spaced=True)


def japanese(text: str) -> Iterator[Phrase]:
    """Kanji, katakana and Latin; nouns in hiragana where a particle shows them; kanji with okurigana as listed."""
    folded, rules = fold(text, "ja"), table("ja")
    spelled = [m.span() for m in _spelled_out().finditer(folded.text)]
    left = _spelled_out().sub(lambda m: " " * len(m[0]), folded.text)

    def nouns(unit: re.Match[str]) -> Iterator[Stretch]:
        if unit["kana"]:
            return _kana_noun(left, unit.start(), unit.end())
        return _nouns(unit[0], unit.start(), left[unit.end() : unit.end() + 1], rules)

    pieces, titles = _pieces(left, nouns)
    yield from _joined(text, folded, spelled + pieces, titles, spaced=False)


def _pieces(folded: str, content: Callable[[re.Match[str]], Iterable[Stretch]]) -> tuple[list[Stretch], list[Stretch]]:
    """Stretches of content, and quoted titles."""
    pieces: list[Stretch] = []
    titles: list[Stretch] = []
    for unit in _UNIT.finditer(_EACH.sub(lambda m: " " * len(m[0]), folded)):
        if unit["latin"]:
            if not _NO_NAME.fullmatch(unit[0]):
                pieces.append((unit.start(), unit.start() + len(unit[0].rstrip(".:/-'"))))
        elif unit["cjk"] or unit["kana"]:
            pieces.extend(content(unit))
        else:
            titles.append(unit.span())
    return pieces, titles


# -- Chinese -----------------------------------------------------------------------------------------------------------

_VERB_DUE = re.compile(
    "(?:[要会能可想得先再没不别请]|可以|怎么|怎样|如何|时候|何时|多久|几点|需要|必须|应该|谁|(?:周|星期|礼拜)[一二三四五六日天末]|平日|假日|[0-9一二三四五六七八九十][点号]|[早晚]上|[上中下]午)$"
)
_SAYS_WHO_OR_WHEN = re.compile("(?:(?:周|星期|礼拜)[一二三四五六日天末]|老板娘?|[店院馆校园站]长)$")  # 泳池週二|開|嗎
_SELDOM = frozenset(  # carry grammar by themselves, and names inside a word
    "用看听说问玩找办改换吃喝做各也以所之而于及或其此本约若当将像得地着过还再更都就才又很太最只未不别给让使叫比由向往自为么"
)


def _between(run: str, offset: int, rules: Table) -> Iterator[Stretch]:
    """Stretches of a run of characters that hold no grammar word and no common verb."""
    begin = at = 0
    while at < len(run):
        kept, broken = _longest(run, at, rules.kept_whole), _longest(run, at, _breaking())
        if not broken and not kept:
            due = _VERB_DUE if begin == at else _SAYS_WHO_OR_WHEN
            broken = _light(run, at, bool(due.search(run[:at])), rules)
        if broken == 1 and _inside_a_name(run, begin, at):
            at += 1
        elif broken and broken >= kept:
            if begin < at:
                yield offset + begin, offset + at
            begin = at = at + broken + _measured(run, at + broken)
        else:
            at += kept or 1
    if begin < at:
        yield offset + begin, offset + at


def _measured(run: str, end: int) -> int:
    """這|家|書店: a measure word between what points or asks and a noun; 聽說|過|龍慶峽: done once."""
    if run[end : end + 1] == "过" and run[end - 1] in _DONE_ONCE:
        return 1
    noun = end + 2 < len(run) or run[end + 1 : end + 2] in table("zh").short_nouns
    return int(run[end - 1] in "这那哪某该每几" and run[end : end + 1] in _MEASURES and noun)


_DONE_ONCE = "听说看过玩去吃喝买用学读讲聊查来"
_MEASURES = tuple("个家间位本部台辆张份件条支只座款种")


@functools.cache
def _breaking() -> frozenset[str]:
    return table("zh").grammar | table("zh").verbs


def _longest(run: str, at: int, listed: frozenset[str]) -> int:
    return next((n for n in range(min(6, len(run) - at), 0, -1) if run[at : at + n] in listed), 0)


def _light(run: str, at: int, verb_due: bool, rules: Table) -> int:
    """Verbs and adjectives of one character break a run only where nothing can be made of them: 能|帶, 很|大."""
    if at and run[at] in _TAKES and run[at + 1 : at + 2] in _ASKED:
        return 1
    if at and run[at] == "过" and (at + 1 == len(run) or _longest(run, at + 1, _breaking())):
        return 1  # 導演|過|什麼
    if run[at] in rules.light_verbs:
        return int(verb_due or (at > 0 and run[at + 1 : at + 2] in _DONE))
    last = at + 1 == len(run) or bool(_longest(run, at + 1, _breaking()))
    if at and run[at - 1] in _NUMERALS:
        return 0  # 一晚
    return int(run[at] in rules.adjectives and last)


_NUMERALS = "一二两三四五六七八九十几半"
_DONE = tuple("过了着")  # 林振嵩|写|过
_TAKES, _ASKED = "带教退", tuple("什几哪谁啥吗")  # 王教练|带|什么课, 钱|退|吗


def _inside_a_name(run: str, begin: int, at: int) -> bool:
    """雅各書, 維也納: one character of content on either side of one that may carry grammar."""
    if run[at] == "来" and at - begin == 2 and run[begin] in FAMILY_NAMES:
        return at + 1 == len(run) or bool(_longest(run, at + 1, _breaking()))  # 周恩来
    if run[at] not in _SELDOM or at - begin != 1 or at + 1 >= len(run):
        return False
    return not _longest(run, at + 1, _breaking()) or bool(_longest(run, at + 1, table("zh").kept_whole))


# -- Japanese ----------------------------------------------------------------------------------------------------------

_PARTICLES = frozenset("はがをにでともへやかのよりまでなださしすせ")  # さしすせ: a noun with する
_ONE_SCRIPT = re.compile(f"[{_KATAKANA}]+|[^{_KATAKANA}]+")


def _nouns(run: str, offset: int, follows: str, rules: Table) -> Iterator[Stretch]:
    """A run of kanji and katakana less verb stems: one kanji with its inflection after it is not a noun."""
    inflected = "\u3041" <= follows <= "\u309f" and follows not in _PARTICLES
    for match in _ONE_SCRIPT.finditer(run):
        start, end = match.span()
        if end == len(run) and inflected and end - start <= 2 and not "\u30a1" <= run[end - 1] <= "\u30ff":
            end -= 1
        if run.startswith("何", start):
            continue  # 何種類: asks, and names nothing
        if start < end and run[start:end] not in rules.grammar and run[start:end] not in rules.verbs:
            yield offset + start, offset + end


@functools.cache
def _spelled_out() -> re.Pattern[str]:
    """Nouns written with their inflection: the listed ones, verb stems in a row (取り置き期間), ways (直し方)."""
    kanji, end = "[\u4e00-\u9fff]", "(?=[\u4e00-\u9fffのはがをにとでもへ、。,?]|まで|から|$)"
    stems = f"{kanji}[りきしちみけえせれめべげ]{kanji}[りきしちみけえせれめべいげび]{end}"
    more = f"{kanji}[きりしみちびぎけせめれべげ]{kanji}{{2,4}}(?=[のはがをにとでもへ、。,?]|まで|から|$)"  # 焚き火台
    ways = f"{kanji}[りきしちみけえせれめべげい]方|{kanji}{{1,4}}[りきしちみけえせれめべげいび](?=について|に関して)"
    stem = f"{kanji}{{1,3}}(?![はがをにでともへの])[\u3041-\u309f]{{1,2}}[りろみきぎちびけせ]"  # 手びねり, 電動ろくろ
    course = f"{stem}(?:[{_KATAKANA}]{{2,}}{end}|(?=の(?:ほう|方)))"
    time_or_person = "年月週日夏冬春秋夜朝昼夫親人何今私君彼誰俺僕"
    name = f"(?![{time_or_person}]){kanji}の[間湯宿里郷杜庵丘](?=[のはがをにでとへも、?]|$)"
    room = f"(?<!{kanji})(?:{name}|{kanji}{{2}}の[間湯](?=の{kanji}))"  # 竹の間
    listed = sorted(table("ja").kept_whole, key=lambda w: (-len(w), w))
    return re.compile("|".join([*listed, room, course, more, stems, ways]))


@functools.cache
def _in_kana() -> re.Pattern[str]:
    no_noun = "|".join(table("ja").no_noun)
    marked = f"の(?:[^\u3041-\u309f]|お|ご)|(?:は|が|を|って)(?!{_HIRAGANA}*(?:る|た|い|ます))"
    town = f"(?![のはがをにとでもやへなたるいか]){_HIRAGANA}(?=[市町村区県駅店園館湖島寺])"  # さいたま市
    return re.compile(f"(?!{no_noun}){_HIRAGANA}{{2,6}}?(?={marked})|{_HIRAGANA}{{1,5}}{town}")


def _kana_noun(text: str, start: int, end: int) -> Iterator[Stretch]:
    """A noun written in hiragana (りんご); after kanji it can only begin behind a particle."""
    if start and text[start - 1] > "\u3000" and text[start - 1].isalnum():
        if text[start] not in "のはがをにでとも":
            return
        start += 1
    if noun := _in_kana().match(text, start, end + 2):
        yield noun.span()


# -- both --------------------------------------------------------------------------------------------------------------


def _joined(
    text: str, folded: Folded, pieces: list[Stretch], titles: list[Stretch], *, spaced: bool
) -> Iterator[Phrase]:
    """Pieces that touch are one phrase (会議室A, 訪客 Wi-Fi). A title takes in what is written onto its front."""
    quoted = set(titles)
    runs: list[Stretch] = []
    for piece in sorted(pieces + titles):
        last = runs[-1] if runs else (-9, -9)
        closed = any(last[0] <= start and end == last[1] for start, end in quoted)
        touches = last[1] == piece[0] or (piece not in quoted and _one_space(folded.text, last, piece, spaced))
        if touches and not closed:
            runs[-1] = (last[0], piece[1])
        else:
            runs.append(piece)
    for start, end in runs:
        key = bare(folded.text[start:end])
        title = any(start <= a and b <= end for a, b in quoted)
        noun = title or _is_short_noun(folded.text, start, spaced)
        if len(key) == 1 and (not key.isascii() or key.isdigit()) and not noun:
            continue  # one character: a measure word or a verb, seldom a name
        span = folded.source(start, end)
        named = title or bool(re.search("[a-z・]", key))
        verbal = not named and len(key) == 2 and _stands_as_verb(folded.text, start, end, spaced)
        yield Phrase(text[span.start : span.end], span.start, span.end, key, kind(key), named, verbal=verbal)


def _is_short_noun(folded: str, start: int, chinese_: bool) -> bool:
    """貓, 狗 as listed, not after a number (一包); in Japanese a kanji that a particle shows (猫の値段)."""
    if chinese_:
        return folded[start] in table("zh").short_nouns and folded[start - 1 : start] not in tuple(_NUMERALS)
    alone = not _PART_OF_A_WORD.match(folded[start - 1 : start]) if start else True
    return alone and folded[start + 1 : start + 2] in tuple("のはがを") and "\u4e00" <= folded[start] <= "\u9fff"


_PART_OF_A_WORD = re.compile("[\u3041-\u309f\u30a1-\u30ff\u4e00-\u9fff0-9a-z](?<![のはがをにでとへも])")
_SURU = re.compile("(?:し(?:ま|た|て|な|よ|(?=[、,]))|する|すれ|され|させ|でき)")


def _stands_as_verb(folded: str, start: int, end: int, chinese_: bool) -> bool:
    """要除垢, いつ完成した: after what a verb follows, before する."""
    return bool(_VERB_DUE.search(folded[max(0, start - 4) : start]) if chinese_ else _SURU.match(folded, end))


_AMOUNT = re.compile(
    "[0-9][0-9,.]* ?(?:平方|立方)?(?:公里|公尺|公分|毫米|厘米|公斤|公克|千克|毫升|公升|分贝|小时|分钟|个月"
    "|[元块円圆人名个位次岁层楼坪度米克升吨瓦年月日天分秒页本件张台款种折%倍])"
)
_NAME_DOTS = "\u00b7\u2027\u2022\u30fb"


def _one_space(folded: str, last: Stretch, piece: Stretch, spaced: bool) -> bool:
    """Between two Latin words, or between the scripts where a space is the habit; a dot inside a name (馬克·韋布)."""
    if last[1] + 1 != piece[0]:
        return False
    if folded[last[1]] in _NAME_DOTS:
        return True
    if folded[last[1]] != " ":
        return False
    if amount := _AMOUNT.match(folded, last[0]):
        return amount.end() > piece[0]  # 60 平方米
    if _AMOUNT.match(folded, piece[0]):
        return False  # 適用面積 60 平方米
    latin = [folded[at].isascii() and folded[at].isalnum() for at in (last[1] - 1, piece[0])]
    katakana = any(latin) and any("\u30a1" <= folded[at] <= "\u30ff" for at in (last[1] - 1, piece[0]))  # Aurora テント
    return all(latin) or (spaced and any(latin)) or katakana

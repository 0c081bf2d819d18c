"""Noun phrases of a text: what a pronoun may stand for, and what may stand in another's place.

There is no parser here. In Chinese and Japanese a phrase is what is left between words that carry grammar; in English
a run of words that are neither grammar nor common verbs. Names, quoted titles, identifiers and words in another
script stay whole.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from anaphor.steps.reconstruct.kinds import kind, time_at_edge
from anaphor.steps.reconstruct.tables import Table, table
from anaphor.text.fold import Folded, fold


@dataclass(frozen=True, slots=True)
class Phrase:
    """``text`` is verbatim; ``key`` is folded, for comparing. ``owner``: something of it is asked (its price, 的 価格)."""

    text: str
    start: int
    end: int
    key: str
    kind: str = ""
    named: bool = False
    owner: bool = False
    attribute: bool = False
    verbal: bool = False  # stands where a verb stands: 要除垢, 會退

    @property
    def head(self) -> str:
        """The word that says what it is: the last, without its plural."""
        last = self.key.split(" ")[-1]
        plural = last.isascii() and len(last) > 3 and last.endswith("s") and not last.endswith("ss")
        return last[:-1] if plural else last


_CJK = "\u3005-\u3007\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = "[a-z0-9\u00c0-\u024f][a-z0-9\u00c0-\u024f'&+#@_/.:%-]*"
QUOTED = re.compile(
    '「([^「」\n]{1,40})」|『([^『』\n]{1,40})』|《([^《》\n]{1,40})》|〈([^〈〉\n]{1,40})〉|“([^“”\n]{1,40})”|"([^"\n]{1,40})"|【([^【】\n]{1,40})】'
)
_UNIT = re.compile(
    f"{QUOTED.pattern}|(?P<cjk>[{_CJK}]+)|(?P<latin>{_LATIN})|(?P<kana>[\u3041-\u309f]+)|(?P<space> )|(?P<other>[\\s\\S])"
)


def phrases(text: str, language: str) -> tuple[Phrase, ...]:
    """In the order in which they stand."""
    if language == "en":
        return tuple(_english(text))
    found = _japanese(text) if language == "ja" else _chinese(text)
    return tuple(_with_owners(text, _apart(_without_times(found), table(language)), table(language).of))


# -- Chinese and Japanese ----------------------------------------------------------------------------------------------

Stretch = tuple[int, int]
_LATIN_GRAMMAR = frozenset(
    ["the", "of", "and", "or", "is", "are", "what", "how", "vs", "ok", "hi", "hello", "thanks", "please"]
)


def _chinese(text: str) -> Iterator[Phrase]:
    folded, rules = fold(text), table("zh")
    pieces: list[Stretch] = []
    quoted: list[Stretch] = []
    for unit in _UNIT.finditer(folded.text):
        if unit.lastgroup == "cjk":
            pieces += [(unit.start() + a, unit.start() + b) for a, b in _between(unit[0], rules)]
        elif unit.lastgroup == "latin" and unit[0] not in _LATIN_GRAMMAR:
            pieces.append((unit.start(), unit.start() + len(unit[0].rstrip(".:/-'"))))
        elif unit.lastgroup is None:
            quoted.append(unit.span())
    yield from _joined(text, folded, pieces, quoted, spaced=True)


def _between(run: str, rules: Table) -> Iterator[Stretch]:
    """Stretches of a run of characters that hold no grammar word and no common verb."""
    begin = at = 0
    while at < len(run):
        kept, broken = _longest(run, at, rules.kept_whole), _longest(run, at, _breaking())
        if not broken and not kept:
            broken = _light(run, at, begin == at and bool(_VERB_DUE.search(run[:at])), rules)
        if broken == 1 and _inside_a_name(run, begin, at):
            at += 1
        elif broken and broken >= kept:
            if begin < at:
                yield begin, at
            begin = at = at + broken
        else:
            at += kept or 1
    if begin < at:
        yield begin, at


def _light(run: str, at: int, verb_due: bool, rules: Table) -> int:
    """Verbs and adjectives of one character break a run only where nothing can be made of them: 能|帶, 很|大."""
    if run[at] in rules.light_verbs:
        return int(verb_due)
    last = at + 1 == len(run) or bool(_longest(run, at + 1, _breaking()))
    return int(run[at] in rules.adjectives and last)


_SELDOM = frozenset(
    "用看听说问玩找办改换吃喝做各也以所之而于及或其此本约若当将像得地着过还再更都就才又很太最只未不别给让使叫比由向往自为么"
)


def _inside_a_name(run: str, begin: int, at: int) -> bool:
    """雅各書, 維也納: one character of content on either side of one that may carry grammar."""
    if run[at] not in _SELDOM or at - begin != 1 or at + 1 >= len(run):
        return False
    rules = table("zh")
    return not _longest(run, at + 1, _breaking()) or bool(_longest(run, at + 1, rules.kept_whole))


@functools.cache
def _breaking() -> frozenset[str]:
    return table("zh").grammar | table("zh").verbs


def _longest(run: str, at: int, listed: frozenset[str]) -> int:
    return next((n for n in range(min(6, len(run) - at), 0, -1) if run[at : at + n] in listed), 0)


def _japanese(text: str) -> Iterator[Phrase]:
    folded, rules = fold(text, "ja"), table("ja")
    pieces: list[Stretch] = []
    quoted: list[Stretch] = []
    spelled = _spelled_out()
    for match in spelled.finditer(folded.text):
        pieces.append(match.span())  # 手続き: kanji with its okurigana, one noun
    masked = spelled.sub(lambda m: " " * len(m[0]), folded.text)
    for unit in _UNIT.finditer(masked):
        if unit.lastgroup == "cjk":
            follows = masked[unit.end() : unit.end() + 1]
            pieces += _nouns(unit[0], unit.start(), follows, rules)
        elif unit.lastgroup == "latin" and unit[0] not in _LATIN_GRAMMAR:
            pieces.append((unit.start(), unit.start() + len(unit[0].rstrip(".:/-'"))))
        elif unit.lastgroup == "kana" and (noun := _kana_noun(masked, unit.start(), unit.end())):
            pieces.append(noun.span())
        elif unit.lastgroup is None:
            quoted.append(unit.span())
    yield from _joined(text, folded, pieces, quoted, spaced=False)


@functools.cache
def _spelled_out() -> re.Pattern[str]:
    return re.compile("|".join(sorted(table("ja").kept_whole, key=lambda w: (-len(w), w))))


_NO_NOUN = (
    "それ これ あれ そこ ここ あそ どこ どれ どち そち こち いつ いく なに なん どの どう そう こう ため もの こと ほか また まだ もう じゃ では でも から まで より ほど くらい だけ "
    "しか ある いる する なる できる はい いえ ちなみ ところ すみ もし とき ほう うち さっき ちょっと もっと どんな あと ます です たい よう わたし ぼく わけ はず つもり とは には ので のは"
).replace(" ", "|")
_HIRAGANA = "[\u3041-\u309f]"
_KANA_NOUN = re.compile(
    f"(?!{_NO_NOUN}){_HIRAGANA}{{2,6}}?(?=の(?:[^\u3041-\u309f]|お|ご)|(?:は|が|を|って)(?!{_HIRAGANA}*(?:る|た|い|ます)))"
    f"|{_HIRAGANA}{{1,5}}(?![のはがをにとでもやへなたるいか]){_HIRAGANA}(?=[市町村区県駅店園館湖島寺])"  # さいたま市
)


def _kana_noun(text: str, start: int, end: int) -> re.Match[str] | None:
    """A noun written in hiragana (りんご); after kanji it can only begin behind a particle."""
    if start and text[start - 1] > "\u3000" and text[start - 1].isalnum():
        if text[start] not in "のはがをにでとも":
            return None
        start += 1
    return _KANA_NOUN.match(text, start, end + 2)


_PARTICLE = frozenset("はがをにでともへやかのよりまでなだ")
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
_ONE_SCRIPT = re.compile(f"[{_KATAKANA}]+|[^{_KATAKANA}]+")


def _nouns(run: str, offset: int, follows: str, rules: Table) -> Iterator[Stretch]:
    """A run of kanji and katakana less verb stems: one kanji with its inflection after it is not a noun."""
    inflected = "\u3041" <= follows <= "\u309f" and follows not in _PARTICLE and follows not in "さしすせ"
    for match in _ONE_SCRIPT.finditer(run):
        start, end = match.span()
        if end == len(run) and inflected and end - start <= 2 and not "\u30a1" <= run[end - 1] <= "\u30ff":
            end -= 1
        if start < end and run[start:end] not in rules.grammar and run[start:end] not in rules.verbs:
            yield offset + start, offset + end


def _joined(
    text: str, folded: Folded, pieces: list[Stretch], quoted: list[Stretch], *, spaced: bool
) -> Iterator[Phrase]:
    """Pieces that touch are one phrase (会議室A, 訪客 Wi-Fi). A quoted title takes in what is written onto its front."""
    titles = set(quoted)
    runs: list[Stretch] = []
    for piece in sorted(pieces + quoted):
        last = runs[-1] if runs else (-9, -9)
        closed = any(last[0] <= a and b == last[1] for a, b in titles)
        if not closed and (
            last[1] == piece[0] or (piece not in titles and _one_space(folded.text, last, piece, spaced))
        ):
            runs[-1] = (last[0], piece[1])
        else:
            runs.append(piece)
    for start, end in runs:
        span = folded.source(start, end)
        key = _bare(folded.text[start:end])
        if len(key) == 1 and (not key.isascii() or key.isdigit()) and (start, end) not in titles:
            continue  # one character: a measure word or a verb, seldom a name
        title = any(start <= a and b <= end for a, b in titles)
        named = title or bool(re.search("[a-z]", key)) or bool(re.fullmatch(f"[{_KATAKANA}]{{3,}}", key))
        verbal = (
            spaced and len(key) <= 2 and not named and bool(_VERB_DUE.search(folded.text[max(0, start - 4) : start]))
        )
        yield Phrase(text[span.start : span.end], span.start, span.end, key, kind(key), named, verbal=verbal)


_VERB_DUE = re.compile("(?:[要会能可想得先再没不别请]|可以|怎么|怎样|如何|时候|何时|多久|几点|需要|必须|应该)$")


def _one_space(folded: str, last: Stretch, piece: Stretch, spaced: bool) -> bool:
    """Between two Latin words, or between the scripts where a space is the habit."""
    if last[1] + 1 != piece[0] or folded[last[1]] != " ":
        return False
    latin = [folded[at].isascii() and folded[at].isalnum() for at in (last[1] - 1, piece[0])]
    return all(latin) or (spaced and any(latin))


def _bare(key: str) -> str:
    return re.sub('[「」『』《》〈〉“”"【】]', "", key)


def _without_times(found: Iterator[Phrase]) -> Iterator[Phrase]:
    """A time written onto a thing (台南門市週日, 明天高鐵) is a phrase of its own."""
    for phrase in found:
        cut = time_at_edge(phrase.key) if len(phrase.text) == len(phrase.key) and not phrase.kind else 0
        if not cut:
            yield phrase
            continue
        at = cut if cut > 0 else len(phrase.key) + cut
        for start, end in ((0, at), (at, len(phrase.key))):
            key = phrase.key[start:end]
            named = phrase.named and not key.isdigit() and kind(key) != "time"
            yield Phrase(phrase.text[start:end], phrase.start + start, phrase.start + end, key, kind(key), named)


def _apart(found: Iterator[Phrase], rules: Table) -> Iterator[Phrase]:
    """An attribute written onto its owner (台灣人口) is two phrases."""
    for phrase in found:
        if phrase.key in rules.attributes or (len(phrase.key) < 6 and phrase.key.endswith(_ends(rules.of))):
            yield replace(phrase, attribute=True)
            continue
        size = next((n for n in range(5, 1, -1) if len(phrase.key) > n + 1 and phrase.key[-n:] in rules.attributes), 0)
        if not size or len(phrase.text) != len(phrase.key):
            yield phrase
            continue
        cut, owner = phrase.end - size, phrase.key[:-size]
        yield replace(phrase, text=phrase.text[:-size], end=cut, key=owner, kind=kind(owner), owner=True)
        yield Phrase(phrase.text[-size:], cut, phrase.end, phrase.key[-size:], attribute=True)


@functools.cache
def _ends(of: str) -> tuple[str, ...]:
    return tuple(table("zh" if of == "的" else "ja").attribute_ends)


def _with_owners(text: str, found: Iterator[Phrase], of: str) -> Iterator[Phrase]:
    listed = list(found)
    for phrase, after in zip(listed, [*listed[1:], None], strict=False):
        owns = after is not None and text[phrase.end : after.start].strip() == of
        yield replace(phrase, owner=phrase.owner or owns)


# -- English -----------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_](?:[\w'’.&/+#@:-]*[\w+#])?|[^\w\s]|\n")
_LINKS = frozenset(["of", "the", "and", "for", "de", "von", "van", "&"])
_SUPPORT = frozenset(
    [
        "do",
        "does",
        "did",
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "to",
        "don't",
        "doesn't",
        "didn't",
        "can't",
        "cannot",
        "won't",
    ]
)
ORGANISATIONS = frozenset(
    [
        "states",
        "university",
        "office",
        "company",
        "inc",
        "corp",
        "ltd",
        "bank",
        "party",
        "war",
        "league",
        "mission",
        "act",
        "empire",
        "college",
        "school",
        "institute",
        "club",
        "band",
        "team",
        "museum",
        "hospital",
        "library",
        "department",
        "agency",
        "association",
        "council",
        "court",
        "church",
        "island",
        "islands",
        "river",
        "lake",
        "mountain",
        "mountains",
        "city",
        "street",
        "program",
        "programme",
        "project",
        "service",
        "services",
        "system",
        "security",
        "center",
        "centre",
        "world",
        "cup",
        "north",
        "south",
        "east",
        "west",
        "new",
        "san",
        "los",
    ]
)
_PREDICATIVE = re.compile(r".{3,}(?:able|ible|ous|ful|less|ed)")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    low: str
    first: bool  # of its sentence, where a capital says nothing

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


def _english(text: str) -> Iterator[Phrase]:
    quoted = [m.span() for m in QUOTED.finditer(text)]
    words = list(_words(text))
    run: list[_Word] = []
    verb_due = False  # a do, a modal or a to has been said, and no verb yet
    asks_is = False  # is the lamp dimmable: what comes last is said of it
    determined = False
    for word, after in zip(words, [*words[1:], None], strict=False):
        inside = any(a < word.start < b - 1 for a, b in quoted)
        begins = determined and word.low in table("en").kept_whole  # the catering
        determined = word.low in _DETERMINERS
        if inside or begins or _continues(run, word, after, verb_due):
            run.append(word)
            continue
        yield from _noun(text, run, asks_is)
        run = []
        verb_due = word.low in _SUPPORT or (
            verb_due and word.low not in ".?!\n,;" and word.low not in table("en").verbs
        )
        asks_is = (word.low in ("is", "are", "was", "were", "isn't", "aren't") and word.first) or (
            asks_is and word.low in _DETERMINERS
        )
    yield from _noun(text, run, asks_is)


_DETERMINERS = frozenset(["the", "a", "an", "this", "that", "my", "your", "our", "his", "her", "its", "their"])


def _words(text: str) -> Iterator[_Word]:
    first = True
    for match in _WORD.finditer(text):
        word, (start, end) = match[0].replace("’", "'"), match.span()
        if word.lower().endswith("'s"):
            yield _Word(word[:-2], start, end - 2, word[:-2].casefold(), first)
            yield _Word("'s", end - 2, end, "'s", False)
        else:
            yield _Word(word, start, end, word.casefold(), first)
        first = word in (".", "?", "!", "\n", ":")


def _continues(run: list[_Word], word: _Word, after: _Word | None, verb_due: bool) -> bool:
    """Whether the word belongs to the noun phrase begun, or begins one."""
    rules = table("en")
    if not word.low[:1].isalnum():
        return False
    if word.low in _LINKS and run and run[-1].capital and after is not None and after.capital:
        return word.low in ("of", "&", "de", "von", "van") or (word.low == "the" and run[-1].low in _LINKS)
    if word.low in rules.grammar:
        return False
    if word.low in rules.adjectives:
        return not run or all(w.low in rules.adjectives for w in run)
    if word.low not in rules.verbs or (word.capital and not word.first):
        return True
    if word.low not in rules.kept_whole or not run:
        return False
    noun_follows = after is not None and after.low[:1].isalnum() and after.low not in rules.grammar
    return noun_follows or not verb_due


def _noun(text: str, run: list[_Word], asks_is: bool) -> Iterator[Phrase]:
    rules = table("en")
    titled = len(run) > 1 and run[0].low in rules.people and not run[0].capital and run[1].capital
    if titled:
        run = run[1:]
    if len(run) > 1 and asks_is and not run[-1].capital and _PREDICATIVE.fullmatch(run[-1].low):
        run = run[:-1]
    if not run or (run[-1].low in rules.adjectives and not (run[-1].capital and not run[-1].first)):
        return
    start, end = run[0].start, run[-1].end
    key = " ".join(w.low for w in run)
    named = _is_named(run) or (start > 0 and text[start - 1] in '"“「')
    owner = text[end : end + 2] in ("'s", "’s") or bool(_OF.search(text[max(0, start - 12) : start].casefold()))
    attribute = not named and len(run) <= 2 and _is_attribute(run[-1].low, rules)
    sort = kind(key) or ("person" if named and (titled or _is_person(run, text, start, rules)) else "")
    yield Phrase(text[start:end], start, end, key, sort, named, owner, attribute)


_OF = re.compile(r"\bof (?:the |a |an |my |your |our )?$")


def _is_attribute(word: str, rules: Table) -> bool:
    return word in rules.attributes or word.rstrip("s") in rules.attributes


def _is_named(run: list[_Word]) -> bool:
    """A capital where it means something, a digit, or capitals inside."""
    if any(w.capital and not w.first for w in run):
        return True
    if any(w.text[1:] != w.text[1:].lower() or any(map(str.isdigit, w.text)) for w in run):
        return True
    return run[0].capital and len(run) > 1 and run[1].capital


def _is_person(run: list[_Word], text: str, start: int, rules: Table) -> bool:
    if any(not w.capital or re.search(r"\d", w.text) or w.text.isupper() or w.low in ORGANISATIONS for w in run):
        return False
    if run[0].low.rstrip(".") in rules.people:
        return True
    before = re.search(r"([a-z]+)\.? $", text[max(0, start - 16) : start].casefold())
    titled = before is not None and before[1] in rules.people
    return titled or (len(run) <= 3 and len(run) > 1 and run[0].low in table("en").given_names)

"""A sentence as it reads once a person has put what it says in other words.

What was said is not touched by it: the new words stand in review, with who decided and when, and are answered with in
the place of the old ones. Values, numbers and units are replaced where they stand; that something is over, cancelled or
only planned is said behind the sentence, in its language.
"""

from __future__ import annotations

from dataclasses import replace

from anaphor.facts import State, Statement
from anaphor.text.language import detect
from anaphor.text.numbers import numbers
from anaphor.text.patterns import pattern

_LANGUAGES = ("en", "zh-Hant", "zh-Hans", "ja")
# Behind the sentence, in each of them.
_STATES = {
    State.PAST: ("(no longer so)", "（現在已經不是）", "（现在已经不是）", "（今は違います）"),
    State.CANCELLED: ("(cancelled)", "（已取消）", "（已取消）", "（キャンセル）"),
    State.PLANNED: ("(planned)", "（計劃中）", "（计划中）", "（予定）"),
    State.CURRENT: ("(it is so now)", "（現在是這樣）", "（现在是这样）", "（今はそうです）"),
}
_NOT_SO = ("(not so)", "（不是這樣）", "（不是这样）", "（違います）")
_MARKS = {mark for marks in (*_STATES.values(), _NOT_SO) for mark in marks}

_ENDS = ".。!！ \n"


def in_words(was: Statement, now: Statement, said: str) -> Statement:
    """The statement as edited, with the sentence that says it in the new words; those of ``said`` where none change."""
    if not said:
        return now
    language = detect(said)
    words, value = said, now.value
    if now.quantity != was.quantity and now.quantity is not None:
        number = f"{now.quantity:g}"
        if value == was.value:
            value = _counted(was, number, value, language)
        words = _counted(was, number, words, language)
    if now.unit != was.unit and was.unit:
        value = value.replace(was.unit, now.unit, 1) if value == was.value else value
        words = words.replace(was.unit, now.unit, 1)
    if now.value != was.value:
        words = _put(was, now.value, said)
    if now.state is not was.state or now.negated != was.negated:
        words = _marked(now, words, language)
    return replace(now, value=value, words=was.words if words == said else words)


def _put(was: Statement, value: str, said: str) -> str:
    """The new value where the old one stood; only where its core stood, if the rest of the old one is not in the new.

    "hates tea" edited to "coffee" is "hates coffee".
    """
    core = was.core or _core(was.value)
    rest = was.value.replace(core, "", 1).strip() if core and core in was.value else ""
    old = core if rest and rest.split()[0] not in value else was.value
    if old in said:
        return said.replace(old, value, 1)
    return said.replace(was.value, value, 1) if was.value in said else value


def _core(value: str) -> str:
    """What of a value is not its verb: 楽天 of 楽天で働い, 杭州 of 在杭州工作."""
    found = _VERBAL.fullmatch(value)
    return next((part for part in found.groups() if part), "") if found else ""


_VERBAL = pattern(
    r"在(.+?)(?:工作|上班|任[職职]|就[職职]|服[務务]|[讀读念唸][書书]|(?:做|當|当).*)"
    r"|(.+?)(?:で|に)(?:働|勤め|勤務|通っ|住|就職|在籍).*"
)


def _counted(was: Statement, number: str, text: str, language: str) -> str:
    """The text with the new number where the old quantity stands."""
    for found in numbers(text, language):
        if was.quantity is not None and float(found.value) == was.quantity:
            return text[: found.start] + number + text[found.end :]
    return text


def _marked(now: Statement, words: str, language: str) -> str:
    """Before the mark that ends the sentence, so that it is one with it."""
    bare = words.rstrip(_ENDS)
    ending = words[len(bare) :]
    for mark in _MARKS:
        bare = bare.removesuffix(mark).rstrip()
    known = _LANGUAGES.index(language) if language in _LANGUAGES else 0
    mark = (_NOT_SO if now.negated else _STATES[now.state])[known]
    return f"{bare} {mark}{ending}" if mark.isascii() else bare + mark + ending

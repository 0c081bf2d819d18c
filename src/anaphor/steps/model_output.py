"""What a model's reply says, read tolerantly: no reply, however broken, raises anything here.

Models wrap what they were asked for in thoughts, fences, labels and apologies, write two objects and mean the second,
stop in the middle, or go on with a dialogue that nobody had. The last whole object with a usable field wins; plain
text is taken where there is no object; a string that the reply broke off in is never used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anaphor.steps.loose_json import Found, containers
from anaphor.text.fold import clean
from anaphor.types import Decision

LONGEST = 200_000  # characters of a reply that are looked at, from its end
QUERIES = 4  # sub-queries that are taken


@dataclass(frozen=True, slots=True)
class QueryReading:
    """The rewritten question, or the original one with ``failed`` saying why.

    ``queries`` are the sub-queries the model gave, if any; ``decision`` is ``None`` where it gave none we know.
    """

    query: str
    queries: tuple[str, ...] = ()
    decision: Decision | None = None
    failed: str = ""


def read_query(raw: object, original: str, *, finished: bool = True) -> QueryReading:
    """The query of a rewriting model's reply (text, bytes or ``None``); ``original`` where there is none to be had.

    ``finished=False``: the reply ran into its limit of length, so plain text of it is half a sentence.
    """
    text = _decoded_twice(without_thoughts(as_text(raw)).strip())
    if not text:
        return QueryReading(original, failed="empty")
    found = list(containers("{" + text if _BARE_MEMBER.match(text) else text))
    chosen = _last_usable(found, lambda value: any(_given(value)))
    if chosen is not None:
        one, several = _given(chosen)
        decision = _decision(chosen.get("decision")) if isinstance(chosen, Mapping) else None
    elif any(isinstance(f.value, dict) for f in found) or _BROKEN_JSON.match(text):
        return QueryReading(original, failed=_why_unusable(found))
    elif not finished:
        return QueryReading(original, failed="cut off")
    else:
        one, several, decision = "", _plain(text), None
    return _reading(one, several, decision, original)


def _reading(one: str, several: Sequence[str], decision: Decision | None, original: str) -> QueryReading:
    """The reading of what a reply gave as *the* query and as sub-queries; either stands in for the other."""
    one = _one_line(one, original)
    several = tuple(dict.fromkeys(filter(None, (_one_line(part, original) for part in several))))[:QUERIES]
    query = one or "".join(several[:1])
    if not query:
        return QueryReading(original, failed="empty")
    if refuses(query) and not refuses(original):
        return QueryReading(original, failed="refused")
    return QueryReading(query, several if len(several) > 1 else (), decision)


def read_text(raw: object, *, unfinished: bool = False) -> str:
    """The reply as prose: thoughts, a leading role label and an invented continuation of the dialogue taken off.

    ``unfinished``: more may follow, so a tag or label that has only begun is held back.
    """
    text = without_thoughts(_decoded(raw))
    if unfinished:
        text = _BEGUN_TAG.sub("", text)
    text = _TEMPLATE_TOKEN.split(text.lstrip(), maxsplit=1)[0]
    labelled = _ROLE_LABEL.match(text)
    if labelled:
        text = text[labelled.end() :]
    for line in _USER_LINE.finditer(text):
        # "User: admin" is a line that an answer may well have; with somebody replying to it, it is a made-up dialogue.
        if labelled or _ASSISTANT_LINE.search(text, line.end()) or line.group().rstrip().endswith(("?", "？")):
            text = text[: line.start()]
            break
    return text.strip()


def as_text(raw: object) -> str:
    """Text of whatever a model port handed over, from its end at most ``LONGEST`` characters."""
    return _decoded(raw)[-LONGEST:]


def _decoded(raw: object) -> str:
    if isinstance(raw, bytes | bytearray):
        return clean(raw.decode("utf-8", "replace"))
    return clean(raw) if isinstance(raw, str) else ""


def without_thoughts(text: str) -> str:
    """The text less ``<think>…</think>`` and its like; a tag inside a JSON string or behind a backtick is no tag.

    A block that never ends hides the rest. A closing tag alone hides what stands before it: some servers keep the
    opening one to themselves.
    """
    kept: list[str] = []
    at = 0
    while tag := _THOUGHT_TAG.search(text, at):
        data = _container_around(text, at, tag.start())
        if data:
            kept.append(text[at : data.end])
            at = data.end
        elif tag.group(1):
            kept.clear()
            at = tag.end()
        else:
            kept.append(text[at : tag.start()])
            closing = re.compile(rf"</{tag.group(2)}\s*>", re.IGNORECASE).search(text, tag.end())
            at = closing.end() if closing else len(text)
    return "".join((*kept, text[at:]))


def refuses(text: str) -> bool:
    """Whether the text declines the task instead of doing it."""
    return bool(_REFUSAL.match(text))


_THOUGHT_TAG = re.compile(r"(?<!`)<(/?)(think|thinking|thought|reasoning|reflection)\s*>", re.IGNORECASE)
_BEGUN_TAG = re.compile(r"<[/|a-zA-Z]{0,12}\Z")
_TEMPLATE_TOKEN = re.compile(
    r"<\|(?:im_end|im_start|endoftext|eot_id|end|user|assistant|eom_id)\|>|</s>\s*\Z|<end_of_turn>"
)

_USER = r"user|human|customer|用戶|用户|使用者|ユーザー|利用者"
_ASSISTANT = r"assistant|ai|bot|chatbot|agent|助手|助理|アシスタント|回答者"
_ROLE = rf"{_USER}|{_ASSISTANT}|system|系統|系统|システム"
_TASK = (
    r"(?:the |your |my )?"
    r"(?:(?:stand-?alone|rewritten|reformulated|rephrased|contextuali[sz]ed|condensed|search|final|new)[ \t]+)+"
    r"(?:question|query|version|utterance|answer|output)|rewrite|question|query|output|result"
    r"|(?:獨立|独立|改寫|改写|重寫|重写|完整|檢索|检索|搜尋|搜索|查詢|查询)+(?:後|后)?(?:的)?(?:問題|问题|問句|问句|查詢|查询|句子|結果|结果)?"
    r"|問題|问题|(?:独立した|書き換え(?:後|た)?の?|検索|スタンドアロン)?(?:質問文?|クエリ)|書き換え(?:結果|後)?"
)
_MARKUP = r"[\s>*_#]*"
_ROLE_LABEL = re.compile(rf"{_MARKUP}(?:{_ROLE}){_MARKUP}[:：]{_MARKUP}", re.IGNORECASE)
_ANY_LABEL = re.compile(rf"{_MARKUP}(?:{_TASK}|{_ROLE}){_MARKUP}(?:is[ \t]*)?[:：]{_MARKUP}", re.IGNORECASE)
_DIALOGUE_LINE = re.compile(rf"\n{_MARKUP}(?:{_ROLE}|q|a){_MARKUP}[:：]", re.IGNORECASE)
_USER_LINE = re.compile(rf"\n{_MARKUP}(?:{_USER})\**[ \t]*[:：][^\n]*", re.IGNORECASE)
_ASSISTANT_LINE = re.compile(rf"\n{_MARKUP}(?:{_ASSISTANT})\**[ \t]*[:：]", re.IGNORECASE)

_REFUSAL = re.compile(
    r"\s*(?:(?:(?:i['’]m|i am)\s+)?(?:so |very |really )?(?:sorry|afraid)\b[^?？\n]{0,80}?"
    r"(?:can['’]?t|cannot|can not|unable|not able|won['’]t)\b"
    r"|(?:unfortunately,? )?i(?: cannot| can['’]?t|['’]m unable to| am unable to|['’]m not able to| won['’]t)"
    r" (?:help|assist|answer|provide|rewrite|fulfil|comply|do (?:that|this)|respond|process)"
    r"|as an? (?:ai|language model)\b"
    r"|(?:很|非常)?(?:抱歉|對不起|对不起|不好意思)[,，、 ]?[^?？\n]{0,30}?(?:無法|无法|不能|沒辦法|没办法|不便)"
    r"|我(?:無法|无法|不能)(?:回答|提供|協助|协助|改寫|改写|幫|帮)|作[為为]一?[個个]?(?:AI|人工智[能慧]|語言模型|语言模型)"
    r"|(?:大変)?(?:申し訳|すみません|恐れ入り)[^?？\n]{0,40}?(?:できません|できかね|いたしかね|ありません|出来ません))",
    re.IGNORECASE,
)
_BROKEN_JSON = re.compile(r"""\s*(?:`{3}\w*\s*)?[{\[]\s*(?:["'“]|\Z)""")
_BARE_MEMBER = re.compile(r"""["']?quer(?:y|ies)["']?\s*:\s*["'“\[]""", re.IGNORECASE)
_FENCE_LINE = re.compile(r"^\s*`{3}[\w-]*\s*$", re.MULTILINE)
_ITEM = re.compile(r"\s*(?:[-*•・]|\(?\d{1,2}[.)、]|[①-⑨])\s*(?=\S)")
_PREAMBLE = re.compile(
    r"\s*(?:sure|of course|certainly|okay|ok|here (?:is|are)"
    r"|好的?|當然|当然|沒問題|没问题|以下|はい|承知|了解|もちろん)"
    r"(?:[^\n]{0,80}[:：]|[^\n]{0,24}[!！.。,，~]?)\s*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:sure|here(?:['’]s| is| are)|好的|以下(?:是|は|が))[^\n:：?？]{0,60}[:：]\s*(?=\S)", re.IGNORECASE
)
_NOTHING = frozenset(["null", "none", "n/a", "na", "undefined", "empty", "string", "nil", "無", "无", "なし", "..."])
_WRAPPING = {'"': '"', "'": "'", "“": "”", "「": "」", "『": "』", "`": "`", "《": "》", "*": "*"}


def _decoded_twice(text: str) -> str:
    """What a JSON string holds that is itself JSON: some servers encode the structured reply once more."""
    if not (text.startswith('"') and text.endswith('"') and "{" in text):
        return text
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text


def _container_around(text: str, start: int, at: int) -> Found | None:
    """The object that this place stands inside of, if any. ``start`` bounds where it may begin."""
    if "{" not in text[start:at]:
        return None
    window = text[start : start + LONGEST]
    for found in containers(window):
        if start + found.start > at:
            return None
        if start + found.end > at and isinstance(found.value, dict) and found.value:
            return Found(found.value, start + found.start, start + found.end, found.whole)
    return None


def _last_usable(found: Sequence[Found], usable: Callable[[Any], bool]) -> Any:
    """The last usable value among whole ones, else among those the reply broke off in; looked for inside, too."""
    for whole in (True, False):
        for candidate in reversed(found):
            if candidate.whole is whole:
                for value in _inside(candidate.value):
                    if usable(value):
                        return value
    return None


def _inside(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            if isinstance(inner, dict):
                yield from _inside(inner)


def _given(value: Any) -> tuple[str, list[str]]:
    """*The* query and the sub-queries of an object, or of a bare list of strings."""
    if isinstance(value, list):
        return "", _non_empty(value) if all(isinstance(item, str) for item in value) else []
    if not isinstance(value, dict):
        return "", []
    named = {str(key).strip().lower(): item for key, item in value.items()}
    one, several = (_non_empty(named.get(key)) for key in ("query", "queries"))
    return "".join(one[:1]), several or one


def _non_empty(value: object) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    return [s.strip() for s in listed if isinstance(s, str) and s.strip() and s.strip().lower() not in _NOTHING]


def _decision(value: object) -> Decision | None:
    word = re.sub(r"[\s-]+", "_", value.strip().lower()) if isinstance(value, str) else ""
    return next((decision for decision in Decision if decision.value == word), None)


def _why_unusable(found: Sequence[Found]) -> str:
    if any(f.whole for f in found):
        return "no query in the object"
    return "cut off" if found else "malformed"


def _plain(text: str) -> list[str]:
    """The query, or the listed queries, of a reply without JSON: its first line that is no preamble."""
    text = _cut_dialogue(_FENCE_LINE.sub("", text).strip())
    lines = [line for line in text.splitlines() if line.strip()]
    while len(lines) > 1 and (_PREAMBLE.match(lines[0]) or _ANY_LABEL.fullmatch(lines[0])):
        lines.pop(0)
    items = [_ITEM.sub("", line, count=1) for line in lines]
    return items if all(_ITEM.match(line) for line in lines) else items[:1]


def _cut_dialogue(text: str) -> str:
    """Up to where an invented next speaker, or a token of the chat template, begins."""
    text = _TEMPLATE_TOKEN.split(text, maxsplit=1)[0]
    labelled = _ANY_LABEL.match(text)
    start = labelled.end() if labelled else 0
    line = _DIALOGUE_LINE.search(text, max(start - 1, 0))
    return text[: line.start()] if line else text


def _one_line(text: str, original: str) -> str:
    """One query without labels, wrapping quotes and line breaks; a label the person wrote themselves stays."""
    text = _cut_dialogue(clean(text).strip())
    for _ in range(3):
        labelled = _ANY_LABEL.match(text) or _LEAD.match(text)
        if not labelled or _same_start(text[: labelled.end()], original):
            break
        text = text[labelled.end() :]
    text = " ".join(text.split())
    if text.startswith("```") and text.endswith("```") and text.count("```") == 2:
        text = text[3:-3].strip()
    while len(text) > 1 and _WRAPPING.get(text[0]) == text[-1] and text[0] not in text[1:-1] + original[:1]:
        text = text[1:-1].strip()
    return "" if text.lower() in _NOTHING or not any(c.isalnum() for c in text) else text


def _same_start(label: str, original: str) -> bool:
    return original.strip().casefold().startswith(label.strip().casefold())

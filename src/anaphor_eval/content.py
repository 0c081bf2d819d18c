"""The words a text is compared by: the evaluator's own, fixed, and much simpler than any product's.

``all_tokens``: a Han character, a kana or a Hangul syllable is one token, a run of Latin letters or digits is one
(``moon's`` is moon and s: the s is dropped). NFKC, lower case. ``content_tokens``: the same less function words, by
fixed lists, and less all hiragana: in Japanese it writes particles and endings. What that misses (names written in
hiragana alone) is missed for every system alike. Scripts are not folded: an answer in Simplified characters to a
question in Traditional ones is wrong.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_TOKEN = re.compile(
    "[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3\U00020000-\U0003ffff々〇]"
    "|[^\\W_\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\U00020000-\U0003ffff々〇]+"
)
_HIRAGANA = re.compile("[\u3041-\u309f]")

# Single characters that are also part of many names (都 in 京都, 會 in 委員會, 以 in 以色列) are not in the list.
_ZH = """
的 了 吗 嗎 呢 啊 呀 吧 嘛 啦 哦 喔 嗯 唉 哎 之 是 在 也 还 還 又 很 可以
我 你 妳 您 他 她 它 牠 我们 我們 你们 你們 他们 他們 她们 她們 它们 它們 自己 咱们 大家
这 這 那 这个 這個 那个 那個 这些 這些 那些 这里 這裡 這裏 那里 那裡 那裏 这样 這樣 那样 那樣
这种 這種 那种 那種 其 该 該 此
什么 什麼 甚麼 怎么 怎麼 怎样 怎樣 如何 谁 誰 哪 哪里 哪裡 哪裏 哪个 哪個 哪些 多少 几个 幾個
为什么 為什麼 为何 為何 何
和 与 與 跟 或者 以及 但是 而 因为 因為 所以 如果 对 對 从 從 把 被 于 於 给 給 为 為
请 請 请问 請問 谢谢 謝謝 一个 一個 个 個 一下
"""
_JA = "彼 彼女 彼等 私 僕 俺 貴方 何 誰 何処 同氏 同社"
_EN = """
a an the this that these those it its he him his she her hers they them their theirs we us our you your i me my mine
one ones some any all both each such there here
is are was were be been being am do does did doing done have has had having can could will would shall should may
might must what which who whom whose when where why how of in on at to for from by with about as into onto over under
between among than then during through against and or but if so nor because while although though whether s t d ll re
ve m please also just too very more most much many
"""


def all_tokens(text: str) -> list[str]:
    """Every token, in order."""
    return _TOKEN.findall(_even(text))


def content_tokens(text: str) -> list[str]:
    """Tokens that carry meaning, in order. Negation is kept: it is one of the things a rewrite may lose."""
    english = _english()
    even = _function_words().sub(" ", _even(text))
    return [token for token in _TOKEN.findall(even) if not _HIRAGANA.match(token) and token not in english]


def even_text(text: str) -> str:
    """For ``exact``: NFKC, lower case, single spaces, none beside CJK, and no marks at the end."""
    text = " ".join(_even(text).split())
    text = re.sub("(?<=[\u3041-\u9fff]) | (?=[\u3041-\u9fff])", "", text)
    return text.strip(" .。!?,、，…:;~")


def _even(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


@cache
def _function_words() -> re.Pattern[str]:
    # Longest first, so that 為什麼 goes as one word and does not leave 什麼 to chance.
    words = sorted(set((_ZH + _JA).split()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


@cache
def _english() -> frozenset[str]:
    return frozenset(_EN.split())

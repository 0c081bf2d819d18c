"""Text as people paste it: four languages, every width, marks that join, and what breaks encoders."""

from __future__ import annotations

from hypothesis import strategies as st

_WRITTEN = (
    "臺灣的資料庫軟體著作裏裡，。？！「」『』《》（）…；：",
    "数据库软件服务器的这们吗呢着台",
    "会議室の予約はいつですか。サーバー髙橋渡邊々〇",
    "What does ERR_SYNC_0471 mean? e.g. app.yaml, Dr. Smith's 3.5 kg; QX-20731",
    "ｻｰﾊﾞｰＡＢ－１２０　ﾞﾟ",
    "0123456789一二三四五六七八九十百千萬億兆兩零点點成割折年月日%％,.",
    "\u0301\u0327\u3099\u309a\u200b\u200d\ufeff\u00ad\ufe0f\U000e0100",
    "⻘⼀ﬁ①²½㎡㍻ßİŐé𠮷👷🏻\U0001f468\u200d\U0001f469",
    "\0\ud800\udfff\ufffd\u2028\x85\r\n\t ",
)
characters = st.one_of(*(st.sampled_from(sorted(set(group))) for group in _WRITTEN), st.characters())
texts = st.one_of(
    st.lists(characters, max_size=60).map("".join),
    st.lists(st.sampled_from(_WRITTEN), max_size=4).map("".join),
    st.text(max_size=60),
)
languages = st.sampled_from(["zh-Hant", "zh-Hans", "ja", "en", "und"])

_DIGITS = "〇一二三四五六七八九"


def chinese(number: int) -> str:
    """Written out in full: 20005 is 二萬零五."""
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        return chinese(high) + "萬" + ("零" if 0 < low < 1000 else "") + (chinese(low) if low else "")
    out = ""
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            out += _DIGITS[digit] + name
        elif out and number and not out.endswith("零"):
            out += "零"
    return out

"""Make the tables in ``src/anaphor/text/tables``.

    python scripts/make_tables.py

Sources: the character dictionaries of OpenCC (Apache-2.0; the ``opencc`` wheel, a development dependency), read as
plain text with the ``opencc_dict`` tool it carries, and the short lists of well-known variants below. Each table of
characters is two lines of equal length, one column a pair: the character, and what it is compared as. Tables are
closed: what a pair leads to is no key itself. ``regions.txt`` has a row a word: what regions call one thing.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import opencc

TABLES = Path(__file__).parent.parent / "src/anaphor/text/tables"
CLIB = Path(opencc.__file__).parent / "clib"

# Variants of one word that the simplified forms do not merge by themselves: 沿著 沿着, 什麽 什么, 牀 床.
CHINESE = (
    "著着 麽么 麼么 佔占 週周 遊游 甦苏 痹痺 菸烟 峯峰 喫吃 秊年 囘回 敎教 靑青 淸清 內内 踴踊 蔘参 鮎鯰 洩泄 "
    "檯台 枱台 鍼针 舘馆 衹只 祗只 柺拐 妝妆 粧妆 睪睾 慍愠 氳氲 榅榲 鉤钩 鈎钩 綫线 線线 叄叁 妳你 祂他"
)

# Names are where old forms live on. The right-hand side is what a keyboard gives first.
JAPANESE = (
    "髙高 邉辺 邊辺 﨑崎 嵜崎 濵浜 濱浜 栁柳 嶋島 嶌島 𠮷吉 桒桑 曻昇 槗橋 𣘺橋 圡土 冨富 舘館 凉涼 壷壺 欝鬱 "
    "渕淵 渊淵 埜野 穐秋 靑青 淸清 敎教 昻昂 頰頬 剝剥 塡填 𠮟叱 齎斎 斈学 埀垂 籠篭 鬭闘 鬪闘 壻婿 嫰嫩 煕熙 "
    "畧略 畄留 羣群 衞衛 衛衛 裵裴 鐡鉄 銕鉄 閒間 麪麺 棊棋 厩廐 莊荘 鋪舗 舖舗 駈駆 畵画"
)
STILL_IN_USE = frozenset("濾凛晄")  # words of their own


def main() -> None:
    TABLES.mkdir(exist_ok=True)
    write("simplified.txt", simplified())
    write("shinjitai.txt", shinjitai())
    TABLES.joinpath("regions.txt").write_text("\n".join(regions()) + "\n", "utf-8")


def simplified() -> dict[str, str]:
    """Traditional characters and variants to the simplified one."""
    pairs = {old: new[0] for old, new in dictionary("TSCharacters").items()}
    pairs |= {variant: pairs.get(form, form) for variant, form in CHINESE.split()}
    return closed(pairs)


def shinjitai() -> dict[str, str]:
    """Japanese characters in their old forms to the ones in use since 1946."""
    pairs: dict[str, str] = {}
    for new, olds in dictionary("JPShinjitaiCharacters").items():
        for old in olds:
            if old != new and old not in STILL_IN_USE and (old not in pairs or olds[0] == old):
                pairs[old] = new
    return closed(pairs | dict(JAPANESE.split()))


def regions() -> list[str]:
    """What mainland China says and what Taiwan or Hong Kong do, a row a word; single characters are left out."""
    rows: dict[str, set[str]] = {}
    for name in ("TWPhrases", "HKPhrases"):
        for word, others in entries(name).items():
            rows.setdefault(word, {word}).update(others)
    return sorted(" ".join(sorted(row)) for row in rows.values() if len(row) > 1 and min(map(len, row)) > 1)


def dictionary(name: str) -> dict[str, list[str]]:
    """Single characters of one of OpenCC's dictionaries with the forms they may become, likeliest first."""
    return {key: forms for key, forms in entries(name).items() if len(key) == 1}


def entries(name: str) -> dict[str, list[str]]:
    """One of OpenCC's dictionaries."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, name)
        source = CLIB / f"share/opencc/{name}.ocd2"
        subprocess.run(
            [CLIB / "bin/opencc_dict", "-i", source, "-o", text, "-f", "ocd2", "-t", "text"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        lines = [line.split("\t") for line in text.read_text("utf-8").splitlines()]
    return {key: forms.split(" ") for key, forms in lines}


def closed(pairs: dict[str, str]) -> dict[str, str]:
    """Follow each pair to its end; drop what leads back to itself."""
    ends = {}
    for start in pairs:
        seen, at = {start}, pairs[start]
        while at in pairs and at not in seen:
            seen.add(at)
            at = pairs[at]
        ends[start] = at
    return {a: b for a, b in sorted(ends.items()) if a != b and b not in {x for x in ends if ends[x] != x}}


def write(name: str, pairs: dict[str, str]) -> None:
    (TABLES / name).write_text("".join(pairs) + "\n" + "".join(pairs.values()) + "\n", "utf-8")


if __name__ == "__main__":
    main()

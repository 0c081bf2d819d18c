"""Character classes, written for use inside ``[…]`` of a regular expression."""

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u3096\u309d-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
KANA = f"{HIRAGANA}{KATAKANA}\uff66-\uff9d"
CJK = f"{HAN}{HIRAGANA}{KATAKANA}"

# A letter or digit that is none of these: Latin, Greek, Cyrillic, Hangul… An expression of its own, brackets included.
LETTER = f"[^\\W_{CJK}]"

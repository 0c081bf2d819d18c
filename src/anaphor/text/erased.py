"""What stands where an answer stood whose source was erased."""

from __future__ import annotations

_STANDS_FOR = {
    "zh-Hant": "（這個回答所引用的內容已被刪除。）",
    "zh-Hans": "（这个回答所引用的内容已被删除。）",
    "ja": "（この回答が引用していた内容は削除されました。）",
    "en": "(What this answer quoted has been erased.)",
}


def stands_for(language: str) -> str:
    """In the language of the turn; in English where that is not known."""
    return _STANDS_FOR.get(language, _STANDS_FOR["en"])

"""A question put in the words that the passages use: 不見了 for 遺失, dog for pet, 日曜日 for 土日.

Only a word that no passage has is exchanged, and only for one that a passage has. A day of the week is exchanged for
the first day of a stretch that holds it (週三: 週二至週五), or for what stands for it (平日, weekdays, 土日).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from anaphor.steps.reading import folding, read
from anaphor.text.fold import matching
from anaphor.text.region_words import alternatives, region_words
from anaphor.types import Passage


def as_said_there(text: str, passages: Sequence[Passage], way: str) -> str:
    """The question, folded the passages' way where a word of it is exchanged; else as it is.

    ``way``: only passages that are folded so are looked at.
    """
    here = [passage for passage in passages if folding(passage.language) == way]
    folded = matching(text, way)
    if not here:
        return text
    found = [*(words for words in alike() if any(_in(word, folded) for word in words)), *_days_in(folded)]
    regional = way == "zh" and bool(alternatives(folded))
    if not found and not regional:
        return text
    shown = "\n".join(f"{read(p).heading.folded}\n{_said(p)}" for p in here)
    exchanged = folded
    if regional:
        for word, others in region_words().items():
            if word in folded and word not in shown:
                exchanged = exchanged.replace(word, next((other for other in others if other in shown), word))
    for words in found:
        for word in words:
            if _in(word, exchanged) and not _in(word, shown):
                exchanged = _put(word, next((other for other in words if _in(other, shown)), word), exchanged)
    exchanged = _with_days(exchanged, shown)
    return text if exchanged == folded else exchanged


def _said(passage: Passage) -> str:
    return "\n".join(sentence.text.folded for sentence in read(passage).sentences)


def _in(word: str, folded: str) -> bool:
    if word not in folded:
        return False
    return bool(_pattern(word).search(folded)) if word.isascii() or word[0] == "一" else True


def _put(word: str, other: str, folded: str) -> str:
    return _pattern(word).sub(other, folded)


@functools.lru_cache(maxsize=1024)
def _pattern(word: str) -> re.Pattern[str]:
    """A Latin word as a word of its own, also of several; one day, where it is not the day before."""
    if not word.isascii():
        return re.compile((r"(?<![前后第同当某这那每过])" if word[0] == "一" else "") + re.escape(word))
    return re.compile(rf"(?<![a-z0-9]){re.escape(word)}s?(?![a-z0-9])")


@functools.cache
def alike() -> tuple[tuple[str, ...], ...]:
    """Words that are used for the same, folded, the longer ones of each row first."""
    rows = [line.split() for line in _ALIKE.split("|")]
    return tuple(
        tuple(sorted(dict.fromkeys(matching(w, way).replace("_", " ") for w in row for way in ("zh", "ja")), key=len))[
            ::-1
        ]
        for row in rows
    )


# ── days of the week ──────────────────────────────────────────────────────────────────────────────────────────────


_DAYS = (
    ("一", "月", "mon", "monday"),
    ("二", "火", "tue", "tuesday"),
    ("三", "水", "wed", "wednesday"),
    ("四", "木", "thu", "thursday"),
    ("五", "金", "fri", "friday"),
    ("六", "土", "sat", "saturday"),
    ("日天", "日", "sun", "sunday"),
)
_TO = r"\s*(?:至|到|から|[~～〜–—-]|\bto\b|\bthrough\b|\buntil\b)\s*"


@functools.cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """Each day of the week in all its forms, in folded text."""
    return tuple(
        re.compile(
            rf"(?:周|星期|礼拜)[{zh}]|(?<![\u3400-\u9fff]){ja}曜日?|(?<=[、・とや]){ja}曜日?|(?<![a-z]){short}(?:\.|(?={short[0]}))?(?![a-z])|(?<![a-z]){whole}s?(?![a-z])"
        )
        for zh, ja, short, whole in _DAYS
    )


@functools.cache
def _stretches() -> re.Pattern[str]:
    day = (
        r"(?:(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜?日?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?"
        r"|sun)(?:day)?s?)"
    )
    return re.compile(rf"(?<![a-z])(?P<first>{day})[(（]?[)）]?{_TO}(?P<last>{day}|[一二三四五六日天月火水木金土])")


def _days_in(folded: str) -> list[tuple[str, ...]]:
    """A row without words for every day that is named: there is something to look for."""
    return [()] if _may_name_a_day().search(folded) and any(form.search(folded) for form in _forms()) else []


@functools.cache
def _may_name_a_day() -> re.Pattern[str]:
    return re.compile("[周期拜曜土日月火水木金]|mon|tue|wed|thu|fri|sat|sun")


def _with_days(folded: str, shown: str) -> str:
    for day, form in enumerate(_forms() if _may_name_a_day().search(folded) else ()):
        for match in list(form.finditer(folded))[:2]:
            there = match[0] not in shown and _instead(day, form, shown)
            if there:
                folded = folded.replace(match[0], there)
    return folded


def _instead(day: int, form: re.Pattern[str], shown: str) -> str:
    """How the passages call the day, or a stretch of days that holds it; empty if they do not."""
    other = form.search(shown)
    if other:
        return other[0]
    for first, last, words in _told(shown):
        if first <= day <= last:
            return words
    return ""


@functools.lru_cache(maxsize=32)
def _told(shown: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(_all_told(shown))


def _all_told(shown: str) -> Iterator[tuple[int, int, str]]:
    for match in _stretches().finditer(shown):
        first, last = _number(match["first"]), _number(match["last"])
        if first is not None and last is not None and first < last:
            yield first, last, match["first"]
    for words, first, last in _CALLED:
        found = re.search(words, shown)
        if found:
            yield first, last, found[0]


def _number(day: str) -> int | None:
    for n, (zh, ja, short, _) in enumerate(_DAYS):
        if day.startswith(short) or day[-1] in zh or day.rstrip("日").rstrip("曜") == ja or day == ja:
            return n
    return None


_CALLED = (
    (r"平日|工作日|weekdays?", 0, 4),
    (r"土日|周末|週末|假日|weekends?", 5, 6),
)


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


_ALIKE = (
    "warranty guarantee|shipping delivery postage|refund reimbursement repayment|car vehicle"
    "|employee staff employees|holiday vacation leave|film movie|phone telephone|purchase buy"
    "|membership member members|repair service|flat apartment|shop store|password passcode|meeting appointment"
    "|doctor physician|children kids|shoes footwear|dog cat pet|lost lose missing|runs manages manager"
    "|hire rent rental|begin start|allowed permitted|bicycle bike|change switch moving move|luggage baggage"
    "|parking car_park|broken damaged faulty|保固 保修 保證 擔保|運費 郵費|退款 退費 退錢|員工 職員|假期 休假"
    "|電影 影片|密碼 口令|手機 行動電話|汽車 車子 轎車|不見 弄丟 丟失 遺失 搞丟|狗 貓 寵物"
    "|北邊 北鄰 北接 北面 北部|南邊 南鄰 南接 南面 南部|東邊 東鄰 東接 東面 東部|西邊 西鄰 西接 西面 西部"
    "|相鄰 接壤 毗鄰 交界 為鄰|停車場 停車位 車位|腳踏車 自行車 單車|一天 每日 每天|一晚 每晚|壞了 故障 損壞"
    "|負責人 主管|打烊 關門 休息|早餐 早飯|晚餐 晚飯|地點 地址 位置|開始 起|費用 收費 價格|会社 企業"
    "|社員 従業員|保証 補償|送料 配送料|返金 払い戻し|休暇 休み|映画 作品|暗証番号 パスワード|犬 猫 ペット"
    "|なくした 失くした 無くした 紛失|借り 貸出|連れて 同伴|返す 返却|壊れた 故障|食べ 食事|駐車場 パーキング"
    "|自転車 サイクル|入場料 入館料|お店 店舗|free 免費 無料|tier 額度 方案 プラン|call 調用 呼叫 呼び出し"
    "|install 安裝 インストール|create 建立 創建 新增 作成|delete 刪除 削除|update 更新"
    "|login 登入 登錄 ログイン|download 下載 ダウンロード|upload 上傳 アップロード|price 價格 料金"
    "|leak 洩漏 泄露 洩露 漏洩|limit 上限 限制 制限|error 錯誤 エラー|support 支援 支持 対応"
    "|reset 重設 重置 リセット|backup 備份 バックアップ|setting 設定 設置|version 版本 バージョン"
    "|meeting 會議 会議|deadline 期限 截止 締切|discount 折扣 優惠 割引|refund 退款 返金"
    "|password 密碼 パスワード|account 帳號 帳戶 アカウント|token 權杖 令牌 トークン|server 伺服器 サーバー"
    "|file 檔案 文件 ファイル"
)

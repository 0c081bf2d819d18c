"""Price lists, opening hours, rules and frequent questions of a house, asked about as people ask."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import anaphor

PAPERS = {
    "en": """# Fern Hall

| Day | Desk |
|---|---|
| Monday to Friday | 7:00-22:00 |
| Sunday | 8:00-20:00 |

| Boat | Hour | Day |
|---|---|---|
| Canoe | $9 | $30 |
| Kayak | $12 | $41 |

A deposit of $80 is taken for kayaks. From November to March the boats stay inside.

Pets are welcome for $6 a night. Groups of ten or more get 15% off.

**Can I park there?** There are five spaces behind the hall.

**Do you take cards?** Only cash, we are sorry.
""",
    "zh-Hant": """# 楓林診所

營業時間：上午 9:00 到晚上 9:00，週三公休。

| 科別 | 星期一 | 星期六 |
|---|---|---|
| 內科 | 9:00-12:00 | 14:00-17:00 |
| 牙科 | 14:00-17:00 | 休診 |

加購口罩加 15 元，加購紗布加 20 元。寵物要放在籠子裡。六人以上請先預約。

問：第一次來要帶什麼？
答：請帶健保卡。

會議室：每小時 600 元。
自習席：免費，最多三小時。
""",
    "zh-Hans": """# 溪口健身房

周一至周五 6:00-23:00。法定节假日不开放。

| 卡种 | 价格 | 带朋友 |
|---|---|---|
| 月卡 | 299元 | 否 |
| 年卡 | 2599元 | 每月3次 |

私教课
- 一节：320元
- 十节：2800元，有效期四个月
- 三十节：7500元，有效期一年

遗失手牌赔偿五十元。

问：可以换教练吗？
答：可以换一次。
""",
    "ja": """# 山の宿 楓

| 部屋 | 平日 | 土曜 |
|---|---|---|
| 和室 | 14,000円 | 17,000円 |
| 離れ | 25,000円 | 30,000円 |

駐車場は20台、無料です。予約はいりません。露天風呂は12月から2月まで休みます。

資料をなくしたときは弁償していただきます。館内での飲食は禁止です。

Q. 夕食の時間は変えられますか。
A. 18時か19時半から選べます。

会議室：1時間600円、30人まで。
自習席：無料、3時間まで。
""",
}


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    opened = {}
    for language, text in PAPERS.items():
        path = tmp_path_factory.mktemp("papers") / f"{language}.md"
        path.write_text(text, "utf-8")
        opened[language] = anaphor.open(":memory:", embedder="none")
        opened[language].ingest(path)
    yield opened
    for house in opened.values():
        house.close()


@pytest.mark.parametrize(
    ("language", "question", "told", "not_told"),
    [
        ("en", "When does the desk open on Wednesday?", "7:00", "8:00"),
        ("en", "Can I take out a boat in January?", "November to March", None),
        ("en", "What does a canoe cost for a day?", r"\$30", r"\$41"),
        ("en", "May I bring my dog?", r"\$6", None),
        ("en", "We are 12 people. Is there a discount?", "15%", None),
        ("en", "Can I park at the hall?", "^There are five spaces", r"\*"),
        ("en", "Can I pay by credit card?", "Only cash", None),
        ("zh-Hant", "星期三有開嗎？", "週三公休", None),
        ("zh-Hant", "幾點打烊？", "9:00", None),
        ("zh-Hant", "內科星期六幾點？", "14:00", "牙科"),
        ("zh-Hant", "加購一片紗布多少錢？", "20 元", None),
        ("zh-Hant", "可以帶狗嗎？", "籠子", None),
        ("zh-Hant", "五個人要預約嗎？", "六人以上", None),
        ("zh-Hant", "第一次看診要準備什麼？", "健保卡", None),
        ("zh-Hant", "自習席要錢嗎？", "免費", "600"),
        ("zh-Hans", "国庆节开放吗？", "节假日不开放", None),
        ("zh-Hans", "年卡多少钱？", "2599", "299元"),
        ("zh-Hans", "三十节私教课多久过期？", "一年", "四个月"),
        ("zh-Hans", "手牌弄丢了怎么办？", "五十元", None),
        ("zh-Hans", "能不能换教练？", "可以换一次", None),
        ("ja", "駐車場は予約が必要ですか？", "予約はいりません", None),
        ("ja", "1月に露天風呂に入れますか？", "12月から2月", None),
        ("ja", "夕食は何時ですか？", "18時", "Q"),
        ("ja", "お弁当を食べてもいいですか？", "飲食は禁止", None),
        ("ja", "自習席はいくらですか？", "無料", "600"),
        ("ja", "離れの土曜の料金は？", "30,000", "17,000"),
    ],
)
def test_what_the_papers_say_is_found_however_it_is_asked(houses, language, question, told, not_told):
    answer = houses[language].ask(question).answer
    assert re.search(told, answer)
    assert not_told is None or not re.search(not_told, answer)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "Is there a deposit for the canoe?"),  # the kayak's is another's, and its own row has none
        ("en", "Do you sell fishing rods?"),
        ("zh-Hant", "有眼科嗎？"),
        ("zh-Hans", "有桑拿房吗？"),
        ("ja", "マッサージはありますか？"),
    ],
)
def test_what_they_do_not_say_is_declined(houses, language, question):
    assert houses[language].ask(question).outcome == "declined"


STAFF = {
    "en": ("| Name | Role | Phone |", "Tom Adams", "Lucy Brand", "What is Tom Adams's phone number?"),
    "zh-Hant": ("| 姓名 | 職務 | 電話 |", "陳柏勳", "周雅婷", "陳柏勳的電話號碼是多少？"),
    "zh-Hans": ("| 姓名 | 职务 | 电话 |", "罗文静", "马晓燕", "罗文静的电话号码是多少？"),
    "ja": ("| 名前 | 担当 | 電話 |", "西尾健一", "大谷みどり", "西尾健一の電話番号は？"),
}


@pytest.mark.parametrize("language", STAFF)
def test_whose_number_is_asked_for_is_told_and_nobody_elses(language: str, tmp_path: Path) -> None:
    head, asked_for, other, question = STAFF[language]
    rows = f"{head}\n|---|---|---|\n| {other} | A | 555-0140 |\n| {asked_for} | B | 555-0142 |"
    (tmp_path / "staff.md").write_text(f"# W\n\n{rows}\n", "utf-8")
    with anaphor.open(":memory:", embedder="none") as assistant:
        assistant.ingest(tmp_path)
        told = assistant.ask(question).answer
    assert "555-0142" in told
    assert "555-0140" not in told

"""A table is asked for by its columns: all of its rows, those that have something, the one with most or least."""

from __future__ import annotations

import pytest

from anaphor.steps.answer.quote import quote
from anaphor.steps.verify import verify
from anaphor.types import Decision, Evidence, Passage, StandaloneQuery, Support

TABLES = {
    "zh-Hant": (
        "| 房型 | 平日價 | 假日價 | 含早餐 |\n|---|---|---|---|\n| 雙人房 | 2,800 元 | 3,600 元 | 是 |\n"
        "| 四人房 | 4,200 元 | 5,400 元 | 是 |\n| 背包床位 | 700 元 | 900 元 | 否 |"
    ),
    "zh-Hans": (
        "| 套餐 | 价格（元） | 流量 | 送货 |\n|---|---|---|---|\n| 轻享 | 29 | 10 GB | 不送货 |\n"
        "| 畅享 | 59 | 40 GB | 送货 |\n| 尊享 | 99 | 100 GB | 送货 |"
    ),
    "ja": (
        "| 区分 | 料金 | 定員 | 電源 |\n|---|---|---|---|\n| フリーサイト | 1泊 1,500円 | 5名 | なし |\n"
        "| オートサイト | 1泊 4,000円 | 6名 | あり |\n| バンガロー | 1泊 9,000円 | 8名 | あり |"
    ),
    "en": (
        "| Ticket | Price | Sauna |\n|---|---|---|\n| Adult | £6.20 | yes |\n| Child | £3.10 | no |\n"
        "| Ten-visit card | £52.00 | yes |"
    ),
}
TITLE = {"zh-Hant": "山嵐旅店", "zh-Hans": "云端手机套餐", "ja": "霧ヶ丘キャンプ場", "en": "Larkfield pool"}
BESIDE = {
    "zh-Hant": "旅店設有：\n\n- 自助洗衣房\n- 屋頂泡湯池",
    "zh-Hans": "套餐每月 1 日生效。退订要提前三天。",
    "ja": "区分を問わず、花火は禁止です。",
    "en": "Tickets are sold at the desk. Lost tickets cannot be replaced.",
}


def asked(language, question):
    shown = Evidence(
        (
            Passage("beside", BESIDE[language], "rules.md", title=TITLE[language], language=language),
            Passage("table", TABLES[language], "prices.md", title=TITLE[language], language=language, start=9),
        )
    )
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    draft = quote(query, shown, language)
    verdict = verify(draft, query, shown)
    assert all(c.verdict is Support.SUPPORTED for c in verdict.claims), verdict.claims
    return [claim.text for claim in verdict.claims]


@pytest.mark.parametrize(
    ("language", "question", "names"),
    [
        ("zh-Hant", "有哪幾種房型？", ["雙人房", "四人房", "背包床位"]),
        ("zh-Hant", "房型有哪些？", ["雙人房", "四人房", "背包床位"]),
        ("zh-Hans", "有哪些套餐？", ["轻享", "畅享", "尊享"]),
        ("zh-Hans", "有几种套餐？", ["轻享", "畅享", "尊享"]),
        ("ja", "どんな区分がありますか？", ["フリーサイト", "オートサイト", "バンガロー"]),
        ("en", "What kinds of tickets are there?", ["Adult", "Child", "Ten-visit card"]),
        ("en", "List all tickets.", ["Adult", "Child", "Ten-visit card"]),
        ("en", "How many tickets are there?", ["Adult", "Child", "Ten-visit card"]),
    ],
)
def test_what_there_is_is_listed(language, question, names):
    assert asked(language, question) == names


@pytest.mark.parametrize(
    ("language", "question", "names"),
    [
        ("zh-Hant", "哪種房型不含早餐？", ["背包床位"]),
        ("zh-Hant", "哪些房型含早餐？", ["雙人房", "四人房"]),
        ("zh-Hans", "哪些套餐不送货？", ["轻享"]),
        ("zh-Hans", "哪些套餐送货？", ["畅享", "尊享"]),
        ("ja", "どの区分に電源がありますか？", ["オートサイト", "バンガロー"]),
        ("en", "Which tickets include the sauna?", ["Adult", "Ten-visit card"]),
    ],
)
def test_of_what_there_is_only_what_has_it(language, question, names):
    told = asked(language, question)
    assert len(told) == len(names)
    assert all(name in row for name, row in zip(names, told, strict=True))


@pytest.mark.parametrize(
    ("language", "question", "name"),
    [
        ("zh-Hant", "哪種房型最便宜？", "背包床位"),
        ("zh-Hant", "最貴的房型是哪一種？", "四人房"),
        ("zh-Hans", "哪个套餐最贵？", "尊享"),
        ("ja", "一番安いサイトはどれですか？", "フリーサイト"),
        ("en", "Which ticket is the cheapest?", "Child"),
        ("en", "What's the cheapest ticket?", "Child"),
    ],
)
def test_what_has_most_or_least(language, question, name):
    told = asked(language, question)
    assert len(told) == 1
    assert name in told[0]


@pytest.mark.parametrize(
    ("language", "question", "never"),
    [
        ("zh-Hant", "有哪些停車場？", "雙人房"),
        ("zh-Hans", "有哪些门店？", "轻享"),
        ("ja", "どんな料理がありますか？", "フリーサイト"),
        ("en", "Which trains stop there?", "Adult"),
    ],
)
def test_what_no_column_is_called_is_not_listed(language, question, never):
    assert never not in asked(language, question)


@pytest.mark.parametrize(
    ("language", "question", "row"),
    [
        ("ja", "オートサイトは何名まで泊まれますか？", "オートサイト"),
        ("zh-Hans", "畅享多少钱？", "价格（元）：59"),
        ("zh-Hant", "四人房假日多少錢？", "5,400"),
        ("en", "How much is a child ticket?", "£3.10"),
    ],
)
def test_a_thing_in_a_row_is_told_with_its_columns(language, question, row):
    told = asked(language, question)
    assert len(told) == 1
    assert row in told[0]


PLANS = (
    "| Plan | Price | Storage | Users |\n|---|---|---|---|\n| Free | $0 | 5 GB | 1 |\n| Team | $12 | 200 GB | 10 |\n"
    "| Business | $49 | 2 TB | 100 |"
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which plan has the most storage?", ["Free", "Team", "Business"]),  # 200 GB and 2 TB are not compared
        ("Which plan has the most users?", ["Business"]),
        ("How many users does the Team plan allow?", ["Team"]),
    ],
)
def test_only_the_column_that_is_named_is_compared_and_only_in_one_unit(question, names):
    shown = Evidence((Passage("plans", PLANS, "plans.md", title="Harbor Cloud plans", language="en"),))
    claims = quote(StandaloneQuery(question, Decision.STANDALONE, 1.0, "en"), shown, "en").claims
    assert [claim.text.split(";")[0].removeprefix("Plan: ") for claim in claims] == names
    assert not any("1." in claim.lead for claim in claims)


@pytest.mark.parametrize(
    ("language", "question", "text", "answer"),
    [
        ("zh-Hant", "植牙多少錢？", "- 全瓷牙冠：18,000 元\n- 植牙：65,000 元\n- 美白：9,000 元", "植牙：65,000 元"),
        ("zh-Hans", "定金多少？", "1. 填写报名表\n2. 缴纳定金 200 元\n3. 参加试听课", "缴纳定金 200 元"),
        ("ja", "保証は何年？", "- 印刷速度：毎分22枚\n- 重さ：6.2kg\n- 保証期間：1年", "保証期間：1年"),
        ("en", "How much is a towel?", "- Locker: 1 euro\n- Towel: 2 euros\n- Cap: 4 euros", "Towel: 2 euros"),
    ],
)
def test_of_a_list_the_item_that_is_named(language, question, text, answer):
    shown = Evidence((Passage("list", text, "list.md", language=language),))
    draft = quote(StandaloneQuery(question, Decision.STANDALONE, 1.0, language), shown, language)
    assert len(draft.claims) == 1
    assert answer in draft.claims[0].text
    assert not draft.opening  # a few words without kana are no other language

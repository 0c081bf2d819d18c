"""What the guard lets pass and what it refuses, each in four languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.reconstruct.guard import MOST_CJK, MOST_WORDS, objections, strays
from anaphor.steps.reconstruct.negation import negations
from growth import in_proportion

SHOP = {
    "en": ("When does the Harrow branch open?", "The Harrow branch opens at 09:30; parking costs 4 pounds."),
    "zh-Hant": ("青嵐門市幾點開門？", "青嵐門市早上九點半開門，停車費每小時四十元。"),
    "zh-Hans": ("青岚门店几点开门？", "青岚门店早上九点半开门，停车费每小时四十元。"),
    "ja": ("青嵐店は何時に開きますか？", "青嵐店は朝9時半に開店し、駐車場は1時間400円です。"),
}


def refused(utterance, rewritten, carriable=(), *, language, **kwargs):
    return objections(utterance, rewritten, carriable, language=language, **kwargs)


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten"),
    [
        ("en", "And on Sundays?", "When does the Harrow branch open on Sundays?"),
        ("en", "is there parking", "Is there parking at the Harrow branch?"),
        ("en", "Can I park there?", "Can I park at the Harrow branch?"),
        ("en", "Thanks. How much is it?", "How much does parking at the Harrow branch cost?"),
        ("zh-Hant", "那停車呢？", "青嵐門市的停車費是多少？"),
        ("zh-Hant", "週日也是嗎？", "青嵐門市週日也是早上九點半開門嗎？"),
        ("zh-Hans", "它有停车场吗", "青岚门店有停车场吗"),
        ("zh-Hans", "周日呢", "青岚门店周日几点开门"),
        ("ja", "駐車場はありますか？", "青嵐店に駐車場はありますか？"),
        ("ja", "日曜日は？", "青嵐店は日曜日は何時に開きますか？"),
    ],
)
def test_what_a_person_would_write_passes(language, utterance, rewritten):
    assert refused(utterance, rewritten, SHOP[language], language=language) == ()


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten", "reason"),
    [
        # another thing named
        ("en", "And on Sundays?", "When does the Wembley branch open on Sundays?", "adds Wembley"),
        ("zh-Hant", "週日呢？", "竹影門市週日幾點開門？", "adds 竹影"),
        ("zh-Hans", "周日呢？", "竹影门店周日几点开门？", "adds 竹影"),
        ("ja", "日曜日は？", "竹影店は日曜日は何時に開きますか？", "adds 竹影"),
        ("ja", "日曜日は？", "スカイモールは日曜日は何時に開きますか？", "adds スカイモール"),
        # a number of its own
        ("en", "Is there parking?", "Is there parking for 12 cars at the Harrow branch?", "adds 12"),
        ("zh-Hant", "有停車場嗎？", "青嵐門市有 120 格的停車場嗎？", "adds 120"),
        ("zh-Hans", "有停车场吗？", "青岚门店有120格的停车场吗？", "adds 120"),
        ("ja", "駐車場はありますか？", "青嵐店に120台の駐車場はありますか？", "adds 120"),
        # a constraint of its own
        ("en", "Is there parking?", "Is there parking for motorcycles at the Harrow branch?", "adds motorcycles"),
        ("en", "Is there parking?", "Is there cheap parking at the Harrow branch?", "adds cheap"),
        ("zh-Hant", "有停車場嗎？", "青嵐門市有女性專用停車場嗎？", "adds"),
        ("zh-Hans", "有停车场吗？", "青岚门店有残疾人停车场吗？", "adds"),
        ("ja", "駐車場はありますか？", "青嵐店に女性専用の駐車場はありますか？", "adds"),
        ("ja", "予約は必要？", "青嵐店の予約は不要ですか？", "adds 不要"),
        # the other topic instead of the one asked about
        ("en", "Do you rent bicycles?", "When does the Harrow branch open?", "loses what it asks about"),
        ("zh-Hant", "腳踏車可以租借嗎？", "青嵐門市幾點開門？", "loses what it asks about"),
        ("ja", "自転車は借りられますか？", "青嵐店は何時に開きますか？", "loses what it asks about"),
        # an answer
        ("en", "Is there parking?", "Yes, parking costs 4 pounds.", "answers"),
        ("en", "Is there parking?", "The Harrow branch has parking.", "answers"),
        ("zh-Hant", "停車費多少？", "青嵐門市停車費每小時四十元。", "answers"),
        ("zh-Hans", "停车费多少？", "青岚门店的停车费是每小时四十元。", "answers"),
        ("ja", "駐車場はいくらですか？", "青嵐店の駐車場は1時間400円です。", "answers"),
        ("en", "Is there parking?", " …!? ", "empty"),
    ],
)
def test_what_drifts_is_refused_and_named(language, utterance, rewritten, reason):
    found = refused(utterance, rewritten, SHOP[language], language=language)
    assert any(r.startswith(reason) for r in found), found


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten", "lost"),
    [
        ("en", "still failing, now with E-4413", "Why does sync still fail with E-4431?", "E-4413"),
        ("en", "see https://a.example.test/x?y=1", "see https://a.example.test/x", "https://a.example.test/x?y=1"),
        ("en", "How many on 12 May?", "How many in May?", "12"),
        ("en", "And on Sunday?", "And on Monday?", "Sunday"),
        ("en", "Is it open in May?", "Is it open in June?", "May"),
        ("zh-Hant", "那週日呢？", "那週六呢？", "週日"),
        ("zh-Hans", "昨天的会议几点？", "会议几点？", "昨天"),
        ("ja", "日曜日は？", "土曜日は？", "日曜日"),
        ("en", "What about Osaka?", "What about it?", "Osaka"),
        ("zh-Hant", "那 403 呢？", "那 404 呢？", "403"),
        ("zh-Hant", "《雲端札記》有幾章？", "這本書有幾章？", "雲端札記"),
        ("zh-Hans", "app.yaml 在哪里改", "配置在哪里改", "app.yaml"),
        ("ja", "会議室Bは？", "会議室は？", "B"),
        ("ja", "スタンダードプランは解約できますか", "プランは解約できますか", "スタンダードプラン"),
    ],
)
def test_what_the_person_pinned_down_must_not_be_lost(language, utterance, rewritten, lost):
    assert f"loses {lost}" in refused(utterance, rewritten, ["E-4431 404 sync fail"], language=language)


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten"),
    [
        ("en", "which ones are not included?", "Which fees are included?"),
        ("en", "why doesn't it charge", "Why does the lamp charge?"),
        ("zh-Hant", "哪些方案不能退費？", "哪些方案能退費？"),
        ("zh-Hans", "没有发票怎么报销", "发票怎么报销"),
        ("ja", "予約できない日はいつですか", "予約できる日はいつですか"),
        ("ja", "コーヒーじゃなくて紅茶はありますか", "コーヒーと紅茶はありますか"),
    ],
)
def test_a_negation_must_not_be_lost(language, utterance, rewritten):
    carriable = ["fees lamp 退費 报销 予約できる"]
    assert "loses a negation" in refused(utterance, rewritten, carriable, language=language)


def test_a_negation_must_not_come_in():
    assert any(
        r.startswith("adds the negation")
        for r in refused("それって予約が必要じゃない？", "屋上テラスは予約が必要ない？", ["屋上テラス"], language="ja")
    )


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten"),
    [
        ("zh-Hant", "音質不錯的無線耳機呢？", "音質好的無線耳機多少錢？"),
        ("zh-Hant", "有沒有停車場？", "青嵐門市有停車場嗎？"),
        ("zh-Hans", "能不能退", "青岚门店能退吗"),
        ("ja", "それって予約が必要じゃない？", "屋上テラスは予約が必要ですか？"),
        ("ja", "場所を教えていただけませんか", "青嵐店の場所を教えてください"),
        ("en", "It's free, isn't it?", "Is the parking free?"),
        ("en", "No, I meant the Harrow branch", "When does the Harrow branch open?"),
    ],
)
def test_what_only_looks_like_a_negation_may_go(language, utterance, rewritten):
    assert "loses a negation" not in refused(utterance, rewritten, SHOP[language], language=language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *[("非常特別", "zh-Hant"), ("未來三年", "zh-Hant"), ("别克", "zh-Hans"), ("不仅如此", "zh-Hans")],
        *[("少なくとも", "ja"), ("申請しなければならない", "ja"), ("財布をなくしました", "ja"), ("かもしれない", "ja")],
        *[("not only that", "en"), ("nothing else", "en"), ("you know, don't you?", "en")],
    ],
)
def test_these_negate_nothing(text, language):
    assert negations(text, language) == ()


def test_a_retracted_term_may_come_back_only_if_the_person_names_it():
    known = ["台南門市幾點開？", "台東門市 10:30 開。"]
    again = refused("週日有開嗎？", "台南門市週日有開嗎？", known, retracted=["台南"], language="zh-Hant")
    assert again == ("brings back 台南",)
    assert refused("那台南門市呢？", "台南門市幾點開？", known, retracted=["台南"], language="zh-Hant") == ()
    assert refused("And the fare?", "What is the fare to Kyoto?", ["Kyoto"], retracted=["kyoto"], language="en")
    assert not refused("And the fare?", "What is the fare?", ["Kyoto"], retracted=["kyoto"], language="en")


def test_the_retracted_half_of_a_correction_may_go():
    utterance, rewritten = "Not Kyoto, I meant the Osaka office.", "When does the Osaka office open?"
    known = ["When does the Kyoto office open?"]
    assert refused(utterance, rewritten, known, language="en")
    assert refused(utterance, rewritten, known, dropped=["Not Kyoto,"], retracted=["Kyoto"], language="en") == ()


def test_script_width_case_and_inflection_make_no_other_word():
    assert refused("那它的价格呢", "後端伺服器的價格呢", ["后端伺服器"], language="zh-Hant") == ()
    assert refused("ＡＢ－１２０の保証は？", "AB-120の保証期間は？", ["保証期間"], language="ja") == ()
    assert refused("is it treatable", "Can throat cancer be treated?", ["What is throat cancer?"], language="en") == ()
    assert refused("does it work with gpt-4", "Does Orin work with GPT4?", ["Orin"], language="en") == ()


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten"),
    [
        ("zh-Hant", "那週日呢？", "青嵐門市星期天幾點開門？"),
        ("zh-Hans", "礼拜天呢", "青岚门店周日几点开门"),
        ("ja", "日曜は？", "青嵐店は日曜日は何時に開きますか？"),
        ("en", "and Sundays?", "When does the Harrow branch open on Sunday?"),
        ("zh-Hant", "民國113年呢？", "2024年青嵐門市幾點開門？"),
    ],
)
def test_a_date_or_number_in_another_form_is_the_same(language, utterance, rewritten):
    assert refused(utterance, rewritten, SHOP[language], language=language) == ()


def test_an_acronym_is_its_words():
    known = ["What does the General Data Protection Regulation say?"]
    assert refused("Who wrote it?", "Who wrote the GDPR?", known, language="en") == ()
    assert refused("Is it so in the US?", "Is it so in the United States?", (), language="en") == ()


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten"),
    [
        ("zh-Hant", "第二個多少錢？", "磐石備份多少錢？"),
        ("ja", "2つ目はいくらですか？", "磐石備份はいくらですか？"),
        ("en", "How much is the 2nd one?", "How much is 磐石備份?"),
    ],
)
def test_an_ordinal_gives_way_to_what_it_points_at(language, utterance, rewritten):
    assert refused(utterance, rewritten, ["1. 晨曦備份 2. 磐石備份"], language=language) == ()


def test_a_rewrite_that_runs_on_is_refused():
    long_cjk = "青嵐門市" * (MOST_CJK // 4 + 2)
    long_latin = "the Harrow branch " * (MOST_WORDS // 3 + 2)
    assert any("CJK characters" in r for r in refused("幾點？", long_cjk, SHOP["zh-Hant"], language="zh-Hant"))
    assert any("words" in r for r in refused("when?", long_latin, SHOP["en"], language="en"))


def test_a_sub_query_may_leave_out_but_not_bring_in():
    whole = "極光和星塵的流量上限是多少？"
    assert strays(whole, "極光的流量上限", (), language="zh-Hant") == ()
    assert strays(whole, "月影的流量上限", (), language="zh-Hant") == ("adds 月影",)


@given(
    st.text(max_size=60), st.text(max_size=60), st.text(max_size=60), st.sampled_from(["en", "zh-Hant", "ja", "und"])
)
def test_it_never_raises_and_its_reasons_are_lines(utterance, rewritten, known, language):
    for reason in objections(utterance, rewritten, [known], retracted=[known], dropped=[known], language=language):
        assert reason


@given(
    st.text(alphabet="北上公司的報告是12 月abc,。", min_size=1, max_size=40).filter(
        lambda t: any(c.isalnum() for c in t)
    )
)
def test_an_utterance_repeated_as_it_is_adds_and_loses_nothing(utterance):
    found = objections(utterance, utterance, (), language="zh-Hant")
    assert found == ()


def test_a_paste_is_weighed_in_time_in_proportion():
    def work(lines):
        paste = "2026-05-04T10:00:00Z INFO queue=ingest 深度 3 ok\n" * lines
        objections(paste, "Which setting?", [paste], language="en")

    assert in_proportion(work, 50)


ASKED = {
    "en": ("Is {} enough for the Harrow branch?", "Is it enough for the Harrow branch?"),
    "zh-Hant": ("青嵐門市{}夠嗎？", "青嵐門市夠嗎？"),
    "zh-Hans": ("青岚门店{}够吗？", "青岚门店够吗？"),
    "ja": ("青嵐店は{}で足りますか？", "青嵐店は足りますか？"),
}
FORMS = {
    "zh-Hant": [
        "民國113年",
        "兩萬五",
        "三成",
        "八折",
        "二〇二四年",
        "廿四",
        "壹貳參肆",
        "1.5 兆",
        "１２００",
        "3 天",
        "百分之十二",
    ],
    "zh-Hans": [
        "民国113年",
        "两万五",
        "三成",
        "八折",
        "二〇二四年",
        "廿四",
        "三千二百万",
        "12亿",
        "1,200",
        "三天",
        "三分之一",
    ],
    "ja": ["令和6年", "三割", "三割五分", "二万五千", "1億2000万円", "千円", "２０２４年", "3つ", "12%"],
    "en": ["1,200", "2.5 million", "twenty-five", "3.5%", "2024", "12"],
}


@pytest.mark.parametrize(("language", "number"), [(language, form) for language in FORMS for form in FORMS[language]])
def test_a_number_in_any_form_neither_vanishes_nor_comes_from_nowhere(language, number):
    with_it, without = ASKED[language][0].format(number), ASKED[language][1]
    assert any(reason.startswith("loses") for reason in refused(with_it, without, language=language))
    assert any(reason.startswith("adds") for reason in refused(without, with_it, language=language))
    assert refused(with_it, with_it, language=language) == ()


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten"),
    [
        ("zh-Hant", "萬一停電怎麼辦？", "停電怎麼辦？"),
        ("zh-Hant", "還有一些問題想問，保固多久？", "保固多久？"),
        ("zh-Hans", "我十分想知道保修多久？", "保修多久？"),
    ],
)
def test_a_word_that_holds_a_numeral_is_no_number_to_lose(language, utterance, rewritten):
    assert not any("loses" in r for r in refused(utterance, rewritten, language=language))


@given(st.sampled_from(sorted(ASKED)), st.integers(10, 10**7), st.sampled_from(["{}", "{:,}"]))
def test_no_number_ever_vanishes(language, number, form):
    written = form.format(number)
    found = refused(ASKED[language][0].format(written), ASKED[language][1], language=language)
    assert f"loses {written}" in found


@given(
    st.sampled_from(sorted(ASKED)),
    st.from_regex(r"[A-Z]{2,4}-?[0-9]{2,6}", fullmatch=True) | st.from_regex(r"[a-z]{2,8}_[a-z]{2,8}", fullmatch=True),
)
def test_no_identifier_ever_vanishes(language, identifier):
    found = refused(ASKED[language][0].format(identifier), ASKED[language][1], language=language)
    assert f"loses {identifier}" in found
    longer = ASKED[language][0].format(identifier + "7")
    assert f"loses {identifier}" in refused(ASKED[language][0].format(identifier), longer, language=language)


NEGATED = {
    "en": ["is not {}", "isn't {}", "is never {}", "is no longer {}"],
    "zh-Hant": ["不{}", "沒有{}", "沒{}"],
    "zh-Hans": ["不{}", "没有{}", "没{}"],
    "ja": ["{}しない", "{}しません", "{}じゃなくて普通", "{}ではない"],
}
TOPICS = {
    "en": (["open", "heated", "insured", "staffed"], "Which branch {}?", "is {}"),
    "zh-Hant": (["營業", "收費", "停車", "退款"], "哪間門市{}？", "{}"),
    "zh-Hans": (["营业", "收费", "停车", "退款"], "哪家门店{}？", "{}"),
    "ja": (["営業", "返金", "配達", "予約"], "{}店舗はどこですか？", "{}する"),
}


@given(st.data(), st.sampled_from(sorted(NEGATED)))
def test_no_negation_ever_vanishes(data, language):
    words, frame, plain = TOPICS[language]
    word = data.draw(st.sampled_from(words))
    negated = frame.format(data.draw(st.sampled_from(NEGATED[language])).format(word))
    affirmed = frame.format(plain.format(word))
    assert "loses a negation" in refused(negated, affirmed, language=language)
    assert refused(negated, negated, language=language) == ()


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten", "known"),
    [
        ("zh-Hant", "這台不錯，多少錢？", "晨曦筆電多少錢？", "晨曦筆電"),
        ("zh-Hant", "非常好，無線的多少錢？", "晨曦無線滑鼠多少錢？", "晨曦滑鼠有無線的"),
        ("zh-Hans", "未来的价格呢？", "晨曦笔记本未来的价格是多少？", "晨曦笔记本"),
        ("ja", "これ、いいじゃない？いくらですか？", "オーロラはいくらですか？", "オーロラ"),
        ("en", "Nice, isn't it? How much is it?", "How much is the Orin plan?", "the Orin plan"),
    ],
)
def test_praise_and_tags_are_no_negation_to_keep(language, utterance, rewritten, known):
    assert refused(utterance, rewritten, [known], language=language) == ()


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten", "known"),
    [
        ("en", "How are the two different?", "How are Orin and Lyra different?", "Orin and Lyra"),
        ("en", "Does it work in the U.S.?", "Does Open Harbour work in the United States?", "Open Harbour"),
        ("en", "What is the cause of CFD?", "What is the cause of coral fade disorder?", "corals"),
        ("en", "Will it kill me?", "Can marsh fever be fatal to me?", "What is marsh fever? It may be fatal."),
        ("zh-Hant", "這兩個差在哪？", "極光和星塵差在哪？", "極光和星塵"),
        ("ja", "その2つの違いは？", "オーロラとリラの違いは？", "オーロラとリラ"),
    ],
)
def test_what_resolves_a_reference_or_spells_it_out_passes(language, utterance, rewritten, known):
    assert refused(utterance, rewritten, [known], language=language) == ()


@pytest.mark.parametrize(
    ("language", "utterance", "rewritten"),
    [
        ("zh-Hant", "有無糖的嗎？", "有糖的嗎？"),
        ("zh-Hans", "没收费的门店呢？", "收费的门店呢？"),
        ("ja", "砂糖なしのコーヒーは？", "砂糖のコーヒーは？"),
        ("en", "which has no fee", "which has a fee"),
    ],
)
def test_a_negation_inside_a_word_is_one(language, utterance, rewritten):
    assert "loses a negation" in refused(utterance, rewritten, language=language)


def test_a_free_word_with_a_capital_is_a_name():
    known = ["Who married Winnie Harrow?"]
    assert refused("When did she marry?", "When did Winnie Harrow marry Band?", known, language="en") == ("adds Band",)
    assert refused("When was that?", "At what time was the marriage of Winnie Harrow?", known, language="en") == ()


@pytest.mark.parametrize(
    ("utterance", "rewritten", "language"),
    [
        ("但是沒有會員卡", "但是有優酷會員卡，沒錯吧", "zh-Hant"),
        ("我就说她不高兴不是因为鱼", "我就说媳妇高兴不是因为鱼", "zh-Hans"),
        ("喫煙ルームでも構いません。", "喫煙ルームでも構う。", "ja"),
        ("朝食ありで夕食はなし希望です。", "朝食ありで夕食はあり希望です。", "ja"),
        (
            "were there other reasons she didn't get the role?",
            "Were there not other reasons she did get the role?",
            "en",
        ),
    ],
)
def test_what_was_negated_may_not_stand_affirmed(utterance, rewritten, language):
    reasons = objections(utterance, rewritten, ["媳妇 優酷 會員卡"], language=language)
    assert any("negation" in reason for reason in reasons), reasons


@pytest.mark.parametrize(
    ("utterance", "rewritten", "language"),
    [
        ("沒有會員卡可以進去嗎", "沒有會員卡可以進健身房嗎", "zh-Hant"),
        ("不吃早餐可以便宜多少", "不吃早餐可以便宜多少", "zh-Hans"),
        ("夕食はなしでお願いします", "夕食なしのプランをお願いします", "ja"),
        ("why doesn't it start?", "Why does the pump not start?", "en"),
    ],
)
def test_a_negation_in_other_words_is_kept(utterance, rewritten, language):
    assert not [
        r for r in objections(utterance, rewritten, ["健身房 プラン the pump"], language=language) if "neg" in r
    ]

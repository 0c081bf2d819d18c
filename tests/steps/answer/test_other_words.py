"""A question is put in the words of the sources: other words for the same, days of the week, words of English."""

from __future__ import annotations

import pytest

from anaphor.steps.answer.other_words import as_said_there
from anaphor.steps.answer.quote import quote
from anaphor.types import Decision, Evidence, Passage, StandaloneQuery


def shown(text, language, title=""):
    return Passage("p", text, "a.md", title=title, language=language)


@pytest.mark.parametrize(
    ("language", "way", "question", "said", "word"),
    [
        ("zh-Hant", "zh", "借閱證不見了怎麼辦？", "遺失借閱證要先掛失。", "遗失"),
        ("zh-Hans", "zh", "星期天开门吗？", "周日不营业。", "周日"),
        ("zh-Hant", "zh", "週三開到幾點？", "週二至週五：上午 9 點至晚上 9 點", "周二"),
        ("ja", "ja", "日曜日は何時までですか？", "土日は9時から17時です。", "土日"),
        ("ja", "ja", "水曜日は開いていますか？", "火曜から金曜が9時から20時です。", "火曜"),
        ("en", "zh", "Can I bring my dog?", "Pets are welcome in the yard.", "pet"),
        ("en", "zh", "Are you open on Wednesday?", "Monday to Friday: 6:30 am to 9 pm", "monday"),
        ("zh-Hans", "zh", "free tier 每天能 call 多少次？", "免费额度是每天 1,000 次调用。", "免费"),
    ],
)
def test_a_word_no_source_has_is_exchanged(language, way, question, said, word):
    assert word in as_said_there(question, (shown(said, language),), way)


@pytest.mark.parametrize(
    ("language", "way", "question", "said"),
    [
        ("zh-Hant", "zh", "前一天取消可以嗎？", "單車租借，每日 150 元"),
        ("zh-Hant", "zh", "貓可以進來嗎？", "貓要裝籠，其他寵物不行。"),
        ("ja", "ja", "月曜日は休みですか？", "火曜から金曜が9時から20時です。"),
        ("en", "zh", "Is the carpet new?", "The vehicle is new."),
        ("en", "zh", "Are you open on Sunday?", "Monday to Friday: 6:30 am to 9 pm"),
    ],
)
def test_a_word_that_is_there_or_means_something_else_stays(language, way, question, said):
    assert as_said_there(question, (shown(said, language),), way) == question


@pytest.mark.parametrize(
    ("language", "question", "text", "answer"),
    [
        ("zh-Hant", "飛梭租車臨時不去了，還能取消嗎？", "飛梭租車的預約，在取車前 24 小時可以免費取消。", "24"),
        ("zh-Hans", "我临时去不了了，订金能退吗？", "订金在开课前三天可以退还。", "三天"),
        ("ja", "今年の花火大会はいつですか？", "花火大会は8月9日に河川敷で開かれます。", "8月9日"),
        ("en", "I lost my ticket, can I get a new one?", "A new ticket costs 4 euros at the desk.", "4 euros"),
    ],
)
def test_what_is_told_before_the_question_need_not_be_in_the_sources(language, question, text, answer):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    said = quote(query, Evidence((shown(text, language),)), language)
    assert any(answer in claim.text for claim in said.claims)


def test_a_condition_is_no_excuse():
    query = StandaloneQuery("如果付款失敗了，會退款嗎？", Decision.STANDALONE, 1.0, "zh-Hant")
    said = quote(
        query, Evidence((shown("取消訂單會退款。", "zh-Hant"), shown("付款失敗要重新下單。", "zh-Hant"))), "zh-Hant"
    )
    assert not any("取消訂單" in claim.text and len(said.claims) == 1 for claim in said.claims)


@pytest.mark.parametrize(
    ("question", "text", "answered"),
    [
        ("Is the Quill R3 waterproof?", "Quill R3 supports up to 32 devices. The Quill R3 weighs 310 g.", False),
        ("Can I control the Quill R3 by voice?", "Quill R3 supports up to 32 devices.", False),
        ("Does the Quill R3 support printers?", "Quill R3 supports up to 32 devices, printers too.", True),
    ],
)
def test_whether_a_thing_can_do_what_nobody_speaks_of(question, text, answered):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, "en")
    assert bool(quote(query, Evidence((shown(text, "en", "Quill R3 router"),)), "en").claims) is answered


@pytest.mark.parametrize(
    ("language", "question", "text", "answer"),
    [
        ("zh-Hant", "「舞台女王」指的是誰？", "梅若蘭，香港歌手，人稱「舞台女王」。她自小賣唱。", "梅若蘭"),
        ("zh-Hans", "青屿位于哪一片海域？", "青屿是南部海域的一座岛。岛上有三个村。", "南部海域"),
        ("zh-Hant", "綠谷國的北邊與哪一個國家相鄰？", "綠谷國西接河間國，北鄰松原國。首都是綠城。", "松原國"),
    ],
)
def test_words_that_only_say_is_or_lies_weigh_nothing(language, question, text, answer):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    said = quote(query, Evidence((shown(text, language),)), language)
    assert any(answer in claim.text for claim in said.claims)


@pytest.mark.parametrize(
    ("language", "question", "text"),
    [
        ("en", "Do you think that the tower has an elevator?", "The tower has an elevator."),
        ("en", "I heard that the tower has a café, is it possible to book it?", "The café of the tower can be booked."),
        ("zh-Hant", "你覺得塔裡真的有電梯嗎？", "塔裡有一部電梯。"),
        ("zh-Hans", "听说塔里有电梯，你知道在哪里吗？", "塔里的电梯在北侧。"),
        ("ja", "塔にエレベーターがあると思いますか？", "塔にはエレベーターがあります。"),
    ],
)
def test_what_only_asks_what_one_thinks_need_not_be_in_the_sources(language, question, text):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    noise = shown("Boats leave at noon. 船在中午開。船は正午に出ます。", language)
    said = quote(query, Evidence((shown(text, language), noise)), language)
    assert [claim.text for claim in said.claims if claim.cites] == [text]


@pytest.mark.parametrize(
    ("language", "question", "text", "word"),
    [
        ("zh-Hant", "梅里村的學校在哪一年搬遷？", "1820年，縣裡重劃了村界。同年，梅里村的學校搬到河邊。", "1820"),
        ("zh-Hans", "哪种树被称为铁树？", "苏铁生长很慢。又被称为铁树、凤尾蕉。", "苏铁"),
        ("ja", "図書館はどの年に移りましたか？", "1987年、町は役場を建てた。この年、図書館は駅前に移った。", "1987"),
        ("en", "In which year did the school move?", "The mill closed in 1911. In that year the school moved.", "1911"),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_is_quoted_with_it(language, question, text, word):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    said = quote(query, Evidence((shown(text, language),)), language)
    assert any(word in claim.text for claim in said.claims)
    assert len(said.claims) == 2

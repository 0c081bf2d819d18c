"""After a thing that is no name, a question that says something of its own stays; one that says nothing is about it."""

import pytest

from steps.reconstruct.said import ask

COMPLETE = [
    (("帶狀皰疹疫苗多少錢", "五千元。"), "禮拜天有看診嗎"),
    (("雙人房一晚多少", "兩千四。"), "幾點退房"),
    (("年票怎麼買", "在櫃台。"), "可以帶朋友嗎"),
    (("年票怎麼買", "在櫃台。"), "置物櫃怎麼租"),
    (("老闆姓什麼", "姓鄭。"), "可以訂位嗎"),
    (("十次券多少錢", "四千。"), "孩子可以自己來嗎"),
    (("私教课一节多少钱", "三百元。"), "储物柜收费吗"),
    (("补牙多少钱", "两百元。"), "可以停车吗"),
    (("自行车怎么租", "十元一小时。"), "可以晚点退房吗"),
    (("洋室は一泊いくらですか", "10,000円です。"), "ペットは大丈夫ですか"),
    (("タオルは借りられますか", "はい。"), "退会するにはどうすればいいですか"),
    (("健康診断はいつですか", "水曜です。"), "保険証は毎回必要ですか"),
    (("回数券はいくら", "五千円です。"), "入会金はかかりますか"),
    (("回数券はいくら", "五千円です。"), "何時まで開いていますか"),
    (("Is there a joining fee?", "Yes."), "Who are the trainers?"),
    (("Do you take Medicaid?", "No."), "Who treats children?"),
    (("What should new patients bring?", "An ID."), "Is there a fee for late cancellations?"),
    (("What about a cat?", "No."), "How much is it to rent a bicycle?"),
    (("How much is a day pass?", "12 dollars."), "What are the weekend hours?"),
]

SAYS_NOTHING = [
    (("帶狀皰疹疫苗多少錢", "五千元。"), "要打幾劑", "帶狀皰疹疫苗"),
    (("雙人房一晚多少", "兩千四。"), "有浴缸嗎", "雙人房"),
    (("自助餐多少錢", "六百。"), "要先預約嗎", "自助餐"),
    (("瑜伽课几点", "七点。"), "怎么报名", "瑜伽课"),
    (("健康診断はいつですか", "水曜です。"), "予約は必要ですか", "健康診断"),
    (("回数券はいくら", "五千円です。"), "いつまで使えますか", "回数券"),
    (("What is the parking permit?", "A card."), "how do I apply?", "parking permit"),
    (("Is the sauna open?", "Yes."), "How much does it cost?", "sauna"),
]

NUMBERED = [
    (("第三條規定是什麼", "不能抽菸。"), "第二條呢", "第二條規定是什麼"),
    (("What does rule 2 say?", "No smoking."), "And the third?", "What does rule 3 say?"),
    (
        ("What does rule 3 say?", "Shoes off.", "And the second?", "No smoking."),
        "No, the fourth.",
        "What does rule 4 say?",
    ),
    (("What happens in step 4?", "It is dried."), "What about the fifth?", "What happens in step 5?"),
]

REPLACED = [
    (("泳池周二开吗", "不开。"), "周三呢", "泳池周三开吗"),
    (("內科星期三下午幾點", "兩點。"), "星期六呢", "內科星期六幾點"),
    (("私教十节多少钱", "两千六。"), "一节呢", "私教一节多少钱"),
    (("牛肉麵大碗多少", "一百八。"), "小碗呢", "牛肉麵小碗多少"),
    (("当日キャンセルはいくらですか", "100%です。"), "前日なら？", "前日キャンセルはいくらですか"),
]


@pytest.mark.parametrize(("said", "utterance"), COMPLETE)
def test_a_question_that_says_enough_stays_as_it_is(said, utterance):
    query = ask(said, utterance)
    assert (query.text, query.carried) == (utterance, ())


@pytest.mark.parametrize(("said", "utterance", "about"), SAYS_NOTHING)
def test_one_that_says_nothing_is_about_what_was_talked_of(said, utterance, about):
    assert about in ask(said, utterance).text


@pytest.mark.parametrize(("said", "utterance", "text"), NUMBERED)
def test_another_number_is_put_into_the_last_question(said, utterance, text):
    query = ask(said, utterance)
    assert query.text == text
    assert query.left_behind


@pytest.mark.parametrize(("said", "utterance", "text"), REPLACED)
def test_a_time_a_count_a_size_takes_its_like_place(said, utterance, text):
    assert ask(said, utterance).text == text


@pytest.mark.parametrize(
    ("asked", "answer", "utterance", "text"),
    [
        ("老師有哪些", "1. 林老師教鋼琴。\n2. 王老師教小提琴。\n3. 陳老師教大提琴。", "第三位教什麼", "陳老師教什麼"),
        (
            "Who are the teachers?",
            "1. Ann Lee teaches piano.\n2. Bob Stone teaches violin.",
            "What does the second one teach?",
            "What does Bob Stone teach?",
        ),
    ],
)
def test_somebody_of_a_list_is_called_by_name(asked, answer, utterance, text):
    assert ask((asked, answer), utterance).text == text


WITHIN = [
    (("那座城市最大的大學是哪一所", "板橋大學。"), "青川大學是研究型大學，該校論文被引用數世界第幾？"),
    (("誰寫了那個國家的國歌", "艾斯勒。"), "星塵號以石碑為名，希望此任務能在哪方面取得進展？"),
    (("科幻小說最早的母體是哪種主義", "浪漫主義。"), "便利商店發展快速的原因有二，一項是地狹人稠，另一項原因為何？"),
    (("如何擺脫輪迴", "到達涅槃。"), "主教被監視的其中一個原因是不認同哪一思想？"),
    (
        ("寛保は誰を想像させる？", "柳沢吉保です。"),
        "炭化水素はエネルギー資源としての意味と、もう一つどういう意味を持つか？",
    ),
    (("座標系で最大となる応力は何ですか", "主応力です。"), "応力テンソルからその等方成分を差し引いたものを何というか"),
    (("改元を決めたのはどこか", "幕府です。"), "オランダの憲法上の首都は？"),
]


@pytest.mark.parametrize(("said", "utterance"), WITHIN)
def test_what_a_sentence_says_itself_is_not_looked_for_before_it(said, utterance):
    query = ask(said, utterance)
    assert (query.text, query.carried) == (utterance, ())


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (
            ("青川市的命名和哪個朝代有關", "戰國。"),
            "依全球氣候分類，該市屬於哪一種氣候？",
            "依全球氣候分類，青川市屬於哪一種氣候？",
        ),
    ],
)
def test_what_a_sentence_only_begins_with_does_not_say_it(said, utterance, text):
    assert ask(said, utterance).text == text

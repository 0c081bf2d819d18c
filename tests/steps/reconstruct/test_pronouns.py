"""What points back is replaced by what it points at; what only looks so is left alone."""

import pytest

from anaphor.types import Decision, Outcome
from steps.reconstruct.said import ask, check

LAMP = ("Is the Lumen L2 desk lamp dimmable?", "Yes, in five steps.")
ADA = ("Tell me about the composer Ada Brennick.", "Ada Brennick was a Cork-born composer of chamber music.")
TRAIN = ("台北到花蓮的火車要多久？", "普悠瑪約兩小時十分。")


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (ADA, "Where did she study?", ["Ada Brennick", "study"], ["she ", "Cork"]),
        (ADA, "When was she born?", ["Brennick"], [" she "]),
        (ADA, "What are her most famous works?", ["Brennick"], [" her "]),
        (LAMP, "How much does it cost?", ["Lumen L2", "cost"], [" it "]),
        (LAMP, "What is its warranty?", ["Lumen L2", "warranty"], [" its "]),
        (LAMP, "Can I use this lamp outdoors?", ["Lumen L2", "outdoors"], ["this lamp"]),
        (LAMP, "does it come with a charger, and is it waterproof", ["Lumen L2", "charger", "waterproof"], [" it "]),
        (
            ("What is Redis?", "Redis is an in-memory store."),
            "How do I install it on Ubuntu?",
            ["Redis", "Ubuntu"],
            [" it "],
        ),
        (("Who wrote the novel Dune?", "Frank Herbert wrote it."), "When was he born?", ["Frank Herbert"], [" he "]),
        (("What is the capital of Norland?", "Port Ellis."), "How many people live there?", ["Port Ellis"], [" there"]),
        (("Do routers R10 and R20 support IPv6?", "Both do."), "What do they cost?", ["R10", "R20", "cost"], ["they"]),
        (("How long is the Blue Ridge hike?", "About six miles."), "Are dogs allowed on that trail?", ["dogs"], []),
        (("什麼是光合作用？", "植物把光能轉成化學能。"), "它需要哪些條件？", ["光合作用", "條件"], ["它"]),
        (("介紹一下青嵐科技", "青嵐科技成立於2011年。"), "該公司的營收多少？", ["青嵐科技", "營收"], ["該公司"]),
        (("介紹一下青嵐科技", "青嵐科技成立於2011年。"), "其創辦人是誰？", ["青嵐科技", "創辦人"], []),
        (("介绍一下青岚科技", "青岚科技成立于2011年。"), "他们的总部在哪里？", ["青岚科技", "总部"], ["他们"]),
        (("誰是林青嵐？", "林青嵐是作曲家。"), "她在哪裡念書？", ["林青嵐", "念書"], ["她"]),
        (("松濤除濕機好用嗎？", "評價不錯。"), "這台除濕機多少錢？", ["松濤"], ["這台"]),
        (("澎湖有什麼好玩的？", "有玄武岩和沙灘。"), "那裡天氣如何？", ["澎湖", "天氣"], ["那裡"]),
        (TRAIN, "這班車有自行車車廂嗎？", ["普悠瑪", "自行車"], ["這班車"]),
        (
            ("会議室Aは何人まで入れますか？", "8名までです。"),
            "それは予約が必要ですか？",
            ["会議室A", "予約"],
            ["それは"],
        ),
        (
            ("屋上テラスは誰でも使えますか？", "社員なら使えます。"),
            "それって予約が必要じゃない？",
            ["屋上テラス", "予約"],
            ["それって"],
        ),
        (
            ("青嵐テクノロジーについて教えて", "2011年に設立されました。"),
            "同社の売上は？",
            ["青嵐テクノロジー", "売上"],
            ["同社"],
        ),
        (
            ("青嵐テクノロジーについて教えて", "2011年に設立されました。"),
            "その会社の本社はどこですか？",
            ["青嵐テクノロジー", "本社"],
            ["その会社"],
        ),
        (("林青嵐は誰ですか？", "作曲家です。"), "彼女はどこで学びましたか？", ["林青嵐"], ["彼女"]),
        (("箱根の旅館を教えて", "雲海荘があります。"), "そこの料金はいくらですか？", ["料金"], ["そこ"]),
    ],
)
def test_what_is_meant_takes_the_place_of_what_points(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds, lacks)


def test_the_alternative_just_brought_up_and_not_the_topic():
    said = ("会議室Aは何人まで入れますか？", "会議室Aは8名までです。10名以上なら大会議室「欅」もあります。")
    query = ask(said, "そっちはいくらですか？")
    check(query, ["欅", "いくら"], ["そっち", "会議室A"])


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (TRAIN, "再生能源憑證要跟誰申請？"),
        (TRAIN, "再生能源補助怎麼申請？"),
        (TRAIN, "信用卡還款日可以改嗎？"),
        (TRAIN, "信用卡還款期限多長？"),
        (TRAIN, "其他應收款要編在哪個科目？"),
        (TRAIN, "其他國家的稅率是多少？"),
        (TRAIN, "「這裡咖啡館」幾點打烊？"),
        (TRAIN, "呢料大衣可以水洗嗎？"),
        (TRAIN, "那瑪夏區公所的電話幾號？"),
        (TRAIN, "那霸機場到市區怎麼走？"),
        (TRAIN, "吉他課程怎麼報名？"),
        (TRAIN, "他汀類藥物有哪些副作用？"),
        (TRAIN, "也門的首都是哪裡？"),
        (TRAIN, "土耳其簽證怎麼辦？"),
        (TRAIN, "維他命C一天可以吃多少？"),
        (TRAIN, "第二次世界大戰什麼時候結束？"),
        (TRAIN, "後者咖啡的地址在哪？"),
        (("年假要提前几天申请？", "三天。"), "谢谢卡在哪里领"),
        (("年假要提前几天申请？", "三天。"), "那曲市的海拔是多少？"),
        (("年假要提前几天申请？", "三天。"), "其乐鞋店几点关门？"),
        (("年假要提前几天申请？", "三天。"), "《这里咖啡馆》的作者是谁？"),
        (("会議室Aは何人まで入れますか？", "8名です。"), "彼岸花の花言葉は何ですか？"),
        (("会議室Aは何人まで入れますか？", "8名です。"), "その他経費の勘定科目は何ですか？"),
        (("会議室Aは何人まで入れますか？", "8名です。"), "それいけ食堂の営業時間は何時までですか？"),
        (("会議室Aは何人まで入れますか？", "8名です。"), "ここのえ町の人口は何人ですか？"),
        (("会議室Aは何人まで入れますか？", "8名です。"), "あれちのぎくは何科の植物ですか？"),
        (LAMP, "Who runs the IT department?"),
        (LAMP, "Is it possible to renew a passport online?"),
        (LAMP, "How long does it take to renew a passport?"),
        (LAMP, "What time is it in Tokyo?"),
        (LAMP, "Will it rain in Osaka tomorrow?"),
        (LAMP, "Does the lease say that pets are allowed?"),
        (LAMP, "Is there a gym in the Harbor building?"),
        (LAMP, "Who was Willy Brandt and what did he do?"),
        (LAMP, "Should a company publish its earnings every quarter?"),
        (LAMP, "What is a VPC and how do I create it?"),
        (LAMP, "Which Second World War museums are in Kent?"),
    ],
)
def test_what_only_looks_like_pointing_is_left_alone(said, utterance):
    query = ask(said, utterance)
    assert query.decision in (Decision.STANDALONE, Decision.NEW_TOPIC)
    assert query.text == utterance
    check(query, [], ["Lumen", "普悠瑪", "花蓮", "年假", "会議室"])


def test_an_assistant_text_we_never_committed_resolves_and_gives_nothing_else():
    said = (
        "Which plan is cheapest?",
        "The Basalt plan. " + "Basalt customers praise the Basalt app and its colours. " * 6,
    )
    query = ask(said, "Does it include support?", outcome=Outcome.UNVERIFIED)
    check(query, ["Basalt", "support"], ["praise", "colours"])


def test_what_may_not_be_carried_is_not():
    failed = ask(("What is Redis?", "No idea."), "How do I install it?", outcome=Outcome.FAILED)
    check(failed, ["Redis"], ["idea"])
    polite = ask(("你好", "您好，我是松濤客服。"), "它多少錢？", outcome=Outcome.SMALL_TALK)
    check(polite, [], ["松濤"])


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (
            ["Where did she play?", "Halvorsen was asked to play in Oslo by the conductor Ivar Lund."],
            "Did she win a prize?",
            "Did Halvorsen win a prize?",
        ),
        (
            ["What did Mira Tolland paint?", "Tolland painted boats. She moved to the Fern Valley."],
            "Where was she born?",
            "Where was Mira Tolland born?",
        ),
        (
            ["What did they release?", 'They released the album "Grey Harbour" in Lisbon.'],
            "Was this album popular?",
            "Was Grey Harbour popular?",
        ),
        (
            ["Which films did Ada Brennick make?", "Ada Brennick made The Quiet Mill."],
            "Did she make any other films?",
            "Did Ada Brennick make any other films besides Quiet Mill?",
        ),
    ],
)
def test_names_are_taken_from_where_they_were_said_and_written_in_full(said, utterance, text):
    assert ask(said, utterance).text == text


def test_a_word_that_begins_like_a_pronoun_points_at_nothing():
    query = ask(("日和町の職業紹介は？", "毎週月曜です。"), "ポルトガルはいつから同性の結婚ができるか？")
    assert query.text == "ポルトガルはいつから同性の結婚ができるか？"


def test_a_negated_relative_clause_points_at_nothing():
    query = ask(
        ("Does Larkspur Insurance cover theft?", "It covers theft."), "Is a bicycle that wasn't locked replaced?"
    )
    assert "wasn't locked" in query.text


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (("雲嶺圖書館在哪條路上？", "在中山路 12 號。"), "它哪天休館？", "雲嶺圖書館哪天休館？"),
        (("云岭图书馆在哪个区？", "在青羊区人民南路 12 号。"), "它几点开门？", "云岭图书馆几点开门？"),
        (
            ("図書館はどの駅の近くですか", "本町駅の近くです。"),
            "それは何曜日が休みですか",
            "図書館は何曜日が休みですか",
        ),
        (
            ("Which street is the library on?", "On Orchard Street."),
            "When does it close?",
            "When does the library close?",
        ),
    ],
)
def test_where_a_thing_is_takes_no_part_in_what_is_talked_about(said, utterance, text):
    assert ask(said, utterance).text == text


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (("竹の間の定員は？", "4名です。"), "それの料金は？", "竹の間の料金は？"),
        (("猫の食費は？", "800円です。"), "それの割引は？", "猫の割引は？"),
        (("標準方案的等待期？", "30 天。"), "它的保費多少？", "標準方案的保費多少？"),
    ],
)
def test_what_has_an_attribute_is_meant_and_not_the_attribute(said, utterance, text):
    assert ask(said, utterance).text == text


def test_the_question_after_a_new_thing_is_about_it():
    said = ("金毛方案每月保費多少？", "680 元。")
    assert ask(said, "那黑喵呢？它的等待期多久？").text == "黑喵的等待期多久？"
    assert ask(said, "那黑喵呢？等待期多久？").text == "黑喵的等待期多久？"


def test_whoever_is_called_by_one_name_is_talked_about_and_not_who_comes_up_beside():
    letters = ("Owen wrote open letters to officials, including President Halvard Brenn.",)
    said = ("What did Owen do in 1862?", letters[0], "Was there anything else?", "Owen also served in the army.")
    check(ask(said, "Did he hold political office?"), ["Owen"], ["Brenn"])
    said = ("Where was Rosalind born?", "50 Chepstow Villas, Notting Hill, London.")
    check(ask(said, "Did she have any hobbies?"), ["Rosalind"], ["Notting"])


def test_two_words_that_point_back_do_not_mean_the_same():
    query = ask(("What happened in 2005?", "In 2006, Waltman joined the Otter Club."), "What did he do there?")
    assert query.text.count("Waltman") <= 1

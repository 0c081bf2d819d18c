"""Whose subject is left unsaid, and whose is not: a guess feeds no later guess, and the house is asked as it stands."""

import pytest

from anaphor.types import Decision
from steps.reconstruct.said import ask, check


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (("晚一個小時退房要錢嗎？", "要。"), "有提供狗的住宿嗎？"),
        (("捷運要走多久？", "五分鐘。"), "可以刷卡嗎？"),
        (("防逃網有嗎？", "有。"), "剛出生兩個月的貓可以住嗎？"),
        (("防逃網有嗎？", "有。"), "你們在哪裡？"),
        (("防逃網有嗎？", "有。"), "有公休嗎？"),
        (("防逃網有嗎？", "有。"), "老闆叫什麼名字？"),
        (("家庭房一晚多少錢？", "三千。", "晚一個小時退房要錢嗎？", "要。"), "有提供狗的住宿嗎？"),
        (("貴賓卡多少錢？", "五百。"), "防逃網有嗎？"),
        (("孩子可以一个人去吗？", "可以。"), "退会要提前多久？"),
        (("孩子可以一个人去吗？", "可以。"), "有没有停车场？"),
        (("剩下的钱退吗？", "不退。"), "有游泳池吗？"),
        (("新手课每次多长时间？", "两小时。"), "周末外攀在哪里集合？"),
        (("定員は何名ですか？", "十名。"), "キャンセルの締め切りは？"),
        (("初心者でも参加できますか？", "はい。"), "持ち物は何ですか？"),
        (("灯油窯の温度は何度ですか？", "千二百度。"), "休みはいつ？"),
        (("灯油窯の温度は何度ですか？", "千二百度。"), "駐車場はある？"),
        (("灯油窯の温度は何度ですか？", "千二百度。"), "お金はかかる？"),
        (("灯油窯の温度は何度ですか？", "千二百度。"), "素焼きは何度ですか？"),
        (("宿泊費の申請はいつまでですか？", "月末まで。"), "在宅勤務は週に何日までできますか？"),
        (("参加費はいくらですか？", "千円。"), "雨の日はどうなりますか？"),
        (("What does the red light mean?", "The tank is empty."), "who is your CEO?"),
        (("What does the red light mean?", "The tank is empty."), "do you take cards?"),
        (("What does the red light mean?", "The tank is empty."), "where are you?"),
        (("What does the red light mean?", "The tank is empty."), "How do I contact support?"),
        (("Can I keep a parrot?", "No."), "Who is the landlord?"),
        (("Who is the owner?", "Dana Pike."), "When do you open?"),
        (("Does Dana Pike repair e-bikes?", "Yes."), "When do you close on Sunday?"),
        (("Where is the Blue Lantern hotel?", "At 5 High St."), "How late do you open?"),
        (("週二下午小兒科有開嗎？", "有。"), "院長是誰？"),
        (("流感疫苗多少錢？", "八百元。"), "房東是誰？"),
        (("疫苗接种一次多少钱？", "八百元。"), "院长叫什么名字？"),
        (("私教课多少钱？", "三百。"), "馆长是谁？"),
        (("スミス先生の診察はいつ？", "月曜です。"), "院長は誰ですか？"),
        (("灯油窯の温度は何度ですか？", "千二百度。"), "館長は誰ですか？"),
    ],
)
def test_what_says_its_own_subject_or_asks_of_the_house_is_left_as_it_is(said, utterance):
    query = ask(said, utterance)
    assert query.text.rstrip("？?") == utterance.rstrip("？?")
    assert query.decision.retrieves


@pytest.mark.parametrize(
    ("said", "utterance", "holds"),
    [
        (("青嵐攝影棚在哪裡？", "在台北。"), "有停車場嗎？", ["青嵐攝影棚"]),
        (("松濤公司的地址在哪？", "在台北。"), "負責人是誰？", ["松濤公司"]),
        (("云岫书店几点开门？", "九点。"), "有停车场吗？", ["云岫书店"]),
        (("海鳴ホテルの料金はいくらですか？", "一万円。"), "駐車場はありますか？", ["海鳴ホテル"]),
        (("市立美術館在哪裡？", "在車站旁。"), "館長是誰？", ["市立美術館"]),
        (("市立美术馆在哪里？", "在车站旁。"), "馆长是谁？", ["市立美术馆"]),
        (("市立美術館はどこ？", "駅前です。"), "館長は誰ですか？", ["市立美術館"]),
    ],
)
def test_of_a_place_that_was_named_the_same_is_asked(said, utterance, holds):
    check(ask(said, utterance), holds)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("家庭房一晚多少錢？", "三千。", "可以加床嗎？", "可以。"), "有浴缸嗎？", ["家庭房"], []),
        (("家庭房有窗戶嗎？", "有。"), "一晚多少錢？", ["家庭房"], ["窗戶"]),
        (("換発コースの料金は？", "三千円。"), "当日キャンセルはできますか？", ["当日キャンセル"], ["当日換発"]),
        (("换发护照要去哪儿办？", "派出所。", "要多少钱？", "一百。"), "多久能拿到？", ["护照"], []),
        (
            ("暖々ヒーターは静かですか？", "はい。", "E15 はどういう意味ですか？", "故障です。"),
            "型番はどこですか？",
            ["暖々"],
            ["E15の"],
        ),
        (
            ("What is the Lumo 2?", "An espresso machine.", "What does the red light mean?", "The tank is empty."),
            "How much does it weigh?",
            ["Lumo 2"],
            ["red light"],
        ),
        (
            ("What is the Lumo 2?", "A machine.", "What water can I use?", "Soft water, below 6 dH."),
            "Who repairs it?",
            ["Lumo 2"],
            ["dH"],
        ),
    ],
)
def test_what_the_talk_is_about_outlives_what_was_only_asked_by_the_way(said, utterance, holds, lacks):
    query = ask(said, utterance)
    check(query, holds)
    assert not [word for word in lacks if word in query.text]


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (("家庭房一晚多少錢？", "三千。"), "單人房呢？", "單人房一晚多少錢？"),
        (("家庭房一晚多少錢？", "三千。"), "謝謝，那洗澡呢？", "洗澡多少錢？"),
        (("学生会员每年多少钱？", "三百。"), "家庭会员呢？", "家庭会员每年多少钱？"),
        (("普通会员可以带几个朋友？", "两个。"), "那家庭会员呢？", "家庭会员可以带几个朋友？"),
        (("公开链接每天可以下载几次？", "一百次。"), "加密链接呢？", "加密链接每天可以下载几次？"),
        (
            ("キャンセルはいつまでにすればいいですか？", "前日まで。"),
            "当日だとどうなりますか？",
            "当日のキャンセルはどうなりますか？",
        ),
        (("What does a red light mean?", "Empty tank."), "And a blue one?", "What does a blue light mean?"),
        (
            ("How long does Kestrel keep messages by default?", "7 days."),
            "And on the free plan?",
            "How long does Kestrel keep messages by default on the free plan?",
        ),
    ],
)
def test_whole_nouns_change_places(said, utterance, text):
    assert ask(said, utterance).text == text


ROOMS = ("有哪些房型？", "有單人房、家庭房和四人房。")
CARDS = ("有哪些会员？", "有学生会员、普通会员和家庭会员。")
COURSES = ("どんなコースがありますか？", "体験コース、手びねりコース、電動ろくろコースがあります。")
MODES = ("Which brew modes does the Lumo 2 have?", "It has three modes: ristretto, espresso and lungo.")


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (ROOMS, "第二種呢？", "家庭房"),
        (ROOMS, "中間那個多少錢？", "家庭房多少錢？"),
        (ROOMS, "第四個呢？", "第四個呢？"),
        (CARDS, "第二种多少钱？", "普通会员多少钱？"),
        (CARDS, "第五种呢？", "第五种呢？"),
        (COURSES, "二番目の料金は？", "手びねりコースの料金は？"),
        (COURSES, "真ん中のはいくらですか？", "手びねりコースはいくらですか？"),
        (COURSES, "最後のは初心者でもできますか？", "電動ろくろコースは初心者でもできますか？"),
        (COURSES, "五番目は？", "五番目は？"),
        (MODES, "What temperature is the second one brewed at?", "What temperature is espresso brewed at?"),
        (MODES, "And the third?", "lungo"),
        (MODES, "And the fifth?", "And the fifth?"),
    ],
)
def test_what_is_counted_is_named_and_nothing_is_made_up(said, utterance, text):
    assert ask(said, utterance).text == text


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (("海景房一晚多少錢？", "三千。"), "我要問陽台房才對", "陽台房一晚多少錢？"),
        (("海景房一晚多少錢？", "三千。"), "陽台房才對", "陽台房一晚多少錢？"),
        (("学生会员每年多少钱？", "三百。"), "不好意思，是普通会员", "普通会员每年多少钱？"),
        (
            ("体験コースの料金はいくらですか？", "三千円。"),
            "いえ、手びねりコースです",
            "手びねりコースの料金はいくらですか？",
        ),
        (
            ("体験コースの料金はいくらですか？", "三千円。"),
            "違います、電動ろくろコースのことです",
            "電動ろくろコースの料金はいくらですか？",
        ),
        (("大皿の値段は？", "三千円。"), "いや、小皿のこと", "小皿の値段は？"),
        (
            ("What does the red light mean?", "Empty tank."),
            "Sorry, I meant the blue light.",
            "What does the blue light mean?",
        ),
    ],
)
def test_the_new_name_is_not_lost(said, utterance, text):
    query = ask(said, utterance)
    assert (query.decision, query.text) == (Decision.CORRECTION, text)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("家庭房一晚多少錢？", "三千。"), "剛剛那個再說一次", ["家庭房一晚多少錢"], ["剛剛"]),
        (
            ("怎么退款？", "联系客服。", "公开链接会过期吗？", "会。"),
            "回到退款，要多久？",
            ["退款", "多久"],
            ["回到", "链接"],
        ),
        (
            ("夏季休暇は何日ですか？", "三日。", "宿泊費の上限は？", "一万円。"),
            "さっきの夏季休暇の話に戻りますが、いつ取れますか？",
            ["夏季休暇", "いつ取れますか"],
            ["戻り", "宿泊費"],
        ),
        (
            ("How long are messages kept?", "7 days.", "What is error K-23?", "A quota error."),
            "Back to retention: can it be changed per topic?",
            ["retention be changed per topic"],
            ["K-23"],
        ),
    ],
)
def test_going_back_keeps_the_rest_once(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert not [word for word in holds if word not in query.text], query.text
    assert not [word for word in lacks if word in query.text], query.text


@pytest.mark.parametrize("utterance", ["3日前のキャンセル料は？", "二週間前の予約変更は？", "午前の料金は？"])
def test_a_time_before_something_goes_back_to_no_earlier_turn(utterance):
    said = ("当日キャンセルは？", "百パーセントです。", "駐車場は？", "無料です。")
    query = ask(said, utterance)
    assert not any(s.startswith("goes back") for s in query.signals)
    check(query, [utterance.split("の")[0]])

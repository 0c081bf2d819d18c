"""Shorter and stranger than a sentence: what people say in the middle of a talk, and what they mean by it.

Every kind in as many languages as have it; some of the sentences are of people who tried the product.
"""

import pytest

from steps.reconstruct.said import ask, check


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("後勤處在哪裡？", "後勤處在行政大樓一樓。", "水電壞了要打哪支電話？", "水電報修打 8802。"),
            "他們幾點下班？",
            ["後勤處"],
            ["8802", "他們"],
        ),
        (
            ("后勤处在哪里？", "后勤处在行政楼一层。", "水电坏了打哪个电话？", "水电报修打 8802。"),
            "他们几点下班？",
            ["后勤处"],
            ["8802", "他们"],
        ),
        (
            (
                "総務課はどこですか？",
                "総務課は本館1階です。",
                "水漏れは何番に電話すればいいですか？",
                "水漏れは内線8802番です。",
            ),
            "そこは何時まで開いていますか？",
            ["総務課"],
            ["8802"],
        ),
        (
            (
                "Where is the facilities office?",
                "The facilities office is on the ground floor.",
                "What number do I call for a leak?",
                "For leaks call 8802.",
            ),
            "When do they close?",
            ["facilities office|leak"],
            ["8802"],
        ),
    ],
)
def test_they_are_whoever_answers_and_not_the_number_to_call(said, utterance, holds, lacks):
    """They, there: the office, and not its telephone."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("水電報修打哪支電話？", "水電報修打 8802，水電問題二十四小時內處理。"),
            "那電話晚上有人接嗎？",
            ["電話"],
            ["二十四小時內處理的"],
        ),
        (
            ("水电报修打哪个电话？", "水电报修打 8802，水电问题二十四小时内处理。"),
            "那电话晚上有人接吗？",
            ["电话"],
            ["二十四小时内处理的"],
        ),
        (
            ("晨光A2適合多大的房間？", "晨光 A2 適用面積 60 平方公尺，濾芯壽命 8 個月。"),
            "它的噪音呢？",
            ["A2", "噪音"],
            ["平方公尺"],
        ),
        (
            ("晨光A2适合多大的房间？", "晨光 A2 适用面积 60 平方米，滤芯寿命 8 个月。"),
            "它的噪音呢？",
            ["A2", "噪音"],
            ["平方米"],
        ),
        (
            ("龍山寺是誰出資重建的？", "鹿港龍山寺建於 1786 年，由林振嵩出資重建。"),
            "他是做什麼生意的？",
            ["林振嵩", "生意"],
            ["1786", "龍山寺建是"],
        ),
        (
            ("洛阳桥是谁主持修的？", "洛阳桥建成于 1059 年，由蔡襄主持修建。"),
            "他写过什么书？",
            ["蔡襄", "书"],
            ["1059", "洛阳桥写"],
        ),
    ],
)
def test_a_sentence_of_an_answer_is_no_topic(said, utterance, holds, lacks):
    """What stands around a name, an amount or a verb is no part of it."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("誰會植牙？", "林雅婷醫師專長植牙。"), "她星期幾看診？", ["林雅婷", "看診"], ["醫師專"]),
        (("谁会种牙？", "林雅婷医生专长种牙。"), "她周几出诊？", ["林雅婷", "出诊"], ["医生专"]),
        (
            ("誰が診察しますか？", "佐藤健一先生専門は歯周病です。"),
            "何曜日にいますか？",
            ["佐藤健一先生|先生"],
            ["先生専"],
        ),
        (
            ("Who does implants?", "Dr. Linda Park specializes in implants."),
            "What days does she work?",
            ["Linda Park"],
            ["specializes"],
        ),
    ],
)
def test_a_name_ends_where_its_title_does(said, utterance, holds, lacks):
    """林雅婷醫師 | 專長植牙."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("這個杯子可以微波嗎？", "玻璃杯不可以微波。"), "不對，我是問陶瓷的", ["陶瓷", "微波"], ["玻璃"]),
        (("玻璃杯可以微波吗？", "玻璃杯不可以微波。"), "不对，我是问陶瓷的", ["陶瓷", "微波"], ["玻璃"]),
        (
            ("小会議室は何人まで入れますか？", "8名までです。"),
            "小会議室のことではなく、大会議室のことです",
            ["大会議室", "何人"],
            ["小会議室"],
        ),
        (
            ("小会議室は何人まで入れますか？", "8名までです。"),
            "いえ、小会議室のことじゃなくて大会議室のことです。",
            ["大会議室", "何人"],
            ["小会議室"],
        ),
        (
            ("Can the glass mug go in the microwave?", "No."),
            "no, i was asking about the ceramic one",
            ["ceramic", "microwave"],
            ["glass"],
        ),
        (
            ("ガラスのコップは電子レンジで使えますか？", "使えません。"),
            "違います、陶器のほうを聞いています",
            ["陶器", "電子レンジ"],
            ["ガラス"],
        ),
        (("大閱覽室幾點關？", "晚上十點。"), "不是大閱覽室啦，小閱覽室", ["小閱覽室", "幾點"], ["大閱覽室"]),
        (("晨光a1噪音大不大", "45 分貝。"), "說錯了我問的是a2", ["a2", "噪音"], ["a1"]),
        (("晨光a1噪音大不大", "45 分贝。"), "说错了我问的是a2", ["a2", "噪音"], ["a1"]),
    ],
)
def test_what_was_meant_takes_the_place_of_what_was_not(said, utterance, holds, lacks):
    """The question stays, the thing changes."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("どんなコースがありますか？", "1. 茶道教室\n2. 書道教室\n3. 写真教室"),
            "3番目です",
            ["写真教室"],
            ["茶道", "書道"],
        ),
        (
            ("どんな教室がありますか？", "茶道教室、書道教室、写真教室の三つがあります。"),
            "3番目でお願いします",
            ["写真教室"],
            ["茶道", "書道"],
        ),
        (("有哪些課程？", "有三種：陶藝入門、水彩寫生、手沖咖啡。"), "第三個", ["手沖咖啡"], ["陶藝"]),
        (("有哪些課程？", "有三種：陶藝入門、水彩寫生、手沖咖啡。"), "我選第二個", ["水彩寫生"], ["陶藝"]),
        (("有哪些课程？", "有三种：陶艺入门、水彩写生、手冲咖啡。"), "第二个吧", ["水彩写生"], ["陶艺"]),
        (
            ("What plans are there?", "There are three plans: Seed, Grove and Forest."),
            "the third one please",
            ["Forest"],
            ["Seed", "Grove"],
        ),
        (
            ("What plans are there?", "There are three plans: Seed, Grove and Forest."),
            "i'll take the second",
            ["Grove"],
            ["Seed", "Forest"],
        ),
        (
            ("どんなコースがありますか？", "入門、初級、上級の三つです。", "上級の料金は？", "9000円です。"),
            "2番目です",
            ["初級"],
            ["上級"],
        ),
    ],
)
def test_a_bare_choice_is_of_the_list(said, utterance, holds, lacks):
    """3番目です, i'll take the second."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            (
                "Who runs the bakery?",
                "Tom Reed runs it.",
                "Who founded the bakery?",
                "Anna Bell founded it with Tom Reed in 1990.",
            ),
            "What did she do before?",
            ["Anna Bell"],
            ["What did Tom"],
        ),
        (("Who works here?", "Tom Reed and Mia Holt work here."), "What did she do before?", ["Mia Holt"], ["Tom"]),
        (
            ("Who is the manager?", "Tom Reed is the manager. Before him it was Susan Cole."),
            "What did she do before?",
            ["Susan Cole"],
            ["Tom"],
        ),
        (
            ("Who leads the two teams?", "Karen Lund leads sales and Peter Novak leads support."),
            "What did he do before?",
            ["Peter Novak"],
            ["Karen"],
        ),
        (
            ("店長は誰ですか？", "店長は田中太郎、副店長は山口恵子です。"),
            "彼女はどこの出身ですか？",
            ["山口恵子"],
            ["田中"],
        ),
        (("誰負責兩個部門？", "業務部由王建國負責，行銷部由林美玲負責。"), "她以前做過什麼？", ["林美玲"], ["王建國"]),
        (("谁负责两个部门？", "业务部由王建国负责，市场部由林美玲负责。"), "她以前做过什么？", ["林美玲"], ["王建国"]),
    ],
)
def test_she_is_not_him(said, utterance, holds, lacks):
    """Of a man and a woman, the one that the pronoun can mean."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("雑誌は何冊借りられますか？", "3冊までです。", "小会議室の料金は？", "1時間500円です。"),
            "日曜は開いていますか？",
            ["日曜"],
            ["雑誌", "小会議室"],
        ),
        (("大会議室は何人入れますか？", "30名です。"), "月曜日は開いてますか？", ["月曜日"], ["大会議室"]),
        (
            ("雜誌可以借幾本？", "三本。", "小會議室多少錢？", "一小時五百元。"),
            "星期日有開嗎？",
            ["星期日"],
            ["雜誌", "小會議室"],
        ),
        (
            ("杂志能借几本？", "三本。", "小会议室多少钱？", "一小时五十元。"),
            "周日开门吗？",
            ["周日"],
            ["杂志", "小会议室"],
        ),
        (
            (
                "How many magazines can I borrow?",
                "Three.",
                "How much is the small meeting room?",
                "Five dollars an hour.",
            ),
            "Are you open on Sundays?",
            ["Sunday"],
            ["magazine", "meeting room"],
        ),
        (
            ("停車要錢嗎", "住客免費，每晚有 30 個車位。", "有幾個車位？", "30 個。"),
            "那游泳池幾點關",
            ["游泳池"],
            ["車位", "停車"],
        ),
        (
            ("停车要钱吗", "住客免费，有 30 个车位。", "有几个车位？", "30 个。"),
            "那游泳池几点关",
            ["游泳池"],
            ["车位", "停车"],
        ),
        (
            ("wifiは使えますか？", "使えます。", "パスワードは？", "フロントで配布します。"),
            "車で行くんですけど停める場所あります？",
            ["停め|場所"],
            ["wifi", "パスワード"],
        ),
        (
            ("子供が卵アレルギーなのですが、いつまでに連絡すればよろしいですか？", "前日までにお知らせください。"),
            "駅まで迎えに来てもらえますか",
            ["駅", "迎え"],
            ["アレルギー"],
        ),
        (
            ("白川橋の設計者は？", "ヘンリー・ウォードです。"),
            "祭りについて知りたいです。いつ行われますか？",
            ["祭り"],
            ["白川橋"],
        ),
        (("家庭房有厨房吗", "有厨房。"), "早餐几点开始", ["早餐"], ["家庭房"]),
        (("家庭房有廚房嗎", "有廚房。"), "早餐幾點開始", ["早餐"], ["家庭房"]),
        (("Does the Loft Suite have a kitchen?", "Yes."), "When does breakfast start?", ["breakfast"], ["Loft"]),
    ],
)
def test_an_old_topic_is_let_go(said, utterance, holds, lacks):
    """A question for the house, or for something of its own, takes nothing on."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("双人间有窗户吗？", "双人间有窗户。", "单人间呢？", "单人间没有窗户。"),
            "它有空调吗？",
            ["单人间", "空调"],
            ["双人间"],
        ),
        (
            ("雙人房有窗戶嗎？", "雙人房有窗戶。", "單人房呢？", "單人房沒有窗戶。"),
            "它有冷氣嗎？",
            ["單人房", "冷氣"],
            ["雙人房"],
        ),
        (
            (
                "双人间多少钱？",
                "双人间一晚 300 元，单人间一晚 200 元。",
                "单人间呢？",
                "双人间一晚 300 元，单人间一晚 200 元。",
            ),
            "它有空调吗？",
            ["单人间", "空调"],
            ["双人间"],
        ),
        (
            (
                "雙人房多少錢？",
                "雙人房一晚 300 元，單人房一晚 200 元。",
                "單人房呢？",
                "雙人房一晚 300 元，單人房一晚 200 元。",
            ),
            "它有冷氣嗎？",
            ["單人房", "冷氣"],
            ["雙人房"],
        ),
        (
            (
                "ツインルームに窓はありますか？",
                "あります。",
                "シングルルームは？",
                "ツインは300元、シングルは200元です。",
            ),
            "それにエアコンは付いていますか？",
            ["シングルルーム", "エアコン"],
            ["ツイン"],
        ),
        (
            (
                "Does the double room have a window?",
                "Yes.",
                "And the single room?",
                "The double room is 300, the single room 200.",
            ),
            "Does it have air conditioning?",
            ["single room"],
            ["double"],
        ),
    ],
)
def test_it_is_what_was_asked_about_last(said, utterance, holds, lacks):
    """The single room, though the answer told of both."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("這間密室有幾個主題？", "迷霧密室有三個主題。", "預約電話幾號？", "02-1234-5678。"),
            "電話是02-1234-5678對吧，這裡可以玩多久？",
            ["玩多久"],
            ["這裡"],
        ),
        (("这家密室有几个主题？", "迷雾密室有三个主题。"), "电话记下来了，这里能玩多久？", ["玩多久"], []),
        (("飛船適合幾歲？", "飛船主題適合八歲以上。"), "我女兒九歲，應該可以。票價呢？", ["飛船", "票價"], []),
        (("飞船适合几岁？", "飞船主题适合八岁以上。"), "我女儿九岁，应该可以。票价呢？", ["飞船", "票价"], []),
        (("飛行船コースは何歳からですか？", "8歳からです。"), "娘は9歳です。料金は？", ["飛行船コース", "料金"], []),
        (
            ("What age is the airship room for?", "Eight and up."),
            "My daughter is nine, so fine. How much is it?",
            ["airship room"],
            [" it?"],
        ),
    ],
)
def test_what_is_told_first_is_no_topic(said, utterance, holds, lacks):
    """A statement, and then a question."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("陪产假多少天", "产假一百五十八天，陪产假十五天，工资照发。"), "工资照发吗", ["陪产假", "工资"], []),
        (("陪產假幾天", "陪產假十五天，薪水照發。"), "薪水照發嗎", ["陪產假", "薪水"], []),
        (
            ("風行X5一次可以掃多久", "風行 X5 充一次電可以掃 150 分鐘，它的濾網每半年要換一次。"),
            "濾網多久要換",
            ["X5", "濾網"],
            [],
        ),
        (("一次可以借幾本書", "每人可以借十本書，借期三十天。"), "借期多長？", ["書", "借期"], []),
        (
            ("水彩寫生是什麼時候上課", "水彩寫生每週六早上上課，學費 2800 元，老師是蘇怡君。"),
            "老師是誰？",
            ["水彩寫生", "老師"],
            [],
        ),
        (
            ("書道教室はいつですか？", "書道教室は毎週木曜日、月謝は5000円です。道具は貸し出します。"),
            "道具は借りられますか",
            ["書道教室", "道具"],
            [],
        ),
        (
            ("写真教室はいつですか？", "写真教室は隔週日曜日、月謝は7000円です。"),
            "月謝はいくらですか？",
            ["写真教室", "月謝"],
            [],
        ),
        (
            ("在宅勤務は週何日までですか？", "在宅勤務は週3日まで可能です。申請は上司の承認が必要です。"),
            "承認は要りますか",
            ["在宅勤務", "承認"],
            [],
        ),
        (
            (
                "How heavy is the Brewline 400?",
                "The Brewline 400 weighs 5 kg and has a three year warranty and a milk frother.",
            ),
            "whats the warranty",
            ["Brewline 400", "warranty"],
            ["for heavy"],
        ),
        (
            ("How much is Grove?", "Grove costs 9 dollars a month. Phone support is on weekdays."),
            "is there phone support?",
            ["Grove", "phone support"],
            [],
        ),
    ],
)
def test_what_an_answer_told_of_its_topic_is_asked_of_it(said, utterance, holds, lacks):
    """老師是誰？ is asked of the class that was talked about."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("海景雙人房一晚多少錢", "4200 元。", "山景四人房呢", "5800 元。"),
            "哪一間比較大？",
            ["海景雙人房", "山景四人房"],
            [],
        ),
        (
            ("洛阳桥是什么时候建的", "1059 年。", "安平桥呢，什么时候建的？", "1138 年。"),
            "哪座桥更早？",
            ["洛阳桥", "安平桥"],
            [],
        ),
        (
            ("f10の保証は何年？", "1年です。", "じゃあF20は？", "2年です。"),
            "どっちが軽い？",
            ["f10", "F20", "軽い"],
            [],
        ),
        (
            ("How much is the Garden Room?", "140 euros.", "And the Loft Suite?", "220 euros."),
            "Which one is cheaper?",
            ["Garden Room", "Loft Suite"],
            [],
        ),
        (
            ("龍山寺是什麼時候建的", "1786 年。", "天后宮呢，哪一年蓋的", "1591 年。"),
            "這兩間廟哪間比較老",
            ["龍山寺", "天后宮"],
            [],
        ),
        (("晨光a1噪音大不大", "45 分贝。", "a2呢", "52 分贝。"), "两个哪个安静一点", ["a1", "a2"], []),
        (
            ("How heavy is the brewline 400?", "5 kg.", "and the brewline 200?", "3 kg."),
            "which is cheaper",
            ["brewline 400", "brewline 200"],
            [],
        ),
    ],
)
def test_things_asked_about_one_after_the_other_are_compared(said, utterance, holds, lacks):
    """Which is cheaper, of two questions' topics."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("种植牙找哪位医生", "明眸口腔有两位医生：赵一鸣擅长种植牙，孙晓燕擅长儿童牙科。"),
            "他从业多少年了",
            ["赵一鸣", "从业"],
            ["孙晓燕"],
        ),
        (
            ("植牙找哪位醫師", "明眸口腔有兩位醫師：趙一鳴擅長植牙，孫曉燕擅長兒童牙科。"),
            "他從業多少年了",
            ["趙一鳴", "從業"],
            ["孫曉燕"],
        ),
        (("植牙找哪位醫師", "明眸口腔有兩位醫師：趙一鳴擅長植牙，孫曉燕擅長兒童牙科。"), "另一位呢？", ["孫曉燕"], []),
        (
            ("内科の先生は誰ですか？", "内科は佐藤健一先生、小児科は山口恵子先生が担当します。"),
            "その先生の専門も教えてください",
            ["佐藤健一", "専門"],
            ["山口"],
        ),
        (
            ("皮膚科是誰看的？", "小兒科由陳美玲醫師看診，皮膚科由許志豪醫師看診。"),
            "他是哪間學校畢業的",
            ["許志豪", "畢業"],
            ["陳美玲", "青苗"],
        ),
        (
            (
                "小兒科是哪位醫師看的",
                "小兒科由陳美玲醫師看診，皮膚科由許志豪醫師看診。",
                "她星期幾有診？",
                "陳美玲醫師星期二和星期四看診。",
            ),
            "專長呢",
            ["陳美玲", "專長"],
            ["幾有診"],
        ),
        (
            (
                "who treats children",
                "Dr. Hannah Price treats children and Dr. Mark Oduya treats adults.",
                "what days does she work?",
                "Hannah Price sees patients on Tuesdays.",
            ),
            "and who treats adults?",
            ["adults"],
            ["days does"],
        ),
        (
            (
                "who treats children",
                "Dr. Hannah Price treats children and Dr. Mark Oduya treats adults.",
                "what did she do before",
                "She worked in a field hospital.",
            ),
            "and for adults?",
            ["adults", "treats"],
            ["Price", "before"],
        ),
        (
            (
                "Who designed Harwick Bridge?",
                "Harwick Bridge was designed by Eleanor Voss.",
                "Where was she born?",
                "In Bristol.",
            ),
            "When did it open?",
            ["Harwick Bridge"],
            ["Voss", "did designed"],
        ),
    ],
)
def test_whoever_was_asked_for_is_meant(said, utterance, holds, lacks):
    """He, 另一位, その先生, and the question that was asked of another."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("how many books can i take out", "Eight."), "for how long?", ["books"], []),
        (("what about late dvds", "One dollar a day."), "and if theyre lost?", ["dvds", "lost"], ["theyre"]),
        (("what does error 15 mean", "The pump is blocked."), "and 12?", ["12", "error"], ["15"]),
        (
            ("Who built Harwick Bridge?", "Eleanor Voss."),
            "And the mill, who built that?",
            ["mill", "built"],
            ["Bridge", "that"],
        ),
        (("電池保固多久？", "風行系列保固一年，電池保固六個月。"), "濾網也一樣嗎？", ["濾網", "保固"], []),
        (("專案保固多久", "X3 保固一年。"), "電池也一樣嗎？", ["電池", "保固"], []),
        (
            ("小児科の先生は誰ですか？", "山口恵子先生です。", "何曜日に診てもらえますか", "火曜日です。"),
            "専門は？",
            ["専門"],
            ["何曜日"],
        ),
        (
            ("それはF20に付いていますか？", "はい。", "F20の保証は何年？", "2年です。"),
            "リモコンある？",
            ["F20", "リモコン"],
            ["何年"],
        ),
        (("洛阳桥是谁修的", "蔡襄。"), "这座桥用了什么办法加固", ["洛阳桥", "加固"], ["写"]),
        (
            ("山車は何台出ますか", "12台です。"),
            "お城の話に戻りますが、いつ建てられたのですか",
            ["城", "建て"],
            ["山車"],
        ),
        (
            (
                "What does Seed cost?",
                "Seed is free.",
                "what about Grove?",
                "Grove costs 9 dollars a month and stores 100 GB.",
            ),
            "is the first one really free",
            ["free"],
            ["month"],
        ),
    ],
)
def test_short_questions(said, utterance, holds, lacks):
    """Pieces of a question, without an apostrophe or a verb."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("護照要怎麼申請？", "到外交部。"), "簽證要怎麼弄", ["簽證", "申請"], ["護照"]),
        (
            ("我用的是灰鸽，怎么进入配对模式？", "长按右耳。", "灯是什么颜色？", "蓝色。"),
            "我朋友的是白鹭，他要怎么弄？",
            ["白鹭", "配对模式"],
            ["灰鸽", "他"],
        ),
        (
            ("灰鷺のペアリングはどうやってやりますか？", "右を5秒長押しします。"),
            "友達のは白鷺なのですが、どうすればいいですか？",
            ["白鷺", "ペアリング"],
            ["灰鷺"],
        ),
        (
            ("How do I pair the Heron earbuds?", "Hold five seconds."),
            "My friend has the Egret, how does he do that?",
            ["Egret", "pair"],
            ["Heron", " he "],
        ),
    ],
)
def test_how_that_is_done_with_another_thing(said, utterance, holds, lacks):
    """怎麼弄, do that: what was asked of the first thing."""
    check(ask(said, utterance), holds, lacks)


def test_that_is_not_what_it_is():
    """It is showing W3: "it" goes back, "that" is the W3 just named."""
    query = ask(("Tell me about the Rillet washer.", "It is quiet."), "It's showing W3 now, what does that mean?")
    check(query, ["Rillet", "W3"], ["does Rillet", "does the Rillet"])


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("雲海房平日多少", "3200 元。", "竹林房呢", "4800 元。", "有陽台嗎", "竹林房沒有陽台。"),
            "兩間哪個便宜",
            ["雲海房", "竹林房"],
            [],
        ),
        (
            ("云台寺门票多少", "30 元。", "望江塔呢", "20 元。"),
            "这两个哪个票价便宜",
            ["云台寺", "望江塔"],
            ["这望江塔"],
        ),
        (
            ("How much is the oak room?", "90.", "And the elm room?", "130.", "are dogs allowed in it?", "No."),
            "which one sleeps more people?",
            ["oak room", "elm room"],
            [],
        ),
        (
            ("和室の料金は？", "12000円です。", "洋室だといくらですか？", "9000円です。"),
            "どちらのほうが広いですか？",
            ["和室", "洋室"],
            [],
        ),
    ],
)
def test_two_of_which_other_things_were_asked_since_are_compared(said, utterance, holds, lacks):
    """What the last question asked beside them is not among them."""
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("骨科在几楼", "骨科在三楼。"), "主任是谁", ["骨科", "主任"], []),
        (("骨科在幾樓", "骨科在三樓。"), "主任是誰", ["骨科", "主任"], []),
        (
            ("市立美術館はいつできましたか？", "1975年に開館しました。"),
            "初代館長は？",
            ["市立美術館", "館長"],
            ["いつ"],
        ),
        (
            ("青葉橋を設計した人は誰？", "青葉橋は1928年に完成し、設計したのは田村正三です。"),
            "出身はどこですか",
            ["田村正三", "出身"],
            ["完成"],
        ),
        (("When did the museum open?", "In 1975."), "who was the director?", ["museum", "director"], []),
    ],
)
def test_who_leads_it_is_asked_of_it(said, utterance, holds, lacks):
    """A head, a director, and where the one that was asked for comes from."""
    check(ask(said, utterance), holds, lacks)

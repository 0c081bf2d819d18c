"""Greetings, orders, offers taken up."""

import pytest

import anaphor
from anaphor.types import Decision
from steps.reconstruct.said import ask, check

LEAVE = ("年假要提前几天申请？", "年假须提前三天申请。")
EN = ("How long is parental leave?", "Parental leave is 16 weeks.")


@pytest.mark.parametrize(
    "utterance",
    [
        *(
            "谢谢",
            "好的谢谢，辛苦了～",
            "謝謝你！",
            "好，了解",
            "知道了，謝謝",
            "ok",
            "OK 👍",
            "嗯嗯",
            "太棒了！",
            "原來如此",
            "你好",
            "早安",
            "再見",
            "掰掰",
            "哈囉",
            "感謝您的說明",
            "好喔",
        ),
        *(
            "Thanks, that's all!",
            "thank you so much",
            "ok",
            "Great, thanks!",
            "hello",
            "Hi there!",
            "Got it.",
            "bye",
            "Good morning",
            "cool",
            "That's very helpful, thank you.",
            "👍 thanks",
            "ok got it thanks",
            "see you later",
            "How are you?",
        ),
        *(
            "ありがとうございます",
            "了解しました",
            "わかりました。ありがとうございました。",
            "こんにちは",
            "はい、わかりました",
            "お疲れ様です",
            "なるほど",
            "助かりました！",
            "おはようございます",
        ),
    ],
)
def test_what_is_only_polite_is_not_looked_up(utterance):
    query = ask(EN, utterance)
    assert query.decision is Decision.SMALL_TALK
    assert not query.terms
    assert ask((), utterance).decision is Decision.SMALL_TALK


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (LEAVE, "好的谢谢，辛苦了～那病假要交证明吗", ["病假", "证明"], ["谢谢", "辛苦", "年假"]),
        (LEAVE, "你好，请问育儿假有几天", ["育儿假", "几天"], ["你好", "年假"]),
        (LEAVE, "謝謝！那報帳流程怎麼走？", ["報帳"], ["謝謝"]),
        (LEAVE, "早安 請問停車證怎麼辦？", ["停車證"], ["早安"]),
        (EN, "Thanks! How do I book a meeting room?", ["meeting room"], ["thanks", "parental"]),
        (EN, "hi can you tell me where the lost property office is", ["lost property"], ["parental"]),
        (EN, "Great, thank you. Where is the cafeteria?", ["cafeteria"], ["thank", "great"]),
        (EN, "Where is the cafeteria? Thanks!", ["cafeteria"], ["thanks"]),
        (EN, "ありがとうございます。食堂は何時に開きますか？", ["食堂", "何時"], ["ありがとう"]),
        (EN, "こんにちは！駐車許可証はどこで受け取れますか", ["駐車許可証"], ["こんにちは"]),
    ],
)
def test_a_greeting_before_a_question_is_dropped(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert query.decision.retrieves
    check(query, holds, lacks)


@pytest.mark.parametrize(
    "utterance",
    [
        "谢谢卡在哪里领",
        "好市多在哪裡？",
        "早餐店幾點開？",
        "行李可以寄放嗎？",
        "感謝狀怎麼申請？",
        "你好漂亮化妝品在哪買？",
        "Hello Kitty store opening hours?",
        "Is Nice in France?",
        "ありがとうカードはどこでもらえますか",
        "Thank-you gifts: what is the limit?",
        "Cheers lyrics?",
    ],
)
def test_a_thing_called_like_a_greeting_is_looked_up(utterance):
    query = ask((), utterance)
    assert query.decision.retrieves
    assert query.text == utterance


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("溫泉會館的大眾池幾點開？", "大眾池 7:00 開放。要不要順便告訴您湯屋的收費方式？"),
            "好啊",
            ["湯屋", "收費", "溫泉會館"],
            ["好啊", "要不要"],
        ),
        (
            ("溫泉會館的大眾池幾點開？", "大眾池 7:00 開放。要不要順便告訴您湯屋的收費方式？"),
            "好，麻煩你",
            ["湯屋", "收費"],
            ["麻煩"],
        ),
        (("退货政策是什么？", "七天内可退。需要我介绍一下换货流程吗？"), "可以", ["换货流程"], ["需要我"]),
        (("退货政策是什么？", "七天内可退。您想了解运费由谁承担吗？"), "想", ["运费"], []),
        (
            ("社員証をなくしました。", "再発行には上長の承認が必要です。申請フォームの場所をご案内しましょうか？"),
            "お願いします",
            ["社員証", "再発行", "申請|フォーム"],
            ["お願い"],
        ),
        (
            ("社員証をなくしました。", "再発行には上長の承認が必要です。申請フォームの場所をご案内しましょうか？"),
            "はい、お願いします。",
            ["申請フォーム"],
            ["お願い", "はい"],
        ),
        (
            ("プールは何時までですか？", "20時までです。料金についてもご説明しましょうか？"),
            "ぜひ",
            ["プール", "料金"],
            ["ぜひ"],
        ),
        (
            ("When does the pool open?", "At 7:00. Would you like to know about the entrance fees?"),
            "Yes please",
            ["pool", "entrance fees"],
            ["please"],
        ),
        (
            ("When does the pool open?", "At 7:00. Shall I explain how to book a lane?"),
            "sure",
            ["pool", "book", "lane"],
            ["sure"],
        ),
        (
            ("What is the Basalt plan?", "A 5 GB plan. Do you want me to compare it with the Granite plan?"),
            "yes, go ahead",
            ["Granite plan"],
            ["go ahead"],
        ),
    ],
)
def test_an_offer_taken_up_is_the_question(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (("大眾池幾點開？", "7:00。要不要告訴您湯屋的收費方式？"), "不用了，謝謝"),
        (("When does the pool open?", "At 7:00. Would you like to know about the fees?"), "no thanks"),
        (("プールは何時までですか？", "20時です。料金もご案内しましょうか？"), "結構です"),
    ],
)
def test_an_offer_turned_down_is_not_looked_up(said, utterance):
    assert ask(said, utterance).decision is Decision.SMALL_TALK


@pytest.mark.parametrize(
    "utterance",
    [
        "先記住這些要求：報告用繁體中文，不超過三頁。",
        "请记住我喜欢喝无糖的",
        "忘記剛才說的",
        "忘掉前面的內容吧",
        "重新開始",
        "換個話題",
        "請用日文回答",
        "以後請簡短回答",
        "start over",
        "Forget everything I said.",
        "forget that",
        "Please remember that I am vegetarian.",
        "answer in English please",
        "From now on keep it short.",
        "さっきのは忘れてください",
        "最初からやり直して",
        "私はベジタリアンだと覚えておいてください",
        "日本語で答えてください",
    ],
)
def test_an_order_to_the_assistant_is_not_looked_up(utterance):
    assert ask(EN, utterance).decision is Decision.COMMAND


@pytest.mark.parametrize(
    "utterance",
    [
        "忘記密碼怎麼辦？",
        "忘了帶證件可以入場嗎？",
        "如何重新開始安裝？",
        "記住密碼的功能怎麼開？",
        "I forgot my password, how do I reset it?",
        "How do I start over in Harbor Quest?",
        "Where is the remember me checkbox?",
        "パスワードを忘れました。どうすればいいですか？",
        "リセットボタンはどこですか？",
    ],
)
def test_what_only_sounds_like_an_order_is_looked_up(utterance):
    assert ask(EN, utterance).decision.retrieves


@pytest.mark.parametrize(
    ("order", "utterance"),
    [("忘記剛才說的", "多少錢？"), ("start over", "how much does it cost?"), ("さっきのは忘れて", "いくらですか？")],
)
def test_nothing_is_carried_across_a_fresh_start(order, utterance):
    said = ("Lumen L2 檯燈可以調光嗎？", "可以。", order, "好的。")
    check(ask(said, utterance), [], ["Lumen"])


def test_a_question_after_an_order_stands_alone():
    query = ask(("Lumen L2 檯燈可以調光嗎？", "可以。"), "忘記剛才說的，高鐵票怎麼退？")
    assert query.decision.retrieves
    check(query, ["高鐵票"], ["Lumen", "忘記"])


@pytest.mark.parametrize(
    ("said", "utterance", "holds"),
    [
        (("幾點開門？", "請問您問的是哪一家門市？"), "台北店", ["台北店", "幾點"]),
        (("What time does it open?", "Which branch do you mean?"), "the Harbor branch", ["Harbor", "open"]),
        (("何時に開きますか？", "どの支店のことでしょうか？"), "大阪支店です", ["大阪支店", "何時"]),
    ],
)
def test_a_reply_to_a_question_asked_back_completes_the_first_question(said, utterance, holds):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds)


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (
            ["静かな宿を探しています。", "承知しました。湖沿いの宿はいかがでしょうか？", "そうなんですね。"],
            "それでお願いします。",
            "湖沿いの宿",
        ),
        (
            ["山の宿がいいです。", "車でお越しとのことですので、駐車場のある宿をお探ししましょうか？"],
            "ぜひお願いします。",
            "駐車場のある宿",
        ),
        (["二人で行きます。", "ご予算はいかがでしょうか？"], "まだ決めていません。", "予算はまだ決めていません。"),
        (["山の宿がいいです。", "承知しました。何名様でしょうか？"], "大人二人です。", "大人二人です。"),
    ],
)
def test_a_wish_is_what_was_offered_or_asked_for_and_nothing_else(said, utterance, text):
    assert ask(said, utterance).text == text


@pytest.mark.parametrize(
    ("answer", "utterance", "holds"),
    [
        ("静かなお部屋ですと離れがございます。いかがでしょうか。", "ぜひ", ["離れ"]),
        ("駅から送迎付きの宿をお調べします。こちらになさいますか？", "希望します", ["送迎"]),
    ],
)
def test_what_was_offered_stands_before_the_words_that_only_ask(answer, utterance, holds):
    check(ask(("宿を探しています。", answer), utterance), holds, ["いかが", "なさい"])


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (("1人2万円で考えています。", "ビジネス目的でしょうか？"), "いえ、旅行です。"),
        (("一個人兩萬元。", "是出差用的嗎？"), "不是，是旅行。"),
        (("一个人两万元。", "是出差用的吗？"), "不是，是旅行。"),
        (("Two hundred dollars each.", "Is it for business?"), "No, a holiday."),
    ],
)
def test_no_is_an_answer_where_the_assistant_asked(said, utterance):
    query = ask(said, utterance)
    assert query.decision is not Decision.CORRECTION
    assert not [x for x in query.left_behind if x.reason == "retracted"]


@pytest.mark.parametrize("text", ["我忘記了。", "我忘了", "忘記了", "I forgot.", "忘れました"])
def test_who_forgot_asks_for_nothing_to_be_forgotten(text):
    said = [{"role": "user", "content": "我住台北。"}, {"role": "assistant", "content": "好，我知道了。"}]
    assert anaphor.reconstruct(said, text).decision != "command"

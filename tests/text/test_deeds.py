"""Whose a sentence is and what it does, in four languages."""

from __future__ import annotations

import pytest

from anaphor.text.deeds import ME, SOMEBODY, Deed, told, whose

OWNERS = {
    "My wife's phone is 555-2222.": {"wife"},
    "My daughter is allergic to milk.": {"daughter"},
    "My mum's dentist appointment was moved to Friday.": {"mother"},
    "My wife and I live in Leeds.": {ME},
    "I live in Leeds with my mother.": {ME},
    "My brother gave me a bike.": {"brother", ME},
    "Tom lives in York.": {"tom"},
    "She works at a bank.": {SOMEBODY},
    '"I live in Paris," said Tom.': {SOMEBODY},
    "My doctor lowered it to 10 mg.": {ME},
    "My doctor's number is 555-3333.": {"doctor"},
    "The wedding is on June 3.": set(),
    "我太太的電話是5552222。": {"太太"},
    "我老婆的手机号是139。": {"太太"},
    "我媽的牙醫改到週五。": {"妈妈"},
    "我朋友說他住在花蓮。": {"朋友", SOMEBODY},
    "我和太太住在台北。": {ME},
    "我太太和我住在台北。": {ME},
    "他在银行上班。": {SOMEBODY},
    "医生加到10毫克。": set(),
    "夫のメールは ken@b.jp です。": {"夫"},
    "お母さんは京都に住んでいます。": {"母"},
    "私は母と住んでいます。": {ME},
    "姉が本をくれました。": {"姉", ME},
    "田中さんは大阪に住んでいます。": {"田中さん"},
    "先生が10mgに増やしました。": set(),
}


@pytest.mark.parametrize(("sentence", "owners"), OWNERS.items())
def test_whose_a_sentence_is(sentence, owners):
    assert told(sentence).owners == owners


ASKED = {
    "Where do I live?": {ME},
    "Where was my father born?": {"father"},
    "When is my sister's birthday?": {"sister"},
    "Where does Tom live?": {"tom"},
    "When did I meet my wife?": {ME},
    "When is the wedding?": set(),
    "我住哪裡？": {ME},
    "我媽住哪？": {"妈妈"},
    "我姐姐的生日是什么时候？": {"姐姐"},
    "私はどこに住んでいますか？": {ME},
    "息子の誕生日はいつですか？": {"息子"},
}


@pytest.mark.parametrize(("question", "owners"), ASKED.items())
def test_of_whom_a_question_wants_to_know(question, owners):
    assert whose(question) == owners


@pytest.mark.parametrize(
    ("sentence", "question", "may"),
    [
        ("I was born in Lyon.", "Where was my father born?", False),
        ("My father was born in Nice.", "Where was my father born?", True),
        ("He was born in Nice.", "Where was my father born?", True),
        ("My boss is Tom.", "Who is my boss?", True),
        ("Tom is my boss.", "Who is my boss?", True),
        ("My son's birthday is May 5.", "When is my daughter's birthday?", False),
        ("It was moved to Friday.", "When is my flight?", True),
        ("我兒子對蝦子過敏。", "我對什麼過敏？", False),
        ("我的女朋友是小美。", "我的女朋友是誰？", True),
        ("我十月八号过生日。", "我女儿什么时候过生日？", False),
        ("娘は卵アレルギーです。", "私は何のアレルギーですか？", False),
        ("彼女は美咲です。", "私の彼女は誰ですか？", True),
        ("卵は食べられません。", "私は何のアレルギーですか？", True),
    ],
)
def test_a_sentence_answers_about_those_it_is_about(sentence, question, may):
    assert told(sentence).may_tell_of(whose(question)) is may


DEEDS = {
    Deed.CORRECTS: ("Sorry, I meant Tim.", "No wait, it's Luis.", "說錯了，是汪醫師。", "6月13日の間違いです。"),
    Deed.CHANGES: ("The Rome trip is now on 10 May.", "剪頭髮改到週三了。", "加到8公里了。", "20時に変わりました。"),
    Deed.ENDS: ("I quit yesterday.", "Mia and I broke up.", "我昨天離職了。", "维生素停掉了。", "先月退職しました。"),
    Deed.CANCELS: ("The trip is off.", "会取消了。", "西安不去了。", "旅行は中止になりました。"),
    Deed.REVIVES: ("It's back on, 17 May.", "又恢复了，改成十月。", "また行くことになりました。"),
    Deed.ADDS: ("I bought two mugs.", "又买了三盆。", "3つ買い足しました。"),
    Deed.TAKES: ("I broke one.", "打破了一個。", "1つ枯れました。"),
    Deed.SUPPOSES: ("I might move to Galway.", "我可能會搬到台北。", "引っ越すかもしれません。"),
    Deed.DENIES: ("They wanted to move it, but I refused.", "我沒有搬到高雄。", "引っ越しませんでした。"),
    Deed.PLANS: ("I'm moving to Rome in June.", "下個月要搬到台北。", "来月東京に引っ越します。"),
    Deed.STAYS: ("I'm staying in Paris for two days.", "我要去花蓮玩三天。", "2泊3日の旅行です。"),
}


@pytest.mark.parametrize(("deed", "sentence"), [(deed, one) for deed, said in DEEDS.items() for one in said])
def test_what_a_sentence_does(deed, sentence):
    assert deed in told(sentence).deeds


@pytest.mark.parametrize(
    "sentence",
    ["I live in Leeds.", "My phone is 555-1111.", "我住台南。", "我的生日是五月三日。", "名古屋に住んでいます。"],
)
def test_who_only_says_how_things_are_does_none_of_it(sentence):
    assert not told(sentence).deeds


@pytest.mark.parametrize(
    ("sentence", "leans"),
    [
        ("Sorry, June 13.", True),
        ("Make it four people.", True),
        ("I broke one.", True),
        ("Sorry, my dentist is on Friday.", False),
        ("The Oslo trip is off.", False),
        ("改成四個人。", True),
        ("打破了一個。", True),
        ("牙醫改到週五了。", False),
        ("4名に変更しました。", True),
        ("美容院は水曜に変わりました。", False),
    ],
)
def test_what_names_no_thing_of_its_own_leans_on_what_was_said_before(sentence, leans):
    assert told(sentence).leans is leans

"""The value that comes out: terms and their weights, sub-queries, pasted text, memory, what always holds."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphor.steps.reconstruct import reconstruct, replay, understood
from anaphor.steps.reconstruct.parts import sub_queries
from anaphor.text.fold import clean
from anaphor.text.weigh import weigh
from anaphor.types import Decision, Outcome, Question, Recollection, StandaloneQuery
from steps.reconstruct.said import ask, check, everything, recollection

TRAIN = ("台北到花蓮的火車要多久？", "普悠瑪約兩小時十分。")


def test_own_words_weigh_most_and_what_is_carried_less():
    query = ask(("How do I apply for the Norland visa?", "Fill in form N-7."), "How long does it take for students?")
    weights = weigh(query)
    assert weights["student"] == 1.0
    assert 0 < weights["apply"] < weights["student"]
    heaviest = max(query.terms, key=lambda term: term.weight)
    assert heaviest.term == "Norland visa"  # what "it" means is what the question is about
    assert all(0 < t.weight <= 1.0 for t in query.terms if t is not heaviest)
    assert [t.weight for t in query.terms] == sorted((t.weight for t in query.terms), reverse=True)


@pytest.mark.parametrize(
    "asked", ["新たに語を造ることを何という？", "新しく語を造ることを何といいますか", "造新詞叫做什麼？"]
)
def test_an_utterance_that_nothing_is_taken_from_is_looked_up_whole(asked):
    assert weigh(ask((), asked)) == weigh(StandaloneQuery(asked, Decision.STANDALONE, 1.0, ask((), asked).language))


def test_a_long_answer_lends_its_vocabulary_and_a_short_one_nothing():
    long = "Boilers need descaling. " + "Descaling a boiler takes citric acid; citric acid dissolves limescale. " * 4
    query = ask(("How do I look after the Otter C2 boiler?", long), "How often?")
    assert any("citric" in t.term.lower() and t.weight < 0.5 for t in query.terms)
    short = ask(("How do I look after the Otter C2 boiler?", "With citric acid."), "How often?")
    check(short, ["Otter C2"], ["citric"])


def test_everything_carried_says_from_where_and_why():
    query = ask(TRAIN, "那自強號呢？")
    assert {(c.seq, c.reason) for c in query.carried} == {(1, "slot")}
    assert {c.text for c in query.carried} == {"台北", "花蓮"}
    assert query.rewriter == "embedded"
    assert query.signals


@pytest.mark.parametrize(
    ("utterance", "language"),
    [
        ("「殿下先謁陵乎？先即位乎？」這句話是誰說的?", "zh-Hant"),
        ("舟山與大陸相連的為哪個高速公路?", "zh-Hant"),
        ("中国和朝鲜的边界在哪里？", "zh-Hans"),
        ("シベリア気団の勢力が弱くなった後、現れるものは何気団か", "ja"),
        ("例年５月～７月に起こる、雨の多い時期を何というか。", "ja"),
        ('Who said "Shall we go? Or stay?" in the play?', "en"),
    ],
)
def test_one_question_is_one_query_however_it_is_joined(utterance, language):
    assert sub_queries(utterance, language) == ()


@pytest.mark.parametrize(
    ("utterance", "parts"),
    [
        ("比較極光套餐跟星塵套餐的流量上限，還有合約中途可以退訂嗎？", ["極光套餐", "星塵套餐", "退訂"]),
        ("营业时间是几点到几点？停车场怎么收费？", ["营业时间", "停车场"]),
        ("営業時間は何時までですか？駐車場はありますか？", ["営業時間", "駐車場"]),
        ("What are the opening hours, and how much is parking?", ["opening hours", "parking"]),
        ("Compare the Basalt plan and the Granite plan in terms of storage", ["Basalt", "Granite"]),
    ],
)
def test_several_questions_are_several_queries(utterance, parts):
    query = ask((), utterance)
    assert 2 <= len(query.queries) <= 4
    assert query.text == utterance
    for part in parts:
        assert any(part in q for q in query.queries)


@pytest.mark.parametrize(
    "utterance",
    [
        "台北到花蓮的火車要多久？",
        "I live in Ohio. How do I register my boat?",
        "still failing, now with E-4413 from https://intra.example.test/api?tenant=aq-09 - same cause?",
        "これは使えますか？なぜですか？",
        "版本 3.5.1 支援嗎？",
    ],
)
def test_one_question_is_one_query(utterance):
    assert sub_queries(utterance, "en" if utterance.isascii() else "ja" if "か？" in utterance else "zh-Hant") == ()


@pytest.mark.parametrize(
    ("utterance", "language"),
    [
        ("下週二那個活動，哪一個是它的地點？", "zh-Hant"),
        ("那个叫海洋之夜的活动，几点是它的开始时间？", "zh-Hans"),
        ("海洋博覧の夜は何時からで、それとその場所はどこですか？", "ja"),
        ("Which talk is the longest, and where does it take place?", "en"),
    ],
)
def test_what_points_back_is_not_asked_apart(utterance, language):
    assert sub_queries(utterance, language) == ()


def test_only_what_is_announced_is_asked():
    rambled = "天氣真好，昨天去了哪裡都忘了？我本來想問的是，誰住在台南？喔對，夢到海。我其實想知道的是，展覽在哪天？"
    assert sub_queries(rambled, "zh-Hant") == ("誰住在台南？", "展覽在哪天？")


HEARTBEAT = "2031-05-04T10:00:00Z INFO worker heartbeat ok queue=ingest depth=3\n"


@pytest.mark.parametrize(
    ("pasted", "holds"),
    [
        (
            "Here is the log:\n"
            + HEARTBEAT * 900
            + "WARN snapshot skipped\nWhich retention setting fixes the snapshots?",
            ["retention", "snapshots"],
        ),
        (
            "Why does the export fail?\n" + HEARTBEAT * 900 + "ERROR exporter QL-4402 timed out\n" + HEARTBEAT * 20,
            ["export", "QL-4402"],
        ),
        (HEARTBEAT * 40 + "ERROR QL-4402 acquire timed out\n這個怎麼解決？", ["QL-4402", "怎麼解決"]),
        ("[03:12:44] tanebox: put failed TB-0071\n[03:12:44] giving up\n何が原因ですか？", ["TB-0071", "原因"]),
        (
            'Traceback:\n  File "a.py", line 3\npinecart.LoadError: LD-310\n\nWhat does this mean?',
            ["LD-310", "mean"],
        ),
        ("一段很長的說明。" * 400 + "\n退訂要付違約金嗎？", ["退訂", "違約金"]),
    ],
)
def test_the_question_in_a_paste_is_found(pasted, holds):
    query = ask((), pasted)
    assert query.decision.retrieves
    assert len(query.text) <= 2000
    check(query, holds)


def test_ten_megabytes_pass_quickly():
    query = ask((), HEARTBEAT * 150_000 + "Which setting stops the heartbeat?")
    check(query, ["setting", "heartbeat"])
    assert len(query.text) <= 2000


def test_a_paste_does_not_decide_the_language():
    assert ask((), HEARTBEAT * 3 + "ERROR QL-4402 timed out\n這個怎麼解決？").language == "zh-Hant"


@pytest.mark.parametrize(
    "utterance",
    [
        *(
            "我之前說過我喜歡什麼？",
            "我對什麼過敏？",
            "你還記得我的狗叫什麼名字嗎？",
            "我上次問了什麼？",
            "我昨天跟你提到的餐廳叫什麼？",
            "我喜歡喝什麼？",
        ),
        *("我之前说过什么？", "你上次推荐我的书是哪本？", "我住在哪里？"),
        *(
            "What did I say about the budget?",
            "What is my dog's name?",
            "Do you remember where I work?",
            "What did you recommend last time?",
            "when did I tell you about Osaka?",
        ),
        *(
            "私が前に言った店の名前は？",
            "私の犬の名前は何ですか？",
            "私の好きな食べ物は何でしたっけ？",
            "さっき私が聞いたことは何ですか？",
        ),
    ],
)
def test_a_question_about_the_person_or_the_talk_asks_memory(utterance):
    assert ask((), utterance).asks_about_memory


@pytest.mark.parametrize(
    "utterance",
    [
        "年假要提前幾天申請？",
        "我要怎麼申請護照？",
        "我想問健保卡遺失怎麼辦？",
        "How do I apply for a visa?",
        "What should I do if I lose my key?",
        "Can I bring my dog to the museum",
        "会議室は何人まで入れますか？",
        "私はどうすればいいですか？",
    ],
)
def test_a_question_about_the_world_does_not(utterance):
    assert not ask((), utterance).asks_about_memory


def test_the_value_in_json():
    told = json.loads(json.dumps(ask(TRAIN, "那自強號呢？").as_dict(), ensure_ascii=False))
    assert told["text"] == "台北到花蓮的自強號要多久？"
    assert told["decision"] == "follow_up"
    assert told["language"] == "zh-Hant"
    assert told["left_behind"] == [{"text": "火車", "seq": 1, "reason": "replaced"}]


def test_stored_meanings_give_the_same_thread_as_reading_again():
    said = ("HTTP 401 是什麼意思？", "未授權。", "那 403 呢？", "禁止。", "不是 403，是 404。", "找不到。")
    plain = recollection(*said)
    stored = Recollection(understood(plain.turns))
    assert [t.standalone for t in stored.turns] == [t.standalone for t in replay(plain.turns).said]
    assert reconstruct(Question("再說清楚一點", "x"), stored) == reconstruct(Question("再說清楚一點", "x"), plain)
    assert replay(stored.turns).retracted == replay(plain.turns).retracted


text = st.text(max_size=120)
spoken = st.sampled_from(
    [
        "那呢",
        "它",
        "第二個",
        "そっち",
        "what about",
        "the second one",
        "不是A，是B",
        "scratch that",
        "謝謝",
        "なぜ？",
        "？",
        "…",
        "「",
        "好啊",
        "以上",
        "\u0000",
        "\ud83d",
        "🙂",
        "a" * 700,
        "1.\n2.\n",
    ]
)
anything = st.one_of(text, spoken, st.tuples(spoken, text).map("".join), st.tuples(text, spoken, text).map("".join))


@settings(max_examples=300, deadline=None)
@given(said=st.lists(anything, max_size=6), utterance=anything)
def test_whatever_is_said_a_retrieving_turn_has_a_query(said, utterance):
    query = ask(tuple(said), utterance)
    if utterance.strip("\x00 \t\r\n") and query.decision.retrieves:
        assert query.text or not clean(utterance).strip()
    assert len(query.text) <= 2000
    assert 0 <= query.confidence <= 1
    assert len(query.terms) <= 64
    assert query.decision is not Decision.CLARIFICATION
    everything(query)


@settings(max_examples=100, deadline=None)
@given(said=st.lists(anything, min_size=2, max_size=6), utterance=anything)
def test_only_turns_that_were_said_are_carried_from(said, utterance):
    query = ask(tuple(said), utterance, outcome=Outcome.UNVERIFIED)
    assert {c.seq for c in query.carried} <= set(range(1, len(said) // 2 + 2))


@pytest.mark.parametrize(
    ("utterance", "queries"),
    [
        (
            "What is the U.S. population? What is the U.K. population?",
            ("What is the U.S. population?", "What is the U.K. population?"),
        ),
        ("Is Mt. Fuji open in May? Who was Dr. Vance?", ("Is Mt. Fuji open in May?", "Who was Dr. Vance?")),
        ("Does Acme Inc. ship to the islands by boat?", ()),
        ("What does Fig. 3 show? What does No. 5 mean?", ("What does Fig. 3 show?", "What does No. 5 mean?")),
    ],
)
def test_an_abbreviation_ends_no_question(utterance, queries):
    assert ask((), utterance).queries == queries

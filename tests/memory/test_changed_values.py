"""What changed is answered as it is now: whole conversations in four languages, read into facts or not yet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from anaphor.adapters import fake, sqlite
from anaphor.adapters.fake import FixedClock
from anaphor.memory.consolidate import Due
from anaphor.persons_memory import PersonsMemory
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation
from anaphor.types import Answer, Document, Outcome, Passage, Question, Scope

MEI = Scope("acme", "mei")
DAY = 86_400.0
MAY_22 = 1_779_408_000.0  # 2026-05-22, 00:00 UTC, a Friday

Told = tuple[tuple[str, ...], str, str, str]  # what was said, the question, what holds, what no longer does

CHANGED: dict[str, dict[str, Told]] = {
    "a day": {
        "en": (("My flight is on Wednesday.", "I moved my flight to Friday."), "When is my flight?", "Friday", "Wedn"),
        "zh-Hant": (("我的班機是星期三。", "我把班機改到星期五了。"), "我的班機是什麼時候？", "星期五", "星期三"),
        "zh-Hans": (("我的航班是周三。", "我把航班改到周五了。"), "我的航班是什么时候？", "周五", "周三"),
        "ja": (("飛行機は水曜日です。", "飛行機を金曜日に変えました。"), "私の飛行機はいつですか？", "金曜", "水曜"),
    },
    "a day, the thing put shorter": {
        "en": (
            ("My dentist appointment is at 3 pm.", "The dentist is at 5 pm now."),
            "What time is my dentist appointment?",
            "5 pm",
            "3 pm",
        ),
        "zh-Hant": (("我的牙醫約在週三。", "我把牙醫改到週五了。"), "我的牙醫是什麼時候？", "週五", "週三"),
        "zh-Hans": (("我的牙医约在周三。", "我把牙医改到周五了。"), "我什么时候看牙医？", "周五", "周三"),
        "ja": (("歯医者は3時です。", "歯医者は5時になりました。"), "私の歯医者の予約は何時ですか？", "5時", "3時"),
    },
    "a place to live": {
        "en": (("I live in Leeds.", "I moved to York last week."), "Where do I live?", "York", "Leeds"),
        "zh-Hant": (("我住在台中。", "我上週搬到高雄了。"), "我住在哪裡？", "高雄", "台中"),
        "zh-Hans": (("我住在苏州。", "我上周搬到杭州了。"), "我住在哪里？", "杭州", "苏州"),
        "ja": (("大阪に住んでいます。", "先週、京都に引っ越しました。"), "私はどこに住んでいますか？", "京都", "大阪"),
    },
    "a room": {
        "en": (
            ("My team meeting is in room 3.", "My team meeting was moved to room 5."),
            "Which room is my team meeting in?",
            "room 5",
            "room 3",
        ),
        "zh-Hant": (
            ("我的小組會議在三樓。", "我的小組會議改在五樓了。"),
            "我的小組會議在幾樓？",
            "五樓",
            "三樓",
        ),
        "zh-Hans": (
            ("我的小组会议在三楼。", "我的小组会议改在五楼了。"),
            "我的小组会议在几楼？",
            "五楼",
            "三楼",
        ),
        "ja": (("会議は3階です。", "会議は5階に変わりました。"), "私の会議は何階ですか？", "5階", "3階"),
    },
    "a job": {
        "en": (("I work at Acme.", "I now work at Globex."), "Where do I work?", "Globex", "Acme"),
        "zh-Hant": (("我在台積電上班。", "我換工作了，現在在聯發科上班。"), "我在哪裡上班？", "聯發科", "台積"),
        "zh-Hans": (("我在华为上班。", "我换工作了，现在在小米上班。"), "我在哪里上班？", "小米", "华为"),
        "ja": (
            ("ソニーで働いています。", "転職して、今は任天堂で働いています。"),
            "私はどこで働いていますか？",
            "任天堂",
            "ソニー",
        ),
    },
    "a taste": {
        "en": (
            ("My favourite colour is blue.", "My favourite colour is green now."),
            "What is my favourite colour?",
            "green",
            "blue",
        ),
        "zh-Hant": (
            ("我最喜歡的顏色是藍色。", "我現在最喜歡的顏色是綠色。"),
            "我最喜歡的顏色是什麼？",
            "綠色",
            "藍色",
        ),
        "zh-Hans": (
            ("我最喜欢的颜色是蓝色。", "我现在最喜欢的颜色是绿色。"),
            "我最喜欢的颜色是什么？",
            "绿色",
            "蓝色",
        ),
        "ja": (("好きな色は青です。", "今は緑が好きな色です。"), "私の好きな色は何ですか？", "緑", "青"),
    },
    "a plan": {
        "en": (
            ("We're going to Rome in June.", "We're going to Lisbon in June instead of Rome."),
            "Where are we going in June?",
            "Lisbon",
            "Rome in June.",
        ),
        "zh-Hant": (
            ("我六月要去羅馬。", "我六月不去羅馬了，改去里斯本。"),
            "我六月要去哪裡？",
            "里斯本",
            "要去羅馬",
        ),
        "zh-Hans": (
            ("我六月要去罗马。", "我六月不去罗马了，改去里斯本。"),
            "我六月要去哪里？",
            "里斯本",
            "要去罗马",
        ),
        "ja": (
            ("六月にローマへ行きます。", "六月はローマをやめて、リスボンに行くことにしました。"),
            "私は六月にどこへ行きますか？",
            "リスボン",
            "ローマへ行き",
        ),
    },
    "called off": {
        "en": (
            ("I have a dentist appointment on Tuesday.", "I cancelled the dentist appointment."),
            "When is my dentist appointment?",
            "cancelled",
            "Tuesday",
        ),
        "zh-Hant": (("我星期二要看牙醫。", "我把牙醫取消了。"), "我什麼時候看牙醫？", "取消", "星期二"),
        "zh-Hans": (("我周二要看牙医。", "我把牙医取消了。"), "我什么时候看牙医？", "取消", "周二"),
        "ja": (
            ("火曜日に歯医者の予約があります。", "歯医者の予約をキャンセルしました。"),
            "私の歯医者の予約はいつですか？",
            "キャンセル",
            "火曜",
        ),
    },
    "another thing was moved": {
        "en": (
            ("My flight is on Wednesday.", "My dentist is on Thursday.", "I moved the dentist to Monday."),
            "When is my flight?",
            "Wednesday",
            "Monday",
        ),
        "zh-Hant": (
            ("我的班機是星期三。", "我的牙醫約在星期四。", "我把牙醫改到星期一了。"),
            "我的班機是什麼時候？",
            "星期三",
            "星期一",
        ),
        "zh-Hans": (
            ("我的航班是周三。", "我的牙医约在周四。", "我把牙医改到周一了。"),
            "我的航班是什么时候？",
            "周三",
            "周一",
        ),
        "ja": (
            ("飛行機は水曜日です。", "歯医者は木曜日です。", "歯医者を月曜日に変えました。"),
            "私の飛行機はいつですか？",
            "水曜",
            "月曜",
        ),
    },
    "somebody else moved": {
        "en": (("I live in Leeds.", "My brother moved to York last week."), "Where do I live?", "Leeds", "York"),
        "zh-Hant": (("我住在台中。", "我弟弟上週搬到高雄了。"), "我住在哪裡？", "台中", "高雄"),
        "zh-Hans": (("我住在苏州。", "我弟弟上周搬到杭州了。"), "我住在哪里？", "苏州", "杭州"),
        "ja": (
            ("大阪に住んでいます。", "先週、弟は京都に引っ越しました。"),
            "私はどこに住んでいますか？",
            "大阪",
            "京都",
        ),
    },
}

COUNTED: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "en": (
        ("I have three cats.", "I adopted another cat.", "I gave away two cats."),
        "How many cats do I have now?",
        ("three", "another", "two", "3 + 1 − 2 = 2"),
    ),
    "zh-Hant": (
        ("我有三隻貓。", "我又領養了一隻貓。", "我送走了兩隻貓。"),
        "我現在有幾隻貓？",
        ("三隻", "一隻", "兩隻", "3 + 1 − 2 = 2"),
    ),
    "zh-Hans": (
        ("我有三只猫。", "我又领养了一只猫。", "我送走了两只猫。"),
        "我现在有几只猫？",
        ("三只", "一只", "两只", "3 + 1 − 2 = 2"),
    ),
    "ja": (
        ("猫を三匹飼っています。", "猫をもう一匹迎えました。", "猫を二匹譲りました。"),
        "今、私の猫は何匹いますか？",
        ("三匹", "一匹", "二匹", "3 + 1 − 2 = 2"),
    ),
}


class Talk:
    """One person. ``read``: every turn is read into long-term memory before the next one is asked."""

    def __init__(self, store: fake.Store | sqlite.Store, clock: FixedClock, *, read: bool) -> None:
        self.store, self.clock, self.read = store, clock, read
        self.conversation = Conversation(store.turns, store.documents, (store.lexical,), estimate, store.memories)
        self.memory = PersonsMemory(store, MEI, clock, estimate, UTC, Due())
        self.turns = 0

    def session(self) -> Scope:
        return MEI.within(self.store.sessions.create(MEI).session_id)

    def ask(self, text: str, scope: Scope) -> Answer:
        self.turns += 1
        answer = self.conversation.ask(scope, Question(text, f"t{self.turns}"))
        if self.read:
            self.memory.refresh()
        self.clock.now += DAY
        return answer


@pytest.fixture(params=[True, False], ids=["read", "unread"])
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Talk]:
    clock = FixedClock(MAY_22)
    store = sqlite.Store(tmp_path / "a.db", clock)
    yield Talk(store, clock, read=request.param)
    store.close()


def everything(table: dict[str, dict[str, Told]]) -> list[tuple[str, str]]:
    return [(name, language) for name, told in table.items() for language in told]


@pytest.mark.parametrize(("what", "language"), everything(CHANGED))
def test_what_holds_now_is_answered_in_the_same_talk_and_in_another(talk: Talk, what: str, language: str) -> None:
    said, question, now, then = CHANGED[what][language]
    scope = talk.session()
    for text in said:
        talk.ask(text, scope)
    for where in (scope, talk.session()):
        answer = talk.ask(question, where)
        assert answer.outcome is Outcome.ANSWERED, answer.answer
        assert now in answer.answer
        assert then not in answer.answer


@pytest.mark.parametrize("language", COUNTED)
def test_a_count_and_what_came_and_went_are_told_in_order_and_added_up(talk: Talk, language: str) -> None:
    said, question, wanted = COUNTED[language]
    scope = talk.session()
    for text in said:
        talk.ask(text, scope)
    told = talk.ask(question, scope).answer
    places = [told.find(one) for one in wanted]
    assert -1 not in places, told
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("said", "question", "in_order"),
    [
        (CHANGED["a day"]["en"][0], "When was my flight originally?", ("Wednesday", "Friday")),
        (CHANGED["a day"]["zh-Hant"][0], "我的班機原本是什麼時候？", ("星期三", "星期五")),
        (CHANGED["a day"]["zh-Hans"][0], "我的航班原来是什么时候？", ("周三", "周五")),
        (CHANGED["a day"]["ja"][0], "私の飛行機はもともといつでしたか？", ("水曜", "金曜")),
    ],
)
def test_how_it_was_before_is_told_in_order_where_it_is_asked(
    talk: Talk, said: tuple[str, ...], question: str, in_order: tuple[str, str]
) -> None:
    scope = talk.session()
    for text in said:
        talk.ask(text, scope)
    told = talk.ask(question, scope).answer
    assert -1 < told.find(in_order[0]) < told.find(in_order[1]), told


RULES = {
    "en": ("I paid 12 euros for shipping.", "How much do I have to pay for shipping?", "Shipping costs 5 euros."),
    "zh-Hant": ("我付了12元運費。", "我要付多少運費？", "運費是5元。"),
    "zh-Hans": ("我付了12元运费。", "我要付多少运费？", "运费是5元。"),
    "ja": ("送料を12円払いました。", "送料はいくら払う必要がありますか？", "送料は5円です。"),
}


@pytest.mark.parametrize("language", RULES)
def test_what_the_rules_say_is_not_answered_by_what_the_person_told(talk: Talk, language: str) -> None:
    said, question, rule = RULES[language]
    passage = Passage("p1", rule, "rules", document_id="d1", end=len(rule), language=language)
    talk.store.documents.put(MEI, Document("d1", "rules", "v1", rule, language=language), [passage])
    scope = talk.session()
    talk.ask(said, scope)
    assert "12" not in talk.ask(question, scope).answer


NO_OWNER = {
    "en": (
        ("The team meeting is in room 3.", "The team meeting was moved to room 5."),
        "Where is the team meeting?",
        "5",
    ),
    "zh-Hant": (("小薇住在台中。", "小薇搬到高雄了。"), "小薇住在哪裡？", "高雄"),
    "zh-Hans": (("小薇住在苏州。", "小薇搬到杭州了。"), "小薇住在哪里？", "杭州"),
    "ja": (("歯医者は3時です。", "歯医者は5時になりました。"), "歯医者は何時ですか？", "5時"),
}


@pytest.mark.parametrize("language", NO_OWNER)
def test_it_need_not_be_said_whose_the_thing_is_where_no_document_knows_it(talk: Talk, language: str) -> None:
    said, question, now = NO_OWNER[language]
    for text in said:
        talk.ask(text, talk.session())
    answer = talk.ask(question, talk.session())
    assert answer.outcome is Outcome.ANSWERED, answer.answer
    assert now in answer.answer
    assert talk.ask("What is the capital of Peru?", talk.session()).outcome is Outcome.DECLINED


NOT_SO = {
    "en": (
        "I live in Leeds.",
        ("I might move to York.", "I did not move to York.", "I'm moving to York in June."),
        "Where do I live?",
    ),
    "zh-Hant": ("我住台南。", ("我可能會搬到台北。", "我沒有搬到台北。", "我下個月要搬到台北。"), "我住在哪裡？"),
    "zh-Hans": ("我住在成都。", ("我可能会搬到重庆。", "我没有搬到重庆。", "我打算明年搬到重庆。"), "我住在哪里？"),
    "ja": (
        "札幌に住んでいます。",
        ("東京に引っ越すかもしれません。", "東京には引っ越しませんでした。", "来月東京に引っ越します。"),
        "私はどこに住んでいますか？",
    ),
}
HOME = {"en": "Leeds", "zh-Hant": "台南", "zh-Hans": "成都", "ja": "札幌"}


@pytest.mark.parametrize("nth", range(3), ids=["supposed", "denied", "planned"])
@pytest.mark.parametrize("language", NOT_SO)
def test_what_may_be_was_not_or_is_still_to_come_is_no_home(talk: Talk, language: str, nth: int) -> None:
    home, others, question = NOT_SO[language]
    scope = talk.session()
    for text in (home, others[nth]):
        talk.ask(text, scope)
    for where in (scope, talk.session()):
        answer = talk.ask(question, where)
        assert answer.outcome is Outcome.ANSWERED, answer.answer
        assert HOME[language] in answer.answer
        assert others[nth].rstrip(".。") not in answer.answer


BOUGHT = {
    "en": (("I have 12 books.", "I bought 3 books.", "I gave away 2 books."), "How many books do I have?"),
    "zh-Hant": (("我有12本書。", "我買了3本書。", "我送人2本書了。"), "我有幾本書？"),
    "zh-Hans": (("我有12本书。", "我买了3本书。", "我送人2本书了。"), "我有几本书？"),
    "ja": (("本を12冊持っています。", "本を3冊買いました。", "本を2冊譲りました。"), "今、私の本は何冊ありますか？"),
}


@pytest.mark.parametrize("language", BOUGHT)
def test_what_was_bought_comes_to_what_there_was(talk: Talk, language: str) -> None:
    said, question = BOUGHT[language]
    scope = talk.session()
    for text in said:
        talk.ask(text, scope)
    assert "12 + 3 − 2 = 13" in talk.ask(question, scope).answer

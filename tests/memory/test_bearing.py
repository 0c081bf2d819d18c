"""What a sentence says of what was told before: corrections, other doses and times, ends, and whose something is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from anaphor.adapters import fake
from anaphor.adapters.fake import FixedClock
from anaphor.facts import Change, Fact, Kind, State, Status
from memory.test_whole_conversations import MAY_22, Talk


def told(turns: str) -> Talk:
    """The turns, divided by slashes, said in one session, a day apart."""
    clock = FixedClock(MAY_22)
    talk = Talk(fake.Store(clock), clock)
    session = talk.session()
    for turn in turns.split(" / "):
        talk.say(turn, session)
    return talk


def held(talk: Talk, *kinds: Kind) -> list[Fact]:
    """What is so now, or planned, the one said first first."""
    return [
        fact
        for fact in talk.memory.list()[::-1]
        if fact.statement.kind in kinds and fact.statement.state in (State.CURRENT, State.PLANNED)
    ]


def values(facts: Sequence[Fact]) -> list[str]:
    return [fact.statement.value for fact in facts]


# Turns; the kind; what is held in the end, and what no longer is, as parts of values (or of whom a role is).
CORRECTED = [
    ("My boss is Tom. No wait, Tim.", Kind.RELATION, "Tim", "Tom"),
    ("My boss is Tom. / Sorry, I meant Tim.", Kind.RELATION, "Tim", "Tom"),
    ("My birthday is May 3. / Sorry, May 4.", Kind.IDENTITY, "May 4", "May 3"),
    ("I live in Bonn. / Wait, I mean Cologne.", Kind.PLACE, "Cologne", "Bonn"),
    ("I'm allergic to peanuts. / I'm not allergic to peanuts, it's cashews.", Kind.HEALTH, "cashews", "peanuts"),
    ("我對花生過敏。 / 說錯了，是腰果過敏，不是花生。", Kind.HEALTH, "對腰果過敏", "花生"),
    ("我對花生過敏。 / 不對，應該是腰果才對。", Kind.HEALTH, "對腰果過敏", "花生"),
    ("我的生日是五月三日。 / 我記錯了，是五月四日。", Kind.IDENTITY, "五月四日", "五月三日"),
    ("我主管叫陳立。 / 不好意思，是陳力。", Kind.RELATION, "陳力", "陳立"),
    ("我的眼科醫師姓施。 / 不對，姓史。", Kind.RELATION, "史", "施"),
    ("我住在大连。 / 记错了，是青岛。", Kind.PLACE, "青岛", "大连"),
    ("誕生日は5月3日です。 / ごめん、5月4日の間違いです。", Kind.IDENTITY, "5月4日", "5月3日"),
    ("えびアレルギーです。 / えびじゃなくてかにです。", Kind.HEALTH, "かに", "えび"),
    ("上司は田中さんです。 / すみません、中田さんです。", Kind.RELATION, "中田", "田中"),
]
CHANGED = [
    ("I take 5 mg of lisinopril daily. / The doctor raised it to 10 mg.", Kind.HEALTH, "10 mg of lisinopril", "5 mg"),
    ("我每天吃5毫克降血壓藥。 / 醫生加到10毫克。", Kind.HEALTH, "10毫克降血壓藥", "吃5毫克"),
    ("我每天吃5毫克降血壓藥。 / 我現在吃10毫克降血壓藥。", Kind.HEALTH, "10毫克", "吃5毫克"),
    ("血圧の薬を20mg飲んでいます。 / 10mgに減りました。", Kind.HEALTH, "10mg", "20mg"),
    ("I booked a table for 4 at 7 pm. / Make that 6 people.", Kind.PLAN, "6 people at 7 pm", "for 4"),
    ("I booked a table for 4 at 7 pm. / We moved it to 8 pm.", Kind.PLAN, "for 4 at 8 pm", "7 pm"),
    ("我訂了七點四個人的桌子。 / 改成六個人。", Kind.PLAN, "七點六個人", "四個人"),
    ("我訂了七點四個人的桌子。 / 時間改到八點。", Kind.PLAN, "八點四個人", "七點"),
    ("I have an interview on Monday at 9 am. / They moved it to 11 am.", Kind.SCHEDULE, "Monday at 11 am", "9 am"),
    ("我每天吃20毫克他汀。 / 医生加到40毫克。", Kind.HEALTH, "40毫克他汀", "20毫克"),
    ("アスピリンを50mg飲んでいます。 / 医者に25mgに減らされました。", Kind.HEALTH, "25mg", "50mg"),
    ("7時に4名で予約しました。 / 6名に変更しました。", Kind.PLAN, "7時に6名", "4名"),
    ("7時に4名で予約しました。 / 20時に変わりました。", Kind.PLAN, "20時に4名", "7時に4名"),
    ("我周五下午两点和老板开会。 / 和老板的会改到下周一上午九点。", Kind.SCHEDULE, "下周一上午九点", "周五"),
    ("I'm flying to Rome on 3 May. / The Rome trip is now on 10 May.", Kind.PLAN, "Rome on 10 May", "3 May"),
    ("I'm flying to Rome on 3 May. / The trip is off. / It's back on, 17 May.", Kind.PLAN, "Rome on 17 May", "3 May"),
]


@pytest.mark.parametrize(("turns", "kind", "now", "before"), CORRECTED + CHANGED)
def test_the_newer_value_stands_in_the_place_of_the_older(turns: str, kind: Kind, now: str, before: str) -> None:
    talk = told(turns)
    found = " ".join(f"{fact.statement.about} {fact.statement.value}" for fact in held(talk, kind))
    assert now in found
    assert before not in found
    assert talk.memory.review() == []
    assert any(fact.status is Status.SUPERSEDED for fact in talk.memory.list(list(Status)))


ENDED = [
    ("I work at Acme. / I quit last Friday.", Kind.WORK),
    ("My wife is Sara. / Sara and I got divorced.", Kind.RELATION),
    ("My dog is called Rex. / Rex died.", Kind.POSSESSION),
    ("I own a kayak. / I sold it last week.", Kind.POSSESSION),
    ("我有一艘獨木舟。 / 昨天賣掉了。", Kind.POSSESSION),
    ("カヤックを持っています。 / 先週売りました。", Kind.POSSESSION),
    ("I drive a blue Honda. / I sold the Honda and bought a red Mazda.", Kind.POSSESSION),
    ("I take 5 mg of lisinopril daily. / I stopped taking lisinopril.", Kind.HEALTH),
    ("I'm flying to Rome on 3 May. / The trip is off.", Kind.PLAN),
    ("我每天吃5毫克降血壓藥。 / 醫生叫我停掉了。", Kind.HEALTH),
    ("我在國小教書。 / 我上週離職了。", Kind.WORK),
    ("我女朋友叫小安。 / 我跟小安分手了。", Kind.RELATION),
    ("我週二下午三點要看牙醫。 / 牙醫取消了。", Kind.SCHEDULE),
    ("我开一辆大众。 / 大众卖掉了。", Kind.POSSESSION),
    ("我太太在银行工作。 / 她辞职了。", Kind.WORK),
    ("エイクメで働いています。 / 退職しました。", Kind.WORK),
    ("血圧の薬を20mg飲んでいます。 / もう飲んでいません。", Kind.HEALTH),
    ("フィアットに乗っています。 / フィアットは売りました。", Kind.POSSESSION),
]


@pytest.mark.parametrize(("turns", "kind"), ENDED)
def test_what_has_ended_is_no_longer_so_and_is_told_as_past(turns: str, kind: Kind) -> None:
    talk = told(turns)
    assert values(held(talk, kind)) == []
    over = (State.PAST, State.CANCELLED)
    assert any(fact.statement.kind is kind and fact.statement.state in over for fact in talk.memory.list())


# Counts: turns, and the changes in order.
COUNTED = [
    ("I have 37 coins. / I bought a coin. / I sold 5 coins.", [37, +1, -5]),
    ("I have three cats. / I lost all my cats.", [0]),
    ("We have four hens. / Two of them died.", [4, -2]),
    ("我有12本書。 / 我買了三本書。 / 我送掉兩本書。", [12, +3, -2]),
    ("我有12本書。 / 看完了三本。", [12]),
    ("我有三隻貓。 / 貓全部送人了。", [0]),
    ("我有十盆盆栽。 / 枯死了一盆。", [10, -1]),
    ("我養了八隻雞。 / 被狐狸咬死兩隻。", [8, -2]),
    ("我有12本书。 / 又买了三本。 / 送人两本。", [12, +3, -2]),
    ("本を12冊持っています。 / 3冊買いました。", [12, +3]),
    ("観葉植物を12鉢持っています。 / 3つ買い足しました。 / 1つ枯れました。", [12, +3, -1]),
]
SIGN = {Change.SET: 1, Change.ADD: 1, Change.REMOVE: -1}


@pytest.mark.parametrize(("turns", "counts"), COUNTED)
def test_what_comes_to_a_count_or_goes_from_it_is_kept_beside_it(turns: str, counts: list[float]) -> None:
    found = held(told(turns), Kind.COUNT)
    assert [SIGN[fact.statement.change] * (fact.statement.quantity or 0) for fact in found] == counts
    assert len({fact.statement.relation for fact in found}) == 1


# Whose it is: turns, and by whom the values are held.
OWNED = [
    ("My phone is 555-1111. / My wife's phone is 555-2222.", {"user": "555-1111", "wife": "555-2222"}),
    ("My email is a@b.org. / My boss's email is c@d.org.", {"user": "a@b.org", "boss": "c@d.org"}),
    ("我的電話是0911-111-111。 / 我太太的電話是0922-222-222。", {"user": "0911-111-111", "太太": "0922-222-222"}),
    ("我的邮箱是a@b.cn。 / 我老板的邮箱是c@d.cn。", {"user": "a@b.cn", "老板": "c@d.cn"}),
    ("私の電話番号は090-1111です。 / 妻の電話番号は090-2222です。", {"user": "090-1111", "妻": "090-2222"}),
    ("我的生日是五月三日。 / 我兒子的生日是六月四日。", {"user": "五月三日", "兒子": "六月四日"}),
]


@pytest.mark.parametrize(("turns", "whose"), OWNED)
def test_a_value_is_whose_it_was_said_to_be(turns: str, whose: dict[str, str]) -> None:
    found = {fact.statement.about: fact.statement.value for fact in held(told(turns), Kind.IDENTITY)}
    assert found == whose


@pytest.mark.parametrize(
    ("turns", "about"),
    [
        ("My dentist appointment is Monday at 9. / My mother's dentist appointment was moved to Friday.", "mother"),
        ("我的牙醫是週一九點。 / 我媽的牙醫改到週五。", "媽媽"),
    ],
)
def test_an_appointment_of_somebody_else_moves_none_of_the_persons_own(turns: str, about: str) -> None:
    found = held(told(turns), Kind.SCHEDULE)
    assert [fact.statement.about for fact in found] == ["user", about]


@pytest.mark.parametrize(
    "turns",
    [
        "I live in Leeds. / I might move to York.",
        "I live in Leeds. / I'm staying in Paris for two days.",
        "我住台南。 / 我可能會搬到台北。",
        "我住台南。 / 我沒有搬到高雄。",
        "我住苏州。 / 我在上海出差，住三天。",
        "大阪に住んでいます。 / 東京に引っ越すかもしれません。",
        "大阪に住んでいます。 / 東京に引っ越しませんでした。",
    ],
)
def test_what_may_be_was_denied_or_is_a_visit_is_no_home(turns: str) -> None:
    (home,) = [fact for fact in held(told(turns), Kind.PLACE) if fact.statement.state is State.CURRENT]
    assert home.seq == 1


def test_words_that_name_nothing_speak_of_what_was_said_lately_alone() -> None:
    clock = FixedClock(MAY_22)
    talk = Talk(fake.Store(clock), clock)
    talk.say("I take 5 mg of lisinopril daily.")
    talk.say("The doctor raised it to 10 mg.")  # in another session
    assert values(held(talk, Kind.HEALTH)) == ["take 5 mg of lisinopril daily"]


def test_what_bears_on_something_known_is_read_once_though_its_turn_is_read_twice() -> None:
    talk = told("I work at Acme. / I quit last Friday. / I have 37 coins. / I bought a coin.")
    before = [(fact.fact_id, fact.status, fact.statement.state) for fact in talk.memory.list(list(Status))]
    talk.memory.rebuild()
    assert [(fact.fact_id, fact.status, fact.statement.state) for fact in talk.memory.list(list(Status))] == before


@pytest.mark.parametrize(
    "turns",
    [
        "I have three kids. / My kids and I just finished a painting. / I got a new rug for the hall.",
        "I love music. / You've got this! / It's definitely changed everything.",
        "I have a telescope. / It took me years to get over losing my job as a boy.",
        "I work as a nurse. / My uncle quit his job last week.",
        "I'm going to sing in a choir. / I'm done with this homework. / It was over in a minute.",
        "My wife is Sara. / Sara finished her degree.",
        "I'm allergic to nuts. / I mean, it is not that bad.",
        "我養了五盆多肉。 / 昨天忘了關窗，心疼死我了。",
        "我在銀行上班。 / 我同事退休了。",
        "我喜欢爬山。 / 电影看完了，有点累。",
        "我太太叫小琪。 / 別人退休是享福。",
        "猫を3匹飼っています。 / 文化祭が終わりました。",
        "銀行で働いています。 / 友達が会社を辞めました。",
        "ピアノを持っています。 / 宿題が終わりました。",
    ],
)
def test_what_merely_mentions_a_thing_or_an_end_changes_nothing(turns: str) -> None:
    first = told(turns.split(" / ")[0]).memory.list()
    after = {fact.statement.value: fact for fact in told(turns).memory.list(list(Status))}
    for fact in first:
        now = after[fact.statement.value]
        assert (now.status, now.statement.state) == (Status.CURRENT, fact.statement.state)
    counts = [fact for fact in after.values() if fact.statement.kind is Kind.COUNT]
    assert all(fact.statement.change is Change.SET for fact in counts)

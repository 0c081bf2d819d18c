"""What a talk in Chinese is about, when a question does not say it."""

import pytest

from anaphor.steps.reconstruct import replay
from anaphor.steps.reconstruct.centre import centre, features, things, weights
from steps.reconstruct.said import ask, check, recollection

TRAIL = ("聽說過龍脊古道嗎？", "聽過，是一條步道，沿路有三座茶亭。")
WHERE = ("地址是哪啊？", "在花蓮縣秀林鄉。")
OPEN = ("都什麼時候開放呀？", "每天早上六點到下午四點。")
FILM = ("我看过《雾港来信》", "是部老片，一九六二年上映。")


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (TRAIL, "地址是哪啊？", ["龍脊古道"], []),
        ((*TRAIL, *WHERE), "都什麼時候開放呀？", ["龍脊古道"], ["地址"]),
        ((*TRAIL, *WHERE, *OPEN), "附近還有什麼景點嗎？", ["龍脊古道"], ["地址"]),
        (("你知道青瓦博物馆吗？", "知道，收藏了三百件陶器。"), "9:00到17:00开放，门票多少钱？", ["青瓦博物馆"], []),
        (FILM, "影片获得过哪些奖项？", ["雾港来信"], []),
        (("介紹一下松濤書店", "在巷子裡，二樓是咖啡館。"), "開放時間上有規定嗎？", ["松濤書店"], []),
        (("马克·莱恩斯导演过什么？", "他拍过《长夏》。"), "他是哪国人？", ["马克·莱恩斯"], ["长夏"]),
        (("喜欢歌手林知夏吗？", "喜欢，新专辑叫《慢船》。"), "专辑里有几首歌？", ["林知夏|慢船"], []),
    ],
)
def test_a_question_without_its_subject_is_about_what_the_talk_is_about(said, utterance, holds, lacks):
    query = ask(said, utterance)
    check(query, holds)
    assert query.decision.value == "follow_up"
    for word in lacks:
        assert word not in query.text.removesuffix(utterance).removesuffix(utterance[2:])


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (TRAIL, "高鐵票怎麼退？"),
        (FILM, "青瓦博物馆9:00开门吗？"),
        (FILM, "三峽老街怎麼去？"),
        ((*TRAIL, "婚假有幾天？", "八天。"), "颱風天要上班嗎？"),
    ],
)
def test_a_question_that_names_its_own_thing_is_left_as_it_is(said, utterance):
    assert ask(said, utterance).text == utterance


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            ("双人间一学期多少钱？", "1200元。", "单人间呢？", "单人间一学期2000元。"),
            "它有空调吗？",
            "单人间",
            "双人间",
        ),
        (("王小明的部門？", "業務部。", "李美玲呢？", "財務部。"), "她的分機？", "李美玲", "王小明"),
    ],
)
def test_what_took_a_things_place_is_what_is_meant_next(said, utterance, holds, lacks):
    text = ask(said, utterance).text
    assert holds in text
    assert lacks not in text


def thread(*said):
    return replay(recollection(*said).turns)


def test_a_thing_is_one_under_all_it_is_called_by():
    found = things(thread("聽說過紅螺湖鳥島嗎？", "紅螺湖鳥島景區裡有三百種鳥。"))
    assert [len(t.places) for t in found if "紅螺湖" in t.name.text] == [2]


def test_what_was_taken_back_is_not_the_centre():
    said = thread("龍脊古道怎麼去？", "搭公車。", "不對，我是說虎背古道", "也是搭公車。")
    assert any("龍脊" in r.text for r in said.retracted)
    assert any("龍脊" in t.name.text for t in things(said))
    found = centre(said)
    assert found is not None
    assert "龍脊" not in found.place.phrase.text


def test_probabilities_add_up_and_a_favourite_gains():
    said = thread(*TRAIL, *WHERE)
    first = centre(said)
    assert first is not None
    assert 0 < first.next_best <= first.probability <= 1
    assert first.probability + first.next_best <= 1 + 1e-9
    other = next(t for t in things(said) if t.name.key != first.place.phrase.key)
    favoured = centre(said, favoured=other.name.key)
    assert favoured is not None
    assert favoured.place.phrase.key == other.name.key or favoured.probability < first.probability


def test_nothing_said_has_no_centre():
    assert centre(thread()) is None


def test_every_feature_that_is_weighed_can_be_shown():
    told = thread("聽說過龍脊古道嗎？", "聽過。", "馬克·韋布和「長夏」呢？", "3號公司在台北。")
    for thing in things(told):
        assert all(isinstance(value, float) for value in features(thing).values())
    assert weights()
    assert all(abs(weight) < 10 for weight in weights().values())

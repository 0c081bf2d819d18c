"""What a question describes is found by its name, which another message tells."""

from __future__ import annotations

import pytest

from anaphor.steps.described import bridged, describes
from anaphor.types import Decision, EvidenceClass, Hit, Passage, StandaloneQuery


def ranked(*texts: str, language: str) -> list[Hit]:
    said = [Passage(str(n), text, "s", EvidenceClass.USER_STATEMENT, language=language) for n, text in enumerate(texts)]
    return [Hit(passage, 1 - n / 10, n + 1) for n, passage in enumerate(said)]


FOUND = [
    (
        "zh-Hant",
        "那個有三千人的活動，地點在哪裡？",
        ["海洋博覽之夜有三千人參加。", "讀書會的地點在台中。", "牙醫說下次再來。", "海洋博覽之夜在高雄舉行。"],
    ),
    (
        "zh-Hans",
        "那个有三千人的活动，地点在哪里？",
        ["海洋博览之夜有三千人参加。", "读书会的地点在台中。", "牙医说下次再来。", "海洋博览之夜在高雄举行。"],
    ),
    (
        "ja",
        "あの三千人が来る催しの場所はどこ？",
        [
            "海洋博覧の夜には三千人が来る。",
            "読書会の場所は台中。",
            "歯医者にまた行く。",
            "海洋博覧の夜は高雄で開かれる。",
        ],
    ),
    (
        "en",
        "Where is the event that three thousand people attend?",
        ["Three thousand attend Oceanfest.", "The dinner is in Leeds.", "The dentist called.", "Oceanfest is in Hull."],
    ),
]


@pytest.mark.parametrize(("language", "question", "texts"), FOUND)
def test_what_shares_a_name_with_the_best_hit_comes_up(language, question, texts):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    found = bridged(query, ranked(*texts, language=language))
    assert {hit.passage.text for hit in found[:2]} == {texts[0], texts[3]}
    assert [hit.rank for hit in found] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("question", "described"),
    [
        ("海洋博覽之夜在哪裡？", False),
        ("那個時候的天氣如何？", False),
        ("Where is Oceanfest?", False),
        ("海洋博覧の夜はどこ？", False),
        *((question, True) for _, question, _ in FOUND),
    ],
)
def test_a_thing_is_named_or_described(question, described):
    assert describes(StandaloneQuery(question, Decision.STANDALONE, 1.0, "und")) is described


def test_hits_far_down_keep_their_places():
    hits = ranked(*[f"文字{n}" for n in range(70)], language="zh-Hant")
    query = StandaloneQuery("那個有三千人的活動在哪裡？", Decision.STANDALONE, 1.0, "zh-Hant")
    found = bridged(query, hits)
    assert [hit.passage.passage_id for hit in found][60:] == [str(n) for n in range(60, 70)]

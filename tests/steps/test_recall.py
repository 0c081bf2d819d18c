"""What was said is found by what stands beside it, by who said it, by when, and by what was asked for for good."""

from __future__ import annotations

import re
from datetime import date

import pytest

from anaphor.adapters import fake
from anaphor.steps.beside import shared
from anaphor.steps.cues import cued, speaker
from anaphor.steps.rerank import rerank
from anaphor.types import Decision, EvidenceClass, Hit, Outcome, Passage, Question, Scope, StandaloneQuery, Turn

MEI = Scope("acme", "mei")


def said(text: str, seq: int = 1, when: str | None = None, language: str = "en", session: str = "s") -> Passage:
    return Passage(
        f"{session}:{seq}", text, session, EvidenceClass.USER_STATEMENT, language=language, date=when, seq=seq
    )


def hits(*passages: Passage, score: float = 1.0) -> list[Hit]:
    return [Hit(passage, score, n) for n, passage in enumerate(passages, 1)]


def asking(text: str, language: str = "en") -> StandaloneQuery:
    return StandaloneQuery(text, Decision.STANDALONE, 1.0, language)


def order(found):
    return [hit.passage.text for hit in found]


@pytest.fixture
def store():
    store = fake.Store()
    scope = MEI.within(store.sessions.create(MEI).session_id)
    for n, text in enumerate(["我養了一隻貓。", "牠叫麻糬。", "今年三歲。", "我喜歡爬山。", "週末會下雨。"], 1):
        turn = store.turns.accept(scope, Question(text, f"t{n}"), lease=60)
        ended = Turn(turn.turn_id, turn.seq, turn.question, Outcome.ANSWERED)
        store.turns.commit(scope, ended, {}, [said(text, n, language="zh-Hant", session=scope.session)])
    return store, scope.session


def test_what_stands_beside_a_hit_is_found_with_it_nearest_first(store):
    documents, session = store[0].documents, store[1]
    hit = Hit(said("我養了一隻貓。", 1, session=session), 2.0, 1, {"bm25": 1})
    found = shared(documents, MEI, [hit])
    assert order(found) == ["我養了一隻貓。", "牠叫麻糬。", "今年三歲。"]
    assert [h.score for h in found] == pytest.approx([2.0, 0.5, 0.12])
    assert [h.ranks for h in found] == [{"bm25": 1}, {}, {}]


def test_what_another_answers_stands_nearer_than_what_the_same_person_goes_on_to_say():
    session = [said("Mei: Did you get the cat?", 1), said("Tom: I did, on Friday.", 2), said("Tom: It rained.", 3)]
    alone = [said("I got the cat on Friday.", 1), said("It rained.", 2), said("I am tired.", 3)]

    class Beside:
        def __init__(self, passages):
            self.passages = passages

        def around(self, scope, passage_ids, reach):
            return dict.fromkeys(passage_ids, self.passages)

    assert [h.score for h in shared(Beside(session), MEI, hits(session[0]))] == pytest.approx([1.0, 0.4, 0.25])
    assert [h.score for h in shared(Beside(alone), MEI, hits(alone[0]))] == pytest.approx([1.0, 0.25, 0.06])


def test_two_hits_side_by_side_lift_each_other(store):
    documents, session = store[0].documents, store[1]
    beside = hits(said("今年三歲。", 3, session=session), said("我喜歡爬山。", 4, session=session))
    assert [h.score for h in shared(documents, MEI, beside)[:2]] == pytest.approx([1.25, 1.25])


def test_nobody_elses_turns_stand_beside_a_hit(store):
    hit = Hit(said("我養了一隻貓。", 1, session=store[1]), 2.0, 1)
    assert shared(store[0].documents, Scope("rival", "mei"), [hit]) == [hit]


def test_documents_have_nothing_beside_them(store):
    found = hits(Passage("d", "A page.", "a.md"))
    assert shared(store[0].documents, MEI, found) == found


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("What did Mei adopt?", "Mei: I adopted a cat.", "Tom: I adopted a dog, Mei."),
        ("小明養了什麼?", "小明：我養了一隻貓。", "阿華：我養了一隻狗，小明。"),
        ("小明养了什么?", "小明：我养了一只猫。", "阿华：我养了一只狗，小明。"),
        ("花子は何を飼った?", "花子：猫を飼いました。", "太郎：犬を飼ったよ、花子。"),
    ],
)
def test_the_person_a_question_names_is_heard_first(question, one, other):
    assert order(cued(asking(question), hits(said(other, 1), said(one, 2)))) == [one, other]


def test_a_name_inside_another_word_names_nobody():
    first, second = said("Ann: hello there", 1), said("Bo: hello there", 2)
    assert order(cued(asking("Who planned the bonus?"), hits(first, second))) == [first.text, second.text]


@pytest.mark.parametrize(
    ("question", "likes", "does"),
    [
        ("Can you suggest some books for me?", "I prefer short novels to a long series.", "I bought some books today."),
        ("可以推薦我幾本書嗎?", "我比較喜歡短篇小說，不喜歡長的系列。", "我今天買了幾本書。"),
        ("能给我推荐几本书吗?", "我一直喜欢短篇小说，不喜欢长的系列。", "我今天买了几本书。"),
        (
            "おすすめの本を教えてくれますか?",
            "短編小説が好きで、長いシリーズは苦手です。",
            "今日は本を何冊か買いました。",
        ),
    ],
)
def test_where_advice_is_asked_for_what_the_person_likes_comes_first(question, likes, does):
    assert order(cued(asking(question), hits(said(does, 1), said(likes, 2)))) == [likes, does]


@pytest.mark.parametrize("text", ["I'd like to see the plan.", "我喜歡的人", "What would you like?"])
def test_a_wish_is_no_preference_and_nobody_asks_for_advice(text):
    first, second = said("I went home.", 1), said(text, 2)
    assert order(cued(asking("When did I go home?"), hits(first, second))) == [first.text, second.text]


def test_what_an_assistant_says_it_likes_is_nobodys_preference():
    reply = Passage("a", "I love short novels.", "s", EvidenceClass.ASSISTANT_STATEMENT, language="en", seq=2)
    first = said("I bought books.", 1)
    assert order(cued(asking("Can you suggest books?"), hits(first, reply))) == [first.text, reply.text]


def test_a_document_has_no_speaker():
    assert speaker(Passage("d", "Note: read this.", "a.md")) == ""


@pytest.mark.parametrize(
    ("question", "then"),
    [
        ("What did I buy on 19 May?", "2026-05-20T09:00+08:00"),
        ("我五月十九日買了什麼?", "2026-05-20T09:00+08:00"),
        ("我5月19号买了什么?", "2026-05-20T09:00+08:00"),
        ("5月19日に何を買った?", "2026-05-20T09:00+09:00"),
        ("What did I buy last week?", "2026-05-22T09:00+08:00"),
        ("我上週買了什麼?", "2026-05-22T09:00+08:00"),
        ("先週何を買った?", "2026-05-22T09:00+09:00"),
    ],
)
def test_the_day_that_a_question_names_is_looked_at_first(question, then):
    near, far = said("I bought a kettle yesterday.", 2, then), said("I bought a kettle yesterday.", 1, "2026-01-05")
    found = cued(asking(question), hits(far, near), now=date(2026, 5, 27))
    assert [hit.passage.seq for hit in found] == [2, 1]


@pytest.mark.parametrize(
    "standing",
    [
        "Always give versions when I ask about libraries.",
        "From now on, answer in metric units.",
        "以後都用公制回答。",
        "今后都用公制回答。",
        "これからはメートルで答えてください。",
    ],
)
def test_what_was_asked_for_for_good_comes_first(standing):
    other = said("I use three libraries.", 1)
    assert order(cued(asking("Which libraries do I use?"), hits(other, said(standing, 2)))) == [standing, other.text]


def test_the_sentence_that_fits_best_is_named_and_lifts_its_passage():
    scattered = said("We ate well. The sister came. Then Lisbon was on television.", 1)
    together = said("It rained. My sister lives in Lisbon. We ate well.", 2)
    found = rerank(None, asking("Where does my sister live, in Lisbon?"), hits(scattered, together))
    assert order(found) == [together.text, scattered.text]
    best = found[0].best
    assert best is not None
    assert together.text[best.start : best.end] == "My sister lives in Lisbon."


@pytest.mark.parametrize(
    ("question", "language", "whole", "pairs"),
    [
        ("理想國的作者是誰？", "zh-Hant", "柏拉圖寫了理想國。", "理想很遠，想國外的生活。"),
        ("理想国的作者是谁？", "zh-Hans", "柏拉图写了理想国。", "理想很远，想国外的生活。"),
        ("青年部を作ったのは誰？", "ja", "健が青年部を作った。", "青年が多い。年部の会。"),
    ],
)
def test_a_word_of_three_characters_is_more_than_its_two_pairs(question, language, whole, pairs):
    both = hits(said(pairs, 1, language=language), said(whole, 2, language=language))
    found = rerank(None, asking(question, language), both)
    assert order(found) == [whole, pairs]
    titled = Passage("a", "……", "a.md", language=language, title=whole)
    assert order(rerank(None, asking(question, language), hits(said(pairs, 1, language=language), titled)))[0] == "……"


@pytest.mark.parametrize(
    ("question", "language", "scattered", "together"),
    [
        ("雲南軍官的起義是哪一年？", "zh-Hant", "起義的雲南軍官，那一年很多。", "雲南軍官的起義在那一年。"),
        ("前赵贵族的建立者是谁？", "zh-Hans", "建立者的前赵贵族是谁都知道。", "前赵贵族的建立者，谁都知道。"),
        ("飲料の持ち込み料金は？", "ja", "持ち込み料金の飲料は五百円。", "飲料の持ち込み料金は五百円。"),
    ],
)
def test_a_stretch_of_the_question_word_for_word_says_more_than_the_same_words(question, language, scattered, together):
    before, behind = said(scattered, 1, language=language), said(together, 2, language=language)
    found = rerank(None, asking(question, language), [Hit(before, 1.25, 1), Hit(behind, 1.0, 2)])
    assert order(found) == [together, scattered]


@pytest.mark.parametrize(
    ("question", "language", "about", "named"),
    [
        ('Who wrote "The Night Ferry"?', "en", "A ferry, by night: who wrote that?", "Lowe wrote The Night Ferry."),
        ("《南海行記》的作者是誰？", "zh-Hant", "作者南行，記海上見聞，是誰？", "陳某著有《南海行記》。"),
        ("“一个时代的终结”指什么？", "zh-Hans", "时代终结，指一个什么？", "报上说是「一個時代的終結」。"),
        ("『雨の駅』の作者は誰？", "ja", "駅の作者が雨の中を歩く、誰？", "『雨の駅』は森さんの作。"),
    ],
)
def test_what_a_question_quotes_is_meant_word_for_word(question, language, about, named):
    both = hits(said(about, 1, language=language), said(named, 2, language=language))
    quoting = rerank(None, asking(question, language), both)
    bare = rerank(None, asking(re.sub('["《》“”『』]', "", question), language), both)
    assert order(quoting)[0] == named
    gain = {hit.passage.text: hit.score for hit in quoting}[named] - {hit.passage.text: hit.score for hit in bare}[
        named
    ]
    assert gain > 0.3


@pytest.mark.parametrize(
    ("question", "tells", "does_not"),
    [
        ("When did she move?", "She moved last March.", "She moved to a flat."),
        ("她什麼時候搬家的?", "她去年三月搬家。", "她搬到公寓了。"),
        ("她什么时候搬家的?", "她去年三月搬家。", "她搬到公寓了。"),
        ("いつ引っ越した?", "去年の三月に引っ越した。", "マンションに引っ越した。"),
    ],
)
def test_who_asks_when_is_shown_what_tells_when(question, tells, does_not):
    found = rerank(None, asking(question, "und"), hits(said(does_not, 1), said(tells, 2)))
    assert order(found) == [tells, does_not]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Where did she move?", "I hear she moved to Leeds."),
        ("她搬去哪裡?", "我聽說她搬去台中。"),
        ("她搬去哪里？", "我听说她搬去台中。"),
        ("どこに引っ越したの?", "私はリーズに引っ越した。"),
    ],
)
def test_what_somebody_only_asked_answers_nothing(asked, told):
    assert order(rerank(None, asking("moved", "und"), hits(said(asked, 1), said(told, 2))))[0] == told


def test_a_question_in_which_a_person_tells_something_counts_as_told():
    assert order(rerank(None, asking("tips"), hits(said("I moved to Leeds, any tips?", 1), said("Nice.", 2)))) == [
        "I moved to Leeds, any tips?",
        "Nice.",
    ]

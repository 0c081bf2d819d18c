"""What repeats the question or the list of sources says nothing; what answers in the question's words does."""

from __future__ import annotations

import pytest

from anaphor.adapters.fake import ScriptedModel
from anaphor.steps.answer import answer
from anaphor.steps.answer.quote import quote
from anaphor.steps.commit import released
from anaphor.steps.echo import echoes, names_sources
from anaphor.steps.verify import verify, verify_claim
from anaphor.types import Claim, Decision, Evidence, Outcome, Passage, Question, StandaloneQuery, Support

ASKED = {
    "en": "How long is the warranty of Brightwater pumps?",
    "zh-Hant": "明川水泵的保固期多長？",
    "zh-Hans": "明川水泵的保修期多长？",
    "ja": "明川ポンプの保証期間はどのくらいですか？",
}
SOURCES = {
    "en": "Brightwater pumps carry a warranty of 24 months. The firm employs 340 people in Leeds.",
    "zh-Hant": "明川水泵的保固期是24個月。公司在台中雇用340人。",
    "zh-Hans": "明川水泵的保修期是24个月。公司在苏州雇用340人。",
    "ja": "明川ポンプの保証期間は24か月です。会社は仙台で340人を雇用しています。",
}
ECHOED = {
    "en": "The warranty of Brightwater pumps. [1]",
    "zh-Hant": "明川水泵的保固期。[1]",
    "zh-Hans": "明川水泵的保修期。[1]",
    "ja": "明川ポンプの保証期間です。[1]",
}
LISTED = {
    "en": "Sources: Pump manual [1], Seals [2].",
    "zh-Hant": "資料來源：水泵手冊[1]、密封件[2]。",
    "zh-Hans": "资料来源：水泵手册[1]、密封件[2]。",
    "ja": "出典：ポンプ説明書[1]、シール[2]。",
}
TITLES = {
    "en": ("Pump manual", "Seals"),
    "zh-Hant": ("水泵手冊", "密封件"),
    "zh-Hans": ("水泵手册", "密封件"),
    "ja": ("ポンプ説明書", "シール"),
}


def evidence(language):
    one, two = TITLES[language]
    return Evidence(
        (
            Passage("a", SOURCES[language], "pumps.md", language=language, title=one),
            Passage("b", SOURCES[language].split("。")[0].split(".")[0], "seals.md", language=language, title=two),
        )
    )


@pytest.mark.parametrize("language", list(ASKED))
@pytest.mark.parametrize("said", ["the question", "its words", "the list of sources", "the sources as they were shown"])
def test_a_model_that_echoes_is_not_heard_and_the_quoting_reader_answers(language, said):
    shown = evidence(language)
    reply = {
        "the question": ASKED[language] + " [1]",
        "its words": ECHOED[language],
        "the list of sources": LISTED[language],
        "the sources as they were shown": "\n".join(
            f'{{"n": {n}, "class": "document", "title": "{p.title}", "text": "{p.text}"}}' for n, p in shown.numbered()
        ),
    }[said]
    told = []
    query = StandaloneQuery(ASKED[language], Decision.STANDALONE, 1.0, language)
    draft = answer(
        Question(ASKED[language], "t1"),
        query,
        shown,
        ScriptedModel([reply]),
        temperature=0.3,
        timeout=9.0,
        release=told.append,
        cancelled=lambda: False,
    )
    verdict = verify(draft, query, shown)
    assert draft.writer == "quoted"
    assert verdict.outcome is Outcome.ANSWERED
    assert "24" in released(draft, verdict)
    assert [claim.text for claim in told] == [claim.text for claim in draft.claims]


@pytest.mark.parametrize(
    ("language", "question", "text"),
    [
        ("en", "Is the pump red?", "The pump is red."),
        ("en", "Which is cheaper, the Alder or the Birch plan?", "The Birch plan is cheaper."),
        ("en", "What does the pump weigh?", "The pump weighs 12 kg."),
        ("zh-Hant", "水泵是紅色的嗎？", "水泵是紅色的。"),
        ("zh-Hant", "哪個比較便宜，赤楊方案還是樺木方案？", "樺木方案比較便宜。"),
        ("ja", "ポンプは赤いですか？", "ポンプは赤いです。"),
        ("ja", "ポンプの重さはどのくらいですか？", "ポンプの重さは12キロです。"),
    ],
)
def test_an_answer_in_the_words_of_the_question_is_no_echo(language, question, text):
    assert not echoes(text, question, language)


def test_a_short_answer_that_is_also_a_title_is_no_list_of_sources():
    one = Passage("a", "The pumps are made by Brightwater.", "brightwater.md", title="Brightwater")
    assert not names_sources("Brightwater.", (one,))
    assert verify_claim(Claim("Brightwater makes the pumps.", (1,)), Evidence((one,))).verdict is Support.SUPPORTED
    assert names_sources("Sources: Brightwater", (one,))
    assert names_sources("brightwater.md", (one, Passage("b", "x", "x.md"))) is False


@pytest.mark.parametrize(
    ("language", "noise", "question", "text"),
    [
        ("en", "Who makes the Brightwater pumps.", "Who makes the Brightwater pumps?", "Ada Holm makes the pumps."),
        ("zh-Hant", "明川水泵是誰製造的。", "明川水泵是誰製造的？", "明川水泵由陳志遠製造。"),
        ("zh-Hans", "明川水泵是谁制造的。", "明川水泵是谁制造的？", "明川水泵由陈志远制造。"),
        (
            "ja",
            "明川ポンプは誰が作っているか。",
            "明川ポンプは誰が作っていますか？",
            "明川ポンプは高橋誠が作っています。",
        ),
    ],
)
def test_a_passage_that_only_echoes_the_question_is_not_quoted(language, noise, question, text):
    shown = Evidence((Passage("a", noise, "log.md", language=language), Passage("b", text, "b.md", language=language)))
    draft = quote(StandaloneQuery(question, Decision.STANDALONE, 1.0, language), shown, language)
    assert draft.claims[0].text == text
    alone = quote(StandaloneQuery(question, Decision.STANDALONE, 1.0, language), Evidence(shown.passages[:1]), language)
    assert alone.claims == ()
